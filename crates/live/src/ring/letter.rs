//! Letters and orders.

use std::time::Duration;

use bellwether_core::Stamped;

use super::flight::Flight;

/// A message with the data that is needed to retire it.
#[derive(Debug)]
pub struct Letter<M> {
    /// The message, with the number of its election.
    pub message: Stamped<M>,
    /// The worker that wrote it. Passing it on unchanged does not change that.
    pub origin: usize,
    /// It is under way until it is dropped.
    pub flight: Flight,
}

/// An order of the ring to a worker.
#[derive(Debug)]
pub enum Order {
    /// Do nothing for this long: do not even take offers.
    Pause(Duration),
    /// Start the election with this number.
    Start(u64, Flight),
    /// End at once, like a crash: what it holds is lost.
    Stop,
}
