//! A round-based algorithm as a chain of random choices.

use std::collections::BTreeMap;

use bellwether_net::Wiring;
use bellwether_world::Scenario;
use indexmap::IndexSet;

use super::{Branch, DecisionProcess};
use crate::ledger::{Ledger, Page, Stop};
use crate::rounds::RoundAutomaton;

impl RoundAutomaton {
    /// The process of all rounds of a scenario: what chance may do in each.
    ///
    /// # Errors
    /// If it cannot be followed, or the search was stopped.
    pub fn process(&mut self, scenario: &Scenario, ledger: &Ledger) -> Result<DecisionProcess, Stop> {
        let mut page = Page::new(ledger);
        let mut process = DecisionProcess::default();
        let first = self.first(scenario).map_err(|unmet| unmet.to_string())?;
        let mut found = IndexSet::from([first]);
        let (mut state, mut edges) = (0, 0);
        while state < found.len() {
            let here = found[state].clone();
            if self.next_round(&here, scenario).is_none() {
                process.states.push(vec![]);
            } else {
                // Outcomes that do not differ are merged.
                let mut merged: BTreeMap<(u32, u64, u32, bool), u64> = BTreeMap::new();
                for outcome in self.round(&here, &[], scenario)? {
                    let of = outcome.plays.iter().fold(1_u64, |of, (_, play)| of.saturating_mul(play.ways));
                    let draws = outcome.plays.iter().any(|(_, play)| !play.draws.is_empty());
                    let (to, _) = found.insert_full(outcome.state);
                    *merged.entry((to as u32, of, outcome.messages, draws)).or_default() += 1;
                }
                edges += merged.len() as u64;
                let outcome = |((to, of, messages, draws), count): ((u32, u64, u32, bool), u64)| {
                    Branch::new(count, of, to, messages, draws.into())
                };
                process.states.push(vec![merged.into_iter().map(outcome).collect()]);
            }
            let bytes = (found.len() * 64 * scenario.topology.nodes() as usize) as u64 + 64 * edges;
            page.enter(found.len() as u64, edges, 0, (found.len() - state) as u64, bytes)?;
            state += 1;
        }
        Ok(process)
    }
}
