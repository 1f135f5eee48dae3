//! The cost of an election on a ring, from the ids and the initiators alone: nothing here runs an algorithm.

use crate::{circular_orders, initiator_sets, ring, started_by};
use bellwether_world::Scenario;

/// The ids and the initiators.
#[derive(Clone, Debug)]
pub struct Election {
    /// The ids, clockwise.
    pub ids: Vec<u64>,
    /// The nodes that start.
    pub initiators: Vec<usize>,
}

/// A direction, as a step from node to node.
pub const CLOCKWISE: usize = 1;
/// The other direction.
pub const fn counter_clockwise(nodes: usize) -> usize {
    nodes - 1
}

/// Every election with n nodes, up to rotation, in which all start.
pub fn all_start_of(n: usize) -> impl Iterator<Item = Election> {
    circular_orders(n).into_iter().map(move |ids| Election { ids, initiators: (0..n).collect() })
}

/// The same with up to `largest` nodes.
pub fn all_start(largest: usize) -> impl Iterator<Item = Election> {
    (1..=largest).flat_map(all_start_of)
}

/// Every election with up to `largest` nodes, up to rotation, with every set of initiators.
pub fn some_start(largest: usize) -> impl Iterator<Item = Election> {
    let sets =
        |ids: Vec<u64>| initiator_sets(ids.len()).map(move |initiators| Election { ids: ids.clone(), initiators });
    (1..=largest).flat_map(circular_orders).flat_map(sets)
}

impl Election {
    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.ids.len()
    }

    /// The same, for formulas.
    pub fn n(&self) -> u64 {
        self.ids.len() as u64
    }

    /// As a run of this algorithm, under the schedule that it is written for.
    pub fn run(&self, algorithm: &str) -> Scenario {
        started_by(ring(algorithm, &self.ids), &self.initiators)
    }

    /// The largest id of all.
    pub fn largest(&self) -> u64 {
        *self.ids.iter().max().expect("somebody")
    }

    /// The largest id of the initiators.
    pub fn largest_initiator(&self) -> u64 {
        self.initiators.iter().map(|&node| self.ids[node]).max().expect("an initiator")
    }

    /// The node with this id.
    pub fn node_of(&self, id: u64) -> usize {
        self.ids.iter().position(|&it| it == id).expect("an id of the ring")
    }

    /// Whether a node starts.
    pub fn starts(&self, node: usize) -> bool {
        self.initiators.contains(&node)
    }

    /// The clockwise distance from one node to another; 0 to itself.
    pub fn distance(&self, from: usize, to: usize) -> u64 {
        ((to + self.nodes() - from) % self.nodes()) as u64
    }

    /// How far something goes from a node until another node stops it; n if none does.
    pub fn hops(&self, from: usize, step: usize, stops: impl Fn(usize) -> bool) -> u64 {
        let n = self.nodes();
        (1..n).find(|i| stops((from + i * step) % n)).unwrap_or(n) as u64
    }

    /// How far a candidature goes until it meets a larger id.
    pub fn hops_to_larger(&self, from: usize, step: usize) -> u64 {
        self.hops(from, step, |node| self.ids[node] > self.ids[from])
    }

    /// The distance to the nearest initiator behind a node; 0 if the node is one itself.
    pub fn since_initiator(&self, node: usize) -> u64 {
        if self.starts(node) {
            return 0;
        }
        self.hops(node, counter_clockwise(self.nodes()), |behind| self.starts(behind))
    }

    /// The nodes where a candidature begins. Either the node starts, or it replaces the smaller candidature that wakes
    /// it up. In both cases its id exceeds all ids from the nearest initiator behind it on.
    pub fn originators(&self) -> impl Iterator<Item = usize> {
        let n = self.nodes();
        let exceeds = move |node: usize| {
            (1..=self.since_initiator(node) as usize).all(|back| self.ids[(node + n - back) % n] < self.ids[node])
        };
        (0..n).filter(move |&node| exceeds(node))
    }

    /// By phase: the active nodes and their values, until one is left. Local maxima survive, and move on by one.
    pub fn phases(&self) -> Vec<Vec<(usize, u64)>> {
        let mut phases = vec![];
        let mut active: Vec<(usize, u64)> = self.initiators.iter().map(|&node| (node, self.ids[node])).collect();
        while active.len() > 1 {
            let k = active.len();
            let value = |place: usize| active[place % k].1;
            let is_maximum = |&place: &usize| value(place) > value(place + 1) && value(place) > value(place + k - 1);
            let survivors = (0..k).filter(is_maximum).map(|place| (active[(place + 1) % k].0, value(place)));
            let mut next: Vec<_> = survivors.collect();
            next.sort_unstable();
            phases.push(std::mem::replace(&mut active, next));
        }
        phases.push(active);
        phases
    }

    /// P: the phases with at least two active nodes.
    pub fn contested(&self) -> u64 {
        self.phases().len() as u64 - 1
    }

    /// Election messages of Chang and Roberts.
    pub fn chang_roberts(&self) -> u64 {
        self.originators().map(|node| self.hops_to_larger(node, CLOCKWISE)).sum()
    }

    /// Election messages of Peterson: two tours of the ring per contested phase, and the way home of the largest value
    /// M.
    pub fn peterson(&self) -> u64 {
        let owner = self.node_of(self.largest_initiator());
        let phases = self.phases();
        let [earlier @ .., last] = &phases[..] else { unreachable!("there is a last phase") };
        let Some(before) = earlier.last() else { return self.n() };
        let holder = |phase: &[(usize, u64)]| {
            phase.iter().find(|(_, value)| *value == self.largest_initiator()).expect("M survives").0
        };
        // With two active nodes the second message of the phase already carries M past its owner.
        let early = if before.len() == 2 { self.distance(owner, holder(before)) } else { 0 };
        2 * self.n() * self.contested() + self.distance(holder(last), owner) - early
    }
}
