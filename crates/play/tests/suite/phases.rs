//! Phases: who is in the race, and what each of them costs.

use bellwether_core::Info;
use bellwether_world::host::{Watcher, Wishes};
use bellwether_world::trace::Event;
use bellwether_world::{Fault, PhaseSeen, PhasesSeen, Report, Scenario, Timing};

use crate::support::networks::complete;
use crate::support::theory::{Election, all_start, some_start};
use crate::support::{command, drawing, elect, failure, info, on, record, ring, timings};

/// Plays a scenario that must be right, and counts its phases.
fn phased(scenario: &Scenario) -> (Report, PhasesSeen) {
    let mut watcher = Watcher;
    let wishes = Wishes { phases: true, ..Wishes::none(&mut watcher) };
    let report = bellwether_play::play(scenario, wishes).expect("the algorithm exists").unwrap();
    assert!(report.is_right(), "{}", failure(scenario, &report));
    let phases = report.phases.clone().expect("it has phases");
    (report, phases)
}

/// The nodes in the race, by phase.
fn races(phases: &PhasesSeen) -> Vec<Vec<u32>> {
    phases.each.iter().map(|phase| phase.nodes.clone()).collect()
}

/// What must hold whatever the algorithm: every message to elect belongs to a phase, and names agree with numbers.
fn add_up(report: &Report, phases: &PhasesSeen, what: &dyn std::fmt::Debug) {
    assert_eq!(phases.each.iter().map(|phase| phase.messages).sum::<u64>(), report.election_messages(), "{what:?}");
    assert_eq!(phases.count, phases.each.len() as u64);
    assert!(phases.each.iter().all(|phase| phase.racing == phase.nodes.len() as u64), "{what:?}");
}

/// Every order of up to seven ids if all start, and every set of initiators of up to five.
fn elections() -> impl Iterator<Item = Election> {
    all_start(7).chain(some_start(5))
}

const HALVING: [&str; 3] = ["peterson", "dolev-klawe-rodeh", "franklin"];

#[test]
fn the_field_is_halved_and_a_phase_takes_two_messages_a_link_at_most() {
    for it in elections() {
        let theory = it.phases();
        for name in HALVING {
            let (report, phases) = phased(&it.run(name));
            add_up(&report, &phases, &it);
            for (before, after) in phases.each.iter().zip(&phases.each[1..]) {
                assert!(2 * after.racing <= before.racing, "{name}: {it:?}");
            }
            assert!(phases.each.iter().all(|phase| phase.messages <= 2 * it.n()), "{name}: {it:?}");
            assert!(phases.count <= u64::from(it.initiators.len().ilog2()) + 1, "{name}: {it:?}");
            let in_race: Vec<usize> = phases.each.iter().map(|phase| phase.nodes.len()).collect();
            let expected: Vec<usize> = theory.iter().map(Vec::len).collect();
            assert_eq!(in_race, expected, "{name}: {it:?}");
        }
        // The values move on, so that here the nodes are those of the theory.
        let (_, phases) = phased(&it.run("dolev-klawe-rodeh"));
        let expected: Vec<Vec<u32>> =
            theory.iter().map(|phase| phase.iter().map(|(node, _)| *node as u32).collect()).collect();
        assert_eq!(races(&phases), expected, "{it:?}");
    }
}

/// A neighbour may be a phase ahead, so that a node passes on messages of a phase that it is not in.
#[test]
fn phases_do_not_depend_on_the_schedule() {
    for it in all_start(6).filter(|it| it.nodes() > 3) {
        for seed in 1..=3 {
            for name in HALVING {
                let (_, expected) = phased(&it.run(name));
                let scenario = Scenario { timing: Timing::Exponential, seed, ..it.run(name) };
                assert_eq!(phased(&scenario).1, expected, "{}", command(&scenario));
            }
            let scenario = Scenario { timing: Timing::Exponential, seed, ..it.run("franklin") };
            assert!(phased(&scenario).1.each.iter().all(|phase| phase.messages == 2 * it.n()), "{it:?}");
        }
    }
}

/// By phase, each candidate and each side: a probe reaches 2^i hops or the next larger candidate. If it is not
/// swallowed, as many replies come back.
#[test]
fn hirschberg_sinclair_probes_twice_as_far_in_each_phase() {
    for it in elections() {
        for timing in [Timing::Unit, Timing::Uniform] {
            let scenario = Scenario { timing, ..it.run("hirschberg-sinclair") };
            let (report, phases) = phased(&scenario);
            add_up(&report, &phases, &it);
            for (i, phase) in (0..).zip(&phases.each) {
                if i > 0 {
                    assert!(phase.racing <= it.n() / ((1 << (i - 1)) + 1), "phase {i}: {it:?}");
                }
                assert!(phase.messages <= 4 * (1 << i) * phase.racing, "phase {i}: {it:?}");
            }
            assert_eq!(phases.count, u64::from(it.n().next_power_of_two().ilog2()) + 1, "{it:?}");
        }
    }
}

/// The tokens of Itai and Rodeh say which tournament they belong to.
#[test]
fn tokens_belong_to_the_tournament_that_they_name() {
    for seed in 1..=60 {
        for timing in timings(info("itai-rodeh")).filter(|timing| *timing != Timing::Rounds) {
            let settings = [("k".to_string(), 2)].into();
            let scenario = Scenario { timing, seed, settings, ..ring("itai-rodeh", &[0; 6]) };
            let (report, phases) = phased(&scenario);
            add_up(&report, &phases, &scenario);
            let (_, events) = record(&scenario);
            let mut levels = vec![0; phases.each.len()];
            for level in events.iter().flat_map(levels_sent) {
                levels[level - 1] += 1;
            }
            assert_eq!(phases.each.iter().map(|phase| phase.messages).collect::<Vec<_>>(), levels);
        }
    }
}

fn levels_sent(event: &Event) -> impl Iterator<Item = usize> {
    event.sent.iter().filter_map(|sent| sent.msg.get("token")?.get(1)?.as_u64()).map(|level| level as usize)
}

#[test]
fn everybody_draws_in_every_round_of_itai_rodeh_in_rounds() {
    for seed in 1..=40 {
        let settings = [("k".to_string(), 2)].into();
        let scenario = Scenario { seed, settings, ..ring("itai-rodeh-sync", &[0; 4]) };
        let (report, phases) = phased(&scenario);
        add_up(&report, &phases, &scenario);
        assert!(phases.each.iter().all(|phase| (phase.racing, phase.messages) == (4, 12)));
        // P of them end in round P(n - 1) + 1.
        assert_eq!(report.time.unwrap().whole(), Some(u128::from(phases.count) * 3 + 1));
    }
}

/// A node that is out listens, and so knows which phase it is when all others have crashed.
#[test]
fn phases_go_on_after_crashes() {
    let draws = [vec![1, 1], vec![1, 1], vec![1, 1], vec![0, 1]];
    let faults = ["crash=0@3", "crash=1@3", "crash=2@3"].map(|fault| fault.parse::<Fault>().unwrap()).to_vec();
    let calm = drawing(on("random-candidacy", complete(4), &[0; 4]), &draws);
    let (_, phases) = phased(&Scenario { faults, ..calm });
    assert_eq!(races(&phases), [vec![0, 1, 2, 3], vec![0, 1, 2], vec![3]]);
    assert_eq!(phases.each[1], PhaseSeen { racing: 3, messages: 9, nodes: vec![0, 1, 2], begins: None });
}

/// The means of the entries against those of the recursions, which brute force has confirmed.
#[test]
fn mean_numbers_of_phases() {
    let mean = |info: &Info, n: usize| {
        let scenario = on(info.name, crate::support::networks::ring_of(n), &vec![0; n]);
        (info.phases.unwrap().mean.unwrap().of)(scenario.size(info))
    };
    let expected: [(&str, usize, f64); 11] = [
        ("itai-rodeh", 1, 1.0),
        ("itai-rodeh", 2, 2.0),
        ("itai-rodeh", 3, 27.0 / 16.0),
        ("itai-rodeh", 4, 8.0 / 5.0),
        ("itai-rodeh", 5, 5825.0 / 3744.0),
        ("random-candidacy", 1, 2.0),
        ("random-candidacy", 2, 2.0),
        ("random-candidacy", 3, 7.0 / 3.0),
        ("random-candidacy", 5, 133.0 / 45.0),
        ("itai-rodeh-sync", 3, 1.125),
        ("itai-rodeh-sync", 4, 1.185_185_185_185_185_2),
    ];
    for (name, n, expected) in expected {
        let mean = mean(info(name), n);
        assert!((mean - expected).abs() < 1e-12, "{name}, n = {n}: {mean}");
    }
    assert!(mean(info("itai-rodeh"), 1000).is_nan(), "it would take long");
}

/// The judge holds the time of every run against the entry: 3n - 3, or 4n - 3, or 2n - 1 if one node starts. This is
/// every order and set of initiators of up to seven nodes.
#[test]
fn peterson_and_dolev_klawe_rodeh_take_linear_time() {
    let mut longest = [[0; 3]; 8];
    for it in some_start(7) {
        let last = Scenario { settings: [("leader".to_string(), 1)].into(), ..it.run("peterson") };
        let runs = [it.run("peterson"), last, it.run("dolev-klawe-rodeh")];
        let times = runs.map(|run| elect(&run).time.unwrap().whole().unwrap());
        longest[it.nodes()].iter_mut().zip(times).for_each(|(longest, time)| *longest = time.max(*longest));
    }
    let peterson = longest.map(|[peterson, ..]| peterson);
    assert_eq!(peterson, [0, 1, 3, 6, 9, 12, 15, 18]);
    for (n, [_, last, dolev_klawe_rodeh]) in longest.into_iter().enumerate().skip(2) {
        assert!(last <= 4 * n as u128 - 3 && dolev_klawe_rodeh <= 4 * n as u128 - 3, "{n}: {longest:?}");
    }
    assert_eq!(longest[4], [9, 13, 13]);
}
