//! Networks: generators, file formats, all small graphs, and diameters.
//!
//! A [`Topology`] is the specification of a network. A [`Network`] is its wiring: the node behind each port.

#![warn(clippy::unwrap_used)]

mod build;
mod classic;
mod diameter;
pub mod enumerate;
mod facts;
pub mod formats;
mod graph;
mod network;
mod random_graphs;
mod ring;
mod sizes;
mod spec;
mod stored;

use bellwether_core::Port;

pub use diameter::Diameter;
pub use facts::{Degrees, Facts};
pub use graph::{Flaw, Graph};
pub use network::{Network, Wires, is_plain};
pub use ring::Ring;
pub use sizes::size;
pub use spec::{FORMS, Form, Topology};

/// A node of the network, numbered from 0.
pub type Node = u32;

/// The interface of a network for an engine.
pub trait Wiring {
    /// Whether it is known to be a ring, numbered clockwise.
    const IS_RING: bool = false;

    /// How many nodes there are.
    fn nodes(&self) -> u32;

    /// How many links there are.
    fn links(&self) -> u64;

    /// How many ports a node has.
    fn ports(&self, node: Node) -> u32;

    /// The largest number of ports of a node.
    fn most_ports(&self) -> u32;

    /// The far end of the link at this port.
    fn far(&self, node: Node, port: Port) -> (Node, Port);

    /// The number of the link's direction that leaves by this port, below `2 * links`.
    fn direction(&self, node: Node, port: Port) -> usize;

    /// The nodes behind the ports of a node, in port order.
    fn neighbours(&self, node: Node) -> impl Iterator<Item = Node> + Clone
    where
        Self: Sized,
    {
        (0..self.ports(node)).map(move |port| self.far(node, Port(port)).0)
    }

    /// By node: its distance from this node, in links; `u32::MAX` if it cannot be reached.
    fn distances(&self, from: Node) -> Vec<u32>
    where
        Self: Sized,
    {
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
}

/// A borrowed network.
impl<W: Wiring> Wiring for &W {
    fn nodes(&self) -> u32 {
        (**self).nodes()
    }

    fn links(&self) -> u64 {
        (**self).links()
    }

    #[inline]
    fn ports(&self, node: Node) -> u32 {
        (**self).ports(node)
    }

    fn most_ports(&self) -> u32 {
        (**self).most_ports()
    }

    #[inline]
    fn far(&self, node: Node, port: Port) -> (Node, Port) {
        (**self).far(node, port)
    }

    #[inline]
    fn direction(&self, node: Node, port: Port) -> usize {
        (**self).direction(node, port)
    }

    #[inline]
    fn neighbours(&self, node: Node) -> impl Iterator<Item = Node> + Clone {
        (**self).neighbours(node)
    }
}
