//! The quantities that are measured.

use std::fmt;
use std::str::FromStr;

/// A measured quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Messages to elect.
    Messages,
    /// Messages to announce the result.
    Announce,
    /// The total length of all messages.
    Bits,
    /// The time when the last node has decided.
    Time,
    /// The largest number of messages sent by one node.
    PerNode,
    /// Phases, tournaments or rounds of draws.
    Phases,
    /// The longest time without a leader, after one was lost.
    Failover,
}

impl Quantity {
    const ALL: [Self; 7] =
        [Self::Messages, Self::Announce, Self::Bits, Self::Time, Self::PerNode, Self::Phases, Self::Failover];

    fn name(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Announce => "announce",
            Self::Bits => "bits",
            Self::Time => "time",
            Self::PerNode => "per-node",
            Self::Phases => "phases",
            Self::Failover => "failover",
        }
    }

    /// The quantity in a few words.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Messages => "messages to elect (announcements apart)",
            Self::Announce => "messages to announce the result",
            Self::Bits => "bits of all messages",
            Self::Time => "time until the last decision",
            Self::PerNode => "messages of the node that sends most",
            Self::Phases => "phases",
            Self::Failover => "longest time without a leader after one was lost",
        }
    }
}

impl FromStr for Quantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|quantity| quantity.name() == text).ok_or(format!("'{text}' is none of {names}"))
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
