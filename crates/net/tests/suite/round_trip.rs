//! Networks that are written are read back the same, and no bytes do harm.

use std::path::{Path, PathBuf};

use bellwether_net::formats::{self, Format};
use bellwether_net::{Graph, Network, Wires, Wiring};
use proptest::prelude::*;

use crate::support::{graphs, links, network};

const READ: [(Format, &str); 6] = [
    (Format::EdgeList, "edges"),
    (Format::AdjacencyList, "adjlist"),
    (Format::Dot, "dot"),
    (Format::GraphMl, "graphml"),
    (Format::Graph6, "g6"),
    (Format::NodeLink, "json"),
];

/// The endings of formats that are only read.
const ONLY_READ: [&str; 7] = ["gml", "gexf", "net", "graph", "col", "mtx", "s6"];

const STARTS: [&str; 6] =
    ["graph [ ", "*Vertices ", "p edge ", ":", "%%MatrixMarket matrix coordinate real general\n", ""];

const WORDS: [&str; 27] = [
    " ",
    "\n",
    "1 ",
    "2 ",
    "3 ",
    "10 ",
    "4000000000 ",
    "-1 ",
    "\n1 2",
    "\ne 1 2",
    "\na 2 3 7",
    "\np edge 3 2\n",
    "c ",
    "*Edges\n",
    "*Arcslist\n",
    "*Vertices 3\n",
    "node [ id 1 ] ",
    "edge [ source 1 target 2 ] ",
    "[ ",
    "] ",
    "\"",
    "label ",
    "id 2 ",
    "&#0;",
    "%\n",
    ":",
    "~",
];

/// Changes, inserts or removes bytes, or repeats a part until the file is long.
fn damaged(bytes: &mut Vec<u8>, damage: &[(prop::sample::Index, u8, i32)]) {
    for &(place, byte, kind) in damage {
        let place = place.index(bytes.len());
        match kind {
            0 => bytes[place] = byte,
            1 => bytes.insert(place, byte),
            2 if bytes.len() > 1 => drop(bytes.remove(place)),
            _ => {
                while bytes.len() < 4000 {
                    bytes.extend_from_within(place..);
                }
            }
        }
    }
}

fn written(network: &Network, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    formats::write(network, format, &mut bytes).unwrap();
    bytes
}

/// Names with all characters and words that could be misread.
fn names() -> impl Strategy<Value = Vec<String>> {
    let odd = r#"[a-z0-9 "'\\#%(){}<>\[\];,=:&/+\-.éß日𝄞\t\n\r|~]{0,6}"#;
    let known = prop::sample::select(vec!["graph", "node", "strict", "subgraph", "", "0", "1", "//", "-", "--", "{}"]);
    proptest::collection::vec(prop_oneof![4 => odd, 1 => known.prop_map(String::from)], 12).prop_map(|names| {
        // Makes the names different.
        names
            .into_iter()
            .enumerate()
            .map(|(node, name)| if node % 3 == 0 { name } else { format!("{name}{node}") })
            .collect()
    })
}

fn different(names: &[String]) -> bool {
    names.iter().collect::<std::collections::BTreeSet<_>>().len() == names.len()
}

#[test]
fn every_family_is_written_and_read() {
    for name in ["ring:3", "ring:8", "path:1", "star:5", "complete:70", "grid:3x4", "tree:20", "gnp:20:0.3"] {
        let network = network(name);
        for (format, extension) in READ {
            let read =
                formats::read(&written(&network, format), &PathBuf::from("a").with_extension(extension)).unwrap();
            assert_eq!((links(&read), &read.names), (links(&network), &vec![]), "{name} as {format}");
        }
    }
}

#[test]
fn a_picture_has_every_node_and_link() {
    let picture = |network: &Network| String::from_utf8(written(network, Format::Tikz)).unwrap();
    let text = picture(&network("ring:3"));
    assert_eq!(text.matches("\\node").count() + text.matches("\\draw").count(), 6);
    assert!(text.contains("\\node (0) at (0.00,1.00) {0};"));
    let grid = picture(&network("torus:3x4"));
    assert!(grid.contains("\\node (6) at (2.40,-1.20) {6};"), "row 1, column 2: {grid}");
    assert!(grid.contains("(0) -- (4);") && grid.contains("(0) to[bend left=25] (8);"), "{grid}");
    let tree = picture(&network("binary-tree:5"));
    for place in ["(0) at (1.25,0.00)", "(1) at (0.50,-1.00)", "(2) at (2.00,-1.00)", "(4) at (1.00,-2.00)"] {
        assert!(tree.contains(place), "{place}: {tree}");
    }
}

/// The nearest two nodes of a picture are farther apart than the longest name is wide.
#[test]
fn names_in_a_picture_do_not_overlap() {
    let links = "Kopenhagen,Stockholm\nStockholm,Oslo\nOslo,Kopenhagen\nOslo,Bergen\n";
    let network = formats::read(links.as_bytes(), Path::new("")).unwrap();
    let text = String::from_utf8(written(&network, Format::Tikz)).unwrap();
    let place = |line: &str| {
        let (x, y) = line.split_once(" at (")?.1.split_once(')')?.0.split_once(',')?;
        Some((x.parse::<f64>().ok()?, y.parse::<f64>().ok()?))
    };
    let places: Vec<_> = text.lines().filter_map(place).collect();
    assert_eq!(places.len(), 4);
    for (index, a) in places.iter().enumerate() {
        assert!(places[..index].iter().all(|b| (a.0 - b.0).hypot(a.1 - b.1) > 2.7), "{text}");
    }
}

/// XML holds the control characters from U+007F on, and none of those before the blank but white space.
#[test]
fn graphml_holds_every_name_that_xml_allows() {
    let named = |name: &str| Network {
        name: "file:a.graphml".into(),
        wires: Wires::Graph(Graph::new(2, &[(0, 1)]).unwrap()),
        names: vec![name.into(), "other".into()],
    };
    for name in ["\u{7f}", "a\u{85}b\u{9f}", "\t\n\r"] {
        let network = named(name);
        assert_eq!(formats::refuses(&network, Format::GraphMl), None);
        assert_eq!(formats::read(&written(&network, Format::GraphMl), Path::new("a.graphml")).as_ref(), Ok(&network));
    }
    for name in ["\u{1}", "a\u{1f}", "\u{fffe}"] {
        let refusal = formats::refuses(&named(name), Format::GraphMl).unwrap();
        assert!(refusal.starts_with("XML has no way to write all characters of the name"), "{refusal}");
    }
}

proptest! {
    #[test]
    fn names_and_links_come_back(graph in graphs(12), names in names()) {
        let names = names[..graph.nodes() as usize].to_vec();
        prop_assume!(different(&names) && names != (0..graph.nodes()).map(|node| node.to_string()).collect::<Vec<_>>());
        for (format, extension) in READ {
            let path = PathBuf::from("a").with_extension(extension);
            let name = format!("file:{}", path.display());
            let names = if format == Format::Graph6 { vec![] } else { names.clone() };
            let network = Network { name, wires: Wires::Graph(graph.clone()), names };
            let bytes = written(&network, format);
            let read = formats::read(&bytes, &path);
            prop_assert_eq!(read.as_ref(), Ok(&network), "{} {}", format, String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        for extension in ["", "edges", "adjlist", "dot", "graphml", "g6", "json"].iter().chain(&ONLY_READ) {
            let _ = formats::read(&bytes, &Path::new("a").with_extension(extension));
        }
    }

    /// Texts of numbers and words that formats know come further than any bytes.
    #[test]
    fn any_words_are_read_or_refused(words in proptest::collection::vec(prop::sample::select(WORDS.to_vec()), 0..60)) {
        let text = words.concat();
        for extension in ONLY_READ {
            let _ = formats::read(text.as_bytes(), &Path::new("a").with_extension(extension));
            for start in STARTS {
                let _ = formats::read(format!("{start}{text}").as_bytes(), Path::new(""));
            }
        }
    }

    /// A damaged file of another program, all of it or a part.
    #[test]
    fn a_damaged_file_of_another_program_is_read_or_refused(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4), 1..6),
    ) {
        for extension in ONLY_READ {
            let petersen = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/graphs/petersen"));
            let mut bytes = std::fs::read(petersen.with_extension(extension)).unwrap();
            damaged(&mut bytes, &damage);
            let _ = formats::read(&bytes, &Path::new("a").with_extension(extension));
            let _ = formats::read(&bytes, Path::new(""));
        }
    }

    #[test]
    fn a_damaged_file_is_read_or_refused(
        graph in graphs(12),
        names in names(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4), 1..6),
    ) {
        let names = names[..graph.nodes() as usize].to_vec();
        let network = Network { name: "x".into(), names, wires: Wires::Graph(graph) };
        for (format, extension) in READ {
            let mut bytes = written(&network, format);
            damaged(&mut bytes, &damage);
            let _ = formats::read(&bytes, &Path::new("a").with_extension(extension));
            let _ = formats::read(&bytes, Path::new(""));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A part of a file is repeated up to a quarter of a mebibyte: time and memory must stay in proportion.
    #[test]
    fn a_long_damaged_file_is_read_or_refused(
        graph in graphs(12),
        names in names(),
        part in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let names = names[..graph.nodes() as usize].to_vec();
        let network = Network { name: "x".into(), wires: Wires::Graph(graph), names };
        for (format, extension) in READ {
            let mut bytes = written(&network, format);
            let (a, b) = (part.0.index(bytes.len()), part.1.index(bytes.len()));
            let part = bytes[a.min(b)..=a.max(b)].to_vec();
            let rest = bytes.split_off(a.max(b) + 1);
            while bytes.len() < 1 << 18 {
                bytes.extend_from_slice(&part);
            }
            bytes.extend(rest);
            let _ = formats::read(&bytes, &Path::new("a").with_extension(extension));
            let _ = formats::read(&bytes, Path::new(""));
        }
    }
}
