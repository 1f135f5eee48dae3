//! One network of processes on which anything may happen, one [`Move`] after the other.
//!
//! The caller decides what happens next: a trace, the checker's path, a person. The stage says what may happen, lets it
//! happen, and returns the events of a trace. A clone can take another way from the same moment.
//!
//! The timing of the scenario says what may happen. If it is [chosen](Timing::Chosen), time counts the steps, and
//! faults come when the freedom allows. Otherwise faults come as planned, and timers are punctual.

mod moves;
mod outages;
mod rules;
mod timers;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bellwether_core::{Draws, Port, Span, Status};
use bellwether_net::{Node, Wiring};
use bellwether_random::Choices;
use bellwether_world::host::{
    Actor, Cast, Count, Cue, Driver, Effects, Ended, Envelope, Error, Tally, Told, bring_up, restore,
};
use bellwether_world::trace::{Event, EventKind, Received, Sent};
use bellwether_world::{Fault, Freedom, Judge, Report, Scenario, Time, Timing};

pub use self::moves::{Act, Move};
use self::outages::{Fallen, Reports};
use self::timers::RunningTimer;

/// A run under way, of an algorithm in the asynchronous model.
#[derive(Clone)]
pub struct Stage<'a> {
    cast: &'a Cast,
    scenario: &'a Scenario,
    now: Time,
    drivers: Vec<Driver<GivenDraws>>,
    choices: Choices,
    /// The messages under way, by receiver, sender and the receiver's port, in the order of sending.
    links: BTreeMap<(Node, Node, Port), VecDeque<Flight>>,
    judge: Judge,
    tally: Tally,
    /// The freedom that is left, if the schedule is chosen.
    freedom: Option<Freedom>,
    /// The number of this election, and the initiators that have started in it.
    election: u32,
    started: BTreeSet<Node>,
    /// Initiators that need not start any more: they were down, or a message woke them up.
    excused: BTreeSet<Node>,
    /// Whether a message has been delivered in this election. By then all initiators have started.
    is_open: bool,
    /// The reports of crashes and closed connections that are still to come.
    reports: Reports,
    /// The crashes, recoveries and starts that are still to happen.
    planned: Vec<Fault>,
    /// The process that has just crashed by choice.
    fallen: Option<Fallen>,
    /// The running timers, in the order in which they were set.
    timers: Vec<RunningTimer>,
    /// The variables that the events have told.
    told: Told,
}

/// A message under way.
#[derive(Clone, Debug)]
pub struct Flight {
    /// Its number among those of its sender.
    pub n: u64,
    /// What it says.
    pub msg: Envelope,
    /// When it was sent.
    pub sent: Time,
    /// Whether its connection has closed, perhaps after it was sent: then it never arrives.
    pub may_be_lost: bool,
}

/// The choices of a process: first the values of a move, then those of the seed.
#[derive(Clone)]
struct GivenDraws {
    node: Node,
    given: VecDeque<u64>,
    /// Filled only during a step; otherwise the stage has the choices.
    choices: Choices,
    /// A given value that was not among the values to choose from, and how many there were.
    misfit: Option<(u64, u64)>,
}

impl Draws for GivenDraws {
    fn draw(&mut self, arity: u64) -> u64 {
        let Some(value) = self.given.pop_front() else { return self.choices.choose(self.node, arity) };
        if value < arity {
            return value;
        }
        self.misfit.get_or_insert((value, arity));
        0
    }
}

impl<'a> Stage<'a> {
    /// All processes sleep, and nothing has happened.
    ///
    /// # Errors
    /// If there is no memory for all processes, or one lacks knowledge.
    pub fn new(cast: &'a Cast, scenario: &'a Scenario) -> Result<Self, Error> {
        let nodes = scenario.topology.nodes();
        let each = size_of::<Driver<GivenDraws>>() + cast.process_bytes + size_of::<Flight>() + cast.message_bytes;
        let processes = bring_up(scenario, cast.info, each.saturating_mul(nodes as usize), cast.new)?;
        let driver = |(node, process)| {
            let nothing = Choices::new(0, 0, vec![]);
            let chance = GivenDraws { node, given: VecDeque::new(), choices: nothing, misfit: None };
            Driver::new(process, scenario.topology.ports(node), chance)
        };
        Ok(Self {
            cast,
            scenario,
            now: Time::ZERO,
            drivers: (0..).zip(processes).map(driver).collect(),
            choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
            links: BTreeMap::new(),
            judge: Judge::new(cast.info, scenario),
            tally: Tally::new(nodes, Count::Sends),
            freedom: if let Timing::Chosen(freedom) = scenario.timing { Some(freedom) } else { None },
            election: 1,
            started: BTreeSet::new(),
            excused: BTreeSet::new(),
            is_open: false,
            reports: BTreeMap::new(),
            planned: scenario.faults.iter().filter(|fault| fault.incident().is_some()).copied().collect(),
            fallen: None,
            timers: vec![],
            told: Told::default(),
        })
    }

    /// The time of the last move.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// The number of steps taken and of messages repeated.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.tally.events
    }

    /// The process at a node; `None` if it is down.
    #[must_use]
    pub fn state(&self, node: Node) -> Option<&dyn Actor> {
        (!self.is_dead(node)).then(|| self.drivers[node as usize].process())
    }

    /// The messages under way between two nodes by this port of the receiver, in the order of sending.
    pub fn under_way(&self, from: Node, to: Node, port: Port) -> impl Iterator<Item = &Flight> {
        self.links.get(&(to, from, port)).into_iter().flatten()
    }

    /// Makes a move and returns its events: first the step, then the decision of the process.
    ///
    /// # Errors
    /// If the move is not possible now. The stage cannot be used after that.
    pub fn make(&mut self, made: &Move) -> Result<Vec<Event>, String> {
        let Move { t, node, ref act, .. } = *made;
        self.exists(node)?;
        if t < self.now {
            return Err(format!("time goes back from {} to {t}", self.now));
        }
        self.now = t;
        if !(matches!(act, Act::Recover) && self.may_restart(node)) {
            self.stay_down()?;
        }
        let mut event = Event::blank(t, node, EventKind::Start);
        let cue = match act {
            Act::Crash => return self.crash(node),
            Act::Lose { from, n } => return self.lose(*from, *n, node),
            Act::Repeat { from, n } => return self.repeat(*from, *n, node),
            Act::Deliver { from, n } if self.is_dead(node) => return self.miss(*from, *n, node),
            Act::Recover => {
                self.recover(node)?;
                event.kind = EventKind::Recover;
                Cue::Start
            }
            _ if self.is_dead(node) => return Err(format!("node {node} is down")),
            Act::Start { election } => {
                self.start(node, election.unwrap_or(1))?;
                event.election = *election;
                Cue::Start
            }
            Act::PeerDown { peer } => {
                if !self.may_go_on() {
                    return Err("a report comes before all initiators have started".into());
                }
                self.hear(node, *peer)?;
                (event.kind, event.peer) = (EventKind::PeerDown, Some(*peer));
                Cue::PeerDown(*peer)
            }
            Act::Timeout { timer: name } => {
                let timer = self.cast.timer(name).ok_or_else(|| format!("there is no timer {name}"))?;
                self.expire(node, timer).map_err(|why| format!("the timer {name} of node {node} {why}"))?;
                (event.kind, event.timer) = (EventKind::Timeout, Some(name.clone()));
                Cue::Timeout(timer)
            }
            Act::Deliver { from, n } => {
                self.open(node)?;
                self.is_awake(node)?;
                let (port, msg) = self.take(*from, *n, node)?;
                self.tally.received(&msg);
                event.kind = EventKind::Receive;
                event.received.push(Received { n: *n, from: *from, port, msg: msg.written() });
                Cue::Receive(port, msg)
            }
        };
        self.step(event, cue, &made.draws)
    }

    /// A process takes a step, with the part of its event that is known.
    fn step(&mut self, mut event: Event, cue: Cue, draws: &[u64]) -> Result<Vec<Event>, String> {
        let Event { t, node, .. } = event;
        if let Cue::Start | Cue::Receive(..) = cue {
            self.judge.joins(node, matches!(cue, Cue::Start));
        }
        let expired = if let Cue::Timeout(timer) = cue { Some(timer) } else { None };
        let driver = &mut self.drivers[node as usize];
        driver.chance().given = draws.iter().copied().collect();
        std::mem::swap(&mut driver.chance().choices, &mut self.choices);
        let Effects { change, timers, draws, rules, sent } = driver.handle(t.as_span().unwrap_or(Span(u64::MAX)), cue);
        let changed: Vec<_> = expired.map(|timer| (timer, None)).into_iter().chain(timers.iter().copied()).collect();
        event.draws = draws.to_vec();
        event.rules = rules.iter().map(ToString::to_string).collect();
        event.rules.dedup();
        for (n, (port, msg)) in sent {
            let (to, at) = self.scenario.topology.far(node, port);
            self.tally.sent(node, &msg);
            event.sent.push(Sent { n, to, port, msg: msg.written() });
            self.links.entry((to, node, at)).or_default().push_back(Flight { n, msg, sent: t, may_be_lost: false });
        }
        let chance = driver.chance();
        std::mem::swap(&mut chance.choices, &mut self.choices);
        if let Some((value, arity)) = chance.misfit {
            return Err(format!("node {node} drew {value}, but the values end before {arity}"));
        }
        if !chance.given.is_empty() {
            return Err(format!("node {node} draws fewer values than it is given"));
        }
        event.state = self.told.changes(node, driver.process().variables(), &self.scenario.topology);
        self.tally.events += 1;
        event.role = change.turned().map(String::from);
        let may_be_late = self.goes_on_in_real_time();
        let (before, decided) = (change.before.status, change.decided());
        if may_be_late && decided == Some(Status::Leader) {
            let due = |node: Node| self.drivers[node as usize].next_deadline().map(|(due, _)| due);
            self.judge.suspend_late(t, due);
        }
        let driver = &self.drivers[node as usize];
        let decided = decided.map(|status| {
            self.judge.decides(t, node, before, driver.process());
            Event { decision: Some(status.into()), ..Event::blank(t, node, EventKind::Decide) }
        });
        if may_be_late {
            let due = driver.next_deadline().map(|(due, _)| due);
            self.judge.catch_up(t, node, driver.process().status(), due);
        }
        self.note_timers(node, &changed);
        Ok([event].into_iter().chain(decided).collect())
    }

    fn exists(&self, node: Node) -> Result<(), String> {
        if node < self.scenario.topology.nodes() { Ok(()) } else { Err(format!("there is no node {node}")) }
    }

    fn is_dead(&self, node: Node) -> bool {
        self.judge.dead().contains(&node)
    }

    /// Finds a message under way: the port of the receiver, and the place in the queue.
    fn find(&self, from: Node, n: u64, to: Node) -> Result<(Port, usize), String> {
        let links = self.links.range((to, from, Port(0))..=(to, from, Port(u32::MAX)));
        let place = |flights: &VecDeque<Flight>| flights.iter().position(|flight| flight.n == n);
        links
            .filter_map(|((.., port), flights)| Some((*port, place(flights)?)))
            .next()
            .ok_or_else(|| format!("no message {n} of node {from} is under way to node {to}"))
    }

    /// Removes a message that arrives from those under way.
    fn take(&mut self, from: Node, n: u64, to: Node) -> Result<(Port, Envelope), String> {
        let (port, place) = self.find(from, n, to)?;
        if self.is_held(to, port) {
            return Err(format!("node {to} must hear first that the connection at port {port} has closed"));
        }
        let keeps_order = self.keeps_order();
        let Self { links, tally, .. } = self;
        let link = links.get_mut(&(to, from, port)).expect("found above");
        if !keeps_order {
            return Ok((port, link.remove(place).expect("found above").msg));
        }
        if let Some(Flight { n: other, .. }) = link.iter().take(place).find(|flight| !flight.may_be_lost) {
            return Err(format!("message {n} overtakes message {other} on a link that keeps order"));
        }
        link.drain(..place).for_each(|flight| tally.lost(&flight.msg));
        Ok((port, link.pop_front().expect("found above").msg))
    }

    /// A message reaches a process that is down.
    fn miss(&mut self, from: Node, n: u64, to: Node) -> Result<Vec<Event>, String> {
        let (port, msg) = self.take(from, n, to)?;
        self.tally.lost(&msg);
        let received = vec![Received { n, from, port, msg: msg.written() }];
        Ok(vec![Event { received, ..Event::blank(self.now, to, EventKind::Drop) }])
    }

    /// A link loses a message.
    fn lose(&mut self, from: Node, n: u64, to: Node) -> Result<Vec<Event>, String> {
        let (port, place) = self.find(from, n, to)?;
        if !self.may_lose(from, to, n) && !self.spend(|freedom| &mut freedom.losses) {
            return Err(format!("nothing that node {from} has to do with can be lost here"));
        }
        let event = self.befalls(from, to, port, place, EventKind::Drop)?;
        let flight = self.links.get_mut(&(to, from, port)).and_then(|link| link.remove(place)).expect("found above");
        self.tally.lost(&flight.msg);
        Ok(vec![event])
    }

    /// A link repeats a message.
    fn repeat(&mut self, from: Node, n: u64, to: Node) -> Result<Vec<Event>, String> {
        let (port, place) = self.find(from, n, to)?;
        if !self.may_repeat(from, n) && !self.spend(|freedom| &mut freedom.copies) {
            return Err("no message is repeated in this run".into());
        }
        let event = self.befalls(from, to, port, place, EventKind::Duplicate)?;
        let link = self.links.get_mut(&(to, from, port)).expect("found above");
        self.tally.repeated(&link[place].msg);
        link.insert(place, link[place].clone());
        Ok(vec![event])
    }

    /// The event for the fate of a message. If faults have chances, the fate is known when the message is sent.
    fn befalls(&self, from: Node, to: Node, at: Port, place: usize, kind: EventKind) -> Result<Event, String> {
        let Flight { n, ref msg, sent, .. } = self.links[&(to, from, at)][place];
        if self.freedom.is_none() && sent != self.now {
            return Err(format!("node {from} has not just sent message {n}"));
        }
        let (_, port) = self.scenario.topology.far(to, at);
        let sent = vec![Sent { n, to, port, msg: msg.written() }];
        Ok(Event { sent, ..Event::blank(self.now, from, kind) })
    }

    fn crash(&mut self, node: Node) -> Result<Vec<Event>, String> {
        self.note_crash(node)?;
        let driver = &mut self.drivers[node as usize];
        self.judge.crash(self.now, node, driver.process().status());
        driver.stop();
        self.timers.retain(|timer| timer.node != node);
        Ok(vec![Event::blank(self.now, node, EventKind::Crash)])
    }

    fn recover(&mut self, node: Node) -> Result<(), String> {
        self.note_recovery(node)?;
        let before = self.drivers[node as usize].process();
        let process = restore(self.scenario, self.cast.info, node, before, self.now);
        self.drivers[node as usize].restart(process.map_err(|unmet| unmet.to_string())?);
        self.judge.recover(node);
        Ok(())
    }

    /// The report, if the run is over or is stopped here.
    #[must_use]
    pub fn report(mut self, cut_short: bool) -> Report {
        if !cut_short {
            // Elections that no living process could start.
            (self.election..self.scenario.elections).for_each(|_| self.judge.next_election());
        } else if self.election < self.scenario.elections && self.settled().is_ok() {
            self.judge.next_election(); // it was stopped before an initiator started again
        }
        let ended = Ended { cut_short, ..Ended::new(self.scenario, self.cast.info, self.judge, self.tally) };
        let ended = ended.with_processes(self.drivers.iter().map(Driver::process));
        let report = ended.report(self.cast.kinds, &|node| self.drivers[node as usize].process().status());
        report.expect("nothing was scripted")
    }
}
