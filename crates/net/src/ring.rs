//! The ring, which is computed and not stored.

use std::fmt;

use bellwether_core::Port;

use super::{Node, Wiring};

/// A ring, numbered clockwise. Port 0 of a node leads to port 1 of the next node. A ring of one is a self-loop; a ring
/// of two has two parallel links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    nodes: u32,
}

impl Ring {
    /// A ring with this number of nodes.
    ///
    /// # Errors
    /// If there is no node, or more than can be numbered.
    pub fn new(nodes: u64) -> Result<Self, String> {
        match u32::try_from(nodes) {
            Ok(0) => Err("a ring has at least one node: ring:1".into()),
            Ok(nodes) => Ok(Self { nodes }),
            Err(_) => Err(format!("a ring has at most {} nodes, not {nodes}", u32::MAX)),
        }
    }

    /// The links, each once and from its smaller end, in ascending order.
    pub fn list_links(self) -> impl Iterator<Item = (Node, Node)> {
        let last = self.nodes - 1;
        let first = (0..last.min(1)).map(|node| (node, node + 1));
        first.chain([(0, last)]).chain((1..last).map(|node| (node, node + 1)))
    }
}

impl Wiring for Ring {
    const IS_RING: bool = true;

    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn links(&self) -> u64 {
        u64::from(self.nodes)
    }

    fn ports(&self, _: Node) -> u32 {
        2
    }

    fn most_ports(&self) -> u32 {
        2
    }

    #[inline]
    fn far(&self, node: Node, port: Port) -> (Node, Port) {
        let last = self.nodes - 1;
        let far = if port == Port::NEXT {
            if node == last { 0 } else { node + 1 }
        } else if node == 0 {
            last
        } else {
            node - 1
        };
        (far, port.onward())
    }

    #[inline]
    fn direction(&self, node: Node, port: Port) -> usize {
        2 * node as usize + port.0 as usize
    }
}

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ring:{}", self.nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_closes_on_itself() {
        let ring = Ring::new(3).unwrap();
        assert_eq!(ring.far(2, Port::NEXT), (0, Port::PREVIOUS));
        assert_eq!(ring.far(0, Port::PREVIOUS), (2, Port::NEXT));
        assert_eq!(ring.far(1, Port::NEXT), (2, Port::PREVIOUS));
    }

    #[test]
    fn a_ring_of_one_is_a_self_loop_and_of_two_a_double_link() {
        let one = Ring::new(1).unwrap();
        assert_eq!(one.far(0, Port::NEXT), (0, Port::PREVIOUS));
        assert_eq!(one.far(0, Port::PREVIOUS), (0, Port::NEXT));
        let two = Ring::new(2).unwrap();
        assert_eq!(two.far(0, Port::NEXT), (1, Port::PREVIOUS));
        assert_eq!(two.far(0, Port::PREVIOUS), (1, Port::NEXT));
    }

    #[test]
    fn both_ends_of_a_link_agree() {
        for nodes in 1..6 {
            let ring = Ring::new(nodes).unwrap();
            for node in 0..ring.nodes() {
                for port in [Port::NEXT, Port::PREVIOUS] {
                    let (far, at) = ring.far(node, port);
                    assert_eq!(ring.far(far, at), (node, port));
                }
            }
        }
    }

    #[test]
    fn links_are_listed_in_order() {
        let listed = |nodes| Ring::new(nodes).unwrap().list_links().collect::<Vec<_>>();
        assert_eq!([1, 2].map(listed), [vec![(0, 0)], vec![(0, 1), (0, 1)]]);
        assert_eq!(listed(4), [(0, 1), (0, 3), (1, 2), (2, 3)]);
    }
}
