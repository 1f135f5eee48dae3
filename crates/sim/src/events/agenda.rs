//! What is under way, and when it arrives.

use bellwether_core::Span;
use bellwether_world::random::{Purpose, Stream};
use bellwether_world::{Scenario, Timing, Wiring};

use crate::calendar::Calendar;
use crate::instants::{Block, Instants, Mail};

/// A queue of deliveries with a clock.
pub(super) trait Agenda<M, S> {
    /// The time of the last delivery, or of the last timer.
    fn now(&self) -> Span;

    /// Moves the clock to a moment at which nothing is delivered.
    fn set_now(&mut self, now: Span);

    /// Sends a message now, in this direction of a link.
    fn push(&mut self, direction: usize, mail: Mail<M, S>);

    /// When the next delivery is.
    fn next_time(&self) -> Option<Span>;

    /// Takes the next deliveries, all of one instant and at most so many; the clock goes on to their time.
    fn next_block(&mut self, block: &mut Block<M, S>, most: usize);
}

/// Every message takes one unit.
pub(super) struct Unit<M, S> {
    instants: Instants<M, S>,
    now: Span,
}

impl<M, S> Unit<M, S> {
    pub(super) fn new() -> Self {
        Self { instants: Instants::new(), now: Span(0) }
    }
}

impl<M, S> Agenda<M, S> for Unit<M, S> {
    #[inline]
    fn now(&self) -> Span {
        self.now
    }

    fn set_now(&mut self, _: Span) {
        unreachable!("where there are timers messages are in the other agenda");
    }

    #[inline]
    fn push(&mut self, _: usize, mail: Mail<M, S>) {
        self.instants.push(mail);
    }

    fn next_time(&self) -> Option<Span> {
        unreachable!("where there are timers messages are in the other agenda");
    }

    fn next_block(&mut self, block: &mut Block<M, S>, most: usize) {
        self.instants.next_block(block, most);
        if block.is_empty() && !self.instants.is_empty() {
            self.now.0 += Span::UNIT.0;
            if !self.instants.advance_by_exchange(block, most) {
                self.instants.advance();
                self.instants.next_block(block, most);
            }
        }
    }
}

/// Every message has a delay of its own.
pub(super) struct Delayed<M, S> {
    calendar: Calendar<M, S>,
    now: Span,
    timing: Timing,
    delays: Stream,
    /// By direction of a link: when the last message on it arrives. Empty where messages may overtake each other.
    last: Vec<Span>,
}

impl<M, S> Delayed<M, S> {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let directions = if scenario.timing.is_fifo() { 2 * scenario.topology.links() as usize } else { 0 };
        Self {
            calendar: Calendar::new(),
            now: Span(0),
            timing: scenario.timing,
            delays: Stream::new(scenario.seed, Purpose::Delays),
            last: vec![Span(0); directions],
        }
    }
}

impl<M, S> Agenda<M, S> for Delayed<M, S> {
    #[inline]
    fn now(&self) -> Span {
        self.now
    }

    fn set_now(&mut self, now: Span) {
        self.now = now;
        self.calendar.set_now(now);
    }

    #[inline]
    fn push(&mut self, direction: usize, mail: Mail<M, S>) {
        let delay = match self.timing {
            Timing::Rounds | Timing::Unit => Span::UNIT,
            Timing::Uniform | Timing::Reorder => self.delays.uniform_delay(),
            Timing::Exponential => self.delays.exponential_delay(),
        };
        let mut time = Span(self.now.0 + delay.0);
        // On a link in order nothing arrives before what was sent before; that still is within one unit.
        if let Some(last) = self.last.get_mut(direction) {
            time = time.max(*last);
            *last = time;
        }
        self.calendar.push(time, mail);
    }

    fn next_time(&self) -> Option<Span> {
        self.calendar.next_time()
    }

    /// One at a time: what a delivery sends may arrive before the next one.
    #[inline]
    fn next_block(&mut self, block: &mut Block<M, S>, _: usize) {
        if let Some((time, mail)) = self.calendar.pop() {
            self.now = time;
            block.push(mail);
        }
    }
}
