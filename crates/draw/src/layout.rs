//! The layout of a network, the same on every machine.
//!
//! Rings are drawn as circles, trees as trees, grids as grids. In all other networks the distance on the page follows
//! the number of links between nodes. Only operations with results fixed by IEEE 754 are used, and `libm` for the rest.

mod spread;
mod stress;
mod tidy;

pub use spread::spread;

use std::f64::consts::TAU;

use bellwether_core::Port;
use bellwether_net::{Network, Node, Topology, Wiring};

use crate::svg::Point;

/// The layout of a network.
pub struct Layout {
    /// The place of every node; neighbours are about 1 apart.
    pub places: Vec<Point>,
    /// The kind of layout.
    pub form: Form,
}

/// The kind of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Closed rows and columns: some links pass other nodes, and must stay visible.
    Torus,
    /// A regular figure in which every node has enough space.
    Figure,
    /// Distances in the network: nodes may be close to each other.
    Distances,
}

/// The layout of a network.
pub fn layout(network: &Network) -> Layout {
    let nodes = network.nodes();
    let (places, form) = match network.name.parse::<Topology>() {
        Ok(Topology::Torus(_, columns)) => (grid(nodes, columns), Form::Torus),
        Ok(Topology::Grid(_, columns)) => (grid(nodes, columns), Form::Figure),
        Ok(Topology::Complete(_)) => (circle(&(0..nodes).collect::<Vec<_>>()), Form::Figure),
        Ok(Topology::Star(_)) if nodes > 2 => (star(nodes), Form::Figure),
        _ if network.links() == u64::from(nodes) - 1 => (tree(network), Form::Figure),
        _ => match network.as_ring() {
            Some(ring) => (circle(&round(&ring)), Form::Figure),
            None => (stress::stress(network), Form::Distances),
        },
    };
    Layout { places, form }
}

/// The nodes of a ring, clockwise.
fn round(ring: &Network) -> Vec<Node> {
    let next = |node: &Node| Some(ring.far(*node, Port::NEXT).0);
    std::iter::successors(Some(0), next).take(ring.nodes() as usize).collect()
}

/// These nodes on a circle, the first at the top, clockwise.
fn circle(nodes: &[Node]) -> Vec<Point> {
    let count = nodes.len() as f64;
    let radius = (count / TAU).max(0.7);
    let mut places = vec![(0.0, 0.0); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let angle = TAU * index as f64 / count;
        places[*node as usize] = (radius * libm::sin(angle), -radius * libm::cos(angle));
    }
    places
}

/// The first node in the centre, the others around it.
fn star(nodes: u32) -> Vec<Point> {
    let around = circle(&(0..nodes - 1).collect::<Vec<_>>());
    let radius = (f64::from(nodes - 1) / TAU).max(1.0) / (f64::from(nodes - 1) / TAU).max(0.7);
    std::iter::once((0.0, 0.0)).chain(around.into_iter().map(|(x, y)| (x * radius, y * radius))).collect()
}

/// A grid of places, row by row.
fn grid(nodes: u32, columns: u32) -> Vec<Point> {
    (0..nodes).map(|node| (f64::from(node % columns), f64::from(node / columns))).collect()
}

/// A tree from its root. A path goes back and forth in rows.
fn tree(network: &Network) -> Vec<Point> {
    const LINE: u32 = 16;
    let nodes = network.nodes();
    let ends: Vec<Node> = (0..nodes).filter(|node| network.ports(*node) == 1).collect();
    match ends[..] {
        [first, _] => {
            let columns = if nodes <= LINE { nodes } else { f64::from(nodes).sqrt().ceil() as u32 };
            let mut places = vec![(0.0, 0.0); nodes as usize];
            for (step, node) in walk(network, first).into_iter().enumerate() {
                let (row, column) = (step as u32 / columns, step as u32 % columns);
                let column = if row % 2 == 0 { column } else { columns - 1 - column };
                places[node as usize] = (f64::from(column), f64::from(row));
            }
            places
        }
        _ => tidy::tidy(network),
    }
}

/// The nodes of a path, from one of its ends.
fn walk(path: &Network, first: Node) -> Vec<Node> {
    let (mut nodes, mut last) = (vec![first], first);
    while let Some(next) = path.neighbours(nodes[nodes.len() - 1]).find(|far| *far != last) {
        last = nodes[nodes.len() - 1];
        nodes.push(next);
    }
    nodes
}
