//! Random faults find planted bugs of the lease, and what they find is made small.

use bellwether_algorithms::lease::Lease;
use bellwether_core::{Id, Process, Rounds};
use bellwether_mutants::Visitor;
use bellwether_net::{Network, Topology};
use bellwether_sim::shrink::{Shrunk, shrink};
use bellwether_world::host::{Algorithm, Watcher, Wishes};
use bellwether_world::{Chaos, Fault, Report, Scenario, Time, Timing};

/// The bugs that show without a change of the configuration and without a wish to resign.
const FOUND: [&str; 5] = [
    "the promise is not on disk",
    "no wait after a restart",
    "a leader whose time is up goes on in the same epoch",
    "time is counted from the answer",
    "a majority of those who answer",
];

fn network() -> Network {
    "complete:3".parse::<Topology>().expect("a topology").build(1).expect("a network")
}

fn scenario(seed: u64) -> Scenario {
    let until = Some(Time::units(100));
    let ids = [1, 2, 3].map(Id).to_vec();
    let mut scenario = Scenario { seed, until, timing: Timing::Uniform, ..Scenario::new(Lease::INFO, network(), ids) };
    Chaos::Harsh.strike(&mut scenario, Lease::INFO, false).expect("events have time");
    scenario
}

fn play(algorithm: &Algorithm, scenario: &Scenario) -> Report {
    bellwether_sim::play(algorithm, scenario, Wishes::none(&mut Watcher)).expect("it can be played")
}

/// Shrinks the first run that goes wrong, and makes sure that nothing of it could be left out.
fn expect_small(bug: &str, algorithm: &Algorithm, scenarios: impl Iterator<Item = Scenario>) -> Scenario {
    let mut scenarios = scenarios.filter(|scenario| !play(algorithm, scenario).broken.is_empty());
    let large = scenarios.next().unwrap_or_else(|| panic!("{bug}: no run goes wrong"));
    let Shrunk { scenario: small, breaks, faults_before, .. } =
        shrink(algorithm, &large, &mut Watcher).expect("it can be played").expect("it goes wrong");
    let broken = |scenario: &Scenario| play(algorithm, scenario).broken.contains(breaks);
    assert!(broken(&large) && broken(&small), "{bug}");
    for left_out in 0..small.faults.len() {
        let mut faults = small.faults.clone();
        faults.remove(left_out);
        let fewer = Scenario { faults, ..small.clone() };
        assert!(fewer.check_faults().is_err() || !broken(&fewer), "{bug}: {} can go", small.faults[left_out]);
    }
    assert!(small.faults.len() <= faults_before, "{bug}: {faults_before} faults became {}", small.faults.len());
    let until = small.until.expect("it has an end").as_f64() as u128;
    if let Some(earlier) = until.checked_sub(1) {
        let shorter = Scenario { until: Some(Time::units(earlier)), ..small.clone() };
        assert!(!broken(&shorter), "{bug}: it can be shorter");
    }
    let is_rate = |fault: &Fault| matches!(fault, Fault::Loss(_) | Fault::Duplicate(_) | Fault::Reorder(_));
    assert!(!small.faults.iter().any(is_rate), "{bug}: single messages stand for rates: {:?}", small.faults);
    small
}

struct Planted {
    found: usize,
}

impl Visitor for Planted {
    fn process<P: Process>(&mut self, bug: &'static str) {
        if FOUND.contains(&bug) {
            expect_small(bug, Algorithm::process::<P>(), (0..3_000).map(scenario));
            self.found += 1;
        }
    }

    fn rounds<R: Rounds>(&mut self, bug: &'static str) {
        panic!("the lease is asynchronous: {bug}");
    }
}

#[test]
fn random_faults_find_planted_bugs_and_are_made_small() {
    let mut planted = Planted { found: 0 };
    bellwether_mutants::lease(&mut planted);
    assert_eq!(planted.found, FOUND.len());
}

/// Two clocks that differ too much need one more fault: the leader must be cut off, or the like.
#[test]
fn clocks_beyond_their_bound_stay_in_the_small_run() {
    let drifts = ["drift=0:0.7", "drift=1:1.4"].map(|fault| fault.parse::<Fault>().expect("a fault"));
    let with_drift = |seed: u64| {
        let mut scenario = scenario(seed);
        scenario.faults.retain(|fault| !matches!(fault, Fault::Drift(..)));
        scenario.faults.extend(drifts);
        scenario
    };
    let small = expect_small("drift", Algorithm::process::<Lease>(), (0..1_000).map(with_drift));
    assert!(drifts.iter().any(|drift| small.faults.contains(drift)), "{:?}", small.faults);
}

#[test]
fn a_run_that_breaks_nothing_is_not_shrunk() {
    let found = shrink(Algorithm::process::<Lease>(), &scenario(1), &mut Watcher).expect("it can be played");
    assert!(found.is_none());
}
