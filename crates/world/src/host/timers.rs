//! Timers by node and name, in order of time.

use std::collections::{BTreeMap, BTreeSet};

use bellwether_core::Span;
use bellwether_net::Node;

/// The running timers.
pub struct Timers<T> {
    due: BTreeMap<(Node, T), Span>,
    order: BTreeSet<(Span, Node, T)>,
}

impl<T> Default for Timers<T> {
    fn default() -> Self {
        Self { due: BTreeMap::new(), order: BTreeSet::new() }
    }
}

impl<T: Copy + Ord> Timers<T> {
    /// Whether no timer runs.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Sets a timer. It replaces a timer with the same name.
    pub fn set(&mut self, node: Node, timer: T, due: Span) {
        self.cancel(node, timer);
        self.due.insert((node, timer), due);
        self.order.insert((due, node, timer));
    }

    /// Stops a timer, if it runs.
    pub fn cancel(&mut self, node: Node, timer: T) {
        self.take(node, timer);
    }

    /// Stops a timer. Returns when it would have gone off.
    pub fn take(&mut self, node: Node, timer: T) -> Option<Span> {
        let due = self.due.remove(&(node, timer))?;
        self.order.remove(&(due, node, timer));
        Some(due)
    }

    /// When the first timer goes off, and its node.
    #[must_use]
    pub fn first(&self) -> Option<(Span, Node)> {
        self.order.first().map(|&(due, node, _)| (due, node))
    }

    /// Stops all timers of a node. Returns how many ran.
    pub fn stop(&mut self, node: Node) -> usize {
        let ran = self.order.len();
        self.due.retain(|&(owner, _), _| owner != node);
        self.order.retain(|&(_, owner, _)| owner != node);
        ran - self.order.len()
    }

    /// Takes the first timer, if it goes off before the next delivery.
    pub fn expire_before(&mut self, delivery: Option<Span>) -> Option<(Span, Node, T)> {
        let &(due, node, timer) = self.order.first()?;
        if delivery.is_some_and(|delivery| delivery <= due) {
            return None;
        }
        self.cancel(node, timer);
        Some((due, node, timer))
    }
}
