//! The heat map of a run with too many messages for arrows: the number of messages by place and time.

use bellwether_core::Span;
use bellwether_world::Time;

use super::{Direction, LONGEST_NAME, areas, described, is_headed, ways};
use crate::caption::grouped;
use crate::density::Density;
use crate::diagram::{Diagram, Mark, State, moment};
use crate::legend::{Entry, Glyph, kinds};
use crate::page::{MARGIN, Page};
use crate::palette::LOOKS;
use crate::signs;
use crate::svg::{Path, Point, Svg, fitted, width};

/// The number of steps of density that can be told apart.
const LEVELS: usize = 5;
const OPACITY: [f64; LEVELS] = [0.25, 0.42, 0.6, 0.8, 1.0];

/// The height of a cell by the look of its kind, as a fraction of the row: colour is not the only difference.
const FILL: [f64; LOOKS] = [0.96, 0.6, 0.4, 0.75, 0.3, 0.5, 0.2];

/// Draws the diagram.
pub fn draw(diagram: &Diagram, direction: Direction) -> String {
    let density = &diagram.density;
    let columns = density.columns(diagram.end);
    let scale = Steps::new(density, diagram.lanes.len(), columns);
    let heat = Heat::new(diagram, density, direction, columns);
    let describes = format!(
        "Density of messages in {} lanes, from {} to {}.",
        diagram.lanes.len(),
        moment(diagram.timing, diagram.begin),
        moment(diagram.timing, diagram.end),
    );
    let mut page =
        Page::new(&diagram.caption, &describes, heat.size(), legend(diagram, density, &scale), diagram.kinds.len());
    page.svg.tag("g").with("transform", format!("translate(0 {})", page.top)).open();
    heat.bands(&mut page.svg);
    heat.ticks(&mut page.svg);
    heat.lanes(&mut page.svg);
    heat.cells(&mut page.svg, &scale);
    heat.cuts(&mut page.svg);
    heat.losses(&mut page.svg);
    heat.signs(&mut page.svg);
    page.svg.close();
    page.finish()
}

fn legend(diagram: &Diagram, density: &Density, scale: &Steps) -> Vec<Entry> {
    let mut entries = kinds(&diagram.kinds);
    for (entry, fill) in entries.iter_mut().zip(FILL) {
        if let Glyph::Arrow(look) = entry.glyph {
            entry.glyph = Glyph::Cell(look, fill);
        }
    }
    for (level, (least, most)) in scale.ranges().enumerate() {
        let text = if least == most { grouped(least) } else { format!("{}–{}", grouped(least), grouped(most)) };
        let text = if level == 0 { format!("{text} sent in a cell, of the kind of most") } else { text };
        entries.push(Entry { glyph: Glyph::Area("k0 head".into(), scale.opacity(level)), text });
    }
    let lost = density.all_lost();
    if lost > 0 {
        entries.push(Entry { glyph: Glyph::Lost, text: format!("some are lost, {} in all", grouped(lost)) });
    }
    if diagram.cuts.iter().any(|cut| !cut.one_way) {
        entries.push(Entry { glyph: Glyph::Area("cut".into(), 1.0), text: "link is cut".into() });
    }
    if diagram.cuts.iter().any(|cut| cut.one_way) {
        entries.push(Entry { glyph: Glyph::OneWay, text: "link is cut in this direction only".into() });
    }
    let mut signs: Vec<_> = notable(diagram).map(|mark| mark.sign).collect();
    signs.sort_unstable();
    signs.dedup();
    entries.extend(signs.into_iter().map(|sign| Entry { glyph: Glyph::Sign(sign), text: sign.meaning().into() }));
    let is = |wanted: fn(&State) -> bool| diagram.lanes.iter().any(|lane| lane.spans.iter().any(|(_, it)| wanted(it)));
    if is(|state| matches!(state, State::Follower(_))) {
        entries.push(Entry { glyph: Glyph::Area("decided".into(), 1.0), text: "decided".into() });
    }
    if is(|state| *state == State::Down) {
        entries.push(Entry { glyph: Glyph::Lane("down"), text: "down".into() });
    }
    entries
}

/// The marks that are shown if messages are only counted.
fn notable(diagram: &Diagram) -> impl Iterator<Item = &Mark> {
    diagram.marks.iter().filter(|mark| mark.sign.is_notable())
}

/// The steps of density, as ranges of message counts. Their upper ends grow by a constant factor.
struct Steps {
    /// The largest count in each step.
    tops: Vec<u64>,
}

impl Steps {
    fn new(density: &Density, rows: usize, columns: usize) -> Self {
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let most =
            cells.filter_map(|(row, column)| density.cell(row, column)).map(|cell| cell.count).max().unwrap_or(1);
        let top = |level: usize| libm::round(libm::pow(most as f64, level as f64 / LEVELS as f64)) as u64;
        let mut tops: Vec<u64> = (1..=LEVELS).map(top).collect();
        tops.dedup();
        Self { tops }
    }

    fn level(&self, count: u64) -> usize {
        self.tops.iter().position(|top| count <= *top).unwrap_or(self.tops.len() - 1)
    }

    /// The opacity of a step. The highest step is opaque.
    fn opacity(&self, level: usize) -> f64 {
        OPACITY[LEVELS - self.tops.len() + level]
    }

    /// The range of each step.
    fn ranges(&self) -> impl Iterator<Item = (u64, u64)> {
        std::iter::once(0).chain(self.tops.iter().copied()).map(|below| below + 1).zip(self.tops.iter().copied())
    }
}

/// Round moments up to the end, at least this many units apart.
fn ticks(least: f64, end: Time) -> impl Iterator<Item = Time> {
    const UNIT: u128 = 1_000_000;
    let wanted = (least * UNIT as f64) as u128;
    let decades = std::iter::successors(Some(1u128), |decade| decade.checked_mul(10));
    let steps = decades.flat_map(|decade| [1, 2, 5].map(|digit| decade.saturating_mul(digit)));
    let step = steps.into_iter().find(|step| *step >= wanted).unwrap_or(u128::MAX);
    let moment = move |count: u128| {
        let millionths = step.saturating_mul(count);
        Time::units(millionths / UNIT) + Span((millionths % UNIT) as u64)
    };
    // Columns are at least 4 wide, and there are at most 256 of them, so there are few ticks.
    (0..64).map(moment).take_while(move |time| *time <= end)
}

/// Rows and columns on the page.
struct Heat<'a> {
    diagram: &'a Diagram,
    density: &'a Density,
    direction: Direction,
    columns: usize,
    /// The thickness of a row, and the length of a column.
    row: f64,
    column: f64,
    /// The start of the rows across them, and the start of time along them.
    across: f64,
    along: f64,
    /// The start of names, along the rows.
    start: f64,
}

impl<'a> Heat<'a> {
    fn new(diagram: &'a Diagram, density: &'a Density, direction: Direction, columns: usize) -> Self {
        let row = (1_200.0 / diagram.lanes.len() as f64).clamp(8.0, 26.0);
        let column = (1_200.0 / columns as f64).clamp(4.0, 18.0);
        let named = diagram.lanes.iter().map(|lane| width(&lane.name, 11.0)).fold(0.0, f64::max).min(LONGEST_NAME);
        let (across, along) = match direction {
            Direction::Down => (MARGIN + 66.0, named.max(16.0) + 14.0),
            Direction::Right => (26.0, MARGIN + named + 10.0),
        };
        Self { diagram, density, direction, columns, row, column, across, along, start: along - named - 10.0 }
    }

    fn size(&self) -> (f64, f64) {
        let across = self.across + self.row * self.diagram.lanes.len() as f64;
        let along = self.along + self.column * self.columns as f64;
        match self.direction {
            Direction::Down => (across + 20.0, along + 10.0),
            Direction::Right => (along + 20.0, across + 10.0),
        }
    }

    fn point(&self, across: f64, along: f64) -> Point {
        match self.direction {
            Direction::Down => (across, along),
            Direction::Right => (along, across),
        }
    }

    fn time(&self, time: Time) -> f64 {
        self.along + (time.as_f64() / self.density.step()).min(self.columns as f64) * self.column
    }

    fn lane(&self, lane: usize) -> f64 {
        self.across + (lane as f64 + 0.5) * self.row
    }

    fn ticks(&self, svg: &mut Svg) {
        let far = self.across + self.row * self.diagram.lanes.len() as f64;
        let apart = if self.direction == Direction::Down { 40.0 } else { 150.0 };
        let least = apart / self.column * self.density.step();
        for time in ticks(least, self.diagram.end) {
            let along = self.time(time);
            let line = Path::default().from(self.point(self.across, along)).to(self.point(far, along));
            svg.tag("path").with("class", "grid").with("d", line).empty();
            let (x, y) = self.point(self.across - 8.0, along);
            let (class, y) = match self.direction {
                Direction::Down => ("faint small end", y + 3.5),
                Direction::Right => ("faint small mid", y),
            };
            let label = moment(self.diagram.timing, time);
            svg.tag("text").with("class", class).at("x", x).at("y", y).text(&label);
        }
    }

    /// Highlights the lanes of leaders, with their names.
    fn bands(&self, svg: &mut Svg) {
        let end = self.along + self.column * self.columns as f64;
        for (index, lane) in self.diagram.lanes.iter().enumerate() {
            if lane.last() == State::Leader {
                let thick = self.row.max(14.0);
                let (wide, high) = self.point(thick, end - self.start);
                let band =
                    Path::default().rectangle(self.point(self.lane(index) - thick / 2.0, self.start), wide, high);
                svg.tag("path").with("class", "band").with("d", band).empty();
            }
        }
    }

    fn lanes(&self, svg: &mut Svg) {
        let every = (14.0 / self.row).ceil() as usize;
        let end = self.along + self.column * self.columns as f64;
        for (index, lane) in self.diagram.lanes.iter().enumerate() {
            let across = self.lane(index);
            svg.tag("g").with("class", "lane").with("data-node", lane.nodes[0]).open();
            svg.tag("title").text(&described(lane, self.diagram));
            let until = lane.spans.iter().skip(1).map(|(time, _)| self.time(*time)).chain([end]);
            let mut from = self.along;
            for ((_, state), to) in lane.spans.iter().zip(until) {
                if to > from {
                    self.span(svg, *state, across, (from, to));
                }
                from = to;
            }
            if is_headed(&self.diagram.lanes, index, every) {
                let (x, y) = self.point(across, self.along - 6.0);
                let tag = svg.tag("text").with("class", "small end").at("x", x).at("y", y + 3.5);
                let upright = format!("rotate(90 {} {})", crate::svg::Tenths(x), crate::svg::Tenths(y));
                let turned = self.direction == Direction::Down;
                let name = fitted(&lane.name, 11.0, LONGEST_NAME);
                if turned { tag.with("transform", upright) } else { tag }.text(&name);
            }
            svg.close();
        }
    }

    /// A state of a lane for some time: an area if it had decided, a line if it was down.
    fn span(&self, svg: &mut Svg, state: State, across: f64, (from, to): (f64, f64)) {
        let (class, thick) = match state {
            State::Asleep | State::Undecided(_) => return,
            State::Down => {
                let line = Path::default().from(self.point(across, from)).to(self.point(across, to));
                return svg.tag("path").with("class", "down").with("d", line).empty();
            }
            State::Follower(_) => ("decided", 0.96 * self.row),
            State::Leader => ("gold dot", 0.5 * self.row),
        };
        let (wide, high) = self.point(thick, to - from);
        let area = Path::default().rectangle(self.point(across - thick / 2.0, from), wide, high);
        svg.tag("path").with("class", class).with("d", area).empty();
    }

    /// Draws all cells with the same look and step as one path. Neighbouring cells in a row are one rectangle, so that
    /// the file stays small.
    fn cells(&self, svg: &mut Svg, scale: &Steps) {
        let mut shapes: Vec<Vec<Path>> = (0..LOOKS).map(|_| (0..LEVELS).map(|_| Path::default()).collect()).collect();
        let sort = |row: usize, column: usize| {
            let cell = self.density.cell(row, column)?;
            Some((cell.kind % LOOKS, scale.level(cell.count)))
        };
        for row in 0..self.diagram.lanes.len() {
            let sorts: Vec<_> = (0..self.columns).map(|column| sort(row, column)).collect();
            let mut column = 0;
            for same in sorts.chunk_by(|a, b| a == b) {
                if let Some((look, level)) = same[0] {
                    let thick = self.row * FILL[look];
                    let (across, along) = (self.lane(row) - thick / 2.0, self.along + column as f64 * self.column);
                    let (wide, high) = self.point(thick, self.column * same.len() as f64);
                    let shape = &mut shapes[look][level];
                    *shape = std::mem::take(shape).rectangle(self.point(across, along), wide, high);
                }
                column += same.len();
            }
        }
        for (look, levels) in shapes.into_iter().enumerate() {
            for (level, shape) in levels.into_iter().enumerate().filter(|(_, shape)| !shape.is_empty()) {
                let tag = svg.tag("path").with("class", format!("cells k{look} head"));
                tag.with("fill-opacity", scale.opacity(level)).with("d", shape).empty();
            }
        }
    }

    /// The cut links, above the cells.
    fn cuts(&self, svg: &mut Svg) {
        let edges = (self.across, self.across + self.row * self.diagram.lanes.len() as f64);
        for cut in &self.diagram.cuts {
            let end = self.along + self.column * self.columns as f64;
            let span = (self.time(cut.since), cut.until.map_or(end, |until| self.time(until)));
            svg.tag("g").with("class", "cut").with("fill-opacity", 0.5).open();
            svg.tag("title").text(&cut.text);
            for corners in areas(cut, |lane| self.lane(lane), edges, span) {
                let corners = corners.map(|(across, along)| self.point(across, along));
                svg.tag("path").with("d", Path::polygon(&corners)).empty();
            }
            for (from, to) in ways(cut, |lane| self.lane(lane), edges, span) {
                signs::way(svg, self.point(from.0, from.1), self.point(to.0, to.1));
            }
            svg.close();
        }
    }

    /// A cross in every cell with a lost message.
    fn losses(&self, svg: &mut Svg) {
        let reach = (0.35 * self.row.min(self.column)).clamp(2.5, 4.0);
        let mut crosses = Path::default();
        for row in 0..self.diagram.lanes.len() {
            for column in (0..self.columns).filter(|column| self.density.lost(row, *column) > 0) {
                let along = self.along + (column as f64 + 0.5) * self.column;
                crosses = signs::crossed(crosses, self.point(self.lane(row), along), reach);
            }
        }
        if !crosses.is_empty() {
            svg.tag("path").with("class", "fails sign").with("d", crosses).empty();
        }
    }

    fn signs(&self, svg: &mut Svg) {
        for mark in notable(self.diagram) {
            let place = self.point(self.lane(mark.lane), self.time(mark.time));
            svg.tag("g").with("class", "mark").open();
            let (name, when) = (&self.diagram.lanes[mark.lane].name, moment(self.diagram.timing, mark.time));
            svg.tag("title").text(&format!("node {name} {} ({when})", mark.sign.meaning()));
            signs::draw(svg, mark.sign, place);
            svg.close();
        }
    }
}
