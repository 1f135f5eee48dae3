//! A search depth first, by threads that share what they have closed.
//!
//! Each thread follows all schedules from the first state on, in an order of its own, until it has closed that one. A
//! state is *open* while it is on somebody's path, and *closed* when somebody has followed all its schedules: then it is
//! known what they cost, and nobody enters it again. A state that is open on the paths of other threads only is entered all
//! the same, and its schedules are then shared. So only states that are on two paths at the same time are looked at twice,
//! and these are few. None is ever waited for.
//!
//! - *Nothing is left out.* Who closes a state has seen each of its successors closed, or has it on its path and closes it
//!   later. In the end all paths are empty, so with the first state everything is closed that can be reached.
//! - *A cycle is found.* Take the state on it that is closed first. Its successor on the cycle was not closed then, so it
//!   was on the path of who closed the state: and that is how a cycle is noticed.
//! - *Costs are right.* Without cycles they follow from those of the successors, all of which are closed.
//! - *Everything is counted once*: states by who finds them, transitions by who enters a state first.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::explore::Findings;
use crate::ledger::{GLANCE, Page, Stop};
use crate::machine::{Machine, Move};
use crate::mark::{Cost, Crew, Known};
use crate::row::{Change, Moment, Row};
use crate::sleep::{Asleep, Sleep};
use crate::store::{Desk, Key, Mark, Store, Successor, UNMARKED};

/// Once something is broken, no more states than this are looked at: without an assumption there may be no end of them.
pub const ENOUGH: usize = 1 << 18;

/// What threads that search together have in common.
pub struct Team {
    sleep: Sleep,
    store: Store,
    is_over: AtomicBool,
}

impl Team {
    /// A search is about to begin, in rows of so many cells.
    pub fn new(sleep: Sleep, width: usize, fingerprints: bool) -> Self {
        Self { sleep, store: Store::new(width, fingerprints), is_over: AtomicBool::new(false) }
    }

    /// What a mark says to a thread that meets a state while these moves sleep; nothing if they must be woken up.
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
    /// Something that sleeps must be followed after all.
    Woken,
    /// What was found ends the search before everything is seen, so it must be what a thread finds that is alone.
    Alone,
}

/// How a state looks to whoever meets it.
enum View {
    /// It is to be entered, while these moves sleep; it is on the paths of these threads.
    Ahead(Asleep, Crew),
    /// It is on the own path.
    Cycle,
    /// All its schedules were followed.
    Closed(Cost),
}

/// A state on the way that is being followed.
struct Visit {
    key: Key,
    /// What the step to it has cost.
    paid: u32,
    /// Where its transitions begin, of all that are to be followed.
    first: usize,
    cost: Cost,
    /// The moves that are never made here.
    slept: Asleep,
    /// What the step has changed in the row, and when.
    change: Change,
    before: Moment,
}

/// What one thread does.
pub struct Search<'a> {
    machine: &'a mut Machine,
    team: &'a Team,
    /// Its number: the first is 0, and the only one that is ever alone.
    thread: usize,
    is_alone: bool,
    /// Whether it has met no state twice.
    is_tree: bool,
    page: Page<'a>,
    states: Desk<'a>,
    found: Findings,
    /// The last state on the path.
    row: Row,
    path: Vec<Visit>,
    /// How long it was at most.
    deepest: usize,
    /// The transitions that are to be followed, those of the last state on the path at the end.
    ahead: Vec<Successor>,
    moves: Vec<Move>,
    successors: Vec<Successor>,
}

impl<'a> Search<'a> {
    /// A thread is about to begin.
    pub fn new(machine: &'a mut Machine, first: Row, team: &'a Team, thread: usize, page: Page<'a>) -> Self {
        Self {
            machine,
            team,
            thread,
            is_alone: thread == 0,
            is_tree: true,
            page,
            states: team.store.desk(),
            found: Findings::default(),
            row: first,
            path: vec![],
            deepest: 0,
            ahead: vec![],
            moves: vec![],
            successors: vec![],
        }
    }

    /// Follows every schedule, if there are no more states than this, and tells what was found, and why not all. Where help
    /// would be welcome it is called for.
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
                // Where states are met twice, another order would wake up what sleeps; and a thread whose moves sleep is
                // as fast as two whose moves do not.
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

    /// Enters the state to which a transition of the last one on the path leads, unless that is not needed.
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

    /// Looks at the state to which a transition leads, as the first thread that does so or not.
    fn visit(&mut self, state: Successor, slept: Asleep, is_first: bool) -> Result<(), Halt> {
        let Successor { paid, change, .. } = state;
        let (key, first, before) = (state.key(), self.ahead.len(), self.row.moment());
        self.row.make(change);
        let mut visit = Visit { key, paid, first, cost: Cost::UNKNOWN, slept, change, before };
        self.successors.clear();
        let Self { machine, row, moves, successors, found, .. } = self;
        let owed = machine.expand(row, slept, moves, successors, |effect| {
            found.note(effect.broken);
            found.resigned |= effect.resigned;
        });
        let owed = owed.map_err(|reason| if self.is_alone { Halt::Stop(reason.into()) } else { Halt::Alone })?;
        if owed == 0 {
            self.found.note(self.machine.lacks(self.row.cells()));
            visit.cost = Cost::NONE;
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

    /// Each thread has an order of its own: the second one goes the other way round, and more begin anywhere.
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
    use bellwether_world::host::Algorithm;
    use bellwether_world::{Freedom, Scenario, Topology, assumptions};

    use super::*;
    use crate::Plan;
    use crate::ledger::Ledger;

    /// Whenever one thread goes away, another one does the rest.
    fn is_finished_by_another<P: Process>(topology: &str, ids: &[u64]) {
        let network = topology.parse::<Topology>().expect("a topology").build(1).expect("a network");
        let network = assumptions::oriented(network, P::INFO);
        let scenario = Scenario::new(P::INFO, network, ids.iter().copied().map(Id).collect());
        let freedom = Freedom::default();
        let plan = Plan { freedom, starts_first: true, reduction: false, symmetry: false, fingerprints: false };
        let mut machine = Machine::new(Algorithm::process::<P>(), &scenario, plan).expect("a small network");
        let first = machine.first().expect("a first state");
        let ledger = Ledger::new(1 << 30);
        let mut run = |team: &Team, thread, at_most| {
            team.is_over.store(false, Ordering::Relaxed);
            let search = Search::new(&mut machine, first.clone(), team, thread, Page::new(&ledger));
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
