//! The fast engines for algorithms in rounds.

use bellwether_core::TopologyKind;
use bellwether_fast::Part;
use bellwether_world::host::{Error, Wishes};
use bellwether_world::{Report, Scenario};

struct InRounds;

impl Part for InRounds {
    const IN_ROUNDS: bool = true;
    const NETWORKS: &'static [TopologyKind] = &[
        TopologyKind::OneWayRing,
        TopologyKind::TwoWayRing,
        TopologyKind::Tree,
        TopologyKind::Connected,
        TopologyKind::Complete,
    ];
}

/// Plays a run of one of these algorithms; `None` if it belongs to another crate.
pub fn play(scenario: &Scenario, wishes: Wishes<'_>) -> Option<Result<Report, Error>> {
    bellwether_fast::play::<InRounds>(scenario, wishes)
}
