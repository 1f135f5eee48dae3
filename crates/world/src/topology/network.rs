//! A network with its name.

use std::fmt;
use std::str::FromStr;

use bellwether_core::Port;
use serde::{Deserialize, Serialize};

use super::{Graph, Node, Ring, Wiring};

/// A network as it was asked for, and how it is wired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network {
    /// What was asked for, as in `ring:8`.
    pub name: String,
    /// How it is wired.
    pub wires: Wires,
}

/// How a network is wired: an engine is compiled for each way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wires {
    /// A ring, computed.
    Ring(Ring),
    /// Any graph, stored.
    Graph(Graph),
}

impl Wiring for Network {
    fn nodes(&self) -> u32 {
        match &self.wires {
            Wires::Ring(ring) => ring.nodes(),
            Wires::Graph(graph) => graph.nodes(),
        }
    }

    fn links(&self) -> u64 {
        match &self.wires {
            Wires::Ring(ring) => ring.links(),
            Wires::Graph(graph) => graph.links(),
        }
    }

    #[inline]
    fn ports(&self, node: Node) -> u32 {
        match &self.wires {
            Wires::Ring(ring) => ring.ports(node),
            Wires::Graph(graph) => graph.ports(node),
        }
    }

    #[inline]
    fn far(&self, node: Node, port: Port) -> (Node, Port) {
        match &self.wires {
            Wires::Ring(ring) => ring.far(node, port),
            Wires::Graph(graph) => graph.far(node, port),
        }
    }

    #[inline]
    fn direction(&self, node: Node, port: Port) -> usize {
        match &self.wires {
            Wires::Ring(ring) => ring.direction(node, port),
            Wires::Graph(graph) => graph.direction(node, port),
        }
    }
}

impl Network {
    /// Whether it is a ring with the ports of one.
    #[must_use]
    pub fn is_ring(&self) -> bool {
        match &self.wires {
            Wires::Ring(_) => true,
            Wires::Graph(graph) => graph.is_oriented(),
        }
    }

    /// Whether there is exactly one way between any two nodes.
    #[must_use]
    pub fn is_tree(&self) -> bool {
        self.links() + 1 == u64::from(self.nodes())
    }

    /// Whether every node has one link to every other, and none to itself.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let others = u64::from(self.nodes() - 1);
        let simple = matches!(&self.wires, Wires::Graph(_)) || self.nodes() > 2;
        simple && self.links() == u64::from(self.nodes()) * others / 2
    }

    /// The longest distance between two nodes.
    #[must_use]
    pub fn diameter(&self) -> u32 {
        match &self.wires {
            Wires::Ring(ring) => ring.nodes() / 2,
            Wires::Graph(graph) => (0..graph.nodes()).map(|node| graph.eccentricity(node)).max().unwrap_or(0),
        }
    }
}

impl From<Ring> for Network {
    fn from(ring: Ring) -> Self {
        Self { name: ring.to_string(), wires: Wires::Ring(ring) }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(|ring: Ring| ring.into())
    }
}

impl TryFrom<String> for Network {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Network> for String {
    fn from(network: Network) -> Self {
        network.name
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
