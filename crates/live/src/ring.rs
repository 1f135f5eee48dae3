//! A ring of workers that elect a leader again and again, and survive the failure of any of them.
//!
//! Every worker is a thread with an id, a position and a desk. A message goes to the next worker by a hand-over. A
//! neighbour that does not take it in time counts as failed, and the next one gets it. The [`WorkerRing`] starts,
//! stops, pauses and restarts workers. It tells when all of them have the same living leader.
//!
//! These rules make that safe for an algorithm that does not expect failures:
//!
//! 1. Elections are [numbered](bellwether_core::Numbered). A worker that hears of a later election enters it with a
//!    fresh process; letters of earlier ones are dropped.
//! 2. A worker that was passed over finds a mark that says so before it takes anything else. It then begins a later
//!    election. So a worker never accepts the result of an election that went past it.
//! 3. A letter names its owner. A worker that has to pass the owner over drops the letter and begins a later election.
//! 4. A worker in an election that hears nothing for too long begins a later one: what a stopped worker held is lost.

mod common;
mod counts;
mod error;
mod event;
mod flight;
mod handover;
mod happening;
mod initiators;
mod letter;
mod patience;
mod processes;
mod report;
mod suspects;
mod sync;
mod worker;

#[cfg(test)]
mod tests;
mod worker_ring;

pub use common::RingTiming;
pub use counts::Traffic;
pub use error::Error;
pub use event::{Observer, RingEvent, Why};
pub use happening::{Happening, Held};
pub use report::{Remote, View, Wish};
pub use worker_ring::{RingSettings, WorkerRing};
