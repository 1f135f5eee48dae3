//! The events that wait to be handed on. If there are too many, the threads of the nodes wait.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many events may wait before the threads do. They take some megabytes.
const ROOM: usize = 8_192;

/// The number of events that wait, and a gate for the threads that make them.
#[derive(Default)]
pub(super) struct Backlog {
    pile: Mutex<Pile>,
    room: Condvar,
}

#[derive(Default)]
struct Pile {
    events: usize,
    /// No thread waits any more: the run is over.
    open: bool,
}

impl Backlog {
    fn pile(&self) -> MutexGuard<'_, Pile> {
        self.pile.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more event waits.
    pub(super) fn grow(&self) {
        self.pile().events += 1;
    }

    /// One event was handed on. The threads go on when half of the room is free again.
    pub(super) fn shrink(&self) {
        let mut pile = self.pile();
        pile.events -= 1;
        if pile.events == ROOM / 2 {
            self.room.notify_all();
        }
    }

    /// Waits while there are too many events.
    pub(super) fn wait_for_room(&self) {
        let is_full = |pile: &mut Pile| pile.events >= ROOM && !pile.open;
        drop(self.room.wait_while(self.pile(), is_full).unwrap_or_else(PoisonError::into_inner));
    }

    /// From now on no thread waits.
    pub(super) fn open(&self) {
        self.pile().open = true;
        self.room.notify_all();
    }
}
