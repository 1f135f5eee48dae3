//! Selects the nodes that have lanes, and their order.

use std::fmt;
use std::str::FromStr;

use bellwether_core::Id;
use bellwether_net::{Network, Node, Wiring};

/// The selected lanes, as they are typed: `0,3,5-9`, or `by-id`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Lanes {
    /// All nodes, in the order of their numbers. On a tree: in the order of a walk through it, so that neighbours are
    /// near each other.
    #[default]
    All,
    /// All nodes, in the order of their ids.
    ById,
    /// These nodes, in this order.
    These(String),
}

impl Lanes {
    /// The nodes that have lanes.
    ///
    /// # Errors
    /// If there is no such node, or one is named twice.
    pub fn nodes(&self, network: &Network, ids: &[Id]) -> Result<Vec<Node>, String> {
        let mut all: Vec<Node> = (0..network.nodes()).collect();
        match self {
            Self::All if network.is_tree() => Ok(walk(network)),
            Self::All => Ok(all),
            Self::ById => {
                all.sort_by_key(|&node| ids.get(node as usize));
                Ok(all)
            }
            Self::These(text) => {
                let mut seen = vec![false; all.len()];
                let mut nodes = vec![];
                for item in text.split(',') {
                    for node in network.find_range(item.trim())? {
                        if std::mem::replace(&mut seen[node as usize], true) {
                            return Err(format!("node {} has a lane already", network.printed_name(node)));
                        }
                        nodes.push(node);
                    }
                }
                Ok(nodes)
            }
        }
    }
}

/// The nodes of a tree in the order of a walk from one end of a longest path to the other. Branches come before the
/// rest of the path, and short ones first. So a node is near its neighbours.
fn walk(network: &Network) -> Vec<Node> {
    let farthest = |from: Node| {
        let distances = network.distances(from);
        (0..network.nodes()).rev().max_by_key(|node| distances[*node as usize]).unwrap_or(from)
    };
    // A node that is farthest from any node is the end of a longest path.
    let ends = [farthest(farthest(0)), farthest(0)];
    let start = ends[0].min(ends[1]);
    let distances = network.distances(start);
    let mut outwards: Vec<Node> = (0..network.nodes()).collect();
    outwards.sort_by_key(|node| distances[*node as usize]);
    let parent = |node: Node| network.neighbours(node).find(|far| distances[*far as usize] < distances[node as usize]);
    let mut heights = vec![0; outwards.len()];
    for node in outwards.iter().rev() {
        if let Some(parent) = parent(*node) {
            heights[parent as usize] = heights[parent as usize].max(heights[*node as usize] + 1);
        }
    }
    let (mut order, mut stack) = (vec![], vec![start]);
    while let Some(node) = stack.pop() {
        order.push(node);
        let is_child = |far: &Node| distances[*far as usize] > distances[node as usize];
        let mut children: Vec<Node> = network.neighbours(node).filter(is_child).collect();
        children.sort_by_key(|child| std::cmp::Reverse((heights[*child as usize], *child)));
        stack.extend(children);
    }
    order
}

impl FromStr for Lanes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "by-id" => Ok(Self::ById),
            _ if text.split(',').any(|item| item.trim().is_empty()) => {
                Err("lanes are by-id, or a list of nodes such as 0,3,5-9".into())
            }
            _ => Ok(Self::These(text.into())),
        }
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "all",
            Self::ById => "by-id",
            Self::These(text) => text,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether_net::Ring;

    #[test]
    fn lanes_are_chosen_and_ordered() {
        let network = Network::from(Ring::new(10).unwrap());
        let ids: Vec<Id> = (0..10).map(|node| Id((7 * node) % 10)).collect();
        let nodes = |text: &str| text.parse::<Lanes>()?.nodes(&network, &ids);
        assert_eq!(nodes("0,3,5-9"), Ok(vec![0, 3, 5, 6, 7, 8, 9]));
        assert_eq!(nodes("4-2, 0"), Ok(vec![4, 3, 2, 0]));
        assert_eq!(nodes("by-id"), Ok(vec![0, 3, 6, 9, 2, 5, 8, 1, 4, 7]));
        assert!(nodes("0,10").unwrap_err().contains("no node 10"));
        assert!(nodes("0,0-2").unwrap_err().contains("node 0 has a lane already"));
        assert!(nodes("1,,2").unwrap_err().contains("0,3,5-9"));
    }

    #[test]
    fn lanes_of_a_tree_follow_a_walk_through_it() {
        let lanes = |topology: &str| {
            let network = topology.parse::<bellwether_net::Topology>().unwrap().build(1).unwrap();
            (Lanes::All.nodes(&network, &[]).unwrap(), network)
        };
        assert_eq!(lanes("path:5").0, [0, 1, 2, 3, 4]);
        assert_eq!(lanes("star:5").0, [1, 0, 2, 3, 4]);
        // A leaf, its parent, the other leaf, the root, and the same on the other side.
        assert_eq!(lanes("binary-tree:7").0, [3, 1, 4, 0, 2, 5, 6]);
        for seed in 1..40 {
            let network = "tree:30".parse::<bellwether_net::Topology>().unwrap().build(seed).unwrap();
            let order = Lanes::All.nodes(&network, &[]).unwrap();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..30), "{order:?}");
            // Every node after the first follows a node that it is linked to, or a branch of such a node.
            let place = |node: Node| order.iter().position(|other| *other == node).unwrap();
            let spread = |place: &dyn Fn(Node) -> usize| -> usize {
                let links = (0..30).flat_map(|node| network.neighbours(node).map(move |far| (node, far)));
                links.map(|(a, b)| place(a).abs_diff(place(b))).sum()
            };
            assert!(spread(&place) < spread(&|node| node as usize), "seed {seed}: {order:?}");
        }
    }

    #[test]
    fn a_name_may_have_a_dash_in_it() {
        let names = ["a-b", "c", "d-e"].map(String::from).to_vec();
        let network = Network { names, ..Network::from(Ring::new(3).unwrap()) };
        let nodes = |text: &str| Lanes::These(text.into()).nodes(&network, &[]);
        assert_eq!(nodes("c,a-b"), Ok(vec![1, 0]));
        assert_eq!(nodes("a-b-d-e"), Ok(vec![0, 1, 2]));
    }
}
