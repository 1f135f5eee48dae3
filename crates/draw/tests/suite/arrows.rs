//! Every message of a trace is an arrow with the right ends at the right times.

use std::collections::BTreeMap;

use bellwether_draw::spacetime::{self, Direction};
use bellwether_world::Time;
use bellwether_world::trace::EventKind;
use roxmltree::{Document, Node};

use crate::support::{TRACES, classed, diagram, events};

/// A message in the trace: its ends, the time of sending, and the times when it arrived or reached a node that was
/// down.
type Story = (u32, u32, Time, Vec<Time>);

fn told(text: &str) -> Vec<Story> {
    let (mut messages, mut places): (Vec<Story>, BTreeMap<(u32, u64), usize>) = Default::default();
    for event in events(text) {
        for received in &event.received {
            messages[places[&(received.from, received.n)]].3.push(event.t);
        }
        if !matches!(event.kind, EventKind::Drop | EventKind::Duplicate) {
            for sent in &event.sent {
                places.insert((event.node, sent.n), messages.len());
                messages.push((event.node, sent.to, event.t, vec![]));
            }
        }
    }
    messages
}

/// The points of a path of straight lines.
fn points(path: &str) -> Vec<(f64, f64)> {
    let point = |text: &str| {
        let (x, y) = text.split_once(' ').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    path.split(['M', 'L']).filter(|text| !text.is_empty()).map(point).collect()
}

fn lines<'a>(group: Node<'a, 'a>) -> Vec<Vec<(f64, f64)>> {
    let is_line = |node: &Node<'_, '_>| node.attribute("class") == Some("line");
    group.children().filter(is_line).map(|line| points(line.attribute("d").unwrap())).collect()
}

#[test]
fn every_message_is_an_arrow_with_its_ends_and_times() {
    for (name, text) in TRACES {
        let svg = spacetime::svg(&diagram(text), Direction::Down);
        let svg = Document::parse(&svg).unwrap();
        let messages = told(text);
        assert_eq!(classed(&svg, "message").count(), messages.len(), "{name}");
        for arrow in classed(&svg, "message") {
            let of = |name: &str| arrow.attribute(name).unwrap();
            let (from, to, sent, received) = &messages[of("data-n").parse::<usize>().unwrap()];
            assert_eq!((of("data-from"), of("data-to")), (&*from.to_string(), &*to.to_string()), "{name}");
            assert_eq!(of("data-sent"), sent.to_string());
            let times: Vec<String> = received.iter().map(Time::to_string).collect();
            assert_eq!(of("data-received"), times.join(" "), "{name}");
        }
    }
}

#[test]
fn arrows_go_from_lane_to_lane_and_from_moment_to_moment() {
    for (name, text) in TRACES {
        for direction in [Direction::Down, Direction::Right] {
            let svg = spacetime::svg(&diagram(text), direction);
            let svg = Document::parse(&svg).unwrap();
            let turned = |(x, y): (f64, f64)| if direction == Direction::Down { (x, y) } else { (y, x) };
            let lane = |lane: Node<'_, '_>| {
                let path = lane.children().find_map(|child| child.attribute("d")).unwrap();
                (lane.attribute("data-node").unwrap().to_string(), turned(points(path)[0]).0)
            };
            let lanes: BTreeMap<String, f64> = classed(&svg, "lane").map(lane).collect();
            // A moment has exactly one place, and later moments lie farther on.
            let mut places: BTreeMap<Time, f64> = BTreeMap::new();
            for arrow in classed(&svg, "message") {
                let of = |name: &str| arrow.attribute(name).unwrap();
                let lines = lines(arrow);
                let first = turned(lines[0][0]);
                assert_eq!(first.0, lanes[of("data-from")], "{name}");
                let sent = of("data-sent").parse().unwrap();
                assert_eq!(*places.entry(sent).or_insert(first.1), first.1, "{name}");
                for (line, time) in lines.iter().zip(of("data-received").split_whitespace()) {
                    let last = turned(line[line.len() - 1]);
                    assert_eq!(last.0, lanes[of("data-to")], "{name}");
                    assert_eq!(*places.entry(time.parse().unwrap()).or_insert(last.1), last.1, "{name}");
                }
            }
            assert!(places.values().collect::<Vec<_>>().is_sorted_by(|a, b| a < b), "{name}");
        }
    }
}

#[test]
fn what_happens_to_nodes_is_marked() {
    let wanted = [
        ("ring", "leads", 1),
        ("ring", "follows", 2),
        ("crash", "crashes", 1),
        ("crash", "is up again", 1),
        ("crash", "hears of a crash", 4),
        ("counterexample", "leads", 2),
        ("counterexample", "timer goes off", 2),
        ("chance", "random choice", 5),
    ];
    for (name, text) in TRACES {
        let svg = spacetime::svg(&diagram(text), Direction::Down);
        let svg = Document::parse(&svg).unwrap();
        for (_, sign, count) in wanted.iter().filter(|(trace, ..)| *trace == name) {
            let marked = classed(&svg, "mark").filter(|mark| {
                mark.children()
                    .any(|child| child.has_tag_name("title") && child.text().is_some_and(|text| text.contains(sign)))
            });
            assert_eq!(marked.count(), *count, "{name}: {sign}");
        }
    }
}
