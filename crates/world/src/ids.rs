//! The ids of the nodes.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use bellwether_core::Id;

use bellwether_net::{Network, Node};
use bellwether_random::{Purpose, Stream};

/// How ids are assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ids {
    /// 1 to n in an order drawn from the seed.
    Random,
    /// 1 to n by node number.
    Ascending,
    /// n to 1 by node number.
    Descending,
    /// The same id for all: an anonymous network.
    Same,
    /// This list, by node number.
    List(Vec<Id>),
}

impl Ids {
    /// The ids of `nodes` nodes.
    ///
    /// # Errors
    /// If a list is too short or too long.
    pub fn assign(&self, nodes: u32, seed: u64) -> Result<Vec<Id>, String> {
        let count = u64::from(nodes);
        Ok(match self {
            Self::Random => {
                let mut ids: Vec<Id> = (1..=count).map(Id).collect();
                Stream::new(seed, Purpose::Ids).shuffle(&mut ids);
                ids
            }
            Self::Ascending => (1..=count).map(Id).collect(),
            Self::Descending => (1..=count).rev().map(Id).collect(),
            Self::Same => vec![Id(1); nodes as usize],
            Self::List(ids) if ids.len() == nodes as usize => ids.clone(),
            Self::List(ids) => {
                let given = ids.len();
                let (missing, extra) = ((nodes as usize).saturating_sub(given), given.saturating_sub(nodes as usize));
                let wrong = if missing > 0 { format!("{missing} too few") } else { format!("{extra} too many") };
                return Err(format!("{given} ids for {nodes} nodes are {wrong}: every node needs one"));
            }
        })
    }

    /// Reads a list of ids, separated by commas or white space; `#` begins a comment.
    ///
    /// # Errors
    /// If something is not an id; the error names the line.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut ids = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let content = line.split('#').next().unwrap_or_default();
            for word in content.split([',', ' ', '\t', '\r']).filter(|word| !word.is_empty()) {
                ids.push(parse_id(word).map_err(|error| format!("line {}: {error}", number + 1))?);
            }
        }
        Ok(Self::List(ids))
    }
}

fn parse_id(word: &str) -> Result<Id, String> {
    word.parse().map(Id).map_err(|_| format!("'{word}' is not an id: ids are whole numbers from 0 to {}", u64::MAX))
}

impl FromStr for Ids {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "random" => Self::Random,
            "ascending" => Self::Ascending,
            "descending" => Self::Descending,
            "same" => Self::Same,
            list if list.starts_with(|first: char| first.is_ascii_digit() || first == '-') => {
                Self::List(list.split(',').map(|word| parse_id(word.trim())).collect::<Result<_, _>>()?)
            }
            "none" => {
                return Err(
                    "nodes without ids are given as 'same'; most algorithms then need --force, but itai-rodeh, \
                            itai-rodeh-sync and random-candidacy run without ids"
                        .into(),
                );
            }
            list if list.contains(',') => {
                let wrong = list.split(',').find_map(|word| parse_id(word.trim()).err());
                return Err(wrong.unwrap_or_default());
            }
            _ => {
                let orders = [Self::Random, Self::Ascending, Self::Descending, Self::Same].map(|ids| ids.to_string());
                let begins = |order: &&String| text.len() > 1 && order.starts_with(&text.to_ascii_lowercase());
                let hint = orders.iter().find(begins).map_or(String::new(), |meant| format!(": did you mean {meant}?"));
                return Err(format!(
                    "'{text}' is none of random, ascending, descending, same, file:PATH or 3,1,4{hint}"
                ));
            }
        })
    }
}

impl fmt::Display for Ids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Ascending => "ascending",
            Self::Descending => "descending",
            Self::Same => "same",
            Self::List(ids) => return f.write_str(&ids.iter().map(Id::to_string).collect::<Vec<_>>().join(",")),
        })
    }
}

/// Two nodes with the same id, if there are any.
#[must_use]
pub fn duplicate(ids: &[Id]) -> Option<Duplicate> {
    // Assigned ids are small: a bitmap finds a duplicate in one pass, without a sorted copy.
    let largest = ids.iter().max()?.0;
    if largest <= 64 * ids.len() as u64 {
        let mut seen = vec![0u64; largest as usize / 64 + 1];
        let is_new = |id: &Id| {
            let (word, bit) = (&mut seen[id.0 as usize / 64], 1 << (id.0 % 64));
            std::mem::replace(word, *word | bit) & bit == 0
        };
        if ids.iter().all(is_new) {
            return None;
        }
    }
    let mut first = BTreeMap::new();
    for (node, &id) in ids.iter().enumerate() {
        if let Some(earlier) = first.insert(id, node) {
            return Some(Duplicate { id, nodes: [earlier as Node, node as Node] });
        }
    }
    None
}

/// Two nodes that have the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The id.
    pub id: Id,
    /// The nodes.
    pub nodes: [Node; 2],
}

impl Duplicate {
    /// In words, with the names of this network's nodes.
    #[must_use]
    pub fn among(&self, network: &Network) -> String {
        let [a, b] = self.nodes.map(|node| network.node_name(node));
        format!("nodes {a} and {b} both have id {}", self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_given_out_as_asked() {
        let assign = |text: &str| text.parse::<Ids>().unwrap().assign(4, 1).unwrap().iter().map(|id| id.0).collect();
        let assigned: [Vec<u64>; 4] = ["ascending", "descending", "same", "9,0,18446744073709551615,7"].map(assign);
        assert_eq!(assigned, [vec![1, 2, 3, 4], vec![4, 3, 2, 1], vec![1; 4], vec![9, 0, u64::MAX, 7]]);
        let mut random: Vec<u64> = assign("random");
        random.sort_unstable();
        assert_eq!(random, [1, 2, 3, 4]);
    }

    #[test]
    fn ids_are_written_as_they_are_read() {
        for text in ["random", "ascending", "descending", "same", "3,1,4"] {
            assert_eq!(text.parse::<Ids>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_file_may_have_comments_and_any_layout() {
        assert_eq!(Ids::read("# ring of three\n3, 1\r\n4 # the last\n"), Ok(Ids::List(vec![Id(3), Id(1), Id(4)])));
        assert_eq!(
            Ids::read("1\n-2\n").unwrap_err(),
            "line 2: '-2' is not an id: ids are whole numbers from 0 to 18446744073709551615"
        );
    }

    #[test]
    fn wrong_lists_are_refused_with_the_reason() {
        let list: Ids = "3,1".parse().unwrap();
        assert!(list.assign(3, 1).unwrap_err().starts_with("2 ids for 3 nodes"));
        assert!("3,x".parse::<Ids>().unwrap_err().contains("'x' is not an id"));
        assert!("rnadom".parse::<Ids>().unwrap_err().contains("none of random, ascending"));
    }

    #[test]
    fn duplicates_are_found_among_small_and_huge_ids() {
        let ids = |list: &[u64]| list.iter().copied().map(Id).collect::<Vec<_>>();
        assert_eq!(duplicate(&ids(&[1, 2, 3])), None);
        assert_eq!(duplicate(&ids(&[u64::MAX, 0, 7])), None);
        assert_eq!(duplicate(&[]), None);
        for list in [[5, 1, 5, 2], [u64::MAX, 1, u64::MAX, 2]] {
            assert_eq!(duplicate(&ids(&list)).unwrap().nodes, [0, 2]);
        }
    }
}
