//! The replay page contains the run, and nothing else.

use bellwether_draw::{Lanes, MOST_EVENTS, Reel, Remarks};
use bellwether_net::Wiring;
use bellwether_world::Time;
use bellwether_world::trace::{Event, EventKind, Received};
use serde_json::Value;

use crate::support::{TRACES, events, reader, trace};

/// The page of a trace.
fn page(text: &str) -> String {
    let mut reel = Reel::new(&reader(text).header.scenario, false, &Lanes::All).unwrap();
    events(text).iter().for_each(|event| reel.event(event).unwrap());
    reel.finish(&Remarks::default(), "bellwether replay run.ndjson")
}

/// The run in a page.
fn reel(page: &str) -> Value {
    let (_, rest) = page.split_once(r#"<script type="application/json" id="reel">"#).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn list<'a>(reel: &'a Value, part: &str, column: &str) -> &'a Vec<Value> {
    reel[part][column].as_array().unwrap_or_else(|| panic!("{part}.{column}"))
}

fn sum(numbers: &[Value]) -> usize {
    numbers.iter().map(|number| number.as_u64().unwrap() as usize).sum()
}

#[test]
fn a_page_has_every_event_and_every_message() {
    for (name, text) in TRACES {
        let (events, reel) = (events(text), reel(&page(text)));
        let nodes: Vec<u64> = events.iter().map(|event| event.node.into()).collect();
        let written = |column| list(&reel, "events", column);
        assert_eq!(written("node").iter().map(|it| it.as_u64().unwrap()).collect::<Vec<_>>(), nodes, "{name}");
        let sends = |event: &&Event| !matches!(event.kind, EventKind::Drop | EventKind::Duplicate);
        let sent = events.iter().filter(sends).map(|event| event.sent.len()).sum::<usize>();
        assert_eq!((sum(written("sends")), list(&reel, "messages", "to").len()), (sent, sent), "{name}");
        let received = events.iter().map(|event| event.received.len()).sum::<usize>();
        let touched = events.iter().filter(|event| !sends(event)).map(|event| event.sent.len()).sum::<usize>();
        assert_eq!((sum(written("touches")), written("touched").len()), (received + touched, received + touched));
        let nodes = reader(text).header.scenario.topology.nodes() as usize;
        assert_eq!((list(&reel, "sheet", "x").len(), list(&reel, "sheet", "y").len()), (nodes, nodes));
        let mut times: Vec<Time> = events.iter().map(|event| event.t).collect();
        times.dedup();
        assert_eq!(list(&reel, "moments", "time").len(), times.len(), "{name}");
    }
}

#[test]
fn a_page_asks_for_nothing() {
    for (name, text) in TRACES {
        let page = page(text);
        assert!(page.contains("default-src 'none'"));
        for outside in ["http:", "https:", "src=", "href=", "@import", "url(", "import(", "fetch("] {
            assert!(!page.contains(outside), "{name}: {outside}");
        }
        assert_eq!(page.matches("{{").count(), 0, "{name}: a gap was not filled");
    }
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    TRACES.iter().for_each(|(name, text)| assert!(page(text) == page(text), "{name}"));
}

#[test]
fn what_a_small_run_looks_like_in_numbers() {
    let reel = reel(&page(trace("faults")));
    let parts = reel.as_object().unwrap().iter();
    let lines: Vec<String> = parts.map(|(part, value)| format!("{part}: {value}")).collect();
    insta::assert_snapshot!("reel-faults", lines.join("\n"));
}

#[test]
fn what_cannot_have_happened_is_refused() {
    let scenario = reader(trace("ring")).header.scenario;
    let told = events(trace("ring"));
    let first = told.iter().find(|event| !event.received.is_empty()).unwrap();
    let refusal = |events: &[Event]| {
        let mut reel = Reel::new(&scenario, false, &Lanes::All).unwrap();
        events.iter().find_map(|event| reel.event(event).err()).unwrap()
    };
    let Received { from, n, .. } = first.received[0];
    assert_eq!(refusal(std::slice::from_ref(first)), format!("node {from} has sent no message {n}"));
    assert!(refusal(&[Event { node: 99, ..first.clone() }]).contains("there is no node 99"));
    assert!(refusal(&[told[0].clone(), told[0].clone()]).contains("was sent before"));
    let upto = 1 + told.iter().position(|event| event == first).unwrap();
    let again = Event { sent: vec![], ..first.clone() };
    let twice: Vec<Event> = told[..upto].iter().cloned().chain([again]).collect();
    assert!(refusal(&twice).contains("no copy of it is under way"), "{}", refusal(&twice));
}

#[test]
fn a_run_that_no_browser_could_hold_is_refused() {
    let mut reel = Reel::new(&reader(trace("ring")).header.scenario, false, &Lanes::All).unwrap();
    let event = Event::blank(Time::ZERO, 0, EventKind::Receive);
    (0..MOST_EVENTS).for_each(|_| reel.event(&event).unwrap());
    let refused = reel.event(&event).unwrap_err();
    assert!(refused.contains("at most 1,000,000 events") && refused.contains("--svg"), "{refused}");
}
