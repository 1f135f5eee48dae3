//! Whether an election always ends, soundly.
//!
//! An infinite schedule is *fair* if everything that must happen some time (a delivery, a start, a timeout) and stays
//! possible does happen. A schedule that never settles stays, from some moment on, in an *end component*. That is a set
//! of states with moves that lead from each state to each other, and never out, for all draws. Suppose these moves
//! leave nothing undone that is possible in all of its states. Then a fair adversary can keep the election there for
//! ever, with probability 1. If there is no such component, every fair schedule settles (with probability 1 where there
//! are draws). This is sound because it uses the strongly connected components of the whole graph. Repeated states
//! along single paths would not be enough.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::components::components;
use crate::graph::StateGraph;
use crate::machine::Transition;
use crate::shortest::Path;

/// The largest number of steps of the search for a shortest loop. After that the best loop so far is used.
const EFFORT: usize = 200_000;

/// A schedule that goes on for ever: a way in, and a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// From the first state to the loop.
    pub stem: Path,
    /// The loop.
    pub around: Path,
}

/// A fair schedule that never settles, if there is one.
pub fn endless(graph: &StateGraph) -> Option<Lasso> {
    let states = graph.states();
    // A settled state is an end, even if more could happen.
    let mut kept: Vec<bool> = vec![true; graph.actions().len()];
    for state in (0..states as u32).filter(|state| graph.is_settled[*state as usize]) {
        graph.actions_of(state).for_each(|action| kept[action] = false);
    }
    loop {
        let successors = |state| {
            let actions = graph.actions_of(state).filter(|action| kept[*action]);
            actions.flat_map(|action| graph.edges_of(action).iter().map(|edge| edge.to))
        };
        let component = components(states, successors);
        let mut changed = false;
        for state in 0..states as u32 {
            for action in graph.actions_of(state) {
                let leaves = |to: u32| component[to as usize] != component[state as usize];
                if kept[action] && graph.edges_of(action).iter().any(|edge| leaves(edge.to)) {
                    kept[action] = false;
                    changed = true;
                }
            }
        }
        if changed {
            continue;
        }
        let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for state in (0..states as u32).filter(|state| graph.actions_of(*state).any(|action| kept[action])) {
            members.entry(component[state as usize]).or_default().push(state);
        }
        // States are numbered by their distance: the nearest comes first.
        let mut all: Vec<Trap<'_>> = members.into_values().map(|states| Trap { graph, kept: &kept, states }).collect();
        all.sort_by_key(|trap| trap.states[0]);
        let mut fair = all.iter().filter(|trap| trap.is_fair());
        let mut effort = EFFORT;
        let first = fair.next().map(|trap| trap.shorter(trap.lasso(), &mut effort))?;
        return Some(fair.fold(first, |best, trap| trap.shorter(best, &mut effort)));
    }
}

/// An end component.
struct Trap<'a> {
    graph: &'a StateGraph,
    kept: &'a [bool],
    states: Vec<u32>,
}

impl Trap<'_> {
    fn duties(&self, state: u32) -> BTreeSet<u32> {
        self.graph.actions_of(state).filter_map(|action| self.graph.action(action).duty).collect()
    }

    fn kept_of(&self, state: u32) -> impl Iterator<Item = usize> {
        self.graph.actions_of(state).filter(|action| self.kept[*action])
    }

    /// Whether everything that is possible in all of its states happens in it.
    fn is_fair(&self) -> bool {
        let mut always = self.duties(self.states[0]);
        for &state in &self.states[1..] {
            let here = self.duties(state);
            always.retain(|duty| here.contains(duty));
        }
        let done: BTreeSet<u32> = self
            .states
            .iter()
            .flat_map(|state| self.kept_of(*state))
            .filter_map(|action| self.graph.action(action).duty)
            .collect();
        always.is_subset(&done)
    }

    /// A shortest way into the component and round a loop that leaves nothing undone, if it is shorter than `best`. If
    /// the search takes too long, the best one so far is used.
    fn shorter(&self, mut best: Lasso, effort: &mut usize) -> Lasso {
        // The nearest states first: at some point the way in alone is too long.
        for &entry in &self.states {
            let stem = self.graph.tree.path(entry);
            let most = (best.stem.len() + best.around.len()).saturating_sub(stem.len() + 1);
            if most == 0 || *effort == 0 {
                break;
            }
            if let Some(around) = self.shortest_loop(entry, most, effort) {
                best = Lasso { stem, around };
            }
        }
        best
    }

    /// A shortest loop from a state back to itself that leaves nothing undone, with at most this many moves.
    fn shortest_loop(&self, entry: u32, at_most: usize, effort: &mut usize) -> Option<Path> {
        let duties: Vec<u32> = self.duties(entry).into_iter().collect();
        let bit = |duty: u32| duties.iter().position(|other| *other == duty).map_or(0, |place| 1u64 << place);
        if duties.len() > 64 {
            return None;
        }
        // By state and what is still owed there: the step before.
        let first = (entry, self.duties(entry).into_iter().fold(0, |owed, duty| owed | bit(duty)));
        let mut came = BTreeMap::new();
        let mut ahead = VecDeque::from([(first, 0)]);
        while let Some((from @ (state, owed), depth)) = ahead.pop_front() {
            *effort = effort.checked_sub(1)?;
            if depth == at_most {
                return None;
            }
            for action in self.kept_of(state) {
                let about = self.graph.action(action);
                let left = owed & !about.duty.map_or(0, bit);
                for (way, edge) in (0..).zip(self.graph.edges_of(action)) {
                    let possible = self.duties(edge.to).into_iter().fold(0, |possible, duty| possible | bit(duty));
                    let to = (edge.to, left & possible);
                    if to == (entry, 0) {
                        let mut path = vec![(about.step, way)];
                        let mut at = from;
                        while let Some((before, step)) = came.get(&at).filter(|_| at != first) {
                            path.push(*step);
                            at = *before;
                        }
                        path.reverse();
                        return Some(path);
                    }
                    if to != first && !came.contains_key(&to) {
                        came.insert(to, (from, (about.step, way)));
                        ahead.push_back((to, depth + 1));
                    }
                }
            }
        }
        None
    }

    /// The nearest way into the component, and a loop from there that does everything owed, one thing after the other.
    fn lasso(&self) -> Lasso {
        let entry = self.states[0];
        let (mut state, mut around) = (entry, Path::new());
        let (mut possible, mut done) = (self.duties(entry), BTreeSet::new());
        loop {
            let owed = possible.iter().find(|duty| !done.contains(*duty)).copied();
            // Go on until the duty is done or no longer possible. At last go back to the entry, with at least one step.
            let wanted = |at: u32, last: Option<u32>| match owed {
                Some(duty) => last == Some(duty) || !self.duties(at).contains(&duty),
                None => at == entry,
            };
            let way = self.way(state, &wanted);
            let stuck = way.is_empty();
            for (step, way, duty, to) in way {
                around.push((step, way));
                done.extend(duty);
                let here = self.duties(to);
                possible.retain(|duty| here.contains(duty));
                state = to;
            }
            if stuck || state == entry && possible.is_subset(&done) {
                return Lasso { stem: self.graph.tree.path(entry), around };
            }
        }
    }

    /// A shortest way of at least one step to a state where this holds. It exists, because the component is strongly
    /// connected.
    fn way(&self, from: u32, wanted: &dyn Fn(u32, Option<u32>) -> bool) -> Vec<(Transition, u32, Option<u32>, u32)> {
        let mut came = BTreeMap::new();
        let mut ahead = VecDeque::from([from]);
        while let Some(state) = ahead.pop_front() {
            for action in self.kept_of(state) {
                let about = self.graph.action(action);
                for (way, edge) in (0..).zip(self.graph.edges_of(action)) {
                    let link = (state, about.step, way, about.duty);
                    if wanted(edge.to, about.duty) {
                        let mut path = vec![(about.step, way, about.duty, edge.to)];
                        let mut at = state;
                        while at != from {
                            let (before, step, way, duty) = came[&at];
                            path.push((step, way, duty, at));
                            at = before;
                        }
                        path.reverse();
                        return path;
                    }
                    if edge.to != from && !came.contains_key(&edge.to) {
                        came.insert(edge.to, link);
                        ahead.push_back(edge.to);
                    }
                }
            }
        }
        vec![]
    }
}
