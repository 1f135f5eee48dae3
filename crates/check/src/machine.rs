//! A whole network as a row of numbers, and all that may happen to it.
//!
//! A state is a row of cells: one for each process, one for the content of each link, and one for the *rest*, which is
//! everything that rarely changes. Each cell is a number that stands for something met before, so states are
//! compared, copied and hashed as numbers, and the hash of a successor follows from the few cells that change.

mod expansion;
mod reduction;
mod stages;
mod turning;

use std::cmp::Ordering;

use bellwether_core::{Informs, Port, Span, Starts, Status, Winner};
use bellwether_world::family::symmetries;
use bellwether_world::host::Algorithm;
use bellwether_world::{Freedom, Node, Scenario, Timing, Wiring, assumptions};

use self::expansion::Hops;
use crate::automaton::{Act, Automaton, Outcome};
use crate::layout::{Layout, Link, Nodes, bit, members};
use crate::numbers::Numbers;
use crate::queues::{EMPTY, Parcel, Queues};
use crate::rest::Rest;
use crate::row::Row;
use crate::steps::Steps;
use crate::{Plan, Properties, Property};

/// What may happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A process wakes up on its own.
    Start(Node),
    /// A message arrives at the end of this link; it may be kept there to arrive once more.
    Deliver {
        /// The number of the link.
        link: u32,
        /// The message.
        parcel: Parcel,
        /// Whether the link repeats it.
        keep: bool,
    },
    /// A timer goes off.
    Timeout(Node, u32),
    /// A process hears that a neighbour is down.
    Report(Node, Port),
    /// A link loses a message.
    Lose {
        /// The number of the link.
        link: u32,
        /// The message.
        parcel: Parcel,
    },
    /// A process stops for good.
    Crash(Node),
}

impl Move {
    /// Whether it must happen some time if it stays possible: a fault need not.
    pub fn is_owed(self) -> bool {
        !matches!(self, Self::Lose { .. } | Self::Crash(_))
    }
}

/// What a move did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effect {
    /// Election messages sent.
    pub cost: u32,
    /// By how many stages the network has advanced.
    pub stages: u32,
    /// By how many stages everything was then counted back.
    pub rewound: u64,
    /// One over the probability of this outcome.
    pub ways: u64,
    /// What it broke at once.
    pub broken: Properties,
    /// A process that led does so no longer.
    pub resigned: bool,
}

/// A process in the state's row: 0 is one that has crashed.
const DEAD: u32 = 0;

/// All that may happen to a network.
pub struct Machine {
    plan: Plan,
    scenario: Scenario,
    layout: Layout,
    steps: Steps,
    hops: Hops,
    queues: Queues,
    rests: Numbers<Rest>,
    randomised: bool,
    /// Whether stages are counted, and whether messages may be overhead.
    has_stages: bool,
    has_overhead: bool,
    /// Whether nothing but starts and deliveries can happen, and a state is what it is.
    hops_only: bool,
    /// Whether who has started decides who must win.
    winner_starts: bool,
    /// Whether nobody may decide twice although algorithms may hold another election.
    once: bool,
    /// Whether a status, once taken, may not change at all.
    for_ever: bool,
    /// Whether processes differ only in their place on a ring.
    is_symmetric: bool,
    /// Whether only one order is followed of moves that do not interfere.
    is_reducing: bool,
    /// How many messages may tell the result, where the proofs apply.
    announcements: Option<u32>,
}

impl Machine {
    /// A machine for networks like this one.
    ///
    /// # Errors
    /// If the network is too large.
    pub fn new(algorithm: &'static Algorithm, scenario: &Scenario, plan: Plan) -> Result<Self, String> {
        let (info, cast) = (algorithm.info, &algorithm.events);
        let steady = plan.wants_steady(info);
        let mut machine = Self {
            plan,
            scenario: scenario.clone(),
            layout: Layout::new(&scenario.topology, info)?,
            hops: Hops::default(),
            queues: Queues::new(plan.freedom.reorder),
            rests: Numbers::default(),
            randomised: info.randomised,
            has_stages: cast.stages.is_some(),
            has_overhead: cast.kinds.has_overhead,
            winner_starts: matches!(info.winner, Winner::MaxOfInitiators | Winner::MinOfWakers)
                && info.starts != Starts::All,
            once: steady && info.repeatable,
            for_ever: steady && !info.repeatable,
            hops_only: false,
            is_symmetric: false,
            is_reducing: false,
            announcements: None,
            steps: Steps::new(Automaton::new(cast)),
        };
        machine.place(scenario);
        Ok(machine)
    }

    /// The machine at hand if it is for this network, or else a new one; with this scenario in place.
    ///
    /// # Errors
    /// If the network is too large.
    pub fn prepared<'a>(
        machine: &'a mut Option<Self>,
        scenario: &Scenario,
        algorithm: &'static Algorithm,
        plan: Plan,
    ) -> Result<&'a mut Self, String> {
        if machine.as_ref().is_none_or(|machine| machine.scenario.topology != scenario.topology) {
            *machine = Some(Self::new(algorithm, scenario, plan)?);
        }
        let machine = machine.as_mut().expect("it was just made");
        machine.place(scenario);
        Ok(machine)
    }

    /// Another scenario on the same network, with the same plan: what was learnt of single processes stays.
    pub fn place(&mut self, scenario: &Scenario) {
        self.scenario = scenario.clone();
        let same = scenario.ids.iter().all(|id| *id == scenario.ids[0]) || self.automaton().info().is_anonymous();
        let plain = !self.automaton().has_timers() && self.plan.freedom.crashes == 0;
        // A turn must keep ports: on a triangle whose ports are those of a graph it does not.
        let turn: Vec<Node> = (1..self.layout.nodes as Node).chain([0]).collect();
        self.is_symmetric = self.plan.symmetry && same && plain && symmetries(&scenario.topology).contains(&turn);
        // A fault or a timer may interfere with everything.
        let calm = self.plan.freedom == Freedom::default() && !self.automaton().has_timers();
        self.is_reducing = self.plan.reduction && calm;
        self.hops_only = calm && !self.has_overhead && !self.has_stages && !self.is_symmetric;
        let info = self.automaton().info();
        let chosen = Scenario { timing: Timing::Chosen(self.plan.freedom), ..scenario.clone() };
        let applies = self.plan.wants_bounds(info) && assumptions::broken(&chosen, info).is_empty();
        self.announcements = applies.then(|| (info.bounds.announce.of)(scenario.size(info)) as u32);
    }

    /// The same machine for another thread: from now on both give the same numbers to the same things, so that they can
    /// search together.
    #[must_use]
    pub fn twin(&mut self) -> Self {
        self.queues.share();
        self.rests.share();
        Self {
            scenario: self.scenario.clone(),
            layout: self.layout.clone(),
            steps: self.steps.twin(),
            hops: self.hops.clone(),
            queues: self.queues.clone(),
            rests: self.rests.clone(),
            ..*self
        }
    }

    /// Whether twins may search together: in which order things are numbered must not matter. It does where that says which
    /// of the states that differ by a turn stands for all.
    pub fn may_have_twins(&self) -> bool {
        !self.is_symmetric
    }

    /// Whether the proved bounds must hold here.
    pub fn wants_bounds(&self) -> bool {
        self.announcements.is_some()
    }

    /// The algorithm in numbers.
    pub fn automaton(&self) -> &Automaton {
        self.steps.automaton()
    }

    /// What is played.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// About how many bytes everything takes that was met so far.
    pub fn bytes(&self) -> u64 {
        /// What a rest takes with its table, as a rule of thumb.
        const EACH: usize = 200;
        (EACH * self.rests.len()) as u64 + self.steps.bytes() + self.hops.bytes() + self.queues.bytes()
    }

    /// Where everything stands in a state.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How it is to be searched.
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// Whether only one order is followed of moves that do not interfere.
    pub fn is_reducing(&self) -> bool {
        self.is_reducing
    }

    /// From now on follows every order.
    pub fn stop_reducing(&mut self) {
        self.is_reducing = false;
    }

    /// Whether states that are the same up to a turn of the ring are taken for one: then a path names no nodes.
    pub fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// From now on follows every order, and tells all states apart.
    pub fn spread_out(&mut self) {
        (self.is_reducing, self.is_symmetric) = (false, false);
    }

    /// The state in which everybody sleeps.
    ///
    /// # Errors
    /// If a process lacks knowledge.
    pub fn first(&mut self) -> Result<Row, String> {
        let mut cells = vec![];
        for node in 0..self.layout.nodes as Node {
            cells.push(self.asleep(node)? + 1);
        }
        cells.resize(self.layout.rest(), EMPTY);
        let waiting = self.scenario.electorate().initiators().fold(0, |set, (node, _)| set | bit(node));
        let Freedom { losses, copies, crashes, .. } = self.plan.freedom;
        cells.push(self.rests.of(Rest { waiting, losses, copies, crashes, ..Rest::default() }));
        let mut row = Row::new(cells);
        if self.is_symmetric {
            self.turn(&mut row);
        }
        Ok(row)
    }

    fn rest(&self, cells: &[u32]) -> &Rest {
        &self.rests[cells[self.layout.rest()]]
    }

    /// Changes the rest.
    fn revise(&mut self, row: &mut Row, change: impl FnOnce(&mut Rest)) {
        let mut rest = self.rest(row.cells()).clone();
        change(&mut rest);
        row.set(self.layout.rest(), self.rests.of(rest));
    }

    fn queue(&self, cells: &[u32], link: u32) -> u32 {
        cells[self.layout.link(link)]
    }

    fn is_dead(&self, cells: &[u32], node: Node) -> bool {
        cells[node as usize] == DEAD
    }

    /// What a process has decided; one that has crashed has not.
    pub fn status(&self, cells: &[u32], node: Node) -> Status {
        match cells[node as usize] {
            DEAD => Status::Undecided,
            local => self.steps.local(local - 1).status,
        }
    }

    /// Everybody's state and what is under way, for people.
    pub fn in_words(&self, cells: &[u32]) -> String {
        let process = |node: usize| match cells[node] {
            DEAD => format!("{node} crashed"),
            local => format!("{node} {}", self.automaton().local_in_words(local - 1)),
        };
        let mut lines: Vec<String> = (0..self.layout.nodes).map(process).collect();
        for (number, link) in self.layout.links.iter().enumerate() {
            let content = self.queues.content(self.queue(cells, number as u32));
            if !content.is_empty() {
                let message = |parcel: &Parcel| {
                    bellwether_world::trace::render(&self.automaton().message_in_trace(parcel.message()))
                };
                let list: Vec<String> = content.iter().map(message).collect();
                lines.push(format!("{} > {}: {}", link.from, link.to, list.join(" ")));
            }
        }
        lines.join("\n")
    }

    /// The links on which something is under way to somebody.
    fn busy(&self, cells: &[u32]) -> impl Iterator<Item = u32> {
        cells[self.layout.nodes..self.layout.rest()]
            .iter()
            .zip(0..)
            .filter(|(queue, _)| **queue != EMPTY)
            .map(|(_, link)| link)
    }

    /// Whether only overhead is under way, and nobody will act on it.
    fn only_overhead(&self, cells: &[u32]) -> bool {
        let pending = |&local: &u32| local != DEAD && self.steps.local(local - 1).is_pending;
        let payload = |parcel: &Parcel| !self.steps.message(parcel.message()).is_overhead;
        let Rest { waiting, reports, .. } = self.rest(cells);
        *waiting == 0
            && reports.is_empty()
            && !cells[..self.layout.nodes].iter().any(pending)
            && !self.busy(cells).any(|link| self.queues.content(self.queue(cells, link)).iter().any(payload))
    }

    /// All that may happen next, what must happen some time first; tells how much of it that is. In a settled state
    /// there is nothing left that must happen. The order does not depend on what was numbered first.
    pub fn moves(&mut self, cells: &[u32], moves: &mut Vec<Move>) -> usize {
        let before = moves.len();
        if self.has_overhead && self.only_overhead(cells) {
            return 0;
        }
        let Freedom { hasty_timers, reorder, .. } = self.plan.freedom;
        let Rest { waiting, copies, .. } = *self.rest(cells);
        if self.plan.starts_first && waiting != 0 {
            moves.push(Move::Start(waiting.trailing_zeros()));
        } else if !(self.is_reducing && self.persistent(cells, waiting, moves)) {
            moves.extend(members(waiting).map(Move::Start));
            let starts = moves.len();
            for link in self.busy(cells) {
                self.next_on(cells, link, |parcel| {
                    moves.push(Move::Deliver { link, parcel, keep: false });
                    if copies > 0 && !parcel.is_copy() {
                        moves.push(Move::Deliver { link, parcel, keep: true });
                    }
                });
            }
            if reorder {
                moves[starts..].sort_unstable_by(|a, b| self.compare(*a, *b));
            }
            let silent = moves.len() == starts;
            let Rest { timers, reports, .. } = self.rest(cells);
            moves.extend(reports.iter().map(|&(node, port)| Move::Report(node, port)));
            if hasty_timers || silent && reports.is_empty() {
                // Of timers that last equally long the one that was set first goes off first.
                let is_next = |place: usize, span: Span| !timers[..place].iter().any(|&(.., other)| other == span);
                let due =
                    timers.iter().enumerate().filter(|(place, (.., span))| hasty_timers || is_next(*place, *span));
                let others = moves.len();
                moves.extend(due.map(|(_, &(node, timer, _))| Move::Timeout(node, timer)));
                if hasty_timers {
                    moves[others..].sort_unstable_by(|a, b| self.compare(*a, *b));
                }
            }
        }
        let owed = moves.len() - before;
        let Rest { losses, crashes, .. } = *self.rest(cells);
        if losses > 0 {
            for link in self.busy(cells) {
                self.next_on(cells, link, |parcel| moves.push(Move::Lose { link, parcel }));
            }
            if reorder {
                moves[before + owed..].sort_unstable_by(|a, b| self.compare(*a, *b));
            }
        }
        if crashes > 0 {
            moves.extend((0..self.layout.nodes as Node).filter(|node| !self.is_dead(cells, *node)).map(Move::Crash));
        }
        owed
    }

    /// Which of two moves of a kind comes first, whatever the numbers of their messages and timers.
    fn compare(&self, a: Move, b: Move) -> Ordering {
        match (a, b) {
            (Move::Deliver { link, parcel, .. }, Move::Deliver { link: other, parcel: another, .. })
            | (Move::Lose { link, parcel }, Move::Lose { link: other, parcel: another }) => {
                let messages = || self.automaton().compare_messages(parcel.message(), another.message());
                link.cmp(&other).then_with(messages).then(a.cmp(&b))
            }
            (Move::Timeout(node, timer), Move::Timeout(other, another)) => {
                node.cmp(&other).then_with(|| self.automaton().compare_timers(timer, another))
            }
            _ => a.cmp(&b),
        }
    }

    /// What may arrive next on a busy link: its first message, or each of them where they may overtake each other, and
    /// equal ones once.
    #[inline]
    fn next_on(&self, cells: &[u32], link: u32, mut each: impl FnMut(Parcel)) {
        let queue = self.queue(cells, link);
        if !self.plan.freedom.reorder {
            return each(self.queues.head(queue));
        }
        let mut last = None;
        for &parcel in self.queues.content(queue) {
            if last.replace(parcel) != Some(parcel) {
                each(parcel);
            }
        }
    }

    /// In how many ways a move may go.
    ///
    /// # Errors
    /// If they are too many to follow.
    pub fn ways(&mut self, cells: &[u32], step: Move) -> Result<u32, String> {
        if !self.randomised {
            return Ok(1);
        }
        let count = |(_, count)| count;
        self.act_of(step).map_or(Ok(1), |(node, act)| self.step(cells, node, act).map(count))
    }

    fn act_of(&self, step: Move) -> Option<(Node, Act)> {
        match step {
            Move::Start(node) => Some((node, Act::Start)),
            Move::Deliver { link, parcel, .. } => {
                let Link { to, port, .. } = self.layout.links[link as usize];
                Some((to, Act::Receive(port, parcel.message())))
            }
            Move::Timeout(node, timer) => Some((node, Act::Timeout(timer))),
            Move::Report(node, port) => Some((node, Act::PeerDown(port))),
            Move::Lose { .. } | Move::Crash(_) => None,
        }
    }

    /// The ways in which a process may take a step, as a range of deeds.
    #[inline]
    fn step(&mut self, cells: &[u32], node: Node, act: Act) -> Result<(u32, u32), String> {
        self.steps.of(cells[node as usize] - 1, self.layout.ports(node), act)
    }

    /// What a process in this state does, in one of the ways; for whoever keeps count of things by another count.
    ///
    /// # Errors
    /// If it cannot be followed.
    pub fn outcome_of(&mut self, local: u32, node: Node, act: Act, way: u32) -> Result<Outcome, String> {
        let ports = self.layout.ports(node);
        Ok(self.steps.automaton_mut().act(local, ports, act)?.swap_remove(way as usize))
    }

    /// The number of a sleeping process.
    ///
    /// # Errors
    /// If it lacks knowledge.
    pub fn asleep(&mut self, node: Node) -> Result<u32, String> {
        let local = self.steps.automaton_mut().asleep(&self.scenario, node).map_err(|unmet| unmet.to_string())?;
        self.steps.learn();
        Ok(local)
    }

    /// A message so many stages earlier.
    pub fn rewound_message(&mut self, message: u32, by: u64) -> u32 {
        self.steps.automaton_mut().rewind_message(message, by)
    }

    /// Makes a move, in one of its ways.
    ///
    /// # Errors
    /// If a step cannot be followed.
    #[inline]
    pub fn apply(&mut self, row: &mut Row, step: Move, way: u32) -> Result<Effect, String> {
        let mut effect = Effect { ways: 1, ..Effect::default() };
        let latest = if self.has_stages { self.latest_stage(row.cells()) } else { 0 };
        match step {
            Move::Deliver { link, parcel, keep } => {
                self.take(row, link, parcel, keep);
                if keep && self.plan.freedom.copies < Freedom::ANY {
                    self.revise(row, |rest| rest.copies -= 1);
                }
            }
            Move::Lose { link, parcel } => {
                self.take(row, link, parcel, false);
                self.revise(row, |rest| rest.losses -= 1);
            }
            Move::Crash(node) => self.crash(row, node),
            Move::Start(_) | Move::Timeout(..) | Move::Report(..) => {}
        }
        if let Some((node, act)) = self.act_of(step) {
            self.act(row, node, act, way, &mut effect)?;
        }
        if self.has_stages {
            (effect.stages, effect.rewound) = self.rewind(latest, row);
        }
        if self.is_symmetric {
            self.turn(row);
        }
        Ok(effect)
    }

    /// A message leaves its link, or stays there as a copy.
    #[inline]
    fn take(&mut self, row: &mut Row, link: u32, parcel: Parcel, keep: bool) {
        let place = self.layout.link(link);
        row.set(place, self.queues.take(row.cells()[place], parcel, keep));
    }

    /// A process takes a step, in one of the ways.
    #[inline]
    fn act(&mut self, row: &mut Row, node: Node, act: Act, way: u32, effect: &mut Effect) -> Result<(), String> {
        let (first, _) = self.step(row.cells(), node, act)?;
        let Self { steps, layout, queues, rests, .. } = self;
        let deed = steps.deed(first + way);
        let before = row.cells()[node as usize] - 1;
        effect.ways = deed.ways;
        effect.cost = deed.cost;
        row.set(node as usize, deed.local + 1);
        for &(port, message) in steps.sends(deed) {
            let Some(link) = layout.out(node, port) else { return Err(self.astray(node)) };
            if row.cells()[layout.links[link as usize].to as usize] != DEAD {
                let place = layout.link(link);
                row.set(place, queues.push(row.cells()[place], Parcel::fresh(message)));
            }
        }
        // The rest seldom changes: look before copying it.
        let is_asleep = rests[row.cells()[layout.rest()]].waiting & bit(node) != 0;
        let is_plain = deed.is_quiet && matches!(act, Act::Receive(..)) && self.plan.freedom.crashes == 0;
        if is_asleep || !is_plain {
            self.note(row, node, act, before, first + way, effect);
        }
        Ok(())
    }

    #[cold]
    fn astray(&self, node: Node) -> String {
        format!("{} sends against the direction of its ring, from node {node}", self.automaton().info().name)
    }

    /// Notes in the rest, and in the effect, what a deed does beside changing a process and sending messages.
    fn note(&mut self, row: &mut Row, node: Node, act: Act, before: u32, deed: u32, effect: &mut Effect) {
        let deed = self.steps.deed(deed);
        let (before, after) = (self.steps.local(before).status, self.steps.local(deed.local).status);
        if before != after {
            effect.broken = self.change(row.cells(), node, before, after);
            effect.resigned = before == Status::Leader;
        }
        let Self { once, winner_starts, announcements, .. } = *self;
        let Freedom { crashes, hasty_timers, .. } = self.plan.freedom;
        let (timers, announced) = (deed.timers.clone(), deed.announced);
        self.revise(row, |rest| {
            if matches!(act, Act::Start | Act::Receive(..)) {
                rest.waiting &= !bit(node);
                rest.awake |= if crashes > 0 { bit(node) } else { 0 };
            }
            rest.started |= if winner_starts && act == Act::Start { bit(node) } else { 0 };
            rest.decided |= if once && before != after && after.is_decided() { bit(node) } else { 0 };
            if let Some(most) = announcements {
                rest.announced = (rest.announced + announced).min(most + 1);
            }
            match act {
                Act::Timeout(timer) => rest.stop_timer(node, timer),
                Act::PeerDown(port) => rest.reports.retain(|&report| report != (node, port)),
                Act::Start | Act::Receive(..) => {}
            }
            for (timer, after) in timers {
                rest.stop_timer(node, timer);
                rest.timers.extend(after.map(|after| (node, timer, after)));
            }
            if hasty_timers {
                rest.timers.sort_unstable();
            }
        });
    }

    /// What a change of status breaks.
    fn change(&self, cells: &[u32], node: Node, before: Status, after: Status) -> Properties {
        let leads = |other: Node| self.status(cells, other) == Status::Leader;
        let second =
            after == Status::Leader && (0..self.layout.nodes as Node).any(|other| other != node && leads(other));
        let provisional = self.automaton().info().informs == Informs::Provisionally;
        let learns_more = matches!((before, after), (Status::Follower(_), Status::Follower(_))) && provisional;
        let again = self.once && after.is_decided() && self.rest(cells).decided & bit(node) != 0;
        let changes = self.for_ever && before.is_decided() && !learns_more;
        Properties::default().with(Property::OneLeader, second).with(Property::Steady, again || changes)
    }

    fn crash(&mut self, row: &mut Row, node: Node) {
        row.set(node as usize, DEAD);
        for &link in &self.layout.into[node as usize] {
            row.set(self.layout.link(link), EMPTY);
        }
        let network = &self.scenario.topology;
        let ends = (0..network.ports(node)).map(|port| network.far(node, Port(port)));
        let hearers: Vec<(Node, Port)> = ends.filter(|(far, _)| row.cells()[*far as usize] != DEAD).collect();
        self.revise(row, |rest| {
            rest.crashes -= 1;
            rest.waiting &= !bit(node);
            rest.timers.retain(|&(owner, ..)| owner != node);
            rest.reports.retain(|&(hearer, _)| hearer != node);
            rest.reports.extend(hearers);
            rest.reports.sort_unstable();
        });
    }

    /// What a settled state lacks to be the end of an election.
    pub fn lacks(&self, cells: &[u32]) -> Properties {
        let lacks = Properties::default();
        let info = self.automaton().info();
        let nodes = 0..self.layout.nodes as Node;
        let living: Nodes =
            nodes.clone().filter(|node| !self.is_dead(cells, *node)).fold(0, |set, node| set | bit(node));
        // If all who took part have crashed and woken nobody up, there was no election.
        if self.plan.freedom.crashes > 0 && self.rest(cells).awake & living == 0 {
            return lacks;
        }
        let leaders: Vec<Node> = nodes.filter(|node| self.status(cells, *node) == Status::Leader).collect();
        let &[leader] = &leaders[..] else {
            return lacks.with(Property::Leader, leaders.is_empty()).with(Property::OneLeader, !leaders.is_empty());
        };
        let id = |node: Node| self.scenario.ids[node as usize];
        let among = |set: Nodes| members(set).map(id);
        let started = if self.winner_starts { self.rest(cells).started } else { Nodes::MAX };
        let promised = match info.winner {
            Winner::MaxOfAll => among(living).max(),
            Winner::MaxOfInitiators => among(living & started).max(),
            Winner::MinOfAll => among(living).min(),
            Winner::MinOfWakers => among(living & started).min(),
            Winner::Random => None,
        };
        let told = (!info.is_anonymous()).then(|| id(leader));
        let astray = |&node: &Node| node != leader && self.status(cells, node) != Status::Follower(told);
        lacks
            .with(Property::Winner, promised.is_some_and(|promised| promised != id(leader)))
            .with(Property::Informed, members(living).any(|node| astray(&node)))
            .with(Property::Bounds, self.announcements.is_some_and(|most| self.rest(cells).announced > most))
    }
}
