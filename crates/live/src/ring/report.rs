//! What the ring receives: reports of its workers, and wishes of its user.

use std::sync::mpsc::Sender;

use bellwether_core::Status;

/// Something that the ring is told.
#[derive(Debug)]
pub enum WorkerReport {
    /// A worker's thread ended without an order.
    Lost(usize),
    /// Nothing is under way any more.
    Quiet,
    /// A worker entered an election or changed its decision.
    View(usize, View),
    /// The user has a wish.
    Wish(Wish),
}

/// What a worker believes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The number of its election; 0 before the first.
    pub election: u64,
    /// Its decision in that election.
    pub status: Status,
}

impl View {
    /// The view of a worker that has heard of no election.
    pub const NONE: Self = Self { election: 0, status: Status::Undecided };

    /// Whether the worker takes part in an election and has not decided.
    #[must_use]
    pub fn is_engaged(self) -> bool {
        self.election > 0 && !self.status.is_decided()
    }
}

/// The wishes of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Hold an election now.
    Elect,
    /// End.
    Quit,
    /// Restart a stopped worker, the last one first.
    Restart,
    /// Stop the leader.
    StopLeader,
}

/// A way to send wishes to a ring from anywhere.
#[derive(Clone, Debug)]
pub struct Remote(pub(super) Sender<WorkerReport>);

impl Remote {
    /// Wakes the ring up with a wish. If the ring is gone, the wish is dropped.
    pub fn wish(&self, wish: Wish) {
        let _ = self.0.send(WorkerReport::Wish(wish));
    }
}
