//! Files as other programs write them, and errors in some files.

use std::path::{Path, PathBuf};

use bellwether_net::formats::{self, Format, Manner, Reading};
use bellwether_net::{Network, Wiring};

use crate::support::{links, network};

fn read(file: &str) -> Result<Network, String> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/graphs")).join(file);
    formats::read(&std::fs::read(&path).unwrap(), Path::new(file))
}

/// The links, as pairs of names.
fn named(file: &str) -> Vec<String> {
    let network = read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let name = |node| network.node_name(node).into_owned();
    network.list_links().map(|(a, b)| format!("{} {}", name(a), name(b))).collect()
}

#[test]
fn the_petersen_graph_is_the_same_in_every_format() {
    let graph6 = read("petersen.g6").unwrap();
    assert_eq!((graph6.nodes(), graph6.links(), graph6.facts().diameter), (10, 15, 2.into()));
    assert_eq!(graph6.name, "file:petersen.g6");
    for file in [
        "petersen.bare.g6",
        "petersen.adjlist",
        "petersen.gml",
        "petersen.gexf",
        "petersen.net",
        "petersen.graph",
        "petersen.col",
        "petersen.mtx",
        "petersen.s6",
        "igraph.gml",
        "igraph.net",
        "igraph.graphml",
        "igraph.dot",
        "igraph.dimacs",
    ] {
        assert_eq!(links(&read(file).unwrap()), links(&graph6), "{file}");
    }
    // Nodes are numbered in the order of first mention: 0, 1, 4, 5, 2, ...
    for file in ["petersen.edges", "petersen.plain.edges"] {
        let mut links = named(file);
        assert_eq!(links[..4], ["0 1", "0 4", "0 5", "1 2"]);
        links.iter_mut().for_each(|link| *link = link.split(' ').rev().collect::<Vec<_>>().join(" ").min(link.clone()));
        links.sort();
        let expected: Vec<_> = graph6.list_links().map(|(a, b)| format!("{a} {b}")).collect();
        assert_eq!(links, expected, "{file}");
    }
    assert_eq!(links(&read("path70.g6").unwrap()), links(&network("path:70")));
}

#[test]
fn names_and_attributes_and_comments() {
    let cities = ["Zürich Genève", "Zürich Basel", "Zürich St. Gallen", "Genève Basel"];
    for file in [
        "networkx.dot",
        "networkx.graphml",
        "networkx.links.json",
        "networkx.gml",
        "networkx.net",
        "networkx.gexf",
        "handmade.gml",
        "handmade.net",
        "handmade.gexf",
    ] {
        assert_eq!(named(file), cities, "{file}");
    }
    for file in ["weighted.graph", "weighted.gr", "weighted.mtx"] {
        assert_eq!(named(file), ["1 2", "1 3", "1 4", "2 3"], "{file}");
    }
    assert_eq!(named("multi.edgelist"), ["a b", "b c"]);
    assert_eq!(named("weighted.edgelist"), ["a b", "a c", "b c", "c d"]);
    assert_eq!(named("dict.edgelist"), ["a b", "a c", "b c", "c d"]);
    assert_eq!(named("windows.txt"), ["server printer", "server desk 1", "server desk-2"]);
    assert_eq!(named("links.csv"), ["from-a to-b", "to-b to, c"]);
    assert_eq!(named("attributes.graphml"), ["R&D café", "café \"bar\""]);
    assert_eq!(named("links.json"), ["[0,1] true", "true 3.5"]);
    assert_eq!(named("handmade.gv"), ["a b", "a e e", "b c", "c d", "c e e"]);
    let mut by_graphviz = named("graphviz.dot");
    by_graphviz.sort();
    assert_eq!(by_graphviz, ["a b", "c b", "d c", "e e a", "e e c"], "numbered as Graphviz lists them");
}

#[test]
fn names_with_blanks_stand_between_tabs_or_commas() {
    let stations = ["Wien Hbf Linz Hbf", "Wien Hbf Graz Hbf", "Linz Hbf Salzburg Hbf"];
    for file in ["stations.weighted.tsv", "stations.dict.tsv", "stations.dict.csv", "gephi.csv", "stations.adjlist"] {
        assert_eq!(named(file), stations, "{file}");
    }
    let links = |text: &str| {
        let network = formats::read(text.as_bytes(), Path::new("net.csv")).unwrap();
        let name = |node| network.node_name(node).into_owned();
        network.list_links().map(|(a, b)| format!("{}-{}", name(a), name(b))).collect::<Vec<_>>()
    };
    assert_eq!(links("a b\tc d\nc d\te\n"), ["a b-c d", "c d-e"]);
    assert_eq!(links("source,target\na,b\nb,c\n"), ["a-b", "b-c"]);
    let neighbours = ["a-b", "a-c", "a-d", "b-c", "b-d", "c-d"];
    assert_eq!(links("a,b,c,d\nb,c,d\nc,d\nd\n"), neighbours);
    assert_eq!(links("a\tb\tc\td\nb\tc\td\nc\td\n"), neighbours);
    assert_eq!(links("Id,Source,Target\n7,a,b\n8,b,c\n"), ["a-b", "b-c"]);
    assert_eq!(links("a,\"say \"\"b\"\"\",,\n"), ["a-say \"b\""]);
    assert_eq!(links("a b\t# a comment\nb c\t{'w': [1,\t2]}\n"), ["a-b", "b-c"]);
    assert_eq!(links("(0, 0),(0, 1)\n(0, 1),((1, 1), 2)\n"), ["(0, 0)-(0, 1)", "(0, 1)-((1, 1), 2)"]);
}

/// A wrong network would be worse than none.
#[test]
fn what_is_not_quite_a_list_is_refused_with_the_line() {
    let list = |text: &str| refusal(text, "net.txt");
    let remedy = "separate names that have blanks by tabs or commas, put them in double quotes, or take GraphML";
    for file in ["stations.edgelist", "stations.nodata.txt"] {
        let wrong = format!("line 1: 'Wien Hbf Linz Hbf' is more than two names and a weight; {remedy}");
        assert_eq!(read(file).unwrap_err(), wrong, "{file}");
    }
    assert_eq!(list("a b\nb -> c\n").split(':').next(), Some("line 2"));
    for (line, what) in
        [("a -> b", "'->' is no name"), ("a -- b", "'--' is"), ("a - b", "'-' is"), ("a->b", "'a->b' is")]
    {
        assert!(list(line).contains(what), "{line}: {}", list(line));
    }
    assert!(list("a: b c\nb: c\n").starts_with("line 1: 'a:' does not end as a name does"));
    assert!(list("a;b\nb;c\n").starts_with("line 1: 'a;b' has a ';', which separates nothing"));
    assert!(list("a;b;1,5\nb;c;2,5\n").contains("has a ';'"));
    assert!(list("a,b\nb c\n").starts_with("line 2: there is no comma here, as on other lines"));
    assert!(list("a\tb\nb c\n").starts_with("line 2: there is no tab here"));
    assert!(refusal("a,b\nb,c,d\n", "net.edges").starts_with("line 2: 3 columns, and line 1 has 2"));
    assert!(refusal("a,b,c\nb,a,c\nc,a,b\n", "k3.csv").contains("or nodes with their neighbours"));
    assert!(refusal(r#"{"nodes":[{"id":1},{"id":"1"}],"links":[]}"#, "net.json").contains("two nodes have the id 1"));
    assert!(list("a,b,1\nb,,1\n").starts_with("line 2: a name is missing"));
    assert!(list("a,b # near\n").starts_with("line 1: 'b # near' may end with a comment"));
    assert!(list("0 1 2\n1 0 2\n2 0 1\n").contains("may be links with weights, or nodes with their neighbours"));
    assert_eq!(refusal("a b\n\"c\"d e\n", ""), "line 2: something follows a closing quote: \"c\"");
}

#[test]
fn formats_that_are_not_read_are_named() {
    let read = "edge list, adjacency list, DOT, GraphML, graph6, node-link JSON, GML, GEXF, Pajek, METIS, DIMACS, \
                MatrixMarket and sparse6 are";
    for (file, what) in [
        ("petersen.multiline", "a multiline adjacency list"),
        ("plain.txt", "the output of dot -Tplain"),
        ("igraph.lgl", "LGL"),
    ] {
        assert_eq!(self::read(file).unwrap_err(), format!("this is {what}, which is not read; {read}"), "{file}");
    }
    let name = |text: &str| refusal(text, "net.txt");
    assert!(name("LEDA.GRAPH\nvoid\nvoid\n").starts_with("this is LEDA,"));
    assert!(name("&B?_\n").starts_with("this is digraph6,"));
    assert!(name("0 1 1\n1 0 1\n1 1 0\n").starts_with("this is an adjacency matrix,"));
    assert!(name("0,3,0\n3,0,2\n0,2,0\n").starts_with("this is an adjacency matrix,"));
}

#[test]
fn an_edge_to_a_node_that_is_not_there_is_refused() {
    let edge = "<edge source=\"a\" target=\"b\"/>";
    let graph = |root: &str, rest: &str| format!("<{root}>\n<graph>\n<node id=\"a\"/>\n{edge}{rest}</graph></{root}>");
    for root in ["gexf", "graphml"] {
        let said = refusal(graph(root, ""), "net.xml");
        assert_eq!(said, "line 4: an edge leads to 'b', but no node has that id", "{root}");
        // A node may come after its edges.
        let text = graph(root, "\n<node id=\"b\"/>");
        assert_eq!(formats::read(text.as_bytes(), Path::new("net.xml")).unwrap().links(), 1, "{root}");
    }
}

#[test]
fn a_file_is_read_as_it_is_said_to_be() {
    let examine = |text: &str, from| {
        formats::examine(text.as_bytes(), Path::new("net.txt"), Manner { from, ..Manner::default() })
    };
    let triangle = "0 1 2\n1 0 2\n2 0 1\n";
    let links = |from| examine(triangle, Some(from)).map(|reading| reading.network.links());
    assert_eq!((links(Format::EdgeList), links(Format::AdjacencyList)), (Ok(2), Ok(3)));
    assert!(links(Format::Tikz).unwrap_err().starts_with("TikZ is only written"));
    let facts = |text| examine(text, None).map(|Reading { format, directed, merged, .. }| (format, directed, merged));
    assert_eq!(facts("a b\nb a\nb c\n"), Ok((Format::EdgeList, false, 1)));
    assert_eq!(facts("a b c\nb a c\nc\n"), Ok((Format::AdjacencyList, false, 0)));
    assert_eq!(facts("digraph { a -> b -> a }"), Ok((Format::Dot, true, 1)));
    assert_eq!(facts("{\"directed\":true,\"nodes\":[{\"id\":1}],\"links\":[]}"), Ok((Format::NodeLink, true, 0)));
    let graph = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/></graph></graphml>";
    assert_eq!(facts(graph), Ok((Format::GraphMl, true, 0)));
    assert_eq!(facts("graph [ directed 1 node [ id 1 ] ]"), Ok((Format::Gml, true, 0)));
    let graph = "<gexf><graph defaultedgetype=\"directed\"><node id=\"a\"/></graph></gexf>";
    assert_eq!(facts(graph), Ok((Format::Gexf, true, 0)));
    assert_eq!(facts("*Vertices 2\n*Arcs\n1 2\n2 1\n"), Ok((Format::Pajek, true, 1)));
    assert_eq!(facts("p sp 2 2\na 1 2 7\na 2 1 7\n"), Ok((Format::Dimacs, true, 1)));
    assert_eq!(facts("3 2\n2\n1 3\n2\n"), Ok((Format::Metis, false, 0)));
    let matrix = "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n";
    assert_eq!(facts(matrix), Ok((Format::MatrixMarket, true, 1)));
    assert_eq!(facts(":An"), Ok((Format::Sparse6, false, 0)));
}

#[test]
fn a_directed_graph_is_read_as_its_links() {
    assert_eq!(links(&read("directed.graphml").unwrap()), links(&network("path:4")));
    assert_eq!(links(&read("directed.json").unwrap()), links(&network("ring:5")));
    assert!(read("directed.json").unwrap().facts().ring);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let refusal = |file| read(file).unwrap_err();
    assert_eq!(refusal("malformed.edges"), "line 2: 'b' has a link to itself: a network has none");
    assert_eq!(refusal("malformed.adjlist"), "line 2: a quote is not closed");
    assert_eq!(refusal("malformed.dot"), "line 3: a node or a subgraph must follow -- or ->");
    assert_eq!(refusal("malformed.graphml"), "line 4: <edge> lacks the attribute target=\"..\"");
    assert_eq!(refusal("malformed.g6"), "line 2: 10 nodes need 8 more characters, and there are 7");
    assert_eq!(
        refusal("malformed.json"),
        "line 2: missing field `target`; node-link JSON is \
         {\"nodes\":[{\"id\":..}],\"links\":[{\"source\":..,\"target\":..}]}"
    );
    assert_eq!(refusal("malformed.gml"), "line 3: an edge leads to 1, but no node before it has that id");
    assert_eq!(refusal("malformed.gexf"), "line 5: <edge> lacks the attribute target=\"..\"");
    assert_eq!(refusal("malformed.net"), "line 5: '3' is no node: they are numbered 1 to 2");
    assert_eq!(refusal("malformed.graph"), "line 1: 2 links have 4 ends, and 3 neighbours are listed");
    assert_eq!(refusal("malformed.col"), "line 2: 3 links are announced, and there are 2");
    assert_eq!(refusal("malformed.mtx"), "line 2: a network is a square matrix, not 3 rows and 4 columns");
    assert_eq!(refusal("malformed.s6"), "line 1: ' ' is not a character of sparse6, which are '?' to '~'");
    assert_eq!(
        refusal("disconnected.edges"),
        "the network is not connected: no way leads from 'a' to 'c'; --largest-component takes its largest part"
    );
}

/// A letter that says what a line is must not become a node.
#[test]
fn lines_of_dimacs_are_no_star() {
    let head = "the first line is 'p edge NODES LINKS', as in 'p edge 3 2'";
    for path in ["net.txt", "net.edges", "net.adjlist", ""] {
        for text in ["e 1 2\ne 1 3\n", "c a comment\ne 1 2\n", "a 1 2 7\na 1 3 5\n"] {
            assert!(refusal(text, path).ends_with(head), "{text}");
        }
        let network = formats::read(b"c c\np col 3 2\nn 1 5\ne 1 2\ne 1 3\n", Path::new(path)).unwrap();
        assert_eq!(
            (links(&network), &network.names[..]),
            (vec![(0, 1), (0, 2)], &["1", "2", "3"].map(String::from)[..])
        );
    }
    assert_eq!(links(&formats::read(b"e 1\ne 2\n", Path::new("net.txt")).unwrap()), [(0, 1), (0, 2)]);
}

#[test]
fn weights_of_metis_are_passed_over() {
    let links_of = |text: &str| links(&formats::read(text.as_bytes(), Path::new("net.graph")).unwrap());
    let path = vec![(0, 1), (1, 2)];
    assert_eq!(links_of("% a path\n3 2\n2\n% here\n1 3\n2\n"), path);
    assert_eq!(links_of("3 2 1\n2 9\n1 9 3 8\n2 8\n"), path);
    assert_eq!(links_of("3 2 011 2\n7 7 2 9\n7 7 1 9 3 8\n7 7 2 8\n"), path);
    assert_eq!(links_of("3 2 100\n5 2\n5 1 3\n5 2\n"), path);
    assert!(refusal("3 2\n2\n1 3\n", "a.graph").contains("3 nodes are announced, and there are lines for 2"));
    assert!(refusal("3 1\n2\n3\n\n", "a.graph").contains("1 links are announced, and there are 2"));
    assert!(refusal("1 0\n\n\n2\n", "a.graph").starts_with("line 4: this is one line more than the 1 nodes"));
}

/// Labels are the names where they tell the nodes apart.
#[test]
fn nodes_have_their_labels_or_their_ids() {
    let names = |text: &str| formats::read(text.as_bytes(), Path::new("")).unwrap().names;
    let gml = |nodes: &str| names(&format!("graph [ {nodes} edge [ source 7 target 8 ] ]"));
    assert_eq!(gml("node [ id 7 label \"a &amp; &#228;\" ] node [ id 8 label \"&uuml;\" ]"), ["a & ä", "&uuml;"]);
    assert_eq!(gml("node [ id 7 label \"a\" ] node [ id 8 label \"a\" ]"), ["7", "8"]);
    assert_eq!(gml("node [ id 7 label \"a\" ] node [ id 8 ]"), ["7", "8"]);
    assert_eq!(gml("node [ id 7 x [ id 9 label 3 ] ] # b [\n node [ id 8 ]"), ["7", "8"]);
    assert_eq!(names("*Vertices 2\n*Edges\n1 2\n"), ["1", "2"]);
    assert_eq!(names("% x\n*vertices 2\n2 \"b b\" 0.1\n1 a\n*edgeslist\n1 2\n"), ["a", "b b"]);
}

#[test]
fn the_largest_part_is_taken() {
    let manner = Manner { largest_component: true, ..Manner::default() };
    let part = |text: &str| {
        let Reading { network, left_out, merged, .. } =
            formats::examine(text.as_bytes(), Path::new("net.edges"), manner).unwrap();
        (links(&network), network.names, left_out, merged)
    };
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(part("a b\nc d\nd e\ne d\n"), (vec![(0, 1), (1, 2)], names(&["c", "d", "e"]), 2, 1));
    assert_eq!(part("a b\nc d\n"), (vec![(0, 1)], names(&["a", "b"]), 2, 0));
    assert_eq!(part("0 1\n2 3\n"), (vec![(0, 1)], vec![], 2, 0));
    assert_eq!(part("0 1\n1 2\n"), (vec![(0, 1), (1, 2)], vec![], 0, 0));
    assert_eq!(part("0\n1\n"), (vec![], vec![], 1, 0));
    assert_eq!(part("p edge 4000000000 1\ne 3 5\n"), (vec![(0, 1)], names(&["3", "5"]), 3_999_999_998, 0));
    let empty = formats::examine(b"", Path::new("net.edges"), manner).unwrap_err();
    assert_eq!(empty, "there is no node in it: a network has at least one");
}

fn refusal(text: impl AsRef<[u8]>, path: &str) -> String {
    formats::read(text.as_ref(), Path::new(path)).unwrap_err()
}

#[test]
fn a_short_text_takes_no_long_time_and_little_memory() {
    assert!(refusal("~~??????@?", "a.g6").contains("need"));
    assert!(refusal("~~~~~~~~", "a.g6").contains("68719476735 nodes need"));
    for start in ["", "{\"nodes\":", "{\"x\":", "{\"nodes\":[{\"id\":"] {
        assert!(refusal(format!("{start}{}", "[".repeat(1 << 20)), "a.json").starts_with("line 1: "), "{start}");
    }
    assert!(refusal(format!("<graphml>{}", "<graph>".repeat(100_000)), "").contains("ends within an element"));
    assert!(refusal(format!("graph {}", "{".repeat(1 << 20)), "").contains("ends without }"));
    let deep = format!("graph {{ a -- {} b {} }}", "{".repeat(400_000), "}".repeat(400_000));
    assert_eq!(formats::read(deep.as_bytes(), Path::new("")).unwrap().links(), 1);
    let many = |side: char| (0..50_000).map(|node| format!("{side}{node} ")).collect::<String>();
    let product = format!("graph {{ {{ {} }} -- {{ {} }} }}", many('a'), many('b'));
    assert!(refusal(product, "").contains("more than 10000000 links"));
    let matrix = "%%MatrixMarket matrix coordinate real symmetric";
    for text in [
        "*Vertices 4000000000\n*Edges\n1 2\n",
        "p edge 4000000000 1\ne 1 2\n",
        &format!("{matrix}\n4000000000 4000000000 1\n2 1 0.5\n"),
        "4000000000 1\n2\n1\n",
        ":~~?B~~~~??",
    ] {
        let refusal = refusal(text, "a.graph");
        assert!(refusal.contains("not connected") || refusal.contains("lines for 2"), "{text}: {refusal}");
    }
    assert!(refusal(":~~~~~~~~", "").contains("68719476735 nodes are too many"));
    assert!(refusal(format!("graph [{}", " a [".repeat(1 << 20)), "").contains("] is missing"));
    let entities = "<!DOCTYPE a [<!ENTITY b \"c\">]><graphml><graph><node id=\"&b;\"/></graph></graphml>";
    assert!(refusal(entities, "").starts_with("line 1: id of <node>"));
}

#[test]
fn what_is_no_network_is_refused() {
    assert_eq!(refusal("", "a.edges"), "there is no node in it: a network has at least one");
    assert_eq!(refusal(b"a b\nb \xff", "a.edges"), "line 2: this is not UTF-8 text, and all formats are");
    assert_eq!(refusal("<html>\n</html>", ""), "line 1: GraphML begins with <graphml>, not with <html>");
    assert!(
        refusal("{\"nodes\":[0],\"links\":[]}", "")
            .starts_with("line 1: a node, as in {\"id\":0} is wanted, and here is integer `0`; node-link JSON is")
    );
    assert!(refusal("{\"nodes\":[]}", "").contains("neither a list"));
    assert!(refusal("graph { a -- b } graph { }", "").contains("one graph is read"));
    assert!(refusal(">>graph6<<A_\nA_\n", "").starts_with("line 2: this is a second network"));
    assert!(refusal("A b", "a.g6").contains("' ' is not a character of graph6"));
}

#[test]
fn lists_without_an_extension_are_told_apart() {
    let links_of = |text: &str| links(&formats::read(text.as_bytes(), Path::new("net.txt")).unwrap());
    assert_eq!(links_of("0 1 7\n1 2\n2 7\n"), [(0, 1), (0, 3), (1, 2), (2, 3)], "an adjacency list");
    assert_eq!(links_of("a b 7\nb c 2\n"), [(0, 1), (1, 2)], "weights");
    assert_eq!(links_of("a b {'w': 3}\nb c {}\n"), [(0, 1), (1, 2)], "data");
    assert_eq!(links_of("(0, 0) (0, 1)\n(0, 1) (1, 1)\n"), [(0, 1), (1, 2)], "pairs");
    assert_eq!(links_of("A_"), [(0, 1)], "graph6");
    assert_eq!(links_of("# c\nstrict GRAPH { 1 -- 2 }"), [(0, 1)], "DOT");
    assert_eq!(links_of("graph theory\n"), [(0, 1)], "no DOT");
}
