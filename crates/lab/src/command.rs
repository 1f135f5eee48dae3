//! The line of a command that shows the same.

use bellwether_ask::{Election, Prepared};
use bellwether_core::Port;
use bellwether_net::{Network, Topology, Wires, Wiring};
use bellwether_world::Scenario;

use crate::attached::Attached;

/// The most nodes of a network that is spelt out in a line.
const MOST_NODES: u32 = 40;

/// The line that holds the election again. Whoever has only the line has no file beside it, so a small network from a
/// file is spelt out, if its nodes then have the same numbers and its links the same order.
pub fn command(prepared: &Prepared) -> String {
    spelt_out(prepared).as_ref().map_or_else(|| prepared.repeat(), Election::line)
}

fn spelt_out(prepared: &Prepared) -> Option<Election> {
    let (election, scenario) = (prepared.election(), &prepared.scenario);
    let network = &scenario.topology;
    let is_file = matches!(election.topology, Some(Topology::File(_)));
    let is_plain = (0..network.nodes()).all(|node| *network.node_name(node) == node.to_string());
    if !is_file || !is_plain || network.nodes() > MOST_NODES {
        return None;
    }
    let Wires::Graph(graph) = &network.wires else { return None };
    let topology = Topology::Graph6(graph.clone()).to_string().parse().ok()?;
    let spelt = Election { topology: Some(topology), largest_component: false, ..election.clone() };
    let same = spelt.clone().prepare(&Attached::default()).ok()?.scenario;
    (is_same(network, &same.topology) && Scenario { topology: network.clone(), ..same } == *scenario).then_some(spelt)
}

/// Whether two networks have the same links at the same ports.
fn is_same(one: &Network, other: &Network) -> bool {
    let ends = |network: &Network, node| (0..network.ports(node)).map(|port| network.far(node, Port(port))).collect();
    let ends = |network: &Network| (0..network.nodes()).map(|node| ends(network, node)).collect::<Vec<Vec<_>>>();
    ends(one) == ends(other)
}
