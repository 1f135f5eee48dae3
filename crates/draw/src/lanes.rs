//! Selects the nodes that have lanes, and their order.

use std::fmt;
use std::str::FromStr;

use bellwether_core::Id;
use bellwether_net::{Network, Node, Wiring};

/// The selected lanes, as they are typed: `0,3,5-9`, or `by-id`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Lanes {
    /// All nodes, in the order of their numbers.
    #[default]
    All,
    /// All nodes, in the order of their ids.
    ById,
    /// These nodes, in this order.
    These(String),
}

impl Lanes {
    /// The nodes that have lanes.
    ///
    /// # Errors
    /// If there is no such node, or one is named twice.
    pub fn nodes(&self, network: &Network, ids: &[Id]) -> Result<Vec<Node>, String> {
        let mut all: Vec<Node> = (0..network.nodes()).collect();
        match self {
            Self::All => Ok(all),
            Self::ById => {
                all.sort_by_key(|&node| ids.get(node as usize));
                Ok(all)
            }
            Self::These(text) => {
                let mut seen = vec![false; all.len()];
                let mut nodes = vec![];
                for item in text.split(',') {
                    for node in network.find_range(item.trim())? {
                        if std::mem::replace(&mut seen[node as usize], true) {
                            return Err(format!("node {} has a lane already", network.printed_name(node)));
                        }
                        nodes.push(node);
                    }
                }
                Ok(nodes)
            }
        }
    }
}

impl FromStr for Lanes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "by-id" => Ok(Self::ById),
            _ if text.split(',').any(|item| item.trim().is_empty()) => {
                Err("lanes are by-id, or a list of nodes such as 0,3,5-9".into())
            }
            _ => Ok(Self::These(text.into())),
        }
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "all",
            Self::ById => "by-id",
            Self::These(text) => text,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether_net::Ring;

    #[test]
    fn lanes_are_chosen_and_ordered() {
        let network = Network::from(Ring::new(10).unwrap());
        let ids: Vec<Id> = (0..10).map(|node| Id((7 * node) % 10)).collect();
        let nodes = |text: &str| text.parse::<Lanes>()?.nodes(&network, &ids);
        assert_eq!(nodes("0,3,5-9"), Ok(vec![0, 3, 5, 6, 7, 8, 9]));
        assert_eq!(nodes("4-2, 0"), Ok(vec![4, 3, 2, 0]));
        assert_eq!(nodes("by-id"), Ok(vec![0, 3, 6, 9, 2, 5, 8, 1, 4, 7]));
        assert!(nodes("0,10").unwrap_err().contains("no node 10"));
        assert!(nodes("0,0-2").unwrap_err().contains("node 0 has a lane already"));
        assert!(nodes("1,,2").unwrap_err().contains("0,3,5-9"));
    }

    #[test]
    fn a_name_may_have_a_dash_in_it() {
        let names = ["a-b", "c", "d-e"].map(String::from).to_vec();
        let network = Network { names, ..Network::from(Ring::new(3).unwrap()) };
        let nodes = |text: &str| Lanes::These(text.into()).nodes(&network, &[]);
        assert_eq!(nodes("c,a-b"), Ok(vec![1, 0]));
        assert_eq!(nodes("a-b-d-e"), Ok(vec![0, 1, 2]));
    }
}
