//! Messages with random delays: a calendar queue (Brown 1988). The width of its slots depends on how much is under way:
//! about a dozen messages arrive in each.
//!
//! A few messages are simply kept sorted. More are put into at most 512 slots: few enough for their ends to stay in the
//! cache. A slot is sorted when the clock reaches it. If a slot holds too many messages for that, it is first spread
//! over a finer page. Each page has a bit set of the slots in use.

use bellwether_core::{Port, Span};
use bellwether_net::Node;

use crate::unit_queue::Mail;

/// The smallest width of a coarse slot, and the width of a fine slot, as powers of two in millionths of a unit.
const COARSE: u32 = 11;
const FINE: u32 = 5;
/// The width of a slot that contains all time.
const ENDLESS: u32 = 63;
/// The number of words of slots in a page. The fine page covers one coarse slot, and the coarse page covers every
/// delay.
const COARSE_WORDS: usize = 8;
const FINE_WORDS: usize = 1;
const _: () = assert!((64 * COARSE_WORDS as u64 - 1) << COARSE > Span::UNIT.0);
const _: () = assert!(64 * FINE_WORDS as u64 == 1 << (COARSE - FINE));
/// The largest number of messages that are kept sorted without slots. With more, each slot holds about this many.
const FEW: usize = 16;
/// The largest slot that is sorted by insertion.
const VERY_FEW: usize = 6;
/// The largest slot that is sorted by counting ranks, without branches. A larger one is first spread over the fine
/// page.
const SHORT: usize = 32;

type Dated<M, S> = (Span, Mail<M, S>);

/// The messages that arrive in a span of time, in the order of sending.
type Slot<M, S> = Vec<Dated<M, S>>;

/// Time, receiver and port as one number that sorts like them.
#[inline]
fn order<M, S>((time, mail): &Dated<M, S>) -> u128 {
    u128::from(time.0) << 64 | u128::from(mail.place())
}

/// Inserts a message into a list with the latest first. It goes behind its equals, which were sent before.
#[inline]
fn insert<M, S>(today: &mut Vec<Option<Dated<M, S>>>, dated: Dated<M, S>) {
    let is_later = |other: &&Option<Dated<M, S>>| other.as_ref().is_some_and(|other| order(other) > order(&dated));
    let place = today.iter().take_while(is_later).count();
    today.insert(place, Some(dated));
}

/// Moves the messages that arrive from this time on to an empty list. The latest comes first; of those that arrive
/// together, the one that was sent last.
fn put_in_order<M, S>(arrivals: &mut Vec<Dated<M, S>>, from: u64, today: &mut Vec<Option<Dated<M, S>>>) {
    debug_assert!(today.is_empty(), "something has not arrived");
    match arrivals.len() {
        0..2 => today.extend(arrivals.drain(..).map(Some)),
        length if length <= VERY_FEW => arrivals.drain(..).for_each(|dated| insert(today, dated)),
        length if length <= 16 => put_in_order_of_rank::<16, _, _>(arrivals, from, today),
        length if length <= SHORT => put_in_order_of_rank::<SHORT, _, _>(arrivals, from, today),
        _ => {
            arrivals.sort_by_key(order);
            today.extend(arrivals.drain(..).rev().map(Some));
        }
    }
}

/// The same for at most `N` messages. The place of a message is the number of later ones: there is no branch to
/// mispredict.
#[inline]
fn put_in_order_of_rank<const N: usize, M, S>(
    arrivals: &mut Vec<Dated<M, S>>,
    from: u64,
    today: &mut Vec<Option<Dated<M, S>>>,
) {
    let mut keys = [-1; N];
    for (number, (key, (time, _))) in keys.iter_mut().zip(&*arrivals).enumerate() {
        *key = ((time.0 - from) as i32) << SHORT.ilog2() | number as i32;
    }
    let mut later = [0; N];
    for key in &keys {
        for (later, other) in later.iter_mut().zip(&keys) {
            *later += i32::from(key > other);
        }
    }
    let (mut times, mut places) = ([0; N], [0; N]);
    today.resize_with(arrivals.len(), || None);
    for ((dated, later), key) in arrivals.drain(..).zip(later).zip(keys) {
        times[later as usize % N] = key >> SHORT.ilog2();
        places[later as usize % N] = dated.1.place();
        today[later as usize] = Some(dated);
    }
    // Messages that arrive together at several places may not be sorted by place yet. That is rare.
    let is_wrong = |next| times[next - 1] == times[next] && places[next - 1] < places[next];
    if (1..N).fold(false, |some, next| some | is_wrong(next)) {
        sort_those_together(today);
    }
}

#[cold]
fn sort_those_together<M, S>(today: &mut [Option<Dated<M, S>>]) {
    for end in 1..today.len() {
        let mut place = end;
        while place > 0
            && let [Some(one), Some(other)] = &today[place - 1..=place]
            && one.0 == other.0
            && one.1.place() < other.1.place()
        {
            today.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// A queue by time. A message arrives at most one unit after the last one taken.
#[derive(Clone, Debug)]
pub(crate) struct Calendar<M, S> {
    coarse: Page<M, S, COARSE_WORDS>,
    fine: Page<M, S, FINE_WORDS>,
    /// The logarithm of the width of a coarse slot.
    width: u32,
    /// With `most` messages in slots the slots are made narrower; below `least`, wider.
    most: usize,
    least: usize,
    /// All messages that arrive before `until`, the latest first.
    today: Vec<Option<Dated<M, S>>>,
    until: u64,
    /// When the next coarse slot begins.
    next: u64,
    /// The number of messages in coarse slots.
    length: usize,
    /// Buffers for sorting.
    all: Vec<Dated<M, S>>,
    near: Vec<Dated<M, S>>,
}

#[derive(Clone, Debug)]
struct Page<M, S, const WORDS: usize> {
    slots: Box<[[Slot<M, S>; 64]; WORDS]>,
    /// Bit i: slot i is not empty.
    in_use: [u64; WORDS],
    /// The last slot that is used. The number of used slots is a power of two.
    last: u64,
}

impl<M, S> Calendar<M, S> {
    pub(crate) fn new() -> Self {
        let mut calendar = Self {
            coarse: Page::new(),
            fine: Page::new(),
            width: ENDLESS,
            most: 0,
            least: 0,
            today: Vec::new(),
            until: 0,
            next: 0,
            length: 0,
            all: Vec::new(),
            near: Vec::new(),
        };
        calendar.fold(Span(0));
        calendar
    }

    /// Adds a message that is sent now and arrives at this time.
    // The fields are passed one by one, so nothing takes the address of the mail. Otherwise it would be written, and
    // read back at once.
    #[inline(always)]
    pub(crate) fn push(&mut self, now: Span, time: Span, mail: Mail<M, S>) {
        debug_assert!(now <= time && now.0 < self.until, "it would have arrived before");
        if time.0 >= self.next {
            if self.length >= self.most {
                self.fold(now);
            }
            self.length += 1;
            self.coarse.push(time.0 >> self.width, (time, mail));
        } else {
            let Mail { to, port, stamp, msg } = mail;
            self.push_near(now, time, to, port, stamp, msg);
        }
    }

    /// Adds a message that arrives soon.
    #[inline(never)]
    fn push_near(&mut self, now: Span, time: Span, to: Node, port: Port, stamp: S, msg: M) {
        let dated = (time, Mail { to, port, stamp, msg });
        if time.0 >= self.until {
            return self.fine.push(time.0 >> FINE, dated);
        }
        insert(&mut self.today, dated);
        if self.width == ENDLESS && self.today.len() > 2 * FEW {
            self.fold(now);
        }
    }

    /// Fits the width of the slots to the number of messages under way.
    #[cold]
    #[inline(never)]
    fn fold(&mut self, now: Span) {
        let Self { coarse, fine, today, all, near, .. } = self;
        all.extend(today.drain(..).rev().flatten());
        while let Some(slot) = fine.next(self.until >> FINE) {
            all.append(fine.take(slot));
        }
        while let Some(slot) = coarse.next(self.next >> self.width) {
            all.append(coarse.take(slot));
        }
        (self.width, self.most, self.least) = match all.len() {
            ..=FEW => (ENDLESS, usize::MAX, 0),
            length => match (FEW << 20).div_euclid(length).max(1).ilog2() {
                ..=COARSE => (COARSE, usize::MAX, length / 4),
                width => (width, 2 * length, length / 4),
            },
        };
        coarse.shrink((Span::UNIT.0 >> self.width) + 2);
        let slot = now.0 >> self.width;
        self.next = (slot + 1) << self.width;
        self.until = self.next;
        near.extend(all.extract_if(.., |(time, _)| time.0 < self.next));
        put_in_order(near, now.0, today);
        self.length = all.len();
        all.drain(..).for_each(|dated| coarse.push(dated.0.0 >> self.width, dated));
    }

    /// The time of the next arrival. The clock stays: a message that arrives earlier may still be sent.
    pub(crate) fn next_time(&self) -> Option<Span> {
        if let Some((time, _)) = self.today.last().and_then(Option::as_ref) {
            return Some(*time);
        }
        let slot = match self.fine.next(self.until >> FINE) {
            Some(slot) => self.fine.slot(slot),
            None => self.coarse.slot(self.coarse.next(self.next >> self.width)?),
        };
        slot.iter().map(|(time, _)| *time).min()
    }

    /// Moves the clock to a time before which nothing arrives any more.
    #[inline]
    pub(crate) fn set_now(&mut self, now: Span) {
        if now.0 >= self.until {
            debug_assert!(self.today.is_empty(), "something arrives before");
            self.open(now.0, |_| ());
        }
    }

    /// Whether no message is left for today. Then the page must be turned.
    #[inline]
    pub(crate) fn is_read(&self) -> bool {
        self.today.is_empty()
    }

    /// Takes the next message of today.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Dated<M, S>> {
        self.today.pop().flatten()
    }

    /// Moves the clock to the next arrival, if there is one. Calls `soon` with the nodes that will receive something
    /// soon.
    #[inline(never)]
    pub(crate) fn turn_page(&mut self, mut soon: impl FnMut(Node)) {
        if self.length < self.least {
            self.fold(Span(self.until));
        }
        while self.today.is_empty() {
            let time = match self.fine.next(self.until >> FINE) {
                Some(slot) => slot << FINE,
                None => match self.coarse.next(self.next >> self.width) {
                    Some(slot) => slot << self.width,
                    None => return,
                },
            };
            self.open(time, &mut soon);
        }
    }

    /// Moves the clock to this time. The messages of the slots that it enters become today's, or are spread over the
    /// fine page.
    #[inline]
    fn open(&mut self, now: u64, mut soon: impl FnMut(Node)) {
        let Self { coarse, fine, today, width, .. } = self;
        if now >= self.next {
            let slot = now >> *width;
            self.next = (slot + 1) << *width;
            let arrivals = coarse.take(slot);
            self.length -= arrivals.len();
            arrivals.iter().for_each(|(_, mail)| soon(mail.to));
            if arrivals.len() <= SHORT || *width > COARSE {
                self.until = self.next;
                return put_in_order(arrivals, slot << *width, today);
            }
            arrivals.drain(..).for_each(|dated| fine.push(dated.0.0 >> FINE, dated));
        }
        let slot = now >> FINE;
        self.until = (slot + 1) << FINE;
        put_in_order(fine.take(slot), slot << FINE, today);
    }
}

impl<M, S, const WORDS: usize> Page<M, S, WORDS> {
    fn new() -> Self {
        let slots = Box::new([const { [const { Vec::new() }; 64] }; WORDS]);
        Self { slots, in_use: [0; WORDS], last: 64 * WORDS as u64 - 1 }
    }

    /// Uses as few slots as possible, so that memory is reused while it is in the cache. No slot may be in use.
    fn shrink(&mut self, slots: u64) {
        self.last = slots.next_power_of_two().min(64 * WORDS as u64) - 1;
    }

    /// The word and the bit of a slot. Slots are counted from the beginning of time.
    #[inline]
    fn place(&self, slot: u64) -> (usize, usize) {
        let place = (slot & self.last) as usize;
        (place / 64 % WORDS, place % 64)
    }

    #[inline]
    fn slot(&self, slot: u64) -> &[Dated<M, S>] {
        let (word, bit) = self.place(slot);
        &self.slots[word][bit]
    }

    #[inline(always)]
    fn push(&mut self, slot: u64, dated: Dated<M, S>) {
        let (word, bit) = self.place(slot);
        self.in_use[word] |= 1 << bit;
        self.slots[word][bit].push(dated);
    }

    /// The first slot that is not empty, from this one on.
    #[inline]
    fn next(&self, slot: u64) -> Option<u64> {
        let (word, bit) = self.place(slot);
        let here = self.in_use[word] >> bit;
        if here != 0 {
            return Some(slot + u64::from(here.trailing_zeros()));
        }
        // Then the following words, round to this one again.
        let found = (word + 1..=word + WORDS).find(|word| self.in_use[word % WORDS] != 0)? % WORDS;
        let place = 64 * found as u64 + u64::from(self.in_use[found].trailing_zeros());
        Some(slot + (place.wrapping_sub(slot) & self.last))
    }

    /// Takes a slot: the caller must empty the list.
    #[inline]
    fn take(&mut self, slot: u64) -> &mut Slot<M, S> {
        let (word, bit) = self.place(slot);
        self.in_use[word] &= !(1 << bit);
        &mut self.slots[word][bit]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// What a test does: sends `crowd` messages with delays near this one, takes some, or moves the clock.
    #[derive(Clone, Debug)]
    enum Operation {
        Send { crowd: u64, delay: u64, to: u32, port: u32 },
        Take(usize),
        Wait,
    }

    fn operation() -> impl Strategy<Value = Operation> {
        let crowd = prop_oneof![8 => 1..4u64, 4 => 20..60u64, 1 => 3_000..5_000u64];
        let send = (crowd, 1..=Span::UNIT.0, 0u32..3, 0u32..2);
        prop_oneof![
            2 => send.prop_map(|(crowd, delay, to, port)| Operation::Send { crowd, delay, to, port }),
            2 => prop_oneof![6 => 1..9usize, 4 => 10..60usize, 1 => 100..4_000usize].prop_map(Operation::Take),
            1 => Just(Operation::Wait),
        ]
    }

    #[test]
    fn any_number_under_way_stays_in_order() {
        for under_way in 1..80 {
            let (mut calendar, mut model) = (Calendar::new(), BTreeSet::new());
            let (mut now, mut bits) = (Span(0), 1u64);
            for sent in 0..1_000 {
                bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let time = Span(now.0 + (bits >> 33) % Span::UNIT.0 + 1);
                calendar.push(now, time, Mail { to: sent, port: Port(0), stamp: (), msg: () });
                model.insert((time, sent));
                // At first they accumulate, so that slots are narrow. Later no more are left than asked for.
                while model.len() > if sent < 400 { 5 * under_way } else { under_way } {
                    if calendar.is_read() {
                        calendar.turn_page(|_| ());
                    }
                    let taken = calendar.pop().map(|(time, mail)| (time, mail.to));
                    assert_eq!(taken, model.pop_first());
                    now = taken.map_or(now, |(time, _)| time);
                }
            }
        }
    }

    proptest! {
        /// Against the obvious model: first by time, then by receiver and port, then by sending.
        #[test]
        fn mail_comes_in_order_of_time_place_and_sending(
            operations in prop::collection::vec(operation(), 1..120),
            step in prop_oneof![Just(1), Just(250_000u64)],
        ) {
            let mut calendar = Calendar::new();
            let mut model: BTreeSet<(Span, u32, u32, usize)> = BTreeSet::new();
            let (mut now, mut sent) = (Span(0), 0);
            for operation in operations {
                let first = model.first().copied();
                prop_assert_eq!(calendar.next_time(), first.map(|(time, ..)| time));
                match operation {
                    Operation::Send { crowd, delay, to, port } => for number in 0..crowd {
                        let delay = (delay * (number + 1) % Span::UNIT.0 + 1).next_multiple_of(step);
                        let (time, port) = (Span(now.0 + delay), port ^ (number % 2) as u32);
                        calendar.push(now, time, Mail { to, port: Port(port), stamp: sent, msg: () });
                        model.insert((time, to, port, sent));
                        sent += 1;
                    },
                    Operation::Take(count) => for _ in 0..count {
                        if calendar.is_read() {
                            calendar.turn_page(|_| ());
                        }
                        let popped = calendar.pop().map(|(time, mail)| (time, mail.to, mail.port.0, mail.stamp));
                        let expected = model.pop_first();
                        prop_assert_eq!(popped, expected);
                        let Some((time, ..)) = expected else { break };
                        now = time;
                    },
                    // The clock moves, but not beyond the next arrival.
                    Operation::Wait => {
                        let next = first.map_or(Span(now.0 + 3_000_000), |(time, ..)| time);
                        now = Span(now.0.midpoint(next.0));
                        calendar.set_now(now);
                    }
                }
            }
        }
    }
}
