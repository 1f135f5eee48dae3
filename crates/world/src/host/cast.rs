//! The processes of a run: brought up before it, questioned after it.

use super::tally::{Kinds, Tally};
use crate::random::Choices;
use crate::{End, Judge, Leader, Node, Outcome, Report, Scenario, Symmetry, Wiring, memory};
use bellwether_core::{Id, Info, Knowledge, Local, Status, Truth, Unmet};

/// Why a run cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A process lacks knowledge that it needs.
    Unmet(Unmet),
    /// There are more processes than this machine has room for.
    Memory(String),
    /// A scripted draw was not among the values to choose from.
    Draws(String),
    /// A thread could not be started.
    Threads(String),
    /// A live run happens once, and a schedule is one of many; they can be replayed, not simulated.
    Live,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unmet(unmet) => unmet.fmt(f),
            Self::Memory(reason) | Self::Draws(reason) | Self::Threads(reason) => f.write_str(reason),
            Self::Live => f.write_str("a run that its trace leads cannot be simulated: it can be replayed"),
        }
    }
}

impl std::error::Error for Error {}

/// All processes of the scenario, asleep. `more` bytes will be needed besides.
///
/// # Errors
/// If there is no room for them, or one lacks knowledge.
pub fn bring_up<T>(
    scenario: &Scenario,
    info: &Info,
    more: usize,
    new: impl Fn(&Local) -> Result<T, Unmet>,
) -> Result<Vec<T>, Error> {
    let nodes = scenario.topology.nodes();
    let bytes = size_of::<T>().saturating_mul(nodes as usize).saturating_add(more);
    memory::make_sure_of(bytes, "the run").map_err(Error::Memory)?;
    let diameter = scenario.told_diameter(info);
    let mut cradle = Cradle::new(scenario, info, diameter);
    let mut processes = Vec::with_capacity(nodes as usize);
    for node in 0..nodes {
        processes.push(new(&cradle.local(node)).map_err(Error::Unmet)?);
    }
    Ok(processes)
}

/// One process of the scenario, asleep.
///
/// # Errors
/// If it lacks knowledge.
pub fn awaken<T>(
    scenario: &Scenario,
    info: &Info,
    diameter: u64,
    node: Node,
    new: impl Fn(&Local) -> Result<T, Unmet>,
) -> Result<T, Unmet> {
    new(&Cradle::new(scenario, info, diameter).local(node))
}

/// What newborn processes are told.
struct Cradle<'a> {
    scenario: &'a Scenario,
    /// What is the same for all.
    common: Local<'a>,
    knows_neighbours: bool,
    neighbours: Vec<Id>,
}

impl<'a> Cradle<'a> {
    fn new(scenario: &'a Scenario, info: &Info, diameter: u64) -> Self {
        let size = scenario.topology.nodes().into();
        let truth = Truth { ports: 0, id: Id(0), size, diameter, neighbours: &[], max_delay: scenario.max_delay };
        let common = Local::granted(info, &truth, &scenario.settings);
        Self { scenario, common, knows_neighbours: info.knows.contains(&Knowledge::Neighbours), neighbours: vec![] }
    }

    fn local(&mut self, node: Node) -> Local<'_> {
        let Self { scenario, common, neighbours, .. } = self;
        let (network, ids) = (&scenario.topology, &scenario.ids);
        if self.knows_neighbours {
            neighbours.clear();
            neighbours.extend(network.neighbours(node).map(|far| ids[far as usize]));
        }
        common.of(network.ports(node), ids[node as usize], neighbours)
    }
}

/// What a host hands over when a run is over.
pub struct Ended<'a> {
    /// What was played.
    pub scenario: &'a Scenario,
    /// The algorithm's entry.
    pub info: &'a Info,
    /// Who has seen every change of a status.
    pub judge: Judge,
    /// What was counted.
    pub tally: Tally,
    /// What was drawn.
    pub choices: Choices,
    /// Whether states stayed equal, where that was watched.
    pub symmetry: Option<Symmetry>,
    /// Whether the run was stopped before its end.
    pub cut_short: bool,
    /// Whether a round-based algorithm ran among messages of any delay.
    pub synchronized: bool,
    /// How much longer than its bound it may take on this host.
    pub extra_time: f64,
    /// Whether everybody's decision is told however many there are.
    pub full: bool,
}

/// Above so many nodes nobody reads everybody's decision.
const READABLE: u32 = 10_000;

impl Ended<'_> {
    /// Lets the judge speak, and puts everything together; messages were of these kinds.
    ///
    /// # Errors
    /// If a scripted draw was impossible.
    pub fn report(self, kinds: Kinds, status: &dyn Fn(Node) -> Status) -> Result<Report, Error> {
        let Self { scenario, info, judge, tally, choices, .. } = self;
        if let Some(misfit) = choices.misfit() {
            return Err(Error::Draws(misfit.into()));
        }
        let nodes = scenario.topology.nodes();
        let id = |node: Node| scenario.ids[node as usize];
        let mut report = Report {
            outcome: Outcome::Limit,
            violations: vec![],
            leaders: vec![],
            crashed: judge.dead().iter().copied().collect(),
            symmetry: self.symmetry,
            decided: (nodes <= READABLE || self.full).then(Vec::new),
            deciders: None,
            time: None,
            kinds: vec![],
            lost: 0,
            repeated: 0,
            bits: 0,
            stats: Default::default(),
        };
        tally.report(kinds, &mut report);
        let mut deciders = 0;
        for node in 0..nodes {
            let status = if judge.dead().contains(&node) { Status::Undecided } else { status(node) };
            deciders += u64::from(status.is_decided());
            if status == Status::Leader {
                report.leaders.push(Leader { node, id: (!info.is_anonymous()).then(|| id(node)) });
            }
            if let Some(decided) = &mut report.decided {
                decided.push(match status {
                    Status::Undecided => None,
                    Status::Leader => (!info.is_anonymous()).then(|| id(node)),
                    Status::Follower(leader) => leader,
                });
            }
        }
        report.deciders = Some(deciders);
        let verdict = judge.verdict(
            info,
            scenario,
            &End {
                nodes,
                status,
                cut_short: self.cut_short,
                election_messages: report.election_messages(),
                announce_messages: report.announce_messages(),
                synchronized: self.synchronized,
                extra_time: self.extra_time,
            },
        );
        report.outcome = verdict.outcome;
        report.violations = verdict.violations;
        report.time = verdict.time;
        Ok(report)
    }
}
