//! No engine allocates for a message: a run of many times as many messages asks for memory no more often, and for no more.

use allocation_counter::{AllocationInfo, measure};
use bellwether_algorithms::graph::Floodmax;
use bellwether_algorithms::ring::{ChangRoberts, HirschbergSinclair};
use bellwether_core::{Process, Rounds};
use bellwether_sim::{events, play_process, rounds};
use bellwether_world::host::{Error, Watcher, Wishes};
use bellwether_world::ids::Ids;
use bellwether_world::{Report, Ring, Scenario, Timing};

const NODES: u32 = 2_000;

type Play = fn(&Scenario, Wishes<'_>) -> Result<Report, Error>;

/// How many messages a run has, and what it allocates.
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
    // Lists that grow by doubling may still do so once or twice, and a calendar has five hundred.
    let more = allocated_more.count_total.saturating_sub(allocated.count_total);
    assert!(more <= 1_000 && more * 1_000 < many, "{more} allocations more for {many} messages than for {few}");
    let peaks = (allocated.bytes_max, allocated_more.bytes_max);
    assert!(peaks.1 < peaks.0 * 2, "{} bytes for {few} messages, {} for {many}", peaks.0, peaks.1);
}

fn ring<P: Process>(timing: Timing, elections: u32) -> Scenario {
    let network = Ring::new(NODES.into()).unwrap().into();
    let ids = Ids::Random.assign(NODES, 1).unwrap();
    Scenario { timing, elections, ..Scenario::new(P::INFO, network, ids) }
}

#[test]
fn one_way_traffic_allocates_nothing_for_a_message() {
    for timing in [Timing::Unit, Timing::Uniform, Timing::Exponential, Timing::Rounds] {
        let scenario = |elections| ring::<ChangRoberts>(timing, elections);
        assert_no_more_for_many(play_process::<ChangRoberts>, &scenario(1), &scenario(50));
    }
}

#[test]
fn traffic_that_must_be_sorted_allocates_nothing_for_a_message() {
    for timing in [Timing::Unit, Timing::Uniform] {
        let (messages, allocated) = cost(events::play::<HirschbergSinclair>, &ring::<HirschbergSinclair>(timing, 1));
        assert!(allocated.count_total * 20 < messages, "{} allocations for {messages} messages", allocated.count_total);
    }
}

#[test]
fn dense_rounds_allocate_nothing_for_a_message() {
    let scenario = |diameter| {
        let network = Ring::new(NODES.into()).unwrap().into();
        let mut scenario = Scenario::new(Floodmax::INFO, network, Ids::Random.assign(NODES, 1).unwrap());
        scenario.settings.insert("diameter".into(), diameter);
        scenario
    };
    assert_no_more_for_many(rounds::play::<Floodmax>, &scenario(10), &scenario(1_000));
}
