//! Any algorithm on real threads.
//!
//! Every thread hosts a group of nodes, usually a single one. Each node has a driver. Messages go between threads
//! through channels, timers use a real clock, and a crashed process takes no more steps. A run is judged, recorded and
//! counted like a simulated one. A decision is written into a shared book before any of its effects can happen. If the
//! run is recorded, so is every step. So the order in the book is a possible order of a simulation, and its trace
//! replays.

mod agenda;
mod backlog;
mod clock;
mod group;
mod outgoing;
mod shared;

use std::ops::Range;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, Builder, ScopedJoinHandle};
use std::time::{Duration, Instant};

use bellwether_core::Span;
use bellwether_net::{Node, Wiring};
use bellwether_world::host::{Actor, Algorithm, Count, Ended, Error, Incident, Now, Tally, Wishes, bring_up};
use bellwether_world::{Fault, Report, Scenario, Time, Timing};

use self::clock::Stopwatch;
use self::group::{Dispatch, Errand, Group, Post};
use self::shared::{Load, News, Shared};

/// The stack of a thread. It is small: a step needs little, and thousands of threads should fit.
const STACK: usize = 256 << 10;

/// How often the main thread asks the watcher: for a progress bar, or to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// Plays an algorithm on this many threads. An algorithm in rounds runs with a synchronizer.
///
/// # Errors
/// If the run cannot be made.
pub fn play(algorithm: &Algorithm, scenario: &Scenario, threads: u32, wishes: Wishes<'_>) -> Result<Report, Error> {
    let cast = algorithm.cast(scenario);
    let Timing::Live(clock) = scenario.timing else { return Err(Error::Live) };
    let mut processes = bring_up(scenario, cast.info, cast.process_bytes * scenario.ids.len(), cast.new)?;
    let (news, heard) = channel();
    let shared = Shared::new(cast, scenario, Stopwatch::new(clock), wishes.record.is_some(), news);
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
            let group = Group::new(&shared, nodes, hosted, inbox, &post);
            let spawned = Builder::new().stack_size(STACK).spawn_scoped(scope, move || group.serve());
            match spawned {
                Ok(handle) => crew.push(handle),
                Err(error) => {
                    dismiss(&shared, &post);
                    return Err(Error::Threads(format!("thread {} cannot be started: {error}", crew.len() + 1)));
                }
            }
        }
        let mut wishes = wishes;
        let complete = hold_elections(&shared, &post, &heard, &mut wishes);
        dismiss(&shared, &post);
        let (processes, tally) = collect(crew);
        heard.try_iter().for_each(|news| pass_on(&shared, news, &mut wishes));
        Ok((complete, processes, tally, wishes.full))
    });
    let (complete, processes, tally, full) = held?;
    let (judge, choices) = shared.dissolve();
    let ended = Ended { choices, cut_short: !complete, full, ..Ended::new(scenario, cast.info, judge, tally) };
    let ended = ended.with_processes(processes.iter().map(|process| &**process));
    ended.report(cast.kinds, &|node| processes[node as usize].status())
}

/// The nodes in this many groups of about the same size, neighbours together.
fn groups(nodes: Node, threads: u32) -> impl Iterator<Item = Range<Node>> {
    let count = u64::from(threads.clamp(1, nodes));
    let bound = move |group: u64| (group * u64::from(nodes) / count) as Node;
    (0..count).map(move |group| bound(group)..bound(group + 1))
}

/// Holds all elections, one after the other. Returns whether they came to an end.
fn hold_elections(shared: &Shared<'_>, post: &Post, heard: &Receiver<News>, wishes: &mut Wishes<'_>) -> bool {
    let scenario = shared.scenario;
    let planned = scenario.faults.iter().filter_map(Fault::incident).filter_map(|(at, incident)| match incident {
        Incident::Crash(node) => Some((node, at, Errand::Crash(node))),
        Incident::Recover(node) => Some((node, at, Errand::Recover(node))),
        // Groups hear of crashes by themselves. The assumptions refuse the others for live runs.
        Incident::PeerDown(..) | Incident::Start(_) => None,
        Incident::CrashLeader | Incident::Pause(_) | Incident::Resume(_) => None,
    });
    shared.clock.now();
    for (node, at, errand) in planned {
        shared.expect(Load::of(1));
        let due = at.as_span().unwrap_or(Span(u64::MAX)).max(Span(1));
        post.send(node, Dispatch { due, errand });
    }
    for election in 0..scenario.elections {
        if election > 0 {
            let mut book = shared.book();
            book.judge.next_election();
            book.recorder.opens(election + 1);
        }
        let initiators = scenario.initiators.among(scenario.topology.nodes());
        shared.expect_starts(scenario.initiator_count().into());
        post.send_all(|| Errand::Hold);
        let now = if election > 0 { shared.clock.now() } else { Span(0) };
        for (node, _) in initiators {
            post.send(node, Dispatch { due: Span(0), errand: Errand::Start(node, now) });
        }
        if !wait_for_the_end(shared, post, heard, wishes) {
            return false;
        }
    }
    true
}

/// Waits until nothing is left to happen, or until its time is over. Returns whether it came to that.
fn wait_for_the_end(shared: &Shared<'_>, post: &Post, heard: &Receiver<News>, wishes: &mut Wishes<'_>) -> bool {
    let mut asked = Instant::now();
    let until = shared.scenario.until.and_then(Time::as_span);
    loop {
        let rest = until.map_or(GLANCE, |until| shared.clock.until(until));
        match heard.recv_timeout(GLANCE.min(rest)) {
            Ok(News::Started) => post.send_all(|| Errand::Go),
            Ok(News::Quiet) if shared.is_quiet() => return true,
            Ok(News::Limit | News::Lost) | Err(RecvTimeoutError::Disconnected) => return false,
            Ok(news) => pass_on(shared, news, wishes),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if shared.ends_by(shared.clock.now()) {
            return true;
        }
        // A busy run brings news all the time, so the news must not put this off.
        if asked.elapsed() >= GLANCE {
            let (steps, moving) = shared.progress();
            let now = Now { time: Time::after(shared.clock.now()), in_flight: moving };
            // Nearly every step is the arrival of a message.
            if !wishes.watch.go_on(steps + moving, Some(now)) {
                return false;
            }
            asked = Instant::now();
        }
    }
}

/// Hands an event on.
fn pass_on(shared: &Shared<'_>, news: News, wishes: &mut Wishes<'_>) {
    if let (News::Event(event), Some(record)) = (news, &mut wishes.record) {
        record(*event);
        shared.backlog.shrink();
    }
}

/// Ends all threads.
fn dismiss(shared: &Shared<'_>, post: &Post) {
    shared.close();
    post.send_all(|| Errand::Leave);
}

/// What a thread returns: its processes, and its counts.
type Leftover = (Vec<Box<dyn Actor>>, Tally);

/// Waits for all threads, and collects what they return.
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
