//! The names and ids in and beside the nodes of a network.

use bellwether_core::Id;
use bellwether_net::Node;

use crate::diagram::State;
use crate::page::NARROWEST;
use crate::sheet::Sheet;
use crate::svg::{Svg, Tenths, fitted, width};

/// The height of a line.
const HIGH: f64 = 11.0;
/// The largest width of a text beside a node.
const WIDEST: f64 = 240.0;

/// The space for names and ids on a sheet.
pub struct Names<'a> {
    /// The sheet.
    pub sheet: &'a Sheet,
    /// The distance of the sheet from the left edge of the page.
    left: f64,
}

/// Whether a text stands above a node or below it.
#[derive(Clone, Copy)]
enum Side {
    Above,
    Below,
}

impl<'a> Names<'a> {
    /// The space on a sheet at this distance from the left edge of the page.
    pub fn new(sheet: &'a Sheet, left: f64) -> Self {
        Self { sheet, left }
    }

    /// Writes the name into the node and the id below it. A text that is too long is written outside, if there is
    /// space.
    pub fn write(&self, svg: &mut Svg, node: Node, name: &str, id: Option<&Id>, state: State) {
        let ((x, y), r) = (self.sheet.places[node as usize], self.sheet.radius);
        let is_large = r > 12.0;
        let id = id.map_or(String::new(), |id| format!("id {id}"));
        let sizes = if is_large { [11.0, 9.0] } else { [9.0, 7.5] };
        let within = match state {
            State::Leader | State::Undecided(Some(_)) => "ongold mid",
            _ => "within mid",
        };
        let mut write = |text: &str, class: &str, size: f64, y: f64| {
            if class != within {
                return svg.haloed(class, Some(size), (x, y), text);
            }
            let tag = svg.tag("text").with("class", class).with("style", format!("font-size:{}px", Tenths(size)));
            tag.at("x", x).at("y", y).text(text);
        };
        let below = self.room(node, Side::Below);
        // In a large node the id goes inside if it fits. In a small node it goes below if it fits there, because
        // letters inside would be too small to read.
        let id_is_inside = match is_large {
            true => width(&id, 8.0) <= 1.8 * r,
            false => width(&id, 8.0) > below && width(&id, 6.5) <= 1.9 * r,
        };
        if width(name, sizes[0]) <= 2.0 * r - 3.0 {
            let low = if id.is_empty() || !id_is_inside { 0.36 * sizes[0] } else { -1.0 };
            write(name, within, sizes[0], y + low);
        } else {
            let room = self.room(node, Side::Above).max(3.8 * r);
            let size = *sizes.iter().find(|size| width(name, **size) <= room).unwrap_or(&sizes[1]);
            write(&fitted(name, size, room), "said note", size, y - r - 4.0);
        }
        match (id.is_empty(), id_is_inside) {
            (true, _) => {}
            (_, true) => write(&id, within, if is_large { 8.0 } else { 6.5 }, y + if is_large { 9.0 } else { 7.0 }),
            (_, false) if is_large => write(&fitted(&id, 8.0, below.max(3.8 * r)), "said note", 8.0, y + r + 10.0),
            (_, false) if width(&id, 8.0) <= below => write(&id, "said note", 8.0, y + r + 8.5),
            // There is no space: the text is only in the node's description.
            (_, false) => {}
        }
    }

    /// The largest width of a text beside a node: up to the next nodes, and halfway to the texts beside them.
    fn room(&self, node: Node, side: Side) -> f64 {
        let (r, (x, y)) = (self.sheet.radius, self.sheet.places[node as usize]);
        let (above, below) = (-r - HIGH / 2.0 - 2.0, r + HIGH / 2.0 + 2.0);
        let line = match side {
            Side::Above => y + above,
            Side::Below => y + below,
        };
        let edge = (self.left + x).min(self.sheet.size.0.max(NARROWEST) - self.left - x);
        let mut room = WIDEST.min(2.0 * edge - 8.0);
        let others = self.sheet.places.iter().enumerate().filter(|(other, _)| *other != node as usize);
        for (_, (ox, oy)) in others {
            let apart = (ox - x).abs();
            if (oy - line).abs() < r + HIGH / 2.0 {
                room = room.min(2.0 * (apart - r - 2.0));
            }
            let is_beside = |offset: f64| (oy + offset - line).abs() < HIGH;
            if is_beside(above) || is_beside(below) {
                room = room.min(apart - 4.0);
            }
        }
        room.max(0.0)
    }
}
