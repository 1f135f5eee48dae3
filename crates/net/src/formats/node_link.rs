//! JSON with a list of nodes and a list of links, as written by `NetworkX` (`node_link_data`) and D3.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Assembly, line_of, links};
use crate::{Network, Node, Wiring};

#[derive(Deserialize)]
#[serde(expecting = "an object with nodes and links")]
struct Document<'a> {
    #[serde(default)]
    directed: bool,
    #[serde(borrow)]
    nodes: Vec<Listed<'a>>,
    edges: Option<Vec<Link<'a>>>,
    links: Option<Vec<Link<'a>>>,
}

#[derive(Deserialize)]
#[serde(expecting = "a node, as in {\"id\":0}")]
struct Listed<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(expecting = "a link, as in {\"source\":0,\"target\":1}")]
struct Link<'a> {
    #[serde(borrow)]
    source: &'a RawValue,
    #[serde(borrow)]
    target: &'a RawValue,
}

pub fn read(text: &str) -> Result<Assembly, String> {
    let document: Document = serde_json::from_str(text).map_err(|error| {
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        let what = match what.strip_prefix("invalid type: ").and_then(|what| what.split_once(", expected ")) {
            Some((found, wanted)) => format!("{wanted} is wanted, and here is {found}"),
            None if error.is_data() => what.into(),
            None => format!("this is not JSON: {what}"),
        };
        format!(
            "line {}: {what}; node-link JSON is \
             {{\"nodes\":[{{\"id\":..}}],\"links\":[{{\"source\":..,\"target\":..}}]}}",
            error.line()
        )
    })?;
    if document.edges.is_none() && document.links.is_none() {
        return Err("there is neither a list \"links\" nor a list \"edges\" beside \"nodes\"".into());
    }
    let mut assembly = Assembly::default();
    assembly.directed = document.directed;
    for node in &document.nodes {
        let name = name(node.id);
        if assembly.find(&name).is_some() {
            let place = node.id.get().as_ptr() as usize - text.as_ptr() as usize;
            return Err(format!("line {}: two nodes have the id {name}", line_of(text, place)));
        }
        assembly.node(&name);
    }
    for Link { source, target } in [document.edges, document.links].into_iter().flatten().flatten() {
        let place = source.get().as_ptr() as usize - text.as_ptr() as usize;
        let known = |end: &RawValue| {
            let unknown = || format!("line {}: a link leads to {end}, but no node has that id", line_of(text, place));
            assembly.find(&name(end)).ok_or_else(unknown)
        };
        let (a, b) = (known(source)?, known(target)?);
        assembly.link(a, b, || line_of(text, place))?;
    }
    Ok(assembly)
}

/// The name that a value stands for: a string itself, any other value as its JSON text.
fn name(value: &RawValue) -> Cow<'_, str> {
    serde_json::from_str::<String>(value.get()).map_or(value.get().into(), Into::into)
}

pub fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    let id = |node: Node, out: &mut dyn Write| match network.names.get(node as usize) {
        Some(name) => serde_json::to_writer(out, name).map_err(io::Error::from),
        None => write!(out, "{node}"),
    };
    write!(out, r#"{{"directed":false,"multigraph":false,"graph":{{"name":"#)?;
    serde_json::to_writer(&mut *out, &network.name)?;
    write!(out, r#"}},"nodes":["#)?;
    for node in 0..network.nodes() {
        out.write_all(if node > 0 { b",\n{\"id\":" } else { b"\n{\"id\":" })?;
        id(node, out)?;
        out.write_all(b"}")?;
    }
    write!(out, "\n],\"edges\":[")?;
    for (index, (a, b)) in links(network).enumerate() {
        out.write_all(if index > 0 { b",\n{\"source\":" } else { b"\n{\"source\":" })?;
        id(a, out)?;
        out.write_all(b",\"target\":")?;
        id(b, out)?;
        out.write_all(b"}")?;
    }
    writeln!(out, "\n]}}")
}
