//! Random faults, slow disks, pauses, and the time without a leader.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{
    Context, Id, Info, Knowledge, Local, Model, Port, Process, Span, Starters, Starts, Status, TopologyKind, Unmet,
    messages, timers,
};
use bellwether_net::{Network, Topology};
use bellwether_world::host::{Algorithm, Watcher, Wishes};
use bellwether_world::{Chaos, Fault, Outcome, Proved, Report, Scenario, Term, Time, Timing};

use crate::support::{failure, info, on, play, record};

fn network(text: &str) -> Network {
    text.parse::<Topology>().unwrap().build(1).unwrap()
}

fn lease(nodes: u64, seed: u64, faults: &[&str]) -> Scenario {
    let network = network(&format!("complete:{nodes}"));
    let faults = faults.iter().map(|fault| Fault::parse(fault, &network).unwrap()).collect();
    let ids: Vec<u64> = (1..=nodes).collect();
    Scenario { seed, faults, limit: u64::MAX, ..on("lease", network, &ids) }
}

#[test]
fn the_lease_keeps_its_promises_whatever_fails() {
    let mut lost = 0;
    for (nodes, runs, chaos) in [(3, 1_500, Chaos::Harsh), (5, 300, Chaos::Harsh), (3, 500, Chaos::Mild)] {
        for seed in 0..runs {
            let timing = [Timing::Unit, Timing::Uniform, Timing::Reorder][seed as usize % 3];
            let mut scenario = Scenario { timing, until: Some(Time::units(150)), ..lease(nodes, seed, &[]) };
            chaos.strike(&mut scenario, info("lease"), false).unwrap();
            let report = play(&scenario);
            assert!(report.violations.is_empty(), "{} {:?}", failure(&scenario, &report), scenario.faults);
            lost += report.failovers().count();
        }
    }
    assert!(lost > 2_000, "leaders are lost and replaced: {lost}");
}

/// The same faults must not be harmless: with clocks beyond their bound they make two leaders.
#[test]
fn clocks_beyond_their_bound_break_the_promise() {
    let broken = (0..300).filter(|seed| {
        let mut scenario = lease(3, *seed, &["drift=0:0.7", "drift=1:1.4"]);
        Chaos::Harsh.strike(&mut scenario, info("lease"), false).unwrap();
        !play(&scenario).violations.is_empty()
    });
    assert!(broken.count() > 3);
}

#[test]
fn random_faults_suit_every_algorithm_of_events() {
    for info in CATALOGUE.iter().filter(|info| info.model == Model::Asynchronous) {
        let (topology, ids) = match info.topology {
            TopologyKind::OneWayRing | TopologyKind::TwoWayRing => ("ring:5", &[3, 1, 5, 2, 4]),
            TopologyKind::Tree => ("tree:5", &[3, 1, 5, 2, 4]),
            TopologyKind::Connected => ("grid:1x5", &[3, 1, 5, 2, 4]),
            TopologyKind::Complete => ("complete:5", &[3, 1, 5, 2, 4]),
        };
        let anonymous = [1; 5];
        let ids: &[u64] = if info.is_anonymous() { &anonymous } else { ids };
        for seed in 0..20 {
            let mut scenario = Scenario { seed, ..on(info.name, network(topology), ids) };
            if info.starts == Starts::One {
                scenario.initiators = Starters::together([0]);
            }
            Chaos::Harsh.strike(&mut scenario, info, false).unwrap();
            let report = play(&scenario);
            assert!(report.violations.is_empty(), "{} {:?}", failure(&scenario, &report), scenario.faults);
            assert_ne!(report.outcome, Outcome::Limit, "{}", failure(&scenario, &report));
        }
    }
}

/// Every run is within the bound that is proved for one successor, and waits for the lease to run out.
#[test]
fn a_successor_leads_within_the_proved_time() {
    let mut longest = Span(0);
    for timing in [Timing::Unit, Timing::Uniform, Timing::Exponential, Timing::Reorder] {
        for seed in 0..150 {
            let crash = format!("crash=leader@{}.{}", 20 + seed % 30, seed % 10);
            let mut scenario = Scenario { timing, ..lease(3 + seed % 3, seed, &[&crash]) };
            scenario.settings.insert("candidates".into(), 2);
            let report = play(&scenario);
            let failover: Vec<Span> = report.failovers().collect();
            let bound = Proved::new(info("lease"), &scenario).failover.unwrap();
            assert!((bound - (12.0 / 0.99 + 4.0)).abs() < 1e-9);
            assert_eq!(failover.len(), 1, "{}", failure(&scenario, &report));
            assert!(failover[0].0 as f64 <= bound * 1e6, "{}: {failover:?}", failure(&scenario, &report));
            assert!(failover[0] > Span::units(7), "{}: {failover:?}", failure(&scenario, &report));
            longest = longest.max(failover[0]);
        }
    }
    assert!(longest > Span::units(13), "the bound is not far away: {longest:?}");
    let also_lossy = lease(3, 1, &["crash=leader@20", "loss=0.1"]);
    assert_eq!(Proved::new(info("lease"), &also_lossy).failover, None);
}

#[test]
fn nobody_is_struck_where_nobody_leads() {
    let report = play(&lease(3, 1, &["crash=leader@0.5"]));
    assert_eq!((report.crashed, report.terms.len()), (vec![], 1));
}

/// While it is paused a process does not lead. Afterwards its timers come first.
#[test]
fn a_paused_leader_leads_nobody() {
    let leader = play(&lease(3, 1, &[])).terms[0];
    assert!(leader.since < Time::units(10));
    let long = play(&lease(3, 1, &[&format!("pause={}@20..60", leader.node)]));
    assert!(long.violations.is_empty(), "{:?}", long.violations);
    assert_eq!(long.terms[0], Term { until: Some(Time::units(20)), ..leader });
    assert_ne!(long.terms[1].node, leader.node);
    let short = play(&lease(3, 1, &[&format!("pause={}@20..22", leader.node)]));
    assert_eq!(short.terms, [leader], "the same leadership goes on");
}

timers! {
    /// The toy's timer.
    enum Bell {
        Alarm = "alarm",
    }
}

messages! {
    /// The toy's message.
    pub enum Msg {
        /// How often it was started.
        Hello(starts: u64) = "hello",
    }
}

/// Node 0 counts its starts on disk, tells its neighbour, and leads at once. It stops to lead after 3 units.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Toy {
    id: Id,
    starts: u64,
    leads: bool,
}

const TOY: Info = Info {
    name: "toy",
    topology: TopologyKind::Complete,
    knows: &[Knowledge::Id],
    perpetual: true,
    survives_crashes: true,
    ..Info::EVENTS
};

impl Process for Toy {
    const INFO: &'static Info = &TOY;
    type Msg = Msg;
    type Timer = Bell;
    type Disk = u64;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, starts: 0, leads: false })
    }

    fn restored(local: &Local, disk: Option<u64>) -> Result<Self, Unmet> {
        Ok(Self { starts: disk.unwrap_or(0), ..Self::new(local)? })
    }

    fn disk(&self) -> u64 {
        self.starts
    }

    fn start(&mut self, ctx: &mut impl Context<Msg, Bell>) {
        if self.id == Id(1) {
            self.starts += 1;
            self.leads = true;
            ctx.send(Port(0), Msg::Hello(self.starts));
            ctx.set_timer(Bell::Alarm, Span::units(3));
        }
    }

    fn receive(&mut self, _: Port, _: Msg, _: &mut impl Context<Msg, Bell>) {}

    fn timeout(&mut self, _: Bell, _: &mut impl Context<Msg, Bell>) {
        self.leads = false;
    }

    fn status(&self) -> Status {
        if self.leads { Status::Leader } else { Status::Undecided }
    }

    fn token(&self) -> Option<u64> {
        Some(self.starts)
    }
}

/// What the other node hears and when, and the leaderships of node 0.
fn toy(faults: &[&str]) -> (Vec<String>, Vec<String>, Report) {
    let network = network("complete:2");
    let faults = faults.iter().map(|fault| Fault::parse(fault, &network).unwrap()).collect();
    let mut scenario = Scenario { faults, ..Scenario::new(&TOY, network, vec![Id(1), Id(2)]) };
    scenario.until = Some(Time::units(40));
    let mut heard = vec![];
    let mut record = |event: bellwether_world::trace::Event| {
        heard.extend(event.received.iter().map(|received| format!("{} at {}", received.msg, event.t)));
    };
    let mut watcher = Watcher;
    let wishes = Wishes { record: Some(&mut record), ..Wishes::none(&mut watcher) };
    let report = bellwether_sim::play(Algorithm::process::<Toy>(), &scenario, wishes).unwrap();
    let term = |Term { token, since, until, .. }: &Term| {
        format!("{} from {since} to {}", token.unwrap(), until.map_or("the end".into(), |until| until.to_string()))
    };
    (heard, report.terms.iter().map(term).collect(), report)
}

#[test]
fn messages_and_leaderships_wait_for_a_slow_disk() {
    let (heard, terms, _) = toy(&[]);
    assert_eq!((heard, terms), (vec![r#"{"hello":1} at 1"#.into()], vec!["1 from 0 to 3".into()]));
    let (heard, terms, _) = toy(&["disk=0:2"]);
    assert_eq!((heard, terms), (vec![r#"{"hello":1} at 3"#.into()], vec!["1 from 2 to 3".into()]));
    // Its timer does not wait. So it never leads.
    let (heard, terms, _) = toy(&["disk=0:5"]);
    assert_eq!((heard, terms), (vec![r#"{"hello":1} at 6"#.into()], vec![]));
}

#[test]
fn a_crash_loses_what_is_not_on_disk_yet_and_the_messages_that_wait() {
    let (heard, terms, report) = toy(&["disk=0:2", "crash=0@1", "recover=0@10"]);
    assert_eq!((heard, terms), (vec![r#"{"hello":1} at 13"#.into()], vec!["1 from 12 to 13".into()]));
    assert_eq!((report.lost, report.violations), (1, vec![]));
    // A little later, all is on disk.
    let (heard, terms, report) = toy(&["disk=0:2", "crash=0@2.5", "recover=0@10"]);
    assert_eq!(heard, [r#"{"hello":1} at 3"#, r#"{"hello":2} at 13"#]);
    assert_eq!(terms, ["1 from 2 to 2.5", "2 from 12 to 13"]);
    assert_eq!((report.lost, report.violations), (0, vec![]));
}

/// A trace of all this is played again.
#[test]
fn a_run_with_random_faults_replays() {
    for seed in 0..20 {
        let mut scenario = lease(3, seed, &["crash=leader@31"]);
        Chaos::Harsh.strike(&mut scenario, info("lease"), false).unwrap();
        assert_eq!(record(&scenario), record(&scenario));
    }
}
