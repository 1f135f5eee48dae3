//! A run as a file: one JSON object per line, a header first, for people and programs alike.
//!
//! A line records a step: what arrived, what was drawn, what was sent. Every sender numbers its messages from 0, in the
//! order of sending. So a message is named by its sender and its number, and logs of several machines can be merged.
//! Simulated runs, counterexamples and live runs have the same format. The [`Scenario`] in the header is all that is
//! needed to play the run again.

mod format_1;

use std::fmt::Write as _;
use std::io::{self, BufRead, Read as _, Write};

use bellwether_core::{Id, Port, Status};
use bellwether_net::is_plain;
use bellwether_net::{Network, Node, Wiring};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::format_1::Renumbering;
use crate::{Outcome, Scenario, Time};

/// The version of the format.
const FORMAT: u32 = 2;

/// The largest number of bytes in a line. A longer one is not a trace and must not fill the memory. The longest line,
/// the header, has about forty bytes per node.
const LONGEST_LINE: u64 = 1 << 30;

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format.
    pub format: u32,
    /// The version of the program that wrote it.
    pub bellwether: String,
    /// The run.
    pub scenario: Scenario,
}

impl Header {
    /// The header of a run, written by this program.
    #[must_use]
    pub fn new(scenario: Scenario) -> Self {
        Self { format: FORMAT, bellwether: env!("CARGO_PKG_VERSION").into(), scenario }
    }
}

/// A line after the header: an event at a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The time: units, or the round.
    pub t: Time,
    /// The node.
    pub node: Node,
    /// What happened.
    pub kind: EventKind,
    /// The election that begins with this start, if it is not the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub election: Option<u32>,
    /// The name of the timer that went off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer: Option<Value>,
    /// The port behind which a process is down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<Port>,
    /// The messages that arrived: one, or in a round any number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub received: Vec<Received>,
    /// The values of its random choices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<u64>,
    /// The labels of the rules that it followed, in order. A trace without them replays as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The variables that it changed, with their new values; `null` if a variable is gone. Its first step tells them
    /// all. A trace without them replays as well.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub state: Map<String, Value>,
    /// Its new role in the algorithm's own words, if it decided nothing in this step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The messages that it sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<Sent>,
    /// Its decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
}

impl Event {
    /// An event of this kind, with all other fields empty.
    #[must_use]
    pub fn blank(t: Time, node: Node, kind: EventKind) -> Self {
        Self {
            t,
            node,
            kind,
            election: None,
            timer: None,
            peer: None,
            received: vec![],
            draws: vec![],
            rules: vec![],
            state: Map::new(),
            role: None,
            sent: vec![],
            decision: None,
        }
    }

    /// Whether a line of a trace tells this event. A trace need not tell rules and variables.
    #[must_use]
    pub fn is_told_by(&self, line: &Self) -> bool {
        let knows_rules = line.rules.is_empty() || line.rules == self.rules;
        let knows_state = line.state.is_empty() || line.state == self.state;
        let bare = |event: &Self| Self { rules: vec![], state: Map::new(), ..event.clone() };
        knows_rules && knows_state && bare(self) == bare(line)
    }

    /// A field that is set, but does not belong to an event of this kind.
    #[must_use]
    pub fn foreign_field(&self) -> Option<&'static str> {
        use EventKind::{Crash, Decide, Drop, Duplicate, PeerDown, Receive, Round, Start, Timeout};
        let is_step = !matches!(self.kind, Crash | Drop | Duplicate | Decide);
        let has = [
            ("election", self.election.is_some(), self.kind == Start),
            ("timer", self.timer.is_some(), self.kind == Timeout),
            ("peer", self.peer.is_some(), self.kind == PeerDown),
            ("received", !self.received.is_empty(), matches!(self.kind, Receive | Round | Drop)),
            ("draws", !self.draws.is_empty(), is_step),
            ("rules", !self.rules.is_empty(), is_step),
            ("state", !self.state.is_empty(), is_step),
            ("role", self.role.is_some(), is_step),
            ("sent", !self.sent.is_empty(), is_step || matches!(self.kind, Drop | Duplicate)),
            ("decision", self.decision.is_some(), self.kind == Decide),
        ];
        has.into_iter().find(|(_, is_there, belongs)| *is_there && !belongs).map(|(name, ..)| name)
    }

    /// The event as a sentence, with the names of this network's nodes. If there are ids, with the id of the event's
    /// node.
    #[must_use]
    pub fn sentence(&self, network: &Network, ids: Option<&[Id]>) -> String {
        let id = ids.and_then(|ids| ids.get(self.node as usize));
        let id = id.map_or(String::new(), |id| format!(" (id {id})"));
        let who = format!("node {}{id}", network.printed_name(self.node));
        let fate = match self.kind {
            EventKind::Drop => "lost",
            EventKind::Duplicate => "repeated by the link",
            _ => return format!("{who} {}", self.describe(network)),
        };
        match self.sent.first() {
            // No node loses a message that is lost on its way.
            Some(Sent { to, msg, .. }) => {
                format!("{} from {who} to node {} is {fate}", render(msg), network.printed_name(*to))
            }
            None => format!("{who} {}", self.describe(network)),
        }
    }

    /// What happens to the event's node, in a few words, with the names of this network's nodes.
    #[must_use]
    pub fn describe(&self, network: &Network) -> String {
        let name = |node| network.printed_name(node);
        let list = |messages: Vec<String>| messages.join(", ");
        let from = |it: &Received| format!("{} from node {}", render(&it.msg), name(it.from));
        let received = list(self.received.iter().map(from).collect());
        let to = |it: &Sent| format!("{} to node {}", render(&it.msg), name(it.to));
        let sent = list(self.sent.iter().map(to).collect());
        let mut text = match self.kind {
            EventKind::Start => self.election.map_or("starts".into(), |number| format!("starts election {number}")),
            EventKind::Receive => format!("receives {received}"),
            EventKind::Round if received.is_empty() => format!("plays round {}", self.t),
            EventKind::Round => format!("plays round {}, receives {received}", self.t),
            EventKind::Timeout => format!("times out: {}", self.timer.as_ref().map(render).unwrap_or_default()),
            EventKind::Recover => "recovers".into(),
            EventKind::PeerDown => {
                let known = |port: &Port| self.node < network.nodes() && port.0 < network.ports(self.node);
                let peer = self.peer.filter(known).map(|port| name(network.far(self.node, port).0));
                format!("hears that node {} is down", peer.unwrap_or("?".into()))
            }
            EventKind::Crash => "crashes".into(),
            EventKind::Drop if received.is_empty() => return format!("has {sent} lost by the link"),
            EventKind::Drop => return format!("is down, and {received} is lost"),
            EventKind::Duplicate => return format!("has {sent} repeated by the link"),
            EventKind::Decide => match self.decision {
                None | Some(Decision::Undecided) => "is undecided again".into(),
                Some(Decision::Leader) => "LEADS".into(),
                Some(Decision::Follower(None)) => "follows".into(),
                Some(Decision::Follower(Some(id))) => format!("follows {id}"),
            },
        };
        if !self.draws.is_empty() {
            text += &format!(", draws {}", list(self.draws.iter().map(u64::to_string).collect()));
        }
        if let Some(role) = &self.role {
            let role = if is_plain(role) { role.clone() } else { format!("{role:?}") };
            text += &format!(", is now {role}");
        }
        if !sent.is_empty() {
            text += &format!(", sends {sent}");
        }
        text
    }
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// The process woke up on its own.
    Start,
    /// It received a message.
    Receive,
    /// It took a step of a round.
    Round,
    /// A timer went off.
    Timeout,
    /// The failure detector told it that a neighbour is down.
    PeerDown,
    /// It started again after a crash, without any memory.
    Recover,
    /// It stopped.
    Crash,
    /// A message was lost: one that it sent, or one that reached it when it was down.
    Drop,
    /// A message that it sent will arrive once more.
    Duplicate,
    /// Its status has changed since its last step.
    Decide,
}

/// A message that arrived.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Received {
    /// The message's number among those of its sender.
    pub n: u64,
    /// The sender.
    pub from: Node,
    /// The port of the receiver.
    pub port: Port,
    /// The content.
    pub msg: Value,
}

/// A message that was sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    /// The message's number among those of its sender.
    pub n: u64,
    /// The receiver.
    pub to: Node,
    /// The port of the sender.
    pub port: Port,
    /// The content.
    pub msg: Value,
}

/// A status, as a trace writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// An election is under way again.
    Undecided,
    /// It leads.
    Leader,
    /// It follows the leader with this id.
    Follower(Option<Id>),
}

impl From<Status> for Decision {
    fn from(status: Status) -> Self {
        match status {
            Status::Undecided => Self::Undecided,
            Status::Leader => Self::Leader,
            Status::Follower(leader) => Self::Follower(leader),
        }
    }
}

/// The kind of messages that tell the result, in every algorithm that has such messages.
pub const ANNOUNCE: &str = "announce";

/// The last line: the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// How the run ended.
    pub end: String,
    /// The nodes that lead.
    pub leaders: Vec<Node>,
    /// All messages of the algorithm.
    pub messages: u64,
    /// When the last process decided.
    pub time: Option<Time>,
    /// Whether the run was stopped before its limit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

impl Ending {
    /// The ending of a run with this report.
    #[must_use]
    pub fn new(scenario: &Scenario, report: &crate::Report) -> Self {
        let stopped = report.outcome == Outcome::Limit;
        Self {
            interrupted: stopped && report.stats.events < scenario.limit,
            end: report.outcome.to_string(),
            leaders: report.leaders.iter().map(|leader| leader.node).collect(),
            messages: report.messages(),
            time: report.time,
        }
    }

    /// Whether the run was stopped before its end.
    #[must_use]
    pub fn was_cut_short(&self) -> bool {
        self.end == Outcome::Limit.to_string()
    }
}

/// Lines of a trace. Each is written here, so that no other crate compiles how.
macro_rules! lines {
    ($($line:ty),*) => {
        $(
            impl $line {
                /// Writes it as a line of a trace.
                ///
                /// # Errors
                /// If it cannot be written.
                pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
                    serde_json::to_writer(&mut *out, self)?;
                    writeln!(out)
                }
            }
        )*
    };
}

lines!(Header, Event, Ending);

/// A trace that is being read.
pub struct Reader<R> {
    input: R,
    number: usize,
    ended: bool,
    /// Converts an older format to the current one.
    renumbering: Option<Renumbering>,
    /// Its header, in the current format.
    pub header: Header,
}

/// A line after the header.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// An event.
    Event(Box<Event>),
    /// The end of the run.
    Ending(Ending),
}

impl From<Event> for Line {
    fn from(event: Event) -> Self {
        Self::Event(Box::new(event))
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If this is not a trace, or has another version.
    pub fn new(mut input: R) -> Result<Self, String> {
        let first = line(&mut input, LONGEST_LINE).map_err(|error| format!("line 1: {error}"))?;
        let first = first.ok_or("the file is empty; a trace begins with its header")?;
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let Version { format } = serde_json::from_slice(&first)
            .map_err(|_| "line 1 is not the header of a trace, as 'bellwether run --trace FILE' writes it")?;
        if !(1..=FORMAT).contains(&format) {
            return Err(format!(
                "line 1: this is format {format} of traces, and this program reads formats 1 to {FORMAT}"
            ));
        }
        let header = serde_json::from_slice(&first).map_err(|error| located(1, &error))?;
        let header = Header { format: FORMAT, ..header };
        let renumbering = (format < FORMAT).then(Renumbering::default);
        Ok(Self { input, number: 1, ended: false, renumbering, header })
    }

    /// The number of the line last read.
    #[must_use]
    pub fn line(&self) -> usize {
        self.number
    }

    /// The next line; `None` after the ending.
    ///
    /// # Errors
    /// If a line is malformed, or the ending is missing; the error names the line.
    pub fn next_line(&mut self) -> Result<Option<Line>, String> {
        self.number += 1;
        let text = line(&mut self.input, LONGEST_LINE).map_err(|error| format!("line {}: {error}", self.number))?;
        let text = match text {
            Some(text) => text,
            None if self.ended => return Ok(None),
            None => return Err(format!("line {}: the trace breaks off; its ending is missing", self.number)),
        };
        if self.ended {
            return Err(format!("line {}: something follows after the ending", self.number));
        }
        #[derive(Deserialize)]
        struct Ends {
            #[serde(default)]
            end: Option<String>,
        }
        let parse = |error| located(self.number, &error);
        let Ends { end } = serde_json::from_slice(&text).map_err(parse)?;
        self.ended = end.is_some();
        if end.is_some() {
            return Ok(Some(Line::Ending(serde_json::from_slice(&text).map_err(parse)?)));
        }
        let mut event = serde_json::from_slice(&text).map_err(parse)?;
        if let Some(renumbering) = &mut self.renumbering {
            renumbering.event(&mut event).map_err(|what| format!("line {}: {what}", self.number))?;
        }
        Ok(Some(event.into()))
    }
}

/// The next line without its line break; `None` at the end.
fn line(input: &mut impl BufRead, longest: u64) -> Result<Option<Vec<u8>>, String> {
    let mut bytes = Vec::new();
    input.take(longest + 1).read_until(b'\n', &mut bytes).map_err(|error| error.to_string())?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        return Ok(Some(bytes));
    }
    if bytes.len() as u64 > longest {
        return Err(format!("no end of the line after {longest} bytes: this is not a trace"));
    }
    Ok(Some(bytes).filter(|bytes| !bytes.is_empty()))
}

/// A JSON error in a line, with its place in the file.
fn located(line: usize, error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.split(" at line 1").next().unwrap_or_default();
    format!("line {line}, column {}: {what}", error.column())
}

/// A message for people: `{"probe":[5,4]}` is `probe(5,4)`.
#[must_use]
pub fn render(msg: &Value) -> String {
    let mut text = String::new();
    match msg {
        Value::Object(fields) => {
            for (name, value) in fields {
                let fields = match value {
                    Value::Array(fields) => fields.iter().map(render).collect::<Vec<_>>().join(","),
                    field => render(field),
                };
                let _ = write!(text, "{name}({fields})");
            }
        }
        Value::String(name) => text.push_str(name),
        other => text = other.to_string(),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_shown_as_papers_write_them() {
        let shown = [r#"{"elect":9}"#, r#"{"probe":[5,4]}"#, r#"{"carry":[1,0,{"elect":5}]}"#, r#""stop""#]
            .map(|text| render(&serde_json::from_str(text).unwrap()));
        assert_eq!(shown, ["elect(9)", "probe(5,4)", "carry(1,0,elect(5))", "stop"]);
    }

    #[test]
    fn what_is_no_trace_is_refused_with_the_line() {
        let refusal = |text: &str| Reader::new(text.as_bytes()).map(|_| ()).unwrap_err();
        assert!(refusal("").contains("empty"));
        assert!(refusal("a,b\n1,2\n").contains("line 1 is not the header"));
        assert!(refusal("{\"format\":99}").contains("format 99"));
        assert!(refusal("{\"format\":1}").starts_with("line 1, column"));
        assert!(refusal("{\"format\":1,\"colour\":2}").contains("unknown field `colour`"));
    }

    #[test]
    fn a_line_without_end_is_not_read_for_ever() {
        let mut input = &b"one\n\ntwo!\nthree"[..];
        let mut next = || line(&mut input, 4).map(|line| line.map(|line| String::from_utf8(line).unwrap()));
        assert_eq!(next(), Ok(Some("one".into())));
        assert_eq!(next(), Ok(Some(String::new())));
        assert_eq!(next(), Ok(Some("two!".into())));
        assert!(next().unwrap_err().contains("no end of the line after 4 bytes"));
        assert_eq!(line(&mut &b""[..], 4), Ok(None));
        assert!(line(&mut io::BufReader::new(io::repeat(0)), 1 << 20).is_err());
    }
}
