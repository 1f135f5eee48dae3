//! Random elections, each of which must be correct. A failure is shrunk and printed with the command line that repeats
//! it.

use std::collections::BTreeSet;

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Endless, Id, Info, Meaning, Model, Round, Settings, Starters, Starts, TopologyKind, Values};
use bellwether_world::{Scenario, Timing};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::networks::random;
use crate::support::{failure, leader, on, play, timings};

/// The largest network. It is smaller if every link is used many times.
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

/// Messages with one round per hop reach every node first. So an initiator takes part if it wakes up before all those
/// of the others reach it. All hops together are at most 5n.
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

/// Elections that the algorithm accepts: any size, ids, initiators, wake-up rounds, settings and schedule.
fn elections(info: &'static Info) -> impl Strategy<Value = Scenario> {
    (1..=largest(info)).prop_flat_map(move |n| {
        // A synchronizer would play every single round, and large ids need very many.
        let timings: Vec<_> = match info.model {
            Model::Asynchronous => timings(info).collect(),
            Model::Synchronous => vec![Timing::Rounds],
        };
        (ids(n), initiators(info, n), prop::sample::select(timings), any::<u64>(), settings(info, n)).prop_map(
            move |(ids, initiators, timing, seed, settings)| {
                let network = random(info.under(&settings).topology, n, seed);
                let scenario = Scenario { initiators, timing, seed, settings, ..on(info.name, network, &ids) };
                admitted(info, scenario)
            },
        )
    })
}

/// Different ids. The extreme ones are more frequent than by chance.
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
        // No network has a larger diameter than a path.
        Values::AtLeast(_) if setting.meaning == Meaning::Diameter => n as u64 - 1..n as u64 + 5,
        // Any other number breaks the assumption.
        Values::AtLeast(_) if setting.meaning == Meaning::Size => n as u64..n as u64 + 1,
        // More than there are, or nobody, is refused.
        Values::AtLeast(_) if matches!(setting.meaning, Meaning::Count | Meaning::Someone) => 1..n as u64 + 1,
        // With few values and many nodes, hardly any draw is unique.
        Values::AtLeast(_) if info.name == "itai-rodeh-sync" => n.max(2) as u64..n as u64 + 40,
        // With fewer than two values to draw from, nothing ends.
        Values::AtLeast(least) => least.max(2)..40,
        Values::Between(least, most) => least.max(2)..most.min(40),
        Values::OneOf(words) => 0..words.len() as u64,
    });
    let names: Vec<String> = info.settings.iter().map(|setting| setting.name.into()).collect();
    values.collect::<Vec<_>>().prop_map(move |values| names.iter().cloned().zip(values).collect())
}

/// If no participant's id is small enough, the first initiator gets one. If nobody is told, anybody may win.
fn admitted(info: &Info, mut scenario: Scenario) -> Scenario {
    match (info.admits)(&scenario.electorate()) {
        Ok(()) => {}
        Err(Endless::Silent(_)) => {
            scenario.settings.insert("winner".into(), 1);
        }
        Err(Endless::Busy(_) | Endless::Waiting(_)) => {
            let wakers: Vec<u32> = scenario.electorate().wakers().collect();
            scenario.ids[wakers[0] as usize] = (0..).map(Id).find(|id| !scenario.ids.contains(id)).expect("a free id");
        }
    }
    scenario
}
