//! Why something cannot be done with a ring.

use std::io;

use bellwether_core::{Info, Unmet};
use thiserror::Error;

/// Why something cannot be done.
#[derive(Debug, Error)]
pub enum Error {
    /// The algorithm is for another kind of network.
    #[error("{} does not elect a known leader on a ring that goes one way", .0.name)]
    Misfit(&'static Info),
    /// It needs more knowledge than it declares.
    #[error("{0}")]
    Unmet(#[from] Unmet),
    /// A ring has at least one worker.
    #[error("a ring has at least one worker")]
    Empty,
    /// The system gives no more threads.
    #[error("worker {0} of the ring gets no thread: {1}")]
    Thread(usize, io::Error),
    /// It is the last worker that runs.
    #[error("worker {0} is the last one that runs")]
    Last(usize),
    /// It runs.
    #[error("worker {0} runs")]
    Runs(usize),
    /// It has been stopped.
    #[error("worker {0} does not run")]
    Stopped(usize),
}
