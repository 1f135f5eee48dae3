//! A live run or a chosen schedule, led by its trace.
//!
//! The trace says what happened next and which values were drawn; the algorithm's code says what must come of it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bellwether_core::{Model, Port, Status};
use bellwether_world::faults::Chance;
use bellwether_world::host::{Actor, Bell, Cast, Count, Cue, Ended, Envelope, Tally, Timers, awaken, bring_up};
use bellwether_world::random::Choices;
use bellwether_world::trace::{Ending, Event, EventKind, Line, Received, Sent, render};
use bellwether_world::{Fault, Freedom, Judge, Node, Report, Scenario, Time, Timing, Wiring};

use super::script::Script;
use super::{Failure, Lines};

/// Lets the processes do what the trace says.
pub(super) fn follow(cast: &Cast, scenario: &Scenario, lines: &mut Lines<'_>) -> Result<Report, Failure> {
    let mut stage = Stage::new(cast, scenario)?;
    let mut number = 1;
    loop {
        number += 1;
        let diverges = |what| Failure::Diverges(format!("line {number}: {what}"));
        match lines().map_err(Failure::Unreadable)? {
            Some(Line::Event(event)) => stage.event(&event).map_err(diverges)?,
            Some(Line::Ending(ending)) => {
                // Nothing may follow, and only the reader can tell.
                lines().map_err(Failure::Unreadable)?;
                return stage.end(&ending).map_err(diverges);
            }
            None => return Err(Failure::Unreadable("the trace has no ending".into())),
        }
    }
}

/// A replay under way.
struct Stage<'a> {
    cast: &'a Cast,
    scenario: &'a Scenario,
    /// What is left of what the schedule may do, if it was chosen from all that there are.
    freedom: Option<Freedom>,
    processes: Vec<Box<dyn Actor>>,
    /// What is under way, by receiver and port, in order of sending.
    under_way: BTreeMap<(Node, Port), VecDeque<Flight>>,
    timers: Timers<Bell>,
    choices: Choices,
    /// Which election this is, and which initiators have started in it.
    election: u32,
    started: BTreeSet<Node>,
    /// Initiators that were down when they should have started.
    excused: BTreeSet<Node>,
    /// Whether a message has been delivered in this election: by then all initiators have started.
    is_open: bool,
    /// By who is to hear of a crash, and by which port: how often it must, and how often it may.
    reports: BTreeMap<(Node, Port), (u32, u32)>,
    /// The crashes and recoveries that are still to happen.
    planned: Vec<Fault>,
    /// A decision that the next line must tell.
    owed: Option<(Node, Status)>,
    messages: u64,
    now: Time,
    judge: Judge,
    tally: Tally,
}

struct Flight {
    n: u64,
    msg: Envelope,
    sent: Time,
}

impl<'a> Stage<'a> {
    fn new(cast: &'a Cast, scenario: &'a Scenario) -> Result<Self, Failure> {
        let nodes = scenario.topology.nodes();
        let more = (cast.process_bytes + size_of::<Flight>() + cast.message_bytes) * nodes as usize;
        let incident = |fault: &&Fault| matches!(fault, Fault::Crash(..) | Fault::Recover(..));
        Ok(Self {
            cast,
            scenario,
            freedom: if let Timing::Chosen(freedom) = scenario.timing { Some(freedom) } else { None },
            processes: bring_up(scenario, cast.info, more, cast.new).map_err(Failure::Impossible)?,
            under_way: BTreeMap::new(),
            timers: Timers::default(),
            choices: Choices::new(scenario.seed, nodes, scenario.draws.clone()),
            election: 1,
            started: BTreeSet::new(),
            excused: BTreeSet::new(),
            is_open: false,
            reports: BTreeMap::new(),
            planned: scenario.faults.iter().filter(incident).copied().collect(),
            owed: None,
            messages: 0,
            now: Time::ZERO,
            judge: Judge::new(cast.info, scenario),
            tally: Tally::new(nodes, Count::Sends),
        })
    }

    fn event(&mut self, event: &Event) -> Result<(), String> {
        self.happen(event)?;
        event.foreign_field().map_or(Ok(()), |field| Err(format!("such an event has no '{field}'")))
    }

    fn happen(&mut self, event: &Event) -> Result<(), String> {
        let node = event.node;
        if node >= self.scenario.topology.nodes() {
            return Err(format!("there is no node {node}"));
        }
        if event.t < self.now {
            return Err(format!("time goes back from {} to {}", self.now, event.t));
        }
        let before = std::mem::replace(&mut self.now, event.t);
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
        match event.kind {
            EventKind::Crash => return self.crash(event),
            EventKind::Recover => self.recover(event)?,
            _ if self.is_dead(node) => return Err(format!("node {node} is down")),
            EventKind::Start => self.start(event)?,
            EventKind::PeerDown => self.hear(event)?,
            EventKind::Receive if self.freedom.is_some() => {
                self.excused.insert(node); // whom a message wakes up need not start
            }
            EventKind::Receive => self.open()?,
            _ => {}
        }
        self.step(event)
    }

    /// A process takes the step that the trace tells of: it must do all that the trace says, and nothing else.
    fn step(&mut self, event: &Event) -> Result<(), String> {
        let node = event.node;
        let mut inbox: Vec<_> =
            event.received.iter().map(|received| self.arrive(node, received)).collect::<Result<_, _>>()?;
        let process = &mut self.processes[node as usize];
        let before = process.standing();
        let mut script = Script {
            node,
            ports: self.scenario.topology.ports(node),
            timers: &mut self.timers,
            now: event.t,
            draws: event.draws.iter().copied(),
            choices: self.freedom.is_none().then_some(&mut self.choices),
            is_punctual: self.freedom.is_none(),
            sent: vec![],
            misfit: None,
        };
        let cue = match (event.kind, inbox.pop(), inbox.is_empty()) {
            (EventKind::Start | EventKind::Recover, None, true) => Cue::Start,
            (EventKind::Receive, Some((port, msg)), true) => Cue::Receive(port, msg),
            (EventKind::Timeout, None, true) => Cue::Timeout(script.expire(self.cast, event.timer.as_ref())?),
            (EventKind::PeerDown, None, true) => Cue::PeerDown(script.peer(event)?),
            _ => return Err("such an event does not belong to a run that its trace leads".into()),
        };
        process.act(cue, &mut script);
        let Script { draws, sent, misfit, .. } = script;
        if let Some(misfit) = misfit {
            return Err(misfit);
        }
        if draws.len() > 0 {
            return Err(format!("node {node} draws fewer values than the trace says"));
        }
        let after = process.standing();
        self.sends(node, &event.sent, sent)?;
        self.tally.events += 1;
        let role = after.turned(before);
        if event.role.as_deref() != role {
            let turns = role.map_or("takes no new role".into(), |role| format!("is now {role}"));
            let told = event.role.as_ref().map_or("nothing of it".into(), |role| format!("{role:?}"));
            return Err(format!("node {node} {turns}, and the trace says {told}"));
        }
        if let Some(status) = after.decided(before) {
            self.judge.change(event.t, node, before.status, status);
            self.owed = Some((node, status));
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
    fn start(&mut self, event: &Event) -> Result<(), String> {
        let node = event.node;
        self.scenario.initiators.round_of(node).ok_or_else(|| format!("node {node} starts, but it is no initiator"))?;
        let election = event.election.unwrap_or(1);
        if election == self.election + 1 {
            self.is_settled()?;
            if election > self.scenario.elections {
                return Err(format!("only {} elections were planned", self.scenario.elections));
            }
            self.judge.next_election();
            self.started.clear();
            self.excused.clear();
            self.is_open = false;
            self.election = election;
        }
        if election != self.election {
            return Err(format!("this is election {}, not {election}", self.election));
        }
        if self.started.insert(node) { Ok(()) } else { Err(format!("node {node} starts twice")) }
    }

    /// Messages are delivered only once all initiators have started; but overhead of an earlier election.
    fn open(&mut self) -> Result<(), String> {
        let overhead = self.cast.kinds.has_overhead && self.election > 1;
        if std::mem::replace(&mut self.is_open, true) || overhead {
            return Ok(());
        }
        self.missing_start().map_or(Ok(()), |node| Err(format!("node {node} should have started before")))
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

    /// Finds what was planned for now or earlier and has not happened yet: in a live run it may be late.
    fn befalls(&mut self, what: impl Fn(&Fault) -> Option<Time>) -> Option<Fault> {
        let due = |fault: &Fault| what(fault).is_some_and(|at| at <= self.now);
        let place = self.planned.iter().position(due)?;
        Some(self.planned.remove(place))
    }

    /// Takes one off what the schedule may do, if there is something left.
    fn spend(&mut self, what: impl Fn(&mut Freedom) -> &mut u32) -> bool {
        let left = self.freedom.as_mut().map(what);
        left.is_some_and(|left| {
            let had = *left;
            *left -= u32::from((1..Freedom::ANY).contains(&had));
            had > 0
        })
    }

    fn crash(&mut self, event: &Event) -> Result<(), String> {
        let node = event.node;
        let planned = self.befalls(|fault| match fault {
            Fault::Crash(crashes, at) if *crashes == node => Some(*at),
            _ => None,
        });
        let planned =
            planned.or_else(|| self.spend(|freedom| &mut freedom.crashes).then_some(Fault::Crash(node, event.t)));
        planned.filter(|_| !self.is_dead(node)).ok_or_else(|| format!("no crash of node {node} is planned here"))?;
        self.timers.stop(node);
        if !self.started.contains(&node) && !self.is_open {
            self.excused.insert(node);
        }
        // Its neighbours will hear of it, unless they are down themselves; what it has not heard yet it may miss.
        for (far, at) in
            (0..self.scenario.topology.ports(node)).map(|port| self.scenario.topology.far(node, Port(port)))
        {
            let hears = !self.is_dead(far) && far != node;
            let (must, may) = self.reports.entry((far, at)).or_default();
            if hears { *must += 1 } else { *may += 1 }
        }
        self.excuse_reports(|hearer, _| hearer == node);
        self.judge.crash(node, self.processes[node as usize].status());
        Ok(())
    }

    /// Reports that need not come any more.
    fn excuse_reports(&mut self, concerned: impl Fn(Node, Node) -> bool) {
        for ((hearer, port), (must, may)) in &mut self.reports {
            if concerned(*hearer, self.scenario.topology.far(*hearer, *port).0) {
                *may += std::mem::take(must);
            }
        }
    }

    fn recover(&mut self, event: &Event) -> Result<(), String> {
        let node = event.node;
        let planned = self.befalls(|fault| match fault {
            Fault::Recover(recovers, at) if *recovers == node => Some(*at),
            _ => None,
        });
        planned.filter(|_| self.is_dead(node)).ok_or_else(|| format!("no recovery of node {node} is planned here"))?;
        let Cast { info, new, .. } = *self.cast;
        let process = awaken(self.scenario, info, self.scenario.told_diameter(info), node, new);
        self.processes[node as usize] = process.map_err(|unmet| unmet.to_string())?;
        self.judge.recover(node);
        self.excuse_reports(|_, peer| peer == node);
        Ok(())
    }

    /// A process hears that a neighbour is down, which must be true, and news.
    fn hear(&mut self, event: &Event) -> Result<(), String> {
        let (node, network) = (event.node, &self.scenario.topology);
        let port =
            event.peer.filter(|port| port.0 < network.ports(node)).ok_or("it must name the port that is down")?;
        let (peer, _) = network.far(node, port);
        if !self.is_dead(peer) {
            return Err(format!("node {peer} is not down"));
        }
        match self.reports.get_mut(&(node, port)) {
            Some((must @ 1.., _)) => *must -= 1,
            Some((_, may @ 1..)) => *may -= 1,
            _ => return Err(format!("node {node} has heard before that node {peer} is down")),
        }
        Ok(())
    }

    /// A message is lost: on a link that may lose it, or because its receiver is down.
    fn lose(&mut self, event: &Event) -> Result<(), String> {
        match (&event.received[..], &event.sent[..]) {
            ([received], []) if self.is_dead(event.node) => {
                let (_, msg) = self.take(event.node, received)?;
                self.tally.lost(&msg);
                Ok(())
            }
            ([], [sent]) if self.may_lose(event, sent.to) || self.spend(|freedom| &mut freedom.losses) => {
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
        let repeats = |fault: &Fault| matches!(fault, Fault::Duplicate(chance) if *chance > Chance(0));
        if !self.scenario.faults.iter().any(repeats) && !self.spend(|freedom| &mut freedom.copies) {
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

    /// A message arrives.
    fn arrive(&mut self, node: Node, received: &Received) -> Result<(Port, Envelope), String> {
        let (port, msg) = self.take(node, received)?;
        self.tally.received(&msg);
        Ok((port, msg))
    }

    /// Takes a message out of those under way.
    fn take(&mut self, node: Node, received: &Received) -> Result<(Port, Envelope), String> {
        let Received { n, from, port, msg } = received;
        let sender = (port.0 < self.scenario.topology.ports(node)).then(|| self.scenario.topology.far(node, *port).0);
        if sender != Some(*from) {
            return Err(format!("node {from} is not behind port {port} of node {node}"));
        }
        let missing = || format!("no message {n} is under way to port {port} of node {node}");
        let link = self.under_way.get(&(node, *port)).ok_or_else(missing)?;
        let place = link.iter().position(|flight| flight.n == *n).ok_or_else(missing)?;
        let flight = &link[place];
        if flight.msg.written() != *msg {
            let sent = render(&flight.msg.written());
            return Err(format!("message {n} was sent as {sent}, and arrives as {}", render(msg)));
        }
        let overtakes = !self.scenario.timing.is_fifo();
        if place > 0 && !overtakes && !self.scenario.faults.iter().any(|fault| matches!(fault, Fault::Reorder(_))) {
            return Err(format!("message {n} overtakes message {} on a link that keeps order", link[0].n));
        }
        let link = self.under_way.get_mut(&(node, *port));
        let flight = link.and_then(|link| link.remove(place)).expect("found above");
        Ok((*port, flight.msg))
    }

    /// Compares what a process sends with what the trace says.
    fn sends(&mut self, node: Node, recorded: &[Sent], sent: Vec<(Port, Envelope)>) -> Result<(), String> {
        let does = sent.iter().zip(self.messages..).map(|((port, msg), n)| {
            let (to, _) = self.scenario.topology.far(node, *port);
            Sent { n, to, port: *port, msg: msg.written() }
        });
        let does: Vec<Sent> = does.collect();
        if does != recorded {
            let told =
                |it: &Sent| format!("{} to node {} by port {} as message {}", render(&it.msg), it.to, it.port.0, it.n);
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

    /// Whether everything has happened that was to happen in this election.
    fn is_settled(&self) -> Result<(), String> {
        let waited_for = self.under_way.values().flatten().filter(|flight| !flight.msg.is_overhead()).count();
        if waited_for > 0 {
            return Err(format!("the election cannot be over: {waited_for} messages are under way"));
        }
        if let Some(node) = self.missing_start() {
            return Err(format!("the election cannot be over: node {node} has not started"));
        }
        if let Some((_, node)) = self.timers.first() {
            return Err(format!("the election cannot be over: a timer of node {node} runs"));
        }
        if let Some(((node, port), _)) = self.reports.iter().find(|(_, (must, _))| *must > 0) {
            return Err(format!("the election cannot be over: node {node} has not heard that port {port} is down"));
        }
        let acts = |&node: &Node| {
            self.cast.kinds.has_overhead && !self.is_dead(node) && self.processes[node as usize].is_pending()
        };
        if let (true, Some(node)) =
            (self.tally.in_flight::<Envelope>() > 0, (0..self.scenario.topology.nodes()).find(acts))
        {
            return Err(format!("the election cannot be over: node {node} will still act"));
        }
        match self.planned.first() {
            Some(fault) => Err(format!("the election cannot be over: {fault} has not happened")),
            None => Ok(()),
        }
    }

    fn end(mut self, ending: &Ending) -> Result<Report, String> {
        if let Some((node, status)) = self.owed {
            return Err(format!("node {node} decides here: {status:?}"));
        }
        let settled = self.is_settled();
        let left = self.election < self.scenario.elections;
        if ending.was_cut_short() {
            if !ending.interrupted && self.tally.events < self.scenario.limit {
                return Err(format!("the run would not have been stopped before {} events", self.scenario.limit));
            }
            if left && settled.is_ok() {
                self.judge.next_election(); // it was stopped before anybody started again
            }
        } else {
            settled?;
            let electorate = self.scenario.electorate();
            if left && electorate.initiators().any(|(node, _)| !self.is_dead(node)) {
                return Err(format!("the run cannot be over: {} elections were planned", self.scenario.elections));
            }
            if self.tally.events > self.scenario.limit {
                return Err(format!("the run would have been stopped after {} events", self.scenario.limit));
            }
            // Elections that nobody was left to start.
            (self.election..self.scenario.elections).for_each(|_| self.judge.next_election());
        }
        let ended = Ended {
            scenario: self.scenario,
            info: self.cast.info,
            judge: self.judge,
            tally: self.tally,
            choices: Choices::new(0, 0, vec![]),
            symmetry: None,
            cut_short: ending.was_cut_short(),
            synchronized: self.cast.info.model == Model::Synchronous,
            extra_time: 0.0,
            full: false,
        };
        let report = ended.report(self.cast.kinds, &|node| self.processes[node as usize].status());
        let report = report.map_err(|error| error.to_string())?;
        if Ending::new(self.scenario, &report) != *ending {
            return Err("the run ends differently than the trace says".into());
        }
        Ok(report)
    }
}
