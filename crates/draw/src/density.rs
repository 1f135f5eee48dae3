//! Counts of messages by place and time, in bounded memory for runs of any length.

use bellwether_world::{Time, Timing};

/// The largest number of time columns. All columns have the same length, which doubles when they run out.
const COLUMNS: usize = 256;

/// Counts by kind, row and column.
pub struct Density {
    rows: usize,
    /// The length of a column.
    step: u128,
    /// By kind: rows of columns.
    counts: Vec<Vec<u32>>,
    /// Rows of columns: the number of lost messages. Empty if none was lost.
    losses: Vec<u32>,
}

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The number of messages sent.
    pub count: u64,
    /// The most frequent kind.
    pub kind: usize,
}

impl Density {
    /// An empty grid with this number of rows.
    #[must_use]
    pub fn new(rows: usize, timing: Timing) -> Self {
        // If time goes in whole units, columns do too. Otherwise some columns would hold one moment more than others.
        let whole = matches!(timing, Timing::Rounds | Timing::Unit | Timing::Chosen(_));
        Self { rows, step: if whole { UNIT } else { 1 }, counts: vec![], losses: vec![] }
    }

    /// Counts a message.
    pub fn add(&mut self, kind: usize, row: usize, time: Time) {
        let place = self.place(row, time);
        if self.counts.len() <= kind {
            self.counts.resize(kind + 1, vec![0; self.rows * COLUMNS]);
        }
        let count = &mut self.counts[kind][place];
        *count = count.saturating_add(1);
    }

    /// Counts a message that is lost.
    pub fn lose(&mut self, row: usize, time: Time) {
        let place = self.place(row, time);
        self.losses.resize(self.rows * COLUMNS, 0);
        self.losses[place] = self.losses[place].saturating_add(1);
    }

    /// The index of a cell. Makes room for its moment.
    fn place(&mut self, row: usize, time: Time) -> usize {
        while millionths(time) / self.step >= COLUMNS as u128 {
            self.counts.iter_mut().for_each(|counts| halve(counts));
            halve(&mut self.losses);
            self.step *= 2;
        }
        row * COLUMNS + (millionths(time) / self.step) as usize
    }

    /// How many messages were lost in a cell.
    #[must_use]
    pub fn lost(&self, row: usize, column: usize) -> u64 {
        self.losses.get(row * COLUMNS + column).copied().unwrap_or(0).into()
    }

    /// How many messages were lost.
    #[must_use]
    pub fn all_lost(&self) -> u64 {
        self.losses.iter().copied().map(u64::from).sum()
    }

    /// Makes room for everything up to this moment, even if no more messages are sent.
    pub fn reach(&mut self, end: Time) {
        self.place(0, end);
    }

    /// The number of columns up to this moment, which must have been reached.
    #[must_use]
    pub fn columns(&self, end: Time) -> usize {
        ((millionths(end) / self.step) as usize + 1).min(COLUMNS)
    }

    /// The length of a column, in units of time.
    #[must_use]
    pub fn step(&self) -> f64 {
        self.step as f64 / UNIT as f64
    }

    /// The content of a cell, if there is any.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        let of = |kind: usize| u64::from(self.counts[kind][row * COLUMNS + column]);
        let kinds = 0..self.counts.len();
        let count = kinds.clone().map(of).sum();
        let kind = kinds.rev().max_by_key(|&kind| of(kind))?;
        (count > 0).then_some(Cell { count, kind })
    }
}

const UNIT: u128 = 1_000_000;

fn millionths(time: Time) -> u128 {
    let late = || time.whole().map_or(u128::MAX, |whole| whole.saturating_mul(UNIT));
    time.as_span().map_or_else(late, |span| span.0.into())
}

/// Merges every two columns.
fn halve(counts: &mut [u32]) {
    for row in counts.chunks_exact_mut(COLUMNS) {
        for column in 0..COLUMNS / 2 {
            row[column] = row[2 * column].saturating_add(row[2 * column + 1]);
        }
        row[COLUMNS / 2..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_when_columns_are_put_together() {
        let mut density = Density::new(2, Timing::Unit);
        for moment in 0..100_000 {
            density.add((moment % 3) as usize, (moment % 2) as usize, Time::units(moment));
            if moment % 10 == 0 {
                density.lose(1, Time::units(moment));
            }
        }
        let end = Time::units(99_999);
        assert_eq!((density.columns(end), density.step()), (196, 512.0));
        let cells = (0..2).flat_map(|row| (0..196).map(move |column| (row, column)));
        let counts = cells.filter_map(|(row, column)| density.cell(row, column)).map(|cell| cell.count);
        assert_eq!(counts.sum::<u64>(), 100_000);
        assert_eq!(density.cell(0, 0), Some(Cell { count: 256, kind: 0 }));
        assert_eq!((density.all_lost(), density.lost(0, 0), density.lost(1, 0)), (10_000, 0, 52));
    }

    #[test]
    fn what_happens_after_the_last_message_has_its_column() {
        let mut density = Density::new(1, Timing::Unit);
        (0..100).for_each(|moment| density.add(0, 0, Time::units(moment)));
        let end = Time::units(10_000);
        density.reach(end);
        assert_eq!((density.columns(end), density.step()), (157, 64.0));
        assert_eq!((0..157).filter_map(|column| density.cell(0, column)).map(|cell| cell.count).sum::<u64>(), 100);
    }

    #[test]
    fn moments_beyond_all_units_have_their_place() {
        let mut density = Density::new(1, Timing::Rounds);
        density.add(0, 0, Time::units(1));
        density.add(0, 0, Time::END);
        assert_eq!(density.cell(0, 0).map(|cell| cell.count), Some(1));
        assert!(density.columns(Time::END) <= COLUMNS);
    }
}
