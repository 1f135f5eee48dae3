//! One process with its timers and the numbers of its messages: all that a host in real time needs.

use std::collections::BTreeMap;
use std::iter::Zip;
use std::ops::RangeFrom;
use std::vec::Drain;

use bellwether_core::{Change, Draws, Outbox, Port, Span};

use super::actor::{Actor, Cue};
use super::envelope::{Bell, Envelope};

/// A process that takes steps when its host tells it what happens. It is independent of threads and of other processes.
#[derive(Clone, Debug)]
pub struct Driver<D> {
    process: Box<dyn Actor>,
    /// The running timers, with the times when they go off.
    timers: BTreeMap<Bell, Span>,
    /// How many messages it has sent. A message is named by its sender and this number.
    sent: u64,
    outbox: Outbox<Envelope, Bell, D>,
}

/// The effects of a step.
#[derive(Debug)]
pub struct Effects<'a> {
    /// The change of its status and role.
    pub change: Change,
    /// What it has done to its timers, in order: set to go off after a time, or stopped.
    pub timers: &'a [(Bell, Option<Span>)],
    /// The values drawn, in order.
    pub draws: &'a [u64],
    /// The rules followed, in order.
    pub rules: &'a [&'static str],
    /// The messages sent, in order, each with its number.
    pub sent: Zip<RangeFrom<u64>, Drain<'a, (Port, Envelope)>>,
}

impl<D: Draws> Driver<D> {
    /// A sleeping process with this number of ports. `chance` answers its random choices.
    pub fn new(process: Box<dyn Actor>, ports: u32, chance: D) -> Self {
        Self { process, timers: BTreeMap::new(), sent: 0, outbox: Outbox::new(ports, chance) }
    }

    /// Takes a step. Timers that it sets run from `now` on. A timer that goes off does not run any more.
    pub fn handle(&mut self, now: Span, cue: Cue) -> Effects<'_> {
        let Self { process, timers, sent: number, outbox } = self;
        if let Cue::Timeout(timer) = cue {
            timers.remove(&timer);
        }
        outbox.clear();
        let change = process.act(cue, outbox);
        for &(timer, after) in &outbox.timers {
            match after {
                Some(after) => timers.insert(timer, Span(now.0.saturating_add(after.0))),
                None => timers.remove(&timer),
            };
        }
        let first = *number;
        *number += outbox.sent.len() as u64;
        let sent = (first..).zip(outbox.sent.drain(..));
        Effects { change, timers: &outbox.timers, draws: &outbox.draws, rules: &outbox.rules, sent }
    }

    /// The timer that goes off first, and its time.
    #[must_use]
    pub fn next_deadline(&self) -> Option<(Span, Bell)> {
        self.timers.iter().map(|(timer, due)| (*due, *timer)).min()
    }

    /// The running timers, with the times when they go off.
    #[must_use]
    pub fn timers(&self) -> &BTreeMap<Bell, Span> {
        &self.timers
    }

    /// The process.
    #[must_use]
    pub fn process(&self) -> &dyn Actor {
        &*self.process
    }

    /// The source of its random choices.
    pub fn chance(&mut self) -> &mut D {
        &mut self.outbox.chance
    }

    /// The process crashes: its timers stop.
    pub fn stop(&mut self) {
        self.timers.clear();
    }

    /// Replaces the process after a crash. The numbers of its messages continue.
    pub fn restart(&mut self, process: Box<dyn Actor>) {
        self.stop();
        self.process = process;
    }

    /// Gives the process back.
    #[must_use]
    pub fn into_process(self) -> Box<dyn Actor> {
        self.process
    }
}
