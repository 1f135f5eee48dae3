//! The initiators.

use std::fmt;
use std::str::FromStr;

use bellwether_core::Starters;

use bellwether_net::{Network, Node, Wiring};
use bellwether_random::{Purpose, Stream};

/// How initiators are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initiators {
    /// Every node.
    All,
    /// Only node 0.
    One,
    /// The nodes with these names or numbers, and ranges of nodes.
    List(Vec<String>),
    /// This many nodes, drawn from the seed.
    Random(u32),
}

impl Initiators {
    /// The initiators of a network. All of them start at once.
    ///
    /// # Errors
    /// If there is no such node, or no initiator.
    pub fn choose(&self, network: &Network, seed: u64) -> Result<Starters, String> {
        let nodes = network.nodes();
        let mut chosen = match self {
            Self::All => return Ok(Starters::All),
            Self::One => vec![0],
            Self::List(list) => list.iter().map(|nodes| span(network, nodes)).collect::<Result<Vec<_>, _>>()?.concat(),
            Self::Random(count) if (1..=nodes).contains(count) => {
                let mut all: Vec<u32> = (0..nodes).collect();
                Stream::new(seed, Purpose::Initiators).shuffle(&mut all);
                all.truncate(*count as usize);
                all
            }
            Self::Random(count) => return Err(format!("random:{count} of {nodes} nodes: take 1 to {nodes} of them")),
        };
        chosen.sort_unstable();
        chosen.dedup();
        if chosen.is_empty() {
            return Err("somebody must start: name an initiator".into());
        }
        Ok(Starters::together(chosen))
    }
}

/// One node, or the nodes of a range.
fn span(network: &Network, text: &str) -> Result<Vec<Node>, String> {
    let nodes = network.find_range(text).map_err(|reason| {
        let is_number = |end: &str| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
        match text.split_once("..") {
            Some((first, last)) if is_number(first) && is_number(last) => {
                format!("a span has a dash: say {first}-{last}")
            }
            _ if is_number(text.split('-').next().unwrap_or_default()) || !network.names.is_empty() => reason,
            _ => format!("'{text}' is none of all, one, random:K or a list of nodes such as 0,2,5-9"),
        }
    })?;
    match (nodes.first(), nodes.last()) {
        (Some(first), Some(last)) if first > last => {
            let [first, last] = [first, last].map(|node| network.node_name(*node));
            Err(format!("'{text}' goes backwards: write {last}-{first}"))
        }
        _ => Ok(nodes),
    }
}

impl FromStr for Initiators {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match (text, text.strip_prefix("random:")) {
            ("all", _) => Self::All,
            ("one", _) => Self::One,
            (_, Some(count)) => {
                let count = bellwether_net::size(count).ok().and_then(|count| u32::try_from(count).ok());
                Self::Random(count.ok_or_else(|| format!("'{text}': random:K takes a number, as in random:3"))?)
            }
            (list, None) if list.split(',').any(|node| node.trim().is_empty()) => {
                return Err(format!("'{text}' is none of all, one, random:K or a list of nodes such as 0,2,5-9"));
            }
            (list, None) => Self::List(list.split(',').map(|node| node.trim().into()).collect()),
        })
    }
}

impl fmt::Display for Initiators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::One => f.write_str("one"),
            Self::List(nodes) => f.write_str(&nodes.join(",")),
            Self::Random(count) => write!(f, "random:{count}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(text: &str, nodes: u32) -> Result<Vec<u32>, String> {
        let ring = bellwether_net::Ring::new(nodes.into())?.into();
        let initiators = text.parse::<Initiators>()?.choose(&ring, 1)?;
        Ok(initiators.among(nodes).map(|(node, _)| node).collect())
    }

    #[test]
    fn initiators_are_chosen_as_asked() {
        assert_eq!(chosen("all", 3), Ok(vec![0, 1, 2]));
        assert_eq!(chosen("one", 3), Ok(vec![0]));
        assert_eq!(chosen("2,0,2", 3), Ok(vec![0, 2]));
        assert_eq!(chosen("3-5,0", 8), Ok(vec![0, 3, 4, 5]));
        assert_eq!(chosen("random:3", 3), Ok(vec![0, 1, 2]));
        assert_eq!(chosen("random:2", 50).unwrap().len(), 2);
    }

    #[test]
    fn initiators_are_written_as_they_are_read() {
        for text in ["all", "one", "0,2,5", "random:3"] {
            assert_eq!(text.parse::<Initiators>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn wrong_initiators_are_refused_with_the_reason() {
        assert!(chosen("3", 3).unwrap_err().contains("no node 3: the nodes are numbered 0 to 2"));
        assert!(chosen("1-3", 3).unwrap_err().contains("no node 3: the nodes are numbered 0 to 2"));
        assert_eq!(chosen("5-3,0", 8), Err("'5-3' goes backwards: write 3-5".into()));
        assert!(chosen("random:4", 3).unwrap_err().contains("take 1 to 3"));
        assert!(chosen("random:0", 3).unwrap_err().contains("take 1 to 3"));
        assert!(chosen("1,,2", 3).unwrap_err().contains("all, one, random:K"));
        assert!(chosen("first", 3).unwrap_err().contains("is none of all, one"));
    }
}
