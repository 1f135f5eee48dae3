//! Recorded runs, and their pictures.

use std::io::Cursor;

use bellwether_draw::{Diagram, Ground, Lanes, png, spacetime};
use bellwether_world::trace::{Event, Line, Reader};
use roxmltree::{Document, Node};

/// Every recorded run: its name and its text.
pub const TRACES: [(&str, &str); 7] = [
    ("ring", include_str!("../traces/ring.ndjson")),
    ("crash", include_str!("../traces/crash.ndjson")),
    ("faults", include_str!("../traces/faults.ndjson")),
    ("counterexample", include_str!("../traces/counterexample.ndjson")),
    ("chance", include_str!("../traces/chance.ndjson")),
    ("live", include_str!("../traces/live.ndjson")),
    ("graph", include_str!("../traces/graph.ndjson")),
];

/// The text of a recorded run.
pub fn trace(name: &str) -> &'static str {
    TRACES.iter().find(|(other, _)| *other == name).unwrap().1
}

/// A reader of a trace.
pub fn reader(text: &str) -> Reader<&[u8]> {
    Reader::new(text.as_bytes()).unwrap()
}

/// The events of a trace.
pub fn events(text: &str) -> Vec<Event> {
    let mut reader = reader(text);
    let lines = std::iter::from_fn(|| reader.next_line().unwrap());
    lines.filter_map(|line| if let Line::Event(event) = line { Some(*event) } else { None }).collect()
}

/// The diagram of a trace, with all lanes.
pub fn diagram(text: &str) -> Diagram {
    Diagram::read(reader(text), false, &Lanes::All, "bellwether replay run.ndjson".into()).unwrap()
}

/// The picture of a trace, with time downwards.
pub fn svg(text: &str) -> String {
    spacetime::svg(&diagram(text), spacetime::Direction::Down)
}

/// The elements of a class.
pub fn classed<'a>(svg: &'a Document<'a>, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    let has = move |node: &Node<'_, '_>| node.attribute("class").is_some_and(|it| it.split(' ').any(|it| it == class));
    svg.descendants().filter(has)
}

/// A PNG, read back.
pub struct Pixels {
    /// The number of pixels from left to right.
    pub width: u32,
    /// The number of pixels from top to bottom.
    pub height: u32,
    colours: Vec<[u8; 3]>,
}

impl Pixels {
    /// The PNG of a picture.
    pub fn of(svg: &str, ground: Ground) -> Self {
        let bytes = png(svg, ground).unwrap();
        let mut decoder = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; decoder.output_buffer_size().unwrap()];
        let frame = decoder.next_frame(&mut pixels).unwrap();
        let colours = pixels.chunks(frame.color_type.samples()).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        Self { width: frame.width, height: frame.height, colours }
    }

    /// Every colour, row by row.
    pub fn all(&self) -> impl Iterator<Item = [u8; 3]> {
        self.colours.iter().copied()
    }

    /// The colour at a place of the SVG.
    pub fn at(&self, (x, y): (f64, f64)) -> [u8; 3] {
        self.colours[(2.0 * y) as usize * self.width as usize + (2.0 * x) as usize]
    }

    /// The box around all that is not white, in coordinates of the SVG: left, top, right, bottom.
    pub fn ink(&self) -> Option<[f64; 4]> {
        let inked = (0..).zip(&self.colours).filter(|(_, colour)| **colour != [255; 3]);
        let places = inked.map(|(index, _): (u32, _)| (index % self.width, index / self.width));
        let around = places.fold(None, |around: Option<[u32; 4]>, (x, y)| {
            let [left, top, right, bottom] = around.unwrap_or([x, y, x, y]);
            Some([left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)])
        });
        around.map(|sides| sides.map(|side| f64::from(side) / 2.0))
    }

    /// The share of pixels that are not white.
    pub fn inked(&self) -> f64 {
        let inked = self.all().filter(|colour| *colour != [255; 3]).count();
        inked as f64 / self.colours.len() as f64
    }
}
