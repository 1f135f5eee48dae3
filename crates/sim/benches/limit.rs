//! How far the engines are from the limit: an election, and the same election as a hand-written loop that can do
//! nothing else.
//!
//! `cargo bench -p bellwether-sim --bench limit [-- NAME ...]` prints the best of several turns. Engine and loop
//! alternate, so a busy machine slows down both. The ratio is what counts: on a shared machine, a harness that measures
//! one function after the other does not give it. "In order" is the same election played in order of time, as on all
//! networks but one-way rings. With random delays the loop is still the one for unit delays: the ratio then shows what
//! delays cost. With `--test` the smaller loads run once, as a smoke test. With `--once NAME` the engine plays that
//! load once, for a tool that counts instructions.

#![allow(clippy::disallowed_types, reason = "time is what is measured here")]

use std::hint::black_box;
use std::time::Instant;

use bellwether_algorithms::graph::Floodmax;
use bellwether_algorithms::ring::ChangRoberts;
use bellwether_core::{Id, Process, Rounds};
use bellwether_net::{Network, Ring, Topology, Wiring};
use bellwether_sim::{events, rounds};
use bellwether_world::host::{Count, Watcher, Wishes};
use bellwether_world::ids::Ids;
use bellwether_world::{Report, Scenario, Timing};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if std::env::args().any(|arg| arg == "--test") {
        return loads().iter().filter(|load| load.size <= 10_000).for_each(|load| {
            load.hold(&(load.scenario)(load.size));
        });
    }
    if std::env::args().any(|arg| arg == "--once") {
        let all = loads();
        let load = all.iter().find(|load| wanted.contains(&load.name)).expect("a load of that name");
        return println!("{}", once(load.engine, &(load.scenario)(load.size)));
    }
    println!("{:<51} {:>10} {:>10} {:>7}", "million messages a second", "engine", "by hand", "ratio");
    for load in loads() {
        // A load that takes minutes must be given by its full name; and a full name selects only that load.
        let is_full = |part: &String| loads().iter().any(|load| load.name == *part);
        let is_wanted = |part: &String| match is_full(part) {
            true => load.name == *part,
            false => load.name.contains(part.as_str()) && !load.is_large,
        };
        if wanted.iter().any(is_wanted) || wanted.is_empty() && !load.is_large {
            load.measure();
        }
    }
}

/// The code whose instructions are counted.
#[inline(never)]
fn once(engine: fn(&Scenario) -> Report, scenario: &Scenario) -> u64 {
    engine(scenario).messages()
}

/// An election, played by an engine and by a hand-written loop.
struct Load {
    name: String,
    is_large: bool,
    scenario: fn(u32) -> Scenario,
    size: u32,
    engine: fn(&Scenario) -> Report,
    by_hand: fn(&Scenario) -> u64,
}

fn loads() -> Vec<Load> {
    type Make = fn(u32) -> Scenario;
    type Elect = fn(&Scenario) -> Report;
    let random: Make = |nodes| ring(Ids::Random, nodes, Timing::Unit);
    let descending: Make = |nodes| ring(Ids::Descending, nodes, Timing::Unit);
    let delayed: Make = |nodes| ring(Ids::Random, nodes, Timing::Uniform);
    let unfair: Make = |nodes| ring(Ids::Descending, nodes, Timing::Uniform);
    let ways: [(&str, Elect); 2] = [("", elect), (" in order", elect_in_order)];
    let sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
    let rings = [
        ("unit", "random ids", random, &sizes[..]),
        ("unit", "descending", descending, &[400, 4_000]),
        ("uniform", "random ids", delayed, &sizes),
        ("uniform", "descending", unfair, &[1_000, 4_000, 20_000]),
    ];
    let mut loads = Vec::new();
    for (way, engine) in ways {
        for (delays, ids, scenario, sizes) in rings {
            for &size in sizes {
                let name = format!("chang-roberts {delays}{way}, {ids}, n = {size}");
                loads.push(Load { name, is_large: size > 1_000_000, scenario, size, engine, by_hand });
            }
        }
    }
    for size in [32, 100, 316] {
        let name = format!("floodmax rounds, grid {size} x {size}");
        loads.push(Load { name, is_large: false, scenario: grid, size, engine: flood, by_hand: flood_by_hand });
    }
    loads
}

impl Load {
    /// Plays the election both ways, which must cost the same. Returns the number of messages.
    fn hold(&self, scenario: &Scenario) -> u64 {
        let messages = (self.engine)(scenario).messages();
        assert_eq!(messages, (self.by_hand)(scenario), "{}", self.name);
        messages
    }

    fn measure(&self) {
        let Self { name, scenario, size, engine, by_hand, .. } = self;
        let scenario = scenario(*size);
        let messages = self.hold(&scenario);
        let turns = if messages > 100_000_000 { 2 } else { 5 };
        // Short runs are repeated in a turn: the system counts processor time in milliseconds.
        let runs = 1 + 60_000_000 / messages;
        let mut best = [f64::INFINITY; 2];
        for _ in 0..turns {
            best[0] = best[0].min(seconds(|| (0..runs).map(|_| engine(black_box(&scenario)).messages()).sum()));
            best[1] = best[1].min(seconds(|| (0..runs).map(|_| by_hand(black_box(&scenario))).sum()));
        }
        let [engine, by_hand] = best.map(|seconds| (runs * messages) as f64 / seconds / 1e6);
        println!("{name:<51} {engine:>10.1} {by_hand:>10.1} {:>6.0}%", 100.0 * engine / by_hand);
    }
}

fn seconds(work: impl FnOnce() -> u64) -> f64 {
    let (start, began) = (Instant::now(), processor_seconds());
    black_box(work());
    began.zip(processor_seconds()).map_or(start.elapsed().as_secs_f64(), |(began, ended)| ended - began)
}

/// The processor time of this thread, if the system tells it: other programs run at the same time.
fn processor_seconds() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(told.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

fn ring(ids: Ids, nodes: u32, timing: Timing) -> Scenario {
    let network = Ring::new(nodes.into()).unwrap().into();
    Scenario { timing, ..Scenario::new(ChangRoberts::INFO, network, ids.assign(nodes, 1).unwrap()) }
}

fn elect(scenario: &Scenario) -> Report {
    events::play_fast::<ChangRoberts>(scenario, Wishes::none(&mut Watcher)).unwrap()
}

/// The same in order of time, as on all networks but one-way rings.
fn elect_in_order(scenario: &Scenario) -> Report {
    events::play_fast::<ChangRoberts>(scenario, Wishes { count: Count::InFlight, ..Wishes::none(&mut Watcher) })
        .unwrap()
}

/// Chang-Roberts with all nodes starting, and the announcement. Returns the number of messages.
fn by_hand(scenario: &Scenario) -> u64 {
    let ids = &scenario.ids;
    let nodes = ids.len() as u32;
    let after = |node: u32| if node + 1 == nodes { 0 } else { node + 1 };
    let mut tokens: Vec<(u32, Id)> = (0..nodes).map(|node| (after(node), ids[node as usize])).collect();
    let mut messages = tokens.len() as u64;
    loop {
        // Tokens that go on move up. There is no branch for that: it would be mispredicted.
        let mut kept = 0;
        for token in 0..tokens.len() {
            let (at, id) = tokens[token];
            if id == ids[at as usize] {
                let mut told = vec![None; nodes as usize];
                let mut at = at;
                while told[at as usize] != Some(id) {
                    told[at as usize] = Some(id);
                    messages += 1;
                    at = after(at);
                }
                black_box(told);
                return messages;
            }
            tokens[kept] = (after(at), id);
            kept += usize::from(id > ids[at as usize]);
        }
        tokens.truncate(kept);
        messages += kept as u64;
    }
}

fn grid(side: u32) -> Scenario {
    let network: Network = format!("grid:{side}x{side}").parse::<Topology>().unwrap().build(1).unwrap();
    let nodes = network.nodes();
    let mut scenario = Scenario::new(Floodmax::INFO, network, Ids::Random.assign(nodes, 1).unwrap());
    scenario.settings.insert("diameter".into(), 2 * (u64::from(side) - 1));
    scenario
}

fn flood(scenario: &Scenario) -> Report {
    rounds::play_fast::<Floodmax>(scenario, Wishes::none(&mut Watcher)).unwrap()
}

/// FloodMax on a grid. Returns the number of messages.
fn flood_by_hand(scenario: &Scenario) -> u64 {
    let (mut known, network) = (scenario.ids.clone(), &scenario.topology);
    let side = known.len().isqrt();
    let rounds = scenario.settings["diameter"];
    let mut next = known.clone();
    for _ in 0..rounds {
        for row in 0..side {
            for column in 0..side {
                let at = row * side + column;
                let mut best = known[at];
                if row > 0 {
                    best = best.max(known[at - side]);
                }
                if column > 0 {
                    best = best.max(known[at - 1]);
                }
                if column + 1 < side {
                    best = best.max(known[at + 1]);
                }
                if row + 1 < side {
                    best = best.max(known[at + side]);
                }
                next[at] = best;
            }
        }
        std::mem::swap(&mut known, &mut next);
    }
    assert!(known.iter().all(|id| *id == known[0]));
    2 * rounds * network.links()
}
