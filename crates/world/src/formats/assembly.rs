//! A network while it is read.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::{Flaw, Graph, Network, Node, Wires, Wiring, memory};

/// Nodes by name, in the order in which they are mentioned, and links.
pub struct Assembly {
    names: Names,
    links: Vec<(Node, Node)>,
    /// Whether links have directions.
    pub directed: bool,
    /// Whether a link that is mentioned twice is a second link.
    pub repeats: bool,
}

/// What nodes are called.
enum Names {
    /// So many, each by its number: those of a large network are hardly ever called otherwise.
    Numbers(u32),
    Words(IndexSet<String, FxBuildHasher>),
}

impl Names {
    fn words(count: u32) -> IndexSet<String, FxBuildHasher> {
        (0..count).map(|node| node.to_string()).collect()
    }

    fn count(&self) -> u32 {
        match self {
            Self::Numbers(count) => *count,
            Self::Words(words) => words.len() as u32,
        }
    }

    fn of(&self, node: Node) -> String {
        match self {
            Self::Numbers(_) => node.to_string(),
            Self::Words(words) => words[node as usize].clone(),
        }
    }

    fn find(&self, name: &str) -> Option<Node> {
        match self {
            Self::Numbers(count) => number(name).filter(|number| number < count),
            Self::Words(words) => words.get_index_of(name).map(|index| index as Node),
        }
    }

    /// Adds a name that is not there.
    fn add(&mut self, name: &str) -> Node {
        match self {
            Self::Numbers(count) if number(name) == Some(*count) => *count += 1,
            Self::Numbers(count) => {
                *self = Self::Words(Self::words(*count));
                return self.add(name);
            }
            Self::Words(words) => _ = words.insert(name.into()),
        }
        self.count() - 1
    }
}

/// The number that a name is, written as we write numbers.
fn number(name: &str) -> Option<u32> {
    let is_plain = name == "0" || name.as_bytes().first().is_some_and(|first| (b'1'..=b'9').contains(first));
    name.parse().ok().filter(|_| is_plain)
}

impl Default for Assembly {
    fn default() -> Self {
        Self { names: Names::Numbers(0), links: vec![], directed: false, repeats: true }
    }
}

impl Assembly {
    /// Nodes without names.
    pub fn numbered(nodes: u32, links: Vec<(Node, Node)>) -> Self {
        Self { names: Names::Numbers(nodes), links, ..Self::default() }
    }

    /// The node of this name, which may be new.
    pub fn node(&mut self, name: &str) -> Node {
        self.find(name).unwrap_or_else(|| self.names.add(name))
    }

    /// The node of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<Node> {
        self.names.find(name)
    }

    /// A link between two nodes, in a line that is only asked for if it is wrong.
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

    /// The network, and how many links were merged with another between the same nodes. Names that are only the
    /// numbers of their nodes are none.
    pub fn finish(self, name: String) -> Result<(Network, u64), String> {
        let Self { names, links, repeats, .. } = self;
        let bytes = Graph::bytes(names.count().into(), links.len() as u64);
        memory::make_sure_of(bytes as usize - size_of_val(&links[..]), "the network")?;
        let graph = Graph::new(names.count(), &links).map_err(|flaw| match flaw {
            Flaw::Apart { node } => {
                let (first, apart) = (names.of(0), names.of(node));
                format!("the network is not connected: no way leads from '{first}' to '{apart}'")
            }
            Flaw::Empty => "there is no node in it: a network has at least one".into(),
            flaw => flaw.to_string(),
        })?;
        let names = match names {
            Names::Numbers(_) => vec![],
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
