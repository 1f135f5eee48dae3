//! Whom a worker holds to have failed, and who is therefore its neighbour.

use std::collections::BTreeMap;

use super::handover::Desks;

/// The workers that let an offer stand too long, each with the sign of life it had given by then.
#[derive(Debug, Default)]
pub struct Suspects(BTreeMap<usize, u64>);

/// The way to the next living worker.
#[derive(Debug)]
pub struct Route {
    /// The next worker that is no suspect; in the end the sender itself.
    pub to: usize,
    /// The suspects on the way. Each has a mark that says so.
    pub over: Vec<usize>,
}

impl Suspects {
    /// From now on this one is a suspect, until it attends to its desk again.
    pub fn add(&mut self, suspect: usize, turns: u64) {
        self.0.insert(suspect, turns);
    }

    /// The way of a letter of this election. Suspects that have shown a sign of life are suspects no longer.
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
