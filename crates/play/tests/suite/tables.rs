//! Exact tables over all orders of a small ring in which all nodes start.

use crate::support::published::{LEADER_SYNC, MESSAGES, compare};
use crate::support::theory::all_start_of;
use crate::support::{drawing, draws, elect, every_word, fraction, mean, record, ring, started_by, units};

/// When the last node knows, with unit delays: earliest..latest.
const TIMES: &str = "
    n | chang-roberts | peterson | dolev-klawe-rodeh | franklin | hirschberg-sinclair
    2 |  3            |  3       |  5                |  4       |  5
    3 |  5            |  6       |  7                |  6       | 11
    4 |  7            |  8       |  9..13            |  8..10   | 13
    5 |  9            | 10       | 11..16            | 10..13   | 23
    6 | 11            | 12..14   | 13..19            | 12..16   | 25
    7 | 13            | 14..17   | 15..22            | 14..19   | 27";

#[test]
fn election_messages_over_all_orders() {
    compare(MESSAGES, |algorithm, n| {
        let cost = |it: crate::support::theory::Election| elect(&it.run(algorithm)).election_messages();
        let costs: Vec<u64> = all_start_of(n).map(cost).collect();
        let (least, most) = (costs.iter().min().unwrap(), costs.iter().max().unwrap());
        format!("{least} / {most} / {}", mean(&costs))
    });
}

#[test]
fn unit_times_over_all_orders() {
    compare(TIMES, |algorithm, n| {
        let times = || all_start_of(n).map(|it| elect(&it.run(algorithm)).time.unwrap());
        let (earliest, latest) = (times().min().unwrap(), times().max().unwrap());
        if earliest == latest { latest.to_string() } else { format!("{earliest}..{latest}") }
    });
}

/// Plays all first draws. An election ends in the first phase if there is a unique value, and the largest of these
/// wins. K^N over their number is the result of PRISM for its case study `leader_sync`.
#[test]
fn expected_phases_of_itai_rodeh_in_rounds() {
    let others = [(1, 1, "1"), (2, 2, "2"), (5, 5, "625/584")];
    for (n, range, phases) in LEADER_SYNC.into_iter().chain(others) {
        let all = every_word(range, n);
        let decisive = all.filter(|first| ends_in_the_first_phase(first, range)).count() as u64;
        assert_eq!(fraction(range.pow(n as u32), decisive), phases, "n = {n}, K = {range}");
    }
}

/// Plays itai-rodeh-sync with these first draws, counted from 0.
fn ends_in_the_first_phase(first: &[u64], range: u64) -> bool {
    let n = first.len();
    let script: Vec<Vec<u64>> = first.iter().map(|&draw| vec![draw]).collect();
    let mut scenario = drawing(ring("itai-rodeh-sync", &vec![0; n]), &script);
    scenario.settings.insert("k".into(), range);
    let (report, events) = record(&scenario);
    assert!(report.is_right(), "{first:?}");
    let drawn = draws(&events, n);
    let phases = drawn[0].len();
    assert!(drawn.iter().all(|draws| draws.len() == phases), "{drawn:?}");
    for phase in 0..phases {
        let times = |node: usize| drawn.iter().filter(|draws| draws[phase] == drawn[node][phase]).count();
        let unique = (0..n).filter(|&node| times(node) == 1);
        let winner = unique.max_by_key(|&node| drawn[node][phase]);
        let elected = (phase + 1 == phases).then(|| report.leaders[0].node as usize);
        assert_eq!(winner, elected, "phase {phase} of {drawn:?}");
    }
    let (n, phases) = (n as u64, phases as u64);
    assert_eq!(report.messages(), phases * n * (n - 1), "{drawn:?}");
    assert_eq!(report.time, Some(units(phases * (n - 1) + 1)), "{drawn:?}");
    phases == 1
}

/// From the odds of each number of survivors, by linearity. The odds come from playing all first draws.
#[test]
fn expected_tournaments_of_itai_rodeh() {
    let expected = [(2, 2, "2"), (3, 2, "7/3"), (3, 3, "27/16"), (4, 4, "8/5"), (5, 5, "5825/3744")];
    for (n, range, tournaments) in expected {
        assert_eq!(expected_tournaments(n, range), tournaments, "n = {n}, K = {range}");
    }
}

/// E_a = 1 + Σ p_m E_m over the numbers m > 1 of survivors among a active nodes, solved for E_a.
fn expected_tournaments(n: usize, range: u64) -> String {
    let mut means: Vec<(u64, u64)> = vec![(0, 1); n + 1];
    for active in 2..=n {
        let survivors = survivors(n, active, range);
        let (mut numerator, mut denominator) = (range.pow(active as u32), 1);
        for m in 2..active {
            let (a, b) = means[m];
            (numerator, denominator) = (numerator * b + survivors[m] * a * denominator, denominator * b);
        }
        means[active] = (numerator, denominator * (range.pow(active as u32) - survivors[active]));
    }
    fraction(means[n].0, means[n].1)
}

/// By m: how many of the first draws of this many active nodes leave m of them.
fn survivors(n: usize, active: usize, range: u64) -> Vec<u64> {
    let ids: Vec<u64> = (0..n as u64).collect();
    let initiators: Vec<usize> = (0..active).collect();
    let mut counts = vec![0; active + 1];
    for first in every_word(range, active) {
        let script: Vec<Vec<u64>> = first.iter().map(|&draw| vec![draw]).collect();
        let mut scenario = drawing(started_by(ring("itai-rodeh", &ids), &initiators), &script);
        scenario.settings.insert("k".into(), range);
        let (report, events) = record(&scenario);
        assert!(report.is_right(), "{first:?}");
        let draw_again = draws(&events, n).iter().filter(|draws| draws.len() > 1).count();
        counts[draw_again.max(1)] += 1;
    }
    counts
}
