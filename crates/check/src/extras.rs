//! What belongs to a state besides processes and messages: timers, reports, and counters. It rarely changes.

use std::cmp::Ordering;

use bellwether_core::{Port, Span};
use bellwether_net::Node;

use crate::layout::Nodes;

/// A timer that runs: its node, its number and its span.
pub type RunningTimer = (Node, u32, Span);

/// What is neither a process nor a message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extras {
    /// Initiators that have neither started nor been woken up.
    pub waiting: Nodes,
    /// The nodes that have started, if that decides which of them must win.
    pub started: Nodes,
    /// The nodes that have decided, if none may decide twice.
    pub decided: Nodes,
    /// The nodes that have started or received something, if processes may crash.
    pub awake: Nodes,
    /// The number of announcements sent, if a bound on it is proved; counted up to one too many. While the proof holds,
    /// the number follows from the rest of the state and tells no two states apart.
    pub announced: u32,
    /// The timers that run, in the order in which they were set.
    pub timers: Vec<RunningTimer>,
    /// The nodes that have yet to hear that the process behind a port is down.
    pub reports: Vec<(Node, Port)>,
    /// How many messages may still be lost.
    pub losses: u32,
    /// How many messages may still be repeated.
    pub copies: u32,
    /// How many processes may still crash.
    pub crashes: u32,
    /// How many processes may still start again.
    pub restarts: u32,
    /// The nodes that have lost their disk.
    pub wiped: Nodes,
    /// How many connections may still close.
    pub closes: u32,
    /// The largest number of a leadership so far.
    pub token: u64,
}

impl Extras {
    /// Sorts the timers as far as their order does not matter. `must` tells whether a timer, set before another one,
    /// goes off before it; `compare` is any order.
    pub fn sort_timers(
        &mut self,
        must: impl Fn(&RunningTimer, &RunningTimer) -> bool,
        compare: impl Fn(&RunningTimer, &RunningTimer) -> Ordering,
    ) {
        let mut rest = std::mem::take(&mut self.timers);
        while !rest.is_empty() {
            let depends = |a: &RunningTimer, b: &RunningTimer| must(a, b) || must(b, a);
            let is_free = |place: &usize| !rest[..*place].iter().any(|earlier| depends(earlier, &rest[*place]));
            let free = (0..rest.len()).filter(is_free);
            let least = free.min_by(|a, b| compare(&rest[*a], &rest[*b])).unwrap_or(0);
            self.timers.push(rest.remove(least));
        }
    }

    /// A timer of this node no longer runs.
    pub fn stop_timer(&mut self, node: Node, timer: u32) {
        self.timers.retain(|&(owner, other, _)| (owner, other) != (node, timer));
    }
}
