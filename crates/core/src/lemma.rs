//! Lemmas of a proof: what some of the messages cost.

use crate::{Formula, Round};

/// A lemma about some messages, for an algorithm in rounds: how many there are, or how many rounds they take.
#[derive(Debug)]
pub struct Lemma<M> {
    /// Its name in the paper.
    pub name: &'static str,
    /// What it counts.
    pub what: &'static str,
    /// The number that it claims.
    pub claim: Formula,
    /// What it says about this number.
    pub says: Claim,
    /// Counts, given all messages of a run with their rounds, in order of time.
    pub count: fn(&[(Round, M)]) -> usize,
}

/// What a lemma says about its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// There are at most that many messages.
    AtMost,
    /// There are exactly that many.
    Exactly,
    /// At most that many, it says; but that is false.
    Falsely,
}

impl Claim {
    /// Whether a number is as claimed.
    #[must_use]
    pub fn fits(self, count: usize, claim: f64) -> bool {
        match self {
            Self::AtMost | Self::Falsely => count as f64 <= claim,
            Self::Exactly => count as f64 == claim,
        }
    }
}
