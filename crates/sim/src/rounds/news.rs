//! Who hears something new. Where all others would only repeat themselves, they need not take a step.

use std::mem::swap;
use std::vec::Drain;

use bellwether_world::{Node, Wiring};

/// So many nodes are let know of at once: what their steps need stays in a first-level cache.
pub(super) const BATCH: usize = 256;

/// Who of a strip of nodes hears something new, and who says it.
#[derive(Default)]
pub(super) struct News {
    /// The first of the nodes, and how many there are.
    first: Node,
    nodes: usize,
    /// By node, a bit each: whether it hears something new in this round and has not had its turn.
    now: Vec<u64>,
    /// How many words of such bits have been looked at in this round.
    words: usize,
    /// By node, a bit each: whether it hears something new in the next round.
    next: Vec<u64>,
    /// Who told something new in the last round that was played, counted from the first one.
    told: Vec<u32>,
    /// Who of other strips hears something new in the next round.
    pub(super) abroad: Vec<Node>,
}

impl News {
    pub(super) fn new(first: Node, nodes: usize) -> Self {
        Self { first, nodes, ..Self::default() }
    }

    /// In the next round everything is new to everybody.
    pub(super) fn begin(&mut self) {
        let words = self.nodes.div_ceil(64);
        self.now.resize(words, 0);
        self.next.clear();
        self.next.resize(words, u64::MAX);
        if let (Some(last), left @ 1..) = (self.next.last_mut(), self.nodes % 64) {
            *last = (1 << left) - 1;
        }
        self.told.clear();
        self.abroad.clear();
    }

    /// Begins a round. Who told something new in the round before, counted from the first one?
    pub(super) fn open(&mut self) -> Drain<'_, u32> {
        self.words = 0;
        swap(&mut self.now, &mut self.next);
        self.told.drain(..)
    }

    /// The next nodes that take a step in this round, counted from the first one; none if all have had their turn.
    #[inline]
    pub(super) fn next<'b>(&mut self, batch: &'b mut [u32; BATCH]) -> &'b mut [u32] {
        let mut length = 0;
        while length <= BATCH - 64
            && let Some(bits) = self.now.get_mut(self.words)
        {
            while *bits != 0 {
                batch[length] = 64 * self.words as u32 + bits.trailing_zeros();
                length += 1;
                *bits &= *bits - 1;
            }
            self.words += 1;
        }
        &mut batch[..length]
    }

    /// A node, counted from the first one, tells all its neighbours something new.
    #[inline]
    pub(super) fn tell(&mut self, place: u32, wiring: &impl Wiring) {
        self.told.push(place);
        for far in wiring.neighbours(self.first + place) {
            if !self.expect(far) {
                self.abroad.push(far);
            }
        }
    }

    /// A node hears something new in the next round, if it is one of these.
    #[inline]
    pub(super) fn expect(&mut self, node: Node) -> bool {
        let place = node.wrapping_sub(self.first) as usize;
        let is_here = place < self.nodes;
        if is_here {
            self.next[place / 64] |= 1 << (place % 64);
        }
        is_here
    }
}
