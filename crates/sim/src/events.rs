//! The asynchronous host: events in virtual time.
//!
//! Initiators start at time 0 in node order; then messages arrive, each after its delay. What happens at one instant
//! is ordered by: deliveries before timers, receiver, port, order of sending. The run is over when nothing is under way.

mod agenda;
mod timers;

use bellwether_core::{Context, Message, Model, Port, Process, Span, Tag};
use bellwether_world::random::Choices;
use bellwether_world::trace::EventKind;
use bellwether_world::{Judge, Node, Report, Scenario, Time, Timing, Wires, Wiring};

use self::agenda::{Agenda, Delayed, Unit};
use self::timers::Timers;
use crate::cast::{Ended, Error, bring_up};
use crate::instants::Mail;
use crate::observe::{Observer, Recorder, Silent, Watch, written};
use crate::tally::Tally;
use crate::{Wishes, observe};

/// Plays a scenario.
///
/// # Errors
/// If the run cannot be made.
pub fn play<P: Process>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    let Wishes { record, watch, count_sends, full } = wishes;
    // Where nobody looks on, unit delays have a queue of their own, unless something may happen between two instants or
    // the run may be over in the middle of one.
    let in_step = scenario.timing == Timing::Unit && !P::Timer::EXISTS && !P::Msg::HAS_OVERHEAD;
    match (record, &scenario.topology.wires) {
        (None, Wires::Ring(ring)) if in_step => {
            Engine::<P, _, _, _>::new(scenario, ring, Unit::new(), Silent, count_sends)?.play(watch, full)
        }
        (None, Wires::Graph(graph)) if in_step => {
            Engine::<P, _, _, _>::new(scenario, graph, Unit::new(), Silent, count_sends)?.play(watch, full)
        }
        (None, _) => {
            let agenda = Delayed::new(scenario);
            Engine::<P, _, _, _>::new(scenario, &scenario.topology, agenda, Silent, count_sends)?.play(watch, full)
        }
        (Some(sink), _) => {
            let (agenda, recorder) = (Delayed::new(scenario), Recorder::new(sink));
            Engine::<P, _, _, _>::new(scenario, &scenario.topology, agenda, recorder, count_sends)?.play(watch, full)
        }
    }
}

/// A run being played.
struct Engine<'a, P: Process, W, A, O> {
    scenario: &'a Scenario,
    processes: Vec<P>,
    world: World<'a, P, W, A, O>,
    judge: Judge,
    /// Processes that will act although nothing but overhead is on its way; kept only where there is overhead.
    pending: u64,
}

/// What a process acts on in a step.
struct World<'a, P: Process, W, A, O> {
    wiring: &'a W,
    agenda: A,
    timers: Timers<P::Timer>,
    choices: Choices,
    tally: Tally,
    observer: O,
}

impl<'a, P: Process, W: Wiring, O: Observer<P::Msg>, A: Agenda<P::Msg, O::Stamp>> Engine<'a, P, W, A, O> {
    fn new(scenario: &'a Scenario, wiring: &'a W, agenda: A, observer: O, count_sends: bool) -> Result<Self, Error> {
        let nodes = wiring.nodes();
        Ok(Self {
            scenario,
            processes: bring_up(scenario, P::INFO, size_of::<Mail<P::Msg, O::Stamp>>(), P::new)?,
            world: World {
                wiring,
                agenda,
                timers: Timers::new(),
                choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
                tally: Tally::new(if count_sends { nodes } else { 0 }),
                observer,
            },
            judge: Judge::new(P::INFO, scenario),
            pending: 0,
        })
    }

    fn play(mut self, watch: &mut dyn Watch, full: bool) -> Result<Report, Error> {
        let mut complete = true;
        for election in 0..self.scenario.elections {
            if !complete {
                break;
            }
            if election > 0 {
                self.judge.next_election();
            }
            complete = self.hold_election(watch);
        }
        let ended = Ended {
            scenario: self.scenario,
            info: P::INFO,
            judge: self.judge,
            tally: self.world.tally,
            choices: self.world.choices,
            cut_short: !complete,
            synchronized: P::INFO.model == Model::Synchronous,
            extra_time: 0.0,
            full,
        };
        ended.report::<P::Msg>(&|node| self.processes[node as usize].status())
    }

    /// Lets the initiators start, and everything happen that follows. Says whether it came to an end.
    fn hold_election(&mut self, watch: &mut dyn Watch) -> bool {
        for (node, _) in self.scenario.initiators.among(self.scenario.topology.nodes()) {
            self.step(node, EventKind::Start, |process, ctx| process.start(ctx));
        }
        let mut block = Vec::new();
        while !self.is_quiet() {
            let World { tally, agenda, .. } = &self.world;
            if !watch.go_on(tally.events, Time::after(agenda.now()), tally.in_flight) {
                return false;
            }
            let pause = self.scenario.limit.min(tally.events + observe::GLANCE);
            if tally.events >= pause {
                return false;
            }
            while self.world.tally.events < pause && !self.is_quiet() {
                if P::Timer::EXISTS && self.expire_timer() {
                    continue;
                }
                let most = pause - self.world.tally.events;
                self.world.agenda.next_block(&mut block, most as usize);
                for Mail { to, port, stamp, msg } in block.drain(..) {
                    self.step(to, EventKind::Receive, |process, ctx| {
                        let World { wiring, observer, tally, .. } = &mut *ctx.world;
                        observer.receives(wiring.far(to, port).0, port, &msg, stamp);
                        tally.received(&msg);
                        process.receive(port, msg, ctx);
                    });
                }
            }
        }
        true
    }

    /// Lets the next timer go off, if it does so before the next delivery.
    fn expire_timer(&mut self) -> bool {
        let World { agenda, timers, .. } = &mut self.world;
        let Some((due, node, timer)) = timers.expire_before(agenda.next_time()) else { return false };
        agenda.set_now(due);
        self.step(node, EventKind::Timeout, |process, ctx| {
            ctx.world.observer.times_out(written(&timer));
            process.timeout(timer, ctx);
        });
        true
    }

    /// Whether nothing will happen any more: nothing is under way, or only overhead that nobody waits for.
    #[inline]
    fn is_quiet(&self) -> bool {
        let World { timers, tally, .. } = &self.world;
        let waited_for = if P::Msg::HAS_OVERHEAD { tally.payload_in_flight + self.pending } else { tally.in_flight };
        waited_for == 0 && timers.is_empty()
    }

    #[inline]
    fn step(&mut self, node: Node, kind: EventKind, act: impl FnOnce(&mut P, &mut Step<'_, 'a, P, W, A, O>)) {
        let Self { processes, world, judge, pending, .. } = self;
        world.tally.events += 1;
        world.observer.begin(Time::after(world.agenda.now()), node, kind);
        let process = &mut processes[node as usize];
        let before = process.status();
        let was_pending = P::Msg::HAS_OVERHEAD && process.is_pending();
        act(process, &mut Step { node, world });
        let after = process.status();
        if P::Msg::HAS_OVERHEAD {
            *pending += u64::from(process.is_pending());
            *pending -= u64::from(was_pending);
        }
        if before != after {
            judge.change(Time::after(world.agenda.now()), node, before, after);
        }
        world.observer.end((before != after).then_some(after));
    }
}

/// The context of a step: what a process sends goes straight into the queue.
struct Step<'s, 'a, P: Process, W, A, O> {
    node: Node,
    world: &'s mut World<'a, P, W, A, O>,
}

impl<P: Process, W: Wiring, O: Observer<P::Msg>, A: Agenda<P::Msg, O::Stamp>> Context<P::Msg, P::Timer>
    for Step<'_, '_, P, W, A, O>
{
    #[inline]
    fn ports(&self) -> u32 {
        self.world.wiring.ports(self.node)
    }

    #[inline]
    fn send(&mut self, port: Port, msg: P::Msg) {
        let World { wiring, agenda, tally, observer, .. } = &mut *self.world;
        let (to, at) = wiring.far(self.node, port);
        tally.sent(self.node, &msg);
        let stamp = observer.sends(to, port, &msg);
        agenda.push(wiring.direction(self.node, port), Mail { to, port: at, stamp, msg });
    }

    fn set_timer(&mut self, timer: P::Timer, after: Span) {
        let due = Span(self.world.agenda.now().0.saturating_add(after.0));
        self.world.timers.set(self.node, timer, due);
    }

    fn cancel_timer(&mut self, timer: P::Timer) {
        self.world.timers.cancel(self.node, timer);
    }

    fn choose(&mut self, arity: u64) -> u64 {
        let value = self.world.choices.choose(self.node, arity);
        self.world.observer.draws(value);
        value
    }
}
