//! Any algorithm on real threads.
//!
//! Every thread hosts a group of nodes, usually a single one; messages go from thread to thread through channels, timers run by
//! a real clock, and who crashes takes no step any more. What happens is judged, recorded and counted like a simulated
//! run: a decision is written into a common book before anything that follows from it can happen, and where a run is
//! recorded every step is. So the book has an order that could have been the order of a simulation, and its trace
//! replays as one.

mod agenda;
mod clock;
mod group;
mod office;

use std::ops::Range;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, Builder, ScopedJoinHandle};
use std::time::Duration;

use bellwether_core::{Model, Span};
use bellwether_world::host::{Actor, Algorithm, Count, Ended, Error, Now, Tally, Wishes, bring_up};
use bellwether_world::{Fault, Node, Report, Scenario, Time, Timing, Wiring};

use self::clock::Stopwatch;
use self::group::{Dispatch, Errand, Group, Post};
use self::office::{Load, News, Office};

/// A step needs little room; thousands of threads should fit.
const STACK: usize = 256 << 10;

/// How often the one who holds the election looks up: for a progress bar, or to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// Plays an algorithm on so many threads; one that is based on rounds by way of a synchronizer.
///
/// # Errors
/// If the run cannot be made.
pub fn play(algorithm: &Algorithm, scenario: &Scenario, threads: u32, wishes: Wishes<'_>) -> Result<Report, Error> {
    let cast = &algorithm.events;
    let Timing::Live(clock) = scenario.timing else { return Err(Error::Live) };
    let mut processes = bring_up(scenario, cast.info, cast.process_bytes * scenario.ids.len(), cast.new)?;
    let (news, heard) = channel();
    let office = Office::new(cast, scenario, Stopwatch::new(clock), wishes.record.is_some(), news);
    let (posts, inboxes): (Vec<_>, Vec<_>) = groups(scenario.topology.nodes(), threads)
        .map(|nodes| {
            let (post, inbox) = channel();
            ((nodes.clone(), post), (nodes, inbox))
        })
        .unzip();
    let post = Post { groups: posts };
    let held = thread::scope(|scope| {
        let mut crew = vec![];
        for (nodes, inbox) in inboxes {
            let hosted = processes.drain(..nodes.len()).collect();
            let group = Group::new(&office, nodes, hosted, inbox, &post);
            let spawned = Builder::new().stack_size(STACK).spawn_scoped(scope, move || group.serve());
            match spawned {
                Ok(handle) => crew.push(handle),
                Err(error) => {
                    dismiss(&office, &post);
                    return Err(Error::Threads(format!("thread {} cannot be started: {error}", crew.len() + 1)));
                }
            }
        }
        let mut wishes = wishes;
        let complete = hold_elections(&office, &post, &heard, &mut wishes);
        dismiss(&office, &post);
        let (processes, tally) = collect(crew);
        heard.try_iter().for_each(|news| pass_on(news, &mut wishes));
        Ok((complete, processes, tally, wishes.full))
    });
    let (complete, processes, tally, full) = held?;
    let (judge, choices) = office.dissolve();
    let ended = Ended {
        scenario,
        info: cast.info,
        judge,
        tally,
        choices,
        symmetry: None,
        cut_short: !complete,
        synchronized: cast.info.model == Model::Synchronous,
        extra_time: 0.0,
        full,
    };
    ended.report(cast.kinds, &|node| processes[node as usize].status())
}

/// The nodes in so many groups of about the same size, neighbours together.
fn groups(nodes: Node, threads: u32) -> impl Iterator<Item = Range<Node>> {
    let count = u64::from(threads.clamp(1, nodes));
    let bound = move |group: u64| (group * u64::from(nodes) / count) as Node;
    (0..count).map(move |group| bound(group)..bound(group + 1))
}

/// Holds all elections, one after the other. Says whether they came to an end.
fn hold_elections(office: &Office<'_>, post: &Post, heard: &Receiver<News>, wishes: &mut Wishes<'_>) -> bool {
    let scenario = office.scenario;
    let planned = scenario.faults.iter().filter_map(|fault| match *fault {
        Fault::Crash(node, at) => Some((node, at, Errand::Crash(node))),
        Fault::Recover(node, at) => Some((node, at, Errand::Recover(node))),
        _ => None,
    });
    office.clock.now();
    for (node, at, errand) in planned {
        office.expect(Load::of(1));
        let due = at.as_span().unwrap_or(Span(u64::MAX)).max(Span(1));
        post.send(node, Dispatch { due, errand });
    }
    for election in 0..scenario.elections {
        if election > 0 {
            let mut book = office.book();
            book.judge.next_election();
            book.recorder.opens(election + 1);
        }
        let initiators = scenario.initiators.among(scenario.topology.nodes());
        office.expect_starts(scenario.initiator_count().into());
        post.send_all(|| Errand::Hold);
        for (node, _) in initiators {
            post.send(node, Dispatch { due: Span(0), errand: Errand::Start(node) });
        }
        if !wait_for_the_end(office, post, heard, wishes) {
            return false;
        }
    }
    true
}

/// Waits until nothing is left to happen. Says whether it came to that.
fn wait_for_the_end(office: &Office<'_>, post: &Post, heard: &Receiver<News>, wishes: &mut Wishes<'_>) -> bool {
    loop {
        match heard.recv_timeout(GLANCE) {
            Ok(News::Started) => post.send_all(|| Errand::Go),
            Ok(News::Quiet) if office.is_quiet() => return true,
            Ok(News::Limit | News::Lost) | Err(RecvTimeoutError::Disconnected) => return false,
            Ok(news) => pass_on(news, wishes),
            Err(RecvTimeoutError::Timeout) => {
                let (steps, moving) = office.progress();
                let now = Now { time: Time::after(office.clock.now()), in_flight: moving };
                // Nearly every step was the arrival of a message.
                if !wishes.watch.go_on(steps + moving, Some(now)) {
                    return false;
                }
            }
        }
    }
}

fn pass_on(news: News, wishes: &mut Wishes<'_>) {
    if let (News::Event(event), Some(record)) = (news, &mut wishes.record) {
        record(*event);
    }
}

/// Sends all threads away.
fn dismiss(office: &Office<'_>, post: &Post) {
    office.close();
    post.send_all(|| Errand::Leave);
}

/// What a thread leaves behind: its processes, and what it has counted.
type Leftover = (Vec<Box<dyn Actor>>, Tally);

/// Waits for all threads, and takes over what they leave behind.
fn collect(crew: Vec<ScopedJoinHandle<'_, Leftover>>) -> Leftover {
    let (mut processes, mut tally) = (vec![], Tally::new(0, Count::Messages));
    for thread in crew {
        let (hosted, mut counted) = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        processes.extend(hosted);
        tally.absorb(&mut counted);
    }
    tally.settle();
    (processes, tally)
}
