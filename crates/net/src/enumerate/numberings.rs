//! The numberings of a network's nodes that a process could tell apart, by the numbers of its ports.

use std::collections::{BTreeMap, VecDeque};

use bellwether_core::Port;

use crate::{Graph, Network, Node, Topology, Wires, Wiring};

/// The same network with its nodes numbered in every way, the given numbering first. Numberings that give the same
/// ports are listed once. This is enough where all orders of ids are tried: the node numbers themselves do not matter
/// then.
#[must_use]
pub fn numberings(network: &Network) -> Vec<Network> {
    let nodes = network.nodes();
    let links: Vec<(Node, Node)> = network.list_links().collect();
    let mut found: BTreeMap<Vec<(Node, Port)>, usize> = BTreeMap::new();
    let mut all = vec![];
    let mut numbers: Vec<Node> = (0..nodes).collect();
    loop {
        let renumbered: Vec<_> = links.iter().map(|&(a, b)| (numbers[a as usize], numbers[b as usize])).collect();
        let graph = Graph::new(nodes, &renumbered).expect("it was a network with other numbers");
        found.entry(looks(&graph)).or_insert_with(|| {
            let name = Topology::Graph6(graph.clone()).to_string();
            all.push(Network { name, wires: Wires::Graph(graph), names: vec![] });
            all.len()
        });
        if !advance(&mut numbers) {
            return all;
        }
    }
}

/// A canonical form of a network with its ports. It lists the neighbour behind each port, in the order of discovery,
/// and the port of arrival. Of all starting nodes, the one with the smallest form is used.
fn looks(graph: &Graph) -> Vec<(Node, Port)> {
    (0..graph.nodes()).map(|node| looks_from(graph, node)).min().unwrap_or_default()
}

fn looks_from(graph: &Graph, start: Node) -> Vec<(Node, Port)> {
    let mut met = vec![None; graph.nodes() as usize];
    let (mut count, mut queue, mut looks) = (1, VecDeque::from([start]), vec![]);
    met[start as usize] = Some(0);
    while let Some(node) = queue.pop_front() {
        for port in (0..graph.ports(node)).map(Port) {
            let (far, at) = graph.far(node, port);
            let number = *met[far as usize].get_or_insert_with(|| {
                queue.push_back(far);
                count += 1;
                count - 1
            });
            looks.push((number, at));
        }
        looks.push((Node::MAX, Port(0))); // the last of its ports
    }
    looks
}

/// Advances to the next permutation in lexicographic order. Returns false after the last one.
fn advance(numbers: &mut [Node]) -> bool {
    let Some(place) = (1..numbers.len()).rev().find(|&place| numbers[place - 1] < numbers[place]) else {
        return false;
    };
    let larger = numbers.iter().rposition(|number| *number > numbers[place - 1]).expect("there is a larger one behind");
    numbers.swap(place - 1, larger);
    numbers[place..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::enumerate::{graphs, symmetries};

    fn of(name: &str) -> Vec<Network> {
        numberings(&name.parse::<Topology>().unwrap().build(1).unwrap())
    }

    #[test]
    fn inner_nodes_of_a_path_may_have_their_ports_either_way() {
        assert_eq!(of("path:2").len(), 1);
        assert_eq!(of("path:3").len(), 1);
        // Both clockwise, both away from or both towards each other.
        assert_eq!(of("path:4").len(), 3);
        assert_eq!((of("star:5").len(), of("complete:4").len()), (1, 1));
    }

    /// With all ids, they give all labelled networks: n!/s for a numbering with s symmetries.
    #[test]
    fn every_numbered_graph_looks_like_one_of_them() {
        for (nodes, connected) in [(1, 1), (2, 1), (3, 4), (4, 38), (5, 728)] {
            let mut looked = BTreeSet::new();
            let shapes = graphs(nodes).unwrap();
            for network in shapes.iter().flat_map(numberings) {
                let Wires::Graph(graph) = &network.wires else { panic!("a stored graph") };
                assert!(looked.insert(looks(graph)), "{} stands for another", network.name);
                assert!(symmetries(&network).len() <= nodes as usize);
            }
            let links: Vec<(Node, Node)> = (0..nodes).flat_map(|a| (0..a).map(move |b| (b, a))).collect();
            let mut count = 0;
            for set in 0..1u32 << links.len() {
                let some: Vec<_> =
                    (0..).zip(&links).filter(|(bit, _)| set >> bit & 1 == 1).map(|(_, link)| *link).collect();
                let Ok(graph) = Graph::new(nodes, &some) else { continue };
                if graph.distances(0).contains(&u32::MAX) {
                    continue;
                }
                count += 1;
                assert!(looked.contains(&looks(&graph)), "{some:?}");
            }
            assert_eq!(count, connected, "{nodes} nodes");
        }
    }
}
