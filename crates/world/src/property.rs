//! The properties of an election.

use std::fmt;

/// A property of an election: of one run, or of all schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// At no moment are there two leaders.
    OneLeader,
    /// No process decides twice.
    Steady,
    /// At the end there is a leader.
    Leader,
    /// The leader is the node that the algorithm's entry promises.
    Winner,
    /// All processes know the leader. Without ids, they know that there is one.
    Informed,
    /// Every fair schedule ends. One run cannot show this.
    Ends,
    /// It takes no more messages and no more time than proved, and no fewer messages.
    Bounds,
}

impl Property {
    /// All properties, the most serious first.
    pub const ALL: [Self; 7] =
        [Self::OneLeader, Self::Steady, Self::Leader, Self::Winner, Self::Informed, Self::Ends, Self::Bounds];

    /// A short name, for programs.
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

/// A set of properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Properties(u8);

impl Properties {
    /// This set, with `property` added if `is_in`.
    #[must_use]
    pub fn with(self, property: Property, is_in: bool) -> Self {
        Self(self.0 | u8::from(is_in) << property as u8)
    }

    /// The union of both sets.
    #[must_use]
    pub fn and(self, those: Self) -> Self {
        Self(self.0 | those.0)
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a property is in the set.
    #[must_use]
    pub fn contains(self, property: Property) -> bool {
        self.0 >> property as u8 & 1 == 1
    }

    /// The properties in the set, the most serious first.
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
