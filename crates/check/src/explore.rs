//! Every schedule of one configuration, by one thread, or by all that have nothing else to do.
//!
//! A search begins alone. Once it is large, threads without work are called in, which [search](crate::search) together with
//! it. What comes out is the same, whoever finds what: states, transitions, costs and all that is broken. Only where a search
//! ends before it has seen everything would that depend on who was where: there it starts again, alone.

use std::panic::resume_unwind;
use std::thread;

use crate::Properties;
use crate::ledger::{Ledger, Page, Stop};
use crate::machine::Machine;
use crate::mark::Crew;
use crate::pool::Hands;
use crate::search::{Halt, Search, Team};
use crate::sleep::Sleep;

/// What all schedules of one configuration have shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// How many different states there are.
    pub states: u64,
    /// How many transitions between them.
    pub transitions: u64,
    /// The election messages of the cheapest schedule and of the dearest; nothing where there is a cycle.
    pub costs: Option<(u64, u64)>,
    /// What does not hold.
    pub broken: Properties,
    /// Whether a schedule can come back to a state in which it was before.
    pub cyclic: bool,
    /// Whether a process that led may do so no longer.
    pub resigned: bool,
    /// Whether it was given up because something is broken and there are very many states.
    pub given_up: bool,
    /// Why it was stopped, if that was after something was found to be broken.
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

    /// What another thread has found.
    fn absorb(&mut self, other: Self) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.costs = self.costs.or(other.costs);
        self.note(other.broken);
        self.cyclic |= other.cyclic;
        self.resigned |= other.resigned;
        self.given_up |= other.given_up;
    }
}

/// Follows every schedule, if there are no more states than this, with the help of idle threads.
///
/// # Errors
/// If it was stopped, there are more, or a step cannot be followed.
pub fn explore(machine: &mut Machine, ledger: &Ledger, hands: &Hands, at_most: usize) -> Result<Findings, Stop> {
    let nobody = Hands::none();
    let mut hands = if machine.may_have_twins() { hands } else { &nobody };
    let mut sleeps = machine.may_sleep();
    loop {
        let late_starts = !machine.plan().starts_first;
        let sleep = if sleeps { Sleep::of(machine.layout(), late_starts) } else { Sleep::never() };
        match together(machine, sleep, ledger, hands, at_most) {
            Ok(found) => return Ok(found),
            Err(Halt::Stop(stop)) => return Err(stop),
            Err(Halt::Woken) => sleeps = false,
            Err(Halt::Alone | Halt::Over) => (hands, sleeps) = (&nobody, machine.may_sleep()),
        }
    }
}

/// One attempt, with as much help as there is.
fn together(
    machine: &mut Machine,
    sleep: Sleep,
    ledger: &Ledger,
    hands: &Hands,
    at_most: usize,
) -> Result<Findings, Halt> {
    let first = machine.first().map_err(|reason| Halt::Stop(reason.into()))?;
    let team = &Team::new(sleep, first.cells().len(), machine.plan().fingerprints);
    let (mut found, mut halts) = (Findings::default(), vec![]);
    #[expect(clippy::disallowed_methods, reason = "what comes out does not depend on which thread finds it")]
    thread::scope(|scope| {
        let mut others = vec![];
        let search = Search::new(machine, first.clone(), team, 0, Page::new(ledger));
        let (mine, halt) = search.run(at_most, |machine, states| {
            while others.len() + 1 < Crew::MOST && hands.take(states) {
                let (mut machine, first, thread) = (machine.twin(), first.clone(), others.len() + 1);
                others.push(scope.spawn(move || {
                    let search = Search::new(&mut machine, first, team, thread, Page::new(ledger));
                    search.run(usize::MAX, |_, _| false)
                }));
            }
            !others.is_empty()
        });
        found.absorb(mine);
        halts.extend(halt);
        for other in others {
            let (theirs, halt) = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            hands.give_back();
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
    use bellwether_world::host::Algorithm;
    use bellwether_world::{Freedom, Scenario, Topology, assumptions};

    use super::*;
    use crate::Plan;

    fn machine<P: Process>(topology: &str, ids: &[u64], plan: Plan) -> Machine {
        let network = topology.parse::<Topology>().expect("a topology").build(1).expect("a network");
        let network = assumptions::oriented(network, P::INFO);
        let scenario = Scenario::new(P::INFO, network, ids.iter().copied().map(Id).collect());
        Machine::new(Algorithm::process::<P>(), &scenario, plan).expect("a small network")
    }

    fn plain(starts_first: bool) -> Plan {
        let freedom = Freedom::default();
        Plan { freedom, starts_first, reduction: false, symmetry: false, fingerprints: false }
    }

    /// With and without sleep the same is found, in all; tells whether something that slept had to be woken up.
    fn is_woken<P: Process>(topology: &str, ids: &[u64], starts_first: bool) -> bool {
        let mut machine = machine::<P>(topology, ids, plain(starts_first));
        assert!(machine.may_sleep());
        let sleep = Sleep::of(machine.layout(), !starts_first);
        let ledger = Ledger::new(1 << 30);
        let mut run = |sleep| together(&mut machine, sleep, &ledger, &Hands::none(), usize::MAX);
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

    /// However many help and whoever comes first, the same is found so many times; tells what.
    fn found<P: Process>(topology: &str, ids: &[u64], plan: Plan, times: usize) -> Findings {
        let ledger = Ledger::new(1 << 30);
        let explore = |hands: &Hands| explore(&mut machine::<P>(topology, ids, plan), &ledger, hands, usize::MAX);
        let alone = explore(&Hands::none()).expect("it ends");
        for time in 0..times {
            let mut hands = Hands::new(2 + time % 3);
            hands.worth = 1000 * time;
            let helped = explore(&hands).expect("it ends");
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
            let with = |freedom: Freedom| Plan { freedom, ..plan };
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
        let losses = Plan { freedom: Freedom { losses: 1, ..Freedom::default() }, ..plain(true) };
        assert!(found::<EchoElection>("ring:6", &[1, 2, 3, 4, 5, 6], losses, 3).given_up);
    }

    /// A search of some hundred thousand states with a thread to help.
    fn helped(ledger: &Ledger, at_most: usize) -> Result<Findings, Stop> {
        let mut hands = Hands::new(2);
        hands.worth = 1000;
        let mut machine = machine::<ChangRoberts>("ring:12", &[12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], plain(true));
        let found = explore(&mut machine, ledger, &hands, at_most);
        // Nobody is left behind, and no memory is taken.
        assert_eq!((hands.take(usize::MAX), hands.take(usize::MAX), ledger.glance().bytes), (true, false, 0));
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
