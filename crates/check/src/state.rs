//! A network at one moment: its processes, and what is under way.

use std::collections::VecDeque;

use bellwether_core::{Context, NoTimer, Port, Process, Span};
use bellwether_world::{Node, Scenario, Wiring};

/// All processes, and by receiver and port what is on its way to it, the next one first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<P: Process> {
    /// By node.
    pub processes: Vec<P>,
    links: Vec<Vec<VecDeque<P::Msg>>>,
}

impl<P: Process<Timer = NoTimer>> State<P> {
    /// These processes, and nothing under way.
    #[must_use]
    pub fn new(scenario: &Scenario, processes: Vec<P>) -> Self {
        let ports = |node: Node| vec![VecDeque::new(); scenario.topology.ports(node) as usize];
        Self { processes, links: (0..scenario.topology.nodes()).map(ports).collect() }
    }

    /// The ends of all links on which something is under way.
    pub fn deliverable(&self) -> impl Iterator<Item = (Node, Port)> + '_ {
        self.links.iter().zip(0..).flat_map(|(ports, node)| {
            let busy = ports.iter().zip(0..).filter(|(link, _)| !link.is_empty());
            busy.map(move |(_, port)| (node, Port(port)))
        })
    }

    /// A process wakes up on its own. Tells what it sent.
    pub fn start(&mut self, scenario: &Scenario, node: Node) -> Vec<P::Msg> {
        self.step(scenario, node, Process::start)
    }

    /// The first message on a link is delivered. Tells what the receiver sent.
    pub fn deliver(&mut self, scenario: &Scenario, node: Node, port: Port) -> Vec<P::Msg> {
        match self.links[node as usize][port.0 as usize].pop_front() {
            Some(msg) => self.step(scenario, node, |process, sends| process.receive(port, msg, sends)),
            None => vec![],
        }
    }

    fn step(&mut self, scenario: &Scenario, node: Node, act: impl FnOnce(&mut P, &mut Sends<P::Msg>)) -> Vec<P::Msg> {
        let network = &scenario.topology;
        let mut sends = Sends { ports: network.ports(node), sent: vec![] };
        act(&mut self.processes[node as usize], &mut sends);
        let post = |(port, msg): (Port, P::Msg)| {
            let (to, at) = network.far(node, port);
            self.links[to as usize][at.0 as usize].push_back(msg.clone());
            msg
        };
        sends.sent.into_iter().map(post).collect()
    }
}

/// The context of a step of a deterministic process without timers.
struct Sends<M> {
    ports: u32,
    sent: Vec<(Port, M)>,
}

impl<M> Context<M, NoTimer> for Sends<M> {
    fn ports(&self) -> u32 {
        self.ports
    }

    fn send(&mut self, port: Port, msg: M) {
        self.sent.push((port, msg));
    }

    fn set_timer(&mut self, timer: NoTimer, _: Span) {
        match timer {}
    }

    fn cancel_timer(&mut self, timer: NoTimer) {
        match timer {}
    }

    fn choose(&mut self, _: u64) -> u64 {
        unreachable!("randomised algorithms are refused")
    }
}
