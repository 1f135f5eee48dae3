//! Space-time diagrams as SVG: a lane for each node, an arrow for each message.

mod arrows;
mod frame;
mod heat;
mod labels;

pub use frame::Direction;

use std::borrow::Cow;
use std::collections::BTreeMap;

use bellwether_world::Time;

use self::frame::Frame;
use self::labels::Labels;
use crate::diagram::{Cut, Diagram, Fate, Lane, Mark, Message, Sign, State, Way, moment};
use crate::legend::{Entry, Glyph, kinds};
use crate::page::{MARGIN, Page};
use crate::palette::{LOOKS, ROLES};
use crate::signs;
use crate::svg::{Path, Point, Svg, fitted, squeezed, width};

/// Draws a diagram: every message, or the number of messages if arrows would be illegible.
#[must_use]
pub fn svg(diagram: &Diagram, direction: Direction) -> String {
    let framed = diagram.messages.as_ref().map(|messages| (messages, Frame::new(diagram, messages, direction, MARGIN)));
    match framed.filter(|(messages, frame)| frame.is_legible(messages)) {
        Some((messages, frame)) => each(diagram, messages, &frame),
        None => heat::draw(diagram, direction),
    }
}

fn each(diagram: &Diagram, messages: &[Message], frame: &Frame) -> String {
    let describes = format!(
        "Space-time diagram with {} lanes and {} messages, from {} to {}.",
        diagram.lanes.len(),
        messages.len(),
        moment(diagram.timing, diagram.begin),
        moment(diagram.timing, diagram.end),
    );
    let entries = legend(diagram, messages, frame);
    let mut page = Page::new(&diagram.caption, &describes, frame.size(), entries, diagram.kinds.len());
    let top = page.top;
    page.svg.tag("g").with("transform", format!("translate(0 {top})")).open();
    let mut drawing = SpaceTime { diagram, frame, svg: &mut page.svg, labels: Labels::default() };
    drawing.bands();
    drawing.ticks();
    drawing.cuts();
    drawing.lanes();
    let signs = drawing.places();
    drawing.arrows(messages, &signs);
    drawing.signs(&signs);
    page.svg.close();
    page.finish()
}

/// Legend entries for everything that occurs.
fn legend(diagram: &Diagram, messages: &[Message], frame: &Frame) -> Vec<Entry> {
    let mut entries = kinds(&diagram.kinds);
    let mut signs: Vec<Sign> = diagram.marks.iter().map(|mark| mark.sign).collect();
    signs.sort_unstable();
    signs.dedup();
    entries.extend(roles(diagram));
    // The lane of a role shows its sign, too.
    signs.retain(|sign| !matches!(sign, Sign::Turns(Some(_))));
    entries.extend(signs.into_iter().map(|sign| Entry { glyph: Glyph::Sign(sign), text: diagram.meaning(sign) }));
    let befell = |fate: fn(&Fate) -> bool| messages.iter().any(|message| message.fates.iter().any(fate));
    let down = diagram.lanes.iter().any(|lane| lane.spans.iter().any(|(_, state)| *state == State::Down));
    let copied = messages.iter().find(|message| message.fates.len() > 1);
    let is_cut = |one_way: bool| diagram.cuts.iter().any(|cut| cut.one_way == one_way);
    let more = [
        (Glyph::Copy(copied.map_or(0, |message| message.kind % LOOKS)), "copy made by the link", copied.is_some()),
        (Glyph::Lost, "message lost", befell(|fate| !matches!(fate, Fate::Arrived(_)))),
        (Glyph::Open, "message still under way", messages.iter().any(|message| message.fates.is_empty())),
        (Glyph::Lane("down"), "node is down", down),
        (Glyph::Area("cut".into(), 1.0), "link is cut", is_cut(false)),
        (Glyph::OneWay, "link is cut in this direction only", is_cut(true)),
        (Glyph::Uneven, "time is not to scale: what is close is drawn apart", frame.axis.is_stretched()),
        (Glyph::Lane("gap"), "a while without anything, shortened", frame.axis.gaps().next().is_some()),
    ];
    let occurring = more.into_iter().filter(|(.., occurs)| *occurs);
    entries.extend(occurring.map(|(glyph, text, _)| Entry { glyph, text: text.into() }));
    entries
}

/// Legend entries for the lanes of undecided nodes: one for each role, and one for nodes that sleep for a while.
fn roles(diagram: &Diagram) -> Vec<Entry> {
    let role = |(role, name): (usize, &String)| Entry { glyph: Glyph::RoleLane(role), text: name.clone() };
    let mut entries: Vec<Entry> = diagram.roles.iter().enumerate().map(role).collect();
    let sleeps = |lane: &Lane| lane.spans.get(1).is_none_or(|(since, _)| *since > diagram.begin);
    if diagram.lanes.iter().any(sleeps) {
        entries.push(Entry { glyph: Glyph::Lane("asleep"), text: "asleep".into() });
    }
    entries
}

/// By lane and moment: the places of its signs.
type Places<'a> = BTreeMap<(usize, Time), Vec<(&'a Mark, Point)>>;

/// The radius of a sign.
const SIGN: f64 = 7.0;

struct SpaceTime<'a> {
    diagram: &'a Diagram,
    frame: &'a Frame,
    svg: &'a mut Svg,
    labels: Labels,
}

impl<'a> SpaceTime<'a> {
    /// Highlights the lanes of leaders.
    fn bands(&mut self) {
        let (first, last) = self.frame.ends();
        let half = (0.42 * self.frame.pitch).min(34.0);
        for (index, lane) in self.diagram.lanes.iter().enumerate() {
            if lane.last() == State::Leader {
                let lane = self.frame.lane(index);
                let (from, to) = (first - 42.0, last);
                let corners = [(lane - half, from), (lane + half, from), (lane + half, to), (lane - half, to)];
                let corners = corners.map(|(across, along)| self.frame.point(across, along));
                self.svg.tag("path").with("class", "band").with("d", Path::polygon(&corners)).empty();
            }
        }
    }

    /// The moments, and the places where time was cut.
    fn ticks(&mut self) {
        let (near, far) = self.frame.edges();
        let start = self.frame.time(self.diagram.begin);
        let label = |time| moment(self.diagram.timing, time);
        let apart = match self.frame.direction {
            Direction::Down => 16.0,
            Direction::Right => width(&label(self.diagram.end), SMALL) + 10.0,
        };
        for (time, place) in self.frame.axis.ticks(apart) {
            let along = start + place;
            let line = self.frame.line((near, along), (far, along));
            self.svg.tag("path").with("class", "grid").with("d", line).empty();
            let (x, y) = self.frame.point(near - 8.0, along);
            let class = if self.frame.direction == Direction::Down { "faint small end" } else { "faint small mid" };
            let y = if self.frame.direction == Direction::Down { y + 3.5 } else { y };
            self.svg.tag("text").with("class", class).at("x", x).at("y", y).text(&label(time));
        }
        for gap in self.frame.axis.gaps() {
            let line = self.frame.line((near - 30.0, start + gap), (far, start + gap));
            self.svg.tag("path").with("class", "gap").with("d", line).empty();
        }
    }

    fn cuts(&mut self) {
        for cut in &self.diagram.cuts {
            let end = cut.until.map_or(self.frame.ends().1, |until| self.frame.time(until));
            let span = (self.frame.time(cut.since), end);
            let shapes = areas(cut, |lane| self.frame.lane(lane), self.frame.edges(), span);
            self.svg.tag("g").with("class", "cut").open();
            self.svg.tag("title").text(&cut.text);
            for corners in shapes {
                let corners = corners.map(|(across, along)| self.frame.point(across, along));
                self.svg.tag("path").with("d", Path::polygon(&corners)).empty();
            }
            for (from, to) in ways(cut, |lane| self.frame.lane(lane), self.frame.edges(), span) {
                signs::way(self.svg, self.frame.point(from.0, from.1), self.frame.point(to.0, to.1));
            }
            self.svg.close();
        }
    }

    /// The names, and lines that show the states of nodes.
    fn lanes(&mut self) {
        let (first, last) = self.frame.ends();
        let every = self.frame.heading_every();
        for (index, lane) in self.diagram.lanes.iter().enumerate() {
            let across = self.frame.lane(index);
            self.svg.tag("g").with("class", "lane").with("data-node", lane.nodes[0]).open();
            self.svg.tag("title").text(&described(lane, self.diagram));
            let ends = lane.spans.iter().skip(1).map(|(time, _)| self.frame.time(*time)).chain([last]);
            let mut from = first;
            for ((_, state), to) in lane.spans.iter().zip(ends) {
                if to > from {
                    let line = self.frame.line((across, from), (across, to));
                    self.svg.tag("path").with("class", &*class(*state)).with("d", line).empty();
                }
                from = to;
            }
            if is_headed(&self.diagram.lanes, index, every) {
                self.name(lane, across, first);
            }
            self.svg.close();
        }
    }

    fn name(&mut self, lane: &Lane, across: f64, first: f64) {
        let room = self.frame.heading_room();
        let (name, id) = (fitted(&lane.name, NAME, room), fitted(&id(lane), SMALL, room));
        let wide = width(&id, SMALL) < self.frame.pitch;
        match self.frame.direction {
            Direction::Down => {
                let (x, y) = (across, first - 24.0);
                self.svg.tag("text").with("class", "mid").at("x", x).at("y", y).text(&name);
                if wide && !id.is_empty() {
                    self.svg.tag("text").with("class", "faint small mid").at("x", x).at("y", y + 14.0).text(&id);
                }
            }
            Direction::Right => {
                let (x, y) = (first - 8.0, across);
                let room = self.frame.pitch > 30.0 && !id.is_empty();
                let y = if room { y } else { y + 4.0 };
                self.svg.tag("text").with("class", "end").at("x", x).at("y", y).text(&name);
                if room {
                    self.svg.tag("text").with("class", "faint small end").at("x", x).at("y", y + 13.0).text(&id);
                }
            }
        }
    }

    /// The places of signs. Signs of the same moment are side by side.
    fn places(&mut self) -> Places<'a> {
        let mut places: Places<'a> = BTreeMap::new();
        for mark in &self.diagram.marks {
            let beside = places.entry((mark.lane, mark.time)).or_default();
            let across = self.frame.lane(mark.lane) + 2.0 * SIGN * beside.len() as f64;
            let place = self.frame.point(across, self.frame.time(mark.time));
            beside.push((mark, place));
            self.labels.take(place, 2.0 * SIGN, 2.0 * SIGN);
        }
        places
    }

    fn signs(&mut self, places: &Places<'_>) {
        for beside in places.values() {
            for (mark, place) in beside {
                let lane = &self.diagram.lanes[mark.lane];
                self.svg.tag("g").with("class", "mark").with("data-node", lane.nodes[0]).open();
                let text = if mark.text.is_empty() { String::new() } else { format!(": {}", mark.text) };
                let when = moment(self.diagram.timing, mark.time);
                let effect = if mark.effect.is_empty() { String::new() } else { format!("; {}", mark.effect) };
                let told = format!("node {} {}{text} ({when}){effect}", lane.name, mark.sign.meaning());
                self.svg.tag("title").text(&told);
                signs::draw(self.svg, mark.sign, *place);
                self.svg.close();
            }
            self.note(beside);
        }
    }

    /// Writes the words beside the signs of a lane at a moment. If there is no room for all, names of timers are left
    /// out.
    fn note(&mut self, beside: &[(&Mark, Point)]) {
        let Some(((_, first), (_, last))) = beside.first().zip(beside.last()) else { return };
        let words = |wanted: fn(Sign) -> bool| {
            let some = beside.iter().filter(|(mark, _)| wanted(mark.sign));
            some.filter_map(|(mark, _)| self.diagram.note(mark)).collect::<Vec<_>>().join(", ")
        };
        for said in [words(|_| true), words(|sign| sign != Sign::TimesOut)] {
            let said = squeezed(&said, frame::LONGEST_NOTE);
            let wide = width(&said, frame::SAID);
            let right = (last.0 + SIGN + 3.0 + wide / 2.0, last.1);
            let below = (last.0 + wide / 2.0 - SIGN, last.1 + SIGN + 7.0);
            let left = (first.0 - SIGN - 3.0 - wide / 2.0, first.1);
            let above = (last.0 + wide / 2.0 - SIGN, last.1 - SIGN - 7.0);
            let places = if said.is_empty() { vec![] } else { vec![right, below, left, above] };
            if let Some((x, y)) = places.into_iter().find(|place| self.labels.claim(*place, wide, 12.0)) {
                return self.svg.haloed("said note", None, (x, y + 3.5), &said);
            }
        }
    }
}

const SMALL: f64 = 10.0;
/// The size of the letters of names.
const NAME: f64 = 12.0;
/// The largest width of a name.
const LONGEST_NAME: f64 = 160.0;

/// The id of a lane, as text.
fn id(lane: &Lane) -> String {
    lane.id.map_or(String::new(), |id| format!("id {id}"))
}

/// Whether a lane has a heading, if one in `every` lanes has. A leader always has one, and its near neighbours have
/// none.
fn is_headed(lanes: &[Lane], index: usize, every: usize) -> bool {
    let leads = |lane: &Lane| lane.last() == State::Leader;
    let beside = &lanes[(index + 1).saturating_sub(every)..(index + every).min(lanes.len())];
    leads(&lanes[index]) || index.is_multiple_of(every) && !beside.iter().any(leads)
}

impl Frame {
    /// A line between two places, given across and along the lanes.
    fn line(&self, from: Point, to: Point) -> Path {
        Path::default().from(self.point(from.0, from.1)).to(self.point(to.0, to.1))
    }
}

/// The width of a stripe of a cut, as a fraction of the distance between lanes.
const STRIPE: f64 = 0.2;

/// The corners of the areas of a cut, given across and along the lanes. The area lies between neighbouring lanes, or
/// beside the lanes if the link goes round the ring. Otherwise there is a stripe at each of the two lanes, joined at
/// the start: the lanes between have no part in the cut.
fn areas(cut: &Cut, lane: impl Fn(usize) -> f64, (near, far): (f64, f64), span: (f64, f64)) -> Vec<[Point; 4]> {
    let (first, last) = (cut.lanes.0.min(cut.lanes.1), cut.lanes.0.max(cut.lanes.1));
    let (from, to) = (lane(first), lane(last));
    let (since, until) = span;
    let room = |from, to, until| [(from, since), (to, since), (to, until), (from, until)];
    match cut.way {
        Way::Across if last - first > 1 => {
            let wide = STRIPE * (lane(first + 1) - from);
            vec![room(from, from + wide, until), room(to - wide, to, until), room(from, to, since)]
        }
        Way::Across => vec![room(from, to, until)],
        Way::Onward | Way::Backward => vec![room(near, from, until), room(to, far, until)],
    }
}

/// The arrows that show the direction of a cut, each between two places given across and along the lanes.
fn ways(
    cut: &Cut,
    lane: impl Fn(usize) -> f64,
    (near, far): (f64, f64),
    (since, until): (f64, f64),
) -> Vec<(Point, Point)> {
    const APART: f64 = 3.0;
    if !cut.one_way {
        return vec![];
    }
    // Near the end: the text about the loss is at the beginning.
    let along = until - (0.5 * (until - since)).clamp(0.0, 10.0);
    let (from, to) = (lane(cut.lanes.0), lane(cut.lanes.1));
    let pieces = match cut.way {
        Way::Across => vec![(from, to)],
        Way::Onward => vec![(from, far), (near, to)],
        Way::Backward => vec![(from, near), (far, to)],
    };
    let inner = |(from, to): (f64, f64)| (from + APART * (to - from).signum(), to - APART * (to - from).signum());
    pieces.into_iter().map(inner).map(|(from, to)| ((from, along), (to, along))).collect()
}

/// A lane in words.
fn described(lane: &Lane, diagram: &Diagram) -> String {
    let (what, name) = (if lane.nodes.len() == 1 { "node" } else { "nodes" }, &lane.name);
    let id = lane.id.map_or(String::new(), |id| format!(" (id {id})"));
    let state = match lane.last() {
        State::Asleep => "asleep in the end".into(),
        State::Undecided(None) => "undecided in the end".into(),
        State::Undecided(Some(role)) => format!("undecided in the end, {}", diagram.roles[role]),
        State::Follower(None) => "a follower in the end".into(),
        State::Follower(Some(leader)) => format!("a follower of {leader} in the end"),
        State::Leader => "leads in the end".into(),
        State::Down => "down in the end".into(),
    };
    format!("{what} {name}{id}: {state}")
}

fn class(state: State) -> Cow<'static, str> {
    match state {
        State::Asleep => "asleep".into(),
        State::Undecided(None) => "undecided".into(),
        State::Undecided(Some(role)) => format!("lane{}", role % ROLES).into(),
        State::Follower(_) => "follower".into(),
        State::Leader => "leader".into(),
        State::Down => "down".into(),
    }
}
