//! The exact cost of every small election, against formulas that use only the ids.
//!
//! Every order of a ring of up to seven nodes, up to rotation. Up to six nodes with every set of initiators.

use bellwether_core::{Id, Round, Settings, Starters};
use bellwether_world::trace::{Decision, Event};
use bellwether_world::{Scenario, Time, Timing};

use crate::support::theory::{CLOCKWISE, Election, all_start, all_start_of, counter_clockwise, some_start};
use crate::support::{
    circular_orders, command, drawing, draws, elect, every_word, info, kinds, leader, mean, moments, n_harmonic,
    record, ring, units,
};

/// Every small ring with all nodes starting, and every smaller one with every set of initiators.
fn elections() -> impl Iterator<Item = Election> {
    all_start(7).chain(some_start(6))
}

#[test]
fn chang_roberts_carries_each_candidature_to_the_next_larger_id() {
    for it in elections() {
        let report = elect(&it.run("chang-roberts"));
        assert_eq!(kinds(&report), [("elect", it.chang_roberts()), ("announce", it.n())], "{it:?}");
        let late = it.since_initiator(it.node_of(it.largest()));
        assert_eq!(report.time, Some(units(late + 2 * it.n() - 1)), "{it:?}");
        assert_eq!(leader(&report), it.largest());
    }
}

/// Only the distance from the one initiator to the largest id counts. The other ids do not matter.
#[test]
fn chang_roberts_with_one_initiator_costs_2n_and_its_distance_to_the_largest() {
    for it in some_start(7).filter(|it| it.initiators.len() == 1) {
        let away = it.distance(it.initiators[0], it.node_of(it.largest()));
        assert_eq!(elect(&it.run("chang-roberts")).messages(), 2 * it.n() + away, "{it:?}");
    }
}

#[test]
fn clockwise_costs_what_chang_roberts_does_without_the_announcement() {
    for it in all_start(7) {
        let (report, events) = record(&it.run("clockwise"));
        assert!(report.is_right(), "{it:?}");
        assert_eq!(kinds(&report), [("elect", it.chang_roberts())], "{it:?}");
        assert_eq!(leader(&report), it.largest());
        let winner = it.node_of(it.largest());
        assert_eq!(moments(&events, winner, Decision::Leader), [units(it.n() + 1)]);
        for node in (0..it.nodes()).filter(|&node| node != winner) {
            let knows = moments(&events, node, Decision::Follower(Some(Id(it.largest()))));
            assert_eq!(knows, [units(it.distance(winner, node) + 1)], "{it:?}, node {node}");
        }
    }
}

#[test]
fn clockwise_async_takes_n_units_from_when_the_largest_id_wakes_up() {
    for it in elections() {
        let report = elect(&it.run("clockwise-async"));
        assert_eq!(kinds(&report), [("elect", it.chang_roberts())], "{it:?}");
        let late = it.since_initiator(it.node_of(it.largest()));
        assert_eq!(report.time, Some(units(late + it.n())), "{it:?}");
        assert_eq!(leader(&report), it.largest());
    }
}

#[test]
fn le_lann_sends_every_id_all_the_way_round() {
    for it in elections() {
        let report = elect(&it.run("le-lann"));
        assert_eq!(kinds(&report), [("elect", it.n() * it.n())]);
        let latest = (0..it.nodes()).map(|node| it.since_initiator(node)).max();
        assert_eq!(report.time, latest.map(|late| units(it.n() + late)), "{it:?}");
        assert_eq!(leader(&report), it.largest());
    }
}

#[test]
fn time_slice_sends_n_messages_in_the_slice_of_the_smallest_id() {
    for it in all_start(7) {
        for smallest in [0, 1, 2, 1 << 40, u64::MAX - 6] {
            let ids: Vec<u64> = it.ids.iter().map(|id| id + smallest).collect();
            let (report, events) = record(&ring("time-slice", &ids));
            assert!(report.is_right(), "{ids:?}");
            assert_eq!(kinds(&report), [("announce", it.n())]);
            assert_eq!(leader(&report), smallest);
            let (n, slice) = (u128::from(it.n()), u128::from(it.n()) * u128::from(smallest));
            assert_eq!(moments(&events, it.node_of(0), Decision::Leader), [Time::units(slice + 1)]);
            assert_eq!(report.time, Some(Time::units(slice + n)), "{ids:?}");
        }
    }
}

/// More rounds than 64 bits can count: n (min + 1) = 2 (2^64 - 1).
#[test]
fn time_slice_counts_rounds_in_128_bits() {
    let report = elect(&ring("time-slice", &[u64::MAX, u64::MAX - 1]));
    assert_eq!(report.time, Some(Time::units(36_893_488_147_419_103_230)));
}

/// The smallest token takes one round per hop up to the next participant, and 2^min rounds per hop from there on.
#[test]
fn variable_speeds_ends_when_the_smallest_token_has_come_round() {
    for it in some_start(5) {
        for shift in [0, 1, 3] {
            let ids: Vec<u64> = it.ids.iter().map(|id| id + shift).collect();
            let it = Election { ids, ..it.clone() };
            let (report, events) = record(&it.run("variable-speeds"));
            assert!(report.is_right(), "{it:?}");
            let smallest = it.initiators.iter().map(|&node| it.ids[node]).min().unwrap();
            assert_eq!(leader(&report), smallest, "{it:?}");

            let winner = it.node_of(smallest);
            let fast = it.hops(winner, CLOCKWISE, |node| it.starts(node));
            let home = 1 + fast + (it.n() - fast) * (1 << smallest);
            assert_eq!(moments(&events, winner, Decision::Leader), [units(home)], "{it:?}");
            assert_eq!(report.time, Some(units(home + it.n() - 1)), "{it:?}");
        }
    }
}

#[test]
fn variable_speeds_with_any_wake_up_rounds_makes_n_fast_hops_and_fewer_than_5n_in_all() {
    const LATEST: u64 = 5;
    for n in 1..=4 {
        for ids in circular_orders(n) {
            // Round 0 stands for a node that does not wake up on its own.
            for wakes in every_word(LATEST + 1, n).filter(|wakes| wakes.iter().any(|&round| round > 0)) {
                let initiators =
                    (0..n).filter(|&node| wakes[node] > 0).map(|node| (node as u32, Round(wakes[node].into())));
                let scenario =
                    Scenario { initiators: Starters::Some(initiators.collect()), ..ring("variable-speeds", &ids) };
                let report = elect(&scenario);
                let [phase1, phase2, announce] = kinds(&report)[..] else { panic!("three kinds") };
                assert_eq!((phase1, announce), (("phase1", n as u64), ("announce", n as u64)), "{ids:?} {wakes:?}");
                assert!(phase2.1 <= 3 * n as u64, "{ids:?} {wakes:?}");

                let it = Election { ids: ids.clone(), initiators: (0..n).filter(|&node| wakes[node] > 0).collect() };
                let sleeps = |node: usize| {
                    it.initiators
                        .iter()
                        .any(|&other| other != node && wakes[other] + it.distance(other, node) <= wakes[node])
                };
                let wakers = it.initiators.iter().filter(|&&node| !sleeps(node));
                assert_eq!(Some(leader(&report)), wakers.map(|&node| ids[node]).min(), "{ids:?} {wakes:?}");
            }
        }
    }
}

#[test]
fn peterson_costs_two_tours_a_phase_and_the_way_home() {
    for it in elections() {
        let report = elect(&it.run("peterson"));
        assert_eq!(kinds(&report), [("elect", it.peterson()), ("announce", it.n())], "{it:?}");
        assert_eq!(leader(&report), it.largest_initiator());
    }
}

#[test]
fn dolev_klawe_rodeh_costs_two_tours_a_phase_and_one_more() {
    for it in elections() {
        let report = elect(&it.run("dolev-klawe-rodeh"));
        let (n, p) = (it.n(), it.contested());
        assert_eq!(kinds(&report), [("one", n * (p + 1)), ("two", n * p), ("announce", n)], "{it:?}");
        assert_eq!(leader(&report), it.largest_initiator());
    }
}

#[test]
fn franklin_costs_two_tours_a_phase() {
    for it in elections() {
        let report = elect(&it.run("franklin"));
        let (n, p) = (it.n(), it.contested());
        assert_eq!(kinds(&report), [("elect", 2 * n * (p + 1)), ("announce", n)], "{it:?}");
        assert_eq!(leader(&report), it.largest_initiator());
    }
}

/// All first draws of n = K nodes. The draws of later tournaments are read from the record.
#[test]
fn itai_rodeh_carries_each_token_to_the_next_smaller_draw_of_its_tournament() {
    for n in 1..=4 {
        let it = all_start(n).last().unwrap();
        for first in every_word(n as u64, n) {
            let script: Vec<Vec<u64>> = first.iter().map(|&draw| vec![draw]).collect();
            for timing in [Timing::Unit, Timing::Uniform] {
                let scenario = Scenario { timing, ..drawing(ring("itai-rodeh", &it.ids), &script) };
                let (report, events) = record(&scenario);
                assert!(report.is_right(), "{first:?}");
                let drawn = draws(&events, n);
                let mut active: Vec<usize> = (0..n).collect();
                let (mut tokens, mut tournaments) = (0, 0);
                while tournaments == 0 || active.len() > 1 {
                    let draw = |node: usize| drawn[node][tournaments];
                    let loses_to = |node: usize| {
                        let active = &active;
                        move |other: usize| active.contains(&other) && draw(other) < draw(node)
                    };
                    tokens += active.iter().map(|&node| it.hops(node, CLOCKWISE, loses_to(node))).sum::<u64>();
                    let smallest = active.iter().map(|&node| draw(node)).min();
                    active = active.iter().copied().filter(|&node| Some(draw(node)) == smallest).collect();
                    tournaments += 1;
                }
                assert_eq!(kinds(&report), [("token", tokens), ("announce", it.n())], "{drawn:?} {timing}");
                assert_eq!(report.leaders[0].node as usize, active[0]);
                assert!((0..n).all(|node| drawn[node].len() == tournaments || !active.contains(&node)), "{drawn:?}");
                if timing == Timing::Unit {
                    assert_eq!(report.time, Some(units(tournaments as u64 * it.n() + it.n() - 1)), "{drawn:?}");
                }
            }
        }
    }
}

#[test]
fn chang_roberts_bidirectional_carries_each_candidature_to_the_next_larger_id_its_way() {
    for n in 1..=5 {
        for (it, tosses) in tossed(n) {
            let report = elect(&with_tosses(&it, &tosses, OWN));
            let step = |node: usize| if tosses[node] == 0 { CLOCKWISE } else { counter_clockwise(n) };
            let hops = (0..n).map(|node| it.hops_to_larger(node, step(node))).sum();
            assert_eq!(kinds(&report), [("elect", hops), ("announce", it.n())], "{it:?} {tosses:?}");
            assert_eq!(report.time, Some(units(2 * it.n() - 1)), "{it:?} {tosses:?}");
            assert_eq!(leader(&report), it.largest());
        }
    }
}

/// The toss alone gains nothing: the mean of every message is the same in both directions.
#[test]
fn chang_roberts_bidirectional_is_cheaper_only_if_it_compares_with_all_it_has_seen() {
    let mean = |compare: u64, n: usize| {
        let costs = tossed(n).map(|(it, tosses)| elect(&with_tosses(&it, &tosses, compare)).election_messages());
        mean(&costs.collect::<Vec<_>>())
    };
    assert_eq!([1, 2, 3, 4, 5].map(|n| mean(OWN, n)), [1, 2, 3, 4, 5].map(|n| n_harmonic(n as u64)));
    assert_eq!([3, 4, 5].map(|n| mean(OWN, n)), ["11/2", "25/3", "137/12"]);
    assert_eq!([3, 4, 5].map(|n| mean(SEEN, n)), ["43/8", "8", "1037/96"]);
}

/// Every order of n ids, up to rotation, with every outcome of the tosses.
fn tossed(n: usize) -> impl Iterator<Item = (Election, Vec<u64>)> {
    all_start_of(n).flat_map(move |it| every_word(2, n).map(move |tosses| (it.clone(), tosses)))
}

/// The values of the setting `compare`.
const OWN: u64 = 0;
const SEEN: u64 = 1;

fn with_tosses(it: &Election, tosses: &[u64], compare: u64) -> Scenario {
    let script: Vec<Vec<u64>> = tosses.iter().map(|&toss| vec![toss]).collect();
    let settings = Settings::from([("compare".into(), compare)]);
    Scenario { settings, ..drawing(it.run("chang-roberts-bidirectional"), &script) }
}

#[test]
fn hirschberg_sinclair_costs_what_its_probes_reach() {
    for it in elections() {
        let report = elect(&it.run("hirschberg-sinclair"));
        let n = it.n();
        let gap =
            |node: usize, step: usize| it.hops(node, step, |other| it.starts(other) && it.ids[other] > it.ids[node]);
        let (mut probes, mut replies) = (0, 0);
        let mut candidates = it.initiators.clone();
        let mut reach = 1;
        while !candidates.is_empty() {
            for &node in &candidates {
                for gap in [gap(node, CLOCKWISE), gap(node, counter_clockwise(it.nodes()))] {
                    probes += reach.min(gap);
                    replies += if reach < gap { reach } else { 0 };
                }
            }
            candidates.retain(|&node| reach < gap(node, CLOCKWISE).min(gap(node, counter_clockwise(it.nodes()))));
            reach *= 2;
        }
        assert_eq!(kinds(&report), [("probe", probes), ("reply", replies), ("announce", n)], "{it:?}");
        assert_eq!(report.time, Some(units(2 * n.next_power_of_two() + 2 * n - 3)), "{it:?}");
        assert_eq!(leader(&report), it.largest_initiator());
    }
}

/// The lemmas of the lecture, for all wake-up rounds up to 4. Only lemma 4, which is false, is ever exceeded.
#[test]
fn the_lemmas_of_variable_speeds() {
    let cast = &bellwether_catalogue::algorithm("variable-speeds").unwrap().rounds;
    let mut exceeded = std::collections::BTreeSet::new();
    for ids in circular_orders(4) {
        for rounds in every_word(5, ids.len()).filter(|rounds| rounds.contains(&1)) {
            let wakers = (0..).zip(&rounds).filter(|(_, round)| **round > 0);
            let initiators = Starters::Some(wakers.map(|(node, round)| (node, Round((*round).into()))).collect());
            let scenario = Scenario { initiators, ..ring("variable-speeds", &ids) };
            let (report, events) = record(&scenario);
            let sent = |event: &Event| event.sent.iter().map(|sent| sent.msg.clone()).collect::<Vec<_>>();
            let sent: Vec<_> = events
                .iter()
                .flat_map(|event| sent(event).into_iter().map(|msg| (Round(event.t.whole().unwrap()), msg)))
                .collect();
            let counted = (cast.lemmas)(&sent, scenario.size(info("variable-speeds")));
            let not_fitting = counted.iter().filter(|lemma| !lemma.says.fits(lemma.count, lemma.claim.0));
            exceeded.extend(not_fitting.map(|lemma| lemma.name));
            // Every message belongs to one category; lemma 2 counts rounds, and lemma 4 some messages once more.
            let is_category = |name: &str| !["Lemma 2", "Lemma 4"].contains(&name);
            let in_category = counted.iter().filter(|lemma| is_category(lemma.name)).map(|lemma| lemma.count as u64);
            assert_eq!(in_category.sum::<u64>(), report.messages(), "{}", command(&scenario));
        }
    }
    assert_eq!(exceeded.into_iter().collect::<Vec<_>>(), ["Lemma 4"]);
}
