//! The ring, computed and not stored.

use std::fmt;
use std::str::FromStr;

use bellwether_core::Port;

use super::{Node, Wiring};

/// A ring, numbered clockwise. Port 0 of a node leads to port 1 of the next; a ring of one is a self-loop, a ring of
/// two has two parallel links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    nodes: u32,
}

impl Ring {
    /// A ring of so many nodes.
    ///
    /// # Errors
    /// If there is none, or more than can be numbered.
    pub fn new(nodes: u64) -> Result<Self, String> {
        match u32::try_from(nodes) {
            Ok(0) => Err("a ring has at least one node: ring:1".into()),
            Ok(nodes) => Ok(Self { nodes }),
            Err(_) => Err(format!("a ring has at most {} nodes, not {nodes}", u32::MAX)),
        }
    }
}

impl Wiring for Ring {
    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn links(&self) -> u64 {
        u64::from(self.nodes)
    }

    fn ports(&self, _: Node) -> u32 {
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

impl FromStr for Ring {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (family, size) = text.split_once(':').unwrap_or((text, ""));
        if family != "ring" {
            return Err(format!("there is no topology '{family}': every algorithm here runs on a ring, as in ring:8"));
        }
        match size.parse() {
            Ok(nodes) => Self::new(nodes),
            Err(_) => Err(format!("a ring is given by its number of nodes, as in ring:8, not by '{size}'")),
        }
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
    fn wrong_sizes_are_refused_with_the_reason() {
        let refusal = |text: &str| text.parse::<Ring>().unwrap_err();
        assert!(refusal("ring:0").contains("at least one node"));
        assert!(refusal("ring:5000000000").contains("at most 4294967295"));
        assert!(refusal("ring:x").contains("not by 'x'"));
        assert!(refusal("ring").contains("ring:8"));
        assert!(refusal("moebius:8").contains("no topology 'moebius'"));
    }
}
