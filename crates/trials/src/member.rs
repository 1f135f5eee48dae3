//! Runs of the member in virtual time, and what must come of each.

use bellwether_core::Id;
use bellwether_net::{Node, Topology};
use bellwether_world::host::{Algorithm, Watcher, Wishes};
use bellwether_world::trace::{Decision, Event};
use bellwether_world::{Fault, Report, Scenario, Time};

/// The algorithms of its elections, by the number of the setting.
pub const ALGORITHMS: [u64; 3] = [0, 1, 2];

/// Five members with the ids 1 to 5, and what happens to them.
pub struct Trial {
    /// What happens.
    pub name: &'static str,
    settings: &'static [(&'static str, u64)],
    faults: &'static [&'static str],
    until: u128,
    /// The nodes that lead, one after the other; if none is given, any one of them, and no other after it. In the end,
    /// all the living follow the last one, if it is up.
    leaders: &'static [Node],
    /// The last of them leads by this time.
    by: u128,
    /// Somebody says at some time why there is no leader.
    why: Option<(Node, &'static str)>,
}

const CALM: Trial =
    Trial { name: "nothing fails", settings: &[], faults: &[], until: 60, leaders: &[4], by: 12, why: None };

/// What may happen to a cluster, one thing after the other.
pub const TRIALS: &[Trial] = &[
    CALM,
    Trial {
        name: "the leader crashes",
        faults: &["crash=4@30"],
        until: 100,
        leaders: &[4, 3],
        by: 30 + 12 + 2,
        ..CALM
    },
    Trial {
        name: "the preferred one comes back",
        faults: &["crash=4@30", "recover=4@60"],
        until: 120,
        leaders: &[4, 3],
        by: 44,
        ..CALM
    },
    Trial {
        name: "a leader loses its disk",
        faults: &["crash=4@30", "wipe=4@40", "recover=4@50"],
        until: 120,
        leaders: &[4, 3],
        by: 44,
        ..CALM
    },
    Trial {
        name: "the network is cut in two",
        faults: &[
            "cut=4-0@20..80",
            "cut=4-1@20..80",
            "cut=4-2@20..80",
            "cut=3-0@20..80",
            "cut=3-1@20..80",
            "cut=3-2@20..80",
        ],
        until: 140,
        leaders: &[4, 2],
        by: 20 + 12 + 2,
        why: Some((4, "2 of 5 voters are reachable, 3 are needed")),
        ..CALM
    },
    Trial {
        name: "the preferred one reaches one voter only",
        faults: &["cut=4-0@0..", "cut=4-1@0..", "cut=4-2@0.."],
        until: 60,
        leaders: &[3],
        by: 20,
        ..CALM
    },
    Trial {
        name: "the leader pauses",
        faults: &["pause=4@20..60"],
        until: 100,
        leaders: &[4, 3],
        by: 20 + 12 + 2,
        ..CALM
    },
    Trial {
        name: "all restart",
        faults: &[
            "crash=0@30",
            "crash=1@30",
            "crash=2@30",
            "crash=3@30",
            "crash=4@30",
            "recover=0@40",
            "recover=1@40",
            "recover=2@40",
            "recover=3@40",
            "recover=4@40",
        ],
        until: 120,
        leaders: &[4, 4],
        by: 40 + 13 + 3,
        ..CALM
    },
    Trial {
        name: "the messages of the first election are lost",
        faults: &[
            "cut=0-1@3..5.5",
            "cut=0-2@3..5.5",
            "cut=0-3@3..5.5",
            "cut=0-4@3..5.5",
            "cut=1-2@3..5.5",
            "cut=1-3@3..5.5",
            "cut=1-4@3..5.5",
            "cut=2-3@3..5.5",
            "cut=2-4@3..5.5",
            "cut=3-4@3..5.5",
        ],
        by: 40,
        ..CALM
    },
    Trial { name: "it hands over", settings: &[("hand-over", 20)], until: 40, leaders: &[4, 3], by: 35, ..CALM },
    Trial { name: "nobody could follow it", settings: &[("hand-over", 20), ("witnesses", 4)], ..CALM },
    Trial {
        name: "every message comes twice",
        settings: &[("hand-over", 20)],
        faults: &["duplicate=1"],
        until: 40,
        leaders: &[4, 3],
        by: 35,
        ..CALM
    },
    Trial {
        name: "it hands over to the one named",
        settings: &[("hand-over", 20), ("successor", 2)],
        until: 40,
        leaders: &[4, 1],
        by: 35,
        ..CALM
    },
    Trial {
        name: "witnesses never lead",
        settings: &[("witnesses", 3)],
        faults: &["crash=4@30", "crash=3@60"],
        until: 120,
        leaders: &[4, 3],
        by: 44,
        why: Some((2, "nobody who is reachable may lead")),
    },
    Trial {
        name: "observers neither vote nor lead",
        settings: &[("voters", 3)],
        faults: &["crash=2@30"],
        until: 80,
        leaders: &[2, 1],
        by: 44,
        ..CALM
    },
    Trial {
        name: "sessions that close release the lease",
        settings: &[("close-is-release", 1)],
        faults: &["crash=4@30"],
        leaders: &[4, 3],
        by: 30 + 12,
        ..CALM
    },
    Trial {
        name: "the voters become more",
        settings: &[("voters", 3), ("change-to", 5), ("change-after", 20)],
        until: 140,
        leaders: &[2, 3, 4],
        by: 60,
        ..CALM
    },
    Trial { name: "a link is down", faults: &["cut=0-1@0.."], until: 160, leaders: &[], by: 100, ..CALM },
];

/// What was seen of a run.
pub struct Seen {
    /// What came of it.
    pub report: Report,
    /// All events.
    pub events: Vec<Event>,
}

/// A cluster of this size, whose members have the ids 1, 2 and so on.
pub fn scenario(algorithm: &Algorithm, nodes: u64, elects_by: u64, until: u128) -> Scenario {
    let network = format!("complete:{nodes}").parse::<Topology>().expect("a topology").build(1).expect("a network");
    let mut scenario = Scenario::new(algorithm.info, network, (1..=nodes).map(Id).collect());
    scenario.settings.insert("algorithm".into(), elects_by);
    scenario.until = Some(Time::units(until));
    scenario
}

/// Plays a scenario, and keeps what was seen.
pub fn play(algorithm: &Algorithm, scenario: &Scenario) -> Seen {
    let mut events = vec![];
    let mut record = |event| events.push(event);
    let mut watcher = Watcher;
    let wishes = Wishes { record: Some(&mut record), ..Wishes::none(&mut watcher) };
    let report = bellwether_sim::play(algorithm, scenario, wishes).expect("it can be played");
    Seen { report, events }
}

impl Trial {
    /// Its scenario, with elections by this algorithm.
    pub fn scenario(&self, algorithm: &Algorithm, elects_by: u64) -> Scenario {
        let mut scenario = scenario(algorithm, 5, elects_by, self.until);
        scenario.settings.extend(self.settings.iter().map(|(name, value)| ((*name).into(), *value)));
        scenario.faults = self.faults.iter().map(|fault| fault.parse::<Fault>().expect("a fault")).collect();
        scenario
    }

    /// Plays it, and compares.
    ///
    /// # Errors
    /// What is not as it must be.
    pub fn play(&self, algorithm: &Algorithm, elects_by: u64) -> Result<Seen, String> {
        let scenario = self.scenario(algorithm, elects_by);
        let seen = play(algorithm, &scenario);
        let Seen { report, events } = &seen;
        let expect = |holds: bool, what: String| if holds { Ok(()) } else { Err(format!("{}: {what}", self.name)) };
        expect(report.violations.is_empty(), format!("{:?}", report.violations))?;
        let leads = |event: &&Event| event.decision == Some(Decision::Leader);
        let leaderships: Vec<(Node, Time)> = events.iter().filter(leads).map(|event| (event.node, event.t)).collect();
        let leaders: Vec<Node> = leaderships.iter().map(|(node, _)| *node).collect();
        let is_right = if self.leaders.is_empty() { leaders.len() == 1 } else { leaders == self.leaders };
        expect(is_right, format!("{leaderships:?} lead"))?;
        let last = leaderships.last().expect("somebody leads");
        expect(last.1 <= Time::units(self.by), format!("the last one leads only at {}", last.1))?;
        let decided = report.decided.as_ref().expect("there are few nodes");
        let follows = |(node, leader): (Node, &Option<Id>)| {
            report.crashed.contains(&node) || *leader == Some(scenario.ids[last.0 as usize])
        };
        let all_follow = (0..).zip(decided).all(follows);
        expect(report.crashed.contains(&last.0) || all_follow, format!("in the end all know {decided:?}"))?;
        let says = |(node, why): (Node, &str)| {
            events.iter().any(|event| event.node == node && event.state.get("why").is_some_and(|told| told == why))
        };
        expect(self.why.is_none_or(says), "nobody says why".into())?;
        Ok(seen)
    }
}
