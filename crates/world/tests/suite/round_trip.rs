//! What is written is read again, and no bytes do harm.

use std::path::{Path, PathBuf};

use bellwether_world::formats::{self, Format};
use bellwether_world::{Network, Wires, Wiring};
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

fn written(network: &Network, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    formats::write(network, format, &mut bytes).unwrap();
    bytes
}

/// Names that have everything that could be mistaken.
fn names() -> impl Strategy<Value = Vec<String>> {
    let odd = r#"[a-z0-9 "'\\#%(){}<>\[\];,=:&/+\-.éß日𝄞\t\n\r|~]{0,6}"#;
    let known = prop::sample::select(vec!["graph", "node", "strict", "subgraph", "", "0", "1", "//", "-", "--", "{}"]);
    proptest::collection::vec(prop_oneof![4 => odd, 1 => known.prop_map(String::from)], 12).prop_map(|names| {
        // Different ones.
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
        for extension in ["", "edges", "adjlist", "dot", "graphml", "g6", "json"] {
            let _ = formats::read(&bytes, &Path::new("a").with_extension(extension));
        }
    }

    #[test]
    fn a_damaged_file_is_read_or_refused(
        graph in graphs(12),
        names in names(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4), 1..6),
    ) {
        let network = Network { name: "x".into(), names: names[..graph.nodes() as usize].to_vec(), wires: Wires::Graph(graph) };
        for (format, extension) in READ {
            let mut bytes = written(&network, format);
            for &(place, byte, kind) in &damage {
                let place = place.index(bytes.len());
                match kind {
                    0 => bytes[place] = byte,
                    1 => bytes.insert(place, byte),
                    2 if bytes.len() > 1 => drop(bytes.remove(place)),
                    // A part twice, until it is long.
                    _ => while bytes.len() < 4000 { bytes.extend_from_within(place..) },
                }
            }
            let _ = formats::read(&bytes, &Path::new("a").with_extension(extension));
            let _ = formats::read(&bytes, Path::new(""));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A part of a file again and again, to a mebibyte: no time or memory out of proportion.
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
            while bytes.len() < 1 << 20 {
                bytes.extend_from_slice(&part);
            }
            bytes.extend(rest);
            let _ = formats::read(&bytes, &Path::new("a").with_extension(extension));
            let _ = formats::read(&bytes, Path::new(""));
        }
    }
}
