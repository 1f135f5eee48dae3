//! Numbers that the leader gives to all nodes after an election.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Info, Knowledge, Model, TopologyKind};
use bellwether_net::Wiring;
use bellwether_world::host::{Watcher, Wishes};
use bellwether_world::trace::{Ending, Event, Line};
use bellwether_world::{Clock, Fault, Outcome, Report, Scenario, Timing};

use crate::support::networks::{complete, random, small_elections};
use crate::support::{command, elect, info, kinds, on, play, record, ring, timings};

/// The algorithms that can be followed by the wave.
fn asynchronous() -> impl Iterator<Item = &'static Info> {
    CATALOGUE.iter().copied().filter(|info| info.model == Model::Asynchronous)
}

fn numbered(scenario: &Scenario) -> Scenario {
    Scenario { number: true, ..scenario.clone() }
}

/// The wave costs n messages on a one-way ring, and 2m elsewhere.
fn wave(info: &Info, scenario: &Scenario) -> u64 {
    let network = &scenario.topology;
    let one_way = info.topology == TopologyKind::OneWayRing;
    if one_way && network.links() > 0 { network.nodes().into() } else { 2 * network.links() }
}

/// The leader has number 1, all have different ones from 1 to n, and the wave costs what is proved.
fn assert_numbered(info: &Info, scenario: &Scenario, report: &Report) {
    let numbers = report.numbers.as_ref().expect("there are few nodes");
    assert_eq!(numbers[report.leaders[0].node as usize], Some(1), "{}", command(scenario));
    let mut sorted: Vec<u64> = numbers.iter().copied().flatten().collect();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(1..=u64::from(scenario.topology.nodes())), "{numbers:?}: {}", command(scenario));
    let last = report.kinds.last().expect("the wave has a kind");
    assert_eq!(
        (last.name, last.count, last.announce),
        ("number", wave(info, scenario), false),
        "{}",
        command(scenario)
    );
    assert_eq!(report.purposes().overhead, last.count);
}

#[test]
fn every_node_of_every_small_network_gets_a_number_and_the_election_stays_as_it_was() {
    let large = ["chang-roberts", "itai-rodeh", "franklin", "tree-waves", "echo-election", "bully"];
    for info in asynchronous() {
        let largest = if large.contains(&info.name) { 5 } else { 3 };
        for scenario in small_elections(info, largest) {
            let (plain, report) = (elect(&scenario), elect(&numbered(&scenario)));
            assert_numbered(info, &scenario, &report);
            assert_eq!(kinds(&report), kinds(&plain), "{}", command(&scenario));
            assert_eq!((report.bits, report.time, &report.leaders), (plain.bits, plain.time, &plain.leaders));
        }
    }
}

#[test]
fn under_every_timing_nodes_are_numbered_and_the_trace_replays() {
    for info in asynchronous() {
        for timing in timings(info).filter(|timing| *timing != Timing::Rounds) {
            let network = random(info.topology, 7, 3);
            let scenario = Scenario { timing, seed: 42, ..on(info.name, network, &[4, 1, 6, 3, 5, 0, 2]) };
            let scenario = numbered(&scenario);
            let (report, events) = record(&scenario);
            assert!(report.is_right(), "{}: {:?}", command(&scenario), report.violations);
            assert_numbered(info, &scenario, &report);
            assert_eq!((&report, &events), (&play(&scenario), &record(&scenario).1), "{}", command(&scenario));
            // The variable of every node says the same.
            for (node, number) in (0..).zip(report.numbers.as_ref().unwrap()) {
                let mut told =
                    events.iter().filter(|event| event.node == node).filter_map(|event| event.state.get("number"));
                assert_eq!(told.next_back().and_then(|told| told.as_str()), number.map(|it| it.to_string()).as_deref());
            }
            assert_eq!(replayed(&scenario, &report, events).numbers, report.numbers);
        }
    }
}

fn replayed(scenario: &Scenario, report: &Report, events: Vec<Event>) -> Report {
    let mut lines = events.into_iter().map(Line::from).chain([Line::Ending(Ending::new(scenario, report))]);
    let replayed = bellwether_play::replay(scenario, &mut || Ok(lines.next())).unwrap();
    replayed.unwrap_or_else(|failure| panic!("{failure:?}\n  {}", command(scenario)))
}

#[test]
fn a_live_run_waits_for_the_wave_and_replays() {
    for info in asynchronous() {
        let unit_us = if info.knows.contains(&Knowledge::MaxDelay) { 300_000 } else { 1_000 };
        let timing = Timing::Live(Clock { unit_us, latency_us: (0, 200) });
        let scenario = on(info.name, random(info.topology, 6, 1), &[4, 1, 3, 5, 0, 2]);
        let scenario = Scenario { timing, number: true, ..scenario };
        let mut events = vec![];
        let mut record = |event| events.push(event);
        let mut watcher = Watcher;
        let wishes = Wishes { record: Some(&mut record), ..Wishes::none(&mut watcher) };
        let report = bellwether_play::live(&scenario, 2, wishes).unwrap().unwrap();
        assert!(report.is_right(), "{}: {:?}", command(&scenario), report.violations);
        assert_numbered(info, &scenario, &report);
        assert_eq!(replayed(&scenario, &report, events).numbers, report.numbers);
    }
}

#[test]
fn a_crash_leaves_a_node_without_a_number_and_that_is_a_violation() {
    let bully = on("bully", complete(4), &[1, 2, 3, 4]);
    let crash = Fault::parse("crash=0@0.5", &bully.topology).unwrap();
    let scenario = numbered(&Scenario { faults: vec![crash], forced: true, ..bully });
    let report = play(&scenario);
    assert_eq!(report.outcome, Outcome::Elected);
    assert_eq!(report.violations, ["numbers are missing: node 0 has none"]);
}

#[test]
fn two_leaders_begin_two_waves_and_both_end() {
    for name in ["chang-roberts", "franklin"] {
        let scenario = numbered(&Scenario { forced: true, limit: 1_000, ..ring(name, &[5, 1, 5, 1]) });
        let report = play(&scenario);
        assert_eq!(report.outcome, Outcome::SeveralLeaders, "{name}");
        assert!(report.numbers.unwrap().iter().all(Option::is_some), "{name}");
    }
    assert!(info("franklin").topology == TopologyKind::TwoWayRing);
}
