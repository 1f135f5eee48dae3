//! The member as a whole, in virtual time: crashes, restarts, lost disks, cuts, pauses, loss and drift, with each
//! algorithm of the catalogue that it elects by.

use std::collections::BTreeSet;

use bellwether_algorithms::lease::Member;
use bellwether_core::{Process, Rulebook};
use bellwether_trials::member::{ALGORITHMS, TRIALS, play, scenario};
use bellwether_world::host::{Algorithm, Watcher, Wishes};
use bellwether_world::trace::{Event, EventKind};
use bellwether_world::{Chaos, Fault, Outcome, Scenario, Timing};

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

/// A cluster of three to five to which much happens at random, by chance of the seed.
fn struck(chaos: Chaos, elects_by: u64, seed: u64) -> Scenario {
    let timing = [Timing::Unit, Timing::Uniform, Timing::Reorder][seed as usize % 3];
    let mut scenario = Scenario { seed, timing, ..scenario(member(), 3 + seed / 3 % 3, elects_by, 150) };
    chaos.strike(&mut scenario, Member::INFO, false).unwrap();
    scenario
}

/// Never two, tokens grow, none comes twice, whatever happens. Mild faults are over in time for a leader, unless they
/// last: loss, and slow nodes and disks.
#[test]
fn random_faults_break_nothing() {
    let mut calm = 0;
    for seed in 1..=60 {
        for (chaos, elects_by) in [Chaos::Mild, Chaos::Harsh].into_iter().flat_map(|it| ALGORITHMS.map(|by| (it, by))) {
            let scenario = struck(chaos, elects_by, seed);
            let told: Vec<String> = scenario.faults.iter().map(ToString::to_string).collect();
            let about = format!("seed {seed}, algorithm {elects_by}, {} nodes, {told:?}", scenario.ids.len());
            let report = bellwether_play::play(&scenario, Wishes::none(&mut Watcher)).unwrap().unwrap();
            assert!(report.violations.is_empty(), "{:?}: {about}", report.violations);
            let lasts = |fault: &Fault| matches!(fault, Fault::Loss(_) | Fault::Slow(..) | Fault::Disk(..));
            if chaos == Chaos::Mild && !scenario.faults.iter().any(lasts) {
                calm += 1;
                assert_eq!(report.outcome, Outcome::Elected, "{about}");
            }
        }
    }
    assert!(calm > 20, "{calm} runs end in calm");
}

fn is_step(event: &Event) -> bool {
    use EventKind::{Crash, Decide, Drop, Duplicate};
    !matches!(event.kind, Crash | Drop | Duplicate | Decide)
}

#[test]
fn every_step_follows_a_rule_and_every_rule_is_followed() {
    let book = Rulebook::of(Member::INFO);
    let mut unseen: BTreeSet<&str> = book.rules.iter().map(|rule| rule.label.as_str()).collect();
    for elects_by in ALGORITHMS {
        let trials = TRIALS.iter().map(|trial| trial.scenario(member(), elects_by));
        for scenario in trials.chain((1..=5).map(|seed| struck(Chaos::Harsh, elects_by, seed))) {
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
