//! A small run as a drawing in text: a column per node, a row per moment.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use bellwether_console::style::DIM;
use bellwether_console::table::{align, width};
use bellwether_core::{Id, Port};
use bellwether_net::{Network, Node, Wiring};
use bellwether_world::trace::{Decision, Event, EventKind, Received, Sent, render};
use bellwether_world::{Scenario, Time, Timing};
use serde_json::Value;

use crate::show;

/// The largest numbers of nodes and rows of a picture.
pub const MOST_NODES: u32 = 12;
const MOST_ROWS: usize = 60;

/// The widths at which cells are broken into lines, if nothing wider fits.
const CELLS: [usize; 8] = [usize::MAX, 24, 20, 16, 14, 12, 10, 8];

/// Collects the events of a run until it is too large to draw.
pub struct Picture {
    network: Network,
    /// Whether it is drawn as a ring, with arrows for the two directions.
    ring: bool,
    ids: Option<Vec<Id>>,
    timing: Timing,
    /// By moment and node: the steps.
    moments: BTreeMap<Time, BTreeMap<Node, Vec<Step>>>,
    /// The current row of a live run.
    row: Row,
    /// The kinds of messages that occur.
    kinds: BTreeSet<String>,
}

/// A step of a node.
#[derive(Default)]
struct Step {
    /// The cause, if it is not a message.
    cause: Option<&'static str>,
    /// The messages received. If the node acts on its own and sends everything the same way: the messages sent.
    messages: Vec<Value>,
    /// What else it sends, and where.
    sends: Vec<(Vec<Value>, String)>,
    /// The consequences, as marks.
    marks: Vec<&'static str>,
}

/// The meanings of the marks in a cell.
const MARKS: [(&str, &str); 10] = [
    ("…", "… there is more in it"),
    ("×", "2× twice the same"),
    ("◷", "◷ a timer goes off"),
    ("★", "★ it leads"),
    ("✓", "✓ it follows"),
    ("☆", "☆ it is undecided again"),
    ("⚡", "⚡ what it sends is lost"),
    ("‖", "‖ it arrives twice"),
    ("†", "† it is down"),
    ("↑", "↑ it is up again"),
];

/// A row of a live run.
#[derive(Default)]
struct Row {
    since: Time,
    nodes: BTreeSet<Node>,
    /// The messages sent in this row, by sender and number.
    sent: BTreeSet<(Node, u64)>,
}

impl Picture {
    /// A picture of a run; `None` if there are too many nodes.
    pub fn new(scenario: &Scenario, anonymous: bool) -> Option<Self> {
        (scenario.topology.nodes() <= MOST_NODES).then(|| Self {
            network: scenario.topology.clone(),
            ring: scenario.topology.has_ring_ports(),
            ids: (!anonymous).then(|| scenario.ids.clone()),
            timing: scenario.timing,
            moments: BTreeMap::new(),
            row: Row::default(),
            kinds: BTreeSet::new(),
        })
    }

    /// Adds an event.
    pub fn event(&mut self, event: &Event) {
        if self.moments.len() > MOST_ROWS {
            return;
        }
        self.kinds.extend(event.sent.iter().filter_map(|sent| kind(&sent.msg)));
        let step = self.step(event);
        let moment = self.moment(event);
        let steps = self.moments.entry(moment).or_default().entry(event.node).or_default();
        match (event.kind, steps.last_mut()) {
            // The consequences of a step are reported directly after it.
            (EventKind::Decide | EventKind::Duplicate, Some(last)) => last.marks.extend(step.marks),
            (EventKind::Drop, Some(last)) if event.received.is_empty() => last.marks.extend(step.marks),
            // The news of a crash is only shown if the node reacts.
            (EventKind::PeerDown, _) if event.sent.is_empty() => {}
            _ => steps.push(step),
        }
    }

    /// The row of an event. In a live run hardly any two events have the same time. There a row has consecutive events
    /// at different nodes, none of which causes another.
    fn moment(&mut self, event: &Event) -> Time {
        if !matches!(self.timing, Timing::Live(_)) {
            return event.t;
        }
        let follows = |received: &Received| self.row.sent.contains(&(received.from, received.n));
        let told_after = match event.kind {
            EventKind::Decide | EventKind::Duplicate => true,
            EventKind::Drop => event.received.is_empty(),
            _ => false,
        };
        // A timer that goes off long after the last message gets its own row.
        let pause = event.t.as_f64() > self.row.since.as_f64() + 0.05;
        let apart = pause || self.row.nodes.contains(&event.node) || event.received.iter().any(follows);
        if self.row.nodes.is_empty() || !told_after && apart {
            self.row = Row { since: event.t, ..Row::default() };
        }
        self.row.nodes.insert(event.node);
        self.row.sent.extend(event.sent.iter().map(|sent| (event.node, sent.n)));
        self.row.since
    }

    fn step(&self, event: &Event) -> Step {
        let own = event.received.is_empty();
        let (cause, mark) = match event.kind {
            EventKind::Decide => match event.decision {
                Some(Decision::Leader) => (None, Some("★")),
                Some(Decision::Follower(_)) => (None, Some("✓")),
                Some(Decision::Undecided) | None => (None, Some("☆")),
            },
            EventKind::Duplicate => (None, Some("‖")),
            EventKind::Drop => (None, Some(if own { "⚡" } else { "†" })),
            EventKind::Crash => (Some("†"), None),
            EventKind::Recover => (Some("↑"), None),
            EventKind::Timeout => (Some("◷"), None),
            EventKind::Start | EventKind::PeerDown => (Some("▸"), None),
            EventKind::Receive | EventKind::Round if own => (Some("▸"), None),
            EventKind::Receive | EventKind::Round if event.sent.is_empty() => (None, Some("∅")),
            EventKind::Receive | EventKind::Round => (None, None),
        };
        let mut step = Step { cause, marks: mark.into_iter().collect(), ..Step::default() };
        step.messages = event.received.iter().map(|it| it.msg.clone()).collect();
        if matches!(event.kind, EventKind::Drop | EventKind::Duplicate) {
            return step;
        }
        step.sends = self.sends(event);
        let known: Vec<_> = step.messages.iter().filter_map(kind).map(Value::String).collect();
        if let [(messages, _)] = &mut step.sends[..] {
            if own {
                step.messages = std::mem::take(messages);
            } else if messages.iter().all(|kind| known.contains(kind)) {
                messages.clear();
            }
        }
        step
    }

    /// The messages that a node sends, by destination. An answer is shown by its kind.
    fn sends(&self, event: &Event) -> Vec<(Vec<Value>, String)> {
        let mut whither: Vec<(Value, Vec<&Sent>)> = Vec::new();
        for sent in &event.sent {
            let what = kind(&sent.msg).filter(|_| !event.received.is_empty()).map_or(sent.msg.clone(), Value::String);
            match whither.iter_mut().find(|(other, _)| *other == what) {
                Some((_, all)) => all.push(sent),
                None => whither.push((what, vec![sent])),
            }
        }
        let mut sends: Vec<(Vec<Value>, String)> = Vec::new();
        for (what, all) in whither {
            let arrow = if self.ring { ring_arrow(&all).into() } else { self.arrow(event.node, &all) };
            match sends.iter_mut().find(|(_, other)| *other == arrow) {
                Some((messages, _)) => messages.push(what),
                None => sends.push((vec![what], arrow)),
            }
        }
        sends
    }

    /// The destinations of a message, as an arrow.
    fn arrow(&self, node: Node, sent: &[&Sent]) -> String {
        let targets: BTreeSet<Node> = sent.iter().map(|sent| sent.to).collect();
        if targets.len() > 2 && targets.len() as u32 == self.network.ports(node) {
            return "→all".into();
        }
        format!("→{}", targets.iter().map(|node| self.network.printed_name(*node)).collect::<Vec<_>>().join(","))
    }

    /// Writes the picture: in full, or with abbreviated messages and cells of several lines, or with shortened
    /// messages. If nothing fits, it writes what would be needed.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let widest = width() - 2;
        let (short, shortest) = (|msg: &Value| self.abbreviate(msg), |msg: &Value| self.elide(msg));
        let fits = |rows: &[Vec<String>]| rows.len() <= MOST_ROWS && columns(rows) <= widest;
        let full = Some(self.rows(&render, usize::MAX)).filter(|rows| fits(rows)).map(|rows| (rows, false));
        let stacked = |shown: &dyn Fn(&Value) -> String| {
            CELLS.iter().map(|cell| self.rows(shown, *cell)).find(|rows| fits(rows)).map(|rows| (rows, true))
        };
        let Some((mut rows, abbreviated)) = full.or_else(|| stacked(&short)).or_else(|| stacked(&shortest)) else {
            return writeln!(out, "  {DIM}({}; --events lists every step){DIM:#}\n", self.needs(&shortest, widest));
        };
        let mut heads = 1 + usize::from(self.ids.is_some());
        let links = self.row("links", &|node| {
            let far = self.network.neighbours(node).map(|far| self.network.printed_name(far));
            far.collect::<Vec<_>>().join(",")
        });
        rows.insert(heads, links);
        if self.ring || self.network.is_complete() || columns(&rows) > widest {
            rows.remove(heads);
        } else {
            heads += 1;
        }
        for (index, line) in align(&rows, &[]).iter().enumerate() {
            if index < heads { writeln!(out, "  {DIM}{line}{DIM:#}")? } else { writeln!(out, "  {line}")? }
        }
        let options = textwrap::Options::new(width()).initial_indent("  ").subsequent_indent("  ");
        writeln!(out, "{DIM}{}{DIM:#}\n", textwrap::fill(&self.legend(&rows[heads..], abbreviated), options))
    }

    /// The reason why the picture does not fit.
    fn needs(&self, shown: &dyn Fn(&Value) -> String, widest: usize) -> String {
        let sizes = CELLS.iter().map(|cell| self.rows(shown, *cell)).map(|rows| (rows.len(), columns(&rows)));
        let sizes: Vec<(usize, usize)> = sizes.collect();
        let narrowest = sizes.iter().filter(|(rows, _)| *rows <= MOST_ROWS).map(|(_, columns)| columns).min();
        match narrowest {
            Some(columns) => format!("a picture would take {} columns, and here are {}", columns + 2, widest + 2),
            None if self.moments.len() > MOST_ROWS => format!("a picture would take more than {MOST_ROWS} rows"),
            None => {
                let rows = sizes.iter().map(|(rows, _)| *rows).min().unwrap_or_default();
                format!("a picture would take {rows} rows, more than {MOST_ROWS}")
            }
        }
    }

    /// The legend of the signs in these rows.
    fn legend(&self, rows: &[Vec<String>], abbreviated: bool) -> String {
        let occurs = |mark: &str| rows.iter().flatten().any(|cell| cell.contains(mark));
        let kinds =
            self.kinds.iter().map(|kind| format!("{} = {kind}", self.initial(kind))).collect::<Vec<_>>().join(", ");
        let kinds = if abbreviated { format!(" ({kinds})") } else { String::new() };
        let ways: &[(&str, &str)] = if self.ring {
            &[("→", "→ clockwise"), ("←", "← the other way"), ("↔", "↔ both ways"), ("∅", "∅ nothing")]
        } else {
            &[("→", "→ to these nodes"), ("∅", "∅ nothing")]
        };
        let occurring = |marks: &[(&str, &'static str)]| -> Vec<&str> {
            marks.iter().filter(|(mark, _)| occurs(mark)).map(|(_, meaning)| *meaning).collect()
        };
        let mut legend = format!("A cell is what a node receives{kinds}, or with ▸ what it sends on its own");
        for (before, list) in [("then it sends ", occurring(ways)), ("", occurring(&MARKS))] {
            if !list.is_empty() {
                legend += &format!("; {before}{}", list.join(", "));
            }
        }
        legend + "."
    }

    /// The shortest unambiguous beginning of a kind, and its digits: `elect` is `e`, `phase2` is `p2`.
    fn initial(&self, kind: &str) -> String {
        let digits: String = kind.chars().filter(char::is_ascii_digit).collect();
        let short = |letters: usize| kind.chars().take(letters).collect::<String>();
        let same = |letters: usize| {
            let others = self.kinds.iter().filter(|other| *other != kind);
            others.filter(|other| other.starts_with(&short(letters)) && other.ends_with(&digits)).count()
        };
        let letters = (1..kind.len()).find(|&letters| same(letters) == 0).unwrap_or(kind.len());
        if letters < kind.len() { short(letters) + &digits } else { kind.into() }
    }

    /// `elect(7)` is `e7`, `probe(4,2)` is `p4,2`, `phase2(3)` is `p2:3`, and the kind `elect` alone is `e`.
    fn abbreviate(&self, msg: &Value) -> String {
        let text = render(msg);
        let Some((kind, fields)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
            return self.initial(&text);
        };
        let initial = self.initial(kind);
        let apart = initial.ends_with(|last: char| last.is_ascii_digit());
        format!("{initial}{}{fields}", if apart { ":" } else { "" })
    }

    /// `token(9,[1,2,5])` is `t9…`.
    fn elide(&self, msg: &Value) -> String {
        let text = self.abbreviate(msg);
        text.split_once(',').map_or(text.clone(), |(first, _)| format!("{first}…"))
    }

    fn row(&self, name: &str, cell: &dyn Fn(Node) -> String) -> Vec<String> {
        std::iter::once(name.to_string()).chain((0..self.network.nodes()).map(cell)).collect()
    }

    /// The rows of the picture. `shown` formats a message, and no cell is wider than `widest` unless it must be.
    fn rows(&self, shown: &dyn Fn(&Value) -> String, widest: usize) -> Vec<Vec<String>> {
        let mut rows = vec![self.row("node", &|node| self.network.printed_name(node).into())];
        rows.extend(self.ids.as_ref().map(|ids| self.row("id", &|node| ids[node as usize].to_string())));
        for (time, steps) in &self.moments {
            let lines = |steps: &Vec<Step>| steps.iter().flat_map(|step| step.lines(shown, widest)).collect();
            let cells: BTreeMap<Node, Vec<String>> = steps.iter().map(|(node, steps)| (*node, lines(steps))).collect();
            for line in 0..cells.values().map(Vec::len).max().unwrap_or(0) {
                let label = if line > 0 { String::new() } else { show::label(self.timing, *time) };
                rows.push(self.row(&label, &|node| {
                    let cell = cells.get(&node).map_or(&[][..], |lines| lines);
                    let nothing = if cell.is_empty() && line == 0 { "·" } else { "" };
                    cell.get(line).cloned().unwrap_or(nothing.into())
                }));
            }
        }
        rows
    }
}

/// The width of the rows after alignment.
fn columns(rows: &[Vec<String>]) -> usize {
    align(rows, &[]).iter().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// The directions on a ring in which a node sends.
fn ring_arrow(sent: &[&Sent]) -> &'static str {
    let by = |port| sent.iter().any(|sent| sent.port == port);
    match (by(Port::NEXT), by(Port::PREVIOUS)) {
        (true, true) => "↔",
        (_, false) => "→",
        (false, true) => "←",
    }
}

impl Step {
    /// The lines of the cell, each at most this wide if possible.
    fn lines(&self, shown: &dyn Fn(&Value) -> String, widest: usize) -> Vec<String> {
        let received = self.messages.chunk_by(|a, b| a == b).map(|same| match same.len() {
            1 => shown(&same[0]),
            count => format!("{count}×{}", shown(&same[0])),
        });
        let sends = self.sends.iter().map(|(messages, arrow)| {
            let what = messages.iter().map(shown).collect::<Vec<_>>().join(",");
            what + arrow
        });
        let cause = self.cause.map(String::from);
        let marks = self.marks.iter().copied().map(String::from);
        let mut lines: Vec<String> = Vec::new();
        for piece in cause.into_iter().chain(received).chain(sends).chain(marks) {
            let room = |line: &String| line.chars().count() + 1 + piece.chars().count() <= widest;
            match lines.last_mut() {
                // A sign stays beside the text that it belongs to.
                Some(line) if room(line) || line.chars().count() == 1 || piece.chars().count() == 1 => {
                    line.push(' ');
                    line.push_str(&piece);
                }
                _ => lines.push(piece),
            }
        }
        lines
    }
}

/// The kind of a message in a trace.
fn kind(msg: &Value) -> Option<String> {
    msg.as_object().and_then(|fields| fields.keys().next()).cloned()
}
