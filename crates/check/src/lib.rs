//! Every interleaving of a small network, from the very code that runs.
//!
//! A [`State`] is all processes and what is on every link. From it each link may deliver its first message next:
//! [`schedules()`] follows them all, and says what the cheapest and the dearest one cost and how they end.

#![warn(clippy::unwrap_used)]

mod schedules;
mod state;

pub use schedules::{Costs, Error, schedules};
pub use state::State;
