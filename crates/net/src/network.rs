//! A network with its name.

use std::borrow::Cow;
use std::fmt;

use bellwether_core::Port;

use super::{Graph, Node, Ring, Wiring};

/// A network with its specification and its wiring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The specification, such as `ring:8`.
    pub name: String,
    /// The wiring.
    pub wires: Wires,
    /// The names of the nodes; empty if they only have numbers.
    pub names: Vec<String>,
}

impl Network {
    /// The name of a node, or its number if nodes have no names.
    #[must_use]
    pub fn node_name(&self, node: Node) -> Cow<'_, str> {
        match self.names.get(node as usize) {
            Some(name) => name.into(),
            None => node.to_string().into(),
        }
    }

    /// The name of a node in print: never empty, and without characters that would control a terminal.
    #[must_use]
    pub fn printed_name(&self, node: Node) -> Cow<'_, str> {
        match self.names.get(node as usize) {
            Some(name) if name.is_empty() || !is_plain(name) => format!("{name:?}").into(),
            _ => self.node_name(node),
        }
    }

    /// The node with this name, or with this number if nodes have no names.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, text: &str) -> Result<Node, String> {
        let found = match &self.names[..] {
            [] => text.parse().ok().filter(|node| *node < self.nodes()),
            names => names.iter().position(|name| name == text).map(|node| node as Node),
        };
        found.ok_or_else(|| match &self.names[..] {
            [] => format!("there is no node {text}: the nodes are numbered 0 to {}", self.nodes() - 1),
            names => {
                let some = names.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
                format!("there is no node '{text}': the nodes of {self} have names such as {some}")
            }
        })
    }

    /// The nodes that a text stands for: one node, or a range in either direction, such as 5-9. A name may contain a
    /// dash.
    ///
    /// # Errors
    /// If there are no such nodes.
    pub fn find_range(&self, text: &str) -> Result<Vec<Node>, String> {
        let ends =
            |at: usize| Some((self.find(text[..at].trim_end()).ok()?, self.find(text[at + 1..].trim_start()).ok()?));
        let span = || text.match_indices('-').find_map(|(at, _)| ends(at));
        match self.find(text) {
            Ok(node) => Ok(vec![node]),
            Err(reason) => match span() {
                Some((first, last)) if first <= last => Ok((first..=last).collect()),
                Some((first, last)) => Ok((last..=first).rev().collect()),
                None => Err(self.missing_end(text).unwrap_or(reason)),
            },
        }
    }

    /// The end of a range that does not exist, if nodes have only numbers.
    fn missing_end(&self, text: &str) -> Option<String> {
        let (first, last) = text.split_once('-').filter(|_| self.names.is_empty())?;
        let [first, last] = [first, last].map(|end| end.trim().parse::<u64>().ok());
        let missing = [first?, last?].into_iter().find(|end| *end >= u64::from(self.nodes()))?;
        self.find(&missing.to_string()).err()
    }

    /// Whether it has the ports of a ring: port 0 clockwise, port 1 counterclockwise.
    #[must_use]
    pub fn has_ring_ports(&self) -> bool {
        match &self.wires {
            Wires::Ring(_) => true,
            Wires::Graph(graph) => graph.is_oriented(),
        }
    }

    /// The network with the ports of a ring; `None` if it is not a ring.
    #[must_use]
    pub fn as_ring(&self) -> Option<Self> {
        let wires = match &self.wires {
            Wires::Ring(ring) => Wires::Ring(*ring),
            Wires::Graph(graph) => Wires::Graph(graph.oriented()?),
        };
        Some(Self { name: self.name.clone(), wires, names: self.names.clone() })
    }

    /// The network as a stored graph. The numbers of nodes, ports and directions stay the same.
    #[must_use]
    pub fn stored(&self) -> Cow<'_, Graph> {
        match &self.wires {
            Wires::Ring(ring) => Cow::Owned(Graph::of_ring(*ring)),
            Wires::Graph(graph) => Cow::Borrowed(graph),
        }
    }

    /// The links, each once and from its smaller end, in ascending order.
    pub fn list_links(&self) -> Box<dyn Iterator<Item = (Node, Node)> + '_> {
        match &self.wires {
            Wires::Ring(ring) => Box::new(ring.list_links()),
            Wires::Graph(graph) => Box::new(graph.list_links()),
        }
    }
}

/// The wiring of a network. An engine is compiled for each variant.
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

    fn most_ports(&self) -> u32 {
        match &self.wires {
            Wires::Ring(ring) => ring.most_ports(),
            Wires::Graph(graph) => graph.most_ports(),
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

    fn distances(&self, from: Node) -> Vec<u32> {
        match &self.wires {
            Wires::Ring(ring) => ring.distances(from),
            Wires::Graph(graph) => graph.distances(from),
        }
    }
}

impl From<Ring> for Network {
    fn from(ring: Ring) -> Self {
        Self { name: ring.to_string(), wires: Wires::Ring(ring), names: vec![] }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Whether a terminal shows a text as it is: without control characters, invisible characters, and characters that
/// change the direction of writing.
pub fn is_plain(text: &str) -> bool {
    let takes_no_room =
        |c: char| matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{feff}');
    let directs =
        |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}');
    !text.chars().any(|c| c.is_control() || takes_no_room(c) || directs(c))
}
