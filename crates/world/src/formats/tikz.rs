//! A picture for LaTeX: the nodes on a circle, node 0 on top, clockwise.

use std::io::{self, Write};

use super::links;
use crate::{Network, Wiring};

pub fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    let nodes = network.nodes();
    let radius = (f64::from(nodes) / 6.0).max(1.0);
    writeln!(out, "\\begin{{tikzpicture}}[every node/.style={{draw, circle, inner sep=2pt}}]")?;
    for node in 0..nodes {
        let angle = 90.0 - 360.0 * f64::from(node) / f64::from(nodes);
        writeln!(out, "  \\node ({node}) at ({angle:.2}:{radius:.2}) {{{}}};", escaped(&network.node_name(node)))?;
    }
    for (a, b) in links(network) {
        writeln!(out, "  \\draw ({a}) -- ({b});")?;
    }
    writeln!(out, "\\end{{tikzpicture}}")
}

/// A name as LaTeX prints it.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            '\\' => text += "\\textbackslash{}",
            '~' => text += "\\textasciitilde{}",
            '^' => text += "\\textasciicircum{}",
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => text.extend(['\\', c]),
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    text
}
