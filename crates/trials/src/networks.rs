//! Networks for tests: every small one of a kind, and random ones.

use std::fmt::Write as _;

use bellwether_core::{Info, Starts, TopologyKind};
use bellwether_net::{Graph, Network, Node, Ring, Wires, Wiring};
use bellwether_random::{Purpose, Stream};
use bellwether_world::Scenario;

use crate::theory::some_start;
use crate::{initiator_sets, on, orders, started_by};

/// A link between two nodes.
pub type Link = (Node, Node);

/// The network with these links, which are also its name.
pub fn network_of(nodes: usize, links: &[Link]) -> Network {
    let graph = Graph::new(nodes as u32, links).expect("a connected network");
    let mut name = format!("{nodes} nodes:");
    links.iter().for_each(|(a, b)| write!(name, " {a}-{b}").expect("a string can be written"));
    Network { name, wires: Wires::Graph(graph), names: vec![] }
}

/// Nodes in a row.
pub fn path(nodes: usize) -> Network {
    let links: Vec<Link> = (1..nodes as Node).map(|node| (node - 1, node)).collect();
    Network { name: format!("path:{nodes}"), ..network_of(nodes, &links) }
}

/// A complete network.
pub fn complete(nodes: usize) -> Network {
    Network { name: format!("complete:{nodes}"), ..network_of(nodes, &pairs(nodes)) }
}

/// A ring of nodes.
pub fn ring_of(nodes: usize) -> Network {
    Ring::new(nodes as u64).expect("a ring").into()
}

/// All pairs of nodes.
fn pairs(nodes: usize) -> Vec<Link> {
    (0..nodes as Node).flat_map(|b| (0..b).map(move |a| (a, b))).collect()
}

/// All labelled trees: n^(n-2) of them (Cayley), each decoded from its Prüfer code.
pub fn trees(nodes: usize) -> Vec<Network> {
    if nodes == 1 {
        return vec![network_of(1, &[])];
    }
    let codes = super::every_word(nodes as u64, nodes - 2);
    codes.map(|code| network_of(nodes, &decoded(&code.iter().map(|&node| node as Node).collect::<Vec<_>>()))).collect()
}

/// The links of the tree with this code: the smallest leaf is linked to the first node of the code, and so on.
fn decoded(code: &[Node]) -> Vec<Link> {
    let nodes = code.len() as Node + 2;
    let mut left: Vec<Node> = (0..nodes).collect();
    let mut links = vec![];
    for (place, &node) in code.iter().enumerate() {
        let leaf = left.iter().position(|leaf| !code[place..].contains(leaf)).expect("a tree has leaves");
        links.push((left.remove(leaf), node));
    }
    links.push((left[0], left[1]));
    links
}

/// All labelled connected graphs: 1, 1, 4, 38, 728 of them.
pub fn connected_graphs(nodes: usize) -> Vec<Network> {
    let pairs = pairs(nodes);
    let some = |set: u32| (0..pairs.len()).filter(move |at| set >> at & 1 == 1).map(|at| pairs[at]).collect::<Vec<_>>();
    let sets = (0..1u32 << pairs.len()).map(some);
    sets.filter(|links| Graph::new(nodes as u32, links).is_ok()).map(|links| network_of(nodes, &links)).collect()
}

/// A random network of a kind. `Connected` gives graphs of all densities, and rings, even the small ones with double
/// links.
pub fn random(kind: TopologyKind, nodes: usize, seed: u64) -> Network {
    let mut chance = Stream::new(seed, Purpose::Ids);
    let mut links: Vec<Link> = (1..nodes as u64).map(|node| (chance.below(node) as Node, node as Node)).collect();
    match kind {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing => ring_of(nodes),
        TopologyKind::Tree => network_of(nodes, &links),
        TopologyKind::Complete => complete(nodes),
        TopologyKind::Connected if seed.is_multiple_of(4) => ring_of(nodes),
        TopologyKind::Connected => {
            let more = pairs(nodes).into_iter().filter(|link| !links.contains(link)).collect::<Vec<_>>();
            // From sparse to dense, by the seed.
            links.extend(more.into_iter().filter(|_| chance.below(4) < seed % 4));
            network_of(nodes, &links)
        }
    }
}

/// Every small election that an algorithm accepts: every network of its kind with up to `largest` nodes, every set of
/// initiators, and ids in every order (unless the networks cover all orders).
pub fn small_elections(info: &'static Info, largest: usize) -> Box<dyn Iterator<Item = Scenario>> {
    let labelled = |nodes: usize| (0..nodes as u64).collect::<Vec<_>>();
    let with_ids: Box<dyn Iterator<Item = Scenario>> = match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing => {
            return Box::new(some_start(largest).map(|it| it.run(info.name)).filter(|it| accepts(info, it)));
        }
        TopologyKind::Tree => Box::new((1..=largest).flat_map(trees).map(move |it| {
            let ids = labelled(it.nodes() as usize);
            on(info.name, it, &ids)
        })),
        TopologyKind::Connected => {
            let loops = (1..=2).map(ring_of);
            Box::new((1..=largest).flat_map(connected_graphs).chain(loops).map(move |it| {
                let ids = labelled(it.nodes() as usize);
                on(info.name, it, &ids)
            }))
        }
        TopologyKind::Complete => {
            Box::new((1..=largest).flat_map(orders).map(|ids| on(info.name, complete(ids.len()), &ids)))
        }
    };
    let sets = |it: Scenario| initiator_sets(it.ids.len()).map(move |set| started_by(it.clone(), &set));
    Box::new(with_ids.flat_map(sets).filter(|it| accepts(info, it)))
}

/// Whether an algorithm accepts these initiators.
pub fn accepts(info: &Info, scenario: &Scenario) -> bool {
    match info.starts {
        Starts::All => scenario.all_start(),
        Starts::One => scenario.initiator_count() == 1,
        Starts::Any | Starts::AnyRound => true,
    }
}

/// By node: the distance to the nearest of these nodes.
pub fn distances(network: &Network, from: &[usize]) -> Vec<u64> {
    let mut distances: Vec<Option<u64>> = vec![None; network.nodes() as usize];
    let mut front: Vec<Node> = from.iter().map(|&node| node as Node).collect();
    for distance in 0.. {
        front.retain(|&node| distances[node as usize].is_none());
        front.iter().for_each(|&node| distances[node as usize] = Some(distance));
        if front.is_empty() {
            break;
        }
        front = front.iter().flat_map(|&node| network.neighbours(node)).collect();
    }
    distances.into_iter().map(|distance| distance.expect("a connected network")).collect()
}

/// The distance to the farthest node.
pub fn eccentricity(network: &Network, node: usize) -> u64 {
    distances(network, &[node]).into_iter().max().expect("a node")
}
