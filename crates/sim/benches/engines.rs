//! Messages per second of each engine: at the loads that it is made for, and at one that it is not made for.
//!
//! `cargo bench -p bellwether-sim --bench engines [-- PART-OF-A-NAME]`. The benchmark `limit` compares the fast engines
//! with hand-written loops.

use bellwether_algorithms::graph::{EchoElection, Floodmax};
use bellwether_algorithms::ring::{ChangRoberts, HirschbergSinclair, LeLann, TimeSlice};
use bellwether_core::{Info, Process, Rounds};
use bellwether_net::{Topology, Wiring};
use bellwether_sim::{events, rounds};
use bellwether_world::host::{Algorithm, Count, Watcher, Wishes};
use bellwether_world::ids::Ids;
use bellwether_world::trace::Event;
use bellwether_world::{Fault, Report, Scenario, Timing};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

fn scenario(info: &Info, topology: &str, ids: Ids, timing: Timing) -> Scenario {
    let network = topology.parse::<Topology>().unwrap().build(1).unwrap();
    let ids = ids.assign(network.nodes(), 1).unwrap();
    Scenario { timing, ..Scenario::new(info, network, ids) }
}

/// Measures an election that is repeated, with its messages as the counter.
fn hold(bencher: Bencher, scenario: &Scenario, elect: impl Fn(&Scenario) -> Report + Sync) {
    let messages = elect(scenario).messages();
    bencher.counter(ItemsCount::new(messages)).bench(|| elect(black_box(scenario)));
}

fn by_events<P: Process>(scenario: &Scenario) -> Report {
    events::play_fast::<P>(scenario, Wishes::none(&mut Watcher)).unwrap()
}

fn by_rounds<R: Rounds>(scenario: &Scenario) -> Report {
    rounds::play_fast::<R>(scenario, Wishes::none(&mut Watcher)).unwrap()
}

/// On the engines that can do everything.
fn with_care(algorithm: &Algorithm, scenario: &Scenario) -> Report {
    bellwether_sim::play(algorithm, scenario, Wishes::none(&mut Watcher)).unwrap()
}

/// Adds a fault after the end of the run: the engine must be ready for it.
fn beware(mut scenario: Scenario) -> Scenario {
    scenario.faults.push("crash=0@1000000000".parse::<Fault>().unwrap());
    scenario
}

fn chang_roberts(bencher: Bencher, nodes: u32, ids: Ids, timing: Timing) {
    hold(bencher, &scenario(ChangRoberts::INFO, &format!("ring:{nodes}"), ids, timing), by_events::<ChangRoberts>);
}

/// In order of time, because the number of messages in flight is counted.
fn in_order(bencher: Bencher, nodes: u32, timing: Timing) {
    hold(bencher, &scenario(ChangRoberts::INFO, &format!("ring:{nodes}"), Ids::Random, timing), |scenario| {
        let mut watch = Watcher;
        let wishes = Wishes { count: Count::InFlight, ..Wishes::none(&mut watch) };
        events::play_fast::<ChangRoberts>(scenario, wishes).unwrap()
    });
}

fn echo(bencher: Bencher, topology: &str, timing: Timing) {
    hold(bencher, &scenario(EchoElection::INFO, topology, Ids::Random, timing), by_events::<EchoElection>);
}

#[divan::bench_group(sample_count = 10)]
mod unit_delays {
    use super::*;

    #[divan::bench(args = [1_000, 10_000, 100_000, 1_000_000])]
    fn chang_roberts_random_ids(bencher: Bencher, nodes: u32) {
        chang_roberts(bencher, nodes, Ids::Random, Timing::Unit);
    }

    #[divan::bench(args = [1_000, 4_000])]
    fn chang_roberts_descending(bencher: Bencher, nodes: u32) {
        chang_roberts(bencher, nodes, Ids::Descending, Timing::Unit);
    }

    #[divan::bench(args = [1_000, 100_000])]
    fn chang_roberts_in_order(bencher: Bencher, nodes: u32) {
        in_order(bencher, nodes, Timing::Unit);
    }

    #[divan::bench(args = [100_000])]
    fn both_ways(bencher: Bencher, nodes: u32) {
        let ring = format!("ring:{nodes}");
        let scenario = scenario(HirschbergSinclair::INFO, &ring, Ids::Random, Timing::Unit);
        hold(bencher, &scenario, by_events::<HirschbergSinclair>);
    }

    #[divan::bench(args = ["grid:100x100", "complete:300"])]
    fn echo_election(bencher: Bencher, topology: &str) {
        echo(bencher, topology, Timing::Unit);
    }
}

#[divan::bench_group(sample_count = 10)]
mod random_delays {
    use super::*;

    #[divan::bench(args = [1_000, 10_000, 100_000, 1_000_000])]
    fn chang_roberts_random_ids(bencher: Bencher, nodes: u32) {
        chang_roberts(bencher, nodes, Ids::Random, Timing::Uniform);
    }

    #[divan::bench(args = [1_000, 4_000, 20_000])]
    fn chang_roberts_descending(bencher: Bencher, nodes: u32) {
        chang_roberts(bencher, nodes, Ids::Descending, Timing::Uniform);
    }

    #[divan::bench(args = [1_000, 100_000])]
    fn chang_roberts_in_order(bencher: Bencher, nodes: u32) {
        in_order(bencher, nodes, Timing::Uniform);
    }

    #[divan::bench(args = ["grid:100x100", "complete:300"])]
    fn echo_election(bencher: Bencher, topology: &str) {
        echo(bencher, topology, Timing::Uniform);
    }
}

#[divan::bench_group(sample_count = 10)]
mod lock_step {
    use super::*;

    /// All nodes broadcast in every round.
    #[divan::bench(args = ["grid:100x100", "grid:316x316", "complete:300"])]
    fn dense(bencher: Bencher, topology: &str) {
        hold(bencher, &scenario(Floodmax::INFO, topology, Ids::Random, Timing::Rounds), by_rounds::<Floodmax>);
    }

    /// One token, and rounds in which nothing happens.
    #[divan::bench(args = [100_000])]
    fn sparse(bencher: Bencher, nodes: u32) {
        let ring = format!("ring:{nodes}");
        hold(bencher, &scenario(TimeSlice::INFO, &ring, Ids::Random, Timing::Rounds), by_rounds::<TimeSlice>);
    }
}

/// With faults, or with a recorder.
#[divan::bench_group(sample_count = 10)]
mod with_care {
    use super::*;

    #[divan::bench(args = [Timing::Unit, Timing::Uniform])]
    fn events_with_faults(bencher: Bencher, timing: Timing) {
        let scenario = beware(scenario(LeLann::INFO, "ring:1000", Ids::Random, timing));
        hold(bencher, &scenario, |scenario| with_care(Algorithm::process::<LeLann>(), scenario));
    }

    #[divan::bench]
    fn rounds_with_faults(bencher: Bencher) {
        let scenario = beware(scenario(Floodmax::INFO, "grid:100x100", Ids::Random, Timing::Rounds));
        hold(bencher, &scenario, |scenario| with_care(Algorithm::in_rounds::<Floodmax>(), scenario));
    }

    #[divan::bench(args = [Timing::Unit, Timing::Uniform])]
    fn events_recorded(bencher: Bencher, timing: Timing) {
        let scenario = scenario(LeLann::INFO, "ring:300", Ids::Random, timing);
        hold(bencher, &scenario, |scenario| {
            let (mut record, mut watch) = (|event: Event| drop(black_box(event)), Watcher);
            let wishes = Wishes { record: Some(&mut record), ..Wishes::none(&mut watch) };
            bellwether_sim::play(Algorithm::process::<LeLann>(), scenario, wishes).unwrap()
        });
    }
}
