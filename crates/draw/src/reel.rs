//! The data of a run for the replay page: all events and messages, in columns of numbers.
//!
//! `player/reel.js` reads this format. Messages are numbered in the order of sending, and moments in the order of time.
//! Repeated content, such as the text of a message, is written once.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bellwether_core::{Id, Port, Rulebook};
use bellwether_net::{Network, Node, Wiring};
use bellwether_world::trace::{Decision, Event, EventKind, Sent, render};
use bellwether_world::{Fault, Messages as Counted, Scenario, Time, Timing};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use crate::caption::{self, Sends, grouped};
use crate::diagram_builder::{drawn, kind, peer};
use crate::html;
use crate::lanes::Lanes;
use crate::remarks::{Remarks, Stop};
use crate::sheet::{self, Sheet};
use crate::states::States;
use crate::svg::{Tenths, shortened};

/// The version of the format.
const FORMAT: u32 = 2;
/// The largest number of events on a page. With more, it would take too long to open.
pub const MOST_EVENTS: usize = 1_000_000;
/// The largest number of messages on a page: several per event, but not any number.
const MOST_MESSAGES: usize = 2 * MOST_EVENTS;
/// The largest number of characters of a message's text.
const LONGEST_TEXT: usize = 80;
/// The largest number of faults listed.
const MOST_FAULTS: usize = 12;
/// The largest number of leaders listed.
const MOST_LEADERS: usize = 4;

/// Follows a run event by event, and keeps all events.
pub struct Reel {
    scenario: Scenario,
    anonymous: bool,
    lanes: Vec<Node>,
    states: States,
    /// By sender and number in the trace: the place of a message in the order of sending.
    places: BTreeMap<(Node, u64), u32>,
    /// By message: the number of copies under way.
    copies: Vec<u32>,
    /// By text of a message: its number.
    known: BTreeMap<String, u32>,
    texts: Texts,
    messages: Messages,
    sends: Sends,
    events: Events,
    moments: Moments,
    notes: Notes,
    roles: Notes,
    draws: Notes,
    rules: Notes,
    variables: Changes,
    rulebook: Vec<(String, String)>,
}

/// All data of a run.
#[derive(Serialize)]
struct Data<'a> {
    format: u32,
    scenario: Setting<'a>,
    outcome: Outcome,
    broken: &'a [String],
    repeat: &'a str,
    nodes: Nodes<'a>,
    /// The places of the nodes.
    sheet: Value,
    links: Value,
    cuts: Vec<Value>,
    /// Whether it has the ports of a ring: port 0 clockwise, port 1 counterclockwise.
    is_ring: bool,
    lanes: &'a [Node],
    texts: &'a Texts,
    messages: &'a Messages,
    events: &'a Events,
    moments: &'a Moments,
    /// The first event of each phase, if phases were counted.
    phases: Option<Vec<u64>>,
    /// By event: the number of an election, the name of a timer, the node that is down, or the leader's id.
    notes: &'a Notes,
    roles: &'a Notes,
    draws: &'a Notes,
    /// By event: the labels of the rules that it follows, with commas between them.
    rules: &'a Notes,
    variables: &'a Changes,
    /// The lines of the algorithm's rules, each with the label of its rule.
    rulebook: &'a [(String, String)],
}

/// The scenario. The page finds the words, in its reader's language.
#[derive(Serialize)]
struct Setting<'a> {
    algorithm: &'a str,
    network: String,
    timing: String,
    initiators: u32,
    /// As text, since a browser's numbers would not be exact.
    seed: String,
    parameters: Vec<String>,
    /// The first of the faults, as they are typed.
    faults: Vec<String>,
    /// How many more there are.
    more_faults: usize,
}

/// What came of the run.
#[derive(Serialize)]
struct Outcome {
    /// The first of those who lead.
    leaders: Vec<Node>,
    leader_count: usize,
    /// Why it was stopped early, if it was: after so many `events`, or `null` if the user did it.
    stopped: Option<Value>,
    /// The time of the last decision.
    decided: Option<Value>,
    messages: Value,
}

/// By node. A list is empty if nodes have no such property.
#[derive(Serialize)]
struct Nodes<'a> {
    names: Vec<Cow<'a, str>>,
    ids: Vec<String>,
}

/// The texts of messages.
#[derive(Default, Serialize)]
struct Texts {
    /// The names of the kinds of messages.
    kinds: Vec<String>,
    text: Vec<String>,
    /// By text: its kind.
    kind: Vec<u32>,
}

/// By message, in the order of sending.
#[derive(Default, Serialize)]
struct Messages {
    to: Vec<Node>,
    port: Vec<u32>,
    text: Vec<u32>,
}

/// By event.
#[derive(Default, Serialize)]
struct Events {
    node: Vec<Node>,
    happening: Vec<Happening>,
    /// The number of messages that the event sends: the next ones in their order.
    sends: Vec<u32>,
    /// The number of messages that end or are repeated with the event: the next ones in `touched`.
    touches: Vec<u32>,
    touched: Vec<u32>,
}

/// By moment.
#[derive(Default, Serialize)]
struct Moments {
    time: Vec<Value>,
    /// The first event of each moment.
    first: Vec<u32>,
    #[serde(skip)]
    last: Time,
}

/// Notes on some of the events.
#[derive(Default, Serialize)]
struct Notes {
    event: Vec<u32>,
    text: Vec<String>,
}

/// The variables that some of the events change: their new values, or `null` if a variable is gone.
#[derive(Default, Serialize)]
struct Changes {
    event: Vec<u32>,
    values: Vec<Map<String, Value>>,
}

/// The kind of an event, written as its number in this order.
#[derive(Clone, Copy)]
enum Happening {
    Starts,
    Receives,
    PlaysRound,
    TimesOut,
    HearsOfCrash,
    Recovers,
    Crashes,
    /// The link loses the message that was sent.
    Loses,
    /// The node is down, and a message that reaches it is lost.
    Misses,
    /// The link repeats the message that was sent.
    Repeats,
    Leads,
    Follows,
    Wavers,
}

impl Serialize for Happening {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

impl From<&Event> for Happening {
    fn from(event: &Event) -> Self {
        match event.kind {
            EventKind::Start => Self::Starts,
            EventKind::Receive => Self::Receives,
            EventKind::Round => Self::PlaysRound,
            EventKind::Timeout => Self::TimesOut,
            EventKind::PeerDown => Self::HearsOfCrash,
            EventKind::Recover => Self::Recovers,
            EventKind::Crash => Self::Crashes,
            EventKind::Drop if event.received.is_empty() => Self::Loses,
            EventKind::Drop => Self::Misses,
            EventKind::Duplicate => Self::Repeats,
            EventKind::Decide => match event.decision {
                None | Some(Decision::Undecided) => Self::Wavers,
                Some(Decision::Leader) => Self::Leads,
                Some(Decision::Follower(_)) => Self::Follows,
            },
        }
    }
}

impl Reel {
    /// Makes sure that a run may fit on a page, if its proved minimum of messages is known.
    ///
    /// # Errors
    /// If it cannot fit.
    pub fn may_hold(scenario: &Scenario, least_messages: Option<f64>) -> Result<(), String> {
        let arrive = !scenario.has_faults() && least_messages.is_some_and(|least| least >= MOST_EVENTS as f64);
        let is_too_long = arrive && scenario.limit > MOST_EVENTS as u64;
        if is_too_long { Err(too_many(MOST_EVENTS, "events")) } else { Ok(()) }
    }

    /// A reel for this scenario before its first event. `anonymous` nodes have no ids.
    ///
    /// # Errors
    /// If there is no such lane, or the network is too large for a picture.
    pub fn new(scenario: &Scenario, anonymous: bool, lanes: &Lanes) -> Result<Self, String> {
        let instead = |error| format!("{error}; --svg FILE draws the run without its network");
        sheet::fits(&scenario.topology).map_err(instead)?;
        Ok(Self {
            lanes: lanes.nodes(&scenario.topology, &scenario.ids)?,
            states: States::new(scenario.topology.nodes()),
            scenario: scenario.clone(),
            anonymous,
            places: BTreeMap::new(),
            copies: vec![],
            known: BTreeMap::new(),
            texts: Texts::default(),
            messages: Messages::default(),
            sends: Sends::default(),
            events: Events::default(),
            moments: Moments::default(),
            notes: Notes::default(),
            roles: Notes::default(),
            draws: Notes::default(),
            rules: Notes::default(),
            variables: Changes::default(),
            rulebook: vec![],
        })
    }

    /// Shows these rules beside the run.
    #[must_use]
    pub fn with_rules(self, rulebook: &Rulebook) -> Self {
        Self { rulebook: rulebook.lines.clone(), ..self }
    }

    /// Follows an event.
    ///
    /// # Errors
    /// If the event is impossible in this scenario, or there are too many.
    pub fn event(&mut self, event: &Event) -> Result<(), String> {
        let number = self.events.node.len();
        if number == MOST_EVENTS {
            return Err(too_many(MOST_EVENTS, "events"));
        }
        if self.messages.to.len() > MOST_MESSAGES {
            return Err(too_many(MOST_MESSAGES, "messages"));
        }
        self.states.event(event)?;
        self.moments.note(event.t, number as u32, self.scenario.timing);
        let happening = Happening::from(event);
        let touched: Vec<(Node, u64)> = match happening {
            Happening::Loses | Happening::Repeats => event.sent.iter().map(|sent| (event.node, sent.n)).collect(),
            _ => event.received.iter().map(|received| (received.from, received.n)).collect(),
        };
        for message in &touched {
            self.touch(*message, matches!(happening, Happening::Repeats))?;
        }
        let sent = match happening {
            Happening::Loses | Happening::Misses | Happening::Repeats => &[][..],
            _ => &event.sent[..],
        };
        sent.iter().try_for_each(|sent| self.send(event.node, sent))?;
        self.note(event, number as u32);
        self.events.node.push(event.node);
        self.events.happening.push(happening);
        self.events.sends.push(sent.len() as u32);
        self.events.touches.push(touched.len() as u32);
        Ok(())
    }

    /// The page that plays the run, with these remarks and the command that repeats it.
    #[must_use]
    pub fn finish(self, remarks: &Remarks<'_>, repeat: &str) -> String {
        html::page(&caption::title(&self.scenario), &self.data(remarks, repeat))
    }

    /// The same data without a page around it, as JSON.
    ///
    /// # Panics
    /// Never: plain data has a JSON form.
    #[must_use]
    pub fn json(&self, remarks: &Remarks<'_>, repeat: &str) -> Box<RawValue> {
        to_raw_value(&self.data(remarks, repeat)).expect("plain data has a JSON form")
    }

    fn data<'a>(&'a self, remarks: &Remarks<'a>, repeat: &'a str) -> Data<'a> {
        let network = &self.scenario.topology;
        let names = match network.names[..] {
            [] => vec![],
            _ => (0..network.nodes()).map(|node| network.printed_name(node)).collect(),
        };
        let ids = if self.anonymous { &[][..] } else { &self.scenario.ids };
        let sheet = Sheet::new(network);
        Data {
            format: FORMAT,
            scenario: self.setting(),
            outcome: self.outcome(remarks.stopped),
            broken: remarks.broken,
            repeat,
            nodes: Nodes { names, ids: ids.iter().map(Id::to_string).collect() },
            sheet: places(&sheet),
            links: links(network, &sheet),
            cuts: self.cuts(),
            is_ring: network.has_ring_ports(),
            lanes: &self.lanes,
            texts: &self.texts,
            messages: &self.messages,
            events: &self.events,
            moments: &self.moments,
            phases: remarks.phases.map(|seen| seen.each.iter().filter_map(|phase| phase.begins).collect()),
            notes: &self.notes,
            roles: &self.roles,
            draws: &self.draws,
            rules: &self.rules,
            variables: &self.variables,
            rulebook: &self.rulebook,
        }
    }

    fn send(&mut self, from: Node, sent: &Sent) -> Result<(), String> {
        self.states.known(sent.to)?;
        let place = self.messages.to.len() as u32;
        if self.places.insert((from, sent.n), place).is_some() {
            return Err(format!("message {} of node {from} was sent before", sent.n));
        }
        let text = shortened(&render(&sent.msg), LONGEST_TEXT);
        let text = match self.known.get(&text) {
            Some(text) => *text,
            None => self.texts.learn(&mut self.known, text, kind(&sent.msg)),
        };
        self.sends.count(&sent.msg);
        self.copies.push(1);
        self.messages.to.push(sent.to);
        self.messages.port.push(sent.port.0);
        self.messages.text.push(text);
        Ok(())
    }

    /// A message ends, or is repeated.
    fn touch(&mut self, (from, n): (Node, u64), is_repeated: bool) -> Result<(), String> {
        let place = *self.places.get(&(from, n)).ok_or_else(|| format!("node {from} has sent no message {n}"))?;
        let copies = &mut self.copies[place as usize];
        let ended = || format!("message {n} of node {from} arrives, but no copy of it is under way any more");
        *copies = if is_repeated { *copies + 1 } else { copies.checked_sub(1).ok_or_else(ended)? };
        self.events.touched.push(place);
        Ok(())
    }

    fn note(&mut self, event: &Event, number: u32) {
        let text = match (event.kind, event.decision) {
            (EventKind::Start, _) => event.election.map(|election| election.to_string()),
            (EventKind::Timeout, _) => event.timer.as_ref().map(render),
            (EventKind::PeerDown, _) => peer(event, &self.scenario.topology).map(|peer| peer.to_string()),
            (EventKind::Decide, Some(Decision::Follower(leader))) if !self.anonymous => leader.map(|id| id.to_string()),
            _ => None,
        };
        text.into_iter().for_each(|text| self.notes.put(number, text));
        event.role.iter().for_each(|role| self.roles.put(number, role.clone()));
        if !event.draws.is_empty() {
            self.draws.put(number, drawn(event));
        }
        if !event.rules.is_empty() {
            self.rules.put(number, event.rules.join(", "));
        }
        if !event.state.is_empty() {
            self.variables.event.push(number);
            self.variables.values.push(event.state.clone());
        }
    }

    fn setting(&self) -> Setting<'_> {
        let scenario = &self.scenario;
        Setting {
            algorithm: &scenario.algorithm,
            network: scenario.topology.to_string(),
            timing: scenario.timing.to_string(),
            initiators: scenario.initiator_count(),
            seed: scenario.seed.to_string(),
            parameters: scenario.settings.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            faults: scenario.faults.iter().take(MOST_FAULTS).map(|fault| fault.among(&scenario.topology)).collect(),
            more_faults: scenario.faults.len().saturating_sub(MOST_FAULTS),
        }
    }

    fn outcome(&self, stopped: Option<Stop>) -> Outcome {
        let Sends { messages: Counted { election, announce, overhead }, numbering } = self.sends;
        let why = |stop| match stop {
            Stop::AtLimit(events) => json!({"events": events}),
            Stop::Interrupted => json!({"events": null}),
        };
        Outcome {
            leaders: self.states.leaders().take(MOST_LEADERS).collect(),
            leader_count: self.states.leaders().count(),
            stopped: stopped.map(why),
            decided: self.states.decided().map(|time| number(self.scenario.timing, time)),
            messages: json!({
                "election": election, "announce": announce, "overhead": overhead, "numbering": numbering
            }),
        }
    }

    /// The cut links: their ends, whether only one way is cut, the start and the end.
    fn cuts(&self) -> Vec<Value> {
        let timing = self.scenario.timing;
        let cut = |fault: &Fault| {
            let (Fault::Cut(a, b, window) | Fault::OneWay(a, b, window)) = fault else { return None };
            let one_way = matches!(fault, Fault::OneWay(..));
            let [since, until] = [Some(window.since), window.until].map(|time| time.map(|time| number(timing, time)));
            Some(json!({"from": a, "to": b, "one_way": one_way, "since": since, "until": until}))
        };
        self.scenario.faults.iter().filter_map(cut).collect()
    }
}

fn too_many(most: usize, what: &str) -> String {
    let most = grouped(most as u64);
    format!(
        "a replay page has at most {most} {what}, and this run has more: take --svg FILE, which counts them, or end \
         the run sooner with --limit N"
    )
}

impl Texts {
    /// Adds a text that is new.
    fn learn(&mut self, known: &mut BTreeMap<String, u32>, text: String, kind: String) -> u32 {
        let number = self.text.len() as u32;
        let kind = self.kinds.iter().position(|other| *other == kind).unwrap_or_else(|| {
            self.kinds.push(kind);
            self.kinds.len() - 1
        });
        self.kind.push(kind as u32);
        self.text.push(text.clone());
        known.insert(text, number);
        number
    }
}

impl Moments {
    /// Adds an event at this time, or at the last moment if that is later. Threads read a clock one by one, and may
    /// report in another order.
    fn note(&mut self, time: Time, event: u32, timing: Timing) {
        if self.first.is_empty() || time > self.last {
            self.time.push(number(timing, time));
            self.first.push(event);
            self.last = time;
        }
    }
}

impl Notes {
    fn put(&mut self, event: u32, text: String) {
        self.event.push(event);
        self.text.push(text);
    }
}

/// A time in units, or in milliseconds for a live run. It is text if a browser's numbers would not be exact.
fn number(timing: Timing, time: Time) -> Value {
    const EXACT: u128 = 1 << 53;
    match (timing, time.whole()) {
        (Timing::Live(clock), _) => json!((time.as_f64() * clock.unit_us as f64).round() / 1_000.0),
        (_, Some(whole)) if whole > EXACT => json!(whole.to_string()),
        (_, Some(whole)) => json!(whole as u64),
        (_, None) => json!(time.as_f64()),
    }
}

fn tenth(value: f64) -> Value {
    json!(Tenths(value).to_string().parse::<f64>().unwrap_or_default())
}

fn places(sheet: &Sheet) -> Value {
    let column = |of: fn(&(f64, f64)) -> f64| sheet.places.iter().map(|place| tenth(of(place))).collect::<Vec<_>>();
    json!({
        "width": tenth(sheet.size.0),
        "height": tenth(sheet.size.1),
        "radius": sheet.radius,
        "x": column(|place| place.0),
        "y": column(|place| place.1),
    })
}

/// A network and the places of its nodes, as the reel tells them: `sheet` and `links`.
///
/// # Errors
/// If it is too large for a picture.
pub fn drawn_network(network: &Network) -> Result<Value, String> {
    sheet::fits(network)?;
    let sheet = Sheet::new(network);
    Ok(json!({"sheet": places(&sheet), "links": links(network, &sheet)}))
}

/// Every link once. For each end: the point towards which the link is curved, if it is.
fn links(network: &Network, sheet: &Sheet) -> Value {
    let ends: Vec<(Node, Port)> = sheet::ends(network).collect();
    let both = ends.iter().flat_map(|(node, port)| [(*node, *port), network.far(*node, *port)]);
    let bows: Vec<Value> = both
        .filter_map(|(node, port)| {
            let (x, y) = sheet.bow(network, node, port)?;
            Some(json!([node, port.0, tenth(x), tenth(y)]))
        })
        .collect();
    json!({
        "from": ends.iter().map(|(node, _)| node).collect::<Vec<_>>(),
        "port": ends.iter().map(|(_, port)| port.0).collect::<Vec<_>>(),
        "to": ends.iter().map(|(node, port)| network.far(*node, *port).0).collect::<Vec<_>>(),
        "bows": bows,
    })
}
