//! The places of lanes and moments on the page.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use bellwether_world::{Time, Timing};

use super::{LONGEST_NAME, NAME, SIGN, SMALL, arrows, id};
use crate::axis::{Axis, Pace};
use crate::diagram::{Diagram, Fate, Mark, Message, Way};
use crate::svg::{Point, squeezed, width};

/// The direction of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Lanes side by side.
    #[default]
    Down,
    /// Lanes one above the other.
    Right,
}

impl FromStr for Direction {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "down" => Ok(Self::Down),
            "right" => Ok(Self::Right),
            _ => Err(format!("'{text}' is none of down, right")),
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Down => "down",
            Self::Right => "right",
        })
    }
}

/// The size of the letters on messages.
pub const SAID: f64 = 10.0;
/// The largest number of characters of a message's text.
pub const LONGEST: usize = 18;
/// The largest number of characters of the words beside a sign.
pub const LONGEST_NOTE: usize = 26;

/// The space before the first moment and after the last.
const LEAD: f64 = 14.0;
/// The space for messages that do not arrive.
const TAIL: f64 = 26.0;
/// The smallest distance of a text from the end of its arrow, as a fraction of the arrow.
const OUTERMOST: f64 = 0.26;
/// The space between two names.
const BETWEEN: f64 = 6.0;
/// A name is shortened to this width rather than left out.
const SHORT_NAME: f64 = 36.0;
/// The largest number of moments that counts as few.
const FEW: usize = 24;
/// The approximate length of a long time axis, in pixels.
const LONG: f64 = 8_000.0;
/// The largest length of the time axis.
const LONGEST_WAY: f64 = 10_000.0;
/// The smallest distance between moments.
const CLOSEST: f64 = 12.0;
/// The largest fraction of the area that arrows may cover, and the width of their lines.
const MOST_INK: f64 = 0.36;
const LINE: f64 = 1.3;
/// The approximate width of all lanes together, if there are many.
const WIDE: f64 = 2_400.0;

/// Maps lanes and moments to places.
pub struct Frame {
    /// The direction of time.
    pub direction: Direction,
    /// The places of moments.
    pub axis: Axis,
    /// The distance between lanes.
    pub pitch: f64,
    /// The space beside the lanes, for messages round the ring or to nodes that are not shown.
    pub side: f64,
    lanes: usize,
    /// The width of the longest name.
    named: f64,
    /// The space for texts beside signs on the last lane, and on arrows that leave behind it.
    notes: f64,
    tail: f64,
    /// The start of the lanes' area, across the lanes.
    across: f64,
    /// The start of time, along the lanes.
    along: f64,
}

impl Frame {
    /// The frame of these messages in this direction, beginning at the left margin.
    pub fn new(diagram: &Diagram, messages: &[Message], direction: Direction, margin: f64) -> Self {
        let mut moments = vec![diagram.begin, diagram.end];
        moments.extend(diagram.marks.iter().map(|mark| mark.time));
        for message in messages {
            moments.push(message.sent);
            moments.extend(message.fates.iter().filter_map(Fate::time));
        }
        moments.sort_unstable();
        moments.dedup();
        let said = messages.iter().map(|message| width(&squeezed(&message.text, LONGEST), SAID)).fold(0.0, f64::max);
        let lanes = diagram.lanes.len();
        let hidden = messages.iter().any(|message| message.from.lane.is_none() || message.to.lane.is_none());
        let named = diagram.lanes.iter().map(|lane| width(&lane.name, NAME)).fold(0.0, f64::max).min(LONGEST_NAME);
        let axis = Axis::new(moments.clone(), pace(diagram, direction, said, moments.len(), messages.len()));
        let ids = diagram.lanes.iter().map(|lane| width(&id(lane), SMALL)).fold(0.0, f64::max);
        let wanted = match direction {
            Direction::Down => (said + 26.0).max(named.max(ids) + BETWEEN).clamp(64.0, 140.0),
            Direction::Right => 56.0,
        };
        let pitch = wanted.min((WIDE / lanes as f64).max(18.0));
        let side = if diagram.is_ring || hidden { 0.3 * pitch + 10.0 } else { 0.0 };
        let notes = notes(diagram).fold(0.0, f64::max) - pitch / 2.0;
        let outside = outside(messages, lanes) / 2.0 - OUTERMOST * (side + pitch / 2.0) - 14.0;
        let open = messages.iter().any(|message| message.fates.iter().all(|fate| *fate == Fate::Lost));
        let tail = if open { TAIL } else { 0.0 };
        let (across, along) = match direction {
            Direction::Down => (margin + 66.0, 46.0 + LEAD),
            Direction::Right => (26.0, margin + named + 52.0 + LEAD),
        };
        Self { direction, axis, pitch, side, lanes, named, notes: notes.max(outside), tail, across, along }
    }

    /// Whether arrows can be told apart: the time axis is not too long, and the arrows do not cover too much.
    pub fn is_legible(&self, messages: &[Message]) -> bool {
        let (near, far) = self.edges();
        let (room, length) = ((far - near) * (self.axis.length() + 2.0 * LEAD), self.axis.length());
        length <= LONGEST_WAY
            && LINE * messages.iter().map(|message| self.length(message)).sum::<f64>() <= MOST_INK * room
    }

    /// The approximate length of a message's arrows.
    fn length(&self, message: &Message) -> f64 {
        let across = match (message.from.lane, message.to.lane, message.way) {
            (Some(from), Some(to), Way::Across) => from.abs_diff(to) as f64 * self.pitch,
            _ => self.pitch,
        };
        let along = |time: Time| self.time(time) - self.time(message.sent);
        let length = |along: f64| (across * across + along * along).sqrt();
        message.fates.iter().filter_map(Fate::time).map(|time| length(along(time))).sum()
    }

    /// The width and height of the picture.
    pub fn size(&self) -> (f64, f64) {
        let across = self.across + self.lanes as f64 * self.pitch + 2.0 * self.side;
        let along = self.along + self.axis.length() + 2.0 * LEAD + self.tail;
        match self.direction {
            Direction::Down => (across + 20.0 + self.notes, along),
            Direction::Right => (along + 20.0, across),
        }
    }

    /// One in this many lanes has a heading: every lane, unless lanes are too close for readable headings.
    pub fn heading_every(&self) -> usize {
        let wanted = (self.named + BETWEEN).min(SHORT_NAME);
        match self.direction {
            Direction::Down => (wanted / self.pitch).ceil().max(1.0) as usize,
            Direction::Right => 1,
        }
    }

    /// The largest width of a heading.
    pub fn heading_room(&self) -> f64 {
        match self.direction {
            Direction::Down => self.heading_every() as f64 * self.pitch - BETWEEN,
            Direction::Right => LONGEST_NAME,
        }
    }

    /// The place of a lane, across the lanes.
    pub fn lane(&self, lane: usize) -> f64 {
        self.across + self.side + (lane as f64 + 0.5) * self.pitch
    }

    /// The edges of the lanes' area.
    pub fn edges(&self) -> (f64, f64) {
        (self.across, self.across + 2.0 * self.side + self.lanes as f64 * self.pitch)
    }

    /// The place of a moment, along the lanes.
    pub fn time(&self, time: Time) -> f64 {
        self.along + self.axis.at(time)
    }

    /// The ends of the lanes.
    pub fn ends(&self) -> (f64, f64) {
        (self.along - LEAD, self.along + self.axis.length() + LEAD)
    }

    /// The point at these places across and along the lanes.
    pub fn point(&self, across: f64, along: f64) -> Point {
        match self.direction {
            Direction::Down => (across, along),
            Direction::Right => (along, across),
        }
    }
}

/// The width of the widest text on an arrow that leaves or enters behind the last lane.
fn outside(messages: &[Message], lanes: usize) -> f64 {
    let is_last = |lane: Option<usize>| lane.is_some_and(|lane| lane + 1 == lanes);
    let goes_out =
        |message: &&Message| message.way != Way::Across && (is_last(message.from.lane) || is_last(message.to.lane));
    messages.iter().filter(goes_out).map(|message| width(&arrows::label(message), SAID)).fold(0.0, f64::max)
}

/// The widths of the texts beside the signs on the last lane, by moment.
fn notes(diagram: &Diagram) -> impl Iterator<Item = f64> {
    let mut moments: BTreeMap<Time, Vec<&Mark>> = BTreeMap::new();
    for mark in diagram.marks.iter().filter(|mark| mark.lane + 1 == diagram.lanes.len()) {
        moments.entry(mark.time).or_default().push(mark);
    }
    moments.into_values().map(|marks| {
        let said: Vec<String> = marks.iter().filter_map(|mark| diagram.note(mark)).collect();
        2.0 * SIGN * marks.len() as f64 + width(&squeezed(&said.join(", "), LONGEST_NOTE), SAID) + 26.0
    })
}

/// The distances between moments.
fn pace(diagram: &Diagram, direction: Direction, said: f64, moments: usize, messages: usize) -> Pace {
    // If all nodes send to all others at once, arrows need space between two moments.
    let crowd = messages as f64 / (moments * diagram.lanes.len()) as f64;
    let room = (crowd / 2.0).clamp(1.0, 6.0);
    let usual = match (direction, diagram.timing) {
        // A counterexample of a few steps has much text in each step.
        (Direction::Down, Timing::Chosen(_)) if moments <= FEW => 48.0,
        (Direction::Down, Timing::Chosen(_)) => 30.0,
        (Direction::Down, _) if diagram.is_whole() => 54.0,
        (Direction::Down, _) => 28.0,
        (Direction::Right, Timing::Chosen(_)) => 44.0,
        (Direction::Right, _) if diagram.is_whole() => (said + 28.0).clamp(60.0, 140.0),
        (Direction::Right, _) => 40.0,
    };
    let usual = (room * usual).min((LONG / moments as f64).max(CLOSEST));
    match diagram.is_whole() {
        true => Pace { usual, least: usual, most: 2.0 * usual },
        false => Pace { usual, least: usual / 3.0, most: 2.5 * usual },
    }
}
