//! The catalogue on all hosts that play runs: a scenario names its algorithm, and this crate finds the code.

#![warn(clippy::unwrap_used)]

use bellwether_catalogue::algorithm;
use bellwether_core::{Model, TopologyKind};
use bellwether_live::threads;
use bellwether_sim::replay::{self, Lines};
use bellwether_sim::shrink::{self, Shrunk};
use bellwether_world::host::{Algorithm, Error, Watch, Wishes};
use bellwether_world::{Report, Scenario};

/// Plays a scenario, on the fastest engine that can; `None` if the catalogue has no such algorithm.
pub fn play(scenario: &Scenario, wishes: Wishes<'_>) -> Option<Result<Report, Error>> {
    let algorithm = algorithm(&scenario.algorithm)?;
    // Errata are compiled for the general engines only.
    let is_erratum = bellwether_catalogue::errata::algorithm(&scenario.algorithm).is_some();
    if !is_erratum && bellwether_sim::is_fast(algorithm, scenario, &wishes) {
        return play_fast(algorithm, scenario, wishes);
    }
    Some(bellwether_sim::play(algorithm, scenario, wishes))
}

fn play_fast(algorithm: &Algorithm, scenario: &Scenario, wishes: Wishes<'_>) -> Option<Result<Report, Error>> {
    match (algorithm.info.model, algorithm.info.topology) {
        (Model::Synchronous, _) => bellwether_fast_rounds::play(scenario, wishes),
        (Model::Asynchronous, TopologyKind::OneWayRing) => bellwether_fast_one_way::play(scenario, wishes),
        (Model::Asynchronous, TopologyKind::TwoWayRing) => bellwether_fast_two_way::play(scenario, wishes),
        (Model::Asynchronous, TopologyKind::Tree | TopologyKind::Connected | TopologyKind::Complete) => {
            bellwether_fast_graphs::play(scenario, wishes)
        }
    }
}

/// The smallest run that goes wrong as this one does, if this one does; `None` if the catalogue has no such algorithm.
pub fn shrink(scenario: &Scenario, watch: &mut dyn Watch) -> Option<Result<Option<Shrunk>, Error>> {
    Some(shrink::shrink(algorithm(&scenario.algorithm)?, scenario, watch))
}

/// Replays a trace of this scenario; `None` if the catalogue has no such algorithm.
pub fn replay(scenario: &Scenario, lines: &mut Lines<'_>) -> Option<Result<Report, replay::Failure>> {
    Some(replay::replay(algorithm(&scenario.algorithm)?, scenario, lines))
}

/// Plays a scenario on this number of real threads; `None` if the catalogue has no such algorithm.
pub fn live(scenario: &Scenario, threads: u32, wishes: Wishes<'_>) -> Option<Result<Report, Error>> {
    Some(threads::play(algorithm(&scenario.algorithm)?, scenario, threads, wishes))
}
