//! Hops per second round a ring: of a token with one thread per node and with one thread per core, and of the
//! hand-overs in elections of [`bellwether_live::ring`].
//!
//! `cargo bench -p bellwether-live --bench hops`; `benches/peers/hops/run` compares it with the same ring in Go and
//! Erlang.

use std::env;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use bellwether_algorithms::ring::ChangRoberts;

use bellwether_core::{
    Context, Id, Info, Local, NoTimer, Port, Process, Starters, Starts, Status, TopologyKind, Unmet, messages,
};
use bellwether_live::ring::{self, RingSettings};
use bellwether_live::threads;
use bellwether_net::{Network, Ring};
use bellwether_world::host::{Algorithm, Watcher, Wishes};
use bellwether_world::initiators::Initiators;
use bellwether_world::{Clock, Scenario, Timing};

use self::Msg::Hop;

/// Passes the token on. The initiator sets the number of hops.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Relay {
    hops: u64,
    done: bool,
}

messages! {
    /// The token.
    pub enum Msg {
        /// The number of hops that are left.
        Hop(left: u64) = "hop",
    }
}

const INFO: Info = Info { name: "relay", topology: TopologyKind::OneWayRing, starts: Starts::One, ..Info::EVENTS };

impl Process for Relay {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;
    type Disk = ();

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { hops: local.setting("hops").unwrap_or(0), done: false })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        ctx.send(Port::NEXT, Hop(self.hops - 1));
    }

    fn receive(&mut self, _: Port, Hop(left): Msg, ctx: &mut impl Context<Msg>) {
        match left {
            0 => self.done = true,
            left => ctx.send(Port::NEXT, Hop(left - 1)),
        }
    }

    fn status(&self) -> Status {
        if self.done { Status::Leader } else { Status::Undecided }
    }
}

fn hops_per_second(nodes: u32, threads: u32, hops: u64) -> f64 {
    let ids = (0..u64::from(nodes)).map(Id).collect();
    let scenario = Scenario {
        initiators: Starters::together(vec![0]),
        timing: Timing::Live(Clock { unit_us: 1_000, latency_us: (0, 0) }),
        settings: [("hops".to_string(), hops)].into(),
        ..Scenario::new(&INFO, Network::from(Ring::new(nodes.into()).expect("a ring")), ids)
    };
    let mut watcher = Watcher;
    let wishes = Wishes::none(&mut watcher);
    let begun = Instant::now();
    threads::play(Algorithm::process::<Relay>(), &scenario, threads, wishes).expect("the run can be made");
    hops as f64 / begun.elapsed().as_secs_f64()
}

/// One election after the other, each started by one worker: one message is under way at a time.
fn hand_overs_per_second(workers: u32, hops: u64) -> f64 {
    let timing = ring::RingTiming { wait: Duration::from_secs(60), worker_sleep: Duration::ZERO };
    let settings = RingSettings { size: workers, seed: 1, timing };
    let mut ring = ring::WorkerRing::<ChangRoberts>::new(settings, Arc::new(|_| ())).expect("a ring of threads");
    let begun = Instant::now();
    while ring.traffic().messages() < hops {
        ring.start(&Initiators::One);
        ring.wait(None);
    }
    ring.traffic().messages() as f64 / begun.elapsed().as_secs_f64()
}

fn main() {
    let brief = env::args().any(|arg| arg == "--test");
    let cores = available_parallelism().map_or(1, |cores| cores.get() as u32);
    println!("{:<24} {:>6} {:>14}", "ring of", "nodes", "hops a second");
    for nodes in [10, 100, 1_000] {
        let hops = if brief { 100 } else { 100_000 };
        println!("{:<24} {nodes:>6} {:>14.0}", "workers", hand_overs_per_second(nodes, hops));
        for (name, threads, hops) in [("threads", nodes, 200_000), ("groups", cores, 20_000_000)] {
            let hops = if brief { 1_000 } else { hops };
            println!("{name:<24} {nodes:>6} {:>14.0}", hops_per_second(nodes, threads, hops));
        }
    }
}
