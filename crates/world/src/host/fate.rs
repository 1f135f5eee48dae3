//! The faults of a run: what becomes of a message, and who crashes when.

use std::collections::{BTreeMap, BTreeSet};

use crate::faults::{Chance, Window};
use crate::random::{Purpose, Stream};
use crate::{Fault, Node, Scenario, Time, Wiring};
use bellwether_core::{Port, Span};

/// What goes wrong, and when.
pub struct Fates {
    /// Whether nothing can befall a message.
    calm: bool,
    chance: Stream,
    loss: Chance,
    duplicate: Chance,
    reorder: Chance,
    cuts: Vec<(Node, Node, Window)>,
    slow: BTreeMap<Node, u32>,
    incidents: BTreeSet<(Time, Incident)>,
    /// How long after a crash the neighbours hear of it.
    detection: Span,
    dead: BTreeSet<Node>,
}

/// What befalls a process. Of what happens at one moment the first comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Incident {
    /// It stops.
    Crash(Node),
    /// It starts again, knowing nothing.
    Recover(Node),
    /// A process hears that the one behind this port is down.
    PeerDown(Node, Port),
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It does not arrive.
    Lost,
    /// It does.
    Arrives {
        /// How many times as long as usual it takes.
        slowness: u32,
        /// Whether it takes a unit more, and others may overtake it.
        late: bool,
        /// Whether it arrives twice.
        twice: bool,
    },
}

impl Fate {
    /// What becomes of a message where nothing goes wrong.
    pub const USUAL: Self = Self::Arrives { slowness: 1, late: false, twice: false };
}

impl Fates {
    /// What a scenario plans.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        let mut faults = Self {
            calm: true,
            chance: Stream::new(scenario.seed, Purpose::Faults),
            loss: Chance(0),
            duplicate: Chance(0),
            reorder: Chance(0),
            cuts: vec![],
            slow: BTreeMap::new(),
            incidents: BTreeSet::new(),
            detection: scenario.detection,
            dead: BTreeSet::new(),
        };
        for fault in &scenario.faults {
            faults.plan(fault);
        }
        faults
    }

    fn plan(&mut self, fault: &Fault) {
        self.calm &= matches!(fault, Fault::Crash(..) | Fault::Recover(..));
        match *fault {
            Fault::Loss(chance) => self.loss = chance,
            Fault::Duplicate(chance) => self.duplicate = chance,
            Fault::Reorder(chance) => self.reorder = chance,
            Fault::Crash(node, at) => drop(self.incidents.insert((at, Incident::Crash(node)))),
            Fault::Recover(node, at) => drop(self.incidents.insert((at, Incident::Recover(node)))),
            Fault::Cut(a, b, window) => self.cuts.extend([(a, b, window), (b, a, window)]),
            Fault::OneWay(a, b, window) => self.cuts.push((a, b, window)),
            Fault::Slow(node, factor) => drop(self.slow.insert(node, factor)),
        }
    }

    /// Decides what becomes of a message that is sent now.
    #[inline]
    pub fn fate(&mut self, now: Time, from: Node, to: Node) -> Fate {
        if self.calm { Fate::USUAL } else { self.draw_fate(now, from, to) }
    }

    #[cold]
    fn draw_fate(&mut self, now: Time, from: Node, to: Node) -> Fate {
        let is_cut = |&(a, b, window): &(Node, Node, Window)| (a, b) == (from, to) && window.contains(now);
        if self.cuts.iter().any(is_cut) || self.happens(self.loss) {
            return Fate::Lost;
        }
        let twice = self.happens(self.duplicate);
        let late = self.happens(self.reorder);
        Fate::Arrives { slowness: self.slow.get(&from).copied().unwrap_or(1), late, twice }
    }

    fn happens(&mut self, chance: Chance) -> bool {
        chance > Chance(0) && self.chance.below(Chance::ONE.0.into()) < chance.0.into()
    }

    /// When the next incident is.
    #[must_use]
    pub fn next_time(&self) -> Option<Time> {
        self.incidents.first().map(|&(time, _)| time)
    }

    /// Takes out the next incident, if it is due by now, with its moment; crashes and recoveries are noted here.
    pub fn next_incident(&mut self, now: Time, wiring: &impl Wiring) -> Option<(Time, Incident)> {
        while self.next_time().is_some_and(|time| time <= now) {
            let (time, incident) = self.incidents.pop_first()?;
            match incident {
                Incident::Crash(node) if self.dead.insert(node) => {
                    let told = time + self.detection;
                    let ports = (0..wiring.ports(node)).map(|port| wiring.far(node, Port(port)));
                    self.incidents.extend(ports.map(|(far, at)| (told, Incident::PeerDown(far, at))));
                }
                Incident::Recover(node) if self.dead.remove(&node) => {}
                // Only who is up hears anything, and only of who is still down.
                Incident::PeerDown(node, port) if !self.is_dead(node) && self.is_dead(wiring.far(node, port).0) => {}
                Incident::Crash(_) | Incident::Recover(_) | Incident::PeerDown(..) => continue,
            }
            return Some((time, incident));
        }
        None
    }

    /// Whether a node is down.
    #[must_use]
    pub fn is_dead(&self, node: Node) -> bool {
        self.dead.contains(&node)
    }
}
