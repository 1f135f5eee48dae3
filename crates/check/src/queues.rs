//! The messages under way on a link, as a number.

use rustc_hash::FxHashMap;

use crate::numbers::Numbers;

/// A message on a link: its number, and whether it has been delivered once before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Parcel(u32);

impl Parcel {
    /// A message that was just sent.
    pub fn fresh(message: u32) -> Self {
        Self(message << 1)
    }

    /// The same message, after its first delivery.
    pub fn copy(self) -> Self {
        Self(self.0 | 1)
    }

    /// Whether it has been delivered before.
    pub fn is_copy(self) -> bool {
        self.0 & 1 == 1
    }

    /// The message.
    pub fn message(self) -> u32 {
        self.0 >> 1
    }
}

/// All contents of links that were met, each with a number; 0 is the empty content.
///
#[derive(Clone)]
pub struct Queues {
    contents: Numbers<Box<[Parcel]>>,
    /// By content: its first message, and the content without that message.
    heads: Vec<(Parcel, u32)>,
    /// By content and message: the content with this message added.
    pushed: FxHashMap<u64, u32>,
    order: Order,
    /// The number of messages in all contents.
    parcels: usize,
}

/// What matters of the messages on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Their order: links are FIFO.
    Queue,
    /// How often each is there. Contents that differ only in their order are the same.
    Bag,
    /// Which are there: a message that was sent may arrive any number of times.
    Set,
}

/// The content of an empty link.
pub const EMPTY: u32 = 0;

impl Queues {
    /// Only the empty content.
    pub fn new(order: Order) -> Self {
        let mut queues =
            Self { contents: Numbers::default(), heads: vec![], pushed: FxHashMap::default(), order, parcels: 0 };
        queues.number(Box::new([]));
        queues
    }

    /// The approximate size of all contents in bytes.
    pub fn bytes(&self) -> u64 {
        (4 * self.parcels + 80 * self.contents.len()) as u64
    }

    /// The messages of a content.
    pub fn content(&self, queue: u32) -> &[Parcel] {
        &self.contents[queue]
    }

    /// The first message of a content that is not empty.
    #[inline]
    pub fn head(&self, queue: u32) -> Parcel {
        self.heads[queue as usize].0
    }

    /// The content without its first message.
    #[inline]
    pub fn tail(&self, queue: u32) -> u32 {
        self.heads[queue as usize].1
    }

    /// The content with one more message.
    #[inline]
    pub fn push(&mut self, queue: u32, parcel: Parcel) -> u32 {
        let key = u64::from(queue) << 32 | u64::from(parcel.0);
        match self.pushed.get(&key) {
            Some(longer) => *longer,
            None => self.push_first(queue, parcel, key),
        }
    }

    #[cold]
    fn push_first(&mut self, queue: u32, parcel: Parcel, key: u64) -> u32 {
        let mut content = self.content(queue).to_vec();
        let sorted = content.partition_point(|other| *other < parcel);
        match self.order {
            Order::Queue => content.push(parcel),
            Order::Set if content.get(sorted) == Some(&parcel) => {}
            Order::Bag | Order::Set => content.insert(sorted, parcel),
        }
        let longer = self.number(content.into());
        self.pushed.insert(key, longer);
        longer
    }

    /// The content without this message, or with a copy in its place.
    pub fn take(&mut self, queue: u32, parcel: Parcel, keep: bool) -> u32 {
        if !keep && self.head(queue) == parcel {
            return self.tail(queue);
        }
        let mut content = self.content(queue).to_vec();
        if let Some(place) = content.iter().position(|other| *other == parcel) {
            if keep {
                content[place] = parcel.copy();
            } else {
                content.remove(place);
            }
        }
        if self.order != Order::Queue {
            content.sort_unstable();
        }
        self.number(content.into())
    }

    /// The content without the messages that are not wanted any more.
    pub fn retain(&mut self, queue: u32, mut wanted: impl FnMut(Parcel) -> bool) -> u32 {
        let content = self.content(queue);
        match content.iter().all(|parcel| wanted(*parcel)) {
            true => queue,
            false => {
                let left = content.iter().copied().filter(|parcel| wanted(*parcel)).collect();
                self.number(left)
            }
        }
    }

    /// The content with every message replaced by another one.
    pub fn map(&mut self, queue: u32, mut replace: impl FnMut(u32) -> u32) -> u32 {
        let replace = |parcel: &Parcel| {
            let other = Parcel::fresh(replace(parcel.message()));
            if parcel.is_copy() { other.copy() } else { other }
        };
        let mut content: Box<[Parcel]> = self.content(queue).iter().map(replace).collect();
        if self.order != Order::Queue {
            content.sort_unstable();
        }
        self.number(content)
    }

    fn number(&mut self, content: Box<[Parcel]>) -> u32 {
        if let Some(queue) = self.contents.get(&content) {
            return queue;
        }
        // The rest of a content always has a smaller number.
        if let Some((_, tail)) = content.split_first() {
            self.number(tail.into());
        }
        let queue = self.contents.of(content);
        self.learn_heads();
        queue
    }

    fn learn_heads(&mut self) {
        while let Some(content) = self.contents.by(self.heads.len() as u32) {
            let without = |tail| self.contents.get(tail).expect("it was numbered before");
            let head = content.split_first().map(|(head, tail)| (*head, without(tail)));
            self.heads.push(head.unwrap_or((Parcel(u32::MAX), EMPTY)));
            self.parcels += content.len();
        }
    }

    /// Learns all contents that other threads have met so far.
    pub fn catch_up(&mut self) {
        self.contents.catch_up();
        self.learn_heads();
    }

    /// From now on, all clones give the same numbers to the same contents.
    pub fn share(&mut self) {
        self.contents.share();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_keeps_order_and_a_bag_does_not() {
        let [a, b] = [7, 3].map(Parcel::fresh);
        for order in [Order::Queue, Order::Bag, Order::Set] {
            let sorted = order != Order::Queue;
            let mut queues = Queues::new(order);
            let ab = [a, b].into_iter().fold(EMPTY, |queue, parcel| queues.push(queue, parcel));
            let ba = [b, a].into_iter().fold(EMPTY, |queue, parcel| queues.push(queue, parcel));
            assert_eq!(ab == ba, sorted);
            assert_eq!(queues.head(ab), if sorted { b } else { a });
            let aa = [a, a].into_iter().fold(EMPTY, |queue, parcel| queues.push(queue, parcel));
            assert_eq!(queues.content(aa).len(), if order == Order::Set { 1 } else { 2 });
            let only_a = queues.take(ab, b, false);
            assert_eq!(queues.content(only_a), [a]);
            assert_eq!(queues.tail(only_a), EMPTY);
            let kept = queues.take(only_a, a, true);
            assert_eq!(queues.content(kept), [a.copy()]);
        }
    }
}
