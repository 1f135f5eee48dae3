//! Recorded runs, and their pictures.

use bellwether_draw::{Diagram, Lanes, spacetime};
use bellwether_world::trace::{Event, Line, Reader};
use roxmltree::{Document, Node};

/// Every recorded run: its name and its text.
pub const TRACES: [(&str, &str); 7] = [
    ("ring", include_str!("../traces/ring.ndjson")),
    ("crash", include_str!("../traces/crash.ndjson")),
    ("faults", include_str!("../traces/faults.ndjson")),
    ("counterexample", include_str!("../traces/counterexample.ndjson")),
    ("chance", include_str!("../traces/chance.ndjson")),
    ("live", include_str!("../traces/live.ndjson")),
    ("graph", include_str!("../traces/graph.ndjson")),
];

/// The text of a recorded run.
pub fn trace(name: &str) -> &'static str {
    TRACES.iter().find(|(other, _)| *other == name).unwrap().1
}

/// A reader of a trace.
pub fn reader(text: &str) -> Reader<&[u8]> {
    Reader::new(text.as_bytes()).unwrap()
}

/// The events of a trace.
pub fn events(text: &str) -> Vec<Event> {
    let mut reader = reader(text);
    let lines = std::iter::from_fn(|| reader.next_line().unwrap());
    lines.filter_map(|line| if let Line::Event(event) = line { Some(event) } else { None }).collect()
}

/// The diagram of a trace, with all lanes.
pub fn diagram(text: &str) -> Diagram {
    Diagram::read(reader(text), false, &Lanes::All, "bellwether replay run.ndjson".into()).unwrap()
}

/// The picture of a trace, with time downwards.
pub fn svg(text: &str) -> String {
    spacetime::svg(&diagram(text), spacetime::Direction::Down)
}

/// The elements of a class.
pub fn classed<'a>(svg: &'a Document<'a>, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    let has = move |node: &Node<'_, '_>| node.attribute("class").is_some_and(|it| it.split(' ').any(|it| it == class));
    svg.descendants().filter(has)
}
