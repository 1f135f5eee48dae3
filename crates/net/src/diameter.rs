//! The diameter of a graph, without a search from every node. It is exact, or within bounds if that would take too
//! long.
//!
//! A few searches find nodes that are far apart, and a central node. Two nodes that are at most d away from the centre
//! are at most 2d away from each other. If few nodes are farther away, searches from these nodes are enough (Crescenzi
//! and others, iFUB).
//!
//! Otherwise it is proved node by node that no distance is larger. If a node has eccentricity e, a node at distance d
//! from it has eccentricity at most e + d. So one search from a central node settles many nodes (Takes and Kosters). In
//! random networks most nodes are about equally central, and a search settles only few. Therefore many searches run at
//! once, one bit each. If the network is so large that the effort is still not enough, the bounds from the searches so
//! far are the result.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{Graph, Node, Wiring};
use bellwether_resources::{memory, pool};

/// The largest distance between two nodes, or what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diameter {
    /// The largest distance that was found.
    pub at_least: u32,
    /// No distance is larger than this.
    pub at_most: u32,
}

impl From<u32> for Diameter {
    fn from(exactly: u32) -> Self {
        Self { at_least: exactly, at_most: exactly }
    }
}

impl Diameter {
    /// The diameter, if it is known exactly.
    #[must_use]
    pub fn exactly(self) -> Option<u32> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }
}

impl fmt::Display for Diameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exactly() {
            Some(diameter) => diameter.fmt(f),
            None => write!(f, "{} to {}", self.at_least, self.at_most),
        }
    }
}

impl Serialize for Diameter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// The JSON form of a diameter that is not known exactly.
        #[derive(Serialize)]
        struct Bounds {
            at_least: u32,
            at_most: u32,
        }
        match *self {
            Self { at_least, at_most } if at_least == at_most => at_least.serialize(serializer),
            Self { at_least, at_most } => Bounds { at_least, at_most }.serialize(serializer),
        }
    }
}

/// The effort for an exact diameter: the number of words read by the parallel searches. It takes some seconds. It is
/// counted and not timed, so that every machine gives the same result.
pub const EFFORT: u64 = 1 << 32;

/// Single searches may take the effort divided by this number.
const ALONE: u64 = 16;

/// Parallel searches take the effort divided by this number even if they cannot settle all nodes: they give a closer
/// bound.
const ANYWAY: u64 = 8;

/// The number of attempts to find a more central node.
const ATTEMPTS: usize = 6;

/// The largest distance between two nodes, found with about this effort at most.
pub fn diameter(graph: &Graph, effort: u64) -> Diameter {
    let nodes = graph.nodes();
    let mut search = Search { graph, largest: 0, bound: vec![u32::MAX; nodes as usize] };
    if graph.links() < nodes.into() {
        // In a tree, a search from the node farthest from any node finds the diameter.
        search.distances(farthest(&graph.distances(0)));
        return search.largest.into();
    }
    let centre = search.centre();
    let at_most = search.prove_from_afar(&centre, effort / ALONE);
    if at_most == search.largest || search.prove_all(&centre, effort) {
        return search.largest.into();
    }
    Diameter { at_least: search.largest, at_most: search.proved().min(at_most).max(search.largest) }
}

struct Search<'a> {
    graph: &'a Graph,
    /// The largest distance found.
    largest: u32,
    /// By node: an upper bound on the distances from it. Only bounds of at most `largest` matter.
    bound: Vec<u32>,
}

impl Search<'_> {
    /// All distances from a node. Updates `largest`.
    fn distances(&mut self, from: Node) -> Vec<u32> {
        let distances = self.graph.distances(from);
        self.largest = distances.iter().copied().max().unwrap_or(0).max(self.largest);
        distances
    }

    /// The distances from a central node. Its largest distance to a few nodes that are far apart is the smallest. The
    /// first two of them are the ends of a long path. Each further one is the node farthest from the previous
    /// candidate.
    fn centre(&mut self) -> Vec<u32> {
        let first = farthest(&self.graph.distances(0));
        let mut away = self.distances(first);
        let second = self.distances(farthest(&away));
        let mut best: Option<Vec<u32>> = None;
        keep_larger(&mut away, &second);
        for _ in 0..ATTEMPTS {
            let nearest = away.iter().enumerate().min_by_key(|&(_, away)| away);
            let distances = self.distances(nearest.map_or(0, |(node, _)| node as Node));
            if best.as_ref().is_some_and(|best| best.iter().max() <= distances.iter().max()) {
                break;
            }
            let far = self.distances(farthest(&distances));
            keep_larger(&mut away, &far);
            best = Some(distances);
        }
        best.unwrap_or(second)
    }

    /// Searches from the nodes farthest from the centre, while these are few. Returns a bound on all distances.
    fn prove_from_afar(&mut self, centre: &[u32], mut effort: u64) -> u32 {
        let mut by_distance: Vec<Vec<Node>> = vec![];
        for (node, &distance) in (0..).zip(centre) {
            by_distance.resize_with(by_distance.len().max(distance as usize + 1), Vec::new);
            by_distance[distance as usize].push(node);
        }
        // A single search reads all links one by one in random order. It counts like one step of all parallel searches.
        let cost = WORDS as u64 * (u64::from(self.graph.nodes()) + 2 * self.graph.links());
        while let Some(farthest) = by_distance.pop() {
            // `farthest` and all nearer nodes are at most this far apart. All other nodes have been searched from.
            let bound = 2 * by_distance.len() as u32;
            if bound <= self.largest {
                break;
            }
            let Some(left) = effort.checked_sub(cost * farthest.len() as u64) else { return bound };
            effort = left;
            for node in farthest {
                let eccentricity = self.distances(node).into_iter().max().unwrap_or(0);
                self.prove(node, eccentricity);
            }
        }
        self.largest
    }

    /// Searches until every node has a bound, from the centre outwards. Returns whether the effort was enough.
    fn prove_all(&mut self, distances: &[u32], mut effort: u64) -> bool {
        let eccentricity = distances.iter().copied().max().unwrap_or(0);
        let centre = distances.iter().position(|distance| *distance == 0).unwrap_or(0) as Node;
        self.prove(centre, eccentricity);
        let mut open: Vec<Node> = (0..self.graph.nodes()).collect();
        open.sort_by_key(|&node| distances[node as usize]);
        // The distance up to which a search is expected to settle nodes. The sources of a batch are farther than that
        // from each other, so that no two settle the same nodes.
        let mut reach = self.largest.saturating_sub(eccentricity);
        let mut left_to = vec![0; open.len()];
        let mut batch = 0;
        let hopeful = effort - effort / ANYWAY;
        let mut unproved = open.len() as u64;
        let mut parallel = Parallel::default();
        if memory::make_sure_of(3 * size_of::<Bits>() as u64 * open.len() as u64, "the search").is_err() {
            return false;
        }
        loop {
            open.retain(|&node| self.bound[node as usize] > self.largest);
            if open.is_empty() {
                return true;
            }
            let mut rest = open.iter().copied();
            loop {
                batch += 1;
                let mut sources = Vec::new();
                while sources.len() < WIDTH
                    && let Some(node) = rest.next()
                {
                    if self.bound[node as usize] > self.largest && left_to[node as usize] != batch {
                        sources.push(node);
                        let mut leave = |near: Node| std::mem::replace(&mut left_to[near as usize], batch) != batch;
                        spread(self.graph, node, reach, |near, _| leave(near));
                    }
                }
                if sources.is_empty() {
                    break;
                }
                // One step of all searches reads the neighbours of every node, and the number of steps is about the
                // diameter.
                let links = u64::from(self.graph.nodes()) + 2 * self.graph.links();
                let cost = WORDS as u64 * links * u64::from(self.largest);
                let Some(left) = effort.checked_sub(cost) else { return false };
                effort = left;
                for (&source, eccentricity) in sources.iter().zip(parallel.eccentricities(self.graph, &sources)) {
                    self.prove(source, eccentricity);
                    reach = self.largest - eccentricity;
                }
                let before = unproved;
                unproved = self.bound.iter().filter(|bound| **bound > self.largest).count() as u64;
                // Stop if, at this rate, the effort that is left will not be enough.
                if effort < hopeful && unproved > effort / cost * before.saturating_sub(unproved) {
                    return false;
                }
            }
        }
    }

    /// The bound that all searches together prove: a node at distance d from a node with a bound has at most that bound
    /// plus d.
    fn proved(&mut self) -> u32 {
        let (graph, bound) = (self.graph, &mut self.bound);
        let mut by_bound: Vec<Vec<Node>> = vec![];
        let enter = |by_bound: &mut Vec<Vec<Node>>, node: Node, value: u32| {
            by_bound.resize_with(by_bound.len().max(value as usize + 1), Vec::new);
            by_bound[value as usize].push(node);
        };
        for node in (0..graph.nodes()).filter(|node| bound[*node as usize] != u32::MAX) {
            enter(&mut by_bound, node, bound[node as usize]);
        }
        let mut value = 0;
        while value < by_bound.len() {
            for node in std::mem::take(&mut by_bound[value]) {
                for far in graph.neighbours(node) {
                    if bound[node as usize] as usize == value && (value as u32) + 1 < bound[far as usize] {
                        bound[far as usize] = value as u32 + 1;
                        enter(&mut by_bound, far, value as u32 + 1);
                    }
                }
            }
            value += 1;
        }
        bound.iter().copied().max().unwrap_or(0)
    }

    /// Updates the bounds after a search from `node`.
    fn prove(&mut self, node: Node, eccentricity: u32) {
        self.largest = self.largest.max(eccentricity);
        let (graph, bound) = (self.graph, &mut self.bound);
        bound[node as usize] = eccentricity;
        spread(graph, node, self.largest - eccentricity, |far, distance| {
            let is_better = eccentricity + distance < bound[far as usize];
            if is_better {
                bound[far as usize] = eccentricity + distance;
            }
            is_better
        });
    }
}

/// Visits nodes up to distance `reach`. The search only continues from nodes for which `visit` returns true.
fn spread(graph: &Graph, node: Node, reach: u32, mut visit: impl FnMut(Node, u32) -> bool) {
    let mut rim = vec![node];
    for distance in 1..=reach {
        let near = rim.iter().flat_map(|&node| graph.neighbours(node));
        rim = near.filter(|&far| visit(far, distance)).collect();
    }
}

/// Keeps the larger of two distances for every node.
fn keep_larger(distances: &mut [u32], others: &[u32]) {
    distances.iter_mut().zip(others).for_each(|(distance, other)| *distance = (*distance).max(*other));
}

fn farthest(distances: &[u32]) -> Node {
    let farthest = distances.iter().enumerate().max_by_key(|&(_, distance)| distance);
    farthest.map_or(0, |(node, _)| node as Node)
}

/// The number of parallel searches.
const WIDTH: usize = 64 * WORDS;
const WORDS: usize = 8;

/// The number of nodes in one task: their step takes longer than handing the task to a thread.
const STRETCH: usize = 1 << 14;

/// A set of searches, one bit each.
type Bits = [u64; WORDS];

/// Parallel searches. By node: the searches that have reached it, those that did in the last step, and those that do in
/// this step.
#[derive(Default)]
struct Parallel {
    seen: Vec<Bits>,
    fresh: Vec<Bits>,
    coming: Vec<Bits>,
}

impl Parallel {
    /// The eccentricity of each source.
    fn eccentricities(&mut self, graph: &Graph, sources: &[Node]) -> Vec<u32> {
        let Self { seen, fresh, coming } = self;
        let mut all = [0; WORDS];
        for bits in [&mut *seen, &mut *fresh, &mut *coming] {
            bits.clear();
            bits.resize(graph.nodes() as usize, [0; WORDS]);
        }
        for (search, &source) in sources.iter().enumerate() {
            let (word, bit) = (search / 64, 1 << (search % 64));
            all[word] |= bit;
            seen[source as usize][word] |= bit;
            fresh[source as usize][word] |= bit;
        }
        let mut eccentricities = vec![0; sources.len()];
        for distance in 1.. {
            let mut reached = vec![[0; WORDS]; seen.len().div_ceil(STRETCH)];
            let stretches = seen.chunks_mut(STRETCH).zip(coming.chunks_mut(STRETCH)).zip(&mut reached);
            let (firsts, last, all) = ((0..).step_by(STRETCH), &*fresh, &all);
            let steps = firsts.zip(stretches).map(|(first, ((seen, coming), reached))| {
                move || *reached = step(graph, all, last, (first, seen, coming))
            });
            pool::all(steps.collect());
            let reached = |search: usize| reached.iter().any(|bits| bits[search / 64] >> (search % 64) & 1 == 1);
            let arrived: Vec<usize> = (0..sources.len()).filter(|search| reached(*search)).collect();
            if arrived.is_empty() {
                break;
            }
            arrived.into_iter().for_each(|search| eccentricities[search] = distance);
            std::mem::swap(fresh, coming);
        }
        eccentricities
    }
}

/// One step of all searches for the nodes from `first` on. Every node takes over the searches that reached its
/// neighbours in the last step. Returns the searches that reached a new node.
fn step(graph: &Graph, all: &Bits, fresh: &[Bits], (first, seen, coming): (Node, &mut [Bits], &mut [Bits])) -> Bits {
    let mut reached = [0; WORDS];
    for (node, (seen, coming)) in (first..).zip(seen.iter_mut().zip(coming)) {
        *coming = [0; WORDS];
        if seen == all {
            continue;
        }
        for far in graph.neighbours(node) {
            let fresh = &fresh[far as usize];
            (0..WORDS).for_each(|word| coming[word] |= fresh[word]);
        }
        for word in 0..WORDS {
            coming[word] &= !seen[word];
            seen[word] |= coming[word];
            reached[word] |= coming[word];
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Topology, Wires};

    #[test]
    fn with_any_effort_the_diameter_is_within_the_bounds() {
        let networks =
            ["gnp:200:0.03", "regular:150:3", "ba:200:2", "ws:120:4:0.1", "grid:9x14", "torus:8x9", "complete:9"];
        for (name, seed) in networks.iter().flat_map(|name| (1..=8).map(move |seed| (name, seed))) {
            let Wires::Graph(graph) = name.parse::<Topology>().unwrap().build(seed).unwrap().wires else { continue };
            let eccentricity = |node| graph.distances(node).into_iter().max().unwrap();
            let exact = (0..graph.nodes()).map(eccentricity).max().unwrap();
            assert_eq!(diameter(&graph, EFFORT).exactly(), Some(exact), "{name}, seed {seed}");
            for effort in (10..24).map(|power| 1 << power) {
                let Diameter { at_least, at_most } = diameter(&graph, effort);
                assert!((at_least..=at_most).contains(&exact), "{name}, seed {seed}, effort {effort}");
            }
        }
    }

    #[test]
    fn searches_side_by_side_over_several_stretches_tell_what_each_tells_alone() {
        for name in ["ws:40000:4:0.02", "binary-tree:50000"] {
            let Wires::Graph(graph) = name.parse::<Topology>().unwrap().build(3).unwrap().wires else { panic!() };
            assert!(graph.nodes() as usize > 2 * STRETCH);
            let sources: Vec<Node> = (0..graph.nodes()).step_by(1_111).collect();
            let alone = sources.iter().map(|&source| graph.distances(source).into_iter().max().unwrap());
            assert_eq!(Parallel::default().eccentricities(&graph, &sources), alone.collect::<Vec<_>>(), "{name}");
        }
    }

    /// The grid's corners are far from all nodes, and its edges are long paths.
    #[test]
    fn a_large_grid_is_measured_from_its_middle() {
        let Wires::Graph(graph) = "grid:500x600".parse::<Topology>().unwrap().build(1).unwrap().wires else { panic!() };
        assert_eq!(diameter(&graph, EFFORT), 1_098.into());
    }

    #[test]
    fn with_little_effort_there_are_bounds() {
        let built = "regular:3000:3".parse::<Topology>().unwrap().build(7).unwrap();
        let Wires::Graph(graph) = &built.wires else { panic!("it is stored") };
        let exact = diameter(graph, EFFORT).exactly().unwrap();
        let mut widths = vec![];
        for effort in [0, 1 << 23, 1 << 24, 1 << 25] {
            let Diameter { at_least, at_most } = diameter(graph, effort);
            assert!((at_least..=at_most).contains(&exact), "{effort}: {at_least} to {at_most}, not {exact}");
            widths.push(at_most - at_least);
        }
        assert!(widths.is_sorted_by(|a, b| a >= b) && widths[0] > 0, "more effort tells more: {widths:?}");
    }
}
