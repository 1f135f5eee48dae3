//! Elections on complete networks, with and without crashes: bully and random candidacy.

use bellwether_core::Span;
use bellwether_random::{Purpose, Stream};
use bellwether_world::ids::Ids;
use bellwether_world::trace::{Event, EventKind};
use bellwether_world::{Fault, Report, Scenario, Timing};

use crate::support::networks::{complete, small_elections};
use crate::support::{
    drawing, draws, elect, every_word, fraction, info, initiator_sets, kinds, leader, on, orders, record, started_by,
    timings, units,
};

// ---- Bully

/// h nodes have larger ids than the smallest initiator. Each of these h + 1 nodes asks all larger ones and is answered.
#[test]
fn bully_asks_everybody_above_and_is_answered() {
    for scenario in small_elections(info("bully"), 5) {
        let n = scenario.ids.len() as u64;
        let electorate = scenario.electorate();
        let initiators = || electorate.initiators().map(|(node, _)| scenario.ids[node as usize].0);
        let above = n - 1 - initiators().min().unwrap();
        let asked = above * (above + 1) / 2;
        let expected = [("elec", asked), ("ok", asked), ("announce", n - 1)];
        let report = elect(&scenario);
        assert_eq!(kinds(&report), expected, "{scenario:?}");
        assert_eq!(leader(&report), n - 1);
        let time = match (n, initiators().max().unwrap() == n - 1) {
            (1, _) => 2,
            (_, true) => 3,
            (_, false) => 4,
        };
        assert_eq!(report.time, Some(units(time)), "{scenario:?}");
        if n <= 4 {
            for timing in timings(info("bully")) {
                for seed in 1..=3 {
                    let report = elect(&Scenario { timing, seed, ..scenario.clone() });
                    assert_eq!(kinds(&report), expected, "{scenario:?} {timing}");
                }
            }
        }
    }
}

/// The smallest starts: n² - 1 messages. The largest starts: n - 1.
#[test]
fn bully_costs_n_squared_minus_1_at_worst_and_n_minus_1_at_best() {
    for n in 2..=12 {
        let ids: Vec<u64> = (0..n as u64).collect();
        let by = |node| elect(&started_by(on("bully", complete(n), &ids), &[node])).messages();
        assert_eq!([by(0), by(n - 1)], [(n * n - 1) as u64, n as u64 - 1]);
    }
}

// ---- Random candidacy

/// A run with these tosses, by phase and then by node.
fn tossing(nodes: usize, phases: &[&[u64]]) -> Scenario {
    let mut script = vec![vec![]; nodes];
    for phase in phases {
        assert_eq!(phase.len(), nodes);
        phase.iter().zip(&mut script).filter(|(toss, _)| **toss < 2).for_each(|(toss, node)| node.push(*toss));
    }
    drawing(on("random-candidacy", complete(nodes), &vec![0; nodes]), &script)
}

/// The node does not toss.
const OUT: u64 = 2;

#[test]
fn random_candidacy_phase_by_phase() {
    let run = |phases: &[&[u64]]| {
        let (report, events) = record(&tossing(phases[0].len(), phases));
        assert!(report.is_right());
        let tosses: usize = draws(&events, phases[0].len()).iter().map(Vec::len).sum();
        assert_eq!(tosses, phases.concat().iter().filter(|&&toss| toss != OUT).count(), "{phases:?}");
        (report.leaders[0].node, report.messages(), report.time)
    };
    // P phases end in round P + 1; each toss is sent to n - 1 others.
    assert_eq!(run(&[&[0, 1, 0]]), (1, 6, Some(units(2))));
    assert_eq!(run(&[&[0, 0, 0], &[0, 0, 1]]), (2, 12, Some(units(3))));
    assert_eq!(run(&[&[1, 1, 0], &[1, 0, OUT]]), (0, 10, Some(units(3))));
    assert_eq!(run(&[&[1, 1, 1], &[0, 1, 1], &[OUT, 0, 0], &[OUT, 1, 0]]), (1, 20, Some(units(5))));
    assert_eq!(run(&[&[0], &[0], &[1]]), (0, 0, Some(units(4))));
}

/// For one phase with this many active nodes: by the number of nodes that toss again, the number of outcomes that lead
/// there. That number is 0 if the phase is decisive.
fn survivors(nodes: usize, active: usize) -> Vec<u64> {
    let mut counts = vec![0; active + 1];
    // If not all nodes are active, a phase before has made the others inactive.
    let before: Vec<u64> = (0..nodes).map(|node| u64::from(node < active)).collect();
    for word in every_word(2, active) {
        let now: Vec<u64> = (0..nodes).map(|node| *word.get(node).unwrap_or(&OUT)).collect();
        let phases: &[&[u64]] = if active == nodes { &[&now] } else { &[&before, &now] };
        let (report, events) = record(&tossing(nodes, phases));
        assert!(report.is_right());
        let again = draws(&events, nodes).iter().filter(|draws| draws.len() > phases.len()).count();
        counts[again] += 1;
    }
    counts
}

/// By induction: b(a) = a + Σ p(a → j) b(j) has the solution b(a) = 2a. So 2n bids are expected, each of n - 1
/// messages.
#[test]
fn random_candidacy_expects_2n_bids() {
    for nodes in 1..=6 {
        for active in (2..=nodes).chain([nodes]) {
            let later: u64 =
                survivors(nodes, active).iter().zip(0..).map(|(count, survivors)| count * 2 * survivors).sum();
            let words = 1 << active;
            assert_eq!(active as u64 * words + later, 2 * active as u64 * words, "{active} of {nodes}");
        }
    }
}

/// E(a) = 1 + Σ p(a → j) E(j), solved for E(a).
#[test]
fn expected_phases_of_random_candidacy() {
    let mut means: Vec<(u64, u64)> = vec![(0, 1), (2, 1)];
    for active in 2..=5 {
        let counts = survivors(active, active);
        let (mut numerator, mut denominator) = (1 << active, 1);
        for j in 2..active {
            let (a, b) = means[j];
            (numerator, denominator) = (numerator * b + counts[j] * a * denominator, denominator * b);
        }
        means.push((numerator, denominator * ((1 << active) - counts[active])));
    }
    let shown: Vec<String> = means[1..].iter().map(|&(a, b)| fraction(a, b)).collect();
    assert_eq!([&shown[..3], &shown[4..]].concat(), ["2", "2", "7/3", "133/45"]);
}

/// The mean of many runs is correct within four standard errors.
#[test]
fn random_candidacy_costs_2n_times_n_minus_1_on_average() {
    const RUNS: u64 = 4000;
    for n in [2, 5, 9] {
        let cost = |seed| {
            let report: Report = elect(&Scenario { seed, ..on("random-candidacy", complete(n), &vec![0; n]) });
            report.messages() as f64
        };
        let costs: Vec<f64> = (0..RUNS).map(cost).collect();
        let mean = costs.iter().sum::<f64>() / RUNS as f64;
        let variance = costs.iter().map(|cost| (cost - mean) * (cost - mean)).sum::<f64>() / RUNS as f64;
        let expected = (2 * n * (n - 1)) as f64;
        let error = (variance / RUNS as f64).sqrt();
        assert!((mean - expected).abs() < 4.0 * error, "n = {n}: {mean} ± {error}, not {expected}");
    }
}

// ---- Crashes

/// The same scenario with these crashes, each at its time.
fn crashing(scenario: Scenario, crashes: impl IntoIterator<Item = (usize, u64)>) -> Scenario {
    let fault = |(node, at)| format!("crash={node}@{at}").parse().unwrap();
    Scenario { faults: crashes.into_iter().map(fault).collect(), ..scenario }
}

/// A node that is dead from the beginning is asked and does not answer.
#[test]
fn bully_asks_the_dead_in_vain() {
    for (n, ids) in (1..=4).flat_map(|n| orders(n).into_iter().map(move |ids| (n, ids))) {
        for alive in initiator_sets(n) {
            for initiators in initiator_sets(n).filter(|set| set.iter().all(|node| alive.contains(node))) {
                let dead = (0..n).filter(|node| !alive.contains(node));
                let scenario = started_by(on("bully", complete(n), &ids), &initiators);
                let report = elect(&crashing(scenario, dead.map(|node| (node, 0))));
                let first = initiators.iter().map(|&node| ids[node]).min().unwrap();
                let living: Vec<u64> = alive.iter().map(|&node| ids[node]).collect();
                let candidates = || living.iter().filter(|id| **id >= first);
                let asked = candidates().map(|id| n as u64 - 1 - id).sum();
                let answered = candidates().map(|id| living.iter().filter(|other| *other > id).count() as u64).sum();
                let winner = *living.iter().max().unwrap();
                let expected = [("elec", asked), ("ok", answered), ("announce", winner)];
                assert_eq!(kinds(&report), expected, "{ids:?}, {alive:?} live, {initiators:?} start");
                assert_eq!(leader(&report), winner);
            }
        }
    }
}

/// For all crashes at all times, and for late reports of them: the largest living id leads in the end.
#[test]
fn bully_survives_crashes_at_any_moment() {
    for seed in 0..1500 {
        let mut chance = Stream::new(seed, Purpose::Ids);
        let n = 2 + chance.below(5) as usize;
        let ids: Vec<u64> = Ids::Random.assign(n as u32, seed).unwrap().iter().map(|id| id.0).collect();
        let mut dying: Vec<usize> = (0..n).collect();
        chance.shuffle(&mut dying);
        dying.truncate(1 + chance.below(n as u64 - 1) as usize);
        let crashes: Vec<(usize, u64)> = dying.into_iter().map(|node| (node, 1 + chance.below(12))).collect();
        for timing in timings(info("bully")) {
            for detection in [Span(0), Span::units(1), Span::units(3)] {
                let scenario = on("bully", complete(n), &ids);
                let mut scenario = Scenario { timing, seed, detection, ..crashing(scenario, crashes.clone()) };
                for fault in &mut scenario.faults {
                    if let (Fault::Crash(_, at), true) = (fault, timing != Timing::Rounds) {
                        *at = *at + chance.uniform_delay(); // also between two instants
                    }
                }
                elect(&scenario);
            }
        }
    }
}

/// In seed 002 the inactive nodes wait for ever if all active nodes die. Here they notice the silence.
#[test]
fn random_candidacy_goes_on_if_all_the_active_die() {
    let scenario = tossing(3, &[&[1, 1, 0]]);
    let report = elect(&crashing(scenario, [(0, 2), (1, 2)]));
    assert_eq!(report.leaders[0].node, 2);
}

/// The leader dies. A node that hears of it in round 3 bids in round 3, and is heard in round 4.
#[test]
fn what_is_sent_on_hearing_of_a_crash_takes_a_round() {
    let scenario = crashing(tossing(3, &[&[0, 1, 0], &[1, OUT, 0]]), [(1, 3)]);
    let (report, events) = record(&scenario);
    assert!(report.is_right());
    let heard = |event: &&Event| event.kind == EventKind::Round && event.t > units(2);
    assert_eq!(report.leaders[0].node, 0);
    assert!(events.iter().filter(heard).all(|event| event.t == units(4)), "{events:?}");
    assert_eq!(report.time, Some(units(4)));
}

#[test]
fn random_candidacy_survives_crashes_at_any_moment() {
    for seed in 0..3000 {
        let mut chance = Stream::new(seed, Purpose::Ids);
        let n = 2 + chance.below(5) as usize;
        let mut dying: Vec<usize> = (0..n).collect();
        chance.shuffle(&mut dying);
        dying.truncate(1 + chance.below(n as u64 - 1) as usize);
        let crashes: Vec<(usize, u64)> = dying.into_iter().map(|node| (node, 1 + chance.below(8))).collect();
        for detection in [Span(0), Span::units(1), Span::units(3)] {
            let scenario = on("random-candidacy", complete(n), &vec![0; n]);
            let scenario = Scenario { seed, detection, ..crashing(scenario, crashes.clone()) };
            elect(&scenario);
        }
    }
}
