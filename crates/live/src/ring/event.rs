//! What can be seen from outside while a ring works.

use std::fmt::{self, Debug, Display};
use std::sync::Arc;
use std::time::Duration;

use bellwether_core::Id;

/// Told everything that happens, by whichever worker it happens to.
pub type Observer = Arc<dyn Fn(&Event<'_>) + Send + Sync>;

/// Something happened. Workers are named by their position.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A worker begins an election.
    Began {
        /// Who.
        worker: usize,
        /// The number of the election.
        election: u64,
        /// Why.
        why: Why,
    },
    /// A worker knows who leads.
    Decided {
        /// Who.
        worker: usize,
        /// The number of the election.
        election: u64,
        /// The leader's id.
        leader: Id,
    },
    /// A letter changed hands.
    HandedOver {
        /// From whom.
        from: usize,
        /// To whom.
        to: usize,
        /// The number of the election.
        election: u64,
        /// What was handed over.
        message: &'a dyn Debug,
    },
    /// A worker hears of an election, and takes part.
    Joined {
        /// Who.
        worker: usize,
        /// The number of the election.
        election: u64,
    },
    /// A worker's thread ended although nobody had ordered it.
    Lost {
        /// Who.
        worker: usize,
    },
    /// A letter is dropped: it belongs to an earlier election.
    Outdated {
        /// By whom.
        worker: usize,
        /// The election of the letter.
        election: u64,
        /// What it said.
        message: &'a dyn Debug,
    },
    /// A letter goes past a failed worker.
    PassedOver {
        /// By whom.
        worker: usize,
        /// The failed one.
        over: usize,
        /// The number of the election.
        election: u64,
    },
    /// A worker does nothing for a while.
    Paused {
        /// Who.
        worker: usize,
        /// How long.
        time: Duration,
    },
    /// A worker is at work, for the first time or again.
    Running {
        /// Who.
        worker: usize,
    },
    /// A letter has been round and its owner is gone: it is dropped.
    Retired {
        /// By whom.
        worker: usize,
        /// The owner.
        owner: usize,
        /// The number of the election.
        election: u64,
        /// What it said.
        message: &'a dyn Debug,
    },
    /// A worker has stopped.
    Stopped {
        /// Who.
        worker: usize,
    },
    /// A neighbour did not take a letter in time.
    Suspected {
        /// By whom.
        worker: usize,
        /// The neighbour.
        suspect: usize,
        /// The number of the election.
        election: u64,
    },
}

/// Why a worker begins an election.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The ring asked it to.
    Asked,
    /// It came back, and the others are in a later election.
    Behind,
    /// It heard nothing for too long.
    Impatient,
    /// The owner of a letter is gone.
    OwnerGone,
    /// An election went past it.
    PassedOver,
    /// It came back with an empty memory.
    Restarted,
}

impl Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Asked => "asked to",
            Self::Behind => "came back behind the others",
            Self::Impatient => "heard nothing for too long",
            Self::OwnerGone => "the owner of a letter is gone",
            Self::PassedOver => "an election went past it",
            Self::Restarted => "came back with an empty memory",
        })
    }
}
