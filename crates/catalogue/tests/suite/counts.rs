//! The number of states: some that other explorers agree on, and recorded ones.

use bellwether_check::Plan;

use crate::support::{FIRST, PLAN, family_of, verdict};

const ALL_STARTED: Plan = Plan { reduction: false, symmetry: false, ..FIRST };

fn states(name: &str, topology: &str, ids: &str, plan: Plan) -> u64 {
    verdict(&family_of(name, topology, ids, false), plan).states
}

/// Descending ids: Catalan numbers for Chang-Roberts, Fibonacci numbers for Dolev-Klawe-Rodeh. The n states in which
/// not all nodes have started are added.
#[test]
fn counts_that_every_tool_agrees_on() {
    let catalan = |n: u64| (0..n).fold(1, |c: u64, i| c * 2 * (2 * i + 1) / (i + 2));
    let fibonacci = |n: u64| (0..n).fold((0, 1), |(a, b): (u64, u64), _| (b, a + b)).0;
    for n in 2..=9 {
        let ring = format!("ring:{n}");
        assert_eq!(states("chang-roberts", &ring, "descending", ALL_STARTED), catalan(n + 1) + n + n, "n = {n}");
        assert_eq!(states("dolev-klawe-rodeh", &ring, "descending", ALL_STARTED), fibonacci(2 * n + 2) + n + 1 + n);
    }
}

/// With the reduction a one-way ring has one schedule: one more state than steps.
#[test]
fn one_way_rings_become_linear() {
    for n in [5, 10, 20] {
        let plan = Plan { reduction: true, ..ALL_STARTED };
        for name in ["chang-roberts", "peterson", "dolev-klawe-rodeh", "le-lann", "clockwise-async"] {
            let verdict = verdict(&family_of(name, &format!("ring:{n}"), "descending", false), plan);
            assert_eq!(verdict.states, verdict.transitions + 1, "{name}, n = {n}");
        }
    }
}

/// Exact counts, so that a change in what is explored is noticed.
#[test]
fn counts_recorded() {
    let full = Plan { reduction: false, symmetry: false, ..PLAN };
    let counted = [
        ("chang-roberts", "ring:6"),
        ("peterson", "ring:6"),
        ("itai-rodeh", "ring:3"),
        ("franklin", "ring:4"),
        ("hirschberg-sinclair", "ring:3"),
        ("tree-waves", "path:5"),
        ("echo-election", "complete:3"),
        ("adoption", "complete:3"),
        ("bully", "complete:3"),
        ("floodmax", "complete:3"),
    ];
    let counts = counted.map(|(name, topology)| {
        (name, states(name, topology, "ascending", full), states(name, topology, "ascending", PLAN))
    });
    assert_eq!(counts.map(|(_, all, _)| all), [416, 7054, 868, 2065, 792, 1546, 644, 487, 578, 1012]);
    assert_eq!(counts.map(|(.., reduced)| reduced), [102, 2140, 296, 1631, 566, 300, 261, 261, 578, 411]);
}

/// The larger the network, the more the reduction saves.
#[test]
fn one_order_in_ten_is_enough() {
    for (name, topology) in [
        ("hirschberg-sinclair", "ring:6"),
        ("franklin", "ring:9"),
        ("echo-election", "ring:6"),
        ("adoption", "complete:4"),
        ("adoption", "ring:8"),
    ] {
        let family = family_of(name, topology, "descending", false);
        let [all, reduced] = [false, true].map(|reduction| {
            let verdict = verdict(&family, Plan { reduction, ..ALL_STARTED });
            assert!(verdict.is_complete() && verdict.broken.is_empty(), "{name}");
            verdict.states
        });
        println!("{name} {topology}: {all} states, {reduced} of them in the reduction");
        assert!(all >= 10 * reduced, "{name} on {topology}: {all}, reduced {reduced}");
    }
}
