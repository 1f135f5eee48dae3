//! What a schedule may do where every schedule is tried.

use serde::{Deserialize, Serialize};

/// How much freedom the adversary has who orders the steps of a run, beyond choosing which message comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Freedom {
    /// Messages on a link may overtake each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reorder: bool,
    /// At most so many messages arrive twice.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub copies: u32,
    /// At most so many messages are lost.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub losses: u32,
    /// At most so many processes crash.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub crashes: u32,
    /// A timer may go off while messages are under way: they take longer than anybody was told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hasty_timers: bool,
}

impl Freedom {
    /// As many copies as the adversary likes.
    pub const ANY: u32 = u32::MAX;

    /// Whether something may go wrong that a reliable network rules out.
    #[must_use]
    pub fn has_faults(&self) -> bool {
        self.copies > 0 || self.losses > 0 || self.crashes > 0 || self.hasty_timers
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}
