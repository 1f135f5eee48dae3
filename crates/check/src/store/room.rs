//! Room for more states.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::ledger::GLANCE;

/// The numbers of states: threads take some at a time, and none is given out for which there is no room.
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

    /// All numbers for which there is room, for whoever is alone.
    pub fn left(&mut self) -> Range<usize> {
        *self.taken.get_mut()..self.end
    }

    /// Of all numbers for which there is room these were not taken.
    pub fn keep(&mut self, spare: Range<usize>) {
        *self.taken.get_mut() = spare.start;
    }

    /// Whether there can be no more without more slots.
    pub fn is_full(&self, slots: usize) -> bool {
        self.end == most(slots)
    }

    /// Makes room for some more, and tells for how many there is in all.
    pub fn extend(&mut self, slots: usize) -> usize {
        self.end = most(slots).min(self.end + (self.end / 4).clamp(64, 1 << 16));
        self.end
    }

    /// How many slots more there will be when the table has grown, if that is soon: both then take memory.
    pub fn soon(&self, slots: usize) -> usize {
        if self.taken() + GLANCE as usize > most(slots) { 2 * slots } else { 0 }
    }
}

/// How many states a table of so many slots holds: a quarter of it stays empty.
fn most(slots: usize) -> usize {
    slots / 4 * 3
}
