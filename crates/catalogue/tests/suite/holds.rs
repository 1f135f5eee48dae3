//! The promises of every proof, on all interleavings of all small configurations.

use std::collections::BTreeSet;

use bellwether_check::Most;
use bellwether_core::{Model, TopologyKind};
use bellwether_net::{Wiring, enumerate};

use crate::support::{FIRST, PLAN, broken, family_of, messages, verdict};

/// Every algorithm on networks as large as the brute force behind its specification, with every order of ids and every
/// set of initiators. Initiators start at any time, or all of them first.
#[test]
fn every_algorithm_is_right_on_every_schedule() {
    let families = [
        ("chang-roberts", "ring:5"),
        ("clockwise", "ring:4"),
        ("clockwise-async", "ring:5"),
        ("le-lann", "ring:4"),
        ("time-slice", "ring:4"),
        ("variable-speeds", "ring:4"),
        ("peterson", "ring:5"),
        ("dolev-klawe-rodeh", "ring:5"),
        ("itai-rodeh", "ring:4"),
        ("itai-rodeh-sync", "ring:3"),
        ("chang-roberts-bidirectional", "ring:4"),
        ("franklin", "ring:4"),
        ("hirschberg-sinclair", "ring:3"),
        ("tree-sequential", "all-trees:5"),
        ("tree-waves", "all-trees:5"),
        ("traversal-path", "all-graphs:4"),
        ("traversal-edge-colouring", "all-graphs:4"),
        ("echo-election", "all-graphs:3"),
        ("adoption", "all-graphs:3"),
        ("floodmax", "all-graphs:3"),
        ("broadcast-max", "all-graphs:3"),
        ("bully", "complete:3"),
        ("random-candidacy", "complete:2"),
    ];
    assert_eq!(families.len(), bellwether_algorithms::registry::CATALOGUE.len());
    for (name, topology) in families {
        let (kind, size) = topology.split_once(':').unwrap();
        // A single node tosses its coin until it shows a 1: a step without end.
        let smallest = if name == "random-candidacy" { 2 } else { 1 };
        for nodes in smallest..=size.parse().unwrap() {
            for plan in [PLAN, FIRST] {
                let verdict = verdict(&family_of(name, &format!("{kind}:{nodes}"), "all", true), plan);
                assert_eq!((broken(&verdict), verdict.is_complete()), (vec![], true), "{name} on {kind}:{nodes}");
            }
        }
    }
}

/// One-way rings of eight nodes: every set of initiators, which start at any time.
#[test]
fn one_way_rings_of_eight_with_every_set_of_initiators() {
    for name in ["chang-roberts", "clockwise-async", "le-lann", "peterson", "dolev-klawe-rodeh"] {
        for ids in ["ascending", "descending", "3,8,1,6,2,7,5,4"] {
            let verdict = verdict(&family_of(name, "ring:8", ids, true), PLAN);
            assert_eq!(verdict.configurations, 255);
            assert_eq!((broken(&verdict), verdict.is_complete()), (vec![], true), "{name}, ids {ids}");
        }
    }
}

/// Adoption and echo on four nodes with up to five links, with every set of initiators.
#[test]
fn searches_on_four_nodes() {
    for name in ["adoption", "echo-election"] {
        let mut family = family_of(name, "all-graphs:4", "ascending", true);
        family.members.retain(|member| member.network.links() <= 5);
        let verdict = verdict(&family, FIRST);
        assert_eq!((broken(&verdict), verdict.is_complete()), (vec![], true), "{name}");
    }
}

/// All schedules on a complete network of four nodes that all start: 21 to 22 messages against 21 to 27.
#[test]
fn adoption_is_cheaper_than_echo_among_four() {
    let among_four = |name| messages(&verdict(&family_of(name, "complete:4", "ascending", false), FIRST));
    assert_eq!(among_four("adoption"), (21, Most::Messages(22)));
    assert_eq!(among_four("echo-election"), (21, Most::Messages(27)));
}

/// In the best and in the worst case adoption costs no more than echo. On every graph of up to four nodes and five
/// links, with every set of initiators.
#[test]
fn adoption_costs_no_more_than_echo() {
    for nodes in 1..=4 {
        let [ours, theirs] = ["adoption", "echo-election"].map(|name| {
            let mut family = family_of(name, &format!("all-graphs:{nodes}"), "ascending", true);
            family.members.retain(|member| member.network.links() <= 5);
            let of_each = family.scenarios().map(|scenario| {
                let mut one = family.clone();
                one.members.retain(|member| member.network == scenario.topology);
                one.members[0].starters = Some(scenario.initiators);
                messages(&verdict(&one, FIRST))
            });
            of_each.collect::<Vec<_>>()
        });
        assert!(ours.iter().zip(&theirs).all(|(ours, theirs)| ours.0 <= theirs.0 && ours.1 <= theirs.1));
    }
}

/// The numbering of ports changes the costs only for algorithms that use ports in turn. With some numberings a path of
/// four nodes is dearer than with others.
#[test]
fn numbers_of_ports_matter_to_those_who_ask_in_turn() {
    let path = |name| {
        let family = family_of(name, "path:4", "all", true);
        let all = enumerate::numberings(&family.members[0].network);
        let costs = all.into_iter().map(|network| {
            let mut family = family.clone();
            family.members[0].network = network;
            messages(&verdict(&family, PLAN))
        });
        costs.collect::<BTreeSet<_>>()
    };
    for info in bellwether_algorithms::registry::CATALOGUE {
        match info.topology {
            TopologyKind::Connected | TopologyKind::Tree if info.model == Model::Asynchronous => {
                let alike = path(info.name).len() == 1;
                // Ports in turn do not always make a difference: a tree is visited as a whole, in any order.
                assert!(alike || info.in_turn, "{}", info.name);
            }
            _ => assert!(!info.in_turn, "{}", info.name),
        }
    }
    assert_eq!(path("traversal-path"), [14, 15].map(|most| (6, Most::Messages(most))).into());
    let all = verdict(&family_of("traversal-path", "all-graphs:4", "all", true), PLAN);
    assert_eq!(messages(&all), (6, Most::Messages(15)));
}

/// Bully elects the largest living id after any crashes at any time, as long as messages arrive in time.
#[test]
fn bully_survives_crashes() {
    for crashes in [1, 2] {
        let mut plan = PLAN;
        plan.freedom.crashes = crashes;
        let verdict = verdict(&family_of("bully", "complete:3", "all", true), plan);
        assert_eq!((broken(&verdict), verdict.is_complete()), (vec![], true), "{crashes} crashes");
    }
}
