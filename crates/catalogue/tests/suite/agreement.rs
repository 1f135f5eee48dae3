//! The judge of a run and the checker of all schedules agree.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_catalogue::algorithm;
use bellwether_check::machine::Machine;
use bellwether_check::shortest::Path;
use bellwether_check::{Plan, tell};
use bellwether_core::{Info, TopologyKind};
use bellwether_random::{Purpose, Stream};
use bellwether_world::host::{Watcher, Wishes};
use bellwether_world::rules::{Conditions, Ruling};
use bellwether_world::{Freedom, Properties, Property, Report, Scenario, Timing};

use crate::support::{CALM, FIRST, PLAN, broken, family_of, verdict};

/// A random schedule, what the checker finds broken on it, and the checker's ruling on its end.
fn walk(machine: &mut Machine, chance: &mut Stream) -> Option<(Path, Properties, Ruling)> {
    const LONGEST: usize = 300;
    let (mut row, mut path, mut moves) = (machine.first().unwrap(), vec![], vec![]);
    let mut broken = Properties::default();
    while path.len() < LONGEST {
        moves.clear();
        if machine.moves(row.cells(), &mut moves) == 0 {
            let ruling = machine.ruling(row.cells());
            return Some((path, broken.and(ruling.broken), ruling));
        }
        let step = moves[chance.below(moves.len() as u64) as usize];
        let way = chance.below(machine.ways(row.cells(), step).unwrap().into()) as u32;
        broken = broken.and(machine.apply(&mut row, step, way).unwrap().broken);
        path.push((step, way));
    }
    None
}

/// Plays some schedules of a configuration. Judge and checker find the same properties broken, and the same ones not to
/// be judged.
fn agree(scenario: &Scenario, plan: Plan, chance: &mut Stream, seen: &mut Properties, excused: &mut u32) {
    let algorithm = algorithm(&scenario.algorithm).unwrap();
    let mut machine = Machine::new(algorithm, scenario, plan).unwrap();
    machine.spread_out();
    for _ in 0..12 {
        let Some((path, broken, ruling)) = walk(&mut machine, chance) else { continue };
        let story = tell(&mut machine, &path, None).unwrap();
        let (report, context) = (&story.report, format!("{plan:?}, {:?}: {:?}", story.scenario, story.report));
        let conditions = Conditions::of(&story.scenario);
        assert_eq!(conditions, Conditions::of_schedules(plan.freedom, story.scenario.forced), "{context}");
        for property in Property::of(algorithm.info) {
            let exempt = conditions.exempts(algorithm.info, property).is_some();
            assert!(!(exempt && broken.contains(property)), "{context}");
            assert_eq!(report.broken.contains(property), broken.contains(property), "{property}: {context}");
            let told = report.not_judged.iter().any(|(other, _)| *other == property);
            let is_moot = ruling.moot.contains(property) && !broken.contains(property);
            // The checker compares bounds with all schedules together.
            assert!(property == Property::Bounds || told == (exempt || is_moot), "{property}: {context}");
        }
        *seen = seen.and(broken);
        *excused += u32::from(ruling.excused);
    }
}

fn networks(info: &Info) -> &'static [&'static str] {
    match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing => &["ring:2", "ring:3"],
        TopologyKind::Tree => &["all-trees:3"],
        TopologyKind::Connected => &["all-graphs:3"],
        TopologyKind::Complete => &["complete:2", "complete:3"],
    }
}

#[test]
fn every_schedule_is_judged_as_it_is_checked() {
    let freedoms = [
        CALM,
        Freedom { reorder: true, ..CALM },
        Freedom { losses: 1, ..CALM },
        Freedom { copies: 1, ..CALM },
        Freedom { crashes: 1, ..CALM },
        Freedom { crashes: 2, losses: 1, reorder: true, ..CALM },
        Freedom { hasty_timers: true, ..CALM },
    ];
    let (mut seen, mut excused) = (Properties::default(), 0);
    let mut chance = Stream::new(1, Purpose::Runs(1));
    for info in CATALOGUE {
        let timers = algorithm(info.name).unwrap().events.has_timers;
        for topology in networks(info) {
            for ids in ["random", "same"] {
                let family = family_of(info.name, topology, ids, true);
                for freedom in freedoms.into_iter().filter(|freedom| timers || !freedom.hasty_timers) {
                    for starts_first in [false, true] {
                        let plan = Plan { freedom: Freedom { starts_first, ..freedom }, ..PLAN };
                        for scenario in family.scenarios() {
                            agree(&scenario, plan, &mut chance, &mut seen, &mut excused);
                        }
                    }
                }
            }
        }
    }
    // A copy of a smaller id makes a false leader, which then resigns.
    for scenario in family_of("chang-roberts", "ring:4", "1,1,5,2", false).scenarios() {
        (0..20).for_each(|_| agree(&scenario, FIRST, &mut chance, &mut seen, &mut excused));
    }
    // Some of the schedules were wrong ones.
    for property in [Property::OneLeader, Property::Steady, Property::Leader, Property::Winner, Property::Informed] {
        assert!(seen.contains(property), "{property}");
    }
    assert!(excused > 0);
}

fn simulated(scenario: &Scenario) -> Report {
    bellwether_play::play(scenario, Wishes::none(&mut Watcher)).unwrap().unwrap()
}

/// A property that holds on every schedule holds in every run.
#[test]
fn what_holds_for_the_checker_holds_in_runs() {
    for info in CATALOGUE {
        for (plan, timings) in [
            (FIRST, &[Timing::Unit, Timing::Uniform, Timing::Exponential][..]),
            (Plan { freedom: Freedom { reorder: true, ..FIRST.freedom }, ..PLAN }, &[Timing::Reorder]),
        ] {
            let family = family_of(info.name, networks(info)[0], "all", true);
            let verdict = verdict(&family, plan);
            if !broken(&verdict).is_empty() || !verdict.is_complete() {
                continue;
            }
            for (scenario, seed) in family.scenarios().zip(1..) {
                for &timing in timings {
                    let report = simulated(&Scenario { timing, seed, forced: !timing.is_fifo(), ..scenario.clone() });
                    assert!(report.is_right(), "{} {timing} {:?}", info.name, report.violations);
                }
            }
        }
    }
}

/// Bully survives a crash at any moment, with any initiators. If the only participant crashes, there was no election:
/// neither the checker nor the judge asks for a leader.
#[test]
fn a_crash_is_judged_alike() {
    let family = family_of("bully", "complete:3", "all", true);
    let plan = Plan { freedom: Freedom { crashes: 1, ..CALM }, ..PLAN };
    let all = verdict(&family, plan);
    assert_eq!((broken(&all), all.is_complete(), all.excused), (vec![], true, true));
    let (mut right, mut excused) = (0, 0);
    for scenario in family.scenarios() {
        for (node, quarters) in (0..3).flat_map(|node| (0..16).map(move |quarters| (node, quarters))) {
            let crash = format!("crash={node}@{}", f64::from(quarters) / 4.0);
            let faults = vec![crash.parse().unwrap()];
            let report = simulated(&Scenario { faults, ..scenario.clone() });
            assert!(report.violations.is_empty(), "{:?}: {:?}", scenario.initiators, report.violations);
            match report.is_right() {
                true => right += 1,
                false => {
                    assert_eq!(scenario.initiator_count(), 1);
                    let why = "all who took part have crashed";
                    assert!(report.not_judged.contains(&(Property::Leader, why)), "{report:?}");
                    excused += 1;
                }
            }
        }
    }
    assert!(right > excused && excused > 0, "{right} {excused}");
}
