//! Plays a recorded run again, and says where it diverges from its trace.
//!
//! A simulated run is determined by its scenario: it is simulated `again`, and every line must be the same. A live run,
//! or one schedule out of many, is not. There the trace says what happened next, and the processes `follow` it on a
//! [stage](crate::stage). They must do all that the trace says.

mod again;
mod follow;
mod step;

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
    /// The algorithm does not do what the trace says, or the trace says something impossible.
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
        Timing::Live(_) | Timing::Chosen(_) => follow::follow(algorithm.cast(scenario), scenario, lines),
        _ => again::play(scenario, lines, |wishes| crate::play(algorithm, scenario, wishes)),
    }
}
