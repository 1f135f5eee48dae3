//! The diameter of a graph, without a search from every node: exactly, or within bounds where that would take too long.
//!
//! A few searches find nodes that are far apart, and a central one. Who is both at most d away from it, are at most 2d from
//! each other: where few are farther, searches from them prove the rest (Crescenzi and others, iFUB). Else it is proved
//! node by node that no two are farther. Who is d away from a node of eccentricity e has at most e + d, so a search from a
//! central node proves it for many (Takes and Kosters). These searches go many at a time, a bit each, since in networks in
//! which everybody is about equally central (random ones are of this kind) a search proves it for few. If those are also
//! large, so that the effort allowed will not do, what the searches that were made prove of the others has to do.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{Graph, Node, Wiring};
use crate::{memory, together};

/// The largest distance between two nodes, or what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diameter {
    /// Two nodes are so far apart.
    pub at_least: u32,
    /// No two are farther.
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
        /// What a program reads where it is not known exactly.
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

/// So many words are looked at by searches side by side before bounds have to do: some seconds. Counted, not timed, so
/// that every machine tells the same.
pub const EFFORT: u64 = 1 << 32;

/// One part in so many of the effort may go into searches one by one.
const ALONE: u64 = 16;

/// And one in so many goes into searches side by side even if they will not prove it, since they make for a closer bound.
const ANYWAY: u64 = 8;

/// So many times a more central node is looked for.
const ATTEMPTS: usize = 6;

/// The largest distance between two nodes, with at most about so much effort.
pub fn diameter(graph: &Graph, effort: u64) -> Diameter {
    let nodes = graph.nodes();
    let mut search = Search { graph, largest: 0, bound: vec![u32::MAX; nodes as usize] };
    if graph.links() < nodes.into() {
        // In a tree a search from the end of another finds it.
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
    /// By node: no distance from it is larger. Only bounds of at most `largest` are of interest.
    bound: Vec<u32>,
}

impl Search<'_> {
    /// All distances from a node.
    fn distances(&mut self, from: Node) -> Vec<u32> {
        let distances = self.graph.distances(from);
        self.largest = distances.iter().copied().max().unwrap_or(0).max(self.largest);
        distances
    }

    /// A central node, by the distances from it: nobody is nearer to all of some nodes that are far apart. The first of
    /// them are the ends of a long way, the others those that are farthest from what seemed central before.
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

    /// Searches from those who are farthest from the centre, as long as they are few. Tells a bound for all distances.
    fn prove_from_afar(&mut self, centre: &[u32], mut effort: u64) -> u32 {
        let mut by_distance: Vec<Vec<Node>> = vec![];
        for (node, &distance) in (0..).zip(centre) {
            by_distance.resize_with(by_distance.len().max(distance as usize + 1), Vec::new);
            by_distance[distance as usize].push(node);
        }
        // A search looks at all links, one after the other and in no order: as dear as many of them side by side.
        let cost = WORDS as u64 * (u64::from(self.graph.nodes()) + 2 * self.graph.links());
        while let Some(farthest) = by_distance.pop() {
            // These and those nearer have at most that between them, and from all others there was a search.
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

    /// Searches until everybody has a bound, from the centre outwards; tells whether the effort was enough.
    fn prove_all(&mut self, distances: &[u32], mut effort: u64) -> bool {
        let eccentricity = distances.iter().copied().max().unwrap_or(0);
        let centre = distances.iter().position(|distance| *distance == 0).unwrap_or(0) as Node;
        self.prove(centre, eccentricity);
        let mut open: Vec<Node> = (0..self.graph.nodes()).collect();
        open.sort_by_key(|&node| distances[node as usize]);
        // How far a search is expected to prove it: sources of a batch are chosen so that they leave that to each
        // other.
        let mut reach = self.largest.saturating_sub(eccentricity);
        let mut left_to = vec![0; open.len()];
        let mut batch = 0;
        let hopeful = effort - effort / ANYWAY;
        let mut unproved = open.len() as u64;
        let mut parallel = Parallel::default();
        if memory::make_sure_of(3 * size_of::<Bits>() * open.len(), "the search").is_err() {
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
                // A step of all searches looks at everybody's neighbours, and there are as many as the diameter.
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
                // If it goes on like this, will it do?
                if effort < hopeful && unproved > effort / cost * before.saturating_sub(unproved) {
                    return false;
                }
            }
        }
    }

    /// What all searches together prove: who is d away from a node that has a bound has at most d more.
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

    /// Draws the conclusions of a search from `node`.
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

/// Goes from a node as far as `reach`, on from those only for which `visit` wants it.
fn spread(graph: &Graph, node: Node, reach: u32, mut visit: impl FnMut(Node, u32) -> bool) {
    let mut rim = vec![node];
    for distance in 1..=reach {
        let near = rim.iter().flat_map(|&node| graph.neighbours(node));
        rim = near.filter(|&far| visit(far, distance)).collect();
    }
}

/// Of two distances by node, the larger one.
fn keep_larger(distances: &mut [u32], others: &[u32]) {
    distances.iter_mut().zip(others).for_each(|(distance, other)| *distance = (*distance).max(*other));
}

fn farthest(distances: &[u32]) -> Node {
    let farthest = distances.iter().enumerate().max_by_key(|&(_, distance)| distance);
    farthest.map_or(0, |(node, _)| node as Node)
}

/// How many searches go at once.
const WIDTH: usize = 64 * WORDS;
const WORDS: usize = 8;

/// So many nodes are done in one go: a step of all takes longer than to tell a thread of it.
const STRETCH: usize = 1 << 14;

/// A set of searches, a bit each.
type Bits = [u64; WORDS];

/// Searches side by side. By node: those that have reached it, that reached it in the last step, and in this one.
#[derive(Default)]
struct Parallel {
    seen: Vec<Bits>,
    fresh: Vec<Bits>,
    coming: Vec<Bits>,
}

impl Parallel {
    /// How far away the farthest node is from each of the sources.
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
            together::all(steps.collect());
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

/// Everybody from the first of these nodes on looks at which searches reached its neighbours in the last step. Tells which
/// of them reach somebody here now.
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

    /// It has corners that are far from everybody, and long ways along its edges.
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
