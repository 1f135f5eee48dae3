//! Every family has the right links and the right facts.

use bellwether_net::{Degrees, Facts, Network, Wires};
use proptest::prelude::*;

use crate::support::{built, diameter, facts, graph, graphs, links, network};

#[test]
fn small_networks_are_numbered_as_promised() {
    let of = |name| links(&network(name));
    assert_eq!(of("ring:4"), [(0, 1), (0, 3), (1, 2), (2, 3)]);
    assert_eq!(of("path:4"), [(0, 1), (1, 2), (2, 3)]);
    assert_eq!(of("star:4"), [(0, 1), (0, 2), (0, 3)]);
    assert_eq!(of("complete:4"), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    assert_eq!(of("grid:2x3"), [(0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (4, 5)]);
    assert_eq!(of("torus:2x3"), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (3, 5), (4, 5)]);
    assert_eq!(of("torus:1x4"), of("ring:4"));
    assert_eq!(of("torus:2x1"), [(0, 1)]);
    assert_eq!(of("hypercube:2"), [(0, 1), (0, 2), (1, 3), (2, 3)]);
    assert_eq!(of("binary-tree:6"), [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5)]);
    for name in ["path:1", "star:1", "complete:1", "grid:1x1", "torus:1x1", "hypercube:0", "tree:1", "regular:1:0"] {
        assert_eq!(of(name), [], "{name}");
    }
}

/// The links that every version must draw: a change here changes every recorded run.
#[test]
fn what_is_drawn_never_changes() {
    let of = |name| links(&network(name));
    assert_eq!(of("tree:7"), [(0, 6), (1, 5), (2, 3), (2, 5), (2, 6), (3, 4)]);
    assert_eq!(of("gnp:6:0.4"), [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (3, 4)]);
    assert_eq!(of("regular:6:3"), [(0, 1), (0, 4), (0, 5), (1, 3), (1, 4), (2, 3), (2, 4), (2, 5), (3, 5)]);
    assert_eq!(of("regular:7:2"), [(0, 1), (0, 3), (1, 2), (2, 5), (3, 4), (4, 6), (5, 6)]);
    assert_eq!(of("ba:6:2"), [(0, 1), (0, 2), (0, 4), (1, 3), (1, 4), (1, 5), (2, 3), (3, 5)]);
    assert_eq!(of("ws:6:2:0.5"), [(0, 1), (1, 2), (1, 4), (1, 5), (2, 3), (2, 5)]);
}

#[test]
fn facts_are_those_of_the_textbook() {
    let shape = |name: &str| {
        let Facts { nodes, links, degree: Degrees { min, max }, diameter, .. } = facts(name);
        (nodes, links, min, max, diameter.exactly().unwrap())
    };
    assert_eq!(shape("ring:7"), (7, 7, 2, 2, 3));
    assert_eq!(shape("path:7"), (7, 6, 1, 2, 6));
    assert_eq!(shape("star:7"), (7, 6, 1, 6, 2));
    assert_eq!(shape("complete:7"), (7, 21, 6, 6, 1));
    assert_eq!(shape("grid:3x4"), (12, 17, 2, 4, 5));
    assert_eq!(shape("torus:3x4"), (12, 24, 4, 4, 3));
    assert_eq!(shape("torus:2x4"), (8, 12, 3, 3, 3));
    assert_eq!(shape("hypercube:4"), (16, 32, 4, 4, 4));
    assert_eq!(shape("binary-tree:15"), (15, 14, 1, 3, 6));
    assert_eq!(shape("ba:50:2").1, 96);
    assert_eq!(shape("ws:50:4:0.5").1, 100);
    let kinds = |name: &str| {
        let Facts { ring, tree, complete, bipartite, .. } = facts(name);
        [ring, tree, complete, bipartite]
    };
    assert_eq!(kinds("ring:4"), [true, false, false, true]);
    assert_eq!(kinds("complete:3"), [true, false, true, false]);
    assert_eq!(kinds("path:2"), [false, true, true, true]);
    assert_eq!(kinds("grid:2x2"), [true, false, false, true]);
    assert_eq!(kinds("tree:30"), [false, true, false, true]);
}

#[test]
fn closed_forms_agree_with_the_search() {
    let sides = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 5), (3, 3), (4, 5), (1, 9)];
    let lattices = sides.iter().flat_map(|(r, c)| [format!("grid:{r}x{c}"), format!("torus:{r}x{c}")]);
    let others = (0..6).map(|d| format!("hypercube:{d}")).chain((1..6).map(|n| format!("complete:{n}")));
    for name in lattices.chain(others) {
        let network = network(&name);
        assert_eq!(network.facts().diameter, diameter(graph(&network)).into(), "{name}");
    }
}

#[test]
fn regular_networks_are_regular_whatever_the_degree() {
    for nodes in 3..=24 {
        for degree in (2..nodes).filter(|degree| nodes * degree % 2 == 0) {
            for seed in 0..4 {
                let facts = built(&format!("regular:{nodes}:{degree}"), seed).unwrap().facts();
                assert_eq!(facts.degree, Degrees { min: degree, max: degree });
            }
        }
    }
}

/// Cayley: there are 16 trees on four numbered nodes. Each is drawn equally often (within six standard deviations).
#[test]
fn trees_are_drawn_evenly() {
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..16_000 {
        *seen.entry(links(&built("tree:4", seed).unwrap())).or_insert(0i32) += 1;
    }
    assert_eq!(seen.len(), 16);
    assert!(seen.values().all(|count| (count - 1000).abs() < 190), "{seen:?}");
}

#[test]
fn gnp_has_as_many_links_as_expected() {
    // 499,500 pairs at 0.05: mean 24,975, standard deviation 154.
    let links = (0..20).map(|seed| built("gnp:1000:0.05", seed).unwrap().facts().links as f64).sum::<f64>() / 20.0;
    assert!((links - 24_975.0).abs() < 200.0, "{links}");
}

#[test]
fn what_is_hardly_ever_connected_is_refused_with_a_remedy() {
    let refusal = |name| built(name, 1).unwrap_err();
    assert_eq!(
        refusal("gnp:1000:0.001"),
        "gnp:1000:0.001 is hardly ever connected: p = 0.0070 (ln n / n) would be enough"
    );
    assert!(refusal("gnp:2:0").contains("p = 0.35 (ln n / n)"));
    assert!(refusal("complete:4294967295").contains("GB of memory"));
    assert_eq!(refusal("file:a.dot"), "file:a.dot is read and not built");
}

#[test]
fn another_seed_draws_another_network_and_the_same_seed_the_same() {
    for name in ["tree:20", "gnp:20:0.3", "regular:20:3", "ba:20:2", "ws:20:4:0.5"] {
        assert_eq!(built(name, 5), built(name, 5));
        assert_ne!(built(name, 5), built(name, 6));
    }
}

proptest! {
    #[test]
    fn the_diameter_is_exact(graph in graphs(60)) {
        let expected = diameter(&graph);
        let network = Network { name: "file:x".into(), wires: Wires::Graph(graph), names: vec![] };
        prop_assert_eq!(network.facts().diameter, expected.into());
    }
}
