//! The upper half of the adjacency matrix, six bits a character. McKay's format; names are lost.

use std::io::{self, Write};

use super::{Assembly, line_of, neighbours};
use crate::{Network, Node, Wiring};

/// The optional header of a file.
pub const HEADER: &str = ">>graph6<<";

/// Six bits plus this number make a character.
const BIAS: u8 = 63;

pub fn read(text: &str) -> Result<Assembly, String> {
    let (line, graph) = only_line(text, HEADER)?;
    let (nodes, links) = decode(graph).map_err(|error| format!("line {line}: {error}"))?;
    Ok(Assembly::numbered(nodes, links))
}

/// The only line of a text after an optional header, and its number.
pub fn only_line<'a>(text: &'a str, header: &str) -> Result<(usize, &'a str), String> {
    let body = text.trim_start();
    let body = body.strip_prefix(header).unwrap_or(body).trim_start();
    let graph = body.lines().next().unwrap_or_default().trim_end();
    let next = body[graph.len()..].trim_start();
    if !next.is_empty() {
        let line = line_of(text, text.len() - next.len());
        return Err(format!("line {line}: this is a second network, and one is read"));
    }
    Ok((line_of(text, text.len() - body.len()), graph))
}

/// The number of nodes in a line, and its links.
pub fn decode(graph: &str) -> Result<(u32, Vec<(Node, Node)>), String> {
    if let Some(strange) = graph.chars().find(|c| !('?'..='~').contains(c)) {
        return Err(format!("{strange:?} is not a character of graph6, which are '?' to '~'"));
    }
    let (nodes, matrix) = size(graph.as_bytes()).ok_or("graph6 begins with the number of nodes")?;
    let expected = characters(nodes);
    if matrix.len() as u128 != expected {
        let found = matrix.len();
        return Err(format!("{nodes} nodes need {expected} more characters, and there are {found}"));
    }
    let mut links = Vec::new();
    let mut bits = bits(matrix);
    for column in 1..nodes as Node {
        links
            .extend(bits.by_ref().take(column as usize).zip(0..).filter(|(set, _)| *set).map(|(_, row)| (row, column)));
    }
    Ok((nodes as u32, links))
}

/// Whether this is one line with the right length and the right characters.
pub fn is_graph6(text: &str) -> bool {
    let text = text.trim_end().as_bytes();
    text.iter().all(|byte| (BIAS..=BIAS + 63).contains(byte))
        && size(text).is_some_and(|(nodes, matrix)| matrix.len() as u128 == characters(nodes))
}

/// The bits of some characters.
pub fn bits(text: &[u8]) -> impl Iterator<Item = bool> {
    text.iter().flat_map(|byte| (0..6).rev().map(move |bit| (byte - BIAS) >> bit & 1 == 1))
}

/// The number of nodes, and the text after it.
pub fn size(text: &[u8]) -> Option<(u64, &[u8])> {
    let (skip, digits) = match text {
        [b'~', b'~', ..] => (2, 6),
        [b'~', ..] => (1, 3),
        _ => (0, 1),
    };
    let number = text.get(skip..skip + digits)?;
    let size = number.iter().fold(0, |size, byte| size << 6 | u64::from(byte - BIAS));
    Some((size, &text[skip + digits..]))
}

/// The number of characters of the matrix.
fn characters(nodes: u64) -> u128 {
    let nodes = u128::from(nodes);
    (nodes * nodes.saturating_sub(1) / 2).div_ceil(6)
}

/// The largest number of characters written.
const MOST: u128 = 1 << 30;

/// The reason why a network with this number of nodes is not written, if there is one.
pub fn refuses(nodes: u32) -> Option<String> {
    let characters = characters(nodes.into());
    (characters > MOST).then(|| {
        format!(
            "graph6 says of every two nodes whether they are linked: {characters} characters for {nodes} nodes; \
                 take edge-list"
        )
    })
}

pub fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    out.write_all(HEADER.as_bytes())?;
    encode(network, |byte| out.write_all(&[byte]))?;
    out.write_all(b"\n")
}

/// Writes the characters of a line, one by one.
pub fn encode<E>(network: &impl Wiring, mut put: impl FnMut(u8) -> Result<(), E>) -> Result<(), E> {
    let nodes = network.nodes();
    let (prefix, digits): (&[u8], u32) = match nodes {
        0..=62 => (b"", 1),
        63..=258_047 => (b"~", 3),
        _ => (b"~~", 6),
    };
    prefix.iter().try_for_each(|&byte| put(byte))?;
    for digit in (0..digits).rev() {
        put((u64::from(nodes) >> (6 * digit) & 63) as u8 + BIAS)?;
    }
    let (mut bits, mut count) = (0, 0);
    for column in 1..nodes {
        let mut links = neighbours(network, column, |far| far < column).into_iter().peekable();
        for row in 0..column {
            bits = bits << 1 | u8::from(links.next_if_eq(&row).is_some());
            count += 1;
            if count == 6 {
                put(bits + BIAS)?;
                (bits, count) = (0, 0);
            }
        }
    }
    if count > 0 {
        put((bits << (6 - count)) + BIAS)?;
    }
    Ok(())
}
