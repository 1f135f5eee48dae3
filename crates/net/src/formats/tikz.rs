//! A picture for LaTeX. Grids and tori are drawn in rows and columns, trees in layers below node 0. Everything else is
//! drawn clockwise on a circle with node 0 on top.

use std::f64::consts::{PI, TAU};
use std::io::{self, Write};

use super::links;
use crate::{Network, Node, Topology, Wiring};

/// A place, in centimetres.
type Place = (f64, f64);

pub fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    let layout = Layout::new(network);
    writeln!(out, "\\begin{{tikzpicture}}[every node/.style={{draw, circle, inner sep=2pt}}]")?;
    for (node, (x, y)) in (0..).zip(&layout.places) {
        writeln!(out, "  \\node ({node}) at ({x:.2},{y:.2}) {{{}}};", escaped(&network.node_name(node)))?;
    }
    for (a, b) in links(network) {
        let way = if layout.is_far(a, b) { "to[bend left=25]" } else { "--" };
        writeln!(out, "  \\draw ({a}) {way} ({b});")?;
    }
    writeln!(out, "\\end{{tikzpicture}}")
}

struct Layout {
    places: Vec<Place>,
    /// The longest straight link. A longer one would run through other nodes.
    longest: f64,
}

impl Layout {
    fn new(network: &Network) -> Self {
        // The distance between nodes, so that names do not overlap.
        let longest = (0..network.nodes()).map(|node| network.node_name(node).chars().count()).max().unwrap_or(1);
        let apart = 1.0 + 0.2 * (longest as f64 - 1.0);
        match network.name.parse() {
            Ok(Topology::Grid(_, columns) | Topology::Torus(_, columns)) => {
                let place = |node| (f64::from(node % columns) * apart, -f64::from(node / columns) * apart);
                Self { places: (0..network.nodes()).map(place).collect(), longest: 1.5 * apart }
            }
            _ if network.is_tree() => Self { places: layers(network, apart), longest: f64::INFINITY },
            _ => Self { places: circle(network.nodes(), apart), longest: f64::INFINITY },
        }
    }

    fn is_far(&self, a: Node, b: Node) -> bool {
        let ((x, y), (u, v)) = (self.places[a as usize], self.places[b as usize]);
        (x - u).abs().max((y - v).abs()) > self.longest
    }
}

fn circle(nodes: u32, apart: f64) -> Vec<Place> {
    let n = f64::from(nodes);
    let radius = (apart / (2.0 * libm::sin(PI / n.max(2.0)))).max(1.0);
    let place = |node| {
        let angle = PI / 2.0 - TAU * f64::from(node) / n;
        (radius * libm::cos(angle), radius * libm::sin(angle))
    };
    (0..nodes).map(place).collect()
}

/// Places the leaves side by side, and every other node above the middle of its children.
fn layers(network: &Network, apart: f64) -> Vec<Place> {
    let nodes = network.nodes() as usize;
    let (mut parents, mut places) = (vec![0; nodes], vec![(0.0, 0.0); nodes]);
    let (mut order, mut stack) = (Vec::new(), vec![0]);
    while let Some(node) = stack.pop() {
        order.push(node);
        let children = network.neighbours(node).filter(|&far| node == 0 || far != parents[node as usize]);
        for child in children.collect::<Vec<_>>().into_iter().rev() {
            parents[child as usize] = node;
            places[child as usize].1 = places[node as usize].1 - apart;
            stack.push(child);
        }
    }
    let mut spans = vec![None; nodes];
    let mut leaves = order.iter().filter(|&&node| node != 0 && network.ports(node) == 1).count() as f64;
    for &node in order.iter().rev() {
        let (left, right) = spans[node as usize].unwrap_or_else(|| {
            leaves -= 1.0;
            (leaves * apart, leaves * apart)
        });
        let x: f64 = (left + right) / 2.0;
        places[node as usize].0 = x;
        let above: &mut Option<Place> = &mut spans[parents[node as usize] as usize];
        *above = Some(above.map_or((x, x), |(left, right)| (left.min(x), right.max(x))));
    }
    places
}

/// A name, escaped for LaTeX.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            '\\' => text += "\\textbackslash{}",
            '~' => text += "\\textasciitilde{}",
            '^' => text += "\\textasciicircum{}",
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => text.extend(['\\', c]),
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    text
}
