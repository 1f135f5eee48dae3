//! The synchronous host: rounds in lock step.
//!
//! In a round every process with something to do takes one step, in node order: it has received messages, it is due, or
//! it wakes up. Rounds with nothing to do are skipped, so waiting costs nothing. Faults happen at the beginning of a
//! round.

mod fast;
mod registers;
mod wakeups;

use bellwether_net::Network;
use bellwether_net::Node;
use bellwether_net::Wires;
use bellwether_net::Wiring;
use bellwether_random::Choices;
use std::collections::{BTreeMap, BTreeSet};

use bellwether_core::{Change, Context, Id, Port, Round, Rounds, Span};
use bellwether_world::host::{
    Bell, Bytes, Count, Ended, Envelope, Error, Fate, Fates, Incident, Now, PhaseCount, READABLE, Recorder,
    RoundsActor, RoundsCast, Sink, Tally, Watch, Wishes, awaken, bring_up, glance_telling,
};
use bellwether_world::trace::EventKind;
use bellwether_world::{Judge, Report, Scenario, Time};

use self::wakeups::Wakeups;
use crate::message_numbers::MessageNumbers;
use crate::observed::observed;
use crate::stored;
use crate::symmetry::Mirror;
use crate::unit_queue::{Block, Mail, UnitQueue};

/// After this number of messages the watcher is asked again. A step in rounds may answer many messages with many.
const MANY: u64 = 1 << 16;

/// Plays a scenario on the fast engine, which is compiled for the algorithm. There is no recorder and no fault.
///
/// # Errors
/// If the run cannot be made.
pub fn play_fast<R: Rounds>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    if const { R::INFO.topology.is_ring() } {
        let Wires::Ring(ring) = scenario.topology.wires else { unreachable!("it is played on computed rings") };
        fast::play::<R, _>(scenario, ring, wishes)
    } else {
        fast::play::<R, _>(scenario, stored(scenario)?.view(), wishes)
    }
}

/// Plays a scenario on the engine that supports faults and a recorder. It is the same engine for all algorithms.
///
/// # Errors
/// If the run cannot be made.
pub fn play(cast: &RoundsCast, scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    let Wishes { record, watch, count, full, phases } = wishes;
    let mut engine = RoundEngine::new(cast, scenario, Recorder::new(record.map(|sink| sink as Sink<'_>)), count)?;
    if phases {
        engine.world.phases = PhaseCount::new(cast.info, scenario, full || scenario.topology.nodes() <= READABLE);
    }
    engine.play(watch, full)
}

/// A run being played.
struct RoundEngine<'a> {
    cast: &'a RoundsCast,
    scenario: &'a Scenario,
    processes: Vec<Box<dyn RoundsActor>>,
    agenda: Wakeups,
    world: RoundWorld<'a>,
    judge: Judge,
    mirror: Mirror,
    /// The number of events, and that of messages, at which the watcher is asked again.
    next_glance: (u64, u64),
    inbox: Vec<(Port, Envelope)>,
    /// The numbers of the messages in the inbox.
    stamps: Vec<u64>,
    /// Nodes that recover in this round and have not taken their step yet.
    recovered: BTreeSet<Node>,
    /// Some of the messages that arrive in this round, the next one last.
    block: Block<Envelope, u64>,
    /// By node: whether it has taken a step. A sleeping process is never due, even if its state says so.
    awake: Vec<bool>,
}

/// What a process acts on in a step.
struct RoundWorld<'a> {
    wiring: &'a Network,
    round: Round,
    /// The messages that arrive in the next round.
    mail: UnitQueue<Envelope, u64>,
    /// The messages that arrive in later rounds.
    later: BTreeMap<Round, Block<Envelope, u64>>,
    faults: Fates,
    choices: Choices,
    tally: Tally,
    numbers: MessageNumbers,
    recorder: Recorder<Sink<'a>>,
    /// The phases, if they are counted.
    phases: Option<PhaseCount>,
}

impl<'a> RoundEngine<'a> {
    fn new(
        cast: &'a RoundsCast,
        scenario: &'a Scenario,
        recorder: Recorder<Sink<'a>>,
        count: Count,
    ) -> Result<Self, Error> {
        let wiring = &scenario.topology;
        let nodes = wiring.nodes();
        let faults = Fates::new(scenario);
        Ok(Self {
            cast,
            scenario,
            processes: {
                let message = size_of::<Mail<Envelope, u64>>() + cast.message_bytes;
                let each = cast.process_bytes + message + size_of::<bool>();
                let more = each.saturating_mul(nodes as usize).max(message.saturating_mul(scenario.crowd(cast.info)));
                bring_up(scenario, cast.info, more, cast.new)?
            },
            agenda: Wakeups::default(),
            world: RoundWorld {
                wiring,
                round: Round(0),
                mail: UnitQueue::new(),
                later: BTreeMap::new(),
                choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
                tally: Tally::new(nodes, count),
                numbers: MessageNumbers::new(nodes, recorder.is_wanted() || faults.need_numbers()),
                faults,
                recorder,
                phases: None,
            },
            judge: Judge::new(cast.info, scenario),
            mirror: Mirror::new(cast.info, scenario),
            next_glance: (0, 0),
            inbox: Vec::new(),
            stamps: Vec::new(),
            recovered: BTreeSet::new(),
            block: Vec::new(),
            awake: vec![false; nodes as usize],
        })
    }

    fn play(mut self, watch: &mut dyn Watch, full: bool) -> Result<Report, Error> {
        let complete = (0..self.scenario.elections).all(|election| {
            if election > 0 {
                self.judge.next_election();
            }
            self.agenda.wake_all(self.scenario, self.world.round);
            self.hold_election(watch)
        });
        let node = size_of::<Box<dyn RoundsActor>>()
            + self.cast.process_bytes
            + size_of::<Id>()
            + size_of::<bool>()
            + self.world.tally.bytes_each();
        let ended = Ended {
            choices: self.world.choices,
            symmetry: self.mirror.found(),
            cut_short: !complete,
            full,
            phases: self.world.phases,
            ..Ended::new(self.scenario, self.cast.info, self.judge, self.world.tally)
        };
        watch.weighs(Bytes { node, message: size_of::<Mail<Envelope, u64>>() + self.cast.message_bytes });
        ended.report(self.cast.kinds, &|node| self.processes[node as usize].status())
    }

    /// Plays rounds until nothing is left to happen. Returns whether the election came to an end.
    fn hold_election(&mut self, watch: &mut dyn Watch) -> bool {
        while let Some(round) = self.next_round() {
            self.world.round = round;
            self.catch_up(round);
            self.world.mail.advance();
            self.agenda.open(round);
            // This comes before the faults of the round: a process that acts because of a crash has not been waiting
            // for its turn.
            self.agenda.ask_again(round, |node, before| self.processes[node as usize].due(before));
            // This comes after the mail has advanced: what a process sends when it hears of a crash arrives in the next
            // round.
            while let Some(incident) = self.next_incident() {
                if !self.befall(incident, watch) {
                    return false;
                }
            }
            loop {
                let receiver = self.next_receiver();
                let due = self.agenda.peek();
                let Some(node) = receiver.into_iter().chain(due).min() else { break };
                let called = self.agenda.take(node, round, |before| self.processes[node as usize].due(before));
                if self.world.faults.is_dead(node) {
                    self.drop_mail(node);
                    continue;
                }
                if receiver != Some(node) && !called {
                    continue; // it was due once, and is no longer
                }
                if !self.may_step(watch) {
                    return false;
                }
                self.step(node);
            }
            self.mirror.look(Time::round(round), &self.processes);
        }
        true
    }

    /// Asks the watcher from time to time. Returns whether another step may be taken.
    #[inline]
    fn may_step(&mut self, watch: &mut dyn Watch) -> bool {
        let RoundWorld { tally, wiring, round, .. } = &self.world;
        let (events, messages) = (tally.events, tally.messages::<Envelope>());
        if events < self.next_glance.0 && messages < self.next_glance.1 {
            return true;
        }
        self.next_glance = (self.scenario.limit.min(events + glance_telling(wiring)), messages + MANY);
        let now = Now { time: Time::round(*round), in_flight: tally.in_flight::<Envelope>() };
        events < self.scenario.limit && watch.go_on(messages, Some(now))
    }

    /// Late messages that arrive in this round join those that are on time.
    fn catch_up(&mut self, round: Round) {
        while let Some(first) = self.world.later.first_entry().filter(|first| *first.key() <= round) {
            first.remove().into_iter().for_each(|mail| self.world.mail.push(mail));
        }
    }

    /// The next fault that is due in this round.
    fn next_incident(&mut self) -> Option<Incident> {
        let RoundWorld { faults, wiring, round, .. } = &mut self.world;
        faults.next_incident(Time::round(*round), *wiring).map(|(_, incident)| incident)
    }

    /// Lets a fault happen. Returns whether the run goes on.
    fn befall(&mut self, incident: Incident, watch: &mut dyn Watch) -> bool {
        let (round, time) = (self.world.round, Time::round(self.world.round));
        match incident {
            Incident::Crash(node) => {
                self.world.recorder.crashes(time, node);
                self.judge.crash(node, self.processes[node as usize].status());
            }
            Incident::Recover(node) => {
                let RoundsCast { info, new, .. } = *self.cast;
                let process = awaken(self.scenario, info, self.scenario.told_diameter(info), node, new);
                self.processes[node as usize] = process.expect("it was brought up before");
                self.awake[node as usize] = false;
                self.judge.recover(node);
                self.agenda.wake_now(node);
                self.recovered.insert(node);
            }
            Incident::Start(node) if !self.awake[node as usize] => self.agenda.wake_now(node),
            Incident::Start(_) => {}
            // A sleeping process does not hear of a crash.
            Incident::PeerDown(node, _) if !self.awake[node as usize] => {}
            Incident::PeerDown(..) if !self.may_step(watch) => return false,
            Incident::PeerDown(node, port) => {
                self.take_step(node, EventKind::PeerDown, |process, ctx| {
                    ctx.world.recorder.hears_of(port);
                    process.peer_down(round, port, ctx)
                });
            }
        }
        true
    }

    /// Messages to a process that is down are lost.
    fn drop_mail(&mut self, node: Node) {
        while self.next_receiver() == Some(node) {
            let Some(Mail { port, stamp, msg, .. }) = self.block.pop() else { break };
            let RoundWorld { wiring, round, tally, recorder, .. } = &mut self.world;
            tally.lost(&msg);
            recorder.drops(Time::round(*round), node, wiring.far(node, port).0, port, &msg, stamp);
        }
    }

    /// The next round with something to do.
    fn next_round(&mut self) -> Option<Round> {
        let RoundWorld { round, mail, later, faults, .. } = &self.world;
        if !mail.is_empty() {
            return Some(round.next());
        }
        let processes = &self.processes;
        let up = |node: Node| !faults.is_dead(node);
        let due = self.agenda.next(*round, |node, before| processes[node as usize].due(before).filter(|_| up(node)));
        // A fault that is planned for a round with nothing to do happens all the same.
        let fault = faults.next_time().and_then(Time::whole).map(|planned| Round(planned).max(round.next()));
        due.into_iter().chain(later.keys().next().copied()).chain(fault).min()
    }

    /// The receiver of the next message that arrives in this round.
    fn next_receiver(&mut self) -> Option<Node> {
        if self.block.is_empty() {
            self.world.mail.next_block(&mut self.block, usize::MAX);
            self.block.reverse(); // so that the next one is the last
        }
        self.block.last().map(|mail| mail.to)
    }

    fn step(&mut self, node: Node) {
        let recovers = self.recovered.remove(&node);
        let kind = if recovers { EventKind::Recover } else { EventKind::Round };
        let mut inbox = std::mem::take(&mut self.inbox);
        inbox.clear();
        let mut stamps = std::mem::take(&mut self.stamps);
        stamps.clear();
        while self.next_receiver() == Some(node) {
            let Some(Mail { port, stamp, msg, .. }) = self.block.pop() else { break };
            self.world.tally.received(&msg);
            inbox.push((port, msg));
            stamps.push(stamp);
        }
        self.judge.joins(node, inbox.is_empty());
        self.take_step(node, kind, |process, ctx| {
            for ((port, msg), stamp) in inbox.iter().zip(&stamps) {
                let (from, _) = ctx.world.wiring.far(node, *port);
                ctx.world.recorder.receives(from, *port, msg, *stamp);
            }
            process.round(ctx.world.round, &inbox, ctx)
        });
        self.inbox = inbox;
        self.stamps = stamps;
    }

    fn take_step(
        &mut self,
        node: Node,
        kind: EventKind,
        act: impl FnOnce(&mut dyn RoundsActor, &mut RoundStep<'_, 'a>) -> Change,
    ) {
        let Self { processes, agenda, world, judge, awake, .. } = self;
        let round = world.round;
        world.tally.events += 1;
        // In rounds all processes are in the same phase, so what one sends belongs to its own.
        world.phases.iter_mut().for_each(|phases| phases.resume(node));
        world.recorder.begin(Time::round(round), node, kind);
        let process = &mut *processes[node as usize];
        let was_awake = std::mem::replace(&mut awake[node as usize], true);
        let was_due = process.due(round.before()).filter(|_| was_awake);
        let change = act(process, &mut RoundStep { node, world });
        world.tally.steps(|hasher| process.feed(hasher));
        let due = process.due(round);
        if due != was_due || due == Some(round.next()) {
            agenda.expect(node, due, round);
        }
        if let Some(status) = change.decided() {
            judge.change(Time::round(round), node, change.before.status, status);
        }
        world.recorder.end(change, || process.variables(), world.wiring);
    }
}

/// The context of a step.
struct RoundStep<'s, 'a> {
    node: Node,
    world: &'s mut RoundWorld<'a>,
}

impl Context<Envelope, Bell> for RoundStep<'_, '_> {
    fn ports(&self) -> u32 {
        self.world.wiring.ports(self.node)
    }

    #[inline]
    fn send(&mut self, port: Port, msg: Envelope) {
        let RoundWorld { wiring, round, mail, later, faults, tally, numbers, recorder, phases, .. } = &mut *self.world;
        let (to, at) = wiring.far(self.node, port);
        tally.sent(self.node, &msg);
        let stamp = numbers.next(self.node);
        recorder.sends(to, port, &msg, stamp);
        if let Some(phases) = phases {
            phases.sends(&msg);
        }
        match faults.fate(Time::round(*round), self.node, to, stamp) {
            Fate::USUAL => mail.push(Mail { to, port: at, stamp, msg }),
            Fate::Lost => {
                tally.lost(&msg);
                recorder.loses();
            }
            Fate::Arrives { slowness, late, twice, takes } => {
                let mut arrive = |rounds: u128, msg| match rounds {
                    1 => mail.push(Mail { to, port: at, stamp, msg }),
                    _ => later.entry(Round(round.0 + rounds)).or_default().push(Mail { to, port: at, stamp, msg }),
                };
                if twice {
                    tally.repeated(&msg);
                    recorder.repeats();
                    arrive(slowness.into(), msg.clone());
                }
                let usual = u128::from(slowness) + u128::from(late);
                arrive(takes.map_or(usual, |takes| takes.in_rounds().max(1).into()), msg);
            }
        }
    }

    fn set_timer(&mut self, _: Bell, _: Span) {
        unreachable!("in rounds there are no timers");
    }

    fn cancel_timer(&mut self, _: Bell) {
        unreachable!("in rounds there are no timers");
    }

    observed!();
}
