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

/// Some properties: one moment, or one end of an election, may break several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Properties(u8);

impl Properties {
    /// These, and this one if so.
    #[must_use]
    pub fn with(self, property: Property, is_in: bool) -> Self {
        Self(self.0 | u8::from(is_in) << property as u8)
    }

    /// These and those.
    #[must_use]
    pub fn and(self, those: Self) -> Self {
        Self(self.0 | those.0)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it is among them.
    #[must_use]
    pub fn contains(self, property: Property) -> bool {
        self.0 >> property as u8 & 1 == 1
    }

    /// All of them, the gravest first.
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |property| self.contains(*property))
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
