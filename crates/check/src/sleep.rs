//! Sleep sets: of two orders of moves that do not interfere, only the first is followed.
//!
//! The steps of two processes commute: both orders lead to the same state. So a start or a delivery *sleeps* while the
//! moves that come after it in the order of a state are followed. It is not made there until its process does something
//! else, because the state it leads to is seen anyway. Unlike with a reduction, every state is still visited, and most
//! of them just once. Costs and properties stay the same, since orders that differ only in this way cost the same.
//!
//! Which moves sleep in a state depends only on the path to it, not on what was followed before. Suppose that every
//! time a state is met, all moves sleep that slept when it was first met, and perhaps more. Then nothing is hidden. Of
//! all orders of a schedule that differ only in this way, the one that always takes the first possible move is
//! followed. It has the same length. So every state is visited; and if there is a cycle, there is one among the
//! followed paths. A search that meets a state with fewer moves asleep, or a cycle, starts again without sleep.

use bellwether_net::Node;

use crate::layout::Layout;

/// A set of moves that sleep, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asleep(pub(crate) u32);

impl Asleep {
    /// Whether this move sleeps.
    #[inline]
    pub fn has(self, number: u8) -> bool {
        self.0.checked_shr(number.into()).is_some_and(|moves| moves & 1 == 1)
    }

    /// How many moves sleep.
    #[inline]
    pub fn count(self) -> u64 {
        self.0.count_ones().into()
    }

    /// Whether this is a subset of the other set.
    #[inline]
    pub fn is_within(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }
}

/// The number of a delivery: the number of its link.
pub fn delivery(link: usize) -> Option<u8> {
    u8::try_from(link).ok()
}

/// The number of a start. Starts come after all deliveries.
pub fn start(layout: &Layout, node: Node) -> Option<u8> {
    u8::try_from(layout.links.len() + node as usize).ok()
}

/// Whether moves sleep, and which of them wake each other up.
pub struct Sleep {
    /// By move: all moves of its process. Empty if no move sleeps.
    rivals: Vec<u32>,
}

impl Sleep {
    /// No move sleeps.
    pub fn never() -> Self {
        Self { rivals: vec![] }
    }

    /// Deliveries sleep if the network is small enough. Starts sleep too if they may come at any time.
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

    /// Whether moves sleep.
    #[inline]
    pub fn is_on(&self) -> bool {
        !self.rivals.is_empty()
    }

    /// A move is followed. Returns the moves that sleep after it; from now on the move itself sleeps too.
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
