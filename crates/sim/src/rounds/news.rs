//! Who hears something new. Where all others would only repeat themselves, they need not take a step.

use std::mem::{swap, take};
use std::vec::Drain;

use bellwether_world::{Node, Wiring};

/// Who of a strip of nodes hears something new, and who says it.
#[derive(Default)]
pub(super) struct News {
    /// The first of the nodes, and how many there are.
    first: Node,
    nodes: usize,
    /// By node, a bit each: whether it hears something new in this round and has not had its turn.
    now: Vec<u64>,
    /// Where in these to look on.
    place: usize,
    /// By node, a bit each: whether it hears something new in the next round.
    next: Vec<u64>,
    /// Who told something new in the last round that was played.
    told: Vec<Node>,
    /// Who of other strips hears something new in the next round.
    abroad: Vec<Node>,
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

    /// Begins a round. Who told something new in the one before?
    pub(super) fn open(&mut self) -> Drain<'_, Node> {
        swap(&mut self.now, &mut self.next);
        self.place = 0;
        self.told.drain(..)
    }

    /// The next node that hears something new in this round, in ascending order.
    #[inline]
    pub(super) fn next_hearer(&mut self) -> Option<Node> {
        loop {
            let bits = self.now.get_mut(self.place)?;
            if *bits != 0 {
                let bit = bits.trailing_zeros();
                *bits &= *bits - 1;
                return Some(self.first + 64 * self.place as Node + bit);
            }
            self.place += 1;
        }
    }

    /// A node tells all its neighbours something new.
    #[inline]
    pub(super) fn tell(&mut self, node: Node, wiring: &impl Wiring) {
        self.told.push(node);
        for far in wiring.neighbours(node) {
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

    /// Those of other strips who hear something new in the next round.
    pub(super) fn abroad(&mut self) -> Vec<Node> {
        take(&mut self.abroad)
    }

    /// How many told something new.
    pub(super) fn count(&self) -> usize {
        self.told.len()
    }
}
