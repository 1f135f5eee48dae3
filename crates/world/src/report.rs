//! What is told of a run.

use std::fmt;

use bellwether_core::Id;
use serde::Serialize;

use crate::{Node, Time};

/// A run in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// Every property that does not hold, as a sentence.
    pub violations: Vec<String>,
    /// Who leads in the end.
    pub leaders: Vec<Leader>,
    /// Who has crashed and not recovered.
    pub crashed: Vec<Node>,
    /// Where all ids are the same: whether all processes were in the same state after every instant.
    pub symmetry: Option<Symmetry>,
    /// By node: the id that it holds for the leader's. Left out where nobody would read it.
    pub decided: Option<Vec<Option<Id>>>,
    /// How many nodes have decided; `None` where the run was stopped with some far ahead of others.
    pub deciders: Option<u64>,
    /// When the last process decided; `None` if somebody has not.
    pub time: Option<Time>,
    /// Messages by kind, in the algorithm's order.
    pub kinds: Vec<Kind>,
    /// How many messages were lost.
    pub lost: u64,
    /// How many were repeated by a link.
    pub repeated: u64,
    /// The length of all messages but overhead together.
    pub bits: u64,
    /// How the run went for the machine.
    pub stats: Stats,
}

impl Report {
    /// The messages whose kind satisfies this, added up.
    fn sum(&self, wanted: impl Fn(&Kind) -> bool) -> u64 {
        self.kinds.iter().filter(|kind| wanted(kind)).map(|kind| kind.count).sum()
    }

    /// Messages that served to elect.
    #[must_use]
    pub fn election_messages(&self) -> u64 {
        self.sum(|kind| !kind.overhead && !kind.is_announce())
    }

    /// Messages that told the result.
    #[must_use]
    pub fn announce_messages(&self) -> u64 {
        self.sum(Kind::is_announce)
    }

    /// All messages of the algorithm; an adaptor's overhead is apart.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.sum(|kind| !kind.overhead)
    }

    /// Whether the election was right in every respect.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.outcome == Outcome::Elected && self.violations.is_empty()
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// One leads, and everybody knows.
    Elected,
    /// Nobody leads, and nothing will happen any more.
    NoLeader,
    /// More than one leads.
    SeveralLeaders,
    /// One leads, but somebody does not know it.
    Disagreement,
    /// It was stopped, so nothing is known.
    Limit,
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

/// Whether all processes did the same all the time, as Angluin's proof says of a symmetric network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// Their states were equal after each of so many instants or rounds.
    Kept(u64),
    /// At this moment they were different for the first time.
    Broken(Time),
}

/// A node that leads, and its id where ids exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Leader {
    /// The node.
    pub node: Node,
    /// Its id.
    pub id: Option<Id>,
}

/// How many messages of a kind were sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The kind's name.
    pub name: &'static str,
    /// How many.
    pub count: u64,
    /// Whether they served an adaptor and not the algorithm.
    pub overhead: bool,
}

impl Kind {
    /// Whether such messages tell the result.
    #[must_use]
    pub fn is_announce(&self) -> bool {
        self.name == "announce"
    }
}

/// How a run went for the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Steps of processes.
    pub events: u64,
    /// The most messages under way at one moment, if asked for.
    pub peak_in_flight: Option<u64>,
    /// By node: the messages it sent. Empty unless asked for.
    pub sends: Vec<u32>,
}
