//! A layout for any network: distances on the page follow distances in the network, as well as a plane allows.
//!
//! Distances are known from a few pivots only. Pivot MDS gives the first layout (Brandes and Pich, 2006). Then each
//! node is moved repeatedly to the place that its neighbours and the pivots suggest (sparse stress: Ortmann, Klimenta
//! and Brandes, 2016). In a small network every node is a pivot.

use bellwether_net::{Network, Node, Wiring};

use crate::svg::Point;

/// The largest number of pivots, from which the distances to all nodes are known.
const PIVOTS: usize = 120;
/// The number of times every node is moved.
const SWEEPS: usize = 60;
/// The number of power iterations for an axis.
const TURNS: usize = 80;

/// The places of a network's nodes.
pub fn stress(network: &Network) -> Vec<Point> {
    let pivots = pivots(network, PIVOTS);
    let mut places = projected(&pivots, network.nodes() as usize);
    let weights = weights(&pivots);
    for _ in 0..SWEEPS {
        for node in 0..network.nodes() {
            places[node as usize] = pulled(network, &pivots, &weights, &places, node);
        }
    }
    places
}

/// A pivot: its node, and its distance by node.
struct Pivot {
    node: Node,
    distances: Vec<u32>,
}

/// Nodes that are far from each other, beginning with node 0.
fn pivots(network: &Network, most: usize) -> Vec<Pivot> {
    let nodes = network.nodes() as usize;
    let mut nearest = vec![u32::MAX; nodes];
    let mut pivots: Vec<Pivot> = vec![];
    let mut node = 0;
    while pivots.len() < most.min(nodes) {
        let distances = network.distances(node);
        nearest.iter_mut().zip(&distances).for_each(|(near, distance)| *near = (*near).min(*distance));
        pivots.push(Pivot { node, distances });
        // The first of the farthest nodes.
        let farthest = nearest.iter().enumerate().rev().max_by_key(|&(_, distance)| distance);
        node = farthest.map_or(0, |(node, _)| node as Node);
    }
    pivots
}

/// Pivot MDS: projects onto the two directions in which the distances differ most.
fn projected(pivots: &[Pivot], nodes: usize) -> Vec<Point> {
    let (n, k) = (nodes as f64, pivots.len() as f64);
    let square = |distance: u32| f64::from(distance) * f64::from(distance);
    let of_node: Vec<f64> =
        (0..nodes).map(|node| pivots.iter().map(|pivot| square(pivot.distances[node])).sum::<f64>() / k).collect();
    let of_pivot: Vec<f64> =
        pivots.iter().map(|pivot| pivot.distances.iter().copied().map(square).sum::<f64>() / n).collect();
    let all = of_pivot.iter().sum::<f64>() / k;
    let centred = |node: usize, pivot: usize| {
        -0.5 * (square(pivots[pivot].distances[node]) - of_node[node] - of_pivot[pivot] + all)
    };
    let columns: Vec<Vec<f64>> =
        (0..pivots.len()).map(|pivot| (0..nodes).map(|node| centred(node, pivot)).collect()).collect();
    let product: Vec<Vec<f64>> = columns.iter().map(|a| columns.iter().map(|b| dot(a, b)).collect()).collect();
    let first = axis(&product, None);
    let second = axis(&product, Some(&first));
    let place =
        |axis: &[f64], node: usize| columns.iter().zip(axis).map(|(column, part)| column[node] * part).sum::<f64>();
    let mut places: Vec<Point> = (0..nodes).map(|node| (place(&first, node), place(&second, node))).collect();
    let size = places.iter().map(|(x, y)| x * x + y * y).sum::<f64>().sqrt().max(1e-9) / n.sqrt();
    let radius = of_pivot.iter().sum::<f64>().sqrt().max(1.0) / k.sqrt();
    // Nodes with equal distances to all pivots are moved apart a little, each in its own direction.
    for (node, place) in places.iter_mut().enumerate() {
        let turn = node as f64 * 2.399_963_229_728_653;
        let apart = 0.05 * (1.0 + node as f64 / n);
        *place = (
            place.0 / size * radius * 0.7 + apart * libm::cos(turn),
            place.1 / size * radius * 0.7 + apart * libm::sin(turn),
        );
    }
    places
}

/// The principal axis of a symmetric matrix, orthogonal to another one.
fn axis(matrix: &[Vec<f64>], other: Option<&[f64]>) -> Vec<f64> {
    let mut axis: Vec<f64> = (0..matrix.len()).map(|index| 1.0 + ((index * 7919 + 13) % 101) as f64 / 101.0).collect();
    for _ in 0..TURNS {
        axis = matrix.iter().map(|row| dot(row, &axis)).collect();
        if let Some(other) = other {
            let along = dot(&axis, other);
            axis.iter_mut().zip(other).for_each(|(part, of)| *part -= along * of);
        }
        let length = dot(&axis, &axis).sqrt().max(1e-30);
        axis.iter_mut().for_each(|part| *part /= length);
    }
    axis
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// By pivot and distance: the weight of the pivot. It is a number of nodes divided by the square of the distance. These
/// are the nodes of the pivot's region that are at most half as far from it.
fn weights(pivots: &[Pivot]) -> Vec<Vec<f64>> {
    let nodes = pivots[0].distances.len();
    let mut regions = vec![vec![]; pivots.len()];
    for node in 0..nodes {
        let nearest = (0..pivots.len()).min_by_key(|&pivot| pivots[pivot].distances[node]).unwrap_or(0);
        regions[nearest].push(pivots[nearest].distances[node]);
    }
    let weigh = |(pivot, region): (&Pivot, &Vec<u32>)| {
        let farthest = pivot.distances.iter().copied().max().unwrap_or(0);
        let mut within = vec![0u32; farthest as usize + 1];
        region.iter().for_each(|distance| within[*distance as usize] += 1);
        let mut sum = 0;
        within.iter_mut().for_each(|count| {
            sum += *count;
            *count = sum;
        });
        let weight = |distance: u32| {
            let far = f64::from(distance.max(1));
            f64::from(within[(distance / 2) as usize]) / (far * far)
        };
        (0..=farthest).map(weight).collect()
    };
    pivots.iter().zip(&regions).map(weigh).collect()
}

/// The place that a node's neighbours and the pivots suggest.
fn pulled(network: &Network, pivots: &[Pivot], weights: &[Vec<f64>], places: &[Point], node: Node) -> Point {
    let (x, y) = places[node as usize];
    let (mut sum, mut total) = ((0.0, 0.0), 0.0);
    let mut pull = |other: Point, distance: f64, weight: f64| {
        let (dx, dy) = (x - other.0, y - other.1);
        let length = (dx * dx + dy * dy).sqrt().max(1e-6);
        sum.0 += weight * (other.0 + distance * dx / length);
        sum.1 += weight * (other.1 + distance * dy / length);
        total += weight;
    };
    for far in network.neighbours(node).filter(|far| *far != node) {
        pull(places[far as usize], 1.0, 1.0);
    }
    for (pivot, weights) in pivots.iter().zip(weights).filter(|(pivot, _)| pivot.node != node) {
        let distance = pivot.distances[node as usize];
        // A neighbour has been counted already.
        if distance > 1 {
            pull(places[pivot.node as usize], f64::from(distance), weights[distance as usize]);
        }
    }
    if total > 0.0 { (sum.0 / total, sum.1 / total) } else { (x, y) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether_net::Topology;

    fn drawn(name: &str) -> (Network, Vec<Point>) {
        let network = name.parse::<Topology>().unwrap().build(1).unwrap();
        let places = stress(&network);
        (network, places)
    }

    fn apart(a: Point, b: Point) -> f64 {
        ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt()
    }

    #[test]
    fn distances_in_the_picture_are_those_of_a_grid() {
        let (_, places) = drawn("grid:5x5");
        let corner = apart(places[0], places[24]);
        assert!((5.0..=8.5).contains(&corner), "{corner}");
        assert!((0.5..=1.5).contains(&apart(places[0], places[1])));
    }

    #[test]
    fn nodes_that_look_alike_have_places_of_their_own() {
        for name in ["hypercube:4", "star:9", "complete:6", "gnp:150:0.03"] {
            let (network, places) = drawn(name);
            for a in 0..network.nodes() as usize {
                for b in 0..a {
                    assert!(apart(places[a], places[b]) > 0.01, "{name}: {a} and {b}");
                }
            }
        }
    }

    #[test]
    fn the_same_network_has_the_same_places() {
        assert_eq!(drawn("ba:300:2").1, drawn("ba:300:2").1);
    }
}
