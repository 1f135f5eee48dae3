//! Texts in a picture are readable, and it is clear what they belong to.

use bellwether_core::{Id, Port};
use bellwether_draw::spacetime::{self, Direction};
use bellwether_draw::{Diagram, DiagramBuilder, Ground, Lanes, Portrait, Remarks, png, text};
use bellwether_net::{Network, Topology, Wiring};
use bellwether_world::trace::{Event, EventKind, Header, Received, Sent};
use bellwether_world::{Fault, Scenario, Time};
use roxmltree::{Document, Node};

use crate::support::{classed, svg, trace};

/// A scenario on this network.
fn scenario(topology: &str) -> Scenario {
    let header: Header = serde_json::from_str(trace("ring").lines().next().unwrap()).unwrap();
    let topology = topology.parse::<Topology>().unwrap().build(1).unwrap();
    let ids = (0..topology.nodes()).map(|node| Id(node.into())).collect();
    Scenario { topology, ids, ..header.scenario }
}

/// The left and right end of a shape of straight lines.
fn reach(path: &str) -> (f64, f64) {
    let places = path.split(['M', 'L', 'z']).filter_map(|point| point.split_once(' ')?.0.parse::<f64>().ok());
    places.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
}

#[test]
fn a_cut_between_distant_lanes_leaves_those_between_alone() {
    let mut scenario = scenario("complete:6");
    scenario.faults = vec![Fault::parse("cut=0-4@0..2", &scenario.topology).unwrap()];
    let diagram =
        DiagramBuilder::new(&scenario, false, &Lanes::All).unwrap().finish(&Remarks::default(), String::new());
    let svg = spacetime::svg(&diagram, Direction::Down);
    let svg = Document::parse(&svg).unwrap();
    let of = |node: Node<'_, '_>| node.children().filter_map(|it| it.attribute("d").map(reach)).collect::<Vec<_>>();
    let lanes: Vec<f64> = classed(&svg, "lane").map(|lane| of(lane)[0].0).collect();
    let cut = classed(&svg, "cut").find(|node| node.has_tag_name("g")).map(of).unwrap();
    // A stripe at each lane, and the line that joins them.
    assert!(cut[0].0 == lanes[0] && cut[0].1 < lanes[1], "{cut:?} {lanes:?}");
    assert!(cut[1].0 > lanes[3] && cut[1].1 == lanes[4], "{cut:?} {lanes:?}");
    assert_eq!(cut[2], (lanes[0], lanes[4]));
}

/// A network of nodes with these names, after a run without events.
fn named(names: &[&str]) -> (Network, Diagram) {
    let mut scenario = scenario(&format!("complete:{}", names.len()));
    scenario.topology.names = names.iter().map(ToString::to_string).collect();
    let diagram =
        DiagramBuilder::new(&scenario, false, &Lanes::All).unwrap().finish(&Remarks::default(), String::new());
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
        assert!(headings[1].starts_with("amster") && headings[1].ends_with("rlands"), "{headings:?}");
        assert!(svg.descendants().any(|it| it.has_tag_name("title") && it.text().is_some_and(|it| it.contains(long))));
    }
    let portrait = Portrait::new(&network).unwrap().svg(&Remarks::default(), "");
    assert!(portrait.contains(&format!("<title>node {long}</title>")), "{portrait}");
    let heads = |columns| text::draw(&diagram, columns, 400).unwrap().lines().next().unwrap().to_string();
    assert!(heads(200).contains(long));
    let short: Vec<String> = heads(60).split_whitespace().map(String::from).collect();
    assert_eq!(short, ["a", "amsterd…rlands", "b", "c"]);
    // The last name is not cut off without a sign.
    assert!(text::draw(&named(&["a", long]).1, 200, 400).unwrap().contains(long));
}

#[test]
fn a_picture_says_what_is_broken() {
    let recorder = DiagramBuilder::new(&scenario("ring:3"), false, &Lanes::All).unwrap();
    let broken = "broken: at most one leader at any instant".to_string();
    let svg = spacetime::svg(
        &recorder.finish(&Remarks { broken: &[broken], ..Remarks::default() }, String::new()),
        Direction::Down,
    );
    let said = ">broken: at most one leader at any instant · nobody leads · messages: 0 to elect</text>";
    assert!(svg.contains(said), "{svg}");
}

#[test]
fn of_a_run_that_was_interrupted_nothing_is_known() {
    let interrupted = trace("ring").replace(r#"{"end":"elected""#, r#"{"interrupted":true,"end":"limit""#);
    let svg = svg(&interrupted);
    assert!(svg.contains(">not known: interrupted while node 1 (id 3) led · last decision at "), "{svg}");
}

/// The picture of a ring of three, in which these nodes start in these roles.
fn started(roles: &[(u32, &str)]) -> String {
    let mut recorder = DiagramBuilder::new(&scenario("ring:3"), false, &Lanes::All).unwrap();
    for (node, role) in roles {
        let start = Event::blank(Time::ZERO, *node, EventKind::Start);
        recorder.event(&Event { role: Some((*role).into()), ..start }).unwrap();
    }
    spacetime::svg(&recorder.finish(&Remarks::default(), String::new()), Direction::Down)
}

#[test]
fn the_role_in_which_a_node_starts_is_told() {
    let one = started(&[(0, "participant")]);
    assert!(one.contains("<title>node 0 starts: participant (t=0)</title>"), "{one}");
    assert_eq!(notes(&one), ["participant"]);
    assert!(one.contains(">starts</text>"), "{one}");
    let different = started(&[(0, "red"), (1, "blue"), (2, "red")]);
    assert_eq!(notes(&different), ["red", "blue", "red"]);
    // If all lanes start in the same role, it is shown once, in the legend.
    let same = started(&[(0, "active"), (1, "active"), (2, "active")]);
    assert!(same.contains(">starts: active</text>") && notes(&same).is_empty(), "{same}");
    assert!(same.contains("<title>node 2 starts: active (t=0)</title>"), "{same}");
}

/// The words beside signs.
fn notes(svg: &str) -> Vec<String> {
    let svg = Document::parse(svg).unwrap();
    let notes = svg.descendants().filter(|it| it.attribute("class") == Some("said note"));
    notes.filter_map(|it| it.text().map(String::from)).collect()
}

/// The events of a node that takes these roles one after the other, a unit of time each.
fn turns(node: u32, roles: &[&str]) -> Vec<Event> {
    let event = |(time, role): (u128, &&str)| {
        let kind = if time == 0 { EventKind::Start } else { EventKind::Receive };
        Event { role: Some((*role).into()), ..Event::blank(Time::units(time), node, kind) }
    };
    (0..).zip(roles).map(event).collect()
}

#[test]
fn roles_differ_in_colour_and_shape_on_lanes_and_in_networks() {
    let scenario = scenario("ring:6");
    let mut recorder = DiagramBuilder::new(&scenario, false, &Lanes::All).unwrap();
    let mut portrait = Portrait::of_run(&scenario, false).unwrap();
    let roles = ["active", "relay", "passive", "marked"];
    // Node 0 takes all roles, the others end in one each, and node 5 sleeps.
    let mut events = turns(0, &roles);
    (1..5).for_each(|node| events.extend(turns(node, &roles[..node as usize])));
    events.sort_by_key(|event| event.t);
    for event in &events {
        recorder.event(event).unwrap();
        portrait.event(event).unwrap();
    }
    let svg = spacetime::svg(&recorder.finish(&Remarks::default(), String::new()), Direction::Down);
    let time = Document::parse(&svg).unwrap();
    let classes = |node: &str| -> Vec<String> {
        let lane = classed(&time, "lane").find(|lane| lane.attribute("data-node") == Some(node)).unwrap();
        lane.children().filter_map(|it| it.attribute("d").and(it.attribute("class")).map(String::from)).collect()
    };
    assert_eq!(classes("0"), ["asleep", "lane0", "lane1", "lane2", "lane3"]);
    assert_eq!((classes("1"), classes("5")), (vec!["asleep".into(), "lane0".into()], vec!["asleep".into()]));
    for name in roles.iter().chain(&["asleep"]) {
        assert!(svg.contains(&format!(">{name}</text>")), "{name} has no entry in the legend");
    }
    let picture = portrait.svg(&Remarks::default(), "");
    let network = Document::parse(&picture).unwrap();
    // By node: its class, and the commands of its outline.
    let looks: Vec<(String, String)> = classed(&network, "place")
        .map(|place| {
            let shape = place.children().find(|it| it.has_tag_name("path")).unwrap();
            let outline = shape.attribute("d").unwrap().chars().filter(char::is_ascii_alphabetic).collect();
            (shape.attribute("class").unwrap().into(), outline)
        })
        .collect();
    let expected = [
        ("node role3", "MLLLz"),
        ("node role0", "Maaz"),
        ("node role1", "MLLLz"),
        ("node role2", "MLLLLLz"),
        ("node role3", "MLLLz"),
        ("node sleeps", "Maaz"),
    ];
    assert_eq!(looks, expected.map(|(class, outline)| (class.into(), outline.into())));
    assert!(picture.contains(">marked × 2</text>") && picture.contains(">asleep × 1</text>"), "{picture}");
}

#[test]
fn a_halo_is_a_text_of_its_own_right_below() {
    for name in ["ring", "faults", "crash", "graph"] {
        let svg = svg(trace(name));
        assert!(!svg.contains("paint-order"), "{name}");
        let svg = Document::parse(&svg).unwrap();
        let mut count = 0;
        for said in classed(&svg, "said") {
            let halo = said.prev_sibling_element().unwrap();
            assert_eq!(halo.attribute("class"), Some("halo"), "{name}: {said:?}");
            let same = |it: Node<'_, '_>| (it.text().map(String::from), it.attribute("x").map(String::from));
            assert_eq!(same(halo), same(said), "{name}");
            count += 1;
        }
        assert!(count > 3, "{name}: {count}");
    }
}

#[test]
fn what_is_the_name_of_a_timer_says_so() {
    let mut recorder = DiagramBuilder::new(&scenario("ring:3"), false, &Lanes::All).unwrap();
    for event in turns(1, &["candidate", "beaten"]) {
        recorder.event(&event).unwrap();
    }
    let timeout = Event::blank(Time::units(1), 1, EventKind::Timeout);
    recorder.event(&Event { timer: Some(serde_json::json!("answer")), ..timeout }).unwrap();
    let diagram = recorder.finish(&Remarks::default(), String::new());
    assert_eq!(notes(&spacetime::svg(&diagram, Direction::Down)), ["candidate", "beaten, answer timer"]);
    // In a text the sign before a word says it: the legend names both signs.
    let text = text::draw(&diagram, 80, 400).unwrap();
    assert!(text.contains("◆beaten◷answer") && text.contains("◆ new role · ◷ timer goes off"), "{text}");
}

#[test]
fn lanes_of_a_text_tell_roles_apart() {
    let mut recorder = DiagramBuilder::new(&scenario("ring:3"), false, &Lanes::All).unwrap();
    for event in turns(0, &["active", "relay"]).into_iter().chain(turns(1, &["active", "active"])) {
        recorder.event(&event).unwrap();
    }
    recorder.event(&Event::blank(Time::units(2), 1, EventKind::Timeout)).unwrap();
    let text = text::draw(&recorder.finish(&Remarks::default(), String::new()), 80, 400).unwrap();
    let last = text.lines().find(|line| line.starts_with("t=2")).unwrap();
    assert_eq!(last.split_whitespace().collect::<Vec<_>>(), ["t=2", "╎", "◷", "·"], "{text}");
    assert!(text.contains("│ active · ╎ relay"), "{text}");
}

#[test]
fn a_link_that_is_cut_one_way_shows_which() {
    let mut scenario = scenario("ring:5");
    scenario.faults = ["oneway=1>2@0..2", "cut=3-4@0..2", "loss=0.1", "duplicate=0.1", "crash=0@9"]
        .map(|fault| Fault::parse(fault, &scenario.topology).unwrap())
        .to_vec();
    let recorder = DiagramBuilder::new(&scenario, false, &Lanes::All).unwrap();
    let time = spacetime::svg(&recorder.finish(&Remarks::default(), String::new()), Direction::Down);
    let network = Portrait::of_run(&scenario, false).unwrap().svg(&Remarks::default(), "");
    for svg in [&time, &network] {
        assert!(svg.contains("<title>oneway=1&gt;2@0..2: what node 1 sends to node 2 is lost</title>"), "{svg}");
        assert!(svg.contains("<title>cut=3-4@0..2</title>"), "{svg}");
        assert!(svg.contains(">link is cut in this direction only</text>") && svg.contains(">link is cut</text>"));
        assert!(svg.contains(" · duplicate=0.1 · 1 more fault</title>"), "{svg}");
        assert_eq!(png(svg, Ground::Light).err(), None);
    }
    // From lane 1 towards lane 2.
    let time = Document::parse(&time).unwrap();
    let cut = classed(&time, "cut").find(|it| it.children().any(|it| it.attribute("class") == Some("fails sign")));
    let way = cut.unwrap().children().find(|it| it.attribute("class") == Some("fails sign")).unwrap();
    let ends: Vec<f64> = way.attribute("d").unwrap().split(['M', 'L', ' ']).filter_map(|it| it.parse().ok()).collect();
    assert!(ends[0] < ends[2] && ends[1] == ends[3], "{ends:?}");
}

#[test]
fn a_copy_of_a_message_has_its_place_in_the_legend() {
    assert!(svg(trace("faults")).contains(">copy made by the link</text>"));
    assert!(!svg(trace("ring")).contains(">copy made by the link</text>"));
}

#[test]
fn time_that_is_stretched_says_so() {
    let says = ">time is not to scale: what is close is drawn apart</text>";
    assert!(svg(trace("live")).contains(says));
    assert!(!svg(trace("ring")).contains(says));
}

#[test]
fn long_ids_stay_apart_and_within_the_picture() {
    let mut scenario = scenario("ring:4");
    scenario.ids = [u64::MAX, u64::MAX - 1, 7, u64::MAX - 2].map(Id).to_vec();
    let mut recorder = DiagramBuilder::new(&scenario, false, &Lanes::All).unwrap();
    for (node, id) in scenario.ids.iter().enumerate() {
        let (to, n) = (scenario.topology.far(node as u32, Port::NEXT).0, node as u64);
        let sent = vec![Sent { n, to, port: Port::NEXT, msg: serde_json::json!({"elect": id}) }];
        recorder.event(&Event { sent, ..Event::blank(Time::ZERO, node as u32, EventKind::Start) }).unwrap();
        let received =
            vec![Received { n, from: node as u32, port: Port::PREVIOUS, msg: serde_json::json!({"elect": id}) }];
        recorder.event(&Event { received, ..Event::blank(Time::units(1), to, EventKind::Receive) }).unwrap();
    }
    let svg = spacetime::svg(&recorder.finish(&Remarks::default(), String::new()), Direction::Down);
    let svg = Document::parse(&svg).unwrap();
    let wide: f64 = svg.root_element().attribute("width").unwrap().parse().unwrap();
    let mut said: Vec<&str> = classed(&svg, "said").filter_map(|it| it.text()).collect();
    for text in classed(&svg, "said") {
        let half = 0.31 * 10.0 * text.text().unwrap().chars().count() as f64;
        assert!(text.attribute("x").unwrap().parse::<f64>().unwrap() + half < wide, "{text:?}");
    }
    said.sort_unstable();
    said.dedup();
    assert_eq!(said, ["elect(184…9551613)", "elect(184…9551614)", "elect(184…9551615)", "elect(7)"]);
}

/// The texts beside and in the nodes of a network.
fn written(portrait: &str) -> Vec<String> {
    let svg = Document::parse(portrait).unwrap();
    let is_text = |it: &Node<'_, '_>| it.has_tag_name("text") && it.attribute("class") != Some("halo");
    let texts = classed(&svg, "place").flat_map(|place| place.children().filter(is_text));
    texts.filter_map(|text| text.text().map(String::from)).collect()
}

#[test]
fn names_of_a_network_stay_distinct() {
    for (count, topology) in [(14, "ring:14"), (60, "complete:60"), (100, "gnp:100:0.1")] {
        let mut network = topology.parse::<Topology>().unwrap().build(1).unwrap();
        network.names = (0..count).map(|node| format!("switch-rack-{node:02}")).collect();
        let mut names = written(&Portrait::new(&network).unwrap().svg(&Remarks::default(), ""));
        assert_eq!(names.len(), count, "{topology}");
        if topology == "ring:14" {
            assert!(names.contains(&"switch-rack-00".into()), "{names:?}");
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{topology}: {names:?}");
    }
}

#[test]
fn a_ring_of_more_than_sixty_nodes_has_names_and_ids() {
    let scenario = scenario("ring:64");
    let portrait = Portrait::of_run(&scenario, false).unwrap().svg(&Remarks::default(), "");
    let words = written(&portrait);
    for node in 0..64 {
        assert!(words.contains(&node.to_string()) && words.contains(&format!("id {node}")), "{node}: {words:?}");
        assert!(portrait.contains(&format!("<title>node {node} (id {node}): asleep</title>")));
    }
}

#[test]
fn the_words_around_a_large_picture_grow_with_it() {
    let scale = |topology: &str| {
        let network = topology.parse::<Topology>().unwrap().build(1).unwrap();
        let svg = Portrait::new(&network).unwrap().svg(&Remarks::default(), "");
        let svg = Document::parse(&svg).unwrap();
        let scale = |it: Node<'_, '_>| it.attribute("transform")?.split_once("scale(").map(|it| it.1.to_string());
        svg.root_element().children().filter_map(scale).collect::<Vec<_>>()
    };
    assert_eq!(scale("ring:20"), [] as [&str; 0]);
    assert_eq!(scale("ring:1000"), ["1.7)", "1.7)"]);
}

/// A diagram of these lanes of a network. Each of these nodes sends one message by a port, and none arrives.
fn sent(topology: &str, lanes: &str, sends: &[(u32, Port)]) -> Diagram {
    let scenario = scenario(topology);
    let mut recorder = DiagramBuilder::new(&scenario, false, &lanes.parse().unwrap()).unwrap();
    for (n, (node, port)) in sends.iter().enumerate() {
        let to = scenario.topology.far(*node, *port).0;
        let sent = vec![Sent { n: n as u64, to, port: *port, msg: serde_json::json!({"elect": n}) }];
        recorder.event(&Event { sent, ..Event::blank(Time::ZERO, *node, EventKind::Start) }).unwrap();
    }
    recorder.finish(&Remarks::default(), String::new())
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
    let drawn = text::draw(&diagram, 100, 400).unwrap();
    for said in ["elect(0) → 1", "elect(1) → 2", "elect(2) → 3"] {
        assert!(svg.contains(&format!(">{said}</text>")), "{said}: {svg}");
        assert!(drawn.contains(said), "{drawn}");
    }
}
