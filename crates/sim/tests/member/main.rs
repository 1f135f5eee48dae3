//! The member as a whole, in virtual time: crashes, restarts, lost disks, cuts, pauses, loss and drift, with each
//! algorithm of the catalogue that it elects by.

mod runs;

use std::collections::BTreeSet;

use bellwether_algorithms::lease::Member;
use bellwether_core::{Process, Rulebook};
use bellwether_world::host::{Algorithm, Watcher, Wishes};
use bellwether_world::trace::EventKind;
use bellwether_world::{Fault, Outcome, faults};

use self::runs::{ALGORITHMS, TRIALS, chaos, is_step, play};

fn member() -> &'static Algorithm {
    Algorithm::process::<Member>()
}

#[test]
fn it_comes_through_every_trial_with_every_algorithm() {
    let wrong: Vec<String> = ALGORITHMS
        .into_iter()
        .flat_map(|elects_by| TRIALS.iter().map(move |trial| (elects_by, trial)))
        .filter_map(|(elects_by, trial)| {
            trial.play(member(), elects_by).err().map(|what| format!("by algorithm {elects_by}, {what}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Never two, tokens grow, none comes twice, whatever happens. Once it is over, one leads; loss is never over.
#[test]
fn chaos_breaks_nothing_and_ends_with_a_leader() {
    for seed in 1..=100 {
        for elects_by in ALGORITHMS {
            let scenario = chaos(member(), elects_by, seed);
            let told: Vec<String> = scenario.faults.iter().map(ToString::to_string).collect();
            let about = format!("seed {seed}, algorithm {elects_by}, {} nodes, {told:?}", scenario.ids.len());
            assert_eq!(faults::check(&scenario.faults, &scenario.topology, false), Ok(()), "{about}");
            let report = bellwether_sim::play(member(), &scenario, Wishes::none(&mut Watcher)).unwrap();
            assert!(report.violations.is_empty(), "{:?}: {about}", report.violations);
            let is_over = !scenario.faults.iter().any(|fault| matches!(fault, Fault::Loss(_)));
            assert!(report.outcome == Outcome::Elected || !is_over, "{}: {about}", report.outcome);
        }
    }
}

#[test]
fn every_step_follows_a_rule_and_every_rule_is_followed() {
    let book = Rulebook::of(Member::INFO);
    let mut unseen: BTreeSet<&str> = book.rules.iter().map(|rule| rule.label.as_str()).collect();
    for elects_by in ALGORITHMS {
        let trials = TRIALS.iter().map(|trial| trial.scenario(member(), elects_by));
        for scenario in trials.chain((1..=5).map(|seed| chaos(member(), elects_by, seed))) {
            for event in play(member(), &scenario).events.iter().filter(|event| is_step(event)) {
                let is_deaf = event.kind == EventKind::PeerDown;
                assert!(is_deaf || !event.rules.is_empty(), "no rule: {event:?}");
                for label in &event.rules {
                    assert!(book.rule(label).is_some(), "there is no rule {label}");
                    unseen.remove(label.as_str());
                }
                for (name, value) in &event.state {
                    let value = value.as_str().unwrap_or_default();
                    assert!(!value.contains(['_', '"']) && !value.contains("port "), "{name} {value}");
                }
            }
        }
    }
    assert!(unseen.is_empty(), "rules that no step follows: {unseen:?}");
}
