//! A run as a row: its parameters, its cost, and the bounds proved about it.

use std::fmt;
use std::str::FromStr;

use bellwether_ask::Prepared;
use bellwether_net::{Node, Wiring};
use bellwether_world::{Outcome, Proved, Report, Time, Timing};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::Quantity;
use crate::plan::{Cell, Item, Plan};
use crate::proof;

/// The result of a run. The names of the columns, and their order up to `ok`, are part of the interface.
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
    /// The timing of messages.
    pub timing: Timing,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the run, from 1.
    pub run: u32,
    /// Messages to elect.
    pub messages: u64,
    /// Messages to announce the result.
    pub announce: u64,
    /// The total length of all messages.
    pub bits: u64,
    /// When the last node decided; `None` if some node has not.
    pub time: Option<Written<Time>>,
    /// The leader, if there is exactly one.
    pub leader: Option<Node>,
    /// Whether the election was right.
    pub ok: bool,
    /// How it ended.
    pub outcome: Outcome,
    /// The largest number of messages sent by one node.
    pub per_node: u32,
    /// How many phases there were; `None` if they were not counted.
    pub phases: Option<u64>,
    /// The proved minimum of messages to elect.
    pub proved_best: Option<Written<f64>>,
    /// The proved mean of messages to elect.
    pub proved_mean: Option<Written<f64>>,
    /// The proved maximum of messages to elect.
    pub proved_worst: Option<Written<f64>>,
    /// The exact number of messages to announce, as proved.
    pub proved_announce: Option<Written<f64>>,
    /// The proved time by which all nodes have decided.
    pub proved_time: Option<Written<f64>>,
    /// The proved mean of the number of phases.
    pub proved_mean_phases: Option<Written<f64>>,
    /// The proved maximum of the number of phases.
    pub proved_phases: Option<Written<f64>>,
    /// The bound on the diameter that all nodes were told, because the diameter would take too long to find. The proved
    /// values use this bound.
    pub diameter_bound: Option<u32>,
    /// The command line that determines the sweep.
    pub sweep: String,
    /// Messages of the synchronizer, which are not part of `messages`, `announce` and `bits`.
    pub overhead: u64,
    /// The ids as they were asked for; empty among nodes without ids.
    pub ids: Option<String>,
    /// The CRC-32 of the file that the network was read from.
    pub crc32: Option<u32>,
    /// How many properties the run broke. A run that is neither right nor broke any was stopped, or could not be
    /// judged.
    pub broken: u32,
}

impl Row {
    /// The row of a run.
    pub fn new(plan: &Plan, item: Item<'_>, election: &Prepared, report: &Report) -> Self {
        let (info, scenario) = (election.info, &election.scenario);
        let proved = Proved::new(info, scenario);
        let leader = if let [leader] = &report.leaders[..] { Some(leader.node) } else { None };
        Self {
            algorithm: info.name.into(),
            topology: item.cell.name.clone(),
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
            outcome: report.outcome,
            per_node: report.stats.sends.iter().copied().max().unwrap_or(0),
            phases: report.phases.as_ref().map(|phases| phases.count),
            proved_best: proved.best.map(Written),
            proved_mean: proved.mean.filter(|_| item.cell.entrant.is_average()).map(Written),
            proved_worst: proved.worst.map(Written),
            proved_announce: proved.announce.map(Written),
            proved_time: proved.time.map(Written),
            proved_mean_phases: proved.mean_phases.filter(|_| plan.counts_phases).map(Written),
            proved_phases: proved.phases.filter(|_| plan.counts_phases).map(Written),
            diameter_bound: scenario.told_bound(info).map(|diameter| diameter.at_most),
            sweep: plan.definition.clone(),
            overhead: report.purposes().overhead,
            ids: item.cell.entrant.ids(),
            crc32: item.cell.crc32(),
            broken: report.violations.len() as u32,
        }
    }

    /// Whether it is the row of this run.
    pub fn is_of(&self, item: Item<'_>) -> bool {
        let Self { nodes, seed, run, leader, .. } = self;
        let possible = leader.is_none_or(|leader| leader < *nodes);
        self.is_in(item.cell) && possible && (*seed, *run) == (item.seed, item.run)
    }

    /// Whether it is a row of this cell.
    pub fn is_in(&self, cell: &Cell) -> bool {
        let Self { algorithm, topology, nodes, ids, crc32, .. } = self;
        let same = algorithm == cell.entrant.info.name && *topology == cell.name && *ids == cell.entrant.ids();
        same && (*nodes, *crc32) == (cell.nodes(), cell.crc32())
    }

    /// Why no run can have this result; `None` if one can.
    pub fn unsound(&self) -> Option<String> {
        let Self { ok, outcome, leader, time, .. } = self;
        let bounds = [
            &self.proved_best,
            &self.proved_mean,
            &self.proved_worst,
            &self.proved_announce,
            &self.proved_time,
            &self.proved_mean_phases,
            &self.proved_phases,
        ];
        if !bounds.into_iter().flatten().all(|bound| bound.0 >= 0.0 && bound.0.is_finite()) {
            return Some("a bound is no number of messages or phases, and no time".into());
        }
        if *ok && self.broken > 0 {
            return Some("column broken: a right election breaks no property".into());
        }
        if !ok {
            return self.miscounted();
        }
        if *outcome != Outcome::Elected || leader.is_none() || time.is_none() {
            return Some("column ok: a right election has a leader, a time and the outcome elected".into());
        }
        proof::exceeds(self).or_else(|| self.miscounted())
    }

    /// Why its messages were not counted rightly; `None` if they may have been. The busiest node sends no more than all
    /// do together, and no less than they do on average. Every message has a bit at least.
    fn miscounted(&self) -> Option<String> {
        let Self { nodes, messages, announce, overhead, bits, per_node, .. } = self;
        let sent = u128::from(*messages) + u128::from(*announce);
        let all = sent + u128::from(*overhead);
        let busiest = u128::from(*per_node);
        if busiest > all {
            return Some(format!("column per_node: {per_node} is more than all {all} messages"));
        }
        if busiest * u128::from(*nodes) < sent {
            return Some(format!(
                "column per_node: if no node sends more than {per_node}, {nodes} send fewer than {sent}"
            ));
        }
        (u128::from(*bits) < sent).then(|| format!("column bits: {sent} messages have more than {bits} bits"))
    }

    /// The value of a quantity. The time is unknown if some node has not decided, and phases if they were not counted.
    pub fn value(&self, quantity: Quantity) -> Option<f64> {
        Some(match quantity {
            Quantity::Messages => self.messages as f64,
            Quantity::Announce => self.announce as f64,
            Quantity::Bits => self.bits as f64,
            Quantity::Time => self.time.as_ref()?.0.as_f64(),
            Quantity::PerNode => self.per_node.into(),
            Quantity::Phases => self.phases? as f64,
        })
    }

    /// The proved minimum, mean and maximum of a quantity.
    pub fn proved(&self, quantity: Quantity) -> [Option<f64>; 3] {
        let plain = |bound: &Option<Written<f64>>| bound.as_ref().map(|bound| bound.0);
        match quantity {
            Quantity::Messages => [&self.proved_best, &self.proved_mean, &self.proved_worst].map(plain),
            Quantity::Announce => [plain(&self.proved_announce); 3],
            Quantity::Time => [None, None, plain(&self.proved_time)],
            Quantity::Phases => [None, plain(&self.proved_mean_phases), plain(&self.proved_phases)],
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
        write!(f, "run {} of {} on {}", self.run, self.cell.entrant.info.name, self.cell.name)
    }
}

/// A value that is written as people write it, and read back exactly.
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
