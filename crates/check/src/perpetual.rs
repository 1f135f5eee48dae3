//! Checks algorithms that never end.
//!
//! A breadth-first search visits every state within the bound on phases. It sees at once whether two lead, and whether
//! the numbers of leaderships grow. If something is broken, it is given up: the shortest schedules are known by then.
//! Otherwise it asks of every state whether a leader can still come: it lets messages
//! arrive and timers go off, and nothing fail, until a process leads or a state is met from which that is known.

use bellwether_world::host::Algorithm;
use bellwether_world::{Properties, Property, Scenario};
use rustc_hash::FxHashSet;

use crate::Plan;
use crate::check::{Conclusion, Counterexample, Most};
use crate::ledger::{GLANCE, Ledger, Page, Stop};
use crate::machine::{Machine, Transition};
use crate::row::Row;
use crate::shortest::Path;
use crate::store::States;
use crate::story::tell;

/// Checks every configuration, one after the other.
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
    let mut machine = None;
    for (index, scenario) in (0..).zip(configurations) {
        let machine = Machine::prepared(&mut machine, &scenario, algorithm, plan)?;
        match check_one(machine, index, ledger, &mut conclusion) {
            Ok(()) => ledger.done(),
            Err(Stop::Impossible(reason)) => return Err(reason),
            Err(stop) => {
                conclusion.stopped = Some(stop);
                break;
            }
        }
    }
    conclusion.broken.sort_by_key(|broken| broken.property);
    Ok(conclusion)
}

fn check_one(machine: &mut Machine, index: u64, ledger: &Ledger, conclusion: &mut Conclusion) -> Result<(), Stop> {
    let mut search = Search::new(machine, ledger)?;
    let finished = search.visit_all().and_then(|()| search.expect_leaders());
    let Search { machine, found, states, transitions, .. } = search;
    let whole = finished.is_ok();
    conclusion.given_up += u64::from(whole && !found.is_empty());
    conclusion.configurations += u64::from(whole && found.is_empty());
    conclusion.states += if whole { states.states() as u64 } else { 0 };
    conclusion.transitions += if whole { transitions } else { 0 };
    conclusion.most = Most::Nothing;
    for (property, path) in found {
        let rank = (path.len(), index);
        if !conclusion.broken.iter().any(|known| known.property == property && known.rank() <= rank) {
            let story = tell(machine, &path, None)?;
            conclusion.broken.retain(|known| known.property != property);
            conclusion.broken.push(Counterexample::new(property, story, rank));
        }
    }
    finished
}

/// The number of states that the search for a way to a leader visits at most.
const MOST_AHEAD: usize = 1 << 20;

/// The number of moves after which such a search tries every order.
const FAR: usize = 1 << 10;

struct Search<'a> {
    machine: &'a mut Machine,
    page: Page<'a>,
    row: Row,
    states: States,
    /// By state: the state from which it was found.
    parents: Vec<u32>,
    transitions: u64,
    /// What is broken, with a shortest schedule.
    found: Vec<(Property, Path)>,
}

impl<'a> Search<'a> {
    fn new(machine: &'a mut Machine, ledger: &'a Ledger) -> Result<Self, Stop> {
        let row = machine.first()?;
        let mut states = States::new(row.cells().len());
        states.insert(&row);
        let page = Page::new(ledger);
        Ok(Self { machine, page, row, states, parents: vec![0], transitions: 0, found: vec![] })
    }

    /// Visits every state within the bound, or all up to the depth at which something is broken.
    fn visit_all(&mut self) -> Result<(), Stop> {
        let mut moves = vec![];
        let mut broken = Properties::default();
        // The states of one depth follow those of the depth before.
        let (mut state, mut depth, mut last_of_depth) = (0, 0, 0);
        while (state as usize) < self.states.states() {
            self.states.load(state, &mut self.row);
            let here = self.row.moment();
            moves.clear();
            self.machine.moves(self.row.cells(), &mut moves);
            for &step in &moves {
                for way in 0..self.machine.ways(self.row.cells(), step)? {
                    let effect = self.machine.apply(&mut self.row, step, way)?;
                    let is_new = !effect.is_beyond && self.states.insert(&self.row).1;
                    if is_new {
                        self.parents.push(state);
                    }
                    self.row.back_to(here);
                    let news: Vec<Property> =
                        effect.broken.iter().filter(|property| !broken.contains(*property)).collect();
                    for property in news {
                        broken = broken.with(property, true);
                        let path = self.path_to(state)?.into_iter().chain([(step, way)]).collect();
                        self.found.push((property, path));
                        self.states.load(state, &mut self.row);
                    }
                    self.transitions += 1;
                    if self.transitions.is_multiple_of(GLANCE) {
                        self.look_up(depth, u64::from(state))?;
                    }
                }
            }
            if state == last_of_depth {
                if !self.found.is_empty() {
                    break;
                }
                last_of_depth = self.states.states() as u32 - 1;
                depth += 1;
            }
            state += 1;
        }
        Ok(())
    }

    fn look_up(&mut self, depth: u64, done: u64) -> Result<(), Stop> {
        let states = self.states.states() as u64;
        let bytes = self.machine.bytes() + self.states.bytes() + 4 * states;
        self.page.enter(states, self.transitions, depth, states - done, bytes)
    }

    /// The moves that lead from the first state to this one.
    fn path_to(&mut self, state: u32) -> Result<Path, Stop> {
        let mut chain = vec![state];
        while let Some(&last) = chain.last().filter(|last| **last != 0) {
            chain.push(self.parents[last as usize]);
        }
        chain.reverse();
        let mut path = vec![];
        for pair in chain.windows(2) {
            self.states.load(pair[1], &mut self.row);
            let wanted = self.row.cells().to_vec();
            self.states.load(pair[0], &mut self.row);
            path.push(self.step_to(&wanted)?);
        }
        Ok(path)
    }

    /// The move from the current state to this one.
    fn step_to(&mut self, wanted: &[u32]) -> Result<(Transition, u32), Stop> {
        let here = self.row.moment();
        let mut moves = vec![];
        self.machine.moves(self.row.cells(), &mut moves);
        for step in moves {
            for way in 0..self.machine.ways(self.row.cells(), step)? {
                self.machine.apply(&mut self.row, step, way)?;
                let is_it = self.row.cells() == wanted;
                self.row.back_to(here);
                if is_it {
                    return Ok((step, way));
                }
            }
        }
        Err(Stop::Impossible("a state was reached by a move that is not there any more".into()))
    }

    /// Asks of every state whether a leader can still come.
    fn expect_leaders(&mut self) -> Result<(), Stop> {
        if !self.found.is_empty() {
            return Ok(());
        }
        let mut hopeful = Hopeful::new(self.row.cells().len());
        for state in 0..self.states.states() as u32 {
            if u64::from(state) % GLANCE == 0 {
                self.look_up(0, u64::from(state))?;
            }
            self.states.load(state, &mut self.row);
            if !hopeful.walk(self.machine, &mut self.row, &mut self.states)? {
                let path = self.path_to(state)?;
                self.found.push((Property::CanLead, path));
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The states from which a leader is known to come.
struct Hopeful {
    known: FxHashSet<u32>,
    /// States beyond the bound on phases. They have numbers of their own.
    beyond: States,
    known_beyond: FxHashSet<u32>,
}

impl Hopeful {
    fn new(width: usize) -> Self {
        Self { known: FxHashSet::default(), beyond: States::new(width), known_beyond: FxHashSet::default() }
    }

    /// Whether a leader can come from the state in the row.
    fn walk(&mut self, machine: &mut Machine, row: &mut Row, states: &mut States) -> Result<bool, Stop> {
        let mut way = vec![];
        let mut seen = FxHashSet::default();
        let mut is_beyond = false;
        let leads = loop {
            let store = if is_beyond { &mut self.beyond } else { &mut *states };
            let place = (is_beyond, store.insert(row).0);
            let known = if is_beyond { &self.known_beyond } else { &self.known };
            if known.contains(&place.1) || machine.has_leader(row.cells()) {
                break true;
            }
            way.push(place);
            if !seen.insert(place) || way.len() > FAR {
                break false;
            }
            match next_calm(machine, row)? {
                None => break false,
                Some(goes_beyond) => is_beyond |= goes_beyond,
            }
        };
        let leads = leads || search_ahead(machine, row)?;
        if leads {
            for (is_beyond, state) in way {
                if is_beyond {
                    self.known_beyond.insert(state)
                } else {
                    self.known.insert(state)
                };
            }
        }
        Ok(leads)
    }
}

/// Lets a message arrive that changes something, or else a timer go off. Returns whether that leads beyond the bound;
/// `None` if nothing happens any more.
fn next_calm(machine: &mut Machine, row: &mut Row) -> Result<Option<bool>, Stop> {
    let mut moves = vec![];
    let owed = machine.moves(row.cells(), &mut moves);
    moves.truncate(owed);
    let before = row.hash();
    for step in moves {
        if machine.is_wished(step) {
            continue;
        }
        let here = row.moment();
        let effect = machine.apply(row, step, 0)?;
        if row.hash() != before {
            return Ok(Some(effect.is_beyond));
        }
        row.back_to(here);
    }
    Ok(None)
}

/// Whether some order of moves, wishes included, makes a leader of the state in the row.
fn search_ahead(machine: &mut Machine, row: &mut Row) -> Result<bool, Stop> {
    let mut states = States::new(row.cells().len());
    states.insert(row);
    let mut moves = vec![];
    let mut state = 0;
    while (state as usize) < states.states() {
        states.load(state, row);
        if machine.has_leader(row.cells()) {
            return Ok(true);
        }
        if states.states() > MOST_AHEAD {
            return Err(Stop::States);
        }
        let here = row.moment();
        moves.clear();
        let owed = machine.moves(row.cells(), &mut moves);
        for &step in &moves[..owed] {
            for way in 0..machine.ways(row.cells(), step)? {
                machine.apply(row, step, way)?;
                states.insert(row);
                row.back_to(here);
            }
        }
        state += 1;
    }
    Ok(false)
}
