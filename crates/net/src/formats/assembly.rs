//! A network while it is read.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::parts::Parts;
use crate::{Flaw, Graph, Network, Node, Wires, Wiring};
use bellwether_resources::memory;

/// Nodes by name, in the order in which they are mentioned, and links.
pub struct Assembly {
    names: Names,
    links: Vec<(Node, Node)>,
    /// Other names of the nodes. They count if each node has one and no two are alike.
    labels: BTreeMap<Node, String>,
    /// Whether the links have directions.
    pub directed: bool,
    /// Whether a link that is listed twice counts as two links.
    pub repeats: bool,
}

/// The names of the nodes.
enum Names {
    /// The names are the numbers below this one: nearly all large networks have no other names.
    Numbers(u32),
    /// The names are the numbers from 1 to this one. A format may say how many nodes there are without listing them.
    Ordinals(u32),
    Words(IndexSet<String, FxBuildHasher>),
}

impl Names {
    /// These names in their order, if no two are alike.
    fn new(names: impl IntoIterator<Item = String>) -> Option<Self> {
        let mut all = Self::Numbers(0);
        for name in names {
            if all.find(&name).is_some() {
                return None;
            }
            all.add(&name);
        }
        Some(all)
    }

    fn words(&self) -> IndexSet<String, FxBuildHasher> {
        (0..self.count()).map(|node| self.of(node)).collect()
    }

    fn count(&self) -> u32 {
        match self {
            Self::Numbers(count) | Self::Ordinals(count) => *count,
            Self::Words(words) => words.len() as u32,
        }
    }

    fn of(&self, node: Node) -> String {
        match self {
            Self::Numbers(_) => node.to_string(),
            Self::Ordinals(_) => (u64::from(node) + 1).to_string(),
            Self::Words(words) => words[node as usize].clone(),
        }
    }

    fn find(&self, name: &str) -> Option<Node> {
        match self {
            Self::Numbers(count) => number(name).filter(|number| number < count),
            Self::Ordinals(count) => {
                number(name).filter(|number| (1..=*count).contains(number)).map(|number| number - 1)
            }
            Self::Words(words) => words.get_index_of(name).map(|index| index as Node),
        }
    }

    /// Adds a name that is not there.
    fn add(&mut self, name: &str) -> Node {
        match self {
            Self::Numbers(count) if number(name) == Some(*count) => *count += 1,
            Self::Numbers(_) | Self::Ordinals(_) => {
                *self = Self::Words(self.words());
                return self.add(name);
            }
            Self::Words(words) => _ = words.insert(name.into()),
        }
        self.count() - 1
    }
}

/// The number that a name is, if it is written in the usual way.
fn number(name: &str) -> Option<u32> {
    let is_plain = name == "0" || name.as_bytes().first().is_some_and(|first| (b'1'..=b'9').contains(first));
    name.parse().ok().filter(|_| is_plain)
}

impl Default for Assembly {
    fn default() -> Self {
        Self { names: Names::Numbers(0), links: vec![], labels: BTreeMap::new(), directed: false, repeats: true }
    }
}

impl Assembly {
    /// Numbered nodes without names.
    pub fn numbered(nodes: u32, links: Vec<(Node, Node)>) -> Self {
        Self { names: Names::Numbers(nodes), links, ..Self::default() }
    }

    /// Nodes whose names are the numbers from 1, without links.
    pub fn ordinals(nodes: u32) -> Self {
        Self { names: Names::Ordinals(nodes), ..Self::default() }
    }

    /// How many nodes there are so far.
    pub fn nodes(&self) -> u32 {
        self.names.count()
    }

    /// Gives a node another name. It counts if each node has one and no two are alike.
    pub fn label(&mut self, node: Node, label: String) {
        self.labels.insert(node, label);
    }

    /// The node with this name, added if it is new.
    pub fn node(&mut self, name: &str) -> Node {
        self.find(name).unwrap_or_else(|| self.names.add(name))
    }

    /// The node with this name, if there is one.
    pub fn find(&self, name: &str) -> Option<Node> {
        self.names.find(name)
    }

    /// Adds a link. `line` is only called for an error message.
    pub fn link(&mut self, a: Node, b: Node, line: impl FnOnce() -> usize) -> Result<(), String> {
        if a == b {
            let (line, name) = (line(), self.names.of(a));
            return Err(format!("line {line}: '{name}' has a link to itself: a network has none"));
        }
        self.links.push((a, b));
        Ok(())
    }

    /// How many links there are so far.
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// How many links there are between different pairs of nodes.
    pub fn distinct_links(&self) -> usize {
        let mut links: Vec<_> = self.links.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        links.sort_unstable();
        links.dedup();
        links.len()
    }

    /// Leaves out all nodes but the largest connected part, and tells how many these are. Of several largest parts, the
    /// one with the first node stays.
    pub fn keep_largest(&mut self) -> u32 {
        self.take_labels();
        let part = Parts::new(&self.links).largest();
        let left_out = self.nodes().saturating_sub(part.len() as u32);
        if left_out > 0 {
            let index = |node| part.binary_search(&node).ok().map(|index| index as Node);
            self.links = self.links.iter().filter_map(|&(a, b)| index(a).zip(index(b))).collect();
            self.names = Names::new(part.into_iter().map(|node| self.names.of(node))).unwrap_or(Names::Numbers(0));
        }
        left_out
    }

    fn take_labels(&mut self) {
        let labels = std::mem::take(&mut self.labels);
        if labels.len() == self.nodes() as usize
            && let Some(names) = Names::new(labels.into_values())
        {
            self.names = names;
        }
    }

    /// The network, and the number of links merged with another one between the same nodes. Names that are just the
    /// node numbers are dropped.
    pub fn finish(mut self, name: String) -> Result<(Network, u64), String> {
        self.take_labels();
        let Self { names, links, repeats, .. } = self;
        let apart = |node| {
            let (first, apart) = (names.of(0), names.of(node));
            format!(
                "the network is not connected: no way leads from '{first}' to '{apart}'; --largest-component takes its \
                 largest part"
            )
        };
        // A short text can announce very many nodes, but only its links can connect them.
        if names.count() as usize > links.len() + 1 {
            return Err(apart(Parts::new(&links).apart()));
        }
        let bytes = Graph::bytes(names.count().into(), links.len() as u64);
        memory::make_sure_of(bytes - size_of_val(&links[..]) as u64, "the network")?;
        let graph = Graph::new(names.count(), &links).map_err(|flaw| match flaw {
            Flaw::Apart { node } => apart(node),
            Flaw::Empty => "there is no node in it: a network has at least one".into(),
            flaw => flaw.to_string(),
        })?;
        let names = match names {
            Names::Numbers(_) => vec![],
            Names::Ordinals(count) => (1..=count).map(|name| name.to_string()).collect(),
            Names::Words(words) => words.into_iter().collect(),
        };
        let merged = if repeats { links.len() as u64 - graph.links() } else { 0 };
        Ok((Network { name, wires: Wires::Graph(graph), names }, merged))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_order_are_no_names_and_anything_else_makes_names_of_all() {
        let names = |mentioned: &[&str]| {
            let mut assembly = Assembly::default();
            let nodes: Vec<Node> = mentioned.iter().map(|name| assembly.node(name)).collect();
            nodes.windows(2).filter(|pair| pair[0] != pair[1]).for_each(|pair| assembly.links.push((pair[0], pair[1])));
            (nodes, assembly.finish("some".into()).unwrap().0.names)
        };
        assert_eq!(names(&["0", "1", "0", "2"]), (vec![0, 1, 0, 2], vec![]));
        for other in ["02", "+2", "3", "two", "-0", "4294967296"] {
            let expected = vec!["0".to_owned(), "1".into(), other.into()];
            assert_eq!(names(&["0", "1", other, "0", other]), (vec![0, 1, 2, 0, 2], expected));
        }
        assert_eq!(names(&["1", "0"]), (vec![0, 1], vec!["1".to_owned(), "0".into()]));
    }
}
