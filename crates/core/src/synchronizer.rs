//! A round-based algorithm among messages of any delay.
//!
//! Idea: Awerbuch's α synchronizer, with reliable links in place of acknowledgements. After its messages of a round a
//! process sends a *pulse* on every link, which tells their number. Once the pulse of round r and all messages that it
//! counts have come in on every link, nothing of that round is missing. Then the process plays round r + 1. A pulse
//! wakes a sleeping process up.
//!
//! Cost: one pulse a round and link direction in use, counted apart from the algorithm's own messages.

use std::collections::BTreeMap;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use crate::{
    Context, Info, Local, Message, NoTimer, Phase, Port, Process, Round, Rounds, Span, Starts, Status, TopologyKind,
    Unmet, Variables,
};

/// Carries a [`Rounds`] into the asynchronous model. Works without FIFO: every packet names its round.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Synchronizer<R: Rounds> {
    algorithm: R,
    /// The last round played; 0 while asleep.
    round: Round,
    /// It has been told to start and has not yet had a round to do so.
    starting: bool,
    /// What has come in, by the round in which it was sent and the port.
    arrived: BTreeMap<(Round, Port), Batch<R::Msg>>,
    /// The number of ports on which everything sent in the last round played has arrived. It follows from `arrived`,
    /// but a look through that at every step takes long if there are many ports.
    complete: u32,
    /// The number of messages in `arrived`; kept for the same reason.
    messages: u64,
}

/// What has come in of one round on one port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Batch<M> {
    /// By their place in the order of sending.
    mail: BTreeMap<u64, M>,
    /// The number that the pulse has promised, once it is here.
    promised: Option<u64>,
}

impl<M> Batch<M> {
    /// Whether everything has arrived.
    fn is_complete(&self) -> bool {
        self.promised == Some(self.mail.len() as u64)
    }
}

/// What a synchronized process sends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Packet<M> {
    /// A message of the algorithm: its round, its place among those of this round and link, and itself.
    #[serde(rename = "carry")]
    Carry(Round, u64, M),
    /// The round is over on this link, and this number of messages belongs to it.
    #[serde(rename = "pulse")]
    Pulse(Round, u64),
}

impl<R: Rounds> Synchronizer<R> {
    /// The ports on which it sends; it listens to their other ends.
    fn outgoing(ports: u32) -> impl Iterator<Item = Port> {
        let one_way = R::INFO.topology == TopologyKind::OneWayRing;
        (0..if one_way { 1 } else { ports }).map(Port)
    }

    /// The ports on which it hears others.
    fn incoming(ports: u32) -> impl Iterator<Item = Port> {
        let one_way = R::INFO.topology == TopologyKind::OneWayRing;
        (u32::from(one_way)..ports).map(Port)
    }

    /// Plays one round: with all that was sent in the round before, or nothing in the first.
    fn play(&mut self, ctx: &mut impl Context<Packet<R::Msg>>) {
        let mut inbox = Vec::new();
        for port in Self::incoming(ctx.ports()) {
            if let Some(batch) = self.arrived.remove(&(self.round, port)) {
                self.messages -= batch.mail.len() as u64;
                inbox.extend(batch.mail.into_values().map(|msg| (port, msg)));
            }
        }
        let is_due = self.algorithm.due(self.round) == Some(self.round.next());
        self.round = self.round.next();
        let ahead = self.arrived.range((self.round, Port(0))..=(self.round, Port(u32::MAX)));
        self.complete = ahead.filter(|(_, batch)| batch.is_complete()).count() as u32;
        let starting = std::mem::take(&mut self.starting);
        let mut stamping = Stamping { round: self.round, sent: vec![0; ctx.ports() as usize], ctx };
        if starting || !inbox.is_empty() || is_due {
            self.algorithm.round(self.round, inbox.iter().cloned(), &mut stamping);
        }
        let Stamping { sent, ctx, .. } = stamping;
        for port in Self::outgoing(ctx.ports()) {
            ctx.send(port, Packet::Pulse(self.round, sent[port.index()]));
        }
    }

    /// Whether everything sent to it in the last round played has arrived.
    fn is_complete(&self, ports: u32) -> bool {
        self.complete == Self::incoming(ports).count() as u32
    }
}

impl<R: Rounds> Process for Synchronizer<R> {
    const INFO: &'static Info = R::INFO;
    type Msg = Packet<R::Msg>;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self {
            algorithm: R::new(local)?,
            round: Round(0),
            starting: false,
            arrived: BTreeMap::new(),
            complete: 0,
            messages: 0,
        })
    }

    fn start(&mut self, ctx: &mut impl Context<Self::Msg>) {
        self.starting = true;
        if self.round == Round(0) {
            self.play(ctx);
        }
        // Without neighbours there is nothing to wait for: it plays the rounds in which it acts at once.
        while let (0, Some(Round(due @ 1..))) = (ctx.ports(), self.algorithm.due(self.round))
            && Round(due) != Round::NEVER
        {
            self.round = Round(due - 1);
            self.play(ctx);
        }
    }

    fn receive(&mut self, from: Port, packet: Self::Msg, ctx: &mut impl Context<Self::Msg>) {
        if self.round == Round(0) {
            // If everybody starts in round 1, so does a process that a message wakes up.
            self.starting = R::INFO.starts == Starts::All;
            self.play(ctx);
        }
        let round = match packet {
            Packet::Carry(round, ..) | Packet::Pulse(round, _) => round,
        };
        if round < self.round {
            return; // a copy: all of that round was here before the next was played
        }
        let batch = self.arrived.entry((round, from)).or_insert(Batch { mail: BTreeMap::new(), promised: None });
        let was_complete = batch.is_complete();
        match packet {
            Packet::Carry(_, place, msg) => self.messages += u64::from(batch.mail.insert(place, msg).is_none()),
            Packet::Pulse(_, count) => batch.promised = Some(count),
        }
        if round == self.round {
            self.complete = self.complete + u32::from(batch.is_complete()) - u32::from(was_complete);
        }
        while self.is_complete(ctx.ports()) {
            self.play(ctx);
        }
    }

    fn status(&self) -> Status {
        self.algorithm.status()
    }

    fn role(&self) -> &'static str {
        self.algorithm.role()
    }

    fn variables(&self) -> Variables {
        self.algorithm.variables()
    }

    fn is_pending(&self) -> bool {
        let asleep = self.round == Round(0);
        let is_due = self.algorithm.due(self.round).is_some_and(|round| round != Round::NEVER);
        self.starting || !asleep && is_due || self.messages > 0
    }

    /// Here a phase is a round: those of the algorithm last a number of them.
    fn phase(&self) -> Option<Phase> {
        Some(Phase(self.round.0 as u64))
    }

    fn rewind(&mut self, by: u64) {
        if self.round > Round(0) {
            self.round = self.round.rewound(by);
        }
        let earlier = |((round, port), batch): ((Round, Port), Batch<R::Msg>)| ((round.rewound(by), port), batch);
        self.arrived = std::mem::take(&mut self.arrived).into_iter().map(earlier).collect();
    }
}

/// The context of a round: stamps what the algorithm sends.
struct Stamping<'a, C> {
    round: Round,
    sent: Vec<u64>,
    ctx: &'a mut C,
}

impl<M, C: Context<Packet<M>>> Context<M> for Stamping<'_, C> {
    fn ports(&self) -> u32 {
        self.ctx.ports()
    }

    fn send(&mut self, port: Port, msg: M) {
        let sent = &mut self.sent[port.index()];
        self.ctx.send(port, Packet::Carry(self.round, *sent, msg));
        *sent += 1;
    }

    fn set_timer(&mut self, timer: NoTimer, _: Span) {
        match timer {}
    }

    fn cancel_timer(&mut self, timer: NoTimer) {
        match timer {}
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.ctx.choose(arity)
    }

    fn rule(&mut self, label: &'static str) {
        self.ctx.rule(label);
    }

    fn enters_phase(&mut self) {
        self.ctx.enters_phase();
    }

    fn watches_phase(&mut self) {
        self.ctx.watches_phase();
    }
}

impl<M: Message> Message for Packet<M> {
    const KINDS: usize = M::KINDS + 1;

    fn kind_name(kind: usize) -> &'static str {
        if kind == M::KINDS { "pulse" } else { M::kind_name(kind) }
    }

    fn is_announce(kind: usize) -> bool {
        kind < M::KINDS && M::is_announce(kind)
    }

    fn kind(&self) -> usize {
        match self {
            Self::Carry(_, _, msg) => msg.kind(),
            Self::Pulse(..) => M::KINDS,
        }
    }

    fn phase(&self) -> Option<Phase> {
        let (Self::Carry(Round(round), ..) | Self::Pulse(Round(round), _)) = self;
        Some(Phase(*round as u64))
    }

    fn rewind(&mut self, by: u64) {
        let (Self::Carry(round, ..) | Self::Pulse(round, _)) = self;
        *round = round.rewound(by);
    }

    /// Only the algorithm's own bits: stamps and pulses are overhead.
    fn bits(&self) -> u32 {
        match self {
            Self::Carry(_, _, msg) => msg.bits(),
            Self::Pulse(..) => 0,
        }
    }

    const HAS_OVERHEAD: bool = true;

    fn is_overhead(&self) -> bool {
        matches!(self, Self::Pulse(..))
    }
}
