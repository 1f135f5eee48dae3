//! Messages of random delay: a calendar whose slots are as wide as suits what is under way (Brown, 1988), so that about a dozen
//! messages arrive in each of them.
//!
//! A few messages are simply kept in order. More are put into slots, five hundred at most: few enough for their ends to stay
//! in the cache. When the clock reaches a slot, what is in it is put in order. Where too much is under way for that, a slot
//! is first spread over a finer page. Each page remembers which of its slots are in use in the bits of a few numbers.

use bellwether_core::{Port, Span};
use bellwether_world::Node;

use crate::unit_queue::Mail;

/// A slot spans 2^11 millionths at least, one of the fine page 2^5.
const COARSE: u32 = 11;
const FINE: u32 = 5;
/// The width of a slot in which all time lies.
const ENDLESS: u32 = 63;
/// How many words of slots a page has: the fine one covers a slot of the coarse one, and that covers every delay.
const COARSE_WORDS: usize = 8;
const FINE_WORDS: usize = 1;
const _: () = assert!((64 * COARSE_WORDS as u64 - 1) << COARSE > Span::UNIT.0);
const _: () = assert!(64 * FINE_WORDS as u64 == 1 << (COARSE - FINE));
/// Up to this many messages are kept sorted without slots. With more, slots are made to hold about as many each.
const FEW: usize = 16;
/// A slot of up to this many messages is sorted by insertion.
const VERY_FEW: usize = 6;
/// A slot of up to this many messages is sorted by counting ranks, without branches. A longer one is first spread over the
/// fine page.
const SHORT: usize = 32;

type Dated<M, S> = (Span, Mail<M, S>);

/// What arrives within some time, as it was sent.
type Slot<M, S> = Vec<Dated<M, S>>;

/// Time, receiver and port as one number, in their order.
#[inline]
fn order<M, S>((time, mail): &Dated<M, S>) -> u128 {
    u128::from(time.0) << 64 | u128::from(mail.place())
}

/// Puts one more into a list of the latest first: behind its equals, which were sent before.
#[inline]
fn insert<M, S>(today: &mut Vec<Option<Dated<M, S>>>, dated: Dated<M, S>) {
    let is_later = |other: &&Option<Dated<M, S>>| other.as_ref().is_some_and(|other| order(other) > order(&dated));
    let place = today.iter().take_while(is_later).count();
    today.insert(place, Some(dated));
}

/// Moves what arrives from this time on to an empty list: the latest first, and of those that arrive together the one that
/// was sent last.
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

/// The same for at most `N`. Each goes where as many are before it as are later: the processor need not guess how a comparison
/// ends.
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
    // Those that arrive together at several places may not stand in the order of these; it is seldom so.
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

/// A queue by time, for mail at most one unit ahead of the last one taken.
#[derive(Clone, Debug)]
pub(crate) struct Calendar<M, S> {
    coarse: Page<M, S, COARSE_WORDS>,
    fine: Page<M, S, FINE_WORDS>,
    /// The logarithm of the width of a coarse slot.
    width: u32,
    /// From `most` messages in slots on they are made narrower, below `least` wider.
    most: usize,
    least: usize,
    /// What arrives next, latest first: all that does before this time.
    today: Vec<Option<Dated<M, S>>>,
    until: u64,
    /// When the next coarse slot begins.
    next: u64,
    /// How many are in coarse slots.
    length: usize,
    /// Room for putting things in order.
    all: Vec<Dated<M, S>>,
    near: Vec<Dated<M, S>>,
}

#[derive(Clone, Debug)]
struct Page<M, S, const WORDS: usize> {
    slots: Box<[[Slot<M, S>; 64]; WORDS]>,
    /// Bit by bit: slot i is not empty.
    in_use: [u64; WORDS],
    /// The last of those that are used in turn: one less than a power of two.
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

    /// Puts in what is sent now and arrives at this time.
    // Mail whose address nobody takes goes to its list field by field; else it would be written, and read back at once.
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

    /// What arrives soon.
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

    /// Makes slots as wide as suits what is under way.
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

    /// The time of the next arrival. The clock does not go on: something may still be sent before.
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

    /// Goes on to a time before which nothing arrives any more.
    #[inline]
    pub(crate) fn set_now(&mut self, now: Span) {
        if now.0 >= self.until {
            debug_assert!(self.today.is_empty(), "something arrives before");
            self.open(now.0, |_| ());
        }
    }

    /// Whether nothing is left of today: then the page must be turned.
    #[inline]
    pub(crate) fn is_read(&self) -> bool {
        self.today.is_empty()
    }

    /// Takes what arrives next today.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Dated<M, S>> {
        self.today.pop().flatten()
    }

    /// Goes on to the next time at which something arrives, if there is any. Tells `soon` who will receive something before
    /// long.
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

    /// Goes on to this time: what is in the slots that it enters becomes today's, or is spread over the finer page.
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

    /// Makes do with as few slots as can be told apart, while none is in use: what was just read is written again.
    fn shrink(&mut self, slots: u64) {
        self.last = slots.next_power_of_two().min(64 * WORDS as u64) - 1;
    }

    /// The word and the bit of a slot that is counted from the beginning of time.
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
        // Then the words that follow, round to this one again.
        let found = (word + 1..=word + WORDS).find(|word| self.in_use[word % WORDS] != 0)? % WORDS;
        let place = 64 * found as u64 + u64::from(self.in_use[found].trailing_zeros());
        Some(slot + (place.wrapping_sub(slot) & self.last))
    }

    /// What is in a slot, to be taken out.
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

    /// What a test does: sends so many messages with delays about this one, takes so many, or lets the clock go on.
    #[derive(Clone, Debug)]
    enum Deed {
        Send { crowd: u64, delay: u64, to: u32, port: u32 },
        Take(usize),
        Wait,
    }

    fn deed() -> impl Strategy<Value = Deed> {
        let crowd = prop_oneof![8 => 1..4u64, 4 => 20..60u64, 1 => 3_000..5_000u64];
        let send = (crowd, 1..=Span::UNIT.0, 0u32..3, 0u32..2);
        prop_oneof![
            2 => send.prop_map(|(crowd, delay, to, port)| Deed::Send { crowd, delay, to, port }),
            2 => prop_oneof![6 => 1..9usize, 4 => 10..60usize, 1 => 100..4_000usize].prop_map(Deed::Take),
            1 => Just(Deed::Wait),
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
                // At first they gather, so that slots are narrow; then no more are left than asked for.
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
        /// Against the obvious way: of those that arrive first the lowest receiver and port, of these the one sent first.
        #[test]
        fn mail_comes_in_order_of_time_place_and_sending(
            deeds in prop::collection::vec(deed(), 1..120),
            step in prop_oneof![Just(1), Just(250_000u64)],
        ) {
            let mut calendar = Calendar::new();
            let mut model: BTreeSet<(Span, u32, u32, usize)> = BTreeSet::new();
            let (mut now, mut sent) = (Span(0), 0);
            for deed in deeds {
                let first = model.first().copied();
                prop_assert_eq!(calendar.next_time(), first.map(|(time, ..)| time));
                match deed {
                    Deed::Send { crowd, delay, to, port } => for number in 0..crowd {
                        let delay = (delay * (number + 1) % Span::UNIT.0 + 1).next_multiple_of(step);
                        let (time, port) = (Span(now.0 + delay), port ^ (number % 2) as u32);
                        calendar.push(now, time, Mail { to, port: Port(port), stamp: sent, msg: () });
                        model.insert((time, to, port, sent));
                        sent += 1;
                    },
                    Deed::Take(count) => for _ in 0..count {
                        if calendar.is_read() {
                            calendar.turn_page(|_| ());
                        }
                        let popped = calendar.pop().map(|(time, mail)| (time, mail.to, mail.port.0, mail.stamp));
                        let expected = model.pop_first();
                        prop_assert_eq!(popped, expected);
                        let Some((time, ..)) = expected else { break };
                        now = time;
                    },
                    // The clock goes on, but not beyond the next arrival.
                    Deed::Wait => {
                        let next = first.map_or(Span(now.0 + 3_000_000), |(time, ..)| time);
                        now = Span(now.0.midpoint(next.0));
                        calendar.set_now(now);
                    }
                }
            }
        }
    }
}
