//! Measures how long it takes to make, write, read and measure large networks, of some ten million links each.
//!
//! `cargo bench -p bellwether-net --bench networks [-- NAME ...]` prints the elapsed seconds for each network whose
//! name contains one of the given names. With `--test` it uses small networks, as a test of the benchmark itself.

#![allow(clippy::disallowed_types, reason = "time is what is measured here")]

use std::path::Path;
use std::time::Instant;

use bellwether_net::formats::{self, Format};
use bellwether_net::{Topology, Wires, Wiring};

const LARGE: [&str; 6] =
    ["torus:2237x2237", "hypercube:20", "gnp:1000000:0.00002", "regular:5000000:4", "ba:5000000:2", "ws:5000000:4:0.1"];
const SMALL: [&str; 6] = ["torus:30x30", "hypercube:9", "gnp:1000:0.02", "regular:900:4", "ba:900:2", "ws:900:4:0.1"];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let networks = if std::env::args().any(|arg| arg == "--test") { SMALL } else { LARGE };
    println!(
        "{:<22} {:>11} {:>6} {:>8} {:>6} {:>9}  diameter",
        "seconds", "links", "made", "written", "read", "measured"
    );
    for name in networks.into_iter().filter(|name| wanted.is_empty() || wanted.iter().any(|part| name.contains(part))) {
        let (network, made) = timed(|| name.parse::<Topology>().unwrap().build(1).unwrap());
        let mut text = Vec::new();
        let ((), written) = timed(|| formats::write(&network, Format::EdgeList, &mut text).unwrap());
        let (again, read) = timed(|| formats::read(&text, Path::new("some.edges")).unwrap());
        assert!(again.wires == network.wires, "{name} is another when it is read");
        let Wires::Graph(graph) = network.wires else { panic!("{name} is stored") };
        let (diameter, measured) = timed(|| graph.diameter());
        let links = graph.links();
        println!("{name:<22} {links:>11} {made:>6.1} {written:>8.1} {read:>6.1} {measured:>9.1}  {diameter}");
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let began = Instant::now();
    let done = work();
    (done, began.elapsed().as_secs_f64())
}
