//! Partial-order reduction and symmetry change no verdict and no cost.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_catalogue::algorithm;
use bellwether_check::automaton::Cause;
use bellwether_check::{Automaton, Plan};
use bellwether_core::{Port, TopologyKind};
use bellwether_net::Wiring;

use crate::support::{FIRST, PLAN, broken, family_of, messages, verdict};

/// Every algorithm on every smallest network with every order and every set of initiators; with and without reduction.
/// Also with equal ids, which is wrong.
#[test]
fn verdicts_and_costs_are_the_same() {
    for info in CATALOGUE {
        let topologies: &[&str] = match info.topology {
            TopologyKind::OneWayRing => &["ring:2", "ring:3", "ring:4"],
            TopologyKind::TwoWayRing => &["ring:2", "ring:3"],
            TopologyKind::Tree => &["all-trees:3", "all-trees:4"],
            TopologyKind::Connected => &["all-graphs:2", "all-graphs:3"],
            TopologyKind::Complete => &["complete:2"],
        };
        for topology in topologies {
            for ids in ["all", "same"] {
                for plan in [PLAN, FIRST] {
                    let family = family_of(info.name, topology, ids, true);
                    let [with, without] = [true, false].map(|on| {
                        let plan = Plan { reduction: on, symmetry: on, ..plan };
                        let verdict = verdict(&family, plan);
                        assert!(verdict.is_complete());
                        verdict
                    });
                    let context = format!("{} on {topology}, ids {ids}, {plan:?}", info.name);
                    assert_eq!(broken(&with), broken(&without), "{context}");
                    if with.least.is_some() {
                        assert_eq!(messages(&with), messages(&without), "{context}");
                    }
                    assert!(with.states <= without.states || without.reduced == 0, "{context}");
                }
            }
        }
    }
}

/// A message that a process says it ignores does nothing. The process goes on ignoring it after any other message. The
/// messages tried are all that processes can send if anything may arrive at any time.
#[test]
fn what_is_ignored_is_ignored_for_ever() {
    /// The largest number of states, and of messages, that are tried. Some algorithms have infinitely many if anything
    /// may arrive at any time.
    const MANY: usize = 120;
    let mut saying = vec![];
    for info in CATALOGUE {
        let topology = match info.topology {
            TopologyKind::OneWayRing | TopologyKind::TwoWayRing => "ring:3",
            TopologyKind::Tree => "path:3",
            TopologyKind::Connected | TopologyKind::Complete => "complete:3",
        };
        let scenario = family_of(info.name, topology, "all", false).scenarios().next().unwrap();
        let mut automaton = Automaton::new(&algorithm(info.name).unwrap().events);
        let ports = scenario.topology.ports(1);
        let mut locals: Vec<u32> = (0..3)
            .filter(|node| scenario.topology.ports(*node) == ports)
            .map(|node| automaton.asleep(&scenario, node).unwrap())
            .collect();
        locals.sort_unstable();
        locals.dedup();
        let (mut messages, mut ignored) = (vec![], vec![]);
        let mut steps: Vec<(u32, Cause)> = locals.iter().map(|local| (*local, Cause::Start)).collect();
        while let Some((local, act)) = steps.pop() {
            let outcomes = automaton.act(local, ports, act).unwrap();
            if automaton.ignores(local, act) {
                let [outcome] = &outcomes[..] else { panic!("{}: {act:?} goes many ways", info.name) };
                let does_nothing = outcome.local == local && outcome.sends.is_empty() && outcome.timers.is_empty();
                assert!(does_nothing, "{}: {} ignores {act:?}", info.name, automaton.local_in_words(local));
                if !ignored.contains(&act) {
                    ignored.push(act);
                }
            }
            for outcome in outcomes {
                for &act in &ignored {
                    let still = !automaton.ignores(local, act) || automaton.ignores(outcome.local, act);
                    let words = [local, outcome.local].map(|local| automaton.local_in_words(local));
                    assert!(still, "{}: from {} to {}, {act:?}", info.name, words[0], words[1]);
                }
                if !locals.contains(&outcome.local) && locals.len() < MANY {
                    locals.push(outcome.local);
                    let all = messages.iter().flat_map(|msg| (0..ports).map(|port| Cause::Receive(Port(port), *msg)));
                    steps.extend(all.map(|act| (outcome.local, act)));
                }
                for (_, msg) in outcome.sends {
                    if !messages.contains(&msg) && messages.len() < MANY {
                        messages.push(msg);
                        let acts = (0..ports).map(|port| Cause::Receive(Port(port), msg));
                        steps.extend(acts.flat_map(|act| locals.iter().map(move |local| (*local, act))));
                    }
                }
            }
        }
        if !ignored.is_empty() {
            saying.push(info.name);
        }
    }
    assert_eq!(saying, ["hirschberg-sinclair", "echo-election", "adoption"]);
}
