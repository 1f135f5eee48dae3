//! A state as a row of numbers that can be changed, and changed back.

use std::ops::Range;

/// A row of cells and its hash.
///
/// The successors of a state differ from it in a few cells, and nobody copies the others: changes are made in place and
/// written down in a log, from which they can be taken back, and made again.
#[derive(Clone, Debug, Default)]
pub struct Row {
    cells: Vec<u32>,
    hash: u64,
    /// By cell: its factor in the hash.
    factors: Vec<u64>,
    /// All bits of all numbers that it ever held.
    bits: u32,
    /// Cells that were changed, with what they held before; or that can be changed again, with what they will hold.
    log: Vec<(u32, u32)>,
}

/// A moment in the life of a row.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    logged: usize,
    hash: u64,
}

/// Changes in the log, from one moment to another.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    first: u32,
    end: u32,
    /// The hash of the row after them.
    pub hash: u64,
}

impl Change {
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

    /// Takes over as many other cells, and forgets all changes.
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

    /// A sum over the cells, each times a large number of its own: a change of one needs no look at the others.
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

    /// Whether half of a cell has been wide enough for all that it ever held.
    #[inline]
    pub fn is_narrow(&self) -> bool {
        self.bits <= u32::from(u16::MAX)
    }

    /// Now.
    #[inline]
    pub fn moment(&self) -> Moment {
        Moment { logged: self.log.len(), hash: self.hash }
    }

    /// All that was changed since.
    #[inline]
    pub fn since(&self, moment: Moment) -> Change {
        Change { first: moment.logged as u32, end: self.log.len() as u32, hash: self.hash }
    }

    /// Takes changes back, after which the row has its former hash. They stay in the log, to be made again.
    #[inline]
    pub fn take_back(&mut self, change: Change, hash: u64) {
        for (place, value) in self.log[change.range()].iter_mut().rev() {
            std::mem::swap(value, &mut self.cells[*place as usize]);
        }
        self.hash = hash;
    }

    /// Makes changes again.
    #[inline]
    pub fn make(&mut self, change: Change) {
        for (place, value) in &mut self.log[change.range()] {
            std::mem::swap(value, &mut self.cells[*place as usize]);
        }
        self.hash = change.hash;
    }

    /// Forgets what came into the log since, and takes these changes back, which led from then on.
    #[inline]
    pub fn return_to(&mut self, moment: Moment, change: Change) {
        self.log.truncate(moment.logged);
        self.take_back(change, moment.hash);
    }

    /// Takes back all that was changed since, for good.
    pub fn back_to(&mut self, moment: Moment) {
        self.take_back(self.since(moment), moment.hash);
        self.log.truncate(moment.logged);
    }

    /// The bytes that the log takes.
    pub fn bytes(&self) -> u64 {
        (size_of::<(u32, u32)>() * self.log.len()) as u64
    }
}

/// An odd number that looks drawn by chance (SplitMix64).
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
