//! DIMACS: `p edge 3 2` says how many nodes and links there are, then `e 1 2` is a link. Problems of paths and flows
//! have arcs instead, as in `a 1 2 7`. A line that begins with `c` is a comment.

use super::Assembly;
use super::ordinals::{Line, lines};

const HEAD: &str = "the first line is 'p edge NODES LINKS', as in 'p edge 3 2'";

/// The problems whose files are read.
const PROBLEMS: [&str; 7] = ["edge", "edges", "col", "sp", "max", "min", "asn"];

/// Whether a text is DIMACS, even if it lacks its first line. A list of links would look different.
pub fn is_dimacs(text: &str) -> bool {
    let mut lines = contents(text).peekable();
    let Some(&first) = lines.peek() else { return false };
    let words: Vec<&str> = first.words().collect();
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    match words[..] {
        ["p", problem, nodes, links] => PROBLEMS.contains(&problem) && is_number(&nodes) && is_number(&links),
        _ => lines.all(|line| match line.words().collect::<Vec<_>>()[..] {
            ["e", a, b] => is_number(&a) && is_number(&b),
            ["a", a, b, weight] => is_number(&a) && is_number(&b) && is_number(&weight),
            _ => false,
        }),
    }
}

pub fn read(text: &str) -> Result<Assembly, String> {
    let mut lines = contents(text);
    let head = lines.next().ok_or_else(|| format!("there is no line in it: {HEAD}"))?;
    let mut words = head.words();
    if words.next() != Some("p") {
        return Err(head.wrong(format!("DIMACS begins otherwise: {HEAD}")));
    }
    if !words.next().is_some_and(|problem| PROBLEMS.contains(&problem)) {
        return Err(head.wrong(format!("this is none of the problems {}: {HEAD}", PROBLEMS.join(", "))));
    }
    let (nodes, announced) = (head.count(words.next(), HEAD)?, head.count(words.next(), HEAD)?);
    let mut assembly = Assembly::ordinals(nodes);
    for line in lines {
        let mut words = line.words();
        match words.next() {
            Some("e") => line.link(&mut words, &mut assembly)?,
            Some("a") => {
                assembly.directed = true;
                line.link(&mut words, &mut assembly)?;
            }
            // Colours, places and other data of nodes, which say nothing about links.
            Some("n" | "d" | "v" | "x") => {}
            word => {
                let word = word.unwrap_or_default();
                return Err(line.wrong(format!("a line of DIMACS begins with c, p, e, a or n, not with '{word}'")));
            }
        }
    }
    // Some programs count or list every link once for each of its ends.
    let (found, announced) = (assembly.links() as u64, u64::from(announced));
    if found != announced && found != 2 * announced && 2 * found != announced {
        return Err(head.wrong(format!("{announced} links are announced, and there are {found}")));
    }
    Ok(assembly)
}

/// The lines that are neither empty nor comments.
fn contents(text: &str) -> impl Iterator<Item = Line<'_>> {
    lines(text).filter(|line| !matches!(line.words().next(), None | Some("c")))
}
