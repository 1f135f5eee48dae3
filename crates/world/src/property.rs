//! The properties of an election.

use std::fmt;

use bellwether_core::Info;

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
    /// The number of a leadership is never smaller than that of an earlier one.
    TokensGrow,
    /// No leadership has the number of the one before it.
    FreshToken,
    /// From every state a leader can still come, if nothing more fails. One run cannot show this.
    CanLead,
}

impl Property {
    /// The properties of an election, the most serious first.
    pub const OF_ELECTIONS: &[Self] =
        &[Self::OneLeader, Self::Steady, Self::Leader, Self::Winner, Self::Informed, Self::Ends, Self::Bounds];

    /// The properties of an algorithm that never ends, the most serious first.
    pub const OF_PERPETUAL: &[Self] = &[Self::OneLeader, Self::TokensGrow, Self::FreshToken, Self::CanLead];

    /// The properties that an algorithm is judged by, the most serious first.
    #[must_use]
    pub const fn of(info: &Info) -> &'static [Self] {
        if info.perpetual { Self::OF_PERPETUAL } else { Self::OF_ELECTIONS }
    }

    /// The property of this short name.
    #[must_use]
    pub fn called(key: &str) -> Option<Self> {
        [Self::OF_ELECTIONS, Self::OF_PERPETUAL].concat().into_iter().find(|property| property.key() == key)
    }

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
            Self::TokensGrow => "tokens-grow",
            Self::FreshToken => "no-token-twice",
            Self::CanLead => "can-lead",
        }
    }
}

/// A set of properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Properties(u16);

impl Properties {
    /// This set, with `property` added if `is_in`.
    #[must_use]
    pub fn with(self, property: Property, is_in: bool) -> Self {
        Self(self.0 | u16::from(is_in) << property as u16)
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
        self.0 >> property as u16 & 1 == 1
    }

    /// The properties in the set, the most serious first.
    pub fn iter(self) -> impl Iterator<Item = Property> {
        let all = Property::OF_ELECTIONS.iter().chain(&Property::OF_PERPETUAL[1..]);
        all.copied().filter(move |property| self.contains(*property))
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
            Self::TokensGrow => "tokens grow",
            Self::FreshToken => "no token twice",
            Self::CanLead => "a leader can always still come",
        })
    }
}
