//! The properties of an election.

use std::fmt;

use bellwether_core::Info;

/// Which algorithms a property is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// All of them.
    All,
    /// Those that hold an election and end.
    Elections,
    /// Those that never end.
    Perpetual,
}

/// The enum of all properties, from a table: what each is about, its key and its words.
macro_rules! properties {
    ($($(#[$meta:meta])* $name:ident: $about:ident, $key:literal, $words:literal;)+) => {
        /// A property of an election: of one run, or of all schedules. The most serious comes first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Property {
            $($(#[$meta])* $name),+
        }

        impl Property {
            /// All properties, the most serious first.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            const fn about(self) -> About {
                match self { $(Self::$name => About::$about),+ }
            }

            /// A short name, for programs.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Self::$name => $key),+ }
            }
        }

        impl fmt::Display for Property {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $words),+ })
            }
        }
    };
}

properties! {
    /// At no moment are there two leaders.
    OneLeader: All, "one-leader", "at most one leader at any instant";
    /// No process decides twice.
    Steady: Elections, "steady", "nobody changes its mind";
    /// At the end there is a leader.
    Leader: Elections, "a-leader", "a leader in the end";
    /// The leader is the node that the algorithm's entry promises.
    Winner: Elections, "winner", "the promised winner";
    /// All processes know the leader. Without ids, they know that there is one.
    Informed: Elections, "informed", "everybody informed";
    /// Every fair schedule ends.
    Ends: Elections, "ends", "it always ends";
    /// It takes no more messages and no more time than proved, and no fewer messages.
    Bounds: Elections, "bounds", "within the proved bounds";
    /// The number of a leadership is never smaller than that of an earlier one.
    TokensGrow: Perpetual, "tokens-grow", "tokens grow";
    /// No leadership has the number of the one before it.
    FreshToken: Perpetual, "no-token-twice", "no token twice";
    /// From every state a leader can still come, if nothing more fails.
    CanLead: Perpetual, "can-lead", "a leader can always still come";
}

impl Property {
    /// The properties that an algorithm is judged by, the most serious first.
    pub fn of(info: &Info) -> impl Iterator<Item = Self> + use<> {
        let others = if info.perpetual { About::Elections } else { About::Perpetual };
        Self::ALL.iter().copied().filter(move |property| property.about() != others)
    }

    /// Whether it is about all schedules together. One run neither keeps nor breaks it.
    #[must_use]
    pub const fn needs_all_schedules(self) -> bool {
        matches!(self, Self::Ends | Self::CanLead)
    }

    /// The property of this short name.
    #[must_use]
    pub fn called(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|property| property.key() == key)
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
        Property::ALL.iter().copied().filter(move |property| self.contains(*property))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_has_a_name_of_its_own_and_a_place_in_a_set() {
        for property in Property::ALL {
            assert_eq!(Property::called(property.key()), Some(*property));
            let alone = Properties::default().with(*property, true);
            assert_eq!(alone.iter().collect::<Vec<_>>(), [*property]);
        }
    }

    #[test]
    fn every_property_is_one_of_elections_or_of_perpetual_algorithms() {
        let [ending, perpetual] = [false, true].map(|perpetual| Info { perpetual, ..Info::EVENTS });
        for property in Property::ALL {
            assert!(Property::of(&ending).chain(Property::of(&perpetual)).any(|it| it == *property), "{property}");
        }
        let both = Property::of(&ending).filter(|property| Property::of(&perpetual).any(|it| it == *property));
        assert_eq!(both.collect::<Vec<_>>(), [Property::OneLeader]);
    }
}
