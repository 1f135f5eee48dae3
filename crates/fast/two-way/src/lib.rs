//! The fast engines for asynchronous algorithms on two-way rings.

use bellwether_core::TopologyKind;
use bellwether_fast::Part;
use bellwether_world::host::{Error, Wishes};
use bellwether_world::{Report, Scenario};

struct TwoWayRings;

impl Part for TwoWayRings {
    const IN_ROUNDS: bool = false;
    const NETWORKS: &'static [TopologyKind] = &[TopologyKind::TwoWayRing];
}

/// Plays a run of one of these algorithms; `None` if it belongs to another crate.
pub fn play(scenario: &Scenario, wishes: Wishes<'_>) -> Option<Result<Report, Error>> {
    bellwether_fast::play::<TwoWayRings>(scenario, wishes)
}
