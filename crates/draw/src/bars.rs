//! Bar charts: the costs of several algorithms side by side.

use crate::diagram::Caption;
use crate::legend::{Entry, Glyph};
use crate::page::{MARGIN, Page};
use crate::svg::{Path, Svg, width};

/// Rows of bars in columns. Each column has its own scale.
pub struct Bars {
    /// The words around it.
    pub caption: Caption,
    /// The names of the rows.
    pub names: Vec<String>,
    /// The columns.
    pub columns: Vec<Column>,
    /// The meaning of the parts of bars, by look.
    pub parts: Vec<String>,
}

/// One quantity, for all rows.
pub struct Column {
    /// The name of the quantity.
    pub title: String,
    /// By row: the bar, or `None` if there is no value.
    pub bars: Vec<Option<Bar>>,
}

/// One value.
pub struct Bar {
    /// The lengths of the parts. A bar with a single part does not use the looks of the parts.
    pub parts: Vec<f64>,
    /// The value as text.
    pub label: String,
    /// The proved maximum.
    pub bound: Option<Limit>,
}

/// A proved maximum.
pub struct Limit {
    /// The number.
    pub value: f64,
    /// The number as text.
    pub label: String,
}

impl Bar {
    fn sum(&self) -> f64 {
        self.parts.iter().sum()
    }

    /// The bar in words.
    fn said(&self, title: &str) -> String {
        let bound = self.bound.as_ref().map_or(String::new(), |bound| format!(" (proved at most {})", bound.label));
        format!("{title} {}{bound}", self.label)
    }
}

const ROW: f64 = 26.0;
const HEAD: f64 = 24.0;
const LONGEST: f64 = 120.0;
/// Where numbers are written: behind the longest bar.
const LABEL: f64 = LONGEST + 8.0;
/// The width of the arrow and the space between a number and a far bound.
const ARROW: f64 = 36.0;
const GAP: f64 = 22.0;
/// A bound is marked beside the bars if it is at most this many times the longest bar. Otherwise an arrow points to it.
const NEAR: f64 = 2.0;

impl Bars {
    /// The picture as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let names = self.names.iter().map(|name| width(name, 11.0)).fold(0.0, f64::max) + 16.0;
        let wide: f64 = self.columns.iter().map(|column| column.wide() + GAP).sum();
        let size = (MARGIN + names + wide + MARGIN, HEAD + ROW * self.names.len() as f64 + 4.0);
        let mut page = Page::new(&self.caption, &self.described(), size, self.legend(), self.parts.len());
        let svg = &mut page.svg;
        svg.tag("g").with("transform", format!("translate(0 {})", page.top)).open();
        for (row, name) in self.names.iter().enumerate() {
            svg.tag("text").at("x", MARGIN).at("y", middle(row) + 4.0).text(name);
        }
        let mut left = MARGIN + names;
        for column in &self.columns {
            column.draw(svg, left, &self.names);
            left += column.wide() + GAP;
        }
        svg.close();
        page.finish()
    }

    fn legend(&self) -> Vec<Entry> {
        let parts = self.parts.iter().enumerate();
        let mut entries: Vec<Entry> = parts
            .map(|(look, part)| Entry { glyph: Glyph::Cell(look, FILL[look % FILL.len()]), text: part.clone() })
            .collect();
        let bars = || self.columns.iter().flat_map(|column| column.bars.iter().flatten().map(move |bar| (column, bar)));
        if bars().any(|(_, bar)| bar.bound.is_some()) {
            let far = if bars().any(|(column, bar)| column.far(bar).is_some()) {
                ", or ≤ … → far to the right"
            } else {
                ""
            };
            entries.push(Entry { glyph: Glyph::Tick, text: format!("proved at most{far}") });
        }
        entries
    }

    /// The picture in words.
    fn described(&self) -> String {
        let row = |(row, name): (usize, &String)| {
            let said = self.columns.iter().filter_map(|column| Some(column.bars[row].as_ref()?.said(&column.title)));
            format!("{name}: {}.", said.collect::<Vec<_>>().join(", "))
        };
        self.names.iter().enumerate().map(row).collect::<Vec<_>>().join(" ")
    }
}

/// The height of a bar by the look of its part, as a fraction of the row: colour is not the only difference.
const FILL: [f64; 3] = [0.9, 0.5, 0.2];

impl Column {
    fn longest(&self) -> f64 {
        self.bars.iter().flatten().map(Bar::sum).fold(0.0, f64::max)
    }

    fn is_near(&self, bound: &Limit) -> bool {
        bound.value <= NEAR * self.longest()
    }

    /// The length of a unit, in pixels.
    fn scale(&self) -> f64 {
        let bounds = self.bars.iter().flatten().filter_map(|bar| bar.bound.as_ref());
        let near = bounds.filter(|bound| self.is_near(bound)).map(|bound| bound.value);
        LONGEST / near.fold(self.longest(), f64::max).max(1e-9)
    }

    /// The bound of a bar, if it is too far away for a mark.
    fn far<'a>(&self, bar: &'a Bar) -> Option<&'a Limit> {
        bar.bound.as_ref().filter(|bound| !self.is_near(bound))
    }

    fn wide(&self) -> f64 {
        let label = |bar: &Bar| {
            let far = self.far(bar).map_or(0.0, |bound| ARROW + width(&bound.label, 11.0));
            LABEL + width(&bar.label, 11.0) + far
        };
        self.bars.iter().flatten().map(label).fold(width(&self.title, 11.0), f64::max)
    }

    fn draw(&self, svg: &mut Svg, left: f64, names: &[String]) {
        svg.tag("text").with("class", "faint").at("x", left).at("y", 12.0).text(&self.title);
        for (row, bar) in self.bars.iter().enumerate() {
            let Some(bar) = bar else {
                svg.tag("text").with("class", "faint").at("x", left).at("y", middle(row) + 4.0).text("·");
                continue;
            };
            svg.tag("g").open();
            svg.tag("title").text(&format!("{}: {}", names[row], bar.said(&self.title)));
            let mut from = left;
            for (look, part) in bar.parts.iter().enumerate().filter(|(_, part)| **part > 0.0) {
                let (long, high) = (self.scale() * part, 16.0 * FILL[look % FILL.len()]);
                let area = Path::default().rectangle((from, middle(row) - high / 2.0), long, high);
                let class = if bar.parts.len() > 1 { format!("k{look} head") } else { "solid dot".into() };
                svg.tag("path").with("class", class).with("d", area).empty();
                from += long;
            }
            svg.tag("text").at("x", left + LABEL).at("y", middle(row) + 4.0).text(&bar.label);
            match &bar.bound {
                Some(bound) if self.is_near(bound) => {
                    let (x, y) = (left + self.scale() * bound.value, middle(row));
                    let line = Path::default().from((x, y - 10.0)).to((x, y + 10.0));
                    svg.tag("path").with("class", "follower").with("d", line).empty();
                }
                Some(bound) => {
                    let x = left + LABEL + width(&bar.label, 11.0) + 8.0;
                    let label = format!("≤ {} →", bound.label);
                    svg.tag("text").with("class", "faint").at("x", x).at("y", middle(row) + 4.0).text(&label);
                }
                None => {}
            }
            svg.close();
        }
        let (top, end) = (HEAD - 2.0, HEAD + ROW * self.bars.len() as f64);
        let line = Path::default().from((left, top)).to((left, end));
        svg.tag("path").with("class", "undecided").with("d", line).empty();
    }
}

/// The middle of a row.
fn middle(row: usize) -> f64 {
    HEAD + ROW * (row as f64 + 0.5)
}
