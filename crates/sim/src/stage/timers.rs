//! The timers that run on a stage, and which of them may go off.

use bellwether_core::Span;
use bellwether_net::Node;
use bellwether_world::host::Bell;
use bellwether_world::{Drift, Fault, Time, faults};

use super::Stage;

/// A timer that runs.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct RunningTimer {
    pub(super) node: Node,
    pub(super) bell: Bell,
    /// How long it runs, by the clock of its node.
    span: Span,
    /// When it goes off, in a run by a clock.
    pub(super) due: Time,
}

impl Stage<'_> {
    /// A process has done this to its timers in a step, in this order: set them to go off after a time, or stopped
    /// them.
    pub(super) fn note_timers(&mut self, node: Node, changes: &[(Bell, Option<Span>)]) {
        let rate = self.scenario.faults.iter().find_map(|fault| match *fault {
            Fault::Drift(it, rate) if it == node => Some(rate),
            _ => None,
        });
        let mut set: Vec<RunningTimer> = vec![];
        for &(bell, after) in changes {
            self.timers.retain(|timer| (timer.node, timer.bell) != (node, bell));
            set.retain(|timer| timer.bell != bell);
            set.extend(after.map(|span| {
                let due = self.now + rate.map_or(span, |rate| faults::by_clock(rate, span));
                RunningTimer { node, bell, span, due }
            }));
        }
        if self.drift().is_some() {
            // They were set at the same moment.
            set.sort_by_key(|timer| timer.span);
        }
        self.timers.extend(set);
    }

    /// A timer goes off.
    ///
    /// # Errors
    /// If it may not. The error follows the name of the timer.
    pub(super) fn expire(&self, node: Node, bell: Bell) -> Result<(), String> {
        let is_it = |timer: &&RunningTimer| (timer.node, timer.bell) == (node, bell);
        let timer = self.timers.iter().find(is_it).ok_or("is not set")?;
        match self.freedom {
            None if timer.due > self.now => Err(format!("is set for {}", timer.due)),
            None => self.is_awake(node),
            Some(_) if !self.may_go_on() => Err("goes off before all initiators have started".into()),
            Some(_) if !self.may_go_off(timer) => Err("is not the next to go off".into()),
            Some(_) => Ok(()),
        }
    }

    fn drift(&self) -> Option<Drift> {
        self.freedom.and_then(|freedom| freedom.drift)
    }

    /// Whether a timer may go off now, if the schedule is chosen.
    pub(super) fn may_go_off(&self, timer: &RunningTimer) -> bool {
        let mut earlier = self.timers.iter().take_while(|other| *other != timer);
        match self.drift() {
            Some(drift) => !earlier.any(|other| self.goes_first(drift, other, timer)),
            None if self.freedom.is_some_and(|freedom| freedom.hasty_timers) => true,
            // Of patient timers with the same duration, the one that was set first goes off first.
            None => self.is_silent() && !earlier.any(|other| other.span == timer.span),
        }
    }

    /// Whether a timer, if it was set before another one, goes off before it.
    fn goes_first(&self, drift: Drift, first: &RunningTimer, later: &RunningTimer) -> bool {
        let is_wish = |timer: &RunningTimer| (self.cast.is_wish)(timer.bell);
        !is_wish(first) && !is_wish(later) && drift.goes_first((first.node, first.span), (later.node, later.span))
    }

    /// Whether nothing is under way to a living process. On unreliable links all of it may be lost.
    fn is_silent(&self) -> bool {
        let is_under_way = |(&(to, ..), flights): (&(Node, _, _), &std::collections::VecDeque<super::Flight>)| {
            !self.is_dead(to) && !self.is_unreliable() && flights.iter().any(|flight| !flight.may_be_lost)
        };
        !self.links.iter().any(is_under_way) && self.reports.values().all(|(must, _)| *must == 0)
    }

    /// The first moment from this one on at which a node does not pause.
    pub(super) fn awake_at(&self, node: Node, mut t: Time) -> Time {
        let pause = |t: Time| {
            let ends = self.scenario.faults.iter().filter_map(move |fault| match *fault {
                Fault::Pause(it, window) if it == node && window.contains(t) => window.until,
                _ => None,
            });
            ends.max()
        };
        while let Some(until) = pause(t) {
            t = until;
        }
        t
    }

    /// Whether a node does not pause now.
    pub(super) fn is_awake(&self, node: Node) -> Result<(), String> {
        let until = self.awake_at(node, self.now);
        if until == self.now { Ok(()) } else { Err(format!("node {node} pauses until {until}")) }
    }
}
