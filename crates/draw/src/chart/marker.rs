//! The signs of series: shapes as well as colours.

use crate::signs::star;
use crate::svg::{Path, Point, Svg};

/// The sign of the series with this number.
#[derive(Clone, Copy)]
pub struct Marker(pub usize);

/// The number of shapes, the same as the number of colours. With hollow shapes there are twice as many signs.
const SHAPES: usize = 7;

impl Marker {
    /// Draws the sign around a place, in the colour of its group.
    pub fn draw(self, svg: &mut Svg, (x, y): Point) {
        let at = |a: f64, b: f64| (x + a, y + b);
        let shape = match self.0 % SHAPES {
            0 => Path::default().circle((x, y), 4.0),
            1 => Path::default().rectangle(at(-3.6, -3.6), 7.2, 7.2),
            2 => Path::polygon(&[at(0.0, -4.8), at(4.6, 3.4), at(-4.6, 3.4)]),
            3 => Path::polygon(&[at(0.0, -5.2), at(5.2, 0.0), at(0.0, 5.2), at(-5.2, 0.0)]),
            4 => Path::polygon(&[at(0.0, 4.8), at(4.6, -3.4), at(-4.6, -3.4)]),
            5 => Path::polygon(&[
                at(-1.6, -5.0),
                at(1.6, -5.0),
                at(1.6, -1.6),
                at(5.0, -1.6),
                at(5.0, 1.6),
                at(1.6, 1.6),
                at(1.6, 5.0),
                at(-1.6, 5.0),
                at(-1.6, 1.6),
                at(-5.0, 1.6),
                at(-5.0, -1.6),
                at(-1.6, -1.6),
            ]),
            _ => star((x, y), 6.0),
        };
        // After all shapes are used, they are repeated hollow, so that the line below stays visible.
        let hollow = self.0 / SHAPES % 2 == 1;
        svg.tag("path").with("class", if hollow { "open" } else { "head" }).with("d", shape).empty();
    }
}
