//! What a ring tells its user.

use std::time::Duration;

use bellwether_core::Id;

use super::counts::Traffic;
use super::report::Wish;

/// What [`Ring::wait`](super::Ring::wait) waited for.
#[derive(Debug)]
pub enum Happening {
    /// Every living worker holds the same living leader, and nothing is under way.
    Agreed(Held),
    /// The last worker was lost.
    Deserted,
    /// The time is up.
    TimeIsUp,
    /// Somebody wants something.
    Wished(Wish),
}

/// An election that was held.
#[derive(Clone, Debug)]
pub struct Held {
    /// Its number. Numbers are skipped where an election had to be begun again.
    pub number: u64,
    /// How many numbers it took.
    pub attempts: u64,
    /// The leader's position.
    pub leader: usize,
    /// The leader's id.
    pub id: Id,
    /// Who was asked to start; nobody if workers began on their own.
    pub initiators: Vec<usize>,
    /// How many workers live.
    pub living: usize,
    /// What it took.
    pub traffic: Traffic,
    /// How long it took.
    pub time: Duration,
}
