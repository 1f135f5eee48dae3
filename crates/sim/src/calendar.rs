//! Messages of random delay: a calendar of small buckets, each put in order when its time comes.
//!
//! No delay exceeds one unit, so a ring of buckets that together span a little more holds all that is under way. Pushing is
//! an append to a bucket; when it is reached, a stable sort by time, receiver and port keeps the order of sending among
//! what arrives together. A bitmap finds the next bucket that is not empty.

use bellwether_core::Span;

use crate::instants::Mail;

/// Buckets: a power of two; with their width they span more than one unit.
const BUCKETS: usize = 2048;
/// A bucket spans 2^9 millionths of a unit.
const WIDTH_LOG: u32 = 9;
const _: () = assert!((BUCKETS as u64 - 1) << WIDTH_LOG > Span::UNIT.0);

type Dated<M, S> = (Span, Mail<M, S>);

fn order<M, S>((time, mail): &Dated<M, S>) -> (Span, u64) {
    (*time, mail.place())
}

/// A queue by time, for mail at most one unit ahead of the last one taken.
#[derive(Clone, Debug)]
pub(crate) struct Calendar<M, S> {
    buckets: Vec<Vec<Dated<M, S>>>,
    /// Bit i: bucket i is not empty.
    occupied: [u64; BUCKETS / 64],
    /// The bucket whose time it is, latest first.
    today: Vec<Dated<M, S>>,
    /// The number of today's bucket, counted from the beginning of time.
    day: u64,
    len: usize,
}

impl<M, S> Calendar<M, S> {
    pub(crate) fn new() -> Self {
        Self {
            buckets: (0..BUCKETS).map(|_| Vec::new()).collect(),
            occupied: [0; BUCKETS / 64],
            today: Vec::new(),
            day: 0,
            len: 0,
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, time: Span, mail: Mail<M, S>) {
        self.len += 1;
        let day = time.0 >> WIDTH_LOG;
        if day == self.day {
            let dated = (time, mail);
            // Behind its equals, which were sent before.
            let place = self.today.partition_point(|other| order(other) > order(&dated));
            self.today.insert(place, dated);
        } else {
            debug_assert!(day > self.day && day - self.day < BUCKETS as u64, "a delay of more than a unit");
            let bucket = day as usize % BUCKETS;
            self.buckets[bucket].push((time, mail));
            self.occupied[bucket / 64] |= 1 << (bucket % 64);
        }
    }

    /// The time of the next arrival. The page is not turned: something may still be sent before.
    pub(crate) fn next_time(&self) -> Option<Span> {
        if let Some((time, _)) = self.today.last() {
            return Some(*time);
        }
        let bucket = (self.len > 0).then(|| self.next_occupied())?;
        self.buckets[bucket].iter().map(|(time, _)| *time).min()
    }

    /// Goes on to a time before which nothing arrives any more.
    #[inline]
    pub(crate) fn set_now(&mut self, now: Span) {
        let day = now.0 >> WIDTH_LOG;
        if day > self.day {
            debug_assert!(self.today.is_empty(), "something arrives before");
            self.open(day);
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Dated<M, S>> {
        if self.today.is_empty() {
            self.turn_page();
        }
        let next = self.today.pop()?;
        self.len -= 1;
        Some(next)
    }

    /// Goes on to the next bucket that is not empty, if there is one.
    fn turn_page(&mut self) {
        if self.len > 0 {
            let here = self.day as usize % BUCKETS;
            let ahead = (self.next_occupied() + BUCKETS - here) % BUCKETS;
            self.open(self.day + ahead as u64);
        }
    }

    /// Makes this the day.
    fn open(&mut self, day: u64) {
        self.day = day;
        let bucket = day as usize % BUCKETS;
        self.occupied[bucket / 64] &= !(1 << (bucket % 64));
        std::mem::swap(&mut self.today, &mut self.buckets[bucket]);
        self.today.sort_by_key(order);
        self.today.reverse();
    }

    /// The first occupied bucket from today's on, round the corner if need be.
    fn next_occupied(&self) -> usize {
        let here = self.day as usize % BUCKETS;
        let words = self.occupied.len();
        let masked = |word: usize, from: usize| self.occupied[word] & (u64::MAX << from);
        let first = (here / 64, masked(here / 64, here % 64));
        let others = (1..=words).map(|step| (here / 64 + step) % words).map(|word| (word, masked(word, 0)));
        let found = std::iter::once(first).chain(others).find(|&(_, bits)| bits != 0);
        let (word, bits) = found.expect("something is under way");
        word * 64 + bits.trailing_zeros() as usize
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
                        let popped = calendar.pop().map(|(time, mail)| (time, mail.to, mail.port.0, mail.stamp));
                        prop_assert_eq!(popped, next);
                        now = next.map_or(now, |(time, ..)| time);
                    }
                }
            }
        }
    }
}
