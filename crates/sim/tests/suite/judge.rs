//! The judge sees what goes wrong while it goes wrong, not only in the end.

use bellwether_world::{Scenario, Timing};

use crate::support::{play, ring};

/// Without order on the links Peterson's nodes come to lead and then follow somebody: a change of mind, which no look at
/// the end would show.
#[test]
fn a_change_of_mind_is_noted() {
    let minds_changed = (0..500).any(|seed| {
        let scenario = Scenario { timing: Timing::Reorder, seed, forced: true, ..ring("peterson", &[0, 3, 4, 2, 1]) };
        play(&scenario).violations.iter().any(|violation| violation.starts_with("a change of mind: node "))
    });
    assert!(minds_changed);
}
