//! Messages that all take one unit: what is sent at one instant arrives at the next.
//!
//! One queue serves both instants, the present one at its front and the next one growing at its back, so that memory is
//! what is under way and nothing is allocated per message. At each instant the arrivals are put in order of
//! receiver and port. On a ring they nearly are already: one-way traffic is out of order only where it passes node 0.

use std::collections::VecDeque;

use bellwether_core::Port;
use bellwether_world::Node;

/// A message about to arrive.
#[derive(Clone, Debug)]
pub(crate) struct Mail<M, S> {
    pub(crate) to: Node,
    pub(crate) port: Port,
    pub(crate) stamp: S,
    pub(crate) msg: M,
}

impl<M, S> Mail<M, S> {
    /// Receiver and port as one number, in their order.
    #[inline]
    pub(crate) fn place(&self) -> u64 {
        u64::from(self.to) << 32 | u64::from(self.port.0)
    }
}

/// The queue.
#[derive(Clone, Debug)]
pub(crate) struct Instants<M, S> {
    queue: VecDeque<Mail<M, S>>,
    /// How many at the front arrive now.
    present: usize,
    /// The place of the last one sent.
    last: u64,
    /// How often the next instant's arrivals step back in order, and how many follow the last such step.
    descents: u64,
    since: usize,
}

impl<M, S> Instants<M, S> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { queue: VecDeque::with_capacity(capacity), present: 0, last: 0, descents: 0, since: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.queue.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Sends: it arrives at the next instant.
    #[inline]
    pub(crate) fn push(&mut self, mail: Mail<M, S>) {
        let place = mail.place();
        self.since += 1;
        if place < self.last {
            self.descents += 1;
            self.since = 1;
        }
        self.last = place;
        self.queue.push_back(mail);
    }

    /// Takes what arrives now, one by one in order.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Mail<M, S>> {
        if self.present == 0 {
            return None;
        }
        self.present -= 1;
        self.queue.pop_front()
    }

    /// The receiver of the next message that arrives now.
    pub(crate) fn next_receiver(&self) -> Option<Node> {
        if self.present == 0 { None } else { self.queue.front().map(|mail| mail.to) }
    }

    /// Goes on to the next instant, once nothing is left of this one.
    pub(crate) fn advance(&mut self) {
        debug_assert_eq!(self.present, 0, "something has not arrived yet");
        self.present = self.queue.len();
        match (self.descents, self.queue.front()) {
            (0, _) | (_, None) => {}
            // In order but for some at the end that belong to the front: the nodes after the ring's seam.
            (1, Some(first)) if self.last < first.place() => self.queue.rotate_right(self.since),
            _ => self.queue.make_contiguous().sort_by_key(Mail::place),
        }
        (self.last, self.descents, self.since) = (0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrivals(sent: &[(u32, u32)]) -> Vec<(u32, u32, usize)> {
        let mut instants = Instants::new(0);
        for (stamp, &(to, port)) in sent.iter().enumerate() {
            instants.push(Mail { to, port: Port(port), stamp, msg: () });
        }
        instants.advance();
        std::iter::from_fn(|| instants.pop()).map(|mail| (mail.to, mail.port.0, mail.stamp)).collect()
    }

    #[test]
    fn arrivals_are_ordered_by_receiver_port_and_sending() {
        let sent: [&[(u32, u32)]; 6] = [
            &[],
            &[(1, 1), (2, 1), (3, 1)],
            &[(1, 1), (2, 1), (2, 1), (0, 1), (0, 1)],
            &[(1, 1), (3, 0), (2, 1), (0, 0), (3, 1), (1, 0), (0, 1), (2, 0)],
            &[(2, 1), (2, 0), (2, 1), (2, 0)],
            &[(3, 1), (1, 1), (4, 1)],
        ];
        for sent in sent {
            let mut expected: Vec<_> = sent.iter().enumerate().map(|(i, &(to, port))| (to, port, i)).collect();
            expected.sort_unstable();
            assert_eq!(arrivals(sent), expected);
        }
    }

    #[test]
    fn what_is_sent_now_arrives_at_the_next_instant() {
        let mut instants = Instants::new(0);
        let mail = |to| Mail { to, port: Port(0), stamp: (), msg: () };
        instants.push(mail(5));
        assert!(instants.pop().is_none());
        instants.advance();
        instants.push(mail(1));
        assert_eq!(instants.pop().unwrap().to, 5);
        assert!(instants.pop().is_none());
        instants.advance();
        assert_eq!(instants.pop().unwrap().to, 1);
        assert!(instants.is_empty());
    }
}
