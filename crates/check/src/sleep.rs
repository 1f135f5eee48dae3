//! Sleep sets: of two orders of moves that do not interfere, the second is not followed.
//!
//! What two processes do commutes: whichever comes first, the same state comes out. So a start or a delivery *sleeps* while
//! the moves that come after it in the order of a state are followed: it is not made there, for where it leads is seen
//! anyway, until its process does something else. Unlike with a reduction every state is still visited, and most of them
//! just once; what costs and properties are is the same, since orders that differ only in this way pay the same.
//!
//! Which moves sleep in a state that was reached follows from the way to it alone, not from what was followed before. If
//! each time a state is met at least the moves sleep that slept when it was first met, nothing is hidden: of all orders of
//! a schedule that differ only in this way, the one that always takes the first move that it can is followed, and is as
//! long. So every state is visited, and if there is a cycle there is one among the ways that are followed. Whoever meets a
//! state with fewer moves asleep, or a cycle, starts again without sleep.

use bellwether_world::Node;

use crate::layout::Layout;

/// Moves that are not made, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asleep(pub(crate) u32);

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
    pub fn is_within(self, others: Self) -> bool {
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
}
