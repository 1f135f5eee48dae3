//! A network while it is read.

use indexmap::IndexSet;

use crate::{Flaw, Graph, Network, Node, Wires, Wiring};

/// Nodes by name, in the order in which they are mentioned, and links.
pub struct Assembly {
    names: IndexSet<String>,
    links: Vec<(Node, Node)>,
    /// Whether links have directions.
    pub directed: bool,
    /// Whether a link that is mentioned twice is a second link.
    pub repeats: bool,
}

impl Default for Assembly {
    fn default() -> Self {
        Self { names: IndexSet::new(), links: vec![], directed: false, repeats: true }
    }
}

impl Assembly {
    /// Nodes without names.
    pub fn numbered(nodes: u32, links: Vec<(Node, Node)>) -> Self {
        Self { names: (0..nodes).map(|node| node.to_string()).collect(), links, ..Self::default() }
    }

    /// The node of this name, which may be new.
    pub fn node(&mut self, name: &str) -> Node {
        let index = self.names.get_index_of(name).unwrap_or_else(|| self.names.insert_full(name.into()).0);
        index as Node
    }

    /// The node of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<Node> {
        self.names.get_index_of(name).map(|index| index as Node)
    }

    /// A link between two nodes, in a line that is only asked for if it is wrong.
    pub fn link(&mut self, a: Node, b: Node, line: impl FnOnce() -> usize) -> Result<(), String> {
        if a == b {
            let (line, name) = (line(), &self.names[a as usize]);
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
        let nodes = names.len() as u32;
        let graph = Graph::new(nodes, &links).map_err(|flaw| match flaw {
            Flaw::Apart { node } => {
                let (first, apart) = (&names[0], &names[node as usize]);
                format!("the network is not connected: no way leads from '{first}' to '{apart}'")
            }
            Flaw::Empty => "there is no node in it: a network has at least one".into(),
            flaw => flaw.to_string(),
        })?;
        let is_number = |(node, name): (usize, &String)| name.parse() == Ok(node) && *name == node.to_string();
        let plain = names.iter().enumerate().all(is_number);
        let names = if plain { vec![] } else { names.into_iter().collect() };
        let merged = if repeats { links.len() as u64 - graph.links() } else { 0 };
        Ok((Network { name, wires: Wires::Graph(graph), names }, merged))
    }
}
