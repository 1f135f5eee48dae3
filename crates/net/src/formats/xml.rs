//! Graphs in XML. GraphML and GEXF both have `<node id=".."/>` and `<edge source=".." target=".."/>`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::{Assembly, line_of};
use crate::Node;

/// What one format says differently from another.
pub struct Dialect {
    /// The name of the format.
    pub title: &'static str,
    /// The name of the outermost element.
    pub root: &'static str,
    /// The attribute of `<graph>` that makes its links directed, and its value.
    pub directed_graph: (&'static str, &'static str),
    /// The attribute of `<edge>` that makes it directed, and its value.
    pub directed_link: (&'static str, &'static str),
    /// Whether nodes have labels beside their ids.
    pub has_labels: bool,
}

/// Whether the outermost element has this name.
pub fn has_root(text: &str, root: &str) -> bool {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => return element.local_name().as_ref() == root,
            Ok(Event::Eof) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

pub fn read(text: &str, dialect: &Dialect) -> Result<Assembly, String> {
    let Dialect { title, root, .. } = dialect;
    let mut reader = Reader::from_str(text);
    let mut assembly = Assembly::default();
    let mut depth = 0u64;
    let mut has_graph = false;
    let mut undeclared = BTreeMap::new();
    loop {
        let place = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| {
            let line = line_of(text, reader.error_position() as usize);
            format!("line {line}: this is no XML: {error}")
        })?;
        let line = || line_of(text, place);
        match &event {
            Event::Start(element) | Event::Empty(element) => {
                if depth == 0 && element.local_name().as_ref() != *root {
                    let name = element.name().into_inner();
                    return Err(format!("line {}: {title} begins with <{root}>, not with <{name}>", line()));
                }
                has_graph |= element.local_name().as_ref() == "graph";
                element_of(element, dialect, line, &mut assembly, &mut undeclared)?;
                depth += u64::from(matches!(event, Event::Start(_)));
            }
            Event::End(_) => depth -= 1,
            Event::Eof if depth > 0 => return Err(format!("line {}: the file ends within an element", line())),
            Event::Eof if !has_graph => return Err(format!("line {}: there is no <graph> in it", line())),
            Event::Eof => {
                return match undeclared.values().min() {
                    Some((line, name)) => {
                        Err(format!("line {line}: an edge leads to '{name}', but no node has that id"))
                    }
                    None => Ok(assembly),
                };
            }
            _ => {}
        }
    }
}

/// Nodes that an edge has named and that are still to come, with the line of the edge and their ids.
type Undeclared = BTreeMap<Node, (usize, String)>;

fn element_of(
    element: &BytesStart,
    dialect: &Dialect,
    line: impl Fn() -> usize,
    assembly: &mut Assembly,
    undeclared: &mut Undeclared,
) -> Result<(), String> {
    let wrong = |error| format!("line {}: {error}", line());
    let needed = |name: &str| {
        let lacks = || format!("<{}> lacks the attribute {name}=\"..\"", element.name().into_inner());
        attribute(element, name).and_then(|found| found.ok_or_else(lacks)).map_err(wrong)
    };
    match element.local_name().as_ref() {
        "graph" => assembly.directed |= has(element, dialect.directed_graph),
        "node" => {
            let node = assembly.node(&needed("id")?);
            undeclared.remove(&node);
            if dialect.has_labels
                && let Some(label) = attribute(element, "label").map_err(wrong)?
            {
                assembly.label(node, label);
            }
        }
        "edge" => {
            let mut end = |attribute: &str| -> Result<Node, String> {
                let (name, before) = (needed(attribute)?, assembly.nodes());
                let node = assembly.node(&name);
                if assembly.nodes() > before {
                    undeclared.insert(node, (line(), name));
                }
                Ok(node)
            };
            let (a, b) = (end("source")?, end("target")?);
            assembly.directed |= has(element, dialect.directed_link);
            assembly.link(a, b, line)?;
        }
        "hyperedge" => return Err(format!("line {}: a hyperedge is no link: links have two ends", line())),
        _ => {}
    }
    Ok(())
}

/// Whether an attribute exists and has this value.
fn has(element: &BytesStart, (name, value): (&str, &str)) -> bool {
    element.try_get_attribute(name).ok().flatten().is_some_and(|found| found.value.as_ref() == value)
}

fn attribute(element: &BytesStart, name: &str) -> Result<Option<String>, String> {
    let found = element.try_get_attribute(name).map_err(|error| format!("a malformed attribute: {error}"))?;
    let Some(found) = found else { return Ok(None) };
    let value: Cow<str> = found
        .normalized_value(XmlVersion::Explicit1_0)
        .map_err(|error| format!("{name} of <{}>: {error}", element.name().into_inner()))?;
    Ok(Some(value.into_owned()))
}
