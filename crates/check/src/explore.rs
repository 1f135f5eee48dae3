//! Every schedule, depth first: each state is looked at once.

use crate::Property;
use crate::ledger::{GLANCE, Ledger, Page, Stop};
use crate::machine::{Machine, Move};
use crate::store::{Store, UNMARKED};

/// What all schedules of one configuration have shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// How many different states there are.
    pub states: u64,
    /// How many transitions between them.
    pub transitions: u64,
    /// The longest way that was followed.
    pub depth: u64,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    least: u32,
    most: u32,
}

/// Its schedules are still being followed.
const OPEN: Cost = Cost { least: u32::MAX, most: 0 };

impl Cost {
    fn include(&mut self, paid: u32, Self { least, most }: Self) {
        self.least = self.least.min(least.saturating_add(paid));
        self.most = self.most.max(most.saturating_add(paid));
    }
}

/// A state on the way that is being followed.
struct Visit {
    index: u32,
    /// Where its transitions begin, of all that are to be followed.
    first: usize,
    /// What the step to it has cost.
    paid: u32,
    cost: Cost,
}

/// A transition that is to be followed.
struct Ahead {
    to: u32,
    paid: u32,
    hash: u64,
    /// Whether the cells of the state are kept: it was not visited when the transition was found.
    is_kept: bool,
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
        found: Findings::default(),
        path: vec![],
        ahead: vec![],
        kept: vec![],
        moves: vec![],
        successors: Successors::default(),
        machine,
    };
    let mut page = Page::new(ledger);
    let (index, _) = search.store.insert(&cells, hash);
    search.visit(index, hash, &cells, 0)?;
    let (mut row, mut glanced) = (cells, 0);
    while let Some(last) = search.path.last_mut() {
        if search.ahead.len() == last.first {
            search.leave();
            continue;
        }
        let Ahead { to, paid, hash, is_kept } = search.ahead.pop().expect("there is one");
        if is_kept {
            row.clear();
            row.extend(search.kept.drain(search.kept.len() - width..));
        }
        match search.store.mark(to) {
            UNMARKED => search.visit(to, hash, &row, paid)?,
            (u32::MAX, 0) => search.found.cyclic = true,
            (least, most) => last.cost.include(paid, Cost { least, most }),
        }
        if search.found.transitions >= glanced + GLANCE {
            glanced = search.found.transitions;
            search.enter(&mut page)?;
        }
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
    found: Findings,
    path: Vec<Visit>,
    /// The transitions that are to be followed, those of the last state on the path at the end.
    ahead: Vec<Ahead>,
    /// The cells of the states that they lead to, where those were not visited yet.
    kept: Vec<u32>,
    moves: Vec<Move>,
    successors: Successors,
}

/// All states that one transition leads to, looked up together.
#[derive(Default)]
struct Successors {
    cells: Vec<u32>,
    hashes: Vec<u64>,
    paid: Vec<u32>,
    numbers: Vec<(u32, bool)>,
    next: Vec<u32>,
}

impl Search<'_> {
    /// A state is looked at for the first time.
    fn visit(&mut self, index: u32, hash: u64, cells: &[u32], paid: u32) -> Result<(), Stop> {
        self.moves.clear();
        let owed = self.machine.moves(cells, &mut self.moves);
        let mut cost = OPEN;
        if owed == 0 {
            self.found.note(self.machine.lacks(cells));
            cost = Cost { least: 0, most: 0 };
        }
        let Successors { cells: all, hashes, paid: costs, numbers, next } = &mut self.successors;
        all.clear();
        hashes.clear();
        costs.clear();
        for &step in &self.moves {
            for way in 0..self.machine.ways(cells, step)? {
                let effect = self.machine.apply(cells, hash, step, way, next)?;
                self.found.note(effect.broken);
                self.found.resigned |= effect.resigned;
                all.extend_from_slice(next);
                hashes.push(effect.hash);
                costs.push(effect.cost);
            }
        }
        self.found.transitions += hashes.len() as u64;
        self.store.set_mark(index, (OPEN.least, OPEN.most));
        self.store.insert_all(all, hashes, numbers);
        let first = self.ahead.len();
        for (place, (&(to, _), &paid)) in numbers.iter().zip(&*costs).enumerate() {
            let is_kept = self.store.mark(to) == UNMARKED;
            if is_kept {
                let width = cells.len();
                self.kept.extend_from_slice(&all[place * width..(place + 1) * width]);
            }
            self.ahead.push(Ahead { to, paid, hash: hashes[place], is_kept });
        }
        self.path.push(Visit { index, first, paid, cost });
        self.found.depth = self.found.depth.max(self.path.len() as u64 - 1);
        Ok(())
    }

    /// All transitions of the last state on the path have been followed.
    fn leave(&mut self) {
        let Visit { index, paid, cost, .. } = self.path.pop().expect("there is a path");
        // Where every way leads back, nothing is known of the cost; any number closes it.
        let cost = if cost.least == u32::MAX { Cost { least: u32::MAX - 1, ..cost } } else { cost };
        self.store.set_mark(index, (cost.least, cost.most));
        match self.path.last_mut() {
            Some(before) => before.cost.include(paid, cost),
            None => self.found.costs = Some((cost.least.into(), cost.most.into())),
        }
    }

    fn enter(&self, page: &mut Page<'_>) -> Result<(), Stop> {
        let waiting = (4 * self.kept.len() + size_of::<Ahead>() * self.ahead.len()) as u64;
        let bytes = self.machine.bytes() + self.store.bytes() + waiting;
        let (states, depth) = (self.store.states() as u64, self.path.len() as u64);
        page.enter(states, self.found.transitions, depth, self.ahead.len() as u64, bytes)
    }
}
