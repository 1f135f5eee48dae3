//! What is known about a network.

use serde::Serialize;

use super::diameter::Diameter;
use super::{Graph, Network, Node, Topology, Wires, Wiring};

/// What is known about a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// How many nodes there are.
    pub nodes: u32,
    /// How many links there are.
    pub links: u64,
    /// The smallest and the largest number of links of a node.
    pub degree: Degrees,
    /// The largest distance between two nodes.
    pub diameter: Diameter,
    /// Whether it is a ring.
    pub ring: bool,
    /// Whether it is a tree.
    pub tree: bool,
    /// Whether all pairs of nodes are linked.
    pub complete: bool,
    /// Whether two colours are enough to colour neighbours differently.
    pub bipartite: bool,
}

/// The range of the degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Degrees {
    /// The smallest degree.
    pub min: u32,
    /// The largest degree.
    pub max: u32,
}

impl Network {
    /// The facts about this network.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let degrees = || (0..self.nodes()).map(|node| self.ports(node));
        Facts {
            nodes: self.nodes(),
            links: self.links(),
            degree: Degrees { min: degrees().min().unwrap_or(0), max: degrees().max().unwrap_or(0) },
            diameter: self.diameter(),
            ring: self.is_ring(),
            tree: self.is_tree(),
            complete: self.is_complete(),
            bipartite: match &self.wires {
                Wires::Ring(ring) => ring.nodes().is_multiple_of(2),
                Wires::Graph(graph) => graph.is_bipartite(),
            },
        }
    }

    /// Whether it is a ring, with any port numbers.
    #[must_use]
    pub fn is_ring(&self) -> bool {
        match &self.wires {
            Wires::Ring(_) => true,
            Wires::Graph(graph) => graph.nodes() > 2 && (0..graph.nodes()).all(|node| graph.ports(node) == 2),
        }
    }

    /// Whether there is exactly one path between any two nodes.
    #[must_use]
    pub fn is_tree(&self) -> bool {
        self.links() + 1 == u64::from(self.nodes())
    }

    /// Whether every node has one link to every other, and none to itself.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let nodes = u64::from(self.nodes());
        // A ring of one has a self-loop, a ring of two a double link.
        let simple = nodes > 2 || matches!(self.wires, Wires::Graph(_));
        simple && self.links() == nodes * (nodes - 1) / 2
    }

    /// The largest distance between two nodes: exactly, unless that would take too long.
    #[must_use]
    pub fn diameter(&self) -> Diameter {
        match &self.wires {
            Wires::Graph(graph) if !self.is_ring() => {
                let of_family = self.name.parse().ok().and_then(|topology: Topology| topology.diameter());
                of_family.map_or_else(|| graph.diameter(), Diameter::from)
            }
            Wires::Ring(_) | Wires::Graph(_) => (self.nodes() / 2).into(),
        }
    }

    /// Whether no two nodes can be farther apart than `bound`. This is often seen without the diameter.
    #[must_use]
    pub fn has_diameter_within(&self, bound: u64) -> bool {
        // No shortest path is longer than one through node 0.
        let through = |graph: &Graph| 2 * u64::from(graph.eccentricity(0));
        matches!(&self.wires, Wires::Graph(graph) if through(graph) <= bound)
            || u64::from(self.diameter().at_most) <= bound
    }
}

impl Topology {
    /// The diameter of families in which all nodes are about equally central: a search for it would take long.
    fn diameter(&self) -> Option<u32> {
        match *self {
            Self::Grid(rows, columns) => Some(rows - 1 + columns - 1),
            Self::Torus(rows, columns) => Some(rows / 2 + columns / 2),
            Self::Hypercube(dimensions) => Some(dimensions),
            Self::Complete(nodes) => Some(nodes.min(2) - 1),
            _ => None,
        }
    }
}

impl Graph {
    /// The largest distance from this node.
    #[must_use]
    pub fn eccentricity(&self, node: Node) -> u32 {
        self.distances(node).into_iter().max().unwrap_or(0)
    }

    /// Whether no link joins two nodes at the same distance from node 0.
    fn is_bipartite(&self) -> bool {
        let distances = self.distances(0);
        let odd = |node: Node| distances[node as usize] % 2;
        (0..self.nodes()).all(|node| self.neighbours(node).all(|far| odd(far) != odd(node)))
    }
}
