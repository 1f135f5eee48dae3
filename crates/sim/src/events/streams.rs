//! One-way rings: node by node instead of moment by moment.
//!
//! On a one-way ring a process hears a single link, on which nothing overtakes anything. What it does follows from what comes
//! and in which order, not from when it comes: it is a function from one stream to another (Kahn 1974). So it may be given at
//! once all that is on its way to it, each message with the moment at which it arrives, and what it sends is handed on to
//! the next. No queue is needed: what travels together is a *train*, in which an answer takes the place of what it answers,
//! and most messages, which are sent on as they came, are only looked at.
//!
//! All that is counted is the same as in order of time, and so is every decision with its moment. Only how much is under way
//! at a moment cannot be seen from here.

use std::collections::VecDeque;
use std::iter::{Enumerate, Peekable, Rev};
use std::mem::{needs_drop, take};
use std::slice::IterMut;

use bellwether_core::{Context, Id, Message, Port, Process, Span, Status};
use bellwether_world::host::{Bytes, Count, Ended, Error, Kinds, Sent, Tally, Watch, bring_up, glance};
use bellwether_world::random::Choices;
use bellwether_world::{Judge, Node, Report, Ring, Scenario, Time, Wiring};

use super::delayed::{Chance, Link};
use crate::length;
use crate::symmetry::Mirror;

/// A train of more than twice as many messages is split, this many in front: it stays in a first-level cache, and a visit
/// is short beside it.
const TOGETHER: usize = 128;

/// Plays a scenario without faults, of an algorithm for one-way rings without timers and overhead, on links in order.
/// `None` if it can only be played in order of time.
pub(super) fn play<P: Process, D: Pace>(
    scenario: &Scenario,
    ring: Ring,
    watch: &mut dyn Watch,
    count: Count,
    full: bool,
) -> Result<Option<Report>, Error> {
    if Mirror::new(P::INFO, scenario).is_watching() {
        return Ok(None); // after every moment it looks at all processes
    }
    let nodes = ring.nodes();
    let engine = Engine::<P, D> {
        scenario,
        ring,
        processes: bring_up(scenario, P::INFO, D::BYTES * nodes as usize, P::new)?,
        pace: D::new(scenario),
        hops: 0,
        now: Span(0),
        waiting: Vec::new(),
        past: VecDeque::new(),
        tally: Tally::new(nodes, count),
        rest: Rest {
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

/// How long messages take on the links that lead clockwise.
pub(super) trait Pace {
    /// How long a message takes if none takes longer or shorter than others, else nothing. Moments are written down less this
    /// for every hop, so that they stay the same where every message takes as long.
    const HOP: Span;
    /// The bytes that it needs for a link.
    const BYTES: usize;
    /// What it knows of a link.
    type Link: Copy;

    fn new(scenario: &Scenario) -> Self;
    /// The link that leads on from a node.
    fn link(&self, from: Node) -> Self::Link;
    /// When a message arrives that is sent now.
    fn arrival(&self, link: &mut Self::Link, now: Span) -> Span;
    /// Keeps what is known of that link.
    fn keep(&mut self, from: Node, link: Self::Link);
}

/// Every message takes one unit.
pub(super) struct Units;

impl Pace for Units {
    const HOP: Span = Span::UNIT;
    const BYTES: usize = 0;
    type Link = ();

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

/// Every message has a delay of its own.
pub(super) struct Drawn {
    chance: Chance,
    links: Vec<Link>,
}

impl Pace for Drawn {
    const HOP: Span = Span(0);
    const BYTES: usize = size_of::<Link>();
    type Link = Link;

    fn new(scenario: &Scenario) -> Self {
        let clockwise = |node| scenario.topology.direction(node, Port::NEXT);
        let links = Link::all(scenario, (0..scenario.topology.nodes()).map(clockwise));
        Self { chance: Chance::of(scenario.timing), links }
    }

    #[inline(always)]
    fn link(&self, from: Node) -> Link {
        self.links[from as usize]
    }

    #[inline(always)]
    fn arrival(&self, link: &mut Link, now: Span) -> Span {
        let time = Span(now.0 + link.next_delay(self.chance).0);
        link.in_order(time)
    }

    #[inline(always)]
    fn keep(&mut self, from: Node, link: Link) {
        self.links[from as usize] = link;
    }
}

/// A message under way.
#[derive(Clone, Debug)]
struct Letter<M> {
    /// When it arrives, [less the hops](Pace::HOP) before.
    at: Span,
    /// The length of the message, or that it was [taken off](OFF).
    bits: u64,
    msg: M,
}

/// The length of a message that nobody has sent on.
const OFF: u64 = u64::MAX;

/// Messages that travel together, the foremost last, to this node.
struct Train<M> {
    to: Node,
    letters: Vec<Letter<M>>,
    /// What they come to.
    load: Sent,
}

impl<M: Message> Train<M> {
    /// A train without any messages yet.
    fn empty() -> Self {
        Self { to: 0, letters: Vec::new(), load: Sent::default() }
    }

    /// Those behind the foremost stay behind.
    #[cold]
    #[inline(never)]
    fn split(&mut self) -> Self {
        // They wait in no more room than they need.
        let letters: Vec<_> = self.letters.drain(..self.letters.len() - TOGETHER).collect();
        let mut load = Sent::default();
        letters.iter().for_each(|letter| load.add(1, letter.msg.kind(), letter.bits));
        self.load.remove_all(&load);
        Self { to: self.to, letters, load }
    }

    /// Takes out the places whose messages nobody answered, and puts further answers behind the first ones.
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
        // Mostly the foremost, which come from nearby.
        while letters.pop_if(|letter| letter.bits == OFF).is_some() {}
        if letters.len() as u64 > load.count::<M>() {
            letters.retain(|letter| letter.bits != OFF);
        }
    }
}

/// Why a run is not played to its end in this way.
enum Halt {
    /// Somebody looks on and wants it to stop.
    Wanted,
    /// Only in order of time can be said what happens: there are more events than are allowed, a draw is not among those to
    /// choose from, or somebody does not send clockwise.
    Disorder,
}

/// A run being played.
struct Engine<'a, P: Process, D> {
    scenario: &'a Scenario,
    ring: Ring,
    processes: Vec<P>,
    pace: D,
    /// How many hops have been made from the first node of the first lap to the first of this one.
    hops: u64,
    /// The last moment of which something is known.
    now: Span,
    /// Trains that have not come to the last node on this lap, the foremost last.
    waiting: Vec<Train<P::Msg>>,
    /// Those that have, in order.
    past: VecDeque<Train<P::Msg>>,
    tally: Tally,
    rest: Rest<P::Msg>,
    /// After this many events somebody may stop the run.
    next_glance: u64,
}

impl<P: Process, D: Pace> Engine<'_, P, D> {
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
            scenario: self.scenario,
            info: P::INFO,
            judge: self.rest.judge,
            tally: self.tally,
            choices: self.rest.choices,
            symmetry: None,
            cut_short,
            synchronized: false,
            extra_time: 0.0,
            full,
        };
        watch.weighs(Bytes { node, message: size_of::<Letter<P::Msg>>() });
        // Where it is stopped some are far ahead of others: what they have decided never stood side by side.
        let status = |node: Node| if cut_short { Status::Undecided } else { self.processes[node as usize].status() };
        let mut report = ended.report(Kinds::of::<P::Msg>(), &status)?;
        if cut_short {
            (report.decided, report.deciders) = (None, None);
        }
        Ok(Some(report))
    }

    /// Lets the initiators start, and everything happen that follows.
    fn hold_election(&mut self, watch: &mut dyn Watch) -> Result<(), Halt> {
        let scenario = self.scenario;
        let mut starters = scenario.initiators.among(self.ring.nodes()).map(|(node, _)| node).peekable();
        let begins = self.now;
        // The foremost train comes to everybody first, and takes in what those send who start.
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

    /// Takes a train from its node past the last one. Whoever starts on its own does so before anything arrives.
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
            let clock = Clock(D::HOP.0.wrapping_mul(*hops + u64::from(node)));
            let mut link = pace.link(node);
            rest.node = node;
            let mut started = Sent::default();
            if starts {
                let before = process.status();
                let link = &mut link;
                let load = &mut started;
                process.start(&mut Step { now: begins, clock, pace, link, post: &mut own, load, rest });
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

/// The hops made so far, as time.
#[derive(Clone, Copy)]
struct Clock(u64);

impl Clock {
    /// A moment as it is told.
    #[inline(always)]
    fn told(self, at: Span) -> Span {
        Span(at.0.wrapping_add(self.0))
    }

    /// A moment as it is written down for the next node.
    #[inline(always)]
    fn written<D: Pace>(self, at: Span) -> Span {
        Span(at.0.wrapping_sub(self.0).wrapping_sub(D::HOP.0))
    }
}

impl<M> Letter<M> {
    /// It is not sent on. That is seldom: the compiler is told, so that the way through a loop is straight for those that are.
    #[cold]
    #[inline(never)]
    fn take_off(&mut self, kind: usize, load: &mut Sent) {
        load.remove(1, kind, self.bits);
        self.bits = OFF;
    }
}

/// A process receives all of a train.
#[inline(never)]
fn receive<P: Process, D: Pace>(
    process: &mut P,
    train: &mut Train<P::Msg>,
    clock: Clock,
    pace: &D,
    link: &mut D::Link,
    rest: &mut Rest<P::Msg>,
) {
    // Where that is but to copy some bytes, a process that nobody else sees stays in the processor's registers.
    if const { needs_drop::<P>() } {
        return receive_all(process, train, clock, pace, link, rest);
    }
    let mut copy = process.clone();
    receive_all(&mut copy, train, clock, pace, link, rest);
    *process = copy;
}

#[inline(always)]
fn receive_all<P: Process, D: Pace>(
    process: &mut P,
    train: &mut Train<P::Msg>,
    clock: Clock,
    pace: &D,
    link: &mut D::Link,
    rest: &mut Rest<P::Msg>,
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

/// Messages that are left of a train, the foremost first.
type Left<'t, M> = Rev<Enumerate<IterMut<'t, Letter<M>>>>;

/// A process receives messages as long as it has decided, or as long as it has not. What it sends its answers to tells by its
/// type whether it has: the compiler compiles the algorithm's step into a loop if there is no other for that type.
#[inline(always)]
fn receive_while<P: Process, D: Pace, const DECIDED: bool>(
    process: &mut P,
    letters: &mut Left<'_, P::Msg>,
    load: &mut Sent,
    clock: Clock,
    pace: &D,
    link: &mut D::Link,
    rest: &mut Rest<P::Msg>,
) {
    let mut before = process.status();
    for (place, letter) in letters {
        let (now, msg) = (clock.told(letter.at), letter.msg.clone());
        let mut post = Answer::<_, DECIDED> { place, received: msg.clone(), letter, is_first: true };
        let step = &mut Step { now, clock, pace, link, post: &mut post, load, rest };
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

/// What a step seldom needs.
struct Rest<M> {
    node: Node,
    choices: Choices,
    judge: Judge,
    /// Answers beyond the first, with the places of what they answer, the foremost first.
    more: Vec<(usize, Letter<M>)>,
    /// Whether somebody did not send clockwise.
    astray: bool,
}

impl<M> Rest<M> {
    /// Lets the judge see what may be a change.
    #[cold]
    #[inline(never)]
    fn judged(&mut self, now: Span, before: Status, after: Status) {
        if before != after {
            self.judge.change_out_of_turn(Time::after(now), self.node, before, after);
        }
    }
}

/// Where what a process sends goes.
trait Post<M> {
    /// Sends a message that arrives at this moment.
    fn put(&mut self, at: Span, msg: M, load: &mut Sent, more: &mut Vec<(usize, Letter<M>)>);
}

/// What is sent at the start goes in front.
impl<M: Message> Post<M> for Vec<Letter<M>> {
    fn put(&mut self, at: Span, msg: M, load: &mut Sent, _: &mut Vec<(usize, Letter<M>)>) {
        let bits = length(&msg);
        load.add(1, msg.kind(), bits);
        self.push(Letter { at, bits, msg });
    }
}

/// What is sent in answer to a message goes where that was.
struct Answer<'s, M, const DECIDED: bool> {
    place: usize,
    received: M,
    letter: &'s mut Letter<M>,
    is_first: bool,
}

impl<M: Message, const DECIDED: bool> Post<M> for Answer<'_, M, DECIDED> {
    #[inline(always)]
    fn put(&mut self, at: Span, msg: M, load: &mut Sent, more: &mut Vec<(usize, Letter<M>)>) {
        if !take(&mut self.is_first) {
            let bits = length(&msg);
            load.add(1, msg.kind(), bits);
            return more.push((self.place, Letter { at, bits, msg }));
        }
        self.letter.at = at;
        // Most send on what they receive. The compiler sees that, and that nothing is to be done.
        if msg != self.received {
            load.remove(1, self.received.kind(), self.letter.bits);
            self.letter.bits = length(&msg);
            load.add(1, msg.kind(), self.letter.bits);
            self.letter.msg = msg;
        }
    }
}

/// The context of a step.
struct Step<'s, M, D: Pace, P> {
    now: Span,
    clock: Clock,
    pace: &'s D,
    link: &'s mut D::Link,
    post: &'s mut P,
    load: &'s mut Sent,
    rest: &'s mut Rest<M>,
}

impl<M: Message, T, D: Pace, P: Post<M>> Context<M, T> for Step<'_, M, D, P> {
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
