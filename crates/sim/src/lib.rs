//! Hosts in virtual time: [`rounds`] plays the synchronous model, [`events`] the asynchronous one.
//!
//! Both are compiled once per algorithm, know none, and give the same bytes for the same scenario. [`play_process`] and
//! [`play_rounds`] choose the host that a scenario asks for and put the right adaptor in between. [`replay`] plays a
//! recorded run again, step by step.

#![warn(clippy::unwrap_used)]

mod calendar;
mod cast;
pub mod events;
mod faults;
mod instants;
mod observe;
pub mod replay;
pub mod rounds;
mod symmetry;
mod tally;

use bellwether_core::{Lockstep, Process, Rounds, Synchronizer};
use bellwether_world::{Report, Scenario, Timing};

pub use cast::Error;
pub use observe::{Observer, Recorder, Silent, Watch, Watcher};

/// What is wanted of a run besides its result.
pub struct Wishes<'a> {
    /// Receives every event, if wanted.
    pub record: Option<&'a mut dyn FnMut(bellwether_world::trace::Event)>,
    /// Sees how the run goes, and may stop it.
    pub watch: &'a mut dyn Watch,
    /// Whether to count the messages that each node sends.
    pub count_sends: bool,
    /// Whether to tell everybody's decision however many there are.
    pub full: bool,
}

/// Plays an asynchronous algorithm, on the host that the scenario's timing asks for.
///
/// # Errors
/// If the run cannot be made.
pub fn play_process<P: Process>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    match scenario.timing {
        Timing::Rounds => rounds::play::<Lockstep<P>>(scenario, wishes),
        Timing::Unit | Timing::Uniform | Timing::Exponential | Timing::Reorder => events::play::<P>(scenario, wishes),
    }
}

/// Plays an asynchronous algorithm on the engines that can do everything, though not as fast as can be.
///
/// # Errors
/// If the run cannot be made.
pub fn record_process<P: Process>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    match scenario.timing {
        Timing::Rounds => rounds::record::<Lockstep<P>>(scenario, wishes),
        Timing::Unit | Timing::Uniform | Timing::Exponential | Timing::Reorder => events::record::<P>(scenario, wishes),
    }
}

/// Plays a round-based algorithm on the engines that can do everything, though not as fast as can be.
///
/// # Errors
/// If the run cannot be made.
pub fn record_rounds<R: Rounds>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    match scenario.timing {
        Timing::Rounds => rounds::record::<R>(scenario, wishes),
        Timing::Unit | Timing::Uniform | Timing::Exponential | Timing::Reorder => {
            events::record::<Synchronizer<R>>(scenario, wishes)
        }
    }
}

/// Plays a round-based algorithm, on the host that the scenario's timing asks for.
///
/// # Errors
/// If the run cannot be made.
pub fn play_rounds<R: Rounds>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    match scenario.timing {
        Timing::Rounds => rounds::play::<R>(scenario, wishes),
        Timing::Unit | Timing::Uniform | Timing::Exponential | Timing::Reorder => {
            events::play::<Synchronizer<R>>(scenario, wishes)
        }
    }
}
