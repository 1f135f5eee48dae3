//! States themselves, numbered in the order in which they were found: a slot of the table, then the row it names.

use super::{Successor, UNMARKED, home, in_word, is_crowded, soon};
use crate::row::Row;

/// A set of states.
pub struct States {
    width: usize,
    rows: Rows,
    /// By the leading bits of the hash: its upper half and one more than the number of a state; 0 where there is none.
    slots: Vec<u64>,
    count: usize,
}

/// The cells of each state and its mark, where looking a state up has brought it into the cache.
enum Rows {
    /// While all cells are small numbers; the mark in four more.
    Narrow(Vec<u16>),
    /// The mark in two more.
    Wide(Vec<u32>),
}

impl States {
    /// No state yet; all will have so many cells.
    pub fn new(width: usize) -> Self {
        Self { width, rows: Rows::Narrow(vec![]), slots: vec![0; 1 << 10], count: 0 }
    }

    /// How many there are.
    #[inline]
    pub fn states(&self) -> usize {
        self.count
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> u64 {
        let rows = match &self.rows {
            Rows::Narrow(rows) => 2 * rows.len(),
            Rows::Wide(rows) => 4 * rows.len(),
        };
        (rows + 8 * (self.slots.len() + soon(self.count, self.slots.len()))) as u64
    }

    /// The number of a state, and whether it is a new one.
    pub fn insert(&mut self, row: &Row) -> (u32, bool) {
        while is_crowded(self.count + 1, self.slots.len()) {
            self.grow();
        }
        self.put(row)
    }

    #[inline]
    pub(super) fn insert_all(
        &mut self,
        row: &mut Row,
        successors: &mut [Successor],
        mut tell: impl FnMut(Successor, u64),
    ) {
        while is_crowded(self.count + successors.len(), self.slots.len()) {
            self.grow();
        }
        // The first steps of all walks: none has to wait for another.
        for next in &mut *successors {
            let hash = next.change.hash;
            let entry = self.slots[home(hash, self.slots.len())];
            next.number = if entry >> 32 == hash >> 32 { entry as u32 } else { 0 };
        }
        let touch = |touched, next: &Successor| touched | self.rows.touch(next.number - 1, self.width);
        std::hint::black_box(successors.iter().filter(|next| next.number > 0).fold(0, touch));
        let here = row.hash();
        for next in successors {
            row.make(next.change);
            next.number = self.put(row).0;
            row.take_back(next.change, here);
            tell(*next, self.mark(next.number));
        }
    }

    #[inline]
    fn put(&mut self, row: &Row) -> (u32, bool) {
        let (mask, hash) = (self.slots.len() - 1, row.hash());
        let mut slot = home(hash, self.slots.len());
        loop {
            let entry = self.slots[slot & mask];
            if entry == 0 {
                break;
            }
            if entry >> 32 == hash >> 32 && self.rows.is(entry as u32 - 1, row.cells()) {
                return (entry as u32 - 1, false);
            }
            slot += 1;
        }
        self.count += 1;
        self.slots[slot & mask] = hash >> 32 << 32 | self.count as u64;
        self.rows.push(row.cells());
        (self.count as u32 - 1, true)
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![0; 2 * self.slots.len()];
        let mask = larger.len() - 1;
        // What a slot holds of the hash says where it goes: no row is read, and slots are filled from left to right.
        for entry in std::mem::replace(&mut self.slots, larger).into_iter().filter(|entry| *entry != 0) {
            let mut slot = home(entry, self.slots.len());
            while self.slots[slot & mask] != 0 {
                slot += 1;
            }
            self.slots[slot & mask] = entry;
        }
    }

    /// Takes a state up again.
    pub fn load(&self, number: u32, row: &mut Row) {
        let (number, width) = (number as usize, self.width);
        match &self.rows {
            Rows::Narrow(rows) => row.load(rows[number * (width + 4)..][..width].iter().map(|cell| u32::from(*cell))),
            Rows::Wide(rows) => row.load(rows[number * (width + 2)..][..width].iter().copied()),
        }
    }

    #[inline]
    pub(super) fn mark(&self, number: u32) -> u64 {
        let (number, width) = (number as usize, self.width);
        match &self.rows {
            Rows::Narrow(rows) => {
                let [a, b, c, d] = *rows[number * (width + 4) + width..].first_chunk().expect("each row has a mark");
                u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
            }
            Rows::Wide(rows) => {
                let [a, b] = *rows[number * (width + 2) + width..].first_chunk().expect("each row has a mark");
                u64::from(a) | u64::from(b) << 32
            }
        }
    }

    #[inline]
    pub(super) fn set_mark(&mut self, number: u32, mark: u64) {
        let (number, width) = (number as usize, self.width);
        match &mut self.rows {
            Rows::Narrow(rows) => {
                let place = rows[number * (width + 4) + width..].first_chunk_mut();
                *place.expect("each row has a mark") = quarters(mark);
            }
            Rows::Wide(rows) => {
                let place = rows[number * (width + 2) + width..].first_chunk_mut();
                *place.expect("each row has a mark") = [mark as u32, (mark >> 32) as u32];
            }
        }
    }
}

fn quarters(mark: u64) -> [u16; 4] {
    [mark as u16, (mark >> 16) as u16, (mark >> 32) as u16, (mark >> 48) as u16]
}

impl Rows {
    /// Brings a row into the cache: its first cell and its mark, which may stand on two lines.
    #[inline]
    fn touch(&self, number: u32, width: usize) -> u32 {
        let number = number as usize;
        match self {
            Self::Narrow(rows) => {
                let row = &rows[number * (width + 4)..][..width + 4];
                u32::from(row[0] | row[width + 3])
            }
            Self::Wide(rows) => {
                let row = &rows[number * (width + 2)..][..width + 2];
                row[0] | row[width + 1]
            }
        }
    }

    #[inline]
    fn is(&self, number: u32, cells: &[u32]) -> bool {
        let (number, width) = (number as usize, cells.len());
        match self {
            Self::Narrow(rows) => {
                let row = &rows[number * (width + 4)..][..width];
                row.iter().zip(cells).fold(true, |same, (old, new)| same & (u32::from(*old) == *new))
            }
            Self::Wide(rows) => rows[number * (width + 2)..][..width] == *cells,
        }
    }

    #[inline]
    fn push(&mut self, cells: &[u32]) {
        if let Self::Narrow(rows) = self {
            if cells.iter().all(|cell| *cell <= u32::from(u16::MAX)) {
                rows.extend(cells.iter().map(|cell| *cell as u16));
                rows.extend(quarters(in_word(UNMARKED)));
                return;
            }
            *self = Self::Wide(widened(rows, cells.len()));
        }
        if let Self::Wide(rows) = self {
            rows.extend_from_slice(cells);
            rows.extend([UNMARKED.0, UNMARKED.1]);
        }
    }
}

#[cold]
fn widened(rows: &[u16], width: usize) -> Vec<u32> {
    let wide = |row: &[u16]| {
        let (cells, mark) = row.split_at(width);
        let mark = mark.chunks(2).map(|half| u32::from(half[0]) | u32::from(half[1]) << 16);
        cells.iter().map(|cell| u32::from(*cell)).chain(mark).collect::<Vec<u32>>()
    };
    rows.chunks(width + 4).flat_map(wide).collect()
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
            assert_eq!(states.mark(number), in_word(UNMARKED));
            states.set_mark(number, (1 << 40) + u64::from(number));
        }
        let mut row = Row::new(vec![0, 0]);
        for (number, cells) in (0..).zip(&rows) {
            assert_eq!(states.insert(&Row::new(cells.to_vec())), (number, false));
            states.load(number, &mut row);
            assert_eq!(row.cells(), cells);
            assert_eq!(states.mark(number), (1 << 40) + u64::from(number));
        }
        assert_eq!(states.states(), 4);
    }
}
