//! Networks: who is behind which port.

mod build;
mod chance;
mod diameter;
mod facts;
mod families;
mod graph;
mod network;
mod ring;
mod spec;
mod stored;

use bellwether_core::Port;

pub use diameter::Diameter;
pub use facts::{Degrees, Facts};
pub use graph::{Flaw, Graph};
pub use network::{Network, Wires};
pub use ring::Ring;
pub use spec::Topology;

/// A node of the network, numbered from 0.
pub type Node = u32;

/// What an engine asks of a network.
pub trait Wiring {
    /// How many nodes there are.
    fn nodes(&self) -> u32;

    /// How many links there are.
    fn links(&self) -> u64;

    /// How many ports a node has.
    fn ports(&self, node: Node) -> u32;

    /// The far end of the link at this port.
    fn far(&self, node: Node, port: Port) -> (Node, Port);

    /// The number of the direction of the link that leaves by this port: below `2 * links`.
    fn direction(&self, node: Node, port: Port) -> usize;

    /// The nodes behind the ports of a node, in port order.
    fn neighbours(&self, node: Node) -> impl Iterator<Item = Node>
    where
        Self: Sized,
    {
        (0..self.ports(node)).map(move |port| self.far(node, Port(port)).0)
    }
}
