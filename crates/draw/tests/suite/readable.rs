//! What stands in a picture can be read, and says what it belongs to.

use bellwether_core::{Id, Port};
use bellwether_draw::spacetime::{self, Direction};
use bellwether_draw::{Diagram, Lanes, Portrait, Recorder, text};
use bellwether_world::trace::{Event, EventKind, Header, Sent};
use bellwether_world::{Fault, Network, Scenario, Time, Topology, Wiring};
use roxmltree::{Document, Node};

use crate::support::{classed, trace};

/// A scenario on this network.
fn scenario(topology: &str) -> Scenario {
    let header: Header = serde_json::from_str(trace("ring").lines().next().unwrap()).unwrap();
    let topology = topology.parse::<Topology>().unwrap().build(1).unwrap();
    let ids = (0..topology.nodes()).map(|node| Id(node.into())).collect();
    Scenario { topology, ids, ..header.scenario }
}

/// How far a shape of straight lines reaches to the left and to the right.
fn reach(path: &str) -> (f64, f64) {
    let places = path.split(['M', 'L', 'z']).filter_map(|point| point.split_once(' ')?.0.parse::<f64>().ok());
    places.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
}

#[test]
fn a_cut_between_distant_lanes_leaves_those_between_alone() {
    let mut scenario = scenario("complete:6");
    scenario.faults = vec![Fault::parse("cut=0-4@0..2", &scenario.topology).unwrap()];
    let diagram = Recorder::new(&scenario, false, &Lanes::All).unwrap().finish(&[], String::new());
    let svg = spacetime::svg(&diagram, Direction::Down);
    let svg = Document::parse(&svg).unwrap();
    let of = |node: Node<'_, '_>| node.children().filter_map(|it| it.attribute("d").map(reach)).collect::<Vec<_>>();
    let lanes: Vec<f64> = classed(&svg, "lane").map(|lane| of(lane)[0].0).collect();
    let cut = classed(&svg, "cut").find(|node| node.has_tag_name("g")).map(of).unwrap();
    // A stripe at either lane, and the line that joins them.
    assert!(cut[0].0 == lanes[0] && cut[0].1 < lanes[1], "{cut:?} {lanes:?}");
    assert!(cut[1].0 > lanes[3] && cut[1].1 == lanes[4], "{cut:?} {lanes:?}");
    assert_eq!(cut[2], (lanes[0], lanes[4]));
}

/// A network of nodes with these names after a run in which nothing happened.
fn named(names: &[&str]) -> (Network, Diagram) {
    let mut scenario = scenario(&format!("complete:{}", names.len()));
    scenario.topology.names = names.iter().map(ToString::to_string).collect();
    let diagram = Recorder::new(&scenario, false, &Lanes::All).unwrap().finish(&[], String::new());
    (scenario.topology, diagram)
}

#[test]
fn every_lane_and_node_keeps_its_name_however_long_another_is() {
    let long = "amsterdam-north-holland-the-netherlands";
    let (network, diagram) = named(&["a", long, "b", "c"]);
    for direction in [Direction::Down, Direction::Right] {
        let svg = spacetime::svg(&diagram, direction);
        let svg = Document::parse(&svg).unwrap();
        let heading = |lane: Node<'_, '_>| {
            lane.children().find_map(|it| it.text().filter(|_| it.has_tag_name("text")).map(String::from))
        };
        let headings: Vec<_> = classed(&svg, "lane").filter_map(heading).collect();
        assert_eq!([&*headings[0], &*headings[2], &*headings[3]], ["a", "b", "c"]);
        assert!(headings[1].starts_with("amsterdam") && headings[1].ends_with('…'), "{headings:?}");
        assert!(svg.descendants().any(|it| it.has_tag_name("title") && it.text().is_some_and(|it| it.contains(long))));
    }
    let portrait = Portrait::new(&network).unwrap().svg(&[], "");
    assert!(
        portrait.contains(&format!("<title>node {long}</title>")) && portrait.contains(">amsterda…</text>"),
        "{portrait}"
    );
    let heads = |columns| text::draw(&diagram, columns).unwrap().lines().next().unwrap().to_string();
    assert!(heads(200).contains(long));
    let short: Vec<String> = heads(60).split_whitespace().map(String::from).collect();
    assert_eq!(short, ["a", "amsterd…rlands", "b", "c"]);
    // The last one is not cut off without a sign.
    assert!(text::draw(&named(&["a", long]).1, 200).unwrap().contains(long));
}

#[test]
fn a_picture_says_what_is_broken() {
    let recorder = Recorder::new(&scenario("ring:3"), false, &Lanes::All).unwrap();
    let broken = "broken: at most one leader at any instant".to_string();
    let svg = spacetime::svg(&recorder.finish(&[broken], String::new()), Direction::Down);
    let said = ">broken: at most one leader at any instant · nobody leads · 0 messages</text>";
    assert!(svg.contains(said), "{svg}");
}

/// A diagram of these lanes of a network, in which nodes send one message each by a port and none arrives.
fn sent(topology: &str, lanes: &str, sends: &[(u32, Port)]) -> Diagram {
    let scenario = scenario(topology);
    let mut recorder = Recorder::new(&scenario, false, &lanes.parse().unwrap()).unwrap();
    for (n, (node, port)) in sends.iter().enumerate() {
        let to = scenario.topology.far(*node, *port).0;
        let sent = vec![Sent { n: n as u64, to, port: *port, msg: serde_json::json!({"elect": n}) }];
        recorder.event(&Event { sent, ..Event::blank(Time::ZERO, *node, EventKind::Start) }).unwrap();
    }
    recorder.finish(&[], String::new())
}

#[test]
fn arrows_of_nodes_without_lanes_go_outwards() {
    let sends = [(0, Port::PREVIOUS), (199, Port::NEXT), (9, Port::NEXT), (10, Port::PREVIOUS)];
    for (lanes, outwards) in [("0-9", [-1.0, -1.0, 1.0, 1.0]), ("9-0", [1.0, 1.0, -1.0, -1.0])] {
        let svg = spacetime::svg(&sent("ring:200", lanes, &sends), Direction::Down);
        let svg = Document::parse(&svg).unwrap();
        let place = |node: &str| {
            let lane = classed(&svg, "lane").find(|lane| lane.attribute("data-node") == Some(node))?;
            Some(reach(lane.children().find_map(|it| it.attribute("d"))?).0)
        };
        for (message, side) in classed(&svg, "message").zip(outwards) {
            let [from, to] = ["data-from", "data-to"].map(|end| place(message.attribute(end).unwrap()));
            let line = message.children().find(|it| it.attribute("class") == Some("line")).unwrap();
            let (left, right) = reach(line.attribute("d").unwrap());
            let middle = (left + right) / 2.0;
            assert_eq!((middle - from.or(to).unwrap()).signum(), side, "{lanes}: {message:?}");
        }
        for said in ["elect(0) → 199", "elect(1) ← 199", "elect(2) → 10", "elect(3) ← 10"] {
            assert!(svg.descendants().any(|it| it.text() == Some(said)), "{lanes}: {said}");
        }
    }
}

#[test]
fn what_never_arrives_says_to_whom_it_was_sent() {
    let sends = [0, 1, 2].map(|port| (0, Port(port)));
    let diagram = sent("complete:4", "all", &sends);
    let svg = spacetime::svg(&diagram, Direction::Down);
    let drawn = text::draw(&diagram, 100).unwrap();
    for said in ["elect(0) → 1", "elect(1) → 2", "elect(2) → 3"] {
        assert!(svg.contains(&format!(">{said}</text>")), "{said}: {svg}");
        assert!(drawn.contains(said), "{drawn}");
    }
}
