//! Crashes between rounds.

use bellwether_check::Plan;
use bellwether_world::trace::Line;
use bellwether_world::{Freedom, Property, Timing};

use crate::support::{CALM, PLAN, broken, family_of, verdict};

fn crashes(crashes: u32) -> Plan {
    Plan { freedom: Freedom { crashes, ..CALM }, ..PLAN }
}

#[test]
fn random_candidates_survive_crashes_between_any_two_rounds() {
    for (topology, most) in [("complete:2", 2), ("complete:3", 3), ("complete:4", 2)] {
        for number in 1..=most {
            let found = verdict(&family_of("random-candidacy", topology, "same", false), crashes(number));
            assert_eq!((broken(&found), found.is_complete()), (vec![], true), "{topology}, {number} crashes");
            // If everybody crashes there is nothing to judge.
            assert_eq!(found.excused, topology == format!("complete:{number}"), "{topology}, {number} crashes");
        }
    }
}

#[test]
fn the_other_algorithms_in_rounds_do_not() {
    let cases = [
        ("clockwise", "ring:3", vec![Property::Leader]),
        ("time-slice", "ring:3", vec![Property::OneLeader, Property::Leader]),
        ("floodmax", "path:3", vec![Property::OneLeader, Property::Leader, Property::Informed]),
        ("itai-rodeh-sync", "ring:3", vec![Property::Leader, Property::Informed]),
        ("variable-speeds", "ring:3", vec![Property::Leader, Property::Informed]),
    ];
    for (name, topology, expected) in cases {
        let found = verdict(&family_of(name, topology, "all", false), crashes(1));
        assert_eq!(broken(&found), expected, "{name}");
        for counterexample in &found.broken {
            let story = &counterexample.story;
            // The simulator has played it, and the judge objects to it.
            assert!(!story.report.violations.is_empty(), "{name}: {}", counterexample.property);
            assert_eq!(story.scenario.timing, Timing::Rounds);
            let ending = Line::Ending(story.ending());
            let mut lines = story.events.iter().cloned().map(Line::from).chain([ending]);
            let again = bellwether_play::replay(&story.scenario, &mut || Ok(lines.next())).unwrap();
            assert_eq!(again.unwrap().violations, story.report.violations, "{name}");
        }
    }
}
