//! How a network is to be searched.

use bellwether_world::Freedom;

/// What may happen, and which states are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What the adversary may do.
    pub freedom: Freedom,
    /// Only one order is followed of moves that do not interfere.
    pub reduction: bool,
    /// States of a ring that differ by a turn count as one, where processes cannot tell them apart.
    pub symmetry: bool,
    /// Only 64 bits of a state are kept.
    pub fingerprints: bool,
}
