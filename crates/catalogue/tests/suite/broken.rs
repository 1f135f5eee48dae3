//! If an assumption is dropped, the right counterexample appears, and it replays.

use bellwether_check::{Conclusion, Counterexample, Plan};
use bellwether_core::Starters;
use bellwether_sim::replay::Failure;
use bellwether_world::trace::Line;
use bellwether_world::{Family, Freedom, Outcome, Property, Report};

use crate::support::{CALM, FIRST, PLAN, broken, family_of, verdict};

/// Replays a counterexample from its trace alone.
fn replayed(counterexample: &Counterexample) -> Result<Report, Failure> {
    let story = &counterexample.story;
    // As it is stored in a file.
    let text = serde_json::to_string(&story.scenario).unwrap();
    let scenario = serde_json::from_str(&text).unwrap();
    let mut lines = story.events.iter().cloned().map(Line::from).chain([Line::Ending(story.ending())]);
    bellwether_play::replay(&scenario, &mut || Ok(lines.next())).unwrap()
}

/// The properties that are broken with this freedom. Every counterexample replays and shows its property.
fn without(name: &str, topology: &str, ids: &str, freedom: Freedom) -> (Vec<Property>, Conclusion) {
    planned(name, topology, ids, Plan { freedom, ..PLAN })
}

fn planned(name: &str, topology: &str, ids: &str, plan: Plan) -> (Vec<Property>, Conclusion) {
    found(&family_of(name, topology, ids, false), plan)
}

/// What is broken in a family. Every counterexample replays and shows what it is meant to show.
fn found(family: &Family, plan: Plan) -> (Vec<Property>, Conclusion) {
    let name = family.info.name;
    let verdict = verdict(family, plan);
    for counterexample in &verdict.broken {
        let report = replayed(counterexample).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        match counterexample.property {
            Property::Ends => assert_eq!(report.outcome, Outcome::Limit),
            property => assert!(report.broken.contains(property), "{name}: {property}: {:?}", report.violations),
        }
    }
    (broken(&verdict), verdict)
}

const REORDER: Freedom = Freedom { reorder: true, ..CALM };
const ONE_LOSS: Freedom = Freedom { losses: 1, ..CALM };
const ONE_COPY: Freedom = Freedom { copies: 1, ..CALM };
const ONE_CRASH: Freedom = Freedom { crashes: 1, ..CALM };

#[test]
fn messages_that_overtake_each_other() {
    for (name, ring) in [("peterson", "ring:4"), ("dolev-klawe-rodeh", "ring:4"), ("le-lann", "ring:4")] {
        let (broken, _) = without(name, ring, "all", REORDER);
        assert!(!broken.is_empty(), "{name}");
    }
    // Never two leaders, but a node that takes part again may never decide.
    let (broken, _) = without("chang-roberts", "ring:4", "all", REORDER);
    assert_eq!(broken, [Property::Informed]);
    assert_eq!(without("chang-roberts", "ring:3", "all", REORDER).0, []);
}

#[test]
fn a_lost_message() {
    for name in ["chang-roberts", "peterson", "le-lann", "franklin"] {
        let (broken, _) = without(name, "ring:3", "all", ONE_LOSS);
        assert!(broken.contains(&Property::Leader), "{name}: {broken:?}");
    }
}

/// The end of an election may break several properties. The most serious one hides none of the others.
#[test]
fn everything_that_one_end_lacks() {
    let mut family = family_of("bully", "complete:2", "1,2", false);
    family.members[0].starters = Some(Starters::together([0]));
    let verdict = verdict(&family, Plan { freedom: ONE_LOSS, ..PLAN });
    assert_eq!(broken(&verdict), [Property::OneLeader, Property::Winner, Property::Informed]);
}

#[test]
fn a_repeated_message() {
    assert_eq!(without("chang-roberts", "ring:4", "all", ONE_COPY).0, []);
    assert!(!without("tree-waves", "path:3", "all", ONE_COPY).0.is_empty());
}

#[test]
fn a_crash() {
    for (name, topology) in [("chang-roberts", "ring:3"), ("echo-election", "path:3"), ("clockwise", "ring:2")] {
        let (broken, _) = without(name, topology, "all", ONE_CRASH);
        assert!(broken.contains(&Property::Leader), "{name}: {broken:?}");
    }
}

/// In four steps: two start, each times out, and both lead.
#[test]
fn a_false_delay_bound() {
    let freedom = Freedom { hasty_timers: true, ..CALM };
    let (broken, verdict) = without("bully", "complete:2", "all", freedom);
    assert!(broken.contains(&Property::OneLeader), "{broken:?}");
    let steps = verdict.broken[0].story.events.iter().filter(|event| event.decision.is_none()).count();
    assert_eq!(steps, 4);
}

#[test]
fn duplicate_ids() {
    assert_eq!(without("chang-roberts", "ring:4", "5,1,5,2", CALM).0[0], Property::OneLeader);
    // A copy of a smaller id: a false leader, which then resigns.
    assert!(planned("chang-roberts", "ring:4", "1,1,5,2", FIRST).0.contains(&Property::Steady));
    // Harmless if there is a larger id between the copies in both directions.
    assert_eq!(without("chang-roberts", "ring:4", "1,5,1,2", CALM).0, []);
}

/// Four equal nodes that take their ring for one of two: the loop is found with symmetry, and told without it.
#[test]
fn a_loop_among_nodes_that_are_alike() {
    let mut family = family_of("itai-rodeh", "ring:4", "same", false);
    family.settings.extend([("k".into(), 2), ("n".into(), 2)]);
    let (broken, _) = found(&family, PLAN);
    assert!(broken.len() > 1 && broken.contains(&Property::Ends), "{broken:?}");
}

/// With one value to draw from, no draw is unique. A fair schedule goes on for ever, and the checker shows the loop.
/// Three nodes that always draw the same go on for ever; two of them and a relay do so in fewer moves.
#[test]
fn a_shortest_loop() {
    let mut family = family_of("itai-rodeh", "ring:3", "same", false);
    family.settings.insert("k".into(), 1);
    let verdict = verdict(&family, PLAN);
    let story = &verdict.broken[0].story;
    assert_eq!((verdict.broken[0].property, story.events.len()), (Property::Ends, 3 + 6));
}

#[test]
fn an_election_that_never_ends() {
    let mut family = family_of("itai-rodeh", "ring:2", "same", false);
    family.settings.insert("k".into(), 1);
    let verdict = verdict(&family, FIRST);
    assert_eq!(broken(&verdict), [Property::Ends]);
    let story = &verdict.broken[0].story;
    assert!(story.repeats_from.is_some_and(|line| line < story.events.len()));
    assert_eq!(replayed(&verdict.broken[0]).unwrap().outcome, Outcome::Limit);
}
