//! The processes of a run: made before it, and queried after it.

use bellwether_core::{Id, Info, Knowledge, Local, Status, Truth, Unmet};
use bellwether_net::{Node, Wiring};
use bellwether_random::Choices;
use bellwether_resources::memory;

use super::tally::{Kinds, Tally};
use super::{Actor, PhaseCount};
use crate::rules::misnumbered;
use crate::{End, Judge, Leader, Outcome, Properties, Report, Scenario, Symmetry, Time, faults};

/// Why a run cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A process lacks knowledge that it needs.
    Unmet(Unmet),
    /// There are more processes than fit into memory.
    Memory(String),
    /// A scripted draw was not among the values to choose from.
    Draws(String),
    /// A thread could not be started.
    Threads(String),
    /// A live run happens once, and a chosen schedule is one of many. They can be replayed, but not simulated.
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

/// All processes of the scenario, asleep. `more` is the number of further bytes that will be needed.
///
/// # Errors
/// If there is not enough memory, or a process lacks knowledge.
pub fn bring_up<T>(
    scenario: &Scenario,
    info: &Info,
    more: usize,
    new: impl Fn(&Local) -> Result<T, Unmet>,
) -> Result<Vec<T>, Error> {
    let nodes = scenario.topology.nodes();
    let bytes =
        |nodes: u32| size_of::<T>() as f64 * f64::from(nodes) + more as f64 * scenario.crowd_of_part(info, nodes);
    memory::make_sure_of_nodes(nodes, bytes, "the run").map_err(Error::Memory)?;
    let diameter = scenario.told_diameter(info);
    let mut locals = Locals::new(scenario, info, diameter);
    let mut processes = Vec::with_capacity(nodes as usize);
    for node in 0..nodes {
        processes.push(new(&locals.local(node)).map_err(Error::Unmet)?);
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
    new(&Locals::new(scenario, info, diameter).local(node))
}

/// The process that comes back at this time after a crash, asleep. `before` is what it was when it crashed.
///
/// # Errors
/// If it lacks knowledge.
pub fn restore(
    scenario: &Scenario,
    info: &Info,
    node: Node,
    before: &dyn Actor,
    at: Time,
) -> Result<Box<dyn Actor>, Unmet> {
    let with_disk = faults::has_disk(&scenario.faults, node, at);
    awaken(scenario, info, scenario.told_diameter(info), node, |local| before.restored(local, with_disk))
}

/// What new processes are told.
struct Locals<'a> {
    scenario: &'a Scenario,
    /// The part that is the same for all.
    common: Local<'a>,
    knows_neighbours: bool,
    neighbours: Vec<Id>,
}

impl<'a> Locals<'a> {
    fn new(scenario: &'a Scenario, info: &Info, diameter: u64) -> Self {
        let size = scenario.told_size(info);
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

/// What a host returns at the end of a run.
pub struct Ended<'a> {
    /// What was played.
    pub scenario: &'a Scenario,
    /// The algorithm's entry.
    pub info: &'a Info,
    /// The judge, which has seen every change of a status.
    pub judge: Judge,
    /// The counts.
    pub tally: Tally,
    /// The random choices.
    pub choices: Choices,
    /// Whether states stayed equal, if that was observed.
    pub symmetry: Option<Symmetry>,
    /// Whether the run was stopped before its end.
    pub cut_short: bool,
    /// Whether all decisions are reported, for any number of nodes.
    pub full: bool,
    /// The phases, if they were counted.
    pub phases: Option<PhaseCount>,
    /// By node: the number that the leader gave it. Empty unless nodes are numbered.
    pub numbers: Vec<Option<u64>>,
    /// The nodes that know no leader, each with its reason, if the algorithm tells it.
    pub reasons: Vec<(Node, String)>,
}

/// The largest number of nodes whose decisions are reported by default.
pub const READABLE: u32 = 10_000;

impl<'a> Ended<'a> {
    /// A run that came to its end, without draws, with the default report.
    #[must_use]
    pub fn new(scenario: &'a Scenario, info: &'a Info, judge: Judge, tally: Tally) -> Self {
        let choices = Choices::new(0, 0, vec![]);
        Self {
            scenario,
            info,
            judge,
            tally,
            choices,
            symmetry: None,
            cut_short: false,
            full: false,
            phases: None,
            numbers: vec![],
            reasons: vec![],
        }
    }

    /// The same, with what the processes tell: the numbers that they were given, if nodes are numbered, and why they
    /// know no leader.
    #[must_use]
    pub fn with_processes<'p>(self, processes: impl Iterator<Item = &'p dyn Actor> + Clone) -> Self {
        let numbers = if self.scenario.number { processes.clone().map(Actor::number).collect() } else { vec![] };
        let living = (0..).zip(processes).filter(|(node, _)| !self.judge.dead().contains(node));
        let reasons = living.filter_map(|(node, process)| Some((node, process.why()?))).collect();
        Self { numbers, reasons, ..self }
    }

    /// Makes the report, with the verdict of the judge. Messages were of these kinds.
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
            broken: Properties::default(),
            not_judged: vec![],
            leaders: vec![],
            crashed: judge.dead().iter().copied().collect(),
            symmetry: self.symmetry,
            decided: (nodes <= READABLE || self.full).then(Vec::new),
            numbers: None,
            reasons: self.reasons,
            deciders: None,
            time: None,
            kinds: vec![],
            lost: 0,
            repeated: 0,
            bits: 0,
            phases: self.phases.map(PhaseCount::found),
            terms: judge.terms().to_vec(),
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
                status,
                cut_short: self.cut_short,
                election_messages: report.election_messages(),
                announce_messages: report.announce_messages(),
                phases: report.phases.as_ref(),
            },
        );
        report.outcome = verdict.outcome;
        report.violations = verdict.violations;
        if scenario.number {
            let is_elected = report.outcome == Outcome::Elected;
            report.violations.extend(misnumbered(&self.numbers, &scenario.topology).filter(|_| is_elected));
            report.numbers = report.decided.is_some().then_some(self.numbers);
        }
        report.broken = verdict.broken;
        report.not_judged = verdict.not_judged;
        report.time = verdict.time;
        Ok(report)
    }
}
