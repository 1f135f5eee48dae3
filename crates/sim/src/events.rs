//! The asynchronous host: events in virtual time.
//!
//! Initiators start at time 0 in node order. Then messages arrive, each after its delay. At one instant the order is:
//! faults, writes to disk, deliveries, timers. Deliveries are ordered by receiver, port, and sending. The run is over
//! when nothing is under way.

mod agenda;
mod delayed;
mod disk;
mod fast;
mod singled;
mod streams;
mod unit;

use bellwether_core::{Context, Id, Port, Process, Span, Status, TopologyKind};
use bellwether_net::Network;
use bellwether_net::Node;
use bellwether_net::Wires;
use bellwether_net::Wiring;
use bellwether_random::Choices;
use bellwether_world::host::{
    Actor, Bell, Bytes, Cast, Count, Cue, Ended, Envelope, Error, Fate, Fates, Incident, Now, PhaseCount, READABLE,
    Recorder, Sink, Tally, Timers, Watch, Wishes, bring_up, glance_telling, restore,
};
use bellwether_world::trace::EventKind;
use bellwether_world::{Judge, Report, Scenario, Time, Timing};

use self::agenda::Agenda;
use self::delayed::{DelayLaw, Delayed, Transit};
use self::disk::{Disks, Done, Letter};
pub(crate) use self::singled::singled_out;
use self::streams::{RandomDelays, UnitDelays};
use self::unit::Unit;
use crate::message_numbers::MessageNumbers;
use crate::observed::observed;
use crate::stored;
use crate::symmetry::Mirror;
use crate::unit_queue::Mail;

/// Plays a scenario on the fast engines, which are compiled for the algorithm. There is no recorder and no fault; the
/// algorithm has no timers and no overhead.
///
/// # Errors
/// If the run cannot be made.
pub fn play_fast<P: Process>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    let Wishes { watch, count, full, .. } = wishes;
    if const { P::INFO.topology.is_ring() } {
        let Wires::Ring(ring) = scenario.topology.wires else { unreachable!("it is played on computed rings") };
        if const { matches!(P::INFO.topology, TopologyKind::OneWayRing) }
            && count < Count::InFlight
            && scenario.limit >= ring.nodes().into()
        {
            // A lower limit is reached before every node has taken a step: that needs order of time.
            let report = match scenario.timing {
                Timing::Unit => streams::play::<P, UnitDelays>(scenario, ring, watch, count, full)?,
                Timing::Uniform | Timing::Exponential => {
                    streams::play::<P, RandomDelays>(scenario, ring, watch, count, full)?
                }
                _ => None,
            };
            if let Some(report) = report {
                return Ok(report);
            }
        }
        match scenario.timing {
            Timing::Unit => fast::play::<P, _, Unit<_>>(scenario, ring, watch, count, full),
            _ => fast::play::<P, _, Delayed<_>>(scenario, ring, watch, count, full),
        }
    } else {
        let graph = stored(scenario)?;
        match scenario.timing {
            Timing::Unit => fast::play::<P, _, Unit<_>>(scenario, graph.view(), watch, count, full),
            _ => fast::play::<P, _, Delayed<_>>(scenario, graph.view(), watch, count, full),
        }
    }
}

/// Plays a scenario on the engine that supports faults, timers and overhead, and a recorder. It is the same engine for
/// all algorithms, networks and schedules.
///
/// # Errors
/// If the run cannot be made.
pub fn play(cast: &Cast, scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    let Wishes { record, watch, count, full, phases } = wishes;
    let mut engine = EventEngine::new(cast, scenario, Recorder::new(record.map(|sink| sink as Sink<'_>)), count)?;
    if phases {
        engine.world.phases = PhaseCount::new(cast.info, scenario, full || scenario.topology.nodes() <= READABLE);
    }
    engine.play(watch, full)
}

/// A run being played.
struct EventEngine<'a> {
    cast: &'a Cast,
    scenario: &'a Scenario,
    processes: Vec<Box<dyn Actor>>,
    world: EventWorld<'a>,
    judge: Judge,
    mirror: Mirror,
    /// The number of processes that will act although only overhead is under way. Counted only if there is overhead.
    pending: u64,
    /// The timers that went off while their processes paused, in order.
    overdue: Vec<(Node, Bell)>,
}

/// What a process acts on in a step.
struct EventWorld<'a> {
    wiring: &'a Network,
    now: Span,
    agenda: Agenda<Envelope, Stamp>,
    timers: Timers<Bell>,
    disks: Disks,
    faults: Fates,
    choices: Choices,
    tally: Tally,
    numbers: MessageNumbers,
    recorder: Recorder<Sink<'a>>,
    /// The phases, if they are counted.
    phases: Option<PhaseCount>,
}

/// What is noted on a message under way: its number, and its phase if phases are counted.
#[derive(Clone, Copy)]
struct Stamp {
    number: u64,
    phase: u32,
}

impl<'a> EventEngine<'a> {
    fn new(cast: &'a Cast, scenario: &'a Scenario, recorder: Recorder<Sink<'a>>, count: Count) -> Result<Self, Error> {
        let wiring = &scenario.topology;
        let nodes = wiring.nodes();
        let message = size_of::<Mail<Envelope, Stamp>>() + cast.message_bytes;
        let crowd = message.saturating_mul(scenario.crowd(cast.info));
        let faults = Fates::new(scenario);
        let more = (cast.process_bytes + message).saturating_mul(nodes as usize).max(crowd);
        let more = more.saturating_add(DelayLaw::bytes(scenario));
        Ok(Self {
            cast,
            scenario,
            processes: bring_up(scenario, cast.info, more, cast.new)?,
            world: EventWorld {
                wiring,
                now: Span(0),
                agenda: Agenda::new(scenario),
                timers: Timers::default(),
                disks: Disks::new(scenario),
                choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
                tally: Tally::new(nodes, count),
                numbers: MessageNumbers::new(nodes, recorder.is_wanted() || faults.need_numbers()),
                faults,
                recorder,
                phases: None,
            },
            judge: Judge::new(cast.info, scenario),
            mirror: Mirror::new(cast.info, scenario),
            pending: 0,
            overdue: vec![],
        })
    }

    fn play(mut self, watch: &mut dyn Watch, full: bool) -> Result<Report, Error> {
        let complete = (0..self.scenario.elections).all(|election| {
            if election > 0 {
                self.judge.next_election();
                self.world.recorder.opens(election + 1);
            }
            self.hold_election(watch)
        });
        self.mirror.look(self.world.time(), &self.processes);
        let node = size_of::<Box<dyn Actor>>()
            + self.cast.process_bytes
            + size_of::<Id>()
            + DelayLaw::bytes(self.scenario) / self.processes.len()
            + self.world.tally.bytes_each();
        let ended = Ended {
            choices: self.world.choices,
            symmetry: self.mirror.found(),
            cut_short: !complete,
            full,
            phases: self.world.phases,
            ..Ended::new(self.scenario, self.cast.info, self.judge, self.world.tally)
        };
        watch.weighs(Bytes { node, message: size_of::<(Span, Mail<Envelope, Stamp>)>() + self.cast.message_bytes });
        let ended = ended.with_processes(self.processes.iter().map(|process| &**process));
        ended.report(self.cast.kinds, &|node| self.processes[node as usize].status())
    }

    /// Lets the initiators start, and then everything that follows happen. Returns whether the election came to an end.
    fn hold_election(&mut self, watch: &mut dyn Watch) -> bool {
        while self.world.tally.events < self.scenario.limit && self.suffer() {}
        let mut pause = 0;
        for (node, _) in self.scenario.initiators.among(self.world.wiring.nodes()) {
            if self.world.tally.events >= pause {
                let Some(next) = self.next_pause(watch) else { return false };
                pause = next;
            }
            if !self.world.faults.is_dead(node) {
                self.begin(node, EventKind::Start);
                self.step(node, Cue::Start);
            }
        }
        while !self.is_quiet() {
            let Some(pause) = self.next_pause(watch) else { return false };
            self.go_on_until(pause);
        }
        true
    }

    /// The number of events after which to look up again; `None` if the run must stop here.
    fn next_pause(&self, watch: &mut dyn Watch) -> Option<u64> {
        let Tally { events, .. } = self.world.tally;
        let pause = self.scenario.limit.min(events + glance_telling(&self.world.wiring));
        let now = Now { time: self.world.time(), in_flight: self.world.tally.in_flight::<Envelope>() };
        (watch.go_on(self.world.tally.messages::<Envelope>(), Some(now)) && events < pause).then_some(pause)
    }

    /// Runs until there were `pause` events in total, or until nothing is left to happen.
    fn go_on_until(&mut self, pause: u64) {
        while self.world.tally.events < pause && !self.is_quiet() {
            if self.suffer_before_delivery() || self.finish_write() || self.expire_timer() {
                continue;
            }
            let Some((now, Mail { to, port, stamp, msg })) = self.world.agenda.pop() else { continue };
            self.pass_time(now);
            let (from, sent_by) = self.world.wiring.far(to, port);
            if let Some(until) = self.world.faults.paused_until(to, self.world.time()) {
                let direction = self.world.wiring.direction(from, sent_by);
                let takes = Some(Span(until.0 - now.0));
                // It has had its delay.
                let transit = Transit { takes, is_copy: true, ..Transit::USUAL };
                self.world.agenda.push(now, direction, transit, Mail { to, port, stamp, msg });
                continue;
            }
            if self.world.faults.is_dead(to) {
                self.world.tally.lost(&msg);
                self.world.recorder.drops(self.world.time(), to, from, port, &msg, stamp.number);
                continue;
            }
            self.world.tally.received(&msg);
            self.begin(to, EventKind::Receive);
            self.world.recorder.receives(from, port, &msg, stamp.number);
            self.world.phases.iter_mut().for_each(|phases| phases.step(stamp.phase));
            self.step(to, Cue::Receive(port, msg));
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
        let EventWorld { faults, wiring, now, .. } = &mut self.world;
        let Some((_, incident)) = faults.next_incident(Time::after(*now), *wiring) else { return false };
        match incident {
            Incident::CrashLeader => {
                if let Some(leader) = self.judge.leader() {
                    self.world.faults.strike(self.world.time(), leader);
                }
            }
            Incident::Crash(node) => self.crash(node),
            Incident::Pause(node) => self.judge.suspend(self.world.time(), node),
            Incident::Resume(node) => self.resume(node),
            Incident::Recover(node) => {
                let Cast { info, kinds, .. } = *self.cast;
                let before = &*self.processes[node as usize];
                let process = restore(self.scenario, info, node, before, self.world.time());
                let process = process.expect("it was brought up before");
                self.pending += u64::from(kinds.has_overhead && process.is_pending());
                self.processes[node as usize] = process;
                self.judge.recover(node);
                self.begin(node, EventKind::Recover);
                self.step(node, Cue::Start);
            }
            Incident::PeerDown(node, port) => {
                self.begin(node, EventKind::PeerDown);
                self.world.recorder.hears_of(port);
                self.step(node, Cue::PeerDown(port));
            }
            Incident::Start(node) => {
                self.begin(node, EventKind::Start);
                self.step(node, Cue::Start);
            }
        }
        true
    }

    /// A process stops. What its disk was writing is lost, and so are the messages that waited for that.
    fn crash(&mut self, node: Node) {
        let time = self.world.time();
        self.world.recorder.crashes(time, node);
        self.world.timers.stop(node);
        self.overdue.retain(|(owner, _)| *owner != node);
        let process = &mut self.processes[node as usize];
        let mut status = process.status();
        self.pending -= u64::from(self.cast.kinds.has_overhead && process.is_pending());
        if let Some((saved, letters, led_in_secret)) = self.world.disks.crash(node) {
            *process = saved;
            if led_in_secret {
                status = Status::Undecided;
            }
            for (direction, Transit { is_copy, .. }, Mail { to, port, stamp, msg }) in letters {
                self.world.tally.lost(&msg);
                let (_, sent_by) = self.world.wiring.far(to, port);
                if !is_copy {
                    self.world.agenda.lose(direction);
                    self.world.recorder.keeps(time, node, to, sent_by, &msg, stamp.number);
                }
            }
        }
        self.judge.crash(time, node, status);
    }

    /// A process goes on after a pause. Timers that went off in the meantime come first.
    fn resume(&mut self, node: Node) {
        let now = self.world.now;
        let overdue = self.overdue.extract_if(.., |(owner, _)| *owner == node);
        let overdue: Vec<Bell> = overdue.map(|(_, timer)| timer).collect();
        overdue.iter().for_each(|timer| self.world.timers.set(node, *timer, now));
        for timer in overdue {
            // An earlier one may have stopped it, or set it anew.
            match self.world.timers.take(node, timer) {
                Some(due) if due > now => self.world.timers.set(node, timer, due),
                Some(_) => self.time_out(node, timer),
                None => {}
            }
        }
        self.judge.resume(self.world.time(), node, self.processes[node as usize].status());
    }

    /// Lets the next write to a disk be done, if that comes before the next delivery and the next timer.
    fn finish_write(&mut self) -> bool {
        let EventWorld { agenda, timers, disks, .. } = &mut self.world;
        let Some(at) = disks.next_time() else { return false };
        let next = agenda.next_time().into_iter().chain(timers.first().map(|(due, _)| due)).min();
        if next.is_some_and(|next| next < at) {
            return false;
        }
        self.pass_time(at);
        let Some(Done { node, letters, leads }) = self.world.disks.finish(at) else { return false };
        letters.into_iter().for_each(|(direction, transit, mail)| self.world.agenda.push(at, direction, transit, mail));
        if leads {
            let process = &*self.processes[node as usize];
            self.world.recorder.leads(self.world.time(), node);
            self.judge.decides(self.world.time(), node, Status::Undecided, process);
            if self.world.faults.paused_until(node, self.world.time()).is_some() {
                self.judge.suspend(self.world.time(), node);
            }
        }
        true
    }

    /// Lets the next fault happen, if it comes before all else.
    fn suffer_before_delivery(&mut self) -> bool {
        let EventWorld { agenda, timers, faults, disks, .. } = &self.world;
        let Some(at) = faults.next_time() else { return false };
        let next = agenda.next_time().into_iter().chain(timers.first().map(|(due, _)| due)).chain(disks.next_time());
        let next = next.min();
        if next.is_some_and(|next| Time::after(next) < at) {
            return false;
        }
        let Some(now) = at.as_span() else { return false };
        self.pass_time(now);
        // Even if this fault concerns no process any more, it may plan something that comes before all else.
        self.suffer();
        true
    }

    /// Lets the next timer go off, if it does so before the next delivery.
    fn expire_timer(&mut self) -> bool {
        let EventWorld { agenda, timers, .. } = &mut self.world;
        if timers.is_empty() {
            return false;
        }
        let Some((due, node, timer)) = timers.expire_before(agenda.next_time()) else { return false };
        self.pass_time(due);
        if self.world.faults.paused_until(node, self.world.time()).is_some() {
            self.overdue.push((node, timer));
            return true;
        }
        self.time_out(node, timer);
        true
    }

    /// A timer goes off.
    fn time_out(&mut self, node: Node, timer: Bell) {
        self.begin(node, EventKind::Timeout);
        self.world.recorder.times_out(|| self.cast.timer_name(timer));
        self.step(node, Cue::Timeout(timer));
    }

    /// Whether nothing will happen any more: nothing is under way, or only overhead that no process waits for.
    #[inline]
    fn is_quiet(&self) -> bool {
        let EventWorld { agenda, timers, tally, faults, disks, .. } = &self.world;
        if let Some(until) = self.scenario.until {
            let moments = agenda.next_time().into_iter().chain(timers.first().map(|(due, _)| due));
            let moments = moments.chain(disks.next_time());
            return !moments.map(Time::after).chain(faults.next_time()).any(|time| time <= until);
        }
        let waited_for = tally.waited_for::<Envelope>() + self.pending;
        (waited_for == 0 || tally.in_flight::<Envelope>() == 0)
            && timers.is_empty()
            && faults.next_time().is_none()
            && disks.next_time().is_none()
    }

    /// A process begins a step.
    fn begin(&mut self, node: Node, kind: EventKind) {
        self.world.tally.events += 1;
        self.world.recorder.begin(self.world.time(), node, kind);
        self.world.phases.iter_mut().for_each(|phases| phases.step(0));
    }

    /// It takes the step.
    fn step(&mut self, node: Node, cue: Cue) {
        let Self { cast, processes, world, judge, pending, .. } = self;
        if let Cue::Start | Cue::Receive(..) = cue {
            judge.joins(node, matches!(cue, Cue::Start));
        }
        let process = &mut processes[node as usize];
        let was_pending = cast.kinds.has_overhead && process.is_pending();
        let before = world.disks.is_slow(node).then(|| process.copy());
        let mut step = EventStep { node, kept: before.is_some().then(Vec::new), world };
        let mut change = process.act(cue, &mut step);
        if let (Some(before), Some(letters)) = (before, step.kept) {
            let (leaving, now) = world.disks.step(world.now, node, (before, &**process), change, letters);
            change = now;
            leaving.into_iter().for_each(|(direction, transit, mail)| {
                world.agenda.push(world.now, direction, transit, mail);
            });
        }
        world.tally.steps(|hasher| process.feed(hasher));
        if cast.kinds.has_overhead {
            *pending += u64::from(process.is_pending());
            *pending -= u64::from(was_pending);
        }
        if change.decided().is_some() {
            judge.decides(world.time(), node, change.before.status, &**process);
        }
        world.recorder.end(change, || process.variables(), world.wiring);
    }
}

impl EventWorld<'_> {
    fn time(&self) -> Time {
        Time::after(self.now)
    }
}

/// The context of a step: messages go straight into the queue.
struct EventStep<'s, 'a> {
    node: Node,
    /// The messages, if they may have to wait until something is on disk.
    kept: Option<Vec<Letter>>,
    world: &'s mut EventWorld<'a>,
}

impl Context<Envelope, Bell> for EventStep<'_, '_> {
    #[inline]
    fn ports(&self) -> u32 {
        self.world.wiring.ports(self.node)
    }

    #[inline]
    fn send(&mut self, port: Port, msg: Envelope) {
        let time = self.world.time();
        let EventWorld { wiring, now, agenda, faults, tally, numbers, recorder, phases, .. } = &mut *self.world;
        let (to, at) = wiring.far(self.node, port);
        tally.sent(self.node, &msg);
        let number = numbers.next(self.node);
        recorder.sends(to, port, &msg, number);
        let stamp = Stamp { number, phase: phases.as_mut().map_or(0, |phases| phases.sends(&msg)) };
        let direction = wiring.direction(self.node, port);
        let mut post = |letter: Letter| match &mut self.kept {
            None => agenda.push(*now, letter.0, letter.1, letter.2),
            Some(kept) => kept.push(letter),
        };
        match faults.fate(time, self.node, to, number) {
            Fate::USUAL => post((direction, Transit::USUAL, Mail { to, port: at, stamp, msg })),
            Fate::Lost => {
                tally.lost(&msg);
                recorder.loses();
                agenda.lose(direction);
            }
            Fate::Arrives { slowness, late, twice, takes } => {
                if twice {
                    tally.repeated(&msg);
                    recorder.repeats();
                    let mail = Mail { to, port: at, stamp, msg: msg.clone() };
                    post((direction, Transit { slowness, late: false, is_copy: true, takes: None }, mail));
                }
                let mail = Mail { to, port: at, stamp, msg };
                post((direction, Transit { slowness, late, is_copy: false, takes }, mail));
            }
        }
    }

    fn set_timer(&mut self, timer: Bell, after: Span) {
        let after = self.world.faults.by_clock_of(self.node, after);
        let due = Span(self.world.now.0.saturating_add(after.0));
        self.world.timers.set(self.node, timer, due);
    }

    fn cancel_timer(&mut self, timer: Bell) {
        self.world.timers.cancel(self.node, timer);
    }

    observed!();
}
