//! Plays a recorded run again, and says where it diverges from its trace.
//!
//! A simulated run is determined by its scenario: it is simulated `again`, and every line must be the same. A live run
//! and one schedule out of many are not: there the trace says what happened next, the processes `follow`, and must do all that it says.

mod again;
mod follow;
mod script;

use bellwether_world::host::{Algorithm, Error};
use bellwether_world::trace::Line;
use bellwether_world::{Report, Scenario, Timing};

/// Why a trace could not be played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The scenario cannot be played at all.
    Impossible(Error),
    /// The trace cannot be read.
    Unreadable(String),
    /// The algorithm does something else than the trace says, or the trace says something that cannot be.
    Diverges(String),
}

/// The lines of a trace after its header, one at a time.
pub type Lines<'a> = dyn FnMut() -> Result<Option<Line>, String> + 'a;

/// Replays a trace of an algorithm.
///
/// # Errors
/// If it diverges or cannot be played.
pub fn replay(algorithm: &Algorithm, scenario: &Scenario, lines: &mut Lines<'_>) -> Result<Report, Failure> {
    match scenario.timing {
        Timing::Live(_) | Timing::Chosen(_) => follow::follow(&algorithm.events, scenario, lines),
        _ => again::play(scenario, lines, |wishes| crate::play(algorithm, scenario, wishes)),
    }
}
