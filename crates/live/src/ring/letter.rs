//! What workers hand over, and what they are ordered to do.

use std::time::Duration;

use super::flight::Flight;

/// A message with what is needed to retire it.
#[derive(Debug)]
pub struct Letter<M> {
    /// What the algorithm sent.
    pub message: M,
    /// The election it belongs to.
    pub election: u64,
    /// The worker that wrote it; whoever passes it on unchanged does not change that.
    pub origin: usize,
    /// It is under way until it is dropped.
    pub flight: Flight,
}

/// What the ring orders a worker to do.
#[derive(Debug)]
pub enum Order {
    /// Do nothing at all for so long, not even take what is offered.
    Pause(Duration),
    /// Start the election with this number.
    Start(u64, Flight),
    /// End at once, like a crash: what it holds is lost.
    Stop,
}
