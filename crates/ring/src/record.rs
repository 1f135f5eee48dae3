//! Records what happens in the ring as the trace of a run, for pictures.

use std::sync::Mutex;
use std::time::Instant;

use bellwether_core::{Id, Info, Port};
use bellwether_live::ring::RingEvent;
use bellwether_net::{Network, Node, Ring};
use bellwether_world::trace::{Decision, EventKind, Received, Sent};
use bellwether_world::{Clock, Scenario, Time, Timing, trace};
use serde_json::{Value, json};

use crate::config::Config;

/// The largest number of events kept, from the beginning: far more than a picture shows one by one.
const MOST: usize = 200_000;

/// A time unit of the trace is a millisecond.
const UNIT: Clock = Clock { unit_us: 1_000, latency_us: (0, 0) };

/// The events so far, with their times. A hand-over is instantaneous; its letter was ready since the sender's last
/// step.
pub struct Record {
    began: Instant,
    kept: Mutex<Vec<(Time, Kept)>>,
}

enum Kept {
    Began(Node),
    Decided(Node, Id),
    HandedOver(Node, Node, Value),
    Joined(Node),
    Running(Node),
    Stopped(Node),
    Suspected(Node, Node),
}

impl Record {
    /// Nothing has happened yet.
    pub fn new() -> Self {
        Self { began: Instant::now(), kept: Mutex::new(vec![]) }
    }

    /// Keeps an event, while there is room.
    pub fn event(&self, event: &RingEvent<'_>) {
        let kept = match *event {
            RingEvent::Began { worker, .. } => Kept::Began(worker as Node),
            RingEvent::Decided { worker, leader, .. } => Kept::Decided(worker as Node, leader),
            RingEvent::HandedOver { from, to, message, .. } => {
                Kept::HandedOver(from as Node, to as Node, written(&format!("{message:?}")))
            }
            RingEvent::Joined { worker, .. } => Kept::Joined(worker as Node),
            RingEvent::Running { worker } => Kept::Running(worker as Node),
            RingEvent::Stopped { worker } | RingEvent::Lost { worker } => Kept::Stopped(worker as Node),
            RingEvent::Suspected { worker, suspect, .. } => Kept::Suspected(worker as Node, suspect as Node),
            RingEvent::Offered { .. }
            | RingEvent::Outdated { .. }
            | RingEvent::PassedOver { .. }
            | RingEvent::Paused { .. }
            | RingEvent::Retired { .. }
            | RingEvent::SteppedDown { .. }
            | RingEvent::Trusted { .. } => return,
        };
        let mut all = self.kept.lock().expect("no worker panics while it writes");
        if all.len() < MOST {
            let microseconds = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
            all.push((Time::after(UNIT.span(microseconds)), kept));
        }
    }

    /// The trace so far, on a ring with these ids.
    pub fn events(&self, ids: &[Id]) -> Vec<trace::Event> {
        let kept = self.kept.lock().expect("no worker panics while it writes");
        let mut events = vec![];
        let mut last = vec![Time::ZERO; ids.len()];
        let mut down = vec![false; ids.len()];
        let mut decided = vec![false; ids.len()];
        let mut sent_by = vec![0; ids.len()];
        for (time, kept) in kept.iter() {
            let blank = |node: Node, kind: EventKind| trace::Event::blank(*time, node, kind);
            let decides = |node, decision| trace::Event { decision: Some(decision), ..blank(node, EventKind::Decide) };
            let who = match kept {
                // The trace has no election numbers: workers number attempts, and one election may take several.
                Kept::Began(node) | Kept::Joined(node) => {
                    if matches!(kept, Kept::Began(_)) {
                        events.push(blank(*node, EventKind::Start));
                    }
                    if std::mem::take(&mut decided[*node as usize]) {
                        events.push(decides(*node, Decision::Undecided));
                    }
                    *node
                }
                Kept::Decided(node, leader) => {
                    let leads = ids[*node as usize] == *leader;
                    decided[*node as usize] = true;
                    events
                        .push(decides(*node, if leads { Decision::Leader } else { Decision::Follower(Some(*leader)) }));
                    *node
                }
                Kept::HandedOver(from, to, msg) => {
                    let (n, port) = (sent_by[*from as usize], Port::NEXT);
                    sent_by[*from as usize] += 1;
                    let sent = vec![Sent { n, to: *to, port, msg: msg.clone() }];
                    let ready = trace::Event::blank(last[*from as usize], *from, EventKind::Receive);
                    events.push(trace::Event { sent, ..ready });
                    let received = vec![Received { n, from: *from, port: Port::PREVIOUS, msg: msg.clone() }];
                    events.push(trace::Event { received, ..blank(*to, EventKind::Receive) });
                    *to
                }
                Kept::Running(node) => {
                    if std::mem::take(&mut down[*node as usize]) {
                        events.push(blank(*node, EventKind::Recover));
                    }
                    *node
                }
                Kept::Stopped(node) => {
                    if !std::mem::replace(&mut down[*node as usize], true) {
                        events.push(blank(*node, EventKind::Crash));
                    }
                    *node
                }
                Kept::Suspected(node, suspect) => {
                    let next = (*node as usize + 1) % ids.len() == *suspect as usize;
                    let peer = Some(if next { Port::NEXT } else { Port::PREVIOUS });
                    events.push(trace::Event { peer, ..blank(*node, EventKind::PeerDown) });
                    *node
                }
            };
            last[who as usize] = *time;
        }
        events.sort_by_key(|event| event.t);
        events
    }
}

/// The run as a scenario, for the trace.
pub fn scenario(info: &Info, config: &Config, ids: &[Id]) -> Result<Scenario, String> {
    let network = Network::from(Ring::new(ids.len() as u64)?);
    let timing = Timing::Live(UNIT);
    Ok(Scenario { timing, seed: config.settings.seed, ..Scenario::new(info, network, ids.to_vec()) })
}

/// A message as a trace writes it: `Elect(3)` becomes `{"elect":3}`.
fn written(message: &str) -> Value {
    match message.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((kind, content)) => {
            let content = content.parse::<u64>().map_or_else(|_| json!(content), |number| json!(number));
            json!({ (kind.to_lowercase()): content })
        }
        None => Value::String(message.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_over_is_a_message_from_the_last_step_of_its_worker() {
        let record = Record::new();
        record.event(&RingEvent::Began { worker: 1, election: 1, why: bellwether_live::ring::Why::Asked });
        record.event(&RingEvent::HandedOver { from: 1, to: 0, election: 1, message: &Some(7) });
        record.event(&RingEvent::Decided { worker: 0, election: 1, leader: Id(5) });
        let events = record.events(&[Id(5), Id(7)]);
        let told: Vec<_> = events.iter().map(|event| (event.node, event.kind)).collect();
        let (start, receive, decide) = (EventKind::Start, EventKind::Receive, EventKind::Decide);
        assert_eq!(told, [(1, start), (1, receive), (0, receive), (0, decide)]);
        assert_eq!(events[1].t, events[0].t);
        assert_eq!(events[1].sent[0].msg, json!({"some": 7}));
        assert_eq!(events[3].decision, Some(Decision::Leader));
    }

    #[test]
    fn who_starts_another_election_no_longer_follows() {
        let record = Record::new();
        record.event(&RingEvent::Decided { worker: 0, election: 1, leader: Id(7) });
        record.event(&RingEvent::Began { worker: 0, election: 2, why: bellwether_live::ring::Why::Asked });
        let told: Vec<_> =
            record.events(&[Id(5), Id(7)]).into_iter().map(|event| (event.kind, event.decision)).collect();
        let (start, decide) = (EventKind::Start, EventKind::Decide);
        let follows = Some(Decision::Follower(Some(Id(7))));
        assert_eq!(told, [(decide, follows), (start, None), (decide, Some(Decision::Undecided))]);
    }
}
