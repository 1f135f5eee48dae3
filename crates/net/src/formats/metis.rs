//! METIS: a line with the numbers of nodes and links, then a line for each node with its neighbours. A third number of
//! the first line says whether sizes or weights of nodes come first and whether weights of links follow the neighbours.

use super::Assembly;
use super::ordinals::{Line, lines};

const HEAD: &str = "METIS begins with NODES LINKS, and perhaps a code of weights such as 011 and their number";

/// Whether a text is METIS. The first line must agree with all others, so hardly any other text is.
pub fn is_metis(text: &str) -> bool {
    read(text).is_ok()
}

pub fn read(text: &str) -> Result<Assembly, String> {
    let mut lines = lines(text);
    let head = lines.by_ref().find(|line| !line.text.is_empty()).ok_or_else(|| format!("there is no line: {HEAD}"))?;
    let mut words = head.words();
    let (nodes, announced) = (head.count(words.next(), HEAD)?, head.count(words.next(), HEAD)?);
    let code = words.next().unwrap_or("0");
    let [sizes, weights, link_weights] =
        flags(code).ok_or_else(|| head.wrong(format!("'{code}' is no code: {HEAD}")))?;
    let weights = match words.next() {
        Some(count) if weights => head.count(Some(count), HEAD)?,
        _ => u32::from(weights),
    };
    if words.next().is_some() {
        return Err(head.wrong(format!("this line has too many numbers: {HEAD}")));
    }
    let skipped = usize::from(sizes) + weights as usize;
    let mut assembly = Assembly::ordinals(nodes);
    let mut listed = 0;
    for node in 0..nodes {
        let line = lines.next().ok_or_else(|| {
            head.wrong(format!("{nodes} nodes are announced, and there are lines for {node} of them"))
        })?;
        listed += neighbours(line, node, skipped, link_weights, &mut assembly)?;
    }
    if let Some(line) = lines.find(|line| !line.text.is_empty()) {
        return Err(line.wrong(format!("this is one line more than the {nodes} nodes that are announced")));
    }
    if listed != 2 * u64::from(announced) {
        let wanted = 2 * u64::from(announced);
        return Err(head.wrong(format!("{announced} links have {wanted} ends, and {listed} neighbours are listed")));
    }
    let distinct = assembly.distinct_links();
    if distinct != announced as usize {
        let reason = format!("{announced} links are announced, and there are {distinct}: both ends list a link");
        return Err(head.wrong(reason));
    }
    assembly.repeats = false;
    Ok(assembly)
}

/// Adds the links of a node, and tells how many there are.
fn neighbours(line: Line, node: u32, skipped: usize, weighted: bool, assembly: &mut Assembly) -> Result<u64, String> {
    let nodes = assembly.nodes();
    let mut words = line.words().skip(skipped);
    let mut count = 0;
    while let Some(word) = words.next() {
        assembly.link(node, line.node(Some(word), nodes)?, || line.number)?;
        count += 1;
        if weighted && words.next().is_none() {
            return Err(line.wrong("the last neighbour has no weight"));
        }
    }
    Ok(count)
}

/// Whether there are sizes of nodes, weights of nodes and weights of links.
fn flags(code: &str) -> Option<[bool; 3]> {
    let mut flags = [false; 3];
    for (flag, digit) in flags.iter_mut().rev().zip(code.bytes().rev()) {
        *flag = digit == b'1';
    }
    (code.len() <= 3 && code.bytes().all(|digit| matches!(digit, b'0' | b'1'))).then_some(flags)
}
