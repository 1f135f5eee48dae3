//! The member with planted bugs: for each, the run that shows it. And small clusters, in every schedule.

use bellwether_algorithms::lease::Member;
use bellwether_check::ledger::Ledger;
use bellwether_check::{Conclusion, Plan, check};
use bellwether_core::{Process, Rounds};
use bellwether_mutants::Visitor;
use bellwether_trials::member::{ALGORITHMS, TRIALS, scenario};
use bellwether_world::host::Algorithm;
use bellwether_world::{Freedom, Property};

/// The bugs, each with a trial that it does not come through.
const CASES: &[(&str, &str)] = &[
    ("the proposed leads without the lease", "the network is cut in two"),
    ("a newcomer deposes", "the preferred one comes back"),
    ("a suspicion is never taken back", "the network is cut in two"),
    ("nobody is suspected", "the leader crashes"),
    ("who reaches no majority may lead", "the preferred one reaches one voter only"),
    ("a witness may lead", "nobody could follow it"),
    ("only one election is called", "the messages of the first election are lost"),
    ("elections that come to nothing go on for ever", "a link is down"),
    ("the disk is not read", "all restart"),
    ("nobody is told who the successor is", "it hands over"),
];

struct Planted(usize);

impl Visitor for Planted {
    fn process<P: Process>(&mut self, bug: &'static str) {
        let name = CASES.iter().find(|(name, _)| *name == bug).unwrap_or_else(|| panic!("no trial for: {bug}")).1;
        let trial = TRIALS.iter().find(|trial| trial.name == name).expect("a trial");
        let algorithm = Algorithm::process::<P>();
        assert!(ALGORITHMS.iter().any(|elects_by| trial.play(algorithm, *elects_by).is_err()), "{bug} passes: {name}");
        self.0 += 1;
    }

    fn rounds<R: Rounds>(&mut self, bug: &'static str) {
        panic!("the member is asynchronous: {bug}");
    }
}

#[test]
fn every_planted_bug_fails_a_trial() {
    let mut planted = Planted(0);
    bellwether_mutants::member(&mut planted);
    assert_eq!(planted.0, CASES.len());
}

/// A cluster in which silence is noted soon, and a leader asks in one round only.
fn search(nodes: u64, elects_by: u64, freedom: Freedom) -> Conclusion {
    let member = Algorithm::process::<Member>();
    let mut scenario = scenario(member, nodes, elects_by, 60);
    scenario.settings.extend([("rounds", 1), ("silence", 1)].map(|(name, value)| (name.into(), value)));
    let plan = Plan { freedom, reduction: false, symmetry: false, fingerprints: false };
    check([scenario].into_iter(), member, plan, &Ledger::new(2 << 30), 1).expect("it can be checked")
}

/// Every order of messages and timers; and with them one loss, one copy, one crash of three, one restart.
#[test]
fn small_clusters_hold_in_every_schedule() {
    const FIRST: Freedom = Freedom { phases: 1, starts_first: true, ..Freedom::NONE };
    let searches = [
        (3, FIRST),
        (2, Freedom { phases: 2, ..FIRST }),
        (2, Freedom { restarts: 1, ..FIRST }),
        (2, Freedom { losses: 1, copies: 1, reorder: true, ..FIRST }),
        (3, Freedom { crashes: 1, ..FIRST }),
    ];
    let mut told = vec![];
    for (nodes, freedom) in searches {
        for elects_by in ALGORITHMS {
            let conclusion = search(nodes, elects_by, freedom);
            let broken: Vec<Property> = conclusion.broken.iter().map(|broken| broken.property).collect();
            told.push(format!(
                "{nodes} by {elects_by}: {} states {:?} {broken:?}",
                conclusion.states, conclusion.stopped
            ));
            assert!(broken.is_empty() && conclusion.is_complete(), "{told:#?}");
        }
    }
}
