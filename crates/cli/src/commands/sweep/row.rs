//! A run as a row: what it was, what it cost, and what is proved about it.

use std::fmt;
use std::str::FromStr;

use bellwether_world::{Node, Outcome, Report, Time, Timing, Wiring};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::args::Quantity;
use super::plan::{Item, Plan};
use crate::contest::{Bout, overhead};
use crate::show::Proved;

/// What came of a run. The names of the columns, and their order up to `ok`, are part of the interface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The algorithm.
    pub algorithm: String,
    /// The network.
    pub topology: String,
    /// How many nodes it has.
    pub nodes: u32,
    /// How many links.
    pub links: u64,
    /// How long messages took.
    pub timing: Timing,
    /// What everything was drawn from.
    pub seed: u64,
    /// The number of the run, from 1.
    pub run: u32,
    /// Messages that served to elect.
    pub messages: u64,
    /// Messages that told the result.
    pub announce: u64,
    /// The length of all of them.
    pub bits: u64,
    /// When the last node decided; none if somebody has not.
    pub time: Option<Written<Time>>,
    /// The node that leads, if it is one.
    pub leader: Option<Node>,
    /// Whether the election was right.
    pub ok: bool,
    /// How it ended.
    pub outcome: String,
    /// The most messages that a node sent.
    pub per_node: u32,
    /// At least so many messages were proved to elect,
    pub proved_best: Option<Written<f64>>,
    /// so many on average,
    pub proved_mean: Option<Written<f64>>,
    /// and at most so many.
    pub proved_worst: Option<Written<f64>>,
    /// Exactly so many to announce.
    pub proved_announce: Option<Written<f64>>,
    /// Everybody has decided by then.
    pub proved_time: Option<Written<f64>>,
    /// The bound on the diameter that everybody was told because to find it would take too long. What is proved is proved with it.
    pub diameter_bound: Option<u32>,
    /// The line that determines the sweep.
    pub sweep: String,
    /// Messages of the synchronizer, which are no part of `messages`, `announce` and `bits`.
    pub overhead: u64,
}

impl Row {
    /// The row of a run.
    pub fn new(plan: &Plan, item: Item<'_>, bout: &Bout, report: &Report) -> Self {
        let scenario = &bout.scenario;
        let proved = Proved::new(bout.info, scenario);
        let leader = if let [leader] = &report.leaders[..] { Some(leader.node) } else { None };
        Self {
            algorithm: bout.info.name.into(),
            topology: item.cell.topology.to_string(),
            nodes: scenario.topology.nodes(),
            links: scenario.topology.links(),
            timing: scenario.timing,
            seed: item.seed,
            run: item.run,
            messages: report.election_messages(),
            announce: report.announce_messages(),
            bits: report.bits,
            time: report.time.map(Written),
            leader,
            ok: report.is_right(),
            outcome: report.outcome.to_string(),
            per_node: report.stats.sends.iter().copied().max().unwrap_or(0),
            proved_best: proved.best.map(Written),
            proved_mean: proved.mean.filter(|_| plan.is_average()).map(Written),
            proved_worst: proved.worst.map(Written),
            proved_announce: proved.announce.map(Written),
            proved_time: proved.time.map(Written),
            diameter_bound: scenario.told_bound(bout.info).map(|diameter| diameter.at_most),
            sweep: plan.definition.clone(),
            overhead: overhead(report),
        }
    }

    /// Whether it is the row of this run.
    pub fn is_of(&self, item: Item<'_>) -> bool {
        let Self { algorithm, topology, nodes, seed, run, leader, .. } = self;
        let same = algorithm == item.cell.info.name && *topology == item.cell.topology.to_string();
        let possible = leader.is_none_or(|leader| leader < *nodes);
        same && possible && (*nodes, *seed, *run) == (item.cell.nodes(), item.seed, item.run)
    }

    /// Whether a run can have come out like this.
    pub fn is_sound(&self) -> bool {
        let Self { ok, outcome, leader, time, messages, .. } = self;
        let bounds =
            [&self.proved_best, &self.proved_mean, &self.proved_worst, &self.proved_announce, &self.proved_time];
        let is_number = bounds.into_iter().flatten().all(|bound| bound.0 >= 0.0 && bound.0.is_finite());
        // The judge accepts no election that costs more than is proved.
        let is_within = self.proved_worst.as_ref().is_none_or(|worst| *messages as f64 <= worst.0 * (1.0 + 1e-9));
        is_number
            && (!ok || *outcome == Outcome::Elected.to_string() && leader.is_some() && time.is_some() && is_within)
    }

    /// How much of a quantity it took; unknown is the time in which not everybody decided.
    pub fn value(&self, quantity: Quantity) -> Option<f64> {
        Some(match quantity {
            Quantity::Messages => self.messages as f64,
            Quantity::Announce => self.announce as f64,
            Quantity::Bits => self.bits as f64,
            Quantity::Time => self.time.as_ref()?.0.as_f64(),
            Quantity::PerNode => self.per_node.into(),
        })
    }

    /// What is proved about a quantity: at least, on average, at most.
    pub fn proved(&self, quantity: Quantity) -> [Option<f64>; 3] {
        let plain = |bound: &Option<Written<f64>>| bound.as_ref().map(|bound| bound.0);
        match quantity {
            Quantity::Messages => [&self.proved_best, &self.proved_mean, &self.proved_worst].map(plain),
            Quantity::Announce => [plain(&self.proved_announce); 3],
            Quantity::Time => [None, None, plain(&self.proved_time)],
            Quantity::Bits | Quantity::PerNode => [None; 3],
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "run {} of {} on {}", self.run, self.algorithm, self.topology)
    }
}

impl fmt::Display for Item<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "run {} of {} on {}", self.run, self.cell.info.name, self.cell.topology)
    }
}

/// A value as people write it, and read back exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written<T>(pub T);

impl<T: fmt::Display> Serialize for Written<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Written<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Self).map_err(de::Error::custom)
    }
}
