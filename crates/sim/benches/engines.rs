//! Messages per second of the engines, in the loads that matter: wide and sparse instants, long chains, dense rounds.
//!
//! `cargo bench` prints elements per second: one element is one message, sent, delivered, counted and judged.

use std::hint::black_box;

use bellwether_algorithms::ring::ChangRoberts;
use bellwether_core::{
    Bounds, Context, Formula, Id, Info, Informs, LinkOrder, Local, Message, Model, Port, Process, Round, Rounds,
    Starts, Status, TopologyKind, Unmet, Winner, messages,
};
use bellwether_sim::{events, rounds};
use bellwether_world::host::{Watcher, Wishes};
use bellwether_world::ids::Ids;
use bellwether_world::{Report, Ring, Scenario, Timing};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn scenario(ids: &Ids, nodes: u32, timing: Timing) -> Scenario {
    let network = Ring::new(nodes.into()).unwrap().into();
    Scenario { timing, ..Scenario::new(ChangRoberts::INFO, network, ids.assign(nodes, 1).unwrap()) }
}

fn wishes(watch: &mut Watcher) -> Wishes<'_> {
    Wishes { record: None, watch, count_sends: false, full: false }
}

fn elect<P: Process>(scenario: &Scenario) -> Report {
    events::play::<P>(scenario, wishes(&mut Watcher)).unwrap()
}

fn chang_roberts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chang-roberts");
    let loads = [
        ("unit, random ids", Ids::Random, 1_000, Timing::Unit),
        ("unit, random ids", Ids::Random, 1_000_000, Timing::Unit),
        ("unit, descending ids", Ids::Descending, 4_000, Timing::Unit),
        ("uniform, random ids", Ids::Random, 1_000, Timing::Uniform),
        ("uniform, random ids", Ids::Random, 1_000_000, Timing::Uniform),
    ];
    for (name, ids, nodes, timing) in loads {
        let scenario = scenario(&ids, nodes, timing);
        group.throughput(Throughput::Elements(elect::<ChangRoberts>(&scenario).messages()));
        group.sample_size(10);
        group.bench_function(format!("{name}, n = {nodes}"), |bencher| {
            bencher.iter(|| elect::<ChangRoberts>(black_box(&scenario)));
        });
    }
    // The limit: the same election as a loop over two arrays, that can do nothing else.
    for (name, ids, nodes) in [("random ids", Ids::Random, 1_000_000), ("descending ids", Ids::Descending, 4_000)] {
        let ids = ids.assign(nodes, 1).unwrap();
        group.throughput(Throughput::Elements(by_hand(&ids)));
        group.bench_function(format!("by hand, {name}, n = {nodes}"), |bencher| {
            bencher.iter(|| by_hand(black_box(&ids)));
        });
    }
    group.finish();
}

/// Chang-Roberts with everybody starting, written out: counts its messages.
fn by_hand(ids: &[Id]) -> u64 {
    let nodes = ids.len() as u32;
    let mut tokens: Vec<(u32, Id)> = (0..nodes).map(|node| ((node + 1) % nodes, ids[node as usize])).collect();
    let mut next = Vec::with_capacity(tokens.len());
    let mut messages = tokens.len() as u64;
    loop {
        for &(at, id) in &tokens {
            if id > ids[at as usize] {
                next.push((if at + 1 == nodes { 0 } else { at + 1 }, id));
            } else if id == ids[at as usize] {
                return messages + u64::from(nodes);
            }
        }
        messages += next.len() as u64;
        std::mem::swap(&mut tokens, &mut next);
        next.clear();
    }
}

/// Dense rounds, as FloodMax has them: for 64 rounds everybody sends the largest id it knows both ways.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Flood {
    largest: Id,
    next: Round,
}

const ROUNDS: u128 = 64;
const NONE: Formula = Formula { text: "0", of: |_| 0.0 };

messages! {
    /// What floods.
    pub enum Flooded {
        /// The largest id known to the sender.
        Max(id: Id) = "max",
    }
}

impl Rounds for Flood {
    const INFO: &'static Info = &Info {
        name: "flood",
        aliases: &[],
        summary: "",
        paper: "",
        source: "",
        model: Model::Synchronous,
        topology: TopologyKind::TwoWayRing,
        starts: Starts::All,
        knows: &[bellwether_core::Knowledge::Id],
        links: LinkOrder::Any,
        randomised: false,
        survives_crashes: false,
        repeatable: false,
        winner: Winner::MaxOfAll,
        informs: Informs::Leader,
        settings: &[],
        bounds: Bounds { best: None, mean: None, worst: None, announce: NONE, time: None },
        admits: |_| Ok(()),
        example: "",
    };
    type Msg = Flooded;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { largest: local.id()?, next: Round::FIRST })
    }

    fn round(&mut self, round: Round, inbox: &[(Port, Flooded)], ctx: &mut impl Context<Flooded>) {
        self.largest = inbox.iter().map(|&(_, Flooded::Max(id))| id).fold(self.largest, Id::max);
        self.next = round.next();
        if round.0 <= ROUNDS {
            ctx.send_all(Flooded::Max(self.largest));
        }
    }

    fn due(&self) -> Option<Round> {
        (self.next.0 <= ROUNDS).then_some(self.next)
    }

    fn status(&self) -> Status {
        Status::Undecided
    }
}

fn dense_rounds(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dense rounds");
    group.sample_size(10);
    for nodes in [1_000, 100_000] {
        let scenario = scenario(&Ids::Random, nodes, Timing::Rounds);
        group.throughput(Throughput::Elements(2 * ROUNDS as u64 * u64::from(nodes)));
        group.bench_function(format!("flooding a ring, n = {nodes}"), |bencher| {
            bencher.iter(|| rounds::play::<Flood>(black_box(&scenario), wishes(&mut Watcher)).unwrap());
        });
    }
    assert_eq!(Flooded::KINDS, 1);
    group.finish();
}

criterion_group!(benches, chang_roberts, dense_rounds);
criterion_main!(benches);
