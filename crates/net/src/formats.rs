//! Networks in files, as other programs write and read them.

mod adjacency_list;
mod assembly;
mod dimacs;
mod dot;
mod edge_list;
mod foreign;
mod gexf;
mod gml;
pub(crate) mod graph6;
mod graphml;
mod lists;
mod matrix_market;
mod metis;
mod node_link;
mod ordinals;
mod pajek;
mod parts;
mod sparse6;
mod tikz;
mod words;
mod xml;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use crate::{Network, Node, Topology, Wiring};
use assembly::Assembly;

/// A file format for networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Two names per line.
    EdgeList,
    /// A name and its neighbours per line.
    AdjacencyList,
    /// The DOT language of Graphviz.
    Dot,
    /// XML.
    GraphMl,
    /// A line of printable bits, without names.
    Graph6,
    /// JSON, as written by `NetworkX` and D3.
    NodeLink,
    /// Keys and values in brackets; only read.
    Gml,
    /// The XML of Gephi; only read.
    Gexf,
    /// Sections of nodes and links; only read.
    Pajek,
    /// The neighbours of each node, by number; only read.
    Metis,
    /// Links by number, in lines that begin with a letter; only read.
    Dimacs,
    /// The entries of a sparse matrix; only read.
    MatrixMarket,
    /// A line of printable bits for few links, without names; only read.
    Sparse6,
    /// A picture in LaTeX; only written.
    Tikz,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 14] = [
        Self::EdgeList,
        Self::AdjacencyList,
        Self::Dot,
        Self::GraphMl,
        Self::Graph6,
        Self::NodeLink,
        Self::Gml,
        Self::Gexf,
        Self::Pajek,
        Self::Metis,
        Self::Dimacs,
        Self::MatrixMarket,
        Self::Sparse6,
        Self::Tikz,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::EdgeList => "edge-list",
            Self::AdjacencyList => "adjacency-list",
            Self::Dot => "dot",
            Self::GraphMl => "graphml",
            Self::Graph6 => "graph6",
            Self::NodeLink => "node-link",
            Self::Gml => "gml",
            Self::Gexf => "gexf",
            Self::Pajek => "pajek",
            Self::Metis => "metis",
            Self::Dimacs => "dimacs",
            Self::MatrixMarket => "matrix-market",
            Self::Sparse6 => "sparse6",
            Self::Tikz => "tikz",
        }
    }

    /// The usual name of the format.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::EdgeList => "edge list",
            Self::AdjacencyList => "adjacency list",
            Self::Dot => "DOT",
            Self::GraphMl => "GraphML",
            Self::Graph6 => "graph6",
            Self::NodeLink => "node-link JSON",
            Self::Gml => "GML",
            Self::Gexf => "GEXF",
            Self::Pajek => "Pajek",
            Self::Metis => "METIS",
            Self::Dimacs => "DIMACS",
            Self::MatrixMarket => "MatrixMarket",
            Self::Sparse6 => "sparse6",
            Self::Tikz => "TikZ",
        }
    }

    /// The format that a file extension stands for.
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
            "gml" => Self::Gml,
            "gexf" => Self::Gexf,
            "net" | "pajek" => Self::Pajek,
            "graph" | "metis" => Self::Metis,
            "dimacs" | "col" | "gr" => Self::Dimacs,
            "mtx" => Self::MatrixMarket,
            "s6" | "sparse6" => Self::Sparse6,
            "tex" | "tikz" => Self::Tikz,
            _ => return None,
        })
    }

    /// The format that a text declares without doubt.
    fn declared(text: &str) -> Option<Self> {
        let start = text.trim_start();
        match start.chars().next()? {
            '<' if xml::has_root(text, gexf::DIALECT.root) => Some(Self::Gexf),
            '<' => Some(Self::GraphMl),
            '{' | '[' => Some(Self::NodeLink),
            _ if start.starts_with(graph6::HEADER) => Some(Self::Graph6),
            _ if sparse6::is_sparse6(text) => Some(Self::Sparse6),
            _ if matrix_market::is_matrix_market(text) => Some(Self::MatrixMarket),
            _ if pajek::is_pajek(text) => Some(Self::Pajek),
            _ if dimacs::is_dimacs(text) => Some(Self::Dimacs),
            _ if dot::is_dot(text) => Some(Self::Dot),
            _ => gml::is_gml(text).then_some(Self::Gml),
        }
    }

    /// The format of a text, by its content or its file extension.
    fn of(text: &str, path: &Path) -> Result<Self, String> {
        let declared = Self::declared(text);
        if declared.is_none()
            && !graph6::is_graph6(text)
            && let Some(foreign) = foreign::name(text)
        {
            return Err(format!("this is {foreign}, which is not read; {} are", Self::titles()));
        }
        match declared.or_else(|| Self::of_extension(path)) {
            Some(format) => Ok(format),
            None if graph6::is_graph6(text) => Ok(Self::Graph6),
            None if metis::is_metis(text) => Ok(Self::Metis),
            None => lists::told_apart(text),
        }
    }

    /// The names of all formats that are read.
    fn titles() -> String {
        let read = Self::ALL.into_iter().filter(|format| *format != Self::Tikz);
        let titles: Vec<_> = read.map(Self::title).collect();
        list(&titles)
    }

    /// A format that networks are read from.
    ///
    /// # Errors
    /// If it is none, or is only written.
    pub fn readable(text: &str) -> Result<Self, String> {
        let read = Self::ALL.into_iter().filter(|format| *format != Self::Tikz);
        let found = read.clone().find(|format| format.name() == text);
        let names = || read.map(Self::name).collect::<Vec<_>>().join(", ");
        found.ok_or_else(|| {
            let why = if text == Self::Tikz.name() { "tikz is only written: " } else { "" };
            format!("{why}a format that is read is one of {}", names())
        })
    }

    /// Whether networks are written in this format.
    const fn is_written(self) -> bool {
        match self {
            Self::EdgeList
            | Self::AdjacencyList
            | Self::Dot
            | Self::GraphMl
            | Self::Graph6
            | Self::NodeLink
            | Self::Tikz => true,
            Self::Gml | Self::Gexf | Self::Pajek | Self::Metis | Self::Dimacs | Self::MatrixMarket | Self::Sparse6 => {
                false
            }
        }
    }
}

/// Words in a row: `a, b and c`.
fn list(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        words => words.concat(),
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

/// A network that was read, and what else the file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The network.
    pub network: Network,
    /// The format of the file.
    pub format: Format,
    /// Whether its links have directions, which are dropped.
    pub directed: bool,
    /// The number of links merged with another one between the same nodes.
    pub merged: u64,
    /// The number of nodes left out because no way leads to them from the largest connected part.
    pub left_out: u32,
}

/// How a file is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Its format, if that is known.
    pub from: Option<Format>,
    /// Whether only the largest connected part is taken. Of several, it is the one with the first node.
    pub largest_component: bool,
}

/// Reads a network from a file. Its content determines the format, or else its extension.
///
/// # Errors
/// If it is malformed, has a link from a node to itself, or is not connected. The error names the line if there is one.
pub fn read(bytes: &[u8], path: &Path) -> Result<Network, String> {
    examine(bytes, path, Manner::default()).map(|reading| reading.network)
}

/// Reads a network in the given manner, and what else the file says. A given format overrides the detected one.
///
/// # Errors
/// As [`read`].
pub fn examine(bytes: &[u8], path: &Path, manner: Manner) -> Result<Reading, String> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        format!("line {line}: this is not UTF-8 text, and all formats are")
    })?;
    let format = manner.from.map_or_else(|| Format::of(text, path), Ok)?;
    let mut assembly = match format {
        Format::AdjacencyList => adjacency_list::read(text)?,
        Format::Dot => dot::read(text)?,
        Format::EdgeList => edge_list::read(text)?,
        Format::Graph6 => graph6::read(text)?,
        Format::GraphMl => xml::read(text, &graphml::DIALECT)?,
        Format::NodeLink => node_link::read(text)?,
        Format::Gml => gml::read(text)?,
        Format::Gexf => xml::read(text, &gexf::DIALECT)?,
        Format::Pajek => pajek::read(text)?,
        Format::Metis => metis::read(text)?,
        Format::Dimacs => dimacs::read(text)?,
        Format::MatrixMarket => matrix_market::read(text)?,
        Format::Sparse6 => sparse6::read(text)?,
        Format::Tikz => return Err(format!("TikZ is only written; {} are read", Format::titles())),
    };
    let directed = assembly.directed;
    let left_out = if manner.largest_component { assembly.keep_largest() } else { 0 };
    let (network, merged) = assembly.finish(Topology::File(path.into()).to_string())?;
    Ok(Reading { network, format, directed, merged, left_out })
}

/// The reason why a network is not written in a format: it is only read, the file would be far too long, or it cannot
/// hold a name.
#[must_use]
pub fn refuses(network: &Network, format: Format) -> Option<String> {
    match format {
        Format::Graph6 => graph6::refuses(network.nodes()),
        Format::GraphMl => graphml::refuses(network),
        format if format.is_written() => None,
        format => {
            let written: Vec<_> = Format::ALL.into_iter().filter(|f| f.is_written()).map(Format::name).collect();
            Some(format!("{} is only read; {} are written", format.title(), list(&written)))
        }
    }
}

/// Writes a network. No file can hold the loop of a ring of one or the second link of a ring of two: they are left out.
///
/// # Errors
/// If `out` cannot be written to, or the format is only read.
pub fn write(network: &Network, format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::EdgeList => edge_list::write(network, out),
        Format::AdjacencyList => adjacency_list::write(network, out),
        Format::Dot => dot::write(network, out),
        Format::GraphMl => graphml::write(network, out),
        Format::Graph6 => graph6::write(network, out),
        Format::NodeLink => node_link::write(network, out),
        Format::Tikz => tikz::write(network, out),
        Format::Gml
        | Format::Gexf
        | Format::Pajek
        | Format::Metis
        | Format::Dimacs
        | Format::MatrixMarket
        | Format::Sparse6 => Err(io::Error::other(refuses(network, format).unwrap_or_default())),
    }
}

/// The links that a file can hold: no loops and no parallel links.
fn links(network: &Network) -> impl Iterator<Item = (Node, Node)> {
    let mut last = None;
    network.list_links().filter(move |&link| link.0 != link.1 && last.replace(link) != Some(link))
}

/// The distinct neighbours of a node that pass, in ascending order, without the node itself.
fn neighbours(network: &impl Wiring, node: Node, passes: impl Fn(Node) -> bool) -> Vec<Node> {
    let mut neighbours: Vec<Node> = network.neighbours(node).filter(|&far| far != node && passes(far)).collect();
    neighbours.sort_unstable();
    neighbours.dedup();
    neighbours
}

/// The line number of a place in a text.
fn line_of(text: &str, place: usize) -> usize {
    1 + text.as_bytes()[..place.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
}
