//! Every schedule, depth first: each state is looked at once.

use crate::Property;
use crate::ledger::{GLANCE, Ledger, Page, Stop};
use crate::machine::{Machine, Move};
use crate::row::{Change, Row};
use crate::store::{Key, Mark, Store, Successor, UNMARKED};

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
    /// Why it was stopped, if that was after something was found to be broken.
    pub stopped: Option<Stop>,
}

/// Once something is broken, no more states than this are looked at: without an assumption there may be no end of them.
const ENOUGH: usize = 1 << 18;

impl Findings {
    /// Whether every schedule was followed.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.given_up && self.stopped.is_none()
    }

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
    key: Key,
    /// What the step to it has cost.
    paid: u32,
    /// Where its transitions begin, of all that are to be followed.
    first: usize,
    cost: Cost,
    /// What the step has changed in the row, and the hash before it.
    change: Change,
    before: u64,
}

/// Follows every schedule, if there are no more states than this.
///
/// # Errors
/// If it was stopped, there are more, or a step cannot be followed.
pub fn explore(machine: &mut Machine, ledger: &Ledger, at_most: usize) -> Result<Findings, Stop> {
    let row = machine.first()?;
    let mut search = Search {
        store: Store::new(row.cells().len(), machine.plan().fingerprints),
        row,
        found: Findings::default(),
        path: vec![],
        ahead: vec![],
        moves: vec![],
        successors: vec![],
        machine,
    };
    let mut page = Page::new(ledger);
    let change = search.row.since(search.row.moment());
    let mut first = [Successor::new(0, change)];
    search.store.insert_all(&mut search.row, &mut first, |_, _| ());
    search.visit(first[0], 0)?;
    let mut glanced = 0;
    while let Some(last) = search.path.last_mut() {
        if search.ahead.len() == last.first {
            search.leave();
            continue;
        }
        let next = search.ahead.pop().expect("there is one");
        match search.store.mark(next.key()) {
            UNMARKED => {
                let before = search.row.hash();
                search.row.forget_after(next.change);
                search.row.make(next.change);
                search.visit(next, before)?;
            }
            mark => search.found.cyclic |= last.meet(next.paid, mark),
        }
        if search.found.transitions >= glanced + GLANCE {
            glanced = search.found.transitions;
            match search.enter(&mut page) {
                Err(stop) if !search.found.broken.is_empty() => {
                    search.found.stopped = Some(stop);
                    break;
                }
                entered => entered?,
            }
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
    if search.found.stopped.is_none() {
        search.enter(&mut page)?;
    }
    Ok(search.found)
}

struct Search<'a> {
    machine: &'a mut Machine,
    store: Store,
    found: Findings,
    /// The last state on the path.
    row: Row,
    path: Vec<Visit>,
    /// The transitions that are to be followed, those of the last state on the path at the end.
    ahead: Vec<Successor>,
    moves: Vec<Move>,
    successors: Vec<Successor>,
}

impl Visit {
    /// A transition leads to a state that was visited before. Tells whether that is on the path.
    fn meet(&mut self, paid: u32, (least, most): Mark) -> bool {
        let cost = Cost { least, most };
        if cost != OPEN {
            self.cost.include(paid, cost);
        }
        cost == OPEN
    }
}

impl Search<'_> {
    /// The state in the row is looked at for the first time.
    fn visit(&mut self, state: Successor, before: u64) -> Result<(), Stop> {
        let Successor { paid, change, .. } = state;
        let mut visit = Visit { key: state.key(), paid, first: self.ahead.len(), cost: OPEN, change, before };
        self.successors.clear();
        let Self { machine, row, moves, successors, found, .. } = self;
        let owed = machine.expand(row, moves, successors, |effect| {
            found.note(effect.broken);
            found.resigned |= effect.resigned;
        })?;
        if owed == 0 {
            self.found.note(self.machine.lacks(self.row.cells()));
            visit.cost = Cost { least: 0, most: 0 };
        }
        self.found.transitions += self.successors.len() as u64;
        self.store.set_mark(visit.key, (OPEN.least, OPEN.most));
        let Self { store, row, successors, ahead, found, .. } = self;
        store.insert_all(row, successors, |next, mark| match mark {
            UNMARKED => ahead.push(next),
            mark => found.cyclic |= visit.meet(next.paid, mark),
        });
        self.path.push(visit);
        self.found.depth = self.found.depth.max(self.path.len() as u64 - 1);
        Ok(())
    }

    /// All transitions of the last state on the path have been followed.
    fn leave(&mut self) {
        let Visit { key, paid, cost, change, before, .. } = self.path.pop().expect("there is a path");
        self.row.forget_after(change);
        self.row.take_back(change, before);
        // Where every way leads back, nothing is known of the cost; any number closes it.
        let cost = if cost.least == u32::MAX { Cost { least: u32::MAX - 1, ..cost } } else { cost };
        self.store.set_mark(key, (cost.least, cost.most));
        match self.path.last_mut() {
            Some(before) => before.cost.include(paid, cost),
            None => self.found.costs = Some((cost.least.into(), cost.most.into())),
        }
    }

    fn enter(&self, page: &mut Page<'_>) -> Result<(), Stop> {
        let path = size_of::<Visit>() * self.path.len() + size_of::<Successor>() * self.ahead.len();
        let bytes = self.machine.bytes() + self.store.bytes() + self.row.bytes() + path as u64;
        let (states, depth) = (self.store.states() as u64, self.path.len() as u64);
        page.enter(states, self.found.transitions, depth, self.ahead.len() as u64, bytes)
    }
}
