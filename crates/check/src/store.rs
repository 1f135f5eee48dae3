//! All states that were found, each once, in one long array.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::machine;

/// A set of states, numbered in the order in which they were found.
pub struct Store {
    width: usize,
    rows: Rows,
    table: HashTable<u32>,
}

/// What is kept of a state.
enum Rows {
    /// Its cells, while they are small numbers.
    Narrow(Vec<u16>),
    /// Its cells.
    Wide(Vec<u32>),
    /// Its hash alone: two states with the same would be taken for one.
    Fingerprints(Vec<u64>),
}

impl Store {
    /// No state yet; all will have so many cells.
    pub fn new(width: usize, fingerprints: bool) -> Self {
        let rows = if fingerprints { Rows::Fingerprints(vec![]) } else { Rows::Narrow(vec![]) };
        Self { width, rows, table: HashTable::new() }
    }

    /// How many there are.
    pub fn states(&self) -> usize {
        self.table.len()
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> u64 {
        let rows = match &self.rows {
            Rows::Narrow(cells) => 2 * cells.len(),
            Rows::Wide(cells) => 4 * cells.len(),
            Rows::Fingerprints(hashes) => 8 * hashes.len(),
        };
        (rows + self.table.allocation_size()) as u64
    }

    /// The number of a state, and whether it is a new one.
    pub fn insert(&mut self, cells: &[u32], hash: u64) -> (u32, bool) {
        if let Rows::Narrow(rows) = &self.rows
            && cells.iter().any(|cell| *cell > u32::from(u16::MAX))
        {
            self.rows = Rows::Wide(rows.iter().map(|cell| u32::from(*cell)).collect());
        }
        let Self { width, rows, table } = self;
        let entry = table.entry(hash, |&index| rows.is(index, *width, cells, hash), |&index| rows.hash(index, *width));
        match entry {
            Entry::Occupied(entry) => (*entry.get(), false),
            Entry::Vacant(entry) => {
                let index = match rows {
                    Rows::Narrow(rows) => {
                        rows.extend(cells.iter().map(|cell| *cell as u16));
                        rows.len() / *width - 1
                    }
                    Rows::Wide(rows) => {
                        rows.extend_from_slice(cells);
                        rows.len() / *width - 1
                    }
                    Rows::Fingerprints(hashes) => {
                        hashes.push(hash);
                        hashes.len() - 1
                    }
                };
                entry.insert(index as u32);
                (index as u32, true)
            }
        }
    }

    /// The cells of a state; of fingerprints there are none.
    pub fn cells(&self, index: u32, cells: &mut Vec<u32>) {
        cells.clear();
        let range = index as usize * self.width..(index as usize + 1) * self.width;
        match &self.rows {
            Rows::Narrow(rows) => cells.extend(rows[range].iter().map(|cell| u32::from(*cell))),
            Rows::Wide(rows) => cells.extend_from_slice(&rows[range]),
            Rows::Fingerprints(_) => {}
        }
    }
}

impl Rows {
    #[inline]
    fn is(&self, index: u32, width: usize, cells: &[u32], hash: u64) -> bool {
        let range = index as usize * width..(index as usize + 1) * width;
        match self {
            Self::Narrow(rows) => rows[range].iter().zip(cells).all(|(old, new)| u32::from(*old) == *new),
            Self::Wide(rows) => rows[range] == *cells,
            Self::Fingerprints(hashes) => hashes[index as usize] == hash,
        }
    }

    fn hash(&self, index: u32, width: usize) -> u64 {
        let range = index as usize * width..(index as usize + 1) * width;
        match self {
            Self::Narrow(rows) => machine::hash(rows[range].iter().map(|cell| u32::from(*cell))),
            Self::Wide(rows) => machine::hash(rows[range].iter().copied()),
            Self::Fingerprints(hashes) => hashes[index as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_number_widens_all_rows() {
        let mut store = Store::new(2, false);
        let hash = |cells: &[u32]| machine::hash(cells.iter().copied());
        let rows = [[1, 2], [3, 4], [5, 70_000], [1, 3]];
        for (index, row) in (0..).zip(&rows) {
            assert_eq!(store.insert(row, hash(row)), (index, true));
        }
        let mut cells = vec![];
        for (index, row) in (0..).zip(&rows) {
            assert_eq!(store.insert(row, hash(row)), (index, false));
            store.cells(index, &mut cells);
            assert_eq!(cells, row);
        }
        assert_eq!(store.states(), 4);
    }
}
