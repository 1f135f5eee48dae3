//! A small network in which election after election is held while messages are lost, repeated and overtaken.
//!
//! What must never happen is looked for here, by means that the adaptor does not have: every message and every timer is
//! kept with the election in which its process was when it sent or set it.

use bellwether_core::{Context, Id, Local, Numbered, Outbox, Port, Process, Settings, Span, Stamped, Status, Truth};

/// A process that holds election after election.
pub trait Elector: Process {
    /// The number of its election.
    fn election(&self) -> u64;
    /// Somebody wants the election with this number.
    fn hold(&mut self, election: u64, ctx: &mut impl Context<Self::Msg, Self::Timer>);
}

impl<P: Process> Elector for Numbered<P> {
    fn election(&self) -> u64 {
        self.election()
    }

    fn hold(&mut self, election: u64, ctx: &mut impl Context<Stamped<P::Msg>, P::Timer>) {
        self.hold(election, ctx);
    }
}

/// Who is linked to whom.
pub struct Wiring {
    ids: Vec<Id>,
    /// By node and port: who sits behind it, and the port there.
    ends: Vec<Vec<(usize, Port)>>,
}

impl Wiring {
    /// A ring; the ids are given clockwise.
    pub fn ring(ids: &[u64]) -> Self {
        let size = ids.len();
        let ends = |node| vec![((node + 1) % size, Port::PREVIOUS), ((node + size - 1) % size, Port::NEXT)];
        Self { ids: ids.iter().copied().map(Id).collect(), ends: (0..size).map(ends).collect() }
    }

    /// Everybody is linked to everybody.
    pub fn complete(ids: &[u64]) -> Self {
        Self::linked(ids, |_, _| true)
    }

    /// One after the other.
    pub fn path(ids: &[u64]) -> Self {
        Self::linked(ids, |one, other| one.abs_diff(other) == 1)
    }

    fn linked(ids: &[u64], are_linked: fn(usize, usize) -> bool) -> Self {
        let neighbours = |node: usize| -> Vec<usize> {
            (0..ids.len()).filter(|&other| other != node && are_linked(node, other)).collect()
        };
        let port = |of, to| Port(neighbours(of).iter().position(|&other| other == to).unwrap() as u32);
        let ends = |node| neighbours(node).into_iter().map(|other| (other, port(other, node))).collect();
        Self { ids: ids.iter().copied().map(Id).collect(), ends: (0..ids.len()).map(ends).collect() }
    }

    /// The processes, asleep.
    fn processes<P: Process>(&self) -> Vec<P> {
        let size = self.ids.len() as u64;
        let process = |(node, &id): (usize, &Id)| {
            let neighbours: Vec<Id> = self.ends[node].iter().map(|&(other, _)| self.ids[other]).collect();
            let ports = neighbours.len() as u32;
            let truth = Truth { ports, id, size, diameter: size - 1, neighbours: &neighbours, max_delay: Span::UNIT };
            P::new(&Local::granted(P::INFO, &truth, &Settings::new())).unwrap()
        };
        self.ids.iter().enumerate().map(process).collect()
    }
}

/// What may still happen before all is calm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Trouble {
    /// How often somebody begins its next election.
    pub starts: u32,
    /// How many messages are lost.
    pub losses: u32,
    /// How many messages arrive twice.
    pub copies: u32,
    /// Whether messages overtake each other.
    pub reorder: bool,
}

/// A network at some moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<P: Process> {
    nodes: Vec<P>,
    /// By node and port: what is under way from there. Where messages may overtake each other, they are sorted; those
    /// of the last election follow, in the order of sending.
    links: Vec<Vec<Vec<Sent<P::Msg>>>>,
    /// In the order in which they were set, which is the one in which they go off.
    timers: Vec<(usize, P::Timer, u64)>,
    left: Trouble,
    /// The election that is held once all is calm.
    last: Option<u64>,
}

/// A message, with the election in which its sender was.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Sent<M> {
    election: u64,
    msg: M,
}

/// A message under way: its sender, the port there, and its place among those.
pub type Way = (usize, usize, usize);

/// What a process does in a step.
type Step<P> = Outbox<<P as Process>::Msg, <P as Process>::Timer, fn(u64) -> u64>;

/// What happens next.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    /// A node begins its next election.
    Start(usize),
    /// A message arrives.
    Deliver(Way),
    /// A message arrives, and will arrive once more.
    Repeat(Way),
    /// A message is lost.
    Lose(Way),
    /// The next timer goes off.
    Timeout,
    /// From now on nothing fails, and this node begins one more election, with a number above all others.
    Calm(usize),
}

impl<P: Elector> State<P> {
    /// Everybody sleeps.
    pub fn new(wiring: &Wiring, trouble: Trouble) -> Self {
        let links = wiring.ends.iter().map(|ends| vec![vec![]; ends.len()]).collect();
        Self { nodes: wiring.processes(), links, timers: vec![], left: trouble, last: None }
    }

    /// Whether the last election was begun.
    pub fn is_calm(&self) -> bool {
        self.last.is_some()
    }

    /// Whether this is the last election.
    pub fn is_last(&self, election: u64) -> bool {
        self.last == Some(election)
    }

    /// All that can happen next.
    pub fn moves(&self) -> Vec<Move> {
        let nodes = 0..self.nodes.len();
        let starts = nodes.clone().filter(|_| self.left.starts > 0).map(Move::Start);
        let deliveries = self.next().into_iter().flat_map(|way| {
            let may = |left: u32, what: Move| (left > 0).then_some(what);
            let faults = [may(self.left.copies, Move::Repeat(way)), may(self.left.losses, Move::Lose(way))];
            [Move::Deliver(way)].into_iter().chain(faults.into_iter().flatten())
        });
        let calms = nodes.filter(|_| !self.is_calm()).map(Move::Calm);
        let mut moves: Vec<Move> = starts.chain(deliveries).chain(calms).collect();
        // A message takes less time than a process waits for it. Messages of other elections may take longer.
        if let Some(&(node, ..)) = self.timers.first()
            && self.sent().all(|sent| sent.election != self.nodes[node].election())
        {
            moves.push(Move::Timeout);
        }
        moves
    }

    /// The messages that may arrive next.
    fn next(&self) -> Vec<Way> {
        let mut ways = vec![];
        for (node, ports) in self.links.iter().enumerate() {
            for (port, sent) in ports.iter().enumerate() {
                let is_next = |&place: &usize| match place.checked_sub(1).map(|before| &sent[before]) {
                    None => true,
                    Some(_) if !self.left.reorder => false,
                    Some(before) if Some(sent[place].election) == self.last => before.election != sent[place].election,
                    Some(before) => *before != sent[place],
                };
                ways.extend((0..sent.len()).filter(is_next).map(|place| (node, port, place)));
            }
        }
        ways
    }

    fn sent(&self) -> impl Iterator<Item = &Sent<P::Msg>> {
        self.links.iter().flatten().flatten()
    }

    /// The state after a move.
    ///
    /// # Errors
    /// If something of an earlier election is felt in a later one.
    pub fn make(&self, wiring: &Wiring, next: Move) -> Result<Self, String> {
        let mut after = self.clone();
        match next {
            Move::Start(node) => {
                after.left.starts -= 1;
                after.step(node, Process::start);
            }
            Move::Deliver(way) => {
                let sent = after.take(way);
                after.receive(wiring, way, sent)?;
            }
            Move::Repeat(way @ (node, port, place)) => {
                after.left.copies -= 1;
                let sent = after.links[node][port][place].clone();
                after.receive(wiring, way, sent)?;
            }
            Move::Lose(way) => {
                after.left.losses -= 1;
                after.take(way);
            }
            Move::Timeout => {
                let (node, timer, election) = after.timers.remove(0);
                let present = after.nodes[node].election();
                if election != present {
                    return Err(format!("a timer of election {election} goes off in election {present}"));
                }
                after.step(node, |process, ctx| process.timeout(timer, ctx));
            }
            Move::Calm(node) => {
                let last = 1 + self.nodes.iter().map(Elector::election).max().unwrap_or_default();
                after.last = Some(last);
                after.left = Trouble { reorder: self.left.reorder, ..Trouble::default() };
                after.step(node, |process, ctx| process.hold(last, ctx));
            }
        }
        Ok(after)
    }

    fn take(&mut self, (node, port, place): Way) -> Sent<P::Msg> {
        self.links[node][port].remove(place)
    }

    fn receive(&mut self, wiring: &Wiring, (from, port, _): Way, sent: Sent<P::Msg>) -> Result<(), String> {
        let (to, port) = wiring.ends[from][port];
        let before = self.nodes[to].clone();
        let acted = self.step(to, |process, ctx| process.receive(port, sent.msg, ctx));
        let (past, present) = (sent.election, before.election());
        if past < present && (acted || self.nodes[to] != before) {
            return Err(format!("a message of election {past} is felt in election {present}"));
        }
        if past >= present && self.nodes[to].election() != past {
            return Err(format!("a message of election {past} is received in election {present}"));
        }
        Ok(())
    }

    /// A node takes a step. Returns whether it has sent anything or touched a timer.
    fn step(&mut self, node: usize, step: impl FnOnce(&mut P, &mut Step<P>)) -> bool {
        let mut outbox: Step<P> = Outbox::new(self.links[node].len() as u32, |_| unreachable!("nothing is drawn"));
        step(&mut self.nodes[node], &mut outbox);
        let acted = !outbox.sent.is_empty() || !outbox.timers.is_empty();
        let election = self.nodes[node].election();
        for (port, msg) in outbox.sent {
            let (sent, link) = (Sent { election, msg }, &mut self.links[node][port.index()]);
            let is_sorted = self.left.reorder && self.last != Some(election);
            let place = if is_sorted { link.partition_point(|other| *other <= sent) } else { link.len() };
            link.insert(place, sent);
        }
        for (timer, after) in outbox.timers {
            self.timers.retain(|&(of, other, _)| (of, other) != (node, timer));
            self.timers.extend(after.map(|_| (node, timer, election)));
        }
        acted
    }

    /// The election that has two leaders, among those who are in it.
    pub fn torn(&self) -> Option<u64> {
        let mut led: Vec<u64> =
            self.nodes.iter().filter(|node| node.status() == Status::Leader).map(Elector::election).collect();
        led.sort_unstable();
        led.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
    }

    /// Whether all are in the last election, and follow the one that leads.
    pub fn is_settled(&self, wiring: &Wiring) -> bool {
        let leader = self.nodes.iter().position(|node| node.status() == Status::Leader);
        let agrees = |(place, node): (usize, &P)| {
            let follows = leader.is_some_and(|leader| node.status() == Status::Follower(Some(wiring.ids[leader])));
            Some(node.election()) == self.last && (Some(place) == leader || follows)
        };
        self.nodes.iter().enumerate().all(agrees)
    }
}
