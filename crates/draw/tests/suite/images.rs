//! A picture is well-formed, and a PNG of it shows something.

use bellwether_draw::{Ground, Portrait, Remarks, png};
use bellwether_net::Topology;
use roxmltree::Document;

use crate::support::{Pixels, TRACES, reader, svg};

#[test]
fn a_png_shows_the_picture_at_twice_its_size() {
    let svg = svg(TRACES[0].1);
    let pixels = Pixels::of(&svg, Ground::Light);
    let root = Document::parse(&svg).unwrap();
    let size = |name: &str| root.root_element().attribute(name).unwrap().parse::<u32>().unwrap();
    assert_eq!((pixels.width, pixels.height), (2 * size("width"), 2 * size("height")));
    let inked = pixels.inked();
    assert!((0.02..0.6).contains(&inked), "{inked}");
}

#[test]
fn text_needs_no_font_of_the_machine() {
    let page = |text: &str| format!("<svg xmlns='http://www.w3.org/2000/svg' width='200' height='30'>{text}</svg>");
    let ground = "<path fill='#ffffff' d='M0 0h200v30h-200z'/>";
    for family in ["DejaVu Sans", "no such font", "monospace"] {
        let text = format!("{ground}<text x='5' y='20' font-family='{family}'>elect(8)</text>");
        assert!(Pixels::of(&page(&text), Ground::Light).inked() > 0.02, "{family}");
    }
    assert_eq!(Pixels::of(&page(ground), Ground::Light).inked(), 0.0);
    assert!(png("no picture", Ground::Light).is_err());
}

#[test]
fn pictures_are_described_for_those_who_do_not_see_them() {
    for (name, text) in TRACES {
        let svg = svg(text);
        let svg = Document::parse(&svg).unwrap();
        let of =
            |tag: &str| svg.root_element().children().find(|child| child.has_tag_name(tag)).unwrap().text().unwrap();
        assert!(of("title").contains(" on "), "{name}");
        assert!(of("desc").starts_with("Space-time diagram with"), "{name}");
        assert!(of("style").contains("prefers-color-scheme:dark"));
    }
}

#[test]
fn names_are_escaped() {
    let header = TRACES[0].1.replacen(
        "\"ring:3\"",
        r#"{"name":"<&\">","nodes":3,"links":[[0,1],[0,2],[1,2]],"names":["<b>","&","\u001b"],"oriented":true}"#,
        1,
    );
    let svg = svg(&header);
    let svg = Document::parse(&svg).unwrap();
    assert!(svg.descendants().any(|node| node.text() == Some("<b>")));
    let network = reader(&header).header.scenario.topology;
    let portrait = Portrait::new(&network).unwrap().svg(&Remarks::default(), "");
    assert!(Document::parse(&portrait).unwrap().descendants().any(|node| node.text() == Some("&")));
}

#[test]
fn every_network_has_a_picture() {
    for name in [
        "ring:1",
        "ring:2",
        "ring:5",
        "path:1",
        "path:40",
        "star:2",
        "star:9",
        "complete:6",
        "grid:3x4",
        "torus:2x2",
        "hypercube:0",
        "hypercube:3",
        "binary-tree:9",
        "tree:30",
        "gnp:30:0.2",
    ] {
        let network = name.parse::<Topology>().unwrap().build(1).unwrap();
        let svg = Portrait::new(&network).unwrap().svg(&Remarks::default(), "");
        assert_eq!(svg, Portrait::new(&network).unwrap().svg(&Remarks::default(), ""), "{name}");
        assert_eq!(png(&svg, Ground::Light).err(), None, "{name}");
        let nodes = Document::parse(&svg)
            .unwrap()
            .descendants()
            .filter(|node| node.attribute("class") == Some("place"))
            .count();
        assert_eq!(nodes, name.parse::<Topology>().unwrap().nodes().unwrap() as usize, "{name}");
    }
}

/// Elements cost time, so a picture of very many links has few elements.
#[test]
fn a_crowd_of_links_is_drawn_in_a_few_strokes() {
    for (name, links) in [("complete:300", Some("only 4,000 of 44,850 links are drawn")), ("star:5000", None)] {
        let network = name.parse::<Topology>().unwrap().build(1).unwrap();
        let svg = Portrait::new(&network).unwrap().svg(&Remarks::default(), "");
        let svg = Document::parse(&svg).unwrap();
        let strokes = svg.descendants().filter(|it| it.attribute("class") == Some("link")).count();
        assert!((5..20).contains(&strokes), "{name}: {strokes}");
        let said = svg.descendants().filter_map(|it| it.text()).find(|text| text.contains("links are drawn"));
        assert_eq!(said, links, "{name}");
        let side = svg.root_element().attribute("width").unwrap().parse::<u32>().unwrap();
        assert!(side < 1_500, "{name}: {side}");
    }
}
