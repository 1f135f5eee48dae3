//! Random elections, each of which must come out right; a failure shrinks, and prints the command line that repeats it.

use std::collections::BTreeSet;

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Id, Info, Model, Round, Settings, Starters, Starts, TopologyKind, Values};
use bellwether_world::{Scenario, Timing};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::networks::random;
use crate::support::{failure, leader, on, play, timings};

/// Where every link is used many times, networks are smaller.
fn largest(info: &Info) -> usize {
    match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing | TopologyKind::Tree => 40,
        TopologyKind::Connected | TopologyKind::Complete => 12,
    }
}

#[test]
fn every_election_is_right() {
    for info in CATALOGUE {
        for_all(elections(info), |scenario| {
            let report = play(&scenario);
            prop_assert!(report.is_right(), "{}", failure(&scenario, &report));
            Ok(())
        });
    }
}

/// Messages of one round a hop are the first to reach anybody, so an initiator takes part if it wakes up before all of
/// those of the others reach it; and all hops together are at most 5n.
#[test]
fn the_smallest_id_that_wakes_up_by_itself_wins_at_variable_speeds() {
    for_all(elections(crate::support::info("variable-speeds")), |scenario| {
        let report = play(&scenario);
        let n = scenario.ids.len();
        let distance = |from: u32, to: u32| ((to as usize + n - from as usize) % n) as u128;
        let electorate = scenario.electorate();
        let wakes_up = |&(node, Round(wakes)): &(u32, Round)| {
            electorate.initiators().all(|(other, Round(since))| other == node || wakes < since + distance(other, node))
        };
        let wakers = electorate.initiators().filter(wakes_up);
        let smallest = wakers.map(|(node, _)| scenario.ids[node as usize].0).min().expect("the first waker");
        prop_assert_eq!(leader(&report), smallest, "{}", failure(&scenario, &report));
        prop_assert!(report.messages() <= 5 * n as u64, "{}", failure(&scenario, &report));
        Ok(())
    });
}

/// Runs a property on 2048 inputs, the same on every machine; `PROPTEST_CASES=1000` asks for 8000.
fn for_all<S: Strategy>(inputs: S, property: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let default = Config::default();
    let config = Config { cases: 8 * default.cases, failure_persistence: None, ..default };
    let chance = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, chance).run(&inputs, property).unwrap_or_else(|error| panic!("{error}"));
}

/// Elections of an algorithm that it accepts: of any size, ids, initiators, wake-up rounds, settings and schedule.
fn elections(info: &'static Info) -> impl Strategy<Value = Scenario> {
    (1..=largest(info)).prop_flat_map(move |n| {
        // A synchronizer would play all the rounds that the ids ask for.
        let timings: Vec<_> = match info.model {
            Model::Asynchronous => timings(info).collect(),
            Model::Synchronous => vec![Timing::Rounds],
        };
        (ids(n), initiators(info, n), prop::sample::select(timings), any::<u64>(), settings(info, n)).prop_map(
            move |(ids, initiators, timing, seed, settings)| {
                let network = random(info.topology, n, seed);
                let scenario = Scenario { initiators, timing, seed, settings, ..on(info.name, network, &ids) };
                admitted(info, scenario)
            },
        )
    })
}

/// Different ids, the extreme ones among them more often than by chance.
fn ids(n: usize) -> impl Strategy<Value = Vec<u64>> {
    let id = prop_oneof![4 => any::<u64>(), 2 => 0..100u64, 1 => Just(0), 1 => Just(u64::MAX)];
    prop::collection::vec(id, n).prop_map(|mut ids| {
        let mut taken = BTreeSet::new();
        for id in &mut ids {
            while !taken.insert(*id) {
                *id = id.wrapping_add(1);
            }
        }
        ids
    })
}

fn initiators(info: &Info, n: usize) -> impl Strategy<Value = Starters> {
    let (fewest, most, latest) = match info.starts {
        Starts::All => (n, n, 1u128),
        Starts::Any => (1, n, 1),
        Starts::AnyRound => (1, n, 50),
        Starts::One => (1, 1, 1),
    };
    let chosen = prop::sample::subsequence((0..n).collect::<Vec<_>>(), fewest..=most);
    (chosen, prop::collection::vec(1..=latest, n))
        .prop_map(|(chosen, rounds)| chosen.into_iter().map(|node| (node as u32, Round(rounds[node]))).collect())
        .prop_map(Starters::Some)
}

fn settings(info: &Info, n: usize) -> impl Strategy<Value = Settings> {
    let values = info.settings.iter().map(|setting| match setting.values {
        // No network is wider than a path.
        Values::AtLeast(_) if setting.name == "diameter" => n as u64 - 1..n as u64 + 5,
        // With few values to draw from hardly any draw of many is unique.
        Values::AtLeast(_) if info.name == "itai-rodeh-sync" => n.max(2) as u64..n as u64 + 40,
        // With less than two values to draw from nothing ends.
        Values::AtLeast(least) => least.max(2)..40,
        Values::OneOf(words) => 0..words.len() as u64,
    });
    let names: Vec<String> = info.settings.iter().map(|setting| setting.name.into()).collect();
    values.collect::<Vec<_>>().prop_map(move |values| names.iter().cloned().zip(values).collect())
}

/// Where no participant's id is small enough, the first initiator gets one.
fn admitted(info: &Info, mut scenario: Scenario) -> Scenario {
    if (info.admits)(&scenario.electorate()).is_err() {
        let wakers: Vec<u32> = scenario.electorate().wakers().collect();
        scenario.ids[wakers[0] as usize] = (0..).map(Id).find(|id| !scenario.ids.contains(id)).expect("a free id");
    }
    scenario
}
