//! Sleep sets: of two orders of moves that do not interfere, the second is not followed.
//!
//! What two processes do commutes: whichever comes first, the same state comes out. So once all that follows from a start
//! or a delivery has been seen, it *sleeps* while the others are followed: it is not made there, for where it leads was
//! seen, until its process does something else. Unlike with a reduction every state is still visited, and most of them
//! just once; what costs and properties are is the same, since orders that differ only in this way pay the same.
//!
//! A state must then be visited again if it is met with fewer moves asleep than before. Whoever finds that, or a cycle,
//! starts again without sleep: cycles could hide between two visits.

use bellwether_world::Node;

use crate::layout::Layout;
use crate::store::Mark;

/// What is still to be paid from a state on, at least and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// By the cheapest schedule.
    pub least: u32,
    /// By the dearest.
    pub most: u32,
}

impl Cost {
    /// Nothing.
    pub const NONE: Self = Self { least: 0, most: 0 };

    /// Its schedules are still being followed.
    pub const OPEN: Self = Self { least: u32::MAX, most: 0 };

    /// No schedule was followed to its end from there: all lead back to where they were, or sleep.
    const UNKNOWN: Self = Self { least: u32::MAX - 1, most: 0 };

    /// There is a way that costs so much, and then this.
    pub fn include(&mut self, paid: u32, then: Self) {
        if then != Self::UNKNOWN {
            self.least = self.least.min(then.least.saturating_add(paid));
            self.most = self.most.max(then.most.saturating_add(paid));
        }
    }

    /// No more ways are to come.
    #[must_use]
    pub fn closed(self) -> Self {
        if self == Self::OPEN { Self::UNKNOWN } else { self }
    }
}

/// Where moves sleep, costs must be less to fit into half of a mark.
const LONG: u32 = 0xffff;

/// Moves that are not made, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asleep(u32);

impl Asleep {
    /// Whether this move is among them.
    #[inline]
    pub fn has(self, number: u8) -> bool {
        self.0.checked_shr(number.into()).is_some_and(|moves| moves & 1 == 1)
    }

    /// How many there are.
    #[inline]
    pub fn count(self) -> u64 {
        self.0.count_ones().into()
    }

    /// Whether all of these are among others.
    #[inline]
    fn is_within(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }
}

/// The number of a delivery: that of its link.
pub fn delivery(link: usize) -> Option<u8> {
    u8::try_from(link).ok()
}

/// The number of a start: they come after all deliveries.
pub fn start(layout: &Layout, node: Node) -> Option<u8> {
    u8::try_from(layout.links.len() + node as usize).ok()
}

/// Whether moves sleep, and which of them wake each other up.
pub struct Sleep {
    /// By move: all moves of its process; empty where no move sleeps.
    rivals: Vec<u32>,
}

impl Sleep {
    /// Every move is made.
    pub fn never() -> Self {
        Self { rivals: vec![] }
    }

    /// Deliveries sleep, and starts if they may come at any time, if the network is small enough.
    pub fn of(layout: &Layout, late_starts: bool) -> Self {
        let starters = if late_starts { 0..layout.nodes as Node } else { 0..0 };
        let actors: Vec<Node> = layout.links.iter().map(|link| link.to).chain(starters).collect();
        if actors.len() > u32::BITS as usize {
            return Self::never();
        }
        let moves_of = |actor: &Node| {
            (0..).zip(&actors).filter(|(_, other)| *other == actor).fold(0, |all, (number, _)| all | 1 << number)
        };
        Self { rivals: actors.iter().map(moves_of).collect() }
    }

    /// Whether there is any.
    #[inline]
    pub fn is_on(&self) -> bool {
        !self.rivals.is_empty()
    }

    /// A move is followed: tells what sleeps after it, and from now on it sleeps too.
    #[inline]
    pub fn follow(&self, asleep: &mut Asleep, number: Option<u8>) -> Asleep {
        let Some((number, rivals)) = number.and_then(|number| Some((number, self.rivals.get(usize::from(number))?)))
        else {
            return Asleep::default();
        };
        let then = Asleep(asleep.0 & !rivals);
        asleep.0 |= 1 << number;
        then
    }

    /// The mark of a state that was visited while these moves slept, if it can be written.
    #[inline]
    pub fn mark(&self, asleep: Asleep, cost: Cost) -> Option<Mark> {
        if !self.is_on() {
            return Some((cost.least, cost.most));
        }
        let least = match cost {
            Cost::OPEN => LONG,
            Cost::UNKNOWN => LONG - 1,
            Cost { least, .. } => least,
        };
        (cost.most < LONG - 1).then_some((asleep.0, least | cost.most << 16))
    }

    /// What a mark says of a state that is met again while these moves sleep; nothing if it must be visited again.
    #[inline]
    pub fn read(&self, (first, second): Mark, asleep: Asleep) -> Option<Cost> {
        if !self.is_on() {
            return Some(Cost { least: first, most: second });
        }
        let cost = match second & LONG {
            LONG => Cost::OPEN,
            least if least == LONG - 1 => Cost::UNKNOWN,
            least => Cost { least, most: second >> 16 },
        };
        Asleep(first).is_within(asleep).then_some(cost)
    }
}
