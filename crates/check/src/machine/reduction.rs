//! Of moves that do not interfere only one order needs to be followed.
//!
//! A *persistent set* of moves: no move outside it can ever add to it, take away from it or interfere with it. So its
//! moves can come first. Following only such a set keeps every end, every cost and everything that a single process
//! goes through. It does not keep which states two processes have at the same time.

use bellwether_net::Node;

use super::{Machine, Transition};
use crate::automaton::Cause;
use crate::layout::{Link, Nodes, bit, members};
use crate::queues::EMPTY;

impl Machine {
    /// Finds a persistent set, if there is one smaller than all moves.
    ///
    /// A message that its receiver will always ignore is such a set. Otherwise all next moves of a node are one, if
    /// this holds for each of its links: a message waits already, or the sender cannot act before this node does. The
    /// smallest set is taken.
    pub(super) fn persistent(&mut self, cells: &[u32], waiting: Nodes, moves: &mut Vec<Transition>) -> bool {
        let mut active = waiting;
        for link in 0..self.layout.links.len() as u32 {
            if self.queue(cells, link) == EMPTY {
                continue;
            }
            let Link { to, port, .. } = self.layout.links[link as usize];
            active |= bit(to);
            let parcel = self.queues.head(self.queue(cells, link));
            let act = Cause::Receive(port, parcel.message());
            let sleeps = waiting & bit(to) != 0; // and would be woken up
            if !sleeps
                && self
                    .step(cells[to as usize] - 1, to, act)
                    .is_ok_and(|(first, _)| self.steps.outcome(first).is_ignored)
            {
                moves.push(Transition::Deliver { link, parcel, keep: false });
                return true;
            }
        }
        let mut best: Option<(usize, Node)> = None;
        for node in members(active) {
            let links = &self.layout.into[node as usize];
            let idle = |link: &&u32| self.queue(cells, **link) == EMPTY;
            let senders =
                links.iter().filter(idle).fold(0, |set, link| set | bit(self.layout.links[*link as usize].from));
            let count = links.len() - links.iter().filter(idle).count() + usize::from(waiting & bit(node) != 0);
            if best.is_some_and(|(fewest, _)| fewest <= count) {
                continue;
            }
            if senders & !bit(node) == 0 || self.reached(active & !bit(node), node) & senders == 0 {
                best = Some((count, node));
            }
            if count == 1 && best.is_some_and(|(fewest, _)| fewest == 1) {
                break;
            }
        }
        if let Some((_, node)) = best {
            self.moves_of(cells, node, waiting, moves);
        }
        best.is_some()
    }

    /// The next moves of this node.
    fn moves_of(&self, cells: &[u32], node: Node, waiting: Nodes, moves: &mut Vec<Transition>) {
        if waiting & bit(node) != 0 {
            moves.push(Transition::Start(node));
        }
        for &link in &self.layout.into[node as usize] {
            let queue = self.queue(cells, link);
            if queue != EMPTY {
                moves.push(Transition::Deliver { link, parcel: self.queues.head(queue), keep: false });
            }
        }
    }

    /// The nodes that may act some time, starting from this set, while node `without` does nothing.
    fn reached(&self, mut set: Nodes, without: Node) -> Nodes {
        loop {
            let further = members(set).fold(set, |all, node| all | self.layout.heard_by[node as usize]) & !bit(without);
            if further == set {
                return set;
            }
            set = further;
        }
    }
}
