//! What belongs to a state besides processes and messages: timers, reports, and counters. It rarely changes.

use bellwether_core::{Port, Span};
use bellwether_net::Node;

use crate::layout::Nodes;

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
    pub timers: Vec<(Node, u32, Span)>,
    /// The nodes that have yet to hear that the process behind a port is down.
    pub reports: Vec<(Node, Port)>,
    /// How many messages may still be lost.
    pub losses: u32,
    /// How many messages may still be repeated.
    pub copies: u32,
    /// How many processes may still crash.
    pub crashes: u32,
}

impl Extras {
    /// A timer of this node no longer runs.
    pub fn stop_timer(&mut self, node: Node, timer: u32) {
        self.timers.retain(|&(owner, other, _)| (owner, other) != (node, timer));
    }
}
