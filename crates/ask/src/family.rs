//! Many configurations at once: networks, and for each which node has which id and who starts.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use bellwether_core::{Info, Starters, Starts, TopologyKind};
use bellwether_net::{Network, Topology, Wiring, enumerate};
use bellwether_world::ids::Ids;
use bellwether_world::initiators::Initiators;
use bellwether_world::{Family, Freedom, MOST_SETS, Member, Scenario, Timing, assumptions};
use serde::{Deserialize, Serialize};

use crate::election::{parameters, usual_initiators};
use crate::text::{self, as_text, is_one, one};
use crate::{Environment, IdsFrom, Refusal, as_printed};

as_text!(Networks, Orders, Sets);

/// The configurations that were asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Asked {
    /// The algorithm, by any of its names.
    pub algorithm: String,
    /// Its erratum: a rule as a lecture prints it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_printed: Option<String>,
    /// The networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topology: Option<Networks>,
    /// The ids by node, or all orders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<Orders>,
    /// Who starts, or all sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initiators: Option<Sets>,
    /// The algorithm's parameters, each as NAME=VALUE.
    #[serde(default, deserialize_with = "text::list", skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// What random ids, initiators and networks are drawn from.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub seed: u64,
}

impl Asked {
    /// The entry of the algorithm, or of its erratum.
    ///
    /// # Errors
    /// If there is none.
    pub fn info(&self) -> Result<&'static Info, Refusal> {
        as_printed(&self.algorithm, self.as_printed.as_deref())
    }

    /// The same with the names and networks that the line must tell.
    #[must_use]
    pub fn settled(mut self, info: &Info) -> Self {
        self.algorithm = info.name.split('/').next().unwrap_or(info.name).into();
        self.topology.get_or_insert_with(|| usual_networks(info));
        self
    }

    /// The networks that were asked for, or small ones of the kind that the algorithm needs.
    fn networks(&self, info: &Info) -> Networks {
        self.topology.clone().unwrap_or_else(|| usual_networks(info))
    }

    /// The files that are read.
    #[must_use]
    pub fn files(&self) -> [Option<&Path>; 2] {
        let network = if let Some(Networks::One(topology)) = &self.topology { topology.file() } else { None };
        let ids = if let Some(Orders::These(ids)) = &self.ids { ids.file() } else { None };
        [network, ids]
    }

    /// The configurations; `usual` are the ids if none were asked for.
    pub(crate) fn family(
        &self,
        info: &'static Info,
        usual: &Orders,
        environment: &dyn Environment,
    ) -> Result<Family, Refusal> {
        if self.ids.is_some() && info.is_anonymous() {
            return Err(Refusal(format!("{} runs among nodes without ids: leave --ids out", info.name)));
        }
        let wanted = self.networks(info);
        let networks = match &wanted {
            Networks::One(topology) => vec![crate::network(topology, self.seed, environment)?],
            Networks::Graphs(nodes) => enumerate::graphs(*nodes).map_err(Refusal::option("--topology"))?,
            Networks::Trees(nodes) => enumerate::trees(*nodes).map_err(Refusal::option("--topology"))?,
        };
        let orders = self.ids.as_ref().unwrap_or(usual);
        // An algorithm that goes through its ports in turn must meet every numbering of them.
        let networks = match (&wanted, orders) {
            (Networks::Graphs(_) | Networks::Trees(_), Orders::All) if info.in_turn => {
                networks.iter().flat_map(enumerate::numberings).collect()
            }
            _ => networks,
        };
        let ids = match orders {
            _ if info.is_anonymous() => Some(Ids::Same),
            Orders::All => None,
            Orders::These(ids) => Some(ids.read(environment)?),
        };
        let initiators = self.initiators.clone().unwrap_or_else(|| Sets::These(usual_initiators(info)));
        let member = |network: Network| {
            let network = assumptions::oriented(network, info);
            let nodes = network.nodes();
            let starters: Option<Starters> = match &initiators {
                Sets::All if nodes > MOST_SETS => {
                    return Err(Refusal(format!(
                        "--initiators: {nodes} nodes have too many sets: take at most {MOST_SETS} nodes for all-sets"
                    )));
                }
                Sets::All => None,
                Sets::These(initiators) => {
                    Some(initiators.choose(&network, self.seed).map_err(Refusal::option("--initiators"))?)
                }
            };
            let assign = |ids: &Ids| ids.assign(nodes, self.seed).map_err(Refusal::option("--ids"));
            Ok(Member { network, ids: ids.as_ref().map(assign).transpose()?, starters })
        };
        let members = networks.into_iter().map(member).collect::<Result<_, Refusal>>()?;
        Ok(Family { info, settings: parameters(&self.set, info)?, members })
    }

    /// What the algorithm assumes and these configurations do not give it, each once.
    ///
    /// # Errors
    /// If it cannot even be tried.
    pub fn dropped(&self, family: &Family, freedom: Freedom) -> Result<Vec<String>, Refusal> {
        let mut all: Vec<String> = self.unfit(family)?.into_iter().collect();
        let is_told = !all.is_empty();
        for member in &family.members {
            // Ids and initiators that are all tried are all right.
            let ids = match &member.ids {
                Some(ids) => ids.clone(),
                None => Ids::Ascending.assign(member.network.nodes(), 1).map_err(Refusal)?,
            };
            let usual = Scenario::new(family.info, member.network.clone(), ids);
            let one = if family.info.starts == Starts::One { Starters::together([0]) } else { Starters::All };
            let scenario = Scenario {
                timing: Timing::Chosen(freedom),
                initiators: member.starters.clone().unwrap_or(one),
                settings: family.settings.clone(),
                ..usual
            };
            let unfit = assumptions::unfit(&scenario.topology, family.info).filter(|_| is_told);
            for broken in assumptions::broken(&scenario, family.info) {
                if Some(&broken) == unfit.as_ref() {
                    continue;
                }
                if !broken.forcible {
                    return Err(Refusal(broken.reason));
                }
                if !all.contains(&broken.reason) {
                    all.push(broken.reason);
                }
            }
        }
        Ok(all)
    }

    /// What is to be said if all networks of a size are asked for, and some are not of the kind that is needed.
    fn unfit(&self, family: &Family) -> Result<Option<String>, Refusal> {
        let (info, networks) = (family.info, self.networks(family.info));
        let (Networks::Graphs(nodes) | Networks::Trees(nodes)) = networks else { return Ok(None) };
        let unfit = family.members.iter().filter_map(|member| assumptions::unfit(&member.network, info));
        let unfit: Vec<_> = unfit.collect();
        let Some(first) = unfit.first() else { return Ok(None) };
        let right = match info.topology {
            TopologyKind::OneWayRing | TopologyKind::TwoWayRing => format!("ring:{nodes}"),
            TopologyKind::Tree => format!("all-trees:{nodes}"),
            TopologyKind::Connected => format!("all-graphs:{nodes}"),
            TopologyKind::Complete => format!("complete:{nodes}"),
        };
        let (name, kind, all) = (info.name, info.topology, family.members.len());
        let which = match unfit.len() {
            count if count == all => format!("no network of {networks} is one"),
            1 => format!("1 of the {all} networks of {networks} is none"),
            count => format!("{count} of the {all} networks of {networks} are none"),
        };
        let reason = format!("{name} needs a {kind}, as in {right}, and {which}");
        if first.forcible { Ok(Some(reason)) } else { Err(Refusal(reason)) }
    }
}

fn usual_networks(info: &Info) -> Networks {
    match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing => Networks::One("ring:4".parse().expect("a ring")),
        TopologyKind::Tree => Networks::Trees(4),
        TopologyKind::Connected => Networks::Graphs(4),
        TopologyKind::Complete => Networks::One(Topology::Complete(3)),
    }
}

/// One network, or all of a size.
#[derive(Clone, Debug, PartialEq)]
pub enum Networks {
    /// One.
    One(Topology),
    /// Every connected graph.
    Graphs(u32),
    /// Every tree.
    Trees(u32),
}

impl FromStr for Networks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, nodes) = text.split_once(':').unwrap_or((text, ""));
        let size =
            || nodes.parse().map_err(|_| format!("{kind} is given as {kind}:NODES, as in {kind}:4, not as '{text}'"));
        match kind {
            "all-graphs" => size().map(Self::Graphs),
            "all-trees" => size().map(Self::Trees),
            _ => text.parse().map(Self::One).map_err(|error: String| format!("{error}; or all-graphs:N, all-trees:N")),
        }
    }
}

impl fmt::Display for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(topology) => topology.fmt(f),
            Self::Graphs(nodes) => write!(f, "all-graphs:{nodes}"),
            Self::Trees(nodes) => write!(f, "all-trees:{nodes}"),
        }
    }
}

/// Given ids, or all orders of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Orders {
    /// All orders.
    All,
    /// These ids.
    These(IdsFrom),
}

impl FromStr for Orders {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            text => text.parse().map(Self::These).map_err(|error| format!("{error}; or all")),
        }
    }
}

impl fmt::Display for Orders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::These(ids) => ids.fmt(f),
        }
    }
}

/// Given initiators, or all sets of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Sets {
    /// All sets.
    All,
    /// These.
    These(Initiators),
}

impl FromStr for Sets {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all-sets" => Ok(Self::All),
            text => text.parse().map(Self::These).map_err(|error| format!("{error}; or all-sets")),
        }
    }
}

impl fmt::Display for Sets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all-sets"),
            Self::These(initiators) => initiators.fmt(f),
        }
    }
}
