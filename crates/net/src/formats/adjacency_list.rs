//! One line per node: its name, and its neighbours that have had no line yet.

use std::io::{self, Write};

use super::words::{self, Lines};
use super::{Assembly, neighbours};
use crate::{Network, Wiring};

pub fn read(text: &str) -> Result<Assembly, String> {
    let mut assembly = Assembly::default();
    let lines = Lines::new(text);
    // The order of the lines numbers the nodes, not the order in which they are named as neighbours.
    for row in lines.rows() {
        let row = row?;
        if row.has_data {
            return Err(format!("line {}: an adjacency list has no data in braces; an edge list has", row.line));
        }
        assembly.node(row.name(0)?);
    }
    for row in lines.rows() {
        let row = row?;
        let node = assembly.node(row.name(0)?);
        for index in 1..row.words.len() {
            let neighbour = assembly.node(row.name(index)?);
            assembly.link(node, neighbour, || row.line)?;
        }
    }
    // Both ends may list a link.
    assembly.repeats = false;
    Ok(assembly)
}

pub fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    for node in 0..network.nodes() {
        words::write_name(network, node, out)?;
        for far in neighbours(network, node, |far| far > node) {
            out.write_all(b" ")?;
            words::write_name(network, far, out)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
