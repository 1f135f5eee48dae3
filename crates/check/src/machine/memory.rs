//! What a machine has computed before, where links are unreliable or timers have an order: there it is dear.

use bellwether_core::Port;
use bellwether_net::Node;
use rustc_hash::FxHashMap;

use super::Transition;
use super::answers::Answers;
use super::notes::Gatherings;
use crate::queues::{EMPTY, Parcel, Queues};
use crate::steps::Steps;

/// Answers, each by the numbers that it follows from.
#[derive(Clone, Default)]
pub(super) struct Memory {
    /// By extras, deed and node: the extras after the deed.
    pub(super) noted: FxHashMap<(u32, u32, Node), u32>,
    /// By extras: the timers that may go off.
    pub(super) due: FxHashMap<u32, Box<[Transition]>>,
    /// By content: its messages, each once, in an order that does not depend on their numbers.
    pub(super) sorted: FxHashMap<u32, Box<[Parcel]>>,
    /// By content, and port and state of its receiver: the content without what the receiver ignores for ever.
    retained: FxHashMap<(u32, Port, u32), u32>,
    pub(super) answers: Answers,
    pub(super) gatherings: Gatherings,
}

impl Memory {
    /// The content without what its receiver ignores for ever.
    #[inline]
    pub(super) fn retained(&mut self, queue: u32, port: Port, local: u32, queues: &mut Queues, steps: &Steps) -> u32 {
        if queue == EMPTY {
            return EMPTY;
        }
        let is_wanted = |parcel: Parcel| !steps.ignores(local, port, parcel.message());
        *self.retained.entry((queue, port, local)).or_insert_with(|| queues.retain(queue, is_wanted))
    }

    /// Its approximate size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let lists = 64 * (self.due.len() + self.sorted.len() + self.answers.len());
        (20 * (self.noted.capacity() + self.retained.capacity()) + lists) as u64
    }
}
