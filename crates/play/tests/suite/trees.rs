//! Elections on every labelled tree of up to six nodes, against formulas that use only the tree and the initiators.

use bellwether_core::Starters;
use bellwether_net::Wiring;
use bellwether_world::{Scenario, Timing};

use crate::support::networks::{distances, eccentricity, path, small_elections, trees};
use crate::support::{elect, info, kinds, leader, on, started_by, timings, units};

/// There are n^(n-2) of them.
#[test]
fn every_tree_is_there() {
    assert_eq!([1, 2, 3, 4, 5, 6].map(|n| trees(n).len()), [1, 1, 3, 16, 125, 1296]);
    assert!(trees(6).iter().all(bellwether_net::Network::is_tree));
    let mut names: Vec<String> = trees(6)
        .iter()
        .map(|tree| (0..6).map(|node| format!("{:?}", tree.neighbours(node).collect::<Vec<_>>())).collect())
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 1296, "no two are the same");
}

#[test]
fn tree_sequential_asks_once_on_every_link() {
    for scenario in small_elections(info("tree-sequential"), 6) {
        let report = elect(&scenario);
        let links = scenario.topology.links();
        assert_eq!(kinds(&report), [("call", links), ("return", links), ("announce", links)], "{scenario:?}");
        let root = initiators(&scenario)[0];
        assert_eq!(report.time, Some(units(2 * links + eccentricity(&scenario.topology, root))), "{scenario:?}");
        assert_eq!(leader(&report), links, "the largest id of 0 to n - 1");
    }
}

/// Explosions go everywhere but back, each node echoes once, and two nodes need no announcement.
#[test]
fn tree_waves_costs_3n_plus_k_minus_4_under_every_schedule() {
    for scenario in small_elections(info("tree-waves"), 6) {
        let report = elect(&scenario);
        assert_eq!(kinds(&report), waves(&scenario), "{scenario:?}");
        assert_eq!(report.messages(), waves(&scenario).iter().map(|(_, count)| count).sum::<u64>());
        assert_eq!(leader(&report), scenario.topology.links(), "the largest id of 0 to n - 1");
    }
    for scenario in small_elections(info("tree-waves"), 5) {
        for timing in timings(info("tree-waves")) {
            for seed in 1..=3 {
                let scenario = Scenario { timing, seed, ..scenario.clone() };
                assert_eq!(kinds(&elect(&scenario)), waves(&scenario), "{scenario:?}");
            }
        }
    }
}

fn waves(scenario: &Scenario) -> [(&'static str, u64); 3] {
    let (n, k) = (u64::from(scenario.topology.nodes()), u64::from(scenario.initiator_count()));
    let [explosion, echo, announce] = if n == 1 { [0, 0, 0] } else { [n + k - 2, n, n - 2] };
    [("explosion", explosion), ("echo", echo), ("announce", announce)]
}

/// After a leaf is awake, its message spreads by one link per unit: first in echoes, then in announcements.
#[test]
fn tree_waves_ends_when_what_every_leaf_says_is_everywhere() {
    for scenario in small_elections(info("tree-waves"), 6) {
        let tree = &scenario.topology;
        let awake = distances(tree, &initiators(&scenario));
        let leaves = (0..tree.nodes()).filter(|&node| tree.ports(node) < 2).map(|node| node as usize);
        let end = leaves.map(|leaf| awake[leaf] + eccentricity(tree, leaf)).max().unwrap();
        assert_eq!(elect(&scenario).time, Some(units(end)), "{scenario:?}");
    }
}

/// Seed 000: a leaf echoes when it *receives* an explosion. A leaf that starts never receives one; here it echoes all
/// the same.
#[test]
fn a_leaf_that_starts_echoes_at_once() {
    let report = elect(&started_by(on("tree-waves", path(2), &[1, 2]), &[0]));
    assert_eq!(kinds(&report), [("explosion", 1), ("echo", 2), ("announce", 0)]);
    assert_eq!(report.time, Some(units(2)));
}

/// If an echo overtakes the explosion, the echo wakes the node up.
#[test]
fn tree_waves_needs_no_order() {
    for seed in 0..2000 {
        let scenario = Scenario { seed, timing: Timing::Reorder, ..on("tree-waves", path(4), &[3, 1, 2, 0]) };
        for initiators in [vec![0], vec![1], vec![0, 3]] {
            let scenario = started_by(scenario.clone(), &initiators);
            assert_eq!(kinds(&elect(&scenario)), waves(&scenario));
        }
    }
}

fn initiators(scenario: &Scenario) -> Vec<usize> {
    assert_ne!(scenario.initiators, Starters::All);
    scenario.electorate().initiators().map(|(node, _)| node as usize).collect()
}
