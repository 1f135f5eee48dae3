//! The numbers of messages: each sender counts its own.

use bellwether_net::Node;

/// By node: how many messages it has sent. Empty if numbers are not wanted.
pub(crate) struct MessageNumbers(Vec<u64>);

impl MessageNumbers {
    pub(crate) fn new(nodes: Node, wanted: bool) -> Self {
        Self(if wanted { vec![0; nodes as usize] } else { vec![] })
    }

    /// The number of the message that a node sends now.
    pub(crate) fn next(&mut self, node: Node) -> u64 {
        let Some(sent) = self.0.get_mut(node as usize) else { return 0 };
        *sent += 1;
        *sent - 1
    }
}
