//! The workers that a worker believes to have failed, and its neighbour that follows from them.

use std::collections::BTreeMap;

use super::handover::Desks;

/// The workers that did not take an offer in time, each with its count of turns at that moment.
#[derive(Debug, Default)]
pub struct Suspects(BTreeMap<usize, u64>);

/// The way to the next living worker.
#[derive(Debug)]
pub struct Route {
    /// The next worker that is not a suspect; if there is none, the sender itself.
    pub to: usize,
    /// The suspects on the way. Each has a mark on its desk.
    pub over: Vec<usize>,
}

impl Suspects {
    /// Adds a suspect. It stays one until it looks at its desk again.
    pub fn add(&mut self, suspect: usize, turns: u64) {
        self.0.insert(suspect, turns);
    }

    /// The route of a letter of this election. A suspect that has shown a sign of life is removed.
    pub fn route<L, O>(&mut self, desks: &Desks<L, O>, from: usize, size: usize, election: u64) -> Route {
        let mut over = Vec::new();
        for to in (1..size).map(|distance| (from + distance) % size) {
            match self.0.get(&to) {
                Some(&turns) if desks.pass_over(to, turns, election) => over.push(to),
                _ => {
                    self.0.remove(&to);
                    return Route { to, over };
                }
            }
        }
        Route { to: from, over }
    }
}
