//! A ring of workers that elect a leader again and again, and survive the failure of any of them.
//!
//! Every worker is a thread with an id, a position and a desk. A message goes to the next worker by a
//! hand-over; a neighbour that does not take it in time counts as failed, and the next one gets it. The
//! [`Ring`] starts, stops, pauses and restarts workers and tells when all of them hold the same living leader.
//!
//! What makes that safe around an algorithm that knows no failures:
//!
//! 1. Elections are numbered. Who hears of a later one enters it with a fresh process; letters of earlier ones are
//!    dropped.
//! 2. Who was passed over in an election finds a mark that says so before it takes anything else, and begins a later
//!    one. So nobody ever agrees to the outcome of an election that went past it.
//! 3. A letter names its owner. Who has to pass the owner over drops the letter and begins a later election.
//! 4. Who takes part in an election and hears nothing for too long begins a later one: what a stopped worker held is
//!    lost.

mod counts;
mod error;
mod event;
mod flight;
mod handover;
mod happening;
mod initiators;
mod letter;
mod office;
mod patience;
mod processes;
mod report;
mod step;
mod suspects;
mod sync;
mod worker;

#[allow(clippy::module_inception)]
mod ring;
#[cfg(test)]
mod tests;

pub use counts::Traffic;
pub use error::Error;
pub use event::{Event, Observer, Why};
pub use happening::{Happening, Held};
pub use office::Timing;
pub use report::{Remote, View, Wish};
pub use ring::{Ring, Settings};
