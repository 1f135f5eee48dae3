//! Runs that are too large are counted and not drawn one by one. Foreign input is refused with its line.

use bellwether_core::{Id, Port, Span};
use bellwether_draw::spacetime::{self, Direction};
use bellwether_draw::{Diagram, DiagramBuilder, Ground, Lanes, MOST_MESSAGES, Portrait, Remarks, png, text};
use bellwether_net::{Network, Ring, Topology, Wiring};
use bellwether_world::trace::{Decision, Event, EventKind, Header, Received, Sent};
use bellwether_world::{Fault, Scenario, Time, Timing};
use roxmltree::Document;

use crate::support::{classed, diagram, reader, trace};

/// A ring on which a token goes round repeatedly.
fn round_and_round(nodes: u32, hops: u64, lanes: &Lanes) -> Diagram {
    let header: Header = serde_json::from_str(trace("ring").lines().next().unwrap()).unwrap();
    let topology = Network::from(Ring::new(nodes.into()).unwrap());
    let ids = (0..nodes).map(|node| Id(node.into())).collect();
    let scenario = Scenario { topology, ids, ..header.scenario };
    let mut recorder = DiagramBuilder::new(&scenario, false, lanes).unwrap();
    for n in 0..hops {
        let node = (n % u64::from(nodes)) as u32;
        let sent = vec![Sent { n, to: (node + 1) % nodes, port: Port::NEXT, msg: serde_json::json!({"token": n}) }];
        let event = Event { sent, ..Event::blank(Time::units(n.into()), node, EventKind::Receive) };
        recorder.event(&event).unwrap();
    }
    recorder.finish(&Remarks::default(), String::new())
}

#[test]
fn many_messages_become_a_density_and_the_file_stays_small() {
    let few = round_and_round(10, MOST_MESSAGES as u64, &Lanes::All);
    assert_eq!(few.messages.as_ref().map(Vec::len), Some(MOST_MESSAGES));
    let many = round_and_round(10, 200_000, &Lanes::All);
    assert!(many.messages.is_none());
    for direction in [Direction::Down, Direction::Right] {
        let svg = spacetime::svg(&many, direction);
        assert!(svg.len() < 200_000, "{}", svg.len());
        assert!(svg.contains("200,000"));
        assert_eq!(png(&svg, Ground::Light).err(), None);
    }
    assert!(text::draw(&many, 100, 400).unwrap_err().contains("too many messages"));
}

/// A complete network in which all nodes send to all others at once, `times` times. All messages have different delays.
fn everybody_to_everybody(nodes: u32, times: u32) -> Diagram {
    let header: Header = serde_json::from_str(trace("ring").lines().next().unwrap()).unwrap();
    let topology = format!("complete:{nodes}").parse::<Topology>().unwrap().build(1).unwrap();
    let ids = (0..nodes).map(|node| Id(node.into())).collect();
    let scenario = Scenario { topology, ids, timing: Timing::Uniform, ..header.scenario };
    let mut recorder = DiagramBuilder::new(&scenario, false, &Lanes::All).unwrap();
    let (mut sent, mut arrivals) = (0, vec![]);
    for time in 0..times {
        for node in 0..nodes {
            let mut event = Event::blank(Time::units(time.into()), node, EventKind::Receive);
            for port in 0..nodes - 1 {
                let (to, back) = scenario.topology.far(node, Port(port));
                let msg = serde_json::json!({"id": node});
                event.sent.push(Sent { n: sent, to, port: Port(port), msg: msg.clone() });
                let received = Received { n: sent, from: node, port: back, msg };
                arrivals.push((event.t + Span(1 + 7_919 * sent % 999_000), to, received));
                sent += 1;
            }
            recorder.event(&event).unwrap();
        }
    }
    for (time, node, received) in arrivals {
        let event = Event { received: vec![received], ..Event::blank(time, node, EventKind::Receive) };
        recorder.event(&event).unwrap();
    }
    recorder.finish(&Remarks::default(), String::new())
}

#[test]
fn arrows_are_drawn_as_long_as_they_are_legible() {
    for direction in [Direction::Down, Direction::Right] {
        for (diagram, is_legible) in [
            (everybody_to_everybody(4, 1), true),
            (everybody_to_everybody(6, 2), true),
            // Too much ink, and too many moments.
            (everybody_to_everybody(12, 11), false),
            (everybody_to_everybody(40, 1), false),
            (round_and_round(10, 300, &Lanes::All), true),
            (round_and_round(10, 2_000, &Lanes::All), false),
        ] {
            let svg = spacetime::svg(&diagram, direction);
            let messages = diagram.messages.as_ref().map(Vec::len);
            assert_eq!(svg.contains(">Space-time diagram with "), is_legible, "{messages:?}");
            assert_eq!(svg.contains(">Density of messages in "), !is_legible, "{messages:?}");
            let svg = Document::parse(&svg).unwrap();
            let side = |name: &str| svg.root_element().attribute(name).unwrap().parse::<u32>().unwrap();
            assert!(side("width").max(side("height")) < 10_400, "{messages:?}");
        }
    }
}

#[test]
fn what_is_lost_and_cut_is_seen_among_many_messages_too() {
    let header: Header = serde_json::from_str(trace("ring").lines().next().unwrap()).unwrap();
    let topology = Network::from(Ring::new(4).unwrap());
    let faults = ["cut=1-2@100..200", "cut=3-0@5.."].map(|fault| Fault::parse(fault, &topology).unwrap()).to_vec();
    let scenario = Scenario { topology, ids: (0..4).map(Id).collect(), faults, ..header.scenario };
    let mut recorder = DiagramBuilder::new(&scenario, false, &Lanes::All).unwrap();
    for n in 0..5_000 {
        let sent = vec![Sent { n, to: 1, port: Port::NEXT, msg: serde_json::json!({"token": n}) }];
        let event = Event { sent, ..Event::blank(Time::units(n.into()), 0, EventKind::Receive) };
        recorder.event(&event).unwrap();
        if n % 100 == 0 {
            recorder.event(&Event { kind: EventKind::Drop, ..event }).unwrap();
        }
    }
    let svg = spacetime::svg(&recorder.finish(&Remarks::default(), String::new()), Direction::Down);
    assert_eq!(png(&svg, Ground::Light).err(), None);
    assert!(svg.contains("some are lost, 50 in all") && svg.contains("link is cut"), "{svg}");
    assert!(svg.contains("<title>cut=1-2@100..200</title>") && svg.contains("<title>cut=3-0@5..</title>"), "{svg}");
}

#[test]
fn many_nodes_share_lanes_and_chosen_ones_have_their_own() {
    let many = round_and_round(10_000, 1_000, &Lanes::All);
    assert_eq!(many.lanes.len(), 127);
    assert_eq!(many.lanes[0].name, "0–78");
    let some = round_and_round(10_000, 1_000, &Lanes::These("3,1-2".into()));
    let names: Vec<&str> = some.lanes.iter().map(|lane| &*lane.name).collect();
    assert_eq!(names, ["3", "1", "2"]);
    // The arrival of node 0's message is seen, and the sending of node 3's.
    assert_eq!(some.messages.as_ref().map(Vec::len), Some(4));
}

#[test]
fn lanes_that_nodes_share_by_their_ids_are_called_by_ids() {
    let header: Header = serde_json::from_str(trace("ring").lines().next().unwrap()).unwrap();
    let topology = Network::from(Ring::new(1_000).unwrap());
    let ids = (0..1_000).map(|node| Id((7 * node) % 1_000)).collect();
    let scenario = Scenario { topology, ids, ..header.scenario };
    let names = |anonymous: bool| {
        let diagram = DiagramBuilder::new(&scenario, anonymous, &Lanes::ById).unwrap();
        diagram.finish(&Remarks::default(), String::new()).lanes[1].name.clone()
    };
    assert_eq!((names(false), names(true)), ("id 8–15".into(), "144 and 7 more".into()));
}

#[test]
fn no_two_names_of_lanes_are_on_top_of_each_other() {
    let header: Header = serde_json::from_str(trace("ring").lines().next().unwrap()).unwrap();
    let topology = Network::from(Ring::new(3_000).unwrap());
    let scenario = Scenario { topology, ids: (0..3_000).map(Id).collect(), ..header.scenario };
    let mut recorder = DiagramBuilder::new(&scenario, false, &Lanes::All).unwrap();
    let leads = Event { decision: Some(Decision::Leader), ..Event::blank(Time::units(9), 653, EventKind::Decide) };
    recorder.event(&leads).unwrap();
    let svg = spacetime::svg(&recorder.finish(&Remarks::default(), String::new()), Direction::Right);
    let svg = Document::parse(&svg).unwrap();
    let names = classed(&svg, "lane").filter_map(|lane| lane.children().find(|it| it.has_tag_name("text")));
    let names: Vec<(f64, &str)> =
        names.map(|it| (it.attribute("y").unwrap().parse().unwrap(), it.text().unwrap())).collect();
    assert!(names.iter().any(|(_, name)| *name == "648–671"), "{names:?}");
    assert!(names.windows(2).all(|pair| pair[1].0 - pair[0].0 > 12.0), "{names:?}");
    assert_eq!(classed(&svg, "band").count(), 1);
}

#[test]
fn a_trace_that_cannot_be_is_refused_with_the_line() {
    let read = |text: &str| Diagram::read(reader(text), false, &Lanes::All, String::new()).err().unwrap();
    let ring = trace("ring");
    assert!(read(&ring.replacen("\"node\":1", "\"node\":7", 1)).contains("line 3: there is no node 7"));
    let unsent = ring.lines().enumerate().filter(|(line, _)| *line != 1).map(|(_, line)| format!("{line}\n"));
    assert!(read(&unsent.collect::<String>()).contains("nobody has sent message 0"));
    assert!(read(&ring.replacen("\"kind\":\"receive\"", "\"kind\":\"receives\"", 1)).starts_with("line 5, column"));
    let cut: Vec<&str> = ring.lines().take(4).collect();
    assert_eq!(read(&cut.join("\n")), "line 5: the trace breaks off; its ending is missing");
}

#[test]
fn a_network_that_nobody_could_open_is_refused() {
    let complete = "complete:500".parse::<Topology>().unwrap().build(1).unwrap();
    assert!(Portrait::new(&complete).err().unwrap().contains("124,750 links"));
}

#[test]
fn text_that_does_not_fit_says_what_it_takes() {
    let refusal = text::draw(&diagram(trace("ring")), 20, 400).unwrap_err();
    let rows = text::draw(&diagram(trace("ring")), 160, 3).unwrap_err();
    assert!(rows.contains("rows, more than 3"), "{rows}");
    assert!(refusal.contains("columns, and here are 20"), "{refusal}");
}
