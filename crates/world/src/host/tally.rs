//! Counting messages.

use std::hash::Hasher;

use super::numbered;
use super::state_bits::state_bits;
use crate::{Kind, Report, Stats};
use bellwether_core::Message;
use bellwether_net::Node;

/// The largest number of kinds of messages of a run, including those of an adaptor.
pub(super) const MAX_KINDS: usize = 8;

/// The properties of a message that are counted.
pub trait Counted {
    /// The largest number of kinds.
    const KINDS: usize;

    /// Whether there may be messages of an adaptor.
    const MAY_BE_OVERHEAD: bool;

    /// The index of its kind.
    fn kind(&self) -> usize;

    /// Its length in bits.
    fn bits(&self) -> u32;

    /// Whether it belongs to an adaptor and not to the algorithm.
    fn is_overhead(&self) -> bool;
}

impl<M: Message> Counted for M {
    const KINDS: usize = M::KINDS;
    const MAY_BE_OVERHEAD: bool = M::HAS_OVERHEAD;

    #[inline]
    fn kind(&self) -> usize {
        const { assert!(M::KINDS <= MAX_KINDS) };
        Message::kind(self)
    }

    #[inline]
    fn bits(&self) -> u32 {
        Message::bits(self)
    }

    #[inline]
    fn is_overhead(&self) -> bool {
        Message::is_overhead(self)
    }
}

/// The kinds of messages of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    count: usize,
    name: fn(usize) -> &'static str,
    is_announce: fn(usize) -> bool,
    /// Whether there is overhead. Only an adaptor has overhead, and its own kind is the last.
    pub has_overhead: bool,
    /// Whether the adaptor is the wave that numbers the nodes, whose kind comes after all kinds of the algorithm.
    numbers: bool,
}

impl Kinds {
    /// The kinds of these messages.
    #[must_use]
    pub const fn of<M: Message>() -> Self {
        let (count, has_overhead) = (M::KINDS, M::HAS_OVERHEAD);
        Self { count, name: M::kind_name, is_announce: M::is_announce, has_overhead, numbers: false }
    }

    /// The kinds of these messages, which have no overhead, and of the wave that numbers the nodes.
    #[must_use]
    pub const fn numbered<M: Message>() -> Self {
        assert!(M::KINDS <= numbered::KIND.0 && !M::HAS_OVERHEAD);
        Self { has_overhead: true, numbers: true, ..Self::of::<M>() }
    }
}

/// What is counted in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Count {
    /// Messages by kind, and their bits.
    Messages,
    /// Also the messages that each node sends.
    Sends,
    /// Also the largest number of messages under way. Then a run must be simulated in order of time.
    InFlight,
    /// Also the longest state of a process. Then the general engines play the run.
    States,
}

/// The number of messages by kind, and their total length.
#[derive(Clone, Debug, Default)]
pub struct SentCount {
    counts: [u64; MAX_KINDS],
    bits: u64,
}

impl SentCount {
    /// Adds this many messages of this kind and length.
    #[inline]
    pub fn add(&mut self, times: u64, kind: usize, bits: u64) {
        self.counts[kind] += times;
        self.bits += times * bits;
    }

    /// Removes this many messages of this kind and length.
    #[inline]
    pub fn remove(&mut self, times: u64, kind: usize, bits: u64) {
        self.counts[kind] -= times;
        self.bits -= times * bits;
    }

    /// Adds all of these.
    #[inline]
    pub fn add_all<M: Counted>(&mut self, others: &Self) {
        for (count, more) in self.counts.iter_mut().zip(others.counts).take(M::KINDS) {
            *count += more;
        }
        self.bits += others.bits;
    }

    /// Removes all of these.
    pub fn remove_all(&mut self, others: &Self) {
        for (count, less) in self.counts.iter_mut().zip(others.counts) {
            *count -= less;
        }
        self.bits -= others.bits;
    }

    /// The number of messages.
    #[must_use]
    #[inline]
    pub fn count<M: Counted>(&self) -> u64 {
        self.counts[..M::KINDS].iter().sum()
    }
}

/// The running totals of a run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    sent: SentCount,
    lost: u64,
    repeated: u64,
    /// Steps taken, and messages repeated.
    pub events: u64,
    /// Messages that are no longer under way.
    gone: u64,
    peak_in_flight: u64,
    finds_peak: bool,
    finds_states: bool,
    longest_state: u64,
    /// By node: messages sent. Empty unless wanted.
    sends: Vec<u32>,
    /// Messages of the algorithm itself under way. Kept only if there are others too.
    pub payload_in_flight: u64,
    /// Messages sent by an adaptor.
    overhead: u64,
}

impl Tally {
    /// All counts are 0, for this many nodes.
    #[must_use]
    pub fn new(nodes: u32, count: Count) -> Self {
        Self {
            sent: SentCount::default(),
            lost: 0,
            repeated: 0,
            events: 0,
            gone: 0,
            peak_in_flight: 0,
            finds_peak: count >= Count::InFlight,
            finds_states: count >= Count::States,
            longest_state: 0,
            sends: if count >= Count::Sends { vec![0; nodes as usize] } else { vec![] },
            payload_in_flight: 0,
            overhead: 0,
        }
    }

    /// A process has taken a step; `feed` gives its state to a hasher.
    #[inline]
    pub fn steps(&mut self, feed: impl FnOnce(&mut dyn Hasher)) {
        if self.finds_states {
            self.longest_state = self.longest_state.max(state_bits(feed));
        }
    }

    /// Whether it counts the messages of each node.
    #[must_use]
    pub fn counts_sends(&self) -> bool {
        !self.sends.is_empty()
    }

    /// Its bytes for each node.
    #[must_use]
    pub fn bytes_each(&self) -> usize {
        if self.counts_sends() { size_of::<u32>() } else { 0 }
    }

    /// A message is sent.
    #[inline]
    pub fn sent<M: Counted>(&mut self, node: Node, msg: &M) {
        self.sent_often(node, msg, 1);
    }

    /// The same message is sent this many times.
    #[inline]
    pub fn sent_often<M: Counted>(&mut self, node: Node, msg: &M, times: u32) {
        self.sent.counts[msg.kind()] += u64::from(times);
        if M::MAY_BE_OVERHEAD && msg.is_overhead() {
            self.overhead += u64::from(times);
        } else {
            self.sent.bits += u64::from(times) * u64::from(msg.bits());
            if M::MAY_BE_OVERHEAD {
                self.payload_in_flight += u64::from(times);
            }
        }
        self.sent_by(node, times);
    }

    /// All these messages, none of them overhead, were sent. The caller notes which node sent them.
    #[inline]
    pub fn sent_all<M: Counted>(&mut self, sent: &SentCount) {
        self.sent.add_all::<M>(sent);
    }

    /// This node sent this many of the messages.
    #[inline]
    pub fn sent_by(&mut self, node: Node, times: u32) {
        if let Some(sends) = self.sends.get_mut(node as usize) {
            *sends += times;
        }
    }

    /// A message is under way once more. This counts as an event: otherwise copies of copies would have no bound.
    pub fn repeated<M: Counted>(&mut self, msg: &M) {
        self.events += 1;
        self.repeated += 1;
        if M::MAY_BE_OVERHEAD && !msg.is_overhead() {
            self.payload_in_flight += 1;
        }
    }

    /// A message that was sent will not arrive.
    pub fn lost<M: Counted>(&mut self, msg: &M) {
        self.lost += 1;
        self.received(msg);
    }

    /// A message that was sent and counted elsewhere will not arrive.
    pub fn vanished(&mut self) {
        self.lost += 1;
    }

    /// A message is no longer under way.
    #[inline]
    pub fn received<M: Counted>(&mut self, msg: &M) {
        self.note_peak::<M>(0);
        self.gone += 1;
        if M::MAY_BE_OVERHEAD && !msg.is_overhead() {
            self.payload_in_flight -= 1;
        }
    }

    /// This many messages, none of them overhead, are no longer under way. The caller notes the
    /// [peak](Self::note_peak).
    #[inline]
    pub fn received_some(&mut self, count: u64) {
        self.gone += count;
    }

    /// Messages sent, without overhead.
    #[must_use]
    pub fn messages<M: Counted>(&self) -> u64 {
        self.sent.count::<M>() - self.overhead
    }

    /// Messages under way.
    #[inline]
    #[must_use]
    pub fn in_flight<M: Counted>(&self) -> u64 {
        self.sent.count::<M>() + self.repeated - self.gone
    }

    /// Updates the peak: the messages counted here as under way, and `more`.
    #[inline]
    pub fn note_peak<M: Counted>(&mut self, more: u64) {
        self.peak_in_flight = self.peak_in_flight.max(self.in_flight::<M>() + more);
    }

    /// None of the counted messages is under way any more.
    pub fn settle(&mut self) {
        self.gone = self.sent.counts.iter().sum::<u64>() + self.repeated;
    }

    /// Moves the counts of another tally here, except for peaks. The other one is then empty.
    pub fn absorb(&mut self, other: &mut Self) {
        for (count, others) in self.sent.counts.iter_mut().zip(&mut other.sent.counts) {
            *count += std::mem::take(others);
        }
        let numbers = [
            (&mut self.sent.bits, &mut other.sent.bits),
            (&mut self.lost, &mut other.lost),
            (&mut self.repeated, &mut other.repeated),
            (&mut self.events, &mut other.events),
            (&mut self.gone, &mut other.gone),
            (&mut self.payload_in_flight, &mut other.payload_in_flight),
            (&mut self.overhead, &mut other.overhead),
        ];
        for (number, others) in numbers {
            *number += std::mem::take(others);
        }
        for (sends, others) in self.sends.iter_mut().zip(&mut other.sends) {
            *sends += std::mem::take(others);
        }
    }

    /// Messages under way that a run waits for: all without overhead.
    #[inline]
    #[must_use]
    pub fn waited_for<M: Counted>(&self) -> u64 {
        if M::MAY_BE_OVERHEAD { self.payload_in_flight } else { self.in_flight::<M>() }
    }

    /// Fills the counts into a report.
    pub fn report(self, kinds: Kinds, report: &mut Report) {
        let under_way = self.sent.counts.iter().sum::<u64>() + self.repeated - self.gone;
        let peak = self.peak_in_flight.max(under_way);
        let kind = |kind| Kind {
            name: (kinds.name)(kind),
            count: self.sent.counts[kind],
            announce: (kinds.is_announce)(kind),
            overhead: kinds.has_overhead && !kinds.numbers && kind + 1 == kinds.count,
        };
        let (index, name) = numbered::KIND;
        let wave = Kind { name, count: self.sent.counts[index], announce: false, overhead: true };
        report.kinds = (0..kinds.count).map(kind).chain(kinds.numbers.then_some(wave)).collect();
        report.bits = self.sent.bits;
        (report.lost, report.repeated) = (self.lost, self.repeated);
        let peak_in_flight = self.finds_peak.then_some(peak);
        let state_bits = self.finds_states.then_some(self.longest_state);
        report.stats = Stats { events: self.events, peak_in_flight, state_bits, sends: self.sends };
    }
}
