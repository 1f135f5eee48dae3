//! The orders of ids and the sets of nodes in a network. Cases that a symmetry turns into each other are listed once.

use std::iter;

use bellwether_core::Id;

use crate::Node;

/// All orders of the ids from 1, by node and in lexicographic order. Of the orders that symmetries turn into each
/// other, only the first is listed. Orders are made one by one, and no work is wasted on others.
///
/// The symmetries must form a group, such as [those of a network](super::symmetries()). Without symmetries, all orders
/// are different.
pub fn orders(nodes: u32, symmetries: &[Vec<Node>]) -> impl Iterator<Item = Vec<Id>> + use<> {
    Orders { smaller: smaller(nodes, symmetries), ids: vec![], tried: 0 }
}

/// By node: the nodes whose ids must be smaller, so that an order comes before its images.
///
/// All ids are different. So the first node that a symmetry moves decides, and the symmetry moves it to a later node.
fn smaller(nodes: u32, symmetries: &[Vec<Node>]) -> Vec<Vec<usize>> {
    let first_moved = |symmetry: &Vec<Node>| (0..).zip(symmetry.iter().copied()).find(|(node, image)| node != image);
    let mut smaller = vec![vec![]; nodes as usize];
    for (node, image) in symmetries.iter().filter_map(first_moved) {
        if let Some(smaller) = smaller.get_mut(image as usize) {
            smaller.push(node as usize);
        }
    }
    smaller
}

/// Goes through the orders by backtracking.
struct Orders {
    /// By node: the nodes whose ids must be smaller.
    smaller: Vec<Vec<usize>>,
    /// The ids of the first nodes.
    ids: Vec<u64>,
    /// The next node's id must be larger than this: smaller ids have been tried.
    tried: u64,
}

impl Orders {
    fn nodes(&self) -> usize {
        self.smaller.len()
    }

    /// The smallest id for the next node that has not been tried.
    fn next_id(&self) -> Option<u64> {
        let smaller = self.smaller.get(self.ids.len())?;
        let above = smaller.iter().filter_map(|&node| self.ids.get(node)).chain([&self.tried]).max()?;
        (above + 1..=self.nodes() as u64).find(|id| !self.ids.contains(id))
    }

    /// Whether the remaining ids are large enough for the remaining nodes. Counting is enough, because the symmetries
    /// are a group.
    fn can_be_completed(&self) -> bool {
        let left = &self.smaller[self.ids.len()..];
        self.ids.iter().all(|bound| {
            let known = |node: &usize| self.ids.get(*node);
            let above = left.iter().filter(|smaller| smaller.iter().filter_map(known).any(|id| id >= bound)).count();
            let taken = self.ids.iter().filter(|id| *id > bound).count();
            above + taken <= self.nodes() - *bound as usize
        })
    }
}

impl Iterator for Orders {
    type Item = Vec<Id>;

    fn next(&mut self) -> Option<Vec<Id>> {
        loop {
            match self.next_id() {
                Some(id) => {
                    self.ids.push(id);
                    self.tried = if self.can_be_completed() { 0 } else { self.ids.pop()? };
                }
                None => self.tried = self.ids.pop()?,
            }
            if self.ids.len() == self.nodes() {
                let order = self.ids.iter().copied().map(Id).collect();
                self.tried = self.ids.pop()?;
                return Some(order);
            }
        }
    }
}

/// All sets of nodes but the empty one, first by size and then in lexicographic order. Of the sets that symmetries turn
/// into each other, only the first is listed. The nodes of a set are in ascending order.
pub fn sets(nodes: u32, symmetries: &[Vec<Node>]) -> impl Iterator<Item = Vec<Node>> {
    let comes_first = |set: &Vec<Node>| {
        symmetries.iter().all(|symmetry| {
            let mut image: Vec<Node> = set.iter().filter_map(|&node| symmetry.get(node as usize).copied()).collect();
            image.sort_unstable();
            *set <= image
        })
    };
    (1..=nodes).flat_map(move |size| sets_of(size, nodes)).filter(comes_first)
}

/// All sets of this size, in lexicographic order.
fn sets_of(size: u32, nodes: u32) -> impl Iterator<Item = Vec<Node>> {
    iter::successors(Some((0..size).collect()), move |set: &Vec<Node>| {
        // The last node that can still move moves by one, and the later nodes follow directly behind it.
        let last = (0..size).rev().find(|&place| set[place as usize] < nodes - size + place)?;
        let (kept, moved) = set.split_at(last as usize);
        let next = moved.first()? + 1;
        Some(kept.iter().copied().chain(next..next + size - last).collect())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Network, Topology, Wiring, enumerate};

    fn ring(nodes: u32) -> Network {
        format!("ring:{nodes}").parse::<Topology>().unwrap().build(0).unwrap()
    }

    fn rotations(nodes: u32) -> Vec<Vec<Node>> {
        enumerate::symmetries(&ring(nodes))
    }

    /// Rotations and reflections: a group that leaves some nodes where they are.
    fn dihedral(nodes: u32) -> Vec<Vec<Node>> {
        let mirrored = |turned: &Vec<Node>| turned.iter().rev().copied().collect();
        let rotations = rotations(nodes);
        rotations.iter().cloned().chain(rotations.iter().map(mirrored)).collect()
    }

    /// All renamings: only one order is left.
    fn all_renamings(nodes: u32) -> Vec<Vec<Node>> {
        orders(nodes, &[]).map(|order| order.into_iter().map(|id| id.0 as Node - 1).collect()).collect()
    }

    /// All renamings that permute each of two halves.
    fn two_halves(half: u32) -> Vec<Vec<Node>> {
        let renamings = all_renamings(half);
        let both = |a: &Vec<Node>, b: &Vec<Node>| a.iter().copied().chain(b.iter().map(|node| node + half)).collect();
        renamings.iter().flat_map(|a| renamings.iter().map(move |b| both(a, b))).collect()
    }

    fn image_of_order(order: &[Id], symmetry: &[Node]) -> Vec<Id> {
        symmetry.iter().map(|&node| order[node as usize]).collect()
    }

    fn image_of_set(set: &[Node], symmetry: &[Node]) -> Vec<Node> {
        let image: BTreeSet<Node> = set.iter().map(|&node| symmetry[node as usize]).collect();
        image.into_iter().collect()
    }

    fn groups() -> Vec<(u32, Vec<Vec<Node>>)> {
        let of_rings = (1..=6).flat_map(|nodes| [(nodes, rotations(nodes)), (nodes, dihedral(nodes))]);
        let of_renamings = (1..=5).map(|nodes| (nodes, all_renamings(nodes)));
        let of_graphs = (1..=6).flat_map(|nodes| enumerate::graphs(nodes).unwrap()).take(80);
        let of_graphs = of_graphs.map(|network| (network.nodes(), enumerate::symmetries(&network)));
        let of_halves = (1..=3).map(|half| (2 * half, two_halves(half)));
        of_rings.chain(of_renamings).chain(of_graphs).chain(of_halves).collect()
    }

    #[test]
    fn without_symmetries_all_orders_come_in_lexicographic_order() {
        let all: Vec<_> = orders(3, &[]).map(|order| order.into_iter().map(|id| id.0).collect::<Vec<_>>()).collect();
        assert_eq!(all, [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]]);
        assert_eq!([0, 1, 2, 5, 7].map(|nodes| orders(nodes, &[]).count()), [0, 1, 2, 120, 5040]);
    }

    #[test]
    fn on_a_ring_one_node_may_have_the_smallest_id() {
        for (nodes, factorial) in (1..=8).zip([1, 1, 2, 6, 24, 120, 720, 5040]) {
            let orders: Vec<_> = orders(nodes, &rotations(nodes)).collect();
            assert_eq!(orders.len(), factorial);
            assert!(orders.iter().all(|order| order[0] == Id(1)));
        }
    }

    #[test]
    fn orders_are_the_first_of_their_classes() {
        for (nodes, symmetries) in groups() {
            let first = |order: &Vec<Id>| symmetries.iter().all(|symmetry| *order <= image_of_order(order, symmetry));
            let expected: Vec<_> = orders(nodes, &[]).filter(first).collect();
            assert_eq!(orders(nodes, &symmetries).collect::<Vec<_>>(), expected, "{nodes} nodes, {symmetries:?}");
        }
    }

    /// The search must end directly after the last order. With dead ends it would have to backtrack.
    #[test]
    fn no_way_is_gone_in_vain() {
        let after = |symmetries: &[Vec<Node>], last: Vec<u64>| {
            let smaller = smaller(last.len() as u32, symmetries);
            let tried = last[last.len() - 1];
            Orders { smaller, ids: last[..last.len() - 1].to_vec(), tried }.next()
        };
        let turned = [1].into_iter().chain((2..=30).rev()).collect();
        assert_eq!(after(&rotations(30), turned), None);
        let mirrored = [1].into_iter().chain((2..=29).rev()).chain([30]).collect();
        assert_eq!(after(&dihedral(30), mirrored), None);
    }

    #[test]
    fn an_iterator_that_has_ended_stays_so() {
        let mut orders = orders(2, &rotations(2));
        assert_eq!(orders.next(), Some(vec![Id(1), Id(2)]));
        assert_eq!([orders.next(), orders.next()], [None, None]);
    }

    #[test]
    fn without_symmetries_all_sets_come_smallest_first() {
        let all: Vec<_> = sets(3, &[]).collect();
        assert_eq!(all, [vec![0], vec![1], vec![2], vec![0, 1], vec![0, 2], vec![1, 2], vec![0, 1, 2]]);
        assert_eq!([0, 1, 4, 10].map(|nodes| sets(nodes, &[]).count()), [0, 1, 15, 1023]);
    }

    /// Necklaces of two colours, without the one that has only the first colour: OEIS A000031.
    #[test]
    fn on_a_ring_there_are_as_many_sets_as_necklaces() {
        let counts: Vec<_> = (1..=10).map(|nodes| sets(nodes, &rotations(nodes)).count()).collect();
        assert_eq!(counts, [1, 2, 3, 5, 7, 13, 19, 35, 59, 107]);
    }

    #[test]
    fn sets_are_the_first_of_their_classes() {
        for (nodes, symmetries) in groups() {
            let first = |set: &Vec<Node>| symmetries.iter().all(|symmetry| *set <= image_of_set(set, symmetry));
            let expected: Vec<_> = sets(nodes, &[]).filter(first).collect();
            assert_eq!(sets(nodes, &symmetries).collect::<Vec<_>>(), expected, "{nodes} nodes, {symmetries:?}");
        }
    }
}
