//! A run written down: one JSON object a line, a header first, for people and programs alike.
//!
//! A line records a step: what arrived, what was drawn, what was sent. Messages are numbered in the order of sending,
//! so that a reader can match each arrival with its sending whatever the links do. The same format serves simulated
//! runs, counterexamples and live ones; [`Scenario`] in the header is all that is needed to play it again.

use std::fmt::Write as _;
use std::io::{self, BufRead, Read as _, Write};

use bellwether_core::{Id, Port, Status};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::topology::is_plain;
use crate::{Network, Node, Outcome, Scenario, Time, Wiring};

/// The version of the format.
const FORMAT: u32 = 1;

/// More bytes than any line has: what goes on like this is no trace, and must not fill the memory. The longest line, the
/// header, takes some forty bytes a node.
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

/// A line after the header: something happened at a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// When: time units, or the round.
    pub t: Time,
    /// Where.
    pub node: Node,
    /// What.
    pub kind: EventKind,
    /// The election that begins with this start, if it is not the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub election: Option<u32>,
    /// The name of the timer that went off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer: Option<Value>,
    /// The port behind which a process was found to be down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<Port>,
    /// What arrived: one message, or in a round any number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub received: Vec<Received>,
    /// The values that its random choices took.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<u64>,
    /// What it became with this step in its algorithm's own words, if it decided nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// What it sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<Sent>,
    /// What it decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
}

impl Event {
    /// Something of this kind happens, and no more is known of it.
    #[must_use]
    pub fn blank(t: Time, node: Node, kind: EventKind) -> Self {
        let (election, timer, peer, role, decision) = (None, None, None, None, None);
        Self { t, node, kind, election, timer, peer, received: vec![], draws: vec![], role, sent: vec![], decision }
    }

    /// A field that an event of its kind does not have, if it has one.
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
            ("role", self.role.is_some(), is_step),
            ("sent", !self.sent.is_empty(), is_step || matches!(self.kind, Drop | Duplicate)),
            ("decision", self.decision.is_some(), self.kind == Decide),
        ];
        has.into_iter().find(|(_, is_there, belongs)| *is_there && !belongs).map(|(name, ..)| name)
    }

    /// The event as a sentence, with the names of this network's nodes, and the id of the one to which it happens if
    /// there are ids.
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
            // What is lost on its way was lost by nobody.
            Some(Sent { to, msg, .. }) => {
                format!("{} from {who} to node {} is {fate}", render(msg), network.printed_name(*to))
            }
            None => format!("{who} {}", self.describe(network)),
        }
    }

    /// What happens to the event's node in a few words, with the names of this network's nodes.
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
            EventKind::Recover => "recovers with empty memory".into(),
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

/// What happened.
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
    /// It started again after a crash, knowing nothing.
    Recover,
    /// It stopped.
    Crash,
    /// A message was lost: one that it sent, or one that reached it when it was down.
    Drop,
    /// A message that it sent will arrive once more.
    Duplicate,
    /// Its status is a new one since its last step.
    Decide,
}

/// A message that arrived.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Received {
    /// The message's number.
    pub n: u64,
    /// Who sent it.
    pub from: Node,
    /// The port on which it came in.
    pub port: Port,
    /// What it says.
    pub msg: Value,
}

/// A message that was sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    /// The message's number.
    pub n: u64,
    /// To whom it goes.
    pub to: Node,
    /// The port by which it went out.
    pub port: Port,
    /// What it says.
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
    /// It follows, and holds this id for the leader's.
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

/// The last line: what came of it.
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
    /// Whether somebody stopped the run before its limit did.
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

/// Writes one line of a trace.
///
/// # Errors
/// If the line cannot be written.
pub fn write(out: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)
}

/// A trace that is being read.
pub struct Reader<R> {
    input: R,
    number: usize,
    ended: bool,
    /// Its header.
    pub header: Header,
}

/// A line after the header.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// Something happened.
    Event(Event),
    /// The run was over.
    Ending(Ending),
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If this is not a trace, or one of another version.
    pub fn new(mut input: R) -> Result<Self, String> {
        let first = line(&mut input, LONGEST_LINE).map_err(|error| format!("line 1: {error}"))?;
        let first = first.ok_or("the file is empty; a trace begins with its header")?;
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let Version { format } = serde_json::from_slice(&first)
            .map_err(|_| "line 1 is not the header of a trace, as 'bellwether run --trace FILE' writes it")?;
        if format != FORMAT {
            return Err(format!("line 1: this is format {format} of traces, and this program reads format {FORMAT}"));
        }
        let header = serde_json::from_slice(&first).map_err(|error| located(1, &error))?;
        Ok(Self { input, number: 1, ended: false, header })
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
        Ok(Some(match end {
            Some(_) => Line::Ending(serde_json::from_slice(&text).map_err(parse)?),
            None => Line::Event(serde_json::from_slice(&text).map_err(parse)?),
        }))
    }
}

/// The next line without its end; `None` where there is none.
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

/// A JSON error on one line of a file: its place in the file instead of its place in the line.
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
