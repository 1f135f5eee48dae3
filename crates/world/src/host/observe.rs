//! Recorders and watchers of a run.

use bellwether_core::{Change, Port, Status, Variables};
use bellwether_net::{Network, Node, Wiring};
use serde_json::Value;

use super::told::Told;
use super::{Count, Envelope};
use crate::Time;
use crate::trace::{Event, EventKind, Received, Sent};

/// Receives the events of a run.
pub type Sink<'a> = &'a mut dyn FnMut(Event);

/// Records every step as an event of a trace, if there is a receiver.
pub struct Recorder<F> {
    event: Event,
    /// The fates of messages that were sent in this step.
    fates: Vec<Event>,
    /// The number of the election, if it is not the first.
    election: Option<u32>,
    /// The variables that were told last.
    told: Told,
    sink: Option<F>,
}

/// A message, or the name of a timer, as a trace writes it.
pub fn written(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("plain data has a JSON form")
}

impl<F: FnMut(Event)> Recorder<F> {
    /// A recorder that hands its events to `sink`.
    pub fn new(sink: Option<F>) -> Self {
        Self {
            event: Event::blank(Time::ZERO, 0, EventKind::Start),
            fates: vec![],
            election: None,
            told: Told::default(),
            sink,
        }
    }

    /// Whether there is a receiver of the events.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.sink.is_some()
    }

    /// The election with this number begins.
    pub fn opens(&mut self, election: u32) {
        self.election = Some(election).filter(|number| *number > 1);
    }

    /// A process begins a step.
    pub fn begin(&mut self, time: Time, node: Node, kind: EventKind) {
        if self.sink.is_some() {
            let election = self.election.filter(|_| kind == EventKind::Start);
            self.event = Event { election, ..Event::blank(time, node, kind) };
        }
    }

    /// In this step it receives the message with this number.
    pub fn receives(&mut self, from: Node, port: Port, msg: &Envelope, n: u64) {
        if self.sink.is_some() {
            self.event.received.push(Received { n, from, port, msg: msg.written() });
        }
    }

    /// In this step the timer with this name goes off.
    pub fn times_out(&mut self, timer: impl FnOnce() -> Value) {
        if self.sink.is_some() {
            self.event.timer = Some(timer());
        }
    }

    /// In this step it draws a value.
    pub fn draws(&mut self, value: u64) {
        if self.sink.is_some() {
            self.event.draws.push(value);
        }
    }

    /// In this step it follows the rule with this label.
    pub fn follows(&mut self, rule: &'static str) {
        if self.sink.is_some() && self.event.rules.last().is_none_or(|last| last != rule) {
            self.event.rules.push(rule.into());
        }
    }

    /// In this step it sends the message with this number.
    pub fn sends(&mut self, to: Node, port: Port, msg: &Envelope, n: u64) {
        if self.sink.is_some() {
            self.event.sent.push(Sent { n, to, port, msg: msg.written() });
        }
    }

    /// In this step it hears that the process behind this port is down.
    pub fn hears_of(&mut self, port: Port) {
        self.event.peer = Some(port);
    }

    /// The message that it has just sent is lost.
    pub fn loses(&mut self) {
        self.befalls(EventKind::Drop);
    }

    /// The message that it has just sent will arrive once more.
    pub fn repeats(&mut self) {
        self.befalls(EventKind::Duplicate);
    }

    /// Notes the fate of the message that was sent last.
    fn befalls(&mut self, kind: EventKind) {
        let Event { t, node, .. } = self.event;
        let sent: Vec<_> = self.event.sent.last().cloned().into_iter().collect();
        if !sent.is_empty() {
            self.fates.push(Event { sent, ..Event::blank(t, node, kind) });
        }
    }

    /// The step is over. This is how it changed the process, and these are its variables now.
    pub fn end(&mut self, change: Change, variables: impl FnOnce() -> Variables, network: &Network) {
        let Event { t, node, .. } = self.event;
        let Some(sink) = &mut self.sink else { return };
        self.event.role = change.turned().map(String::from);
        self.event.state = self.told.changes(node, variables(), network);
        sink(std::mem::replace(&mut self.event, Event::blank(t, node, EventKind::Decide)));
        self.fates.drain(..).for_each(&mut *sink);
        if let Some(status) = change.decided() {
            sink(Event { decision: Some(status.into()), ..Event::blank(t, node, EventKind::Decide) });
        }
    }

    /// A process stops.
    pub fn crashes(&mut self, time: Time, node: Node) {
        if let Some(sink) = &mut self.sink {
            sink(Event::blank(time, node, EventKind::Crash));
        }
    }

    /// A process that decided before counts as a leader from now on.
    pub fn leads(&mut self, time: Time, node: Node) {
        if let Some(sink) = &mut self.sink {
            sink(Event { decision: Some(Status::Leader.into()), ..Event::blank(time, node, EventKind::Decide) });
        }
    }

    /// A process stops before a message that it has sent could leave.
    pub fn keeps(&mut self, time: Time, node: Node, to: Node, port: Port, msg: &Envelope, n: u64) {
        if let Some(sink) = &mut self.sink {
            let sent = vec![Sent { n, to, port, msg: msg.written() }];
            sink(Event { sent, ..Event::blank(time, node, EventKind::Drop) });
        }
    }

    /// A message reaches a process that is down.
    pub fn drops(&mut self, time: Time, node: Node, from: Node, port: Port, msg: &Envelope, n: u64) {
        if let Some(sink) = &mut self.sink {
            let received = vec![Received { n, from, port, msg: msg.written() }];
            sink(Event { received, ..Event::blank(time, node, EventKind::Drop) });
        }
    }
}

/// What is wanted from a run besides its result.
pub struct Wishes<'a> {
    /// Receives every event, if wanted.
    pub record: Option<Sink<'a>>,
    /// Observes the run, and may stop it.
    pub watch: &'a mut dyn Watch,
    /// What to count.
    pub count: Count,
    /// Whether to report all decisions, for any number of nodes.
    pub full: bool,
    /// Whether to count phases. The fast engines cannot.
    pub phases: bool,
}

impl<'a> Wishes<'a> {
    /// Only the result.
    pub fn none(watch: &'a mut dyn Watch) -> Self {
        Self { record: None, watch, count: Count::Messages, full: false, phases: false }
    }
}

/// Observes a run from time to time.
pub trait Watch {
    /// Gets the number of messages sent by the algorithm and, in order of time, the current state. Returns whether to
    /// go on.
    fn go_on(&mut self, messages: u64, now: Option<Now>) -> bool;

    /// Gets the memory that the run took, at its end. It is not part of the report, since hosts differ in it.
    fn weighs(&mut self, bytes: Bytes) {
        let _ = bytes;
    }
}

/// A moment of a run that is played in order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// The time.
    pub time: Time,
    /// How many messages are under way.
    pub in_flight: u64,
}

/// The memory of a run, without its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// For each node: its process, its id, and the data of the host about it.
    pub node: usize,
    /// For each message under way.
    pub message: usize,
}

/// Never stops a run.
#[derive(Clone, Copy, Debug)]
pub struct Watcher;

impl Watch for Watcher {
    fn go_on(&mut self, _: u64, _: Option<Now>) -> bool {
        true
    }
}

/// The number of events after which a host asks its [`Watch`] again: often enough for a progress bar and a Ctrl-C. It
/// is smaller if nodes have many neighbours, since an event may send to all of them.
pub fn glance(network: &impl Wiring) -> u64 {
    const MOST: u64 = 1 << 16;
    const LEAST: u64 = 1 << 6;
    (MOST / u64::from(network.most_ports()).max(1)).max(LEAST)
}

/// The same for an engine that may have to record every event. That takes far longer than the event, and the receiver
/// may be slow.
pub fn glance_telling(network: &impl Wiring) -> u64 {
    const MOST: u64 = 1 << 12;
    glance(network).min(MOST)
}
