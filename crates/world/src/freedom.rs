//! What a schedule may do when every schedule is tried.

use std::fmt;
use std::str::FromStr;

use bellwether_core::{Info, Model, Span};
use bellwether_net::Node;
use serde::{Deserialize, Serialize};

/// The freedom of the adversary that orders the steps of a run, beyond the choice of the next message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The largest number of restarts: a process crashes and starts again at once, with its disk.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub restarts: u32,
    /// The largest number of nodes that start again without their disk, each once.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub wipes: u32,
    /// The largest number of connections that close although both ends live. Both hear of it, each in its own time.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub closes: u32,
    /// Of two timers the one that must go off first does, by clocks whose rates differ from true time by at most this
    /// part. Messages may take any time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
    /// Every message may be lost, repeated and overtaken, any number of times.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreliable: bool,
    /// The latest phase that is followed; 0 for all. Later ones are left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub phases: u32,
    /// All initiators start before anything is delivered. Otherwise each starts at any time, unless a message wakes it
    /// up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub starts_first: bool,
}

/// The bound on how much faster or slower than true time a clock runs, in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Drift(pub u32);

impl Drift {
    const ONE: u128 = 1_000_000;

    /// This number of percent, at most 50.
    #[must_use]
    pub fn percent(percent: u64) -> Self {
        Self(percent.min(50) as u32 * 10_000)
    }

    /// Whether a timer, if it was set before another one, goes off before it. Each is given by its process and its
    /// span.
    #[must_use]
    pub fn goes_first(self, first: (Node, Span), later: (Node, Span)) -> bool {
        // One clock measures all timers of a process.
        if first.0 == later.0 { first.1 <= later.1 } else { self.orders(first.1, later.1) }
    }

    /// Whether a timer of this span, if it was set first, goes off before a later one of another process.
    fn orders(self, first: Span, later: Span) -> bool {
        let drift = u128::from(self.0);
        u128::from(first.0) * (Self::ONE + drift) <= u128::from(later.0) * Self::ONE.saturating_sub(drift)
    }
}

impl FromStr for Drift {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no drift: a part of up to 50% is wanted, as in 1%");
        let number = text.strip_suffix('%').ok_or_else(wrong)?;
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let is_number = !whole.is_empty() && part.len() <= 4 && number.chars().all(|c| c.is_ascii_digit() || c == '.');
        let millionths = is_number.then(|| format!("{whole}{part:0<4}").parse().ok()).flatten();
        millionths.filter(|millionths| *millionths <= 500_000).map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = format!("{:04}", self.0 % 10_000);
        let part = part.trim_end_matches('0');
        let point = if part.is_empty() { "" } else { "." };
        write!(f, "{}{point}{part}%", self.0 / 10_000)
    }
}

impl TryFrom<String> for Drift {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Drift> for String {
    fn from(drift: Drift) -> Self {
        drift.to_string()
    }
}

impl Default for Freedom {
    fn default() -> Self {
        Self::NONE
    }
}

impl Freedom {
    /// None: links and nodes are as the algorithms assume them.
    pub const NONE: Self = Self {
        reorder: false,
        copies: 0,
        losses: 0,
        crashes: 0,
        hasty_timers: false,
        restarts: 0,
        wipes: 0,
        closes: 0,
        drift: None,
        unreliable: false,
        phases: 0,
        starts_first: false,
    };

    /// No limit on the number of copies.
    pub const ANY: u32 = u32::MAX;

    /// Whether timers wait until no message is under way.
    #[must_use]
    pub fn is_patient(&self) -> bool {
        !self.hasty_timers && self.drift.is_none()
    }

    /// Whether messages arrive once and in order, no process crashes, and timers wait for messages.
    #[must_use]
    pub fn is_faultless(&self) -> bool {
        !self.reorder && !self.unreliable && !self.has_faults()
    }

    /// Whether a search follows the rounds of this algorithm as they are: it is round-based, processes may crash, and
    /// nothing else may fail. A synchronizer, which is used otherwise, would wait for the crashed.
    #[must_use]
    pub fn keeps_rounds(&self, info: &Info) -> bool {
        let restarts = self.restarts > 0 || self.wipes > 0;
        let others = self.reorder || self.unreliable || self.copies > 0 || self.losses > 0 || restarts;
        info.model == Model::Synchronous && self.crashes > 0 && !others
    }

    /// Whether faults are possible.
    #[must_use]
    pub fn has_faults(&self) -> bool {
        let messages = self.copies > 0 || self.losses > 0 || self.unreliable;
        messages
            || self.crashes > 0
            || self.restarts > 0
            || self.wipes > 0
            || self.closes > 0
            || self.hasty_timers
            || self.drift.is_some()
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drift_is_a_part_and_is_written_as_it_is_read() {
        for (text, millionths) in [("0%", 0), ("1%", 10_000), ("0.5%", 5_000), ("12.0034%", 120_034), ("50%", 500_000)]
        {
            assert_eq!(text.parse::<Drift>().map(|drift| (drift.0, drift.to_string())), Ok((millionths, text.into())));
        }
        for wrong in ["", "%", "1", "-1%", "1.23456%", "51%", "1.2.3%", ".5%", "a%"] {
            assert!(wrong.parse::<Drift>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_timer_goes_first_if_it_does_by_every_clock() {
        let orders = |first, later| Drift(10_000).orders(Span(first), Span(later));
        assert!(orders(98, 100) && !orders(99, 100) && !orders(100, 100));
        assert!(Drift(0).orders(Span(100), Span(100)));
    }
}
