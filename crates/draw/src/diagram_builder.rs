//! Builds a diagram from the events of a run, in bounded memory.

use std::collections::BTreeMap;
use std::io::BufRead;

use bellwether_core::{Id, Port};
use bellwether_net::{Network, Node, Wiring};
use bellwether_world::trace::{Decision, Event, EventKind, Line, Reader, Received, Sent, render};
use bellwether_world::{Fault, Scenario, Time, Timing};
use serde_json::Value;

use crate::caption::{self, Sends};
use crate::density::Density;
use crate::diagram::{Caption, Cut, Diagram, End, Fate, Kind, Lane, Mark, Message, Sign, State, Way};
use crate::lanes::Lanes;
use crate::remarks::{Remarks, Stop};
use crate::states::States;

/// The largest number of messages drawn as arrows. More messages are only counted, because their arrows would be
/// illegible.
pub const MOST_MESSAGES: usize = 4_000;
const MOST_MARKS: usize = 8_000;
/// The largest number of lanes. With more nodes, several nodes share a lane.
pub const MOST_LANES: usize = 128;
/// The largest number of crashes and changes of the leader kept if messages are only counted.
const MOST_NOTABLE: usize = 1_000;
/// The largest number of changes of state kept. After that, each lane keeps its last state only.
const MOST_SPANS: usize = 20_000;

/// Follows a run event by event, and keeps what a diagram shows.
pub struct DiagramBuilder {
    scenario: Scenario,
    anonymous: bool,
    /// The nodes with lanes.
    nodes: Vec<Node>,
    /// By node: its lane.
    places: Vec<Option<u32>>,
    is_ring: bool,
    states: States,
    kinds: Vec<Kind>,
    /// By lane: its states with their starts. Empty if several nodes share a lane.
    spans: Vec<Vec<(Time, State)>>,
    changes: usize,
    /// By shared lane: when the last of its nodes decided.
    decided: Vec<Option<Time>>,
    /// `None` once there are too many messages or marks.
    each: Option<Each>,
    density: Density,
    notable: Vec<Mark>,
    sends: Sends,
    begin: Option<Time>,
    end: Time,
}

/// All messages and marks.
#[derive(Default)]
struct Each {
    messages: Vec<Message>,
    /// By sender and number: the index of a message in the list.
    places: BTreeMap<(Node, u64), usize>,
    marks: Vec<Mark>,
    steps: Vec<(Time, String)>,
}

impl DiagramBuilder {
    /// A builder for this scenario before its first event. `anonymous` nodes have no ids.
    ///
    /// # Errors
    /// If there is no such lane.
    pub fn new(scenario: &Scenario, anonymous: bool, lanes: &Lanes) -> Result<Self, String> {
        let network = &scenario.topology;
        let nodes = lanes.nodes(network, &scenario.ids)?;
        let mut places = vec![None; network.nodes() as usize];
        for (lane, node) in nodes.iter().enumerate() {
            places[*node as usize] = Some(lane as u32);
        }
        let alone = nodes.len() <= MOST_LANES;
        let rows = nodes.len().div_ceil(sharing(nodes.len()));
        Ok(Self {
            is_ring: is_ring(network, &nodes),
            states: States::new(network.nodes()),
            kinds: vec![],
            spans: if alone { vec![vec![]; nodes.len()] } else { vec![] },
            changes: 0,
            decided: vec![None; rows],
            each: alone.then(Each::default),
            density: Density::new(rows, scenario.timing),
            notable: vec![],
            sends: Sends::default(),
            begin: None,
            end: Time::ZERO,
            scenario: scenario.clone(),
            anonymous,
            nodes,
            places,
        })
    }

    /// Follows an event.
    ///
    /// # Errors
    /// If the event is impossible in this scenario.
    pub fn event(&mut self, event: &Event) -> Result<(), String> {
        let state = self.states.event(event)?;
        self.begin = Some(self.begin.map_or(event.t, |begin| begin.min(event.t)));
        self.end = self.end.max(event.t);
        if let Some(state) = state {
            self.change(event, state);
        }
        for mark in self.marks(event) {
            if mark.sign.is_notable() && self.notable.len() < MOST_NOTABLE {
                self.notable.push(mark.clone());
            }
            self.each.iter_mut().for_each(|each| each.marks.push(mark.clone()));
        }
        event.received.iter().try_for_each(|received| self.receive(event, received))?;
        let effect = effect(event);
        if let (Some(each), Some(lane), false) = (&mut self.each, self.places[event.node as usize], effect.is_empty()) {
            let name = self.scenario.topology.printed_name(self.nodes[lane as usize]);
            each.steps.push((event.t, format!("{name}: {effect}")));
        }
        if let (EventKind::Drop, Some(row)) = (event.kind, self.row(event.node)) {
            (0..event.sent.len() + event.received.len()).for_each(|_| self.density.lose(row, event.t));
        }
        match event.kind {
            EventKind::Drop if event.received.is_empty() => {
                let lost = |sent: &Sent| self.befall((event.node, sent.n), sent.to, Fate::Lost);
                event.sent.iter().try_for_each(lost)?;
            }
            EventKind::Drop | EventKind::Duplicate => {}
            _ => event.sent.iter().try_for_each(|sent| self.send(event, sent))?,
        }
        let full = |each: &Each| each.messages.len() > MOST_MESSAGES || each.marks.len() > MOST_MARKS;
        if self.each.as_ref().is_some_and(full) {
            self.each = None;
        }
        Ok(())
    }

    /// The diagram of the run, with these remarks and the command that repeats it.
    #[must_use]
    pub fn finish(self, remarks: &Remarks<'_>, repeat: String) -> Diagram {
        let outcome = caption::outcome(&self.scenario, self.anonymous, &self.states, self.sends, remarks.stopped);
        let outcome = remarks.broken.iter().cloned().chain([outcome]).collect::<Vec<_>>().join(" · ");
        let caption = Caption { title: caption::title(&self.scenario), outcome, repeat };
        let (lanes, cuts) = (self.lanes(), self.cuts());
        let (marks, messages, steps) = match self.each {
            Some(each) => (each.marks, Some(each.messages), each.steps),
            None => (self.notable, None, vec![]),
        };
        let mut density = self.density;
        density.reach(self.end);
        Diagram {
            caption,
            timing: self.scenario.timing,
            is_ring: self.is_ring,
            kinds: self.kinds,
            roles: self.states.roles().to_vec(),
            common_start: common_start(&marks, lanes.len()),
            lanes,
            marks,
            cuts,
            begin: self.begin.unwrap_or_default(),
            end: self.end,
            messages,
            steps,
            density,
        }
    }

    fn lane(&self, node: Node) -> Option<usize> {
        self.places[node as usize].map(|lane| lane as usize)
    }

    /// The lane of a node, which may be shared.
    fn row(&self, node: Node) -> Option<usize> {
        self.lane(node).map(|lane| lane / sharing(self.nodes.len()))
    }

    fn change(&mut self, event: &Event, state: State) {
        let (Some(lane), Some(row)) = (self.lane(event.node), self.row(event.node)) else { return };
        if matches!(state, State::Leader | State::Follower(_)) {
            self.decided[row] = Some(event.t);
        }
        let Some(spans) = self.spans.get_mut(lane) else { return };
        if self.changes == MOST_SPANS && !spans.is_empty() {
            spans.truncate(1);
            spans[0] = (event.t, state);
        } else {
            spans.push((event.t, state));
            self.changes += 1;
        }
    }

    /// The marks of an event on its lane.
    fn marks(&self, event: &Event) -> Vec<Mark> {
        let Some(lane) = self.row(event.node) else { return vec![] };
        let network = &self.scenario.topology;
        let plain = |sign| Some((sign, String::new()));
        let cause = match event.kind {
            EventKind::Start => {
                let election = event.election.map(|number| format!("election {number}"));
                Some((Sign::Starts, election.into_iter().chain(event.role.clone()).collect::<Vec<_>>().join(", ")))
            }
            EventKind::Timeout => Some((Sign::TimesOut, event.timer.as_ref().map(render).unwrap_or_default())),
            EventKind::PeerDown => {
                let peer = peer(event, network).map(|peer| network.printed_name(peer).into_owned());
                Some((Sign::HearsOfCrash, peer.unwrap_or_default()))
            }
            EventKind::Recover => plain(Sign::Recovers),
            EventKind::Crash => plain(Sign::Crashes),
            EventKind::Decide => match event.decision {
                None | Some(Decision::Undecided) => plain(Sign::Wavers),
                Some(Decision::Leader) => plain(Sign::Leads),
                Some(Decision::Follower(leader)) => {
                    let leader = leader.filter(|_| !self.anonymous);
                    Some((Sign::Follows, leader.as_ref().map_or(String::new(), Id::to_string)))
                }
            },
            EventKind::Receive | EventKind::Round | EventKind::Drop | EventKind::Duplicate => None,
        };
        // The initial role is written beside the start sign.
        let number = match self.states.of(event.node) {
            State::Undecided(role) => role,
            _ => None,
        };
        let turns = |role| (Sign::Turns(number), role);
        let role = event.role.clone().filter(|_| event.kind != EventKind::Start).map(turns);
        let draws = (!event.draws.is_empty()).then(|| (Sign::Draws, drawn(event)));
        // A decision follows from the step before it.
        let mark = |(sign, text)| Mark { lane, time: event.t, sign, text, effect: effect(event) };
        cause.into_iter().chain(role).chain(draws).map(mark).collect()
    }

    fn send(&mut self, event: &Event, sent: &Sent) -> Result<(), String> {
        self.states.known(sent.to)?;
        let number = self.sends.total();
        self.sends.count(&sent.msg);
        let (from, to) = (self.end(event.node), self.end(sent.to));
        if from.lane.is_none() && to.lane.is_none() {
            return Ok(());
        }
        let kind = self.kind(&sent.msg);
        self.kinds[kind].count += 1;
        if let Some(row) = self.row(event.node).or_else(|| self.row(sent.to)) {
            self.density.add(kind, row, event.t);
        }
        let way = self.way(&from, &to, |port| sent.port == port);
        if let Some(each) = &mut self.each {
            if each.places.insert((event.node, sent.n), each.messages.len()).is_some() {
                return Err(format!("message {} of node {} was sent before", sent.n, event.node));
            }
            let (sent, text) = (event.t, render(&sent.msg));
            each.messages.push(Message { number, kind, text, from, to, way, sent, fates: vec![], effects: vec![] });
        }
        Ok(())
    }

    fn receive(&mut self, event: &Event, received: &Received) -> Result<(), String> {
        let fell = event.kind == EventKind::Drop;
        let fate = if fell { Fate::Fell(event.t) } else { Fate::Arrived(event.t) };
        self.befall((received.from, received.n), event.node, fate)?;
        let effect = effect(event);
        if let Some(each) = self.each.as_mut().filter(|_| !effect.is_empty())
            && let Some(place) = each.places.get(&(received.from, received.n))
        {
            each.messages[*place].effects.push(effect);
        }
        Ok(())
    }

    /// Adds a fate to the message with this sender and number.
    fn befall(&mut self, (from, n): (Node, u64), to: Node, fate: Fate) -> Result<(), String> {
        let ends = [from, to];
        ends.iter().try_for_each(|node| self.states.known(*node))?;
        let is_shown = ends.iter().any(|node| self.lane(*node).is_some());
        let Some(each) = self.each.as_mut().filter(|_| is_shown) else { return Ok(()) };
        let place = each.places.get(&(from, n)).ok_or_else(|| format!("node {from} has sent no message {n}"))?;
        each.messages[*place].fates.push(fate);
        Ok(())
    }

    fn end(&self, node: Node) -> End {
        End { node, name: self.scenario.topology.printed_name(node).into_owned(), lane: self.lane(node) }
    }

    fn kind(&mut self, msg: &Value) -> usize {
        let name = kind(msg);
        self.kinds.iter().position(|kind| kind.name == name).unwrap_or_else(|| {
            self.kinds.push(Kind { name, count: 0 });
            self.kinds.len() - 1
        })
    }

    /// The way between two ends. `by` tells whether the message goes by a port.
    fn way(&self, from: &End, to: &End, by: impl Fn(Port) -> bool) -> Way {
        let last = self.nodes.len() - 1;
        match (from.lane, to.lane) {
            (Some(from), Some(0)) if self.is_ring && from == last && by(Port::NEXT) => Way::Onward,
            (Some(0), Some(to)) if self.is_ring && to == last && by(Port::PREVIOUS) => Way::Backward,
            (Some(_), Some(_)) => Way::Across,
            // A node without a lane lies where its place would be. On a ring, a neighbour of the first lane lies
            // outside.
            (None, _) | (_, None) => {
                let rises = if self.scenario.topology.has_ring_ports() { by(Port::NEXT) } else { from.node < to.node };
                let ascends = self.nodes[0] <= self.nodes[last];
                if rises == ascends { Way::Onward } else { Way::Backward }
            }
        }
    }

    fn lanes(&self) -> Vec<Lane> {
        let network = &self.scenario.topology;
        let name = |node: &Node| network.printed_name(*node).into_owned();
        let begin = self.begin.unwrap_or_default();
        let lanes = self.nodes.chunks(sharing(self.nodes.len())).enumerate();
        lanes
            .map(|(lane, nodes)| {
                let mut spans = vec![(begin, State::Asleep)];
                spans.extend(self.spans.get(lane).into_iter().flatten());
                let id = match nodes {
                    [node] => self.scenario.ids.get(*node as usize).copied().filter(|_| !self.anonymous),
                    _ => {
                        let leads = nodes.iter().any(|node| self.states.of(*node) == State::Leader);
                        let state = if leads { State::Leader } else { State::Follower(None) };
                        spans.extend(self.decided[lane].map(|time| (time, state)));
                        None
                    }
                };
                let name = match nodes {
                    [node] => name(node),
                    _ => self.shared(nodes),
                };
                Lane { nodes: nodes.to_vec(), name, id, spans }
            })
            .collect()
    }

    /// The name of a shared lane: the range of its nodes or ids, or the first node and the number of others.
    fn shared(&self, nodes: &[Node]) -> String {
        let name = |node: Node| self.scenario.topology.printed_name(node).into_owned();
        let id = |node: Node| self.scenario.ids.get(node as usize).filter(|_| !self.anonymous);
        let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
        let is_range = nodes.is_sorted_by(|a, b| a + 1 == *b) || nodes.is_sorted_by(|a, b| *a == b + 1);
        match (id(first), id(last)) {
            _ if is_range => format!("{}–{}", name(first), name(last)),
            (Some(least), Some(most)) if nodes.is_sorted_by_key(|node| id(*node)) => format!("id {least}–{most}"),
            _ => format!("{} and {} more", name(first), nodes.len() - 1),
        }
    }

    fn cuts(&self) -> Vec<Cut> {
        let cut = |fault: &Fault| {
            let (Fault::Cut(a, b, window) | Fault::OneWay(a, b, window)) = fault else { return None };
            let lanes = (self.row(*a)?, self.row(*b)?);
            let text = caption::cut(fault, &self.scenario.topology);
            let way = self.way(&self.end(*a), &self.end(*b), |_| self.nodes.len() > 2);
            let one_way = matches!(fault, Fault::OneWay(..));
            Some(Cut { lanes, way, one_way, since: window.since, until: window.until, text })
        };
        self.scenario.faults.iter().filter_map(cut).collect()
    }
}

/// What a step does inside its node: `rule 2a; tid 5`. Empty if the trace does not tell.
fn effect(event: &Event) -> String {
    let rules = if event.rules.is_empty() { None } else { Some(format!("rule {}", event.rules.join(", then "))) };
    let state: Vec<String> = event.state.iter().map(bellwether_world::changed).collect();
    let state = (!state.is_empty()).then(|| state.join(", "));
    rules.into_iter().chain(state).collect::<Vec<_>>().join("; ")
}

impl Diagram {
    /// The diagram of a trace.
    ///
    /// # Errors
    /// If the trace is malformed or contains an impossible event. The error names the line.
    pub fn read<R: BufRead>(
        mut reader: Reader<R>,
        anonymous: bool,
        lanes: &Lanes,
        repeat: String,
    ) -> Result<Self, String> {
        let mut recorder = DiagramBuilder::new(&reader.header.scenario, anonymous, lanes)?;
        let mut remarks = Remarks::default();
        while let Some(line) = reader.next_line()? {
            match line {
                Line::Event(event) => {
                    recorder.event(&event).map_err(|error| format!("line {}: {error}", reader.line()))?;
                }
                Line::Ending(ending) => remarks.stopped = Stop::of(&reader.header.scenario, &ending),
            }
        }
        Ok(recorder.finish(&remarks, repeat))
    }

    /// Whether time goes in whole units.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.timing, Timing::Rounds | Timing::Unit | Timing::Chosen(_))
    }
}

/// The role in which all of this number of lanes start at the same moment, if they do.
fn common_start(marks: &[Mark], lanes: usize) -> Option<String> {
    let starts: Vec<&Mark> = marks.iter().filter(|mark| mark.sign == Sign::Starts).collect();
    let first = starts.first().filter(|mark| !mark.text.is_empty())?;
    let alike = starts.iter().all(|mark| (mark.time, &mark.text) == (first.time, &first.text));
    (alike && lanes > 1 && starts.len() == lanes).then(|| first.text.clone())
}

/// The kind of a message.
pub fn kind(msg: &Value) -> String {
    match msg {
        Value::Object(fields) => fields.keys().next().cloned().unwrap_or_default(),
        Value::String(name) => name.clone(),
        other => render(other),
    }
}

/// The neighbour that was found to be down, if there is one.
pub fn peer(event: &Event, network: &Network) -> Option<Node> {
    let port = event.peer.filter(|port| port.0 < network.ports(event.node))?;
    Some(network.far(event.node, port).0)
}

/// The drawn values, as a list.
pub fn drawn(event: &Event) -> String {
    event.draws.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// The number of nodes per lane, for this number of nodes.
fn sharing(nodes: usize) -> usize {
    nodes.div_ceil(MOST_LANES).max(1)
}

/// Whether these nodes are a whole ring, clockwise.
fn is_ring(network: &Network, nodes: &[Node]) -> bool {
    let follows = |(place, node): (usize, &Node)| {
        network.far(*node, Port::NEXT).0 == nodes[if place + 1 == nodes.len() { 0 } else { place + 1 }]
    };
    nodes.len() == network.nodes() as usize && network.has_ring_ports() && nodes.iter().enumerate().all(follows)
}
