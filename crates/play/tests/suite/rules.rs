//! The *Rules* in the head of an algorithm's file and its code do not come apart: every step follows a rule, and every
//! rule is followed somewhere.

use std::collections::BTreeSet;

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Info, Rulebook, Span, Starters, Values};
use bellwether_world::ids::Ids;
use bellwether_world::initiators::Initiators;
use bellwether_world::trace::{Event, EventKind};
use bellwether_world::{Fault, Scenario, Timing};

use crate::support::networks::{accepts, random};
use crate::support::{command, on, record, started_by, timings};

/// Small networks, with all starting and with some, under every timing and some faults, twice in a row.
fn scenarios(info: &'static Info) -> impl Iterator<Item = Scenario> {
    let seeds_and_sizes = (1..=4).flat_map(|seed| (1..=5).map(move |n| (seed, n)));
    let plain = seeds_and_sizes.flat_map(|(seed, n)| {
        let ids: Vec<u64> = Ids::Random.assign(n, seed).unwrap().iter().map(|id| id.0).collect();
        let network = random(info.topology, n as usize, seed);
        let everybody = Scenario { seed, limit: 3_000, ..on(info.name, network, &ids) };
        let some = Initiators::Random(n.div_ceil(2)).choose(&everybody.topology, seed).unwrap();
        let some = Scenario { initiators: some, ..everybody.clone() };
        let one = started_by(everybody.clone(), &[0]);
        [everybody, some, one].into_iter().filter(|scenario| accepts(info, scenario))
    });
    plain
        .flat_map(move |scenario| timings(info).flat_map(move |timing| faulty(Scenario { timing, ..scenario.clone() })))
}

/// The scenario as it is, and with faults, another order of messages, and a second election.
fn faulty(scenario: Scenario) -> Vec<Scenario> {
    let seed = scenario.seed;
    let with = |faults: &[&str]| {
        let faults = faults.iter().map(|fault| Fault::parse(fault, &scenario.topology).unwrap()).collect();
        Scenario { faults, forced: true, ..scenario.clone() }
    };
    let last = scenario.topology.printed_name(scenario.ids.len() as u32 - 1).to_string();
    let mut all = vec![
        scenario.clone(),
        with(&["duplicate=0.3"]),
        with(&["loss=0.1"]),
        with(&[&format!("crash={last}@{}", seed % 4)]),
        with(&[&format!("crash={last}@{}", seed % 4), "duplicate=0.2", &format!("recover={last}@{}", seed % 4 + 3)]),
    ];
    // In rounds, a process that is told to start again cannot be told from one that has nothing to do.
    if scenario.timing != Timing::Rounds {
        all.extend([&[][..], &["loss=0.2"]].map(|faults| Scenario { elections: 2, forced: true, ..with(faults) }));
    }
    if scenario.timing == Timing::Uniform {
        all.push(Scenario { timing: Timing::Reorder, forced: true, ..scenario.clone() });
        let faults = vec![Fault::parse("duplicate=0.3", &scenario.topology).unwrap()];
        all.push(Scenario { timing: Timing::Reorder, faults, forced: true, ..scenario.clone() });
    }
    let detected = all.clone().into_iter().map(|scenario| Scenario { detection: Span::UNIT, ..scenario });
    all.extend(detected.filter(|scenario| !scenario.faults.is_empty()));
    all
}

/// The same with other values of the algorithm's parameters.
fn variants(info: &'static Info, scenario: &Scenario) -> Vec<Scenario> {
    let mut all = vec![scenario.clone()];
    for setting in info.settings {
        let values = match setting.values {
            Values::OneOf(choices) => 1..choices.len() as u64,
            Values::AtLeast(least) | Values::Between(least, _) => least.max(1)..least.max(1) + 2,
        };
        all.extend(values.map(|value| {
            let mut settings = scenario.settings.clone();
            settings.insert(setting.name.to_string(), value);
            Scenario { settings, forced: true, ..scenario.clone() }
        }));
    }
    all
}

fn is_step(event: &Event) -> bool {
    use EventKind::{Crash, Decide, Drop, Duplicate};
    !matches!(event.kind, Crash | Drop | Duplicate | Decide)
}

#[test]
fn every_step_follows_a_rule_and_every_rule_is_followed() {
    let mut unused = vec![];
    for info in CATALOGUE {
        let book = Rulebook::of(info);
        let mut unseen: BTreeSet<&str> = book.rules.iter().map(|rule| rule.label.as_str()).collect();
        assert!(!unseen.is_empty(), "{} has no numbered rules", info.name);
        for (number, scenario) in scenarios(info).enumerate() {
            if scenario.seed > 2 && unseen.is_empty() {
                break; // the others look for rare rules
            }
            let scenarios = if number % 7 == 0 { variants(info, &scenario) } else { vec![scenario] };
            for scenario in scenarios {
                let through_adaptor =
                    (info.model == bellwether_core::Model::Synchronous) != (scenario.timing == Timing::Rounds);
                for event in record(&scenario).1.iter().filter(|event| is_step(event)) {
                    for label in &event.rules {
                        assert!(book.rule(label).is_some(), "{} has no rule {label}", info.name);
                        unseen.remove(label.as_str());
                    }
                    // A synchronizer also takes steps of its own, and most rules do not speak of crashes.
                    let is_deaf = event.kind == EventKind::PeerDown && event.role.is_none() && event.sent.is_empty();
                    let follows = !event.rules.is_empty() || through_adaptor || is_deaf;
                    assert!(follows, "no rule: {event:?}\n  {}", command(&scenario));
                }
            }
        }
        unused.extend(unseen.into_iter().map(|label| format!("{} {label}", info.name)));
    }
    assert!(unused.is_empty(), "rules that no step follows: {unused:?}");
}

/// Fields of a state are variables; nothing of the code shows.
#[test]
fn variables_are_told_in_plain_words() {
    for info in CATALOGUE {
        for scenario in scenarios(info).take(40) {
            for event in record(&scenario).1 {
                for (name, value) in &event.state {
                    let value = value.as_str().unwrap_or_default();
                    assert!(!value.contains(['_', '"']) && !value.contains("Some("), "{}: {name} {value}", info.name);
                    assert!(!value.contains("port "), "{}: {name} {value}", info.name);
                }
            }
        }
    }
}

/// The first step of a node tells all its variables, and later ones only what changes.
#[test]
fn a_step_tells_the_variables_that_it_changes() {
    let scenario = Scenario { initiators: Starters::together([0]), ..crate::support::ring("peterson", &[3, 1, 2]) };
    let (_, events) = record(&scenario);
    let told = |event: &Event| serde_json::to_string(&event.state).unwrap();
    let of_node_0: Vec<String> = events.iter().filter(|event| event.node == 0 && is_step(event)).map(told).collect();
    assert_eq!(of_node_0, [r#"{"id":"3","tid":"3"}"#, r#"{"tid":null}"#, "{}"]);
}
