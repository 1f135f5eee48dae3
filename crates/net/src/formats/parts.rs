//! The connected parts of a graph that need not be connected. It takes no memory for nodes without links.

use crate::Node;

/// The nodes that have links, and to which part each belongs.
pub struct Parts {
    /// The nodes that have links, in ascending order.
    linked: Vec<Node>,
    /// By index in `linked`: the index of an earlier node of the same part, or the own index of its first node.
    earlier: Vec<usize>,
}

impl Parts {
    pub fn new(links: &[(Node, Node)]) -> Self {
        let mut linked: Vec<Node> = links.iter().flat_map(|&(a, b)| [a, b]).collect();
        linked.sort_unstable();
        linked.dedup();
        let mut parts = Self { earlier: (0..linked.len()).collect(), linked };
        for &(a, b) in links {
            if let (Some(a), Some(b)) = (parts.index(a), parts.index(b)) {
                let (a, b) = (parts.first(a), parts.first(b));
                parts.earlier[a.max(b)] = a.min(b);
            }
        }
        for index in 0..parts.earlier.len() {
            parts.earlier[index] = parts.earlier[parts.earlier[index]];
        }
        parts
    }

    fn index(&self, node: Node) -> Option<usize> {
        self.linked.binary_search(&node).ok()
    }

    /// The index of the first node of a part. The way to it is halved for the next time.
    fn first(&mut self, mut index: usize) -> usize {
        while self.earlier[index] != index {
            self.earlier[index] = self.earlier[self.earlier[index]];
            index = self.earlier[index];
        }
        index
    }

    /// The smallest node that cannot be reached from node 0. It may be one more than the last node.
    pub fn apart(&self) -> Node {
        let reached = |node: &Node| *node == 0 || self.index(0) == Some(0) && self.has_first(*node, 0);
        (0..).find(|node| !reached(node)).unwrap_or(Node::MAX)
    }

    fn has_first(&self, node: Node, first: usize) -> bool {
        self.index(node).is_some_and(|index| self.earlier[index] == first)
    }

    /// The nodes of the largest part in ascending order. Of several, it is the one with the smallest node.
    pub fn largest(&self) -> Vec<Node> {
        let mut sizes = vec![0usize; self.linked.len()];
        self.earlier.iter().for_each(|&first| sizes[first] += 1);
        let Some(first) = (0..sizes.len()).rev().max_by_key(|&index| sizes[index]) else { return vec![0] };
        self.linked.iter().copied().filter(|&node| self.has_first(node, first)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_part_is_found_and_the_first_of_equal_ones() {
        let largest = |links: &[(Node, Node)]| Parts::new(links).largest();
        assert_eq!(largest(&[]), [0]);
        assert_eq!(largest(&[(7, 9), (1, 4)]), [1, 4]);
        assert_eq!(largest(&[(0, 9), (8, 2), (4, 2), (4, 8)]), [2, 4, 8]);
        assert_eq!(largest(&[(5, 4), (4, 3), (3, 2), (2, 1), (0, 4_000_000_000)]), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn the_first_node_apart_is_found() {
        let apart = |links: &[(Node, Node)]| Parts::new(links).apart();
        assert_eq!(apart(&[]), 1);
        assert_eq!(apart(&[(1, 2)]), 1);
        assert_eq!(apart(&[(0, 2), (2, 1), (4, 5)]), 3);
    }
}
