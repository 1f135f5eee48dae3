//! The fast engine for rounds: no faults, no recorder.
//!
//! A broadcast need not be copied into the mail of all neighbours. It can be kept in a *register* of the sender, and
//! the neighbours read it in the next round. That is faster if many nodes broadcast. So registers are used if many
//! nodes did so in the round before. If all nodes did, as in FloodMax, a round is a pass over the links: see
//! [`FastRounds::pull`].

use std::mem::{replace, swap, take};

use bellwether_core::{Context, Id, Inbox, Message, NoTimer, Port, Round, Rounds, Span, Status};
use bellwether_net::{Node, Wiring};
use bellwether_random::Choices;
use bellwether_world::host::{Bytes, Ended, Error, Kinds, Now, Tally, Watch, Wishes, bring_up, glance};
use bellwether_world::{Judge, Report, Scenario, Time};

use super::registers::Registers;
use super::wakeups::{Reason, Wakeups};
use crate::symmetry::Mirror;
use crate::unit_queue::{Block, Mail, UnitQueue};

/// Registers are used if at least one of this many nodes broadcast in the round before.
const LOUD: u64 = 4;

/// The bytes of a node in the two lists of wake-ups if it acts in every round. Lists have some spare capacity.
const WAKEUPS: usize = 2 * size_of::<(Node, Reason)>() * 3 / 2;

/// Plays a scenario of rounds without faults.
pub(super) fn play<R: Rounds, W: Wiring + Copy>(
    scenario: &Scenario,
    wiring: W,
    wishes: Wishes<'_>,
) -> Result<Report, Error> {
    let Wishes { watch, count, full, .. } = wishes;
    let nodes = wiring.nodes();
    let registers = if W::IS_RING { 0 } else { 2 * Registers::<R::Msg>::BYTES_EACH + WAKEUPS };
    let each = UnitQueue::<R::Msg, ()>::BYTES_EACH.max(registers) + size_of::<bool>();
    let engine = FastRounds::<R, W> {
        scenario,
        processes: bring_up(scenario, R::INFO, each * nodes as usize, R::new)?,
        wakeups: Wakeups::default(),
        world: FastRoundWorld {
            wiring,
            mail: UnitQueue::new(),
            broadcasts: 0,
            choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
            tally: Tally::new(nodes, count),
        },
        read: Registers::new(),
        written: Registers::new(),
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
struct FastRounds<'a, R: Rounds, W> {
    scenario: &'a Scenario,
    processes: Vec<R>,
    wakeups: Wakeups,
    world: FastRoundWorld<R::Msg, W>,
    /// The registers of the round before.
    read: Registers<R::Msg>,
    /// The registers of this round.
    written: Registers<R::Msg>,
    round: Round,
    /// The round after this one.
    next_round: Round,
    judge: Judge,
    mirror: Mirror,
    /// The number of events at which the watcher is asked again.
    next_glance: u64,
    inbox: Vec<(Port, R::Msg)>,
    /// Some of the mail that arrives in this round, the next one last.
    block: Block<R::Msg, ()>,
    /// By node: whether it has taken a step. A sleeping process is never due, even if its state says so.
    awake: Vec<bool>,
}

/// What processes act on.
struct FastRoundWorld<M, W> {
    wiring: W,
    mail: UnitQueue<M, ()>,
    /// The number of broadcasts by mail in this round. Before the first round: how many broadcasts there may be in it.
    broadcasts: u64,
    choices: Choices,
    tally: Tally,
}

impl<R: Rounds, W: Wiring + Copy> FastRounds<'_, R, W> {
    fn play(mut self, watch: &mut dyn Watch, full: bool) -> Result<Report, Error> {
        let complete = (0..self.scenario.elections).all(|election| {
            if election > 0 {
                self.judge.next_election();
            }
            self.wakeups.wake_all(self.scenario, self.round);
            self.expect_broadcasts();
            self.hold_election(watch)
        });
        let node = size_of::<R>()
            + size_of::<Id>()
            + size_of::<bool>()
            + self.world.tally.bytes_each()
            + self.bytes_of_registers();
        let ended = Ended {
            choices: self.world.choices,
            symmetry: self.mirror.found(),
            cut_short: !complete,
            full,
            ..Ended::new(self.scenario, R::INFO, self.judge, self.world.tally)
        };
        // Messages in registers take no memory of their own.
        let message = if self.world.mail.is_unused() { 0 } else { UnitQueue::<R::Msg, ()>::BYTES_EACH };
        watch.weighs(Bytes { node, message });
        ended.report(Kinds::of::<R::Msg>(), &|node| self.processes[node as usize].status())
    }

    /// The bytes of registers for each node. They include the lists of wake-ups, which are long if many nodes act.
    fn bytes_of_registers(&self) -> usize {
        match self.read.bytes_each() + self.written.bytes_each() {
            0 => 0,
            bytes => bytes + WAKEUPS,
        }
    }

    /// Nodes that wake up in the first round are likely to broadcast. On a ring, with two ports, registers would save
    /// too little.
    fn expect_broadcasts(&mut self) {
        if !W::IS_RING {
            self.world.broadcasts = self.wakeups.count_next() as u64;
        }
    }

    /// Plays rounds until nothing is left to happen. Returns whether the election came to an end.
    fn hold_election(&mut self, watch: &mut dyn Watch) -> bool {
        while let Some(round) = self.next_round() {
            (self.round, self.next_round) = (round, round.next());
            self.begin_round();
            let registers = replace(&mut self.read, Registers::new());
            let goes_on = match registers.all().filter(|_| !self.may_reach_limit()) {
                Some(broadcasts) => self.pull(broadcasts, watch),
                None => self.deliver(&registers, watch),
            };
            self.read = registers;
            if !goes_on {
                return false;
            }
            self.mirror.look(Time::round(round), &self.processes);
        }
        true
    }

    /// The next round with something to do.
    fn next_round(&mut self) -> Option<Round> {
        if self.world.tally.in_flight::<R::Msg>() > 0 {
            return Some(self.round.next());
        }
        let processes = &self.processes;
        self.wakeups.next(self.round, |node, before| processes[node as usize].due(before))
    }

    /// All sent messages arrive. Decides whether this round uses registers.
    fn begin_round(&mut self) {
        self.world.mail.advance();
        self.wakeups.open(self.round);
        swap(&mut self.read, &mut self.written);
        if self.read.speakers() == 0 {
            self.read.close();
        }
        let broadcasts = take(&mut self.world.broadcasts) + self.read.speakers() as u64;
        let nodes = self.world.wiring.nodes();
        if broadcasts * LOUD >= u64::from(nodes) {
            self.written.open(nodes);
        } else {
            self.written.close();
        }
    }

    /// Whether the run may have to stop within this round.
    fn may_reach_limit(&self) -> bool {
        self.world.tally.events + u64::from(self.world.wiring.nodes()) > self.scenario.limit
    }

    /// Plays a round after one in which all nodes broadcast and did nothing else. Each node reads the registers of its
    /// neighbours. Returns whether the run goes on.
    fn pull(&mut self, broadcasts: &[R::Msg], watch: &mut dyn Watch) -> bool {
        if !self.may_step(watch) {
            return false;
        }
        let Self { processes, world, written, round, judge, .. } = self;
        let wiring = world.wiring;
        world.tally.events += u64::from(wiring.nodes());
        written.write_all(broadcasts);
        let mut silent = Vec::new();
        for (node, (process, register)) in (0..).zip(processes.iter_mut().zip(written.messages())) {
            let neighbours = wiring.neighbours(node).enumerate();
            let inbox = neighbours.map(|(port, from)| (Port(port as u32), broadcasts[from as usize].clone()));
            let ports = wiring.ports(node);
            world.tally.received_some(ports.into());
            let mut step = FastRoundStep { node, ports, has_register: true, broadcast: None, posted: 0, world };
            take_step(process, *round, inbox, &mut step, judge);
            match step.broadcast {
                Some(msg) => {
                    world.tally.sent_often(node, &msg, ports);
                    *register = msg;
                }
                None => {
                    silent.push(node);
                    if step.posted > ports {
                        world.tally.note_peak::<R::Msg>(0);
                    }
                }
            }
        }
        silent.into_iter().for_each(|node| written.erase(node));
        // Wake-ups make no difference while every node receives something.
        if self.written.all().is_none() {
            self.expect_all();
        }
        true
    }

    /// Asks all processes when they act next.
    fn expect_all(&mut self) {
        for (process, node) in self.processes.iter().zip(0..) {
            self.wakeups.expect(node, process.due(self.round), self.round);
        }
    }

    /// Plays a round of any kind, with registers, mail and wake-ups. Returns whether the run goes on.
    fn deliver(&mut self, registers: &Registers<R::Msg>, watch: &mut dyn Watch) -> bool {
        let (round, next_round) = (self.round, self.next_round);
        let mut next = 0;
        while let Some(node) = self.next_node(next, registers) {
            next = node + 1;
            let inbox = self.fill_inbox(node, registers);
            let is_due = self.wakeups.take(node, round, |before| self.processes[node as usize].due(before));
            if is_due || !inbox.is_empty() {
                if !self.may_step(watch) {
                    return false;
                }
                self.world.tally.events += 1;
                let was_awake = replace(&mut self.awake[node as usize], true);
                let was_due = self.processes[node as usize].due(round.before()).filter(|_| was_awake);
                self.step(node, self.world.wiring.ports(node), &inbox);
                let due = self.processes[node as usize].due(round);
                if due == Some(next_round) || due != was_due {
                    self.wakeups.expect(node, due, round);
                }
            }
            self.inbox = inbox;
        }
        true
    }

    /// The next node, from this one on, that may have something to do in this round.
    #[inline]
    fn next_node(&mut self, from: Node, registers: &Registers<R::Msg>) -> Option<Node> {
        if registers.are_used() {
            return (from < self.world.wiring.nodes()).then_some(from);
        }
        self.next_receiver().into_iter().chain(self.wakeups.peek()).min()
    }

    /// The receiver of the next mail that arrives in this round.
    #[inline]
    fn next_receiver(&mut self) -> Option<Node> {
        if self.block.is_empty() {
            self.world.mail.next_block(&mut self.block, usize::MAX);
            self.block.reverse(); // so that the next one is the last
        }
        self.block.last().map(|mail| mail.to)
    }

    /// All that a node receives, from registers and by mail.
    #[inline]
    fn fill_inbox(&mut self, node: Node, registers: &Registers<R::Msg>) -> Vec<(Port, R::Msg)> {
        let mut inbox = take(&mut self.inbox);
        inbox.clear();
        if registers.are_used() {
            let neighbours = self.world.wiring.neighbours(node).zip(0..);
            inbox.extend(neighbours.filter_map(|(from, port)| Some((Port(port), registers.read(from)?.clone()))));
        }
        let from_registers = inbox.len();
        while self.next_receiver() == Some(node) {
            let Some(Mail { port, msg, .. }) = self.block.pop() else { break };
            inbox.push((port, msg));
        }
        if 0 < from_registers && from_registers < inbox.len() {
            inbox.sort_by_key(|&(port, _)| port);
        }
        inbox
    }

    /// Asks the watcher from time to time. Returns whether another step may be taken.
    #[inline]
    fn may_step(&mut self, watch: &mut dyn Watch) -> bool {
        let FastRoundWorld { wiring, tally, .. } = &self.world;
        if tally.events < self.next_glance {
            return true;
        }
        self.next_glance = self.scenario.limit.min(tally.events + glance(wiring));
        let now = Now { time: Time::round(self.round), in_flight: tally.in_flight::<R::Msg>() };
        tally.events < self.scenario.limit && watch.go_on(tally.messages::<R::Msg>(), Some(now))
    }

    /// A node with this many ports takes a step, with what it has received.
    fn step(&mut self, node: Node, ports: u32, inbox: &[(Port, R::Msg)]) {
        let Self { processes, world, written, round, judge, .. } = self;
        let received = inbox.len() as u32;
        world.tally.received_some(received.into());
        let mut step =
            FastRoundStep { node, ports, has_register: written.are_used(), broadcast: None, posted: 0, world };
        take_step(&mut processes[node as usize], *round, inbox.iter().cloned(), &mut step, judge);
        let mut sent = step.posted;
        if let Some(msg) = step.broadcast {
            sent = ports;
            world.tally.sent_often(node, &msg, ports);
            written.write(node, msg);
        }
        // A process that sends no more than it received does not raise the number under way.
        if sent > received {
            world.tally.note_peak::<R::Msg>(0);
        }
    }
}

/// A process takes a step, and the judge sees its decision.
#[inline(always)]
fn take_step<R: Rounds, W: Wiring>(
    process: &mut R,
    round: Round,
    inbox: impl Inbox<R::Msg>,
    step: &mut FastRoundStep<'_, W, R::Msg>,
    judge: &mut Judge,
) {
    let before = if process.status().is_decided() { decision(process) } else { Status::Undecided };
    process.round(round, inbox, step);
    if before.is_decided() || process.status().is_decided() {
        let after = decision(process);
        if before != after {
            judge.change(Time::round(round), step.node, before, after);
        }
    }
}

/// The decision of a process. Most processes are undecided when this is asked, so it is kept out of the loop.
#[cold]
#[inline(never)]
fn decision<R: Rounds>(process: &R) -> Status {
    process.status()
}

/// The context of a step.
struct FastRoundStep<'s, W, M> {
    node: Node,
    ports: u32,
    has_register: bool,
    /// The message for the register: one broadcast, if nothing else is sent.
    broadcast: Option<M>,
    /// How many messages go by mail.
    posted: u32,
    world: &'s mut FastRoundWorld<M, W>,
}

impl<W: Wiring, M: Message> Context<M> for FastRoundStep<'_, W, M> {
    #[inline]
    fn ports(&self) -> u32 {
        self.ports
    }

    #[inline]
    fn send(&mut self, port: Port, msg: M) {
        self.posted += self.world.post(self.node, self.broadcast.take(), Some(port), msg);
    }

    #[inline]
    fn send_all(&mut self, msg: M) {
        if self.has_register && self.broadcast.is_none() && self.posted == 0 && self.ports > 0 {
            self.broadcast = Some(msg);
        } else {
            self.posted += self.world.post(self.node, self.broadcast.take(), None, msg);
        }
    }

    fn set_timer(&mut self, timer: NoTimer, _: Span) {
        match timer {}
    }

    fn cancel_timer(&mut self, timer: NoTimer) {
        match timer {}
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.world.choices.choose(self.node, arity)
    }
}

impl<M: Message, W: Wiring> FastRoundWorld<M, W> {
    /// Sends by one port or by all ports, after the broadcast that was meant for the register. Returns the number of
    /// messages.
    #[inline(never)]
    fn post(&mut self, node: Node, earlier: Option<M>, port: Option<Port>, msg: M) -> u32 {
        let earlier = earlier.map_or(0, |earlier| self.post_all(node, &earlier));
        earlier
            + match port {
                None => self.post_all(node, &msg),
                Some(port) => {
                    self.tally.sent(node, &msg);
                    self.put(node, port, msg);
                    1
                }
            }
    }

    fn post_all(&mut self, node: Node, msg: &M) -> u32 {
        let ports = self.wiring.ports(node);
        self.broadcasts += 1;
        self.tally.sent_often(node, msg, ports);
        (0..ports).for_each(|port| self.put(node, Port(port), msg.clone()));
        ports
    }

    fn put(&mut self, node: Node, port: Port, msg: M) {
        let (to, port) = self.wiring.far(node, port);
        self.mail.push(Mail { to, port, stamp: (), msg });
    }
}
