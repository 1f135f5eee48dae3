//! Every algorithm on real threads.

use std::cell::Cell;

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Info, Knowledge, Model, Starts};
use bellwether_net::Wiring;
use bellwether_world::host::{Now, Watch, Watcher, Wishes};
use bellwether_world::trace::{Ending, Event, Line};
use bellwether_world::{Clock, Outcome, Report, Scenario, Time, Timing};

use crate::support::networks::{complete, random};
use crate::support::{command, info, on, ring, started_by};

/// A clock whose unit has this many milliseconds.
fn clock(unit_ms: u64, latency_us: (u64, u64)) -> Timing {
    Timing::Live(Clock { unit_us: unit_ms * 1_000, latency_us })
}

/// Plays an election live, and replays its trace if it is recorded.
fn hold(scenario: &Scenario, threads: u32, recorded: bool) -> Report {
    let mut events: Vec<Event> = vec![];
    let mut record = |event| events.push(event);
    let record: Option<&mut dyn FnMut(Event)> = if recorded { Some(&mut record) } else { None };
    let mut watcher = Watcher;
    let wishes = Wishes { record, ..Wishes::none(&mut watcher) };
    let report = bellwether_play::live(scenario, threads, wishes).unwrap().unwrap();
    if recorded {
        let mut lines = events.into_iter().map(Line::from).chain([Line::Ending(Ending::new(scenario, &report))]);
        let replayed = bellwether_play::replay(scenario, &mut || Ok(lines.next())).unwrap();
        let replayed = replayed.unwrap_or_else(|failure| panic!("{failure:?}\n  {}", command(scenario)));
        assert_eq!(replayed.violations, report.violations);
        assert_eq!(
            (replayed.outcome, replayed.leaders, replayed.crashed),
            (report.outcome, report.leaders.clone(), report.crashed.clone())
        );
        assert_eq!((replayed.kinds, replayed.bits), (report.kinds.clone(), report.bits));
        assert_eq!((replayed.lost, replayed.repeated), (report.lost, report.repeated));
        assert_eq!(replayed.terms, report.terms);
    }
    report
}

fn usual(info: &Info, nodes: u32, seed: u64) -> Scenario {
    let network = random(info.topology, nodes as usize, seed);
    let ids: Vec<u64> = (0..network.nodes()).map(|node| u64::from(node * 7 % 11)).collect();
    let scenario = Scenario { seed, ..on(info.name, network, &ids) };
    if info.starts == Starts::One { started_by(scenario, &[0]) } else { scenario }
}

/// With one thread per node and with two threads for all, recorded or not, with latency or without.
#[test]
fn every_algorithm_elects_on_threads() {
    for info in CATALOGUE {
        // An algorithm with a known maximum delay must not be told less than a busy machine needs.
        let unit = if info.knows.contains(&Knowledge::MaxDelay) { 300 } else { 1 };
        for seed in 0..4 {
            let latency = if seed % 2 == 0 { (0, 0) } else { (0, 300) };
            let scenario = Scenario { timing: clock(unit, latency), ..usual(info, 6, seed) };
            let report = hold(&scenario, if seed < 2 { 6 } else { 2 }, seed != 0);
            assert!(report.is_right(), "{}: {:?}", command(&scenario), report.violations);
        }
    }
}

/// Threads elect the same leader as the simulator. The cost is the same if it does not depend on the schedule.
#[test]
fn threads_and_simulator_agree() {
    for name in ["chang-roberts", "le-lann", "clockwise", "tree-waves", "echo-election", "floodmax"] {
        for seed in 0..10 {
            let scenario = usual(info(name), 7, seed);
            let simulated = crate::support::elect(&scenario);
            let live = hold(&Scenario { timing: clock(1, (0, 0)), ..scenario.clone() }, 7, seed % 2 == 0);
            assert_eq!(live.leaders, simulated.leaders, "{}", command(&scenario));
            assert_eq!(live.decided, simulated.decided);
            let depends_on_schedule = ["tree-waves", "echo-election"].contains(&name);
            if !depends_on_schedule {
                assert_eq!(live.messages(), simulated.messages(), "{}", command(&scenario));
            }
        }
    }
}

/// Elections follow each other on the same threads.
#[test]
fn elections_are_repeated() {
    for seed in 0..5 {
        let usual = ring("chang-roberts", &[3, 1, 4, 5, 2]);
        let scenario = Scenario { elections: 200, seed, timing: clock(1, (0, 0)), ..usual };
        let report = hold(&scenario, 5, seed % 2 == 0);
        assert!(report.is_right(), "{:?}", report.violations);
        assert_eq!(report.kinds[1].count, 200 * 5, "announcements");
    }
}

/// After a crash at any moment the survivors of bully have one leader. Every trace replays, with all faults.
#[test]
fn crashes_and_other_faults() {
    let faults: [&[&str]; 6] = [
        &["crash=0@0.5"],
        &["crash=3@1", "crash=2@2.2"],
        &["crash=1@0", "recover=1@3"],
        &["loss=0.2", "duplicate=0.2"],
        &["cut=0-1@0..1", "reorder=0.3"],
        &["oneway=2>0@0..0.5", "crash=3@1"],
    ];
    for (seed, faults) in (0..).zip(faults) {
        let planned = faults.iter().map(|text| text.parse().unwrap()).collect();
        let usual = on("bully", complete(4), &[1, 4, 3, 2]);
        let timing = clock(250, (0, 2_000));
        let scenario = Scenario { seed, timing, faults: planned, forced: true, limit: 2_000, ..usual };
        let report = hold(&scenario, 4, true);
        if seed < 2 {
            assert!(report.is_right(), "{}: {:?}", command(&scenario), report.violations);
        }
        for info in CATALOGUE.iter().filter(|info| info.model == Model::Asynchronous && info.name != "bully") {
            let scenario = usual_with(info, &scenario);
            if scenario.check_faults().is_ok() {
                hold(&scenario, 2, true);
            }
        }
    }
}

fn usual_with(info: &Info, faulty: &Scenario) -> Scenario {
    let Scenario { seed, faults, .. } = faulty.clone();
    Scenario { seed, faults, timing: clock(2, (0, 500)), forced: true, limit: 300, ..usual(info, 4, seed) }
}

/// What never ends is played for its time. However late the threads are, two never lead, and no token comes twice.
#[test]
fn leases_go_on_until_their_time() {
    let faults = ["crash=2@15", "recover=2@30", "crash=1@35", "wipe=1@36", "recover=1@37", "loss=0.1", "duplicate=0.1"];
    for (seed, name) in (0..).zip(["lease", "member"].repeat(4)) {
        let planned = if seed < 4 { &faults[..5] } else { &faults[..] };
        let (unit_us, until) = (if seed % 4 < 2 { 2_000 } else { 100 }, Some(Time::units(60)));
        let faults = planned.iter().map(|text| text.parse().unwrap()).collect();
        let timing = Timing::Live(Clock { unit_us, latency_us: (0, 100) });
        let scenario = Scenario { seed, timing, faults, until, forced: true, ..on(name, complete(3), &[1, 2, 3]) };
        let report = hold(&scenario, if seed < 2 { 3 } else { 2 }, true);
        assert_eq!(report.violations, Vec::<String>::new(), "{}", command(&scenario));
        assert_ne!(report.outcome, Outcome::Limit, "{}", command(&scenario));
        assert!(report.terms.iter().all(|term| term.since <= Time::units(60)), "{:?}", report.terms);
    }
}

/// A run is stopped at its limit, whether it would end or not.
#[test]
fn a_run_is_stopped_at_its_limit() {
    let endless = Scenario { forced: true, limit: 500, timing: clock(1, (0, 0)), ..ring("peterson", &[7, 7, 7]) };
    let report = hold(&endless, 3, true);
    assert!(report.outcome == Outcome::Limit || !report.is_right(), "{report:?}");
    let endless = Scenario { limit: 50, timing: clock(1, (0, 0)), ..ring("le-lann", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) };
    assert_eq!(hold(&endless, 10, true).outcome, Outcome::Limit);
}

/// A watcher that stops a run when it is asked for the third time.
struct Impatient<'a> {
    asked: u32,
    /// How many events were handed on.
    handed: &'a Cell<u64>,
    /// How many events were behind at most.
    behind: u64,
}

impl Watch for Impatient<'_> {
    fn go_on(&mut self, messages: u64, _: Option<Now>) -> bool {
        self.asked += 1;
        self.behind = self.behind.max(messages - self.handed.get());
        self.asked < 3
    }
}

/// A busy run that is recorded hears a request to stop. It waits for a slow output instead of piling up events, and
/// every event is handed on before it ends.
#[test]
fn a_recorded_run_hears_the_request_to_stop_and_waits_for_its_outputs() {
    let limit = 400_000;
    let settings = [("k".to_owned(), 1)].into();
    let usual = Scenario { limit, settings, forced: true, ..ring("itai-rodeh", &[1, 2, 3, 4, 5]) };
    let scenario = Scenario { timing: clock(1, (0, 0)), ..usual };
    let handed = Cell::new(0);
    let mut record = |event: Event| {
        (0..10).for_each(|_| assert!(!format!("{event:?}").is_empty())); // a slow output
        handed.set(handed.get() + 1);
    };
    let mut watch = Impatient { asked: 0, handed: &handed, behind: 0 };
    let wishes = Wishes { record: Some(&mut record), ..Wishes::none(&mut watch) };
    let report = bellwether_play::live(&scenario, 2, wishes).unwrap().unwrap();
    assert_eq!((report.outcome, watch.asked), (Outcome::Limit, 3));
    assert!(watch.behind < 10_000, "{} events wait", watch.behind);
    assert_eq!(handed.get(), report.stats.events);
}

/// A group of threads hosts many nodes.
#[test]
fn thousands_of_nodes_share_a_few_threads() {
    let ids: Vec<u64> = (0..5_000).map(|node| node * 7_919 % 5_003).collect();
    for threads in [1, 2, 7, 1_000] {
        let scenario = Scenario { timing: clock(1, (0, 0)), limit: u64::MAX, ..ring("franklin", &ids) };
        let report = hold(&scenario, threads, false);
        assert!(report.is_right(), "{:?}", report.violations);
    }
}

/// The trace replays wherever the limit stops the run: between a crash and a recovery, or between two elections.
#[test]
fn what_is_stopped_replays_too() {
    for (seed, info) in (0..).zip(CATALOGUE) {
        for limit in [1, 4, 8, 15, 30] {
            let faults = ["crash=1@1", "recover=1@6"].map(|text| text.parse().unwrap()).to_vec();
            let usual = usual(info, 4, seed);
            let scenario = Scenario { limit, elections: 3, timing: clock(1, (0, 200)), forced: true, ..usual };
            hold(&scenario, 4, true);
            hold(&Scenario { faults, ..scenario }, 2, true);
        }
    }
}
