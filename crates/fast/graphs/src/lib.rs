//! The fast engines for asynchronous algorithms on trees and graphs.

use bellwether_core::TopologyKind;
use bellwether_fast::Part;
use bellwether_world::host::{Error, Wishes};
use bellwether_world::{Report, Scenario};

struct Graphs;

impl Part for Graphs {
    const IN_ROUNDS: bool = false;
    const NETWORKS: &'static [TopologyKind] = &[TopologyKind::Tree, TopologyKind::Connected, TopologyKind::Complete];
}

/// Plays a run of one of these algorithms; `None` if it belongs to another crate.
pub fn play(scenario: &Scenario, wishes: Wishes<'_>) -> Option<Result<Report, Error>> {
    bellwether_fast::play::<Graphs>(scenario, wishes)
}
