//! Everything of a state that rarely changes.

use bellwether_core::{Port, Span};
use bellwether_world::Node;

use crate::layout::Nodes;

/// What is neither a process nor under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rest {
    /// Initiators that have neither started nor been woken up.
    pub waiting: Nodes,
    /// Who has started, where that decides who must win.
    pub started: Nodes,
    /// Who has decided, where nobody may twice.
    pub decided: Nodes,
    /// Who has started or received something, where processes may crash.
    pub awake: Nodes,
    /// Messages sent that tell the result, where their number is proved; counted up to one too many. As long as the proof
    /// holds it follows from the rest of the state, and tells no two states apart.
    pub announced: u32,
    /// The timers that run, in the order in which they were set.
    pub timers: Vec<(Node, u32, Span)>,
    /// Who has yet to hear that the process behind a port is down.
    pub reports: Vec<(Node, Port)>,
    /// How many messages may still be lost.
    pub losses: u32,
    /// How many messages may still be repeated.
    pub copies: u32,
    /// How many processes may still crash.
    pub crashes: u32,
}

impl Rest {
    /// A timer of this node no longer runs.
    pub fn stop_timer(&mut self, node: Node, timer: u32) {
        self.timers.retain(|&(owner, other, _)| (owner, other) != (node, timer));
    }
}
