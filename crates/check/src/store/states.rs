//! The states themselves, by number: a slot of the table holds the number of a row.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::zeroed_slice_box;

use super::room::Room;
use super::{Successor, home, out_of_word};
use crate::row::Row;

/// A set of states. With a single caller, numbers follow the order in which states are found.
pub struct States {
    width: usize,
    /// The cells of each state and then its mark, which a lookup has already brought into the cache. Each piece holds
    /// `PIECE` rows.
    rows: Vec<Box<[AtomicU64]>>,
    /// How many words each row has.
    words: usize,
    /// Whether a word holds two cells. While all numbers are small, it holds four.
    is_wide: bool,
    /// By the leading bits of the hash: its upper half, and the number of the state plus one; 0 if the slot is empty.
    slots: Box<[AtomicU64]>,
    pub(super) room: Room,
}

impl States {
    /// No state yet. Every state has this many cells.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            rows: vec![],
            words: width.div_ceil(NARROW) + 1,
            is_wide: false,
            slots: zeroed_slice_box(1 << 10),
            room: Room::default(),
        }
    }

    /// How many there are. Only correct with a single caller.
    #[inline]
    pub fn states(&self) -> usize {
        self.room.taken()
    }

    /// Their size in bytes.
    pub fn bytes(&self) -> u64 {
        let slots = self.slots.len() + self.room.soon(self.slots.len());
        (size_of::<u64>() * (self.room.taken() * self.words + slots)) as u64
    }

    /// The number of a state, and whether the state is new.
    pub fn insert(&mut self, row: &Row) -> (u32, bool) {
        loop {
            let mut spare = self.room.left();
            if let Some(found) = self.put(row, &mut spare) {
                self.room.keep(spare);
                return found;
            }
            self.make_room(row);
        }
    }

    /// Looks up successors in turn, as long as there is room. Returns how many were looked up.
    #[inline]
    pub(super) fn insert_all(&self, row: &mut Row, successors: &mut [Successor], spare: &mut Range<usize>) -> usize {
        // Prefetch: the first read of every lookup, none of which waits for another.
        for next in &mut *successors {
            let hash = next.change.hash;
            let entry = self.slots[home(hash, self.slots.len())].load(Ordering::Relaxed);
            next.number = if entry >> 32 == hash >> 32 { entry as u32 } else { 0 };
        }
        let touch = |touched, next: &Successor| touched | self.touch(next.number - 1);
        std::hint::black_box(successors.iter().filter(|next| next.number > 0).fold(0, touch));
        let here = row.hash();
        for (place, next) in successors.iter_mut().enumerate() {
            row.make(next.change);
            let found = self.put(row, spare);
            row.take_back(next.change, here);
            let Some((number, _)) = found else { return place };
            next.number = number;
            next.mark = out_of_word(self.mark(number).load(Ordering::Acquire));
        }
        successors.len()
    }

    /// The number of a state, and whether the state is new. A new state takes a spare number. `None` if there is no
    /// room.
    #[inline]
    fn put(&self, row: &Row, spare: &mut Range<usize>) -> Option<(u32, bool)> {
        if !self.fits(row) {
            return None;
        }
        let (mask, hash) = (self.slots.len() - 1, row.hash());
        let mut slot = home(hash, self.slots.len());
        let mut is_written = false;
        loop {
            let entry = self.slots[slot & mask].load(Ordering::Acquire);
            if entry == 0 {
                if Range::is_empty(spare) {
                    return None;
                }
                let number = spare.start as u32;
                if !is_written {
                    self.write(number, row.cells());
                    is_written = true;
                }
                // A thread that reads the entry also sees the row. If another thread was faster, the slot is read
                // again.
                let entry = hash >> 32 << 32 | u64::from(number + 1);
                let slot = &self.slots[slot & mask];
                if slot.compare_exchange(0, entry, Ordering::Release, Ordering::Relaxed).is_ok() {
                    spare.start += 1;
                    return Some((number, true));
                }
            } else if entry >> 32 == hash >> 32 && self.is(entry as u32 - 1, row.cells()) {
                return Some((entry as u32 - 1, false));
            } else {
                slot += 1;
            }
        }
    }

    /// Whether the words are wide enough.
    #[inline]
    fn fits(&self, row: &Row) -> bool {
        self.is_wide || row.is_narrow()
    }

    /// Makes room for more states, and for all numbers that the row ever held.
    #[cold]
    pub(super) fn make_room(&mut self, row: &Row) {
        if !self.fits(row) {
            self.widen();
        }
        if self.room.is_full(self.slots.len()) {
            self.grow();
        }
        let pieces = self.room.extend(self.slots.len()).div_ceil(PIECE);
        self.rows.resize_with(pieces, || zeroed_slice_box(PIECE * self.words));
    }

    fn grow(&mut self) {
        let larger = zeroed_slice_box(2 * self.slots.len());
        let mask = larger.len() - 1;
        // The half of the hash in a slot is enough to find its new place. No row is read, and slots are filled from
        // left to right.
        let old = std::mem::replace(&mut self.slots, larger).into_iter().map(AtomicU64::into_inner);
        for entry in old.filter(|entry| *entry != 0) {
            let mut slot = home(entry, self.slots.len());
            while *self.slots[slot & mask].get_mut() != 0 {
                slot += 1;
            }
            *self.slots[slot & mask].get_mut() = entry;
        }
    }

    fn widen(&mut self) {
        let (old, words) = (self.words, self.width.div_ceil(WIDE) + 1);
        for piece in &mut self.rows {
            let wide = zeroed_slice_box(PIECE * words);
            for (old, new) in piece.chunks(old).zip(wide.chunks(words)) {
                write::<WIDE>(new, &cells::<NARROW>(old).take(self.width).collect::<Vec<_>>());
                new[words - 1].store(old[old.len() - 1].load(Ordering::Relaxed), Ordering::Relaxed);
            }
            *piece = wide;
        }
        (self.words, self.is_wide) = (words, true);
    }

    /// Loads a state into the row.
    pub fn load(&self, number: u32, row: &mut Row) {
        let words = self.row(number);
        if self.is_wide {
            row.load(cells::<WIDE>(words).take(self.width));
        } else {
            row.load(cells::<NARROW>(words).take(self.width));
        }
    }

    /// The mark of a state.
    #[inline]
    pub(super) fn mark(&self, number: u32) -> &AtomicU64 {
        &self.row(number)[self.words - 1]
    }

    #[inline]
    fn row(&self, number: u32) -> &[AtomicU64] {
        let number = number as usize;
        &self.rows[number / PIECE][number % PIECE * self.words..][..self.words]
    }

    /// Brings a row into the cache: its first cells and its mark, which may be in two cache lines.
    #[inline]
    fn touch(&self, number: u32) -> u64 {
        let row = self.row(number);
        row[0].load(Ordering::Relaxed) | row[row.len() - 1].load(Ordering::Relaxed)
    }

    #[inline]
    fn is(&self, number: u32, cells: &[u32]) -> bool {
        let row = self.row(number);
        if self.is_wide { is::<WIDE>(row, cells) } else { is::<NARROW>(row, cells) }
    }

    /// Writes the cells of a row that no thread reads yet.
    #[inline]
    fn write(&self, number: u32, cells: &[u32]) {
        let row = self.row(number);
        if self.is_wide { write::<WIDE>(row, cells) } else { write::<NARROW>(row, cells) }
    }
}

/// The number of rows in one piece.
const PIECE: usize = 1 << 10;

/// How many cells a word holds: small numbers, and large ones.
const NARROW: usize = 4;
const WIDE: usize = 2;

/// Calls `with` for each word of a row, with the value that the word has for these cells.
#[inline]
fn each_word<const CELLS: usize>(row: &[AtomicU64], cells: &[u32], mut with: impl FnMut(&AtomicU64, u64)) {
    let word = |cells: &[u32]| {
        let cell = |(place, cell): (usize, &u32)| u64::from(*cell) << (64 / CELLS * place);
        cells.iter().enumerate().map(cell).fold(0, |word, cell| word | cell)
    };
    let (whole, rest) = cells.as_chunks::<CELLS>();
    row.iter().zip(whole).for_each(|(old, cells)| with(old, word(cells)));
    if !rest.is_empty() {
        with(&row[whole.len()], word(rest));
    }
}

/// The cells of a row, and the unused ones at its end.
fn cells<const CELLS: usize>(row: &[AtomicU64]) -> impl Iterator<Item = u32> {
    let bits = 64 / CELLS;
    let words = row.iter().map(|word| word.load(Ordering::Relaxed));
    words.flat_map(move |word| (0..CELLS).map(move |place| (word >> (bits * place) & (u64::MAX >> (64 - bits))) as u32))
}

#[inline]
fn is<const CELLS: usize>(row: &[AtomicU64], cells: &[u32]) -> bool {
    let mut differs = 0;
    each_word::<CELLS>(row, cells, |old, word| differs |= old.load(Ordering::Relaxed) ^ word);
    differs == 0
}

#[inline]
fn write<const CELLS: usize>(row: &[AtomicU64], cells: &[u32]) {
    each_word::<CELLS>(row, cells, |old, word| old.store(word, Ordering::Relaxed));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_number_widens_all_rows_and_keeps_their_marks() {
        let mut states = States::new(2);
        let rows = [[1, 2], [3, 4], [5, 70_000], [1, 3]];
        for (number, cells) in (0..).zip(&rows) {
            assert_eq!(states.insert(&Row::new(cells.to_vec())), (number, true));
            assert_eq!(states.mark(number).load(Ordering::Relaxed), 0);
            states.mark(number).store((1 << 40) + u64::from(number), Ordering::Relaxed);
        }
        let mut row = Row::new(vec![0, 0]);
        for (number, cells) in (0..).zip(&rows) {
            assert_eq!(states.insert(&Row::new(cells.to_vec())), (number, false));
            states.load(number, &mut row);
            assert_eq!(row.cells(), cells);
            assert_eq!(states.mark(number).load(Ordering::Relaxed), (1 << 40) + u64::from(number));
        }
        assert_eq!(states.states(), 4);
    }
}
