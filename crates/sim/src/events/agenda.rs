//! What is under way, and when it arrives.

use std::collections::BTreeMap;

use bellwether_core::Span;
use bellwether_world::random::{Purpose, Stream};
use bellwether_world::{Scenario, Timing, Wiring};

use crate::calendar::Calendar;
use crate::instants::{Block, Instants, Mail};

/// A queue of deliveries. The clock is its owner's: `now` never goes back, and never beyond the next delivery.
pub(super) trait Agenda<M, S> {
    /// Whether messages may be slow or late here: elsewhere every one takes its usual time.
    const PATIENT: bool;

    /// Sends a message in this direction of a link.
    fn push(&mut self, now: Span, direction: usize, pace: Pace, mail: Mail<M, S>);

    /// When the next delivery is.
    fn next_time(&self, now: Span) -> Option<Span>;

    /// Takes the next deliveries, all of one instant and at most so many, and says when it is.
    fn next_block(&mut self, now: Span, block: &mut Block<M, S>, most: usize) -> Span;
}

/// How a message goes.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// How many times as long as usual it takes.
    pub(super) slowness: u32,
    /// Whether it takes a unit more, and others may overtake it.
    pub(super) late: bool,
}

impl Pace {
    pub(super) const USUAL: Self = Self { slowness: 1, late: false };
}

/// Every message takes one unit.
pub(super) struct Unit<M, S>(Instants<M, S>);

impl<M, S> Unit<M, S> {
    pub(super) fn new() -> Self {
        Self(Instants::new())
    }
}

impl<M, S> Agenda<M, S> for Unit<M, S> {
    const PATIENT: bool = false;

    #[inline]
    fn push(&mut self, _: Span, _: usize, _: Pace, mail: Mail<M, S>) {
        self.0.push(mail);
    }

    fn next_time(&self, now: Span) -> Option<Span> {
        let wait = if self.0.has_present() { 0 } else { Span::UNIT.0 };
        (!self.0.is_empty()).then_some(Span(now.0 + wait))
    }

    fn next_block(&mut self, now: Span, block: &mut Block<M, S>, most: usize) -> Span {
        self.0.next_block(block, most);
        if !block.is_empty() || self.0.is_empty() {
            return now;
        }
        if !self.0.advance_by_exchange(block, most) {
            self.0.advance();
            self.0.next_block(block, most);
        }
        Span(now.0 + Span::UNIT.0)
    }
}

/// Every message has a delay of its own.
pub(super) struct Delayed<M, S> {
    /// What arrives within a unit.
    calendar: Calendar<M, S>,
    /// What arrives later than that.
    later: BTreeMap<Span, Vec<Mail<M, S>>>,
    timing: Timing,
    delays: Stream,
    /// By direction of a link: when the last message on it arrives. Empty where messages may overtake each other.
    last: Vec<Span>,
}

impl<M, S> Delayed<M, S> {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self {
            calendar: Calendar::new(),
            later: BTreeMap::new(),
            timing: scenario.timing,
            delays: Stream::new(scenario.seed, Purpose::Delays),
            last: vec![Span(0); Self::remembered(scenario)],
        }
    }

    /// How many directions of links it must remember something of.
    fn remembered(scenario: &Scenario) -> usize {
        if scenario.timing.is_fifo() { 2 * scenario.topology.links() as usize } else { 0 }
    }

    /// The bytes that it needs before anything is sent.
    pub(super) fn bytes(scenario: &Scenario) -> usize {
        Self::remembered(scenario) * size_of::<Span>()
    }

    /// What arrives within a unit from now goes into the calendar.
    fn draw_near(&mut self, now: Span) {
        while let Some(first) = self.later.first_entry().filter(|first| first.key().0 <= now.0 + Span::UNIT.0) {
            let (time, mails) = first.remove_entry();
            mails.into_iter().for_each(|mail| self.calendar.push(time, mail));
        }
    }
}

impl<M, S> Agenda<M, S> for Delayed<M, S> {
    const PATIENT: bool = true;

    #[inline]
    fn push(&mut self, now: Span, direction: usize, Pace { slowness, late }: Pace, mail: Mail<M, S>) {
        let delay = match self.timing {
            Timing::Rounds | Timing::Unit | Timing::Live(_) | Timing::Chosen(_) => Span::UNIT,
            Timing::Uniform | Timing::Reorder => self.delays.uniform_delay(),
            Timing::Exponential => self.delays.exponential_delay(),
        };
        self.calendar.set_now(now);
        let mut time = Span(now.0 + delay.0 * u64::from(slowness));
        if late {
            time.0 += Span::UNIT.0;
        } else if let Some(last) = self.last.get_mut(direction) {
            // On a link in order nothing arrives before what was sent before; that still is within one unit.
            time = time.max(*last);
            *last = time;
        }
        if time.0 <= now.0 + Span::UNIT.0 {
            if !self.later.is_empty() {
                self.draw_near(now); // what was sent before comes first
            }
            self.calendar.push(time, mail);
        } else {
            self.later.entry(time).or_default().push(mail);
        }
    }

    fn next_time(&self, _: Span) -> Option<Span> {
        self.calendar.next_time().into_iter().chain(self.later.keys().next().copied()).min()
    }

    /// One at a time: what a delivery sends may arrive before the next one.
    #[inline]
    fn next_block(&mut self, now: Span, block: &mut Block<M, S>, _: usize) -> Span {
        if !self.later.is_empty() {
            let now = self.next_time(now).unwrap_or(now);
            self.calendar.set_now(now);
            self.draw_near(now);
        }
        let Some((time, mail)) = self.calendar.pop() else { return now };
        block.push(mail);
        time
    }
}
