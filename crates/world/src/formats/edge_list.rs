//! A link a line: two names, and data that is not read. A line with one name lists a node.

use std::io::{self, Write};

use super::{Assembly, links, words};
use crate::{Network, Wiring};

pub fn read(text: &str) -> Result<Assembly, String> {
    let mut assembly = Assembly::default();
    for (line, mut words) in words::lines(text) {
        let Some(first) = words.next()? else { continue };
        let a = assembly.node(&first);
        if let Some(second) = words.next()? {
            let b = assembly.node(&second);
            assembly.link(a, b, || line)?;
        }
    }
    Ok(assembly)
}

/// The nodes come first where the order of the links would number them otherwise.
pub fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    let mut mentioned = 0;
    let in_order = links(network).flat_map(|(a, b)| [a, b]).all(|node| {
        mentioned += u32::from(node == mentioned);
        node < mentioned
    });
    if !in_order || mentioned < network.nodes() {
        for node in 0..network.nodes() {
            words::write(&network.node_name(node), out)?;
            out.write_all(b"\n")?;
        }
    }
    for (a, b) in links(network) {
        words::write(&network.node_name(a), out)?;
        out.write_all(b" ")?;
        words::write(&network.node_name(b), out)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
