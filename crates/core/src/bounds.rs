//! What an algorithm costs, and what no algorithm of its kind can do without.

use crate::formula::{floor_lg, harmonic};
use crate::{Formula, Size};

/// What an algorithm costs, in election messages unless said otherwise.
#[derive(Debug)]
pub struct Bounds {
    /// No run of a fault-free network costs less.
    pub best: Option<Formula>,
    /// The mean over all orders of the ids if everybody starts, and over all random choices.
    pub mean: Option<Formula>,
    /// No run of a fault-free network costs more.
    pub worst: Option<Formula>,
    /// The exact number of announce messages.
    pub announce: Formula,
    /// By this time, or in this round, the last process has decided, if no message takes longer than one unit.
    pub time: Option<Formula>,
    /// At least this many messages are under way at some moment, if everybody starts at once and every message takes
    /// one unit.
    pub crowd: Option<Formula>,
    /// What no algorithm of its kind can do without.
    pub needed: Option<LowerBound>,
}

/// A lower bound for all algorithms of a kind.
#[derive(Clone, Copy, Debug)]
pub struct LowerBound {
    /// The number of election messages. Without a known constant it has no value.
    pub messages: Formula,
    /// What it bounds, in a few words.
    pub of: &'static str,
    /// For which algorithms, and who proved it.
    pub theorem: &'static str,
}

impl LowerBound {
    /// On asynchronous one-way rings.
    pub const ONE_WAY: Self = Self {
        messages: Formula { text: "n H_n", of: |s| s.n * harmonic(s.n) },
        of: "the mean over all orders",
        theorem: "J. Pachl, E. Korach, D. Rotem (Journal of the ACM 31(4), 1984): on an asynchronous one-way ring \
                  whose size nobody knows, every deterministic algorithm that finds the largest id sends n H_n \
                  messages on average over all orders of the ids, if everybody starts.",
    };

    /// On asynchronous two-way rings.
    pub const TWO_WAY: Self = Self {
        messages: Formula {
            text: "(n lg n)/4, if n is a power of 2",
            of: |s| if libm::exp2(floor_lg(s.n)) == s.n { s.n * floor_lg(s.n) / 4.0 } else { f64::NAN },
        },
        of: "the worst order and schedule",
        theorem: "J. Burns (Technical Report 91, Indiana University, 1980): on an asynchronous two-way ring whose size \
                  nobody knows, every deterministic election sends (n lg n)/4 messages for some order and schedule.",
    };

    /// On rings in rounds, by comparisons alone.
    pub const COMPARISONS: Self = Self {
        messages: Formula { text: "Ω(n lg n)", of: |_| f64::NAN },
        of: "the worst order",
        theorem: "G. Frederickson, N. Lynch (Journal of the ACM 34(1), 1987): on a synchronous ring every election \
                  that only compares ids sends Ω(n lg n) messages for some order, even if n is known. An algorithm \
                  that counts with ids can do with fewer, as time-slice and variable-speeds show.",
    };

    /// Its value in a network of this size, if its constant is known.
    #[must_use]
    pub fn value(&self, size: Size) -> Option<f64> {
        Some((self.messages.of)(size)).filter(|value| value.is_finite())
    }
}

impl Bounds {
    /// Nothing is proved, and nothing is announced.
    pub const NONE: Self =
        Self { best: None, mean: None, worst: None, announce: Formula::ZERO, time: None, crowd: None, needed: None };

    /// Every run costs the same. Nothing is announced.
    #[must_use]
    pub const fn exactly(messages: Formula) -> Self {
        Self { best: Some(messages), mean: Some(messages), worst: Some(messages), ..Self::NONE }
    }
}
