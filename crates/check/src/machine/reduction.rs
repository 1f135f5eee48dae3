//! Of moves that do not interfere only one order needs to be followed.
//!
//! A *persistent set* of moves is one that nothing outside it can add to, take away from or interfere with, however
//! long it goes on: so its moves can come first. Following only such a set keeps every end, every cost and everything that
//! a single process goes through; not what two processes are at the same instant.

use bellwether_world::Node;

use super::{Machine, Move};
use crate::automaton::Act;
use crate::layout::{Link, Nodes, bit, members};
use crate::queues::EMPTY;

impl Machine {
    /// Finds a persistent set, if there is one smaller than all moves.
    ///
    /// A message that its receiver will always ignore is one alone. Else all next moves of a node are one if on each of
    /// its links something waits already, or the sender cannot act before this node does. The smallest is taken.
    pub(super) fn persistent(&mut self, cells: &[u32], waiting: Nodes, moves: &mut Vec<Move>) -> bool {
        let mut active = waiting;
        for link in 0..self.layout.links.len() as u32 {
            if self.queue(cells, link) == EMPTY {
                continue;
            }
            let Link { to, port, .. } = self.layout.links[link as usize];
            active |= bit(to);
            let parcel = self.queues.head(self.queue(cells, link));
            let act = Act::Receive(port, parcel.message());
            let sleeps = waiting & bit(to) != 0; // and would be woken up
            if !sleeps && self.step(cells, to, act).is_ok_and(|(first, _)| self.steps.deed(first).is_ignored) {
                moves.push(Move::Deliver { link, parcel, keep: false });
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

    /// What this node may do next.
    fn moves_of(&self, cells: &[u32], node: Node, waiting: Nodes, moves: &mut Vec<Move>) {
        if waiting & bit(node) != 0 {
            moves.push(Move::Start(node));
        }
        for &link in &self.layout.into[node as usize] {
            let queue = self.queue(cells, link);
            if queue != EMPTY {
                moves.push(Move::Deliver { link, parcel: self.queues.head(queue), keep: false });
            }
        }
    }

    /// Who may act some time, beginning with these, while this node does nothing.
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
