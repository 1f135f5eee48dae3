//! What is known about a network.

use serde::Serialize;

use super::diameter::diameter;
use super::{Graph, Network, Node, Topology, Wires, Wiring};

/// What is known about a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// How many nodes there are.
    pub nodes: u32,
    /// How many links there are.
    pub links: u64,
    /// How many links a node has.
    pub degree: Degrees,
    /// The largest distance between two nodes.
    pub diameter: u32,
    /// Whether it is a ring.
    pub ring: bool,
    /// Whether it is a tree.
    pub tree: bool,
    /// Whether everybody is linked to everybody.
    pub complete: bool,
    /// Whether two colours are enough to tell neighbours apart.
    pub bipartite: bool,
}

/// How many links a node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Degrees {
    /// At least.
    pub min: u32,
    /// At most.
    pub max: u32,
}

impl Network {
    /// What is known about it. The diameter is exact.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let graph = match &self.wires {
            Wires::Ring(ring) => return facts_of_ring(ring.nodes()),
            Wires::Graph(graph) => graph,
        };
        let (nodes, links) = (graph.nodes(), graph.links());
        let degrees = || (0..nodes).map(|node| graph.ports(node));
        let degree = Degrees { min: degrees().min().unwrap_or(0), max: degrees().max().unwrap_or(0) };
        let (ring, tree) = (nodes > 2 && degree == Degrees { min: 2, max: 2 }, links == u64::from(nodes) - 1);
        let of_family = || self.name.parse().ok().and_then(|topology: Topology| topology.diameter());
        let known = if ring { Some(nodes / 2) } else { of_family() };
        Facts {
            nodes,
            links,
            degree,
            diameter: known.unwrap_or_else(|| diameter(graph)),
            ring,
            tree,
            complete: links == u64::from(nodes) * u64::from(nodes - 1) / 2,
            bipartite: tree || graph.is_bipartite(),
        }
    }
}

fn facts_of_ring(nodes: u32) -> Facts {
    Facts {
        nodes,
        links: nodes.into(),
        degree: Degrees { min: 2, max: 2 },
        diameter: nodes / 2,
        ring: true,
        tree: false,
        complete: nodes <= 3,
        bipartite: nodes.is_multiple_of(2),
    }
}

impl Topology {
    /// The diameter of the families in which everybody is about as far from the others, so that searching for it
    /// would take long.
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
    /// By node: how many links away it is from this one.
    #[must_use]
    pub fn distances(&self, from: Node) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.nodes() as usize];
        distances[from as usize] = 0;
        let mut queue = vec![from];
        let mut next = 0;
        while let Some(&node) = queue.get(next) {
            next += 1;
            for far in self.neighbours(node) {
                if distances[far as usize] == u32::MAX {
                    distances[far as usize] = distances[node as usize] + 1;
                    queue.push(far);
                }
            }
        }
        distances
    }

    /// How far away the farthest node is.
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
