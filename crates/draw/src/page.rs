//! The frame of every picture: a title, an outcome, a legend and the command that repeats it.

use crate::diagram::Caption;
use crate::legend::{Entry, Legend};
use crate::palette;
use crate::svg::{Path, Svg, Tenths, width, width_of_mono, wrapped};

/// The margin around a picture.
pub const MARGIN: f64 = 20.0;
/// The smallest width of a picture.
pub const NARROWEST: f64 = 520.0;

/// Above this width, the text around a picture grows with it. Otherwise it would be too small to read.
const WIDE: f64 = 1_600.0;

const TITLE: f64 = 16.0;
const TEXT: f64 = 11.0;

/// A page whose picture is being drawn.
pub struct Page {
    /// The SVG to draw into.
    pub svg: Svg,
    /// The top of the picture.
    pub top: f64,
    legend: Legend,
    /// The top of the legend.
    below: f64,
    repeat: Vec<String>,
    /// The enlargement of the text around the picture.
    times: f64,
}

impl Page {
    /// A page for a picture of this size. `describes` is the picture in words.
    pub fn new(caption: &Caption, describes: &str, size: (f64, f64), entries: Vec<Entry>, kinds: usize) -> Self {
        let wide = size.0.max(NARROWEST);
        let times = ((10.0 * wide / WIDE).round() / 10.0).max(1.0);
        let room = wide / times - 2.0 * MARGIN;
        let title = wrapped(&caption.title, TITLE, room, width);
        let outcome = wrapped(&caption.outcome, TEXT, room, width);
        let legend = Legend::new(entries, room);
        let repeat = wrapped(&caption.repeat, TEXT, room, width_of_mono);
        let mut y = MARGIN + TITLE;
        let top = times * (MARGIN + 22.0 * title.len() as f64 + 16.0 * outcome.len() as f64 + 8.0);
        let below = top + size.1 + 12.0;
        let height = below + times * (legend.height() + 16.0 * repeat.len() as f64 + MARGIN);

        let mut svg = Svg::default();
        svg.tag("svg")
            .with("xmlns", "http://www.w3.org/2000/svg")
            .at("width", wide.ceil())
            .at("height", height.ceil())
            .with("viewBox", format!("0 0 {} {}", wide.ceil(), height.ceil()))
            .with("role", "img")
            .with("aria-labelledby", "title desc")
            .open();
        svg.tag("title").with("id", "title").text(&caption.title);
        svg.tag("desc").with("id", "desc").text(&format!("{describes} {}.", caption.outcome));
        svg.tag("style").text(&palette::style(kinds));
        let ground = Path::default().rectangle((0.0, 0.0), wide.ceil(), height.ceil());
        svg.tag("path").with("class", "ground").with("d", ground).empty();
        enlarge(&mut svg, times, 0.0);
        for line in &title {
            svg.tag("text").with("class", "title").at("x", MARGIN).at("y", y).text(line);
            y += 22.0;
        }
        for line in &outcome {
            svg.tag("text").with("class", "faint").at("x", MARGIN).at("y", y - 2.0).text(line);
            y += 16.0;
        }
        if times > 1.0 {
            svg.close();
        }
        Self { svg, top, legend, below, repeat, times }
    }

    /// The whole page as SVG.
    pub fn finish(mut self) -> String {
        let below = enlarge(&mut self.svg, self.times, self.below);
        self.legend.draw(&mut self.svg, MARGIN, below);
        let mut y = below + self.legend.height() + 18.0;
        for line in &self.repeat {
            self.svg.tag("text").with("class", "faint mono").at("x", MARGIN).at("y", y).text(line);
            y += 16.0;
        }
        self.svg.finish()
    }
}

/// Opens a group that is enlarged by this factor, if it is not 1. Returns the position of `top` within the group.
fn enlarge(svg: &mut Svg, times: f64, top: f64) -> f64 {
    if times == 1.0 {
        return top;
    }
    let transform = format!("translate(0 {}) scale({})", Tenths(top), Tenths(times));
    svg.tag("g").with("transform", transform).open();
    0.0
}
