//! How a network is to be searched.

use bellwether_world::Freedom;

/// What may happen, and which states are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What the adversary may do.
    pub freedom: Freedom,
    /// All initiators start before anything is delivered; otherwise at any time, unless a message wakes them up first.
    pub starts_first: bool,
    /// Of moves that do not interfere only one order is followed.
    pub reduction: bool,
    /// States of a ring that differ by a turn are taken for one, where processes cannot tell them apart.
    pub symmetry: bool,
    /// Of a state only 64 bits are kept.
    pub fingerprints: bool,
}
