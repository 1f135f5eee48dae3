//! What the programs in Rust share. Arguments: ring or grid, unit or uniform delays, a file with an id a line, and how
//! many elections to hold. Said at the end: the leader's node, how many nodes know it, messages sent, CPU seconds of
//! the election.

use cpu_time::ProcessTime;

pub struct Job {
    pub grid: bool,
    pub uniform: bool,
    pub ids: Vec<u64>,
    pub elections: u64,
}

impl Job {
    pub fn from_args() -> Self {
        let mut args = std::env::args().skip(1);
        let mut next = || args.next();
        let grid = next().unwrap() == "grid";
        let uniform = next().unwrap() == "uniform";
        let text = std::fs::read_to_string(next().unwrap()).unwrap();
        let ids = text.lines().map(|line| line.parse().unwrap()).collect();
        Self { grid, uniform, ids, elections: next().map_or(1, |count| count.parse().unwrap()) }
    }

    /// Whom the node sends to: the next of the ring, or up to four in a square grid.
    pub fn neighbours(&self, node: usize) -> Vec<usize> {
        let nodes = self.ids.len();
        if !self.grid {
            return vec![(node + 1) % nodes];
        }
        let side = nodes.isqrt();
        let (row, column) = (node / side, node % side);
        let near = [
            (row > 0).then(|| node - side),
            (column > 0).then(|| node - 1),
            (column + 1 < side).then(|| node + 1),
            (row + 1 < side).then(|| node + side),
        ];
        near.into_iter().flatten().collect()
    }

    pub fn diameter(&self) -> u64 {
        2 * (self.ids.len().isqrt() as u64 - 1)
    }

    /// `told[node]` is the id that the node takes for the leader's.
    pub fn report(&self, told: &[u64], messages: u64, begun: ProcessTime) {
        let seconds = begun.elapsed().as_secs_f64();
        let most = *self.ids.iter().max().unwrap();
        let leader = self.ids.iter().position(|&id| id == most).unwrap();
        let know = told.iter().filter(|&&id| id == most).count();
        println!("{leader} {know} {messages} {seconds:.6}");
    }
}
