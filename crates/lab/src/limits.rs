//! How much an answer may take. All of it can be known without a clock.

use bellwether_net::{Network, Topology, Wiring};
use bellwether_world::numbers::grouped;

use crate::Problem;

/// What a carrier allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of nodes. There may be five times as many links.
    pub nodes: u32,
    /// The largest number of events of a run that is shown.
    pub events: u64,
    /// The largest number of bytes of the variables that a run shows: a node may have a set of all its neighbours, and
    /// tells it anew after each event.
    pub variables: usize,
    /// The largest number of states that a search visits, over all its configurations.
    pub states: u64,
    /// The largest number of bytes that the states of a search take.
    pub memory: u64,
}

impl Limits {
    /// For a program on a machine of its own.
    pub const NATIVE: Self =
        Self { nodes: 20_000, events: 200_000, variables: 1 << 26, states: 3_000_000, memory: 1 << 29 };
    /// For a page, which has 32 bits and one thread.
    pub const BROWSER: Self =
        Self { nodes: 10_000, events: 200_000, variables: 1 << 25, states: 2_000_000, memory: 1 << 28 };

    /// The largest number of links.
    #[must_use]
    pub fn links(&self) -> u64 {
        5 * u64::from(self.nodes)
    }

    /// Refuses a network that is too large, before it is built.
    pub(crate) fn allow(&self, topology: &Topology) -> Result<(), Problem> {
        let (Some(nodes), Some(links)) = (topology.nodes(), topology.links()) else { return Ok(()) };
        self.allow_size(&topology.to_string(), nodes, links)
    }

    /// The same for a network that was read from a file.
    pub(crate) fn allow_network(&self, network: &Network) -> Result<(), Problem> {
        self.allow_size(&network.to_string(), network.nodes(), network.links())
    }

    fn allow_size(&self, name: &str, nodes: u32, links: u64) -> Result<(), Problem> {
        if nodes <= self.nodes && links <= self.links() {
            return Ok(());
        }
        let [nodes, links, most] = [nodes.into(), links, self.nodes.into()].map(|count: u64| grouped(count));
        let name: String = name.chars().take(60).collect();
        Err(Problem::too_large(format!(
            "{name} has {nodes} nodes and {links} links: the lab takes at most {most} nodes and {} links; the program \
             on the command line takes more",
            grouped(self.links())
        )))
    }
}
