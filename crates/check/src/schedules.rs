//! What all schedules of an election cost, and how they end.

use std::fmt;

use bellwether_core::{Message, NoTimer, Process, Status};
use bellwether_world::host::bring_up;
use bellwether_world::{Node, Scenario};
use indexmap::IndexMap;

use crate::State;

/// What came out of all schedules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    /// How many different states there are.
    pub states: usize,
    /// The election messages of the cheapest schedule, without the announcement.
    pub least: u64,
    /// Those of the dearest.
    pub most: u64,
    /// The leaders of every end that there is, each once.
    pub ends: Vec<Vec<Node>>,
}

/// Why the schedules could not be followed to their ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The run cannot be made, or is none whose schedules can be listed.
    Impossible(String),
    /// There are more states than allowed.
    TooMany(usize),
    /// Two lead at the same time; and which.
    TwoLeaders(Vec<Node>),
    /// A schedule comes back to a state in which it was before, so it need not end.
    Endless,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Impossible(reason) => f.write_str(reason),
            Self::TooMany(limit) => write!(f, "there are more than {limit} states"),
            Self::TwoLeaders(leaders) => write!(f, "nodes {leaders:?} lead at the same time"),
            Self::Endless => f.write_str("a schedule need not end"),
        }
    }
}

impl std::error::Error for Error {}

/// Follows every schedule of a fault-free election with links in order, in which all initiators start at once.
///
/// # Errors
/// If there are too many, or one goes wrong.
pub fn schedules<P: Process<Timer = NoTimer>>(scenario: &Scenario, limit: usize) -> Result<Costs, Error> {
    if P::INFO.randomised {
        return Err(Error::Impossible(format!("{} makes random choices", P::INFO.name)));
    }
    let processes = bring_up(scenario, P::INFO, 0, P::new).map_err(|error| Error::Impossible(error.to_string()))?;
    let mut first = State::new(scenario, processes);
    let mut sent = 0;
    for (node, _) in scenario.electorate().initiators() {
        sent += election_messages(&first.start(scenario, node));
    }
    let mut search = Search::<P> { scenario, limit, found: IndexMap::new(), ends: vec![] };
    let (least, most) = search.follow(first)?;
    search.ends.sort();
    Ok(Costs { states: search.found.len(), least: sent + least, most: sent + most, ends: search.ends })
}

fn election_messages<M: Message>(sent: &[M]) -> u64 {
    sent.iter().filter(|msg| M::kind_name(msg.kind()) != "announce").count() as u64
}

/// A depth-first search in which every state is looked at once.
struct Search<'a, P: Process> {
    scenario: &'a Scenario,
    limit: usize,
    /// What is still to be paid from a state on, at least and at most; unknown while its schedules are followed.
    found: IndexMap<State<P>, Option<(u64, u64)>>,
    ends: Vec<Vec<Node>>,
}

/// A state whose schedules are being followed.
struct Visit {
    index: usize,
    /// The links that have not delivered yet.
    left: Vec<(Node, bellwether_core::Port)>,
    /// What the way to this state has cost since the one before.
    paid: u64,
    range: Option<(u64, u64)>,
}

impl<P: Process<Timer = NoTimer>> Search<'_, P> {
    /// What is to be paid from this state on. Goes along one path at a time, and keeps it: no recursion.
    fn follow(&mut self, first: State<P>) -> Result<(u64, u64), Error> {
        let mut path = vec![self.visit(first, 0)?];
        loop {
            let Some(last) = path.last_mut() else { return Err(Error::Endless) };
            if let Some((node, port)) = last.left.pop() {
                let (state, _) = self.found.get_index(last.index).expect("it was found");
                let mut next = state.clone();
                let paid = election_messages(&next.deliver(self.scenario, node, port));
                match self.found.get(&next) {
                    None => path.push(self.visit(next, paid)?),
                    Some(None) => return Err(Error::Endless),
                    Some(&Some(range)) => last.include(paid, range),
                }
                continue;
            }
            let Visit { index, paid, range, .. } = path.pop().expect("there is one");
            let range = range.unwrap_or((0, 0));
            self.found[index] = Some(range);
            match path.last_mut() {
                None => return Ok(range),
                Some(before) => before.include(paid, range),
            }
        }
    }

    fn visit(&mut self, state: State<P>, paid: u64) -> Result<Visit, Error> {
        let leads = |(process, node): (&P, Node)| (process.status() == Status::Leader).then_some(node);
        let leaders: Vec<Node> = state.processes.iter().zip(0..).filter_map(leads).collect();
        if leaders.len() > 1 {
            return Err(Error::TwoLeaders(leaders));
        }
        let left: Vec<_> = state.deliverable().collect();
        if left.is_empty() && !self.ends.contains(&leaders) {
            self.ends.push(leaders);
        }
        if self.found.len() >= self.limit {
            return Err(Error::TooMany(self.limit));
        }
        let (index, _) = self.found.insert_full(state, None);
        Ok(Visit { index, left, paid, range: None })
    }
}

impl Visit {
    fn include(&mut self, paid: u64, (least, most): (u64, u64)) {
        let (low, high) = self.range.unwrap_or((u64::MAX, 0));
        self.range = Some((low.min(paid + least), high.max(paid + most)));
    }
}
