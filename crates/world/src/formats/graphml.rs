//! GraphML: `<node id=".."/>` and `<edge source=".." target=".."/>`; all else is passed over.

use std::borrow::Cow;
use std::io::{self, Write};

use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::{Assembly, line_of, links};
use crate::{Network, Node, Wiring};

pub fn read(text: &str) -> Result<Assembly, String> {
    let mut reader = Reader::from_str(text);
    let mut assembly = Assembly::default();
    let mut depth = 0u64;
    let mut has_graph = false;
    loop {
        let place = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| {
            let line = line_of(text, reader.error_position() as usize);
            format!("line {line}: this is no XML: {error}")
        })?;
        let line = || line_of(text, place);
        match &event {
            Event::Start(element) | Event::Empty(element) => {
                if depth == 0 && element.local_name().as_ref() != "graphml" {
                    let name = element.name().into_inner();
                    return Err(format!("line {}: GraphML begins with <graphml>, not with <{name}>", line()));
                }
                has_graph |= element.local_name().as_ref() == "graph";
                element_of(element, line, &mut assembly)?;
                depth += u64::from(matches!(event, Event::Start(_)));
            }
            Event::End(_) => depth -= 1,
            Event::Eof if depth > 0 => return Err(format!("line {}: the file ends within an element", line())),
            Event::Eof if !has_graph => return Err(format!("line {}: there is no <graph> in it", line())),
            Event::Eof => return Ok(assembly),
            _ => {}
        }
    }
}

fn element_of(element: &BytesStart, line: impl Fn() -> usize, assembly: &mut Assembly) -> Result<(), String> {
    let attribute = |name: &str| attribute(element, name).map_err(|error| format!("line {}: {error}", line()));
    match element.local_name().as_ref() {
        "graph" => assembly.directed |= has(element, "edgedefault", "directed"),
        "node" => drop(assembly.node(&attribute("id")?)),
        "edge" => {
            let (a, b) = (assembly.node(&attribute("source")?), assembly.node(&attribute("target")?));
            assembly.directed |= has(element, "directed", "true");
            assembly.link(a, b, line)?;
        }
        "hyperedge" => return Err(format!("line {}: a hyperedge is no link: links have two ends", line())),
        _ => {}
    }
    Ok(())
}

/// Whether an attribute is there and has this value.
fn has(element: &BytesStart, name: &str, value: &str) -> bool {
    element.try_get_attribute(name).ok().flatten().is_some_and(|found| found.value.as_ref() == value)
}

fn attribute(element: &BytesStart, name: &str) -> Result<String, String> {
    let found = element.try_get_attribute(name).map_err(|error| format!("a malformed attribute: {error}"))?;
    let kind = element.name().into_inner();
    let found = found.ok_or_else(|| format!("<{kind}> lacks the attribute {name}=\"..\""))?;
    let value: Cow<str> =
        found.normalized_value(XmlVersion::Explicit1_0).map_err(|error| format!("{name} of <{kind}>: {error}"))?;
    Ok(value.into_owned())
}

pub fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    let unwritable = |c: char| c.is_control() && !['\t', '\n', '\r'].contains(&c);
    if let Some(name) = network.names.iter().find(|name| name.contains(unwritable)) {
        return Err(io::Error::other(format!("XML has no way to write the control characters of the name {name:?}")));
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

/// An attribute's value; white space but blanks would be read as blanks.
fn attribute_text(name: &str) -> String {
    let mut text = String::new();
    for c in escape(name).chars() {
        match c {
            '\t' | '\n' | '\r' => text += &format!("&#{};", c as u32),
            c => text.push(c),
        }
    }
    text
}
