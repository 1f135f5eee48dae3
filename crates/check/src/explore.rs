//! Every schedule of one configuration, searched by one thread or by all idle threads.
//!
//! A search begins alone. Once it is large, idle threads join it and [search](crate::search) together with it. The
//! result is the same whichever thread finds what: states, transitions, costs, and all that is broken. Only if a search
//! ends early would the result depend on the threads. Then it starts again, with one thread.

use std::panic::resume_unwind;
use std::thread;

use bellwether_resources::pool::IdleThreads;
use bellwether_world::Properties;
use bellwether_world::rules::Ruling;

use crate::ledger::{Ledger, Page, Stop};
use crate::machine::Machine;
use crate::mark::Crew;
use crate::search::{Halt, Team, ThreadSearch};
use crate::sleep::Sleep;

/// What all schedules of one configuration have shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// How many different states there are.
    pub states: u64,
    /// How many transitions between them.
    pub transitions: u64,
    /// The election messages of the cheapest schedule and of the dearest; `None` if there is a cycle.
    pub costs: Option<(u64, u64)>,
    /// What does not hold.
    pub broken: Properties,
    /// What could not be judged at some end of a schedule.
    pub moot: Properties,
    /// Whether all participants crashed on some schedule.
    pub excused: bool,
    /// Whether a schedule can return to an earlier state.
    pub cyclic: bool,
    /// Whether a process that led may do so no longer.
    pub resigned: bool,
    /// Whether the search was given up, because a property is broken and there are very many states.
    pub given_up: bool,
    /// Why the search was stopped, if something was already found to be broken.
    pub stopped: Option<Stop>,
}

impl Findings {
    /// Whether every schedule was followed.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.given_up && self.stopped.is_none()
    }

    /// Something does not hold.
    pub(crate) fn note(&mut self, broken: Properties) {
        self.broken = self.broken.and(broken);
    }

    /// A schedule ends like this.
    pub(crate) fn note_end(&mut self, ruling: Ruling) {
        self.note(ruling.broken);
        self.excused |= ruling.excused;
        if !ruling.excused {
            self.moot = self.moot.and(ruling.moot);
        }
    }

    /// What another thread has found.
    fn absorb(&mut self, other: Self) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.costs = self.costs.or(other.costs);
        self.note(other.broken);
        self.moot = self.moot.and(other.moot);
        self.excused |= other.excused;
        self.cyclic |= other.cyclic;
        self.resigned |= other.resigned;
        self.given_up |= other.given_up;
    }
}

/// Follows every schedule, with the help of idle threads, if there are at most this many states.
///
/// # Errors
/// If it was stopped, if there are more states, or if a step cannot be followed.
pub fn explore(machine: &mut Machine, ledger: &Ledger, idle: &IdleThreads, at_most: usize) -> Result<Findings, Stop> {
    let nobody = IdleThreads::none();
    let mut idle = if machine.may_have_twins() { idle } else { &nobody };
    let mut sleeps = machine.may_sleep();
    loop {
        let late_starts = !machine.plan().freedom.starts_first;
        let sleep = if sleeps { Sleep::of(machine.layout(), late_starts) } else { Sleep::never() };
        match together(machine, sleep, ledger, idle, at_most) {
            Ok(found) => return Ok(found),
            Err(Halt::Stop(stop)) => return Err(stop),
            Err(Halt::Woken) => sleeps = false,
            Err(Halt::Alone | Halt::Over) => (idle, sleeps) = (&nobody, machine.may_sleep()),
        }
    }
}

/// One attempt, with all the help available.
fn together(
    machine: &mut Machine,
    sleep: Sleep,
    ledger: &Ledger,
    idle: &IdleThreads,
    at_most: usize,
) -> Result<Findings, Halt> {
    let first = machine.first().map_err(|reason| Halt::Stop(reason.into()))?;
    let team = &Team::new(sleep, first.cells().len(), machine.plan().fingerprints);
    let (mut found, mut halts) = (Findings::default(), vec![]);
    #[expect(clippy::disallowed_methods, reason = "what comes out does not depend on which thread finds it")]
    thread::scope(|scope| {
        let mut others = vec![];
        let search = ThreadSearch::new(machine, first.clone(), team, 0, Page::new(ledger));
        let (mine, halt) = search.run(at_most, |machine, states| {
            while others.len() + 1 < Crew::MOST && idle.take(states) {
                let (mut machine, first, thread) = (machine.twin(), first.clone(), others.len() + 1);
                others.push(scope.spawn(move || {
                    let search = ThreadSearch::new(&mut machine, first, team, thread, Page::new(ledger));
                    search.run(usize::MAX, |_, _| false)
                }));
            }
            !others.is_empty()
        });
        found.absorb(mine);
        halts.extend(halt);
        for other in others {
            let (theirs, halt) = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            idle.give_back();
            found.absorb(theirs);
            halts.extend(halt);
        }
    });
    if found.cyclic {
        found.costs = None;
    }
    if found.states > at_most as u64 {
        halts.push(Halt::Stop(Stop::States));
    }
    let stop = halts.iter().find_map(|halt| if let Halt::Stop(stop) = halt { Some(stop.clone()) } else { None });
    let again = halts.into_iter().find(|halt| matches!(halt, Halt::Woken | Halt::Alone));
    match (stop, again) {
        (Some(stop @ (Stop::Told | Stop::Memory)), _) if !found.broken.is_empty() => found.stopped = Some(stop),
        (Some(stop), _) => return Err(Halt::Stop(stop)),
        (None, Some(again)) => {
            ledger.forget(found.states, found.transitions);
            return Err(again);
        }
        (None, None) => {}
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use bellwether_algorithms::complete::Bully;
    use bellwether_algorithms::graph::{Adoption, EchoElection};
    use bellwether_algorithms::ring::{
        ChangRoberts, DolevKlaweRodeh, Franklin, HirschbergSinclair, ItaiRodeh, Peterson,
    };
    use bellwether_algorithms::tree::TreeWaves;
    use bellwether_core::{Id, Process};
    use bellwether_net::Topology;
    use bellwether_world::host::Algorithm;
    use bellwether_world::{Freedom, Scenario, assumptions};

    use super::*;
    use crate::Plan;

    fn machine<P: Process>(topology: &str, ids: &[u64], plan: Plan) -> Machine {
        let network = topology.parse::<Topology>().expect("a topology").build(1).expect("a network");
        let network = assumptions::oriented(network, P::INFO);
        let scenario = Scenario::new(P::INFO, network, ids.iter().copied().map(Id).collect());
        Machine::new(Algorithm::process::<P>(), &scenario, plan).expect("a small network")
    }

    fn plain(starts_first: bool) -> Plan {
        let freedom = Freedom { starts_first, ..Freedom::default() };
        Plan { freedom, reduction: false, symmetry: false, fingerprints: false }
    }

    /// Sleep does not change what is found. Returns whether a sleeping move had to be woken up.
    fn is_woken<P: Process>(topology: &str, ids: &[u64], starts_first: bool) -> bool {
        let mut machine = machine::<P>(topology, ids, plain(starts_first));
        assert!(machine.may_sleep());
        let sleep = Sleep::of(machine.layout(), !starts_first);
        let ledger = Ledger::new(1 << 30);
        let mut run = |sleep| together(&mut machine, sleep, &ledger, &IdleThreads::none(), usize::MAX);
        let without = run(Sleep::never()).expect("nothing sleeps");
        match run(sleep) {
            Ok(with) => assert_eq!(with, without, "{} on {topology}, ids {ids:?}", P::INFO.name),
            Err(halt) => {
                assert_eq!(halt, Halt::Woken);
                return true;
            }
        }
        false
    }

    #[test]
    fn sleep_hides_nothing() {
        for ids in [&[5, 4, 3, 2, 1][..], &[1, 2, 3, 4, 5], &[2, 5, 1, 4, 3], &[3, 3, 1, 2, 3], &[2, 2, 2, 2]] {
            let ring = format!("ring:{}", ids.len());
            for starts_first in [true, false] {
                assert!(!is_woken::<ChangRoberts>(&ring, ids, starts_first) || !starts_first);
                assert!(!is_woken::<DolevKlaweRodeh>(&ring, ids, starts_first));
                assert!(!is_woken::<Peterson>(&ring, ids, starts_first));
                assert!(is_woken::<HirschbergSinclair>("ring:3", &ids[1..4], starts_first));
                is_woken::<Franklin>("ring:3", &ids[..3], starts_first);
                is_woken::<TreeWaves>("star:4", &ids[..4], starts_first);
                is_woken::<EchoElection>("complete:3", &ids[..3], starts_first);
                is_woken::<Adoption>("complete:3", &ids[..3], starts_first);
            }
        }
    }

    /// The number of helpers and their speed do not change what is found. Repeats the search this many times and
    /// returns the findings.
    fn found<P: Process>(topology: &str, ids: &[u64], plan: Plan, times: usize) -> Findings {
        let ledger = Ledger::new(1 << 30);
        let explore = |idle: &IdleThreads| explore(&mut machine::<P>(topology, ids, plan), &ledger, idle, usize::MAX);
        let alone = explore(&IdleThreads::none()).expect("it ends");
        for time in 0..times {
            let idle = IdleThreads::new(2 + time % 3).for_more_than(1000 * time);
            let helped = explore(&idle).expect("it ends");
            assert_eq!(helped, alone, "{} on {topology}, ids {ids:?}, {plan:?}", P::INFO.name);
        }
        alone
    }

    #[test]
    fn help_changes_nothing() {
        const TIMES: usize = 12;
        let down: Vec<u64> = (1..=9).rev().collect();
        for (starts_first, fingerprints) in [(true, false), (false, true), (true, true), (false, false)] {
            let plan = Plan { fingerprints, ..plain(starts_first) };
            let with = |freedom: Freedom| Plan { freedom: Freedom { starts_first, ..freedom }, ..plan };
            let reorder = with(Freedom { reorder: true, ..Freedom::default() });
            let losses = with(Freedom { losses: 1, ..Freedom::default() });
            let copies = with(Freedom { copies: 1, ..Freedom::default() });
            let crashes = with(Freedom { crashes: 1, hasty_timers: true, ..Freedom::default() });
            let nodes = if starts_first { 9 } else { 7 };
            found::<ChangRoberts>(&format!("ring:{nodes}"), &down[..nodes], plan, TIMES);
            found::<Peterson>("ring:6", &[3, 1, 2, 6, 4, 5], plan, TIMES);
            found::<Franklin>("ring:5", &down[..5], reorder, TIMES);
            found::<HirschbergSinclair>("ring:4", &down[..4], copies, TIMES);
            found::<EchoElection>("complete:3", &down[..3], reorder, TIMES);
            found::<Adoption>("ring:6", &down[..6], Plan { reduction: true, ..plan }, TIMES);
            found::<TreeWaves>("star:5", &down[..5], plan, TIMES);
            // Broken early, or so late that it starts again alone.
            assert_ne!(found::<ChangRoberts>("ring:5", &down[..5], losses, TIMES).broken, Properties::default());
            assert_ne!(found::<EchoElection>("ring:4", &[1, 2, 3, 4], losses, TIMES).broken, Properties::default());
            assert_ne!(found::<HirschbergSinclair>("ring:4", &down[..4], losses, TIMES).broken, Properties::default());
            assert_ne!(found::<ChangRoberts>("ring:7", &[4; 7], plan, TIMES).broken, Properties::default());
            // Without end, with chance, with timers.
            for symmetry in [false, true] {
                assert!(found::<ItaiRodeh>("ring:4", &[1; 4], Plan { symmetry, ..plan }, TIMES).cyclic);
            }
            assert_ne!(found::<Bully>("complete:2", &down[..2], crashes, TIMES).broken, Properties::default());
        }
    }

    #[test]
    fn what_is_given_up_was_searched_alone() {
        let plan = plain(true);
        let losses = Plan { freedom: Freedom { losses: 1, ..plan.freedom }, ..plan };
        assert!(found::<EchoElection>("ring:6", &[1, 2, 3, 4, 5, 6], losses, 3).given_up);
    }

    /// A search of some hundred thousand states with a thread to help.
    fn helped(ledger: &Ledger, at_most: usize) -> Result<Findings, Stop> {
        let idle = IdleThreads::new(2).for_more_than(1000);
        let mut machine = machine::<ChangRoberts>("ring:12", &[12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], plain(true));
        let found = explore(&mut machine, ledger, &idle, at_most);
        // No thread is still running, and no memory is taken.
        assert_eq!((idle.take(usize::MAX), idle.take(usize::MAX), ledger.glance().bytes), (true, false, 0));
        found
    }

    #[test]
    fn all_threads_stop_when_one_must() {
        assert_eq!(helped(&Ledger::new(20 << 20), usize::MAX), Err(Stop::Memory));
        assert_eq!(helped(&Ledger::new(1 << 30), 300_000), Err(Stop::States));
        let told = Ledger::new(1 << 30);
        #[expect(clippy::disallowed_methods, reason = "somebody must tell it to stop")]
        thread::scope(|scope| {
            scope.spawn(|| {
                while told.glance().states < 100_000 {
                    thread::yield_now();
                }
                told.stop();
            });
            assert_eq!(helped(&told, usize::MAX), Err(Stop::Told));
        });
    }
}
