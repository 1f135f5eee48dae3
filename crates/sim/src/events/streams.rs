//! One-way rings: node by node instead of moment by moment.
//!
//! On a one-way ring a process receives from a single FIFO link. What it does depends on the order of its messages, not
//! on their times. So a process is a function from one stream to another (Kahn 1974). It can receive at once all
//! messages on their way to it, each with its time of arrival. What it sends goes to the next node. No queue is needed.
//! Messages that travel together are a *train*. In it an answer takes the place of its message. Most messages are sent
//! on unchanged, so they are only read.
//!
//! All counts are the same as in order of time, and so is every decision with its time. Only the number of messages
//! under way at one moment cannot be seen here.

use std::collections::VecDeque;
use std::iter::{Enumerate, Peekable, Rev};
use std::mem::{needs_drop, take};
use std::slice::IterMut;

use bellwether_core::{Context, Id, Message, Port, Process, Span, Status};
use bellwether_net::{Node, Ring, Wiring};
use bellwether_random::Choices;
use bellwether_world::host::{Bytes, Count, Ended, Error, Kinds, SentCount, Tally, Watch, bring_up, glance};
use bellwether_world::{Judge, Report, Scenario, Time};

use super::delayed::{Distribution, LinkDelays};
use crate::length;
use crate::symmetry::Mirror;

/// The length of the front part of a split train. A train of more than twice this length is split: it stays in a
/// first-level cache, and the cost per visit is small.
const TOGETHER: usize = 128;

/// Plays a scenario without faults on FIFO links, of an algorithm for one-way rings without timers and overhead. `None`
/// if it can only be played in order of time.
pub(super) fn play<P: Process, D: Delivery>(
    scenario: &Scenario,
    ring: Ring,
    watch: &mut dyn Watch,
    count: Count,
    full: bool,
) -> Result<Option<Report>, Error> {
    if Mirror::new(P::INFO, scenario).is_watching() {
        return Ok(None); // it looks at all processes after every moment
    }
    let nodes = ring.nodes();
    let engine = StreamEngine::<P, D> {
        scenario,
        ring,
        processes: bring_up(scenario, P::INFO, D::BYTES * nodes as usize, P::new)?,
        pace: D::new(scenario),
        hops: 0,
        now: Span(0),
        waiting: Vec::new(),
        past: VecDeque::new(),
        tally: Tally::new(nodes, count),
        rest: SeldomUsed {
            node: 0,
            choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
            judge: Judge::new(P::INFO, scenario),
            more: Vec::new(),
            astray: false,
        },
        next_glance: 0,
    };
    engine.play(watch, full)
}

/// The delays on the clockwise links.
pub(super) trait Delivery {
    /// The delay of a message if all messages take the same time, otherwise 0. Times are stored minus this for every
    /// hop. So they stay the same if all delays are equal.
    const HOP: Span;
    /// The bytes that it needs for a link.
    const BYTES: usize;
    /// The state of a link.
    type LinkDelays: Copy;

    fn new(scenario: &Scenario) -> Self;
    /// The link that leads on from a node.
    fn link(&self, from: Node) -> Self::LinkDelays;
    /// The arrival of a message that is sent now.
    fn arrival(&self, link: &mut Self::LinkDelays, now: Span) -> Span;
    /// Stores the state of a link.
    fn keep(&mut self, from: Node, link: Self::LinkDelays);
}

/// Every message takes one unit.
pub(super) struct UnitDelays;

impl Delivery for UnitDelays {
    const HOP: Span = Span::UNIT;
    const BYTES: usize = 0;
    type LinkDelays = ();

    fn new(_: &Scenario) -> Self {
        Self
    }

    #[inline(always)]
    fn link(&self, _: Node) {}

    #[inline(always)]
    fn arrival(&self, (): &mut (), now: Span) -> Span {
        Span(now.0.wrapping_add(Self::HOP.0))
    }

    #[inline(always)]
    fn keep(&mut self, _: Node, (): ()) {}
}

/// Every message has its own delay.
pub(super) struct RandomDelays {
    chance: Distribution,
    links: Vec<LinkDelays>,
}

impl Delivery for RandomDelays {
    const HOP: Span = Span(0);
    const BYTES: usize = size_of::<LinkDelays>();
    type LinkDelays = LinkDelays;

    fn new(scenario: &Scenario) -> Self {
        let clockwise = |node| scenario.topology.direction(node, Port::NEXT);
        let links = LinkDelays::all(scenario, (0..scenario.topology.nodes()).map(clockwise));
        Self { chance: Distribution::of(scenario.timing), links }
    }

    #[inline(always)]
    fn link(&self, from: Node) -> LinkDelays {
        self.links[from as usize]
    }

    #[inline(always)]
    fn arrival(&self, link: &mut LinkDelays, now: Span) -> Span {
        let time = Span(now.0 + link.next_delay(self.chance).0);
        link.in_order(time)
    }

    #[inline(always)]
    fn keep(&mut self, from: Node, link: LinkDelays) {
        self.links[from as usize] = link;
    }
}

/// A message under way.
#[derive(Clone, Debug)]
struct Letter<M> {
    /// When it arrives, [minus the hops](Delivery::HOP) so far.
    at: Span,
    /// The length of the message, or `OFF` if it was taken off.
    bits: u64,
    msg: M,
}

/// The length of a message that was not sent on.
const OFF: u64 = u64::MAX;

/// Messages that travel together to this node, the foremost last.
struct Train<M> {
    to: Node,
    letters: Vec<Letter<M>>,
    /// The counts of these messages.
    load: SentCount,
}

impl<M: Message> Train<M> {
    /// A train without any messages yet.
    fn empty() -> Self {
        Self { to: 0, letters: Vec::new(), load: SentCount::default() }
    }

    /// Keeps the foremost messages and returns the others.
    #[cold]
    #[inline(never)]
    fn split(&mut self) -> Self {
        // A vector without spare capacity: it may wait for long.
        let letters: Vec<_> = self.letters.drain(..self.letters.len() - TOGETHER).collect();
        let mut load = SentCount::default();
        letters.iter().for_each(|letter| load.add(1, letter.msg.kind(), letter.bits));
        self.load.remove_all(&load);
        Self { to: self.to, letters, load }
    }

    /// Removes the messages that were taken off, and inserts further answers behind the first ones.
    #[inline(never)]
    fn close_up(&mut self, more: &mut Vec<(usize, Letter<M>)>) {
        let Self { letters, load, .. } = self;
        if !more.is_empty() {
            let mut more = more.drain(..).peekable();
            for (place, letter) in take(letters).into_iter().enumerate().rev() {
                letters.push(letter);
                while let Some((_, letter)) = more.next_if(|(at, _)| *at == place) {
                    letters.push(letter);
                }
            }
            letters.reverse();
        }
        // Mostly these are the foremost ones, which come from nearby.
        while letters.pop_if(|letter| letter.bits == OFF).is_some() {}
        if letters.len() as u64 > load.count::<M>() {
            letters.retain(|letter| letter.bits != OFF);
        }
    }
}

/// Why a run is not played to its end by this engine.
enum Halt {
    /// The watcher stops the run.
    Wanted,
    /// The result depends on the order of time. There are more events than allowed, a given draw is not among the
    /// values, or a process does not send clockwise.
    Disorder,
}

/// A run being played.
struct StreamEngine<'a, P: Process, D> {
    scenario: &'a Scenario,
    ring: Ring,
    processes: Vec<P>,
    pace: D,
    /// The number of hops from the first node of the first lap to the first node of this lap.
    hops: u64,
    /// The latest time of an event so far.
    now: Span,
    /// Trains that have not passed the last node on this lap, the foremost last.
    waiting: Vec<Train<P::Msg>>,
    /// Trains that have passed it, in order.
    past: VecDeque<Train<P::Msg>>,
    tally: Tally,
    rest: SeldomUsed<P::Msg>,
    /// The number of events at which the watcher is asked again.
    next_glance: u64,
}

impl<P: Process, D: Delivery> StreamEngine<'_, P, D> {
    fn play(mut self, watch: &mut dyn Watch, full: bool) -> Result<Option<Report>, Error> {
        let mut cut_short = false;
        for election in 0..self.scenario.elections {
            if election > 0 {
                self.rest.judge.next_election();
            }
            match self.hold_election(watch) {
                Ok(()) => {}
                Err(Halt::Disorder) => return Ok(None),
                Err(Halt::Wanted) => {
                    cut_short = true;
                    break;
                }
            }
        }
        let node = size_of::<P>() + size_of::<Id>() + D::BYTES + self.tally.bytes_each();
        let ended = Ended {
            choices: self.rest.choices,
            cut_short,
            full,
            ..Ended::new(self.scenario, P::INFO, self.rest.judge, self.tally)
        };
        watch.weighs(Bytes { node, message: size_of::<Letter<P::Msg>>() });
        // If the run is stopped, some nodes are far ahead of others: their decisions never existed at the same time.
        let status = |node: Node| if cut_short { Status::Undecided } else { self.processes[node as usize].status() };
        let mut report = ended.report(Kinds::of::<P::Msg>(), &status)?;
        if cut_short {
            (report.decided, report.deciders) = (None, None);
        }
        Ok(Some(report))
    }

    /// Lets the initiators start, and then everything that follows happen.
    fn hold_election(&mut self, watch: &mut dyn Watch) -> Result<(), Halt> {
        let scenario = self.scenario;
        let mut starters = scenario.initiators.among(self.ring.nodes()).map(|(node, _)| node).peekable();
        let begins = self.now;
        // The foremost train comes to every node first, and takes in the messages of the starting nodes.
        self.waiting.push(Train::empty());
        while !self.waiting.is_empty() {
            while let Some(train) = self.waiting.pop() {
                self.drive(train, &mut starters, begins, watch)?;
            }
            self.hops += u64::from(self.ring.nodes());
            self.waiting.extend(self.past.drain(..).rev());
        }
        if self.tally.events > scenario.limit || self.rest.astray || self.rest.choices.misfit().is_some() {
            return Err(Halt::Disorder);
        }
        self.rest.judge.settle();
        Ok(())
    }

    /// Takes a train from its node past the last one. A node that starts on its own does so before anything arrives.
    #[inline(never)]
    fn drive(
        &mut self,
        mut train: Train<P::Msg>,
        starters: &mut Peekable<impl Iterator<Item = Node>>,
        begins: Span,
        watch: &mut dyn Watch,
    ) -> Result<(), Halt> {
        let Self { ring, processes, pace, hops, now: latest, waiting, past, tally: kept, rest, next_glance, .. } = self;
        let (nodes, mut tally, mut own) = (ring.nodes(), take(kept), Vec::new());
        while train.to < nodes {
            let node = train.to;
            let starts = starters.next_if_eq(&node).is_some();
            if train.letters.is_empty() && !starts {
                let Some(&starter) = starters.peek() else { break };
                train.to = starter;
                continue;
            }
            if tally.events >= *next_glance {
                *next_glance = tally.events + glance(ring);
                if tally.events > self.scenario.limit || rest.astray {
                    return Err(Halt::Disorder);
                }
                if !watch.go_on(tally.messages::<P::Msg>(), None) {
                    *kept = tally;
                    return Err(Halt::Wanted);
                }
            }
            let arrivals = train.letters.len() as u64;
            tally.events += arrivals + u64::from(starts);
            let process = &mut processes[node as usize];
            let clock = Arrival(D::HOP.0.wrapping_mul(*hops + u64::from(node)));
            let mut link = pace.link(node);
            rest.node = node;
            let mut started = SentCount::default();
            if starts {
                let before = process.status();
                let link = &mut link;
                let load = &mut started;
                process.start(&mut StreamStep { now: begins, clock, pace, link, post: &mut own, load, rest });
                rest.judged(begins, before, process.status());
            }
            if let Some(last) = train.letters.first() {
                *latest = (*latest).max(clock.told(last.at));
                receive(process, &mut train, clock, pace, &mut link, rest);
                if train.load.count::<P::Msg>() != arrivals || !rest.more.is_empty() {
                    train.close_up(&mut rest.more);
                }
            }
            pace.keep(node, link);
            train.letters.extend(own.drain(..).rev());
            train.load.add_all::<P::Msg>(&started);
            tally.sent_all::<P::Msg>(&train.load);
            tally.sent_by(node, train.letters.len() as u32);
            train.to += 1;
            if train.letters.len() > 2 * TOGETHER {
                let behind = train.split();
                waiting.push(behind);
            }
        }
        *kept = tally;
        if !train.letters.is_empty() {
            past.push_back(Train { to: 0, ..train });
        }
        Ok(())
    }
}

/// The time of the hops made so far.
#[derive(Clone, Copy)]
struct Arrival(u64);

impl Arrival {
    /// The real time of a stored time.
    #[inline(always)]
    fn told(self, at: Span) -> Span {
        Span(at.0.wrapping_add(self.0))
    }

    /// The time as it is stored for the next node.
    #[inline(always)]
    fn written<D: Delivery>(self, at: Span) -> Span {
        Span(at.0.wrapping_sub(self.0).wrapping_sub(D::HOP.0))
    }
}

impl<M> Letter<M> {
    /// The message is not sent on. That is rare. The attributes tell the compiler, so the loop is straight for the
    /// other messages.
    #[cold]
    #[inline(never)]
    fn take_off(&mut self, kind: usize, load: &mut SentCount) {
        load.remove(1, kind, self.bits);
        self.bits = OFF;
    }
}

/// A process receives all of a train.
#[inline(never)]
fn receive<P: Process, D: Delivery>(
    process: &mut P,
    train: &mut Train<P::Msg>,
    clock: Arrival,
    pace: &D,
    link: &mut D::LinkDelays,
    rest: &mut SeldomUsed<P::Msg>,
) {
    // If a process is plain bytes, a local copy of it can stay in registers.
    if const { needs_drop::<P>() } {
        return receive_all(process, train, clock, pace, link, rest);
    }
    let mut copy = process.clone();
    receive_all(&mut copy, train, clock, pace, link, rest);
    *process = copy;
}

#[inline(always)]
fn receive_all<P: Process, D: Delivery>(
    process: &mut P,
    train: &mut Train<P::Msg>,
    clock: Arrival,
    pace: &D,
    link: &mut D::LinkDelays,
    rest: &mut SeldomUsed<P::Msg>,
) {
    let Train { letters, load, .. } = train;
    let (mut letters, mut ahead) = (letters.iter_mut().enumerate().rev(), *link);
    while letters.len() > 0 {
        match process.status().is_decided() {
            false => receive_while::<P, D, false>(process, &mut letters, load, clock, pace, &mut ahead, rest),
            true => receive_while::<P, D, true>(process, &mut letters, load, clock, pace, &mut ahead, rest),
        }
    }
    *link = ahead;
}

/// The rest of a train, the foremost first.
type Left<'t, M> = Rev<Enumerate<IterMut<'t, Letter<M>>>>;

/// A process receives messages while it stays decided, or while it stays undecided. Its context has a different type in
/// each case. So each type has one loop, and the compiler inlines the algorithm's step into it.
#[inline(always)]
fn receive_while<P: Process, D: Delivery, const DECIDED: bool>(
    process: &mut P,
    letters: &mut Left<'_, P::Msg>,
    load: &mut SentCount,
    clock: Arrival,
    pace: &D,
    link: &mut D::LinkDelays,
    rest: &mut SeldomUsed<P::Msg>,
) {
    let mut before = process.status();
    for (place, letter) in letters {
        let (now, msg) = (clock.told(letter.at), letter.msg.clone());
        let mut post = Answer::<_, DECIDED> { place, received: msg.clone(), letter, is_first: true };
        let step = &mut StreamStep { now, clock, pace, link, post: &mut post, load, rest };
        process.receive(Port::PREVIOUS, msg, step);
        if post.is_first {
            post.letter.take_off(post.received.kind(), load);
        }
        if DECIDED || process.status().is_decided() {
            let after = process.status();
            rest.judged(now, before, after);
            before = after;
            if after.is_decided() != DECIDED {
                break;
            }
        }
    }
}

/// What a step rarely needs.
struct SeldomUsed<M> {
    node: Node,
    choices: Choices,
    judge: Judge,
    /// The answers after the first, with the places of the messages that they answer, the foremost first.
    more: Vec<(usize, Letter<M>)>,
    /// Whether a process did not send clockwise.
    astray: bool,
}

impl<M> SeldomUsed<M> {
    /// Tells the judge, if the status has changed.
    #[cold]
    #[inline(never)]
    fn judged(&mut self, now: Span, before: Status, after: Status) {
        if before != after {
            self.judge.change_out_of_turn(Time::after(now), self.node, before, after);
        }
    }
}

/// Where the messages of a process go.
trait Post<M> {
    /// Sends a message that arrives at this moment.
    fn put(&mut self, at: Span, msg: M, load: &mut SentCount, more: &mut Vec<(usize, Letter<M>)>);
}

/// Messages sent at the start go in front.
impl<M: Message> Post<M> for Vec<Letter<M>> {
    fn put(&mut self, at: Span, msg: M, load: &mut SentCount, _: &mut Vec<(usize, Letter<M>)>) {
        let bits = length(&msg);
        load.add(1, msg.kind(), bits);
        self.push(Letter { at, bits, msg });
    }
}

/// An answer takes the place of the message that it answers.
struct Answer<'s, M, const DECIDED: bool> {
    place: usize,
    received: M,
    letter: &'s mut Letter<M>,
    is_first: bool,
}

impl<M: Message, const DECIDED: bool> Post<M> for Answer<'_, M, DECIDED> {
    #[inline(always)]
    fn put(&mut self, at: Span, msg: M, load: &mut SentCount, more: &mut Vec<(usize, Letter<M>)>) {
        if !take(&mut self.is_first) {
            let bits = length(&msg);
            load.add(1, msg.kind(), bits);
            return more.push((self.place, Letter { at, bits, msg }));
        }
        self.letter.at = at;
        // Most processes send on what they receive. The compiler sees that nothing is to be done then.
        if msg != self.received {
            load.remove(1, self.received.kind(), self.letter.bits);
            self.letter.bits = length(&msg);
            load.add(1, msg.kind(), self.letter.bits);
            self.letter.msg = msg;
        }
    }
}

/// The context of a step.
struct StreamStep<'s, M, D: Delivery, P> {
    now: Span,
    clock: Arrival,
    pace: &'s D,
    link: &'s mut D::LinkDelays,
    post: &'s mut P,
    load: &'s mut SentCount,
    rest: &'s mut SeldomUsed<M>,
}

impl<M: Message, T, D: Delivery, P: Post<M>> Context<M, T> for StreamStep<'_, M, D, P> {
    #[inline]
    fn ports(&self) -> u32 {
        2
    }

    #[inline(always)]
    fn send(&mut self, port: Port, msg: M) {
        if port != Port::NEXT {
            self.rest.astray = true;
        }
        let at = self.clock.written::<D>(self.pace.arrival(self.link, self.now));
        self.post.put(at, msg, self.load, &mut self.rest.more);
    }

    fn set_timer(&mut self, _: T, _: Span) {
        unreachable!("it has no timers");
    }

    fn cancel_timer(&mut self, _: T) {
        unreachable!("it has no timers");
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.rest.choices.choose(self.rest.node, arity)
    }
}
