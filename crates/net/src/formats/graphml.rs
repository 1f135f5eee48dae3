//! GraphML: `<node id=".."/>` and `<edge source=".." target=".."/>`; everything else is skipped.

use std::io::{self, Write};

use quick_xml::escape::escape;

use super::links;
use super::xml::Dialect;
use crate::{Network, Node, Wiring};

/// The words of GraphML.
pub const DIALECT: Dialect = Dialect {
    title: "GraphML",
    root: "graphml",
    directed_graph: ("edgedefault", "directed"),
    directed_link: ("directed", "true"),
    has_labels: false,
};

/// The reason why a network is not written: a name that XML cannot hold.
pub fn refuses(network: &Network) -> Option<String> {
    let unwritable = |c: char| c < ' ' && !['\t', '\n', '\r'].contains(&c) || ['\u{fffe}', '\u{ffff}'].contains(&c);
    let name = network.names.iter().find(|name| name.contains(unwritable))?;
    Some(format!("XML has no way to write all characters of the name {name:?}"))
}

pub fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    if let Some(reason) = refuses(network) {
        return Err(io::Error::other(reason));
    }
    let name = |node: Node| -> String { attribute_text(&network.node_name(node)) };
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
    writeln!(out, "  <graph edgedefault=\"undirected\">")?;
    for node in 0..network.nodes() {
        writeln!(out, "    <node id=\"{}\"/>", name(node))?;
    }
    for (a, b) in links(network) {
        writeln!(out, "    <edge source=\"{}\" target=\"{}\"/>", name(a), name(b))?;
    }
    writeln!(out, "  </graph>\n</graphml>")
}

/// The value of an attribute. Control characters are escaped: some would be read as blanks, and nobody sees the others.
fn attribute_text(name: &str) -> String {
    let mut text = String::new();
    for c in escape(name).chars() {
        match c {
            c if c.is_control() => text += &format!("&#{};", c as u32),
            c => text.push(c),
        }
    }
    text
}
