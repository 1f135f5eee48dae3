//! The links one after another, six bits a character. McKay's format for graphs with few links; names are lost.

use super::{Assembly, graph6};
use crate::Node;

/// The optional header of a file.
pub const HEADER: &str = ">>sparse6<<";

/// Whether a text begins like sparse6.
pub fn is_sparse6(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with(HEADER) || start.starts_with(':')
}

pub fn read(text: &str) -> Result<Assembly, String> {
    let (line, graph) = graph6::only_line(text, HEADER)?;
    let (nodes, links) = decode(graph).map_err(|error| format!("line {line}: {error}"))?;
    let mut assembly = Assembly::numbered(nodes, vec![]);
    for (a, b) in links {
        assembly.link(a, b, || line)?;
    }
    Ok(assembly)
}

/// The number of nodes in a line, and its links.
fn decode(graph: &str) -> Result<(u32, Vec<(Node, Node)>), String> {
    let graph = graph.strip_prefix(':').ok_or("sparse6 begins with ':' and the number of nodes")?;
    if let Some(strange) = graph.chars().find(|c| !('?'..='~').contains(c)) {
        return Err(format!("{strange:?} is not a character of sparse6, which are '?' to '~'"));
    }
    let (nodes, rest) = graph6::size(graph.as_bytes()).ok_or("sparse6 begins with ':' and the number of nodes")?;
    let nodes = Node::try_from(nodes)
        .map_err(|_| format!("{nodes} nodes are too many: a network has at most {}", Node::MAX))?;
    let width = Node::BITS - nodes.saturating_sub(1).leading_zeros();
    let mut bits = graph6::bits(rest);
    let (mut links, mut node) = (Vec::new(), 0);
    while let Some((steps, other)) = unit(&mut bits, width) {
        node += Node::from(steps);
        if node >= nodes {
            break;
        }
        if other > node {
            node = other;
        } else {
            links.push((other, node));
        }
    }
    Ok((nodes, links))
}

/// A bit that says whether to go to the next node, and the number of a node with this width.
fn unit(bits: &mut impl Iterator<Item = bool>, width: u32) -> Option<(bool, Node)> {
    let steps = bits.next()?;
    let mut node = 0;
    for _ in 0..width {
        node = node << 1 | Node::from(bits.next()?);
    }
    Some((steps, node))
}
