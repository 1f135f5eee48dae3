//! How a network is to be searched.

use bellwether_core::{Info, Knowledge, Winner};
use bellwether_world::Freedom;

use crate::Property;

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
    /// Why a property is not judged; `None` if it is. Where something may fail anybody may change its mind; and where an
    /// algorithm can hold another election, a message that was overtaken may begin one, and so may a late start if a timer
    /// has decided meanwhile (else nobody decides before everybody was heard of): then the settled outcome counts. The proved bounds are those of one election on reliable links in order.
    #[must_use]
    pub fn exempts(&self, info: &Info, property: Property) -> Option<&'static str> {
        let Freedom { reorder, .. } = self.freedom;
        let faults = self.freedom.has_faults();
        let late = info.repeatable && !self.starts_first && info.knows.contains(&Knowledge::MaxDelay);
        match property {
            Property::Steady if faults => Some("where something may fail, a decision may be revised"),
            Property::Steady if info.repeatable && reorder => {
                Some("a message that was overtaken may begin another election")
            }
            Property::Bounds if faults => Some("they hold where nothing fails"),
            Property::Bounds if reorder => Some("they hold where links keep the order of messages"),
            Property::Steady | Property::Bounds if late => {
                Some("who starts late begins another election; --starts first rules that out")
            }
            Property::Winner if info.winner == Winner::Random => Some("chance decides who wins"),
            _ => None,
        }
    }

    /// Whether nobody may change its mind.
    #[must_use]
    pub fn wants_steady(&self, info: &Info) -> bool {
        self.exempts(info, Property::Steady).is_none()
    }

    /// Whether the proved bounds must hold.
    #[must_use]
    pub fn wants_bounds(&self, info: &Info) -> bool {
        self.exempts(info, Property::Bounds).is_none()
    }
}
