//! The lease with planted bugs: for each, the shortest schedule that breaks it, as a story in `lease/*.snap`.
//!
//! `INSTA_UPDATE=always cargo test -p bellwether-mutants --test suite lease -- --include-ignored` writes the stories
//! again. In the lease itself, the same searches find nothing.

use bellwether_algorithms::lease::Lease;
use bellwether_check::ledger::Ledger;
use bellwether_check::{Conclusion, Plan, Story, check};
use bellwether_core::{Id, Process, Rounds};
use bellwether_mutants::Visitor;
use bellwether_net::{Network, Topology};
use bellwether_world::host::Algorithm;
use bellwether_world::{Drift, Freedom, Narrator, Property, Scenario};

use self::Property::{FreshToken, OneLeader};

/// A search that finds a bug.
struct Case {
    name: &'static str,
    bug: &'static str,
    settings: &'static [(&'static str, u64)],
    freedom: Freedom,
    breaks: Property,
}

/// Messages are lost, repeated and overtaken, clocks differ by 1 %, and two epochs are followed.
const HARSH: Freedom =
    Freedom { unreliable: true, drift: Some(Drift(10_000)), phases: 2, starts_first: true, ..Freedom::NONE };

const TWO: &[(&str, u64)] = &[("candidates", 2), ("rounds", 1)];
const SHRINKING: &[(&str, u64)] = &[("rounds", 1), ("change-to", 1)];

const CASES: &[Case] = &[
    Case {
        name: "promise-not-on-disk",
        bug: "the promise is not on disk",
        settings: TWO,
        freedom: Freedom { restarts: 1, ..HARSH },
        breaks: FreshToken,
    },
    Case {
        name: "no-wait-after-a-restart",
        bug: "no wait after a restart",
        settings: TWO,
        freedom: Freedom { restarts: 1, ..HARSH },
        breaks: OneLeader,
    },
    Case {
        name: "renewal-after-expiry",
        bug: "a leader whose time is up goes on in the same epoch",
        settings: &[("candidates", 1), ("rounds", 2)],
        freedom: Freedom { phases: 1, ..HARSH },
        breaks: FreshToken,
    },
    Case {
        name: "counted-from-the-answer",
        bug: "time is counted from the answer",
        settings: TWO,
        freedom: HARSH,
        breaks: OneLeader,
    },
    Case {
        name: "majority-of-those-who-answer",
        bug: "a majority of those who answer",
        settings: TWO,
        freedom: Freedom { phases: 1, ..HARSH },
        breaks: OneLeader,
    },
    Case {
        name: "release-before-the-service-has-stopped",
        bug: "it releases before its service has stopped",
        settings: &[("candidates", 2), ("rounds", 1), ("resign", 5)],
        freedom: HARSH,
        breaks: OneLeader,
    },
    Case {
        name: "same-name-same-holder",
        bug: "the same name is the same holder",
        settings: &[("voters", 2), ("candidates", 1), ("rounds", 1)],
        freedom: Freedom { restarts: 1, phases: 1, ..HARSH },
        breaks: FreshToken,
    },
    Case {
        name: "change-while-a-grant-runs",
        bug: "a voter changes while its grant runs",
        settings: SHRINKING,
        freedom: HARSH,
        breaks: OneLeader,
    },
    Case {
        name: "change-before-a-majority",
        bug: "a voter changes before a majority has taken on its configuration",
        settings: SHRINKING,
        freedom: HARSH,
        breaks: OneLeader,
    },
    Case {
        name: "change-without-the-promise",
        bug: "a voter changes without the promise of the majority",
        settings: SHRINKING,
        freedom: HARSH,
        breaks: FreshToken,
    },
    Case {
        name: "lost-disk-taken-for-an-empty-one",
        bug: "a lost disk is taken for an empty one",
        settings: &[("candidates", 1), ("rounds", 1)],
        freedom: Freedom { wipes: 1, phases: 1, ..HARSH },
        breaks: FreshToken,
    },
    Case {
        name: "lost-disk-asks-the-latest-configuration",
        bug: "after a lost disk only the latest configuration is asked",
        settings: &[("candidates", 2), ("rounds", 1), ("change-to", 2)],
        freedom: Freedom { wipes: 1, ..HARSH },
        breaks: FreshToken,
    },
];

impl Case {
    /// Whether it takes longer than a test should.
    fn is_slow(&self) -> bool {
        self.settings.iter().any(|(name, _)| *name == "change-to")
    }
}

/// Majorities of one voter and of three need not meet.
const GROWING: &[(&str, u64)] = &[("voters", 1), ("rounds", 1), ("change-to", 3)];

fn network() -> Network {
    "complete:3".parse::<Topology>().expect("a topology").build(1).expect("a network")
}

fn search(algorithm: &'static Algorithm, settings: &[(&str, u64)], freedom: Freedom) -> Conclusion {
    let mut scenario = Scenario::new(Lease::INFO, network(), [1, 2, 3].map(Id).to_vec());
    scenario.settings.extend(settings.iter().map(|(name, value)| ((*name).into(), *value)));
    let plan = Plan { freedom, reduction: true, symmetry: true, fingerprints: false };
    check([scenario].into_iter(), algorithm, plan, &Ledger::new(6 << 30), 1).expect("it can be checked")
}

/// Compares the counterexample with its story.
fn expect_story(name: &str, moral: &str, breaks: Property, conclusion: &Conclusion) {
    let found = conclusion.broken.iter().find(|broken| broken.property == breaks);
    let found = found.unwrap_or_else(|| panic!("{name}: {breaks} is not broken: {:?}", conclusion.stopped));
    let Story { scenario, events, report, .. } = &found.story;
    let mut narrator = Narrator::new(Lease::INFO, scenario);
    let lines: Vec<String> =
        (1..).zip(events).map(|(line, event)| format!("{line:>3}  {}", narrator.tell(event))).collect();
    assert!(!report.violations.is_empty(), "{name}");
    let story = format!("{moral}\n\n{}\n\n{}\n", lines.join("\n"), report.violations.join("\n"));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("lease");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, story));
}

struct Planted {
    /// Which bugs are searched for.
    slow: bool,
    found: usize,
}

impl Visitor for Planted {
    fn process<P: Process>(&mut self, bug: &'static str) {
        let case = CASES.iter().find(|case| case.bug == bug).unwrap_or_else(|| panic!("no search for: {bug}"));
        if case.is_slow() == self.slow {
            let conclusion = search(Algorithm::process::<P>(), case.settings, case.freedom);
            expect_story(case.name, bug, case.breaks, &conclusion);
            self.found += 1;
        }
    }

    fn rounds<R: Rounds>(&mut self, bug: &'static str) {
        panic!("the lease is asynchronous: {bug}");
    }
}

fn expect_stories(slow: bool) {
    let mut planted = Planted { slow, found: 0 };
    bellwether_mutants::lease(&mut planted);
    assert_eq!(planted.found, CASES.iter().filter(|case| case.is_slow() == slow).count());
}

#[test]
fn every_planted_bug_has_a_shortest_story() {
    expect_stories(false);
}

#[test]
#[ignore = "takes a minute"]
fn every_planted_bug_of_a_change_has_a_shortest_story() {
    expect_stories(true);
}

/// The bugs of a change, where the number of voters grows.
struct Grown(usize);

impl Visitor for Grown {
    fn process<P: Process>(&mut self, bug: &'static str) {
        let Some(case) = CASES.iter().find(|case| case.bug == bug && case.settings == SHRINKING) else { return };
        let conclusion = search(Algorithm::process::<P>(), GROWING, HARSH);
        // Of three nodes any two are the leader and another, or the voter whose grant runs and another.
        let is_harmless = case.name == "change-while-a-grant-runs";
        assert_eq!(conclusion.is_broken(case.breaks), !is_harmless, "{bug}: {:?}", conclusion.stopped);
        assert!(!is_harmless || conclusion.is_complete() && conclusion.broken.is_empty(), "{bug}");
        self.0 += 1;
    }

    fn rounds<R: Rounds>(&mut self, bug: &'static str) {
        panic!("the lease is asynchronous: {bug}");
    }
}

#[test]
#[ignore = "takes half a minute"]
fn planted_bugs_of_a_change_are_found_while_the_voters_grow() {
    let mut grown = Grown(0);
    bellwether_mutants::lease(&mut grown);
    assert_eq!(grown.0, 3);
}

#[test]
fn a_clock_beyond_its_bound_makes_two_leaders() {
    let freedom = Freedom { drift: Some(Drift(50_000)), ..HARSH };
    let conclusion = search(Algorithm::process::<Lease>(), TWO, freedom);
    expect_story("drift-beyond-the-bound", "clocks differ by 5 %, and 1 % was promised", OneLeader, &conclusion);
}

#[test]
fn close_is_release_trusts_that_nothing_in_between_closes_connections() {
    let settings = [TWO, &[("close-is-release", 1)]].concat();
    let conclusion = search(Algorithm::process::<Lease>(), &settings, Freedom { closes: 1, ..HARSH });
    expect_story("something-closes-connections", "something in between closes a connection", OneLeader, &conclusion);
}

/// The right algorithm passes the searches that find the bugs.
fn expect_nothing(slow: bool) {
    let mut searched: Vec<&Case> = vec![];
    for case in CASES.iter().filter(|case| case.is_slow() == slow) {
        if searched.iter().any(|other| (other.settings, other.freedom) == (case.settings, case.freedom)) {
            continue;
        }
        searched.push(case);
        let conclusion = search(Algorithm::process::<Lease>(), case.settings, case.freedom);
        let broken: Vec<Property> = conclusion.broken.iter().map(|broken| broken.property).collect();
        let told = format!("{}: {} states {:?} {broken:?}", case.name, conclusion.states, conclusion.stopped);
        assert!(broken.is_empty() && conclusion.is_complete(), "{told}");
    }
}

#[test]
fn the_lease_itself_holds() {
    expect_nothing(false);
}

#[test]
#[ignore = "takes a minute"]
fn the_lease_itself_holds_while_the_voters_change() {
    expect_nothing(true);
}
