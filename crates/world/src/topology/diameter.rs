//! The diameter of a graph, exactly, without a search from every node.
//!
//! A few sweeps find two nodes that are far apart; that no two are farther is then proved node by node. Who is d away
//! from a node of eccentricity e has at most e + d, so a search from a central node proves it for many (Takes and
//! Kosters). Searches go many at a time, a bit each, since in networks in which everybody is about equally central
//! (random ones are of this kind) a search proves it for few.

use super::{Graph, Node, Wiring};

/// The largest distance between two nodes.
pub fn diameter(graph: &Graph) -> u32 {
    let nodes = graph.nodes();
    let mut search = Search { graph, largest: 0, bound: vec![u32::MAX; nodes as usize] };
    let centre = search.sweep(0);
    if graph.links() < nodes.into() {
        // In a tree a sweep finds it.
        return search.largest;
    }
    let busiest = (0..nodes).max_by_key(|&node| graph.ports(node)).unwrap_or(0);
    search.sweep(busiest);
    search.prove_all(centre);
    search.largest
}

struct Search<'a> {
    graph: &'a Graph,
    /// The largest distance found.
    largest: u32,
    /// By node: no distance from it is larger. Only bounds of at most `largest` are of interest.
    bound: Vec<u32>,
}

impl Search<'_> {
    /// From a node to the farthest, and from there to the farthest again: finds a large distance, and on the way a
    /// central node.
    fn sweep(&mut self, start: Node) -> Node {
        let from = farthest(&self.graph.distances(start));
        let distances = self.graph.distances(from);
        let mut node = farthest(&distances);
        let length = distances[node as usize];
        self.largest = self.largest.max(length);
        while distances[node as usize] > length / 2 {
            let nearer = |far: &Node| distances[*far as usize] < distances[node as usize];
            node = self.graph.neighbours(node).find(nearer).unwrap_or(from);
        }
        node
    }

    /// Searches until everybody has a bound, from the centre outwards.
    fn prove_all(&mut self, centre: Node) {
        let distances = self.graph.distances(centre);
        let eccentricity = distances.iter().copied().max().unwrap_or(0);
        self.prove(centre, eccentricity);
        let mut open: Vec<Node> = (0..self.graph.nodes()).collect();
        open.sort_by_key(|&node| distances[node as usize]);
        // How far a search is expected to prove it: sources of a batch are chosen so that they leave that to each
        // other.
        let mut reach = self.largest.saturating_sub(eccentricity);
        let mut left_to = vec![0; open.len()];
        let mut batch = 0;
        let mut parallel = Parallel::default();
        loop {
            open.retain(|&node| self.bound[node as usize] > self.largest);
            if open.is_empty() {
                return;
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
                for (&source, eccentricity) in sources.iter().zip(parallel.eccentricities(self.graph, &sources)) {
                    self.prove(source, eccentricity);
                    reach = self.largest - eccentricity;
                }
            }
        }
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

fn farthest(distances: &[u32]) -> Node {
    let farthest = distances.iter().enumerate().max_by_key(|&(_, distance)| distance);
    farthest.map_or(0, |(node, _)| node as Node)
}

/// How many searches go at once.
const WIDTH: usize = 64 * WORDS;
const WORDS: usize = 8;

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
            let mut reached = [0; WORDS];
            for node in 0..graph.nodes() {
                let (seen, coming) = (&mut seen[node as usize], &mut coming[node as usize]);
                *coming = [0; WORDS];
                if *seen == all {
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
            if reached == [0; WORDS] {
                break;
            }
            std::mem::swap(fresh, coming);
            let arrived = (0..sources.len()).filter(|search| reached[search / 64] >> (search % 64) & 1 == 1);
            arrived.for_each(|search| eccentricities[search] = distance);
        }
        eccentricities
    }
}
