//! Which nodes act in which round without receiving anything.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bellwether_core::Round;
use bellwether_net::{Node, Wiring};
use bellwether_world::Scenario;

/// Nodes by the round in which they act.
#[derive(Default)]
pub(super) struct Wakeups {
    /// The nodes of this round, ascending, and how many of them have had their turn.
    now: Vec<(Node, Reason)>,
    past: usize,
    /// The nodes of the next round. A process that acts in every round costs only an append.
    next: Vec<(Node, Reason)>,
    /// The nodes of all later rounds.
    later: BinaryHeap<Reverse<(Round, Node, Reason)>>,
}

/// Why a node acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// It wakes up.
    Wakes,
    /// It has said so. That may no longer hold.
    Said,
}

impl Wakeups {
    /// The initiators of the next election wake up, each in its own round, counted from this round.
    pub(super) fn wake_all(&mut self, scenario: &Scenario, Round(being_played): Round) {
        for (node, Round(wakes)) in scenario.initiators.among(scenario.topology.nodes()) {
            if wakes == 1 {
                self.next.push((node, Reason::Wakes));
            } else {
                self.later.push(Reverse((Round(being_played + wakes), node, Reason::Wakes)));
            }
        }
    }

    /// How many nodes are expected in the next round.
    pub(super) fn count_next(&self) -> usize {
        self.next.len()
    }

    /// A node wakes up in the round that has begun.
    pub(super) fn wake_now(&mut self, node: Node) {
        self.now.push((node, Reason::Wakes));
        self.now[self.past..].sort_unstable();
    }

    /// A process says when it acts next.
    #[inline]
    pub(super) fn expect(&mut self, node: Node, due: Option<Round>, round: Round) {
        match due {
            None | Some(Round::NEVER) => {}
            Some(due) if due == round.next() => self.next.push((node, Reason::Said)),
            // A process that recovered may find that its time is over.
            Some(due) if due <= round => {}
            Some(due) => self.later.push(Reverse((due, node, Reason::Said))),
        }
    }

    /// The first round after `round` with something to do. An earlier announcement may no longer hold.
    pub(super) fn next(&mut self, round: Round, due: impl Fn(Node, Round) -> Option<Round>) -> Option<Round> {
        if !self.next.is_empty() {
            return Some(round.next());
        }
        while let Some(&Reverse((round, node, reason))) = self.later.peek() {
            if reason == Reason::Wakes || due(node, round.before()) == Some(round) {
                return Some(round);
            }
            self.later.pop();
        }
        None
    }

    /// Begins a round.
    pub(super) fn open(&mut self, round: Round) {
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.clear();
        self.past = 0;
        while self.later.peek().is_some_and(|Reverse((due, ..))| *due <= round) {
            self.now.extend(self.later.pop().map(|Reverse((_, node, reason))| (node, reason)));
        }
        if !self.now.is_sorted() {
            self.now.sort_unstable();
        }
    }

    /// Removes the nodes that announced this round and are no longer due.
    pub(super) fn ask_again(&mut self, round: Round, due: impl Fn(Node, Round) -> Option<Round>) {
        self.now.retain(|&(node, reason)| reason == Reason::Wakes || due(node, round.before()) == Some(round));
    }

    /// The next node that may have something to do in this round.
    #[inline]
    pub(super) fn peek(&self) -> Option<Node> {
        self.now.get(self.past).map(|&(node, _)| node)
    }

    /// Removes all entries of this node. Returns whether it really has something to do.
    #[inline]
    pub(super) fn take(&mut self, node: Node, round: Round, due: impl Fn(Round) -> Option<Round>) -> bool {
        let mut called = false;
        while let Some(&(_, reason)) = self.now.get(self.past).filter(|(other, _)| *other == node) {
            called = called || reason == Reason::Wakes || due(round.before()) == Some(round);
            self.past += 1;
        }
        called
    }
}
