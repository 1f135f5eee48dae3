//! Everything that determines a run.

use bellwether_core::{
    Electorate, Id, Info, Knowledge, LinkOrder, Meaning, Model, Round, Settings, Size, Span, Starters,
};
use bellwether_net::{Diameter, Network, Wiring};
use serde::{Deserialize, Serialize};

use crate::{Fault, Time, Timing, assumptions, faults, settings};

/// How long an algorithm that never ends is played, in units of time, if nothing else is said.
pub const DEFAULT_UNTIL: u128 = 100;

/// A run before it is played: the same scenario always gives the same run. It is the header of every trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The algorithm's name.
    pub algorithm: String,
    /// The network.
    pub topology: Network,
    /// The id of every node.
    pub ids: Vec<Id>,
    /// The initiators, each with its round.
    pub initiators: Starters,
    /// The delays of messages.
    pub timing: Timing,
    /// The seed of all random choices.
    pub seed: u64,
    /// The algorithm's parameters.
    #[serde(default, skip_serializing_if = "Settings::is_empty")]
    pub settings: Settings,
    /// By node: the first values of its random choices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<Vec<u64>>,
    /// The faults.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// The longest delay of a message, as processes are told.
    #[serde(default = "unit", skip_serializing_if = "is_unit")]
    pub max_delay: Span,
    /// The time between a crash and its report to the neighbours.
    #[serde(default, skip_serializing_if = "is_default")]
    pub detection: Span,
    /// The number of elections, one after the other.
    pub elections: u32,
    /// Whether the leader gives every node a number after the election.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub number: bool,
    /// Whether the run is made although an assumption is broken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// The largest number of events. Then the run stops.
    pub limit: u64,
    /// The time at which the run is over, for algorithms that never end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
}

impl Scenario {
    /// An election without faults in which all nodes start, under the schedule that the algorithm is written for.
    #[must_use]
    pub fn new(info: &Info, topology: Network, ids: Vec<Id>) -> Self {
        let timing = match info.model {
            Model::Asynchronous => Timing::Unit,
            Model::Synchronous => Timing::Rounds,
        };
        Self {
            algorithm: info.name.into(),
            topology,
            ids,
            initiators: Starters::All,
            timing,
            seed: 1,
            settings: Settings::new(),
            draws: vec![],
            faults: vec![],
            max_delay: Span::UNIT,
            detection: Span(0),
            elections: 1,
            number: false,
            forced: false,
            limit: u64::MAX,
            until: info.perpetual.then(|| Time::units(DEFAULT_UNTIL)),
        }
    }

    /// Checks a scenario that was read from a file.
    ///
    /// # Errors
    /// If it cannot be played; the error says why.
    pub fn validate(&self, info: &Info) -> Result<(), String> {
        if assumptions::oriented(self.topology.clone(), info) != self.topology {
            let network = &self.topology;
            return Err(format!("the ports of {network} are not those of a ring: \"oriented\":true is missing"));
        }
        let nodes = self.topology.nodes() as usize;
        if self.ids.len() != nodes {
            return Err(format!("{} ids for {nodes} nodes", self.ids.len()));
        }
        if let Starters::Some(listed) = &self.initiators {
            if !listed.is_sorted_by(|(a, _), (b, _)| a < b) || listed.is_empty() {
                return Err("initiators must be listed in ascending order, and there must be one".into());
            }
            if let Some((node, _)) = listed.last().filter(|(node, _)| *node as usize >= nodes) {
                return Err(format!("there is no node {node} to start"));
            }
            let (latest, round) = (u64::MAX.into(), |&(_, Round(round)): &(u32, Round)| round);
            if let Some(round) = listed.iter().map(round).find(|round| !(1..=latest).contains(round)) {
                return Err(format!("a node cannot wake up in round {round}: rounds are counted from 1 to {latest}"));
            }
        }
        if self.elections == 0 {
            return Err("at least one election is held".into());
        }
        if self.draws.len() > nodes {
            return Err(format!("draws for {} nodes, but there are {nodes}", self.draws.len()));
        }
        self.check_faults()?;
        self.settings.iter().try_for_each(|(name, &value)| settings::validate(info, name, value))?;
        let broken = assumptions::broken(self, info);
        broken.iter().find(|broken| !(self.forced && broken.forcible)).map_or(Ok(()), |it| Err(it.to_string()))
    }

    /// Checks whether the faults are possible.
    ///
    /// # Errors
    /// If not; the error says why.
    pub fn check_faults(&self) -> Result<(), String> {
        let in_rounds = self.timing == Timing::Rounds;
        if in_rounds && !self.detection.0.is_multiple_of(Span::UNIT.0) {
            return Err("under --timing rounds a crash is detected after a whole number of rounds".into());
        }
        faults::check(&self.faults, &self.topology, in_rounds)
    }

    /// The participants and the terms of the election.
    #[must_use]
    pub fn electorate(&self) -> Electorate<'_> {
        let links = if self.timing.is_fifo() { LinkOrder::Fifo } else { LinkOrder::Any };
        Electorate { ids: &self.ids, starters: &self.initiators, settings: &self.settings, links }
    }

    /// Whether all nodes start at once, in the first round.
    #[must_use]
    pub fn all_start(&self) -> bool {
        self.initiator_count() == self.topology.nodes() && self.start_together()
    }

    /// Whether all initiators start in the first round.
    #[must_use]
    pub fn start_together(&self) -> bool {
        self.initiators.are_together()
    }

    /// The number of initiators.
    #[must_use]
    pub fn initiator_count(&self) -> u32 {
        self.initiators.count(self.topology.nodes())
    }

    /// Whether faults are possible.
    #[must_use]
    pub fn has_faults(&self) -> bool {
        !self.faults.is_empty() || matches!(self.timing, Timing::Chosen(freedom) if freedom.has_faults())
    }

    /// The numbers that bounds depend on.
    #[must_use]
    pub fn size(&self, info: &Info) -> Size {
        let smallest = self.electorate().initiators().map(|(node, _)| self.ids[node as usize].0).min().unwrap_or(0);
        Size {
            n: f64::from(self.topology.nodes()),
            k: f64::from(self.initiator_count()),
            min: smallest as f64,
            m: self.topology.links() as f64,
            d: self.told_diameter(info) as f64,
            flood: info.value(Meaning::Flood, &self.settings) == Some(Meaning::FLOODED),
        }
    }

    /// The number of nodes that processes are told.
    #[must_use]
    pub fn told_size(&self, info: &Info) -> u64 {
        info.value(Meaning::Size, &self.settings).unwrap_or_else(|| self.topology.nodes().into())
    }

    /// The bound on the diameter that processes are told; 0 if they need none.
    #[must_use]
    pub fn told_diameter(&self, info: &Info) -> u64 {
        if !info.knows.contains(&Knowledge::Diameter) {
            return 0;
        }
        let told = info.value(Meaning::Diameter, &self.settings);
        told.unwrap_or_else(|| self.topology.diameter().at_most.into())
    }

    /// The diameter, if processes are told only a bound on it because an exact value takes too long.
    #[must_use]
    pub fn told_bound(&self, info: &Info) -> Option<Diameter> {
        let is_set = info.value(Meaning::Diameter, &self.settings).is_some();
        let is_found = info.knows.contains(&Knowledge::Diameter) && !is_set;
        is_found.then(|| self.topology.diameter()).filter(|diameter| diameter.exactly().is_none())
    }

    /// At least this many messages are under way at some moment, as far as that is proved; 0 if nothing is.
    #[must_use]
    pub fn crowd(&self, info: &Info) -> usize {
        let is_even = matches!(self.timing, Timing::Unit | Timing::Rounds);
        let crowd = info
            .under(&self.settings)
            .bounds
            .crowd
            .as_ref()
            .filter(|_| is_even && self.all_start() && self.faults.is_empty());
        let crowd = crowd.map_or(0.0, |crowd| (crowd.of)(self.size(info)));
        // A run that is stopped before has fewer.
        if crowd <= self.limit as f64 { crowd as usize } else { 0 }
    }

    /// How many messages are under way at some moment with fewer nodes, as a part of those with all. The network has as
    /// many links for each node, or, if it is dense, for each pair of nodes.
    #[must_use]
    pub fn crowd_of_part(&self, info: &Info, nodes: u32) -> f64 {
        let size = self.size(info);
        let part = f64::from(nodes) / size.n;
        let Some(crowd) = info.bounds.crowd.as_ref().filter(|_| self.crowd(info) > 0) else { return part };
        let m = size.m * if size.m > 4.0 * size.n { part * part } else { part };
        let fewer = Size { n: nodes.into(), k: size.k * part, m, ..size };
        (crowd.of)(fewer) / (crowd.of)(size)
    }

    /// A limit that no correct run reaches: more than twice the proved worst case, if there is one. Nodes that were
    /// told more than any diameter may reach it.
    #[must_use]
    pub fn generous_limit(&self, info: &Info) -> u64 {
        const SMALLEST: f64 = 1e7;
        let size = self.size(info);
        let size = Size { d: size.d.min(size.n), ..size };
        let messages = match &info.bounds.worst {
            Some(worst) => 2.0 * ((worst.of)(size) + (info.bounds.announce.of)(size)),
            None => 1e4 * size.n,
        };
        let numbering = if self.number { 2.0 * size.m } else { 0.0 };
        ((SMALLEST + messages + numbering + 2.0 * size.n) as u64).saturating_mul(self.elections.into())
    }
}

fn unit() -> Span {
    Span::UNIT
}

fn is_unit(span: &Span) -> bool {
    *span == Span::UNIT
}

fn is_default(span: &Span) -> bool {
    *span == Span::default()
}
