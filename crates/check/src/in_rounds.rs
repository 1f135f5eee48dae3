//! A round-based algorithm in its own model: crashes between any two rounds, and every draw.
//!
//! A synchronizer waits for everybody, so one crash stops it. Here rounds are followed as they are. A move is a round:
//! who crashes before it, and what is drawn in it. A counterexample is an ordinary run with planned crashes and draws;
//! the simulator plays it, and the judge sees it.

use std::collections::VecDeque;

use bellwether_core::{Round, Status};
use bellwether_net::{Node, Wiring};
use bellwether_sim::rounds::play;
use bellwether_world::host::{Algorithm, Watcher, Wishes};
use bellwether_world::rules::{Ruling, Settled};
use bellwether_world::{Fault, Properties, Property, Scenario, Time, Timing, assumptions};
use indexmap::IndexSet;

use crate::check::{Conclusion, Counterexample, Most};
use crate::ledger::{Ledger, Page, Stop};
use crate::rounds::{Outcome, RoundAutomaton, State};
use crate::story::Story;
use crate::{Plan, costs};

/// Checks every configuration.
///
/// # Errors
/// If one of them cannot be checked at all.
pub fn check(
    configurations: impl Iterator<Item = Scenario>,
    algorithm: &'static Algorithm,
    plan: Plan,
    ledger: &Ledger,
) -> Result<Conclusion, String> {
    let mut conclusion = Conclusion::default();
    for (index, scenario) in (0..).zip(configurations) {
        let mut search = RoundSearch::new(algorithm, &scenario, plan.freedom.crashes);
        match search.run(ledger) {
            Ok(()) => search.conclude(&mut conclusion, index)?,
            Err(Stop::Impossible(reason)) => return Err(reason),
            Err(stop) => {
                conclusion.stopped = Some(stop);
                break;
            }
        }
        ledger.done();
    }
    conclusion.broken.sort_by_key(|broken| broken.property);
    Ok(conclusion)
}

/// A round: how it was reached, and where it leads.
#[derive(Clone)]
struct Edge {
    to: u32,
    /// Who crashes before it.
    crashes: Vec<Node>,
    /// By node: what it draws.
    draws: Vec<Vec<u64>>,
    /// Rounds that pass, steps that are taken, and election messages sent.
    rounds: u128,
    steps: u64,
    messages: u32,
    /// Whether two nodes lead at one instant.
    two_lead: bool,
}

struct RoundSearch<'a> {
    network: RoundAutomaton,
    scenario: &'a Scenario,
    most_crashes: usize,
    states: IndexSet<State>,
    edges: Vec<Vec<Edge>>,
    /// By state: whether nothing happens any more unless a node crashes.
    is_quiet: Vec<bool>,
    /// By state: the state and the edge that it was first reached by.
    reached_by: Vec<Option<(u32, u32)>>,
}

impl<'a> RoundSearch<'a> {
    fn new(algorithm: &'static Algorithm, scenario: &'a Scenario, crashes: u32) -> Self {
        Self {
            network: RoundAutomaton::new(algorithm),
            scenario,
            most_crashes: crashes as usize,
            states: IndexSet::new(),
            edges: vec![],
            is_quiet: vec![],
            reached_by: vec![],
        }
    }

    /// Finds all states, breadth first.
    fn run(&mut self, ledger: &Ledger) -> Result<(), Stop> {
        let mut page = Page::new(ledger);
        let first = self.network.first(self.scenario).map_err(|unmet| unmet.to_string())?;
        self.states.insert(first);
        self.reached_by.push(None);
        let mut transitions = 0;
        while self.edges.len() < self.states.len() {
            let here = self.edges.len();
            let state = self.states[here].clone();
            let is_quiet = self.network.next_round(&state, self.scenario).is_none();
            let mut edges = vec![];
            for crashes in self.crash_sets(&state) {
                if !(is_quiet && crashes.is_empty()) {
                    self.round(&state, crashes, &mut edges)?;
                }
            }
            transitions += edges.len() as u64;
            for (number, edge) in (0..).zip(&edges) {
                if edge.to as usize == self.reached_by.len() {
                    self.reached_by.push(Some((here as u32, number)));
                }
            }
            self.edges.push(edges);
            self.is_quiet.push(is_quiet);
            let found = self.states.len() as u64;
            let bytes = (found * 64 + transitions * 128) * u64::from(self.scenario.topology.nodes());
            page.enter(found, transitions, 0, found - here as u64, bytes)?;
        }
        Ok(())
    }

    /// All sets of living nodes that may crash before the next round, the empty one first.
    fn crash_sets(&self, state: &State) -> Vec<Vec<Node>> {
        let left = self.most_crashes.saturating_sub(state.dead.iter().filter(|dead| **dead).count());
        let mut sets: Vec<Vec<Node>> = vec![vec![]];
        for node in (0..state.dead.len()).filter(|node| !state.dead[*node]) {
            let smaller = sets.iter().filter(|set| set.len() < left);
            let larger: Vec<Vec<Node>> = smaller.map(|set| [&set[..], &[node as Node]].concat()).collect();
            sets.extend(larger);
        }
        sets
    }

    /// All outcomes of the next round, before which these nodes crash.
    fn round(&mut self, before: &State, crashes: Vec<Node>, edges: &mut Vec<Edge>) -> Result<(), String> {
        for outcome in self.network.round(before, &crashes, self.scenario)? {
            let mut edge = Edge {
                to: 0,
                crashes: crashes.clone(),
                draws: vec![vec![]; before.locals.len()],
                rounds: outcome.rounds,
                steps: 0,
                messages: outcome.messages,
                two_lead: self.two_lead(before, &outcome),
            };
            for (node, play) in &outcome.plays {
                edge.draws[*node as usize].clone_from(&play.draws);
                edge.steps += play.steps;
            }
            edge.to = self.states.insert_full(outcome.state).0 as u32;
            edges.push(edge);
        }
        Ok(())
    }

    /// Whether two nodes lead at one instant: first all hear of crashes, then all play the round, each in its turn.
    fn two_lead(&self, before: &State, outcome: &Outcome) -> bool {
        let dead = &outcome.state.dead;
        let living = (0..dead.len()).map(|node| (!dead[node]).then_some(node));
        let mut now: Vec<_> = living.map(|node| node.map(|node| self.network.status(before, node))).collect();
        (0..2).any(|part| {
            outcome.plays.iter().any(|(node, play)| {
                now[*node as usize] = Some(play.statuses[part]);
                now.iter().filter(|status| **status == Some(Status::Leader)).count() > 1
            })
        })
    }

    /// The verdict on a state in which nothing happens any more.
    fn ruling(&self, state: &State) -> Ruling {
        let is_alive = |node: Node| !state.dead[node as usize];
        Settled {
            info: self.network.info().under(&self.scenario.settings),
            ids: &self.scenario.ids,
            is_held: (0..state.dead.len()).any(|node| !state.dead[node] && state.awake[node]),
            is_alive: &is_alive,
            has_started: &|node| self.scenario.initiators.round_of(node).is_some(),
            status: &|node| self.network.status(state, node as usize),
        }
        .ruling()
    }

    /// By state: whether an end can be reached without another crash. If not, no draw ever ends it.
    fn may_end(&self) -> Vec<bool> {
        let mut before: Vec<Vec<u32>> = vec![vec![]; self.states.len()];
        for (from, edges) in (0..).zip(&self.edges) {
            edges.iter().filter(|edge| edge.crashes.is_empty()).for_each(|edge| before[edge.to as usize].push(from));
        }
        let mut may_end = self.is_quiet.clone();
        let mut ahead: VecDeque<u32> = (0..).zip(&may_end).filter(|(_, ends)| **ends).map(|(state, _)| state).collect();
        while let Some(state) = ahead.pop_front() {
            for &earlier in &before[state as usize] {
                if !std::mem::replace(&mut may_end[earlier as usize], true) {
                    ahead.push_back(earlier);
                }
            }
        }
        may_end
    }

    /// Adds what is known now to the conclusion.
    fn conclude(&self, conclusion: &mut Conclusion, index: u64) -> Result<(), String> {
        conclusion.configurations += 1;
        conclusion.states += self.states.len() as u64;
        conclusion.transitions += self.edges.iter().map(|edges| edges.len() as u64).sum::<u64>();
        let priced = |state: u32| self.edges[state as usize].iter().map(|edge| (edge.to, edge.messages));
        let least = costs::least(self.states.len(), |state| self.is_quiet[state as usize], priced);
        conclusion.least = [conclusion.least, least].into_iter().flatten().min();
        let most = costs::most(self.states.len(), priced).map(|(component, most)| most[component[0] as usize]);
        conclusion.most = conclusion.most.max(most.map_or(Most::Unbounded, Most::Messages));
        // By property: the first state, or the first edge, that breaks it.
        let mut found: Vec<(Property, Vec<Edge>, Option<usize>)> = vec![];
        let mut seen = Properties::default();
        for (state, edges) in self.edges.iter().enumerate() {
            if let (false, Some(edge)) = (seen.contains(Property::OneLeader), edges.iter().find(|edge| edge.two_lead)) {
                seen = seen.with(Property::OneLeader, true);
                found.push((Property::OneLeader, [self.path(state), vec![edge.clone()]].concat(), None));
            }
            if !self.is_quiet[state] {
                continue;
            }
            let ruling = self.ruling(&self.states[state]);
            conclusion.moot = conclusion.moot.and(ruling.moot);
            conclusion.excused |= ruling.excused;
            for property in ruling.broken.iter().filter(|property| !seen.contains(*property)).collect::<Vec<_>>() {
                seen = seen.with(property, true);
                found.push((property, self.path(state), None));
            }
        }
        if let Some(state) = self.may_end().iter().position(|may_end| !may_end) {
            let (stem, around) = (self.path(state), self.around(state));
            let loop_at = stem.len() + around.1;
            found.push((Property::Ends, [stem, around.0].concat(), Some(loop_at)));
        }
        for (property, path, loop_at) in found {
            let rank = (path.len(), index);
            let known = conclusion.broken.iter().find(|known| known.property == property).map(Counterexample::rank);
            if known.is_none_or(|known| rank < known) {
                conclusion.broken.retain(|known| known.property != property);
                let story = self.tell(&path, loop_at)?;
                conclusion.broken.push(Counterexample::new(property, story, rank));
            }
        }
        Ok(())
    }

    /// The rounds that lead to a state.
    fn path(&self, state: usize) -> Vec<Edge> {
        let before = |&(state, _): &(u32, u32)| self.reached_by[state as usize];
        let mut path: Vec<_> = std::iter::successors(self.reached_by[state], before).collect();
        path.reverse();
        path.iter().map(|&(state, edge)| self.edges[state as usize][edge as usize].clone()).collect()
    }

    /// Rounds without a crash from a state until one comes again, and where in them the loop begins.
    fn around(&self, state: usize) -> (Vec<Edge>, usize) {
        let mut seen = IndexSet::from([state]);
        let (mut here, mut rounds) = (state, vec![]);
        loop {
            let edge = self.edges[here].iter().find(|edge| edge.crashes.is_empty()).expect("it does not end");
            rounds.push(edge.clone());
            here = edge.to as usize;
            let (place, is_new) = seen.insert_full(here);
            if !is_new {
                return (rounds, place);
            }
        }
    }

    /// Plays these rounds, of which those from `loop_at` on repeat for ever.
    fn tell(&self, path: &[Edge], loop_at: Option<usize>) -> Result<Story, String> {
        let mut scenario = Scenario { timing: Timing::Rounds, ..self.scenario.clone() };
        scenario.draws = vec![vec![]; scenario.topology.nodes() as usize];
        let (mut round, mut loop_from) = (Round::FIRST.0, None);
        for (number, edge) in path.iter().enumerate() {
            if loop_at == Some(number) {
                loop_from = Some(Time::round(Round(round)));
            }
            for (draws, drawn) in scenario.draws.iter_mut().zip(&edge.draws) {
                draws.extend(drawn);
            }
            scenario.faults.extend(edge.crashes.iter().map(|node| Fault::Crash(*node, Time::round(Round(round)))));
            round += edge.rounds;
        }
        scenario.limit = path.iter().map(|edge| edge.steps).sum::<u64>().max(1);
        scenario.forced = !assumptions::broken(&scenario, self.network.info()).is_empty();
        let mut events = vec![];
        let mut record = |event| events.push(event);
        let mut watch = Watcher;
        let wishes = Wishes { record: Some(&mut record), ..Wishes::none(&mut watch) };
        let report = play(self.network.cast(), &scenario, wishes).map_err(|error| error.to_string())?;
        let repeats_from = loop_from.and_then(|from| events.iter().position(|event| event.t >= from));
        let initiators = scenario.initiators.clone();
        Ok(Story { scenario, initiators, events, report, repeats_from })
    }
}
