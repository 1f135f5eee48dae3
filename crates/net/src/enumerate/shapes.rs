//! Every connected graph and every tree of a size, one per isomorphism class ("shape").
//!
//! Every connected graph stays connected without some node, and every tree stays a tree without a leaf. So the larger
//! ones are found by adding a node in every way and keeping one of each shape.

use std::collections::BTreeSet;

use crate::{Graph, Network, Node, Topology, Wires};

/// The largest number of nodes for which graphs are listed: there are 853 with 7 nodes, and 11117 with 8.
const MOST_OF_A_GRAPH: u32 = 7;

/// The largest number of nodes for which trees are listed: there are 106.
const MOST_OF_A_TREE: u32 = 10;

/// Every connected graph with this number of nodes, one of each shape. Graphs with fewer links come first. Every node
/// but the first is linked to an earlier one. Their names are [specifications](Topology) of them.
///
/// # Errors
/// If there is no node, or more than 7.
pub fn graphs(nodes: u32) -> Result<Vec<Network>, String> {
    all("connected graphs", nodes, MOST_OF_A_GRAPH, |size| (1..1 << size).collect())
}

/// Every tree with this number of nodes, one of each shape, from the path to the star. Numbers and names are as for
/// [`graphs`].
///
/// # Errors
/// If there is no node, or more than 10.
pub fn trees(nodes: u32) -> Result<Vec<Network>, String> {
    all("trees", nodes, MOST_OF_A_TREE, |size| (0..size).map(|node| 1 << node).collect())
}

/// All networks that grow from a single node by adding nodes. Each new node is linked to one of the sets of nodes
/// allowed for that size.
fn all(what: &str, nodes: u32, most: u32, sets: impl Fn(u32) -> Vec<u32>) -> Result<Vec<Network>, String> {
    if nodes == 0 || nodes > most {
        return Err(format!("{what} are listed for 1 to {most} nodes, not for {nodes}"));
    }
    let mut shapes = BTreeSet::from([Shape { columns: vec![0] }]);
    for size in 1..nodes {
        let sets = sets(size);
        let grown = |shape: &Shape| {
            let smaller = shape.neighbours();
            sets.iter().map(|&set| Shape::of(&with_a_node(&smaller, set))).collect::<Vec<_>>()
        };
        shapes = shapes.iter().flat_map(grown).collect();
    }
    let mut shapes: Vec<Shape> = shapes.into_iter().collect();
    shapes.sort_by_key(Shape::links);
    shapes.iter().map(Shape::network).collect()
}

/// The sets of neighbours after adding a node that is linked to the nodes of a set.
fn with_a_node(neighbours: &[u32], set: u32) -> Vec<u32> {
    let newcomer = neighbours.len();
    let old = neighbours.iter().enumerate().map(|(node, &others)| others | (set >> node & 1) << newcomer);
    old.chain([set]).collect()
}

/// The canonical form of isomorphic graphs: the numbering with the largest upper half of the adjacency matrix, read
/// column by column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    /// By node: its earlier neighbours, the first of them as the highest bit.
    columns: Vec<u32>,
}

impl Shape {
    /// The shape of a graph, given by the set of neighbours of each node.
    ///
    /// The largest matrix begins with the largest columns. So it is enough to follow all numberings at once, node by
    /// node, and to continue with those that have the largest column.
    fn of(neighbours: &[u32]) -> Self {
        let mut columns = Vec::new();
        let mut numberings = vec![vec![]];
        for _ in neighbours {
            let mut largest = 0;
            let mut longer: Vec<Vec<usize>> = vec![];
            for numbering in &numberings {
                for node in (0..neighbours.len()).filter(|node| may_follow(neighbours, numbering, *node)) {
                    let linked = |column, &earlier: &usize| column << 1 | (neighbours[node] >> earlier & 1);
                    let column = numbering.iter().fold(0, linked);
                    if column > largest {
                        longer.clear();
                        largest = column;
                    }
                    if column == largest {
                        longer.push(numbering.iter().copied().chain([node]).collect());
                    }
                }
            }
            columns.push(largest);
            numberings = longer;
        }
        Self { columns }
    }

    /// By node: its set of neighbours.
    fn neighbours(&self) -> Vec<u32> {
        let mut neighbours = vec![0; self.columns.len()];
        for (a, b) in self.list_links() {
            neighbours[a as usize] |= 1 << b;
            neighbours[b as usize] |= 1 << a;
        }
        neighbours
    }

    fn list_links(&self) -> impl Iterator<Item = (Node, Node)> {
        let of_column = |(node, &column): (usize, &u32)| {
            let node = node as Node;
            (0..node).filter(move |earlier| column >> (node - 1 - earlier) & 1 == 1).map(move |earlier| (earlier, node))
        };
        self.columns.iter().enumerate().flat_map(of_column)
    }

    fn links(&self) -> u32 {
        self.columns.iter().map(|column| column.count_ones()).sum()
    }

    fn network(&self) -> Result<Network, String> {
        let links: Vec<_> = self.list_links().collect();
        let graph = Graph::new(self.columns.len() as u32, &links).map_err(|flaw| flaw.to_string())?;
        let name = Topology::Graph6(graph.clone()).to_string();
        Ok(Network { name, wires: Wires::Graph(graph), names: vec![] })
    }
}

/// Whether a node may be numbered next. It must not have a number yet. Of nodes with the same neighbours, which are
/// interchangeable, only the first may be next. Otherwise all numberings of a star or a complete graph would be
/// followed.
fn may_follow(neighbours: &[u32], numbering: &[usize], node: usize) -> bool {
    let are_twins = |other: &usize| {
        let both = 1 << node | 1 << other;
        neighbours[node] & !both == neighbours[*other] & !both
    };
    !numbering.contains(&node) && (0..node).filter(are_twins).all(|twin| numbering.contains(&twin))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Wiring;

    fn names(networks: &[Network]) -> Vec<&str> {
        networks.iter().map(|network| network.name.as_str()).collect()
    }

    /// OEIS A001349.
    #[test]
    fn there_are_as_many_connected_graphs_as_others_counted() {
        let counts: Vec<_> = (1..=7).map(|nodes| graphs(nodes).unwrap().len()).collect();
        assert_eq!(counts, [1, 1, 2, 6, 21, 112, 853]);
    }

    /// OEIS A000055.
    #[test]
    fn there_are_as_many_trees_as_others_counted() {
        let counts: Vec<_> = (1..=10).map(|nodes| trees(nodes).unwrap().len()).collect();
        assert_eq!(counts, [1, 1, 1, 2, 3, 6, 11, 23, 47, 106]);
    }

    #[test]
    fn trees_are_the_graphs_that_are_trees() {
        for nodes in 1..=7 {
            let graphs = graphs(nodes).unwrap();
            let trees = trees(nodes).unwrap();
            assert!(trees.iter().all(Network::is_tree));
            assert_eq!(graphs[..trees.len()], trees);
            assert!(!graphs[trees.len()..].iter().any(Network::is_tree));
        }
    }

    #[test]
    fn the_fewest_links_come_first_and_the_complete_graph_last() {
        assert_eq!(
            names(&graphs(4).unwrap()),
            ["graph6:Cq", "graph6:Cs", "graph6:Cr", "graph6:C{", "graph6:C}", "graph6:C~"]
        );
        let graphs = graphs(6).unwrap();
        assert!(graphs.is_sorted_by_key(Wiring::links));
        assert!(graphs[graphs.len() - 1].is_complete());
    }

    #[test]
    fn a_name_gives_the_network_again() {
        for network in [graphs(5).unwrap(), trees(9).unwrap()].concat() {
            assert_eq!(network.name.parse::<Topology>().unwrap().build(0).unwrap(), network);
        }
    }

    #[test]
    fn a_size_that_is_not_listed_is_refused_with_the_limit() {
        assert_eq!(graphs(8).unwrap_err(), "connected graphs are listed for 1 to 7 nodes, not for 8");
        assert_eq!(trees(0).unwrap_err(), "trees are listed for 1 to 10 nodes, not for 0");
        assert_eq!(trees(u32::MAX).unwrap_err(), "trees are listed for 1 to 10 nodes, not for 4294967295");
    }

    /// Any connected graph of 7 nodes, and another order of its nodes.
    fn renumbered() -> impl Strategy<Value = (Vec<u32>, Vec<usize>)> {
        let graph = proptest::collection::vec(any::<u32>(), 6).prop_map(|sets| {
            let grow = |graph: Vec<u32>, set: u32| {
                let set = set % (1 << graph.len());
                with_a_node(&graph, set.max(1))
            };
            sets.into_iter().fold(vec![0], grow)
        });
        (graph, Just((0..7).collect::<Vec<_>>()).prop_shuffle())
    }

    proptest! {
        #[test]
        fn a_shape_does_not_depend_on_the_numbers((graph, order) in renumbered()) {
            let mut other = vec![0; 7];
            for (node, &set) in graph.iter().enumerate() {
                other[order[node]] = (0..7).filter(|far| set >> far & 1 == 1).map(|far| 1 << order[far]).sum();
            }
            let shape = Shape::of(&graph);
            prop_assert_eq!(&shape, &Shape::of(&other));
            prop_assert_eq!(&shape, &Shape::of(&shape.neighbours()));
        }
    }
}
