//! Room for more states.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::ledger::GLANCE;

/// The numbers of states. Threads take some at a time; a number is given out only if there is room for its state.
#[derive(Default)]
pub struct Room {
    taken: AtomicUsize,
    end: usize,
}

impl Room {
    /// How many numbers were taken.
    #[inline]
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    /// Takes some numbers, or none if there is no room.
    pub fn take(&self) -> Range<usize> {
        let after = |taken| self.end.min(taken + 64);
        let taken = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| Some(after(taken)));
        let first = taken.unwrap_or_else(|taken| taken);
        first..after(first)
    }

    /// All numbers that are left, for a caller that is the only one.
    pub fn left(&mut self) -> Range<usize> {
        *self.taken.get_mut()..self.end
    }

    /// Gives back the numbers that were not used.
    pub fn keep(&mut self, spare: Range<usize>) {
        *self.taken.get_mut() = spare.start;
    }

    /// Whether the table must grow before there is more room.
    pub fn is_full(&self, slots: usize) -> bool {
        self.end == most(slots)
    }

    /// Makes room for more states. Returns for how many there is room in all.
    pub fn extend(&mut self, slots: usize) -> usize {
        self.end = most(slots).min(self.end + (self.end / 4).clamp(64, 1 << 16));
        self.end
    }

    /// The slots of the larger table, if the table grows soon: then both tables take memory.
    pub fn soon(&self, slots: usize) -> usize {
        if self.taken() + GLANCE as usize > most(slots) { 2 * slots } else { 0 }
    }
}

/// The largest number of states in a table with this many slots: a quarter stays empty.
fn most(slots: usize) -> usize {
    slots / 4 * 3
}
