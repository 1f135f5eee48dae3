//! Every schedule, depth first: each state is looked at once.

use crate::Property;
use crate::ledger::{GLANCE, Ledger, Page, Stop};
use crate::machine::{Machine, Move};
use crate::row::{Change, Row};
use crate::sleep::{Asleep, Cost, Sleep};
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

/// A state on the way that is being followed.
struct Visit {
    key: Key,
    /// What the step to it has cost.
    paid: u32,
    /// Where its transitions begin, of all that are to be followed.
    first: usize,
    cost: Cost,
    /// The moves that sleep: at first those that are never made here, in the end all.
    asleep: Asleep,
    slept: Asleep,
    /// What the step has changed in the row, and the hash before it.
    change: Change,
    before: u64,
}

/// Follows every schedule, if there are no more states than this.
///
/// # Errors
/// If it was stopped, there are more, or a step cannot be followed.
pub fn explore(machine: &mut Machine, ledger: &Ledger, at_most: usize) -> Result<Findings, Stop> {
    let mut page = Page::new(ledger);
    if machine.may_sleep() {
        let sleep = Sleep::of(machine.layout(), !machine.plan().starts_first);
        if let Some(found) = Search::new(machine, sleep)?.run(&mut page, at_most)? {
            return Ok(found);
        }
    }
    let found = Search::new(machine, Sleep::never())?.run(&mut page, at_most)?;
    Ok(found.expect("nothing sleeps"))
}

struct Search<'a> {
    machine: &'a mut Machine,
    sleep: Sleep,
    store: Store,
    found: Findings,
    /// The last state on the path.
    row: Row,
    path: Vec<Visit>,
    /// The transitions that are to be followed, those of the last state on the path at the end.
    ahead: Vec<Successor>,
    moves: Vec<Move>,
    successors: Vec<Successor>,
    /// Something that sleeps must be followed after all.
    is_woken: bool,
}

impl<'a> Search<'a> {
    fn new(machine: &'a mut Machine, sleep: Sleep) -> Result<Self, Stop> {
        let row = machine.first()?;
        Ok(Self {
            store: Store::new(row.cells().len(), machine.plan().fingerprints),
            sleep,
            row,
            found: Findings::default(),
            path: vec![],
            ahead: vec![],
            moves: vec![],
            successors: vec![],
            is_woken: false,
            machine,
        })
    }

    /// Follows every schedule; nothing if sleep would hide something.
    fn run(mut self, page: &mut Page<'_>, at_most: usize) -> Result<Option<Findings>, Stop> {
        let change = self.row.since(self.row.moment());
        let mut first = [Successor::new(0, None, change)];
        self.store.insert_all(&mut self.row, &mut first, |_, _| ());
        self.visit(first[0], 0, Asleep::default())?;
        let mut glanced = 0;
        while let Some(last) = self.path.last_mut() {
            if self.is_woken {
                return Ok(None);
            }
            if self.ahead.len() == last.first {
                self.leave();
                continue;
            }
            let next = self.ahead.pop().expect("there is one");
            match self.store.mark(next.key()) {
                UNMARKED => {
                    let before = self.row.hash();
                    self.row.forget_after(next.change);
                    self.row.make(next.change);
                    let slept = self.sleep.follow(&mut last.asleep, next.by);
                    self.visit(next, before, slept)?;
                }
                mark => last.meet(&self.sleep, next, mark, &mut self.found, &mut self.is_woken),
            }
            if self.found.transitions >= glanced + GLANCE {
                glanced = self.found.transitions;
                match self.enter(page) {
                    Err(stop) if !self.found.broken.is_empty() => {
                        self.found.stopped = Some(stop);
                        break;
                    }
                    entered => entered?,
                }
            }
            if self.store.states() > at_most {
                return Err(Stop::States);
            }
            if self.store.states() > ENOUGH && !self.found.broken.is_empty() {
                self.found.given_up = true;
                break;
            }
        }
        self.found.states = self.store.states() as u64;
        if self.found.stopped.is_none() {
            self.enter(page)?;
        }
        Ok(Some(self.found))
    }

    /// The state in the row is looked at for the first time.
    fn visit(&mut self, state: Successor, before: u64, slept: Asleep) -> Result<(), Stop> {
        let Successor { paid, change, .. } = state;
        let (key, first) = (state.key(), self.ahead.len());
        let mut visit = Visit { key, paid, first, cost: Cost::OPEN, asleep: slept, slept, change, before };
        self.successors.clear();
        let Self { machine, row, moves, successors, found, .. } = self;
        let owed = machine.expand(row, slept, moves, successors, |effect| {
            found.note(effect.broken);
            found.resigned |= effect.resigned;
        })?;
        if owed == 0 {
            self.found.note(self.machine.lacks(self.row.cells()));
            visit.cost = Cost::NONE;
        }
        self.found.transitions += self.successors.len() as u64 + slept.count();
        self.mark(key, slept, Cost::OPEN);
        let Self { store, row, successors, ahead, found, sleep, is_woken, .. } = self;
        store.insert_all(row, successors, |next, mark| match mark {
            UNMARKED => ahead.push(next),
            mark => visit.meet(sleep, next, mark, found, is_woken),
        });
        self.path.push(visit);
        self.found.depth = self.found.depth.max(self.path.len() as u64 - 1);
        Ok(())
    }

    /// All transitions of the last state on the path have been followed.
    fn leave(&mut self) {
        let Visit { key, paid, cost, slept, change, before, .. } = self.path.pop().expect("there is a path");
        self.row.forget_after(change);
        self.row.take_back(change, before);
        let cost = cost.closed();
        self.mark(key, slept, cost);
        match self.path.last_mut() {
            Some(before) => before.cost.include(paid, cost),
            None => self.found.costs = Some((cost.least.into(), cost.most.into())),
        }
    }

    fn mark(&mut self, key: Key, slept: Asleep, cost: Cost) {
        match self.sleep.mark(slept, cost) {
            Some(mark) => self.store.set_mark(key, mark),
            None => self.is_woken = true,
        }
    }

    fn enter(&self, page: &mut Page<'_>) -> Result<(), Stop> {
        let path = size_of::<Visit>() * self.path.len() + size_of::<Successor>() * self.ahead.len();
        let bytes = self.machine.bytes() + self.store.bytes() + self.row.bytes() + path as u64;
        let (states, depth) = (self.store.states() as u64, self.path.len() as u64);
        page.enter(states, self.found.transitions, depth, self.ahead.len() as u64, bytes)
    }
}

impl Visit {
    /// A transition leads to a state that was visited before.
    fn meet(&mut self, sleep: &Sleep, next: Successor, mark: Mark, found: &mut Findings, is_woken: &mut bool) {
        let asleep = sleep.follow(&mut self.asleep, next.by);
        let Some(cost) = sleep.read(mark, asleep) else {
            *is_woken = true;
            return;
        };
        if cost == Cost::OPEN {
            found.cyclic = true;
            *is_woken |= sleep.is_on();
        } else {
            self.cost.include(next.paid, cost);
        }
    }
}

#[cfg(test)]
mod tests {
    use bellwether_algorithms::graph::{Adoption, EchoElection};
    use bellwether_algorithms::ring::{ChangRoberts, DolevKlaweRodeh, Franklin, HirschbergSinclair, Peterson};
    use bellwether_algorithms::tree::TreeWaves;
    use bellwether_core::{Id, Process};
    use bellwether_world::{Freedom, Scenario, Topology, assumptions};

    use super::*;
    use crate::{Cast, Plan};

    /// With and without sleep the same is found, in all; tells whether something that slept had to be woken up.
    fn is_woken<P: Process>(topology: &str, ids: &[u64], starts_first: bool) -> bool {
        let network = topology.parse::<Topology>().expect("a topology").build(1).expect("a network");
        let network = assumptions::oriented(network, P::INFO);
        let scenario = Scenario::new(P::INFO, network, ids.iter().copied().map(Id).collect());
        let freedom = Freedom::default();
        let plan = Plan { freedom, starts_first, reduction: false, symmetry: false, fingerprints: false };
        let mut machine = Machine::new(Box::new(Cast::<P>::default()), &scenario, plan).expect("a small network");
        assert!(machine.may_sleep());
        let ledger = Ledger::new(1 << 30);
        let mut run = |sleep| {
            let search = Search::new(&mut machine, sleep).expect("a first state");
            search.run(&mut Page::new(&ledger), usize::MAX).expect("it ends")
        };
        let without = run(Sleep::never()).expect("nothing sleeps");
        let layout = crate::layout::Layout::new(&scenario.topology, P::INFO).expect("a small network");
        let with = run(Sleep::of(&layout, !starts_first));
        if let Some(with) = &with {
            assert_eq!(*with, without, "{} on {topology}, ids {ids:?}", P::INFO.name);
        }
        with.is_none()
    }

    #[test]
    fn sleep_hides_nothing() {
        for ids in [&[5, 4, 3, 2, 1][..], &[1, 2, 3, 4, 5], &[2, 5, 1, 4, 3], &[3, 3, 1, 2, 3], &[2, 2, 2, 2]] {
            let ring = format!("ring:{}", ids.len());
            for starts_first in [true, false] {
                assert!(!is_woken::<ChangRoberts>(&ring, ids, starts_first) || !starts_first);
                assert!(!is_woken::<DolevKlaweRodeh>(&ring, ids, starts_first));
                assert!(!is_woken::<Peterson>(&ring, ids, starts_first));
                assert!(is_woken::<Franklin>("ring:3", &ids[..3], starts_first));
                is_woken::<HirschbergSinclair>("ring:3", &ids[1..4], starts_first);
                is_woken::<TreeWaves>("star:4", &ids[..4], starts_first);
                is_woken::<EchoElection>("complete:3", &ids[..3], starts_first);
                is_woken::<Adoption>("complete:3", &ids[..3], starts_first);
            }
        }
    }
}
