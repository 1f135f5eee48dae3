//! Any connected network, stored link by link.

use std::sync::OnceLock;

use bellwether_core::Port;
use prefetch_index::prefetch_index;

use super::diameter::{self, Diameter};
use super::{Node, Ring, Wiring};

/// A connected graph without self-loops and parallel links. The ports of a node are numbered by ascending neighbour,
/// unless the graph was [oriented](Graph::oriented) as a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// By node: the index of its first port in `far`, with one more entry at the end.
    starts: Vec<usize>,
    /// By node and port: the far end of the link.
    far: Vec<(Node, Port)>,
    /// The largest number of ports of a node.
    most_ports: u32,
    diameter: Known<Diameter>,
}

/// A property of a graph that is computed on first use. It follows from the rest, so it does not count in comparisons.
#[derive(Clone, Debug)]
struct Known<T>(OnceLock<T>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> PartialEq for Known<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Known<T> {}

impl Graph {
    /// The graph with these nodes and links. A link that is given twice, in either direction, counts once.
    ///
    /// # Errors
    /// If there is no node, a link leads out of the graph or is a loop, or some node cannot be reached.
    pub fn new(nodes: u32, links: &[(Node, Node)]) -> Result<Self, Flaw> {
        if nodes == 0 {
            return Err(Flaw::Empty);
        }
        for &(a, b) in links {
            if let Some(node) = [a, b].into_iter().find(|node| *node >= nodes) {
                return Err(Flaw::Stranger { node, nodes });
            }
            if a == b {
                return Err(Flaw::Loop { node: a });
            }
        }
        let Lists { starts, items } = Lists::sorted(nodes, links);
        // The port at a node. Neighbours ask in ascending order, so the port is the number of earlier requests.
        let mut asked = vec![0; nodes as usize];
        let mut far_end = |node: Node| {
            let place = &mut asked[node as usize];
            *place += 1;
            (node, Port(*place - 1))
        };
        let far = items.into_iter().map(&mut far_end).collect();
        let most_ports = asked.into_iter().max().unwrap_or(0);
        let graph = Self { starts, far, most_ports, diameter: Known::default() };
        match graph.distances(0).iter().position(|distance| *distance == u32::MAX) {
            Some(node) => Err(Flaw::Apart { node: node as Node }),
            None => Ok(graph),
        }
    }

    /// A ring as a stored graph, with the ports of a ring. Small rings keep their parallel links or their loop.
    pub(super) fn of_ring(ring: Ring) -> Self {
        let ends = (0..ring.nodes()).flat_map(|node| [Port::NEXT, Port::PREVIOUS].map(|port| ring.far(node, port)));
        Self {
            starts: (0..=ring.nodes() as usize).map(|node| 2 * node).collect(),
            far: ends.collect(),
            most_ports: ring.most_ports(),
            diameter: Known::default(),
        }
    }

    /// The largest distance between two nodes: exactly, unless that would take too long.
    #[must_use]
    pub fn diameter(&self) -> Diameter {
        *self.diameter.0.get_or_init(|| diameter::diameter(self, diameter::EFFORT))
    }

    /// A read-only view of the graph.
    #[inline]
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View { starts: &self.starts, far: &self.far, most_ports: self.most_ports }
    }

    /// The links, each once and from its smaller end, in ascending order.
    pub fn list_links(&self) -> impl Iterator<Item = (Node, Node)> {
        let from = |node| self.neighbours(node).filter(move |&far| node < far).map(move |far| (node, far));
        (0..self.nodes()).flat_map(from)
    }

    /// The number of bytes needed to build a graph of this size.
    #[must_use]
    pub fn bytes(nodes: u64, links: u64) -> u64 {
        // The given links with room to grow, the lists, and the far ends.
        nodes.saturating_mul(32).saturating_add(links.saturating_mul(16 + 8 + 16))
    }

    /// Whether the ports are those of a ring. Then some node has its larger neighbour at port 0.
    #[must_use]
    pub fn is_oriented(&self) -> bool {
        (0..self.nodes()).any(|node| !self.neighbours(node).is_sorted())
    }

    /// The same network with the ports of a ring. Port 0 leads clockwise, which is from node 0 to its smaller
    /// neighbour. `None` if it is not a ring.
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
        Some(Self { starts: self.starts.clone(), far, most_ports: 2, diameter: self.diameter.clone() })
    }
}

/// The reason why nodes and links are not a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// Some node cannot be reached.
    #[error("the network is not connected: no way leads from node 0 to node {node}")]
    Apart {
        /// The smallest node that cannot be reached.
        node: Node,
    },
    /// There is no node.
    #[error("a network has at least one node")]
    Empty,
    /// A link leads from a node to itself.
    #[error("node {node} has a link to itself: a network has none")]
    Loop {
        /// The node.
        node: Node,
    },
    /// A link leads out of the network.
    #[error("a link leads to node {node}, but there are only {nodes} nodes")]
    Stranger {
        /// The node that the link leads to.
        node: Node,
        /// The number of nodes.
        nodes: u32,
    },
}

/// A list of nodes for every node.
struct Lists {
    /// By node: the index of its first entry in `items`, with one more entry at the end.
    starts: Vec<usize>,
    items: Vec<Node>,
}

impl Lists {
    /// The neighbours of every node, in ascending order and each once.
    fn sorted(nodes: u32, links: &[(Node, Node)]) -> Self {
        let mut starts = vec![0; nodes as usize + 1];
        for &(a, b) in links {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for node in 0..nodes as usize {
            starts[node + 1] += starts[node];
        }
        let (mut items, mut next) = (vec![0; starts[nodes as usize]], starts.clone());
        for (list, item) in links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]) {
            let place = &mut next[list as usize];
            items[*place] = item;
            *place += 1;
        }
        for list in starts.windows(2) {
            items[list[0]..list[1]].sort_unstable();
        }
        Self { starts, items }.without_repeats()
    }

    fn without_repeats(mut self) -> Self {
        let mut kept = 0;
        for node in 0..self.starts.len() - 1 {
            let list = std::mem::replace(&mut self.starts[node], kept)..self.starts[node + 1];
            let first = kept;
            for index in list {
                if kept == first || self.items[kept - 1] != self.items[index] {
                    self.items[kept] = self.items[index];
                    kept += 1;
                }
            }
        }
        *self.starts.last_mut().expect("there is always an end") = kept;
        self.items.truncate(kept);
        self
    }
}

impl Wiring for Graph {
    fn nodes(&self) -> u32 {
        self.view().nodes()
    }

    fn links(&self) -> u64 {
        self.view().links()
    }

    #[inline]
    fn ports(&self, node: Node) -> u32 {
        self.view().ports(node)
    }

    fn most_ports(&self) -> u32 {
        self.most_ports
    }

    #[inline]
    fn far(&self, node: Node, port: Port) -> (Node, Port) {
        self.view().far(node, port)
    }

    #[inline]
    fn direction(&self, node: Node, port: Port) -> usize {
        self.view().direction(node, port)
    }

    #[inline]
    fn neighbours(&self, node: Node) -> impl Iterator<Item = Node> + Clone {
        self.view().behind(node)
    }

    /// Breadth-first search. Its memory accesses have no pattern that a processor could predict, so data is prefetched
    /// in three steps.
    fn distances(&self, from: Node) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.nodes() as usize];
        distances[from as usize] = 0;
        let mut queue = Vec::with_capacity(self.nodes() as usize);
        queue.push(from);
        let mut next = 0;
        while let Some(&node) = queue.get(next) {
            if let Some(&soon) = queue.get(next + 3 * SOON) {
                prefetch_index(&self.starts, soon as usize);
            }
            if let Some(&soon) = queue.get(next + 2 * SOON) {
                prefetch_index(&self.far, self.starts[soon as usize]);
            }
            if let Some(&soon) = queue.get(next + SOON) {
                self.neighbours(soon).take(SOON).for_each(|far| prefetch_index(&distances, far as usize));
            }
            next += 1;
            let distance = distances[node as usize] + 1;
            for far in self.neighbours(node) {
                if distances[far as usize] == u32::MAX {
                    distances[far as usize] = distance;
                    queue.push(far);
                }
            }
        }
        distances
    }
}

/// The prefetch distance of a search, in nodes of the queue.
const SOON: usize = 8;

/// A read-only view of a graph. It holds the slices themselves, so they need not be loaded again after other writes.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    starts: &'a [usize],
    far: &'a [(Node, Port)],
    most_ports: u32,
}

impl<'a> View<'a> {
    /// The nodes behind the ports of a node.
    #[inline]
    fn behind(self, node: Node) -> Behind<'a> {
        let (start, end) = self.span(node);
        Behind(self.far[start..end].iter())
    }

    /// The indices of a node's first port and of the end of its ports.
    #[inline]
    fn span(self, node: Node) -> (usize, usize) {
        let both = &self.starts[node as usize..node as usize + 2];
        (both[0], both[1])
    }
}

/// The nodes behind the ports of a node.
#[derive(Clone, Debug)]
struct Behind<'a>(std::slice::Iter<'a, (Node, Port)>);

impl Iterator for Behind<'_> {
    type Item = Node;

    #[inline]
    fn next(&mut self) -> Option<Node> {
        self.0.next().map(|&(far, _)| far)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    /// Visits the nodes in order. Three or four neighbours, as in a grid, are visited without a loop, which would take
    /// longer than the visits.
    #[inline]
    fn fold<A, F: FnMut(A, Node) -> A>(self, first: A, mut f: F) -> A {
        match *self.0.as_slice() {
            [(a, _), (b, _), (c, _), (d, _)] => [a, b, c, d].into_iter().fold(first, f),
            [(a, _), (b, _), (c, _)] => [a, b, c].into_iter().fold(first, f),
            ref all => all.iter().fold(first, |sum, &(far, _)| f(sum, far)),
        }
    }
}

impl Wiring for View<'_> {
    fn nodes(&self) -> u32 {
        (self.starts.len() - 1) as u32
    }

    fn links(&self) -> u64 {
        self.far.len() as u64 / 2
    }

    #[inline]
    fn ports(&self, node: Node) -> u32 {
        let (start, end) = self.span(node);
        (end - start) as u32
    }

    fn most_ports(&self) -> u32 {
        self.most_ports
    }

    #[inline]
    fn far(&self, node: Node, port: Port) -> (Node, Port) {
        self.far[self.direction(node, port)]
    }

    #[inline]
    fn direction(&self, node: Node, port: Port) -> usize {
        self.starts[node as usize] + port.0 as usize
    }

    #[inline]
    fn neighbours(&self, node: Node) -> impl Iterator<Item = Node> + Clone {
        self.behind(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_link_agree_and_ports_ascend() {
        let graph = Graph::new(5, &[(3, 1), (0, 1), (1, 0), (2, 4), (4, 1), (0, 2)]).unwrap();
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

    /// The links are unordered, and some are given twice.
    #[test]
    fn many_neighbours_are_sorted_too() {
        let all = (0..70u32).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|(a, b)| a % 9 == 0 || a % 7 == b % 7);
        let mut links: Vec<(Node, Node)> = all.map(|(a, b)| if a % 2 == 0 { (a, b) } else { (b, a) }).collect();
        links.sort_by_key(|&(a, b)| (a * 31 + b * 17) % 101);
        links.extend_from_within(..links.len() / 3);
        let graph = Graph::new(70, &links).unwrap();
        let mut degrees = 0;
        for node in 0..70 {
            let mut expected: Vec<Node> =
                links.iter().filter_map(|&(a, b)| if a == node { Some(b) } else { (b == node).then_some(a) }).collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(graph.neighbours(node).collect::<Vec<_>>(), expected);
            degrees = degrees.max(expected.len());
            for port in (0..graph.ports(node)).map(Port) {
                let (far, at) = graph.far(node, port);
                assert_eq!(graph.far(far, at), (node, port));
            }
        }
        assert!(degrees > 60, "there is a hub");
        assert_eq!(graph.most_ports() as usize, degrees);
    }

    #[test]
    fn neighbours_are_the_same_one_by_one_and_all_together() {
        for topology in ["grid:3x4", "path:6", "star:11", "complete:8", "regular:30:3"] {
            let network = topology.parse::<crate::Topology>().unwrap().build(1).unwrap();
            let crate::Wires::Graph(graph) = network.wires else { panic!("{topology} is stored") };
            for node in 0..graph.nodes() {
                let mut together = vec![];
                graph.neighbours(node).for_each(|far| together.push(far));
                let ports = (0..graph.ports(node)).map(Port);
                assert_eq!(together, ports.map(|port| graph.far(node, port).0).collect::<Vec<_>>(), "{topology}");
            }
        }
    }

    #[test]
    fn a_bound_on_the_diameter_holds_from_the_diameter_on() {
        for topology in ["grid:3x4", "path:6", "star:5", "complete:4", "ring:7", "regular:30:3"] {
            let network = topology.parse::<crate::Topology>().unwrap().build(1).unwrap();
            let farthest = |node| network.distances(node).into_iter().max().unwrap_or(0);
            let diameter = (0..network.nodes()).map(farthest).max().unwrap_or(0);
            for bound in 0..3 * diameter + 2 {
                assert_eq!(network.has_diameter_within(bound.into()), bound >= diameter, "{topology} {bound}");
            }
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let refusal = |nodes, links: &[(Node, Node)]| Graph::new(nodes, links).unwrap_err().to_string();
        assert!(refusal(0, &[]).contains("at least one node"));
        assert!(refusal(2, &[(0, 2)]).contains("node 2"));
        assert!(refusal(2, &[(1, 1)]).contains("link to itself"));
        assert!(refusal(4, &[(0, 1), (2, 3)]).contains("from node 0 to node 2"));
    }

    #[test]
    fn a_cycle_is_oriented_as_a_ring() {
        let ring = Graph::new(4, &[(0, 2), (2, 1), (1, 3), (3, 0)]).unwrap().oriented().unwrap();
        let clockwise = |node| ring.far(node, Port::NEXT);
        assert_eq!([0, 2, 1, 3].map(clockwise), [2, 1, 3, 0].map(|next| (next, Port::PREVIOUS)));
        assert_eq!(ring.far(2, Port::PREVIOUS), (0, Port::NEXT));
        assert_eq!(Graph::new(2, &[(0, 1)]).unwrap().oriented(), None);
        assert_eq!(Graph::new(4, &[(0, 1), (1, 2), (2, 0), (2, 3)]).unwrap().oriented(), None);
    }
}
