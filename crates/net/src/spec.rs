//! The specification of a network: `ring:8`, `gnp:50:0.1`, `graph6:DhC`, `file:lan.dot`.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::{Graph, Ring, Wiring};
use crate::formats::graph6;
use crate::sizes::size;

/// A family of networks with its parameters, a network spelt out, or a file.
///
/// Nodes are numbered from 0: rings clockwise, paths from end to end, stars from the centre, grids and tori row by row,
/// hypercubes by their bits, binary trees as a heap. Random networks are drawn from the seed, and are connected.
#[derive(Clone, Debug, PartialEq)]
pub enum Topology {
    /// A ring.
    Ring(Ring),
    /// A line of this number of nodes.
    Path(u32),
    /// A centre that is linked to all other nodes.
    Star(u32),
    /// All pairs of nodes are linked.
    Complete(u32),
    /// Rows and columns.
    Grid(u32, u32),
    /// A grid whose rows and columns are closed. A side of 2 has single links, a side of 1 has none.
    Torus(u32, u32),
    /// The corners of a cube with this number of dimensions.
    Hypercube(u32),
    /// A random tree. All trees on this number of numbered nodes have the same probability.
    Tree(u32),
    /// A binary tree, filled row by row.
    BinaryTree(u32),
    /// Every pair is linked with this probability (Gilbert's model), given that the network is connected.
    Gnp(u32, f64),
    /// Every node has this number of links, drawn at random.
    Regular(u32, u32),
    /// Newcomers make this number of links, preferably to nodes that have many (Barabási and Albert).
    Ba(u32, u32),
    /// A ring with links to the K nearest nodes, each moved elsewhere with this probability (Watts and Strogatz).
    Ws(u32, u32, f64),
    /// A network spelt out in McKay's format.
    Graph6(Graph),
    /// The network in a file.
    File(PathBuf),
}

impl Topology {
    /// The file from which it is read.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        if let Self::File(path) = self { Some(path) } else { None }
    }

    /// Whether the links are drawn from the seed.
    #[must_use]
    pub fn is_random(&self) -> bool {
        matches!(self, Self::Tree(_) | Self::Gnp(..) | Self::Regular(..) | Self::Ba(..) | Self::Ws(..))
    }

    /// Whether the name alone determines the network.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        !self.is_random() && !matches!(self, Self::File(_))
    }
}

/// The syntax of a topology.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Its name, before the first colon.
    pub family: &'static str,
    /// All its parts: `grid:ROWSxCOLUMNS`.
    pub given: &'static str,
    /// One of them.
    pub example: &'static str,
    /// What it is, in a few words.
    pub help: &'static str,
}

/// All families of networks.
pub const FORMS: [Form; 15] = [
    Form { family: "ring", given: "ring:NODES", example: "ring:8", help: "nodes in a circle" },
    Form { family: "path", given: "path:NODES", example: "path:8", help: "nodes in a line" },
    Form { family: "star", given: "star:NODES", example: "star:8", help: "all around a centre" },
    Form { family: "complete", given: "complete:NODES", example: "complete:8", help: "all linked to all" },
    Form { family: "grid", given: "grid:ROWSxCOLUMNS", example: "grid:3x4", help: "rows and columns" },
    Form {
        family: "torus",
        given: "torus:ROWSxCOLUMNS",
        example: "torus:3x4",
        help: "rows and columns that are closed",
    },
    Form {
        family: "hypercube",
        given: "hypercube:DIMENSIONS",
        example: "hypercube:4",
        help: "the corners of a cube of this dimension",
    },
    Form { family: "tree", given: "tree:NODES", example: "tree:20", help: "drawn evenly from all trees" },
    Form { family: "binary-tree", given: "binary-tree:NODES", example: "binary-tree:15", help: "filled row by row" },
    Form {
        family: "gnp",
        given: "gnp:NODES:PROBABILITY",
        example: "gnp:50:0.1",
        help: "every pair is linked with a probability",
    },
    Form {
        family: "regular",
        given: "regular:NODES:DEGREE",
        example: "regular:50:3",
        help: "everybody has this number of links, drawn at random",
    },
    Form { family: "ba", given: "ba:NODES:LINKS", example: "ba:50:2", help: "newcomers prefer nodes with many links" },
    Form {
        family: "ws",
        given: "ws:NODES:NEAREST:PROBABILITY",
        example: "ws:50:4:0.1",
        help: "a ring of near links, some of them moved",
    },
    Form {
        family: "graph6",
        given: "graph6:STRING",
        example: "graph6:DhC",
        help: "any network, spelt out in McKay's format",
    },
    Form { family: "file", given: "file:PATH", example: "file:network.dot", help: "the network in a file" },
];

/// Other names of the families.
const NICKNAMES: [(&str, &str); 14] = [
    ("line", "path"),
    ("chain", "path"),
    ("linear", "path"),
    ("cycle", "ring"),
    ("circle", "ring"),
    ("clique", "complete"),
    ("full", "complete"),
    ("mesh", "grid"),
    ("lattice", "grid"),
    ("cube", "hypercube"),
    ("random", "gnp"),
    ("erdos-renyi", "gnp"),
    ("barabasi-albert", "ba"),
    ("watts-strogatz", "ws"),
];

impl FromStr for Topology {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (family, parameters) = text.split_once(':').unwrap_or((text, ""));
        let Some(form) = FORMS.iter().find(|form| form.family.eq_ignore_ascii_case(family)) else {
            let examples = FORMS.map(|form| form.example).join(", ");
            if let Some((_, meant)) = NICKNAMES.iter().find(|(nickname, _)| nickname.eq_ignore_ascii_case(family)) {
                return Err(format!("there is no topology '{family}': did you mean {meant}? there are {examples}"));
            }
            if ["all-graphs", "all-trees"].contains(&family) {
                return Err(format!("{family} stands for many networks: only 'bellwether check' and 'exact' take it"));
            }
            if text.contains(['.', '/']) {
                return Err(format!("there is no topology '{text}': if that is a file, say file:{text}"));
            }
            let meant = similar(text);
            let hint = meant.map_or(String::new(), |meant| format!("did you mean {meant}? "));
            return Err(format!("there is no topology '{family}': {hint}there are {examples}"));
        };
        let family = form.family;
        let parsed = match family {
            "file" => Some(Self::File(parameters.into())).filter(|_| !parameters.is_empty()),
            "graph6" if parameters.is_empty() => None,
            "graph6" => Some(Self::of_graph6(parameters)?),
            "grid" | "torus" => parameters.split_once(['x', 'X']).and_then(|sides| Self::of_sides(family, sides)),
            _ => Self::of_numbers(family, &parameters.split(':').collect::<Vec<_>>())?,
        };
        let Form { given, example, .. } = form;
        let parsed = parsed.ok_or_else(|| format!("{family} is given as {given}, as in {example}, not as '{text}'"))?;
        parsed.validated()
    }
}

/// The topology that was meant by one that is misspelt: another sign for the colon, or a similar family.
fn similar(text: &str) -> Option<String> {
    let (family, parameters) = text.split_once([':', '=', '-', '(', ' ']).unwrap_or((text, ""));
    let family = family.to_ascii_lowercase();
    let likeness = |form: &&Form| strsim::jaro_winkler(form.family, &family);
    let nearest = FORMS.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    let meant = format!("{}:{}", nearest.family, parameters.trim_end_matches(')'));
    let meant = if meant.parse::<Topology>().is_ok() { meant } else { nearest.example.into() };
    (likeness(&nearest) > 0.8).then_some(meant)
}

/// A number of rows, columns or links.
fn small(text: &str) -> Option<u32> {
    size(text).ok()?.try_into().ok()
}

impl Topology {
    fn of_graph6(text: &str) -> Result<Self, String> {
        let (nodes, links) = graph6::decode(text)?;
        Graph::new(nodes, &links).map(Self::Graph6).map_err(|flaw| flaw.to_string())
    }

    fn of_sides(family: &str, (rows, columns): (&str, &str)) -> Option<Self> {
        let (rows, columns) = (small(rows)?, small(columns)?);
        Some(if family == "grid" { Self::Grid(rows, columns) } else { Self::Torus(rows, columns) })
    }

    /// The topology of these parameters; `None` if they do not have the right form.
    fn of_numbers(family: &str, parameters: &[&str]) -> Result<Option<Self>, String> {
        let (first, rest) = (parameters[0], &parameters[1..]);
        let size = match size(first) {
            Ok(size) => size,
            Err(_) if first.len() > 9 && first.bytes().all(|byte| byte.is_ascii_digit()) => {
                return Err(format!("a network has at most {} nodes, not {first}", u32::MAX));
            }
            Err(error) if first.starts_with(|c: char| c.is_ascii_digit()) => return Err(error),
            Err(_) => return Ok(None),
        };
        let nodes = match u32::try_from(size) {
            Ok(nodes) => nodes,
            Err(_) if family == "ring" => return Ring::new(size).map(|ring| Some(Self::Ring(ring))),
            Err(_) => return Err(format!("a network has at most {} nodes, not {size}", u32::MAX)),
        };
        Ok(match (family, rest) {
            ("ring", []) => Some(Self::Ring(Ring::new(size)?)),
            ("path", []) => Some(Self::Path(nodes)),
            ("star", []) => Some(Self::Star(nodes)),
            ("complete", []) => Some(Self::Complete(nodes)),
            ("hypercube", []) => Some(Self::Hypercube(nodes)),
            ("tree", []) => Some(Self::Tree(nodes)),
            ("binary-tree", []) => Some(Self::BinaryTree(nodes)),
            ("gnp", [p]) => p.parse().ok().map(|p| Self::Gnp(nodes, p)),
            ("regular", [degree]) => small(degree).map(|degree| Self::Regular(nodes, degree)),
            ("ba", [links]) => small(links).map(|links| Self::Ba(nodes, links)),
            ("ws", [nearest, p]) => small(nearest).zip(p.parse().ok()).map(|(nearest, p)| Self::Ws(nodes, nearest, p)),
            _ => None,
        })
    }

    /// Refuses parameters for which there is no network.
    fn validated(self) -> Result<Self, String> {
        let refuse = Err::<Self, String>;
        if let Self::Gnp(_, p) | Self::Ws(_, _, p) = self
            && !(0.0..=1.0).contains(&p)
        {
            return refuse(format!("a probability is a number from 0 to 1, not {p}"));
        }
        match self {
            Self::Hypercube(dimensions) if dimensions > 31 => {
                refuse("a hypercube has at most 31 dimensions, which are 2147483648 nodes".into())
            }
            Self::Grid(rows, columns) | Self::Torus(rows, columns) if rows == 0 || columns == 0 => {
                refuse("there is at least one row and one column".into())
            }
            Self::Grid(rows, columns) | Self::Torus(rows, columns) if rows.checked_mul(columns).is_none() => {
                refuse(format!("a network has at most {} nodes", u32::MAX))
            }
            _ if self.nodes() == Some(0) => refuse("a network has at least one node".into()),
            Self::Regular(nodes, degree) if degree >= nodes => {
                refuse(format!("among {nodes} nodes everybody has at most {} links", nodes - 1))
            }
            Self::Regular(nodes, degree) if u64::from(nodes) * u64::from(degree) % 2 == 1 => {
                refuse("a link has two ends, so nodes times degree must be even".into())
            }
            Self::Regular(nodes, degree) if nodes > 1 && degree < 2 && nodes > degree + 1 => {
                refuse(format!("with {degree} links each, {nodes} nodes are not connected: the degree is at least 2"))
            }
            Self::Ba(nodes, links) if links == 0 || links >= nodes => {
                refuse(format!("a newcomer makes at least 1 link, and at most {}", nodes - 1))
            }
            Self::Ws(nodes, nearest, _) if nearest < 2 || nearest % 2 == 1 || nearest >= nodes => {
                refuse(format!("the number of nearest is even, at least 2 and less than {nodes} (half on either side)"))
            }
            _ => Ok(self),
        }
    }

    /// How many nodes there are; `None` for a file.
    #[must_use]
    pub fn nodes(&self) -> Option<u32> {
        Some(match *self {
            Self::Ring(ring) => ring.nodes(),
            Self::Graph6(ref graph) => graph.nodes(),
            Self::Grid(rows, columns) | Self::Torus(rows, columns) => rows * columns,
            Self::Hypercube(dimensions) => 1 << dimensions,
            Self::Path(nodes)
            | Self::Star(nodes)
            | Self::Complete(nodes)
            | Self::Tree(nodes)
            | Self::BinaryTree(nodes)
            | Self::Gnp(nodes, _)
            | Self::Regular(nodes, _)
            | Self::Ba(nodes, _)
            | Self::Ws(nodes, ..) => nodes,
            Self::File(_) => return None,
        })
    }

    /// The number of links, or its expected value; `None` for a file.
    #[must_use]
    pub fn links(&self) -> Option<u64> {
        let nodes = u64::from(self.nodes()?);
        let along = |side: u32, closed: bool| u64::from(if closed && side > 2 { side } else { side - 1 });
        let lattice = |rows: u32, columns: u32, closed: bool| {
            u64::from(rows) * along(columns, closed) + u64::from(columns) * along(rows, closed)
        };
        Some(match *self {
            Self::Ring(_) => nodes,
            Self::Graph6(ref graph) => graph.links(),
            Self::Path(_) | Self::Star(_) | Self::Tree(_) | Self::BinaryTree(_) => nodes - 1,
            Self::Complete(_) => nodes * (nodes - 1) / 2,
            Self::Grid(rows, columns) => lattice(rows, columns, false),
            Self::Torus(rows, columns) => lattice(rows, columns, true),
            Self::Hypercube(dimensions) => nodes / 2 * u64::from(dimensions),
            Self::Gnp(_, p) => (p * (nodes as f64) * (nodes as f64 - 1.0) / 2.0) as u64,
            Self::Regular(_, degree) => nodes * u64::from(degree) / 2,
            Self::Ba(_, links) => (nodes - u64::from(links)) * u64::from(links),
            Self::Ws(_, nearest, _) => nodes * u64::from(nearest) / 2,
            Self::File(_) => return None,
        })
    }

    /// The number of links, if all networks of this kind and size have the same; `None` otherwise.
    #[must_use]
    pub fn fixed_links(&self) -> Option<u64> {
        self.links().filter(|_| !matches!(self, Self::Gnp(..)))
    }
}

impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ring(ring) => ring.fmt(f),
            Self::Path(nodes) => write!(f, "path:{nodes}"),
            Self::Star(nodes) => write!(f, "star:{nodes}"),
            Self::Complete(nodes) => write!(f, "complete:{nodes}"),
            Self::Grid(rows, columns) => write!(f, "grid:{rows}x{columns}"),
            Self::Torus(rows, columns) => write!(f, "torus:{rows}x{columns}"),
            Self::Hypercube(dimensions) => write!(f, "hypercube:{dimensions}"),
            Self::Tree(nodes) => write!(f, "tree:{nodes}"),
            Self::BinaryTree(nodes) => write!(f, "binary-tree:{nodes}"),
            Self::Gnp(nodes, p) => write!(f, "gnp:{nodes}:{p}"),
            Self::Regular(nodes, degree) => write!(f, "regular:{nodes}:{degree}"),
            Self::Ba(nodes, links) => write!(f, "ba:{nodes}:{links}"),
            Self::Ws(nodes, nearest, p) => write!(f, "ws:{nodes}:{nearest}:{p}"),
            Self::Graph6(graph) => {
                f.write_str("graph6:")?;
                graph6::encode(graph, |byte| f.write_char(byte.into()))
            }
            Self::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_told() {
        let refusal = |text: &str| text.parse::<Topology>().unwrap_err();
        for (text, meant) in [
            ("rng:8", "ring:8"),
            ("ring=8", "ring:8"),
            ("ring-8", "ring:8"),
            ("ring(8)", "ring:8"),
            ("Complet:5", "complete:5"),
            ("binarytree:15", "binary-tree:15"),
            ("hyprcube", "hypercube:4"),
        ] {
            let said = refusal(text);
            assert!(said.contains(&format!("did you mean {meant}? there are ring:8, ")), "{text}: {said}");
        }
        assert!(!refusal("moebius:8").contains("did you mean"));
        let most = "a network has at most 4294967295 nodes, not 99999999999999999999999";
        assert_eq!(refusal("ring:99999999999999999999999"), most);
    }

    #[test]
    fn a_topology_is_written_as_it_is_read() {
        for text in
            FORMS.map(|form| form.example).into_iter().chain(["gnp:7:0.0000001", "regular:1:0", "ws:5:2:1", "graph6:@"])
        {
            assert_eq!(text.parse::<Topology>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_wrong_form_is_refused_with_the_right_one() {
        let refusal = |text: &str| text.parse::<Topology>().unwrap_err();
        assert_eq!(refusal("grid:3"), "grid is given as grid:ROWSxCOLUMNS, as in grid:3x4, not as 'grid:3'");
        assert_eq!(refusal("ring:x"), "ring is given as ring:NODES, as in ring:8, not as 'ring:x'");
        assert_eq!(refusal("ba:5"), "ba is given as ba:NODES:LINKS, as in ba:50:2, not as 'ba:5'");
        for text in
            ["ring", "ring:", "path:-1", "path:3:4", "torus:3x", "gnp:5:p", "ws:5:4", "graph6:", "file:", "grid:3x4x5"]
        {
            assert!(refusal(text).contains("is given as"), "{text}");
        }
        assert!(refusal("Line:8").starts_with("there is no topology 'Line': did you mean path? there are ring:8"));
        assert_eq!("GRID:3X4".parse(), Ok(Topology::Grid(3, 4)));
        assert!(refusal("moebius:8").starts_with("there is no topology 'moebius': there are ring:8, path:8"));
    }

    #[test]
    fn parameters_without_a_network_are_refused_with_the_reason() {
        let reasons = [
            ("ring:0", "at least one node"),
            ("ring:5000000000", "at most 4294967295"),
            ("path:0", "at least one node"),
            ("path:5000000000", "at most 4294967295 nodes, not 5000000000"),
            ("grid:0x4", "at least one row"),
            ("torus:70000x70000", "at most 4294967295"),
            ("hypercube:32", "at most 31 dimensions"),
            ("gnp:5:1.5", "from 0 to 1, not 1.5"),
            ("gnp:5:NaN", "from 0 to 1"),
            ("regular:5:5", "at most 4 links"),
            ("regular:5:3", "must be even"),
            ("regular:4:1", "the degree is at least 2"),
            ("ba:5:0", "at least 1 link"),
            ("ba:5:5", "at most 4"),
            ("ws:6:3:0", "is even"),
            ("ws:4:4:0", "less than 4"),
            ("ring:1.5", "'1.5' is not whole"),
            ("path:1e30", "'1e30' is more than 18446744073709551615"),
            ("graph6:D h", "' ' is not a character of graph6"),
            ("graph6:Dh", "5 nodes need 2 more characters, and there are 1"),
            ("graph6:~?", "begins with the number of nodes"),
            ("graph6:?", "at least one node"),
            ("graph6:C_", "from node 0 to node 2"),
        ];
        for (text, reason) in reasons {
            let refusal = text.parse::<Topology>().unwrap_err();
            assert!(refusal.contains(reason), "{text}: {refusal}");
        }
    }
}
