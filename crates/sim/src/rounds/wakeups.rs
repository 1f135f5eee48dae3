//! Who has something to do in which round without receiving anything.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bellwether_core::Round;
use bellwether_world::{Node, Scenario, Wiring};

/// Nodes by the round in which they act.
#[derive(Default)]
pub(super) struct Wakeups {
    /// The nodes of the round being played, ascending, and how many of them have had their turn.
    now: Vec<(Node, Reason)>,
    past: usize,
    /// Those of the next round: processes that act in every round cost no more than an append.
    next: Vec<(Node, Reason)>,
    /// All others.
    later: BinaryHeap<Reverse<(Round, Node, Reason)>>,
}

/// Why a node acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// It is to wake up.
    Wakes,
    /// It said so, which may no longer hold.
    Said,
}

impl Wakeups {
    /// The initiators of the next election wake up, each in its own round counted from the one being played.
    pub(super) fn wake_all(&mut self, scenario: &Scenario, Round(being_played): Round) {
        for (node, Round(wakes)) in scenario.initiators.among(scenario.topology.nodes()) {
            if wakes == 1 {
                self.next.push((node, Reason::Wakes));
            } else {
                self.later.push(Reverse((Round(being_played + wakes), node, Reason::Wakes)));
            }
        }
    }

    /// How many are expected in the next round.
    pub(super) fn count_next(&self) -> usize {
        self.next.len()
    }

    /// Somebody wakes up in the round that has begun.
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
            // A process that came back may find that its time is over.
            Some(due) if due <= round => {}
            Some(due) => self.later.push(Reverse((due, node, Reason::Said))),
        }
    }

    /// The first round after `round` in which somebody has something to do. What was said once may no longer hold.
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

    /// Leaves out who said once that it would have something to do in this round, and no longer has.
    pub(super) fn ask_again(&mut self, round: Round, due: impl Fn(Node, Round) -> Option<Round>) {
        self.now.retain(|&(node, reason)| reason == Reason::Wakes || due(node, round.before()) == Some(round));
    }

    /// The next node that may have something to do in this round.
    #[inline]
    pub(super) fn peek(&self) -> Option<Node> {
        self.now.get(self.past).map(|&(node, _)| node)
    }

    /// Takes out all entries of this node. Says whether it really has something to do.
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
