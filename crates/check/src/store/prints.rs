//! Fingerprints: one lookup reads one slot, which holds both hash and mark.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::zeroed_slice_box;

use super::room::Room;
use super::{Successor, home, out_of_word};

/// A set of hashes.
pub struct Prints {
    /// By the leading bits of the hash: the hash and a mark; 0 if the slot is empty.
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

    /// Looks up successors in turn, as long as there is room. Returns how many were looked up.
    #[inline]
    pub(super) fn insert_all(&self, successors: &mut [Successor], spare: &mut Range<usize>) -> usize {
        // Prefetch: the first read of every lookup, none of which waits for another.
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
                // If another thread was faster, perhaps with another hash, the hash is looked up again.
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

    /// The slot of this hash, or the free slot where it would go.
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

    /// Makes room for more hashes.
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

    /// The mark of a hash that is in the table.
    #[inline]
    pub(super) fn mark(&self, hash: u64) -> &AtomicU64 {
        &self.slots[self.find(print(hash))][1]
    }
}

/// What is kept of a hash: the hash itself, but never 0.
#[inline]
fn print(hash: u64) -> u64 {
    hash.max(1)
}
