//! A round-based algorithm as a chain of random choices: in lock step there is no order to choose.

use std::collections::BTreeMap;

use bellwether_core::{Outbox, Port, Round, Unmet};
use bellwether_net::{Node, Wiring};
use bellwether_world::Scenario;
use bellwether_world::host::{Algorithm, Envelope, RoundsActor, RoundsCast, awaken};
use indexmap::IndexSet;

use super::{Branch, DecisionProcess};
use crate::automaton::MOST_OUTCOMES;
use crate::ledger::{Ledger, Page, Stop};
use crate::script::Script;

/// The processes of a round-based algorithm, in numbers.
pub struct RoundAutomaton {
    cast: &'static RoundsCast,
    locals: IndexSet<Box<dyn RoundsActor>>,
}

/// All processes between two rounds, and what each will receive. If rounds are counted without bound, the next round
/// always counts as the second.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    round: Round,
    locals: Vec<u32>,
    awake: Vec<bool>,
    inboxes: Vec<Vec<(Port, Envelope)>>,
}

/// One of the ways in which a process may play a round.
struct Play {
    local: u32,
    sends: Vec<(Port, Envelope)>,
    draws: bool,
    ways: u64,
}

impl RoundAutomaton {
    /// The processes of an algorithm.
    #[must_use]
    pub fn new(algorithm: &'static Algorithm) -> Self {
        Self { cast: &algorithm.rounds, locals: IndexSet::new() }
    }

    fn number(&mut self, process: Box<dyn RoundsActor>) -> u32 {
        self.locals.insert_full(process).0 as u32
    }

    fn first(&mut self, scenario: &Scenario) -> Result<State, Unmet> {
        let nodes = scenario.topology.nodes();
        let mut locals = Vec::new();
        for node in 0..nodes {
            let RoundsCast { info, new, .. } = *self.cast;
            let process = awaken(scenario, info, scenario.told_diameter(info), node, new)?;
            locals.push(self.number(process));
        }
        let none = vec![vec![]; nodes as usize];
        Ok(State { round: Round::FIRST, locals, awake: vec![false; nodes as usize], inboxes: none })
    }

    /// Whether a process takes part in the next round.
    fn plays(&self, state: &State, scenario: &Scenario, node: Node) -> bool {
        let index = node as usize;
        let wakes = state.round == Round::FIRST && scenario.initiators.round_of(node) == Some(Round::FIRST);
        wakes || self.due(state, index) == Some(state.round) || !state.inboxes[index].is_empty()
    }

    /// The first round, from the next one on, in which a process acts even if nothing arrives.
    fn due(&self, state: &State, index: usize) -> Option<Round> {
        state.awake[index].then(|| self.locals[state.locals[index] as usize].due(state.round.before()))?
    }

    /// All ways in which a process may play the next round.
    fn ways(&mut self, state: &State, scenario: &Scenario, node: Node) -> Result<Vec<Play>, String> {
        let mut plays = Vec::new();
        let mut next = Some(Script::default());
        while let Some(script) = next {
            let mut process = self.locals[state.locals[node as usize] as usize].clone();
            let mut outbox = Outbox::new(scenario.topology.ports(node), script);
            process.round(state.round, &state.inboxes[node as usize], &mut outbox);
            let Outbox { chance: script, sent: sends, draws, .. } = outbox;
            let (local, draws) = (self.number(process), !draws.is_empty());
            plays.push(Play { local, sends, draws, ways: script.ways() });
            if plays.len() > MOST_OUTCOMES || script.is_too_long() {
                return Err(format!("a step of {} can go in more than {MOST_OUTCOMES} ways", self.cast.info.name));
            }
            next = script.next();
        }
        Ok(plays)
    }

    /// All outcomes of a round, with probability, cost, and whether a process draws.
    fn round(&mut self, state: &State, scenario: &Scenario) -> Result<Vec<Next>, String> {
        let nodes = scenario.topology.nodes();
        let mut choices = vec![];
        let mut outcomes = 1_usize;
        // All outcomes are counted before the first one is made: each has the states of all nodes.
        for node in (0..nodes).filter(|node| self.plays(state, scenario, *node)).collect::<Vec<_>>() {
            let plays = self.ways(state, scenario, node)?;
            outcomes = outcomes.saturating_mul(plays.len());
            if outcomes > MOST_OUTCOMES {
                let name = self.cast.info.name;
                return Err(format!(
                    "a round of {name} can go in more than {MOST_OUTCOMES} ways: take a smaller network"
                ));
            }
            choices.push((node, plays));
        }
        let blank = State { round: state.round.next(), inboxes: vec![vec![]; nodes as usize], ..state.clone() };
        let mut all = vec![Next { state: blank, of: 1, messages: 0, draws: false }];
        for (node, plays) in choices {
            let mut further = Vec::with_capacity(all.len() * plays.len());
            for before in &all {
                for play in &plays {
                    let mut next = before.clone();
                    next.state.locals[node as usize] = play.local;
                    next.state.awake[node as usize] = true;
                    for (port, msg) in &play.sends {
                        let (to, at) = scenario.topology.far(node, *port);
                        next.messages += u32::from(!msg.is_announce());
                        next.state.inboxes[to as usize].push((at, msg.clone()));
                    }
                    next.of = next.of.saturating_mul(play.ways);
                    next.draws |= play.draws;
                    further.push(next);
                }
            }
            all = further;
        }
        for next in &mut all {
            // By port, and then in sending order.
            next.state.inboxes.iter_mut().for_each(|inbox| inbox.sort_by_key(|(port, _)| *port));
            // If the algorithm does not mind, rounds are counted so that the next one is the second.
            if self.cast.phases.is_some() {
                next.state.round = next.state.round.min(Round(2));
            }
        }
        Ok(all)
    }

    /// Whether nothing happens any more.
    fn is_over(&self, state: &State, scenario: &Scenario) -> bool {
        let waits = (0..state.locals.len()).any(|index| self.due(state, index).is_some_and(|due| due != Round::NEVER));
        let first = state.round == Round::FIRST && scenario.initiator_count() > 0;
        !first && !waits && state.inboxes.iter().all(Vec::is_empty)
    }

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
            let here: State = found[state].clone();
            if self.is_over(&here, scenario) {
                process.states.push(vec![]);
            } else {
                // Outcomes that do not differ are merged.
                let mut merged: BTreeMap<(u32, u64, u32, bool), u64> = BTreeMap::new();
                for next in self.round(&here, scenario)? {
                    let (to, _) = found.insert_full(next.state);
                    *merged.entry((to as u32, next.of, next.messages, next.draws)).or_default() += 1;
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

/// Where a round may lead.
#[derive(Clone)]
struct Next {
    state: State,
    of: u64,
    messages: u32,
    draws: bool,
}
