//! One process as a table of numbers: the only place where the checker meets an algorithm.
//!
//! Handlers are functions: the same process in the same state does the same on the same event. So every state of a
//! process, every message and every timer gets a number when it is first met, and a step is computed once, for all
//! ways in which its random choices may turn out. All the rest of the checker works on numbers, and is compiled once.

use std::cmp::Ordering;

use bellwether_core::{Context, Info, Message, Port, Process, Span, Stage, Status, Unmet};
use bellwether_world::host::{Ended, Standing, Tally, awaken, written};
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

/// A process of some algorithm, in numbers.
pub trait Automaton: Send {
    /// The algorithm's entry in the catalogue.
    fn info(&self) -> &'static Info;

    /// What its stages are called, if it has any.
    fn stages(&self) -> Option<&'static str>;

    /// Whether there are timers, and whether there is overhead.
    fn has_timers(&self) -> bool;

    /// Whether messages may be overhead.
    fn has_overhead(&self) -> bool;

    /// The number of a sleeping process at this node.
    ///
    /// # Errors
    /// If it lacks knowledge.
    fn asleep(&mut self, scenario: &Scenario, node: Node) -> Result<u32, Unmet>;

    /// All that a process with so many ports may do.
    ///
    /// # Errors
    /// If a random choice is among more values than can be followed.
    fn act(&mut self, local: u32, ports: u32, act: Act) -> Result<Vec<Outcome>, String>;

    /// Whether a process in this state ignores this, now and for ever.
    fn ignores(&self, local: u32, act: Act) -> bool;

    /// About a state; `None` if none has this number yet.
    fn local_if_met(&self, local: u32) -> Option<LocalFacts>;

    /// What a process in this state is.
    fn standing(&self, local: u32) -> Standing;

    /// About a message; `None` if none has this number yet.
    fn message_if_met(&self, message: u32) -> Option<MessageFacts>;

    /// Which of two messages comes first, whatever their numbers.
    fn compare_messages(&self, a: u32, b: u32) -> Ordering;

    /// Which of two timers comes first, whatever their numbers.
    fn compare_timers(&self, a: u32, b: u32) -> Ordering;

    /// A state so many stages earlier.
    fn rewind_local(&mut self, local: u32, by: u64) -> u32;

    /// A message so many stages earlier.
    fn rewind_message(&mut self, message: u32, by: u64) -> u32;

    /// A state, for people.
    fn local_in_words(&self, local: u32) -> String;

    /// A message as a trace writes it.
    fn message_in_trace(&self, message: u32) -> Value;

    /// A timer as a trace writes it.
    fn timer_in_trace(&self, timer: u32) -> Value;

    /// Counts what becomes of a message.
    fn count(&self, tally: &mut Tally, message: u32, fate: Fate);

    /// The report of a run.
    fn report(&self, ended: Ended<'_>, status: &dyn Fn(Node) -> Status) -> Report;

    /// Another one for another thread: from now on both give the same numbers to the same things.
    fn twin(&mut self) -> Box<dyn Automaton>;
}

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

/// The automaton of an asynchronous algorithm.
pub struct Cast<P: Process> {
    locals: Numbers<P>,
    messages: Numbers<P::Msg>,
    timers: Numbers<P::Timer>,
}

impl<P: Process> Default for Cast<P> {
    fn default() -> Self {
        Self { locals: Numbers::default(), messages: Numbers::default(), timers: Numbers::default() }
    }
}

impl<P: Process> Automaton for Cast<P> {
    fn info(&self) -> &'static Info {
        P::INFO
    }

    fn stages(&self) -> Option<&'static str> {
        P::STAGES
    }

    fn has_timers(&self) -> bool {
        <P::Timer as bellwether_core::Tag>::EXISTS
    }

    fn has_overhead(&self) -> bool {
        P::Msg::HAS_OVERHEAD
    }

    fn asleep(&mut self, scenario: &Scenario, node: Node) -> Result<u32, Unmet> {
        let process = awaken(scenario, P::INFO, scenario.told_diameter(P::INFO), node, P::new)?;
        Ok(self.locals.of(process))
    }

    fn act(&mut self, local: u32, ports: u32, act: Act) -> Result<Vec<Outcome>, String> {
        let mut outcomes = Vec::new();
        let mut next = Some(Script::default());
        while let Some(script) = next {
            let mut process = self.locals[local].clone();
            let mut step = Step { ports, script, sends: vec![], timers: vec![] };
            match act {
                Act::Start => process.start(&mut step),
                Act::Receive(port, message) => {
                    process.receive(port, self.messages[message].clone(), &mut step);
                }
                Act::Timeout(timer) => process.timeout(self.timers[timer], &mut step),
                Act::PeerDown(port) => process.peer_down(port, &mut step),
            }
            let Step { script, sends, timers, .. } = step;
            outcomes.push(Outcome {
                local: self.locals.of(process),
                draws: script.draws(),
                ways: script.ways(),
                sends: sends.into_iter().map(|(port, msg)| (port, self.messages.of(msg))).collect(),
                timers: timers.into_iter().map(|(timer, after)| (self.timers.of(timer), after)).collect(),
            });
            if outcomes.len() > MOST_OUTCOMES || script.is_too_long() {
                let name = P::INFO.name;
                return Err(format!(
                    "a step of {name} can go in more than {MOST_OUTCOMES} ways: let it draw from fewer values, or take another network"
                ));
            }
            next = script.next();
        }
        Ok(outcomes)
    }

    fn ignores(&self, local: u32, act: Act) -> bool {
        let Act::Receive(port, message) = act else { return false };
        self.locals[local].ignores(port, &self.messages[message])
    }

    fn local_if_met(&self, local: u32) -> Option<LocalFacts> {
        let process = self.locals.by(local)?;
        let stage = P::STAGES.and_then(|_| process.stage());
        Some(LocalFacts { status: process.status(), is_pending: process.is_pending(), stage })
    }

    fn standing(&self, local: u32) -> Standing {
        let process = &self.locals[local];
        Standing { status: process.status(), role: process.role() }
    }

    fn message_if_met(&self, message: u32) -> Option<MessageFacts> {
        let msg = self.messages.by(message)?;
        let is_overhead = msg.is_overhead();
        let elects = !is_overhead && P::Msg::kind_name(msg.kind()) != "announce";
        Some(MessageFacts { elects, is_overhead, stage: P::STAGES.and_then(|_| msg.stage()) })
    }

    fn compare_messages(&self, a: u32, b: u32) -> Ordering {
        self.messages[a].cmp(&self.messages[b])
    }

    fn compare_timers(&self, a: u32, b: u32) -> Ordering {
        self.timers[a].cmp(&self.timers[b])
    }

    fn rewind_local(&mut self, local: u32, by: u64) -> u32 {
        let mut process = self.locals[local].clone();
        process.rewind(by);
        self.locals.of(process)
    }

    fn rewind_message(&mut self, message: u32, by: u64) -> u32 {
        let mut msg = self.messages[message].clone();
        msg.rewind(by);
        self.messages.of(msg)
    }

    fn local_in_words(&self, local: u32) -> String {
        format!("{:?}", self.locals[local])
    }

    fn message_in_trace(&self, message: u32) -> Value {
        written(&self.messages[message])
    }

    fn timer_in_trace(&self, timer: u32) -> Value {
        written(&self.timers[timer])
    }

    fn count(&self, tally: &mut Tally, message: u32, fate: Fate) {
        let msg = &self.messages[message];
        match fate {
            Fate::Sent(node) => tally.sent(node, msg),
            Fate::Received => tally.received(msg),
            Fate::Lost => tally.lost(msg),
            Fate::Repeated => tally.repeated(msg),
        }
    }

    fn report(&self, ended: Ended<'_>, status: &dyn Fn(Node) -> Status) -> Report {
        ended.report::<P::Msg>(status).expect("nothing was scripted by hand")
    }

    fn twin(&mut self) -> Box<dyn Automaton> {
        let Self { locals, messages, timers } = self;
        locals.share();
        messages.share();
        timers.share();
        Box::new(Self { locals: locals.clone(), messages: messages.clone(), timers: timers.clone() })
    }
}

/// The context of a step whose choices are scripted.
struct Step<M, T> {
    ports: u32,
    script: Script,
    sends: Vec<(Port, M)>,
    timers: Vec<(T, Option<Span>)>,
}

impl<M, T> Context<M, T> for Step<M, T> {
    fn ports(&self) -> u32 {
        self.ports
    }

    fn send(&mut self, port: Port, msg: M) {
        self.sends.push((port, msg));
    }

    fn set_timer(&mut self, timer: T, after: Span) {
        self.timers.push((timer, Some(after)));
    }

    fn cancel_timer(&mut self, timer: T) {
        self.timers.push((timer, None));
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.script.choose(arity)
    }
}
