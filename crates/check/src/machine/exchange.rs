//! If processes differ only in their place, states in which they have changed places count as one.
//!
//! An algorithm tells which processes are alike ([`Process::alike`](bellwether_core::Process::alike)). That is not
//! taken on trust. A change of places maps each state of a process to its *image*: what the process in the other place
//! has become, after the same has happened to it. Whenever a step is first met, all its images are made as well, and
//! they must do the same. So each state that is left out has a state that was searched, with the same future.

use bellwether_core::{Port, TopologyKind};
use bellwether_net::{Node, Wiring};
use rustc_hash::FxHashMap;

use super::Machine;
use crate::automaton::Cause;
use crate::extras::Extras;
use crate::layout::{Nodes, bit, members};
use crate::numbers::Numbers;
use crate::row::Row;

/// The largest number of changes of places.
const MOST: usize = 5 * 4 * 3 * 2;

/// A change of places.
#[derive(Clone)]
struct Exchange {
    /// By node: its new place.
    to: Vec<Node>,
    /// By node and port: the port in the new place.
    ports: Vec<Vec<Port>>,
    /// By cell: where its value comes from.
    from: Vec<u32>,
    /// By exchange: which one it is if this one is made first, and then that.
    then: Vec<usize>,
}

/// A process in some state, with its images by exchange.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Orbit {
    node: Node,
    local: u32,
    images: Box<[u32]>,
}

/// All changes of places, and the images that are known.
#[derive(Clone, Default)]
pub(super) struct Exchanges {
    /// None if no two processes are alike; otherwise the first one leaves all in place.
    all: Vec<Exchange>,
    orbits: Numbers<Orbit>,
    /// By node and state of its process: the number of the orbit.
    orbit: FxHashMap<(Node, u32), u32>,
    /// By outcome: the nodes where its images were made.
    followed: Vec<Nodes>,
    /// By extras: their images, by exchange.
    extras: FxHashMap<u32, Box<[u32]>>,
    /// The orbits of a state's processes.
    here: Vec<u32>,
}

impl Exchanges {
    /// From now on, all clones know the same orbits.
    pub(super) fn share(&mut self) {
        self.orbits.share();
    }

    /// Learns all orbits that other threads have met so far.
    pub(super) fn catch_up(&mut self) {
        self.orbits.catch_up();
        self.learn();
    }

    /// Their approximate size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let each = 4 * self.all.len() + 64;
        (each * (2 * self.orbits.len() + self.extras.len()) + 8 * self.followed.len()) as u64
    }

    fn learn(&mut self) {
        while let Some(orbit) = self.orbits.by(self.orbit.len() as u32) {
            self.orbit.insert((orbit.node, orbit.local), self.orbit.len() as u32);
        }
    }

    fn images(&self, node: Node, local: u32) -> &[u32] {
        &self.orbits[self.orbit[&(node, local)]].images
    }

    /// Notes the images of a process, and those of its images.
    fn meet(&mut self, node: Node, images: &[u32]) -> Result<(), String> {
        for (exchange, &local) in self.all.iter().zip(images) {
            let place = exchange.to[node as usize];
            let images: Box<[u32]> = (0..images.len()).map(|other| images[exchange.then[other]]).collect();
            match self.orbit.get(&(place, local)) {
                Some(&known) if self.orbits[known].images == images => {}
                Some(_) => return Err(unlike(node)),
                None => _ = self.orbits.of(Orbit { node: place, local, images }),
            }
        }
        self.learn();
        Ok(())
    }

    /// Whether the images of a step are made for the first time.
    #[inline]
    fn is_first(&mut self, outcome: u32, node: Node) -> bool {
        if self.followed.len() <= outcome as usize {
            self.followed.resize(outcome as usize + 1, 0);
        }
        let nodes = &mut self.followed[outcome as usize];
        let is_first = *nodes & bit(node) == 0;
        *nodes |= bit(node);
        is_first
    }
}

fn unlike(node: Node) -> String {
    format!("node {node} is told to be like another one, and does not do the same: this is a bug of the algorithm")
}

impl Machine {
    /// From now on, [`settle`](Self::settle) brings processes that are alike into one order.
    ///
    /// # Errors
    /// If a process lacks knowledge.
    pub fn exchange_alike(&mut self) -> Result<(), String> {
        let freedom = self.plan.freedom;
        let is_plain = freedom.unreliable && freedom.drift.is_some() && [freedom.crashes, freedom.closes] == [0; 2];
        let is_complete = self.automaton().info().topology == TopologyKind::Complete;
        self.exchanges = Exchanges::default();
        if !self.plan.symmetry || !is_plain || !is_complete {
            return Ok(());
        }
        let nodes = 0..self.layout.nodes as Node;
        let asleep = nodes.clone().map(|node| self.asleep(node)).collect::<Result<Vec<u32>, String>>()?;
        let kinds: Vec<Option<u64>> = asleep.iter().map(|local| self.automaton().alike(*local)).collect();
        let is_alike =
            |a: Node, b: Node| a == b || kinds[a as usize].is_some() && kinds[a as usize] == kinds[b as usize];
        let mut orders: Vec<Vec<Node>> = vec![vec![]];
        for node in nodes.clone() {
            let longer = |order: &Vec<Node>| {
                let free = nodes.clone().filter(|place| is_alike(node, *place) && !order.contains(place));
                free.map(|place| [&order[..], &[place]].concat()).collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(longer).take(MOST + 1).collect();
        }
        if orders.len() > 1 && orders.len() <= MOST {
            self.exchanges.all = orders.iter().map(|order| self.exchange(order, &orders)).collect();
            for node in nodes {
                let images: Vec<u32> = orders.iter().map(|order| asleep[order[node as usize] as usize]).collect();
                self.exchanges.meet(node, &images)?;
            }
        }
        Ok(())
    }

    /// The exchange that brings nodes to these places. Every node is linked to every other one.
    fn exchange(&self, to: &[Node], all: &[Vec<Node>]) -> Exchange {
        let network = &self.scenario.topology;
        let ports = |node: Node| (0..network.ports(node)).map(Port);
        let after = |node: Node, port: Port| {
            let (place, far) = (to[node as usize], to[network.far(node, port).0 as usize]);
            ports(place).find(|port| network.far(place, *port).0 == far).expect("all are linked")
        };
        let after = |node: Node| ports(node).map(|port| after(node, port)).collect();
        let ports: Vec<Vec<Port>> = (0..network.nodes()).map(after).collect();
        let mut from: Vec<u32> = (0..=self.layout.extras() as u32).collect();
        for node in 0..network.nodes() {
            from[to[node as usize] as usize] = node;
            for (port, new) in (0..).map(Port).zip(&ports[node as usize]) {
                let place = |node: Node, port: Port| self.layout.out(node, port).map(|link| self.layout.link(link));
                if let (Some(old), Some(new)) = (place(node, port), place(to[node as usize], *new)) {
                    from[new] = old as u32;
                }
            }
        }
        let then = |other: &Vec<Node>| {
            let both = to.iter().map(|place| other[*place as usize]);
            all.iter().position(|order| both.clone().eq(order.iter().copied())).expect("they form a group")
        };
        Exchange { to: to.to_vec(), ports, from, then: all.iter().map(then).collect() }
    }

    /// Makes the images of a step that is met for the first time, and compares them with it.
    #[inline]
    pub(super) fn follow_images(&mut self, node: Node, before: u32, act: Cause) -> Result<(), String> {
        if self.exchanges.all.is_empty() {
            return Ok(());
        }
        let (first, count) = self.step(before, node, act)?;
        if self.exchanges.is_first(first, node) { self.compare_images(node, before, act, first, count) } else { Ok(()) }
    }

    #[cold]
    fn compare_images(&mut self, node: Node, before: u32, act: Cause, first: u32, count: u32) -> Result<(), String> {
        let mut after = vec![vec![]; count as usize];
        for number in 0..self.exchanges.all.len() {
            let Exchange { to, ports, .. } = &self.exchanges.all[number];
            let (place, ports) = (to[node as usize], ports[node as usize].clone());
            let act = match act {
                Cause::Receive(port, message) => Cause::Receive(ports[port.0 as usize], message),
                Cause::PeerDown(port) => Cause::PeerDown(ports[port.0 as usize]),
                Cause::Start | Cause::Timeout(_) => act,
            };
            let (image, images) = self.step(self.exchanges.images(node, before)[number], place, act)?;
            if images != count {
                return Err(unlike(node));
            }
            for (way, after) in (0..).zip(&mut after) {
                let [here, there] = [first + way, image + way].map(|outcome| self.steps.outcome(outcome));
                let (facts, others) = (self.steps.local(here.local), self.steps.local(there.local));
                let mut sent: Vec<(Port, u32)> = self.steps.sends(here).to_vec();
                sent.iter_mut().for_each(|(port, _)| *port = ports[port.0 as usize]);
                let mut others_sent = self.steps.sends(there).to_vec();
                // No order matters on unreliable links.
                sent.sort_unstable();
                others_sent.sort_unstable();
                if (facts, &here.timers, here.ways, sent) != (others, &there.timers, there.ways, others_sent) {
                    return Err(unlike(node));
                }
                after.push(there.local);
            }
        }
        after.iter().try_for_each(|images| self.exchanges.meet(node, images))
    }

    /// Notes the images of a process that has started again.
    pub(super) fn restart_images(&mut self, node: Node, before: u32, disk: bool) -> Result<(), String> {
        let mut after = vec![];
        for number in 0..self.exchanges.all.len() {
            let (place, image) =
                (self.exchanges.all[number].to[node as usize], self.exchanges.images(node, before)[number]);
            after.push(self.restarted(place, image, disk)?);
        }
        self.exchanges.meet(node, &after)
    }

    /// Of all states in which processes that are alike have changed places, brings about the one that stands for all.
    #[inline]
    pub fn settle(&mut self, row: &mut Row) {
        if !self.exchanges.all.is_empty() && self.extras(row.cells()).waiting == 0 {
            self.bring_in_order(row);
        }
    }

    fn bring_in_order(&mut self, row: &mut Row) {
        let (nodes, last) = (self.layout.nodes, self.layout.extras());
        let number = row.cells()[last];
        if !self.exchanges.extras.contains_key(&number) {
            let images = (0..self.exchanges.all.len()).map(|exchange| self.extras_after(number, exchange)).collect();
            self.exchanges.extras.insert(number, images);
        }
        let Exchanges { all, orbits, orbit, extras, here, .. } = &mut self.exchanges;
        here.clear();
        here.extend((0..).zip(&row.cells()[..nodes]).map(|(node, cell)| orbit[&(node, cell - 1)]));
        let (cells, extras) = (row.cells(), &extras[&number]);
        let cell = |exchange: usize, place: usize| {
            let from = all[exchange].from[place] as usize;
            match place {
                place if place < nodes => orbits[here[from]].images[exchange] + 1,
                place if place == last => extras[exchange],
                _ => cells[from],
            }
        };
        let said = |exchange: usize| (0..=last).map(move |place| cell(exchange, place));
        let is_less = |a: usize, b: usize| said(a).lt(said(b));
        let least = (1..all.len()).fold(0, |least, other| if is_less(other, least) { other } else { least });
        if least > 0 {
            let changed: Vec<(usize, u32)> =
                said(least).enumerate().filter(|(place, new)| cells[*place] != *new).collect();
            changed.into_iter().for_each(|(place, new)| row.set(place, new));
        }
    }

    /// The extras after a change of places.
    fn extras_after(&mut self, number: u32, exchange: usize) -> u32 {
        let to = &self.exchanges.all[exchange].to;
        let after = |set: Nodes| members(set).fold(0, |all, node| all | bit(to[node as usize]));
        let mut extras = self.extras[number].clone();
        let Extras { waiting, started, decided, awake, wiped, timers, .. } = &mut extras;
        [waiting, started, decided, awake, wiped].into_iter().for_each(|set| *set = after(*set));
        timers.iter_mut().for_each(|(node, ..)| *node = to[*node as usize]);
        if let Some(drift) = self.plan.freedom.drift {
            self.normalise(&mut extras, drift);
        }
        self.extras.of(extras)
    }
}
