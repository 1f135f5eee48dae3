//! Counters of what all workers have done.

use std::sync::atomic::{AtomicU64, Ordering};

use bellwether_core::Message;

/// Counters that all workers share.
#[derive(Debug, Default)]
pub struct Counts {
    /// Letters handed over, by kind.
    kinds: Vec<AtomicU64>,
    /// Letters offered to a neighbour.
    pub offered: AtomicU64,
    /// Offers that came back: withdrawn, or given up.
    pub returned: AtomicU64,
    /// Letters that went past a failed worker, once for each.
    pub skipped: AtomicU64,
    /// Letters that are no longer needed: of an earlier election, or of an owner that is gone.
    pub retired: AtomicU64,
}

/// The counters at some moment, or between two moments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Letters handed over, by the name of their kind.
    pub kinds: Vec<(&'static str, u64)>,
    /// Letters offered to a neighbour.
    pub offered: u64,
    /// Offers that came back.
    pub returned: u64,
    /// Letters that went past a failed worker, once for each.
    pub skipped: u64,
    /// Letters that were no longer needed.
    pub retired: u64,
}

impl Counts {
    /// Counters for messages of this type.
    pub fn new<M: Message>() -> Self {
        Self { kinds: (0..M::KINDS).map(|_| AtomicU64::new(0)).collect(), ..Self::default() }
    }

    /// A letter was handed over.
    pub fn hand_over(&self, message: &impl Message) {
        bump(&self.kinds[message.kind()]);
    }

    /// The counters so far.
    pub fn traffic<M: Message>(&self) -> Traffic {
        let read = |counter: &AtomicU64| counter.load(Ordering::SeqCst);
        Traffic {
            kinds: self.kinds.iter().enumerate().map(|(kind, count)| (M::kind_name(kind), read(count))).collect(),
            offered: read(&self.offered),
            returned: read(&self.returned),
            skipped: read(&self.skipped),
            retired: read(&self.retired),
        }
    }
}

/// Adds one to a counter.
pub fn bump(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::SeqCst);
}

impl Traffic {
    /// How many letters were handed over.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.kinds.iter().map(|(_, count)| count).sum()
    }

    /// The difference to an earlier moment.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let before = |kind: usize| earlier.kinds.get(kind).map_or(0, |&(_, count)| count);
        Self {
            kinds: self.kinds.iter().enumerate().map(|(kind, &(name, count))| (name, count - before(kind))).collect(),
            offered: self.offered - earlier.offered,
            returned: self.returned - earlier.returned,
            skipped: self.skipped - earlier.skipped,
            retired: self.retired - earlier.retired,
        }
    }
}
