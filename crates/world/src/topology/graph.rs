//! Any connected network, stored link by link.

use bellwether_core::Port;

use super::{Node, Wiring};

/// A connected graph without self-loops and parallel links. The ports of a node are numbered by ascending neighbour,
/// unless the graph was [oriented](Graph::oriented) as a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// By node: where its ports begin in `far`; one more at the end.
    starts: Vec<usize>,
    /// By node and port: the far end of the link.
    far: Vec<(Node, Port)>,
}

impl Graph {
    /// The graph of these nodes and links. A link that is given twice, in either direction, is one link.
    ///
    /// # Errors
    /// If there is no node, a link leaves the nodes or loops, or some node cannot be reached.
    pub fn new(nodes: u32, links: impl IntoIterator<Item = (Node, Node)>) -> Result<Self, String> {
        let mut directions = Vec::new();
        for (a, b) in links {
            if let Some(node) = [a, b].into_iter().find(|node| *node >= nodes) {
                return Err(format!("a link leads to node {node}, but there are only {nodes} nodes"));
            }
            if a == b {
                return Err(format!("node {a} has a link to itself: a network has none"));
            }
            directions.extend([(a, b), (b, a)]);
        }
        directions.sort_unstable();
        directions.dedup();
        let graph = Self::from_directions(nodes, &directions);
        match graph.unreached() {
            _ if nodes == 0 => Err("a network has at least one node".into()),
            Some(node) => Err(format!("the network is not connected: no way leads from node 0 to node {node}")),
            None => Ok(graph),
        }
    }

    /// The graph whose links leave the nodes in this order, in both directions.
    fn from_directions(nodes: u32, directions: &[(Node, Node)]) -> Self {
        let mut starts = vec![0; nodes as usize + 1];
        for &(from, _) in directions {
            starts[from as usize + 1] += 1;
        }
        for node in 0..nodes as usize {
            starts[node + 1] += starts[node];
        }
        // Sorted by sender and then by receiver: seen from the receivers the senders come in ascending order too.
        let mut next = starts.clone();
        let mut far = vec![(0, Port(0)); directions.len()];
        for (index, &(from, to)) in directions.iter().enumerate() {
            let port = Port((index - starts[from as usize]) as u32);
            let back = &mut next[to as usize];
            far[*back] = (from, port);
            *back += 1;
        }
        Self { starts, far }
    }

    /// A node that cannot be reached from node 0.
    fn unreached(&self) -> Option<Node> {
        let mut reached = vec![false; self.nodes() as usize];
        let mut stack: Vec<Node> = (0..self.nodes().min(1)).collect();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut reached[node as usize], true) {
                stack.extend(self.neighbours(node).filter(|&next| !reached[next as usize]));
            }
        }
        reached.iter().position(|reached| !reached).map(|node| node as Node)
    }

    /// The links, each once and from its smaller end, in ascending order.
    pub fn list_links(&self) -> impl Iterator<Item = (Node, Node)> {
        let from = |node| self.neighbours(node).filter(move |&far| node < far).map(move |far| (node, far));
        (0..self.nodes()).flat_map(from)
    }

    /// Whether it is a ring with the ports of one.
    #[must_use]
    pub fn is_oriented(&self) -> bool {
        let ahead = |node| self.ports(node) == 2 && self.far(node, Port::NEXT).1 == Port::PREVIOUS;
        self.nodes() > 2 && (0..self.nodes()).all(ahead)
    }

    /// The distance from a node to the one farthest away.
    #[must_use]
    pub fn eccentricity(&self, node: Node) -> u32 {
        let mut reached = vec![false; self.nodes() as usize];
        reached[node as usize] = true;
        let (mut front, mut distance) = (vec![node], 0);
        loop {
            let mut next = Vec::new();
            for far in front.iter().flat_map(|&node| self.neighbours(node)) {
                if !std::mem::replace(&mut reached[far as usize], true) {
                    next.push(far);
                }
            }
            if next.is_empty() {
                return distance;
            }
            (front, distance) = (next, distance + 1);
        }
    }

    /// The same network with the ports of a ring: port 0 leads clockwise, which is from node 0 to its smaller
    /// neighbour. `None` if it is no ring.
    #[must_use]
    pub fn oriented(&self) -> Option<Self> {
        let nodes = self.nodes();
        if nodes < 3 || (0..nodes).any(|node| self.ports(node) != 2) {
            return None;
        }
        let mut far = self.far.clone();
        let (mut previous, mut node) = (self.neighbours(0).max()?, 0);
        for _ in 0..nodes {
            let next = self.neighbours(node).find(|&next| next != previous)?;
            far[self.starts[node as usize]] = (next, Port::PREVIOUS);
            far[self.starts[node as usize] + 1] = (previous, Port::NEXT);
            (previous, node) = (node, next);
        }
        Some(Self { starts: self.starts.clone(), far })
    }
}

impl Wiring for Graph {
    fn nodes(&self) -> u32 {
        (self.starts.len() - 1) as u32
    }

    fn links(&self) -> u64 {
        self.far.len() as u64 / 2
    }

    #[inline]
    fn ports(&self, node: Node) -> u32 {
        (self.starts[node as usize + 1] - self.starts[node as usize]) as u32
    }

    #[inline]
    fn far(&self, node: Node, port: Port) -> (Node, Port) {
        self.far[self.direction(node, port)]
    }

    #[inline]
    fn direction(&self, node: Node, port: Port) -> usize {
        self.starts[node as usize] + port.0 as usize
    }

    fn neighbours(&self, node: Node) -> impl Iterator<Item = Node> {
        let ports = self.starts[node as usize]..self.starts[node as usize + 1];
        self.far[ports].iter().map(|&(far, _)| far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_link_agree_and_ports_ascend() {
        let graph = Graph::new(5, [(3, 1), (0, 1), (1, 0), (2, 4), (4, 1), (0, 2)]).unwrap();
        assert_eq!((graph.nodes(), graph.links()), (5, 5));
        assert_eq!(graph.list_links().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 3), (1, 4), (2, 4)]);
        for node in 0..5 {
            assert!(graph.neighbours(node).is_sorted());
            for port in (0..graph.ports(node)).map(Port) {
                let (far, at) = graph.far(node, port);
                assert_eq!(graph.far(far, at), (node, port));
            }
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let refusal = |nodes, links: &[(Node, Node)]| Graph::new(nodes, links.iter().copied()).unwrap_err();
        assert!(refusal(0, &[]).contains("at least one node"));
        assert!(refusal(2, &[(0, 2)]).contains("node 2"));
        assert!(refusal(2, &[(1, 1)]).contains("link to itself"));
        assert!(refusal(4, &[(0, 1), (2, 3)]).contains("from node 0 to node 2"));
    }

    #[test]
    fn a_cycle_is_oriented_as_a_ring() {
        let ring = Graph::new(4, [(0, 2), (2, 1), (1, 3), (3, 0)]).unwrap().oriented().unwrap();
        let clockwise = |node| ring.far(node, Port::NEXT);
        assert_eq!([0, 2, 1, 3].map(clockwise), [2, 1, 3, 0].map(|next| (next, Port::PREVIOUS)));
        assert_eq!(ring.far(2, Port::PREVIOUS), (0, Port::NEXT));
        assert!(ring.is_oriented() && !Graph::new(3, [(0, 1), (1, 2)]).unwrap().is_oriented());
        assert_eq!(Graph::new(2, [(0, 1)]).unwrap().oriented(), None);
        assert_eq!(Graph::new(4, [(0, 1), (1, 2), (2, 0), (2, 3)]).unwrap().oriented(), None);
    }
}
