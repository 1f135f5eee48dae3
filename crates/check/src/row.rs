//! A state as a row of numbers, with changes that can be taken back.

use std::ops::Range;

/// A row of cells and its hash.
///
/// The successors of a state differ from it in a few cells, so a state is never copied. Changes are made in place and
/// written to a log. With the log they can be taken back, and made again.
#[derive(Clone, Debug, Default)]
pub struct Row {
    cells: Vec<u32>,
    hash: u64,
    /// By cell: its factor in the hash.
    factors: Vec<u64>,
    /// The bitwise or of all numbers that it ever held.
    bits: u32,
    /// The changed cells with their old values; or, after a change was taken back, with their new values.
    log: Vec<(u32, u32)>,
}

/// A moment in the life of a row.
#[derive(Clone, Copy, Debug)]
pub struct Logged {
    logged: usize,
    hash: u64,
}

/// Changes in the log, from one moment to another.
#[derive(Clone, Copy, Debug)]
pub struct CellChange {
    first: u32,
    end: u32,
    /// The hash of the row after them.
    pub hash: u64,
}

impl CellChange {
    #[inline]
    fn range(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

impl Row {
    /// A row of these cells.
    pub fn new(cells: Vec<u32>) -> Self {
        let factors = (0..cells.len() as u64).map(factor).collect();
        let mut row = Self { factors, ..Self::default() };
        row.load(cells);
        row
    }

    /// Replaces all cells (their number stays the same) and forgets all changes.
    pub fn load(&mut self, cells: impl IntoIterator<Item = u32>) {
        self.cells.clear();
        self.cells.extend(cells);
        let parts = self.cells.iter().zip(&self.factors).map(|(cell, factor)| u64::from(*cell).wrapping_mul(*factor));
        self.hash = parts.fold(0, u64::wrapping_add);
        self.bits = self.cells.iter().fold(self.bits, |bits, cell| bits | cell);
        self.log.clear();
    }

    /// The cells.
    #[inline]
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// The sum of all cells, each times its own large factor. After a change of one cell the others are not read.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Changes a cell.
    #[inline]
    pub fn set(&mut self, place: usize, value: u32) {
        let old = std::mem::replace(&mut self.cells[place], value);
        let more = u64::from(value).wrapping_sub(u64::from(old));
        self.hash = self.hash.wrapping_add(more.wrapping_mul(self.factors[place]));
        self.bits |= value;
        self.log.push((place as u32, old));
    }

    /// Whether 16 bits have been enough for all numbers that it ever held.
    #[inline]
    pub fn is_narrow(&self) -> bool {
        self.bits <= u32::from(u16::MAX)
    }

    /// The current moment.
    #[inline]
    pub fn moment(&self) -> Logged {
        Logged { logged: self.log.len(), hash: self.hash }
    }

    /// All changes since this moment.
    #[inline]
    pub fn since(&self, moment: Logged) -> CellChange {
        CellChange { first: moment.logged as u32, end: self.log.len() as u32, hash: self.hash }
    }

    /// The cell that was changed by one of the changes since this moment.
    #[inline]
    pub fn changed(&self, since: Logged, number: usize) -> Option<usize> {
        self.log.get(since.logged + number).map(|(place, _)| *place as usize)
    }

    /// Takes changes back; the row then has this hash. They stay in the log and can be made again.
    #[inline]
    pub fn take_back(&mut self, change: CellChange, hash: u64) {
        for (place, value) in self.log[change.range()].iter_mut().rev() {
            std::mem::swap(value, &mut self.cells[*place as usize]);
        }
        self.hash = hash;
    }

    /// Makes changes again.
    #[inline]
    pub fn make(&mut self, change: CellChange) {
        for (place, value) in &mut self.log[change.range()] {
            std::mem::swap(value, &mut self.cells[*place as usize]);
        }
        self.hash = change.hash;
    }

    /// Drops all log entries since this moment, and takes back the change that was made then.
    #[inline]
    pub fn return_to(&mut self, moment: Logged, change: CellChange) {
        self.log.truncate(moment.logged);
        self.take_back(change, moment.hash);
    }

    /// Takes back all changes since this moment, for good.
    pub fn back_to(&mut self, moment: Logged) {
        self.take_back(self.since(moment), moment.hash);
        self.log.truncate(moment.logged);
    }

    /// The size of the log in bytes.
    pub fn bytes(&self) -> u64 {
        (size_of::<(u32, u32)>() * self.log.len()) as u64
    }
}

/// An odd pseudo-random number (SplitMix64).
fn factor(place: u64) -> u64 {
    let mut x = (place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_can_be_taken_back_and_made_again() {
        let hash = |cells: [u32; 3]| Row::new(cells.to_vec()).hash();
        let mut row = Row::new(vec![1, 2, 3]);
        let before = row.moment();
        for (place, value) in [(0, 70), (2, 9), (0, 5)] {
            row.set(place, value);
        }
        let change = row.since(before);
        for _ in 0..2 {
            assert_eq!((row.cells(), row.hash()), (&[5, 2, 9][..], hash([5, 2, 9])));
            row.take_back(change, hash([1, 2, 3]));
            assert_eq!((row.cells(), row.hash()), (&[1, 2, 3][..], hash([1, 2, 3])));
            row.make(change);
        }
        row.back_to(before);
        assert_eq!((row.cells(), row.bytes()), (&[1, 2, 3][..], 0));
    }
}
