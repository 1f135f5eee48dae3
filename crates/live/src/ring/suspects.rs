//! The workers that a worker believes to have failed, and its neighbour that follows from them.
//!
//! A worker that only rests may be suspected too. When it shows a sign of life, the suspicion was wrong, and it is
//! given twice the time from then on. So wrong suspicions end, as an eventually perfect failure detector demands.

use std::collections::BTreeMap;

use std::time::Duration;

use super::RingTiming;
use super::handover::Desks;

/// What a worker thinks of the others.
#[derive(Debug, Default)]
pub struct Suspects {
    /// The workers that did not take an offer in time, each with its count of turns at that moment.
    turns: BTreeMap<usize, u64>,
    /// How often a worker was suspected wrongly.
    wrongly: BTreeMap<usize, u32>,
}

/// The way to the next living worker.
#[derive(Debug)]
pub struct Route {
    /// The next worker that is not a suspect; if there is none, the sender itself.
    pub to: usize,
    /// The suspects on the way. Each has a mark on its desk.
    pub over: Vec<usize>,
    /// Whether the next worker was suspected, and has shown a sign of life.
    pub was_suspected: bool,
}

impl Suspects {
    /// Adds a suspect. It stays one until it looks at its desk again.
    pub fn add(&mut self, suspect: usize, turns: u64) {
        self.turns.insert(suspect, turns);
    }

    /// How long a worker may leave an offer. No more time is given than a rest can need.
    pub fn wait_for(&self, to: usize, timing: RingTiming) -> Duration {
        let doubled = self.wrongly.get(&to).copied().unwrap_or_default().min(31);
        let most = timing.wait.max(timing.worker_sleep.saturating_mul(4));
        timing.wait.saturating_mul(1 << doubled).min(most)
    }

    /// The route of a letter of this election. A suspect that has shown a sign of life is removed.
    pub fn route<L, O>(&mut self, desks: &Desks<L, O>, from: usize, size: usize, election: u64) -> Route {
        let mut over = Vec::new();
        for to in (1..size).map(|distance| (from + distance) % size) {
            match self.turns.get(&to) {
                Some(&turns) if desks.pass_over(to, turns, election) => over.push(to),
                _ => {
                    let was_suspected = self.turns.remove(&to).is_some();
                    if was_suspected {
                        *self.wrongly.entry(to).or_default() += 1;
                    }
                    return Route { to, over, was_suspected };
                }
            }
        }
        Route { to: from, over, was_suspected: false }
    }
}
