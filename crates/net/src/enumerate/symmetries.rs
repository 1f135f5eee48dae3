//! The symmetries of a network.

use bellwether_core::Port;

use crate::{Network, Node, Wiring};

/// All renamings of the nodes that no process could notice. They map links to links and keep the port numbers at both
/// ends. Each lists the new name by node, and the identity comes first. On a ring they are its rotations.
///
/// The image of one node determines the images of all others along the ports. So there are at most as many symmetries
/// as nodes, and only the identity leaves any node in place.
#[must_use]
pub fn symmetries(network: &Network) -> Vec<Vec<Node>> {
    (0..network.nodes()).filter_map(|image| symmetry(network, image)).collect()
}

/// The symmetry that renames node 0 to this one, if there is one.
///
/// Every node is reached from node 0. Every node is also an image, because the neighbours of a node are mapped onto all
/// neighbours of its image. So a mapping without contradictions is a renaming.
fn symmetry(network: &Network, image: Node) -> Option<Vec<Node>> {
    let mut images = vec![None; network.nodes() as usize];
    *images.first_mut()? = Some(image);
    let mut reached = vec![(0, image)];
    while let Some((node, image)) = reached.pop() {
        if network.ports(node) != network.ports(image) {
            return None;
        }
        for port in (0..network.ports(node)).map(Port) {
            let ((far, at), (far_image, at_image)) = (network.far(node, port), network.far(image, port));
            if at != at_image {
                return None;
            }
            match images[far as usize] {
                None => {
                    images[far as usize] = Some(far_image);
                    reached.push((far, far_image));
                }
                Some(known) if known != far_image => return None,
                Some(_) => {}
            }
        }
    }
    images.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Topology, enumerate};

    fn of(name: &str) -> Vec<Vec<Node>> {
        symmetries(&network(name))
    }

    fn network(name: &str) -> Network {
        name.parse::<Topology>().unwrap().build(1).unwrap()
    }

    /// Whether a renaming keeps links and ports, checked one by one.
    fn keeps(network: &Network, renaming: &[Node]) -> bool {
        let new = |node: Node| renaming[node as usize];
        (0..network.nodes()).all(|node| {
            network.ports(node) == network.ports(new(node))
                && (0..network.ports(node)).map(Port).all(|port| {
                    let (far, at) = network.far(node, port);
                    network.far(new(node), port) == (new(far), at)
                })
        })
    }

    #[test]
    fn a_ring_can_be_turned() {
        assert_eq!(of("ring:1"), [[0]]);
        assert_eq!(of("ring:2"), [[0, 1], [1, 0]]);
        assert_eq!(of("ring:4"), [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]);
        let oriented = network("regular:7:2").as_ring().unwrap();
        assert_eq!(symmetries(&oriented).len(), 7);
    }

    #[test]
    fn ports_tell_apart_what_links_do_not() {
        assert_eq!(of("path:1"), [[0]]);
        assert_eq!(of("path:2"), [[0, 1], [1, 0]]);
        // The middle has one end at port 0 and the other at port 1.
        assert_eq!(of("path:3"), [[0, 1, 2]]);
        assert_eq!(of("star:4"), [[0, 1, 2, 3]]);
        // The upper row has ports 0 along it and the lower row ports 1, so only the columns can change places.
        assert_eq!(of("grid:2x2"), [[0, 1, 2, 3], [1, 0, 3, 2]]);
    }

    #[test]
    fn on_all_small_networks_they_are_those_that_brute_force_finds() {
        for nodes in 1..=6 {
            let all: Vec<Vec<Node>> = enumerate::orders(nodes, &[])
                .map(|order| order.into_iter().map(|id| id.0 as Node - 1).collect())
                .collect();
            for network in enumerate::graphs(nodes).unwrap() {
                let kept: Vec<_> = all.iter().filter(|renaming| keeps(&network, renaming)).cloned().collect();
                assert_eq!(symmetries(&network), kept, "{network}");
            }
        }
    }

    proptest! {
        #[test]
        fn symmetries_keep_ports_and_can_be_done_one_after_the_other(nodes in 1..40u32, seed: u64) {
            let networks = ["ring", "complete", "hypercube", "gnp"].map(|name| match name {
                "hypercube" => format!("hypercube:{}", nodes % 5),
                "gnp" => format!("gnp:{nodes}:0.9"),
                _ => format!("{name}:{nodes}"),
            });
            for name in networks {
                let network = name.parse::<Topology>().unwrap().build(seed).unwrap();
                let all = symmetries(&network);
                prop_assert_eq!(&all[0], &(0..network.nodes()).collect::<Vec<_>>());
                prop_assert!(all.is_sorted());
                for (first, second) in all.iter().zip(&all[all.len() / 2..]) {
                    prop_assert!(keeps(&network, first));
                    prop_assert!(all.contains(&first.iter().map(|&node| second[node as usize]).collect()));
                }
            }
        }
    }
}
