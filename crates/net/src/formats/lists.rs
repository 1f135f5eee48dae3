//! Tells edge lists and adjacency lists apart by their lines.

use std::collections::BTreeSet;

use super::words::{Lines, Row, Separator};
use super::{Format, edge_list};

/// The format of a list. A text that looks like neither is an edge list: its reader says what is wrong.
///
/// # Errors
/// If it may be either, and the networks would differ.
pub fn told_apart(text: &str) -> Result<Format, String> {
    let lines = Lines::new(text);
    match (may_be_edges(lines)?, may_be_adjacency(lines)?) {
        (Guess::Surely, _) | (_, false) => Ok(Format::EdgeList),
        (Guess::No, true) => Ok(Format::AdjacencyList),
        (Guess::Perhaps, true) => Err("the lines may be links with weights, or nodes with their neighbours: \
                                       let the name end with .edges or .adjlist"
            .into()),
    }
}

enum Guess {
    Surely,
    Perhaps,
    No,
}

/// Whether the lines can be links: two names and the same amount of data each. Nodes without links come before them.
fn may_be_edges(lines: Lines) -> Result<Guess, String> {
    let (mut columns, mut longest, mut alike) = (None, 0, true);
    for (index, row) in lines.rows().enumerate() {
        let row = row?;
        let has_head = index == 0 && lines.separator != Separator::Blanks && edge_list::head(&row).is_some();
        if row.has_data || has_head {
            return Ok(Guess::Surely);
        }
        let count = row.words.len();
        longest = longest.max(count);
        alike &= match count {
            1 => columns.is_none(),
            _ => *columns.get_or_insert(count) == count,
        };
        alike &= lines.separator != Separator::Blanks || edge_list::has_weights(&row);
    }
    Ok(match alike {
        _ if longest <= 2 => Guess::Surely,
        true => Guess::Perhaps,
        false => Guess::No,
    })
}

/// Whether the lines can be nodes. No node has two lines or a repeated neighbour. If all lines have the same length,
/// every node has a line.
fn may_be_adjacency(lines: Lines) -> Result<bool, String> {
    let names = |row: &Row| row.texts().map(String::from).collect::<Vec<_>>();
    let mut listed = BTreeSet::new();
    let mut lengths = BTreeSet::new();
    for row in lines.rows() {
        let names = names(&row?);
        let different: BTreeSet<&String> = names.iter().collect();
        if different.len() < names.len() || !listed.insert(names[0].clone()) {
            return Ok(false);
        }
        lengths.insert(names.len());
    }
    if lengths.len() > 1 {
        return Ok(true);
    }
    for row in lines.rows() {
        if !names(&row?).iter().all(|name| listed.contains(name)) {
            return Ok(false);
        }
    }
    Ok(true)
}
