//! The elections on simcore: a handler a node. Unit delays go through its queue of events in order, which is its
//! fastest, or, if the environment has `QUEUE=heap`, as most would write it; random delays through its heap, and no
//! message overtakes another on its link.

use std::cell::RefCell;
use std::rc::Rc;

use cpu_time::ProcessTime;
use peer_sim::Job;
use serde::Serialize;
use simcore::{Event, EventHandler, Id, Simulation, SimulationContext};

#[derive(Clone, Serialize)]
enum Message {
    Elect(u64),
    Announce(u64),
    Max(u64),
}

struct Node {
    ctx: SimulationContext,
    id: u64,
    out: Vec<Id>,
    uniform: bool,
    heap: bool,
    /// When the last message arrives that it sent, so that none overtakes it.
    last: f64,
    sent: u64,
    leader: u64,
    /// FloodMax: the largest id heard of, messages of this round, rounds to go.
    best: u64,
    heard: usize,
    left: u64,
}

impl Node {
    fn send(&mut self, message: Message) {
        self.sent += self.out.len() as u64;
        for &to in &self.out {
            if self.uniform {
                let now = self.ctx.time();
                self.last = self.last.max(now + self.ctx.rand());
                self.ctx.emit(message.clone(), to, self.last - now);
            } else if self.heap {
                self.ctx.emit(message.clone(), to, 1.0);
            } else {
                self.ctx.emit_ordered(message.clone(), to, 1.0);
            }
        }
    }
}

impl EventHandler for Node {
    fn on(&mut self, event: Event) {
        match *event.data.downcast::<Message>().ok().unwrap() {
            Message::Elect(id) if id > self.id => self.send(Message::Elect(id)),
            Message::Elect(id) if id < self.id => {}
            Message::Elect(id) => {
                self.leader = id;
                self.send(Message::Announce(id));
            }
            Message::Announce(id) if id == self.id => {}
            Message::Announce(id) => {
                self.leader = id;
                self.send(Message::Announce(id));
            }
            Message::Max(id) => {
                self.best = self.best.max(id);
                self.heard += 1;
                if self.heard < self.out.len() {
                    return;
                }
                (self.heard, self.left) = (0, self.left - 1);
                if self.left > 0 {
                    self.send(Message::Max(self.best));
                } else {
                    self.leader = self.best;
                }
            }
        }
    }
}

fn main() {
    let job = Job::from_args();
    let heap = std::env::var("QUEUE").is_ok_and(|queue| queue == "heap");
    let mut simulation = Simulation::new(1);
    let contexts: Vec<_> = (0..job.ids.len()).map(|node| simulation.create_context(node.to_string())).collect();
    let numbers: Vec<Id> = contexts.iter().map(SimulationContext::id).collect();
    let nodes: Vec<_> = contexts
        .into_iter()
        .zip(0..)
        .map(|(ctx, number)| {
            let name = ctx.name().to_owned();
            let node = Rc::new(RefCell::new(Node {
                ctx,
                id: job.ids[number],
                out: job.neighbours(number).into_iter().map(|to| numbers[to]).collect(),
                uniform: job.uniform,
                heap,
                last: 0.0,
                sent: 0,
                leader: 0,
                best: job.ids[number],
                heard: 0,
                left: job.diameter(),
            }));
            simulation.add_handler(name, node.clone());
            node
        })
        .collect();

    let begun = ProcessTime::now();
    for node in &nodes {
        let mut node = node.borrow_mut();
        let id = node.id;
        node.send(if job.grid { Message::Max(id) } else { Message::Elect(id) });
    }
    simulation.step_until_no_events();
    let told: Vec<u64> = nodes.iter().map(|node| node.borrow().leader).collect();
    job.report(&told, nodes.iter().map(|node| node.borrow().sent).sum(), begun);
}
