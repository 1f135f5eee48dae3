//! Small pictures, checked once by eye and kept.

use bellwether_draw::spacetime::{self, Direction};
use bellwether_draw::{Portrait, Remarks, text};

use crate::support::{TRACES, diagram, events, reader, trace};

#[test]
fn a_ring_with_time_downwards_and_to_the_right() {
    insta::assert_snapshot!("ring-down", spacetime::svg(&diagram(trace("ring")), Direction::Down));
    insta::assert_snapshot!("ring-right", spacetime::svg(&diagram(trace("ring")), Direction::Right));
}

#[test]
fn losses_copies_and_a_cut() {
    insta::assert_snapshot!("faults", spacetime::svg(&diagram(trace("faults")), Direction::Down));
}

#[test]
fn a_network_after_a_run() {
    let mut portrait = Portrait::of_run(&reader(trace("graph")).header.scenario, false).unwrap();
    events(trace("graph")).iter().for_each(|event| portrait.event(event).unwrap());
    insta::assert_snapshot!(
        "network",
        portrait.svg(&Remarks::default(), "bellwether replay run.ndjson --view network")
    );
}

#[test]
fn everything_in_text() {
    for (name, trace) in TRACES {
        insta::assert_snapshot!(format!("text-{name}"), text::draw(&diagram(trace), 160, 400).unwrap());
    }
}
