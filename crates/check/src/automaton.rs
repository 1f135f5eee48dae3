//! One process as a table of numbers: the only place where the checker meets an algorithm.
//!
//! Handlers are functions: the same process in the same state does the same on the same event. So every state of a
//! process, every message and every timer gets a number when it is first met. A step is computed once, for all outcomes
//! of its random choices. The rest of the checker works on numbers only, and is compiled once.

use std::cmp::Ordering;

use bellwether_core::{Info, Local, Outbox, Phase, Port, Span, Status, Unmet};
use bellwether_net::Node;
use bellwether_world::Scenario;
use bellwether_world::host::{Actor, Bell, Cast, Cue, Envelope, awaken};
use serde_json::Value;

use crate::numbers::Numbers;
use crate::script::Script;

/// What may happen to a process; messages and timers by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// It wakes up on its own.
    Start,
    /// A message arrives.
    Receive(Port, u32),
    /// A timer goes off.
    Timeout(u32),
    /// The process behind this port is reported down.
    PeerDown(Port),
}

/// One of the ways in which a step may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepOutcome {
    /// The state that it leads to.
    pub local: u32,
    /// The values drawn.
    pub draws: Vec<u64>,
    /// One over its probability.
    pub ways: u64,
    /// What is sent, in order.
    pub sends: Vec<(Port, u32)>,
    /// What is done to timers, in order: set to go off after a time, or stopped.
    pub timers: Vec<(u32, Option<Span>)>,
}

/// The facts about a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageFacts {
    /// It serves to elect, and not to tell the result.
    pub elects: bool,
    /// It serves an adaptor.
    pub is_overhead: bool,
    /// The phase that it belongs to, if phases are counted.
    pub phase: Option<Phase>,
}

/// The facts about a state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalFacts {
    /// What it has decided.
    pub status: Status,
    /// It will act although only overhead comes.
    pub is_pending: bool,
    /// The phase that it is in, if phases are counted.
    pub phase: Option<Phase>,
    /// The number of its leadership, if it leads and leaderships are numbered.
    pub token: Option<u64>,
}

/// The largest number of outcomes of one step, or of one round, that is followed.
pub const MOST_OUTCOMES: usize = 1 << 16;

/// A process of some algorithm, in numbers.
pub struct Automaton {
    cast: &'static Cast,
    locals: Numbers<Box<dyn Actor>>,
    messages: Numbers<Envelope>,
    timers: Numbers<Bell>,
}

impl Automaton {
    /// The automaton of an algorithm.
    #[must_use]
    pub fn new(cast: &'static Cast) -> Self {
        Self { cast, locals: Numbers::default(), messages: Numbers::default(), timers: Numbers::default() }
    }

    /// The algorithm.
    pub fn cast(&self) -> &'static Cast {
        self.cast
    }

    /// The algorithm's entry in the catalogue.
    pub fn info(&self) -> &'static Info {
        self.cast.info
    }

    /// What its phases are called, if it has any.
    pub fn phases(&self) -> Option<&'static str> {
        self.cast.phases
    }

    /// Whether the algorithm uses timers.
    pub fn has_timers(&self) -> bool {
        self.cast.has_timers
    }

    /// Whether messages may be overhead.
    pub fn has_overhead(&self) -> bool {
        self.cast.kinds.has_overhead
    }

    /// The number of a sleeping process at this node.
    ///
    /// # Errors
    /// If it lacks knowledge.
    pub fn asleep(&mut self, scenario: &Scenario, node: Node) -> Result<u32, Unmet> {
        let Cast { info, new, .. } = *self.cast;
        let process = awaken(scenario, info, scenario.told_diameter(info), node, new)?;
        Ok(self.locals.of(process))
    }

    /// The number of the sleeping process that comes back at this node after one in this state has crashed, with its
    /// disk or without.
    ///
    /// # Errors
    /// If it lacks knowledge.
    pub fn restarted(&mut self, scenario: &Scenario, node: Node, local: u32, disk: bool) -> Result<u32, Unmet> {
        let info = self.cast.info;
        let new = |granted: &Local| self.locals[local].restored(granted, disk);
        let process = awaken(scenario, info, scenario.told_diameter(info), node, new)?;
        Ok(self.locals.of(process))
    }

    /// Whether a timer stands for a wish from outside.
    pub fn is_wish(&self, timer: u32) -> bool {
        (self.cast.is_wish)(self.timers[timer])
    }

    /// All outcomes of an act of a process with this number of ports.
    ///
    /// # Errors
    /// If a random choice is among more values than can be followed.
    pub fn act(&mut self, local: u32, ports: u32, act: Cause) -> Result<Vec<StepOutcome>, String> {
        let mut outcomes = Vec::new();
        let mut next = Some(Script::default());
        while let Some(script) = next {
            let mut process = self.locals[local].clone();
            let mut outbox = Outbox::new(ports, script);
            let cue = match act {
                Cause::Start => Cue::Start,
                Cause::Receive(port, message) => Cue::Receive(port, self.messages[message].clone()),
                Cause::Timeout(timer) => Cue::Timeout(self.timers[timer]),
                Cause::PeerDown(port) => Cue::PeerDown(port),
            };
            process.act(cue, &mut outbox);
            let Outbox { chance: script, sent, timers, draws, .. } = outbox;
            outcomes.push(StepOutcome {
                local: self.locals.of(process),
                draws,
                ways: script.ways(),
                sends: sent.into_iter().map(|(port, msg)| (port, self.messages.of(msg))).collect(),
                timers: timers.into_iter().map(|(timer, after)| (self.timers.of(timer), after)).collect(),
            });
            if outcomes.len() > MOST_OUTCOMES || script.is_too_long() {
                let name = self.cast.info.name;
                return Err(format!(
                    "a step of {name} can go in more than {MOST_OUTCOMES} ways: let it draw from fewer values, or take \
                     another network"
                ));
            }
            next = script.next();
        }
        Ok(outcomes)
    }

    /// Whether a process in this state ignores this act, now and for ever.
    pub fn ignores(&self, local: u32, act: Cause) -> bool {
        let Cause::Receive(port, message) = act else { return false };
        self.locals[local].ignores(port, &self.messages[message])
    }

    /// Whether a process in this state only takes note of this message.
    pub fn notes(&self, local: u32, message: u32) -> bool {
        self.locals[local].notes(&self.messages[message])
    }

    /// What a sleeping process is like, if it says so.
    pub fn alike(&self, local: u32) -> Option<u64> {
        self.locals[local].alike()
    }

    /// The facts about a state; `None` if no state has this number yet.
    pub fn local_if_met(&self, local: u32) -> Option<LocalFacts> {
        let process = self.locals.by(local)?;
        let (status, is_pending) = (process.status(), process.is_pending());
        Some(LocalFacts { status, is_pending, phase: process.phase(), token: process.token() })
    }

    /// The facts about a message; `None` if no message has this number yet.
    pub fn message_if_met(&self, message: u32) -> Option<MessageFacts> {
        let msg = self.messages.by(message)?;
        let is_overhead = msg.is_overhead();
        let elects = !is_overhead && !msg.is_announce();
        Some(MessageFacts { elects, is_overhead, phase: self.cast.phases.and_then(|_| msg.phase()) })
    }

    /// Which of two messages comes first; independent of their numbers.
    pub fn compare_messages(&self, a: u32, b: u32) -> Ordering {
        self.messages[a].cmp(&self.messages[b])
    }

    /// Which of two timers comes first; independent of their numbers.
    pub fn compare_timers(&self, a: u32, b: u32) -> Ordering {
        self.timers[a].cmp(&self.timers[b])
    }

    /// The same state, a number of phases earlier.
    pub fn rewind_local(&mut self, local: u32, by: u64) -> u32 {
        let mut process = self.locals[local].clone();
        process.rewind(by);
        self.locals.of(process)
    }

    /// The same message, a number of phases earlier.
    pub fn rewind_message(&mut self, message: u32, by: u64) -> u32 {
        let mut msg = self.messages[message].clone();
        msg.rewind(by);
        self.messages.of(msg)
    }

    /// A state, for people.
    pub fn local_in_words(&self, local: u32) -> String {
        format!("{:?}", self.locals[local])
    }

    /// A message.
    pub fn message(&self, message: u32) -> &Envelope {
        &self.messages[message]
    }

    /// A message as a trace writes it.
    pub fn message_in_trace(&self, message: u32) -> Value {
        self.messages[message].written()
    }

    /// A timer as a trace writes it.
    pub fn timer_in_trace(&self, timer: u32) -> Value {
        self.cast.timer_name(self.timers[timer])
    }

    /// Learns all that other threads have met so far.
    pub fn catch_up(&mut self) {
        let Self { locals, messages, timers, .. } = self;
        locals.catch_up();
        messages.catch_up();
        timers.catch_up();
    }

    /// A copy for another thread. From now on both give the same numbers to the same things.
    pub fn twin(&mut self) -> Self {
        let Self { cast, locals, messages, timers } = self;
        locals.share();
        messages.share();
        timers.share();
        Self { cast, locals: locals.clone(), messages: messages.clone(), timers: timers.clone() }
    }
}
