//! What is known of a state, and how it is written into its mark.

use crate::sleep::{Asleep, Sleep};
use crate::store::Mark;

/// What is still to be paid from a state on, at least and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// By the cheapest schedule.
    pub least: u32,
    /// By the dearest.
    pub most: u32,
}

impl Cost {
    /// Nothing.
    pub const NONE: Self = Self { least: 0, most: 0 };

    /// No schedule was followed to its end from there, yet or at all: all lead back to where they were, or sleep.
    pub const UNKNOWN: Self = Self { least: u32::MAX - 1, most: 0 };

    /// There is a way that costs so much, and then this.
    pub fn include(&mut self, paid: u32, then: Self) {
        if then != Self::UNKNOWN {
            self.least = self.least.min(then.least.saturating_add(paid));
            self.most = self.most.max(then.most.saturating_add(paid));
        }
    }
}

/// Some of the threads that search together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crew(u16);

impl Crew {
    /// A mark has room for so many.
    pub const MOST: usize = u16::BITS as usize;

    /// These, and this one.
    #[must_use]
    pub fn with(self, thread: usize) -> Self {
        Self(self.0 | 1 << thread)
    }

    /// Whether this one is among them.
    pub fn has(self, thread: usize) -> bool {
        self.0 >> thread & 1 == 1
    }
}

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Its schedules are still being followed: it is on the path of these threads.
    Open(Crew),
    /// What they cost.
    Closed(Cost),
}

/// Where moves sleep, costs must be less to fit into half of a mark.
const LONG: u32 = 0xffff;

impl Sleep {
    /// The mark of a state of which this is known, and that is visited while these moves sleep; nothing if it cannot be
    /// written.
    #[inline]
    pub fn mark(&self, asleep: Asleep, known: Known) -> Option<Mark> {
        if !self.is_on() {
            return Some(match known {
                Known::Open(crew) => (u32::MAX, crew.0.into()),
                Known::Closed(cost) => (cost.least, cost.most),
            });
        }
        let (least, most) = match known {
            Known::Open(crew) => (LONG, crew.0.into()),
            Known::Closed(Cost::UNKNOWN) => (LONG - 1, 0),
            Known::Closed(cost) if cost.most < LONG - 1 => (cost.least, cost.most),
            Known::Closed(_) => return None,
        };
        Some((asleep.0, least | most << 16))
    }

    /// What a mark says: the moves that sleep, and what is known.
    #[inline]
    pub fn read(&self, (first, second): Mark) -> (Asleep, Known) {
        let crew = |crew: u32| Known::Open(Crew(crew as u16));
        if !self.is_on() {
            let cost = Cost { least: first, most: second };
            return (Asleep::default(), if first == u32::MAX { crew(second) } else { Known::Closed(cost) });
        }
        let known = match (second & LONG, second >> 16) {
            (LONG, most) => crew(most),
            (least, _) if least == LONG - 1 => Known::Closed(Cost::UNKNOWN),
            (least, most) => Known::Closed(Cost { least, most }),
        };
        (Asleep(first), known)
    }
}
