//! The places of a network's nodes on a sheet, in pixels, and the curves of its links.

use bellwether_core::Port;
use bellwether_net::{Network, Node, Wiring};

use crate::caption::grouped;
use crate::layout::{Form, Layout, layout, spread};
use crate::page::MARGIN;
use crate::svg::Point;

/// The largest numbers of nodes and links of a picture. A larger picture could not be opened.
const MOST_NODES: u32 = 100_000;
const MOST_LINKS: u64 = 100_000;

/// The largest number of links that can be told apart.
const CROWD: u64 = 2_000;

/// Whether there are too many links to tell them apart.
pub fn is_crowded(network: &Network) -> bool {
    network.links() > CROWD
}

/// Makes sure that a network is not too large for a picture.
///
/// # Errors
/// If it is too large. The error says what would fit.
pub fn fits(network: &Network) -> Result<(), String> {
    let (nodes, links) = (network.nodes(), network.links());
    if nodes <= MOST_NODES && links <= MOST_LINKS {
        return Ok(());
    }
    Err(format!(
        "{network} has {} nodes and {} links: a picture of a network has at most {} of each",
        grouped(nodes.into()),
        grouped(links),
        grouped(MOST_LINKS)
    ))
}

/// Every link once, from one of its ends.
pub fn ends(network: &Network) -> impl Iterator<Item = (Node, Port)> {
    let ends = (0..network.nodes()).flat_map(move |node| (0..network.ports(node)).map(move |port| (node, Port(port))));
    ends.filter(move |(node, port)| (*node, *port) <= network.far(*node, *port))
}

/// The radius of nodes: large enough for names, or dots.
pub fn radius(network: &Network) -> f64 {
    match network.nodes() {
        0..=60 => 17.0,
        61..=150 => 11.0,
        151..=600 => 6.0,
        601..=2_000 => 4.0,
        _ => 2.6,
    }
}

/// Places in pixels.
pub struct Sheet {
    /// The place of each node.
    pub places: Vec<Point>,
    /// The radius of nodes.
    pub radius: f64,
    /// The width and the height.
    pub size: (f64, f64),
    form: Form,
    /// The length of a distance of 1.
    scale: f64,
}

impl Sheet {
    /// Places that are far enough apart for nodes not to overlap, as far as the sheet is large enough.
    pub fn new(network: &Network) -> Self {
        // A larger sheet would show no more of a crowd of links, and would take long to fill.
        let largest = if is_crowded(network) { 1_300.0 } else { 2_600.0 };
        let (Layout { mut places, form }, radius) = (layout(network), radius(network));
        let (low, high) = corners(&places);
        let (wide, tall) = ((high.0 - low.0).max(1e-3), (high.1 - low.1).max(1e-3));
        let usual = 4.2 * radius;
        let wanted = match form {
            Form::Torus | Form::Figure => usual,
            Form::Distances => {
                let room = places.len() as f64 * 25.0 * radius * radius;
                usual.max((room / (wide * tall)).sqrt())
            }
        };
        let scale = wanted.min(largest / wide.max(tall).max(1.0));
        places.iter_mut().for_each(|(x, y)| (*x, *y) = (*x * scale, *y * scale));
        if form == Form::Distances {
            spread(&mut places, 2.7 * radius);
        }
        let (low, high) = corners(&places);
        let room = MARGIN + 1.5 * radius + if form == Form::Torus { 0.4 * scale } else { 0.0 };
        places.iter_mut().for_each(|(x, y)| (*x, *y) = (*x - low.0 + room, *y - low.1 + room));
        let size = (high.0 - low.0 + 2.0 * room, high.1 - low.1 + 2.0 * room);
        Self { places, radius, size, form, scale }
    }

    /// The point towards which the link behind a port is curved, if it is not straight.
    pub fn bow(&self, network: &Network, node: Node, port: Port) -> Option<Point> {
        let (far, _) = network.far(node, port);
        let (a, b) = (self.places[node as usize], self.places[far as usize]);
        let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        // The two links of a ring of two.
        if network.nodes() == 2 && network.links() == 2 {
            let side = if (node == 0) == (port == Port::NEXT) { 40.0 } else { -40.0 };
            return Some((middle.0 + side, middle.1));
        }
        // Links of a torus that pass other nodes.
        let goes_past = self.form == Form::Torus && (a.0 - b.0).abs() + (a.1 - b.1).abs() > 1.5 * self.scale;
        let bow = 0.8 * self.scale;
        goes_past.then_some(if a.0 == b.0 { (middle.0 - bow, middle.1) } else { (middle.0, middle.1 - bow) })
    }
}

/// The upper left and the lower right corner of the box around all places.
fn corners(places: &[Point]) -> (Point, Point) {
    let fold = |(low, high): (Point, Point), (x, y): &Point| {
        ((f64::min(low.0, *x), f64::min(low.1, *y)), (f64::max(high.0, *x), f64::max(high.1, *y)))
    };
    places.iter().fold(((f64::MAX, f64::MAX), (f64::MIN, f64::MIN)), fold)
}
