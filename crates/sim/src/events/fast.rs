//! The fast engines for events, one for each kind of queue: no faults, no recorder.

use bellwether_core::{Context, Id, Message, Port, Process, Span, Status};
use bellwether_net::{Node, Wiring};
use bellwether_random::Choices;
use bellwether_world::host::{Bytes, Count, Ended, Error, Kinds, Now, Tally, Watch, bring_up, glance};
use bellwether_world::{Judge, Report, Scenario, Time};
use prefetch_index::prefetch_index;

use crate::symmetry::Mirror;
use crate::unit_queue::Mail;

/// The largest size of all processes in bytes that needs no prefetch: it stays in the cache.
pub(super) const CACHE: usize = 1 << 22;

/// The messages under way, and their delivery.
pub(super) trait Queue<M: Message>: Sized {
    /// The bytes that a message takes in it.
    const BYTES_EACH: usize;

    /// The bytes that it needs besides the messages.
    fn bytes(scenario: &Scenario) -> usize;

    /// An empty queue.
    fn new(scenario: &Scenario) -> Self;

    /// Delivers until there were this many events, or nothing is under way.
    fn go_on_until<P: Process<Msg = M>, W: Wiring + Copy>(engine: &mut FastEvents<'_, P, W, Self>, pause: u64);

    /// Sends a message in this direction of a link.
    fn push(&mut self, now: Span, direction: usize, mail: Mail<M, ()>);
}

/// Plays a scenario without faults, of an algorithm without timers and overhead.
pub(super) fn play<P: Process, W: Wiring + Copy, Q: Queue<P::Msg>>(
    scenario: &Scenario,
    wiring: W,
    watch: &mut dyn Watch,
    count: Count,
    full: bool,
) -> Result<Report, Error> {
    let nodes = wiring.nodes();
    let mail = (nodes as usize).max(scenario.crowd(P::INFO)).saturating_mul(Q::BYTES_EACH);
    let engine = FastEvents::<P, W, Q> {
        scenario,
        wiring,
        processes: bring_up(scenario, P::INFO, mail + Q::bytes(scenario), P::new)?,
        now: Span(0),
        queue: Q::new(scenario),
        choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
        tally: Tally::new(nodes, count),
        judge: Judge::new(P::INFO, scenario),
        mirror: Mirror::new(P::INFO, scenario),
    };
    engine.play(watch, full)
}

/// A run being played.
pub(super) struct FastEvents<'a, P: Process, W, Q> {
    scenario: &'a Scenario,
    pub(super) wiring: W,
    pub(super) processes: Vec<P>,
    pub(super) now: Span,
    pub(super) queue: Q,
    pub(super) choices: Choices,
    pub(super) tally: Tally,
    pub(super) judge: Judge,
    pub(super) mirror: Mirror,
}

impl<P: Process, W: Wiring + Copy, Q: Queue<P::Msg>> FastEvents<'_, P, W, Q> {
    fn play(mut self, watch: &mut dyn Watch, full: bool) -> Result<Report, Error> {
        let complete = (0..self.scenario.elections).all(|election| {
            if election > 0 {
                self.judge.next_election();
            }
            self.hold_election(watch)
        });
        self.mirror.look(Time::after(self.now), &self.processes);
        let node =
            size_of::<P>() + size_of::<Id>() + Q::bytes(self.scenario) / self.processes.len() + self.tally.bytes_each();
        let ended = Ended {
            choices: self.choices,
            symmetry: self.mirror.found(),
            cut_short: !complete,
            full,
            ..Ended::new(self.scenario, P::INFO, self.judge, self.tally)
        };
        watch.weighs(Bytes { node, message: Q::BYTES_EACH });
        ended.report(Kinds::of::<P::Msg>(), &|node| self.processes[node as usize].status())
    }

    /// Lets the initiators start, and then everything that follows happen. Returns whether the election came to an end.
    fn hold_election(&mut self, watch: &mut dyn Watch) -> bool {
        let mut pause = 0;
        for (node, _) in self.scenario.initiators.among(self.wiring.nodes()) {
            if self.tally.events >= pause {
                let Some(next) = self.next_pause(watch) else { return false };
                pause = next;
            }
            self.start(node);
        }
        while self.tally.in_flight::<P::Msg>() > 0 {
            let Some(pause) = self.next_pause(watch) else { return false };
            Q::go_on_until(self, pause);
        }
        true
    }

    /// The number of events after which to look up again; `None` if the run must stop here.
    fn next_pause(&self, watch: &mut dyn Watch) -> Option<u64> {
        let events = self.tally.events;
        let pause = self.scenario.limit.min(events + glance(&self.wiring));
        let now = Now { time: Time::after(self.now), in_flight: self.tally.in_flight::<P::Msg>() };
        (watch.go_on(self.tally.messages::<P::Msg>(), Some(now)) && events < pause).then_some(pause)
    }

    fn start(&mut self, node: Node) {
        let Self { wiring, processes, now, queue, choices, tally, judge, .. } = self;
        let process = &mut processes[node as usize];
        let before = process.status();
        tally.events += 1;
        let send = |direction, mail| queue.push(*now, direction, mail);
        process.start(&mut FastStep { node, sent: 0, wiring: *wiring, send, tally, choices });
        judged(judge, *now, node, before, process.status());
    }
}

/// Prefetches a process while others act.
#[inline(always)]
pub(super) fn prefetch<P>(processes: &[P], node: Node) {
    prefetch_index(processes, node as usize);
    // A process may be in two cache lines.
    prefetch_index(processes, node as usize + 1);
}

/// Tells the judge, if the status has changed.
#[inline(never)]
pub(super) fn judged(judge: &mut Judge, now: Span, node: Node, before: Status, after: Status) {
    if before != after {
        judge.change(Time::after(now), node, before, after);
    }
}

/// The context of a step: messages go straight into the queue.
pub(super) struct FastStep<'s, W, F> {
    pub(super) node: Node,
    /// How many messages it has sent.
    pub(super) sent: u32,
    pub(super) wiring: W,
    /// Sends a message in this direction of a link.
    pub(super) send: F,
    pub(super) tally: &'s mut Tally,
    pub(super) choices: &'s mut Choices,
}

impl<W: Wiring, M: Message, T, F: FnMut(usize, Mail<M, ()>)> Context<M, T> for FastStep<'_, W, F> {
    #[inline]
    fn ports(&self) -> u32 {
        self.wiring.ports(self.node)
    }

    #[inline]
    fn send(&mut self, port: Port, msg: M) {
        let (to, at) = self.wiring.far(self.node, port);
        self.tally.sent(self.node, &msg);
        self.sent += 1;
        (self.send)(self.wiring.direction(self.node, port), Mail { to, port: at, stamp: (), msg });
    }

    fn set_timer(&mut self, _: T, _: Span) {
        unreachable!("it has no timers");
    }

    fn cancel_timer(&mut self, _: T) {
        unreachable!("it has no timers");
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.choices.choose(self.node, arity)
    }
}
