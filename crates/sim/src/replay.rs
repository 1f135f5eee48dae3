//! Plays a recorded run again, step by step.
//!
//! The trace says what happened next and which values were drawn; the algorithm's code says what must come of it.
//! Where the two differ the run diverges, and the line is named. No schedule is computed, so a counterexample's or a live
//! run's trace is played exactly like a simulated one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bellwether_core::{
    Context, Info, Local, Lockstep, Message, Model, NoTimer, Port, Process, Round, Rounds, Span, Status, Synchronizer,
    Tag, Unmet,
};
use bellwether_world::random::Choices;
use bellwether_world::trace::{Ending, Event, EventKind, Line, Received, Sent, render};
use bellwether_world::{Judge, Node, Report, Scenario, Time, Timing, Wiring};
use serde_json::Value;

use crate::cast::{Ended, Error, bring_up};
use crate::observe::written;
use crate::tally::Tally;

/// Why a trace could not be played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The scenario cannot be played at all.
    Impossible(Error),
    /// The trace cannot be read.
    Unreadable(String),
    /// The algorithm does something else than the trace says, or the trace says something that cannot be.
    Diverges(String),
}

/// The lines of a trace after its header, one at a time.
pub type Lines<'a> = dyn FnMut() -> Result<Option<Line>, String> + 'a;

/// Replays a trace of an asynchronous algorithm.
///
/// # Errors
/// If it diverges or cannot be played.
pub fn replay_process<P: Process>(scenario: &Scenario, lines: &mut Lines<'_>) -> Result<Report, Failure> {
    match scenario.timing {
        Timing::Rounds => Stage::<InRounds<Lockstep<P>>>::new(scenario)?.play(lines),
        Timing::Unit | Timing::Uniform | Timing::Exponential | Timing::Reorder => {
            Stage::<OnEvents<P>>::new(scenario)?.play(lines)
        }
    }
}

/// Replays a trace of a round-based algorithm.
///
/// # Errors
/// If it diverges or cannot be played.
pub fn replay_rounds<R: Rounds>(scenario: &Scenario, lines: &mut Lines<'_>) -> Result<Report, Failure> {
    match scenario.timing {
        Timing::Rounds => Stage::<InRounds<R>>::new(scenario)?.play(lines),
        Timing::Unit | Timing::Uniform | Timing::Exponential | Timing::Reorder => {
            Stage::<OnEvents<Synchronizer<R>>>::new(scenario)?.play(lines)
        }
    }
}

/// A process of either model, as a trace drives it.
trait Actor: Sized {
    const INFO: &'static Info;
    type Msg: Message;
    type Timer: Tag;

    fn new(local: &Local) -> Result<Self, Unmet>;
    fn act(
        &mut self,
        event: &Event,
        inbox: Vec<(Port, Self::Msg)>,
        ctx: &mut Script<'_, Self::Msg, Self::Timer>,
    ) -> Result<(), String>;
    fn status(&self) -> Status;
    /// What is wrong with a message that took from `sent` to `received`.
    fn odd_delay(timing: Timing, sent: Time, received: Time) -> Option<&'static str>;
}

struct OnEvents<P>(P);

impl<P: Process> Actor for OnEvents<P> {
    const INFO: &'static Info = P::INFO;
    type Msg = P::Msg;
    type Timer = P::Timer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        P::new(local).map(Self)
    }

    fn act(
        &mut self,
        event: &Event,
        mut inbox: Vec<(Port, P::Msg)>,
        ctx: &mut Script<'_, P::Msg, P::Timer>,
    ) -> Result<(), String> {
        match (event.kind, inbox.pop(), inbox.is_empty()) {
            (EventKind::Start, None, true) => self.0.start(ctx),
            (EventKind::Receive, Some((port, msg)), true) => self.0.receive(port, msg, ctx),
            (EventKind::Timeout, None, true) => {
                let timer = ctx.expire(event.timer.as_ref())?;
                self.0.timeout(timer, ctx);
            }
            _ => return Err("such an event does not belong to a run without rounds".into()),
        }
        Ok(())
    }

    fn status(&self) -> Status {
        self.0.status()
    }

    fn odd_delay(timing: Timing, sent: Time, received: Time) -> Option<&'static str> {
        if timing == Timing::Unit {
            return (received != sent + Span::UNIT).then_some("every message takes one unit");
        }
        (received <= sent || received > sent + Span::UNIT).then_some("every delay is above 0 and at most 1")
    }
}

struct InRounds<R>(R);

impl<R: Rounds> Actor for InRounds<R> {
    const INFO: &'static Info = R::INFO;
    type Msg = R::Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        R::new(local).map(Self)
    }

    fn act(
        &mut self,
        event: &Event,
        inbox: Vec<(Port, R::Msg)>,
        ctx: &mut Script<'_, R::Msg, NoTimer>,
    ) -> Result<(), String> {
        if event.kind != EventKind::Round {
            return Err("such an event does not belong to a run in rounds".into());
        }
        let round = event.t.whole().map(Round).ok_or("a round has a whole number")?;
        self.0.round(round, &inbox, ctx);
        Ok(())
    }

    fn status(&self) -> Status {
        self.0.status()
    }

    fn odd_delay(_: Timing, sent: Time, received: Time) -> Option<&'static str> {
        (received != sent + Span::UNIT).then_some("every message takes one round")
    }
}

/// A replay under way.
struct Stage<'a, A: Actor> {
    scenario: &'a Scenario,
    actors: Vec<A>,
    /// What is under way, by receiver and port, in order of sending.
    under_way: BTreeMap<(Node, Port), VecDeque<Flight<A::Msg>>>,
    timers: BTreeSet<(Node, A::Timer)>,
    /// A decision that the next line must tell.
    owed: Option<(Node, Status)>,
    messages: u64,
    now: Time,
    judge: Judge,
    tally: Tally,
}

struct Flight<M> {
    n: u64,
    msg: M,
    sent: Time,
}

impl<'a, A: Actor> Stage<'a, A> {
    fn new(scenario: &'a Scenario) -> Result<Self, Failure> {
        let nodes = scenario.topology.nodes();
        let actors = bring_up(scenario, A::INFO, size_of::<Flight<A::Msg>>(), A::new).map_err(Failure::Impossible)?;
        Ok(Self {
            scenario,
            actors,
            under_way: BTreeMap::new(),
            timers: BTreeSet::new(),
            owed: None,
            messages: 0,
            now: Time::ZERO,
            judge: Judge::new(A::INFO, scenario),
            tally: Tally::new(nodes),
        })
    }

    fn play(mut self, lines: &mut Lines<'_>) -> Result<Report, Failure> {
        let mut number = 1;
        loop {
            number += 1;
            let diverges = |what| Failure::Diverges(format!("line {number}: {what}"));
            match lines().map_err(Failure::Unreadable)? {
                Some(Line::Event(event)) => self.event(&event).map_err(diverges)?,
                Some(Line::Ending(ending)) => {
                    // Nothing may follow, and only the reader can tell.
                    lines().map_err(Failure::Unreadable)?;
                    return self.end(&ending).map_err(diverges);
                }
                None => return Err(Failure::Unreadable("the trace has no ending".into())),
            }
        }
    }

    fn event(&mut self, event: &Event) -> Result<(), String> {
        let node = event.node;
        if node >= self.scenario.topology.nodes() {
            return Err(format!("there is no node {node}"));
        }
        if event.t < self.now {
            return Err(format!("time goes back from {} to {}", self.now, event.t));
        }
        let decided_at = std::mem::replace(&mut self.now, event.t);
        match (self.owed.take(), event.kind) {
            (Some((decider, status)), EventKind::Decide) => {
                if decider != node || event.t != decided_at || event.decision != Some(status.into()) {
                    return Err(format!("node {decider} decides something else: {status:?}"));
                }
                return Ok(());
            }
            (Some((decider, status)), _) => return Err(format!("node {decider} decides here: {status:?}")),
            (None, EventKind::Decide) => return Err(format!("node {node} decides nothing new here")),
            (None, _) => {}
        }
        let may_start = self.scenario.initiators.round_of(node).is_some();
        if event.kind == EventKind::Start && !may_start {
            return Err(format!("node {node} starts, but it is no initiator"));
        }
        if self.begins_another_election(event) {
            self.judge.next_election();
        }
        let inbox = event.received.iter().map(|received| self.arrive(node, received)).collect::<Result<_, _>>()?;
        let actor = &mut self.actors[node as usize];
        let before = actor.status();
        let mut script = Script {
            node,
            ports: self.scenario.topology.ports(node),
            timers: &mut self.timers,
            draws: event.draws.iter().copied(),
            sent: vec![],
            misfit: None,
        };
        actor.act(event, inbox, &mut script)?;
        let Script { draws, sent, misfit, .. } = script;
        if let Some(misfit) = misfit {
            return Err(misfit);
        }
        if draws.len() > 0 {
            return Err(format!("node {node} draws fewer values than the trace says"));
        }
        let after = actor.status();
        self.sends(node, &event.sent, sent)?;
        self.tally.events += 1;
        if before != after {
            self.judge.change(event.t, node, before, after);
            self.owed = Some((node, after));
        }
        Ok(())
    }

    /// Whether the first initiator starts again, after everything was quiet.
    fn begins_another_election(&self, event: &Event) -> bool {
        let starts = matches!(event.kind, EventKind::Start | EventKind::Round) && event.received.is_empty();
        let initiators = self.scenario.initiators.among(self.scenario.topology.nodes());
        let first = initiators.map(|(node, _)| node).next() == Some(event.node);
        self.scenario.elections > 1 && starts && first && self.tally.events > 0 && self.tally.in_flight == 0
    }

    /// Takes a message that arrives out of those under way.
    fn arrive(&mut self, node: Node, received: &Received) -> Result<(Port, A::Msg), String> {
        let Received { n, from, port, msg } = received;
        let sender = (port.0 < self.scenario.topology.ports(node)).then(|| self.scenario.topology.far(node, *port).0);
        if sender != Some(*from) {
            return Err(format!("node {from} is not behind port {port} of node {node}"));
        }
        let link = self.under_way.entry((node, *port)).or_default();
        let place = link.iter().position(|flight| flight.n == *n);
        let place = place.ok_or_else(|| format!("no message {n} is under way to port {port} of node {node}"))?;
        let flight = &link[place];
        if written(&flight.msg) != *msg {
            let sent = render(&written(&flight.msg));
            return Err(format!("message {n} was sent as {sent}, and arrives as {}", render(msg)));
        }
        if let Some(rule) = A::odd_delay(self.scenario.timing, flight.sent, self.now) {
            return Err(format!("message {n}, sent at {}, arrives at {}, but {rule}", flight.sent, self.now));
        }
        if place > 0 && self.scenario.timing.is_fifo() {
            return Err(format!("message {n} overtakes message {} on a link that keeps order", link[0].n));
        }
        let flight = link.remove(place).expect("found above");
        self.tally.received(&flight.msg);
        Ok((*port, flight.msg))
    }

    /// Compares what a process sends with what the trace says.
    fn sends(&mut self, node: Node, recorded: &[Sent], sent: Vec<(Port, A::Msg)>) -> Result<(), String> {
        let does = sent.iter().zip(self.messages..).map(|((port, msg), n)| {
            let (to, _) = self.scenario.topology.far(node, *port);
            Sent { n, to, port: *port, msg: written(msg) }
        });
        let does: Vec<Sent> = does.collect();
        if does != recorded {
            let told = |it: &Sent| format!("{} to node {} as message {}", render(&it.msg), it.to, it.n);
            let list = |sent: &[Sent]| sent.iter().map(told).collect::<Vec<_>>().join(", ");
            let told = |sent: &[Sent]| if sent.is_empty() { "nothing".into() } else { list(sent) };
            return Err(format!("node {node} sends {}, but the trace says {}", told(&does), told(recorded)));
        }
        self.messages += does.len() as u64;
        for ((port, msg), Sent { n, .. }) in sent.into_iter().zip(recorded) {
            let (to, at) = self.scenario.topology.far(node, port);
            self.tally.sent(node, &msg);
            self.under_way.entry((to, at)).or_default().push_back(Flight { n: *n, msg, sent: self.now });
        }
        Ok(())
    }

    fn end(self, ending: &Ending) -> Result<Report, String> {
        if let Some((node, status)) = self.owed {
            return Err(format!("node {node} decides here: {status:?}"));
        }
        let waited_for = self.under_way.values().flatten().filter(|flight| !flight.msg.is_overhead()).count();
        if waited_for > 0 && !ending.was_cut_short() {
            return Err(format!("the run cannot be over: {waited_for} messages are under way"));
        }
        let synchronous = A::INFO.model == Model::Synchronous;
        let ended = Ended {
            scenario: self.scenario,
            info: A::INFO,
            judge: self.judge,
            tally: self.tally,
            choices: Choices::new(0, 0, vec![]),
            cut_short: ending.was_cut_short(),
            synchronized: synchronous && self.scenario.timing != Timing::Rounds,
            extra_time: if !synchronous && self.scenario.timing == Timing::Rounds { 1.0 } else { 0.0 },
            full: false,
        };
        let report =
            ended.report::<A::Msg>(&|node| self.actors[node as usize].status()).map_err(|error| error.to_string())?;
        if Ending::new(&report) != *ending {
            return Err("the run ends differently than the trace says".into());
        }
        Ok(report)
    }
}

/// The context of a replayed step: draws come from the trace, what is sent is kept to be compared.
struct Script<'a, M, T> {
    node: Node,
    ports: u32,
    timers: &'a mut BTreeSet<(Node, T)>,
    draws: std::iter::Copied<std::slice::Iter<'a, u64>>,
    sent: Vec<(Port, M)>,
    misfit: Option<String>,
}

impl<M, T: Tag> Script<'_, M, T> {
    /// Takes out the timer of this name, which must run.
    fn expire(&mut self, name: Option<&Value>) -> Result<T, String> {
        let name = name.ok_or("a timeout must name its timer")?;
        let timer = serde_json::from_value(name.clone()).map_err(|_| format!("there is no timer {name}"))?;
        if !self.timers.remove(&(self.node, timer)) {
            return Err(format!("node {} has not set the timer {name}", self.node));
        }
        Ok(timer)
    }
}

impl<M, T: Tag> Context<M, T> for Script<'_, M, T> {
    fn ports(&self) -> u32 {
        self.ports
    }

    fn send(&mut self, port: Port, msg: M) {
        self.sent.push((port, msg));
    }

    fn set_timer(&mut self, timer: T, _: Span) {
        self.timers.insert((self.node, timer));
    }

    fn cancel_timer(&mut self, timer: T) {
        self.timers.remove(&(self.node, timer));
    }

    fn choose(&mut self, arity: u64) -> u64 {
        match self.draws.next() {
            Some(value) if value < arity => value,
            Some(value) => {
                let last = arity - 1;
                self.misfit.get_or_insert(format!("node {} drew {value}, but it draws from 0 to {last}", self.node));
                0
            }
            None => {
                self.misfit.get_or_insert(format!("node {} draws one value more than the trace says", self.node));
                0
            }
        }
    }
}
