//! All states that were found, each once, with a mark for the search.
//!
//! To look up a state is to read memory that no cache holds. So the successors of a state are looked up together, one
//! step of all lookups after the other (prefetch). The processor waits for all of them at once.
//!
//! Threads look up, add and mark states without waiting for each other. Everything is in atomic words, and a state is
//! there as soon as its slot is taken. Only when there is no more room, one thread makes some while the others stand
//! back.

mod prints;
mod room;
mod states;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use self::prints::Prints;
use self::room::Room;
use crate::row::{CellChange, Row};
use crate::sleep::Asleep;

pub use self::states::States;

/// A note on a state. Its meaning is defined by the search.
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

/// A successor of the state in the row.
#[derive(Clone, Copy, Debug)]
pub struct Successor {
    number: u32,
    /// What the transition costs.
    pub paid: u32,
    /// The number of its move, if the move may sleep.
    pub by: Option<u8>,
    /// The moves that sleep there.
    pub asleep: Asleep,
    /// The mark that it had when it was looked up.
    pub mark: Mark,
    /// What it changes in the row.
    pub change: CellChange,
}

impl Successor {
    /// A state that has not been looked up yet.
    #[inline]
    pub fn new(paid: u32, by: Option<u8>, change: CellChange) -> Self {
        Self { number: 0, paid, by, asleep: Asleep::default(), mark: UNMARKED, change }
    }

    /// How the state is found again, after it was looked up.
    #[inline]
    pub fn key(&self) -> Key {
        Key { number: self.number, hash: self.change.hash }
    }
}

/// All states, shared by all threads.
pub struct Store {
    kept: RwLock<Kept>,
    /// The thread that makes room holds this lock. The others wait for it.
    gate: Mutex<()>,
    /// How many threads want to make room.
    waiting: AtomicUsize,
}

/// What is kept of states.
enum Kept {
    /// The states themselves.
    Exact(States),
    /// Their hashes only: two states with the same hash count as one.
    Fingerprints(Prints),
}

impl Store {
    /// No state yet. Every state has this many cells.
    pub fn new(width: usize, fingerprints: bool) -> Self {
        let kept = if fingerprints { Kept::Fingerprints(Prints::default()) } else { Kept::Exact(States::new(width)) };
        Self { kept: RwLock::new(kept), gate: Mutex::new(()), waiting: AtomicUsize::new(0) }
    }

    /// Access for a thread. The thread must not wait for another one while it holds this.
    pub fn access(&self) -> Access<'_> {
        Access { store: self, kept: Some(self.read()), spare: 0..0, states: 0 }
    }

    fn gate(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) -> RwLockReadGuard<'_, Kept> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread's access to the store.
pub struct Access<'a> {
    store: &'a Store,
    /// `None` only while this thread stands back.
    kept: Option<RwLockReadGuard<'a, Kept>>,
    /// Numbers for new states of this thread.
    spare: Range<usize>,
    states: usize,
}

impl Access<'_> {
    /// How many states this thread has found.
    #[inline]
    pub fn states(&self) -> usize {
        self.states
    }

    /// The size of all states in bytes.
    pub fn bytes(&self) -> u64 {
        match self.kept() {
            Kept::Exact(states) => states.bytes(),
            Kept::Fingerprints(prints) => prints.bytes(),
        }
    }

    /// Looks up all successors of the state in the row, with their marks, and adds the new ones.
    #[inline]
    pub fn insert_all(&mut self, row: &mut Row, successors: &mut [Successor]) {
        if self.store.waiting.load(Ordering::Relaxed) > 0 {
            self.stand_back();
        }
        let mut done = 0;
        loop {
            let Self { kept, spare, .. } = self;
            let (before, left) = (spare.start, &mut successors[done..]);
            done += match kept.as_deref().expect("it stands back only for a moment") {
                Kept::Exact(states) => states.insert_all(row, left, spare),
                Kept::Fingerprints(prints) => prints.insert_all(left, spare),
            };
            self.states += self.spare.start - before;
            if done == successors.len() {
                return;
            }
            self.make_room(row);
        }
    }

    /// Makes room for more states, and for all numbers that the row ever held.
    #[cold]
    fn make_room(&mut self, row: &Row) {
        if self.spare.is_empty() {
            self.spare = self.room().take();
            if !self.spare.is_empty() {
                return;
            }
        }
        self.store.waiting.fetch_add(1, Ordering::Relaxed);
        self.kept = None;
        let gate = self.store.gate();
        match &mut *self.store.kept.write().unwrap_or_else(PoisonError::into_inner) {
            Kept::Exact(states) => states.make_room(row),
            Kept::Fingerprints(prints) => prints.make_room(),
        }
        self.store.waiting.fetch_sub(1, Ordering::Relaxed);
        drop(gate);
        self.kept = Some(self.store.read());
    }

    /// Lets another thread make room.
    #[cold]
    fn stand_back(&mut self) {
        self.kept = None;
        drop(self.store.gate());
        self.kept = Some(self.store.read());
    }

    #[inline]
    fn kept(&self) -> &Kept {
        self.kept.as_deref().expect("it stands back only for a moment")
    }

    fn room(&self) -> &Room {
        match self.kept() {
            Kept::Exact(states) => &states.room,
            Kept::Fingerprints(prints) => &prints.room,
        }
    }

    #[inline]
    fn word(&self, key: Key) -> &AtomicU64 {
        match self.kept() {
            Kept::Exact(states) => states.mark(key.number),
            Kept::Fingerprints(prints) => prints.mark(key.hash),
        }
    }

    /// The mark of a state.
    #[inline]
    pub fn mark(&self, key: Key) -> Mark {
        out_of_word(self.word(key).load(Ordering::Acquire))
    }

    /// Puts a mark on a state.
    #[inline]
    pub fn set_mark(&self, key: Key, mark: Mark) {
        self.word(key).store(in_word(mark), Ordering::Release);
    }

    /// Replaces this mark of a state by another one.
    ///
    /// # Errors
    /// If the state has a different mark.
    #[inline]
    pub fn replace_mark(&self, key: Key, old: Mark, new: Mark) -> Result<(), Mark> {
        let replaced = self.word(key).compare_exchange(in_word(old), in_word(new), Ordering::AcqRel, Ordering::Acquire);
        replaced.map(|_| ()).map_err(out_of_word)
    }
}

/// A mark as a word. The bits are inverted: an unmarked state is 0, as all words are at first.
fn in_word((a, b): Mark) -> u64 {
    !(u64::from(a) | u64::from(b) << 32)
}

fn out_of_word(word: u64) -> Mark {
    (!word as u32, (!word >> 32) as u32)
}

/// The slot of a hash in a table whose size is a power of two. The hash is in this slot or after it.
#[inline]
fn home(hash: u64, slots: usize) -> usize {
    (hash >> (u64::BITS - slots.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some successors of the state in the row: different numbers, different states.
    fn successors(row: &mut Row, numbers: impl Iterator<Item = u32>) -> Vec<Successor> {
        let here = row.hash();
        let successor = |x| {
            let moment = row.moment();
            [x % 7, x / 7, x + 1].into_iter().enumerate().for_each(|(place, value)| row.set(place, value));
            let change = row.since(moment);
            row.take_back(change, here);
            Successor::new(0, None, change)
        };
        numbers.map(successor).collect()
    }

    #[test]
    fn thousands_are_found_again_with_their_marks_and_equal_ones_are_one() {
        for fingerprints in [false, true] {
            let store = Store::new(3, fingerprints);
            let mut store = store.access();
            let mut row = Row::new(vec![0, 0, 0]);
            let mut successors = successors(&mut row, (0..5_000).chain([9]));
            for (number, some) in (0..).zip(successors.chunks_mut(100)) {
                store.insert_all(&mut row, some);
                let fresh = some.iter().filter(|next| next.mark == UNMARKED);
                fresh.for_each(|next| store.set_mark(next.key(), (number, 70_000 + number)));
            }
            assert_eq!((row.cells(), store.states()), (&[0, 0, 0][..], 5_000));
            store.insert_all(&mut row, &mut successors);
            assert_eq!(store.states(), 5_000);
            assert!(successors.iter().all(|next| store.mark(next.key()) == next.mark));
            assert!(
                successors
                    .into_iter()
                    .map(|next| next.mark)
                    .eq((0..5_000).chain([9]).map(|x| (x / 100, 70_000 + x / 100)))
            );
        }
    }

    #[test]
    fn of_threads_that_find_the_same_one_is_first() {
        /// The numbers of some states are too large for narrow rows.
        const STATES: u32 = 70_000;
        for fingerprints in [false, true] {
            let store = Store::new(3, fingerprints);
            let (found, marked) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let work = |thread: u32| {
                let (mut access, mut row) = (store.access(), Row::new(vec![0, 0, 0]));
                for first in (0..STATES).step_by(100) {
                    let first = (first + thread * STATES / 4) % STATES;
                    let mut successors = successors(&mut row, first..first + 100);
                    access.insert_all(&mut row, &mut successors);
                    let mark = |next: &&Successor| access.replace_mark(next.key(), UNMARKED, (first, thread)).is_ok();
                    marked.fetch_add(successors.iter().filter(mark).count(), Ordering::Relaxed);
                    row.load([0, 0, 0]);
                }
                found.fetch_add(access.states(), Ordering::Relaxed);
            };
            #[expect(clippy::disallowed_methods, reason = "it is about threads")]
            std::thread::scope(|scope| {
                for thread in 0..4 {
                    let work = &work;
                    scope.spawn(move || work(thread));
                }
            });
            assert_eq!([found, marked].map(AtomicUsize::into_inner), [STATES as usize; 2]);
        }
    }
}
