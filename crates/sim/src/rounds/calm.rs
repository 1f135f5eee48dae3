//! The engine for rounds in which nothing goes wrong and nobody looks on.
//!
//! What somebody sends to all its neighbours need not be copied into their mail: it stands in a register of the sender, and
//! they read it in the next round. That pays where many do so, since then everybody looks into everybody's register; it is
//! decided by how many did in the round before.

use bellwether_core::{Context, Id, Inbox, Message, Model, NoTimer, Port, Round, Rounds, Span, Status};
use bellwether_world::host::{Bytes, Ended, Error, Kinds, Now, Tally, Watch, Wishes, bring_up, glance};
use bellwether_world::random::Choices;
use bellwether_world::{Judge, Node, Report, Scenario, Time, Wiring};

use rayon::ThreadPool;

use super::dense::{self, Deeds, Strip};
use super::due::{Due, Reason};
use super::registers::Registers;
use crate::instants::{Block, Instants, Mail};
use crate::symmetry::Mirror;

/// Registers pay if at least one node in so many tells something to all its neighbours.
const LOUD: u64 = 4;

/// To look for those who hear something new pays if at most one node in so many tells something new.
const NEWS: usize = 4;

/// Where registers are used, all may act and decide in one round, which is written down in lists with some room to spare:
/// the bytes that they take for a node.
const LISTS: usize = (size_of::<(Node, Status)>() + 2 * size_of::<(Node, Reason)>()) * 3 / 2;

/// Plays a scenario of rounds without faults.
pub(super) fn play<R: Rounds, W: Wiring + Copy + Send>(
    scenario: &Scenario,
    wiring: W,
    wishes: Wishes<'_>,
) -> Result<Report, Error> {
    let Wishes { watch, count, full, threads, promises, .. } = wishes;
    let nodes = wiring.nodes();
    let registers = if W::IS_RING { 0 } else { 2 * size_of::<R::Msg>() + LISTS };
    let each = Instants::<R::Msg, ()>::BYTES_EACH.max(registers) + size_of::<bool>();
    let deeds = Deeds::all(scenario, wiring, threads, count);
    let engine = Engine::<R, W> {
        scenario,
        processes: bring_up(scenario, R::INFO, each * nodes as usize, R::new)?,
        agenda: Due::default(),
        read: Registers::Unused,
        written: Registers::Unused,
        registers: 0,
        quiet_until: Round(0),
        promises,
        helpers: dense::hire(threads, deeds.len()),
        deeds,
        air: Air {
            wiring,
            first: 0,
            mail: Instants::new(),
            with_registers: false,
            broadcasts: 0,
            choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
            tally: Tally::new(nodes, count),
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
    air: Air<W, Instants<R::Msg, ()>>,
    /// What nodes told all their neighbours in the round before.
    read: Registers<R::Msg>,
    /// What they tell them in this round.
    written: Registers<R::Msg>,
    /// The bytes that registers took at most for a node.
    registers: usize,
    /// The round up to which all who hear nothing new would only repeat themselves; they take no steps until then.
    quiet_until: Round,
    /// Whether such steps may be left out.
    promises: bool,
    /// Threads for strips of nodes.
    helpers: Option<ThreadPool>,
    /// Room for what strips of nodes do at the same time.
    deeds: Vec<Deeds<W, R::Msg>>,
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

/// What processes act on.
pub(super) struct Air<W, B> {
    pub(super) wiring: W,
    /// The first of the nodes that act on it.
    pub(super) first: Node,
    pub(super) mail: B,
    /// Whether registers are written in this round.
    pub(super) with_registers: bool,
    /// How often somebody told all its neighbours something in this round.
    pub(super) broadcasts: u64,
    pub(super) choices: Choices,
    pub(super) tally: Tally,
}

/// Where what is sent goes.
pub(super) trait Bag<M> {
    /// One more.
    fn put(&mut self, mail: Mail<M, ()>);
}

impl<M> Bag<M> for Instants<M, ()> {
    #[inline]
    fn put(&mut self, mail: Mail<M, ()>) {
        self.push(mail);
    }
}

impl<M> Bag<M> for Vec<Mail<M, ()>> {
    #[inline]
    fn put(&mut self, mail: Mail<M, ()>) {
        self.push(mail);
    }
}

impl<R: Rounds, W: Wiring + Copy + Send> Engine<'_, R, W> {
    fn play(mut self, watch: &mut dyn Watch, full: bool) -> Result<Report, Error> {
        let complete = (0..self.scenario.elections).all(|election| {
            if election > 0 {
                self.judge.next_election();
            }
            self.agenda.wake_all(self.scenario, self.round);
            self.expect_broadcasts();
            self.hold_election(watch)
        });
        let rounds = if self.registers > 0 { self.registers + LISTS } else { 0 };
        let node = size_of::<R>() + size_of::<Id>() + size_of::<bool>() + 2 * self.air.tally.bytes_each() + rounds;
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
        // What stands in registers takes no room of its own.
        let message = if self.air.mail.is_unused() { 0 } else { Instants::<R::Msg, ()>::BYTES_EACH };
        watch.weighs(Bytes { node, message });
        ended.report(Kinds::of::<R::Msg>(), &|node| self.processes[node as usize].status())
    }

    /// Who wakes up in the first round is likely to tell all its neighbours, but on a ring, where there are only two.
    fn expect_broadcasts(&mut self) {
        if !W::IS_RING {
            self.air.broadcasts = self.agenda.count_next() as u64;
        }
    }

    /// Plays rounds until nothing is left to happen. Says whether it came to that.
    fn hold_election(&mut self, watch: &mut dyn Watch) -> bool {
        while let Some(round) = self.next_round() {
            (self.round, self.next_round) = (round, round.next());
            self.begin_round();
            if matches!(self.read, Registers::All(_)) && !self.is_dense() {
                self.ask_all(round.before());
            }
            self.agenda.open(round);
            if self.is_dense() {
                if !self.may_step(watch) {
                    return false;
                }
                self.play_dense();
                self.mirror.look(Time::round(round), &self.processes);
                continue;
            }
            let mut next = 0;
            while let Some(node) = self.next_node(next) {
                next = node + 1;
                self.receive(node);
                let is_due = self.agenda.take(node, round, |before| self.processes[node as usize].due(before));
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
        self.agenda.next(self.round, |node, before| processes[node as usize].due(before))
    }

    /// The next node, from this one on, that may have something to do in this round.
    #[inline]
    fn next_node(&mut self, from: Node) -> Option<Node> {
        if self.read.are_used() {
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
        self.next_glance = self.scenario.limit.min(events + glance(&self.air.wiring));
        let now = Now { time: Time::round(self.round), in_flight: self.air.tally.in_flight::<R::Msg>() };
        events < self.scenario.limit && watch.go_on(self.air.tally.messages::<R::Msg>(), Some(now))
    }

    /// What was sent arrives.
    fn begin_round(&mut self) {
        self.air.mail.advance();
        let mut written = std::mem::replace(&mut self.written, Registers::Unused);
        if self.air.broadcasts == 0 {
            written = Registers::Unused; // nobody has written to any
        }
        let before = std::mem::replace(&mut self.read, written);
        let nodes = self.air.wiring.nodes();
        self.air.with_registers = std::mem::take(&mut self.air.broadcasts) * LOUD >= u64::from(nodes);
        if !self.air.with_registers {
            return;
        }
        // Where nothing has come and nobody has told anything, as in the first round, all registers are empty.
        if !self.read.are_used() && self.air.mail.has_no_arrivals() {
            self.read = Registers::empty(Registers::Unused, nodes);
        }
        let is_dense = self.is_dense();
        self.written = match &self.read {
            Registers::All(read) if is_dense => match before {
                Registers::All(before) => Registers::All(before),
                Registers::Some(_) | Registers::Unused => Registers::All(read.clone()),
            },
            Registers::All(_) | Registers::Some(_) | Registers::Unused => Registers::empty(before, nodes),
        };
        self.registers = self.registers.max(self.read.bytes() + self.written.bytes());
    }

    /// Whether all that arrives in this round stands in registers, and the run will not be stopped in the midst of it.
    fn is_dense(&self) -> bool {
        let most = self.air.tally.events + u64::from(self.air.wiring.nodes());
        self.read.are_used() && self.air.mail.has_no_arrivals() && !R::INFO.randomised && most <= self.scenario.limit
    }

    /// Lets everybody act who has heard something or is due.
    fn play_dense(&mut self) {
        let Self {
            processes, agenda, air, read, written, quiet_until, helpers, deeds, round, next_round, awake, ..
        } = self;
        for deeds in &mut *deeds {
            (deeds.air.with_registers, deeds.quiet) = (air.with_registers, *round <= *quiet_until);
        }
        let (helpers, due, rounds) = (helpers.as_ref(), agenda.all(), (*round, *next_round));
        match (&*read, &mut *written) {
            (Registers::All(read), Registers::All(written)) => {
                let strip = Strip { processes, awake, read, written, due };
                dense::play(helpers, deeds, strip, rounds, Deeds::play_full);
            }
            (Registers::Some(read), written) => {
                let written = if let Registers::Some(written) = written { written } else { &mut [][..] };
                let strip = Strip { processes, awake, read, written, due };
                dense::play(helpers, deeds, strip, rounds, Deeds::play);
            }
            (Registers::All(_) | Registers::Unused, _) => unreachable!("the round is dense"),
        }
        agenda.close();
        self.gather();
    }

    /// Takes over what strips of nodes have left behind.
    fn gather(&mut self) {
        let Self { processes, agenda, air, written, deeds, round, judge, .. } = self;
        for Deeds { air: theirs, ahead, changes, peak, .. } in &mut *deeds {
            if let Some(peak) = *peak {
                air.tally.note_peak_of(air.tally.in_flight::<R::Msg>().saturating_add_signed(peak));
            }
            air.tally.absorb(theirs.first, &mut theirs.tally);
            air.broadcasts += std::mem::take(&mut theirs.broadcasts);
            theirs.mail.drain(..).for_each(|mail| air.mail.push(mail));
            agenda.take_over(ahead);
            for (node, before) in changes.drain(..) {
                judge.change(Time::round(*round), node, before, processes[node as usize].status());
            }
        }
        let silent = deeds.iter_mut().flat_map(|deeds| deeds.silent.drain(..));
        let was_full = matches!(written, Registers::All(_));
        *written = std::mem::replace(written, Registers::Unused).settled(silent);
        match (was_full, &self.written) {
            (true, Registers::All(_)) => self.look_for_news(),
            (true, Registers::Some(_) | Registers::Unused) => self.ask_all(self.round),
            (false, _) => {}
        }
    }

    /// Finds out who need not take a step in the next round, if many hear nothing new in it.
    fn look_for_news(&mut self) {
        let Self { processes, quiet_until, promises, deeds, round, .. } = self;
        if !*promises || deeds.iter().map(|deeds| deeds.changed).sum::<usize>() * NEWS > processes.len() {
            *quiet_until = Round(0);
        } else if *round <= *quiet_until {
            for strip in 0..deeds.len() {
                *quiet_until = deeds[strip].until.min(*quiet_until);
                let mut abroad = std::mem::take(&mut deeds[strip].news.abroad);
                for node in abroad.drain(..) {
                    deeds.iter_mut().any(|deeds| deeds.news.expect(node));
                }
                deeds[strip].news.abroad = abroad;
            }
        } else {
            let mut all = processes.iter().map(R::repeats_until);
            let until = all.try_fold(Round::NEVER, |until, one| (*round < one).then(|| until.min(one)));
            *quiet_until = until.unwrap_or(Round(0));
            if until.is_some() {
                deeds.iter_mut().for_each(Deeds::expect_news);
            }
        }
    }

    /// Asks everybody when it acts after that round: where all hear something in every round, nobody writes it down. From now
    /// on not all do.
    fn ask_all(&mut self, round: Round) {
        for (process, node) in self.processes.iter().zip(0..) {
            self.agenda.expect(node, process.due(round), round);
        }
        self.quiet_until = Round(0);
    }

    /// Fills the inbox of a node.
    #[inline]
    fn receive(&mut self, node: Node) {
        let mut inbox = std::mem::take(&mut self.inbox);
        self.read.hear(self.air.wiring, node, &mut inbox);
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
        let Self { processes, agenda, air, written, round, next_round, judge, inbox, awake, .. } = self;
        let (process, awake) = (&mut processes[node as usize], &mut awake[node as usize]);
        let (received, rounds) = (inbox.len() as u32, (*round, *next_round));
        let ports = air.wiring.ports(node);
        air.tally.events += 1;
        air.tally.received_some(received.into());
        let place = (node, ports, air.with_registers);
        let Stepped { told, posted, expects, change } = step(air, place, process, awake, inbox.iter().cloned(), rounds);
        let mut sent = posted;
        if let Some(msg) = told {
            air.tell(node, &msg, ports);
            written.tell(node, msg);
            sent = ports;
        }
        // Who sends no more than it received brings no more under way than there were.
        if sent > received {
            air.tally.note_peak::<R::Msg>(0);
        }
        if let Some(due) = expects {
            agenda.expect(node, due, *round);
        }
        if let Some((before, after)) = change {
            judge.change(Time::round(*round), node, before, after);
        }
    }
}

/// What comes of a step.
pub(super) struct Stepped<M> {
    /// What it tells all its neighbours by its register.
    pub(super) told: Option<M>,
    /// How many messages it has sent otherwise.
    pub(super) posted: u32,
    /// When it acts next, if that is to be written down.
    pub(super) expects: Option<Option<Round>>,
    /// Its status before and after, if that has changed.
    pub(super) change: Option<(Status, Status)>,
}

/// A process takes a step in a round, which has another after it. Where there are registers, it may use its own.
#[inline(always)]
pub(super) fn step<R: Rounds, W: Wiring, B: Bag<R::Msg>>(
    air: &mut Air<W, B>,
    (node, ports, registers): (Node, u32, bool),
    process: &mut R,
    awake: &mut bool,
    inbox: impl Inbox<R::Msg>,
    (round, next_round): (Round, Round),
) -> Stepped<R::Msg> {
    let before = if process.status().is_decided() { decision(process) } else { Status::Undecided };
    let was_awake = std::mem::replace(awake, true);
    let was_due = process.due(round.before()).filter(|_| was_awake);
    let mut voice = Voice { node, ports, registers, told: None, posted: 0, air };
    process.round(round, inbox, &mut voice);
    let Voice { told, posted, .. } = voice;
    let due = process.due(round);
    let expects = (due == Some(next_round) || due != was_due).then_some(due);
    let change = if before.is_decided() || process.status().is_decided() {
        Some((before, decision(process))).filter(|(before, after)| before != after)
    } else {
        None
    };
    Stepped { told, posted, expects, change }
}

/// What a process has decided. Most have not when they are asked: this keeps how it is told out of the way.
#[cold]
#[inline(never)]
fn decision<R: Rounds>(process: &R) -> Status {
    process.status()
}

/// The context of a step. What is told to all neighbours, and nothing else, goes to a register.
struct Voice<'s, W, M, B> {
    node: Node,
    ports: u32,
    registers: bool,
    /// What it tells all its neighbours, if that is all that it sends.
    told: Option<M>,
    /// How many messages it has sent otherwise.
    posted: u32,
    air: &'s mut Air<W, B>,
}

impl<W: Wiring, M: Message, B: Bag<M>> Context<M> for Voice<'_, W, M, B> {
    #[inline]
    fn ports(&self) -> u32 {
        self.ports
    }

    #[inline]
    fn send(&mut self, port: Port, msg: M) {
        self.posted += self.air.post(self.node, self.told.take(), Some(port), msg);
    }

    #[inline]
    fn send_all(&mut self, msg: M) {
        if self.registers && self.told.is_none() && self.posted == 0 && self.ports > 0 {
            self.told = Some(msg);
        } else {
            self.posted += self.air.post(self.node, self.told.take(), None, msg);
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

impl<W: Wiring, B> Air<W, B> {
    /// Sends by one port or all, and before that what was to stand in a register. Says how many messages that makes.
    #[inline(never)]
    fn post<M: Message>(&mut self, node: Node, told: Option<M>, port: Option<Port>, msg: M) -> u32
    where
        B: Bag<M>,
    {
        let told = told.map_or(0, |told| self.post_all(node, &told));
        told + match port {
            None => self.post_all(node, &msg),
            Some(port) => {
                self.tally.sent(node - self.first, &msg);
                let (to, port) = self.wiring.far(node, port);
                self.mail.put(Mail { to, port, stamp: (), msg });
                1
            }
        }
    }

    fn post_all<M: Message>(&mut self, node: Node, msg: &M) -> u32
    where
        B: Bag<M>,
    {
        let ports = self.wiring.ports(node);
        self.broadcasts += 1;
        self.tally.sent_often(node - self.first, msg, ports);
        for port in (0..ports).map(Port) {
            let (to, port) = self.wiring.far(node, port);
            self.mail.put(Mail { to, port, stamp: (), msg: msg.clone() });
        }
        ports
    }

    /// Somebody with so many ports tells this by its register.
    #[inline]
    pub(super) fn tell<M: Message>(&mut self, node: Node, msg: &M, ports: u32) {
        self.broadcasts += 1;
        self.tally.sent_often(node - self.first, msg, ports);
    }
}
