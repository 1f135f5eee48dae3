//! Fingerprints: one walk to one slot, where hash and mark stand side by side.

use super::{Successor, UNMARKED, home, in_word, is_crowded, soon};

/// A set of hashes.
pub struct Prints {
    /// By the leading bits of the hash: the hash and a mark; 0 where there is none.
    slots: Vec<[u64; 2]>,
    count: usize,
}

impl Default for Prints {
    fn default() -> Self {
        Self { slots: vec![[0; 2]; 1 << 10], count: 0 }
    }
}

impl Prints {
    #[inline]
    pub(super) fn states(&self) -> usize {
        self.count
    }

    pub(super) fn bytes(&self) -> u64 {
        (size_of::<[u64; 2]>() * (self.slots.len() + soon(self.count, self.slots.len()))) as u64
    }

    #[inline]
    pub(super) fn insert_all(&mut self, successors: &[Successor], mut tell: impl FnMut(Successor, u64)) {
        while is_crowded(self.count + successors.len(), self.slots.len()) {
            self.grow();
        }
        // The first steps of all walks: none has to wait for another.
        let first = |touched, next: &Successor| touched | self.slots[home(next.change.hash, self.slots.len())][0];
        std::hint::black_box(successors.iter().fold(0, first));
        for next in successors {
            let slot = self.find(next.change.hash);
            if self.slots[slot][0] == 0 {
                self.slots[slot] = [print(next.change.hash), in_word(UNMARKED)];
                self.count += 1;
            }
            tell(*next, self.slots[slot][1]);
        }
    }

    /// Where this hash stands, or would.
    #[inline]
    fn find(&self, hash: u64) -> usize {
        let (mask, hash) = (self.slots.len() - 1, print(hash));
        let mut slot = home(hash, self.slots.len());
        loop {
            let other = self.slots[slot & mask][0];
            if other == hash || other == 0 {
                return slot & mask;
            }
            slot += 1;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![[0; 2]; 2 * self.slots.len()];
        for entry in std::mem::replace(&mut self.slots, larger) {
            if entry[0] != 0 {
                let slot = self.find(entry[0]);
                self.slots[slot] = entry;
            }
        }
    }

    #[inline]
    pub(super) fn mark(&self, hash: u64) -> u64 {
        self.slots[self.find(hash)][1]
    }

    #[inline]
    pub(super) fn set_mark(&mut self, hash: u64, mark: u64) {
        let slot = self.find(hash);
        self.slots[slot][1] = mark;
    }
}

/// What is kept of a hash: itself, but never nothing.
#[inline]
fn print(hash: u64) -> u64 {
    hash.max(1)
}
