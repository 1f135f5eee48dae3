//! The bounds in the catalogue, checked against every small election of every algorithm.
//!
//! Every network of the algorithm's kind, every order of the ids (on rings up to rotation), every set of initiators and
//! every first random choice. Up to six nodes, or four or five if there are more networks or choices. A bound is never
//! exceeded and never undercut. If a bound is claimed to be sharp, it is attained for every number of initiators.

use std::collections::BTreeMap;

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Formula, Info, Model, Size, Starts, TopologyKind};
use bellwether_world::{Outcome, Report, Scenario, Timing};

use crate::support::networks::small_elections;
use crate::support::theory::{Election, all_start, some_start};
use crate::support::{command, drawing, every_word, play};

/// The bounds that some election attains, for all n and k. The others are not sharp. No ring attains the worst-case
/// bounds of Peterson and Hirschberg-Sinclair. Those of variable-speeds are from its proof.
const SHARP: &[(&str, &[Side])] = &[
    ("chang-roberts", &[Side::Best, Side::Worst, Side::Time]),
    ("clockwise", &[Side::Best, Side::Worst, Side::Time]),
    ("clockwise-async", &[Side::Best, Side::Worst, Side::Time]),
    ("le-lann", &[Side::Best, Side::Worst, Side::Time]),
    ("time-slice", &[Side::Best, Side::Worst, Side::Time]),
    ("variable-speeds", &[Side::Time]),
    ("peterson", &[]),
    ("dolev-klawe-rodeh", &[Side::Best, Side::Worst]),
    ("itai-rodeh", &[Side::Best]),
    ("itai-rodeh-sync", &[Side::Best]),
    ("chang-roberts-bidirectional", &[Side::Best, Side::Worst, Side::Time]),
    ("franklin", &[Side::Best, Side::Worst]),
    ("hirschberg-sinclair", &[Side::Time]),
    ("tree-sequential", &[Side::Best, Side::Worst, Side::Time]),
    ("tree-waves", &[Side::Best, Side::Worst, Side::Time]),
    ("traversal-path", &[Side::Time]),
    ("traversal-edge-colouring", &[Side::Time]),
    ("echo-election", &[Side::Time]),
    ("adoption", &[]),
    ("floodmax", &[Side::Best, Side::Worst, Side::Time]),
    ("broadcast-max", &[Side::Best, Side::Worst, Side::Time]),
    ("bully", &[Side::Best, Side::Worst, Side::Time]),
    ("random-candidacy", &[Side::Best]),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Best,
    Worst,
    Time,
}

impl Side {
    const ALL: [Self; 3] = [Self::Best, Self::Worst, Self::Time];

    fn formula(self, info: &Info) -> Option<Formula> {
        match self {
            Self::Best => info.bounds.best,
            Self::Worst => info.bounds.worst,
            Self::Time => info.bounds.time,
        }
    }

    fn measured(self, report: &Report) -> f64 {
        match self {
            Self::Best | Self::Worst => report.election_messages() as f64,
            Self::Time => report.time.expect("all have decided").as_f64(),
        }
    }

    fn holds(self, measured: f64, bound: f64) -> bool {
        match self {
            Self::Best => measured >= bound,
            Self::Worst | Self::Time => measured <= bound,
        }
    }
}

#[test]
fn no_election_leaves_its_bounds() {
    for info in CATALOGUE {
        for scenario in scenarios(info) {
            hold(info, &scenario);
        }
    }
}

#[test]
fn no_schedule_leaves_the_bounds() {
    for info in CATALOGUE.iter().filter(|info| info.model == Model::Asynchronous) {
        let largest = if is_ring(info) { 5 } else { 4 };
        for it in small_elections(info, largest) {
            for (seed, timing) in [(1, Timing::Uniform), (2, Timing::Uniform), (3, Timing::Exponential)] {
                hold(info, &Scenario { seed, timing, ..it.clone() });
            }
        }
    }
}

#[test]
fn sharp_bounds_are_attained_for_every_number_of_initiators() {
    assert_eq!(SHARP.len(), CATALOGUE.len(), "a line for each algorithm");
    for (info, &(name, sharp)) in CATALOGUE.iter().zip(SHARP) {
        assert_eq!(info.name, name, "in the order of the catalogue");
        let sides = Side::ALL.into_iter().filter_map(|side| Some((side, side.formula(info)?)));
        // By n, k and the bound (which may also depend on the smallest id): the extreme value of all elections.
        let mut extremes: Vec<(Side, Formula, BTreeMap<[u64; 3], u64>)> =
            sides.map(|(side, bound)| (side, bound, BTreeMap::new())).collect();
        for scenario in scenarios(info) {
            let (size, report) = (scenario.size(info), play(&scenario));
            for (side, bound, extremes) in &mut extremes {
                let bound = (bound.of)(size);
                if bound.is_infinite() {
                    continue; // nothing is claimed
                }
                let measured = side.measured(&report);
                let key = [size.n, size.k, bound].map(|part| part as u64);
                let extreme = extremes.entry(key).or_insert(measured as u64);
                if !side.holds(measured, *extreme as f64) {
                    *extreme = measured as u64;
                }
            }
        }
        for (side, bound, extremes) in extremes {
            let missed = extremes.iter().find(|([_, _, bound], extreme)| bound != *extreme);
            let what = format!("{name}, {side:?}, {}", bound.text);
            match sharp.contains(&side) {
                true => assert_eq!(missed, None, "{what} is not attained"),
                false => assert_ne!(missed, None, "{what} is attained: say so in the table"),
            }
        }
    }
}

#[test]
fn the_mean_over_all_orders_and_choices_is_the_stated_one() {
    for info in CATALOGUE {
        let Some(mean) = info.bounds.mean else { continue };
        if info.name == "random-candidacy" {
            continue; // only its first tosses are enumerated here; its own tests prove the mean by induction
        }
        let mut sums: BTreeMap<[u32; 3], (f64, u64, u64)> = BTreeMap::new();
        for scenario in scenarios(info).filter(Scenario::all_start) {
            let size = scenario.size(info);
            let (expected, messages, runs) =
                sums.entry([size.n, size.m, size.d].map(|part| part as u32)).or_insert(((mean.of)(size), 0, 0));
            *messages += play(&scenario).election_messages();
            *runs += 1;
            assert_eq!(*expected, (mean.of)(size));
        }
        for ([n, ..], (expected, messages, runs)) in sums {
            let mean = messages as f64 / runs as f64;
            assert!((mean - expected).abs() < 1e-12 * mean.max(1.0), "{}, n = {n}: {mean}, not {expected}", info.name);
        }
    }
}

/// The sum over the phases is far below the rounded bound of textbooks.
#[test]
fn hirschberg_sinclairs_bound_implies_the_textbooks() {
    let worst = crate::support::info("hirschberg-sinclair").bounds.worst.unwrap();
    for n in 1..=1000u32 {
        let phases = f64::from(n.next_power_of_two().ilog2());
        let n = f64::from(n);
        assert!(
            (worst.of)(Size { n, k: n, min: 0.0, m: n, d: 0.0, flood: false }) <= 8.0 * n * (1.0 + phases),
            "n = {n}"
        );
    }
}

/// Every small election of this algorithm, under the schedule that it is written for.
fn scenarios(info: &'static Info) -> Box<dyn Iterator<Item = Scenario>> {
    match info.name {
        // There are no ids: one order stands for all. A single 1 among the first tosses decides.
        "random-candidacy" => {
            let alike = small_elections(info, 5).filter(|it| it.ids.is_sorted());
            return Box::new(
                alike.flat_map(|it| every_word(2, it.ids.len()).map(move |word| with_choices(it.clone(), &word))),
            );
        }
        _ if is_ring(info) => {}
        _ => return small_elections(info, 5),
    }
    let elections: Box<dyn Iterator<Item = Election>> = match info.starts {
        Starts::All => Box::new(all_start(6)),
        Starts::Any | Starts::AnyRound => Box::new(some_start(6)),
        Starts::One => Box::new(some_start(6).filter(|it| it.initiators.len() == 1)),
    };
    match info.name {
        // There are no ids: one order stands for all.
        "itai-rodeh" | "itai-rodeh-sync" => {
            Box::new(elections.filter(|it| it.nodes() <= 4 && it.ids.is_sorted()).flat_map(move |it| {
                every_word(it.n(), it.nodes()).map(move |first| with_choices(it.run(info.name), &first))
            }))
        }
        "chang-roberts-bidirectional" => {
            Box::new(elections.filter(|it| it.nodes() <= 5).flat_map(move |it| {
                every_word(2, it.nodes()).map(move |tosses| with_choices(it.run(info.name), &tosses))
            }))
        }
        name => {
            assert!(!info.randomised, "what does {name} choose from?");
            // The bounds of round-based algorithms may depend on the smallest id.
            let shifts: &[u64] = if info.model == Model::Synchronous { &[0, 1, 3] } else { &[0] };
            Box::new(elections.flat_map(move |it| {
                shifts.iter().map(move |shift| {
                    let ids = it.ids.iter().map(|id| id + shift).collect();
                    Election { ids, ..it.clone() }.run(name)
                })
            }))
        }
    }
}

fn is_ring(info: &Info) -> bool {
    matches!(info.topology, TopologyKind::OneWayRing | TopologyKind::TwoWayRing)
}

fn with_choices(scenario: Scenario, choices: &[u64]) -> Scenario {
    let script: Vec<Vec<u64>> = choices.iter().map(|&choice| vec![choice]).collect();
    drawing(scenario, &script)
}

fn hold(info: &Info, scenario: &Scenario) {
    let report = play(scenario);
    let size = scenario.size(info);
    assert_eq!(report.outcome, Outcome::Elected, "{}", command(scenario));
    assert_eq!(report.announce_messages() as f64, (info.bounds.announce.of)(size), "{}", command(scenario));
    for side in Side::ALL {
        let Some(bound) = side.formula(info) else { continue };
        let measured = side.measured(&report);
        let (text, bound) = (bound.text, (bound.of)(size));
        assert!(side.holds(measured, bound), "{side:?}: {measured}, but {text} = {bound}\n  {}", command(scenario));
    }
}
