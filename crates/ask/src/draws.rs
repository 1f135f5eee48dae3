//! Scripted draws, as a file holds them: a list for each node, or an object from node to list.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

/// The largest number of bytes in a file of draws.
pub const LONGEST: u64 = 1 << 28;

/// Reads the draws of a number of nodes.
pub fn read(text: &str, nodes: u32) -> Result<Vec<Vec<u64>>, String> {
    let wrong = |error: serde_json::Error| {
        format!(
            "{error}; it must be a list of numbers for each node, as in [[0,1],[],[2]], or for some, as in \
             {{\"2\":[1]}}"
        )
    };
    if !text.trim_start().starts_with('{') {
        let lists: Vec<Vec<u64>> = serde_json::from_str(text).map_err(wrong)?;
        if lists.len() > nodes as usize {
            return Err(format!("draws for {} nodes, but there are {nodes}", lists.len()));
        }
        return Ok(lists);
    }
    let ByNode(by_node) = serde_json::from_str(text).map_err(wrong)?;
    if let Some((node, _)) = by_node.range(nodes..).next() {
        return Err(format!("draws for node {node}, but the last node is {}", nodes - 1));
    }
    let mut lists = vec![vec![]; nodes as usize];
    for (node, list) in by_node {
        lists[node as usize] = list;
    }
    Ok(lists)
}

/// An object from node to list that names no node twice.
struct ByNode(BTreeMap<u32, Vec<u64>>);

impl<'de> Deserialize<'de> for ByNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = ByNode;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object from node to list")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<ByNode, A::Error> {
                let mut by_node = BTreeMap::new();
                while let Some((node, list)) = entries.next_entry()? {
                    if by_node.insert(node, list).is_some() {
                        return Err(A::Error::custom(format!("node {node} has two lists")));
                    }
                }
                Ok(ByNode(by_node))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        assert_eq!(read("[[1],[]]", 3), Ok(vec![vec![1], vec![]]));
        assert_eq!(read(" {\"2\":[0,4]}", 3), Ok(vec![vec![], vec![], vec![0, 4]]));
    }

    #[test]
    fn the_error_is_that_of_the_form_which_the_text_has() {
        let refusal = |text: &str| read(text, 3).unwrap_err();
        assert!(refusal("[[1],[2,-1]]").starts_with("invalid value: integer `-1`, expected u64 at line 1 column 10;"));
        assert!(refusal("{\"0\":[-1]}").starts_with("invalid value: integer `-1`, expected u64 at line 1 column 8;"));
        assert!(refusal("{\"0\":[1],\"0\":[2]}").starts_with("node 0 has two lists"));
        assert!(refusal("7").contains("expected a sequence at line 1 column 1; it must be a list"));
        assert_eq!(refusal("[[1],[1],[0],[0]]"), "draws for 4 nodes, but there are 3");
        assert_eq!(refusal("{\"3\":[1]}"), "draws for node 3, but the last node is 2");
    }
}
