//! The asynchronous host: events in virtual time.
//!
//! Initiators start at time 0 in node order; then messages arrive, each after its delay. What happens at one instant
//! is ordered by: faults, deliveries, timers; and deliveries by receiver, port, order of sending. The run is over when
//! nothing is under way.

mod agenda;
mod delayed;
mod fast;
mod streams;
mod unit;

use bellwether_core::{Context, Id, Message, Model, Port, Process, Span, Tag, TopologyKind};
use bellwether_world::host::{
    Bytes, Count, Ended, Error, Fate, Fates, Incident, Now, Observer, Recorder, Silent, Standing, Tally, Timers, Watch,
    Wishes, awaken, bring_up, glance_telling, written,
};
use bellwether_world::random::Choices;
use bellwether_world::trace::EventKind;
use bellwether_world::{Judge, Network, Node, Report, Scenario, Time, Timing, Wires, Wiring};

use self::agenda::Agenda;
use self::delayed::{Delayed, Delays, Transit};
use self::streams::{Drawn, Units};
use self::unit::Unit;
use crate::symmetry::Mirror;
use crate::unit_queue::Mail;

/// Plays a scenario.
///
/// # Errors
/// If the run cannot be made.
pub fn play<P: Process>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    let Wishes { record: None, watch, count, full } = wishes else {
        return record::<P>(scenario, wishes);
    };
    // Where nobody looks on and nothing goes wrong there are faster engines, unless something may happen between two
    // deliveries or the run may be over while something is under way.
    let calm = scenario.faults.is_empty() && !P::Timer::EXISTS && !P::Msg::HAS_OVERHEAD;
    if let Wires::Ring(ring) = scenario.topology.wires
        && calm
        && count < Count::InFlight
        && scenario.limit >= ring.nodes().into() // else it strikes: everybody must take a step
        && matches!(P::INFO.topology, TopologyKind::OneWayRing)
    {
        let report = match scenario.timing {
            Timing::Unit => streams::play::<P, Units>(scenario, ring, watch, count, full)?,
            Timing::Uniform | Timing::Exponential => streams::play::<P, Drawn>(scenario, ring, watch, count, full)?,
            _ => None,
        };
        if let Some(report) = report {
            return Ok(report);
        }
    }
    match (&scenario.topology.wires, scenario.timing) {
        (Wires::Ring(ring), Timing::Unit) if calm => fast::play::<P, _, Unit<_>>(scenario, *ring, watch, count, full),
        (Wires::Ring(ring), _) if calm => fast::play::<P, _, Delayed<_>>(scenario, *ring, watch, count, full),
        (Wires::Graph(graph), Timing::Unit) if calm => {
            fast::play::<P, _, Unit<_>>(scenario, graph.view(), watch, count, full)
        }
        (Wires::Graph(graph), _) if calm => fast::play::<P, _, Delayed<_>>(scenario, graph.view(), watch, count, full),
        _ => Engine::<P, _>::new(scenario, Silent, count)?.play(watch, full),
    }
}

/// Plays a scenario on the engine that writes every event down: one for all networks and schedules.
///
/// # Errors
/// If the run cannot be made.
pub fn record<P: Process>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    let Wishes { record, watch, count, full, .. } = wishes;
    Engine::<P, _>::new(scenario, Recorder::new(record), count)?.play(watch, full)
}

/// A run being played.
struct Engine<'a, P: Process, O: Observer<P::Msg>> {
    scenario: &'a Scenario,
    processes: Vec<P>,
    world: World<'a, P, O>,
    judge: Judge,
    mirror: Mirror,
    /// Processes that will act although nothing but overhead is on its way; kept only where there is overhead.
    pending: u64,
}

/// What a process acts on in a step.
struct World<'a, P: Process, O: Observer<P::Msg>> {
    wiring: &'a Network,
    now: Span,
    agenda: Agenda<P::Msg, O::Stamp>,
    timers: Timers<P::Timer>,
    faults: Fates,
    choices: Choices,
    tally: Tally,
    observer: O,
}

impl<'a, P: Process, O: Observer<P::Msg>> Engine<'a, P, O> {
    fn new(scenario: &'a Scenario, observer: O, count: Count) -> Result<Self, Error> {
        let wiring = &scenario.topology;
        let nodes = wiring.nodes();
        let mail = nodes as usize * size_of::<Mail<P::Msg, O::Stamp>>();
        Ok(Self {
            scenario,
            processes: bring_up(scenario, P::INFO, mail + Delays::bytes(scenario), P::new)?,
            world: World {
                wiring,
                now: Span(0),
                agenda: Agenda::new(scenario),
                timers: Timers::default(),
                faults: Fates::new(scenario),
                choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
                tally: Tally::new(nodes, count),
                observer,
            },
            judge: Judge::new(P::INFO, scenario),
            mirror: Mirror::new(P::INFO, scenario),
            pending: 0,
        })
    }

    fn play(mut self, watch: &mut dyn Watch, full: bool) -> Result<Report, Error> {
        let complete = (0..self.scenario.elections).all(|election| {
            if election > 0 {
                self.judge.next_election();
                self.world.observer.opens(election + 1);
            }
            self.hold_election(watch)
        });
        self.mirror.look(self.world.time(), &self.processes);
        let node = size_of::<P>()
            + size_of::<Id>()
            + Delays::bytes(self.scenario) / self.processes.len()
            + self.world.tally.bytes_each();
        let ended = Ended {
            scenario: self.scenario,
            info: P::INFO,
            judge: self.judge,
            tally: self.world.tally,
            choices: self.world.choices,
            symmetry: self.mirror.found(),
            cut_short: !complete,
            synchronized: P::INFO.model == Model::Synchronous,
            extra_time: 0.0,
            full,
        };
        watch.weighs(Bytes { node, message: size_of::<(Span, Mail<P::Msg, O::Stamp>)>() });
        ended.report::<P::Msg>(&|node| self.processes[node as usize].status())
    }

    /// Lets the initiators start, and everything happen that follows. Says whether it came to an end.
    fn hold_election(&mut self, watch: &mut dyn Watch) -> bool {
        while self.world.tally.events < self.scenario.limit && self.suffer() {}
        let mut pause = 0;
        for (node, _) in self.scenario.initiators.among(self.world.wiring.nodes()) {
            if self.world.tally.events >= pause {
                let Some(next) = self.next_pause(watch) else { return false };
                pause = next;
            }
            if !self.world.faults.is_dead(node) {
                self.step(node, EventKind::Start, |process, ctx| process.start(ctx));
            }
        }
        while !self.is_quiet() {
            let Some(pause) = self.next_pause(watch) else { return false };
            self.go_on_until(pause);
        }
        true
    }

    /// After how many events to look up again; `None` if the run is to stop here.
    fn next_pause(&self, watch: &mut dyn Watch) -> Option<u64> {
        let Tally { events, .. } = self.world.tally;
        let pause = self.scenario.limit.min(events + glance_telling(&self.world.wiring));
        let now = Now { time: self.world.time(), in_flight: self.world.tally.in_flight::<P::Msg>() };
        (watch.go_on(self.world.tally.messages::<P::Msg>(), Some(now)) && events < pause).then_some(pause)
    }

    /// Lets things happen until so many have happened, or nothing is left to happen.
    fn go_on_until(&mut self, pause: u64) {
        while self.world.tally.events < pause && !self.is_quiet() {
            if self.suffer_before_delivery() || self.expire_timer() {
                continue;
            }
            let Some((now, Mail { to, port, stamp, msg })) = self.world.agenda.pop() else { continue };
            self.pass_time(now);
            let (from, _) = self.world.wiring.far(to, port);
            if self.world.faults.is_dead(to) {
                self.world.tally.lost(&msg);
                self.world.observer.drops(self.world.time(), to, from, port, &msg, stamp);
                continue;
            }
            self.world.tally.received(&msg);
            self.step(to, EventKind::Receive, |process, ctx| {
                ctx.world.observer.receives(from, port, &msg, stamp);
                process.receive(port, msg, ctx);
            });
        }
    }

    /// The clock goes on.
    #[inline]
    fn pass_time(&mut self, now: Span) {
        if now > self.world.now {
            self.mirror.look(self.world.time(), &self.processes);
            self.world.now = now;
        }
    }

    /// Lets the next fault happen, if it is due now.
    fn suffer(&mut self) -> bool {
        let World { faults, wiring, now, .. } = &mut self.world;
        let Some((_, incident)) = faults.next_incident(Time::after(*now), *wiring) else { return false };
        match incident {
            Incident::Crash(node) => {
                self.world.observer.crashes(self.world.time(), node);
                self.world.timers.stop(node);
                let process = &self.processes[node as usize];
                self.judge.crash(node, process.status());
                self.pending -= u64::from(P::Msg::HAS_OVERHEAD && process.is_pending());
            }
            Incident::Recover(node) => {
                let process = awaken(self.scenario, P::INFO, self.scenario.told_diameter(P::INFO), node, P::new);
                self.processes[node as usize] = process.expect("it was brought up before");
                self.pending += u64::from(P::Msg::HAS_OVERHEAD && self.processes[node as usize].is_pending());
                self.judge.recover(node);
                self.step(node, EventKind::Recover, |process, ctx| process.start(ctx));
            }
            Incident::PeerDown(node, port) => self.step(node, EventKind::PeerDown, |process, ctx| {
                ctx.world.observer.hears_of(port);
                process.peer_down(port, ctx);
            }),
        }
        true
    }

    /// Lets the next fault happen, if it comes before the next delivery and the next timer.
    fn suffer_before_delivery(&mut self) -> bool {
        let World { agenda, timers, faults, .. } = &self.world;
        let Some(at) = faults.next_time() else { return false };
        let next = agenda.next_time().into_iter().chain(timers.first().map(|(due, _)| due)).min();
        if next.is_some_and(|next| Time::after(next) < at) {
            return false;
        }
        let Some(now) = at.as_span() else { return false };
        self.pass_time(now);
        // Even if nobody is concerned any more, something may be planned that comes before all else.
        self.suffer();
        true
    }

    /// Lets the next timer go off, if it does so before the next delivery.
    fn expire_timer(&mut self) -> bool {
        let World { agenda, timers, .. } = &mut self.world;
        if timers.is_empty() {
            return false;
        }
        let Some((due, node, timer)) = timers.expire_before(agenda.next_time()) else { return false };
        self.pass_time(due);
        self.step(node, EventKind::Timeout, |process, ctx| {
            ctx.world.observer.times_out(written(&timer));
            process.timeout(timer, ctx);
        });
        true
    }

    /// Whether nothing will happen any more: nothing is under way, or only overhead that nobody waits for.
    #[inline]
    fn is_quiet(&self) -> bool {
        let World { timers, tally, faults, .. } = &self.world;
        let waited_for = tally.waited_for::<P::Msg>() + self.pending;
        (waited_for == 0 || tally.in_flight::<P::Msg>() == 0) && timers.is_empty() && faults.next_time().is_none()
    }

    #[inline]
    fn step(&mut self, node: Node, kind: EventKind, act: impl FnOnce(&mut P, &mut Step<'_, 'a, P, O>)) {
        let Self { processes, world, judge, pending, .. } = self;
        world.tally.events += 1;
        world.observer.begin(world.time(), node, kind);
        let process = &mut processes[node as usize];
        let before = standing(process);
        let was_pending = P::Msg::HAS_OVERHEAD && process.is_pending();
        act(process, &mut Step { node, world });
        let after = standing(process);
        if P::Msg::HAS_OVERHEAD {
            *pending += u64::from(process.is_pending());
            *pending -= u64::from(was_pending);
        }
        if before.status != after.status {
            judge.change(world.time(), node, before.status, after.status);
        }
        world.observer.end(before, after);
    }
}

#[inline]
fn standing(process: &impl Process) -> Standing {
    Standing { status: process.status(), role: process.role() }
}

impl<P: Process, O: Observer<P::Msg>> World<'_, P, O> {
    fn time(&self) -> Time {
        Time::after(self.now)
    }
}

/// The context of a step: what a process sends goes straight into the queue.
struct Step<'s, 'a, P: Process, O: Observer<P::Msg>> {
    node: Node,
    world: &'s mut World<'a, P, O>,
}

impl<P: Process, O: Observer<P::Msg>> Context<P::Msg, P::Timer> for Step<'_, '_, P, O> {
    #[inline]
    fn ports(&self) -> u32 {
        self.world.wiring.ports(self.node)
    }

    #[inline]
    fn send(&mut self, port: Port, msg: P::Msg) {
        let time = self.world.time();
        let World { wiring, now, agenda, faults, tally, observer, .. } = &mut *self.world;
        let (to, at) = wiring.far(self.node, port);
        tally.sent(self.node, &msg);
        let stamp = observer.sends(to, port, &msg);
        let direction = wiring.direction(self.node, port);
        match faults.fate(time, self.node, to) {
            Fate::USUAL => agenda.push(*now, direction, Transit::USUAL, Mail { to, port: at, stamp, msg }),
            Fate::Lost => {
                tally.lost(&msg);
                observer.loses();
                agenda.lose(direction);
            }
            Fate::Arrives { slowness, late, twice } => {
                if twice {
                    tally.repeated(&msg);
                    observer.repeats();
                    let mail = Mail { to, port: at, stamp, msg: msg.clone() };
                    agenda.push(*now, direction, Transit { slowness, late: false, is_copy: true }, mail);
                }
                agenda.push(
                    *now,
                    direction,
                    Transit { slowness, late, is_copy: false },
                    Mail { to, port: at, stamp, msg },
                );
            }
        }
    }

    fn set_timer(&mut self, timer: P::Timer, after: Span) {
        let due = Span(self.world.now.0.saturating_add(after.0));
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
