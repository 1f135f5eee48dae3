//! A line a node: its name, and those of its neighbours that have not had their line.

use std::io::{self, Write};

use super::{Assembly, neighbours, words};
use crate::{Network, Wiring};

pub fn read(text: &str) -> Result<Assembly, String> {
    let mut assembly = Assembly::default();
    // Nodes are listed by the lines, not by whose neighbour they are.
    for (_, mut words) in words::lines(text) {
        if let Some(name) = words.next()? {
            assembly.node(&name);
        }
    }
    for (line, mut words) in words::lines(text) {
        let Some(name) = words.next()? else { continue };
        let node = assembly.node(&name);
        while let Some(name) = words.next()? {
            let neighbour = assembly.node(&name);
            assembly.link(node, neighbour, || line)?;
        }
    }
    Ok(assembly)
}

pub fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    for node in 0..network.nodes() {
        words::write(&network.node_name(node), out)?;
        for far in neighbours(network, node, |far| far > node) {
            out.write_all(b" ")?;
            words::write(&network.node_name(far), out)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
