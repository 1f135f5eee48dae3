//! What a trace has told of every node's variables, so that each step tells only what it changes.

use std::collections::BTreeMap;

use bellwether_core::{Port, Variables};
use bellwether_net::{Network, Node, Wiring};
use serde_json::{Map, Value};

/// The variables of every node as they were told last.
#[derive(Clone, Debug, Default)]
pub struct Told(BTreeMap<Node, Variables>);

impl Told {
    /// The variables of a node that have changed since it was asked last, in words: ports become the names of
    /// neighbours.
    pub fn changes(&mut self, node: Node, mut now: Variables, network: &Network) -> Map<String, Value> {
        for (_, value) in &mut now.0 {
            *value = with_names(value, node, network);
        }
        let before = self.0.insert(node, now).unwrap_or_default();
        let now = &self.0[&node];
        let new = now.0.iter().filter(|(name, value)| before.get(name) != Some(value.as_str()));
        let gone = before.0.iter().filter(|(name, _)| now.get(name).is_none());
        let new = new.map(|(name, value)| (name.clone(), Value::from(value.as_str())));
        new.chain(gone.map(|(name, _)| (name.clone(), Value::Null))).collect()
    }
}

/// A value in which `port 2` has become `node 5`.
fn with_names(value: &str, node: Node, network: &Network) -> String {
    const PORT: &str = "port ";
    let mut parts = value.split(PORT);
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let port = part[..end].parse().ok().map(Port).filter(|port| port.0 < network.ports(node));
        match port {
            Some(port) => text += &format!("node {}{}", network.printed_name(network.far(node, port).0), &part[end..]),
            None => text += &format!("{PORT}{part}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(all: &[(&str, &str)]) -> Variables {
        Variables(all.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect())
    }

    #[test]
    fn the_first_step_tells_all_and_later_ones_what_is_new_or_gone() {
        let network = "star:3".parse::<bellwether_net::Topology>().unwrap().build(1).unwrap();
        let mut told = Told::default();
        let mut changes = |all: &[(&str, &str)]| {
            serde_json::to_string(&told.changes(0, variables(all), &network)).expect("plain data has a JSON form")
        };
        assert_eq!(changes(&[("id", "3"), ("done", "{port 0, port 1}")]), r#"{"id":"3","done":"{node 1, node 2}"}"#);
        assert_eq!(changes(&[("id", "3"), ("done", "{port 1}")]), r#"{"done":"{node 2}"}"#);
        assert_eq!(changes(&[("id", "3"), ("leader", "7")]), r#"{"leader":"7","done":null}"#);
        assert_eq!(changes(&[("id", "3"), ("leader", "7")]), "{}");
    }
}
