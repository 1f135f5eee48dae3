//! Who hears something new. Where all others would only repeat themselves, they need not take a step.

use std::mem::{swap, take};
use std::ops::Range;
use std::vec::Drain;

use bellwether_world::{Node, Wiring};

/// Who of a strip of nodes hears something new, and who says it.
#[derive(Default)]
pub(super) struct News {
    /// The first of the nodes, and how many there are.
    first: Node,
    nodes: usize,
    /// Whether all take a step in this round, and have not had their turn.
    all: bool,
    /// By node, a bit each: whether it hears something new in this round and has not had its turn.
    now: Vec<u64>,
    /// Where in these to look on.
    place: usize,
    /// By node, a bit each: whether it hears something new in the next round.
    next: Vec<u64>,
    /// Who told something new in the last round that was played.
    told: Vec<Node>,
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

    /// Begins a round, in which only those take a step who hear something new, or all. Who told something new in the round
    /// before?
    pub(super) fn open(&mut self, only: bool) -> Drain<'_, Node> {
        (self.all, self.place) = (!only, if only { 0 } else { self.now.len() });
        if only {
            swap(&mut self.now, &mut self.next);
        }
        self.told.drain(..)
    }

    /// The next neighbouring nodes that take a step in this round, counted from the first one.
    #[inline]
    pub(super) fn next_run(&mut self) -> Option<Range<usize>> {
        if take(&mut self.all) {
            return Some(0..self.nodes);
        }
        loop {
            let bits = self.now.get_mut(self.place)?;
            if *bits != 0 {
                let from = bits.trailing_zeros() as usize;
                let length = (*bits >> from).trailing_ones() as usize;
                // A carry clears them.
                *bits &= bits.wrapping_add(1 << from);
                let start = 64 * self.place + from;
                return Some(start..start + length);
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
}
