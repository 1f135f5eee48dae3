//! Fingerprints: one walk to one slot, where hash and mark stand side by side.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::zeroed_slice_box;

use super::room::Room;
use super::{Successor, home, out_of_word};

/// A set of hashes.
pub struct Prints {
    /// By the leading bits of the hash: the hash and a mark; 0 where there is none.
    slots: Box<[[AtomicU64; 2]]>,
    pub(super) room: Room,
}

impl Default for Prints {
    fn default() -> Self {
        Self { slots: zeroed_slice_box(1 << 10), room: Room::default() }
    }
}

impl Prints {
    pub(super) fn bytes(&self) -> u64 {
        (size_of::<[u64; 2]>() * (self.slots.len() + self.room.soon(self.slots.len()))) as u64
    }

    /// Looks successors up in turn, as long as there is room, and tells how many.
    #[inline]
    pub(super) fn insert_all(&self, successors: &mut [Successor], spare: &mut Range<usize>) -> usize {
        // The first steps of all walks: none has to wait for another.
        let first = |touched, next: &Successor| touched | self.load(home(next.change.hash, self.slots.len()));
        std::hint::black_box(successors.iter().fold(0, first));
        for (place, next) in successors.iter_mut().enumerate() {
            let hash = print(next.change.hash);
            let slot = loop {
                let slot = self.find(hash);
                if self.load(slot) == hash {
                    break slot;
                }
                if Range::is_empty(spare) {
                    return place;
                }
                // If another was faster, perhaps with another hash, it is looked up again.
                if self.slots[slot][0].compare_exchange(0, hash, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                    spare.start += 1;
                    break slot;
                }
            };
            next.mark = out_of_word(self.slots[slot][1].load(Ordering::Acquire));
        }
        successors.len()
    }

    #[inline]
    fn load(&self, slot: usize) -> u64 {
        self.slots[slot][0].load(Ordering::Relaxed)
    }

    /// Where this hash stands, or would.
    #[inline]
    fn find(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = home(hash, self.slots.len());
        loop {
            let other = self.load(slot & mask);
            if other == hash || other == 0 {
                return slot & mask;
            }
            slot += 1;
        }
    }

    /// Makes room for some more.
    #[cold]
    pub(super) fn make_room(&mut self) {
        if self.room.is_full(self.slots.len()) {
            let larger = zeroed_slice_box(2 * self.slots.len());
            for mut entry in std::mem::replace(&mut self.slots, larger) {
                if *entry[0].get_mut() != 0 {
                    let slot = self.find(*entry[0].get_mut());
                    self.slots[slot] = entry;
                }
            }
        }
        self.room.extend(self.slots.len());
    }

    /// The mark of a hash that is there.
    #[inline]
    pub(super) fn mark(&self, hash: u64) -> &AtomicU64 {
        &self.slots[self.find(print(hash))][1]
    }
}

/// What is kept of a hash: itself, but never nothing.
#[inline]
fn print(hash: u64) -> u64 {
    hash.max(1)
}
