//! A schedule told as a trace: the same lines that a simulated or a live run writes, so that it can be replayed.

use std::collections::{BTreeSet, VecDeque};

use bellwether_core::{Model, Starters, Starts, Status};
use bellwether_world::host::{Count, Ended, Standing, Tally};
use bellwether_world::random::Choices;
use bellwether_world::trace::{Ending, Event, EventKind, Received, Sent};
use bellwether_world::{Judge, Node, Report, Scenario, Time, Timing, Wiring, assumptions};

use crate::automaton::{Act, Fate};
use crate::layout::Link;
use crate::ledger::Stop;
use crate::machine::{Machine, Move};
use crate::row::Row;
use crate::shortest::Path;

/// A run that follows one schedule.
#[derive(Clone, Debug)]
pub struct Story {
    /// What is played: one schedule out of all.
    pub scenario: Scenario,
    /// Who was free to start.
    pub initiators: Starters,
    /// What happens, line by line.
    pub events: Vec<Event>,
    /// What comes of it.
    pub report: Report,
    /// From which line on it repeats, if it goes on for ever.
    pub repeats_from: Option<usize>,
}

impl Story {
    /// The last line of the trace.
    #[must_use]
    pub fn ending(&self) -> Ending {
        Ending::new(&self.scenario, &self.report)
    }
}

/// Tells a schedule; of one that never ends, the way to its loop and the loop once.
///
/// # Errors
/// If it cannot be followed, which it was before.
pub fn tell(machine: &mut Machine, path: &Path, around: Option<&Path>) -> Result<Story, Stop> {
    let mut teller = Teller::new(machine, path.iter().chain(around.into_iter().flatten()))?;
    let mut repeats_from = None;
    for (number, &(step, way)) in path.iter().chain(around.into_iter().flatten()).enumerate() {
        if number == path.len() {
            repeats_from = Some(teller.lines.iter().map(Vec::len).sum());
        }
        teller.make(step, way)?;
    }
    teller.end(repeats_from)
}

/// A message under way.
struct Flight {
    n: u64,
    message: u32,
    /// The step in which it was sent.
    step: usize,
    is_copy: bool,
}

/// A limit that no schedule reaches, and that every reader of JSON can hold.
const FAR: u64 = (1 << 53) - 1;

struct Teller<'a> {
    machine: &'a mut Machine,
    scenario: Scenario,
    /// The state as the machine sees it, with stages counted back by so many.
    row: Row,
    rewound: u64,
    /// The processes as they are.
    locals: Vec<Option<u32>>,
    under_way: Vec<VecDeque<Flight>>,
    /// The lines, by step.
    lines: Vec<Vec<Event>>,
    messages: u64,
    judge: Judge,
    tally: Tally,
}

impl<'a> Teller<'a> {
    fn new<'b>(machine: &'a mut Machine, path: impl Iterator<Item = &'b (Move, u32)>) -> Result<Self, Stop> {
        machine.spread_out();
        let info = machine.automaton().info();
        let mut scenario = machine.scenario().clone();
        scenario.timing = Timing::Chosen(machine.plan().freedom);
        scenario.limit = FAR;
        if info.starts != Starts::All {
            let starters = path.filter_map(|(step, _)| if let Move::Start(node) = step { Some(*node) } else { None });
            scenario.initiators = Starters::together(starters.collect::<BTreeSet<_>>());
        }
        scenario.forced = !assumptions::broken(&scenario, info).is_empty();
        let row = machine.first()?;
        let nodes = scenario.topology.nodes();
        let locals = (0..nodes).map(|node| machine.asleep(node).map(Some)).collect::<Result<_, _>>()?;
        Ok(Self {
            row,
            rewound: 0,
            locals,
            under_way: machine.layout().links.iter().map(|_| VecDeque::new()).collect(),
            lines: vec![],
            messages: 0,
            judge: Judge::new(info, &scenario),
            tally: Tally::new(nodes, Count::Sends),
            scenario,
            machine,
        })
    }

    fn make(&mut self, step: Move, way: u32) -> Result<(), Stop> {
        match step {
            Move::Start(node) => self.act(node, Act::Start, EventKind::Start, None, way)?,
            Move::Report(node, port) => self.act(node, Act::PeerDown(port), EventKind::PeerDown, None, way)?,
            Move::Timeout(node, timer) => self.act(node, Act::Timeout(timer), EventKind::Timeout, None, way)?,
            Move::Deliver { link, parcel, keep } => {
                let place = self.find(link, parcel.message(), parcel.is_copy());
                let flight = &mut self.under_way[link as usize][place];
                let (n, message, sent) = (flight.n, flight.message, flight.step);
                if keep {
                    flight.is_copy = true;
                    self.befalls(sent, n, EventKind::Duplicate);
                    self.machine.automaton().count(&mut self.tally, message, Fate::Repeated);
                } else {
                    self.under_way[link as usize].remove(place);
                }
                self.machine.automaton().count(&mut self.tally, message, Fate::Received);
                let Link { to, port, from } = self.machine.layout().links[link as usize];
                let received = Received { n, from, port, msg: self.machine.automaton().message_in_trace(message) };
                self.act(to, Act::Receive(port, message), EventKind::Receive, Some(received), way)?;
            }
            Move::Lose { link, parcel } => {
                let place = self.find(link, parcel.message(), parcel.is_copy());
                if let Some(Flight { n, message, step, .. }) = self.under_way[link as usize].remove(place) {
                    self.befalls(step, n, EventKind::Drop);
                    self.machine.automaton().count(&mut self.tally, message, Fate::Lost);
                }
            }
            Move::Crash(node) => self.crash(node),
        }
        self.rewound += self.machine.apply(&mut self.row, step, way)?.rewound;
        Ok(())
    }

    /// The place on a link of a message that the machine knows by this number.
    fn find(&mut self, link: u32, message: u32, is_copy: bool) -> usize {
        let by = self.rewound;
        let machine = &mut *self.machine;
        let is_it = |flight: &Flight| {
            flight.is_copy == is_copy
                && (by == 0 && flight.message == message || machine.rewound_message(flight.message, by) == message)
        };
        self.under_way[link as usize].iter().position(is_it).expect("the schedule was followed before")
    }

    /// The moment of the step that is being told.
    fn now(&self) -> Time {
        Time::units(self.lines.len() as u128 + 1)
    }

    /// What becomes of a message is told right after the step in which it was sent.
    fn befalls(&mut self, step: usize, n: u64, kind: EventKind) {
        let lines = &mut self.lines[step];
        let sent = lines[0].sent.iter().find(|sent| sent.n == n).cloned();
        let place = lines.iter().position(|line| line.kind == EventKind::Decide).unwrap_or(lines.len());
        let fate = Event { sent: sent.into_iter().collect(), ..Event::blank(lines[0].t, lines[0].node, kind) };
        lines.insert(place, fate);
    }

    fn crash(&mut self, node: Node) {
        let now = self.now();
        let status = self.standing(node).status;
        self.locals[node as usize] = None;
        self.judge.crash(node, status);
        let mut lines = vec![Event::blank(now, node, EventKind::Crash)];
        for link in 0..self.under_way.len() {
            if self.machine.layout().links[link].to == node {
                for flight in std::mem::take(&mut self.under_way[link]) {
                    lines.push(self.reaches_nobody(link, &flight, now));
                }
            }
        }
        self.lines.push(lines);
    }

    /// A message reaches a process that is down.
    fn reaches_nobody(&mut self, link: usize, flight: &Flight, now: Time) -> Event {
        let Link { to, port, from } = self.machine.layout().links[link];
        self.machine.automaton().count(&mut self.tally, flight.message, Fate::Lost);
        let msg = self.machine.automaton().message_in_trace(flight.message);
        Event { received: vec![Received { n: flight.n, from, port, msg }], ..Event::blank(now, to, EventKind::Drop) }
    }

    /// A process takes a step.
    fn act(&mut self, node: Node, act: Act, kind: EventKind, received: Option<Received>, way: u32) -> Result<(), Stop> {
        let (now, number) = (self.now(), self.lines.len());
        let before = self.standing(node);
        let local = self.locals[node as usize].expect("only the living act");
        let outcome = self.machine.outcome_of(local, node, act, way)?;
        self.locals[node as usize] = Some(outcome.local);
        let mut event = Event {
            received: received.into_iter().collect(),
            draws: outcome.draws,
            peer: if let Act::PeerDown(port) = act { Some(port) } else { None },
            ..Event::blank(now, node, kind)
        };
        if let Act::Timeout(timer) = act {
            event.timer = Some(self.machine.automaton().timer_in_trace(timer));
        }
        let mut lost = Vec::new();
        for (port, message) in outcome.sends {
            let n = self.messages;
            self.messages += 1;
            self.machine.automaton().count(&mut self.tally, message, Fate::Sent(node));
            let (to, _) = self.scenario.topology.far(node, port);
            event.sent.push(Sent { n, to, port, msg: self.machine.automaton().message_in_trace(message) });
            let Some(link) = self.machine.layout().out(node, port) else { continue };
            let flight = Flight { n, message, step: number, is_copy: false };
            if self.locals[to as usize].is_some() {
                self.under_way[link as usize].push_back(flight);
            } else {
                lost.push(self.reaches_nobody(link as usize, &flight, now));
            }
        }
        self.tally.events += 1;
        let after = self.standing(node);
        event.role = after.turned(before).map(String::from);
        let mut lines = vec![event];
        if let Some(status) = after.decided(before) {
            self.judge.change(now, node, before.status, status);
            lines.push(Event { decision: Some(status.into()), ..Event::blank(now, node, EventKind::Decide) });
        }
        lines.extend(lost);
        self.lines.push(lines);
        Ok(())
    }

    fn standing(&self, node: Node) -> Standing {
        let asleep = Standing { status: Status::Undecided, role: "" };
        self.locals[node as usize].map_or(asleep, |local| self.machine.automaton().standing(local))
    }

    fn end(self, repeats_from: Option<usize>) -> Result<Story, Stop> {
        let info = self.machine.automaton().info();
        let cut_short = self.machine.moves(self.row.cells(), &mut vec![]) > 0;
        let ended = Ended {
            scenario: &self.scenario,
            info,
            judge: self.judge,
            tally: self.tally,
            choices: Choices::new(0, 0, vec![]),
            symmetry: None,
            cut_short,
            synchronized: info.model == Model::Synchronous,
            extra_time: 0.0,
            full: false,
        };
        let status = |node: Node| {
            let facts = self.locals[node as usize].and_then(|local| self.machine.automaton().local_if_met(local));
            facts.map_or(Status::Undecided, |facts| facts.status)
        };
        let report = self.machine.automaton().report(ended, &status);
        let events = self.lines.into_iter().flatten().collect();
        let initiators = self.machine.scenario().initiators.clone();
        Ok(Story { scenario: self.scenario, initiators, events, report, repeats_from })
    }
}
