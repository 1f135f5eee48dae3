//! Proved bounds in a chart. They are curves if the size determines them, and dashes if they depend on the drawn
//! networks.

use super::number::number;
use super::scale::Scale;
use super::{Bound, Drawn, WIDE};
use crate::page::MARGIN;
use crate::palette::LOOKS;
use crate::svg::{Path, Point, Svg, width};

/// The width of a dash, large enough to show its pattern.
const DASH: f64 = 18.0;
/// The distance between rows of labels at the upper edge.
const ROW: f64 = 13.0;

/// Draws bounds. Values beyond the upper edge are shown there as numbers.
pub struct ProvedPen<'a> {
    /// The horizontal scale.
    pub x: &'a Scale,
    /// The vertical scale.
    pub y: &'a Scale,
    /// The space taken by labels: the row, the left end and the right end.
    taken: Vec<(usize, f64, f64)>,
}

impl<'a> ProvedPen<'a> {
    /// For these axes.
    pub fn new(x: &'a Scale, y: &'a Scale) -> Self {
        Self { x, y, taken: vec![] }
    }

    /// Draws a bound in the colour of the series of this number.
    pub fn draw(&mut self, svg: &mut Svg, series: usize, bound: &Bound) {
        svg.tag("g").with("class", format!("k{}", series % LOOKS)).open();
        svg.tag("title").text(&format!("proved {}: {}", bound.kind.in_words(), bound.formula));
        let (path, beyond) = match bound.drawn {
            Drawn::Curve if bound.points.len() > 1 => self.curve(bound),
            _ => self.dashes(bound),
        };
        if !path.is_empty() {
            svg.tag("path").with("class", bound.kind.class()).with("d", path).empty();
        }
        for (at, (x, value)) in beyond {
            self.arrow(svg, at, &format!("{} at {}", number(value), number(x)));
        }
        svg.close();
    }

    fn at(&self, (x, y): (f64, f64)) -> Point {
        (self.x.at(x), self.y.at(y))
    }

    /// The visible part of a line. If the line leaves the picture: the place, and the last value.
    fn curve(&self, bound: &Bound) -> (Path, Vec<Beyond>) {
        let mut path = Path::default();
        let mut before: Option<Point> = None;
        for point in bound.points.iter().map(|point| self.at(*point)) {
            if point.1 < 0.0 {
                let crossing = before.map_or(point.0, |(a, b)| a + (point.0 - a) * b / (b - point.1));
                let path = if before.is_some() { path.to((crossing, 0.0)) } else { path };
                let last = bound.points.last().expect("there are points");
                return (path, vec![(crossing, *last)]);
            }
            path = if before.is_some() { path.to(point) } else { path.from(point) };
            before = Some(point);
        }
        (path, vec![])
    }

    /// A dash at each size, and the sizes whose dash would lie above the picture.
    fn dashes(&self, bound: &Bound) -> (Path, Vec<Beyond>) {
        let (mut path, mut beyond) = (Path::default(), vec![]);
        for point in &bound.points {
            let (x, y) = self.at(*point);
            if y < 0.0 {
                beyond.push((x, *point));
            } else {
                path = path.from((x - DASH / 2.0, y)).to((x + DASH / 2.0, y));
            }
        }
        (path, beyond)
    }

    /// An arrow at the upper edge, with a label where there is room for it.
    fn arrow(&mut self, svg: &mut Svg, at: f64, label: &str) {
        let head = Path::polygon(&[(at, -6.0), (at - 4.0, 1.0), (at + 4.0, 1.0)]);
        svg.tag("path").with("class", "head").with("d", head).empty();
        let half = width(label, 10.0) / 2.0 + 4.0;
        let middle = (at + half + 4.0).clamp(MARGIN + super::LEFT + half, MARGIN + super::LEFT + WIDE - half);
        let (left, right) = (middle - half, middle + half);
        let is_free =
            |row: &usize| self.taken.iter().all(|(other, from, to)| other != row || right <= *from || *to <= left);
        let row = (0..).find(is_free).unwrap_or_default();
        self.taken.push((row, left, right));
        svg.haloed("said", None, (middle, 11.0 + ROW * row as f64), label);
    }
}

/// A place at the upper edge, and the size and value that lie beyond it.
type Beyond = (f64, (f64, f64));
