//! Every planted bug is found, and every layer of checks finds a bug that no layer before it finds. If only the odds
//! change, the checker finds it.

use std::fmt;

use bellwether_algorithms::registry;
use bellwether_core::{Process, Rounds};
use bellwether_mutants::{self as mutants, Visitor};
use bellwether_net::Wiring;
use bellwether_trials::networks::{connected_graphs, path, random, small_elections};
use bellwether_trials::theory::{Election, all_start};
use bellwether_trials::{command, failure, kinds, on, rings, started_by, timings};
use bellwether_world::host::{Algorithm, Watcher, Wishes};
use bellwether_world::{Outcome, Report, Scenario, Timing};

use self::Layer::{Crashes, EveryOrder, EverySchedule, EverySet, ExactCost, OneRun, Repetition};

/// The messages of each kind that an election must cost, if the scenario alone determines that.
type Cost = fn(&Scenario) -> Option<Vec<u64>>;

#[test]
fn the_algorithms_themselves_pass() {
    struct Itself(Cost);
    impl registry::Visitor for Itself {
        type Output = Result<(), Found>;

        fn process<P: Process>(self) -> Self::Output {
            trial(Algorithm::process::<P>(), self.0)
        }

        fn rounds<R: Rounds>(self) -> Self::Output {
            trial(Algorithm::in_rounds::<R>(), self.0)
        }
    }
    for (name, cost) in COSTS {
        assert_eq!(registry::visit(name, Itself(cost)), Some(Ok(())), "{name}");
    }
}

const COSTS: [(&str, Cost); 10] = [
    ("chang-roberts", |it| Some(vec![election(it).chang_roberts(), n(it)])),
    ("peterson", |it| Some(vec![election(it).peterson(), n(it)])),
    ("itai-rodeh-sync", |_| None),
    ("tree-waves", |it| (n(it) > 1).then(|| vec![n(it) + k(it) - 2, n(it), n(it) - 2])),
    ("traversal-edge-colouring", |it| (k(it) == 1).then(|| vec![2 * it.topology.links(), n(it) - 1])),
    ("echo-election", by_one),
    ("adoption", by_one),
    ("floodmax", |it| Some(vec![2 * u64::from(it.topology.diameter().at_most) * it.topology.links()])),
    ("bully", |it| (k(it) == n(it)).then(|| vec![n(it) * (n(it) - 1) / 2, n(it) * (n(it) - 1) / 2, n(it) - 1])),
    ("random-candidacy", |_| None),
];

fn n(scenario: &Scenario) -> u64 {
    scenario.topology.nodes().into()
}

fn k(scenario: &Scenario) -> u64 {
    scenario.initiator_count().into()
}

/// One wave over every link and back.
fn by_one(scenario: &Scenario) -> Option<Vec<u64>> {
    let (others, links) = (n(scenario) - 1, scenario.topology.links());
    (k(scenario) == 1).then(|| vec![2 * links - others, others, others])
}

/// The ids and the initiators on a ring.
fn election(scenario: &Scenario) -> Election {
    let initiators = scenario.electorate().initiators().map(|(node, _)| node as usize).collect();
    Election { ids: scenario.ids.iter().map(|id| id.0).collect(), initiators }
}

#[test]
fn every_bug_in_chang_roberts_is_found() {
    let mut hunt = Hunt::new("chang-roberts");
    mutants::chang_roberts(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("the smallest id passes", Some(OneRun)),
            ("its own id passes too", Some(OneRun)),
            ("a participant passes smaller ids on", Some(OneRun)),
            ("a sleeping node swallows smaller ids", Some(EverySet)),
            ("a sleeping node stands, and passes the smaller id on as well", Some(EverySet)),
            ("a sleeping node that a larger id wakes up stands all the same", Some(ExactCost)),
            ("candidatures go the wrong way", Some(OneRun)),
            ("the leader does not announce", Some(OneRun)),
            ("the leader passes its own announcement on", Some(OneRun)),
            ("a follower does not pass the announcement on", Some(OneRun)),
            ("a follower takes itself for the leader", Some(OneRun)),
            ("a follower goes on taking part", Some(OneRun)),
            ("an incumbent does not step down", Some(Repetition)),
            ("an incumbent that starts the next election does not step down", Some(Repetition)),
            ("nobody starts a second election", Some(Repetition)),
        ]
    );
}

#[test]
fn every_bug_in_peterson_is_found() {
    let mut hunt = Hunt::new("peterson");
    mutants::peterson(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("> for >=", Some(OneRun)),
            ("min for max", Some(OneRun)),
            ("the second message is the first one's value, not the larger", Some(OneRun)),
            ("the second value is not looked at", Some(EveryOrder)),
            ("a survivor keeps its own value", Some(OneRun)),
            ("a relay does not know its own id", Some(OneRun)),
            ("the leader passes on what still comes", Some(OneRun)),
            ("a sleeping node that hears of the election joins in", Some(EverySet)),
            ("the leader passes its own announcement on", Some(OneRun)),
        ]
    );
}

#[test]
fn every_bug_in_itai_rodeh_in_rounds_is_found() {
    let mut hunt = Hunt::new("itai-rodeh-sync");
    mutants::itai_rodeh_sync(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("the largest draw wins, unique or not", Some(OneRun)),
            ("one draw is not waited for", Some(OneRun)),
            ("draws go one hop too far", Some(OneRun)),
            ("its own draw does not count", Some(OneRun)),
            ("all but the winner lead", Some(OneRun)),
            ("all draw again unless the largest draw is unique", None), // only the odds change
        ]
    );
}

#[test]
fn every_bug_in_tree_waves_is_found() {
    let mut hunt = Hunt::new("tree-waves");
    mutants::tree_waves(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("a leaf echoes only when it receives an explosion", Some(OneRun)),
            ("an echo does not wake anybody up", Some(EverySchedule)),
            ("the explosion goes back as well", Some(ExactCost)),
        ]
    );
}

#[test]
fn every_bug_in_traversal_edge_colouring_is_found() {
    let mut hunt = Hunt::new("traversal-edge-colouring");
    mutants::traversal_edge_colouring(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("only one end colours a link", Some(ExactCost)),
            ("a link that closes a cycle is taken for one of the tree", Some(ExactCost)),
        ]
    );
}

#[test]
fn every_bug_in_echo_election_is_found() {
    let mut hunt = Hunt::new("echo-election");
    mutants::echo_election(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("a leaf that belongs to a wave is not conquered", Some(EverySet)),
            ("an echo counts for every wave", Some(EverySchedule)),
        ]
    );
}

#[test]
fn every_bug_in_adoption_is_found() {
    let mut hunt = Hunt::new("adoption");
    mutants::adoption(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("an echo is compared with the mark of the node", Some(EverySet)),
            ("3d: the link is left open", Some(OneRun)),
            ("3d: no answer", Some(OneRun)),
            ("3a: compared with the mark of the node", Some(OneRun)),
            ("3b: compared with the mark of the node", Some(OneRun)),
        ]
    );
}

/// If the middle and the right node start, the left one's echo is late.
#[test]
fn adoption_that_compares_echoes_with_the_mark_of_the_node_elects_nobody_on_2_1_3() {
    struct Late(Option<Outcome>);
    impl Visitor for Late {
        fn process<P: Process>(&mut self, bug: &'static str) {
            if bug == "an echo is compared with the mark of the node" {
                let scenario = started_by(on("adoption", path(3), &[2, 1, 3]), &[1, 2]);
                self.0 = Some(play(Algorithm::process::<P>(), &scenario).outcome);
            }
        }

        fn rounds<R: Rounds>(&mut self, _: &'static str) {}
    }
    let mut late = Late(None);
    mutants::adoption(&mut late);
    assert_eq!(late.0, Some(Outcome::NoLeader));
}

#[test]
fn every_bug_in_floodmax_is_found() {
    let mut hunt = Hunt::new("floodmax");
    mutants::floodmax(&mut hunt);
    assert_eq!(hunt.found, [("what is sent in the last round is not read", Some(OneRun))]);
}

/// Seed 004 ends its loop with a send. That is wrong on 25 of the 38 graphs of four nodes, and on the only one of two.
#[test]
fn floodmax_without_the_last_reception_is_wrong_on_25_of_38_graphs() {
    struct Wrong(Vec<[usize; 2]>);
    impl Visitor for Wrong {
        fn process<P: Process>(&mut self, _: &'static str) {}

        fn rounds<R: Rounds>(&mut self, _: &'static str) {
            let run = |nodes: usize, it| {
                play(Algorithm::in_rounds::<R>(), &on("floodmax", it, &(0..nodes as u64).collect::<Vec<_>>()))
            };
            let wrong =
                |nodes| connected_graphs(nodes).into_iter().filter(|it| !run(nodes, it.clone()).is_right()).count();
            self.0.push([wrong(2), wrong(4)]);
            assert_eq!(run(2, path(2)).leaders.len(), 2);
        }
    }
    let mut wrong = Wrong(vec![]);
    mutants::floodmax(&mut wrong);
    assert_eq!(wrong.0, [[1, 25]]);
}

#[test]
fn every_bug_in_bully_is_found() {
    let mut hunt = Hunt::new("bully");
    mutants::bully(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("it waits for less than a round trip", Some(OneRun)),
            ("the largest id leads at once", Some(OneRun)),
            ("who was answered waits for the result for ever", Some(Crashes)),
            ("nobody minds that its leader is down", Some(Crashes)),
        ]
    );
}

#[test]
fn every_bug_in_random_candidacy_is_found() {
    let mut hunt = Hunt::new("random-candidacy");
    mutants::random_candidacy(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("who is inactive no longer listens", Some(OneRun)),
            ("who tosses a 1 leads", Some(OneRun)),
            ("who is inactive waits for ever if all the active die", Some(Crashes)),
            ("nobody minds that its leader is down", Some(Crashes)),
            ("what the dead have bid counts", Some(Crashes)),
            ("who tosses a 0 always drops out", None), // only the odds change
        ]
    );
}

/// The checks, from the cheapest to the most thorough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    /// One network, with all nodes starting.
    OneRun,
    /// Every order of up to five ids on a ring; other networks are all in the next layer.
    EveryOrder,
    /// And every set of initiators; other networks with up to four nodes.
    EverySet,
    /// And random delays, without FIFO links if the algorithm does not need them.
    EverySchedule,
    /// And repeated elections, if the algorithm can repeat them.
    Repetition,
    /// And exact costs.
    ExactCost,
    /// And a crash of one or two nodes at any half unit, if the algorithm survives that.
    Crashes,
}

/// Where a bug was found, and how it showed.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    layer: Layer,
    how: String,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.layer, self.how)
    }
}

/// Tests an algorithm with this cost, layer by layer.
fn trial(algorithm: &Algorithm, cost: Cost) -> Result<(), Found> {
    let info = algorithm.info;
    let is_ring = rings().any(|it| it.name == info.name);
    let right = |layer: Layer, scenario: Scenario| {
        let report = play(algorithm, &scenario);
        // Costs that are too high are left to the last layer.
        let dear = |violation: &String| violation.starts_with("a bound exceeded");
        let elected = report.outcome == Outcome::Elected && report.violations.iter().all(dear);
        if elected { Ok(report) } else { Err(Found { layer, how: failure(&scenario, &report) }) }
    };
    let five = random(info.topology, 5, 1);
    right(OneRun, on(info.name, five, &[3, 1, 4, 0, 2]))?;
    for it in all_start(5).filter(|_| is_ring) {
        right(EveryOrder, it.run(info.name))?;
    }
    let all = || small_elections(info, if is_ring { 5 } else { 4 });
    for it in all() {
        right(EverySet, it)?;
    }
    let seeds = if is_ring { 3 } else { 10 };
    for it in all() {
        for timing in timings(info).filter(|&timing| timing != it.timing) {
            for seed in 1..=seeds {
                right(EverySchedule, Scenario { timing, seed, ..it.clone() })?;
            }
        }
    }
    let elections = if info.repeatable { 3 } else { 1 };
    for it in all() {
        right(Repetition, Scenario { elections, ..it })?;
    }
    for it in all() {
        let Some(expected) = cost(&it) else { continue };
        let it = Scenario { elections, ..it };
        let sent: Vec<u64> = kinds(&right(ExactCost, it.clone())?).into_iter().map(|(_, count)| count).collect();
        let expected: Vec<u64> = expected.into_iter().map(|count| count * u64::from(elections)).collect();
        if sent != expected {
            return Err(Found { layer: ExactCost, how: format!("{sent:?}, not {expected:?}\n  {}", command(&it)) });
        }
    }
    let all_start = all().filter(|it| info.survives_crashes && it.all_start() && it.topology.nodes() > 1);
    for it in all_start {
        let halves = if it.timing == Timing::Rounds { 2..10 } else { 0..20 };
        let nodes = it.topology.nodes();
        let pairs = || (0..nodes).flat_map(|a| (a..nodes).map(move |b| (a, b))).filter(|(a, b)| a == b || nodes > 2);
        let seeds = if info.randomised { 1..=8 } else { 1..=1 };
        for (seed, half) in seeds.flat_map(|seed| halves.clone().map(move |half| (seed, half))) {
            let (whole, tenths) = if it.timing == Timing::Rounds { (half / 2, 0) } else { (half / 2, half % 2 * 5) };
            let crash = |node: u32| format!("crash={node}@{whole}.{tenths}").parse().expect("a fault");
            for (a, b) in pairs() {
                let faults = if a == b { vec![crash(a)] } else { vec![crash(a), crash(b)] };
                right(Crashes, Scenario { seed, faults, ..it.clone() })?;
            }
        }
    }
    Ok(())
}

/// With a limit that is enough for a correct run. A run that never ends is stopped.
fn limited(scenario: &Scenario) -> Scenario {
    Scenario { limit: 3_000, ..scenario.clone() }
}

fn play(algorithm: &Algorithm, scenario: &Scenario) -> Report {
    bellwether_sim::play(algorithm, &limited(scenario), Wishes::none(&mut Watcher)).expect("the run can be made")
}

/// Tests all mutants of an algorithm.
struct Hunt {
    cost: Cost,
    found: Vec<(&'static str, Option<Layer>)>,
}

impl Hunt {
    fn new(name: &str) -> Self {
        let (_, cost) = COSTS.into_iter().find(|(it, _)| *it == name).expect("its cost");
        Self { cost, found: vec![] }
    }

    fn note(&mut self, bug: &'static str, found: Option<Found>) {
        match &found {
            Some(found) => println!("{bug}\n  {found}"),
            None => println!("{bug}\n  NOT FOUND"),
        }
        self.found.push((bug, found.map(|found| found.layer)));
    }
}

impl Visitor for Hunt {
    fn process<P: Process>(&mut self, bug: &'static str) {
        self.note(bug, trial(Algorithm::process::<P>(), self.cost).err());
    }

    fn rounds<R: Rounds>(&mut self, bug: &'static str) {
        self.note(bug, trial(Algorithm::in_rounds::<R>(), self.cost).err());
    }
}
