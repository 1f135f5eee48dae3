//! Pajek: `*Vertices 3`, a line for each node with its number and label, then `*Edges` and `*Arcs` with a link a line.
//! `*Edgeslist` and `*Arcslist` have a node a line, followed by its neighbours.

use super::Assembly;
use super::ordinals::{Line, lines};

/// Whether a text begins like Pajek.
pub fn is_pajek(text: &str) -> bool {
    let mut first = lines(text).filter(|line| !is_passed_over(*line));
    first.next().is_some_and(|line| matches!(&*section(line), "*vertices" | "*network"))
}

/// What the lines are about.
enum Section {
    Head,
    Nodes,
    Links,
    Lists,
}

pub fn read(text: &str) -> Result<Assembly, String> {
    let mut here = Section::Head;
    let mut assembly = Assembly::default();
    let mut directed = false;
    for line in lines(text).filter(|line| !is_passed_over(*line)) {
        let mut words = line.words();
        if line.text.starts_with('*') {
            let name = section(line);
            here = match (&*name, here) {
                ("*network", Section::Head) => Section::Head,
                ("*vertices", Section::Head) => {
                    assembly = Assembly::ordinals(line.count(words.nth(1), "*Vertices is followed by their number")?);
                    Section::Nodes
                }
                (_, Section::Head) => return Err(line.wrong(format!("*Vertices comes first, not {name}"))),
                ("*edges" | "*arcs", _) => Section::Links,
                ("*edgeslist" | "*arcslist", _) => Section::Lists,
                ("*network" | "*vertices", _) => return Err(line.wrong("this is a second network, and one is read")),
                _ => {
                    let known = "*Vertices, *Edges, *Arcs, *Edgeslist and *Arcslist";
                    return Err(line.wrong(format!("{name} is not read; {known} are")));
                }
            };
            directed |= name.starts_with("*arcs");
            continue;
        }
        match here {
            Section::Head => return Err(line.wrong("Pajek begins with *Vertices and their number")),
            Section::Nodes => {
                let node = line.node(words.next(), assembly.nodes())?;
                if let Some(label) = label(line)? {
                    assembly.label(node, label.into());
                }
            }
            Section::Links => line.link(&mut words, &mut assembly)?,
            Section::Lists => {
                let nodes = assembly.nodes();
                let node = line.node(words.next(), nodes)?;
                for far in words {
                    assembly.link(node, line.node(Some(far), nodes)?, || line.number)?;
                }
            }
        }
    }
    assembly.directed = directed;
    Ok(assembly)
}

/// Whether a line says nothing: it is empty or a comment.
fn is_passed_over(line: Line) -> bool {
    line.text.is_empty() || line.text.starts_with("/*")
}

/// The first word, in lower case.
fn section(line: Line) -> String {
    line.words().next().unwrap_or_default().to_ascii_lowercase()
}

/// The label after the number of a node: in quotes, or one word.
fn label(line: Line<'_>) -> Result<Option<&str>, String> {
    let Some((_, rest)) = line.text.split_once(char::is_whitespace) else { return Ok(None) };
    match rest.trim_start().strip_prefix('"') {
        Some(quoted) => {
            let (label, _) = quoted.split_once('"').ok_or_else(|| line.wrong("a quote is not closed"))?;
            Ok(Some(label))
        }
        None => Ok(rest.split_whitespace().next()),
    }
}
