//! The messages under way, with their times of arrival.

use std::collections::BTreeMap;

use bellwether_core::Span;
use bellwether_world::Scenario;

use super::delayed::{DelayLaw, Transit};
use crate::calendar::Calendar;
use crate::unit_queue::Mail;

/// A queue of deliveries that may be slow or late, each with its own delay. Its owner has the clock: `now` never goes
/// back, and never goes beyond the next delivery.
pub(super) struct Agenda<M, S> {
    /// The messages that arrive within one unit.
    calendar: Calendar<M, S>,
    /// The messages that arrive later.
    later: BTreeMap<Span, Vec<Mail<M, S>>>,
    delays: DelayLaw,
}

impl<M, S> Agenda<M, S> {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self { calendar: Calendar::new(), later: BTreeMap::new(), delays: DelayLaw::new(scenario) }
    }

    /// Moves the messages that arrive within one unit from now into the calendar.
    fn draw_near(&mut self, now: Span) {
        while let Some(first) = self.later.first_entry().filter(|first| first.key().0 <= now.0 + Span::UNIT.0) {
            let (time, mails) = first.remove_entry();
            mails.into_iter().for_each(|mail| self.calendar.push(now, time, mail));
        }
    }

    /// Sends a message in this direction of a link.
    #[inline]
    pub(super) fn push(&mut self, now: Span, direction: usize, transit: Transit, mail: Mail<M, S>) {
        self.calendar.set_now(now);
        let time = self.delays.arrival(now, direction, transit);
        if time.0 <= now.0 + Span::UNIT.0 {
            if !self.later.is_empty() {
                self.draw_near(now); // what was sent before comes first
            }
            self.calendar.push(now, time, mail);
        } else {
            self.later.entry(time).or_default().push(mail);
        }
    }

    /// A message in this direction of a link is lost.
    pub(super) fn lose(&mut self, direction: usize) {
        self.delays.skip(direction);
    }

    /// The time of the next delivery.
    pub(super) fn next_time(&self) -> Option<Span> {
        self.calendar.next_time().into_iter().chain(self.later.keys().next().copied()).min()
    }

    /// Takes the next delivery, with its time.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(Span, Mail<M, S>)> {
        if !self.later.is_empty()
            && let Some(next) = self.next_time()
        {
            self.calendar.set_now(next);
            self.draw_near(next);
        }
        if self.calendar.is_read() {
            self.calendar.turn_page(|_| ());
        }
        self.calendar.pop()
    }
}
