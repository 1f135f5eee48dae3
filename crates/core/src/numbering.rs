//! Numbers for all nodes, given out after an election.
//!
//! Idea: the leader takes number 1 and lets a token go round, depth first. The token tells how many numbers are taken.
//! A node without a number takes the next one. It passes the token on by each link that is not used yet, and then
//! returns it to the node it came from. A node with a number returns the token at once. So every link carries it twice.
//! On a one-way ring nobody can return it: it goes round once.
//!
//! Cost: n messages on a one-way ring, and 2m on all other networks.

use std::collections::BTreeSet;

use crate::{Info, Port, TopologyKind};

/// One node's part in the wave that numbers all nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Numbering {
    one_way: bool,
    number: Option<u64>,
    /// Where its number came from; the leader has no parent.
    parent: Option<Port>,
    /// The ports that no token has passed yet.
    unused: BTreeSet<Port>,
    /// The port by which it sent the token, while it waits for its return.
    awaited: Option<Port>,
}

impl Numbering {
    /// A node of this many ports, without a number. The algorithm that elects says on which networks.
    #[must_use]
    pub fn new(info: &Info, ports: u32) -> Self {
        Self::without_number(info.topology == TopologyKind::OneWayRing, ports)
    }

    /// The same node after a crash: it has forgotten its number.
    #[must_use]
    pub fn forgotten(&self, ports: u32) -> Self {
        Self::without_number(self.one_way, ports)
    }

    fn without_number(one_way: bool, ports: u32) -> Self {
        let unused = (0..if one_way { ports.min(1) } else { ports }).map(Port).collect();
        Self { one_way, number: None, parent: None, unused, awaited: None }
    }

    /// Its number, once it has one.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        self.number
    }

    /// Whether it began a wave that has not come home.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.parent.is_none() && self.awaited.is_some()
    }

    /// It leads. Returns the port for the token, and how many numbers are taken.
    pub fn begin(&mut self) -> Option<(Port, u64)> {
        if self.number.is_some() {
            return None; // another leader was faster
        }
        self.number = Some(1);
        self.pass_on(1)
    }

    /// The token comes, and tells how many numbers are taken. Returns where it goes next, and what it then tells.
    pub fn receive(&mut self, from: Port, taken: u64) -> Option<(Port, u64)> {
        match self.number {
            None => {
                self.number = Some(taken + 1);
                self.parent = Some(from);
                self.unused.remove(&from);
                self.pass_on(taken + 1)
            }
            Some(_) if self.one_way => {
                self.awaited = None; // it is home
                None
            }
            Some(_) if self.awaited == Some(from) => self.pass_on(taken),
            // A token by a used port is a copy: a faulty link has repeated it.
            Some(_) => self.unused.remove(&from).then_some((from, taken)),
        }
    }

    /// The token goes to the next port, or back to the parent; at the leader the wave is over.
    fn pass_on(&mut self, taken: u64) -> Option<(Port, u64)> {
        self.awaited = self.unused.pop_first();
        self.awaited.or(self.parent.filter(|_| !self.one_way)).map(|port| (port, taken))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_tries_every_port_and_returns() {
        let mut leader = Numbering::new(&Info::EVENTS, 2);
        assert_eq!(leader.begin(), Some((Port(0), 1)));
        let mut node = Numbering::new(&Info::EVENTS, 3);
        assert_eq!(node.receive(Port(1), 1), Some((Port(0), 2)));
        assert_eq!(node.number(), Some(2));
        assert_eq!(node.receive(Port(2), 5), Some((Port(2), 5)), "it has a number: the token returns at once");
        assert_eq!(node.receive(Port(2), 5), None, "a copy");
        assert_eq!(node.receive(Port(0), 5), Some((Port(1), 5)), "no port is left: back to the parent");
        assert_eq!(leader.receive(Port(1), 4), Some((Port(1), 4)));
        assert!(leader.is_under_way() && !node.is_under_way());
        assert_eq!((leader.receive(Port(0), 5), leader.is_under_way()), (None, false));
    }

    #[test]
    fn on_a_one_way_ring_it_goes_round_once() {
        let info = Info { topology: TopologyKind::OneWayRing, ..Info::EVENTS };
        let [mut leader, mut node] = [(); 2].map(|()| Numbering::new(&info, 2));
        assert_eq!(leader.begin(), Some((Port(0), 1)));
        assert_eq!(node.receive(Port(1), 1), Some((Port(0), 2)));
        assert_eq!(leader.receive(Port(1), 2), None);
        assert!(!leader.is_under_way());
    }
}
