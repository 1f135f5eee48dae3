//! Export for ShiViz, which draws space-time diagrams from vector clocks.
//!
//! The first line of the file is the regular expression with which ShiViz parses the rest. The second line is empty; it
//! would separate several executions. Then each event has two lines: what happened, and the host with its vector clock.

use std::collections::BTreeMap;
use std::io::{self, Write};

use bellwether_net::{Network, Node};

use crate::trace::Event;

const EXPRESSION: &str = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})";

type VectorClock = BTreeMap<Node, u64>;

/// Writes a log that ShiViz loads.
pub struct Writer<W> {
    out: W,
    network: Network,
    clocks: BTreeMap<Node, VectorClock>,
    /// The clock of each message under way, by its sender and number.
    under_way: BTreeMap<(Node, u64), VectorClock>,
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
            for (node, time) in self.under_way.remove(&(received.from, received.n)).unwrap_or_default() {
                let known = clock.entry(node).or_default();
                *known = time.max(*known);
            }
        }
        *clock.entry(event.node).or_default() += 1;
        self.under_way.extend(event.sent.iter().map(|sent| ((event.node, sent.n), clock.clone())));
        let (network, text) = (&self.network, event.describe(&self.network));
        let time = |(node, time): (&Node, &u64)| format!("{}:{time}", serde_json::Value::from(host(network, *node)));
        let times: Vec<String> = clock.iter().map(time).collect();
        writeln!(self.out, "{text}\n{} {{{}}}", host(network, event.node), times.join(", "))
    }

    /// Returns the output.
    ///
    /// # Errors
    /// If the rest cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// A node's name without white space, made unique by its number.
fn host(network: &Network, node: Node) -> String {
    if network.names.is_empty() {
        return format!("node{node}");
    }
    format!("{}#{node}", network.printed_name(node).split_whitespace().collect::<Vec<_>>().join("_"))
}
