//! The same scenario gives the same bytes: twice in a row, watched or not, on every machine and in every version.

use std::collections::BTreeMap;

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Info, Port, Starts};
use bellwether_world::trace::{self, Ending};
use bellwether_world::{Node, Scenario, Time, Timing};

use crate::support::networks::random;
use crate::support::{draws, on, play, record, ring, started_by, timings};

/// A network of seven on which chance matters: random delays, and random choices where the algorithm makes them. Every
/// schedule, also one that breaks an assumption: even what goes wrong goes wrong in the same way.
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

/// A run as a trace has it, without the header.
fn bytes(scenario: &Scenario) -> Vec<u8> {
    let (report, events) = record(scenario);
    let mut bytes = vec![];
    events.iter().for_each(|event| trace::write(&mut bytes, event).unwrap());
    trace::write(&mut bytes, &Ending::new(scenario, &report)).unwrap();
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

/// A change here changes every recorded run: it needs a reason, and a new version of the format.
#[test]
fn every_machine_and_version_gives_these_bytes() {
    let fingerprint = |info: &'static Info| {
        let run: Vec<u8> = scenarios(info).flat_map(|scenario| bytes(&scenario)).collect();
        format!("{:27} {:6} bytes {:016x}", info.name, run.len(), fnv1a(&run))
    };
    let fingerprints: Vec<String> = CATALOGUE.iter().map(|info| fingerprint(info)).collect();
    assert_eq!(fingerprints, FINGERPRINTS);
}

const FINGERPRINTS: [&str; 23] = [
    "chang-roberts                20079 bytes 57848fecf6c4c50d",
    "clockwise                    54237 bytes 01868d5c39293fe7",
    "clockwise-async              15888 bytes c61567a13c2174a9",
    "le-lann                      38321 bytes c148b011f47d8777",
    "time-slice                   44767 bytes 1168382ec5b62401",
    "variable-speeds             269654 bytes 763c648ec12118da",
    "peterson                     22240 bytes fd252583d7f44532",
    "dolev-klawe-rodeh            24141 bytes bbb8dcc9cc850de6",
    "itai-rodeh                   18601 bytes 577e225ebf44303e",
    "itai-rodeh-sync              70767 bytes 08ad8ecfe4ce44de",
    "chang-roberts-bidirectional  20311 bytes b3e3b728b53dfc3a",
    "franklin                     29375 bytes 0ef0686e70ae8ff7",
    "hirschberg-sinclair          57079 bytes bf69aded1d625bb9",
    "tree-sequential              16996 bytes 7f69e3feb4433120",
    "tree-waves                   18868 bytes ea15709671d4d6be",
    "traversal-path               21229 bytes f29108e84daacbf9",
    "traversal-edge-colouring     36581 bytes 93287d4d6df27e6c",
    "echo-election                48519 bytes 961845aecfd54cff",
    "adoption                     43946 bytes fedab5c9ba9bdbca",
    "floodmax                    101050 bytes e449a12476c018f3",
    "broadcast-max               119306 bytes d8a672d5b966f04f",
    "bully                        17047 bytes abe64ba0b3aeb7f0",
    "random-candidacy            360601 bytes ee56e54c44bbab25",
];

/// The first lines of such a run, to see what a difference is about.
#[test]
fn a_run_begins_with_these_lines() {
    let scenario = Scenario { timing: Timing::Uniform, seed: 42, ..ring("itai-rodeh", &[0, 0]) };
    let text = String::from_utf8(bytes(&scenario)).unwrap();
    assert_eq!(text.lines().take(3).collect::<Vec<_>>(), FIRST_LINES.trim().lines().collect::<Vec<_>>());
}

const FIRST_LINES: &str = r#"
{"t":0,"node":0,"kind":"start","draws":[0],"role":"active","sent":[{"n":0,"to":1,"port":0,"msg":{"token":[1,1,1,true]}}]}
{"t":0,"node":1,"kind":"start","draws":[1],"role":"active","sent":[{"n":1,"to":0,"port":0,"msg":{"token":[2,1,1,true]}}]}
{"t":0.696717,"node":1,"kind":"receive","received":[{"n":0,"from":0,"port":1,"msg":{"token":[1,1,1,true]}}],"role":"passive","sent":[{"n":2,"to":0,"port":0,"msg":{"token":[1,1,2,true]}}]}
"#;

/// What the messages on each way out of a node take, in millionths and in the order of sending.
fn delays(scenario: &Scenario) -> BTreeMap<(Node, Port), Vec<u64>> {
    let (_, events) = record(scenario);
    let arrived: BTreeMap<u64, Time> =
        events.iter().flat_map(|event| event.received.iter().map(|received| (received.n, event.t))).collect();
    let after = |from: Time, to: Time| ((to.as_f64() - from.as_f64()) * 1e6).round() as u64;
    let mut delays = BTreeMap::<_, Vec<_>>::new();
    for event in &events {
        for sent in &event.sent {
            delays
                .entry((event.node, sent.port))
                .or_default()
                .extend(arrived.get(&sent.n).map(|at| after(event.t, *at)));
        }
    }
    delays
}

#[test]
fn all_algorithms_meet_the_same_delays() {
    let names = ["chang-roberts", "le-lann", "peterson", "dolev-klawe-rodeh", "franklin", "hirschberg-sinclair"];
    // Without order on the links: there a message may have to wait for the one before.
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

/// Each process has a stream of its own: what it draws depends neither on delays nor on what others draw.
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
                    // Without order on the links a process may be asked more or less often.
                    let common = mine.len().min(theirs.len());
                    assert_eq!(mine[..common], theirs[..common], "{} {timing} seed {seed}", info.name);
                    assert!(mine.len() == theirs.len() || !timing.is_fifo());
                }
            }
        }
    }
}

/// A checksum that is a line of code (Fowler, Noll and Vo).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
