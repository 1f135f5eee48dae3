//! What is too large is counted and not drawn one by one; what is foreign is refused with its line.

use bellwether_core::{Id, Port};
use bellwether_draw::diagram::Traffic;
use bellwether_draw::spacetime::{self, Direction};
use bellwether_draw::{Diagram, Lanes, MOST_MESSAGES, Portrait, Recorder, text};
use bellwether_world::trace::{Event, EventKind, Header, Sent};
use bellwether_world::{Fault, Network, Ring, Scenario, Time, Topology};

use crate::support::{diagram, reader, trace};

/// A ring on which a token goes round and round.
fn round_and_round(nodes: u32, hops: u64, lanes: &Lanes) -> Diagram {
    let header: Header = serde_json::from_str(trace("ring").lines().next().unwrap()).unwrap();
    let topology = Network::from(Ring::new(nodes.into()).unwrap());
    let ids = (0..nodes).map(|node| Id(node.into())).collect();
    let scenario = Scenario { topology, ids, ..header.scenario };
    let mut recorder = Recorder::new(&scenario, false, lanes).unwrap();
    for n in 0..hops {
        let node = (n % u64::from(nodes)) as u32;
        let sent = vec![Sent { n, to: (node + 1) % nodes, port: Port::NEXT, msg: serde_json::json!({"token": n}) }];
        let event = Event { sent, ..Event::blank(Time::units(n.into()), node, EventKind::Receive) };
        recorder.event(&event).unwrap();
    }
    recorder.finish(&[], String::new())
}

#[test]
fn many_messages_become_a_density_and_the_file_stays_small() {
    let few = round_and_round(10, MOST_MESSAGES as u64, &Lanes::All);
    assert!(matches!(&few.traffic, Traffic::Each(messages) if messages.len() == MOST_MESSAGES));
    let many = round_and_round(10, 200_000, &Lanes::All);
    assert!(matches!(many.traffic, Traffic::Density(_)));
    for direction in [Direction::Down, Direction::Right] {
        let svg = spacetime::svg(&many, direction);
        assert!(svg.len() < 200_000, "{}", svg.len());
        assert!(svg.contains("200,000"));
    }
    assert!(text::draw(&many, 100).unwrap_err().contains("--svg"));
}

#[test]
fn what_is_lost_and_cut_is_seen_among_many_messages_too() {
    let header: Header = serde_json::from_str(trace("ring").lines().next().unwrap()).unwrap();
    let topology = Network::from(Ring::new(4).unwrap());
    let faults = ["cut=1-2@100..200", "cut=3-0@5.."].map(|fault| Fault::parse(fault, &topology).unwrap()).to_vec();
    let scenario = Scenario { topology, ids: (0..4).map(Id).collect(), faults, ..header.scenario };
    let mut recorder = Recorder::new(&scenario, false, &Lanes::All).unwrap();
    for n in 0..5_000 {
        let sent = vec![Sent { n, to: 1, port: Port::NEXT, msg: serde_json::json!({"token": n}) }];
        let event = Event { sent, ..Event::blank(Time::units(n.into()), 0, EventKind::Receive) };
        recorder.event(&event).unwrap();
        if n % 100 == 0 {
            recorder.event(&Event { kind: EventKind::Drop, ..event }).unwrap();
        }
    }
    let svg = spacetime::svg(&recorder.finish(&[], String::new()), Direction::Down);
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
    // Of node 0's message the arrival is seen, and of node 3's the sending.
    assert!(matches!(&some.traffic, Traffic::Each(messages) if messages.len() == 4));
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
    let refusal = text::draw(&diagram(trace("ring")), 30).unwrap_err();
    assert!(refusal.contains("columns, and here are 30"), "{refusal}");
}
