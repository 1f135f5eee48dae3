//! Every planted bug is found, and every layer of checks finds one that no layer before it does.

#[path = "../../sim/tests/suite/support/mod.rs"]
mod support;

use std::fmt;

use bellwether_algorithms::ring::{ChangRoberts, Peterson};
use bellwether_core::Process;
use bellwether_mutants::{Visitor, chang_roberts, peterson};
use bellwether_sim::{Watcher, Wishes, record_process};
use bellwether_world::{Outcome, Report, Scenario, Timing};

use self::Layer::{EveryOrder, EverySchedule, EverySet, ExactCost, OneRun, Repetition};
use support::theory::{Election, all_start, some_start};
use support::{command, failure, kinds, timings};

#[test]
fn the_algorithms_themselves_pass() {
    assert_eq!(trial::<ChangRoberts>(Election::chang_roberts), Ok(()));
    assert_eq!(trial::<Peterson>(Election::peterson), Ok(()));
}

#[test]
fn every_bug_in_chang_roberts_is_found() {
    let mut hunt = Hunt { cost: Election::chang_roberts, found: vec![] };
    chang_roberts(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("the smallest id passes", Some(OneRun)),
            ("its own id passes too", Some(OneRun)),
            ("a participant passes smaller ids on", Some(OneRun)),
            ("a sleeping node swallows smaller ids", Some(EverySet)),
            ("a sleeping node stands, and passes the smaller id on as well", Some(EverySet)),
            ("a sleeping node that a larger id wakes up stands all the same", Some(ExactCost)),
            ("candidatures go the wrong way", Some(OneRun)),
            ("the leader does not announce", Some(OneRun)),
            ("the leader passes its own announcement on", Some(OneRun)),
            ("a follower does not pass the announcement on", Some(OneRun)),
            ("a follower takes itself for the leader", Some(OneRun)),
            ("a follower goes on taking part", Some(OneRun)),
            ("an incumbent does not step down", Some(EverySchedule)),
            ("an incumbent that starts the next election does not step down", Some(Repetition)),
            ("nobody starts a second election", Some(Repetition)),
        ]
    );
}

#[test]
fn every_bug_in_peterson_is_found() {
    let mut hunt = Hunt { cost: Election::peterson, found: vec![] };
    peterson(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("> for >=", Some(OneRun)),
            ("min for max", Some(OneRun)),
            ("the second message is the first one's value, not the larger", Some(OneRun)),
            ("the second value is not looked at", Some(EveryOrder)),
            ("a survivor keeps its own value", Some(OneRun)),
            ("a relay does not know its own id", Some(OneRun)),
            ("the leader passes on what still comes", Some(OneRun)),
            ("a sleeping node that hears of the election joins in", Some(EverySet)),
            ("the leader passes its own announcement on", Some(OneRun)),
        ]
    );
}

/// The checks, from the cheapest to the most thorough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    /// One ring, everybody starts.
    OneRun,
    /// Every order of up to five ids.
    EveryOrder,
    /// And every set of initiators.
    EverySet,
    /// And random delays, without order where the algorithm needs none.
    EverySchedule,
    /// And elections one after the other, where they can be repeated.
    Repetition,
    /// And not a message more or less than there must be.
    ExactCost,
}

/// Where a bug was found, and how it showed.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    layer: Layer,
    how: String,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.layer, self.how)
    }
}

/// Tries an algorithm that elects at this cost, layer by layer.
fn trial<P: Process>(cost: fn(&Election) -> u64) -> Result<(), Found> {
    let name = P::INFO.name;
    let right = |layer: Layer, scenario: Scenario| {
        let report = play::<P>(&scenario);
        // What is only too expensive is for the last layer to find.
        let dear = |violation: &String| violation.starts_with("a bound exceeded");
        let elected = report.outcome == Outcome::Elected && report.violations.iter().all(dear);
        if elected { Ok(report) } else { Err(Found { layer, how: failure(&scenario, &report) }) }
    };
    right(OneRun, support::ring(name, &[3, 1, 4, 0, 2]))?;
    for it in all_start(5) {
        right(EveryOrder, it.run(name))?;
    }
    for it in some_start(5) {
        right(EverySet, it.run(name))?;
    }
    for it in some_start(5) {
        for timing in timings(P::INFO).filter(|&timing| timing != Timing::Unit) {
            for seed in 1..=3 {
                right(EverySchedule, Scenario { timing, seed, ..it.run(name) })?;
            }
        }
    }
    let elections = if P::INFO.repeatable { 3 } else { 1 };
    let repeated = |it: &Election| Scenario { elections, ..it.run(name) };
    for it in some_start(5) {
        right(Repetition, repeated(&it))?;
    }
    for it in some_start(5) {
        let sent = kinds(&right(ExactCost, repeated(&it))?);
        let expected = [("elect", cost(&it) * u64::from(elections)), ("announce", it.n() * u64::from(elections))];
        if sent != expected {
            let how = format!("{sent:?}, not {expected:?}\n  {}", command(&repeated(&it)));
            return Err(Found { layer: ExactCost, how });
        }
    }
    Ok(())
}

fn play<P: Process>(scenario: &Scenario) -> Report {
    // Enough for what is right; what never ends is stopped.
    let scenario = Scenario { limit: 1_000, ..scenario.clone() };
    let wishes = Wishes { record: None, watch: &mut Watcher, count_sends: false, full: false };
    // One engine for each mutant is enough to compile.
    record_process::<P>(&scenario, wishes).expect("the run can be made")
}

/// Tries all mutants of an algorithm.
struct Hunt {
    cost: fn(&Election) -> u64,
    found: Vec<(&'static str, Option<Layer>)>,
}

impl Visitor for Hunt {
    fn visit<P: Process>(&mut self, bug: &'static str) {
        let found = trial::<P>(self.cost).err();
        match &found {
            Some(found) => println!("{bug}\n  {found}"),
            None => println!("{bug}\n  NOT FOUND"),
        }
        self.found.push((bug, found.map(|found| found.layer)));
    }
}
