//! Export for ShiViz, which draws space-time diagrams from vector clocks.
//!
//! The file's first line is the expression by which ShiViz takes the rest apart, the second (empty) would separate
//! several executions; then two lines an event: what happened, and where with its vector clock.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::trace::Event;
use crate::{Network, Node};

const EXPRESSION: &str = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})";

type Clock = BTreeMap<Node, u64>;

/// Writes a log that ShiViz loads.
pub struct Writer<W> {
    out: W,
    network: Network,
    clocks: BTreeMap<Node, Clock>,
    /// The clock of each message under way, by its number.
    under_way: BTreeMap<u64, Clock>,
}

impl<W: Write> Writer<W> {
    /// Begins the log of a run on this network.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut out: W, network: Network) -> io::Result<Self> {
        writeln!(out, "{EXPRESSION}\n")?;
        Ok(Self { out, network, clocks: BTreeMap::new(), under_way: BTreeMap::new() })
    }

    /// Writes an event.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        let clock = self.clocks.entry(event.node).or_default();
        for received in &event.received {
            for (node, time) in self.under_way.remove(&received.n).unwrap_or_default() {
                let known = clock.entry(node).or_default();
                *known = time.max(*known);
            }
        }
        *clock.entry(event.node).or_default() += 1;
        self.under_way.extend(event.sent.iter().map(|sent| (sent.n, clock.clone())));
        let (network, text) = (&self.network, event.describe(&self.network));
        let time = |(node, time): (&Node, &u64)| format!("{}:{time}", serde_json::Value::from(host(network, *node)));
        let times: Vec<String> = clock.iter().map(time).collect();
        writeln!(self.out, "{text}\n{} {{{}}}", host(network, event.node), times.join(", "))
    }

    /// Gives the output back.
    ///
    /// # Errors
    /// If what is left cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// A node's name without white space, told from others by its number.
fn host(network: &Network, node: Node) -> String {
    if network.names.is_empty() {
        return format!("node{node}");
    }
    format!("{}#{node}", network.printed_name(node).split_whitespace().collect::<Vec<_>>().join("_"))
}
