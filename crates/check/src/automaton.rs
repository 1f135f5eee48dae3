//! One process as a table of numbers: the only place where the checker meets an algorithm.
//!
//! Handlers are functions: the same process in the same state does the same on the same event. So every state of a
//! process, every message and every timer gets a number when it is first met, and a step is computed once, for all
//! ways in which its random choices may turn out. All the rest of the checker works on numbers, and is compiled once.

use std::cmp::Ordering;

use bellwether_core::{Context, Info, Port, Span, Stage, Status, Unmet};
use bellwether_world::host::{Actor, Bell, Cast, Cue, Ended, Envelope, Standing, Tally, awaken};
use bellwether_world::{Node, Report, Scenario};
use serde_json::Value;

use crate::numbers::Numbers;
use crate::script::Script;

/// What may happen to a process; messages and timers by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
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
pub struct Outcome {
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

/// What is to be known of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageFacts {
    /// It serves to elect, and not to tell the result.
    pub elects: bool,
    /// It serves an adaptor.
    pub is_overhead: bool,
    /// The stage that it belongs to, if stages are counted.
    pub stage: Option<Stage>,
}

/// What is to be known of a state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalFacts {
    /// What it has decided.
    pub status: Status,
    /// It will act although only overhead comes.
    pub is_pending: bool,
    /// The stage that it is in, if stages are counted.
    pub stage: Option<Stage>,
}

/// A step with more outcomes than anybody could follow.
pub const MOST_OUTCOMES: usize = 1 << 16;

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A process sends it.
    Sent(Node),
    /// It arrives.
    Received,
    /// It never arrives.
    Lost,
    /// It will arrive once more.
    Repeated,
}

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

    /// The algorithm's entry in the catalogue.
    pub fn info(&self) -> &'static Info {
        self.cast.info
    }

    /// What its stages are called, if it has any.
    pub fn stages(&self) -> Option<&'static str> {
        self.cast.stages
    }

    /// Whether there are timers, and whether there is overhead.
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

    /// All that a process with so many ports may do.
    ///
    /// # Errors
    /// If a random choice is among more values than can be followed.
    pub fn act(&mut self, local: u32, ports: u32, act: Act) -> Result<Vec<Outcome>, String> {
        let mut outcomes = Vec::new();
        let mut next = Some(Script::default());
        while let Some(script) = next {
            let mut process = self.locals[local].clone();
            let mut step = Step { ports, script, sends: vec![], timers: vec![] };
            let cue = match act {
                Act::Start => Cue::Start,
                Act::Receive(port, message) => Cue::Receive(port, self.messages[message].clone()),
                Act::Timeout(timer) => Cue::Timeout(self.timers[timer]),
                Act::PeerDown(port) => Cue::PeerDown(port),
            };
            process.act(cue, &mut step);
            let Step { script, sends, timers, .. } = step;
            outcomes.push(Outcome {
                local: self.locals.of(process),
                draws: script.draws(),
                ways: script.ways(),
                sends: sends.into_iter().map(|(port, msg)| (port, self.messages.of(msg))).collect(),
                timers: timers.into_iter().map(|(timer, after)| (self.timers.of(timer), after)).collect(),
            });
            if outcomes.len() > MOST_OUTCOMES || script.is_too_long() {
                let name = self.cast.info.name;
                return Err(format!(
                    "a step of {name} can go in more than {MOST_OUTCOMES} ways: let it draw from fewer values, or take another network"
                ));
            }
            next = script.next();
        }
        Ok(outcomes)
    }

    /// Whether a process in this state ignores this, now and for ever.
    pub fn ignores(&self, local: u32, act: Act) -> bool {
        let Act::Receive(port, message) = act else { return false };
        self.locals[local].ignores(port, &self.messages[message])
    }

    /// About a state; `None` if none has this number yet.
    pub fn local_if_met(&self, local: u32) -> Option<LocalFacts> {
        let process = self.locals.by(local)?;
        Some(LocalFacts { status: process.status(), is_pending: process.is_pending(), stage: process.stage() })
    }

    /// What a process in this state is.
    pub fn standing(&self, local: u32) -> Standing {
        self.locals[local].standing()
    }

    /// About a message; `None` if none has this number yet.
    pub fn message_if_met(&self, message: u32) -> Option<MessageFacts> {
        let msg = self.messages.by(message)?;
        let is_overhead = msg.is_overhead();
        let elects = !is_overhead && msg.kind_name() != "announce";
        Some(MessageFacts { elects, is_overhead, stage: self.cast.stages.and_then(|_| msg.stage()) })
    }

    /// Which of two messages comes first, whatever their numbers.
    pub fn compare_messages(&self, a: u32, b: u32) -> Ordering {
        self.messages[a].cmp(&self.messages[b])
    }

    /// Which of two timers comes first, whatever their numbers.
    pub fn compare_timers(&self, a: u32, b: u32) -> Ordering {
        self.timers[a].cmp(&self.timers[b])
    }

    /// A state so many stages earlier.
    pub fn rewind_local(&mut self, local: u32, by: u64) -> u32 {
        let mut process = self.locals[local].clone();
        process.rewind(by);
        self.locals.of(process)
    }

    /// A message so many stages earlier.
    pub fn rewind_message(&mut self, message: u32, by: u64) -> u32 {
        let mut msg = self.messages[message].clone();
        msg.rewind(by);
        self.messages.of(msg)
    }

    /// A state, for people.
    pub fn local_in_words(&self, local: u32) -> String {
        format!("{:?}", self.locals[local])
    }

    /// A message as a trace writes it.
    pub fn message_in_trace(&self, message: u32) -> Value {
        self.messages[message].written()
    }

    /// A timer as a trace writes it.
    pub fn timer_in_trace(&self, timer: u32) -> Value {
        self.cast.timer_name(self.timers[timer])
    }

    /// Counts what becomes of a message.
    pub fn count(&self, tally: &mut Tally, message: u32, fate: Fate) {
        let msg = &self.messages[message];
        match fate {
            Fate::Sent(node) => tally.sent(node, msg),
            Fate::Received => tally.received(msg),
            Fate::Lost => tally.lost(msg),
            Fate::Repeated => tally.repeated(msg),
        }
    }

    /// The report of a run.
    pub fn report(&self, ended: Ended<'_>, status: &dyn Fn(Node) -> Status) -> Report {
        ended.report(self.cast.kinds, status).expect("nothing was scripted by hand")
    }

    /// Another one for another thread: from now on both give the same numbers to the same things.
    pub fn twin(&mut self) -> Self {
        let Self { cast, locals, messages, timers } = self;
        locals.share();
        messages.share();
        timers.share();
        Self { cast, locals: locals.clone(), messages: messages.clone(), timers: timers.clone() }
    }
}

/// The context of a step whose choices are scripted.
struct Step {
    ports: u32,
    script: Script,
    sends: Vec<(Port, Envelope)>,
    timers: Vec<(Bell, Option<Span>)>,
}

impl Context<Envelope, Bell> for Step {
    fn ports(&self) -> u32 {
        self.ports
    }

    fn send(&mut self, port: Port, msg: Envelope) {
        self.sends.push((port, msg));
    }

    fn set_timer(&mut self, timer: Bell, after: Span) {
        self.timers.push((timer, Some(after)));
    }

    fn cancel_timer(&mut self, timer: Bell) {
        self.timers.push((timer, None));
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.script.choose(arity)
    }
}
