//! States per second of the explorer: every interleaving, all processes started, no reduction; with one thread and with
//! two.
//!
//! `cargo bench -p bellwether-check --bench states`. With `--test` the smallest sizes run once, as a smoke test.
//! `--once` makes one search, for a tool that counts instructions.

#![expect(clippy::disallowed_types, reason = "a bench reads the clock")]

use std::time::Instant;

use bellwether_algorithms::graph::Adoption;
use bellwether_algorithms::ring::{ChangRoberts, DolevKlaweRodeh, Franklin, HirschbergSinclair};
use bellwether_check::explore::{Findings, explore};
use bellwether_check::ledger::Ledger;
use bellwether_check::machine::Machine;
use bellwether_check::{Plan, search};
use bellwether_core::{Id, Process};
use bellwether_net::{Topology, Wiring};
use bellwether_resources::pool::IdleThreads;
use bellwether_world::host::Algorithm;
use bellwether_world::{Freedom, Scenario, assumptions};

const PLAN: Plan = Plan {
    freedom: Freedom { starts_first: true, ..Freedom::NONE },
    reduction: false,
    symmetry: false,
    fingerprints: false,
};

/// The number of states, and how many of them per second this number of threads visits.
fn search<P: Process>(topology: &str, plan: Plan, threads: usize) -> (u64, f64) {
    let network = topology.parse::<Topology>().expect("a topology").build(1).expect("a network");
    let network = assumptions::oriented(network, P::INFO);
    let ids = (1..=network.nodes().into()).rev().map(Id).collect();
    let scenario = Scenario::new(P::INFO, network, ids);
    let mut machine = Machine::new(Algorithm::process::<P>(), &scenario, plan).expect("a small network");
    let begun = Instant::now();
    let Findings { states, .. } = once(&mut machine, &search::helpers(threads));
    (states, states as f64 / begun.elapsed().as_secs_f64())
}

fn measure<P: Process>(topology: &str, plan: Plan) {
    let (states, alone) = search::<P>(topology, plan, 1);
    let (_, together) = search::<P>(topology, plan, 2);
    let kept = match (plan.reduction, plan.fingerprints) {
        (true, _) => "reduced",
        (false, true) => "fingerprints",
        (false, false) => "exact",
    };
    println!("{:<22} {topology:<12} {kept:<13} {states:>10} {alone:>12.0} {together:>12.0}", P::INFO.name);
}

/// The code whose instructions are counted.
#[inline(never)]
fn once(machine: &mut Machine, idle: &IdleThreads) -> Findings {
    explore(machine, &Ledger::new(16 << 30), idle, usize::MAX).expect("it ends")
}

fn main() {
    if std::env::args().any(|arg| arg == "--once") {
        search::<HirschbergSinclair>("ring:5", PLAN, 1);
        return;
    }
    let once = std::env::args().any(|arg| arg == "--test");
    println!(
        "{:<22} {:<12} {:<13} {:>10} {:>12} {:>12}",
        "algorithm", "network", "kept", "states", "states/s", "two threads"
    );
    let rings: &[&str] = if once { &["ring:8"] } else { &["ring:10", "ring:12", "ring:13"] };
    let fingerprints = Plan { fingerprints: true, ..PLAN };
    let reduced = Plan { reduction: true, ..PLAN };
    for ring in rings {
        measure::<ChangRoberts>(ring, PLAN);
        measure::<ChangRoberts>(ring, fingerprints);
    }
    let ring = rings[rings.len() - 1];
    measure::<DolevKlaweRodeh>(ring, PLAN);
    measure::<DolevKlaweRodeh>(ring, fingerprints);
    if !once {
        measure::<Franklin>("ring:10", PLAN);
        measure::<HirschbergSinclair>("ring:6", PLAN);
        measure::<HirschbergSinclair>("ring:6", reduced);
        measure::<Adoption>("complete:4", PLAN);
        measure::<Adoption>("complete:4", reduced);
    }
}
