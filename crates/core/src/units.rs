//! The numbers an algorithm handles, one type each: never an integer for two things.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The identity of a process: any `u64`, compared as a number. No value is special.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id(pub u64);

/// One end of a link, numbered from 0 at each process on its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Port(pub u32);

impl Port {
    /// On a ring: the clockwise neighbour.
    pub const NEXT: Self = Self(0);
    /// On a ring: the counter-clockwise neighbour.
    pub const PREVIOUS: Self = Self(1);

    /// On a ring: the other port, so that a message goes on in the sense in which it came.
    #[must_use]
    pub const fn onward(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// Its place in a list of things by port.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a round, counted from 1. 128 bits, because an algorithm may wait for round id · n.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Round(pub u128);

impl Round {
    /// The round in which everybody may start.
    pub const FIRST: Self = Self(1);
    /// Beyond every round that a host plays: what is due then never happens.
    pub const NEVER: Self = Self(u128::MAX);

    /// The round after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The round before this one.
    #[must_use]
    pub const fn before(self) -> Self {
        self.rewound(1)
    }

    /// The round that is `by` before this one.
    #[must_use]
    pub const fn rewound(self, by: u64) -> Self {
        Self(self.0.saturating_sub(by as u128))
    }
}

/// The number of a tournament or phase. It has no bound; only the distance of two phases matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Phase(pub u64);

impl Phase {
    /// The one before all others.
    pub const FIRST: Self = Self(1);

    /// The phase after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The phase that is `by` before this one.
    #[must_use]
    pub const fn rewound(self, by: u64) -> Self {
        Self(self.0.saturating_sub(by))
    }
}

/// A length of time, in millionths of the time unit (the longest delay of a message).
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(pub u64);

impl Span {
    /// One time unit.
    pub const UNIT: Self = Self(1_000_000);

    /// A whole number of time units.
    #[must_use]
    pub const fn units(count: u64) -> Self {
        Self::UNIT.times(count)
    }

    /// This span `count` times.
    #[must_use]
    pub const fn times(self, count: u64) -> Self {
        Self(self.0.saturating_mul(count))
    }

    /// The rounds that this span lasts where every message takes one round.
    #[must_use]
    pub const fn in_rounds(self) -> u64 {
        self.0.div_ceil(Self::UNIT.0)
    }
}

/// Bare numbers, for traces made to be read: `elect(3)`, not `elect(Id(3))`.
macro_rules! shown_as_number {
    ($($type:ty),*) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}
shown_as_number!(Id, Round, Span, Phase);

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A port says what it is, so that a host can put the neighbour's name in its place.
impl fmt::Debug for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "port {}", self.0)
    }
}
