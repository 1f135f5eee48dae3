//! Hosts in virtual time: [`rounds`] plays the synchronous model, [`events`] the asynchronous one.
//!
//! Both are compiled once per algorithm, know none, and give the same bytes for the same scenario. [`play_process`] and
//! [`play_rounds`] choose the host that a scenario asks for and put the right adaptor in between. [`replay`] plays a
//! recorded run again, step by step.

#![warn(clippy::unwrap_used)]

mod calendar;
pub mod events;
pub mod replay;
pub mod rounds;
mod symmetry;
mod unit_queue;

use bellwether_core::{Lockstep, Message, Process, Rounds, Synchronizer};
use bellwether_world::host::{Error, Wishes};
use bellwether_world::{Report, Scenario, Timing};

/// Plays an asynchronous algorithm, on the host that the scenario's timing asks for.
///
/// # Errors
/// If the run cannot be made.
pub fn play_process<P: Process>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    match scenario.timing {
        Timing::Rounds => rounds::play::<Lockstep<P>>(scenario, wishes),
        Timing::Live(_) | Timing::Chosen(_) => Err(Error::Live),
        _ => events::play::<P>(scenario, wishes),
    }
}

/// Plays an asynchronous algorithm on the engines that can do everything, though not as fast as can be.
///
/// # Errors
/// If the run cannot be made.
pub fn record_process<P: Process>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    match scenario.timing {
        Timing::Rounds => rounds::record::<Lockstep<P>>(scenario, wishes),
        Timing::Live(_) | Timing::Chosen(_) => Err(Error::Live),
        _ => events::record::<P>(scenario, wishes),
    }
}

/// Plays a round-based algorithm on the engines that can do everything, though not as fast as can be.
///
/// # Errors
/// If the run cannot be made.
pub fn record_rounds<R: Rounds>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    match scenario.timing {
        Timing::Rounds => rounds::record::<R>(scenario, wishes),
        Timing::Live(_) | Timing::Chosen(_) => Err(Error::Live),
        _ => events::record::<Synchronizer<R>>(scenario, wishes),
    }
}

/// Plays a round-based algorithm, on the host that the scenario's timing asks for.
///
/// # Errors
/// If the run cannot be made.
pub fn play_rounds<R: Rounds>(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    match scenario.timing {
        Timing::Rounds => rounds::play::<R>(scenario, wishes),
        Timing::Live(_) | Timing::Chosen(_) => Err(Error::Live),
        _ => events::play::<Synchronizer<R>>(scenario, wishes),
    }
}

/// The length of a message; out of the way of loops in which most messages stay as they are.
#[inline(never)]
fn length(msg: &impl Message) -> u64 {
    msg.bits().into()
}
