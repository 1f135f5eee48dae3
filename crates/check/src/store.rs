//! All states that were found, each once, in one long array, with a mark for whoever looks at them.
//!
//! Looking a state up is a walk through memory far beyond any cache: a slot of the table, then the row it names. So the
//! successors of a state are looked up together, one step of all walks after the other, and the processor waits for
//! all of them at once.

/// A set of states, numbered in the order in which they were found.
pub struct Store {
    width: usize,
    rows: Rows,
    /// By the leading bits of the hash: its upper half and one more than the number of a state; 0 where there is none.
    slots: Vec<u64>,
    states: usize,
}

/// A note on a state; what it means is for others to say.
pub type Mark = (u32, u32);

/// The mark of a state that was just found.
pub const UNMARKED: Mark = (u32::MAX, u32::MAX);

/// What is kept of a state. The mark stands beside it, where looking a state up has brought it into the cache.
enum Rows {
    /// Its cells, while they are small numbers, and the mark in four more.
    Narrow(Vec<u16>),
    /// Its cells, and the mark in two more.
    Wide(Vec<u32>),
    /// Its hash alone: two states with the same would be taken for one.
    Fingerprints(Vec<(u64, Mark)>),
}

impl Store {
    /// No state yet; all will have so many cells.
    pub fn new(width: usize, fingerprints: bool) -> Self {
        let rows = if fingerprints { Rows::Fingerprints(vec![]) } else { Rows::Narrow(vec![]) };
        Self { width, rows, slots: vec![0; 1 << 10], states: 0 }
    }

    /// How many there are.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> u64 {
        let rows = match &self.rows {
            Rows::Narrow(cells) => 2 * cells.len(),
            Rows::Wide(cells) => 4 * cells.len(),
            Rows::Fingerprints(hashes) => 16 * hashes.len(),
        };
        (rows + 8 * self.slots.len()) as u64
    }

    /// The number of a state, and whether it is a new one.
    pub fn insert(&mut self, cells: &[u32], hash: u64) -> (u32, bool) {
        let mut numbers = vec![];
        self.insert_all(cells, &[hash], &mut numbers);
        numbers[0]
    }

    /// The numbers of several states, whose cells follow each other, and whether each is a new one.
    pub fn insert_all(&mut self, cells: &[u32], hashes: &[u64], numbers: &mut Vec<(u32, bool)>) {
        numbers.clear();
        self.make_room(hashes.len());
        // The first steps of all walks: none has to wait for another.
        numbers.extend(hashes.iter().map(|hash| (self.slots[self.home(*hash)] as u32, false)));
        for (number, is_met) in numbers.iter_mut() {
            *is_met = *number > 0 && self.rows.touch(*number - 1, self.width);
        }
        for (place, &hash) in hashes.iter().enumerate() {
            numbers[place] = self.put(&cells[place * self.width..(place + 1) * self.width], hash);
        }
    }

    fn put(&mut self, cells: &[u32], hash: u64) -> (u32, bool) {
        let mask = self.slots.len() - 1;
        let mut slot = self.home(hash);
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                break;
            }
            if entry >> 32 == hash >> 32 && self.rows.is(entry as u32 - 1, self.width, cells, hash) {
                return (entry as u32 - 1, false);
            }
            slot = (slot + 1) & mask;
        }
        let index = self.states as u32;
        self.slots[slot] = hash >> 32 << 32 | u64::from(index + 1);
        self.states += 1;
        self.rows.push(cells, hash);
        (index, true)
    }

    /// Makes sure that a quarter of the slots stays empty when so many states come.
    fn make_room(&mut self, more: usize) {
        let wanted = (self.states + more).div_ceil(3) * 4;
        if wanted <= self.slots.len() {
            return;
        }
        let larger = vec![0; wanted.next_power_of_two()];
        let mask = larger.len() - 1;
        // What a slot holds of the hash says where it goes: no row is read, and slots are filled from left to right.
        for entry in std::mem::replace(&mut self.slots, larger).into_iter().filter(|entry| *entry != 0) {
            let mut slot = self.home(entry);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = entry;
        }
    }

    /// Where a state with this hash stands, or after it. The table has a power of two of slots.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    /// The cells of a state; of fingerprints there are none.
    pub fn cells(&self, index: u32, cells: &mut Vec<u32>) {
        cells.clear();
        let (index, width) = (index as usize, self.width);
        match &self.rows {
            Rows::Narrow(rows) => {
                let row = &rows[index * (width + 4)..][..width];
                cells.extend(row.iter().map(|cell| u32::from(*cell)));
            }
            Rows::Wide(rows) => cells.extend_from_slice(&rows[index * (width + 2)..][..width]),
            Rows::Fingerprints(_) => {}
        }
    }

    /// The mark of a state.
    #[inline]
    pub fn mark(&self, index: u32) -> Mark {
        let (index, width) = (index as usize, self.width);
        match &self.rows {
            Rows::Narrow(rows) => {
                let [a, b, c, d] = *rows[index * (width + 4) + width..].first_chunk().expect("each row has a mark");
                (u32::from(a) | u32::from(b) << 16, u32::from(c) | u32::from(d) << 16)
            }
            Rows::Wide(rows) => (rows[index * (width + 2) + width], rows[index * (width + 2) + width + 1]),
            Rows::Fingerprints(rows) => rows[index].1,
        }
    }

    /// Puts a mark on a state.
    pub fn set_mark(&mut self, index: u32, mark: Mark) {
        let (index, width) = (index as usize, self.width);
        match &mut self.rows {
            Rows::Narrow(rows) => {
                let place = index * (width + 4) + width;
                rows[place..place + 4].copy_from_slice(&halves(mark));
            }
            Rows::Wide(rows) => {
                let place = index * (width + 2) + width;
                rows[place..place + 2].copy_from_slice(&[mark.0, mark.1]);
            }
            Rows::Fingerprints(rows) => rows[index].1 = mark,
        }
    }
}

fn halves((a, b): Mark) -> [u16; 4] {
    [a as u16, (a >> 16) as u16, b as u16, (b >> 16) as u16]
}

impl Rows {
    /// Brings a row into the cache, if there is one.
    #[inline]
    fn touch(&self, index: u32, width: usize) -> bool {
        let index = index as usize;
        match self {
            Self::Narrow(rows) => rows.get(index * (width + 4) + width / 2).is_some_and(|cell| *cell > 0),
            Self::Wide(rows) => rows.get(index * (width + 2) + width / 2).is_some_and(|cell| *cell > 0),
            Self::Fingerprints(rows) => rows.get(index).is_some_and(|row| row.0 > 0),
        }
    }

    #[inline]
    fn is(&self, index: u32, width: usize, cells: &[u32], hash: u64) -> bool {
        let index = index as usize;
        match self {
            Self::Narrow(rows) => {
                let row = &rows[index * (width + 4)..][..width];
                row.iter().zip(cells).fold(true, |same, (old, new)| same & (u32::from(*old) == *new))
            }
            Self::Wide(rows) => rows[index * (width + 2)..][..width] == *cells,
            Self::Fingerprints(rows) => rows[index].0 == hash,
        }
    }

    fn push(&mut self, cells: &[u32], hash: u64) {
        if let Self::Narrow(rows) = self
            && cells.iter().any(|cell| *cell > u32::from(u16::MAX))
        {
            let wide = |row: &[u16]| {
                let (cells, mark) = row.split_at(cells.len());
                let mark = mark.chunks(2).map(|half| u32::from(half[0]) | u32::from(half[1]) << 16);
                cells.iter().map(|cell| u32::from(*cell)).chain(mark).collect::<Vec<u32>>()
            };
            *self = Self::Wide(rows.chunks(cells.len() + 4).flat_map(wide).collect());
        }
        match self {
            Self::Narrow(rows) => {
                rows.extend(cells.iter().map(|cell| *cell as u16));
                rows.extend_from_slice(&halves(UNMARKED));
            }
            Self::Wide(rows) => {
                rows.extend_from_slice(cells);
                rows.extend([UNMARKED.0, UNMARKED.1]);
            }
            Self::Fingerprints(rows) => rows.push((hash, UNMARKED)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine;

    fn hash(cells: &[u32]) -> u64 {
        machine::hash(cells.iter().copied())
    }

    #[test]
    fn a_large_number_widens_all_rows_and_keeps_their_marks() {
        let mut store = Store::new(2, false);
        let rows = [[1, 2], [3, 4], [5, 70_000], [1, 3]];
        for (index, row) in (0..).zip(&rows) {
            assert_eq!(store.insert(row, hash(row)), (index, true));
            assert_eq!(store.mark(index), UNMARKED);
            store.set_mark(index, (index + 100_000, 7));
        }
        let mut cells = vec![];
        for (index, row) in (0..).zip(&rows) {
            assert_eq!(store.insert(row, hash(row)), (index, false));
            store.cells(index, &mut cells);
            assert_eq!(cells, row);
            assert_eq!(store.mark(index), (index + 100_000, 7));
        }
        assert_eq!(store.states(), 4);
    }

    #[test]
    fn thousands_are_found_again_and_equal_ones_in_a_row_are_one() {
        for fingerprints in [false, true] {
            let mut store = Store::new(3, fingerprints);
            let all: Vec<[u32; 3]> = (0..5_000).map(|x| [x % 7, x / 7, x]).collect();
            let flat: Vec<u32> = all.iter().chain([&all[9]]).flatten().copied().collect();
            let hashes: Vec<u64> = all.iter().chain([&all[9]]).map(|row| hash(row)).collect();
            let mut numbers = vec![];
            store.insert_all(&flat, &hashes, &mut numbers);
            assert!(numbers[..5_000].iter().copied().eq((0..5_000).map(|index| (index, true))));
            assert_eq!(numbers[5_000], (9, false));
            assert!((0..).zip(&all).all(|(index, row)| store.insert(row, hash(row)) == (index, false)));
        }
    }
}
