//! Following one order of moves that do not interfere, and turning rings, changes no verdict and no cost.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_check::Plan;
use bellwether_core::TopologyKind;

use crate::support::{PLAN, broken, family_of, messages, verdict};

/// Every algorithm on every smallest network with every order and every set of initiators, right and with equal ids,
/// which is wrong: with the reduction and without.
#[test]
fn verdicts_and_costs_are_the_same() {
    for info in CATALOGUE {
        let topologies: &[&str] = match info.topology {
            TopologyKind::OneWayRing => &["ring:2", "ring:3", "ring:4"],
            TopologyKind::TwoWayRing => &["ring:2", "ring:3"],
            TopologyKind::Tree => &["all-trees:3", "all-trees:4"],
            TopologyKind::Connected => &["all-graphs:2", "all-graphs:3"],
            TopologyKind::Complete => &["complete:2"],
        };
        for topology in topologies {
            for ids in ["all", "same"] {
                for starts_first in [false, true] {
                    let family = family_of(info.name, topology, ids, true);
                    let [with, without] = [true, false].map(|on| {
                        let plan = Plan { reduction: on, symmetry: on, starts_first, ..PLAN };
                        let verdict = verdict(&family, plan);
                        assert!(verdict.is_complete());
                        verdict
                    });
                    let context = format!("{} on {topology}, ids {ids}, starts first {starts_first}", info.name);
                    assert_eq!(broken(&with), broken(&without), "{context}");
                    if with.least.is_some() {
                        assert_eq!(messages(&with), messages(&without), "{context}");
                    }
                    assert!(with.states <= without.states || without.reduced == 0, "{context}");
                }
            }
        }
    }
}
