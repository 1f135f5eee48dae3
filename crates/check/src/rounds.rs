//! The network of a round-based algorithm, and all that a round may do to it.
//!
//! There is no order to choose in lock step. What is open is who crashes before a round, and what is drawn in it. The
//! rules are those of the simulator's rounds.

use std::rc::Rc;

use bellwether_core::{Info, Outbox, Port, Round, Status, Unmet};
use bellwether_net::{Node, Wiring};
use bellwether_world::Scenario;
use bellwether_world::host::{Algorithm, Envelope, RoundsActor, RoundsCast, awaken};
use indexmap::IndexSet;

use crate::automaton::MOST_OUTCOMES;
use crate::script::Script;

/// The processes of a round-based algorithm, in numbers.
pub struct RoundAutomaton {
    cast: &'static RoundsCast,
    processes: IndexSet<Box<dyn RoundsActor>>,
}

/// The network between two rounds.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// The next round. If rounds are counted without bound, it is at most the second.
    pub round: Round,
    pub locals: Vec<u32>,
    pub awake: Vec<bool>,
    pub dead: Vec<bool>,
    pub inboxes: Vec<Vec<(Port, Envelope)>>,
}

/// One of the ways in which a process may spend a round.
pub struct Play {
    local: u32,
    awake: bool,
    /// Its status after it has heard of crashes, and at the end.
    pub statuses: [Status; 2],
    sends: Vec<(Port, Envelope)>,
    pub draws: Vec<u64>,
    /// One over the probability of these draws.
    pub ways: u64,
    pub steps: u64,
}

/// One of the ways in which a round may go.
pub struct Outcome {
    pub state: State,
    /// What each living process does.
    pub plays: Vec<(Node, Rc<Play>)>,
    /// How many rounds pass. Those in which nothing happens are skipped.
    pub rounds: u128,
    /// Election messages sent.
    pub messages: u32,
}

impl RoundAutomaton {
    /// The processes of an algorithm.
    #[must_use]
    pub fn new(algorithm: &'static Algorithm) -> Self {
        Self { cast: &algorithm.rounds, processes: IndexSet::new() }
    }

    pub(crate) fn cast(&self) -> &'static RoundsCast {
        self.cast
    }

    pub(crate) fn info(&self) -> &'static Info {
        self.cast.info
    }

    pub(crate) fn status(&self, state: &State, node: usize) -> Status {
        self.processes[state.locals[node] as usize].status()
    }

    pub(crate) fn first(&mut self, scenario: &Scenario) -> Result<State, Unmet> {
        let nodes = scenario.topology.nodes();
        let RoundsCast { info, new, .. } = *self.cast;
        let mut locals = vec![];
        for node in 0..nodes {
            let process = awaken(scenario, info, scenario.told_diameter(info), node, new)?;
            locals.push(self.processes.insert_full(process).0 as u32);
        }
        let none = vec![false; nodes as usize];
        let inboxes = vec![vec![]; nodes as usize];
        Ok(State { round: Round::FIRST, locals, awake: none.clone(), dead: none, inboxes })
    }

    /// The first round, from the next one on, in which a living process acts even if nothing arrives.
    fn due(&self, state: &State, scenario: &Scenario, node: usize) -> Option<Round> {
        if state.dead[node] {
            return None;
        }
        if !state.awake[node] {
            return scenario.initiators.round_of(node as Node).filter(|round| *round >= state.round);
        }
        let due = self.processes[state.locals[node] as usize].due(state.round.before());
        due.filter(|due| *due != Round::NEVER)
    }

    /// The next round in which something happens although nobody crashes. `None` if nothing ever does.
    pub(crate) fn next_round(&self, state: &State, scenario: &Scenario) -> Option<Round> {
        if state.inboxes.iter().any(|inbox| !inbox.is_empty()) {
            return Some(state.round);
        }
        (0..state.locals.len()).filter_map(|node| self.due(state, scenario, node)).min()
    }

    /// All ways in which a living process may spend a round before which these nodes crash.
    fn plays(
        &mut self,
        state: &State,
        crashes: &[Node],
        scenario: &Scenario,
        node: Node,
    ) -> Result<Vec<Rc<Play>>, String> {
        let (index, wiring) = (node as usize, &scenario.topology);
        let was_due = self.due(state, scenario, index) == Some(state.round);
        let inbox = &state.inboxes[index];
        let mut plays = vec![];
        let mut next = Some(Script::default());
        while let Some(script) = next {
            let mut process = self.processes[state.locals[index] as usize].clone();
            let mut outbox = Outbox::new(wiring.ports(node), script);
            let mut steps = 0;
            for port in (0..wiring.ports(node)).map(Port).filter(|_| state.awake[index]) {
                if crashes.contains(&wiring.far(node, port).0) {
                    process.peer_down(state.round, port, &mut outbox);
                    steps += 1;
                }
            }
            let heard = process.status();
            let is_due = was_due && (!state.awake[index] || process.due(state.round.before()) == Some(state.round));
            let takes_part = is_due || !inbox.is_empty();
            if takes_part {
                process.round(state.round, inbox, &mut outbox);
                steps += 1;
            }
            let statuses = [heard, process.status()];
            let Outbox { chance: script, sent: sends, draws, .. } = outbox;
            let local = self.processes.insert_full(process).0 as u32;
            let (awake, ways) = (state.awake[index] || takes_part, script.ways());
            plays.push(Rc::new(Play { local, awake, statuses, sends, draws, ways, steps }));
            if plays.len() > MOST_OUTCOMES || script.is_too_long() {
                return Err(format!("a step of {} can go in more than {MOST_OUTCOMES} ways", self.cast.info.name));
            }
            next = script.next();
        }
        Ok(plays)
    }

    /// All outcomes of the next round, before which these nodes crash.
    pub(crate) fn round<'a>(
        &mut self,
        before: &State,
        crashes: &[Node],
        scenario: &'a Scenario,
    ) -> Result<impl Iterator<Item = Outcome> + use<'a>, String> {
        let nodes = before.locals.len();
        let mut state = before.clone();
        crashes.iter().for_each(|node| state.dead[*node as usize] = true);
        // A crash happens at once. Without one, rounds in which nothing happens are skipped.
        if crashes.is_empty() {
            state.round = self.next_round(before, scenario).unwrap_or(before.round);
        }
        let rounds = state.round.0 - before.round.0 + 1;
        (0..nodes).filter(|node| state.dead[*node]).for_each(|node| state.inboxes[node].clear());
        // All outcomes are counted before the first one is made: each has the states of all nodes.
        let mut choices = vec![];
        let mut outcomes = 1_usize;
        for node in (0..nodes).filter(|node| !state.dead[*node]) {
            let plays = self.plays(&state, crashes, scenario, node as Node)?;
            outcomes = outcomes.saturating_mul(plays.len());
            if outcomes > MOST_OUTCOMES {
                let name = self.cast.info.name;
                return Err(format!(
                    "a round of {name} can go in more than {MOST_OUTCOMES} ways: take a smaller network"
                ));
            }
            choices.push((node as Node, plays));
        }
        let next = state.round.next();
        // If the algorithm does not mind, rounds are counted so that the next one is the second.
        state.round = if self.cast.phases.is_some() { next.min(Round(2)) } else { next };
        state.inboxes.iter_mut().for_each(Vec::clear);
        let topology = &scenario.topology;
        Ok((0..outcomes).map(move |outcome| {
            let mut rest = outcome;
            let mut choose = |(node, plays): &(Node, Vec<Rc<Play>>)| {
                let play = plays[rest % plays.len()].clone();
                rest /= plays.len();
                (*node, play)
            };
            let plays: Vec<(Node, Rc<Play>)> = choices.iter().map(&mut choose).collect();
            let (mut state, mut messages) = (state.clone(), 0);
            for (node, play) in &plays {
                state.locals[*node as usize] = play.local;
                state.awake[*node as usize] = play.awake;
                for (port, msg) in &play.sends {
                    let (to, at) = topology.far(*node, *port);
                    messages += u32::from(!msg.is_announce());
                    if !state.dead[to as usize] {
                        state.inboxes[to as usize].push((at, msg.clone()));
                    }
                }
            }
            // By port, and then in sending order.
            state.inboxes.iter_mut().for_each(|inbox| inbox.sort_by_key(|(port, _)| *port));
            Outcome { state, plays, rounds, messages }
        }))
    }
}
