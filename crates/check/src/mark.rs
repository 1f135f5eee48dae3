//! What is known of a state, and how it is written into its mark.

use crate::sleep::{Asleep, Sleep};
use crate::store::Mark;

/// The cost from a state to the end of its schedules, at least and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostSpan {
    /// By the cheapest schedule.
    pub least: u32,
    /// By the dearest.
    pub most: u32,
}

impl CostSpan {
    /// Nothing.
    pub const NONE: Self = Self { least: 0, most: 0 };

    /// No schedule from this state was followed to its end, so far or at all. All of them lead back to earlier states,
    /// or sleep.
    pub const UNKNOWN: Self = Self { least: u32::MAX - 1, most: 0 };

    /// There is a way that costs `paid`, and then this.
    pub fn include(&mut self, paid: u32, then: Self) {
        if then != Self::UNKNOWN {
            self.least = self.least.min(then.least.saturating_add(paid));
            self.most = self.most.max(then.most.saturating_add(paid));
        }
    }
}

/// A set of threads that search together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crew(u16);

impl Crew {
    /// The largest number of threads: a mark has one bit for each.
    pub const MOST: usize = u16::BITS as usize;

    /// The set with one more thread.
    #[must_use]
    pub fn with(self, thread: usize) -> Self {
        Self(self.0 | 1 << thread)
    }

    /// Whether this thread is in the set.
    pub fn has(self, thread: usize) -> bool {
        self.0 >> thread & 1 == 1
    }
}

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Its schedules are still being followed. It is on the path of these threads.
    Open(Crew),
    /// All its schedules were followed, and cost this.
    Closed(CostSpan),
}

/// Where moves sleep, a cost has 16 bits of a mark and must be smaller than this.
const LONG: u32 = 0xffff;

impl Sleep {
    /// The mark of a state that is visited while these moves sleep, and of which this is known; `None` if the cost is
    /// too large for a mark.
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
            Known::Closed(CostSpan::UNKNOWN) => (LONG - 1, 0),
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
            let cost = CostSpan { least: first, most: second };
            return (Asleep::default(), if first == u32::MAX { crew(second) } else { Known::Closed(cost) });
        }
        let known = match (second & LONG, second >> 16) {
            (LONG, most) => crew(most),
            (least, _) if least == LONG - 1 => Known::Closed(CostSpan::UNKNOWN),
            (least, most) => Known::Closed(CostSpan { least, most }),
        };
        (Asleep(first), known)
    }
}
