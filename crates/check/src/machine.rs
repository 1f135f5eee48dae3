//! A whole network as a row of numbers, and all that may happen to it.
//!
//! A state is a row of cells: one for each process, one for the content of each link, and one for the *rest*, which is
//! everything that rarely changes. Each cell is a number that stands for something met before, so states are
//! compared, copied and hashed as numbers, and the hash of a successor follows from the few cells that change.

use bellwether_core::{Informs, Port, Span, Starts, Status, TopologyKind, Winner};
use bellwether_world::family::symmetries;
use bellwether_world::{Freedom, Node, Scenario, Timing, Wiring, assumptions};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::automaton::{Act, Automaton, LocalFacts, MessageFacts, Outcome};
use crate::queues::{EMPTY, Parcel, Queues};
use crate::{Plan, Property};

/// Networks of more nodes have too many schedules, and sets of nodes are kept in 64 bits.
pub const MOST_NODES: u32 = 64;

/// A set of nodes.
type Nodes = u64;

fn bit(node: Node) -> Nodes {
    1 << node
}

/// The nodes of a set, in ascending order.
fn members(mut set: Nodes) -> impl Iterator<Item = Node> {
    std::iter::from_fn(move || {
        let node = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(node)
    })
}

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

/// The end of a link, where messages arrive.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The receiver.
    pub to: Node,
    /// The port by which it comes in.
    pub port: Port,
    /// The sender.
    pub from: Node,
}

/// Everything of a state that rarely changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Rest {
    /// Initiators that have neither started nor been woken up.
    waiting: Nodes,
    /// Who has started, where that decides who must win.
    started: Nodes,
    /// Who has decided, where nobody may twice.
    decided: Nodes,
    /// Who has started or received something, where processes may crash.
    awake: Nodes,
    /// Messages sent that tell the result, where their number is proved; counted up to one too many. As long as the proof
    /// holds it follows from the rest of the state, and tells no two states apart.
    announced: u32,
    /// The timers that run, in the order in which they were set.
    timers: Vec<(Node, u32, Span)>,
    /// Who has yet to hear that the process behind a port is down.
    reports: Vec<(Node, Port)>,
    /// How many messages may still be lost or repeated, and how many processes crash.
    losses: u32,
    copies: u32,
    crashes: u32,
}

/// What a move did.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// The hash of the state that it led to.
    pub hash: u64,
    /// Election messages sent.
    pub cost: u32,
    /// By how many stages the network has advanced.
    pub stages: u32,
    /// By how many stages everything was then counted back.
    pub rewound: u64,
    /// One over the probability of this outcome.
    pub ways: u64,
    /// What it broke at once.
    pub broken: Option<Property>,
    /// A process that led does so no longer.
    pub resigned: bool,
}

/// A process in the state's row: 0 is one that has crashed.
const DEAD: u32 = 0;

/// All that may happen to a network.
pub struct Machine {
    automaton: Box<dyn Automaton>,
    plan: Plan,
    scenario: Scenario,
    nodes: usize,
    /// Every end of a link at which messages may arrive.
    pub links: Vec<Link>,
    /// By node: its links, and who could send it something.
    into: Vec<Vec<u32>>,
    /// By node and port: the link that leads away from there.
    out: Vec<Vec<Option<u32>>>,
    /// By node: to whom it can send.
    heard_by: Vec<Nodes>,
    /// By state, number of ports and act: the outcomes, as a range of `outcomes`.
    steps: FxHashMap<(u64, u64), (u32, u32)>,
    outcomes: Vec<Outcome>,
    locals: Vec<LocalFacts>,
    messages: Vec<MessageFacts>,
    queues: Queues,
    rests: IndexSet<Rest, FxBuildHasher>,
    rewound: FxHashMap<(u32, u64), u32>,
    randomised: bool,
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
    pub fn new(automaton: Box<dyn Automaton>, scenario: &Scenario, plan: Plan) -> Result<Self, String> {
        let network = &scenario.topology;
        if network.nodes() > MOST_NODES {
            let nodes = network.nodes();
            return Err(format!(
                "{nodes} nodes have more schedules than anybody could follow: take at most {MOST_NODES}"
            ));
        }
        let info = automaton.info();
        let one_way = info.topology == TopologyKind::OneWayRing;
        let nodes = network.nodes();
        let mut links = Vec::new();
        let mut into = vec![vec![]; nodes as usize];
        let mut out: Vec<_> = (0..nodes).map(|node| vec![None; network.ports(node) as usize]).collect();
        let mut heard_by = vec![0; nodes as usize];
        for from in 0..nodes {
            for port in (0..network.ports(from)).map(Port).filter(|port| !one_way || *port == Port::NEXT) {
                let (to, at) = network.far(from, port);
                out[from as usize][port.0 as usize] = Some(links.len() as u32);
                into[to as usize].push(links.len() as u32);
                heard_by[from as usize] |= bit(to);
                links.push(Link { to, port: at, from });
            }
        }
        let freedom = plan.freedom;
        let steady = plan.wants_steady(info);
        let randomised = info.randomised;
        let mut machine = Self {
            plan,
            scenario: scenario.clone(),
            nodes: nodes as usize,
            links,
            into,
            out,
            heard_by,
            steps: FxHashMap::default(),
            outcomes: vec![],
            locals: vec![],
            messages: vec![],
            queues: Queues::new(freedom.reorder),
            rests: IndexSet::default(),
            rewound: FxHashMap::default(),
            randomised,
            winner_starts: matches!(info.winner, Winner::MaxOfInitiators | Winner::MinOfWakers)
                && info.starts != Starts::All,
            once: steady && info.repeatable,
            for_ever: steady && !info.repeatable,
            is_symmetric: false,
            is_reducing: false,
            announcements: None,
            automaton,
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
        automaton: &(dyn Fn() -> Box<dyn Automaton> + Sync),
        plan: Plan,
    ) -> Result<&'a mut Self, String> {
        if machine.as_ref().is_none_or(|machine| machine.scenario.topology != scenario.topology) {
            *machine = Some(Self::new(automaton(), scenario, plan)?);
        }
        let machine = machine.as_mut().expect("it was just made");
        machine.place(scenario);
        Ok(machine)
    }

    /// Another scenario on the same network, with the same plan: what was learnt of single processes stays.
    pub fn place(&mut self, scenario: &Scenario) {
        self.scenario = scenario.clone();
        let same = scenario.ids.iter().all(|id| *id == scenario.ids[0]) || self.automaton.info().is_anonymous();
        let plain = !self.automaton.has_timers() && self.plan.freedom.crashes == 0;
        // A turn must keep ports: on a triangle whose ports are those of a graph it does not.
        let turn: Vec<Node> = (1..self.nodes as Node).chain([0]).collect();
        self.is_symmetric = self.plan.symmetry && same && plain && symmetries(&scenario.topology).contains(&turn);
        // A fault or a timer may interfere with everything.
        let calm = self.plan.freedom == Freedom::default() && !self.automaton.has_timers();
        self.is_reducing = self.plan.reduction && calm;
        let info = self.automaton.info();
        let chosen = Scenario { timing: Timing::Chosen(self.plan.freedom), ..scenario.clone() };
        let applies = self.plan.wants_bounds(info) && assumptions::broken(&chosen, info).is_empty();
        self.announcements = applies.then(|| (info.bounds.announce.of)(scenario.size(info)) as u32);
    }

    /// Whether the proved bounds must hold here.
    pub fn wants_bounds(&self) -> bool {
        self.announcements.is_some()
    }

    /// The algorithm in numbers.
    pub fn automaton(&self) -> &dyn Automaton {
        &*self.automaton
    }

    /// What is played.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// About how many bytes everything takes that was met so far.
    pub fn bytes(&self) -> u64 {
        /// What a process, a message or a step takes with its tables, as a rule of thumb.
        const EACH: usize = 200;
        let met = self.locals.len() + self.messages.len() + self.outcomes.len() + self.rests.len();
        (EACH * met) as u64 + self.queues.bytes()
    }

    /// How many cells a state has.
    pub fn width(&self) -> usize {
        self.nodes + self.links.len() + 1
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

    /// The state in which everybody sleeps, and its hash.
    ///
    /// # Errors
    /// If a process lacks knowledge.
    pub fn first(&mut self) -> Result<(Vec<u32>, u64), String> {
        let mut cells = Vec::with_capacity(self.width());
        for node in 0..self.nodes as Node {
            let local = self.automaton.asleep(&self.scenario, node).map_err(|unmet| unmet.to_string())?;
            self.learn();
            cells.push(local + 1);
        }
        cells.resize(self.nodes + self.links.len(), EMPTY);
        let waiting = self.scenario.electorate().initiators().fold(0, |set, (node, _)| set | bit(node));
        let Freedom { losses, copies, crashes, .. } = self.plan.freedom;
        let (rest, _) = self.rests.insert_full(Rest { waiting, losses, copies, crashes, ..Rest::default() });
        cells.push(rest as u32);
        let hash = self.canonical(&mut cells).unwrap_or_else(|| hash(cells.iter().copied()));
        Ok((cells, hash))
    }

    /// Keeps the facts about what the automaton has met lately at hand.
    fn learn(&mut self) {
        // Nothing is ever forgotten, so numbers that are not known yet come after all others.
        while let Some(facts) = self.automaton.local_if_met(self.locals.len() as u32) {
            self.locals.push(facts);
        }
        while let Some(facts) = self.automaton.message_if_met(self.messages.len() as u32) {
            self.messages.push(facts);
        }
    }

    fn rest(&self, cells: &[u32]) -> &Rest {
        &self.rests[cells[self.nodes + self.links.len()] as usize]
    }

    fn queue(&self, cells: &[u32], link: u32) -> u32 {
        cells[self.nodes + link as usize]
    }

    fn is_dead(&self, cells: &[u32], node: Node) -> bool {
        cells[node as usize] == DEAD
    }

    /// What a process has decided; one that has crashed has not.
    pub fn status(&self, cells: &[u32], node: Node) -> Status {
        match cells[node as usize] {
            DEAD => Status::Undecided,
            local => self.locals[local as usize - 1].status,
        }
    }

    /// Everybody's state and what is under way, for people.
    pub fn in_words(&self, cells: &[u32]) -> String {
        let process = |node: usize| match cells[node] {
            DEAD => format!("{node} crashed"),
            local => format!("{node} {}", self.automaton.local_in_words(local - 1)),
        };
        let mut lines: Vec<String> = (0..self.nodes).map(process).collect();
        for (number, link) in self.links.iter().enumerate() {
            let content = self.queues.content(self.queue(cells, number as u32));
            if !content.is_empty() {
                let message = |parcel: &Parcel| {
                    bellwether_world::trace::render(&self.automaton.message_in_trace(parcel.message()))
                };
                let list: Vec<String> = content.iter().map(message).collect();
                lines.push(format!("{} > {}: {}", link.from, link.to, list.join(" ")));
            }
        }
        lines.join("\n")
    }

    /// The links on which something is under way to somebody.
    fn busy(&self, cells: &[u32]) -> impl Iterator<Item = u32> {
        cells[self.nodes..self.nodes + self.links.len()]
            .iter()
            .zip(0..)
            .filter(|(queue, _)| **queue != EMPTY)
            .map(|(_, link)| link)
    }

    /// Whether only overhead is under way, and nobody will act on it.
    fn only_overhead(&self, cells: &[u32]) -> bool {
        let pending = |&local: &u32| local != DEAD && self.locals[local as usize - 1].is_pending;
        let payload = |parcel: &Parcel| !self.messages[parcel.message() as usize].is_overhead;
        let Rest { waiting, reports, .. } = self.rest(cells);
        *waiting == 0
            && reports.is_empty()
            && !cells[..self.nodes].iter().any(pending)
            && !self.busy(cells).any(|link| self.queues.content(self.queue(cells, link)).iter().any(payload))
    }

    /// All that may happen next, what must happen some time first; tells how much of it that is. In a settled state
    /// there is nothing left that must happen.
    pub fn moves(&mut self, cells: &[u32], moves: &mut Vec<Move>) -> usize {
        let before = moves.len();
        if self.automaton.has_overhead() && self.only_overhead(cells) {
            return 0;
        }
        let Freedom { hasty_timers, .. } = self.plan.freedom;
        let Rest { waiting, copies, .. } = *self.rest(cells);
        if self.plan.starts_first && waiting != 0 {
            moves.push(Move::Start(waiting.trailing_zeros()));
        } else if self.is_reducing
            && let Some(node) = self.persistent(cells, waiting)
        {
            self.moves_of(cells, node, waiting, moves);
        } else {
            moves.extend(members(waiting).map(Move::Start));
            let mut silent = true;
            for link in self.busy(cells) {
                silent = false;
                for parcel in self.next_on(cells, link) {
                    moves.push(Move::Deliver { link, parcel, keep: false });
                    if copies > 0 && !parcel.is_copy() {
                        moves.push(Move::Deliver { link, parcel, keep: true });
                    }
                }
            }
            let Rest { timers, reports, .. } = self.rest(cells);
            moves.extend(reports.iter().map(|&(node, port)| Move::Report(node, port)));
            if hasty_timers || silent && reports.is_empty() {
                // Of timers that last equally long the one that was set first goes off first.
                let is_next = |place: usize, span: Span| !timers[..place].iter().any(|&(.., other)| other == span);
                let due =
                    timers.iter().enumerate().filter(|(place, (.., span))| hasty_timers || is_next(*place, *span));
                moves.extend(due.map(|(_, &(node, timer, _))| Move::Timeout(node, timer)));
            }
        }
        let owed = moves.len() - before;
        let Rest { losses, crashes, .. } = *self.rest(cells);
        if losses > 0 {
            for link in self.busy(cells) {
                moves.extend(self.next_on(cells, link).map(|parcel| Move::Lose { link, parcel }));
            }
        }
        if crashes > 0 {
            moves.extend((0..self.nodes as Node).filter(|node| !self.is_dead(cells, *node)).map(Move::Crash));
        }
        owed
    }

    /// What may arrive next on a busy link: its first message, or each of them where they may overtake each other, and
    /// equal ones once.
    fn next_on(&self, cells: &[u32], link: u32) -> impl Iterator<Item = Parcel> {
        let content = self.queues.content(self.queue(cells, link));
        let all = if self.plan.freedom.reorder { content } else { &content[..1] };
        let mut last = None;
        all.iter().copied().filter(move |parcel| last.replace(*parcel) != Some(*parcel))
    }

    /// What this node may do next.
    fn moves_of(&self, cells: &[u32], node: Node, waiting: Nodes, moves: &mut Vec<Move>) {
        if waiting & bit(node) != 0 {
            moves.push(Move::Start(node));
        }
        for &link in &self.into[node as usize] {
            let queue = self.queue(cells, link);
            if queue != EMPTY {
                moves.push(Move::Deliver { link, parcel: self.queues.head(queue), keep: false });
            }
        }
    }

    /// A node whose next moves are a *persistent set*: whatever the others do without it, they can neither add a move
    /// to it nor take one away, so that these moves can come first. That is the case if on each of its links
    /// something waits already, or the sender cannot act before this node does. The node with the fewest moves is taken.
    fn persistent(&self, cells: &[u32], waiting: Nodes) -> Option<Node> {
        let active = self.busy(cells).fold(waiting, |set, link| set | bit(self.links[link as usize].to));
        let mut best: Option<(usize, Node)> = None;
        for node in members(active) {
            let links = &self.into[node as usize];
            let idle = |link: &&u32| self.queue(cells, **link) == EMPTY;
            let senders = links.iter().filter(idle).fold(0, |set, link| set | bit(self.links[*link as usize].from));
            let count = links.len() - links.iter().filter(idle).count() + usize::from(waiting & bit(node) != 0);
            if best.is_some_and(|(fewest, _)| fewest <= count) {
                continue;
            }
            if senders & !bit(node) == 0 || self.reached(active & !bit(node), node) & senders == 0 {
                best = Some((count, node));
            }
            if count == 1 && best.is_some_and(|(fewest, _)| fewest == 1) {
                break;
            }
        }
        best.map(|(_, node)| node)
    }

    /// Who may act some time, beginning with these, while this node does nothing.
    fn reached(&self, mut set: Nodes, without: Node) -> Nodes {
        loop {
            let further = members(set).fold(set, |all, node| all | self.heard_by[node as usize]) & !bit(without);
            if further == set {
                return set;
            }
            set = further;
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
                let Link { to, port, .. } = self.links[link as usize];
                Some((to, Act::Receive(port, parcel.message())))
            }
            Move::Timeout(node, timer) => Some((node, Act::Timeout(timer))),
            Move::Report(node, port) => Some((node, Act::PeerDown(port))),
            Move::Lose { .. } | Move::Crash(_) => None,
        }
    }

    /// The outcomes of a step, as a range: computed when it is first met.
    fn step(&mut self, cells: &[u32], node: Node, act: Act) -> Result<(u32, u32), String> {
        let (local, ports) = (cells[node as usize] - 1, self.out[node as usize].len() as u64);
        let act_key = match act {
            Act::Start => 0,
            Act::Receive(port, message) => 1 << 62 | u64::from(port.0) << 32 | u64::from(message),
            Act::Timeout(timer) => 2 << 62 | u64::from(timer),
            Act::PeerDown(port) => 3 << 62 | u64::from(port.0),
        };
        let key = (u64::from(local) | ports << 32, act_key);
        if let Some(&range) = self.steps.get(&key) {
            return Ok(range);
        }
        let outcomes = self.automaton.act(local, ports as u32, act)?;
        self.learn();
        let range = (self.outcomes.len() as u32, outcomes.len() as u32);
        self.outcomes.extend(outcomes);
        self.steps.insert(key, range);
        Ok(range)
    }

    /// What a process in this state does, in one of the ways; for whoever keeps count of things by another count.
    ///
    /// # Errors
    /// If it cannot be followed.
    pub fn outcome_of(&mut self, local: u32, node: Node, act: Act, way: u32) -> Result<Outcome, String> {
        let ports = self.out[node as usize].len() as u32;
        Ok(self.automaton.act(local, ports, act)?.swap_remove(way as usize))
    }

    /// The number of a sleeping process.
    ///
    /// # Errors
    /// If it lacks knowledge.
    pub fn asleep(&mut self, node: Node) -> Result<u32, String> {
        self.automaton.asleep(&self.scenario, node).map_err(|unmet| unmet.to_string())
    }

    /// A message so many stages earlier.
    pub fn rewound_message(&mut self, message: u32, by: u64) -> u32 {
        self.automaton.rewind_message(message, by)
    }

    /// The link that leads away from here.
    pub fn link_from(&self, node: Node, port: Port) -> Option<u32> {
        self.out[node as usize][port.0 as usize]
    }

    /// Makes a move, in one of its ways.
    ///
    /// # Errors
    /// If a step cannot be followed.
    pub fn apply(
        &mut self,
        cells: &[u32],
        old_hash: u64,
        step: Move,
        way: u32,
        next: &mut Vec<u32>,
    ) -> Result<Effect, String> {
        next.clear();
        next.extend_from_slice(cells);
        let mut row = Row { cells: next, hash: old_hash };
        let mut effect = Effect { hash: 0, cost: 0, stages: 0, rewound: 0, ways: 1, broken: None, resigned: false };
        let last = self.nodes + self.links.len();
        match step {
            Move::Lose { link, parcel } => {
                let place = self.nodes + link as usize;
                let left = self.queues.take(row.cells[place], parcel, false);
                row.set(place, left);
                let mut rest = self.rest(cells).clone();
                rest.losses -= 1;
                row.set(last, self.rests.insert_full(rest).0 as u32);
            }
            Move::Crash(node) => self.crash(&mut row, node),
            Move::Start(_) | Move::Deliver { .. } | Move::Timeout(..) | Move::Report(..) => {
                if let Move::Deliver { link, parcel, keep } = step {
                    let place = self.nodes + link as usize;
                    let left = self.queues.take(row.cells[place], parcel, keep);
                    row.set(place, left);
                    if keep && self.plan.freedom.copies < Freedom::ANY {
                        let mut rest = self.rest(cells).clone();
                        rest.copies -= 1;
                        row.set(last, self.rests.insert_full(rest).0 as u32);
                    }
                }
                let (node, act) = self.act_of(step).expect("it is a step of a process");
                let (first, _) = self.step(cells, node, act)?;
                let index = (first + way) as usize;
                self.outcome(&mut row, node, act, index, &mut effect);
            }
        }
        let Row { hash, .. } = row;
        effect.hash = hash;
        if self.automaton.stages().is_some() {
            (effect.stages, effect.rewound) = self.rewind(cells, next);
            effect.hash = self::hash(next.iter().copied());
        }
        if let Some(hash) = self.canonical(next) {
            effect.hash = hash;
        }
        Ok(effect)
    }

    /// A process does what the outcome with this index says.
    fn outcome(&mut self, row: &mut Row<'_>, node: Node, act: Act, index: usize, effect: &mut Effect) {
        let outcome = &self.outcomes[index];
        let before = self.locals[row.cells[node as usize] as usize - 1].status;
        let after = self.locals[outcome.local as usize].status;
        effect.ways = outcome.ways;
        row.set(node as usize, outcome.local + 1);
        let mut announced = 0;
        for &(port, message) in &outcome.sends {
            let MessageFacts { elects, is_overhead, .. } = self.messages[message as usize];
            effect.cost += u32::from(elects);
            announced += u32::from(!elects && !is_overhead);
            let Some(link) = self.out[node as usize][port.0 as usize] else { continue };
            if row.cells[self.links[link as usize].to as usize] != DEAD {
                let place = self.nodes + link as usize;
                let longer = self.queues.push(row.cells[place], Parcel::fresh(message));
                row.set(place, longer);
            }
        }
        if before != after {
            effect.broken = self.change(row.cells, node, before, after);
            effect.resigned = before == Status::Leader;
        }
        // The rest seldom changes: look before copying it.
        let last = self.nodes + self.links.len();
        let rest = &self.rests[row.cells[last] as usize];
        let wakes = matches!(act, Act::Start | Act::Receive(..)) && rest.waiting & bit(node) != 0;
        let starts = self.winner_starts && act == Act::Start;
        let decides = self.once && before != after && after.is_decided();
        let timed = matches!(act, Act::Timeout(_) | Act::PeerDown(_)) || !outcome.timers.is_empty();
        let rises = self.plan.freedom.crashes > 0 && matches!(act, Act::Start | Act::Receive(..));
        let rises = rises && rest.awake & bit(node) == 0;
        let tells = self.announcements.is_some_and(|most| announced > 0 && rest.announced <= most);
        if !(wakes || starts || decides || timed || rises || tells) {
            return;
        }
        let mut rest = rest.clone();
        rest.waiting &= !if wakes { bit(node) } else { 0 };
        rest.started |= if starts { bit(node) } else { 0 };
        rest.decided |= if decides { bit(node) } else { 0 };
        rest.awake |= if rises { bit(node) } else { 0 };
        if let (true, Some(most)) = (tells, self.announcements) {
            rest.announced = (rest.announced + announced).min(most + 1);
        }
        match act {
            Act::Timeout(timer) => rest.timers.retain(|&(owner, other, _)| (owner, other) != (node, timer)),
            Act::PeerDown(port) => rest.reports.retain(|&report| report != (node, port)),
            Act::Start | Act::Receive(..) => {}
        }
        for &(timer, after) in &outcome.timers {
            rest.timers.retain(|&(owner, other, _)| (owner, other) != (node, timer));
            rest.timers.extend(after.map(|after| (node, timer, after)));
        }
        if self.plan.freedom.hasty_timers {
            rest.timers.sort_unstable();
        }
        row.set(last, self.rests.insert_full(rest).0 as u32);
    }

    /// What a change of status breaks.
    fn change(&self, cells: &[u32], node: Node, before: Status, after: Status) -> Option<Property> {
        let leads = |other: Node| self.status(cells, other) == Status::Leader;
        if after == Status::Leader && (0..self.nodes as Node).any(|other| other != node && leads(other)) {
            return Some(Property::OneLeader);
        }
        let provisional = self.automaton.info().informs == Informs::Provisionally;
        let learns_more = matches!((before, after), (Status::Follower(_), Status::Follower(_))) && provisional;
        let again = self.once && after.is_decided() && self.rest(cells).decided & bit(node) != 0;
        let changes = self.for_ever && before.is_decided() && !learns_more;
        (again || changes).then_some(Property::Steady)
    }

    fn crash(&mut self, row: &mut Row<'_>, node: Node) {
        row.set(node as usize, DEAD);
        for &link in &self.into[node as usize] {
            row.set(self.nodes + link as usize, EMPTY);
        }
        let last = self.nodes + self.links.len();
        let mut rest = self.rests[row.cells[last] as usize].clone();
        rest.crashes -= 1;
        rest.waiting &= !bit(node);
        rest.timers.retain(|&(owner, ..)| owner != node);
        rest.reports.retain(|&(hearer, _)| hearer != node);
        let network = &self.scenario.topology;
        let ends = (0..network.ports(node)).map(|port| network.far(node, Port(port)));
        rest.reports.extend(ends.filter(|(far, _)| row.cells[*far as usize] != DEAD));
        rest.reports.sort_unstable();
        row.set(last, self.rests.insert_full(rest).0 as u32);
    }

    /// Counts stages from the earliest that is still there. Tells by how many the latest has advanced, and by how many
    /// all were counted back.
    fn rewind(&mut self, before: &[u32], cells: &mut [u32]) -> (u32, u64) {
        let (_, latest_before) = self.stages(before);
        let (earliest, latest) = self.stages(cells);
        let by = earliest.unwrap_or(1).saturating_sub(1);
        if by > 0 {
            let (processes, rest) = cells.split_at_mut(self.nodes);
            for cell in processes.iter_mut().filter(|cell| **cell != DEAD) {
                let Self { rewound, automaton, .. } = self;
                *cell = 1 + *rewound
                    .entry((*cell - 1, by))
                    .or_insert_with_key(|&(local, by)| automaton.rewind_local(local, by));
            }
            for cell in &mut rest[..self.links.len()] {
                let Self { automaton, queues, .. } = self;
                *cell = queues.map(*cell, |message| automaton.rewind_message(message, by));
            }
            self.learn();
        }
        (latest.saturating_sub(latest_before) as u32, by)
    }

    /// The earliest and the latest stage of a state.
    fn stages(&self, cells: &[u32]) -> (Option<u64>, u64) {
        let processes = cells[..self.nodes].iter().filter(|local| **local != DEAD);
        let processes = processes.filter_map(|local| self.locals[*local as usize - 1].stage);
        let parcels = self.busy(cells).flat_map(|link| self.queues.content(self.queue(cells, link)));
        let messages = parcels.filter_map(|parcel| self.messages[parcel.message() as usize].stage);
        let all = processes.chain(messages).map(|stage| stage.0);
        all.fold((None, 0), |(least, most): (Option<u64>, u64), stage| {
            (Some(least.map_or(stage, |least| least.min(stage))), most.max(stage))
        })
    }

    /// Where processes differ only in their place on a ring: turns the ring until its row is the smallest.
    fn canonical(&mut self, cells: &mut [u32]) -> Option<u64> {
        if !self.is_symmetric {
            return None;
        }
        let n = self.nodes;
        let per_node = self.links.len() / n;
        let rest = self.rest(cells).clone();
        let flags = |node: usize| {
            let has = |set: Nodes| u32::from(set >> node & 1 == 1);
            has(rest.waiting) | has(rest.started) << 1 | has(rest.decided) << 2
        };
        // What is said of a node and of the links that leave it; those are numbered by sender.
        let row: &[u32] = cells;
        let said = |turn: usize| {
            (0..n).flat_map(move |node| {
                let node = (node + turn) % n;
                let links = n + node * per_node..n + (node + 1) * per_node;
                [row[node], flags(node)].into_iter().chain(row[links].iter().copied())
            })
        };
        let turn = (1..n).fold(0, |best, turn| if said(turn).lt(said(best)) { turn } else { best });
        if turn > 0 {
            let old = cells.to_vec();
            for node in 0..n {
                let from = (node + turn) % n;
                cells[node] = old[from];
                for link in 0..per_node {
                    cells[n + node * per_node + link] = old[n + from * per_node + link];
                }
            }
            let turned = |set: Nodes| (0..n).fold(0, |all, node| all | (set >> ((node + turn) % n) & 1) << node);
            let (waiting, started, decided) = (turned(rest.waiting), turned(rest.started), turned(rest.decided));
            let place = cells.len() - 1;
            cells[place] = self.rests.insert_full(Rest { waiting, started, decided, ..rest }).0 as u32;
        }
        Some(hash(cells.iter().copied()))
    }

    /// What a settled state lacks to be the end of an election.
    pub fn lacks(&self, cells: &[u32]) -> Option<Property> {
        let info = self.automaton.info();
        let nodes = 0..self.nodes as Node;
        let living: Nodes =
            nodes.clone().filter(|node| !self.is_dead(cells, *node)).fold(0, |set, node| set | bit(node));
        // If all who took part have crashed and woken nobody up, there was no election.
        if self.plan.freedom.crashes > 0 && self.rest(cells).awake & living == 0 {
            return None;
        }
        let leaders: Vec<Node> = nodes.filter(|node| self.status(cells, *node) == Status::Leader).collect();
        let &[leader] = &leaders[..] else {
            return Some(if leaders.is_empty() { Property::Leader } else { Property::OneLeader });
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
        if promised.is_some_and(|promised| promised != id(leader)) {
            return Some(Property::Winner);
        }
        let told = (!info.is_anonymous()).then(|| id(leader));
        let astray = |&node: &Node| node != leader && self.status(cells, node) != Status::Follower(told);
        if members(living).any(|node| astray(&node)) {
            return Some(Property::Informed);
        }
        self.announcements.filter(|most| self.rest(cells).announced > *most).map(|_| Property::Bounds)
    }
}

/// A state that is being changed, and its hash.
struct Row<'a> {
    cells: &'a mut Vec<u32>,
    hash: u64,
}

impl Row<'_> {
    #[inline]
    fn set(&mut self, place: usize, value: u32) {
        let old = std::mem::replace(&mut self.cells[place], value);
        self.hash = self.hash.wrapping_sub(mixed(place, old)).wrapping_add(mixed(place, value));
    }
}

/// The hash of a state: a sum over its cells, so that a change of one needs no look at the others.
pub fn hash(cells: impl IntoIterator<Item = u32>) -> u64 {
    cells.into_iter().enumerate().fold(0, |sum: u64, (place, value)| sum.wrapping_add(mixed(place, value)))
}

/// A cell's part of the hash (the finaliser of SplitMix64).
#[inline]
fn mixed(place: usize, value: u32) -> u64 {
    let mut x = ((place as u64) << 32 | u64::from(value)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
