//! The errands of a thread, by time.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use bellwether_core::{Port, Span};
use bellwether_net::Node;
use bellwether_random::{Purpose, Stream};

use super::group::{Dispatch, Errand};
use super::shared::Shared;

/// The errands of a thread: those to be run at once in order of arrival, the others by time.
pub(super) struct Agenda {
    now: VecDeque<Errand>,
    later: BinaryHeap<Reverse<Entry>>,
    filed: u64,
}

struct Entry {
    due: Span,
    filed: u64,
    errand: Errand,
}

impl Entry {
    fn key(&self) -> (Span, u64) {
        (self.due, self.filed)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Agenda {
    pub(super) fn new() -> Self {
        Self { now: VecDeque::new(), later: BinaryHeap::new(), filed: 0 }
    }

    pub(super) fn file(&mut self, Dispatch { due, errand }: Dispatch) {
        if due == Span(0) {
            self.now.push_back(errand);
        } else {
            self.filed += 1;
            self.later.push(Reverse(Entry { due, filed: self.filed, errand }));
        }
    }

    /// When the next errand with a time is due.
    pub(super) fn next_due(&self) -> Option<Span> {
        self.later.peek().map(|Reverse(entry)| entry.due)
    }

    /// Takes the next errand with a time.
    pub(super) fn pop_due(&mut self) -> Option<Errand> {
        self.later.pop().map(|Reverse(entry)| entry.errand)
    }

    /// Takes the next errand without a time.
    pub(super) fn pop_now(&mut self) -> Option<Errand> {
        self.now.pop_front()
    }
}

/// The artificial delays of messages.
pub(super) struct Latencies {
    /// Whether there are any.
    pub(super) hold_up: bool,
    least: Span,
    most: Span,
    chance: Stream,
    /// When the last message on a link arrives. No message may overtake it.
    last: BTreeMap<(Node, Port), Span>,
}

impl Latencies {
    /// The delays of a group that begins with this node.
    pub(super) fn new(shared: &Shared<'_>, first: Node) -> Self {
        let (least, most) = shared.latency();
        Self {
            hold_up: most > Span(0) || !shared.scenario.faults.is_empty(),
            least,
            most,
            chance: Stream::new(shared.scenario.seed, Purpose::Delays).at(u64::from(first) << 32),
            last: BTreeMap::new(),
        }
    }

    /// When a message that is sent now arrives; 0 means at once.
    pub(super) fn due(&mut self, now: Span, link: (Node, Port), slowness: u32, late: bool) -> Span {
        if self.most == Span(0) && !late {
            return Span(0);
        }
        let latency = self.least.0 + self.chance.below(self.most.0 - self.least.0 + 1);
        let due = Span(now.0.saturating_add(latency.saturating_mul(slowness.into())).max(1));
        if late {
            return Span(due.0.saturating_add(Span::UNIT.0));
        }
        let last = self.last.entry(link).or_default();
        *last = due.max(*last);
        *last
    }
}
