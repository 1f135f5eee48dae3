//! What a ring tells its user.

use std::time::Duration;

use bellwether_core::Id;

use super::counts::Traffic;
use super::report::Wish;

/// What [`WorkerRing::wait`](super::WorkerRing::wait) waited for.
#[derive(Debug)]
pub enum Happening {
    /// All living workers have the same living leader, and nothing is under way.
    Agreed(Held),
    /// The last worker was lost.
    Deserted,
    /// The time is up.
    TimeIsUp,
    /// The user has a wish.
    Wished(Wish),
}

/// An election that is over.
#[derive(Clone, Debug)]
pub struct Held {
    /// Its number. Numbers are skipped if an election had to begin again.
    pub number: u64,
    /// The number of attempts.
    pub attempts: u64,
    /// The leader's position.
    pub leader: usize,
    /// The leader's id.
    pub id: Id,
    /// The workers that were asked to start; empty if workers began on their own.
    pub initiators: Vec<usize>,
    /// The number of living workers.
    pub living: usize,
    /// The traffic of this election.
    pub traffic: Traffic,
    /// How long it took.
    pub time: Duration,
}
