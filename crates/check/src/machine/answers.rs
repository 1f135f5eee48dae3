//! On unreliable links, what does nothing but send happens at once.
//!
//! A message on such a link may arrive at any time, any number of times, or never. So all that can happen in a state
//! can also happen if more messages are under way. If a message changes nothing at its receiver, and is only answered,
//! the state after the answer stands for the state before it. The same processes lead in both. If all messages are
//! lost, both are the same.
//!
//! A timer is *restless* if all it does is to send what is under way already, and to set itself again. If it goes off,
//! fewer timers have to wait for it. If it has to wait for no others because of that, all that could happen before can
//! still happen. So it goes off at once.

use bellwether_core::Port;
use bellwether_net::Node;
use bellwether_world::Drift;
use rustc_hash::FxHashMap;

use super::{Effect, Machine, Transition};
use crate::automaton::Cause;
use crate::extras::RunningTimer;
use crate::layout::Link;
use crate::queues::EMPTY;
use crate::row::{Logged, Row};

/// By link, content, and state of the receiver: what it answers without doing anything else.
pub(super) type Answers = FxHashMap<(u32, u32, u32), Box<[(Port, u32)]>>;

impl Machine {
    /// Whether answers need not wait.
    pub(super) fn answers_at_once(&self) -> bool {
        let freedom = self.plan.freedom;
        self.plan.reduction && freedom.unreliable && freedom.drift.is_some() && freedom.crashes == 0 && !self.sessions
    }

    /// Gives all answers that can be given without anything else happening, and lets restless timers go off. That was
    /// done before these moves, which were made from this moment on.
    ///
    /// # Errors
    /// If a step cannot be followed.
    pub fn answer_all(&mut self, row: &mut Row, steps: &[Transition], since: Logged) -> Result<(), String> {
        let Some(drift) = self.plan.freedom.drift.filter(|_| self.answers_at_once()) else { return Ok(()) };
        if self.extras(row.cells()).waiting != 0 {
            return Ok(());
        }
        if let [Transition::Start(_)] = steps {
            // Nobody answers before all have started.
            (0..self.layout.links.len() as u32).try_for_each(|link| self.answer(row, link))?;
        }
        // What is answered may be answered in turn.
        for number in 0.. {
            let Some(place) = row.changed(since, number) else { break };
            if let Some(links) = self.layout.into.get(place) {
                for number in 0..links.len() {
                    self.answer(row, self.layout.into[place][number])?;
                }
            } else if place < self.layout.extras() {
                self.answer(row, (place - self.layout.nodes) as u32)?;
            }
        }
        loop {
            let extras = row.cells()[self.layout.extras()];
            for place in 0..self.due_now(drift, extras).len() {
                let step = self.due_now(drift, extras)[place];
                if let Transition::Timeout(node, timer) = step
                    && row.cells()[self.layout.extras()] == extras
                    && self.is_restless(row.cells(), node, timer, drift)?
                {
                    self.act(row, node, Cause::Timeout(timer), 0, &mut Effect::default())?;
                }
            }
            if row.cells()[self.layout.extras()] == extras {
                return Ok(());
            }
        }
    }

    /// Whether a timer, if it goes off, only sends what is there and sets itself again, and waits for no more others.
    fn is_restless(&mut self, cells: &[u32], node: Node, timer: u32, drift: Drift) -> Result<bool, String> {
        let local = cells[node as usize] - 1;
        let (first, count) = self.step(local, node, Cause::Timeout(timer))?;
        let outcome = self.steps.outcome(first);
        let timers = &self.extras(cells).timers;
        let Some(place) = timers.iter().position(|&(owner, other, _)| (owner, other) == (node, timer)) else {
            return Ok(false);
        };
        let span = timers[place].2;
        let is_same = count == 1 && outcome.local == local && outcome.timers == [(timer, Some(span))];
        let waits = |later: &RunningTimer| self.goes_first(drift, later, &timers[place]);
        if !is_same || self.automaton().is_wish(timer) || timers[place + 1..].iter().any(waits) {
            return Ok(false);
        }
        for number in 0..self.steps.sends(self.steps.outcome(first)).len() {
            let (port, message) = self.steps.sends(self.steps.outcome(first))[number];
            let Some((place, queue)) = self.sent(cells, node, port, message) else { return Ok(false) };
            if cells[place] != queue {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Gives the answers to what is under way on a link.
    #[inline]
    fn answer(&mut self, row: &mut Row, link: u32) -> Result<(), String> {
        let queue = self.queue(row.cells(), link);
        if queue == EMPTY {
            return Ok(());
        }
        let to = self.layout.links[link as usize].to;
        let key = (link, queue, row.cells()[to as usize] - 1);
        if !self.memory.answers.contains_key(&key) {
            let answers = self.answers(key)?;
            self.memory.answers.insert(key, answers);
        }
        for place in 0..self.memory.answers[&key].len() {
            let (port, message) = self.memory.answers[&key][place];
            if let Some((place, queue)) = self.sent(row.cells(), to, port, message)
                && row.cells()[place] != queue
            {
                row.set(place, queue);
            }
        }
        Ok(())
    }

    #[cold]
    fn answers(&mut self, (link, queue, local): (u32, u32, u32)) -> Result<Box<[(Port, u32)]>, String> {
        let Link { to, port, .. } = self.layout.links[link as usize];
        let mut answers = vec![];
        for parcel in self.queues.content(queue).to_vec() {
            let act = Cause::Receive(port, parcel.message());
            self.follow_images(to, local, act)?;
            let (first, count) = self.step(local, to, act)?;
            if self.only_answers(local, first, count) {
                answers.extend_from_slice(self.steps.sends(self.steps.outcome(first)));
            }
        }
        Ok(answers.into())
    }

    fn only_answers(&self, local: u32, first: u32, count: u32) -> bool {
        let outcome = self.steps.outcome(first);
        count == 1 && outcome.is_quiet && outcome.local == local
    }

    /// Whether a move would only give answers that are given already.
    ///
    /// # Errors
    /// If it cannot be followed.
    #[inline]
    pub fn is_answered(&mut self, cells: &[u32], step: Transition) -> Result<bool, String> {
        let Transition::Deliver { link, parcel, .. } = step else { return Ok(false) };
        if !self.answers_at_once() {
            return Ok(false);
        }
        let Link { to, port, .. } = self.layout.links[link as usize];
        let local = cells[to as usize] - 1;
        let (first, count) = self.step(local, to, Cause::Receive(port, parcel.message()))?;
        Ok(self.only_answers(local, first, count))
    }
}
