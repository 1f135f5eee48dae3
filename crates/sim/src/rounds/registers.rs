//! The broadcasts of one round, each in the register of its sender.

use bellwether_net::Node;

/// The registers of all nodes. They are in use between [`open`](Self::open) and [`close`](Self::close).
pub(super) struct Registers<M> {
    /// By node: what it broadcast in this round, or an old message.
    messages: Vec<M>,
    /// By node: whether it broadcast. Empty while registers are not in use.
    spoke: Vec<bool>,
    /// How many nodes broadcast.
    speakers: usize,
}

impl<M: Clone> Registers<M> {
    pub(super) fn new() -> Self {
        Self { messages: Vec::new(), spoke: Vec::new(), speakers: 0 }
    }

    /// Empties the registers and puts them to use.
    pub(super) fn open(&mut self, nodes: Node) {
        self.close();
        self.spoke.resize(nodes as usize, false);
    }

    /// The registers are not used from now on.
    pub(super) fn close(&mut self) {
        self.spoke.clear();
        self.speakers = 0;
    }

    pub(super) fn are_used(&self) -> bool {
        !self.spoke.is_empty()
    }

    /// How many nodes broadcast.
    pub(super) fn speakers(&self) -> usize {
        self.speakers
    }

    /// A node broadcasts this. It must not broadcast twice.
    #[inline]
    pub(super) fn write(&mut self, node: Node, msg: M) {
        if self.messages.is_empty() {
            self.messages.resize(self.spoke.len(), msg.clone());
        }
        self.messages[node as usize] = msg;
        self.spoke[node as usize] = true;
        self.speakers += 1;
    }

    /// All nodes broadcast; until they are overwritten, the messages are the old ones.
    pub(super) fn write_all(&mut self, before: &[M]) {
        if self.messages.is_empty() {
            self.messages.extend_from_slice(before);
        }
        self.spoke.fill(true);
        self.speakers = self.spoke.len();
    }

    /// The messages themselves, by node.
    pub(super) fn messages(&mut self) -> &mut [M] {
        &mut self.messages
    }

    /// A node broadcast nothing after all.
    pub(super) fn erase(&mut self, node: Node) {
        self.spoke[node as usize] = false;
        self.speakers -= 1;
    }

    /// The broadcast of a node.
    #[inline]
    pub(super) fn read(&self, node: Node) -> Option<&M> {
        self.spoke[node as usize].then(|| &self.messages[node as usize])
    }

    /// The broadcasts of all nodes, if all nodes did broadcast.
    pub(super) fn all(&self) -> Option<&[M]> {
        (self.are_used() && self.speakers == self.spoke.len()).then_some(&self.messages)
    }

    /// The bytes that they take for a node.
    pub(super) fn bytes_each(&self) -> usize {
        if self.messages.is_empty() { 0 } else { Self::BYTES_EACH }
    }

    /// The bytes that they take for a node once they have been used.
    pub(super) const BYTES_EACH: usize = size_of::<M>() + size_of::<bool>();
}
