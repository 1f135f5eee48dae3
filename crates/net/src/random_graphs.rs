//! The links of the random families, drawn from the seed. The drawn links never change between versions.

use bellwether_random::Stream;

use super::Node;
use super::classic::{LinkList, complete};

/// A random tree. All trees on these nodes have the same probability: any Prüfer sequence is drawn.
pub fn tree(nodes: u32, stream: &mut Stream) -> LinkList {
    if nodes < 3 {
        return (1..nodes).map(|node| (0, node)).collect();
    }
    let sequence: Vec<Node> = (2..nodes).map(|_| stream.below(nodes.into()) as Node).collect();
    let mut missing = vec![1u32; nodes as usize];
    sequence.iter().for_each(|&node| missing[node as usize] += 1);
    let mut links = LinkList::with_capacity(nodes as usize - 1);
    // The smallest leaf is linked and removed. `next` has passed all smaller leaves.
    let mut next = 0;
    let mut leaf = None;
    for &node in &sequence {
        let taken = leaf.take().unwrap_or_else(|| smallest_leaf(&missing, &mut next));
        links.push((taken, node));
        missing[taken as usize] -= 1;
        missing[node as usize] -= 1;
        if missing[node as usize] == 1 && node < next {
            leaf = Some(node);
        }
    }
    let last = leaf.unwrap_or_else(|| smallest_leaf(&missing, &mut next));
    links.push((last, nodes - 1));
    links
}

fn smallest_leaf(missing: &[u32], next: &mut Node) -> Node {
    while missing[*next as usize] != 1 {
        *next += 1;
    }
    *next += 1;
    *next - 1
}

/// Erdős and Rényi: every pair is linked with probability `p`. The gap from one link to the next is geometric, so the
/// cost depends on the number of links only.
pub fn erdos_renyi(nodes: u32, p: f64, stream: &mut Stream) -> LinkList {
    if p >= 1.0 {
        return complete(nodes);
    }
    let mut links = LinkList::new();
    if p <= 0.0 {
        return links;
    }
    let rate = libm::log1p(-p);
    let pairs = u64::from(nodes) * u64::from(nodes - 1) / 2;
    // The pair (node, other), with other below node, has the number `row + other`.
    let (mut pair, mut node, mut row) = (0u64, 1u64, 0u64);
    loop {
        // A gap that is too large for a number ends behind the last pair.
        pair = pair.saturating_add((libm::log(stream.unit()) / rate) as u64);
        if pair >= pairs {
            return links;
        }
        while pair - row >= node {
            row += node;
            node += 1;
        }
        links.push(((pair - row) as Node, node as Node));
        pair += 1;
    }
}

/// Every node has `degree` links. This is the pairing of Steger and Wormald: ends that do not suit are drawn again.
pub fn regular(nodes: u32, degree: u32, stream: &mut Stream) -> LinkList {
    let rest = nodes - 1 - degree;
    if degree > rest {
        // The missing links are as random, and fewer.
        return complement(nodes, &pairing(nodes, rest, stream));
    }
    if degree == 2 {
        // A connected graph of degree 2 is one cycle; a pairing would nearly always give several.
        let mut order: Vec<Node> = (0..nodes).collect();
        stream.shuffle(&mut order);
        let next = order.iter().cycle().skip(1).copied();
        return order.iter().copied().zip(next).collect();
    }
    pairing(nodes, degree, stream)
}

fn pairing(nodes: u32, degree: u32, stream: &mut Stream) -> LinkList {
    let mut neighbours = Neighbours::new(nodes, degree);
    let mut ends: Vec<Node> = (0..nodes).flat_map(|node| std::iter::repeat_n(node, degree as usize)).collect();
    let mut links = LinkList::with_capacity(ends.len() / 2);
    while !ends.is_empty() {
        stream.shuffle(&mut ends);
        let before = links.len();
        let mut left = Vec::new();
        for pair in ends.chunks_exact(2) {
            if neighbours.suit(pair[0], pair[1]) {
                neighbours.join(pair[0], pair[1]);
                links.push((pair[0], pair[1]));
            } else {
                left.extend_from_slice(pair);
            }
        }
        if links.len() == before
            && let [a, b, ..] = left[..]
        {
            // Perhaps no two of the remaining ends suit. The two ends are inserted into a link that exists.
            let index = stream.below(links.len() as u64) as usize;
            let (c, d) = links[index];
            if neighbours.suit(a, c) && neighbours.suit(b, d) {
                neighbours.part(c, d);
                neighbours.join(a, c);
                neighbours.join(b, d);
                links[index] = (a, c);
                links.push((b, d));
                left.drain(..2);
            }
        }
        ends = left;
    }
    links
}

/// The neighbours of every node, at most `degree` each.
struct Neighbours {
    degree: usize,
    counts: Vec<u32>,
    lists: Vec<Node>,
}

impl Neighbours {
    fn new(nodes: u32, degree: u32) -> Self {
        let (nodes, degree) = (nodes as usize, degree as usize);
        Self { degree, counts: vec![0; nodes], lists: vec![0; nodes * degree] }
    }

    fn of(&self, node: Node) -> &[Node] {
        let first = node as usize * self.degree;
        &self.lists[first..first + self.counts[node as usize] as usize]
    }

    /// Whether two nodes are different and not linked.
    fn suit(&self, a: Node, b: Node) -> bool {
        a != b && !self.of(a).contains(&b)
    }

    fn join(&mut self, a: Node, b: Node) {
        for (node, far) in [(a, b), (b, a)] {
            let count = &mut self.counts[node as usize];
            self.lists[node as usize * self.degree + *count as usize] = far;
            *count += 1;
        }
    }

    fn part(&mut self, a: Node, b: Node) {
        for (node, far) in [(a, b), (b, a)] {
            let place = self.of(node).iter().position(|&linked| linked == far).expect("they are linked");
            let first = node as usize * self.degree;
            let count = &mut self.counts[node as usize];
            *count -= 1;
            self.lists.swap(first + place, first + *count as usize);
        }
    }
}

/// All links but these.
fn complement(nodes: u32, links: &[(Node, Node)]) -> LinkList {
    let mut sorted: LinkList = links.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    sorted.sort_unstable();
    let mut without = sorted.into_iter().peekable();
    let mut all = complete(nodes);
    all.retain(|link| without.next_if_eq(link).is_none());
    all
}

/// Starts with a star of `links + 1` nodes. Then every newcomer makes `links` links, to nodes in proportion to their
/// degrees.
pub fn barabasi_albert(nodes: u32, links: u32, stream: &mut Stream) -> LinkList {
    let mut made: LinkList = (1..=links).map(|node| (0, node)).collect();
    // Every node, once for each of its links.
    let mut ends: Vec<Node> = made.iter().flat_map(|&(a, b)| [a, b]).collect();
    let mut chosen_by = vec![0; nodes as usize];
    for newcomer in links + 1..nodes {
        let first = made.len();
        while made.len() - first < links as usize {
            let chosen = ends[stream.below(ends.len() as u64) as usize];
            if std::mem::replace(&mut chosen_by[chosen as usize], newcomer) != newcomer {
                made.push((chosen, newcomer));
            }
        }
        ends.extend(made[first..].iter().flat_map(|&(a, b)| [a, b]));
    }
    made
}

/// Every node is linked to its next `nearest / 2` nodes on a ring. Each link is moved with probability `p` to a random
/// node that is not linked yet.
pub fn watts_strogatz(nodes: u32, nearest: u32, p: f64, stream: &mut Stream) -> LinkList {
    let clockwise = |node: u32, steps: u32| ((u64::from(node) + u64::from(steps)) % u64::from(nodes)) as Node;
    let steps = || (1..=nearest / 2).flat_map(|steps| (0..nodes).map(move |node| (node, steps)));
    let mut lists: Vec<Vec<Node>> = vec![Vec::with_capacity(nearest as usize + 2); nodes as usize];
    for (node, steps) in steps() {
        let far = clockwise(node, steps);
        lists[node as usize].push(far);
        lists[far as usize].push(node);
    }
    for (node, steps) in steps() {
        if stream.unit() > p || lists[node as usize].len() as u32 == nodes - 1 {
            continue;
        }
        let old = clockwise(node, steps);
        let new = loop {
            let new = stream.below(nodes.into()) as Node;
            if new != node && !lists[node as usize].contains(&new) {
                break new;
            }
        };
        for (list, item) in [(node, old), (old, node)] {
            lists[list as usize].retain(|&far| far != item);
        }
        lists[node as usize].push(new);
        lists[new as usize].push(node);
    }
    let above = |(node, list): (usize, Vec<Node>)| {
        list.into_iter().filter(move |&far| (node as Node) < far).map(move |far| (node as Node, far))
    };
    lists.into_iter().enumerate().flat_map(above).collect()
}
