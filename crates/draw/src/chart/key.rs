//! The key of a chart: the signs of the series, in the order of their last values, with bounds and growth.

use super::marker::Marker;
use super::{BoundKind, Series, wide};
use crate::palette::LOOKS;
use crate::svg::{Path, Svg, width, wrapped};

const ROW: f64 = 15.0;
const GAP: f64 = 7.0;
const INDENT: f64 = 18.0;
/// The room for the sign of a bound's line.
const SIGN: f64 = 26.0;
/// Formulas are broken into lines of this width.
const WIDEST: f64 = 210.0;

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
            series.fit.as_ref().map_or(mean * 1e9 / x.max(1.0), |fit| (fit.of)(1e9))
        };
        entries.sort_by(|(_, a), (_, b)| height(b).total_cmp(&height(a)));
        Self { entries }
    }

    /// The width of the key.
    pub fn wide(&self) -> f64 {
        let lines = self.entries.iter().flat_map(|(_, series)| {
            let notes = notes(series).into_iter().map(|note| wide(&note.text) + note.indent);
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
            for Note { kind, indent, text } in notes(series) {
                y += ROW;
                let x = left + INDENT;
                if let Some(kind) = kind {
                    let line = Path::default().from((x, y - 4.0)).to((x + 20.0, y - 4.0));
                    svg.tag("path").with("class", kind.class()).with("d", line).empty();
                }
                svg.tag("text").with("class", "faint").at("x", x + indent).at("y", y).text(&text);
            }
            svg.close();
            y += ROW + GAP;
        }
    }
}

fn title(series: &Series) -> String {
    match &series.fit {
        Some(fit) => format!("{}  ~ {}", series.name, fit.law),
        None => series.name.clone(),
    }
}

/// A line below the name.
struct Note {
    /// The bound whose sign stands before it.
    kind: Option<BoundKind>,
    indent: f64,
    text: String,
}

/// The lines below the name: formulas with the sign of their line, and words.
fn notes(series: &Series) -> Vec<Note> {
    let mut notes = vec![];
    for bound in series.bounds.iter().filter(|bound| !bound.points.is_empty()) {
        let said = format!("{} {}", bound.formula, bound.kind.in_words());
        for (index, text) in wrapped(&said, 11.0, WIDEST, width).into_iter().enumerate() {
            notes.push(Note { kind: (index == 0).then_some(bound.kind), indent: SIGN, text });
        }
    }
    notes.extend(series.note.iter().map(|note| Note { kind: None, indent: 0.0, text: note.clone() }));
    notes
}
