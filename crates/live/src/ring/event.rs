//! The events of a ring that an observer can see.

use std::fmt::{self, Debug, Display};
use std::sync::Arc;
use std::time::Duration;

use bellwether_core::Id;

/// Called with every event, by the worker that it happens to.
pub type Observer = Arc<dyn Fn(&RingEvent<'_>) + Send + Sync>;

/// An event. Workers are named by their position.
#[derive(Clone, Copy, Debug)]
pub enum RingEvent<'a> {
    /// A worker begins an election.
    Began {
        /// The worker.
        worker: usize,
        /// The number of the election.
        election: u64,
        /// The reason.
        why: Why,
    },
    /// A worker knows the leader.
    Decided {
        /// The worker.
        worker: usize,
        /// The number of the election.
        election: u64,
        /// The leader's id.
        leader: Id,
    },
    /// A letter was handed over.
    HandedOver {
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// The number of the election.
        election: u64,
        /// The message.
        message: &'a dyn Debug,
    },
    /// A worker hears of an election and takes part.
    Joined {
        /// The worker.
        worker: usize,
        /// The number of the election.
        election: u64,
    },
    /// A worker's thread ended without an order.
    Lost {
        /// The worker.
        worker: usize,
    },
    /// A letter is put on the receiver's desk, in the sender's only place there.
    Offered {
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// The number of the election.
        election: u64,
        /// The message.
        message: &'a dyn Debug,
    },
    /// A letter is dropped: it belongs to an earlier election.
    Outdated {
        /// The worker that drops it.
        worker: usize,
        /// The election of the letter.
        election: u64,
        /// The message.
        message: &'a dyn Debug,
    },
    /// A letter goes past a failed worker.
    PassedOver {
        /// The worker that sends the letter.
        worker: usize,
        /// The failed worker.
        over: usize,
        /// The number of the election.
        election: u64,
    },
    /// A worker does nothing for a while.
    Paused {
        /// The worker.
        worker: usize,
        /// The duration.
        time: Duration,
    },
    /// A worker is at work, for the first time or again.
    Running {
        /// The worker.
        worker: usize,
    },
    /// A letter has been round the ring and its owner is gone: it is dropped.
    Retired {
        /// The worker that drops it.
        worker: usize,
        /// The owner.
        owner: usize,
        /// The number of the election.
        election: u64,
        /// The message.
        message: &'a dyn Debug,
    },
    /// The leader of an earlier election leads no longer: it takes part in a later one.
    SteppedDown {
        /// The worker.
        worker: usize,
        /// The number of the later election.
        election: u64,
    },
    /// A worker has stopped.
    Stopped {
        /// The worker.
        worker: usize,
    },
    /// A suspect has shown a sign of life. It is given this time from now on.
    Trusted {
        /// The worker that suspected it.
        worker: usize,
        /// The suspect.
        suspect: usize,
        /// How long it may leave a letter.
        wait: Duration,
    },
    /// A neighbour did not take a letter in time.
    Suspected {
        /// The worker that offered the letter.
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
