//! A chart on logarithmic scales: measurements as points with their spread, proved bounds as curves or dashes.
//!
//! It is drawn without a charting library. No library makes pictures for light and dark grounds, with names for screen
//! readers, and with the same bytes on every machine.

mod key;
mod marker;
mod number;
mod proved;
mod scale;
mod trace;

use crate::diagram::Caption;
use crate::legend::{Entry, Glyph};
use crate::page::{MARGIN, Page};
use crate::palette::LOOKS;
use crate::svg::{Path, Svg, width, wrapped};

use self::key::Key;
use self::marker::Marker;
use self::number::{Notation, digits, number};
use self::proved::ProvedPen;
use self::scale::Scale;
pub use self::trace::traced;

/// Measurements by size, with proved bounds.
pub struct Chart {
    /// The words around it.
    pub caption: Caption,
    /// The title of the horizontal axis.
    pub x: String,
    /// The title of the vertical axis.
    pub y: String,
    /// Notes for the reader, such as the meaning of letters.
    pub notes: String,
    /// The measured series.
    pub series: Vec<Series>,
    /// A line to compare slopes with.
    pub guide: Option<Guide>,
}

/// A line that shows how a function grows. It goes through the middle of what is measured at the smallest size.
pub struct Guide {
    /// The function as people write it.
    pub name: String,
    /// The function.
    pub of: fn(f64) -> f64,
}

/// A law of growth that fits the measurements.
pub struct Fit {
    /// The law as people write it, such as `n log n`.
    pub law: String,
    /// The fitted value at a size.
    pub of: Box<dyn Fn(f64) -> f64>,
}

/// The measurements of one algorithm.
pub struct Series {
    /// The name of the series.
    pub name: String,
    /// The points, by size.
    pub points: Vec<Measured>,
    /// A law that fits the growth.
    pub fit: Option<Fit>,
    /// The proved bounds.
    pub bounds: Vec<Bound>,
    /// A further remark.
    pub note: Option<String>,
}

/// Runs of one size.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The size.
    pub x: f64,
    /// The mean.
    pub mean: f64,
    /// The smallest value.
    pub least: f64,
    /// The largest value.
    pub most: f64,
}

/// A proved bound, by size.
pub struct Bound {
    /// The formula.
    pub formula: String,
    /// What the formula limits.
    pub kind: BoundKind,
    /// Its values, all of them positive.
    pub points: Vec<(f64, f64)>,
    /// How the values are drawn.
    pub drawn: Drawn,
}

/// How values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// The size alone determines the values: a curve, or a dash if there is a single point.
    Curve,
    /// The values depend on the drawn networks: a dash at each size.
    Dashes,
}

/// What a formula says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundKind {
    /// The minimum.
    Least,
    /// The mean.
    Average,
    /// The maximum.
    Most,
    /// The exact value.
    Exact,
    /// What no algorithm of the kind can do without.
    Needed,
}

impl BoundKind {
    /// The CSS class of its curve.
    fn class(self) -> &'static str {
        match self {
            Self::Least => "least",
            Self::Average => "average",
            Self::Most | Self::Exact => "most",
            Self::Needed => "needed",
        }
    }

    /// The words that follow a formula.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Least => "at least",
            Self::Average => "on average",
            Self::Most => "at most",
            Self::Exact => "exactly",
            Self::Needed => "needed by any",
        }
    }
}

const WIDE: f64 = 600.0;
const HIGH: f64 = 440.0;
/// The room for the labels of the axes.
const LEFT: f64 = 84.0;
const BELOW: f64 = 44.0;
/// The distance between the lines of notes.
const NOTE: f64 = 16.0;
/// Bounds are shown up to this many times the largest measured value, or up to twice the measured decades if that is
/// more.
const HEADROOM: f64 = 12.0;

const STYLE: &str = "\
.open{fill:none;stroke:currentColor;stroke-width:1.5}.fit{fill:none;stroke:currentColor;stroke-width:1.2}
.guide{fill:none;stroke:#8a9099;stroke-opacity:0.55;stroke-width:3}
.spread{fill:none;stroke:currentColor;stroke-width:1}
.average{fill:none;stroke:currentColor;stroke-width:1.4;stroke-dasharray:1.5 3.5;stroke-linecap:round}
.most{fill:none;stroke:currentColor;stroke-width:1.2;stroke-dasharray:7 4}
.least{fill:none;stroke:currentColor;stroke-width:1.2;stroke-dasharray:7 3 1.5 3}
.needed{fill:none;stroke:currentColor;stroke-width:2;stroke-dasharray:2 2}
.legend{color:#8a9099}
";

impl Chart {
    /// The chart as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let bounds = || self.series.iter().flat_map(|series| &series.bounds).flat_map(|bound| &bound.points);
        let measured = || points().flat_map(|point| [point.least, point.mean, point.most]).filter(|value| *value > 0.0);
        let (least, most) = (measured().fold(f64::INFINITY, f64::min), measured().fold(0.0, f64::max));
        let top = most * (most / least).max(HEADROOM);
        let x = Scale::new(points().map(|point| point.x).chain(bounds().map(|(x, _)| *x)), MARGIN + LEFT, WIDE);
        let guide = self.guide_line().filter(|line| line.iter().all(|(_, y)| *y <= top));
        let guided = || guide.iter().flatten().map(|(_, y)| *y);
        let y = Scale::new(measured().chain(bounds().map(|(_, y)| y.min(top))).chain(guided()), HIGH, -HIGH);
        let key = Key::new(&self.series);
        let notes = wrapped(&self.notes, 11.0, WIDE, width);
        let below = BELOW + NOTE * notes.len() as f64;
        let size = (MARGIN + LEFT + WIDE + 24.0 + key.wide() + MARGIN, (HIGH + below).max(key.high()));
        let looks = self.series.len().min(LOOKS);
        let mut page = Page::new(&self.caption, &self.described(), size, self.legend(guide.is_some()), looks);
        let svg = &mut page.svg;
        svg.tag("style").text(&format!("\n{STYLE}"));
        svg.tag("g").with("transform", format!("translate(0 {})", page.top)).open();
        self.axes(svg, &x, &y);
        for (note, line) in notes.iter().zip(1..) {
            let (x, y) = (MARGIN + LEFT + WIDE / 2.0, HIGH + 38.0 + NOTE * f64::from(line));
            svg.tag("text").with("class", "faint mid").at("x", x).at("y", y).text(note);
        }
        if let Some(line) = &guide {
            svg.tag("path").with("class", "guide").with("d", drawn_line(line, &x, &y)).empty();
        }
        let (mut ink, mut drawn) = (ProvedPen::new(&x, &y), vec![]);
        for (index, series) in self.series.iter().enumerate() {
            for bound in series.bounds.iter().filter(|bound| !bound.points.is_empty()) {
                if !drawn.contains(&&bound.points) {
                    drawn.push(&bound.points);
                    ink.draw(svg, index, bound);
                }
            }
        }
        for (index, series) in self.series.iter().enumerate() {
            svg.tag("g").with("class", format!("k{}", index % LOOKS)).open();
            points_of(svg, series, Marker(index), &x, &y);
            svg.close();
        }
        key.draw(svg, MARGIN + LEFT + WIDE + 24.0);
        svg.close();
        page.finish()
    }

    fn axes(&self, svg: &mut Svg, x: &Scale, y: &Scale) {
        let (left, right) = (MARGIN + LEFT, MARGIN + LEFT + WIDE);
        let ticks = y.ticks(44.0);
        let style = Notation::of(&ticks);
        for tick in ticks {
            let at = y.at(tick);
            svg.tag("path").with("class", "grid").with("d", Path::default().from((left, at)).to((right, at))).empty();
            let label = style.write(tick);
            svg.tag("text").with("class", "faint end").at("x", left - 8.0).at("y", at + 4.0).text(&label);
        }
        for tick in self.sizes(x) {
            let at = x.at(tick);
            svg.tag("path").with("class", "grid").with("d", Path::default().from((at, 0.0)).to((at, HIGH))).empty();
            svg.tag("text").with("class", "faint mid").at("x", at).at("y", HIGH + 17.0).text(&digits(tick));
        }
        let frame = Path::default().from((left, 0.0)).to((left, HIGH)).to((right, HIGH));
        svg.tag("path").with("class", "undecided").with("fill", "none").with("d", frame).empty();
        svg.tag("text").with("class", "mid").at("x", left + WIDE / 2.0).at("y", HIGH + 36.0).text(&self.x);
        let turned = format!("translate({} {}) rotate(-90)", MARGIN + 6.0, HIGH / 2.0);
        svg.tag("text").with("class", "mid").with("transform", turned).text(&self.y);
    }

    /// The sizes that are labelled: as many measured sizes as fit, and round numbers in a wide gap.
    fn sizes(&self, x: &Scale) -> Vec<f64> {
        let points = self.series.iter().flat_map(|series| &series.points);
        let mut sizes: Vec<f64> = points.map(|point| point.x).collect();
        sizes.sort_unstable_by(f64::total_cmp);
        sizes.dedup();
        let mut named = x.thinned(&sizes, |size| wide(&digits(size)) + 12.0);
        let gaps: Vec<[f64; 2]> = named.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        for [from, to] in gaps.into_iter().filter(|[from, to]| x.at(*to) - x.at(*from) > WIDE / 2.0) {
            named.extend(
                x.ticks(60.0).iter().filter(|tick| x.at(**tick) - x.at(from) > 60.0 && x.at(to) - x.at(**tick) > 60.0),
            );
        }
        named
    }

    /// The points of the guide line; `None` if there is no slope to compare with.
    fn guide_line(&self) -> Option<Vec<(f64, f64)>> {
        let Guide { of, .. } = self.guide.as_ref()?;
        let points = || self.series.iter().flat_map(|series| &series.points).filter(|point| point.mean > 0.0);
        let sizes = || points().map(|point| point.x).filter(|x| *x > 1.0);
        let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
        let first: Vec<f64> = points().filter(|point| point.x == least).map(|point| libm::log(point.mean)).collect();
        let middle = libm::exp(first.iter().sum::<f64>() / first.len() as f64);
        let factor = middle / of(least);
        (least < most).then(|| traced(least as u32, most as u32, |n| factor * of(n.into())))
    }

    fn legend(&self, is_guided: bool) -> Vec<Entry> {
        let entry = |class: &'static str, text: &str| Entry { glyph: Glyph::Lane(class), text: text.into() };
        let has = |kinds: &[BoundKind]| {
            self.series.iter().any(|series| series.bounds.iter().any(|bound| kinds.contains(&bound.kind)))
        };
        let mut entries =
            vec![Entry { glyph: Glyph::Spread, text: "mean of the runs, from the least to the most".into() }];
        if self.series.iter().any(|series| series.fit.is_some()) {
            entries.push(entry("fit", "the law of growth that fits best"));
        }
        if let Some(guide) = self.guide.as_ref().filter(|_| is_guided) {
            entries.push(entry("guide", &format!("to compare slopes: {}", guide.name)));
        }
        if has(&[BoundKind::Average]) {
            entries.push(entry("average", "proved on average"));
        }
        if has(&[BoundKind::Most, BoundKind::Exact]) {
            entries.push(entry("most", "proved at most"));
        }
        if has(&[BoundKind::Least]) {
            entries.push(entry("least", "proved at least"));
        }
        if has(&[BoundKind::Needed]) {
            entries.push(entry("needed", "the lower bound for any such algorithm"));
        }
        entries
    }

    /// The chart in words.
    fn described(&self) -> String {
        let series = self.series.iter().filter_map(|series| {
            let (first, last) = (series.points.first()?, series.points.last()?);
            let fit = series.fit.as_ref().map_or(String::new(), |fit| format!(", growing as {}", fit.law));
            let [from, to] = [first, last].map(|point| format!("{} at {}", number(point.mean), number(point.x)));
            Some(format!(" {}: {from} to {to}{fit}.", series.name))
        });
        format!("{} by {}, on logarithmic scales.{}", self.y, self.x, series.collect::<String>())
    }
}

fn points_of(svg: &mut Svg, series: &Series, marker: Marker, x: &Scale, y: &Scale) {
    let mut spread = Path::default();
    for point in series.points.iter().filter(|point| point.least > 0.0 && point.most > point.least) {
        let (at, low, high) = (x.at(point.x), y.at(point.least), y.at(point.most));
        spread = spread.from((at, low)).to((at, high));
        for end in [low, high] {
            spread = spread.from((at - 3.0, end)).to((at + 3.0, end));
        }
    }
    if !spread.is_empty() {
        svg.tag("path").with("class", "spread").with("d", spread).empty();
    }
    let ends = series.points.first().zip(series.points.last());
    if let (Some(fit), Some((first, last))) = (&series.fit, ends) {
        let line = traced(first.x as u32, last.x as u32, |n| (fit.of)(n.into()));
        svg.tag("path").with("class", "fit").with("d", drawn_line(&line, x, y)).empty();
    }
    for point in series.points.iter().filter(|point| point.mean > 0.0) {
        svg.tag("g").open();
        let spread = if point.least < point.most {
            format!(", from {} to {}", number(point.least), number(point.most))
        } else {
            String::new()
        };
        svg.tag("title").text(&format!("{} at {}: {}{spread}", series.name, number(point.x), number(point.mean)));
        marker.draw(svg, (x.at(point.x), y.at(point.mean)));
        svg.close();
    }
}

fn drawn_line(points: &[(f64, f64)], x: &Scale, y: &Scale) -> Path {
    let mut places = points.iter().map(|(n, value)| (x.at(*n), y.at(*value)));
    let first = places.next().map_or_else(Path::default, |first| Path::default().from(first));
    places.fold(first, Path::to)
}

/// The width of a line of the key.
fn wide(text: &str) -> f64 {
    width(text, 11.0)
}
