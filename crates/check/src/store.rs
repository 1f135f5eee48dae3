//! All states that were found, each once, with a mark for whoever looks at them.
//!
//! Looking a state up is a walk through memory far beyond any cache. So the successors of a state are looked up together,
//! one step of all walks after the other, and the processor waits for all of them at once.

mod prints;
mod states;

use self::prints::Prints;
pub use self::states::States;
use crate::ledger::GLANCE;
use crate::row::{Change, Row};

/// A note on a state; what it means is for others to say.
pub type Mark = (u32, u32);

/// The mark of a state that was just found.
pub const UNMARKED: Mark = (u32::MAX, u32::MAX);

/// How a state is found again.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its number, where states are numbered.
    number: u32,
    hash: u64,
}

/// A state to which one transition leads from the one in the row.
#[derive(Clone, Copy, Debug)]
pub struct Successor {
    number: u32,
    /// What the transition costs.
    pub paid: u32,
    /// The number of the move that it is, if it may sleep.
    pub by: Option<u8>,
    /// What it changes in the row.
    pub change: Change,
}

impl Successor {
    /// A state that is yet to be looked up.
    #[inline]
    pub fn new(paid: u32, by: Option<u8>, change: Change) -> Self {
        Self { number: 0, paid, by, change }
    }

    /// How it is found again, once it was looked up.
    #[inline]
    pub fn key(&self) -> Key {
        Key { number: self.number, hash: self.change.hash }
    }
}

/// All states, or what is kept of them.
pub enum Store {
    /// The states themselves.
    Exact(States),
    /// Their hashes alone: two states with the same would be taken for one.
    Fingerprints(Prints),
}

impl Store {
    /// No state yet; all will have so many cells.
    pub fn new(width: usize, fingerprints: bool) -> Self {
        if fingerprints { Self::Fingerprints(Prints::default()) } else { Self::Exact(States::new(width)) }
    }

    /// How many there are.
    #[inline]
    pub fn states(&self) -> usize {
        match self {
            Self::Exact(states) => states.states(),
            Self::Fingerprints(prints) => prints.states(),
        }
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Exact(states) => states.bytes(),
            Self::Fingerprints(prints) => prints.bytes(),
        }
    }

    /// Looks all successors of the state in the row up, keeps those that are new, and tells the mark of each.
    #[inline]
    pub fn insert_all(&mut self, row: &mut Row, successors: &mut [Successor], mut tell: impl FnMut(Successor, Mark)) {
        let tell = |successor: Successor, mark| tell(successor, out_of_word(mark));
        match self {
            Self::Exact(states) => states.insert_all(row, successors, tell),
            Self::Fingerprints(prints) => prints.insert_all(successors, tell),
        }
    }

    /// The mark of a state.
    #[inline]
    pub fn mark(&self, key: Key) -> Mark {
        out_of_word(match self {
            Self::Exact(states) => states.mark(key.number),
            Self::Fingerprints(prints) => prints.mark(key.hash),
        })
    }

    /// Puts a mark on a state.
    #[inline]
    pub fn set_mark(&mut self, key: Key, mark: Mark) {
        match self {
            Self::Exact(states) => states.set_mark(key.number, in_word(mark)),
            Self::Fingerprints(prints) => prints.set_mark(key.hash, in_word(mark)),
        }
    }
}

fn in_word((a, b): Mark) -> u64 {
    u64::from(a) | u64::from(b) << 32
}

fn out_of_word(word: u64) -> Mark {
    (word as u32, (word >> 32) as u32)
}

/// Whether a table of so many slots should grow before so many states are in it: a quarter of it stays empty.
#[inline]
fn is_crowded(states: usize, slots: usize) -> bool {
    states * 4 > slots * 3
}

/// How many slots more there will be when the table has grown, if that is soon: both then take memory.
fn soon(states: usize, slots: usize) -> usize {
    if is_crowded(states + GLANCE as usize, slots) { 2 * slots } else { 0 }
}

/// Where in a table of a power of two of slots a hash stands, or after it.
#[inline]
fn home(hash: u64, slots: usize) -> usize {
    (hash >> (u64::BITS - slots.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_found_again_with_their_marks_and_equal_ones_are_one() {
        for fingerprints in [false, true] {
            let mut store = Store::new(3, fingerprints);
            let mut row = Row::new(vec![0, 0, 0]);
            let here = row.hash();
            let mut successors: Vec<Successor> = (0..5_000)
                .chain([9])
                .map(|x| {
                    let moment = row.moment();
                    [x % 7, x / 7, x + 1].into_iter().enumerate().for_each(|(place, value)| row.set(place, value));
                    let change = row.since(moment);
                    row.take_back(change, here);
                    Successor::new(0, None, change)
                })
                .collect();
            for (number, some) in (0..).zip(successors.chunks_mut(100)) {
                let mut fresh = vec![];
                store.insert_all(&mut row, some, |next, mark| fresh.extend((mark == UNMARKED).then_some(next.key())));
                fresh.into_iter().for_each(|key| store.set_mark(key, (number, 70_000 + number)));
            }
            assert_eq!((row.cells(), store.states()), (&[0, 0, 0][..], 5_000));
            let mut marks = vec![];
            store.insert_all(&mut row, &mut successors, |_, mark| marks.push(mark));
            assert_eq!(store.states(), 5_000);
            assert!(successors.iter().zip(&marks).all(|(next, mark)| store.mark(next.key()) == *mark));
            assert!(marks.into_iter().eq((0..5_000).chain([9]).map(|x| (x / 100, 70_000 + x / 100))));
        }
    }
}
