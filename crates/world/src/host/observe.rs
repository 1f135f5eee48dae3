//! Who looks on while a run is played.

use super::{Count, Envelope};
use crate::trace::{Event, EventKind, Received, Sent};
use crate::{Node, Time, Wiring};
use bellwether_core::{Port, Status};
use serde_json::Value;

/// What a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What it has decided.
    pub status: Status,
    /// What it is in its algorithm's own words.
    pub role: &'static str,
}

impl Standing {
    /// What it has decided with a step before which it was this.
    #[must_use]
    pub fn decided(self, before: Self) -> Option<Status> {
        (before.status != self.status).then_some(self.status)
    }

    /// The role that it has taken with that step; what it decides says more than a role.
    #[must_use]
    pub fn turned(self, before: Self) -> Option<&'static str> {
        let is_turn = before.status == self.status && before.role != self.role;
        is_turn.then_some(self.role).filter(|role| !role.is_empty())
    }
}

/// Whoever takes the events of a run.
pub type Sink<'a> = &'a mut dyn FnMut(Event);

/// Writes every step down and hands it over as an event of a trace, if anybody takes it.
pub struct Recorder<F> {
    event: Event,
    /// What became of messages that were sent in this step.
    fates: Vec<Event>,
    messages: u64,
    /// The number of the election, if it is not the first.
    election: Option<u32>,
    sink: Option<F>,
}

/// A message, or the name of a timer, as a trace writes it.
pub fn written(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("plain data has a JSON form")
}

impl<F: FnMut(Event)> Recorder<F> {
    /// A recorder that hands its events to `sink`.
    pub fn new(sink: Option<F>) -> Self {
        Self { event: Event::blank(Time::ZERO, 0, EventKind::Start), fates: vec![], messages: 0, election: None, sink }
    }

    /// Another election begins, the one of this number.
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

    /// In this step it receives a message, the one of this number.
    pub fn receives(&mut self, from: Node, port: Port, msg: &Envelope, n: u64) {
        if self.sink.is_some() {
            self.event.received.push(Received { n, from, port, msg: msg.written() });
        }
    }

    /// In this step a timer of this name goes off.
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

    /// In this step it sends a message, whose number is told.
    pub fn sends(&mut self, to: Node, port: Port, msg: &Envelope) -> u64 {
        let n = self.messages;
        self.messages += 1;
        if self.sink.is_some() {
            self.event.sent.push(Sent { n, to, port, msg: msg.written() });
        }
        n
    }

    /// In this step it hears that the process behind this port is down.
    pub fn hears_of(&mut self, port: Port) {
        self.event.peer = Some(port);
    }

    /// What it has just sent is lost.
    pub fn loses(&mut self) {
        self.befalls(EventKind::Drop);
    }

    /// What it has just sent will arrive once more.
    pub fn repeats(&mut self) {
        self.befalls(EventKind::Duplicate);
    }

    /// Notes what becomes of the message that was sent last.
    fn befalls(&mut self, kind: EventKind) {
        let Event { t, node, .. } = self.event;
        let sent: Vec<_> = self.event.sent.last().cloned().into_iter().collect();
        if !sent.is_empty() {
            self.fates.push(Event { sent, ..Event::blank(t, node, kind) });
        }
    }

    /// The step is over: what the process was before it, and what it is now.
    pub fn end(&mut self, before: Standing, after: Standing) {
        let Event { t, node, .. } = self.event;
        let Some(sink) = &mut self.sink else { return };
        self.event.role = after.turned(before).map(String::from);
        sink(std::mem::replace(&mut self.event, Event::blank(t, node, EventKind::Decide)));
        self.fates.drain(..).for_each(&mut *sink);
        if let Some(status) = after.decided(before) {
            sink(Event { decision: Some(status.into()), ..Event::blank(t, node, EventKind::Decide) });
        }
    }

    /// A process stops.
    pub fn crashes(&mut self, time: Time, node: Node) {
        if let Some(sink) = &mut self.sink {
            sink(Event::blank(time, node, EventKind::Crash));
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

/// What is wanted of a run besides its result.
pub struct Wishes<'a> {
    /// Receives every event, if wanted.
    pub record: Option<Sink<'a>>,
    /// Sees how the run goes, and may stop it.
    pub watch: &'a mut dyn Watch,
    /// What to count.
    pub count: Count,
    /// Whether to tell everybody's decision however many there are.
    pub full: bool,
}

impl<'a> Wishes<'a> {
    /// Nothing but the result.
    pub fn none(watch: &'a mut dyn Watch) -> Self {
        Self { record: None, watch, count: Count::Messages, full: false }
    }
}

/// Sees from time to time how a run goes.
pub trait Watch {
    /// How many messages of the algorithm were sent and, in order of time, what there is now. Says whether to go on.
    fn go_on(&mut self, messages: u64, now: Option<Now>) -> bool;

    /// In the end: what the run takes of the machine's memory. Not part of its report, since hosts differ in it.
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

/// What a run takes of the machine's memory, besides its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// For each node: its process, its id, and what the host remembers of it.
    pub node: usize,
    /// For each message under way.
    pub message: usize,
}

/// Lets every run go on to its end.
#[derive(Clone, Copy, Debug)]
pub struct Watcher;

impl Watch for Watcher {
    fn go_on(&mut self, _: u64, _: Option<Now>) -> bool {
        true
    }
}

/// After so many events a host asks its [`Watch`] again: often enough for a progress bar and a Ctrl-C. Where a node has
/// many neighbours they are fewer, since an event may send to all of them.
pub fn glance(network: &impl Wiring) -> u64 {
    const MOST: u64 = 1 << 16;
    const LEAST: u64 = 1 << 6;
    (MOST / u64::from(network.most_ports()).max(1)).max(LEAST)
}

/// The same for an engine that may have to tell of every event: that takes far longer than the event, and a reader may be slow.
pub fn glance_telling(network: &impl Wiring) -> u64 {
    const MOST: u64 = 1 << 12;
    glance(network).min(MOST)
}
