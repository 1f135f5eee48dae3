//! Checks algorithms that never end.
//!
//! A breadth-first search visits every state within the bound on phases, one depth after the other. All threads share
//! the states of a depth. The search sees at once whether two lead, and whether the numbers of leaderships grow. Of
//! every state it asks whether a leader can still come: that is [`hope`].
//!
//! If two lead or a number is wrong, the search is given up at the end of that depth. What is broken, and at which
//! depth, does not depend on the threads. Then one thread [goes there again](retrace()), and finds the same shortest
//! schedules each time.

mod hope;
mod retrace;

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bellwether_net::Node;
use bellwether_world::host::Algorithm;
use bellwether_world::{Properties, Property, Scenario};

use self::hope::Hope;
use self::retrace::retrace;
use crate::Plan;
use crate::check::{Conclusion, Counterexample, Most};
use crate::ledger::{Ledger, Page, Stop};
use crate::machine::{Machine, Transition};
use crate::row::Row;
use crate::store::{Store, Successor};
use crate::story::tell;

/// Checks every configuration, one after the other, each on this many threads.
///
/// # Errors
/// If one of them cannot be checked at all.
pub fn check(
    configurations: impl Iterator<Item = Scenario>,
    algorithm: &'static Algorithm,
    plan: Plan,
    ledger: &Ledger,
    threads: usize,
) -> Result<Conclusion, String> {
    let mut conclusion = Conclusion { most: Most::Nothing, ..Conclusion::default() };
    let mut machine = None;
    for (index, scenario) in (0..).zip(configurations) {
        let machine = Machine::prepared(&mut machine, &scenario, algorithm, plan)?;
        match check_one(machine, index, ledger, threads, &mut conclusion) {
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

fn check_one(
    machine: &mut Machine,
    index: u64,
    ledger: &Ledger,
    threads: usize,
    conclusion: &mut Conclusion,
) -> Result<(), Stop> {
    let mut survey = Survey::default();
    let finished = survey.visit_all(machine, ledger, threads);
    let Survey { states, transitions, broken, wished, leads, leads_again, gave_up_hope } = survey;
    if finished.is_ok() {
        // What no configuration puts to the test is not judged.
        let tested =
            [(Property::OneLeader, leads), (Property::TokensGrow, leads_again), (Property::FreshToken, leads_again)];
        let is_moot = |property| index == 0 || conclusion.moot.contains(property);
        let cannot_tell = gave_up_hope || conclusion.moot.contains(Property::CanLead);
        let moot = Properties::default().with(Property::CanLead, cannot_tell);
        conclusion.moot = tested
            .into_iter()
            .fold(moot, |all, (property, is_tested)| all.with(property, !is_tested && is_moot(property)));
        conclusion.given_up += u64::from(!broken.is_empty());
        conclusion.configurations += u64::from(broken.is_empty());
        conclusion.states += states;
        conclusion.transitions += transitions;
        conclusion.wished |= wished;
    }
    let paths = finished.clone().and_then(|()| retrace(machine, ledger, &broken));
    let known = |property: &Property| conclusion.is_broken(*property);
    let unshown: Vec<Property> = broken.keys().copied().filter(|property| !known(property)).collect();
    let Ok(paths) = paths else {
        conclusion.unshown.extend(unshown);
        return paths.and(finished);
    };
    for (property, path) in paths {
        let rank = (path.len(), index);
        if !conclusion.broken.iter().any(|known| known.property == property && known.rank() <= rank) {
            let story = tell(machine, &path, None)?;
            conclusion.broken.retain(|known| known.property != property);
            conclusion.broken.push(Counterexample::new(property, story, rank));
        }
    }
    Ok(())
}

/// States of one depth: the cells of one after those of another.
#[derive(Default)]
struct Level {
    cells: Vec<u32>,
    states: usize,
}

impl Level {
    fn push(&mut self, cells: &[u32]) {
        self.cells.extend_from_slice(cells);
        self.states += 1;
    }

    fn bytes(&self) -> u64 {
        (size_of::<u32>() * self.cells.capacity()) as u64
    }
}

/// How many states a thread takes at a time.
const PART: usize = 1 << 6;

/// What was seen of a configuration.
#[derive(Default)]
struct Survey {
    states: u64,
    transitions: u64,
    /// What is broken, with the depth of the state in which, or after which, it is first seen.
    broken: BTreeMap<Property, u64>,
    /// Whether from some states a leader may come only after a wish.
    wished: bool,
    /// Whether anybody leads.
    leads: bool,
    /// Whether a leader follows another.
    leads_again: bool,
    /// Whether it was not found out of some state if a leader can still come. Then it is no longer asked.
    gave_up_hope: bool,
}

/// A depth with more states than this is shared among threads.
const MANY: usize = 1 << 12;

impl Survey {
    /// Visits every state within the bound, or all up to the depth at which something goes wrong.
    fn visit_all(&mut self, machine: &mut Machine, ledger: &Ledger, threads: usize) -> Result<(), Stop> {
        machine.exchange_alike()?;
        let mut row = machine.first()?;
        let store = Store::new(row.cells().len(), machine.plan().fingerprints);
        hope::enter(&mut store.access(), &mut row, hope::VISITED);
        let mut levels = vec![Level::default()];
        levels[0].push(row.cells());
        self.states = 1;
        let mut twins: Vec<Machine> = vec![];
        let mut pages: Vec<Counts> = (0..threads.max(1)).map(|_| Counts::new(ledger)).collect();
        for depth in 0.. {
            let count: usize = levels.iter().map(|level| level.states).sum();
            let has_gone_wrong = self.broken.keys().any(|property| *property != Property::CanLead);
            if count == 0 || has_gone_wrong {
                break;
            }
            if count > MANY && twins.is_empty() {
                twins.extend((1..threads).map(|_| machine.twin()));
            }
            let crew = if count > MANY { twins.len() } else { 0 };
            let parts = levels.iter().flat_map(|level| level.cells.chunks(PART * row.cells().len())).collect();
            let asks = !self.gave_up_hope && !self.broken.contains_key(&Property::CanLead);
            let bytes = levels.iter().map(Level::bytes).sum();
            let depth = &Depth { store: &store, parts, next: AtomicUsize::new(0), depth, bytes, asks };
            let machines = std::iter::once(&mut *machine).chain(twins.iter_mut().take(crew));
            let all = depth.search(machines.zip(&mut pages))?;
            all.iter().for_each(|found| self.absorb(found, depth.depth));
            levels = all.into_iter().map(|found| found.level).collect();
        }
        Ok(())
    }

    fn absorb(&mut self, found: &Found, depth: u64) {
        self.states += found.level.states as u64;
        self.transitions += found.transitions;
        self.wished |= found.wished;
        self.leads |= found.leads;
        self.leads_again |= found.leads_again;
        self.gave_up_hope |= found.gave_up_hope;
        for property in found.broken.iter() {
            self.broken.entry(property).or_insert(depth);
        }
    }
}

/// What a thread has entered into the ledger.
struct Counts<'a> {
    ledger: &'a Ledger,
    page: Page<'a>,
    states: u64,
    transitions: u64,
}

impl<'a> Counts<'a> {
    fn new(ledger: &'a Ledger) -> Self {
        Self { ledger, page: Page::new(ledger), states: 0, transitions: 0 }
    }
}

/// One depth, as all threads see it.
struct Depth<'a> {
    store: &'a Store,
    /// The states, in parts of a few.
    parts: Vec<&'a [u32]>,
    /// How many parts were handed out.
    next: AtomicUsize,
    depth: u64,
    /// The size of its states.
    bytes: u64,
    /// Whether to ask if a leader can still come.
    asks: bool,
}

/// What one thread has found at one depth.
#[derive(Default)]
struct Found {
    /// New states, of the next depth.
    level: Level,
    transitions: u64,
    broken: Properties,
    wished: bool,
    leads: bool,
    leads_again: bool,
    gave_up_hope: bool,
}

impl Found {
    /// Makes these moves in a row, the last one with one of its outcomes. Returns the state after them, unless it is
    /// beyond the bound. The row stays as it was.
    #[inline]
    fn follow(
        &mut self,
        machine: &mut Machine,
        row: &mut Row,
        steps: &[Transition],
        way: u32,
    ) -> Result<Option<Successor>, Stop> {
        let (here, moment) = (row.hash(), row.moment());
        let mut is_beyond = false;
        for &step in steps {
            let effect = machine.apply(row, step, way)?;
            self.broken = self.broken.and(effect.broken);
            self.leads |= effect.leads;
            self.leads_again |= effect.leads_again;
            is_beyond |= effect.is_beyond;
        }
        machine.answer_all(row, steps, moment)?;
        machine.settle(row);
        let change = row.since(moment);
        row.take_back(change, here);
        self.transitions += 1;
        Ok((!is_beyond).then(|| Successor::new(0, None, change)))
    }
}

impl Depth<'_> {
    /// Searches with all these machines, each on its own thread.
    fn search<'m, 'l: 'm>(
        &self,
        mut crew: impl Iterator<Item = (&'m mut Machine, &'m mut Counts<'l>)>,
    ) -> Result<Vec<Found>, Stop> {
        let (machine, counts) = crew.next().expect("there is one machine at least");
        #[expect(clippy::disallowed_methods, reason = "what comes out does not depend on which thread finds it")]
        thread::scope(|scope| {
            let others: Vec<_> = crew.map(|(machine, counts)| scope.spawn(|| self.work(machine, counts, 0))).collect();
            let mut all = vec![self.work(machine, counts, self.bytes)];
            all.extend(others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))));
            all.into_iter().collect()
        })
    }

    /// What one thread does: it takes part after part. One of them accounts for the bytes that all share.
    fn work(&self, machine: &mut Machine, counts: &mut Counts, shared: u64) -> Result<Found, Stop> {
        machine.catch_up();
        let mut row = machine.first()?;
        let width = row.cells().len();
        let mut access = self.store.access();
        let mut hope = Hope::new(counts.ledger);
        let (mut found, mut moves, mut successors) = (Found::default(), vec![], vec![]);
        while let Some(part) = self.parts.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            for cells in part.chunks(width) {
                row.load(cells.iter().copied());
                if self.asks && !found.gave_up_hope {
                    let here = row.moment();
                    match hope.is_there(machine, &mut row, &mut access) {
                        Err(Stop::States) => {
                            found.gave_up_hope = true;
                            row.back_to(here);
                        }
                        is_there => found.broken = found.broken.with(Property::CanLead, !is_there?),
                    }
                }
                moves.clear();
                successors.clear();
                machine.moves(row.cells(), &mut moves);
                let here = row.hash();
                for &step in &moves {
                    if machine.is_answered(row.cells(), step)? || machine.is_note(row.cells(), step) {
                        continue;
                    }
                    for way in 0..machine.ways(row.cells(), step)? {
                        successors.extend(found.follow(machine, &mut row, &[step], way)?);
                    }
                }
                for node in 0..machine.layout().nodes as Node {
                    for steps in &*machine.gatherings(row.cells(), node)? {
                        successors.extend(found.follow(machine, &mut row, steps, 0)?);
                    }
                }
                access.insert_all(&mut row, &mut successors);
                for next in &successors {
                    if hope::claim(&access, next.key(), next.mark, hope::VISITED) {
                        row.make(next.change);
                        found.level.push(row.cells());
                        row.take_back(next.change, here);
                    }
                }
            }
            let left = PART * self.parts.len().saturating_sub(self.next.load(Ordering::Relaxed));
            let own = machine.bytes() + found.level.bytes();
            let bytes = own + if shared > 0 { shared + access.bytes() } else { 0 };
            let (states, transitions) = (found.level.states as u64, found.transitions);
            counts.page.enter(
                counts.states + states,
                counts.transitions + transitions,
                self.depth,
                left as u64 + states,
                bytes,
            )?;
        }
        found.wished = hope.is_wished;
        counts.states += found.level.states as u64;
        counts.transitions += found.transitions;
        Ok(found)
    }
}
