//! Messages that all take one unit: a message sent at one instant arrives at the next.
//!
//! Both instants are lists of blocks of fixed size. A delivered block is filled again for the next instant. So memory
//! holds only what is under way, the current block stays in the cache, and nothing is allocated per message. At each
//! instant arrivals are sorted by receiver and port. On a ring they are nearly sorted already: one-way traffic is out
//! of order only where it passes node 0.

use std::collections::VecDeque;

use bellwether_core::Port;
use bellwether_net::Node;

/// A message about to arrive.
#[derive(Clone, Debug)]
pub(crate) struct Mail<M, S> {
    pub(crate) to: Node,
    pub(crate) port: Port,
    pub(crate) stamp: S,
    pub(crate) msg: M,
}

impl<M, S> Mail<M, S> {
    /// Receiver and port as one number that sorts like them.
    #[inline]
    pub(crate) fn place(&self) -> u64 {
        u64::from(self.to) << 32 | u64::from(self.port.0)
    }
}

/// Some messages that arrive at the same instant, in order.
pub(crate) type Block<M, S> = Vec<Mail<M, S>>;

/// The number of messages in a block. With 24 bytes each, a block fits into a first-level cache.
const BLOCK: usize = 1024;

/// The number of messages that are sorted at once: they stay in the cache.
const PART: usize = 1 << 14;

/// The largest number of bits of the receiver by which more messages are first partitioned. Each part has one block
/// that is not full.
const PARTS: u32 = 8;

/// The messages being sent. A loop may keep this in registers: no code for a single message takes its address.
#[derive(Debug)]
pub(crate) struct Instant<M, S> {
    filling: Block<M, S>,
    /// The number of messages in full blocks.
    put_away: usize,
    /// The place of the last message sent.
    last: u64,
    /// How often a place is smaller than the one before it.
    descents: u64,
}

/// Blocks that are not being written or read.
#[derive(Debug)]
pub(crate) struct IdleBlocks<M, S> {
    /// The full blocks, which arrive at the next instant.
    full: Vec<Block<M, S>>,
    empty: Vec<Block<M, S>>,
    /// Buffers for sorting: the parts by receiver, and one part.
    parts: Vec<Vec<Block<M, S>>>,
    all: Vec<Option<Mail<M, S>>>,
    places: Vec<(u64, usize)>,
    other_places: Vec<(u64, usize)>,
}

impl<M, S> Instant<M, S> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { filling: Vec::new(), put_away: 0, last: 0, descents: 0 }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.put_away == 0 && self.filling.is_empty()
    }

    /// Sends a message, which arrives at the next instant.
    #[inline]
    pub(crate) fn push(&mut self, mail: Mail<M, S>, idle: &mut IdleBlocks<M, S>) {
        let place = mail.place();
        self.descents += u64::from(place < self.last);
        self.last = place;
        self.append(mail, idle);
    }

    /// Sends a message where all processes send clockwise on a ring. Only messages that pass node 0 are out of order;
    /// that is checked at the end of the instant.
    #[inline]
    pub(crate) fn push_clockwise(&mut self, mail: Mail<M, S>, idle: &mut IdleBlocks<M, S>) {
        if mail.port != Port::PREVIOUS {
            self.descents = u64::MAX; // one process does not: sort everything
        }
        self.append(mail, idle);
    }

    #[inline]
    fn append(&mut self, mail: Mail<M, S>, idle: &mut IdleBlocks<M, S>) {
        if self.filling.len() >= self.filling.capacity() {
            self.put_away += self.filling.len();
            self.filling = idle.exchange(std::mem::take(&mut self.filling));
        }
        // This always holds. It tells the compiler that a block never grows.
        assert!(self.filling.len() < self.filling.capacity());
        self.filling.push(mail);
    }

    /// Goes on to the next instant by swapping in an empty block, if the messages are sorted and at most `most`. Most
    /// instants of a long run are that small.
    #[inline]
    pub(crate) fn swap(&mut self, block: &mut Block<M, S>, most: usize) -> bool {
        let is_in_order = self.filling.first().map(Mail::place) <= self.filling.last().map(Mail::place);
        let can = is_in_order && self.descents == 0 && self.put_away == 0 && self.filling.len() <= most;
        if can {
            std::mem::swap(block, &mut self.filling);
            self.last = 0;
        }
        can
    }
}

impl<M, S> IdleBlocks<M, S> {
    /// Stores a full block and returns an empty one.
    #[cold]
    #[inline(never)]
    fn exchange(&mut self, block: Block<M, S>) -> Block<M, S> {
        if !block.is_empty() {
            self.full.push(block);
        }
        self.another()
    }

    fn another(&mut self) -> Block<M, S> {
        self.empty.pop().unwrap_or_else(|| Vec::with_capacity(BLOCK))
    }

    /// Moves the messages at the end whose places come first to the front. Nothing else is out of order.
    fn turn(&mut self, first: u64, present: &mut VecDeque<Block<M, S>>) {
        let is_behind = |mail: &Mail<M, S>| mail.place() >= first;
        let split = self.full.partition_point(|block| block.last().is_some_and(is_behind));
        let mut front = self.another();
        let place = self.full[split].partition_point(is_behind);
        front.extend(self.full[split].drain(place..));
        present.push_back(front);
        present.extend(self.full.drain(split + 1..));
        self.empty.extend(self.full.pop_if(|block| block.is_empty()));
    }

    /// Sorts everything. Many messages are first partitioned by the leading bits of their receivers. Each part is then
    /// sorted by itself, in a small buffer that stays in the cache.
    fn sort(&mut self) {
        let count: usize = self.full.iter().map(Vec::len).sum();
        let full = std::mem::take(&mut self.full);
        if count <= PART {
            return self.sort_part(full);
        }
        let digits = |number: u32| u32::BITS - number.leading_zeros();
        let last = full.iter().flatten().map(|mail| mail.to).max().unwrap_or(0);
        let shift = digits(last).saturating_sub(digits((count / PART) as u32).min(PARTS));
        let mut parts = std::mem::take(&mut self.parts);
        parts.resize_with((last >> shift) as usize + 1, Vec::new);
        for mut block in full {
            for mail in block.drain(..) {
                let part = &mut parts[(mail.to >> shift) as usize];
                match part.last_mut() {
                    Some(filling) if filling.len() < filling.capacity() => filling.push(mail),
                    _ => {
                        let mut filling = self.another();
                        filling.push(mail);
                        part.push(filling);
                    }
                }
            }
            self.empty.push(block);
        }
        for part in &mut parts {
            self.sort_part(std::mem::take(part));
        }
        self.parts = parts;
    }

    /// Sorts these messages and appends them. Only places are sorted, each with the index of its mail; then the mail
    /// follows.
    fn sort_part(&mut self, blocks: Vec<Block<M, S>>) {
        for mut block in blocks {
            self.all.extend(block.drain(..).map(Some));
            self.empty.push(block);
        }
        let mut places = std::mem::take(&mut self.places);
        places.extend(self.all.iter().flatten().map(Mail::place).zip(0..));
        sort_places(&mut places, &mut self.other_places);
        let mut all = std::mem::take(&mut self.all);
        let mut sorted = places.drain(..).filter_map(|(_, at)| all[at].take());
        while let Some(first) = sorted.next() {
            let mut block = self.another();
            block.push(first);
            block.extend(sorted.by_ref().take(BLOCK - 1));
            self.full.push(block);
        }
        drop(sorted);
        all.clear();
        (self.all, self.places) = (all, places);
    }
}

/// Sorts places if each is near its final place, as on a ring with traffic in both directions. Returns whether that
/// worked.
fn insert_nearly_sorted(places: &mut [(u64, usize)]) -> bool {
    const FAR: usize = 4;
    (1..places.len()).all(|end| {
        let mut at = end;
        while at > 0 && places[at] < places[at - 1] && end - at < FAR {
            places.swap(at - 1, at);
            at -= 1;
        }
        end - at < FAR
    })
}

/// Sorts places, with a buffer. Senders come in order. If ports are numbered by neighbour, the ports of each receiver
/// come in order too. Then a radix sort of the receivers is enough, with eleven bits at a time.
fn sort_places(places: &mut Vec<(u64, usize)>, room: &mut Vec<(u64, usize)>) {
    const DIGIT: usize = 11;
    // A comparison sort is faster for fewer places than this.
    const FEW: usize = 1 << 8;
    if insert_nearly_sorted(places) {
        return;
    }
    let receivers = u64::from(u32::MAX) << 32;
    let used = places.iter().fold(0, |used, (place, _)| used | place) & receivers;
    if places.len() >= FEW {
        room.resize(places.len(), (0, 0));
        for shift in (32..64).step_by(DIGIT).take_while(|shift| used >> shift != 0) {
            let digit = |place: u64| (place >> shift) as usize % (1 << DIGIT);
            let mut ends = [0; 1 << DIGIT];
            places.iter().for_each(|(place, _)| ends[digit(*place)] += 1);
            let mut before = 0;
            ends.iter_mut().for_each(|end| before += std::mem::replace(end, before));
            for entry in &*places {
                let end = &mut ends[digit(entry.0)];
                room[*end] = *entry;
                *end += 1;
            }
            std::mem::swap(places, room);
        }
    }
    if !places.is_sorted() {
        places.sort_unstable();
    }
}

/// A queue of two instants: arrivals now, and arrivals next.
#[derive(Debug)]
pub(crate) struct UnitQueue<M, S> {
    /// The messages that arrive now.
    pub(crate) present: VecDeque<Block<M, S>>,
    /// The messages that arrive next.
    pub(crate) outbox: Instant<M, S>,
    pub(crate) idle: IdleBlocks<M, S>,
}

impl<M, S> UnitQueue<M, S> {
    /// The bytes that a message takes.
    pub(crate) const BYTES_EACH: usize = size_of::<Mail<M, S>>();

    /// Whether there was never a message in it.
    pub(crate) fn is_unused(&self) -> bool {
        self.outbox.filling.capacity() == 0 && self.idle.empty.is_empty() && self.present.is_empty()
    }

    pub(crate) fn new() -> Self {
        Self {
            present: VecDeque::new(),
            outbox: Instant::new(),
            idle: IdleBlocks {
                full: Vec::new(),
                empty: Vec::new(),
                parts: Vec::new(),
                all: Vec::new(),
                places: Vec::new(),
                other_places: Vec::new(),
            },
        }
    }

    /// Whether nothing is under way, now or next.
    pub(crate) fn is_empty(&self) -> bool {
        self.present.is_empty() && self.outbox.is_empty()
    }

    /// Sends a message, which arrives at the next instant.
    #[inline]
    pub(crate) fn push(&mut self, mail: Mail<M, S>) {
        self.outbox.push(mail, &mut self.idle);
    }

    /// Takes some arrivals of this instant, at most `most`, and takes back the old block. An empty block means that
    /// none is left.
    pub(crate) fn next_block(&mut self, block: &mut Block<M, S>, most: usize) {
        debug_assert!(block.is_empty(), "something has not been delivered");
        let Some(mut next) = self.present.pop_front() else { return };
        if next.len() > most {
            self.present.push_front(next.split_off(most));
        }
        std::mem::swap(block, &mut next);
        if next.capacity() >= BLOCK {
            self.idle.empty.push(next);
        }
    }

    /// Goes on to the next instant, when this one is empty.
    pub(crate) fn advance(&mut self) {
        debug_assert!(self.present.is_empty(), "something has not been delivered");
        let Self { present, outbox, idle } = self;
        if !outbox.filling.is_empty() {
            outbox.filling = idle.exchange(std::mem::take(&mut outbox.filling));
        }
        let first = idle.full.first().and_then(|block| block.first()).map_or(0, Mail::place);
        let last = idle.full.last().and_then(|block| block.last()).map_or(0, Mail::place);
        match outbox.descents {
            0 if first <= last => {}
            // Sorted, except that some at the end belong to the front: the messages that passed node 0.
            0 | 1 if last < first => idle.turn(first, present),
            _ => idle.sort(),
        }
        present.extend(idle.full.drain(..));
        *outbox = Instant { filling: std::mem::take(&mut outbox.filling), ..Instant::new() };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn arrivals(sent: &[(u32, u32)], most: usize) -> Vec<(u32, u32, usize)> {
        let mut instants = UnitQueue::new();
        let mut all = vec![];
        // Twice, so that blocks are reused.
        for _ in 0..2 {
            all.clear();
            for (stamp, &(to, port)) in sent.iter().enumerate() {
                instants.push(Mail { to, port: Port(port), stamp, msg: () });
            }
            instants.advance();
            let mut block = vec![];
            loop {
                instants.next_block(&mut block, most);
                if block.is_empty() {
                    break;
                }
                assert!(block.len() <= most);
                all.extend(block.drain(..).map(|mail| (mail.to, mail.port.0, mail.stamp)));
            }
            assert!(instants.is_empty());
        }
        all
    }

    fn ordered(sent: &[(u32, u32)]) -> Vec<(u32, u32, usize)> {
        let mut expected: Vec<_> = sent.iter().enumerate().map(|(i, &(to, port))| (to, port, i)).collect();
        expected.sort_unstable();
        expected
    }

    #[test]
    fn one_way_and_two_way_traffic_on_rings_of_any_size_arrives_in_order() {
        for nodes in [1, 2, 3, BLOCK as u32, 2 * BLOCK as u32 + 1, 2 * PART as u32 + 1] {
            let one_way: Vec<_> = (0..nodes).map(|node| ((node + 1) % nodes, 1)).collect();
            let both = |node| [((node + 1) % nodes, 1), ((node + nodes - 1) % nodes, 0)];
            let two_way: Vec<_> = (0..nodes).flat_map(both).collect();
            for sent in [one_way, two_way] {
                assert_eq!(arrivals(&sent, usize::MAX), ordered(&sent));
                assert_eq!(arrivals(&sent, 1000), ordered(&sent));
            }
        }
    }

    #[test]
    fn many_arrivals_at_many_places_are_put_in_order() {
        // Powers of a primitive root, so that all places occur in random order.
        let nodes = 2_000_003;
        let places = std::iter::successors(Some(1u64), |place| Some(place * 5 % nodes));
        let sent: Vec<_> = places.take(5 * PART).map(|place| (place as u32, (place % 3) as u32)).collect();
        assert_eq!(arrivals(&sent, usize::MAX), ordered(&sent));
        let by_receiver: Vec<_> = sent.iter().map(|(to, port)| (to % 40, *port)).collect();
        assert_eq!(arrivals(&by_receiver, 1000), ordered(&by_receiver));
    }

    proptest! {
        #[test]
        fn arrivals_are_ordered_by_receiver_port_and_sending(
            sent in prop::collection::vec((0u32..5, 0u32..2), 0..40),
            most in 1usize..50,
        ) {
            prop_assert_eq!(arrivals(&sent, most), ordered(&sent));
        }
    }

    #[test]
    fn what_is_sent_now_arrives_at_the_next_instant() {
        let mut instants = UnitQueue::new();
        let mail = |to| Mail { to, port: Port(0), stamp: (), msg: () };
        let mut block = vec![];
        instants.push(mail(5));
        instants.next_block(&mut block, 9);
        assert!(block.is_empty());
        instants.advance();
        instants.push(mail(1));
        instants.next_block(&mut block, 9);
        assert_eq!(block.drain(..).map(|mail| mail.to).collect::<Vec<_>>(), [5]);
        instants.next_block(&mut block, 9);
        assert!(block.is_empty() && !instants.is_empty());
        instants.advance();
        instants.next_block(&mut block, 9);
        assert_eq!(block.drain(..).map(|mail| mail.to).collect::<Vec<_>>(), [1]);
        assert!(instants.is_empty());
    }
}
