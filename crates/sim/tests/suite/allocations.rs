//! No engine allocates for a message: a run with many more messages allocates no more often, and no more memory.

use allocation_counter::{AllocationInfo, measure};
use bellwether_algorithms::graph::Floodmax;
use bellwether_algorithms::ring::{ChangRoberts, Franklin, HirschbergSinclair, LeLann, Peterson};
use bellwether_core::{Id, Process, Rounds};
use bellwether_net::{Graph, Ring, Topology, Wiring};
use bellwether_sim::{events, rounds};
use bellwether_world::host::{Algorithm, Bytes, Count, Error, Watcher, Wishes};
use bellwether_world::ids::Ids;
use bellwether_world::{Report, Scenario, Timing};

use crate::support::Scales;

const NODES: u32 = 2_000;

type Play = fn(&Scenario, Wishes<'_>) -> Result<Report, Error>;

/// On the general engine.
fn in_rounds(scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    bellwether_sim::play(Algorithm::process::<ChangRoberts>(), scenario, wishes)
}

/// The number of messages of a run, and its allocations.
fn cost(play: Play, scenario: &Scenario) -> (u64, AllocationInfo) {
    let mut messages = 0;
    let allocated = measure(|| {
        let mut watcher = Watcher;
        let wishes = Wishes::none(&mut watcher);
        messages = play(scenario, wishes).unwrap().messages();
    });
    (messages, allocated)
}

fn assert_no_more_for_many(play: Play, few: &Scenario, many: &Scenario) {
    let (few, allocated) = cost(play, few);
    let (many, allocated_more) = cost(play, many);
    assert!(many > 20 * few, "{many} messages are not many more than {few}");
    // Lists that grow by doubling may still do so once or twice, and a calendar has 512 of them.
    let more = allocated_more.count_total.saturating_sub(allocated.count_total);
    assert!(more <= 1_000 && more * 1_000 < many, "{more} allocations more for {many} messages than for {few}");
    let peaks = (allocated.bytes_max, allocated_more.bytes_max);
    assert!(peaks.1 < peaks.0 * 2, "{} bytes for {few} messages, {} for {many}", peaks.0, peaks.1);
}

fn ring<P: Process>(timing: Timing, elections: u32) -> Scenario {
    Scenario { elections, ..ring_of::<P>(NODES, timing) }
}

fn ring_of<P: Process>(nodes: u32, timing: Timing) -> Scenario {
    let network = Ring::new(nodes.into()).unwrap().into();
    let ids = Ids::Random.assign(nodes, 1).unwrap();
    Scenario { timing, ..Scenario::new(P::INFO, network, ids) }
}

#[test]
fn one_way_traffic_allocates_nothing_for_a_message() {
    for timing in [Timing::Unit, Timing::Uniform, Timing::Exponential] {
        let scenario = |elections| ring::<ChangRoberts>(timing, elections);
        assert_no_more_for_many(events::play_fast::<ChangRoberts>, &scenario(1), &scenario(50));
    }
}

#[test]
fn traffic_that_must_be_sorted_allocates_nothing_for_a_message() {
    for timing in [Timing::Unit, Timing::Uniform] {
        let (messages, allocated) =
            cost(events::play_fast::<HirschbergSinclair>, &ring::<HirschbergSinclair>(timing, 1));
        assert!(allocated.count_total * 20 < messages, "{} allocations for {messages} messages", allocated.count_total);
    }
}

#[test]
fn dense_rounds_allocate_nothing_for_a_message() {
    for network in ["ring:2000", "grid:40x50"] {
        let scenario = |diameter| {
            let network = network.parse::<Topology>().unwrap().build(1).unwrap();
            let mut scenario = Scenario::new(Floodmax::INFO, network, Ids::Random.assign(NODES, 1).unwrap());
            scenario.settings.insert("diameter".into(), diameter);
            scenario
        };
        assert_no_more_for_many(rounds::play_fast::<Floodmax>, &scenario(10), &scenario(1_000));
    }
}

#[test]
fn what_a_run_says_that_it_takes_is_what_it_takes() {
    const MANY: u32 = 100_000;
    let grid = "grid:300x300".parse::<Topology>().unwrap().build(1).unwrap();
    let mut flood = Scenario::new(Floodmax::INFO, grid, Ids::Random.assign(90_000, 1).unwrap());
    flood.settings.insert("diameter".into(), 30);
    let runs: [(&str, Play, Scenario); 7] = [
        ("by registers", rounds::play_fast::<Floodmax>, flood),
        ("one way", events::play_fast::<ChangRoberts>, ring_of::<ChangRoberts>(MANY, Timing::Unit)),
        ("one way in rounds", in_rounds, ring_of::<ChangRoberts>(MANY, Timing::Rounds)),
        ("one way with delays", events::play_fast::<ChangRoberts>, ring_of::<ChangRoberts>(MANY, Timing::Uniform)),
        ("all the time", events::play_fast::<Peterson>, ring_of::<Peterson>(MANY, Timing::Unit)),
        ("both ways", events::play_fast::<Franklin>, ring_of::<Franklin>(3 * MANY, Timing::Unit)),
        (
            "both ways with delays",
            events::play_fast::<HirschbergSinclair>,
            ring_of::<HirschbergSinclair>(MANY, Timing::Uniform),
        ),
    ];
    for (name, play, scenario) in runs {
        let (mut scales, mut most) = (Scales::default(), 0);
        let wishes = Wishes { count: Count::InFlight, ..Wishes::none(&mut scales) };
        let allocated = measure(|| most = play(&scenario, wishes).unwrap().stats.peak_in_flight.unwrap());
        let Bytes { node, message } = scales.0.expect("it says so");
        // The ids were allocated before.
        let said = scenario.ids.len() as u64 * (node - size_of::<Id>()) as u64 + most * message as u64;
        let ratio = allocated.bytes_max as f64 / said as f64;
        assert!((0.8..1.25).contains(&ratio), "{name}: said {said} bytes, took {}", allocated.bytes_max);
    }
}

#[test]
fn a_network_takes_no_more_than_is_said() {
    for network in ["grid:300x300", "torus:200x150", "hypercube:14", "complete:700", "star:50000", "gnp:3000:0.02"] {
        let topology = network.parse::<Topology>().unwrap();
        let mut built = None;
        let took = measure(|| built = Some(topology.build(1).unwrap())).bytes_max as f64;
        let built = built.unwrap();
        let said = Graph::bytes(built.nodes().into(), built.links()) as f64;
        assert!((0.5..=1.0).contains(&(took / said)), "{network}: said {said} bytes, took {took}");
    }
}

/// All messages of such an election are under way at once, before the first of them is swallowed.
#[test]
fn what_travels_in_trains_takes_no_more_than_is_said() {
    const MANY: u32 = 20_000;
    let runs: [(&str, Play, Scenario); 2] = [
        ("chang-roberts", events::play_fast::<ChangRoberts>, ring_of::<ChangRoberts>(MANY, Timing::Unit)),
        ("le-lann", events::play_fast::<LeLann>, ring_of::<LeLann>(MANY / 10, Timing::Unit)),
    ];
    for (name, play, scenario) in runs {
        let scenario = Scenario { ids: Ids::Descending.assign(scenario.ids.len() as u32, 1).unwrap(), ..scenario };
        let mut scales = Scales::default();
        let wishes = Wishes::none(&mut scales);
        let allocated = measure(|| drop(play(&scenario, wishes).unwrap()));
        let Bytes { node, message } = scales.0.expect("it says so");
        let said = (scenario.ids.len() * (node - size_of::<Id>() + message)) as f64;
        let took = allocated.bytes_max as f64;
        assert!((0.8..1.25).contains(&(took / said)), "{name}: said {said} bytes, took {took}");
    }
}
