//! Several algorithms under the same circumstances: the same ids, delays and faults.

use bellwether_core::Info;
use bellwether_net::Topology;
use bellwether_world::initiators::Initiators;
use bellwether_world::{Timing, settings};
use serde::{Deserialize, Serialize};

use crate::text::{self, is_default, one};
use crate::{Election, IdsFrom, Refusal, Sizes, Swept, Units, algorithm, line};

/// What elections have in common that are compared or measured, besides their ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Circumstances {
    /// Who starts.
    #[serde(default, with = "text::option", skip_serializing_if = "Option::is_none")]
    pub initiators: Option<Initiators>,
    /// How long messages take.
    #[serde(default, with = "text::option", skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
    /// Parameters, for the algorithms that have them.
    #[serde(default, deserialize_with = "text::list", skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// What goes wrong.
    #[serde(default, deserialize_with = "text::list", skip_serializing_if = "Vec::is_empty")]
    pub fault: Vec<String>,
    /// When a run is over, for algorithms that never end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Units>,
    /// What chance is drawn from.
    #[serde(default = "one")]
    pub seed: u64,
    /// A run stops after this number of events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Whether runs are held although an assumption is broken.
    #[serde(default, skip_serializing_if = "is_default")]
    pub force: bool,
}

impl Circumstances {
    /// The entries of those who take part, each once, as they hold under the parameters.
    ///
    /// # Errors
    /// If one is unknown or named twice, or if a parameter belongs to none of them.
    pub fn entrants(&self, names: &[String]) -> Result<Vec<&'static Info>, Refusal> {
        let mut entrants: Vec<&'static Info> = vec![];
        for name in names {
            let info = algorithm(name)?;
            if entrants.iter().any(|other| other.name == info.name) {
                return Err(Refusal(format!("{} is named twice", info.name)));
            }
            entrants.push(info);
        }
        if self.until.is_some() && !entrants.iter().any(|info| info.perpetual) {
            return Err(Refusal(
                "--until: these algorithms end by themselves; --limit EVENTS stops a run early".into(),
            ));
        }
        for text in &self.set {
            let refusals: Vec<String> = entrants.iter().filter_map(|info| settings::parse(info, text).err()).collect();
            if refusals.len() == entrants.len() {
                return Err(Refusal(format!("--set: {}", refusals.join("; "))));
            }
        }
        let settings = |info| self.set.iter().filter_map(|text| settings::parse(info, text).ok()).collect();
        Ok(entrants.into_iter().map(|info| info.under(&settings(info))).collect())
    }

    /// The election of one of them. Ids are for algorithms that have ids.
    #[must_use]
    pub fn election(&self, info: &Info, topology: &Topology, ids: Option<&IdsFrom>, seed: u64) -> Election {
        let has = |text: &&String| {
            let name = text.split('=').next();
            info.settings.iter().any(|setting| Some(setting.name) == name)
        };
        Election {
            topology: Some(topology.clone()),
            ids: ids.filter(|_| !info.is_anonymous()).cloned(),
            initiators: self.initiators.clone(),
            timing: self.timing,
            set: self.set.iter().filter(has).cloned().collect(),
            fault: self.fault.clone(),
            until: self.until.filter(|_| info.perpetual),
            limit: self.limit,
            seed,
            force: self.force,
            ..Election::new(info.name)
        }
    }
}

/// Several algorithms on one network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Comparison {
    /// The algorithms.
    pub algorithms: Vec<String>,
    /// The network.
    #[serde(serialize_with = "text::serialize", deserialize_with = "text::deserialize")]
    pub topology: Topology,
    /// Whether only the largest connected part of a file is taken.
    #[serde(default, skip_serializing_if = "is_default")]
    pub largest_component: bool,
    /// The ids by node, for algorithms that have ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<IdsFrom>,
    /// What they have in common.
    #[serde(flatten)]
    pub circumstances: Circumstances,
}

impl Comparison {
    /// The line that repeats it.
    #[must_use]
    pub fn line(&self) -> String {
        let ids = self.ids.as_ref().and_then(IdsFrom::file);
        line::with_files(line::write("compare", self), &[self.topology.file(), ids])
    }
}

/// Several algorithms on many networks. This and the files that it names determine every row of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Sweep {
    /// The algorithms.
    pub algorithms: Vec<String>,
    /// The networks.
    #[serde(deserialize_with = "text::list")]
    pub topology: Vec<Swept>,
    /// How many nodes the networks of a kind have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Sizes>,
    /// Whether only the largest connected part of each file is taken.
    #[serde(default, skip_serializing_if = "is_default")]
    pub largest_component: bool,
    /// How many runs of each algorithm on each network.
    pub runs: u32,
    /// Sizes are left out at which an algorithm is proved to send more messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// The ids by node, for algorithms that have ids. Each is measured apart.
    #[serde(default, deserialize_with = "text::list", skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<IdsFrom>,
    /// Whether phases are counted too, which takes longer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub phases: bool,
    /// What the runs have in common.
    #[serde(flatten)]
    pub circumstances: Circumstances,
}

impl Sweep {
    /// The line that determines it.
    #[must_use]
    pub fn line(&self) -> String {
        line::write("sweep", self)
    }

    /// The sweep of such a line.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        line::read("sweep", line)
    }
}
