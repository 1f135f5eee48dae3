//! A small run as a drawing in text: a column a node, a row a moment.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use bellwether_core::{Id, Port};
use bellwether_world::trace::{Decision, Event, EventKind, Sent, render};
use bellwether_world::{Network, Node, Scenario, Time, Timing, Wiring};
use serde_json::Value;

use crate::show::DIM;
use crate::table::{align, width};

/// More than this is no picture any more.
const MOST_NODES: u32 = 12;
const MOST_ROWS: usize = 44;

/// Collects the events of a run until it is too large to draw.
pub struct Picture {
    network: Network,
    /// Whether it is drawn as a ring, with arrows for the two ways round.
    ring: bool,
    ids: Option<Vec<Id>>,
    timing: Timing,
    nodes: u32,
    /// By moment: for each node the steps it took.
    rows: BTreeMap<Time, BTreeMap<Node, Vec<Step>>>,
    /// The kinds of messages that occur.
    kinds: BTreeSet<String>,
}

/// What a node did at a moment.
struct Step {
    /// What it received, or if it acts on its own what it sends.
    messages: Vec<Value>,
    own: bool,
    /// The kinds of what it sends, where they are others.
    answer: Option<BTreeSet<String>>,
    /// Where it sends something, and what it decides.
    marks: String,
}

impl Picture {
    /// A picture of a run that may be small enough.
    pub fn new(scenario: &Scenario, anonymous: bool) -> Option<Self> {
        let nodes = scenario.topology.nodes();
        let ids = (!anonymous).then(|| scenario.ids.clone());
        let timing = scenario.timing;
        (nodes <= MOST_NODES).then(|| Self {
            network: scenario.topology.clone(),
            ring: scenario.topology.has_ring_ports(),
            ids,
            timing,
            nodes,
            rows: BTreeMap::new(),
            kinds: BTreeSet::new(),
        })
    }

    /// Draws an event.
    pub fn event(&mut self, event: &Event) {
        if self.rows.len() > MOST_ROWS {
            return;
        }
        self.kinds.extend(event.sent.iter().filter_map(|sent| kind(&sent.msg)));
        let steps = self.rows.entry(event.t).or_default().entry(event.node).or_default();
        if let (EventKind::Decide, Some(step)) = (event.kind, steps.last_mut()) {
            step.marks += match event.decision {
                Some(Decision::Leader) => " ★",
                Some(Decision::Follower(_)) => " ✓",
                Some(Decision::Undecided) | None => "",
            };
            return;
        }
        match (event.kind, steps.last_mut()) {
            // What became of a message is told right after the step in which it was sent.
            (EventKind::Drop, Some(step)) if event.received.is_empty() => return step.marks += " ⚡",
            (EventKind::Duplicate, Some(step)) => return step.marks += " ‖",
            // Whom it does not move, it is not news to.
            (EventKind::PeerDown, _) if event.sent.is_empty() => return,
            (EventKind::Recover, _) if event.sent.is_empty() => {
                return steps.push(Step { messages: vec![], own: true, answer: None, marks: "↑".into() });
            }
            (EventKind::Crash, _) => {
                return steps.push(Step { messages: vec![], own: false, answer: None, marks: "†".into() });
            }
            _ => {}
        }
        let own = event.received.is_empty();
        let messages: Vec<Value> = if own {
            // The same to several is one message; where it goes is marked.
            let mut messages: Vec<_> = event.sent.iter().map(|it| it.msg.clone()).collect();
            messages.dedup();
            messages
        } else {
            event.received.iter().map(|it| it.msg.clone()).collect()
        };
        let marks = match event.kind {
            EventKind::Drop => " †".into(),
            EventKind::Recover => {
                format!(" ↑{}", if self.ring { ring_marks(&event.sent).into() } else { self.targets(event) })
            }
            _ if event.sent.is_empty() && own => String::new(),
            _ if event.sent.is_empty() => " ×".into(),
            _ if self.ring => ring_marks(&event.sent).into(),
            _ => self.targets(event),
        };
        let received: BTreeSet<_> = event.received.iter().filter_map(|it| kind(&it.msg)).collect();
        let sent: BTreeSet<_> = event.sent.iter().filter_map(|it| kind(&it.msg)).collect();
        let answer = if own || sent.is_subset(&received) { None } else { Some(sent) };
        let steps = self.rows.entry(event.t).or_default().entry(event.node).or_default();
        steps.push(Step { messages, own, answer, marks });
    }

    /// To whom a node sends.
    fn targets(&self, event: &Event) -> String {
        let mut targets: Vec<Node> = event.sent.iter().map(|sent| sent.to).collect();
        targets.sort_unstable();
        targets.dedup();
        if targets.len() > 2 && targets.len() as u32 == self.network.ports(event.node) {
            return " →all".into();
        }
        format!(" →{}", targets.iter().map(|node| self.network.node_name(*node)).collect::<Vec<_>>().join(","))
    }

    /// Writes the picture, in full or with messages abbreviated; or where it can be read instead.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let widest = width() - 2;
        let fits = |lines: &[String]| lines.len() <= MOST_ROWS && lines.iter().all(|l| l.chars().count() <= widest);
        let full = self.lines(&render, &|kind| kind.into());
        let short = self.lines(&|msg| self.abbreviate(msg), &|kind| self.initial(kind));
        let (lines, abbreviated) = if fits(&full) { (full, false) } else { (short, true) };
        if !fits(&lines) {
            return writeln!(out, "  {DIM}(too large to draw here; --events lists every step){DIM:#}\n");
        }
        let heads = 1 + usize::from(self.ids.is_some());
        for (index, line) in lines.iter().enumerate() {
            if index < heads { writeln!(out, "  {DIM}{line}{DIM:#}")? } else { writeln!(out, "  {line}")? }
        }
        let kinds =
            self.kinds.iter().map(|kind| format!("{} = {kind}", self.initial(kind))).collect::<Vec<_>>().join(", ");
        let kinds = if abbreviated { format!(" ({kinds})") } else { String::new() };
        let sends = if self.ring {
            "sends → clockwise, ← the other way, ↔ both ways"
        } else {
            "sends → to these nodes"
        };
        let mut legend = format!(
            "A cell is what a node receives{kinds}, or with ▸ what it sends on its own; then it {sends}, × nothing; \
             ★ it leads, ✓ it follows."
        );
        for (mark, meaning) in
            [("⚡", "what it sends is lost"), ("‖", "it arrives twice"), ("†", "it is down"), ("↑", "it is up again")]
        {
            if lines.iter().any(|line| line.contains(mark)) {
                legend.insert_str(legend.len() - 1, &format!(", {mark} {meaning}"));
            }
        }
        let options = textwrap::Options::new(width()).initial_indent("  ").subsequent_indent("  ");
        writeln!(out, "{DIM}{}{DIM:#}\n", textwrap::fill(&legend, options))
    }

    /// The first letters of a kind that tell it from the others, and its digits: `elect` is `e`, `phase2` is `p2`.
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

    /// `elect(7)` is `e7`, `probe(4,2)` is `p4,2`, `phase2(3)` is `p2:3`.
    fn abbreviate(&self, msg: &Value) -> String {
        let text = render(msg);
        let Some((kind, fields)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else { return text };
        let initial = self.initial(kind);
        let apart = initial.ends_with(|last: char| last.is_ascii_digit());
        format!("{initial}{}{fields}", if apart { ":" } else { "" })
    }

    fn lines(&self, shown: &dyn Fn(&Value) -> String, called: &dyn Fn(&str) -> String) -> Vec<String> {
        let row = |name: &str, cell: &dyn Fn(Node) -> String| {
            std::iter::once(name.to_string()).chain((0..self.nodes).map(cell)).collect::<Vec<_>>()
        };
        let mut rows = vec![row("node", &|node| self.network.node_name(node).into())];
        if let Some(ids) = &self.ids {
            rows.push(row("id", &|node| ids[node as usize].to_string()));
        }
        let clock = if self.timing == Timing::Rounds { "round " } else { "t=" };
        for (time, steps) in &self.rows {
            let height = steps.values().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                let label = if line > 0 { String::new() } else { format!("{clock}{time}") };
                rows.push(row(&label, &|node| {
                    let step = steps.get(&node).and_then(|steps| steps.get(line));
                    step.map_or("·".into(), |step| step.cell(shown, called))
                }));
            }
        }
        align(&rows, &[])
    }
}

/// The ways round a ring in which a node sends.
fn ring_marks(sent: &[Sent]) -> &'static str {
    let by = |port| sent.iter().any(|sent| sent.port == port);
    match (by(Port::NEXT), by(Port::PREVIOUS)) {
        (true, true) => " ↔",
        (_, false) => " →",
        (false, true) => " ←",
    }
}

impl Step {
    fn cell(&self, shown: &dyn Fn(&Value) -> String, called: &dyn Fn(&str) -> String) -> String {
        let same = self.messages.chunk_by(|a, b| a == b);
        let counted = same.map(|same| match same.len() {
            1 => shown(&same[0]),
            count => format!("{count}×{}", shown(&same[0])),
        });
        let messages = counted.collect::<Vec<_>>().join(" ");
        let start = if self.own { "▸ " } else { "" };
        let answer = self.answer.iter().flatten().map(|kind| format!(" {}", called(kind))).collect::<String>();
        let marks = if answer.is_empty() { self.marks.as_str() } else { self.marks.trim_start() };
        format!("{start}{messages}{answer}{marks}").trim_end().into()
    }
}

/// The kind of a message in a trace.
fn kind(msg: &Value) -> Option<String> {
    msg.as_object().and_then(|fields| fields.keys().next()).cloned()
}
