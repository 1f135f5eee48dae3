//! The key of a chart: the signs of the series, in the order of their last values, with bounds and growth.

use super::marker::Marker;
use super::{BoundKind, Series, wide};
use crate::palette::LOOKS;
use crate::svg::{Path, Svg, shortened};

const ROW: f64 = 15.0;
const GAP: f64 = 7.0;
const INDENT: f64 = 18.0;
/// The largest number of characters of a formula.
const LONGEST: usize = 28;

/// The entries, from top to bottom.
pub struct Key<'a> {
    entries: Vec<(usize, &'a Series)>,
}

impl<'a> Key<'a> {
    /// The key of these series. The series with the highest end comes first.
    pub fn new(series: &'a [Series]) -> Self {
        let end = |series: &Series| series.points.last().map_or((0.0, 0.0), |point| (point.x, point.mean));
        let mut entries: Vec<(usize, &Series)> = series.iter().enumerate().collect();
        let height = |series: &Series| {
            // A series that ends earlier is extrapolated by its fit.
            let (x, mean) = end(series);
            let exponent = series.fit.map_or(1.0, |(_, exponent)| exponent);
            mean * libm::pow(1e9 / x.max(1.0), exponent)
        };
        entries.sort_by(|(_, a), (_, b)| height(b).total_cmp(&height(a)));
        Self { entries }
    }

    /// The width of the key.
    pub fn wide(&self) -> f64 {
        let lines = self.entries.iter().flat_map(|(_, series)| {
            let notes =
                notes(series).into_iter().map(|(kind, text)| wide(&text) + if kind.is_some() { 26.0 } else { 0.0 });
            notes.chain([wide(&title(series))])
        });
        lines.fold(0.0, f64::max) + INDENT
    }

    /// The height of the key.
    pub fn high(&self) -> f64 {
        self.entries.iter().map(|(_, series)| ROW * (1 + notes(series).len()) as f64 + GAP).sum()
    }

    /// Draws the key from this place on.
    pub fn draw(&self, svg: &mut Svg, left: f64) {
        let mut y = 8.0;
        for (index, series) in &self.entries {
            svg.tag("g").with("class", format!("k{}", index % LOOKS)).open();
            Marker(*index).draw(svg, (left + 5.0, y - 4.0));
            svg.tag("text").at("x", left + INDENT).at("y", y).text(&title(series));
            for (kind, text) in notes(series) {
                y += ROW;
                let mut x = left + INDENT;
                if let Some(kind) = kind {
                    let line = Path::default().from((x, y - 4.0)).to((x + 20.0, y - 4.0));
                    svg.tag("path").with("class", kind.class()).with("d", line).empty();
                    x += 26.0;
                }
                svg.tag("text").with("class", "faint").at("x", x).at("y", y).text(&text);
            }
            svg.close();
            y += ROW + GAP;
        }
    }
}

fn title(series: &Series) -> String {
    match series.fit {
        Some((_, exponent)) => format!("{}  ~ n^{exponent:.2}", series.name),
        None => series.name.clone(),
    }
}

/// The lines below the name: a formula with its line style, or words.
fn notes(series: &Series) -> Vec<(Option<BoundKind>, String)> {
    let bounds = series.bounds.iter().filter(|bound| !bound.points.is_empty());
    let formula = bounds.map(|bound| {
        let formula = shortened(&bound.formula, LONGEST);
        (Some(bound.kind), format!("{formula} {}", bound.kind.in_words()))
    });
    formula.chain(series.note.iter().map(|note| (None, note.clone()))).collect()
}
