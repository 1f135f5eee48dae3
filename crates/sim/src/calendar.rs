//! Messages of random delay: a calendar with two kinds of pages, one for the whole next unit and one for its next part.
//!
//! What is sent goes to the end of one of five hundred lists: few enough for their ends to stay in the cache (with two
//! thousand it takes a third longer). When the clock reaches a list, a short one is put in order as it stands; a long one
//! is first spread over a finer page, so that only what arrives within 32 millionths of a unit is compared. Each page remembers which of its
//! slots are in use in the bits of a few numbers.

use bellwether_core::{Port, Span};
use bellwether_world::Node;

use crate::instants::Mail;

/// A slot of the coarse page spans 2^11 millionths, one of the fine page 2^5.
const COARSE: u32 = 11;
const FINE: u32 = 5;
/// How many words of slots a page has: the fine one covers a slot of the coarse one, and that covers every delay.
const COARSE_WORDS: usize = 8;
const FINE_WORDS: usize = 1;
const _: () = assert!((64 * COARSE_WORDS as u64 - 1) << COARSE > Span::UNIT.0);
const _: () = assert!(64 * FINE_WORDS as u64 == 1 << (COARSE - FINE));
/// A list of no more is put in order as it stands.
const SHORT: usize = 6;

type Dated<M, S> = (Span, Mail<M, S>);

/// Time, receiver and port as one number, in their order.
#[inline]
fn order<M, S>((time, mail): &Dated<M, S>) -> u128 {
    u128::from(time.0) << 64 | u128::from(mail.place())
}

/// The latest first, and of those that arrive together the one that was sent last.
#[inline]
fn put_in_order<M, S>(arrivals: &mut [Dated<M, S>]) {
    if arrivals.len() > SHORT {
        arrivals.sort_by_key(order);
        return arrivals.reverse();
    }
    for end in 1..arrivals.len() {
        let mut place = end;
        while place > 0 && order(&arrivals[place - 1]) <= order(&arrivals[place]) {
            arrivals.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// A queue by time, for mail at most one unit ahead of the last one taken.
#[derive(Clone, Debug)]
pub(crate) struct Calendar<M, S> {
    coarse: Page<M, S, COARSE_WORDS>,
    fine: Page<M, S, FINE_WORDS>,
    /// What arrives next, latest first: all that does before this time.
    today: Vec<Dated<M, S>>,
    until: u64,
    /// The time of the last arrival, or a little before it.
    now: u64,
}

#[derive(Clone, Debug)]
struct Page<M, S, const WORDS: usize> {
    slots: Vec<Vec<Dated<M, S>>>,
    /// Bit by bit: slot i is not empty.
    in_use: [u64; WORDS],
}

impl<M, S> Calendar<M, S> {
    pub(crate) fn new() -> Self {
        Self { coarse: Page::new(), fine: Page::new(), today: Vec::new(), until: 0, now: 0 }
    }

    // Mail whose address nobody takes goes to its list field by field; else it would be written, and read back at once.
    #[inline(always)]
    pub(crate) fn push(&mut self, time: Span, mail: Mail<M, S>) {
        debug_assert!(time.0 >= self.now, "it would have arrived before");
        if time.0 >> COARSE != self.now >> COARSE {
            self.coarse.push(time.0 >> COARSE, (time, mail));
        } else {
            let Mail { to, port, stamp, msg } = mail;
            self.push_near(time, to, port, stamp, msg);
        }
    }

    /// What arrives very soon.
    #[cold]
    fn push_near(&mut self, time: Span, to: Node, port: Port, stamp: S, msg: M) {
        let dated = (time, Mail { to, port, stamp, msg });
        if time.0 >= self.until {
            return self.fine.push(time.0 >> FINE, dated);
        }
        // Behind its equals, which were sent before.
        let place = self.today.partition_point(|other| order(other) > order(&dated));
        self.today.insert(place, dated);
    }

    /// The time of the next arrival. The clock does not go on: something may still be sent before.
    pub(crate) fn next_time(&self) -> Option<Span> {
        if let Some((time, _)) = self.today.last() {
            return Some(*time);
        }
        let slot = match self.fine.next(self.now >> FINE) {
            Some(slot) => self.fine.slot(slot),
            None => self.coarse.slot(self.coarse.next(self.now >> COARSE)?),
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

    /// Takes what arrives next. Tells `soon` who will receive something before long.
    #[inline]
    pub(crate) fn pop(&mut self, soon: impl FnMut(Node)) -> Option<Dated<M, S>> {
        if self.today.is_empty() {
            self.turn_page(soon);
        }
        self.today.pop()
    }

    /// Goes on to the next time at which something arrives, if there is any.
    fn turn_page(&mut self, mut soon: impl FnMut(Node)) {
        while self.today.is_empty() {
            let time = match self.fine.next(self.now >> FINE) {
                Some(slot) => slot << FINE,
                None => match self.coarse.next(self.now >> COARSE) {
                    Some(slot) => slot << COARSE,
                    None => return,
                },
            };
            self.open(time, &mut soon);
        }
    }

    /// Goes on to this time: what is in the slots that it enters becomes today's, or is spread over the finer page.
    #[inline]
    fn open(&mut self, now: u64, mut soon: impl FnMut(Node)) {
        let before = std::mem::replace(&mut self.now, now);
        let Self { coarse, fine, today, .. } = self;
        self.until = ((now >> FINE) + 1) << FINE;
        if now >> COARSE != before >> COARSE {
            let arrivals = coarse.take(now >> COARSE);
            arrivals.iter().for_each(|(_, mail)| soon(mail.to));
            if arrivals.len() <= SHORT {
                self.until = ((now >> COARSE) + 1) << COARSE;
                today.append(arrivals);
                return put_in_order(today);
            }
            arrivals.drain(..).for_each(|dated| fine.push(dated.0.0 >> FINE, dated));
        }
        today.append(fine.take(now >> FINE));
        put_in_order(today);
    }
}

impl<M, S, const WORDS: usize> Page<M, S, WORDS> {
    fn new() -> Self {
        Self { slots: (0..64 * WORDS).map(|_| Vec::new()).collect(), in_use: [0; WORDS] }
    }

    /// Where a slot stands that is counted from the beginning of time.
    #[inline]
    fn place(slot: u64) -> usize {
        (slot % (64 * WORDS as u64)) as usize
    }

    #[inline]
    fn slot(&self, slot: u64) -> &[Dated<M, S>] {
        &self.slots[Self::place(slot)]
    }

    #[inline(always)]
    fn push(&mut self, slot: u64, dated: Dated<M, S>) {
        let place = Self::place(slot);
        self.in_use[place / 64] |= 1 << (place % 64);
        self.slots[place].push(dated);
    }

    /// The first slot that is not empty, from this one on.
    #[inline]
    fn next(&self, slot: u64) -> Option<u64> {
        let (word, bit) = (Self::place(slot) / 64, Self::place(slot) % 64);
        let here = self.in_use[word] >> bit;
        if here != 0 {
            return Some(slot + u64::from(here.trailing_zeros()));
        }
        // Then the words that follow, round to this one again.
        let start = slot - bit as u64;
        (1..=WORDS).find_map(|further| {
            let bits = self.in_use[(word + further) % WORDS];
            (bits != 0).then(|| start + 64 * further as u64 + u64::from(bits.trailing_zeros()))
        })
    }

    /// What is in a slot, to be taken out.
    #[inline]
    fn take(&mut self, slot: u64) -> &mut Vec<Dated<M, S>> {
        let place = Self::place(slot);
        self.in_use[place / 64] &= !(1 << (place % 64));
        &mut self.slots[place]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against the obvious way: of those that arrive first the lowest receiver and port, of these the one sent first.
        #[test]
        fn mail_comes_in_order_of_time_place_and_sending(
            steps in prop::collection::vec(prop::option::weighted(0.6, (1..=Span::UNIT.0, 0u32..3, 0u32..2)), 1..300),
            coarse in any::<bool>(),
        ) {
            let mut calendar = Calendar::new();
            let mut model: Vec<(Span, u32, u32, usize)> = Vec::new();
            let mut now = Span(0);
            let mut idle = false;
            for (stamp, step) in steps.into_iter().enumerate() {
                match step {
                    Some((delay, to, port)) => {
                        let delay = if coarse { delay.next_multiple_of(250_000) } else { delay };
                        let time = Span(now.0 + delay);
                        calendar.push(time, Mail { to, port: Port(port), stamp, msg: () });
                        model.push((time, to, port, stamp));
                    }
                    // The clock goes on, but not beyond the next arrival.
                    None if idle => {
                        let next = model.iter().map(|&(time, ..)| time).min().unwrap_or(Span(now.0 + 3_000_000));
                        prop_assert_eq!(calendar.next_time(), model.iter().map(|&(time, ..)| time).min());
                        now = Span(now.0.midpoint(next.0));
                        calendar.set_now(now);
                        idle = false;
                    }
                    None => {
                        idle = true;
                        let next = model.iter().copied().min();
                        model.retain(|&mail| Some(mail) != next);
                        prop_assert_eq!(calendar.next_time(), next.map(|(time, ..)| time));
                        let popped = calendar.pop(|_| ()).map(|(time, mail)| (time, mail.to, mail.port.0, mail.stamp));
                        prop_assert_eq!(popped, next);
                        now = next.map_or(now, |(time, ..)| time);
                    }
                }
            }
        }
    }
}
