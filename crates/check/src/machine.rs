//! A whole network as a row of numbers, and all that may happen to it.
//!
//! A state is a row of cells: one for each process, one for the content of each link, and one for the *extras*, which
//! rarely change. Each cell is the number of something met before. So states are compared, copied and hashed as
//! numbers. The hash of a successor follows from the few cells that change.

mod answers;
mod exchange;
mod expansion;
mod memory;
mod notes;
mod phases;
mod reduction;
mod turning;

use std::cmp::Ordering;

use bellwether_core::{Phase, Port, Span, Starts, Status, Winner};
use bellwether_net::enumerate::symmetries;
use bellwether_net::{Node, Wiring};
use bellwether_world::host::Algorithm;
use bellwether_world::rules::{Conditions, Finality, Ruling, Settled};
use bellwether_world::{Drift, Freedom, Properties, Property, Scenario, Timing, assumptions};
use rustc_hash::FxHashMap;

use self::exchange::Exchanges;
use self::expansion::Hops;
use self::memory::Memory;
use crate::Plan;
use crate::automaton::{Automaton, Cause};
use crate::extras::{Extras, RunningTimer};
use crate::layout::{Layout, Link, bit, members};
use crate::numbers::Numbers;
use crate::queues::{EMPTY, Order, Parcel, Queues};
use crate::row::Row;
use crate::steps::Steps;

/// What may happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transition {
    /// A process wakes up on its own.
    Start(Node),
    /// A message arrives at the end of this link. It may stay there, to arrive once more.
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
    /// A process stops and starts again at once, with what is on its disk or with a new disk.
    Restart {
        /// The process.
        node: Node,
        /// Whether it has its disk.
        disk: bool,
    },
    /// The connection behind this port closes, although both ends live.
    Close(Node, Port),
}

impl Transition {
    /// Whether the move must happen some time if it stays possible. A fault need not.
    pub fn is_owed(self) -> bool {
        !matches!(self, Self::Lose { .. } | Self::Crash(_) | Self::Restart { .. } | Self::Close(..))
    }
}

/// What a move did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effect {
    /// Election messages sent.
    pub cost: u32,
    /// By how many phases the network has advanced.
    pub phases: u32,
    /// By how many phases everything was then counted back.
    pub rewound: u64,
    /// One over the probability of this outcome.
    pub ways: u64,
    /// What it broke at once.
    pub broken: Properties,
    /// A process that led does so no longer.
    pub resigned: bool,
    /// A process leads now that did not before.
    pub leads: bool,
    /// The same, and there was a numbered leadership before.
    pub leads_again: bool,
    /// The process is now beyond the last phase that is followed.
    pub is_beyond: bool,
}

/// What matters of the messages on a link.
const fn order(freedom: Freedom) -> Order {
    match freedom {
        Freedom { unreliable: true, .. } => Order::Set,
        Freedom { reorder: true, .. } => Order::Bag,
        _ => Order::Queue,
    }
}

/// The cell of a process that has crashed.
const DEAD: u32 = 0;

/// All that may happen to a network.
pub struct Machine {
    plan: Plan,
    scenario: Scenario,
    layout: Layout,
    steps: Steps,
    hops: Hops,
    queues: Queues,
    extras: Numbers<Extras>,
    randomised: bool,
    /// Whether phases are counted, and whether messages may be overhead.
    has_phases: bool,
    has_overhead: bool,
    /// Whether only starts and deliveries can happen, and states are kept as they are: not turned, not rewound.
    hops_only: bool,
    /// Whether the set of processes that have started decides the winner.
    winner_starts: bool,
    /// By node, state and whether the disk is there: the state after a restart.
    restarted: FxHashMap<(Node, u32, bool), u32>,
    /// What was computed before, where it is dear.
    memory: Memory,
    /// Whether processes hear of connections that close.
    sessions: bool,
    /// How final a decision is.
    finality: Finality,
    /// Which processes may change places.
    exchanges: Exchanges,
    /// Whether processes differ only in their place on a ring.
    is_symmetric: bool,
    /// Whether only one order is followed of moves that do not interfere.
    is_reducing: bool,
    /// The largest number of announcements, where the proofs apply.
    announcements: Option<u32>,
}

impl Machine {
    /// A machine for networks like this one.
    ///
    /// # Errors
    /// If the network is too large.
    pub fn new(algorithm: &'static Algorithm, scenario: &Scenario, plan: Plan) -> Result<Self, String> {
        let (info, cast) = (algorithm.info.under(&scenario.settings), &algorithm.events);
        let mut machine = Self {
            plan,
            scenario: scenario.clone(),
            layout: Layout::new(&scenario.topology, info)?,
            hops: Hops::default(),
            queues: Queues::new(order(plan.freedom)),
            extras: Numbers::default(),
            randomised: info.randomised,
            has_phases: cast.phases.is_some(),
            has_overhead: cast.kinds.has_overhead,
            winner_starts: matches!(info.winner, Winner::MaxOfInitiators | Winner::MinOfWakers)
                && info.starts != Starts::All,
            // A dropped assumption never excuses a changed decision.
            finality: Conditions::of_schedules(plan.freedom, false).finality(info),
            restarted: FxHashMap::default(),
            memory: Memory::default(),
            exchanges: Exchanges::default(),
            sessions: info.sessions,
            hops_only: false,
            is_symmetric: false,
            is_reducing: false,
            announcements: None,
            steps: Steps::new(Automaton::new(cast)),
        };
        machine.place(scenario);
        Ok(machine)
    }

    /// The given machine if it is for this network, otherwise a new one; with this scenario in place.
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

    /// Puts another scenario on the same network, with the same plan. All that is known of single processes stays.
    pub fn place(&mut self, scenario: &Scenario) {
        if self.scenario != *scenario {
            self.restarted.clear();
            self.memory = Memory::default();
            self.exchanges = Exchanges::default();
        }
        self.scenario = scenario.clone();
        let same = scenario.ids.iter().all(|id| *id == scenario.ids[0]) || self.automaton().info().is_anonymous();
        let Freedom { crashes, restarts, wipes, closes, .. } = self.plan.freedom;
        let plain = !self.automaton().has_timers() && [crashes, restarts, wipes, closes] == [0; 4];
        // A turn must keep ports. On a triangle whose ports are those of a graph it does not.
        let turn: Vec<Node> = (1..self.layout.nodes as Node).chain([0]).collect();
        self.is_symmetric = self.plan.symmetry && same && plain && symmetries(&scenario.topology).contains(&turn);
        // A fault or a timer may interfere with everything.
        let undisturbed = self.plan.freedom.is_faultless() && !self.automaton().has_timers();
        self.is_reducing = self.plan.reduction && undisturbed;
        self.hops_only = undisturbed && !self.has_overhead && !self.has_phases && !self.is_symmetric;
        let info = self.automaton().info();
        let chosen = Scenario { timing: Timing::Chosen(self.plan.freedom), ..scenario.clone() };
        let is_forced = !assumptions::broken(&chosen, info).is_empty();
        let conditions = Conditions::of_schedules(self.plan.freedom, is_forced);
        let info = info.under(&scenario.settings);
        let is_judged = conditions.exempts(info, Property::Bounds).is_none();
        self.announcements = is_judged.then(|| (info.bounds.announce.of)(scenario.size(info)) as u32);
    }

    /// The same machine for another thread. From now on both give the same numbers to the same things, so they can
    /// search together.
    #[must_use]
    pub fn twin(&mut self) -> Self {
        self.queues.share();
        self.extras.share();
        self.exchanges.share();
        Self {
            scenario: self.scenario.clone(),
            layout: self.layout.clone(),
            steps: self.steps.twin(),
            hops: self.hops.clone(),
            queues: self.queues.clone(),
            extras: self.extras.clone(),
            restarted: self.restarted.clone(),
            memory: self.memory.clone(),
            exchanges: self.exchanges.clone(),
            ..*self
        }
    }

    /// Learns all that its twins have met so far, so that it can go on from a state that another one has found.
    pub fn catch_up(&mut self) {
        self.steps.catch_up();
        self.queues.catch_up();
        self.extras.catch_up();
        self.exchanges.catch_up();
    }

    /// Whether twins may search together: the order in which things are numbered must not matter. It matters with
    /// symmetry: there it decides which of the states that differ by a turn stands for all.
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

    /// The approximate number of bytes of everything met so far.
    pub fn bytes(&self) -> u64 {
        /// The bytes of an entry with its table, as a rule of thumb.
        const EACH: usize = 200;
        let found = self.steps.bytes() + self.hops.bytes() + self.queues.bytes() + self.memory.bytes();
        (EACH * self.extras.len()) as u64 + found + self.exchanges.bytes()
    }

    /// Where everything stands in a state.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The plan of the search.
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// Whether only one order is followed of moves that do not interfere.
    pub fn is_reducing(&self) -> bool {
        self.is_reducing
    }

    /// From now on, follows every order.
    pub fn stop_reducing(&mut self) {
        self.is_reducing = false;
    }

    /// Whether states that differ only by a turn of the ring count as one. Then a path names no nodes.
    pub fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// From now on, follows every order and tells all states apart.
    pub fn spread_out(&mut self) {
        (self.is_reducing, self.is_symmetric) = (false, false);
        self.exchanges = Exchanges::default();
    }

    /// The state in which every process sleeps.
    ///
    /// # Errors
    /// If a process lacks knowledge.
    pub fn first(&mut self) -> Result<Row, String> {
        let mut cells = vec![];
        for node in 0..self.layout.nodes as Node {
            cells.push(self.asleep(node)? + 1);
        }
        cells.resize(self.layout.extras(), EMPTY);
        let waiting = self.scenario.electorate().initiators().fold(0, |set, (node, _)| set | bit(node));
        let Freedom { losses, copies, crashes, restarts, closes, .. } = self.plan.freedom;
        let extras = Extras { waiting, losses, copies, crashes, restarts, closes, ..Extras::default() };
        cells.push(self.extras.of(extras));
        let mut row = Row::new(cells);
        if self.is_symmetric {
            self.turn(&mut row);
        }
        Ok(row)
    }

    fn extras(&self, cells: &[u32]) -> &Extras {
        &self.extras[cells[self.layout.extras()]]
    }

    /// Changes the extras.
    fn revise(&mut self, row: &mut Row, change: impl FnOnce(&mut Extras)) {
        let mut extras = self.extras(row.cells()).clone();
        change(&mut extras);
        row.set(self.layout.extras(), self.extras.of(extras));
    }

    fn queue(&self, cells: &[u32], link: u32) -> u32 {
        cells[self.layout.link(link)]
    }

    fn is_dead(&self, cells: &[u32], node: Node) -> bool {
        cells[node as usize] == DEAD
    }

    /// What a process has decided; a crashed process is undecided.
    pub fn status(&self, cells: &[u32], node: Node) -> Status {
        match cells[node as usize] {
            DEAD => Status::Undecided,
            local => self.steps.local(local - 1).status,
        }
    }

    /// All states and the messages under way, for people.
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

    /// The links on which messages are under way.
    fn busy(&self, cells: &[u32]) -> impl Iterator<Item = u32> {
        cells[self.layout.nodes..self.layout.extras()]
            .iter()
            .zip(0..)
            .filter(|(queue, _)| **queue != EMPTY)
            .map(|(_, link)| link)
    }

    /// Whether only overhead is under way and no process will act on it.
    fn only_overhead(&self, cells: &[u32]) -> bool {
        let pending = |&local: &u32| local != DEAD && self.steps.local(local - 1).is_pending;
        let payload = |parcel: &Parcel| !self.steps.message(parcel.message()).is_overhead;
        let Extras { waiting, reports, .. } = self.extras(cells);
        *waiting == 0
            && reports.is_empty()
            && !cells[..self.layout.nodes].iter().any(pending)
            && !self.busy(cells).any(|link| self.queues.content(self.queue(cells, link)).iter().any(payload))
    }

    /// All possible moves; those that must happen some time come first. Returns the number of those; in a settled state
    /// it is 0. The order does not depend on the numbers of messages and timers.
    pub fn moves(&mut self, cells: &[u32], moves: &mut Vec<Transition>) -> usize {
        let before = moves.len();
        if self.has_overhead && self.only_overhead(cells) {
            return 0;
        }
        let Freedom { hasty_timers, drift, .. } = self.plan.freedom;
        let Extras { waiting, copies, .. } = *self.extras(cells);
        if self.plan.freedom.starts_first && waiting != 0 {
            moves.push(Transition::Start(waiting.trailing_zeros()));
        } else if !(self.is_reducing && self.persistent(cells, waiting, moves)) {
            moves.extend(members(waiting).map(Transition::Start));
            let starts = moves.len();
            for link in 0..self.layout.links.len() as u32 {
                if self.is_held(cells, link) {
                    continue;
                }
                self.next_on(cells, link, |parcel| {
                    moves.push(Transition::Deliver { link, parcel, keep: false });
                    if copies > 0 && !parcel.is_copy() {
                        moves.push(Transition::Deliver { link, parcel, keep: true });
                    }
                });
            }
            let silent = moves.len() == starts;
            let Extras { timers, reports, .. } = self.extras(cells);
            moves.extend(reports.iter().map(|&(node, port)| Transition::Report(node, port)));
            if let Some(drift) = drift {
                moves.extend_from_slice(self.due_now(drift, cells[self.layout.extras()]));
            } else if hasty_timers || silent && reports.is_empty() {
                // Of timers with the same duration, the one that was set first goes off first.
                let is_next = |place: usize, span: Span| !timers[..place].iter().any(|&(.., other)| other == span);
                let due =
                    timers.iter().enumerate().filter(|(place, (.., span))| hasty_timers || is_next(*place, *span));
                let others = moves.len();
                moves.extend(due.map(|(_, &(node, timer, _))| Transition::Timeout(node, timer)));
                if hasty_timers {
                    moves[others..].sort_unstable_by(|a, b| self.compare(*a, *b));
                }
            }
        }
        let owed = moves.len() - before;
        let Extras { losses, crashes, .. } = *self.extras(cells);
        if losses > 0 {
            for link in 0..self.layout.links.len() as u32 {
                self.next_on(cells, link, |parcel| moves.push(Transition::Lose { link, parcel }));
            }
        }
        if crashes > 0 {
            moves.extend(
                (0..self.layout.nodes as Node).filter(|node| !self.is_dead(cells, *node)).map(Transition::Crash),
            );
        }
        let Extras { restarts, wiped, closes, .. } = *self.extras(cells);
        let up = |node: &Node| !self.is_dead(cells, *node) && waiting & bit(*node) == 0;
        let restart = |disk: bool| move |node: Node| Transition::Restart { node, disk };
        if restarts > 0 {
            moves.extend((0..self.layout.nodes as Node).filter(up).map(restart(true)));
        }
        if wiped.count_ones() < self.plan.freedom.wipes {
            let may = |node: &Node| up(node) && wiped & bit(*node) == 0;
            moves.extend((0..self.layout.nodes as Node).filter(may).map(restart(false)));
        }
        if closes > 0 {
            let ends = self.layout.links.iter().filter(|link| link.from < link.to);
            let open = ends.filter(|link| [link.from, link.to].iter().all(|node| !self.is_dead(cells, *node)));
            moves.extend(open.map(|link| Transition::Close(link.to, link.port)));
        }
        owed
    }

    /// The timers that may go off next, by the number of the extras.
    fn due_now(&mut self, drift: Drift, extras: u32) -> &[Transition] {
        if !self.memory.due.contains_key(&extras) {
            let due = self.due(drift, &self.extras[extras].timers);
            self.memory.due.insert(extras, due);
        }
        &self.memory.due[&extras]
    }

    /// The timers that may go off next.
    fn due(&self, drift: Drift, timers: &[RunningTimer]) -> Box<[Transition]> {
        let must = |a: &RunningTimer, b: &RunningTimer| self.goes_first(drift, a, b);
        let is_due = |place: &usize| !timers[..*place].iter().any(|earlier| must(earlier, &timers[*place]));
        let due = (0..timers.len()).filter(is_due).map(|place| timers[place]);
        due.map(|(node, timer, _)| Transition::Timeout(node, timer)).collect()
    }

    /// Whether the receiver must hear first that the connection was closed.
    fn is_held(&self, cells: &[u32], link: u32) -> bool {
        let Link { to, port, .. } = self.layout.links[link as usize];
        self.sessions && self.extras(cells).reports.contains(&(to, port))
    }

    /// Whether a timer, if it was set before another one, goes off before it.
    fn goes_first(&self, drift: Drift, first: &RunningTimer, later: &RunningTimer) -> bool {
        if [first, later].iter().any(|timer| self.automaton().is_wish(timer.1)) {
            return false;
        }
        drift.goes_first((first.0, first.2), (later.0, later.2))
    }

    /// Which of two moves of the same kind comes first; independent of the numbers of their messages and timers.
    fn compare(&self, a: Transition, b: Transition) -> Ordering {
        match (a, b) {
            (Transition::Timeout(node, timer), Transition::Timeout(other, another)) => {
                node.cmp(&other).then_with(|| self.automaton().compare_timers(timer, another))
            }
            _ => a.cmp(&b),
        }
    }

    /// What may arrive next on a link, unless it is empty: its first message, or with reordering each of its messages
    /// (equal ones once), in an order that does not depend on their numbers.
    #[inline]
    fn next_on(&mut self, cells: &[u32], link: u32, each: impl FnMut(Parcel)) {
        let queue = self.queue(cells, link);
        if queue == EMPTY {
            return;
        }
        if order(self.plan.freedom) == Order::Queue {
            return std::iter::once(self.queues.head(queue)).for_each(each);
        }
        if !self.memory.sorted.contains_key(&queue) {
            let mut content = self.queues.content(queue).to_vec();
            content.dedup();
            let messages = |a: &Parcel, b: &Parcel| self.automaton().compare_messages(a.message(), b.message());
            content.sort_by(|a, b| messages(a, b).then(a.cmp(b)));
            self.memory.sorted.insert(queue, content.into());
        }
        self.memory.sorted[&queue].iter().copied().for_each(each);
    }

    /// The number of outcomes of a move.
    ///
    /// # Errors
    /// If they are too many to follow.
    pub fn ways(&mut self, cells: &[u32], step: Transition) -> Result<u32, String> {
        if !self.randomised {
            return Ok(1);
        }
        let count = |(_, count)| count;
        let Some((node, act)) = self.act_of(step) else { return Ok(1) };
        let local = self.local_before(cells, step, node)?;
        self.step(local, node, act).map(count)
    }

    fn act_of(&self, step: Transition) -> Option<(Node, Cause)> {
        match step {
            Transition::Start(node) | Transition::Restart { node, .. } => Some((node, Cause::Start)),
            Transition::Deliver { link, parcel, .. } => {
                let Link { to, port, .. } = self.layout.links[link as usize];
                Some((to, Cause::Receive(port, parcel.message())))
            }
            Transition::Timeout(node, timer) => Some((node, Cause::Timeout(timer))),
            Transition::Report(node, port) => Some((node, Cause::PeerDown(port))),
            Transition::Lose { .. } | Transition::Crash(_) | Transition::Close(..) => None,
        }
    }

    /// The state from which a process takes its step in this move.
    #[inline]
    fn local_before(&mut self, cells: &[u32], step: Transition, node: Node) -> Result<u32, String> {
        let local = cells[node as usize] - 1;
        let Transition::Restart { node, disk } = step else { return Ok(local) };
        if let Some(restarted) = self.restarted.get(&(node, local, disk)) {
            return Ok(*restarted);
        }
        self.restart_images(node, local, disk)?;
        self.restarted(node, local, disk)
    }

    /// The state of a process after it has started again.
    fn restarted(&mut self, node: Node, local: u32, disk: bool) -> Result<u32, String> {
        let restarted = self.steps.automaton_mut().restarted(&self.scenario, node, local, disk);
        let restarted = restarted.map_err(|unmet| unmet.to_string())?;
        self.steps.learn();
        self.restarted.insert((node, local, disk), restarted);
        Ok(restarted)
    }

    /// The outcomes of a step of a process, as a range of outcomes.
    #[inline]
    fn step(&mut self, local: u32, node: Node, act: Cause) -> Result<(u32, u32), String> {
        self.steps.of(local, self.layout.ports(node), act)
    }

    /// The values drawn in one outcome of a move.
    ///
    /// # Errors
    /// If it cannot be followed.
    pub fn draws(&mut self, cells: &[u32], step: Transition, way: u32) -> Result<Vec<u64>, String> {
        let Some((node, act)) = self.act_of(step) else { return Ok(vec![]) };
        let local = self.local_before(cells, step, node)?;
        let outcomes = self.steps.automaton_mut().act(local, self.layout.ports(node), act)?;
        Ok(outcomes.into_iter().nth(way as usize).map_or(vec![], |outcome| outcome.draws))
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

    /// Makes a move, with one of its outcomes.
    ///
    /// # Errors
    /// If a step cannot be followed.
    #[inline]
    pub fn apply(&mut self, row: &mut Row, step: Transition, way: u32) -> Result<Effect, String> {
        let mut effect = Effect { ways: 1, ..Effect::default() };
        let latest = if self.has_phases { self.latest_stage(row.cells()) } else { 0 };
        match step {
            Transition::Deliver { link, parcel, keep } => {
                self.take(row, link, parcel, keep);
                if keep && self.plan.freedom.copies < Freedom::ANY {
                    self.revise(row, |extras| extras.copies -= 1);
                }
            }
            Transition::Lose { link, parcel } => {
                self.take(row, link, parcel, false);
                self.revise(row, |extras| extras.losses -= 1);
            }
            Transition::Crash(node) => self.crash(row, node),
            Transition::Restart { node, disk } => self.restart(row, node, disk)?,
            Transition::Close(node, port) => self.close(row, node, port),
            Transition::Start(_) | Transition::Timeout(..) | Transition::Report(..) => {}
        }
        if let Some((node, act)) = self.act_of(step) {
            self.act(row, node, act, way, &mut effect)?;
        }
        if self.has_phases {
            (effect.phases, effect.rewound) = self.rewind(latest, row);
        }
        if self.is_symmetric {
            self.turn(row);
        }
        Ok(effect)
    }

    /// A message leaves its link, or stays there as a copy.
    #[inline]
    fn take(&mut self, row: &mut Row, link: u32, parcel: Parcel, keep: bool) {
        if self.plan.freedom.unreliable {
            return;
        }
        let place = self.layout.link(link);
        row.set(place, self.queues.take(row.cells()[place], parcel, keep));
    }

    /// A process takes a step, with one of its outcomes.
    #[inline]
    fn act(&mut self, row: &mut Row, node: Node, act: Cause, way: u32, effect: &mut Effect) -> Result<(), String> {
        let before = row.cells()[node as usize] - 1;
        self.follow_images(node, before, act)?;
        let (first, _) = self.step(before, node, act)?;
        let Freedom { unreliable, phases, .. } = self.plan.freedom;
        let outcome = self.steps.outcome(first + way);
        effect.ways = outcome.ways;
        effect.cost = outcome.cost;
        let local = outcome.local;
        effect.is_beyond =
            phases > 0 && self.steps.local(local).phase.is_some_and(|Phase(phase)| phase > phases.into());
        row.set(node as usize, local + 1);
        for number in 0..self.steps.sends(outcome).len() {
            let (port, message) = self.steps.sends(self.steps.outcome(first + way))[number];
            self.send(row, node, port, message)?;
        }
        let Self { steps, layout, queues, extras, memory, .. } = self;
        if unreliable && (local != before || act == Cause::Start) {
            // What its receiver ignores for ever need not be kept.
            for &link in &layout.into[node as usize] {
                let (place, port) = (layout.link(link), layout.links[link as usize].port);
                let queue = row.cells()[place];
                let retained = memory.retained(queue, port, local, queues, steps);
                if retained != queue {
                    row.set(place, retained);
                }
            }
        }
        let outcome = steps.outcome(first + way);
        // The extras seldom change: look before copying them.
        let is_asleep = extras[row.cells()[layout.extras()]].waiting & bit(node) != 0;
        let is_plain = outcome.is_quiet && matches!(act, Cause::Receive(..)) && self.plan.freedom.crashes == 0;
        if is_asleep || !is_plain {
            self.note(row, node, act, before, first + way, effect);
        }
        Ok(())
    }

    /// A process sends a message.
    #[inline]
    fn send(&mut self, row: &mut Row, node: Node, port: Port, message: u32) -> Result<(), String> {
        if self.layout.out(node, port).is_none() {
            return Err(self.astray(node));
        }
        if let Some((place, queue)) = self.sent(row.cells(), node, port, message) {
            row.set(place, queue);
        }
        Ok(())
    }

    /// The place and the content of a link after a message was sent, unless nobody is there to receive it. What its
    /// receiver ignores for ever is not kept on an unreliable link.
    #[inline]
    fn sent(&mut self, cells: &[u32], node: Node, port: Port, message: u32) -> Option<(usize, u32)> {
        let Self { steps, layout, queues, memory, .. } = self;
        let link = layout.out(node, port)?;
        let Link { to, port, .. } = layout.links[link as usize];
        let hearer = cells[to as usize];
        if hearer == DEAD {
            return None;
        }
        let place = layout.link(link);
        let queue = queues.push(cells[place], Parcel::fresh(message));
        let is_kept = !self.plan.freedom.unreliable;
        Some((place, if is_kept { queue } else { memory.retained(queue, port, hearer - 1, queues, steps) }))
    }

    #[cold]
    fn astray(&self, node: Node) -> String {
        format!("{} sends against the direction of its ring, from node {node}", self.automaton().info().name)
    }

    /// Notes what an outcome does besides changing a process and sending messages, in the extras and in the effect.
    fn note(&mut self, row: &mut Row, node: Node, act: Cause, before: u32, number: u32, effect: &mut Effect) {
        let outcome = self.steps.outcome(number);
        let token = self.steps.local(outcome.local).token;
        let (before, after) = (self.steps.local(before).status, self.steps.local(outcome.local).status);
        let highest = self.extras(row.cells()).token;
        let leads = before != after && after == Status::Leader;
        let token = token.filter(|_| leads);
        if before != after {
            let grow = token.is_some_and(|token| token < highest);
            let twice = token == Some(highest);
            effect.broken = self.change(row.cells(), node, before, after).with(Property::TokensGrow, grow);
            effect.broken = effect.broken.with(Property::FreshToken, twice);
            effect.resigned = before == Status::Leader;
            effect.leads = leads;
            effect.leads_again = leads && highest > 0;
        }
        let Self { finality, winner_starts, announcements, .. } = *self;
        let once = finality == Finality::OneElection;
        let Freedom { crashes, hasty_timers, drift, .. } = self.plan.freedom;
        let place = self.layout.extras();
        let key = (row.cells()[place], number, node);
        if let Some(noted) = self.memory.noted.get(&key) {
            return row.set(place, *noted);
        }
        let (timers, announced) = (outcome.timers.clone(), outcome.announced);
        self.revise(row, |extras| {
            if matches!(act, Cause::Start | Cause::Receive(..)) {
                extras.waiting &= !bit(node);
                extras.awake |= if crashes > 0 { bit(node) } else { 0 };
            }
            extras.started |= if winner_starts && act == Cause::Start { bit(node) } else { 0 };
            extras.decided |= if once && before != after && after.is_decided() { bit(node) } else { 0 };
            if let Some(most) = announcements {
                extras.announced = (extras.announced + announced).min(most + 1);
            }
            match act {
                Cause::Timeout(timer) => extras.stop_timer(node, timer),
                Cause::PeerDown(port) => extras.reports.retain(|&report| report != (node, port)),
                Cause::Start | Cause::Receive(..) => {}
            }
            let mut set: Vec<RunningTimer> = vec![];
            for (timer, after) in timers {
                extras.stop_timer(node, timer);
                set.retain(|(_, other, _)| *other != timer);
                set.extend(after.map(|after| (node, timer, after)));
            }
            if drift.is_some() {
                // They were set at the same moment.
                set.sort_by_key(|(.., span)| *span);
            }
            extras.timers.extend(set);
            if hasty_timers {
                extras.timers.sort_unstable();
            }
            extras.token = extras.token.max(token.unwrap_or(0));
        });
        if let Some(drift) = drift {
            let mut extras = self.extras(row.cells()).clone();
            self.normalise(&mut extras, drift);
            row.set(place, self.extras.of(extras));
            // To bring timers in order is dear. A deed is of one state and one cause.
            self.memory.noted.insert(key, row.cells()[place]);
        }
    }

    /// Timers whose order does not matter get one order.
    fn normalise(&self, extras: &mut Extras, drift: Drift) {
        let compare =
            |a: &RunningTimer, b: &RunningTimer| a.0.cmp(&b.0).then_with(|| self.automaton().compare_timers(a.1, b.1));
        extras.sort_timers(|a, b| self.goes_first(drift, a, b), compare);
    }

    /// What a change of status breaks.
    fn change(&self, cells: &[u32], node: Node, before: Status, after: Status) -> Properties {
        let leads = |other: Node| self.status(cells, other) == Status::Leader;
        let second =
            after == Status::Leader && (0..self.layout.nodes as Node).any(|other| other != node && leads(other));
        let again = self.finality.is_broken(before, after, self.extras(cells).decided & bit(node) != 0);
        Properties::default().with(Property::OneLeader, second).with(Property::Steady, again)
    }

    fn crash(&mut self, row: &mut Row, node: Node) {
        row.set(node as usize, DEAD);
        for &link in &self.layout.into[node as usize] {
            row.set(self.layout.link(link), EMPTY);
        }
        let network = &self.scenario.topology;
        let ends = (0..network.ports(node)).map(|port| network.far(node, Port(port)));
        let hearers: Vec<(Node, Port)> = ends.filter(|(far, _)| row.cells()[*far as usize] != DEAD).collect();
        self.revise(row, |extras| {
            extras.crashes -= 1;
            extras.waiting &= !bit(node);
            extras.timers.retain(|&(owner, ..)| owner != node);
            extras.reports.retain(|&(hearer, _)| hearer != node);
            extras.reports.extend(hearers);
            extras.reports.sort_unstable();
        });
    }

    fn restart(&mut self, row: &mut Row, node: Node, disk: bool) -> Result<(), String> {
        let local = self.local_before(row.cells(), Transition::Restart { node, disk }, node)?;
        row.set(node as usize, local + 1);
        let reports = if self.sessions { self.closed_at(row, node) } else { vec![] };
        self.revise(row, |extras| {
            extras.restarts -= u32::from(disk);
            extras.wiped |= if disk { 0 } else { bit(node) };
            extras.timers.retain(|&(owner, ..)| owner != node);
            extras.reports.retain(|&(hearer, _)| hearer != node);
            extras.reports.extend(reports);
            extras.reports.sort_unstable();
            extras.reports.dedup();
        });
        Ok(())
    }

    /// All connections of a node close: what is under way there is lost. Returns who will hear of it.
    fn closed_at(&mut self, row: &mut Row, node: Node) -> Vec<(Node, Port)> {
        let ends = self.layout.links.iter().zip(0..).filter(|(link, _)| link.from == node || link.to == node);
        let ends: Vec<(Link, u32)> = ends.map(|(link, number)| (*link, number)).collect();
        ends.iter().for_each(|(_, number)| row.set(self.layout.link(*number), EMPTY));
        let hearers = ends.iter().filter(|(link, _)| link.from == node && row.cells()[link.to as usize] != DEAD);
        hearers.map(|(link, _)| (link.to, link.port)).collect()
    }

    fn close(&mut self, row: &mut Row, node: Node, port: Port) {
        let (far, at) = self.scenario.topology.far(node, port);
        for (number, link) in self.layout.links.iter().enumerate() {
            if [(node, far), (far, node)].contains(&(link.from, link.to)) {
                row.set(self.layout.link(number as u32), EMPTY);
            }
        }
        self.revise(row, |extras| {
            extras.closes -= 1;
            extras.reports.extend([(node, port), (far, at)]);
            extras.reports.sort_unstable();
            extras.reports.dedup();
        });
    }

    /// All messages under way are lost, if links may lose them.
    pub fn lose_all(&self, row: &mut Row) {
        if self.plan.freedom.unreliable {
            for link in 0..self.layout.links.len() as u32 {
                let place = self.layout.link(link);
                if row.cells()[place] != EMPTY {
                    row.set(place, EMPTY);
                }
            }
        }
    }

    /// A message that has arrived does not arrive once more.
    pub fn lose(&mut self, row: &mut Row, link: u32, parcel: Parcel) {
        let place = self.layout.link(link);
        if self.plan.freedom.unreliable && self.queues.content(row.cells()[place]).contains(&parcel) {
            row.set(place, self.queues.take(row.cells()[place], parcel, false));
        }
    }

    /// The timers that run.
    pub fn timers(&self, cells: &[u32]) -> &[RunningTimer] {
        &self.extras(cells).timers
    }

    /// Whether a move is a wish from outside.
    pub fn is_wished(&self, step: Transition) -> bool {
        matches!(step, Transition::Timeout(_, timer) if self.automaton().is_wish(timer))
    }

    /// Whether a process leads.
    pub fn has_leader(&self, cells: &[u32]) -> bool {
        (0..self.layout.nodes as Node).any(|node| self.status(cells, node) == Status::Leader)
    }

    /// The verdict on a settled state.
    pub fn ruling(&self, cells: &[u32]) -> Ruling {
        let Extras { awake, started, announced, .. } = *self.extras(cells);
        let is_alive = |node: Node| !self.is_dead(cells, node);
        let settled = Settled {
            info: self.automaton().info().under(&self.scenario.settings),
            ids: &self.scenario.ids,
            is_held: self.plan.freedom.crashes == 0 || members(awake).any(is_alive),
            is_alive: &is_alive,
            has_started: &|node| !self.winner_starts || started & bit(node) != 0,
            status: &|node| self.status(cells, node),
        };
        let ruling = settled.ruling();
        let is_dear = self.announcements.is_some_and(|most| announced > most);
        Ruling { broken: ruling.broken.with(Property::Bounds, is_dear && ruling.moot.is_empty()), ..ruling }
    }
}
