//! Messages of random delay: a calendar with three kinds of pages, for the near, the middle and the far future.
//!
//! A page is divided into 64 slots, and each slot of a page is a whole page of the next finer kind. What is sent goes into
//! the finest page that covers its time; when the clock reaches a slot, what is in it is spread over the next finer page,
//! and a slot of the finest is put in order. So a message is moved three times at most, always to the end of one of few
//! lists, and only what arrives within eight millionths of a unit is compared. Each page remembers its slots in use in
//! the bits of one number.

use bellwether_core::Span;
use bellwether_world::Node;

use crate::instants::Mail;

const SLOTS: u64 = 64;
/// Slots of a page, from the finest on, span 2^3, 2^9 and 2^15 millionths.
const WIDTHS: [u32; 3] = [3, 9, 15];
const _: () = assert!((SLOTS - 1) << WIDTHS[2] > Span::UNIT.0, "the coarsest page covers every delay");

type Dated<M, S> = (Span, Mail<M, S>);

/// Time, receiver and port as one number, in their order.
#[inline]
fn order<M, S>((time, mail): &Dated<M, S>) -> u128 {
    u128::from(time.0) << 64 | u128::from(mail.place())
}

/// A queue by time, for mail at most one unit ahead of the last one taken.
#[derive(Clone, Debug)]
pub(crate) struct Calendar<M, S> {
    pages: [Page<M, S>; WIDTHS.len()],
    /// The finest slot whose time it is, latest first.
    today: Vec<Dated<M, S>>,
    /// The time of the last arrival, or a little before it.
    now: u64,
}

#[derive(Clone, Debug)]
struct Page<M, S> {
    slots: Vec<Vec<Dated<M, S>>>,
    /// Bit i: slot i is not empty.
    in_use: u64,
}

impl<M, S> Calendar<M, S> {
    pub(crate) fn new() -> Self {
        let page = |_| Page { slots: (0..SLOTS).map(|_| Vec::new()).collect(), in_use: 0 };
        Self { pages: WIDTHS.map(page), today: Vec::new(), now: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, time: Span, mail: Mail<M, S>) {
        debug_assert!(time.0 >= self.now, "it would have arrived before");
        let differs = time.0 ^ self.now;
        let [fine, middle, coarse] = &mut self.pages;
        if differs >> WIDTHS[2] != 0 {
            debug_assert!((time.0 >> WIDTHS[2]) - (self.now >> WIDTHS[2]) < SLOTS, "a delay of more than a unit");
            coarse.push(time.0 >> WIDTHS[2], (time, mail));
        } else if differs >> WIDTHS[1] != 0 {
            middle.push(time.0 >> WIDTHS[1], (time, mail));
        } else if differs >> WIDTHS[0] != 0 {
            fine.push(time.0 >> WIDTHS[0], (time, mail));
        } else {
            let dated = (time, mail);
            // Behind its equals, which were sent before.
            let place = self.today.partition_point(|other| order(other) > order(&dated));
            self.today.insert(place, dated);
        }
    }

    /// The time of the next arrival. The clock does not go on: something may still be sent before.
    pub(crate) fn next_time(&self) -> Option<Span> {
        if let Some((time, _)) = self.today.last() {
            return Some(*time);
        }
        let (level, slot) = self.next_slot()?;
        self.pages[level].slots[(slot % SLOTS) as usize].iter().map(|(time, _)| *time).min()
    }

    /// Goes on to a time before which nothing arrives any more.
    #[inline]
    pub(crate) fn set_now(&mut self, now: Span) {
        if (now.0 ^ self.now) >> WIDTHS[0] != 0 {
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
        while self.today.is_empty()
            && let Some((level, slot)) = self.next_slot()
        {
            self.open(slot << WIDTHS[level], &mut soon);
        }
    }

    /// The first slot that is not empty, counted from the beginning of time, and how fine its page is.
    #[inline]
    fn next_slot(&self) -> Option<(usize, u64)> {
        let level = (0..WIDTHS.len()).find(|&level| self.pages[level].in_use != 0)?;
        let here = self.now >> WIDTHS[level];
        let ahead = self.pages[level].in_use.rotate_right((here % SLOTS) as u32).trailing_zeros();
        Some((level, here + u64::from(ahead)))
    }

    /// Goes on to this time: what is in the slots that it enters is spread over finer pages.
    #[inline]
    fn open(&mut self, now: u64, mut soon: impl FnMut(Node)) {
        let entered = now ^ std::mem::replace(&mut self.now, now);
        let [fine, middle, coarse] = &mut self.pages;
        if entered >> WIDTHS[2] != 0 {
            coarse.spread(now >> WIDTHS[2], |dated| middle.push(dated.0.0 >> WIDTHS[1], dated));
        }
        if entered >> WIDTHS[1] != 0 {
            middle.spread(now >> WIDTHS[1], |dated| {
                soon(dated.1.to);
                fine.push(dated.0.0 >> WIDTHS[0], dated);
            });
        }
        fine.spread(now >> WIDTHS[0], |dated| self.today.push(dated));
        if self.today.len() > 1 {
            self.today.sort_by_key(order);
            self.today.reverse();
        }
    }
}

impl<M, S> Page<M, S> {
    #[inline]
    fn push(&mut self, slot: u64, dated: Dated<M, S>) {
        self.in_use |= 1 << (slot % SLOTS);
        self.slots[(slot % SLOTS) as usize].push(dated);
    }

    /// Empties a slot.
    #[inline]
    fn spread(&mut self, slot: u64, finer: impl FnMut(Dated<M, S>)) {
        self.in_use &= !(1 << (slot % SLOTS));
        self.slots[(slot % SLOTS) as usize].drain(..).for_each(finer);
    }
}

#[cfg(test)]
mod tests {
    use bellwether_core::Port;
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
