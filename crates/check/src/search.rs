//! Depth-first search by threads that share the states they have closed.
//!
//! Each thread follows all schedules from the first state on, in its own order, until it has closed that state. A state
//! is *open* while it is on the path of a thread. It is *closed* when a thread has followed all its schedules: then its
//! costs are known, and no thread enters it again. A state that is open only on the paths of other threads is entered
//! all the same, and its schedules are then shared. So a state is visited twice only if it is on two paths at the same
//! time, and such states are few. No thread ever waits for a state.
//!
//! - *Nothing is left out.* A thread that closes a state has seen each successor closed, or has the successor on its
//!   path and closes it later. In the end all paths are empty. So all states that can be reached are closed.
//! - *A cycle is found.* Take the state on the cycle that is closed first. Its successor on the cycle was not closed
//!   then, so it was on the path of the closing thread. That is how a cycle is noticed.
//! - *Costs are right.* Without cycles they follow from those of the successors, all of which are closed.
//! - *Everything is counted once*: a state by the thread that finds it, its transitions by the thread that enters it
//!   first.

use std::sync::atomic::{AtomicBool, Ordering};

use bellwether_resources::pool::IdleThreads;

use crate::explore::Findings;
use crate::ledger::{GLANCE, Page, Stop};
use crate::machine::{Machine, Transition};
use crate::mark::{CostSpan, Crew, Known};
use crate::row::{CellChange, Logged, Row};
use crate::sleep::{Asleep, Sleep};
use crate::store::{Access, Key, Mark, Store, Successor, UNMARKED};

/// The largest number of states that are visited once a property is broken: without an assumption there may be no end
/// of them.
pub const ENOUGH: usize = 1 << 18;

/// Threads for searches. They help with a search once it is large.
#[must_use]
pub fn helpers(threads: usize) -> IdleThreads {
    IdleThreads::new(threads).for_more_than(ENOUGH)
}

/// What threads that search together have in common.
pub struct Team {
    sleep: Sleep,
    store: Store,
    is_over: AtomicBool,
}

impl Team {
    /// A search that is about to begin, with this many cells in a row.
    pub fn new(sleep: Sleep, width: usize, fingerprints: bool) -> Self {
        Self { sleep, store: Store::new(width, fingerprints), is_over: AtomicBool::new(false) }
    }

    /// What a mark tells a thread that meets a state while these moves sleep; `None` if they must be woken up.
    #[inline]
    fn view(&self, mark: Mark, asleep: Asleep, thread: usize) -> Option<View> {
        if mark == UNMARKED {
            return Some(View::Ahead(asleep, Crew::default()));
        }
        let (slept, known) = self.sleep.read(mark);
        match known {
            _ if !slept.is_within(asleep) => None,
            Known::Closed(cost) => Some(View::Closed(cost)),
            Known::Open(crew) if !crew.has(thread) => Some(View::Ahead(slept, crew)),
            Known::Open(_) => (!self.sleep.is_on()).then_some(View::Cycle),
        }
    }
}

/// Why a thread does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Another thread has ended the search.
    Over,
    /// It must stop.
    Stop(Stop),
    /// A sleeping move must be followed after all.
    Woken,
    /// What was found ends the search early. So it must be found again, by one thread alone.
    Alone,
}

/// How a state looks to a thread that meets it.
enum View {
    /// It is to be entered, while these moves sleep. It is on the paths of these threads.
    Ahead(Asleep, Crew),
    /// It is on the thread's own path.
    Cycle,
    /// All its schedules were followed.
    Closed(CostSpan),
}

/// A state on the current path.
struct Visit {
    key: Key,
    /// What the step to it has cost.
    paid: u32,
    /// Where its transitions begin in `ahead`.
    first: usize,
    cost: CostSpan,
    /// The moves that sleep here.
    slept: Asleep,
    /// What the step has changed in the row, and when.
    change: CellChange,
    before: Logged,
}

/// The search of one thread.
pub struct ThreadSearch<'a> {
    machine: &'a mut Machine,
    team: &'a Team,
    /// Its number. Only thread 0 is ever alone.
    thread: usize,
    is_alone: bool,
    /// Whether it has met no state twice.
    is_tree: bool,
    page: Page<'a>,
    states: Access<'a>,
    found: Findings,
    /// The last state on the path.
    row: Row,
    path: Vec<Visit>,
    /// The largest length of the path so far.
    deepest: usize,
    /// The transitions that are still to be followed. Those of the last state on the path come last.
    ahead: Vec<Successor>,
    moves: Vec<Transition>,
    successors: Vec<Successor>,
}

impl<'a> ThreadSearch<'a> {
    /// A thread that is about to begin.
    pub fn new(machine: &'a mut Machine, first: Row, team: &'a Team, thread: usize, page: Page<'a>) -> Self {
        Self {
            machine,
            team,
            thread,
            is_alone: thread == 0,
            is_tree: true,
            page,
            states: team.store.access(),
            found: Findings::default(),
            row: first,
            path: vec![],
            deepest: 0,
            ahead: vec![],
            moves: vec![],
            successors: vec![],
        }
    }

    /// Follows every schedule, if there are at most this many states. Returns what was found, and why it is not
    /// everything. Calls for help when the search is large.
    pub fn run(mut self, at_most: usize, call: impl FnMut(&mut Machine, usize) -> bool) -> (Findings, Option<Halt>) {
        let halt = self.follow_all(at_most, call).err();
        if halt.is_some() {
            self.team.is_over.store(true, Ordering::Relaxed);
        }
        self.found.states = self.states.states() as u64;
        let halt = match (halt, self.enter_page()) {
            (None | Some(Halt::Over), Err(stop)) => Some(Halt::Stop(stop)),
            (halt, _) => halt,
        };
        (self.found, halt)
    }

    fn follow_all(&mut self, at_most: usize, mut call: impl FnMut(&mut Machine, usize) -> bool) -> Result<(), Halt> {
        let mut first = [Successor::new(0, None, self.row.since(self.row.moment()))];
        self.states.insert_all(&mut self.row, &mut first);
        self.follow(first[0])?;
        let mut glanced = 0;
        while let Some(last) = self.path.last() {
            if self.team.is_over.load(Ordering::Relaxed) {
                return Err(Halt::Over);
            }
            if self.ahead.len() == last.first {
                self.leave()?;
                continue;
            }
            let next = self.ahead.pop().expect("there is one");
            self.follow(next)?;
            let (states, is_broken) = (self.states.states(), !self.found.broken.is_empty());
            if self.found.transitions >= glanced + GLANCE {
                glanced = self.found.transitions;
                self.enter_page().map_err(Halt::Stop)?;
                // If states are met twice, another order would wake up sleeping moves. And one thread with sleeping
                // moves is as fast as two threads without.
                let is_apt = self.is_tree || !self.team.sleep.is_on();
                if is_apt && !is_broken && call(self.machine, states) {
                    self.is_alone = false;
                }
            }
            if states > at_most {
                return Err(Halt::Stop(Stop::States));
            }
            if is_broken && !self.is_alone {
                return Err(Halt::Alone);
            }
            if is_broken && states > ENOUGH {
                self.found.given_up = true;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Follows a transition of the last state on the path, and enters its state if that is needed.
    fn follow(&mut self, next: Successor) -> Result<(), Halt> {
        let mut mark = self.states.mark(next.key());
        loop {
            match self.team.view(mark, next.asleep, self.thread).ok_or(Halt::Woken)? {
                View::Ahead(slept, crew) => {
                    let open = Known::Open(crew.with(self.thread));
                    let open = self.team.sleep.mark(slept, open).ok_or(Halt::Woken)?;
                    match self.states.replace_mark(next.key(), mark, open) {
                        Ok(()) => return self.visit(next, slept, mark == UNMARKED),
                        Err(other) => mark = other,
                    }
                }
                seen => {
                    if let Some(last) = self.path.last_mut() {
                        last.meet(next.paid, seen, &mut self.found);
                        self.is_tree = false;
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Visits the state to which a transition leads. `is_first`: no thread has entered it before.
    fn visit(&mut self, state: Successor, slept: Asleep, is_first: bool) -> Result<(), Halt> {
        let Successor { paid, change, .. } = state;
        let (key, first, before) = (state.key(), self.ahead.len(), self.row.moment());
        self.row.make(change);
        let mut visit = Visit { key, paid, first, cost: CostSpan::UNKNOWN, slept, change, before };
        self.successors.clear();
        let Self { machine, row, moves, successors, found, .. } = self;
        let owed = machine.expand(row, slept, moves, successors, |effect| {
            found.note(effect.broken);
            found.resigned |= effect.resigned;
        });
        let owed = owed.map_err(|reason| if self.is_alone { Halt::Stop(reason.into()) } else { Halt::Alone })?;
        if owed == 0 {
            self.found.note_end(self.machine.ruling(self.row.cells()));
            visit.cost = CostSpan::NONE;
        }
        if is_first {
            self.found.transitions += self.successors.len() as u64 + slept.count();
        }
        let Self { states, row, successors, ahead, found, team, thread, is_tree, .. } = self;
        if team.sleep.is_on() {
            // In the order in which the first thread follows them.
            let mut asleep = slept;
            successors.iter_mut().rev().for_each(|next| next.asleep = team.sleep.follow(&mut asleep, next.by));
        }
        states.insert_all(row, successors);
        for next in successors {
            match team.view(next.mark, next.asleep, *thread).ok_or(Halt::Woken)? {
                View::Ahead(..) => ahead.push(*next),
                seen => {
                    visit.meet(next.paid, seen, found);
                    *is_tree = false;
                }
            }
        }
        if self.thread > 0 {
            self.rearrange(first);
        }
        self.path.push(visit);
        self.deepest = self.deepest.max(self.path.len());
        Ok(())
    }

    /// Each thread has its own order: thread 1 reverses it, and the others also rotate it.
    fn rearrange(&mut self, first: usize) {
        let next = &mut self.ahead[first..];
        next.reverse();
        if self.thread > 1 && !next.is_empty() {
            next.rotate_left((self.row.hash() >> (2 * self.thread)) as usize % next.len());
        }
    }

    /// All transitions of the last state on the path have been followed.
    fn leave(&mut self) -> Result<(), Halt> {
        let Visit { key, paid, cost, slept, change, before, .. } = self.path.pop().expect("there is a path");
        self.row.return_to(before, change);
        self.states.set_mark(key, self.team.sleep.mark(slept, Known::Closed(cost)).ok_or(Halt::Woken)?);
        match self.path.last_mut() {
            Some(before) => before.cost.include(paid, cost),
            None => self.found.costs = Some((cost.least.into(), cost.most.into())),
        }
        Ok(())
    }

    fn enter_page(&mut self) -> Result<(), Stop> {
        let path = size_of::<Visit>() * self.path.len() + size_of::<Successor>() * self.ahead.len();
        let shared = if self.thread == 0 { self.states.bytes() } else { 0 };
        let bytes = self.machine.bytes() + shared + self.row.bytes() + path as u64;
        let (states, depth) = (self.states.states() as u64, self.deepest as u64);
        self.page.enter(states, self.found.transitions, depth, self.ahead.len() as u64, bytes)
    }
}

impl Visit {
    /// A transition leads to a state that need not be entered.
    fn meet(&mut self, paid: u32, seen: View, found: &mut Findings) {
        match seen {
            View::Closed(cost) => self.cost.include(paid, cost),
            View::Cycle => found.cyclic = true,
            View::Ahead(..) => unreachable!("it is entered"),
        }
    }
}

#[cfg(test)]
mod tests {
    use bellwether_algorithms::graph::EchoElection;
    use bellwether_algorithms::ring::{ChangRoberts, ItaiRodeh};
    use bellwether_core::{Id, Process};
    use bellwether_net::Topology;
    use bellwether_world::host::Algorithm;
    use bellwether_world::{Freedom, Scenario, assumptions};

    use super::*;
    use crate::Plan;
    use crate::ledger::Ledger;

    /// If one thread stops at any point, another one finishes the search.
    fn is_finished_by_another<P: Process>(topology: &str, ids: &[u64]) {
        let network = topology.parse::<Topology>().expect("a topology").build(1).expect("a network");
        let network = assumptions::oriented(network, P::INFO);
        let scenario = Scenario::new(P::INFO, network, ids.iter().copied().map(Id).collect());
        let freedom = Freedom { starts_first: true, ..Freedom::default() };
        let plan = Plan { freedom, reduction: false, symmetry: false, fingerprints: false };
        let mut machine = Machine::new(Algorithm::process::<P>(), &scenario, plan).expect("a small network");
        let first = machine.first().expect("a first state");
        let ledger = Ledger::new(1 << 30);
        let mut run = |team: &Team, thread, at_most| {
            team.is_over.store(false, Ordering::Relaxed);
            let search = ThreadSearch::new(&mut machine, first.clone(), team, thread, Page::new(&ledger));
            search.run(at_most, |_, _| false)
        };
        let team = || Team::new(Sleep::never(), first.cells().len(), false);
        let (alone, halt) = run(&team(), 0, usize::MAX);
        assert_eq!(halt, None);
        for at_most in [1, 10, 100, alone.states as usize / 2, alone.states as usize - 1] {
            let team = team();
            let (begun, halt) = run(&team, 0, at_most);
            assert_eq!(halt, Some(Halt::Stop(Stop::States)));
            let (rest, halt) = run(&team, 1, usize::MAX);
            assert_eq!(halt, None);
            let sum = (begun.states + rest.states, begun.transitions + rest.transitions);
            assert_eq!(sum, (alone.states, alone.transitions));
            assert_eq!(begun.cyclic || rest.cyclic, alone.cyclic);
            assert!(alone.cyclic || rest.costs == alone.costs);
        }
    }

    #[test]
    fn what_one_thread_leaves_another_finishes() {
        is_finished_by_another::<ChangRoberts>("ring:6", &[6, 5, 4, 3, 2, 1]);
        is_finished_by_another::<EchoElection>("complete:3", &[1, 2, 3]);
        is_finished_by_another::<ItaiRodeh>("ring:3", &[1, 1, 1]);
    }
}
