//! What must hold on every schedule.

use std::fmt;

/// A property of all schedules of an election.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// At no moment do two processes lead.
    OneLeader,
    /// Nobody decides twice.
    Steady,
    /// When all is settled, somebody leads.
    Leader,
    /// It is the one who was promised to win.
    Winner,
    /// Everybody knows who leads.
    Informed,
    /// From every state the election settles, if only everything that must happen some time does.
    Ends,
    /// No schedule costs more messages than proved, and none fewer.
    Bounds,
}

impl Property {
    /// All of them, the gravest first.
    pub const ALL: [Self; 7] =
        [Self::OneLeader, Self::Steady, Self::Leader, Self::Winner, Self::Informed, Self::Ends, Self::Bounds];

    /// In a word, for programs.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::OneLeader => "one-leader",
            Self::Steady => "steady",
            Self::Leader => "a-leader",
            Self::Winner => "winner",
            Self::Informed => "informed",
            Self::Ends => "ends",
            Self::Bounds => "bounds",
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OneLeader => "at most one leader at any instant",
            Self::Steady => "nobody changes its mind",
            Self::Leader => "a leader in the end",
            Self::Winner => "the promised winner",
            Self::Informed => "everybody informed",
            Self::Ends => "it always ends",
            Self::Bounds => "within the proved bounds",
        })
    }
}
