//! The engine for rounds in which nothing goes wrong and nobody looks on.
//!
//! What somebody sends to all its neighbours need not be copied into their mail: it stands in a register of the sender, and
//! they read it in the next round. That pays where many do so, since then everybody looks into everybody's register; it is
//! decided by how many did in the round before.

use bellwether_core::{Context, Id, Message, Model, NoTimer, Port, Round, Rounds, Span};
use bellwether_world::host::{Bytes, Ended, Error, GLANCE, Tally, Watch, bring_up};
use bellwether_world::random::Choices;
use bellwether_world::{Judge, Node, Report, Scenario, Time, Wiring};

use super::due::Due;
use crate::instants::{Block, Instants, Mail};
use crate::symmetry::Mirror;

/// Registers pay if at least one node in so many tells something to all its neighbours.
const LOUD: u64 = 4;

/// Plays a scenario of rounds without faults.
pub(super) fn play<R: Rounds, W: Wiring + Copy>(
    scenario: &Scenario,
    wiring: W,
    watch: &mut dyn Watch,
    count_sends: bool,
    full: bool,
) -> Result<Report, Error> {
    let nodes = wiring.nodes();
    let each = size_of::<Mail<R::Msg, ()>>() + size_of::<bool>();
    let engine = Engine::<R, W> {
        scenario,
        processes: bring_up(scenario, R::INFO, each * nodes as usize, R::new)?,
        agenda: Due::default(),
        air: Air {
            wiring,
            mail: Instants::new(),
            read: Vec::new(),
            written: Vec::new(),
            with_registers: false,
            broadcasts: 0,
            choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
            tally: Tally::new(if count_sends { nodes } else { 0 }),
        },
        round: Round(0),
        next_round: Round::FIRST,
        judge: Judge::new(R::INFO, scenario),
        mirror: Mirror::new(R::INFO, scenario),
        next_glance: 0,
        inbox: Vec::new(),
        block: Vec::new(),
        awake: vec![false; nodes as usize],
    };
    engine.play(watch, full)
}

/// A run being played.
struct Engine<'a, R: Rounds, W> {
    scenario: &'a Scenario,
    processes: Vec<R>,
    agenda: Due,
    air: Air<W, R::Msg>,
    round: Round,
    /// The round after this one.
    next_round: Round,
    judge: Judge,
    mirror: Mirror,
    /// After so many events somebody may stop the run.
    next_glance: u64,
    inbox: Vec<(Port, R::Msg)>,
    /// Some of what arrives in this round, the next one last.
    block: Block<R::Msg, ()>,
    /// By node: whether it has taken a step. A sleeping process is not due, whatever its state says.
    awake: Vec<bool>,
}

/// What a process acts on in a step.
struct Air<W, M> {
    wiring: W,
    mail: Instants<M, ()>,
    /// By node: what it told all its neighbours in the round before. Empty if nobody used a register.
    read: Vec<Option<M>>,
    /// By node: what it tells all its neighbours in this round.
    written: Vec<Option<M>>,
    /// Whether registers are written in this round.
    with_registers: bool,
    /// How often somebody told all its neighbours something in this round.
    broadcasts: u64,
    choices: Choices,
    tally: Tally,
}

impl<R: Rounds, W: Wiring + Copy> Engine<'_, R, W> {
    fn play(mut self, watch: &mut dyn Watch, full: bool) -> Result<Report, Error> {
        let complete = (0..self.scenario.elections).all(|election| {
            if election > 0 {
                self.judge.next_election();
            }
            self.agenda.wake_all(self.scenario, self.round);
            self.hold_election(watch)
        });
        let ended = Ended {
            scenario: self.scenario,
            info: R::INFO,
            judge: self.judge,
            tally: self.air.tally,
            choices: self.air.choices,
            symmetry: self.mirror.found(),
            cut_short: !complete,
            synchronized: false,
            // What takes t units takes t rounds after the first.
            extra_time: if R::INFO.model == Model::Asynchronous { 1.0 } else { 0.0 },
            full,
        };
        let registers = self.air.read.capacity().max(self.air.written.capacity()) / self.processes.len();
        let node = size_of::<R>() + size_of::<Id>() + size_of::<bool>() + 2 * registers * size_of::<Option<R::Msg>>();
        watch.weighs(Bytes { node, message: size_of::<Mail<R::Msg, ()>>() });
        ended.report::<R::Msg>(&|node| self.processes[node as usize].status())
    }

    /// Plays rounds until nothing is left to happen. Says whether it came to that.
    fn hold_election(&mut self, watch: &mut dyn Watch) -> bool {
        while let Some(round) = self.next_round() {
            (self.round, self.next_round) = (round, round.next());
            self.air.begin_round();
            self.agenda.open(round);
            let mut next = 0;
            while let Some(node) = self.next_node(next) {
                next = node + 1;
                self.receive(node);
                let is_due = self.agenda.take(node, round, || self.processes[node as usize].due());
                if self.inbox.is_empty() && !is_due {
                    continue; // nothing has come, and if it was due once, it is no longer
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

    /// The next round in which somebody has something to do.
    fn next_round(&mut self) -> Option<Round> {
        if self.air.tally.in_flight::<R::Msg>() > 0 {
            return Some(self.round.next());
        }
        let processes = &self.processes;
        self.agenda.next(self.round, |node| processes[node as usize].due())
    }

    /// The next node, from this one on, that may have something to do in this round.
    #[inline]
    fn next_node(&mut self, from: Node) -> Option<Node> {
        if !self.air.read.is_empty() {
            return (from < self.air.wiring.nodes()).then_some(from);
        }
        self.next_receiver().into_iter().chain(self.agenda.peek()).min()
    }

    /// The receiver of the next letter that arrives in this round.
    #[inline]
    fn next_receiver(&mut self) -> Option<Node> {
        if self.block.is_empty() {
            self.air.mail.next_block(&mut self.block, usize::MAX);
            self.block.reverse(); // so that the next one is the last
        }
        self.block.last().map(|mail| mail.to)
    }

    /// Looks up from time to time; says whether another step may be taken.
    #[inline]
    fn may_step(&mut self, watch: &mut dyn Watch) -> bool {
        let events = self.air.tally.events;
        if events < self.next_glance {
            return true;
        }
        self.next_glance = self.scenario.limit.min(events + GLANCE);
        let in_flight = self.air.tally.in_flight::<R::Msg>();
        events < self.scenario.limit && watch.go_on(events, Time::round(self.round), in_flight)
    }

    /// Fills the inbox of a node.
    #[inline]
    fn receive(&mut self, node: Node) {
        let mut inbox = std::mem::take(&mut self.inbox);
        inbox.clear();
        let Air { wiring, read, .. } = &self.air;
        if !read.is_empty() {
            inbox.reserve(wiring.ports(node) as usize);
            for (from, port) in wiring.neighbours(node).zip(0..) {
                // The second is always so; it is said for the compiler, which then knows that the inbox does not grow here.
                if let Some(msg) = &read[from as usize]
                    && inbox.len() < inbox.capacity()
                {
                    inbox.push((Port(port), msg.clone()));
                }
            }
        }
        let heard = inbox.len();
        while self.next_receiver() == Some(node) {
            let Some(Mail { port, msg, .. }) = self.block.pop() else { break };
            inbox.push((port, msg));
        }
        if 0 < heard && heard < inbox.len() {
            inbox.sort_by_key(|&(port, _)| port);
        }
        self.inbox = inbox;
    }

    #[inline]
    fn step(&mut self, node: Node) {
        let Self { processes, agenda, air, round, next_round, judge, inbox, awake, .. } = self;
        let (round, received) = (*round, inbox.len() as u32);
        air.tally.events += 1;
        air.tally.received_some(received.into());
        let process = &mut processes[node as usize];
        let before = process.status();
        let was_awake = std::mem::replace(&mut awake[node as usize], true);
        let was_due = process.due().filter(|_| was_awake);
        let mut step = Step { node, sent: 0, told: None, air };
        process.round(round, inbox, &mut step);
        let Step { sent, told, .. } = step;
        if told.is_some() {
            air.written[node as usize] = told;
        }
        // Who sends no more than it received brings no more under way than there were.
        if sent > received {
            air.tally.note_peak::<R::Msg>(0);
        }
        let due = process.due();
        if due == Some(*next_round) || due != was_due {
            agenda.expect(node, due, round);
        }
        let after = process.status();
        if (before.is_decided() || after.is_decided()) && before != after {
            judge.change(Time::round(round), node, before, after);
        }
    }
}

impl<W: Wiring, M: Message> Air<W, M> {
    /// What was sent arrives.
    fn begin_round(&mut self) {
        self.mail.advance();
        std::mem::swap(&mut self.read, &mut self.written);
        self.written.clear();
        self.with_registers = self.broadcasts * LOUD >= u64::from(self.wiring.nodes());
        if self.with_registers {
            self.written.resize_with(self.wiring.nodes() as usize, || None);
        }
        self.broadcasts = 0;
    }

    fn post(&mut self, node: Node, port: Port, msg: M) {
        let (to, port) = self.wiring.far(node, port);
        self.mail.push(Mail { to, port, stamp: (), msg });
    }
}

/// The context of a step.
struct Step<'s, W, M> {
    node: Node,
    /// How many messages it has sent.
    sent: u32,
    /// What it tells all its neighbours, if that is all that it sends.
    told: Option<M>,
    air: &'s mut Air<W, M>,
}

impl<W: Wiring, M: Message> Context<M> for Step<'_, W, M> {
    #[inline]
    fn ports(&self) -> u32 {
        self.air.wiring.ports(self.node)
    }

    #[inline]
    fn send(&mut self, port: Port, msg: M) {
        if let Some(told) = self.told.take() {
            for port in 0..self.ports() {
                self.air.post(self.node, Port(port), told.clone());
            }
        }
        self.air.tally.sent(self.node, &msg);
        self.sent += 1;
        self.air.post(self.node, port, msg);
    }

    #[inline]
    fn send_all(&mut self, msg: M) {
        self.air.broadcasts += 1;
        let ports = self.ports();
        if self.air.with_registers && self.sent == 0 && ports > 0 {
            self.air.tally.sent_often(self.node, &msg, ports);
            self.sent = ports;
            self.told = Some(msg);
        } else {
            for port in 0..ports {
                self.send(Port(port), msg.clone());
            }
        }
    }

    fn set_timer(&mut self, timer: NoTimer, _: Span) {
        match timer {}
    }

    fn cancel_timer(&mut self, timer: NoTimer) {
        match timer {}
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.air.choices.choose(self.node, arity)
    }
}
