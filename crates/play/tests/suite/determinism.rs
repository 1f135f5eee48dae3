//! The same scenario gives the same bytes: twice in a row, watched or not, on every machine and in every version.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Info, Starts};
use bellwether_world::trace::{self, Ending};
use bellwether_world::{Scenario, Timing};

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
    "chang-roberts                19355 bytes 4b6458c556efae62",
    "clockwise                    55515 bytes 774a8d5892396b51",
    "clockwise-async              15524 bytes 38289ff0640b581f",
    "le-lann                      37629 bytes 735ef822f0687f85",
    "time-slice                   44680 bytes f9e8fbcf13a456af",
    "variable-speeds             275325 bytes 91ca7c013b07f3af",
    "peterson                     21562 bytes 6f4588a8f87055ed",
    "dolev-klawe-rodeh            21226 bytes e24efabda021c712",
    "itai-rodeh                   17868 bytes 624f157ca1a93213",
    "itai-rodeh-sync              67401 bytes c9d211ac04da0ff0",
    "chang-roberts-bidirectional  19589 bytes ff05e1f01a6e1186",
    "franklin                     28687 bytes 2fb9f1a0a1241c7b",
    "hirschberg-sinclair          56628 bytes 34bb17c0e44855d3",
    "tree-sequential              16067 bytes 9eb16b2251d18178",
    "tree-waves                   17926 bytes 8035146cc0dcae35",
    "traversal-path               22170 bytes 63e7e03217173238",
    "traversal-edge-colouring     37489 bytes 13616d76c44d3e28",
    "echo-election                46210 bytes 737b9329e6943822",
    "adoption                     42918 bytes 7ac7116ebcaec32e",
    "floodmax                    101057 bytes 0fa5f828856d6f98",
    "broadcast-max               119304 bytes c5e5522358bf6fa4",
    "bully                        16426 bytes 0271502fba964c4b",
    "random-candidacy            359402 bytes 94584de1cff6f19e",
];

/// The first lines of such a run, to see what a difference is about.
#[test]
fn a_run_begins_with_these_lines() {
    let scenario = Scenario { timing: Timing::Uniform, seed: 42, ..ring("itai-rodeh", &[0, 0]) };
    let text = String::from_utf8(bytes(&scenario)).unwrap();
    assert_eq!(text.lines().take(3).collect::<Vec<_>>(), FIRST_LINES.trim().lines().collect::<Vec<_>>());
}

const FIRST_LINES: &str = r#"
{"t":0,"node":0,"kind":"start","draws":[0],"sent":[{"n":0,"to":1,"port":0,"msg":{"token":[1,1,1,true]}}]}
{"t":0,"node":1,"kind":"start","draws":[1],"sent":[{"n":1,"to":0,"port":0,"msg":{"token":[2,1,1,true]}}]}
{"t":0.540799,"node":0,"kind":"receive","received":[{"n":1,"from":1,"port":1,"msg":{"token":[2,1,1,true]}}]}
"#;

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
