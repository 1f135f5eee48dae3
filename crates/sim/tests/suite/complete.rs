//! Elections where everybody is linked to everybody: bully and random candidacy, without crashes.

use bellwether_world::{Report, Scenario};

use crate::support::networks::{complete, small_elections};
use crate::support::{
    drawing, draws, elect, every_word, fraction, info, kinds, leader, on, record, started_by, timings, units,
};

// ---- Bully

/// h nodes have larger ids than the smallest initiator. Each of these h + 1 asks all that are larger and is answered.
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

/// A run with these tosses, phase by phase and there node by node.
fn tossing(nodes: usize, phases: &[&[u64]]) -> Scenario {
    let mut script = vec![vec![]; nodes];
    for phase in phases {
        assert_eq!(phase.len(), nodes);
        phase.iter().zip(&mut script).filter(|(toss, _)| **toss < 2).for_each(|(toss, node)| node.push(*toss));
    }
    drawing(on("random-candidacy", complete(nodes), &vec![0; nodes]), &script)
}

/// Does not toss.
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
    // P phases end in round P + 1; each toss is told to n - 1 others.
    assert_eq!(run(&[&[0, 1, 0]]), (1, 6, Some(units(2))));
    assert_eq!(run(&[&[0, 0, 0], &[0, 0, 1]]), (2, 12, Some(units(3))));
    assert_eq!(run(&[&[1, 1, 0], &[1, 0, OUT]]), (0, 10, Some(units(3))));
    assert_eq!(run(&[&[1, 1, 1], &[0, 1, 1], &[OUT, 0, 0], &[OUT, 1, 0]]), (1, 20, Some(units(5))));
    assert_eq!(run(&[&[0], &[0], &[1]]), (0, 0, Some(units(4))));
}

/// After one phase of so many active nodes: by the number of those who toss again, how many of all their tosses lead there.
/// None of them does if the phase is decisive.
fn survivors(nodes: usize, active: usize) -> Vec<u64> {
    let mut counts = vec![0; active + 1];
    // If not all are active, a phase before has sent the others out.
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

/// By induction: b(a) = a + Σ p(a → j) b(j) has the solution b(a) = 2a, so 2n bids are expected, each of n - 1 messages.
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

/// The mean of many runs is where it must be, within four standard errors.
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
