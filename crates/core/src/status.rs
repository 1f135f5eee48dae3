//! What a process has decided.

use crate::Id;

/// The decision of a process, read from its state by the host after every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Not yet, or not any more because a new election is under way.
    Undecided,
    /// It leads.
    Leader,
    /// It follows; the leader's id, where the algorithm tells it.
    Follower(Option<Id>),
}

impl Status {
    /// Whether the process has made up its mind.
    #[must_use]
    pub fn is_decided(self) -> bool {
        self != Self::Undecided
    }
}
