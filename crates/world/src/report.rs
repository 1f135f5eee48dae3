//! The report of a run.

use std::fmt;

use bellwether_core::{Id, Span};
use bellwether_net::Node;
use serde::{Deserialize, Serialize};

use crate::numbers::grouped;
use crate::{Properties, Property, Time};

/// A run in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// One sentence for each property that does not hold.
    pub violations: Vec<String>,
    /// The properties that do not hold.
    pub broken: Properties,
    /// The properties that could not be judged, and why.
    pub not_judged: Vec<(Property, &'static str)>,
    /// The leaders at the end.
    pub leaders: Vec<Leader>,
    /// The nodes that have crashed and not recovered.
    pub crashed: Vec<Node>,
    /// If all ids are the same: whether all processes were in the same state after every instant.
    pub symmetry: Option<Symmetry>,
    /// By node: the leader's id as the node knows it. Left out if there are too many nodes to read.
    pub decided: Option<Vec<Option<Id>>>,
    /// By node: the number that the leader gave it, if nodes are numbered. Left out if there are too many nodes to
    /// read.
    pub numbers: Option<Vec<Option<u64>>>,
    /// The nodes that know no leader at the end, each with its reason, if the algorithm tells it.
    pub reasons: Vec<(Node, String)>,
    /// How many nodes have decided; `None` if the run was stopped with some nodes far ahead of others.
    pub deciders: Option<u64>,
    /// When the last process decided; `None` if a process is undecided.
    pub time: Option<Time>,
    /// Messages by kind, in the algorithm's order.
    pub kinds: Vec<Kind>,
    /// How many messages were lost.
    pub lost: u64,
    /// How many messages were repeated by a link.
    pub repeated: u64,
    /// The total length of all messages without overhead.
    pub bits: u64,
    /// The phases, if they were counted.
    pub phases: Option<PhasesSeen>,
    /// The leaderships, in the order in which they began.
    pub terms: Vec<Term>,
    /// The counters of the run.
    pub stats: Stats,
}

impl Report {
    /// The times without a leader, each between the end of a leadership and the next one.
    pub fn failovers(&self) -> impl Iterator<Item = Span> {
        let pairs = self.terms.iter().zip(self.terms.iter().skip(1));
        pairs.filter_map(|(lost, next)| lost.until?.until(next.since))
    }

    /// The number of messages of all kinds that satisfy this.
    fn sum(&self, wanted: impl Fn(&Kind) -> bool) -> u64 {
        self.kinds.iter().filter(|kind| wanted(kind)).map(|kind| kind.count).sum()
    }

    /// Messages by their purpose.
    #[must_use]
    pub fn purposes(&self) -> Messages {
        Messages {
            election: self.sum(|kind| !kind.overhead && !kind.announce),
            announce: self.sum(|kind| kind.announce),
            overhead: self.sum(|kind| kind.overhead),
        }
    }

    /// Messages that served to elect.
    #[must_use]
    pub fn election_messages(&self) -> u64 {
        self.purposes().election
    }

    /// Messages that told the result.
    #[must_use]
    pub fn announce_messages(&self) -> u64 {
        self.purposes().announce
    }

    /// All messages of the algorithm, without the overhead of an adaptor.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.purposes().total()
    }

    /// Whether the election was correct in every respect.
    #[must_use]
    pub fn is_right(&self) -> bool {
        // One of several elections may not have been held, although an earlier one has made a leader.
        let is_held = !self.not_judged.iter().any(|(property, _)| *property == Property::Leader);
        self.outcome == Outcome::Elected && self.violations.is_empty() && is_held
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// One node leads, and all others that were to know it do.
    Elected,
    /// No node leads, and nothing will happen any more.
    NoLeader,
    /// More than one node leads.
    SeveralLeaders,
    /// One node leads, but another one does not know it.
    Disagreement,
    /// The run was stopped, so nothing is known.
    Limit,
}

impl Outcome {
    /// The outcome by the number of leaders in the end.
    #[must_use]
    pub const fn of(leaders: usize) -> Self {
        match leaders {
            0 => Self::NoLeader,
            1 => Self::Elected,
            _ => Self::SeveralLeaders,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Elected => "elected",
            Self::NoLeader => "no-leader",
            Self::SeveralLeaders => "several-leaders",
            Self::Disagreement => "disagreement",
            Self::Limit => "limit",
        })
    }
}

/// Whether all processes did the same all the time, as Angluin's proof says for a symmetric network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// Their states were equal after each of this many instants or rounds.
    Kept(u64),
    /// They differed for the first time at this moment.
    Broken(Time),
}

/// A leader, and its id if there are ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Leader {
    /// The node.
    pub node: Node,
    /// Its id.
    pub id: Option<Id>,
}

/// A leadership.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Term {
    /// Who led.
    pub node: Node,
    /// Its number, if leaderships are numbered.
    pub token: Option<u64>,
    /// When it began.
    pub since: Time,
    /// When it ended, unless it lasted to the end of the run.
    pub until: Option<Time>,
}

/// Messages by their purpose. Its text is how every command counts: `44 = 36 to elect + 8 to announce`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// Messages that served to elect.
    pub election: u64,
    /// Messages that told the result.
    pub announce: u64,
    /// Messages of an adaptor. They are not the algorithm's, so they are told apart.
    pub overhead: u64,
}

impl Messages {
    /// What is said where only the messages to elect are counted.
    pub const ON_TOP: &'static str = "announcements come on top";

    /// All messages of the algorithm.
    #[must_use]
    pub fn total(self) -> u64 {
        self.election + self.announce
    }
}

impl fmt::Display for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [total, election, announce] = [self.total(), self.election, self.announce].map(grouped);
        match self.announce {
            0 => write!(f, "{election} to elect"),
            _ => write!(f, "{total} = {election} to elect + {announce} to announce"),
        }
    }
}

/// How many messages of a kind were sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The kind's name.
    pub name: &'static str,
    /// The number of messages.
    pub count: u64,
    /// Whether they told the result.
    pub announce: bool,
    /// Whether they belong to an adaptor and not to the algorithm.
    pub overhead: bool,
}

/// The phases of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhasesSeen {
    /// How many there were.
    pub count: u64,
    /// Each of them in its order; only the first if there are very many.
    pub each: Vec<PhaseSeen>,
}

/// A phase of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseSeen {
    /// How many nodes were in the race.
    pub racing: u64,
    /// Messages to elect.
    pub messages: u64,
    /// The nodes in the race; empty if there are too many to read.
    pub nodes: Vec<Node>,
    /// The event with which it begins, from 0, if events were recorded.
    pub begins: Option<u64>,
}

/// The counters of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Steps of processes.
    pub events: u64,
    /// The most messages under way at one moment, if asked for.
    pub peak_in_flight: Option<u64>,
    /// The longest state of a process in bits, if asked for.
    pub state_bits: Option<u64>,
    /// By node: the messages it sent. Empty unless asked for.
    pub sends: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_election_proper_is_told_beside_the_announcement() {
        let told = |election, announce| Messages { election, announce, overhead: 18 }.to_string();
        assert_eq!(told(36, 8), "44 = 36 to elect + 8 to announce");
        assert_eq!(told(1_234_567, 0), "1,234,567 to elect");
        assert_eq!(told(0, 2), "2 = 0 to elect + 2 to announce");
    }
}
