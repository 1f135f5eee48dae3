//! Partial-order reduction and symmetry change no verdict and no cost.

use std::collections::BTreeSet;

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_catalogue::algorithm;
use bellwether_check::automaton::Cause;
use bellwether_check::{Automaton, Plan};
use bellwether_core::{Port, TopologyKind};
use bellwether_net::{Node, Wiring};
use bellwether_world::Scenario;
use bellwether_world::host::Algorithm;
use indexmap::IndexSet;

use crate::support::{FIRST, PLAN, broken, family_of, messages, verdict};

/// Every algorithm on every smallest network with every order and every set of initiators; with and without reduction.
/// Also with equal ids, which is wrong.
#[test]
fn verdicts_and_costs_are_the_same() {
    for info in CATALOGUE {
        let topologies: &[&str] = match info.topology {
            TopologyKind::OneWayRing => &["ring:2", "ring:3", "ring:4"],
            TopologyKind::TwoWayRing => &["ring:2", "ring:3"],
            TopologyKind::Tree => &["all-trees:3", "all-trees:4"],
            TopologyKind::Connected => &["all-graphs:2", "all-graphs:3"],
            TopologyKind::Complete => &["complete:2"],
        };
        for topology in topologies {
            for ids in ["all", "same"] {
                for plan in [PLAN, FIRST] {
                    let family = family_of(info.name, topology, ids, true);
                    let [with, without] = [true, false].map(|on| {
                        let plan = Plan { reduction: on, symmetry: on, ..plan };
                        let verdict = verdict(&family, plan);
                        assert!(verdict.is_complete());
                        verdict
                    });
                    let context = format!("{} on {topology}, ids {ids}, {plan:?}", info.name);
                    assert_eq!(broken(&with), broken(&without), "{context}");
                    if with.least.is_some() {
                        assert_eq!(messages(&with), messages(&without), "{context}");
                    }
                    assert!(with.states <= without.states || without.reduced == 0, "{context}");
                }
            }
        }
    }
}

/// A state of a process, and which of its timers run.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Moment {
    local: u32,
    node: Node,
    running: BTreeSet<u32>,
    is_asleep: bool,
}

/// What one process may meet, if anything may arrive at any time and any timer that runs may go off.
struct Life {
    automaton: Automaton,
    scenario: Scenario,
    ports: u32,
    moments: IndexSet<Moment>,
    messages: IndexSet<u32>,
    /// From one state to another.
    changes: BTreeSet<(u32, u32)>,
    ignored: BTreeSet<(Port, u32)>,
}

impl Life {
    fn of(algorithm: &'static Algorithm, scenario: Scenario) -> Self {
        let mut automaton = Automaton::new(&algorithm.events);
        let ports = scenario.topology.ports(1);
        let asleep = |node| Moment {
            local: automaton.asleep(&scenario, node).unwrap(),
            node,
            running: BTreeSet::new(),
            is_asleep: true,
        };
        let moments = (0..3).filter(|node| scenario.topology.ports(*node) == ports).map(asleep).collect();
        let (messages, changes, ignored) = (IndexSet::new(), BTreeSet::new(), BTreeSet::new());
        Self { automaton, scenario, ports, moments, messages, changes, ignored }
    }

    /// Follows up to this many moments and messages. Some algorithms have infinitely many.
    fn live(mut self, many: usize) -> Self {
        let (mut tried, mut heard) = (0, 0);
        while tried < self.moments.len() || heard < self.messages.len() {
            let [new, news] = [tried..self.moments.len(), heard..self.messages.len()];
            (tried, heard) = (new.end, news.end);
            for index in new.clone() {
                self.go_on(index, many);
                (0..heard).for_each(|message| self.receive(index, message, many));
            }
            (0..new.start).for_each(|index| news.clone().for_each(|message| self.receive(index, message, many)));
        }
        self
    }

    /// It starts, a timer goes off, or it is started again with its disk.
    fn go_on(&mut self, index: usize, many: usize) {
        let moment = self.moments[index].clone();
        if moment.is_asleep {
            return self.act(moment.local, &moment, Cause::Start, many);
        }
        moment.running.iter().for_each(|timer| self.act(moment.local, &moment, Cause::Timeout(*timer), many));
        if self.automaton.info().perpetual {
            let local = self.automaton.restarted(&self.scenario, moment.node, moment.local, true).unwrap();
            let again = Moment { local, node: moment.node, running: BTreeSet::new(), is_asleep: true };
            self.act(moment.local, &again, Cause::Start, many);
        }
    }

    fn receive(&mut self, index: usize, message: usize, many: usize) {
        let (moment, message) = (self.moments[index].clone(), self.messages[message]);
        // What never ends starts before anything arrives.
        if !(moment.is_asleep && self.automaton.info().perpetual) {
            let arrivals = (0..self.ports).map(|port| Cause::Receive(Port(port), message));
            arrivals.for_each(|act| self.act(moment.local, &moment, act, many));
        }
    }

    /// What it does at a moment, before which it was in a state that may be another one.
    fn act(&mut self, before: u32, moment: &Moment, act: Cause, many: usize) {
        let outcomes = self.automaton.act(moment.local, self.ports, act).unwrap();
        if let Cause::Receive(port, message) = act
            && self.automaton.ignores(moment.local, act)
        {
            let name = self.automaton.info().name;
            let [outcome] = &outcomes[..] else { panic!("{name}: {act:?} goes many ways") };
            let does_nothing = outcome.local == moment.local && outcome.sends.is_empty() && outcome.timers.is_empty();
            let words = self.automaton.local_in_words(moment.local);
            assert!(does_nothing, "{name}: {words} ignores {}", self.automaton.message_in_trace(message));
            self.ignored.insert((port, message));
        }
        for outcome in outcomes {
            let mut running = moment.running.clone();
            if let Cause::Timeout(timer) = act {
                running.remove(&timer);
            }
            for (timer, span) in outcome.timers {
                if span.is_some() {
                    running.insert(timer)
                } else {
                    running.remove(&timer)
                };
            }
            self.changes.insert((before, outcome.local));
            if self.moments.len() < many {
                self.moments.insert(Moment { local: outcome.local, node: moment.node, running, is_asleep: false });
            }
            for (_, message) in outcome.sends {
                if self.messages.len() < many {
                    self.messages.insert(message);
                }
            }
        }
    }

    /// What is ignored once is ignored for ever.
    fn judge(self) -> Self {
        for &(before, after) in &self.changes {
            for &(port, message) in &self.ignored {
                let act = Cause::Receive(port, message);
                let still = !self.automaton.ignores(before, act) || self.automaton.ignores(after, act);
                let words = [before, after].map(|local| self.automaton.local_in_words(local));
                let told = self.automaton.message_in_trace(message);
                assert!(still, "{}: from {} to {}, {told}", self.automaton.info().name, words[0], words[1]);
            }
        }
        self
    }
}

/// A message that a process says it ignores does nothing. The process goes on ignoring it, whatever it meets.
#[test]
fn what_is_ignored_is_ignored_for_ever() {
    let mut saying = vec![];
    for info in CATALOGUE {
        let topology = match info.topology {
            TopologyKind::OneWayRing | TopologyKind::TwoWayRing => "ring:3",
            TopologyKind::Tree => "path:3",
            TopologyKind::Connected | TopologyKind::Complete => "complete:3",
        };
        let scenario = family_of(info.name, topology, "all", false).scenarios().next().unwrap();
        let life = Life::of(algorithm(info.name).unwrap(), scenario).live(120).judge();
        if !life.ignored.is_empty() {
            saying.push(info.name);
        }
    }
    assert_eq!(saying, ["hirschberg-sinclair", "echo-election", "adoption"]);
}

/// The same for what never ends, also if it is started again. A lost disk is left out: who has lost it has forgotten
/// what it ignored. But answers name the start of who asked, and who releases an epoch asks for it no more.
#[test]
fn what_never_ends_ignores_for_ever_too() {
    let change = [("rounds", 2), ("change-to", 2), ("resign", 5)];
    let release = [("rounds", 2), ("close-is-release", 1)];
    for (name, settings) in [("lease", &change[..]), ("lease", &release), ("member", &change[..2])] {
        let mut scenario = family_of(name, "complete:3", "ascending", false).scenarios().next().unwrap();
        scenario.settings.extend(settings.iter().map(|(name, value)| ((*name).into(), *value)));
        let life = Life::of(algorithm(name).unwrap(), scenario).live(400).judge();
        assert!(!life.ignored.is_empty(), "{name}");
    }
}
