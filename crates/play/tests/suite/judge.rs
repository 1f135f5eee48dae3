//! The judge notices a violation when it happens, not only at the end.

use bellwether_core::{Id, Status};
use bellwether_world::{End, Judge, Outcome, PhaseSeen, PhasesSeen, Property, Scenario, Time, Timing, Verdict};

use crate::support::{info, play, ring};

/// Without FIFO links some nodes of Peterson's algorithm lead and later follow another node. The end of the run does
/// not show this change of mind.
#[test]
fn a_change_of_mind_is_noted() {
    let minds_changed = (0..500).any(|seed| {
        let scenario = Scenario { timing: Timing::Reorder, seed, forced: true, ..ring("peterson", &[0, 3, 4, 2, 1]) };
        play(&scenario).violations.iter().any(|violation| violation.starts_with("a change of mind: node "))
    });
    assert!(minds_changed);
}

const UNDECIDED: Status = Status::Undecided;
const LEADER: Status = Status::Leader;

const fn follower(id: u64) -> Status {
    Status::Follower(Some(Id(id)))
}

/// The verdict on these changes of status at times 1, 2, … on a ring with the ids 2, 3, 1. `None` stands for the next
/// election.
fn judged(algorithm: &str, changes: &[Option<(u32, Status)>], (elect, announce): (u64, u64)) -> Verdict {
    let elections = changes.iter().filter(|change| change.is_none()).count() as u32 + 1;
    let scenario = Scenario { elections, ..ring(algorithm, &[2, 3, 1]) };
    let mut statuses = [UNDECIDED; 3];
    let mut judge = Judge::new(info(algorithm), &scenario);
    for (change, time) in changes.iter().zip(1..) {
        match *change {
            None => judge.next_election(),
            Some((node, status)) => {
                let before = std::mem::replace(&mut statuses[node as usize], status);
                judge.change(Time::units(time), node, before, status);
            }
        }
    }
    let end = End {
        status: &|node| statuses[node as usize],
        cut_short: false,
        election_messages: elect,
        announce_messages: announce,
        phases: None,
    };
    judge.verdict(info(algorithm), &scenario, &end)
}

const RIGHT: [Option<(u32, Status)>; 3] = [Some((1, LEADER)), Some((2, follower(3))), Some((0, follower(3)))];

#[track_caller]
fn found(verdict: &Verdict, outcome: Outcome, violations: &[&str]) {
    assert_eq!(verdict.outcome, outcome);
    assert_eq!(verdict.violations, violations);
}

#[test]
fn a_right_election_passes() {
    let verdict = judged("peterson", &RIGHT, (8, 3));
    found(&verdict, Outcome::Elected, &[]);
    assert_eq!(verdict.time, Some(Time::units(3)));
}

#[test]
fn two_leaders_are_noted_with_the_moment_even_if_one_resigns() {
    let changes = [Some((0, LEADER)), Some((1, LEADER)), Some((0, follower(3))), Some((2, follower(3)))];
    let two = "two leaders: node 1 becomes leader at time 2 while node 0 leads";
    let change =
        "a change of mind: node 0 was leader and is follower of id 3 at time 3; node 0 led from time 1 to time 3";
    found(&judged("peterson", &changes, (8, 3)), Outcome::Elected, &[two, change]);
    found(
        &judged("peterson", &changes[..2], (8, 3)),
        Outcome::SeveralLeaders,
        &[two, "several leaders: 2 nodes lead in the end"],
    );
}

#[test]
fn nobody_leading_somebody_uninformed_and_the_wrong_winner_are_noted() {
    found(&judged("peterson", &[], (8, 3)), Outcome::NoLeader, &["no leader: the network is quiet and nobody leads"]);
    let undecided = "disagreement: node 1 leads, but node 0 is undecided in the end";
    found(&judged("peterson", &RIGHT[..2], (8, 3)), Outcome::Disagreement, &[undecided]);
    let wrong = [Some((0, LEADER)), Some((1, follower(2))), Some((2, follower(2)))];
    let winner = "the wrong winner: id 2 leads, but the largest id of the initiators is 3";
    found(&judged("peterson", &wrong, (8, 3)), Outcome::Elected, &[winner]);
    let astray = [Some((1, LEADER)), Some((0, follower(3))), Some((2, follower(2)))];
    let belief = "disagreement: node 1 leads, but node 2 takes id 2 for the leader in the end";
    found(&judged("peterson", &astray, (8, 3)), Outcome::Disagreement, &[belief]);
}

#[test]
fn more_messages_or_time_than_proved_are_noted() {
    let messages = judged("peterson", &RIGHT, (99, 3));
    assert!(messages.violations[0].starts_with("a bound exceeded: 99 election messages are more than"), "{messages:?}");
    let announce = judged("peterson", &RIGHT, (8, 4));
    assert!(
        announce.violations[0].starts_with("a bound exceeded: 4 announce messages are more than n = 3"),
        "{announce:?}"
    );
    let mut late = vec![Some((0, UNDECIDED)); 99];
    late.extend(RIGHT);
    let time = judged("chang-roberts", &late, (6, 3));
    assert!(time.violations[0].starts_with("a bound exceeded: 102 units are more than"), "{time:?}");
}

#[test]
fn phases_that_are_not_as_proved_are_noted() {
    let judged = |racing: &[u64], messages: u64| {
        let scenario = ring("peterson", &[2, 3, 1]);
        let statuses = [follower(3), LEADER, follower(3)];
        let mut judge = Judge::new(info("peterson"), &scenario);
        for (node, status) in (0..).zip(statuses) {
            judge.change(Time::units(1), node, UNDECIDED, status);
        }
        let each = racing.iter().map(|&racing| PhaseSeen { racing, messages, nodes: vec![] }).collect();
        let seen = PhasesSeen { count: racing.len() as u64, each };
        let status = |node: u32| statuses[node as usize];
        let phases = Some(&seen);
        let end = End { status: &status, cut_short: false, election_messages: 8, announce_messages: 3, phases };
        judge.verdict(info("peterson"), &scenario, &end)
    };
    found(&judged(&[3, 1], 6), Outcome::Elected, &[]);
    let many = "a bound exceeded: 3 phases are more than ⌊lg k⌋ + 1 = 2";
    found(&judged(&[3, 1, 0], 6), Outcome::Elected, &[many]);
    let crowd = "a bound exceeded: 2 nodes in phase 2 are more than half of those before = 1.5";
    found(&judged(&[3, 2], 6), Outcome::Elected, &[crowd]);
    let chatty = "a bound exceeded: 7 messages to elect in phase 1 are more than 2n = 6";
    found(&judged(&[3, 1], 7), Outcome::Elected, &[chatty]);
}

#[test]
fn fewer_messages_than_proved_are_noted() {
    found(&judged("chang-roberts", &RIGHT, (5, 3)), Outcome::Elected, &[]);
    let fewer = "a bound undercut: 4 election messages are fewer than n + k - 1 = 5";
    found(&judged("chang-roberts", &RIGHT, (4, 3)), Outcome::Elected, &[fewer]);
}

/// An algorithm that repeats elections may decide again between elections, but not within one.
#[test]
fn a_mind_may_change_between_elections_and_not_within_one() {
    let again = [RIGHT.to_vec(), vec![None], vec![Some((1, UNDECIDED)), Some((1, LEADER))]].concat();
    found(&judged("chang-roberts", &again, (12, 6)), Outcome::Elected, &[]);
    let within = [RIGHT.to_vec(), vec![Some((1, UNDECIDED)), Some((1, LEADER))]].concat();
    let change =
        "a change of mind: node 1 decides once more, and is leader at time 5; node 1 led from time 1 to time 4";
    found(&judged("chang-roberts", &within, (6, 3)), Outcome::Elected, &[change]);
    let nobody = [RIGHT.to_vec(), vec![None]].concat();
    let none = "no leader: election 2 ends without electing anybody";
    found(&judged("chang-roberts", &nobody, (12, 6)), Outcome::Elected, &[none]);
}

#[test]
fn the_dead_neither_lead_nor_count() {
    let scenario =
        Scenario { faults: vec!["crash=1@1".parse().unwrap()], forced: true, ..ring("peterson", &[2, 3, 1]) };
    let mut judge = Judge::new(info("peterson"), &scenario);
    judge.change(Time::units(1), 1, UNDECIDED, LEADER);
    judge.crash(Time::units(1), 1, LEADER);
    judge.change(Time::units(2), 0, UNDECIDED, LEADER);
    judge.change(Time::units(3), 2, UNDECIDED, follower(2));
    let statuses = [LEADER, LEADER, follower(2)];
    let end = End {
        status: &|node| statuses[node as usize],
        cut_short: false,
        election_messages: 0,
        announce_messages: 0,
        phases: None,
    };
    let verdict = judge.verdict(info("peterson"), &scenario, &end);
    found(&verdict, Outcome::Elected, &[]);
    assert_eq!(verdict.time, Some(Time::units(3)));
}

/// A living participant may ask for a leader. If there is none, there was no election.
#[test]
fn an_election_is_judged_while_a_participant_lives() {
    let faults = vec!["crash=0@1".parse().unwrap()];
    let scenario = Scenario { faults, forced: true, ..ring("chang-roberts", &[2, 3, 1]) };
    let judged = |woken: Option<u32>| {
        let mut judge = Judge::new(info("chang-roberts"), &scenario);
        judge.joins(0, true);
        woken.into_iter().for_each(|node| judge.joins(node, false));
        judge.crash(Time::units(1), 0, UNDECIDED);
        let end =
            End { status: &|_| UNDECIDED, cut_short: false, election_messages: 1, announce_messages: 0, phases: None };
        judge.verdict(info("chang-roberts"), &scenario, &end)
    };
    found(&judged(Some(1)), Outcome::NoLeader, &["no leader: the network is quiet and nobody leads"]);
    let excused = judged(None);
    found(&excused, Outcome::NoLeader, &[]);
    assert!(excused.not_judged.contains(&(Property::Leader, "all who took part have crashed")), "{excused:?}");
}
