//! Where lanes and moments are on the page.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use bellwether_world::{Time, Timing};

use super::{LONGEST_NAME, NAME, SIGN, SMALL, arrows, id};
use crate::axis::{Axis, Pace};
use crate::diagram::{Diagram, Fate, Mark, Message, Way};
use crate::svg::{Point, squeezed, width};

/// Where time goes.
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

/// Letters of what messages say.
pub const SAID: f64 = 10.0;
/// What a message says is cut after so many characters.
pub const LONGEST: usize = 18;

/// The room before the first moment and behind the last.
const LEAD: f64 = 14.0;
/// The room for messages that do not arrive any more.
const TAIL: f64 = 26.0;
/// How near to the end of an arrow its text stands at most, as a part of it.
const OUTERMOST: f64 = 0.26;
/// The room between two names.
const BETWEEN: f64 = 6.0;
/// A name is shortened to this rather than left out.
const SHORT_NAME: f64 = 36.0;
/// So many moments are few.
const FEW: usize = 24;
/// About how long the longest way through time is, in pixels,
const LONG: f64 = 8_000.0;
/// how long it is at most,
const LONGEST_WAY: f64 = 10_000.0;
/// and how close moments are at least.
const CLOSEST: f64 = 12.0;
/// How much of the room of the lanes arrows may cover, and how wide their lines are.
const MOST_INK: f64 = 0.36;
const LINE: f64 = 1.3;
/// About how wide all lanes are together, if there are many.
const WIDE: f64 = 2_400.0;

/// How lanes and moments become places.
pub struct Frame {
    /// Where time goes.
    pub direction: Direction,
    /// Where moments lie.
    pub axis: Axis,
    /// How far apart lanes are.
    pub pitch: f64,
    /// The room beside the lanes, for what goes round the ring or to nodes that are not shown.
    pub side: f64,
    lanes: usize,
    /// How wide the longest name is.
    named: f64,
    /// The room for what is written beside signs on the last lane, and on arrows that go out behind it.
    notes: f64,
    tail: f64,
    /// Where the room of the lanes begins, across them.
    across: f64,
    /// Where time begins, along them.
    along: f64,
}

impl Frame {
    /// The frame of these messages in the direction, with its corner at the left margin.
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

    /// Whether arrows can be told from each other: time does not go on and on, and they do not cover too much.
    pub fn is_legible(&self, messages: &[Message]) -> bool {
        let (near, far) = self.edges();
        let (room, length) = ((far - near) * (self.axis.length() + 2.0 * LEAD), self.axis.length());
        length <= LONGEST_WAY
            && LINE * messages.iter().map(|message| self.length(message)).sum::<f64>() <= MOST_INK * room
    }

    /// About how long the arrows of a message are.
    fn length(&self, message: &Message) -> f64 {
        let across = match (message.from.lane, message.to.lane, message.way) {
            (Some(from), Some(to), Way::Across) => from.abs_diff(to) as f64 * self.pitch,
            _ => self.pitch,
        };
        let along = |time: Time| self.time(time) - self.time(message.sent);
        let length = |along: f64| (across * across + along * along).sqrt();
        message.fates.iter().filter_map(Fate::time).map(|time| length(along(time))).sum()
    }

    /// How wide and high the picture is.
    pub fn size(&self) -> (f64, f64) {
        let across = self.across + self.lanes as f64 * self.pitch + 2.0 * self.side;
        let along = self.along + self.axis.length() + 2.0 * LEAD + self.tail;
        match self.direction {
            Direction::Down => (across + 20.0 + self.notes, along),
            Direction::Right => (along + 20.0, across),
        }
    }

    /// One lane of so many has a heading: all, but where lanes are so close that hardly anything of it would be left.
    pub fn heading_every(&self) -> usize {
        let wanted = (self.named + BETWEEN).min(SHORT_NAME);
        match self.direction {
            Direction::Down => (wanted / self.pitch).ceil().max(1.0) as usize,
            Direction::Right => 1,
        }
    }

    /// How wide a heading may be.
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

    /// The edges of the room of the lanes.
    pub fn edges(&self) -> (f64, f64) {
        (self.across, self.across + 2.0 * self.side + self.lanes as f64 * self.pitch)
    }

    /// The place of a moment, along the lanes.
    pub fn time(&self, time: Time) -> f64 {
        self.along + self.axis.at(time)
    }

    /// Where lanes begin and end.
    pub fn ends(&self) -> (f64, f64) {
        (self.along - LEAD, self.along + self.axis.length() + LEAD)
    }

    /// The point at this place across the lanes and this along them.
    pub fn point(&self, across: f64, along: f64) -> Point {
        match self.direction {
            Direction::Down => (across, along),
            Direction::Right => (along, across),
        }
    }
}

/// How wide the widest text on an arrow is that goes out behind the last of so many lanes, or comes in there.
fn outside(messages: &[Message], lanes: usize) -> f64 {
    let is_last = |lane: Option<usize>| lane.is_some_and(|lane| lane + 1 == lanes);
    let goes_out =
        |message: &&Message| message.way != Way::Across && (is_last(message.from.lane) || is_last(message.to.lane));
    messages.iter().filter(goes_out).map(|message| width(&arrows::label(message), SAID)).fold(0.0, f64::max)
}

/// How far what is written beside the signs of each moment on the last lane goes.
fn notes(diagram: &Diagram) -> impl Iterator<Item = f64> {
    let mut moments: BTreeMap<Time, Vec<&Mark>> = BTreeMap::new();
    for mark in diagram.marks.iter().filter(|mark| mark.lane + 1 == diagram.lanes.len()) {
        moments.entry(mark.time).or_default().push(mark);
    }
    moments.into_values().map(|marks| {
        let said: Vec<&str> = marks.iter().filter(|mark| diagram.is_told(mark)).map(|mark| &*mark.text).collect();
        2.0 * SIGN * marks.len() as f64 + width(&squeezed(&said.join(", "), LONGEST), SAID) + 26.0
    })
}

/// How far apart moments are drawn.
fn pace(diagram: &Diagram, direction: Direction, said: f64, moments: usize, messages: usize) -> Pace {
    // Where everybody sends to everybody at once, arrows need room between two moments.
    let crowd = messages as f64 / (moments * diagram.lanes.len()) as f64;
    let room = (crowd / 2.0).clamp(1.0, 6.0);
    let usual = match (direction, diagram.timing) {
        // A counterexample of a few steps has much to say in each of them.
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
