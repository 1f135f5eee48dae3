//! Every algorithm on every host, through the catalogue: the host makes no difference.

use bellwether_algorithms::registry::{self, CATALOGUE, Visitor};
use bellwether_core::{
    Bounds, Electorate, Id, Info, Knowledge, Local, Model, Process, Rounds, Settings, Span, Starts, Truth, Winner,
};
use bellwether_world::ids::Ids;
use bellwether_world::initiators::Initiators;
use bellwether_world::trace::ANNOUNCE;
use bellwether_world::{Kind, Scenario, Time, Timing};

use crate::support::networks::{accepts, random, small_elections};
use crate::support::theory::some_start;
use crate::support::{command, drawing, elect, kinds, on, ring, rings, started_by, timings};

/// The scenarios of an algorithm, without timing: random networks of up to eight nodes, with all nodes starting and
/// with some.
fn scenarios(info: &'static Info) -> impl Iterator<Item = Scenario> {
    let sizes_and_seeds = (1..=8).flat_map(|n| (1..=5).map(move |seed| (n, seed)));
    sizes_and_seeds.flat_map(|(n, seed)| {
        let ids: Vec<u64> = Ids::Random.assign(n, seed).unwrap().iter().map(|id| id.0).collect();
        let network = random(info.topology, n as usize, seed);
        let everybody = Scenario { seed, ..on(info.name, network, &ids) };
        let some = Initiators::Random(n.div_ceil(2)).choose(&everybody.topology, seed).unwrap();
        let some = Scenario { initiators: some, ..everybody.clone() };
        let one = started_by(everybody.clone(), &[0]);
        [everybody, some, one].into_iter().filter(|scenario| accepts(info, scenario))
    })
}

/// The id that must win without faults.
fn promised(winner: Winner, electorate: &Electorate<'_>) -> Option<Id> {
    let id = |node: u32| electorate.ids[node as usize];
    match winner {
        Winner::MaxOfAll => electorate.ids.iter().max().copied(),
        Winner::MaxOfInitiators => electorate.initiators().map(|(node, _)| id(node)).max(),
        Winner::MinOfAll => electorate.ids.iter().min().copied(),
        Winner::MinOfWakers => electorate.wakers().map(id).min(),
        Winner::Random | Winner::Any => None,
    }
}

#[test]
fn every_algorithm_is_right_on_every_host() {
    for info in CATALOGUE {
        for scenario in scenarios(info) {
            for timing in timings(info) {
                let scenario = Scenario { timing, ..scenario.clone() };
                let report = elect(&scenario);
                let promised = promised(info.winner, &scenario.electorate());
                assert_eq!(report.leaders[0].id, promised, "{}", command(&scenario));
                assert_eq!(report.deciders, Some(scenario.ids.len() as u64));
                // Pictures know announcements by the name of their kind.
                let named_so = |kind: &Kind| kind.announce == (kind.name == ANNOUNCE);
                assert!(report.kinds.iter().all(named_so), "{:?}", report.kinds);
            }
        }
    }
}

/// On a one-way ring a process has one input, so its messages come in a fixed order. The same holds for phases that
/// wait for both sides.
#[test]
fn counts_do_not_depend_on_the_schedule() {
    for info in CATALOGUE {
        for scenario in scenarios(info).filter(is_schedule_independent) {
            let expected = kinds(&elect(&scenario));
            for timing in timings(info).filter(|timing| timing.is_fifo()) {
                let scenario = Scenario { timing, ..scenario.clone() };
                assert_eq!(kinds(&elect(&scenario)), expected, "{}", command(&scenario));
            }
        }
    }
}

/// The other counts do depend on the schedule: the claim above is not an accident of small rings.
#[test]
fn the_other_counts_do_depend_on_the_schedule() {
    let names = CATALOGUE.iter().map(|info| info.name);
    for name in names.filter(|name| DEPENDENT.contains(name)) {
        let differs = |scenario: Scenario| {
            let uniform = |seed| Scenario { timing: Timing::Uniform, seed, ..scenario.clone() };
            (1..20).any(|seed| kinds(&elect(&scenario)) != kinds(&elect(&uniform(seed))))
        };
        let all = small_elections(crate::support::info(name), 5);
        let mut dependent = all.filter(|scenario| !is_schedule_independent(scenario));
        assert!(dependent.any(differs), "{name}");
    }
}

/// The algorithms whose counts may depend on the schedule.
const DEPENDENT: [&str; 6] = [
    "hirschberg-sinclair",
    "chang-roberts-bidirectional",
    "traversal-path",
    "traversal-edge-colouring",
    "echo-election",
    "adoption",
];

fn is_schedule_independent(scenario: &Scenario) -> bool {
    match scenario.algorithm.as_str() {
        "hirschberg-sinclair" => false,
        "chang-roberts-bidirectional" => scenario.all_start(),
        "traversal-path" | "traversal-edge-colouring" | "echo-election" | "adoption" => scenario.initiator_count() == 1,
        _ => true,
    }
}

#[test]
fn what_takes_t_units_takes_t_rounds_after_the_first() {
    for info in CATALOGUE.iter().filter(|info| info.model == Model::Asynchronous) {
        for scenario in scenarios(info) {
            let units = elect(&scenario);
            let rounds = elect(&Scenario { timing: Timing::Rounds, ..scenario.clone() });
            assert_eq!(kinds(&units), kinds(&rounds), "{}", command(&scenario));
            assert_eq!(units.leaders, rounds.leaders);
            let [units, rounds] = [units, rounds].map(|report| report.time.and_then(Time::whole).unwrap());
            assert_eq!(rounds, units + 1, "{}", command(&scenario));
        }
    }
}

/// The synchronizer adds pulses, and nothing else.
#[test]
fn pulses_are_overhead_and_counted_apart() {
    for info in CATALOGUE.iter().filter(|info| info.model == Model::Synchronous) {
        for scenario in scenarios(info) {
            let rounds = elect(&scenario);
            assert!(rounds.kinds.iter().all(|kind| !kind.overhead));
            let units = elect(&Scenario { timing: Timing::Unit, ..scenario.clone() });
            assert_eq!(kinds(&units), kinds(&rounds), "{}", command(&scenario));
            assert_eq!(units.messages(), rounds.messages());
            assert_eq!(units.bits, rounds.bits, "{}", command(&scenario));
            assert_eq!(units.leaders, rounds.leaders);
            let pulses = units.kinds.iter().find(|kind| kind.overhead).unwrap();
            assert_eq!(pulses.name, "pulse");
            assert!(pulses.count >= units.messages(), "a pulse for each round and link that carried a message");
        }
    }
}

/// Numbering may begin at any node. That is why other tests look at orders up to rotation.
#[test]
fn a_ring_has_no_beginning() {
    for info in rings() {
        for it in some_start(4).filter(|it| info.starts != Starts::All || it.initiators.len() == it.nodes()) {
            let n = it.nodes();
            // Scripted draws turn with the ring. They are the ids, so that no second draw is needed.
            let draws: Vec<Vec<u64>> =
                it.ids.iter().map(|&id| vec![if info.is_anonymous() { id } else { id % 2 }]).collect();
            let upright = elect(&drawing(it.run(info.name), &draws));
            for turn in 1..n {
                let turned = |node: usize| (node + turn) % n;
                let mut ids = it.ids.clone();
                ids.rotate_right(turn);
                let mut draws = draws.clone();
                draws.rotate_right(turn);
                let mut initiators: Vec<usize> = it.initiators.iter().map(|&node| turned(node)).collect();
                initiators.sort_unstable();
                let report = elect(&drawing(started_by(ring(info.name, &ids), &initiators), &draws));
                assert_eq!(kinds(&report), kinds(&upright), "{it:?} turned by {turn}");
                assert_eq!(report.time, upright.time, "{it:?} turned by {turn}");
                assert_eq!(report.leaders[0].node as usize, turned(upright.leaders[0].node as usize));
            }
        }
    }
}

/// A process can be created if and only if it is told at least what the catalogue says it must know.
#[test]
fn what_is_declared_is_what_is_asked_for() {
    const ALL: [Knowledge; 5] =
        [Knowledge::Id, Knowledge::Size, Knowledge::Diameter, Knowledge::Neighbours, Knowledge::MaxDelay];
    for info in CATALOGUE {
        for set in 0..1 << ALL.len() {
            let grant: Vec<_> = (0..ALL.len()).filter(|at| set >> at & 1 == 1).map(|at| ALL[at]).collect();
            let missing: Vec<_> = info.knows.iter().copied().filter(|item| !grant.contains(item)).collect();
            match (registry::visit(info.name, Birth(grant.leak())).unwrap(), &missing[..]) {
                (Ok(()), []) => {}
                (Err(unmet), missing) => assert!(missing.contains(&unmet), "{}: {unmet} is not declared", info.name),
                (Ok(()), missing) => panic!("{} never asked for {missing:?}", info.name),
            }
        }
    }
}

/// Creates a process with this knowledge.
struct Birth(&'static [Knowledge]);

impl Birth {
    /// The entry with other knowledge. Nothing else matters here.
    fn granting(&self, info: &Info) -> Info {
        let announce = info.bounds.announce;
        let bounds = Bounds { announce, ..Bounds::NONE };
        Info { knows: self.0, bounds, ..*info }
    }
}

const TRUTH: Truth =
    Truth { ports: 2, id: Id(7), size: 8, diameter: 4, neighbours: &[Id(3), Id(9)], max_delay: Span::UNIT };

impl Visitor for Birth {
    type Output = Result<(), Knowledge>;

    fn process<P: Process>(self) -> Self::Output {
        let settings = Settings::new();
        let local = Local::granted(&self.granting(P::INFO), &TRUTH, &settings);
        P::new(&local).map(|_| ()).map_err(|unmet| unmet.knowledge)
    }

    fn rounds<R: Rounds>(self) -> Self::Output {
        let settings = Settings::new();
        let local = Local::granted(&self.granting(R::INFO), &TRUTH, &settings);
        R::new(&local).map(|_| ()).map_err(|unmet| unmet.knowledge)
    }
}
