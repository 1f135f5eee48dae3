//! What happens when links and processes break the assumptions of an algorithm.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Id, Info, Model, Port, Span, Starts, TopologyKind};
use bellwether_net::{Node, Topology};
use bellwether_world::ids::Ids;
use bellwether_world::trace::{Ending, Event, EventKind, Line};
use bellwether_world::{Fault, Outcome, Scenario, Symmetry, Timing};

use crate::support::networks::random;
use crate::support::{command, leader, on, play, record, ring, started_by, timings, units};
use bellwether_sim::replay::Failure;

fn faulty(scenario: Scenario, faults: &[&str]) -> Scenario {
    let faults = faults.iter().map(|text| text.parse().unwrap()).collect();
    Scenario { faults, forced: true, limit: 3_000, ..scenario }
}

/// Every single loss in an election of Chang and Roberts with ascending ids. Of the 3n - 1 possible losses, n are
/// harmless, n leave no leader (the winner's candidature), and n - 1 leave a node uninformed.
#[test]
fn one_lost_message() {
    for n in 2..=6u64 {
        let ids: Vec<u64> = (1..=n).collect();
        let (_, events) = record(&ring("chang-roberts", &ids));
        let mut outcomes = vec![];
        for event in &events {
            for sent in &event.sent {
                let (from, to, t) = (event.node, sent.to, event.t);
                // A ring of two has two links between the same nodes. Here all messages go clockwise, so cutting both
                // is the same as cutting one.
                let fault = format!("oneway={from}>{to}@{t}..{}", t.later_by(1));
                outcomes.push(play(&faulty(ring("chang-roberts", &ids), &[&fault])).outcome);
            }
        }
        let count = |outcome| outcomes.iter().filter(|it| **it == outcome).count() as u64;
        assert_eq!(outcomes.len() as u64, 3 * n - 1);
        let counts = [Outcome::Elected, Outcome::NoLeader, Outcome::Disagreement].map(count);
        assert_eq!(counts, [n, n, n - 1], "n = {n}");
    }
}

fn one_way_rings() -> impl Iterator<Item = &'static Info> {
    CATALOGUE.iter().copied().filter(|info| info.topology == TopologyKind::OneWayRing)
}

/// One dead node stops every one-way ring algorithm in which the winner's message must come home. With time slices a
/// node leads without that. The nodes beyond the dead one do not hear of it, and lead as well when their turn comes.
#[test]
fn a_dead_node_breaks_every_one_way_ring() {
    for info in one_way_rings() {
        for dead in 0..5 {
            let report = play(&faulty(ring(info.name, &[3, 1, 4, 0, 2]), &[&format!("crash={dead}@0")]));
            let outcome = match (info.name, dead) {
                ("time-slice", 3) => Outcome::SeveralLeaders, // the smallest id itself is dead
                ("time-slice", 2) => Outcome::Elected,        // all nodes come before the dead one
                ("time-slice", _) => Outcome::SeveralLeaders,
                _ => Outcome::NoLeader,
            };
            assert_eq!((report.outcome, &report.crashed[..]), (outcome, &[dead][..]), "{} without {dead}", info.name);
        }
    }
}

/// Angluin 1980: if nothing tells nodes apart, all of them do the same. So all lead or none does.
#[test]
fn angluins_theorem() {
    for info in CATALOGUE.iter().copied().filter(|info| !info.randomised && info.starts != Starts::One) {
        for n in 2..=6 {
            let network: Topology = match info.topology {
                TopologyKind::Tree if n > 2 => continue, // no other tree is symmetric
                TopologyKind::Tree => "path:2".parse().unwrap(),
                TopologyKind::Complete => format!("complete:{n}").parse().unwrap(),
                _ => format!("ring:{n}").parse().unwrap(),
            };
            let usual = Scenario::new(info, network.build(1).unwrap(), vec![Id(1); n]);
            let scenario = Scenario { forced: true, limit: 10_000, ..usual };
            let report = play(&scenario);
            // It waits for n different ids.
            let leaders = if info.name == "broadcast-max" { 0 } else { n };
            assert_eq!(report.leaders.len(), leaders, "{}", command(&scenario));
            assert!(matches!(report.symmetry, Some(Symmetry::Kept(_))), "{}", command(&scenario));
        }
    }
}

/// If bullies are told a delay that is too short, they stop waiting too soon, and two lead at once. With the true delay
/// they never do.
#[test]
fn a_false_delay_bound_makes_two_leaders() {
    let two_lead = |max_delay: Span, seed: u64| {
        let network = "complete:5".parse::<Topology>().unwrap().build(1).unwrap();
        let usual = Scenario::new(crate::support::info("bully"), network, (1..=5).map(Id).collect());
        let timing = Timing::Uniform;
        let forced = max_delay < Span::UNIT;
        let report = play(&Scenario { timing, seed, max_delay, forced, limit: 10_000, ..usual });
        report.violations.iter().any(|violation| violation.starts_with("two leaders"))
    };
    let seeds = 0..200;
    assert!(seeds.clone().filter(|&seed| two_lead(Span(200_000), seed)).count() > 100);
    assert_eq!(seeds.filter(|&seed| two_lead(Span::UNIT, seed)).count(), 0);
}

/// Two copies of the largest id are two leaders. A copy of a smaller id may lead for a while. Copies are harmless if
/// there is a larger id between them in both directions.
#[test]
fn duplicate_ids() {
    let forced = |ids: &[u64]| play(&Scenario { forced: true, ..ring("chang-roberts", ids) });
    assert_eq!(forced(&[5, 1, 5, 2]).outcome, Outcome::SeveralLeaders);
    let resigned = forced(&[1, 1, 5, 2]);
    assert_eq!((resigned.outcome, leader(&resigned)), (Outcome::Elected, 5));
    let scenario = Scenario { forced: true, ..ring("chang-roberts", &[1, 1, 5, 2]) };
    let (_, events) = record(&scenario);
    let told_by = |event: &Event| (event.t.to_string(), event.describe(&scenario.topology));
    let false_leader = |event: &&Event| event.kind == EventKind::Decide && event.node == 1;
    let story: Vec<_> = events.iter().filter(false_leader).map(told_by).collect();
    let told = [("1", "LEADS"), ("2", "is undecided again"), ("7", "follows 5")];
    assert_eq!(story, told.map(|(t, what)| (t.to_string(), what.to_string())));
    assert!(forced(&[1, 5, 1, 2]).is_right());
}

/// While a link is cut, what is sent on it is lost, in one direction or in both.
#[test]
fn a_cut_loses_what_is_sent_while_it_lasts() {
    let lost = |fault: &str| {
        let (_, events) = record(&faulty(ring("hirschberg-sinclair", &[1, 2, 3, 4]), &[fault]));
        let drops: Vec<_> = events.into_iter().filter(|event| event.kind == EventKind::Drop).collect();
        drops.iter().map(|event| (event.node, event.sent[0].to, event.t.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(lost("cut=0-1@0..1"), [(0, 1, "0".to_string()), (1, 0, "0".to_string())]);
    assert_eq!(lost("oneway=0>1@0..1"), [(0, 1, "0".to_string())]);
    assert_eq!(lost("cut=0-1@0.5..0.75"), []);
}

/// A slow node's messages take several times as long and stay in order. A late message may be overtaken.
#[test]
fn slow_and_late_messages() {
    let arrivals = |fault: &str, timing| {
        let scenario = Scenario { timing, ..faulty(ring("chang-roberts", &[9, 1, 2]), &[fault]) };
        let (_, events) = record(&scenario);
        let from_first = |event: &&Event| event.received.iter().any(|received| received.from == 0);
        events.iter().filter(from_first).map(|event| event.t.to_string()).collect::<Vec<_>>()
    };
    // Node 0 sends at time 0. It announces when its candidature comes home at time 3 + 1 + 1.
    assert_eq!(arrivals("slow=0:3", Timing::Unit), ["3", "8"]);
    assert_eq!(arrivals("slow=0:3", Timing::Rounds), ["4", "9"]);
    assert_eq!(arrivals("reorder=1", Timing::Unit), ["2", "8"]);
    let overtaken = (0..50).any(|seed| {
        let scenario = Scenario { seed, ..faulty(ring("le-lann", &[1, 2, 3, 4, 5, 6]), &["reorder=0.3"]) };
        let (_, events) = record(&scenario);
        let arrived = |port: Port| {
            let of_port = move |event: &&Event| event.node == 0 && event.received.iter().any(|it| it.port == port);
            events.iter().filter(of_port).flat_map(|event| event.received.iter().map(|it| it.n)).collect::<Vec<_>>()
        };
        !arrived(Port::PREVIOUS).is_sorted()
    });
    assert!(overtaken);
}

/// A recovered process remembers nothing: it starts from the beginning.
#[test]
fn recovery_with_empty_memory() {
    for timing in [Timing::Unit, Timing::Rounds] {
        let scenario = Scenario { timing, ..faulty(ring("chang-roberts", &[1, 2, 3]), &["crash=2@1", "recover=2@9"]) };
        let (report, events) = record(&scenario);
        // What was under way to the dead node is lost. After its recovery the node becomes a candidate and wins.
        assert_eq!((report.outcome, leader(&report)), (Outcome::Elected, 3), "{}", command(&scenario));
        assert!(report.crashed.is_empty());
        let kinds: Vec<EventKind> = events.iter().filter(|event| event.node == 2).map(|event| event.kind).collect();
        let back = kinds.iter().position(|kind| *kind == EventKind::Recover).unwrap();
        assert!(kinds[..back].contains(&EventKind::Crash) && kinds[..back].contains(&EventKind::Drop), "{kinds:?}");
    }
}

/// Over many messages each fault happens about as often as its probability says.
#[test]
fn probabilities_are_those_asked_for() {
    let ids: Vec<u64> = (0..2000).rev().collect();
    let faults = ["loss=0.25", "duplicate=0.1"];
    let (report, events) = record(&Scenario { limit: 400_000, ..faulty(ring("clockwise-async", &ids), &faults) });
    let count = |kind| events.iter().filter(|event| event.kind == kind).count() as f64;
    let sent = report.messages() as f64;
    let (lost, repeated) = (count(EventKind::Drop) / sent, count(EventKind::Duplicate) / sent);
    assert!(sent > 5000.0 && (lost - 0.25).abs() < 0.02 && (repeated - 0.75 * 0.1).abs() < 0.02, "{lost} {repeated}");
}

/// All faults together, on one-way rings and both hosts: a recorded run is the same as one that is not recorded.
#[test]
fn a_faulty_run_is_the_same_recorded_or_not() {
    let every: [Fault; 7] =
        ["loss=0.05", "duplicate=0.1", "reorder=0.1", "crash=3@2", "recover=3@5", "cut=0-1@1..3", "slow=2:2"]
            .map(|text| text.parse().unwrap());
    for info in one_way_rings().filter(|info| info.model == Model::Asynchronous) {
        for timing in [Timing::Rounds, Timing::Unit, Timing::Uniform] {
            for seed in 0..20 {
                let usual = ring(info.name, &[4, 2, 5, 1, 3]);
                let scenario = Scenario { faults: every.into(), forced: true, limit: 3_000, timing, seed, ..usual };
                let (recorded, _) = record(&scenario);
                assert_eq!(play(&scenario), recorded, "{}", command(&scenario));
            }
        }
    }
}

/// Faults of all kinds at fractional times, several elections, a limit: every trace replays to the same report.
#[test]
fn every_faulty_run_replays() {
    const CHOICE: [&[&str]; 10] = [
        &["loss=0.1", "duplicate=0.1"],
        &["crash=1@1", "crash=0@2"],
        &["crash=1@1.5", "recover=1@4.5", "slow=0:3"],
        &["reorder=0.3", "crash=2@3", "recover=2@4"],
        &["crash=1@1", "crash=2@1.25", "crash=0@1.5"],
        &["crash=0@1", "recover=0@2", "crash=0@7"],
        &["slow=1:2", "duplicate=0.2"],
        &["crash=1@3", "recover=1@4", "crash=2@4"],
        &["crash=0@0", "recover=0@0.5", "crash=1@5"],
        &[],
    ];
    for info in CATALOGUE {
        for (seed, timing) in (0..40).flat_map(|seed| Timing::ALL.map(|timing| (seed, timing))) {
            let texts = CHOICE[seed as usize % CHOICE.len()].iter();
            let whole = |text: &&&str| timing != Timing::Rounds || !text.contains('.') || text.contains("=0.");
            let faults: Vec<Fault> = texts.filter(whole).map(|text| text.parse().unwrap()).collect();
            let network = random(info.topology, 4, seed);
            let usual = Scenario { seed, timing, faults, ..on(info.name, network, &[3, 1, 4, 2]) };
            let usual = if info.starts == Starts::One { started_by(usual, &[0]) } else { usual };
            let elections = 1 + seed as u32 % 3;
            let scenario = Scenario { elections, limit: [40, 400][seed as usize % 2], forced: true, ..usual };
            if scenario.check_faults().is_err() {
                continue; // a recovery whose crash was left out
            }
            let (report, events) = record(&scenario);
            let mut lines = events.into_iter().map(Line::from).chain([Line::Ending(Ending::new(&scenario, &report))]);
            let replayed = bellwether_play::replay(&scenario, &mut || Ok(lines.next())).unwrap();
            let told = replayed.unwrap_or_else(|failure| panic!("{failure:?}\n  {}", command(&scenario)));
            assert_eq!(told.violations, report.violations, "{}", command(&scenario));
            assert_eq!((told.crashed, told.lost, told.repeated), (report.crashed, report.lost, report.repeated));
            assert_eq!((told.outcome, told.symmetry, told.kinds), (report.outcome, report.symmetry, report.kinds));
        }
    }
}

/// If a trace leaves out a crash, a recovery or a report, or has it too late, the replay notices it.
#[test]
fn a_replay_misses_what_befell_a_process() {
    let network = "complete:4".parse::<Topology>().unwrap().build(1).unwrap();
    let usual = on("bully", network, &[4, 3, 2, 1]);
    let timed = [(Timing::Unit, "crash=0@1.5", "recover=0@9.5"), (Timing::Rounds, "crash=0@2", "recover=0@9")];
    for (timing, crash, recovery) in timed {
        let scenario = Scenario { timing, ..faulty(usual.clone(), &[crash, recovery]) };
        let (report, events) = record(&scenario);
        let befalls = |event: &Event| matches!(event.kind, EventKind::Crash | EventKind::Recover | EventKind::PeerDown);
        let places: Vec<usize> = (0..events.len()).filter(|place| befalls(&events[*place])).collect();
        assert_eq!(places.len(), 5, "a crash, three reports, a recovery");
        for place in places {
            let mut without = events.clone();
            let mut late = without.remove(place);
            let mut delayed = without.clone();
            let later = without.iter().position(|event| event.t > late.t).unwrap_or(without.len());
            late.t = without.get(later).map_or(late.t.later_by(1), |next| next.t);
            delayed.insert(later, late);
            for changed in [without, delayed] {
                let mut lines =
                    changed.into_iter().map(Line::from).chain([Line::Ending(Ending::new(&scenario, &report))]);
                let replayed = bellwether_play::replay(&scenario, &mut || Ok(lines.next())).unwrap();
                assert!(matches!(replayed, Err(Failure::Diverges(_))), "{place}: {replayed:?}");
            }
        }
    }
}

/// A fault that concerns no process any more does not delay the next one: node 0 is down before anything reaches it.
#[test]
fn a_crash_comes_at_its_moment_whatever_came_before() {
    let network = "complete:4".parse::<Topology>().unwrap().build(1).unwrap();
    let usual = on("bully", network, &[4, 3, 2, 1]);
    let scenario = Scenario { forced: false, ..faulty(usual, &["crash=2@0.2", "crash=3@0.2", "crash=0@0.5"]) };
    let (report, events) = record(&scenario);
    assert!(report.is_right(), "{report:?}");
    let crash = events.iter().find(|event| event.kind == EventKind::Crash && event.node == 0).unwrap();
    assert_eq!(crash.t.to_string(), "0.5");
}

/// A process that recovers after its time slice does nothing about it.
#[test]
fn a_recovered_process_may_have_missed_its_round() {
    let report = play(&faulty(ring("time-slice", &[1, 2, 3]), &["crash=0@1", "recover=0@8"]));
    assert_ne!(report.outcome, Outcome::Limit);
}

/// A fault of a single message changes nothing before the message is sent, and befalls no other message.
#[test]
fn a_single_message_can_be_lost_repeated_and_held() {
    for info in CATALOGUE {
        for (seed, timing) in (1..).zip(timings(info)) {
            let ids: Vec<u64> = Ids::Random.assign(5, seed).unwrap().iter().map(|id| id.0).collect();
            let scenario =
                Scenario { seed, timing, limit: 2_000, ..on(info.name, random(info.topology, 5, seed), &ids) };
            let (_, usual) = record(&scenario);
            let sends: Vec<(usize, Node, u64)> = (0..)
                .zip(&usual)
                .filter(|(_, event)| !matches!(event.kind, EventKind::Drop | EventKind::Duplicate))
                .flat_map(|(place, event)| event.sent.iter().map(move |sent| (place, event.node, sent.n)))
                .collect();
            let Some(&(place, node, n)) = sends.get(sends.len() / 2) else { continue };
            let with = |fault: Fault| record(&Scenario { faults: vec![fault], forced: true, ..scenario.clone() }).1;
            let fates = |events: &[Event], kind: EventKind| -> Vec<(Node, u64)> {
                let fates = events.iter().filter(|event| event.kind == kind && event.received.is_empty());
                fates.map(|event| (event.node, event.sent[0].n)).collect()
            };
            let lost = with(Fault::Lose(node, n));
            assert_eq!(
                (&lost[..=place], fates(&lost, EventKind::Drop)),
                (&usual[..=place], vec![(node, n)]),
                "{}",
                info.name
            );
            let repeated = with(Fault::Repeat(node, n));
            assert_eq!(&repeated[..=place], &usual[..=place]);
            assert_eq!(fates(&repeated, EventKind::Duplicate), [(node, n)], "{}", info.name);
            let held = with(Fault::Hold(node, n, Span::units(7)));
            assert_eq!(&held[..=place], &usual[..=place]);
            let arrives = |event: &&Event| event.received.iter().any(|it| (it.from, it.n) == (node, n));
            let arrival = held.iter().find(arrives).map(|event| event.t);
            assert!(arrival.is_none_or(|t| t == usual[place].t + Span::units(7)), "{}: {arrival:?}", info.name);
        }
    }
}

#[test]
fn a_process_that_is_no_initiator_can_start_later() {
    let scenario = started_by(ring("peterson", &[1, 2, 3, 4]), &[0]);
    assert_eq!(leader(&play(&scenario)), 1);
    // Node 3 starts before the first message reaches it, so it takes part and wins.
    let late = Scenario { faults: vec![Fault::Start(3, units(2))], forced: true, ..scenario };
    assert_eq!(leader(&play(&late)), 4);
}
