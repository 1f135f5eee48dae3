//! Every schedule, depth first: each state is looked at once.

use crate::Property;
use crate::ledger::{GLANCE, Ledger, Page, Stop};
use crate::machine::{Effect, Machine, Move};
use crate::store::Store;

/// What all schedules of one configuration have shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// How many different states there are.
    pub states: u64,
    /// How many transitions between them.
    pub transitions: u64,
    /// The longest way that was followed.
    pub depth: u64,
    /// How many states are settled.
    pub settled: u64,
    /// The election messages of the cheapest schedule and of the dearest; meaningless where there is a cycle.
    pub costs: Option<(u64, u64)>,
    /// What does not hold, in order of gravity.
    pub broken: Vec<Property>,
    /// Whether a schedule can come back to a state in which it was before.
    pub cyclic: bool,
    /// Whether a process that led may do so no longer.
    pub resigned: bool,
    /// Whether it was given up because something is broken and there are very many states.
    pub given_up: bool,
}

/// Once something is broken, no more states than this are looked at: without an assumption there may be no end of them.
const ENOUGH: usize = 1 << 20;

impl Findings {
    fn note(&mut self, broken: Option<Property>) {
        if let Some(property) = broken
            && let Err(place) = self.broken.binary_search(&property)
        {
            self.broken.insert(place, property);
        }
    }
}

/// What is still to be paid from a state on, at least and at most.
#[derive(Clone, Copy, Debug)]
struct Cost {
    least: u32,
    most: u32,
}

/// Its schedules are still being followed.
const OPEN: Cost = Cost { least: u32::MAX, most: 0 };

impl Cost {
    fn include(&mut self, paid: u32, Cost { least, most }: Cost) {
        self.least = self.least.min(least.saturating_add(paid));
        self.most = self.most.max(most.saturating_add(paid));
    }

    fn is_open(self) -> bool {
        self.least == u32::MAX
    }
}

/// A state on the way that is being followed.
struct Visit {
    index: u32,
    hash: u64,
    /// Where its transitions begin, of all that are to be followed.
    first: usize,
    /// What the step to it has cost.
    paid: u32,
    cost: Cost,
}

/// Follows every schedule, if there are no more states than this.
///
/// # Errors
/// If it was stopped, there are more, or a step cannot be followed.
pub fn explore(machine: &mut Machine, ledger: &Ledger, at_most: usize) -> Result<Findings, Stop> {
    let (cells, hash) = machine.first()?;
    let width = machine.width();
    let mut search = Search {
        store: Store::new(width, machine.plan().fingerprints),
        costs: vec![],
        found: Findings::default(),
        path: vec![],
        rows: vec![],
        ahead: vec![],
        moves: vec![],
        machine,
    };
    let mut page = Page::new(ledger);
    let (index, _) = search.store.insert(&cells, hash);
    search.costs.push(OPEN);
    search.visit(index, hash, &cells, 0)?;
    let mut next = Vec::with_capacity(width);
    while let Some(last) = search.path.last() {
        if search.ahead.len() == last.first {
            search.leave();
            continue;
        }
        let (step, way) = search.ahead.pop().expect("there is one");
        search.found.transitions += 1;
        if search.found.transitions.is_multiple_of(GLANCE) {
            search.enter(&mut page)?;
        }
        let row = &search.rows[search.rows.len() - width..];
        let effect = search.machine.apply(row, last.hash, step, way, &mut next)?;
        search.arrive(&effect, &next)?;
        if search.store.states() > at_most {
            return Err(Stop::States);
        }
        if search.store.states() > ENOUGH && !search.found.broken.is_empty() {
            search.found.given_up = true;
            break;
        }
    }
    search.found.states = search.store.states() as u64;
    search.enter(&mut page)?;
    Ok(search.found)
}

struct Search<'a> {
    machine: &'a mut Machine,
    store: Store,
    costs: Vec<Cost>,
    found: Findings,
    path: Vec<Visit>,
    /// The cells of all states on the path, one after the other.
    rows: Vec<u32>,
    /// The transitions that are to be followed, those of the last state on the path at the end.
    ahead: Vec<(Move, u32)>,
    moves: Vec<Move>,
}

impl Search<'_> {
    /// A transition has led to a state.
    fn arrive(&mut self, effect: &Effect, next: &[u32]) -> Result<(), Stop> {
        self.found.note(effect.broken);
        self.found.resigned |= effect.resigned;
        let (index, is_new) = self.store.insert(next, effect.hash);
        if is_new {
            self.costs.push(OPEN);
            return self.visit(index, effect.hash, next, effect.cost);
        }
        let cost = self.costs[index as usize];
        let last = self.path.last_mut().expect("a transition begins on the path");
        if cost.is_open() {
            self.found.cyclic = true;
        } else {
            last.cost.include(effect.cost, cost);
        }
        Ok(())
    }

    /// A state is looked at for the first time.
    fn visit(&mut self, index: u32, hash: u64, cells: &[u32], paid: u32) -> Result<(), Stop> {
        let first = self.ahead.len();
        self.moves.clear();
        let owed = self.machine.moves(cells, &mut self.moves);
        let mut cost = OPEN;
        if owed == 0 {
            self.found.settled += 1;
            self.found.note(self.machine.lacks(cells));
            cost = Cost { least: 0, most: 0 };
        }
        for &step in &self.moves {
            let ways = self.machine.ways(cells, step)?;
            self.ahead.extend((0..ways).map(|way| (step, way)));
        }
        self.rows.extend_from_slice(cells);
        self.path.push(Visit { index, hash, first, paid, cost });
        self.found.depth = self.found.depth.max(self.path.len() as u64 - 1);
        Ok(())
    }

    /// All transitions of the last state on the path have been followed.
    fn leave(&mut self) {
        let Visit { index, paid, cost, .. } = self.path.pop().expect("there is a path");
        self.rows.truncate(self.rows.len() - self.machine.width());
        // Where every way leads back, nothing is known of the cost; any number closes it.
        let cost = if cost.is_open() { Cost { least: u32::MAX - 1, ..cost } } else { cost };
        self.costs[index as usize] = cost;
        match self.path.last_mut() {
            Some(before) => before.cost.include(paid, cost),
            None => self.found.costs = Some((cost.least.into(), cost.most.into())),
        }
    }

    fn enter(&self, page: &mut Page<'_>) -> Result<(), Stop> {
        let bytes = self.machine.bytes()
            + self.store.bytes()
            + (8 * self.costs.len() + 4 * self.rows.len() + 24 * self.ahead.len()) as u64;
        let (states, depth) = (self.store.states() as u64, self.path.len() as u64);
        page.enter(states, self.found.transitions, depth, self.ahead.len() as u64, bytes)
    }
}
