//! Any schedule on a stage is a run: it replays, and it forks. The simulator's own schedule gives the simulator's
//! bytes.

use bellwether_algorithms::complete::Bully;
use bellwether_algorithms::graph::{EchoElection, Floodmax};
use bellwether_algorithms::lease::Lease;
use bellwether_algorithms::ring::{ChangRoberts, ItaiRodeh};
use bellwether_core::{Id, Status};
use bellwether_net::{Topology, Wiring};
use bellwether_sim::replay::replay;
use bellwether_sim::stage::{Move, Stage};
use bellwether_world::host::{Algorithm, Watcher, Wishes};
use bellwether_world::trace::{Ending, Event, EventKind, Line};
use bellwether_world::{Clock, Drift, Freedom, Scenario, Timing};
use proptest::prelude::*;

/// Algorithms with timers, random choices, repeated elections, a synchronizer and connections, each on a network.
fn algorithms() -> [(&'static Algorithm, &'static str); ALGORITHMS] {
    [
        (Algorithm::process::<ChangRoberts>(), "ring:4"),
        (Algorithm::process::<ItaiRodeh>(), "ring:2"),
        (Algorithm::process::<Bully>(), "complete:4"),
        (Algorithm::process::<EchoElection>(), "complete:4"),
        (Algorithm::in_rounds::<Floodmax>(), "grid:2x2"),
        (Algorithm::process::<Lease>(), "complete:3"),
    ]
}

const ALGORITHMS: usize = 6;

fn scenario(index: usize, timing: Timing, seed: u64, faults: &[&str]) -> (&'static Algorithm, Scenario) {
    let (algorithm, network) = algorithms()[index];
    let network = network.parse::<Topology>().unwrap().build(1).unwrap();
    let ids = [3, 1, 4, 2].map(Id)[..network.nodes() as usize].to_vec();
    let faults = faults.iter().map(|fault| fault.parse().unwrap()).collect();
    let mut scenario = Scenario { timing, seed, faults, forced: true, ..Scenario::new(algorithm.info, network, ids) };
    if algorithm.info.perpetual {
        scenario.settings.insert("close-is-release".into(), 1);
    }
    if algorithm.info.repeatable {
        scenario.elections = 2;
    }
    (algorithm, scenario)
}

/// One fault of every kind. After the crash, the disk may be lost, and the node may recover.
const FAULTS: [&str; 15] = [
    "crash=1@1",
    "wipe=1@2",
    "recover=1@3",
    "loss=0.2",
    "duplicate=0.2",
    "reorder=0.3",
    "cut=0-1@0..2",
    "oneway=1>0@1..4",
    "slow=1:3",
    "lose=0#0",
    "repeat=1#0",
    "hold=0#1:2.5",
    "start=1@2",
    "pause=0@1..2.5",
    "drift=1:1.5",
];

fn faults() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(&FAULTS[..], 0..=FAULTS.len() / 2).prop_map(|mut faults| {
        let crashes = faults.contains(&"crash=1@1");
        faults.retain(|fault| crashes || !["wipe=1@2", "recover=1@3"].contains(fault));
        faults
    })
}

/// A schedule that a trace leads: chosen with some freedom, or live.
fn led() -> impl Strategy<Value = Timing> {
    let messages = (any::<bool>(), 0..3u32, 0..3u32, prop::bool::weighted(0.2));
    let outages = (0..3u32, 0..3u32, 0..3u32);
    let times = (any::<bool>(), prop::option::of((0..30_000u32).prop_map(Drift)), any::<bool>());
    let chosen = (messages, outages, times).prop_map(
        |((reorder, copies, losses, unreliable), (crashes, restarts, closes), (hasty_timers, drift, starts_first))| {
            Timing::Chosen(Freedom {
                reorder,
                copies,
                losses,
                crashes,
                hasty_timers,
                restarts,
                // A lost disk is a planned fault of its trace.
                wipes: 0,
                closes,
                drift,
                unreliable,
                phases: 0,
                starts_first,
            })
        },
    );
    prop_oneof![3 => chosen, 1 => Just(Timing::Live(Clock { unit_us: 1_000, latency_us: (0, 0) }))]
}

fn picks() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..80)
}

/// Makes a move for each number, as long as one is possible. Returns the events.
fn walk(stage: &mut Stage<'_>, picks: &[u16]) -> Vec<Event> {
    let mut events = vec![];
    for pick in picks {
        let moves = stage.moves();
        if moves.is_empty() {
            break;
        }
        let next = &moves[usize::from(*pick) % moves.len()];
        let written = serde_json::to_string(next).unwrap();
        assert_eq!(serde_json::from_str::<Move>(&written).unwrap(), *next, "{written}");
        events.extend(stage.make(next).unwrap_or_else(|error| panic!("{written}: {error}")));
    }
    events
}

proptest! {
    #[test]
    fn any_schedule_replays(
        index in 0..ALGORITHMS,
        timing in led(),
        faults in faults(),
        seed in 0..9u64,
        picks in picks(),
    ) {
        let faults = if matches!(timing, Timing::Live(_)) { faults } else { vec![] };
        let (algorithm, scenario) = scenario(index, timing, seed, &faults);
        let mut stage = Stage::new(&algorithm.events, &scenario).unwrap();
        let events = walk(&mut stage, &picks);
        let cut_short = stage.over().is_err();
        let report = stage.report(cut_short);
        let ending = Ending::new(&scenario, &report);
        let mut lines = events.iter().cloned().map(Line::from).chain([Line::Ending(ending)]);
        let replayed = replay(algorithm, &scenario, &mut || Ok(lines.next()));
        let replayed = replayed.unwrap_or_else(|failure| panic!("{failure:?}\n{scenario:?}\n{events:#?}"));
        prop_assert_eq!(replayed, report);
    }

    #[test]
    fn a_fork_goes_its_own_way(
        index in 0..ALGORITHMS, timing in led(), seed in 0..9u64, before in picks(), here in picks(), there in picks(),
    ) {
        let (algorithm, scenario) = scenario(index, timing, seed, &[]);
        let fresh = || Stage::new(&algorithm.events, &scenario).unwrap();
        let (mut stage, mut unforked) = (fresh(), fresh());
        walk(&mut stage, &before);
        walk(&mut unforked, &before);
        let mut fork = stage.clone();
        let went_there = walk(&mut fork, &there);
        prop_assert_eq!(walk(&mut stage, &here), walk(&mut unforked, &here));
        let mut again = fresh();
        walk(&mut again, &before);
        prop_assert_eq!(went_there, walk(&mut again, &there));
    }

    #[test]
    fn the_simulators_schedule_gives_the_simulators_bytes(
        index in 0..ALGORITHMS, timing in 1..5usize, seed in 0..50u64, faults in faults(),
    ) {
        let (algorithm, scenario) = scenario(index, Timing::ALL[timing], seed, &faults);
        let scenario = Scenario { limit: 300, ..scenario };
        let mut recorded: Vec<Event> = vec![];
        let mut record = |event| recorded.push(event);
        let mut watcher = Watcher;
        let wishes = Wishes { record: Some(&mut record), ..Wishes::none(&mut watcher) };
        bellwether_sim::play(algorithm, &scenario, wishes).unwrap();
        let mut stage = Stage::new(&algorithm.events, &scenario).unwrap();
        let mut decision = None;
        for told in recorded {
            let happens = match Move::of(&told).unwrap() {
                None => decision.take(),
                Some(next) => {
                    let mut made = stage.make(&next).unwrap_or_else(|error| panic!("{next:?}: {error}")).into_iter();
                    let happens = made.next();
                    decision = made.next().or(decision);
                    happens
                }
            };
            prop_assert_eq!(happens, Some(told));
        }
    }
}

/// Impossible moves are refused.
#[test]
fn what_cannot_happen_is_refused() {
    let freedom = Freedom { losses: 1, ..Freedom::default() };
    let (algorithm, scenario) = scenario(0, Timing::Chosen(freedom), 1, &[]);
    let stage = Stage::new(&algorithm.events, &scenario).unwrap();
    let refusal = |moves: &[&str]| {
        let mut stage = stage.clone();
        let made = moves.iter().map(|text| stage.make(&serde_json::from_str(text).unwrap()));
        made.last().unwrap().unwrap_err()
    };
    let start = r#"{"t":1,"node":0,"act":{"start":{}}}"#;
    let lose = r#"{"t":1,"node":1,"act":{"lose":{"from":0,"n":0}}}"#;
    assert!(refusal(&[start, start]).contains("starts twice"));
    assert!(refusal(&[start, lose, lose]).contains("no message 0 of node 0 is under way to node 1"));
    assert!(refusal(&[start, r#"{"t":0,"node":1,"act":{"start":{}}}"#]).contains("time goes back"));
    assert!(refusal(&[start, r#"{"t":2,"node":0,"act":"crash"}"#]).contains("no crash of node 0"));
    assert!(refusal(&[r#"{"t":1,"node":0,"act":{"start":{}},"draws":[1]}"#]).contains("fewer values"));
    assert!(refusal(&[r#"{"t":1,"node":9,"act":"recover"}"#]).contains("there is no node 9"));
}

fn crash(node: u32, t: u32) -> Move {
    serde_json::from_str(&format!(r#"{{"t":{t},"node":{node},"act":"crash"}}"#)).unwrap()
}

fn of_kind(stage: &Stage<'_>, kind: &str) -> Vec<Move> {
    let is_it = |made: &Move| serde_json::to_value(made).unwrap()["act"].to_string().contains(kind);
    stage.moves().into_iter().filter(is_it).collect()
}

/// Makes the first move of this kind.
fn make(stage: &mut Stage<'_>, kind: &str, node: u32) -> Move {
    let made = of_kind(stage, kind).into_iter().find(|made| made.node == node);
    let made = made.unwrap_or_else(|| panic!("no {kind} of node {node}"));
    stage.make(&made).unwrap();
    made
}

/// A process that may only restart comes back before anything else happens, and there are no more restarts than
/// allowed.
#[test]
fn a_restart_is_a_crash_with_its_recovery() {
    let (algorithm, scenario) = scenario(2, Timing::Chosen(Freedom { restarts: 1, ..Freedom::NONE }), 1, &[]);
    let mut stage = Stage::new(&algorithm.events, &scenario).unwrap();
    assert_eq!(of_kind(&stage, "crash"), [], "who has not started cannot start again");
    make(&mut stage, "start", 0);
    make(&mut stage, "start", 1);
    make(&mut stage, "crash", 0);
    let mut other = stage.clone();
    assert_eq!(stage.moves(), of_kind(&stage, "recover"));
    assert!(stage.over().unwrap_err().contains("node 0 has not started again"));
    let start = Move { t: stage.now(), ..serde_json::from_str(r#"{"t":1,"node":3,"act":{"start":{}}}"#).unwrap() };
    assert!(other.make(&start).unwrap_err().contains("node 0 must start again"));
    make(&mut stage, "recover", 0);
    assert_eq!(of_kind(&stage, "crash"), []);
    assert!(stage.make(&crash(1, 9)).unwrap_err().contains("no crash of node 1"));
}

/// A connection that closes is heard of by both ends, and a connection closes no more often than allowed.
#[test]
fn a_closed_connection_is_reported_to_both_ends() {
    let timing = Timing::Chosen(Freedom { closes: 1, starts_first: true, ..Freedom::NONE });
    let (algorithm, scenario) = scenario(5, timing, 1, &[]);
    let mut stage = Stage::new(&algorithm.events, &scenario).unwrap();
    (0..3).for_each(|node| drop(make(&mut stage, "start", node)));
    assert_eq!(of_kind(&stage, "peer-down").len(), 6, "every end of every connection may be the first to hear");
    let first = make(&mut stage, "peer-down", 0);
    let [other] = &of_kind(&stage, "peer-down")[..] else { panic!("only the other end hears of it") };
    assert_ne!(other.node, 0);
    let again = Move { t: stage.now(), ..first };
    assert!(stage.clone().make(&again).unwrap_err().contains("is not down"));
    let (to, from) = (other.node, 0);
    let held = |stage: &Stage<'_>| {
        of_kind(stage, "deliver")
            .into_iter()
            .any(|made| made.node == to && serde_json::to_value(&made).unwrap()["act"]["deliver"]["from"] == from)
    };
    assert!(!held(&stage), "the other end hears of it before anything else comes by this connection");
    stage.make(other).unwrap();
    assert_eq!(of_kind(&stage, "peer-down"), []);
}

/// Of two timers, the one first that must by every clock.
#[test]
fn timers_go_off_in_the_order_of_their_clocks() {
    let offered = |drift| {
        let (algorithm, scenario) = scenario(2, Timing::Chosen(Freedom { drift, ..Freedom::NONE }), 1, &[]);
        let mut stage = Stage::new(&algorithm.events, &scenario).unwrap();
        make(&mut stage, "start", 1);
        make(&mut stage, "start", 0);
        let offered = of_kind(&stage, "timeout");
        let next = Move { node: 0, ..offered[0].clone() };
        (offered.iter().map(|made| made.node).collect::<Vec<_>>(), stage.make(&next).is_ok())
    };
    assert_eq!(offered(Some(Drift(0))), (vec![1], false));
    assert_eq!(offered(Some(Drift(10_000))), (vec![1, 0], true), "clocks that differ may turn the order round");
}

/// A living process has a state, and a crashed one has none.
#[test]
fn a_stage_tells_of_its_processes() {
    let (algorithm, scenario) = scenario(0, Timing::Chosen(Freedom { crashes: 1, ..Freedom::default() }), 1, &[]);
    let mut stage = Stage::new(&algorithm.events, &scenario).unwrap();
    let start = Move { t: stage.now(), ..stage.moves()[2].clone() };
    assert_eq!(stage.make(&start).unwrap()[0].kind, EventKind::Start);
    assert_eq!(stage.state(2).unwrap().status(), Status::Undecided);
    let crash = serde_json::from_str(r#"{"t":1,"node":2,"act":"crash"}"#).unwrap();
    assert_eq!(stage.make(&crash).unwrap(), [Event::blank(crash.t, 2, EventKind::Crash)]);
    assert!(stage.state(2).is_none());
}
