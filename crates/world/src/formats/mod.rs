//! Networks in files, as other programs write and read them.

mod adjacency_list;
mod assembly;
mod dot;
mod edge_list;
mod foreign;
pub(crate) mod graph6;
mod graphml;
mod lists;
mod node_link;
mod tikz;
mod words;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use crate::{Network, Node, Topology, Wiring};
use assembly::Assembly;

/// How a network is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Two names a line.
    EdgeList,
    /// A name and its neighbours a line.
    AdjacencyList,
    /// The language of Graphviz.
    Dot,
    /// XML.
    GraphMl,
    /// A line of printable bits, without names.
    Graph6,
    /// JSON, as `NetworkX` and D3 have it.
    NodeLink,
    /// A picture in LaTeX; only written.
    Tikz,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 7] =
        [Self::EdgeList, Self::AdjacencyList, Self::Dot, Self::GraphMl, Self::Graph6, Self::NodeLink, Self::Tikz];

    const fn name(self) -> &'static str {
        match self {
            Self::EdgeList => "edge-list",
            Self::AdjacencyList => "adjacency-list",
            Self::Dot => "dot",
            Self::GraphMl => "graphml",
            Self::Graph6 => "graph6",
            Self::NodeLink => "node-link",
            Self::Tikz => "tikz",
        }
    }

    /// What people call it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::EdgeList => "edge list",
            Self::AdjacencyList => "adjacency list",
            Self::Dot => "DOT",
            Self::GraphMl => "GraphML",
            Self::Graph6 => "graph6",
            Self::NodeLink => "node-link JSON",
            Self::Tikz => "TikZ",
        }
    }

    /// The format that the ending of a file's name tells.
    #[must_use]
    pub fn of_extension(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "edgelist" | "edges" | "el" => Self::EdgeList,
            "adjlist" | "adj" => Self::AdjacencyList,
            "dot" | "gv" => Self::Dot,
            "graphml" | "xml" => Self::GraphMl,
            "g6" | "graph6" => Self::Graph6,
            "json" => Self::NodeLink,
            "tex" | "tikz" => Self::Tikz,
            _ => return None,
        })
    }

    /// What a text says about itself beyond doubt.
    fn declared(text: &str) -> Option<Self> {
        let start = text.trim_start();
        match start.chars().next()? {
            '<' => Some(Self::GraphMl),
            '{' | '[' => Some(Self::NodeLink),
            _ if start.starts_with(graph6::HEADER) => Some(Self::Graph6),
            _ => dot::is_dot(text).then_some(Self::Dot),
        }
    }

    /// The format of a text, which its content or the ending of its name tells.
    fn of(text: &str, path: &Path) -> Result<Self, String> {
        let declared = Self::declared(text);
        if matches!(declared, None | Some(Self::GraphMl))
            && !graph6::is_graph6(text)
            && let Some(foreign) = foreign::name(text)
        {
            return Err(format!("this is {foreign}, which is not read; {} are", Self::titles()));
        }
        match declared.or_else(|| Self::of_extension(path)) {
            Some(format) => Ok(format),
            None if graph6::is_graph6(text) => Ok(Self::Graph6),
            None => lists::told_apart(text),
        }
    }

    /// All formats that are read.
    fn titles() -> String {
        let [first @ .., last] =
            [Self::EdgeList, Self::AdjacencyList, Self::Dot, Self::GraphMl, Self::Graph6, Self::NodeLink]
                .map(Self::title);
        format!("{} and {last}", first.join(", "))
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| format!("a format is one of {}", Self::ALL.map(Self::name).join(", ")))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A network that was read, and what the file says beyond it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The network.
    pub network: Network,
    /// How it is written down.
    pub format: Format,
    /// Whether its links have directions, which are dropped.
    pub directed: bool,
    /// How many links were merged with another between the same nodes.
    pub merged: u64,
}

/// The network in a file. Its content tells the format, or else its extension.
///
/// # Errors
/// If it is malformed, has a link from a node to itself, or is not connected; with the line where there is one.
pub fn read(bytes: &[u8], path: &Path) -> Result<Network, String> {
    examine(bytes, path, None).map(|reading| reading.network)
}

/// The network in a file, and what else the file says; in this format, if one is given.
///
/// # Errors
/// As [`read`].
pub fn examine(bytes: &[u8], path: &Path, from: Option<Format>) -> Result<Reading, String> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        format!("line {line}: this is not UTF-8 text, and all formats are")
    })?;
    let format = from.map_or_else(|| Format::of(text, path), Ok)?;
    let assembly = match format {
        Format::AdjacencyList => adjacency_list::read(text)?,
        Format::Dot => dot::read(text)?,
        Format::EdgeList => edge_list::read(text)?,
        Format::Graph6 => graph6::read(text)?,
        Format::GraphMl => graphml::read(text)?,
        Format::NodeLink => node_link::read(text)?,
        Format::Tikz => return Err(format!("TikZ is only written; {} are read", Format::titles())),
    };
    let directed = assembly.directed;
    let (network, merged) = assembly.finish(Topology::File(path.into()).to_string())?;
    Ok(Reading { network, format, directed, merged })
}

/// Why a network is not written in a format, if it would be far too long.
#[must_use]
pub fn refuses(network: &Network, format: Format) -> Option<String> {
    if format == Format::Graph6 { graph6::refuses(network.nodes()) } else { None }
}

/// Writes a network. What no file can hold, the loop of a ring of one and the second link of a ring of two, is left
/// out.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write(network: &Network, format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::EdgeList => edge_list::write(network, out),
        Format::AdjacencyList => adjacency_list::write(network, out),
        Format::Dot => dot::write(network, out),
        Format::GraphMl => graphml::write(network, out),
        Format::Graph6 => graph6::write(network, out),
        Format::NodeLink => node_link::write(network, out),
        Format::Tikz => tikz::write(network, out),
    }
}

/// The links that a file can hold.
fn links(network: &Network) -> impl Iterator<Item = (Node, Node)> {
    let mut last = None;
    network.list_links().filter(move |&link| link.0 != link.1 && last.replace(link) != Some(link))
}

/// The neighbours of a node that a file can hold and that pass, in ascending order.
fn neighbours(network: &impl Wiring, node: Node, passes: impl Fn(Node) -> bool) -> Vec<Node> {
    let mut neighbours: Vec<Node> = network.neighbours(node).filter(|&far| far != node && passes(far)).collect();
    neighbours.sort_unstable();
    neighbours.dedup();
    neighbours
}

/// The line of a place in a text.
fn line_of(text: &str, place: usize) -> usize {
    1 + text.as_bytes()[..place.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
}
