//! The faults of a run: the fate of each message, and the crashes.

use std::collections::{BTreeMap, BTreeSet};

use crate::faults::{Chance, Window, by_clock};
use crate::{Fault, Scenario, Time};
use bellwether_core::{Port, Span};
use bellwether_net::{Node, Wiring};
use bellwether_random::{Purpose, Stream};

/// The faults of a run, with their times.
pub struct Fates {
    /// Whether no fault concerns messages.
    spares_messages: bool,
    chance: Stream,
    loss: Chance,
    duplicate: Chance,
    reorder: Chance,
    cuts: Vec<(Node, Node, Window)>,
    slow: BTreeMap<Node, u32>,
    pauses: Vec<(Node, Window)>,
    /// How fast clocks run, if not as fast as time.
    rates: BTreeMap<Node, Span>,
    /// Faults of single messages, by sender and number.
    singled_out: BTreeMap<(Node, u64), SingleFate>,
    incidents: BTreeSet<(Time, Incident)>,
    /// The time between a crash and its report to the neighbours.
    detection: Span,
    dead: BTreeSet<Node>,
}

/// What befalls a single message.
#[derive(Clone, Copy, Default)]
struct SingleFate {
    lost: bool,
    twice: bool,
    takes: Option<Span>,
}

/// What happens to a process. At one moment, incidents happen in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Incident {
    /// It stops.
    Crash(Node),
    /// It starts again.
    Recover(Node),
    /// A process hears that the process behind this port is down.
    PeerDown(Node, Port),
    /// It starts on its own, or once more.
    Start(Node),
}

/// The fate of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is lost.
    Lost,
    /// It arrives.
    Arrives {
        /// The factor on its delay.
        slowness: u32,
        /// Whether it takes one unit more. Then others may overtake it.
        late: bool,
        /// Whether it arrives twice.
        twice: bool,
        /// How long it takes, if not as long as others. Then others may overtake it, and it may overtake others.
        takes: Option<Span>,
    },
}

impl Fate {
    /// The fate of a message without faults.
    pub const USUAL: Self = Self::Arrives { slowness: 1, late: false, twice: false, takes: None };
}

impl Fates {
    /// The planned faults of a scenario.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        let mut faults = Self {
            spares_messages: true,
            chance: Stream::new(scenario.seed, Purpose::Faults),
            loss: Chance(0),
            duplicate: Chance(0),
            reorder: Chance(0),
            cuts: vec![],
            slow: BTreeMap::new(),
            pauses: vec![],
            rates: BTreeMap::new(),
            singled_out: BTreeMap::new(),
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
        self.spares_messages &=
            matches!(fault, Fault::Crash(..) | Fault::Recover(..) | Fault::Wipe(..) | Fault::Start(..))
                || matches!(fault, Fault::Pause(..) | Fault::Drift(..));
        match *fault {
            Fault::Loss(chance) => self.loss = chance,
            Fault::Duplicate(chance) => self.duplicate = chance,
            Fault::Reorder(chance) => self.reorder = chance,
            Fault::Crash(..) | Fault::Recover(..) | Fault::Start(..) => self.incidents.extend(fault.incident()),
            Fault::Cut(a, b, window) => self.cuts.extend([(a, b, window), (b, a, window)]),
            Fault::OneWay(a, b, window) => self.cuts.push((a, b, window)),
            Fault::Slow(node, factor) => drop(self.slow.insert(node, factor)),
            Fault::Pause(node, window) => self.pauses.push((node, window)),
            Fault::Drift(node, rate) => drop(self.rates.insert(node, rate)),
            Fault::Wipe(..) => {} // it shows when the node recovers
            Fault::Lose(node, n) => self.singled_out.entry((node, n)).or_default().lost = true,
            Fault::Repeat(node, n) => self.singled_out.entry((node, n)).or_default().twice = true,
            Fault::Hold(node, n, takes) => self.singled_out.entry((node, n)).or_default().takes = Some(takes),
        }
    }

    /// Whether faults name messages by their numbers.
    #[must_use]
    pub fn need_numbers(&self) -> bool {
        !self.singled_out.is_empty()
    }

    /// Decides the fate of a message that is sent now: the message of its sender with number `n`.
    #[inline]
    pub fn fate(&mut self, now: Time, from: Node, to: Node, n: u64) -> Fate {
        if self.spares_messages { Fate::USUAL } else { self.draw_fate(now, from, to, n) }
    }

    #[cold]
    fn draw_fate(&mut self, now: Time, from: Node, to: Node, n: u64) -> Fate {
        // Chance is asked first, so that other messages fare as they would without the single fault.
        let usual = self.usual_fate(now, from, to);
        let single = self.singled_out.get(&(from, n)).copied().unwrap_or_default();
        match usual {
            Fate::Arrives { slowness, late, twice, .. } if !single.lost => {
                Fate::Arrives { slowness, late, twice: twice || single.twice, takes: single.takes }
            }
            Fate::Arrives { .. } | Fate::Lost => Fate::Lost,
        }
    }

    fn usual_fate(&mut self, now: Time, from: Node, to: Node) -> Fate {
        let is_cut = |&(a, b, window): &(Node, Node, Window)| (a, b) == (from, to) && window.contains(now);
        if self.cuts.iter().any(is_cut) || self.happens(self.loss) {
            return Fate::Lost;
        }
        let twice = self.happens(self.duplicate);
        let late = self.happens(self.reorder);
        Fate::Arrives { slowness: self.slow.get(&from).copied().unwrap_or(1), late, twice, takes: None }
    }

    fn happens(&mut self, chance: Chance) -> bool {
        chance > Chance(0) && self.chance.below(Chance::ONE.0.into()) < chance.0.into()
    }

    /// The time of the next incident.
    #[must_use]
    pub fn next_time(&self) -> Option<Time> {
        self.incidents.first().map(|&(time, _)| time)
    }

    /// Takes the next incident that is due, with its time. Keeps track of crashes and recoveries.
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
                // Only a living process hears a report, and only about a process that is still down.
                Incident::PeerDown(node, port) if !self.is_dead(node) && self.is_dead(wiring.far(node, port).0) => {}
                Incident::Start(node) if !self.is_dead(node) => {}
                Incident::Crash(_) | Incident::Recover(_) | Incident::PeerDown(..) | Incident::Start(_) => continue,
            }
            return Some((time, incident));
        }
        None
    }

    /// If a node pauses now: when it goes on.
    #[inline]
    #[must_use]
    pub fn paused_until(&self, node: Node, now: Time) -> Option<Span> {
        let pauses = self.pauses.iter().filter(|(it, window)| *it == node && window.contains(now));
        pauses.filter_map(|(_, window)| window.until?.as_span()).max()
    }

    /// How long a timer of a node really takes, by its clock.
    #[inline]
    #[must_use]
    pub fn by_clock_of(&self, node: Node, span: Span) -> Span {
        self.rates.get(&node).map_or(span, |rate| by_clock(*rate, span))
    }

    /// Whether a node is down.
    #[must_use]
    pub fn is_dead(&self, node: Node) -> bool {
        self.dead.contains(&node)
    }
}
