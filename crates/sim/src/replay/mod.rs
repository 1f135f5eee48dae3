//! Plays a recorded run again, step by step.
//!
//! The trace says what happened next and which values were drawn; the algorithm's code says what must come of it.
//! Where the two differ the run diverges, and the line is named. No schedule is computed, so a counterexample's or a live
//! run's trace is played exactly like a simulated one.

mod actor;
mod incidents;
mod script;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bellwether_core::{Lockstep, Message, Model, Port, Process, Round, Rounds, Status, Synchronizer};
use bellwether_world::faults::Chance;
use bellwether_world::host::{Ended, Error, Tally, Timers, awaken, bring_up, written};
use bellwether_world::random::Choices;
use bellwether_world::trace::{Ending, Event, EventKind, Line, Received, Sent, render};
use bellwether_world::{Fault, Judge, Node, Report, Scenario, Time, Timing, Wiring};

use self::actor::{Actor, InRounds, OnEvents};
use self::incidents::Incidents;
use self::script::Script;

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
        _ => Stage::<OnEvents<P>>::new(scenario)?.play(lines),
    }
}

/// Replays a trace of a round-based algorithm.
///
/// # Errors
/// If it diverges or cannot be played.
pub fn replay_rounds<R: Rounds>(scenario: &Scenario, lines: &mut Lines<'_>) -> Result<Report, Failure> {
    match scenario.timing {
        Timing::Rounds => Stage::<InRounds<R>>::new(scenario)?.play(lines),
        _ => Stage::<OnEvents<Synchronizer<R>>>::new(scenario)?.play(lines),
    }
}

/// A replay under way.
struct Stage<'a, A: Actor> {
    scenario: &'a Scenario,
    actors: Vec<A>,
    /// What is under way, by receiver and port, in order of sending.
    under_way: BTreeMap<(Node, Port), VecDeque<Flight<A::Msg>>>,
    timers: Timers<A::Timer>,
    choices: Choices,
    /// Which election this is, when it began, and which initiators have started in it.
    elections: u32,
    since: Time,
    started: BTreeSet<Node>,
    /// Initiators that were down when they should have started.
    excused: BTreeSet<Node>,
    incidents: Incidents,
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
        let more = size_of::<Flight<A::Msg>>() * nodes as usize;
        Ok(Self {
            scenario,
            actors: bring_up(scenario, A::INFO, more, A::new).map_err(Failure::Impossible)?,
            under_way: BTreeMap::new(),
            timers: Timers::new(),
            choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
            elections: 1,
            since: Time::ZERO,
            started: BTreeSet::new(),
            excused: BTreeSet::new(),
            incidents: Incidents::new(scenario),
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
        let before = std::mem::replace(&mut self.now, event.t);
        let in_time = !matches!(self.scenario.timing, Timing::Live(_));
        if let Some((due, node)) = self.timers.first().filter(|(due, _)| in_time && Time::after(*due) < event.t) {
            return Err(format!("a timer of node {node} would have gone off at {}", Time::after(due)));
        }
        match event.kind {
            // What became of a message is told between a step and the decision that it led to.
            EventKind::Drop => return self.lose(event),
            EventKind::Duplicate => return self.repeat(event),
            EventKind::Decide => return self.decide(event, before),
            _ => {}
        }
        if let Some((decider, status)) = self.owed {
            return Err(format!("node {decider} decides here: {status:?}"));
        }
        let actors = &self.actors;
        self.incidents.look(event.t, &self.scenario.topology, |node| actors[node as usize].sleeps());
        self.incidents.tell(event)?;
        match event.kind {
            EventKind::Crash => {
                self.crash(node);
                return Ok(());
            }
            EventKind::Recover => self.recover(node)?,
            _ if self.is_dead(node) => return Err(format!("node {node} is down")),
            EventKind::Start => self.start(event, before)?,
            EventKind::Round => self.round(event, before)?,
            EventKind::PeerDown => self.hear(event)?,
            _ => {}
        }
        self.step(event)
    }

    /// A process takes the step that the trace tells of: it must do all that the trace says, and nothing else.
    fn step(&mut self, event: &Event) -> Result<(), String> {
        let node = event.node;
        let inbox = event.received.iter().map(|received| self.arrive(node, received)).collect::<Result<_, _>>()?;
        let actor = &mut self.actors[node as usize];
        let before = actor.status();
        let mut script = Script {
            node,
            ports: self.scenario.topology.ports(node),
            timers: &mut self.timers,
            now: event.t,
            late: matches!(self.scenario.timing, Timing::Live(_)),
            draws: event.draws.iter().copied(),
            choices: &mut self.choices,
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

    /// A decision is told right after the step that led to it.
    fn decide(&mut self, event: &Event, step: Time) -> Result<(), String> {
        let node = event.node;
        let (decider, status) = self.owed.take().ok_or_else(|| format!("node {node} decides nothing new here"))?;
        if decider != node || event.t != step || event.decision != Some(status.into()) {
            return Err(format!("node {decider} decides something else: {status:?}"));
        }
        Ok(())
    }

    /// A process wakes up on its own, which only initiators do, and once in an election.
    fn start(&mut self, event: &Event, before: Time) -> Result<(), String> {
        let node = event.node;
        self.scenario.initiators.round_of(node).ok_or_else(|| format!("node {node} starts, but it is no initiator"))?;
        self.begin_another_election(node, before)?;
        if self.started.insert(node) { Ok(()) } else { Err(format!("node {node} starts twice")) }
    }

    /// A process takes a step in a round: because something arrives, because it is due, or because it wakes up.
    fn round(&mut self, event: &Event, before: Time) -> Result<(), String> {
        let node = event.node;
        let round = event.t.whole().map(Round).ok_or("a round has a whole number")?;
        let due = self.actors[node as usize].due();
        if let Some(Round(wakes)) = self.scenario.initiators.round_of(node) {
            if due != Some(round) && event.received.is_empty() && event.t == before.later_by(wakes) {
                self.begin_another_election(node, before)?;
            }
            if event.t == self.since.later_by(wakes) {
                self.started.insert(node);
                return Ok(());
            }
        }
        match due {
            Some(due) if due < round => Err(format!("node {node} would have acted in round {due}")),
            due if due == Some(round) || !event.received.is_empty() => Ok(()),
            _ => Err(format!("node {node} has nothing to do in round {round}")),
        }
    }

    /// When all initiators have started and nothing is under way, one that starts again begins another election.
    fn begin_another_election(&mut self, node: Node, before: Time) -> Result<(), String> {
        if self.tally.waited_for::<A::Msg>() > 0 || !self.started.contains(&node) || self.missing_start().is_some() {
            return Ok(());
        }
        self.judge.next_election();
        self.started.clear();
        self.since = before;
        self.elections += 1;
        if self.elections > self.scenario.elections {
            return Err(format!("node {node} starts another election than the {} planned", self.scenario.elections));
        }
        Ok(())
    }

    /// An initiator that is up and has not started in this election.
    fn missing_start(&self) -> Option<Node> {
        let excused = |node: &Node| self.is_dead(*node) || self.excused.contains(node);
        let absent = |node: &Node| !self.started.contains(node) && !excused(node);
        self.scenario.electorate().initiators().map(|(node, _)| node).find(absent)
    }

    fn is_dead(&self, node: Node) -> bool {
        self.judge.dead().contains(&node)
    }

    fn crash(&mut self, node: Node) {
        self.timers.stop(node);
        if !self.started.contains(&node) {
            self.excused.insert(node);
        }
        self.judge.crash(node, self.actors[node as usize].status());
    }

    fn recover(&mut self, node: Node) -> Result<(), String> {
        let diameter = self.scenario.told_diameter(A::INFO);
        let actor = awaken(self.scenario, A::INFO, diameter, node, A::new);
        self.actors[node as usize] = actor.map_err(|unmet| unmet.to_string())?;
        self.judge.recover(node);
        Ok(())
    }

    /// A process hears that a neighbour is down, which must be true.
    fn hear(&self, event: &Event) -> Result<(), String> {
        let (node, network) = (event.node, &self.scenario.topology);
        let port =
            event.peer.filter(|port| port.0 < network.ports(node)).ok_or("it must name the port that is down")?;
        let (peer, _) = network.far(node, port);
        if self.is_dead(peer) { Ok(()) } else { Err(format!("node {peer} is not down")) }
    }

    /// A message is lost: on a link that may lose it, or because its receiver is down.
    fn lose(&mut self, event: &Event) -> Result<(), String> {
        match (&event.received[..], &event.sent[..]) {
            ([received], []) if self.is_dead(event.node) => {
                let (_, msg) = self.take(event.node, received)?;
                self.tally.lost(&msg);
                Ok(())
            }
            ([], [sent]) if self.may_lose(event, sent.to) => {
                let (link, place) = self.just_sent(event, sent)?;
                let flight = self.under_way.get_mut(&link).and_then(|link| link.remove(place)).expect("found above");
                self.tally.lost(&flight.msg);
                Ok(())
            }
            _ => Err(format!("nothing that node {} has to do with can be lost here", event.node)),
        }
    }

    fn may_lose(&self, event: &Event, to: Node) -> bool {
        let from = event.node;
        self.scenario.faults.iter().any(|fault| match *fault {
            Fault::Loss(chance) => chance > Chance(0),
            Fault::Cut(a, b, window) => [(a, b), (b, a)].contains(&(from, to)) && window.contains(event.t),
            Fault::OneWay(a, b, window) => (a, b) == (from, to) && window.contains(event.t),
            _ => false,
        })
    }

    /// A link repeats a message.
    fn repeat(&mut self, event: &Event) -> Result<(), String> {
        let [sent] = &event.sent[..] else { return Err("it must name the message that is repeated".into()) };
        if !self.scenario.faults.iter().any(|fault| matches!(fault, Fault::Duplicate(chance) if *chance > Chance(0))) {
            return Err("no message is repeated in this run".into());
        }
        let (link, place) = self.just_sent(event, sent)?;
        let link = self.under_way.get_mut(&link).expect("found above");
        let Flight { n, msg, sent } = &link[place];
        let again = Flight { n: *n, msg: msg.clone(), sent: *sent };
        self.tally.repeated(&again.msg);
        link.insert(place, again);
        Ok(())
    }

    /// Where a message that its sender has just sent is under way.
    fn just_sent(&self, event: &Event, sent: &Sent) -> Result<((Node, Port), usize), String> {
        let Sent { n, port, .. } = sent;
        let missing = || format!("node {} has not just sent message {n} by port {port}", event.node);
        if port.0 >= self.scenario.topology.ports(event.node) {
            return Err(missing());
        }
        let link = self.scenario.topology.far(event.node, *port);
        let flights = self.under_way.get(&link).ok_or_else(missing)?;
        let place = flights.iter().position(|flight| flight.n == *n && flight.sent == event.t);
        place.map(|place| (link, place)).ok_or_else(missing)
    }

    /// What is wrong with the time that a message took, if something is.
    fn odd_delay(&self, from: Node, sent: Time) -> Option<String> {
        if let Timing::Live(_) = self.scenario.timing {
            return None; // whatever it was, it took that long
        }
        let faults = &self.scenario.faults;
        let slowness = faults.iter().find_map(|fault| match *fault {
            Fault::Slow(node, factor) if node == from => Some(factor),
            _ => None,
        });
        let usual = sent.later_by(slowness.unwrap_or(1).into());
        let late = faults.iter().any(|fault| matches!(fault, Fault::Reorder(chance) if *chance > Chance(0)));
        let latest = if late { usual.later_by(1) } else { usual };
        let exact = matches!(self.scenario.timing, Timing::Unit | Timing::Rounds);
        let right = if exact { self.now == usual || self.now == latest } else { sent < self.now && self.now <= latest };
        let unit = if self.scenario.timing == Timing::Rounds { "round" } else { "unit" };
        match right {
            true => None,
            false if !faults.is_empty() => Some("its link is not as slow as that, nor as fast".into()),
            false if exact => Some(format!("every message takes one {unit}")),
            false => Some("every delay is above 0 and at most 1".into()),
        }
    }

    /// A message arrives.
    fn arrive(&mut self, node: Node, received: &Received) -> Result<(Port, A::Msg), String> {
        let (port, msg) = self.take(node, received)?;
        self.tally.received(&msg);
        Ok((port, msg))
    }

    /// Takes a message out of those under way.
    fn take(&mut self, node: Node, received: &Received) -> Result<(Port, A::Msg), String> {
        let Received { n, from, port, msg } = received;
        let sender = (port.0 < self.scenario.topology.ports(node)).then(|| self.scenario.topology.far(node, *port).0);
        if sender != Some(*from) {
            return Err(format!("node {from} is not behind port {port} of node {node}"));
        }
        let missing = || format!("no message {n} is under way to port {port} of node {node}");
        let link = self.under_way.get(&(node, *port)).ok_or_else(missing)?;
        let place = link.iter().position(|flight| flight.n == *n).ok_or_else(missing)?;
        let flight = &link[place];
        if written(&flight.msg) != *msg {
            let sent = render(&written(&flight.msg));
            return Err(format!("message {n} was sent as {sent}, and arrives as {}", render(msg)));
        }
        if let Some(rule) = self.odd_delay(*from, flight.sent) {
            return Err(format!("message {n}, sent at {}, arrives at {}, but {rule}", flight.sent, self.now));
        }
        let overtakes = place > 0 && self.scenario.timing.is_fifo();
        if overtakes && !self.scenario.faults.iter().any(|fault| matches!(fault, Fault::Reorder(_))) {
            return Err(format!("message {n} overtakes message {} on a link that keeps order", link[0].n));
        }
        let link = self.under_way.get_mut(&(node, *port));
        let flight = link.and_then(|link| link.remove(place)).expect("found above");
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

    /// Whether everybody has started, and nothing happens any more: a synchronized process may wait in vain.
    fn is_quiet(&self) -> bool {
        let nobody_acts = self.tally.in_flight == 0 && self.scenario.timing != Timing::Rounds
            || !self.actors.iter().any(A::is_pending);
        nobody_acts && self.missing_start().is_none() && self.timers.first().is_none() && !self.incidents.remain()
    }

    /// Whether everything has happened that was to happen.
    fn is_complete(&mut self) -> Result<(), String> {
        if let Some(node) = self.missing_start() {
            return Err(format!("the run cannot be over: node {node} has not started"));
        }
        if let Some((_, node)) = self.timers.first() {
            return Err(format!("the run cannot be over: a timer of node {node} runs"));
        }
        let actors = &self.actors;
        self.incidents.look(Time::END, &self.scenario.topology, |node| actors[node as usize].sleeps());
        if let Some(incident) = self.incidents.missing() {
            return Err(format!("the run cannot be over: {incident}"));
        }
        let electorate = self.scenario.electorate();
        let mut initiators = electorate.initiators().map(|(node, _)| node);
        if self.elections < self.scenario.elections && initiators.any(|node| !self.is_dead(node)) {
            return Err(format!("the run cannot be over: {} elections were planned", self.scenario.elections));
        }
        if self.tally.events > self.scenario.limit {
            return Err(format!("the run would have been stopped after {} events", self.scenario.limit));
        }
        let acts = |&node: &Node| !self.is_dead(node) && self.actors[node as usize].due().is_some();
        match (0..self.scenario.topology.nodes()).find(acts) {
            Some(node) => Err(format!("the run cannot be over: node {node} will still act")),
            None => Ok(()),
        }
    }

    fn end(mut self, ending: &Ending) -> Result<Report, String> {
        if let Some((node, status)) = self.owed {
            return Err(format!("node {node} decides here: {status:?}"));
        }
        let waited_for = self.under_way.values().flatten().filter(|flight| !flight.msg.is_overhead()).count();
        if waited_for > 0 && !ending.was_cut_short() {
            return Err(format!("the run cannot be over: {waited_for} messages are under way"));
        }
        if !ending.was_cut_short() {
            self.is_complete()?;
            // Elections that nobody was left to start.
            (self.elections..self.scenario.elections).for_each(|_| self.judge.next_election());
        } else if self.elections < self.scenario.elections && waited_for == 0 && self.is_quiet() {
            // It was stopped before anybody started again.
            self.judge.next_election();
        }
        let synchronous = A::INFO.model == Model::Synchronous;
        let ended = Ended {
            scenario: self.scenario,
            info: A::INFO,
            judge: self.judge,
            tally: self.tally,
            choices: Choices::new(0, 0, vec![]),
            symmetry: None,
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
