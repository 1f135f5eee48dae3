//! Everything that determines a run.

use bellwether_core::{Electorate, Id, Info, Round, Settings, Size};
use serde::{Deserialize, Serialize};

use crate::{Network, Timing, Wiring, assumptions, settings};

/// A run before it is played: the same scenario always gives the same run. It heads every trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The algorithm's name.
    pub algorithm: String,
    /// The network.
    pub topology: Network,
    /// The id of every node.
    pub ids: Vec<Id>,
    /// The initiators in ascending order, each with the round in which it wakes up.
    pub initiators: Vec<(usize, Round)>,
    /// How long messages take.
    pub timing: Timing,
    /// What chance is drawn from.
    pub seed: u64,
    /// The algorithm's parameters.
    #[serde(default, skip_serializing_if = "Settings::is_empty")]
    pub settings: Settings,
    /// By node: the values that its random choices take first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<Vec<u64>>,
    /// How many elections are held, one after the other.
    pub elections: u32,
    /// Whether the run was wanted although an assumption is broken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// The run stops after so many events.
    pub limit: u64,
}

impl Scenario {
    /// Finds what does not fit together in a scenario that was read and not made here.
    ///
    /// # Errors
    /// If it cannot be played; the error says why.
    pub fn validate(&self, info: &Info) -> Result<(), String> {
        if assumptions::fitted(&self.topology, info)? != self.topology {
            return Err(format!(
                "the ports of {} are not those of a ring: \"oriented\":true is missing",
                self.topology
            ));
        }
        let nodes = self.topology.nodes() as usize;
        if self.ids.len() != nodes {
            return Err(format!("{} ids for {nodes} nodes", self.ids.len()));
        }
        if !self.initiators.is_sorted_by(|(a, _), (b, _)| a < b) || self.initiators.is_empty() {
            return Err("initiators must be listed in ascending order, and there must be one".into());
        }
        if let Some((node, _)) = self.initiators.last().filter(|(node, _)| *node >= nodes) {
            return Err(format!("there is no node {node} to start"));
        }
        self.settings.iter().try_for_each(|(name, &value)| settings::validate(info, name, value))
    }

    /// Who takes part.
    #[must_use]
    pub fn electorate(&self) -> Electorate<'_> {
        Electorate { ids: &self.ids, initiators: &self.initiators }
    }

    /// Whether everybody starts at once, in the first round.
    #[must_use]
    pub fn all_start(&self) -> bool {
        self.initiators.len() == self.ids.len() && self.start_together()
    }

    /// Whether all initiators start in the first round.
    #[must_use]
    pub fn start_together(&self) -> bool {
        self.initiators.iter().all(|&(_, round)| round == Round::FIRST)
    }

    /// What bounds depend on.
    #[must_use]
    pub fn size(&self) -> Size {
        let smallest = self.initiators.iter().map(|&(node, _)| self.ids[node].0).min().unwrap_or(0);
        Size { n: f64::from(self.topology.nodes()), k: self.initiators.len() as f64, min: smallest as f64 }
    }

    /// A limit that no sound run reaches: twice the proved worst case, where there is one.
    #[must_use]
    pub fn generous_limit(&self, info: &Info) -> u64 {
        const SMALLEST: f64 = 1e7;
        let size = self.size();
        let messages = match &info.bounds.worst {
            Some(worst) => 2.0 * ((worst.of)(size) + (info.bounds.announce.of)(size)),
            None => 1e4 * size.n,
        };
        ((SMALLEST + messages + 2.0 * size.n) as u64).saturating_mul(self.elections.into())
    }
}
