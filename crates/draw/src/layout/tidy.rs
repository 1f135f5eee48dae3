//! Trees, level by level: children below their parent, subtrees as close as they fit (Reingold and Tilford, 1981).

use std::collections::VecDeque;

use bellwether_net::{Network, Node, Wiring};

use crate::svg::Point;

/// The extent of a subtree to the left and to the right on each level, from its root on.
#[derive(Clone, Default)]
struct Contour {
    levels: VecDeque<(f64, f64)>,
    /// A number to be added to all levels.
    offset: f64,
}

/// The places of a tree's nodes. The root is node 0 if the tree is numbered as a heap, otherwise the middle of the
/// longest path.
pub fn tidy(network: &Network) -> Vec<Point> {
    let root = if network.name.starts_with("binary-tree:") { 0 } else { middle(network) };
    let (order, parents) = search(network, root);
    let nodes = network.nodes() as usize;
    // By node: its horizontal distance from its parent.
    let mut shift = vec![0.0; nodes];
    let mut contours: Vec<Contour> = vec![Contour::default(); nodes];
    let mut children: Vec<Vec<Node>> = vec![vec![]; nodes];
    for &node in order.iter().skip(1) {
        children[parents[node as usize] as usize].push(node);
    }
    for &node in order.iter().rev() {
        let contour = join(&children[node as usize], &mut shift, &mut contours);
        contours[node as usize] = contour;
    }
    let mut places = vec![(0.0, 0.0); nodes];
    for &node in order.iter().skip(1) {
        let (x, y) = places[parents[node as usize] as usize];
        places[node as usize] = (x + shift[node as usize], y + 1.3);
    }
    places
}

/// Puts subtrees side by side, with their parent above the middle. Returns the contour of all. Of two contours the
/// shorter one is walked and the longer one kept, so the total time is nearly linear.
fn join(children: &[Node], shift: &mut [f64], contours: &mut [Contour]) -> Contour {
    let mut whole = Contour::default();
    for &child in children {
        let mut mine = std::mem::take(&mut contours[child as usize]);
        let overlap = |(left, right): (&(f64, f64), &(f64, f64))| left.1 + whole.offset - (right.0 + mine.offset);
        let place = whole.levels.iter().zip(&mine.levels).map(overlap).reduce(f64::max).map_or(0.0, |most| most + 1.0);
        shift[child as usize] = place;
        mine.offset += place;
        if mine.levels.len() > whole.levels.len() {
            for (mine_at, left) in mine.levels.iter_mut().zip(&whole.levels) {
                mine_at.0 = left.0 + whole.offset - mine.offset;
            }
            whole = mine;
        } else {
            for (whole_at, right) in whole.levels.iter_mut().zip(&mine.levels) {
                whole_at.1 = right.1 + mine.offset - whole.offset;
            }
        }
    }
    if let (Some(first), Some(last)) = (children.first(), children.last()) {
        let middle = (shift[*first as usize] + shift[*last as usize]) / 2.0;
        children.iter().for_each(|child| shift[*child as usize] -= middle);
        whole.offset -= middle;
    }
    whole.levels.push_front((-whole.offset, -whole.offset));
    whole
}

/// The nodes by distance from the root, and the parent of each node.
fn search(network: &Network, root: Node) -> (Vec<Node>, Vec<Node>) {
    let mut parents = vec![root; network.nodes() as usize];
    let mut order = vec![root];
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        let parent = parents[node as usize];
        for far in network.neighbours(node).filter(|far| *far != parent) {
            parents[far as usize] = node;
            order.push(far);
        }
    }
    (order, parents)
}

/// The middle of the longest path.
fn middle(network: &Network) -> Node {
    let farthest = |from| search(network, from).0.last().copied().unwrap_or(from);
    let end = farthest(0);
    let (order, parents) = search(network, end);
    let mut path = vec![order[order.len() - 1]];
    while path[path.len() - 1] != end {
        path.push(parents[path[path.len() - 1] as usize]);
    }
    path[path.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether_net::Topology;

    #[test]
    fn no_two_nodes_of_a_level_are_closer_than_one() {
        for name in ["binary-tree:15", "tree:60", "tree:500"] {
            let network = name.parse::<Topology>().unwrap().build(3).unwrap();
            let mut places = tidy(&network);
            places.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0)));
            let apart = places.windows(2).filter(|pair| pair[0].1 == pair[1].1).map(|pair| pair[1].0 - pair[0].0);
            assert!(apart.reduce(f64::min).unwrap() >= 1.0 - 1e-9, "{name}");
        }
    }

    #[test]
    fn a_parent_is_above_the_middle_of_its_children() {
        let network = "binary-tree:7".parse::<Topology>().unwrap().build(1).unwrap();
        let xs: Vec<f64> = tidy(&network).iter().map(|place| place.0).collect();
        assert_eq!(xs, [0.0, -1.0, 1.0, -1.5, -0.5, 0.5, 1.5]);
    }
}
