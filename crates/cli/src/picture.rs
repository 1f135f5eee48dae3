//! A small run as a drawing in text: a column a node, a row a moment.

use std::collections::BTreeMap;
use std::io::{self, Write};

use bellwether_core::Id;
use bellwether_world::trace::{Decision, Event, EventKind, render};
use bellwether_world::{Node, Scenario, Time, Timing, Wiring};

use crate::show::DIM;
use crate::table::align;

/// More columns or rows than this are no picture any more.
const WIDEST: usize = 110;
const MOST_NODES: u32 = 12;
const MOST_ROWS: usize = 44;

/// Collects the events of a run until it is too large to draw.
pub struct Picture {
    ids: Option<Vec<Id>>,
    timing: Timing,
    nodes: u32,
    /// By moment: for each node the steps it took.
    rows: BTreeMap<Time, BTreeMap<Node, Vec<String>>>,
    fits: bool,
}

impl Picture {
    /// A picture of a run that may be small enough.
    pub fn new(scenario: &Scenario, anonymous: bool) -> Option<Self> {
        let nodes = scenario.topology.nodes();
        let ids = (!anonymous).then(|| scenario.ids.clone());
        let timing = scenario.timing;
        (nodes <= MOST_NODES).then(|| Self { ids, timing, nodes, rows: BTreeMap::new(), fits: true })
    }

    /// Draws an event.
    pub fn event(&mut self, event: &Event) {
        if !self.fits {
            return;
        }
        let steps = self.rows.entry(event.t).or_default().entry(event.node).or_default();
        match (event.kind, &event.decision) {
            (EventKind::Decide, Some(decision)) => {
                if let Some(step) = steps.last_mut() {
                    step.push_str(match decision {
                        Decision::Leader => " ★",
                        Decision::Follower(_) => " ✓",
                        Decision::Undecided => "",
                    });
                }
            }
            _ => steps.push(step(event)),
        }
        self.fits = self.rows.len() <= MOST_ROWS;
    }

    /// Writes the picture, if the run was small enough for one.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = |name: &str, label: &dyn Fn(Node) -> String| {
            std::iter::once(name.to_string()).chain((0..self.nodes).map(label)).collect::<Vec<_>>()
        };
        let mut rows = vec![head("node", &|node| node.to_string())];
        if let Some(ids) = &self.ids {
            rows.push(head("id", &|node| ids[node as usize].to_string()));
        }
        let heads = rows.len();
        for (time, steps) in &self.rows {
            let height = steps.values().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                let label = if line > 0 { String::new() } else { format!("{}{time}", self.clock()) };
                rows.push(head(&label, &|node| {
                    steps.get(&node).and_then(|steps| steps.get(line)).cloned().unwrap_or("·".into())
                }));
            }
        }
        let lines = align(&rows, &[]);
        if !self.fits || lines.len() > MOST_ROWS || lines.iter().any(|line| line.chars().count() > WIDEST) {
            return Ok(());
        }
        for (index, line) in lines.iter().enumerate() {
            if index < heads { writeln!(out, "  {DIM}{line}{DIM:#}")? } else { writeln!(out, "  {line}")? }
        }
        writeln!(out, "  {DIM}▸ starts   → sends on   × swallows   ★ leads   ✓ follows{DIM:#}\n")
    }

    fn clock(&self) -> &'static str {
        if self.timing == Timing::Rounds { "round " } else { "t=" }
    }
}

/// A step in a few characters: what came in, and what became of it.
fn step(event: &Event) -> String {
    let list = |messages: Vec<String>| messages.join(" ");
    let sent = || list(event.sent.iter().map(|sent| render(&sent.msg)).collect());
    let received = list(event.received.iter().map(|received| render(&received.msg)).collect());
    match event.kind {
        EventKind::Start => format!("▸ {}", sent()),
        EventKind::Round if received.is_empty() && event.sent.is_empty() => "▸".into(),
        EventKind::Round | EventKind::Timeout if received.is_empty() => format!("▸ {}", sent()),
        _ if event.sent.is_empty() => format!("{received} ×"),
        _ => format!("{received} →"),
    }
}
