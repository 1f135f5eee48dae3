//! The legend of a picture.

use crate::diagram::{Kind, Sign};
use crate::palette::{COPY, LOOKS, ROLES};
use crate::signs;
use crate::svg::{Path, Point, Svg, width};

/// A glyph and its meaning.
pub struct Entry {
    /// The sign.
    pub glyph: Glyph,
    /// What it means.
    pub text: String,
}

/// A glyph in a legend.
pub enum Glyph {
    /// A sign on a lane.
    Sign(Sign),
    /// An arrow with this look.
    Arrow(usize),
    /// A piece of a lane with this class.
    Lane(&'static str),
    /// An area with this class and opacity.
    Area(String, f64),
    /// A cell with this look that fills this fraction of its row.
    Cell(usize, f64),
    /// A cross: something is lost.
    Lost,
    /// A hollow end: something is under way.
    Open,
    /// The paler arrow of a copy, with this look.
    Copy(usize),
    /// An area with an arrow across it: a link that is cut one way.
    OneWay,
    /// An axis whose marks are not evenly apart.
    Uneven,
    /// A node with this class.
    Node(&'static str),
    /// A node in the role with this number.
    RoleNode(usize),
    /// A piece of the lane of a node in the role with this number, with the sign of the role.
    RoleLane(usize),
    /// A link with this width and opacity.
    Link(f64, f64),
    /// A mark across a bar.
    Tick,
    /// A point of a chart, with its spread.
    Spread,
}

const SIZE: f64 = 11.0;
const ROW: f64 = 20.0;
const GLYPH: f64 = 34.0;

/// The entries, in rows.
pub struct Legend {
    rows: Vec<Vec<(f64, Entry)>>,
}

impl Legend {
    /// Lays the entries out in rows of this width.
    pub fn new(entries: Vec<Entry>, widest: f64) -> Self {
        let mut rows: Vec<Vec<(f64, Entry)>> = vec![];
        let mut x = f64::INFINITY;
        for entry in entries {
            let length = GLYPH + width(&entry.text, SIZE) + 22.0;
            if x + length > widest {
                rows.push(vec![]);
                x = 0.0;
            }
            rows.last_mut().expect("there is a row").push((x, entry));
            x += length;
        }
        Self { rows }
    }

    /// The height of the legend.
    pub fn height(&self) -> f64 {
        self.rows.len() as f64 * ROW
    }

    /// Draws the legend with its upper left corner here.
    pub fn draw(&self, svg: &mut Svg, left: f64, top: f64) {
        svg.tag("g").with("class", "legend").open();
        for (row, entries) in self.rows.iter().enumerate() {
            let y = top + (row as f64 + 0.5) * ROW;
            for (x, entry) in entries {
                glyph(svg, &entry.glyph, left + x, y);
                svg.tag("text").at("x", left + x + GLYPH).at("y", y + 4.0).text(&entry.text);
            }
        }
        svg.close();
    }
}

/// The entries for these kinds of messages. Kinds that share a look share an entry.
pub fn kinds(kinds: &[Kind]) -> Vec<Entry> {
    let named = |look: usize| {
        let same = kinds.iter().skip(look).step_by(LOOKS);
        same.map(|kind| format!("{} × {}", kind.name, crate::caption::grouped(kind.count)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    (0..kinds.len().min(LOOKS)).map(|look| Entry { glyph: Glyph::Arrow(look), text: named(look) }).collect()
}

/// An arrow with this look; the arrow of a copy is paler.
fn arrow(svg: &mut Svg, look: usize, is_copy: bool, (x, y): Point) {
    svg.tag("g").with("class", format!("k{look}")).open();
    let path = Path::default().from((x, y)).to((x + 28.0, y));
    let line = svg.tag("path").with("class", "line");
    if is_copy { line.with("stroke-opacity", COPY) } else { line }.with("d", path).empty();
    let head = Path::polygon(&[(x + 29.0, y), (x + 20.0, y - 3.5), (x + 20.0, y + 3.5)]);
    svg.tag("path").with("class", "head").with("d", head).empty();
    svg.close();
}

fn glyph(svg: &mut Svg, glyph: &Glyph, x: f64, y: f64) {
    let middle = (x + 15.0, y);
    let line = || Path::default().from((x, y)).to((x + 28.0, y));
    match glyph {
        Glyph::Sign(sign) => signs::draw(svg, *sign, middle),
        Glyph::Arrow(look) => arrow(svg, *look, false, (x, y)),
        Glyph::Lane(class) => svg.tag("path").with("class", class).with("d", line()).empty(),
        Glyph::Area(class, opacity) => {
            let area = Path::default().rectangle((x + 4.0, y - 6.0), 22.0, 12.0);
            svg.tag("path").with("class", class).with("fill-opacity", opacity).with("d", area).empty();
        }
        Glyph::Cell(look, fill) => {
            let area = Path::default().rectangle((x + 4.0, y - 7.0 * fill), 22.0, 14.0 * fill);
            svg.tag("path").with("class", format!("k{look} head")).with("d", area).empty();
        }
        Glyph::Lost => signs::lost(svg, middle),
        Glyph::Copy(look) => arrow(svg, *look, true, (x, y)),
        Glyph::OneWay => {
            let area = Path::default().rectangle((x + 1.0, y - 8.0), 28.0, 16.0);
            svg.tag("path").with("class", "cut").with("d", area).empty();
            signs::way(svg, (x + 3.0, y), (x + 27.0, y));
        }
        Glyph::Uneven => {
            let marks = [0.0, 4.0, 19.0, 28.0];
            let axis = marks.iter().fold(line(), |path, at| path.from((x + at, y - 4.0)).to((x + at, y + 4.0)));
            svg.tag("path").with("class", "undecided").with("d", axis).empty();
        }
        Glyph::Open => {
            svg.tag("path").with("class", "hollow sign").with("d", Path::default().circle(middle, 3.0)).empty();
        }
        Glyph::Node(class) => {
            svg.tag("path").with("class", class).with("d", Path::default().circle(middle, 7.0)).empty();
        }
        Glyph::RoleNode(role) => {
            let class = format!("node role{}", role % ROLES);
            svg.tag("path").with("class", class).with("d", signs::role_shape(*role, middle, 7.0)).empty();
        }
        Glyph::RoleLane(role) => {
            svg.tag("path").with("class", format!("lane{}", role % ROLES)).with("d", line()).empty();
            signs::draw(svg, Sign::Turns(Some(*role)), middle);
        }
        Glyph::Tick => {
            let mark = Path::default().from((x + 15.0, y - 8.0)).to((x + 15.0, y + 8.0));
            svg.tag("path").with("class", "follower").with("d", mark).empty();
        }
        Glyph::Spread => {
            let bar = Path::default().from((x + 15.0, y - 8.0)).to((x + 15.0, y + 8.0));
            let bar = bar.from((x + 12.0, y - 8.0)).to((x + 18.0, y - 8.0));
            let bar = bar.from((x + 12.0, y + 8.0)).to((x + 18.0, y + 8.0));
            svg.tag("path").with("class", "spread").with("d", bar).empty();
            svg.tag("path").with("class", "head").with("d", Path::default().circle(middle, 4.0)).empty();
        }
        Glyph::Link(wide, opacity) => {
            let tag = svg.tag("path").with("class", "link").at("stroke-width", *wide);
            tag.with("stroke-opacity", opacity).with("d", line()).empty();
        }
    }
}
