//! The same scenario gives the same bytes: twice in a row, recorded or not, on every machine and in every version.

use std::collections::BTreeMap;

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Info, Port, Starts};
use bellwether_net::Node;
use bellwether_world::trace::{Ending, Event};
use bellwether_world::{Scenario, Time, Timing};

use crate::support::networks::random;
use crate::support::{draws, on, play, record, ring, started_by, timings};

/// A network of seven nodes on which chance matters: random delays, and random choices if the algorithm makes them.
/// Every schedule, also one that breaks an assumption: even failures are the same every time.
fn scenarios(info: &'static Info) -> impl Iterator<Item = Scenario> {
    let scenario = seven(info);
    let scenario = match info.starts {
        Starts::All | Starts::One => scenario,
        Starts::Any | Starts::AnyRound => started_by(scenario, &[0, 3, 4]),
    };
    Timing::ALL.into_iter().map(move |timing| Scenario { timing, seed: 42, forced: true, ..scenario.clone() })
}

fn seven(info: &'static Info) -> Scenario {
    on(info.name, random(info.topology, 7, 42), &[4, 1, 6, 3, 5, 0, 2])
}

/// A run as in a trace, without the header.
fn bytes(scenario: &Scenario) -> Vec<u8> {
    written(scenario, |event| event)
}

/// The same without what a trace need not tell: rules and variables.
fn bare_bytes(scenario: &Scenario) -> Vec<u8> {
    written(scenario, |event| Event { rules: vec![], state: Default::default(), ..event })
}

fn written(scenario: &Scenario, told: impl Fn(Event) -> Event) -> Vec<u8> {
    let (report, events) = record(scenario);
    let mut bytes = vec![];
    events.into_iter().for_each(|event| told(event).write(&mut bytes).unwrap());
    Ending::new(scenario, &report).write(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_run_played_twice_is_the_same_byte_for_byte() {
    for scenario in CATALOGUE.iter().flat_map(|info| scenarios(info)) {
        let (first, second) = (bytes(&scenario), bytes(&scenario));
        assert!(first == second, "{}", crate::support::command(&scenario));
    }
}

#[test]
fn watching_a_run_does_not_change_it() {
    for scenario in CATALOGUE.iter().flat_map(|info| scenarios(info)) {
        assert_eq!(record(&scenario).0, play(&scenario), "{}", crate::support::command(&scenario));
    }
}

#[test]
fn another_seed_is_another_run() {
    let scenario = Scenario { timing: Timing::Uniform, ..ring("chang-roberts", &[4, 1, 6, 3]) };
    assert!(bytes(&scenario) != bytes(&Scenario { seed: scenario.seed + 1, ..scenario.clone() }));
}

/// A change here changes every recorded run. It needs a reason, and a new version of the format.
#[test]
fn every_machine_and_version_gives_these_bytes() {
    let fingerprint = |info: &'static Info| {
        let run: Vec<u8> = scenarios(info).flat_map(|scenario| bare_bytes(&scenario)).collect();
        format!("{:27} {:6} bytes {:016x}", info.name, run.len(), fnv1a(&run))
    };
    let fingerprints: Vec<String> = CATALOGUE.iter().map(|info| fingerprint(info)).collect();
    assert_eq!(fingerprints, FINGERPRINTS);
}

const FINGERPRINTS: [&str; 23] = [
    "chang-roberts                19959 bytes e27f6f82da04f0a5",
    "clockwise                    53763 bytes e90c0c5695f89c5f",
    "clockwise-async              15838 bytes 9e2acfb21dd70621",
    "le-lann                      37931 bytes 248f3f7384e2683b",
    "time-slice                   44340 bytes 0bbcc5f1525fcb0e",
    "variable-speeds             266684 bytes 276614606b9ad2c2",
    "peterson                     22090 bytes fce606c39b5fbe12",
    "dolev-klawe-rodeh            23871 bytes 174500f43845b578",
    "itai-rodeh                   18521 bytes 98a8ef8f7dae1698",
    "itai-rodeh-sync              70217 bytes f987f57d18449298",
    "chang-roberts-bidirectional  20191 bytes ed37f812bff128ca",
    "franklin                     29125 bytes 76f27d10a5aa41af",
    "hirschberg-sinclair          56499 bytes 279a2c43544b162b",
    "tree-sequential              16916 bytes ca07115dc86ee38e",
    "tree-waves                   18768 bytes 6941b6337eb5020c",
    "traversal-path               21117 bytes 397aaa05420e8359",
    "traversal-edge-colouring     36273 bytes 71d29fb51d9776c0",
    "echo-election                48023 bytes 88d577b26f7f72eb",
    "adoption                     43492 bytes cc0ff96fb77fb70e",
    "floodmax                    100078 bytes 29f32c1fded9e967",
    "broadcast-max               117886 bytes c1ddcc96590f715b",
    "bully                        16967 bytes aa3e8958cfc4c1c0",
    "random-candidacy            356615 bytes daa36b99a5da683c",
];

/// The first lines of such a run, to show what a difference is about.
#[test]
fn a_run_begins_with_these_lines() {
    let scenario = Scenario { timing: Timing::Uniform, seed: 42, ..ring("itai-rodeh", &[0, 0]) };
    let text = String::from_utf8(bytes(&scenario)).unwrap();
    assert_eq!(text.lines().take(3).collect::<Vec<_>>(), FIRST_LINES.trim().lines().collect::<Vec<_>>());
}

const FIRST_LINES: &str = r#"
{"t":0,"node":0,"kind":"start","draws":[0],"rules":["1a"],"state":{"n":"2","level":"1","x":"1"},"role":"active","sent":[{"n":0,"to":1,"port":0,"msg":{"token":[1,1,1,true]}}]}
{"t":0,"node":1,"kind":"start","draws":[1],"rules":["1a"],"state":{"n":"2","level":"1","x":"2"},"role":"active","sent":[{"n":0,"to":0,"port":0,"msg":{"token":[2,1,1,true]}}]}
{"t":0.696717,"node":1,"kind":"receive","received":[{"n":0,"from":0,"port":1,"msg":{"token":[1,1,1,true]}}],"rules":["2e"],"state":{"level":null,"x":null},"role":"passive","sent":[{"n":1,"to":0,"port":0,"msg":{"token":[1,1,2,true]}}]}
"#;

/// The delays on each outgoing link of a node, in millionths and in the order of sending.
fn delays(scenario: &Scenario) -> BTreeMap<(Node, Port), Vec<u64>> {
    let (_, events) = record(scenario);
    let arrivals = |event: &Event| event.received.iter().map(|it| ((it.from, it.n), event.t)).collect::<Vec<_>>();
    let arrived: BTreeMap<(Node, u64), Time> = events.iter().flat_map(arrivals).collect();
    let after = |from: Time, to: Time| ((to.as_f64() - from.as_f64()) * 1e6).round() as u64;
    let mut delays = BTreeMap::<_, Vec<_>>::new();
    for event in &events {
        for sent in &event.sent {
            delays
                .entry((event.node, sent.port))
                .or_default()
                .extend(arrived.get(&(event.node, sent.n)).map(|at| after(event.t, *at)));
        }
    }
    delays
}

#[test]
fn all_algorithms_meet_the_same_delays() {
    let names = ["chang-roberts", "le-lann", "peterson", "dolev-klawe-rodeh", "franklin", "hirschberg-sinclair"];
    // Without FIFO: on a FIFO link a message may have to wait for the one before.
    let scenario =
        |name| Scenario { timing: Timing::Reorder, seed: 7, forced: true, ..ring(name, &[4, 1, 6, 3, 5, 0, 2]) };
    let [first, others @ ..] = names.map(|name| delays(&scenario(name)));
    let mut compared = 0;
    for (way, theirs) in others.iter().flatten() {
        for (mine, theirs) in first.get(way).into_iter().flatten().zip(theirs) {
            assert_eq!(mine, theirs, "{way:?}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Each process has its own random stream. Its draws depend neither on delays nor on the draws of others.
#[test]
fn a_process_draws_the_same_under_every_schedule() {
    for info in CATALOGUE.iter().filter(|info| info.randomised) {
        for seed in 0..50 {
            let scenario = Scenario { seed, ..seven(info) };
            let drawn = |timing| draws(&record(&Scenario { timing, ..scenario.clone() }).1, 7);
            let expected = drawn(Timing::Unit);
            assert!(expected.iter().any(|draws| !draws.is_empty()));
            for timing in timings(info) {
                for (mine, theirs) in expected.iter().zip(drawn(timing)) {
                    // Without FIFO links a process may be asked more or less often.
                    let common = mine.len().min(theirs.len());
                    assert_eq!(mine[..common], theirs[..common], "{} {timing} seed {seed}", info.name);
                    assert!(mine.len() == theirs.len() || !timing.is_fifo());
                }
            }
        }
    }
}

/// A checksum in one line of code (Fowler, Noll and Vo).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
