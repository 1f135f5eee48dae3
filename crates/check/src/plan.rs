//! How a network is to be searched.

use bellwether_core::Info;
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

impl Plan {
    /// Whether nobody may change its mind. Where something may fail anybody may; and where an algorithm can hold
    /// another election, a late start or a message that was overtaken may begin one: then the settled outcome counts.
    #[must_use]
    pub fn wants_steady(&self, info: &Info) -> bool {
        let one_election = self.starts_first && !self.freedom.reorder;
        !self.freedom.has_faults() && (one_election || !info.repeatable)
    }

    /// Whether the proved bounds must hold: they are those of one election on reliable links in order.
    #[must_use]
    pub fn wants_bounds(&self, info: &Info) -> bool {
        self.wants_steady(info) && !self.freedom.reorder
    }
}
