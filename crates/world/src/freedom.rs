//! What a schedule may do when every schedule is tried.

use bellwether_core::{Info, Model};
use serde::{Deserialize, Serialize};

/// The freedom of the adversary that orders the steps of a run, beyond the choice of the next message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Freedom {
    /// Messages on a link may overtake each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reorder: bool,
    /// The largest number of messages that arrive twice.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub copies: u32,
    /// The largest number of messages that are lost.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub losses: u32,
    /// The largest number of processes that crash.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub crashes: u32,
    /// A timer may go off while messages are under way: messages may take longer than processes were told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hasty_timers: bool,
    /// All initiators start before anything is delivered. Otherwise each starts at any time, unless a message wakes it
    /// up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub starts_first: bool,
}

impl Freedom {
    /// No limit on the number of copies.
    pub const ANY: u32 = u32::MAX;

    /// Whether messages arrive once and in order, no process crashes, and timers wait for messages.
    #[must_use]
    pub fn is_calm(&self) -> bool {
        !self.reorder && !self.has_faults()
    }

    /// Whether a search follows the rounds of this algorithm as they are: it is round-based, processes may crash, and
    /// nothing else may fail. A synchronizer, which is used otherwise, would wait for the crashed.
    #[must_use]
    pub fn keeps_rounds(&self, info: &Info) -> bool {
        let others = self.reorder || self.copies > 0 || self.losses > 0;
        info.model == Model::Synchronous && self.crashes > 0 && !others
    }

    /// Whether faults are possible.
    #[must_use]
    pub fn has_faults(&self) -> bool {
        self.copies > 0 || self.losses > 0 || self.crashes > 0 || self.hasty_timers
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}
