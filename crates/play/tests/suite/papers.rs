//! Claims of papers, lecture notes and slides. One test per claim, with its source above it.
//!
//! The *seeds* are the texts that the project started from. 000: slides on elections in rings, trees and graphs. 001: a
//! report on Chang-Roberts. 002: slides on the classical algorithms. 003: lecture notes (Angluin, clockwise, time
//! slices). 004: slides on variable speeds. If a claim needs a correction, the test shows the correct one.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Id, Info, Round, Settings, Starters, Starts, TopologyKind};
use bellwether_world::trace::{Decision, Event};
use bellwether_world::{Outcome, Report, Scenario, Time, Timing};

use crate::support::networks::{complete, random, ring_of};
use crate::support::theory::{all_start, all_start_of, some_start};
use crate::support::{drawing, elect, kinds, leader, moments, on, play, record, ring, rings, started_by, units};

// ---- Chang and Roberts

/// Seed 000, complexity: ids in descending order cost Σ i = N(N+1)/2 messages. Seed 002, 21: the candidature of i makes
/// i hops.
#[test]
fn chang_roberts_is_worst_in_descending_order() {
    for n in 1..=40 {
        let ids: Vec<u64> = (1..=n).rev().collect();
        assert_eq!(elect(&ring("chang-roberts", &ids)).election_messages(), n * (n + 1) / 2);
    }
}

/// Seed 002, 20: the best case is O(N); it is 2n - 1, in ascending order.
#[test]
fn chang_roberts_is_best_in_ascending_order() {
    for n in 1..=40 {
        let ids: Vec<u64> = (1..=n).collect();
        assert_eq!(elect(&ring("chang-roberts", &ids)).election_messages(), 2 * n - 1);
    }
}

/// Seed 001, 2.2: one initiator needs at most 3n - 1 messages. The worst case is an initiator right after the future
/// leader: n - 1 messages until the future leader takes part, n until it is elected, n until all know.
#[test]
fn chang_roberts_with_one_initiator_costs_at_most_3n_minus_1() {
    for it in some_start(6).filter(|it| it.initiators.len() == 1 && it.nodes() > 1) {
        let n = it.n();
        let after_the_leader = it.distance(it.node_of(it.largest()), it.initiators[0]) == 1;
        let report = elect(&it.run("chang-roberts"));
        assert!(report.messages() < 3 * n);
        assert_eq!(report.messages() == 3 * n - 1, after_the_leader, "{it:?}");
        if after_the_leader {
            assert_eq!(kinds(&report), [("elect", (n - 1) + n), ("announce", n)]);
        }
    }
}

/// Seed 000: "after at most N steps somebody is elected". True if all start together. One initiator may take 2n - 1
/// steps.
#[test]
fn chang_roberts_elects_within_n_units_if_all_start_and_within_2n_minus_1_if_one_does() {
    let elected = |scenario: &Scenario, n: usize| {
        let (_, events) = record(scenario);
        (0..n).flat_map(|node| moments(&events, node, Decision::Leader)).collect::<Vec<_>>()
    };
    for it in all_start(6).filter(|it| it.nodes() > 1) {
        assert_eq!(elected(&it.run("chang-roberts"), it.nodes()), [units(it.n())]);
        let after_the_leader = (it.node_of(it.largest()) + 1) % it.nodes();
        let late = started_by(ring("chang-roberts", &it.ids), &[after_the_leader]);
        assert_eq!(elected(&late, it.nodes()), [units(2 * it.n() - 1)]);
    }
}

/// Seed 004, Theorem 4: at most n² messages, termination included. That is n(n+1)/2 + n, which is true from n = 3 on.
#[test]
fn chang_roberts_with_its_announcement_stays_below_n_squared_from_three_nodes_on() {
    let worst = |n: u64| elect(&ring("chang-roberts", &(0..n).rev().collect::<Vec<_>>())).messages();
    assert_eq!([1, 2, 3, 4].map(worst), [2, 5, 9, 14]);
    assert!((3..40).all(|n| worst(n) <= n * n));
}

// ---- Clockwise and time slices

/// Seed 003, Theorem 2.2 and its induction hypothesis: the node at distance i receives the largest id in round i + 1.
/// So after n + 1 rounds its owner leads and all others follow.
#[test]
fn clockwise_ends_in_round_n_plus_1() {
    for it in all_start(6) {
        let (report, events) = record(&it.run("clockwise"));
        assert_eq!((report.outcome, leader(&report)), (Outcome::Elected, it.largest()));
        assert_eq!(report.time, Some(units(it.n() + 1)));
        let largest = serde_json::json!({ "elect": it.largest() });
        let arrivals: Vec<(Time, u32)> = events
            .iter()
            .filter(|event| event.received.iter().any(|it| it.msg == largest))
            .map(|event| (event.t, event.node))
            .collect();
        let node_at = |i: u64| ((it.node_of(it.largest()) as u64 + i) % it.n()) as u32;
        assert_eq!(arrivals, (1..=it.n()).map(|i| (units(i + 1), node_at(i))).collect::<Vec<_>>());
    }
}

/// Seed 003, Theorem 2.3: at most n² messages. The exact maximum is n(n+1)/2.
#[test]
fn clockwise_costs_at_most_n_squared_and_really_n_times_n_plus_1_over_2() {
    for n in 1..=7 {
        let worst = all_start_of(n).map(|it| elect(&it.run("clockwise")).messages()).max();
        let n = n as u64;
        assert_eq!(worst, Some(n * (n + 1) / 2));
        assert!(worst <= Some(n * n));
    }
}

/// Seed 003, Theorem 2.4: the node with the largest id leads after at most 2n - 1 units. The worst place for a single
/// initiator is right after it. As printed, line 5 would let it adopt the smaller id that wakes it up.
#[test]
fn clockwise_async_ends_within_2n_minus_1_units() {
    for it in some_start(6) {
        let report = elect(&it.run("clockwise-async"));
        assert_eq!(leader(&report), it.largest(), "{it:?}");
        let after_the_leader = it.distance(it.node_of(it.largest()), it.initiators[0]) == 1 || it.nodes() == 1;
        assert!(report.time <= Some(units(2 * it.n() - 1)));
        assert_eq!(report.time == Some(units(2 * it.n() - 1)), it.initiators.len() == 1 && after_the_leader, "{it:?}");
    }
    assert_eq!(leader(&elect(&started_by(ring("clockwise-async", &[1, 2]), &[0]))), 2);
}

/// Seed 003, 2.6.2: at most n messages, because each node sends only once; and Θ(n min) rounds, exactly n (min + 1).
#[test]
fn time_slice_lets_every_node_send_once() {
    for smallest in [0, 1, 9] {
        let report = elect(&ring("time-slice", &[smallest + 2, smallest, smallest + 5, smallest + 1, smallest + 3]));
        assert_eq!(report.stats.sends, [1; 5]);
        assert_eq!(report.time, Some(units(5 * (smallest + 1))));
    }
}

// ---- Variable speeds

/// Seed 004, Theorem 1: only the smallest id comes home. It is the smallest id of the nodes that wake up on their own.
#[test]
fn variable_speeds_elects_the_smallest_participant_and_not_the_smallest_id() {
    let report = elect(&woken("variable-speeds", &[3, 0, 2, 1], &[(0, 1), (2, 1), (3, 2)]));
    assert_eq!(leader(&report), 2, "1 is woken up in the round in which it would have woken up, 0 sleeps");
}

/// Seed 004, Theorem 2: at most 5n messages. In this example, relays that pass everything on at once would need 433.
#[test]
fn variable_speeds_stays_below_5n_where_hasty_relays_would_not() {
    let ids: Vec<u64> = (0..64).collect();
    let wakes = [(0, 16), (1, 12), (2, 7), (3, 2), (4, 1), (5, 1)];
    let report = elect(&woken("variable-speeds", &ids, &wakes));
    assert_eq!(kinds(&report), [("phase1", 64), ("phase2", 77), ("announce", 64)]);
    assert_eq!(report.messages(), 205);
}

/// Seed 004 does not define the order in which messages of one round are handled. Smallest first, as here, costs 4 slow
/// messages in this example. Order of arrival would cost 5.
#[test]
fn variable_speeds_looks_at_the_smallest_message_of_a_round_first() {
    let report = elect(&woken("variable-speeds", &[1, 2, 3, 0], &[(0, 2), (1, 2), (2, 2), (3, 4)]));
    assert_eq!(kinds(&report), [("phase1", 4), ("phase2", 4), ("announce", 4)]);
}

/// Seed 004, Lemma 4: nothing is sent on after the leader has its id back. This is wrong: held tokens are released
/// until the announcement arrives. Here node 4 does so in round 9, although the leader is known since round 6.
#[test]
fn variable_speeds_releases_held_tokens_after_the_leader_is_known() {
    let scenario = ring("variable-speeds", &[0, 1, 2, 3, 4]);
    let (report, events) = record(&scenario);
    assert!(report.is_right());
    assert_eq!(moments(&events, 0, Decision::Leader), [units(6)]);
    let slow = |event: &Event| event.sent.iter().any(|it| it.msg.get("phase2").is_some());
    let late: Vec<_> = events.iter().filter(|event| event.t > units(6) && slow(event)).collect();
    let [late] = late[..] else { panic!("{late:?}") };
    assert_eq!(
        (late.t, late.node, late.describe(&scenario.topology).as_str()),
        (units(9), 4, "plays round 9, sends phase2(3) to node 0")
    );
}

// ---- Phases

/// Franklin, abstract: 2N⌊lg N⌋ + 3N messages. Chang-Roberts needs N(N+1)/2 (and N announcements).
#[test]
fn franklins_worst_case_is_exactly_that_of_its_abstract() {
    for n in 1..=8 {
        let worst = all_start_of(n).map(|it| elect(&it.run("franklin")).messages()).max();
        assert_eq!(worst, Some(2 * n as u64 * u64::from(n.ilog2()) + 3 * n as u64), "n = {n}");
    }
}

/// Seed 000, Peterson: at most ⌊log N⌋ + 1 phases of 2N messages; the last one costs N at most.
#[test]
fn petersons_last_phase_costs_one_tour_at_most() {
    for it in all_start(7) {
        let (n, phases) = (it.n(), u64::from(it.n().ilog2()));
        assert!(elect(&it.run("peterson")).election_messages() <= 2 * n * phases + n, "{it:?}");
    }
}

/// Seed 000, Peterson: the prose makes the last *active* node leader, the program the owner of the largest id.
#[test]
fn petersons_winner_is_the_owner_of_the_largest_id_and_not_its_last_holder() {
    let (report, events) = record(&ring("peterson", &[1, 3, 2]));
    let taken_over = events.iter().find(|event| event.node == 2 && event.sent.iter().any(|it| it.msg["elect"] == 3));
    assert!(taken_over.is_some(), "node 2 goes on with the value of node 1");
    assert_eq!(report.leaders[0].node, 1);
}

/// Hirschberg and Sinclair, as cited in Franklin's abstract: 8N + 8⌈N lg N⌉ messages.
#[test]
fn hirschberg_sinclair_stays_below_its_own_bound() {
    for it in all_start(7) {
        let n = it.n();
        let n_lg_n = n.pow(n as u32).next_power_of_two().ilog2(); // ⌈n lg n⌉ = ⌈lg n^n⌉
        assert!(elect(&it.run("hirschberg-sinclair")).messages() <= 8 * n + 8 * u64::from(n_lg_n), "{it:?}");
    }
}

// ---- Anonymous rings

/// Angluin 1980 (seeds 002, I.3; 003, Theorem 2.1; 004): no deterministic algorithm elects in an anonymous ring. With
/// equal ids and all nodes in step, nothing tells nodes apart: these algorithms elect all of them.
#[test]
fn among_equals_everybody_is_elected() {
    for info in rings().filter(|info| !info.is_anonymous()) {
        for n in 2..=6 {
            // Equal tosses too, for the algorithm that tosses.
            let equals = drawing(ring(info.name, &vec![1; n]), &vec![vec![0]; n]);
            let report = play(&Scenario { forced: true, ..equals });
            assert_eq!((report.outcome, report.leaders.len()), (Outcome::SeveralLeaders, n), "{}", info.name);
        }
    }
}

/// The same on other networks that look the same from every node. Only an algorithm that waits for n different ids
/// waits for ever.
#[test]
fn among_equals_on_other_networks_everybody_or_nobody_is_elected() {
    let symmetric = |kind: TopologyKind, n: usize| match kind {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing | TopologyKind::Connected => Some(ring_of(n)),
        TopologyKind::Tree => (n == 2).then(|| complete(2)),
        TopologyKind::Complete => Some(complete(n)),
    };
    let everybody = |info: &&&Info| !info.is_anonymous() && info.starts != Starts::One;
    for info in CATALOGUE.iter().filter(everybody) {
        for (n, network) in (2..=6).filter_map(|n| Some((n, symmetric(info.topology, n)?))) {
            let equals = drawing(on(info.name, network, &vec![1; n]), &vec![vec![0]; n]);
            let report = play(&Scenario { forced: true, ..equals });
            let leaders = if info.name == "broadcast-max" { 0 } else { n };
            assert_eq!(report.leaders.len(), leaders, "{}, n = {n}", info.name);
        }
    }
}

/// Seed 003 does not say so, but a ring of one is an exception.
#[test]
fn alone_everybody_is_elected_rightly() {
    for info in CATALOGUE {
        assert_eq!(elect(&on(info.name, random(info.topology, 1, 1), &[1])).leaders.len(), 1);
    }
}

/// Seed 002, Itai-Rodeh "always ends": with probability 1, and not at all if there is nothing to choose from.
#[test]
fn itai_rodeh_never_ends_without_a_choice() {
    for n in 2..=6 {
        let settings = Settings::from([("k".into(), 1)]);
        let report = play(&Scenario { settings, limit: 10_000, ..ring("itai-rodeh", &vec![0; n]) });
        assert_eq!((report.outcome, report.leaders.len()), (Outcome::Limit, 0));
    }
}

/// Seed 002, Itai-Rodeh: with two nodes a decisive tournament costs 3 messages and a tie 4.
#[test]
fn itai_rodeh_among_two_costs_3_messages_and_4_for_each_tie() {
    for ties in 0..5 {
        let mut draws = [vec![1; ties], vec![1; ties]];
        draws[0].push(0);
        draws[1].push(1);
        let report = elect(&drawing(ring("itai-rodeh", &[0, 0]), &draws));
        assert_eq!(kinds(&report), [("token", 3 + 4 * ties as u64), ("announce", 2)]);
    }
}

/// The same in rounds.
#[test]
fn itai_rodeh_in_rounds_never_ends_without_a_choice() {
    for n in 2..=6 {
        let settings = Settings::from([("k".into(), 1)]);
        let report = play(&Scenario { settings, limit: 10_000, ..ring("itai-rodeh-sync", &vec![0; n]) });
        assert_eq!((report.outcome, report.leaders.len()), (Outcome::Limit, 0));
    }
}

// ---- Assumptions that are needed

/// Two copies of the largest id: each owner takes the other's candidature for its own.
#[test]
fn two_copies_of_the_largest_id_both_lead() {
    let (report, _) = forced("chang-roberts", &[5, 1, 5, 2]);
    assert_eq!(report.outcome, Outcome::SeveralLeaders);
    assert_eq!(report.leaders.iter().map(|leader| leader.node).collect::<Vec<_>>(), [0, 2]);
}

/// A copy of a smaller id elects a false leader for a while. It resigns when a larger id passes.
#[test]
fn a_copy_of_a_smaller_id_elects_a_false_leader_for_a_while() {
    let (report, events) = forced("chang-roberts", &[1, 1, 5, 2]);
    assert_eq!(moments(&events, 1, Decision::Leader), [units(1)]);
    assert_eq!(moments(&events, 1, Decision::Undecided), [units(2)]);
    assert_eq!((report.outcome, leader(&report)), (Outcome::Elected, 5));
}

/// Harmless if there is a larger id between the copies in both directions.
#[test]
fn copies_with_larger_ids_between_them_do_no_harm() {
    let (report, events) = forced("chang-roberts", &[1, 5, 1, 2]);
    assert_eq!((report.outcome, leader(&report)), (Outcome::Elected, 5));
    assert!([0, 2].iter().all(|&copy| moments(&events, copy, Decision::Leader).is_empty()));
}

/// Peterson needs FIFO links: otherwise two nodes lead at a time, or the wrong one does.
#[test]
fn peterson_fails_if_messages_overtake_each_other() {
    let mut runs = reordered("peterson", &[0, 3, 4, 2, 1]);
    assert!(runs.any(|report| report.violations.iter().any(|violation| violation.starts_with("two leaders"))));
    assert!(runs.any(|report| report.outcome == Outcome::Elected && leader(&report) != 4));
}

/// So does Le Lann: a node whose own id comes home early has not seen all others.
#[test]
fn le_lann_fails_if_messages_overtake_each_other() {
    let leaders = |report: Report| report.leaders.iter().map(|leader| leader.id).collect::<Vec<_>>();
    assert!(reordered("le-lann", &[1, 2, 0]).any(|report| leaders(report) == [Some(Id(1)), Some(Id(2))]));
}

/// And so do Dolev, Klawe and Rodeh.
#[test]
fn dolev_klawe_rodeh_fails_if_messages_overtake_each_other() {
    assert!(reordered("dolev-klawe-rodeh", &[1, 2, 0]).any(|report| report.outcome == Outcome::NoLeader));
}

/// Seed 002, Itai-Rodeh, compares draws before tournaments and re-stamps foreign tokens. That is fatal if messages
/// overtake each other. The corrected version needs no order.
#[test]
fn itai_rodeh_needs_no_order() {
    for seed in 0..2000 {
        elect(&Scenario {
            seed,
            timing: Timing::Reorder,
            ..drawing(ring("itai-rodeh", &[0; 3]), &[vec![0], vec![0], vec![0]])
        });
    }
}

/// A scenario with wake-up rounds.
fn woken(algorithm: &str, ids: &[u64], wakes: &[(u32, u128)]) -> Scenario {
    let initiators = Starters::Some(wakes.iter().map(|&(node, round)| (node, Round(round))).collect());
    Scenario { initiators, ..ring(algorithm, ids) }
}

/// A run with a broken assumption.
fn forced(algorithm: &str, ids: &[u64]) -> (Report, Vec<Event>) {
    record(&Scenario { forced: true, ..ring(algorithm, ids) })
}

/// Many runs in which messages overtake each other although the algorithm needs FIFO links.
fn reordered(algorithm: &str, ids: &[u64]) -> impl Iterator<Item = Report> {
    let scenario = Scenario { timing: Timing::Reorder, forced: true, ..ring(algorithm, ids) };
    (0..1000).map(move |seed| play(&Scenario { seed, ..scenario.clone() }))
}
