//! What the tests share.

use bellwether_net::{Facts, Graph, Network, Node, Topology, Wires, Wiring};
use proptest::prelude::*;

/// The network of this name, with seed 1.
pub fn network(name: &str) -> Network {
    built(name, 1).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The network of this name and seed.
pub fn built(name: &str, seed: u64) -> Result<Network, String> {
    name.parse::<Topology>()?.build(seed)
}

/// The facts of the network with this name.
pub fn facts(name: &str) -> Facts {
    network(name).facts()
}

/// The links of a network.
pub fn links(network: &Network) -> Vec<(Node, Node)> {
    network.list_links().collect()
}

/// Any connected graph with at most this number of nodes. Every node but the first is linked to an earlier one, and
/// further links are added.
pub fn graphs(most: u32) -> impl Strategy<Value = Graph> {
    (1..=most).prop_flat_map(move |nodes| {
        let pair = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
        let tree = proptest::collection::vec(any::<prop::sample::Index>(), nodes as usize - 1);
        (tree, proptest::collection::vec(pair, 0..=nodes as usize)).prop_map(move |(tree, more)| {
            let parent =
                |(child, index): (usize, prop::sample::Index)| (index.index(child + 1) as Node, child as Node + 1);
            let within = |index: prop::sample::Index| index.index(nodes as usize) as Node;
            let mut links: Vec<_> = tree.into_iter().enumerate().map(parent).collect();
            links.extend(more.into_iter().map(|(a, b)| (within(a), within(b))).filter(|(a, b)| a != b));
            Graph::new(nodes, &links).expect("a tree connects it")
        })
    })
}

/// The largest distance between two nodes, found by a search from every node.
pub fn diameter(graph: &Graph) -> u32 {
    (0..graph.nodes()).map(|node| graph.eccentricity(node)).max().unwrap_or(0)
}

/// The graph of a network that is stored and not computed.
pub fn graph(network: &Network) -> &Graph {
    match &network.wires {
        Wires::Graph(graph) => graph,
        Wires::Ring(_) => panic!("{network} is computed"),
    }
}
