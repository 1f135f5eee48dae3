//! What reaches the ring: reports of its workers, and wishes of whoever uses it.

use std::sync::mpsc::Sender;

use bellwether_core::Status;

/// Something that the ring is told.
#[derive(Debug)]
pub enum Report {
    /// A worker's thread ended although nobody had ordered it.
    Lost(usize),
    /// Nothing is under way any more.
    Quiet,
    /// A worker entered an election or made up its mind.
    View(usize, View),
    /// Somebody wants something.
    Wish(Wish),
}

/// What a worker holds to be the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The number of the election it is in; 0 if it has heard of none.
    pub election: u64,
    /// What it has decided there.
    pub status: Status,
}

impl View {
    /// That of a worker that has heard of nothing.
    pub const NONE: Self = Self { election: 0, status: Status::Undecided };

    /// Whether the worker takes part in an election that it does not know the end of.
    #[must_use]
    pub fn is_engaged(self) -> bool {
        self.election > 0 && !self.status.is_decided()
    }
}

/// What the user of a ring may want at any moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Hold an election now.
    Elect,
    /// Come to an end.
    Quit,
    /// Restart a stopped worker, the last one first.
    Restart,
    /// Stop the leader.
    StopLeader,
}

/// A way to tell a ring what is wanted, from anywhere.
#[derive(Clone, Debug)]
pub struct Remote(pub(super) Sender<Report>);

impl Remote {
    /// Wakes the ring up with a wish; a ring that is gone wants none.
    pub fn wish(&self, wish: Wish) {
        let _ = self.0.send(Report::Wish(wish));
    }
}
