//! The form of a network in a trace: its name if that determines it, otherwise its links.

use std::fmt;

use serde::de::{self, MapAccess, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Graph, Network, Node, Topology, Wires, Wiring};

/// The largest number of links of a network that is built from a stored name: a few bytes must not fill the memory.
const MOST_BY_NAME: u64 = 10_000_000;

/// Whether the name alone determines the network.
fn is_told_by(name: &str) -> bool {
    let is_small = |links: u64| links <= MOST_BY_NAME;
    match name.parse::<Topology>() {
        Ok(Topology::Ring(_)) => true,
        Ok(topology) => topology.is_fixed() && topology.links().is_some_and(is_small),
        Err(_) => false,
    }
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let graph = match &self.wires {
            Wires::Ring(_) => None,
            Wires::Graph(graph) => Some(graph).filter(|graph| graph.is_oriented() || !is_told_by(&self.name)),
        };
        let Some(graph) = graph else { return serializer.serialize_str(&self.name) };
        let oriented = graph.is_oriented();
        let fields = 3 + usize::from(!self.names.is_empty()) + usize::from(oriented);
        let mut stored = serializer.serialize_struct("Network", fields)?;
        stored.serialize_field("name", &self.name)?;
        stored.serialize_field("nodes", &graph.nodes())?;
        stored.serialize_field("links", &Links(graph))?;
        if !self.names.is_empty() {
            stored.serialize_field("names", &self.names)?;
        }
        if oriented {
            stored.serialize_field("oriented", &true)?;
        }
        stored.end()
    }
}

struct Links<'a>(&'a Graph);

impl Serialize for Links<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.list_links())
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Stored)
    }
}

struct Stored;

impl<'de> Visitor<'de> for Stored {
    type Value = Network;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a network: its name, as in \"ring:8\", or an object with name, nodes and links")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Network, E> {
        let topology: Topology = name.parse().map_err(E::custom)?;
        if !topology.is_fixed() {
            return Err(E::custom(format!("{name} is not told by its name: the links must be listed")));
        }
        if !is_told_by(name) {
            return Err(E::custom(format!("{name} has more than {MOST_BY_NAME} links: they must be listed")));
        }
        topology.build(0).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Network, A::Error> {
        let fields = Fields::deserialize(de::value::MapAccessDeserializer::new(map))?;
        fields.into_network().map_err(de::Error::custom)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    name: String,
    nodes: u32,
    links: Vec<(Node, Node)>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    oriented: bool,
}

impl Fields {
    fn into_network(self) -> Result<Network, String> {
        let Self { name, nodes, links, names, oriented } = self;
        // This check comes before any allocation per node: fewer links cannot connect them.
        if u64::from(nodes) > links.len() as u64 + 1 {
            return Err(format!("{} links cannot connect {nodes} nodes", links.len()));
        }
        if !names.is_empty() && names.len() != nodes as usize {
            return Err(format!("{} names for {nodes} nodes", names.len()));
        }
        let graph = Graph::new(nodes, &links).map_err(|flaw| flaw.to_string())?;
        drop(links);
        if let Ok(topology) = name.parse::<Topology>()
            && topology.is_fixed()
            && (topology.links() != Some(graph.links()) || topology.build(0)?.wires != Wires::Graph(graph.clone()))
        {
            return Err(format!("the links are not those of {name}"));
        }
        let graph = if oriented { graph.oriented().ok_or("an oriented network is a ring")? } else { graph };
        Ok(Network { name, wires: Wires::Graph(graph), names })
    }
}
