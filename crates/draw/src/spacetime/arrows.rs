//! Messages as arrows.

use std::collections::BTreeMap;

use super::frame::{LONGEST, SAID};
use super::{Places, SIGN, SpaceTime};
use crate::diagram::{Fate, Message, Way, moment};
use crate::palette::{COPY, LOOKS};
use crate::signs;
use crate::svg::{Path, Point, squeezed, width};

/// The length of an arrow to or from a node without a lane, as a fraction of the distance between lanes.
const STUB: f64 = 0.42;
/// The distance between the ends of short arrows that leave a lane together.
const FAN: f64 = 13.0;
/// The length in time of the arrow of a message that never arrives.
const WHILE: f64 = 28.0;

/// The length of an arrowhead.
const HEAD: f64 = 9.0;

/// The distances below the end of a message that never arrives at which its text may be written.
const BELOW: [f64; 2] = [10.0, 22.0];

/// An arrow on the page: one line, or two if it goes round the ring.
struct Arrow {
    lines: Vec<(Point, Point)>,
    tip: Tip,
}

/// The end of an arrow.
#[derive(Clone, Copy, PartialEq)]
enum Tip {
    Head,
    Cross,
    Open,
}

impl SpaceTime<'_> {
    /// Draws every message: first all lines, then all texts, so that no line crosses a text.
    pub fn arrows(&mut self, messages: &[Message], signs: &Places<'_>) {
        let mut said = vec![];
        // By lane, moment and side: the number of short arrows.
        let mut stubs: BTreeMap<_, usize> = BTreeMap::new();
        for message in messages {
            let beside = match (message.from.lane, message.to.lane) {
                (Some(_), Some(_)) => 0,
                (Some(lane), None) | (None, Some(lane)) => {
                    let time = message.fates.first().and_then(Fate::time).filter(|_| message.from.lane.is_none());
                    let place = (lane, time.unwrap_or(message.sent), message.from.lane.is_none(), message.way as u8);
                    let before = stubs.entry(place).or_insert(0);
                    *before += 1;
                    *before - 1
                }
                (None, None) => 0,
            };
            let arrows = self.course(message, beside);
            if let Some(arrow) = arrows.first() {
                said.push((message, arrow.lines.clone(), arrow.tip));
            }
            for arrow in arrows.iter().filter(|arrow| arrow.tip != Tip::Head) {
                arrow.lines.last().iter().for_each(|(_, tip)| self.labels.take(*tip, SIGN, SIGN));
            }
            self.message(message, &arrows, signs);
        }
        for (message, lines, tip) in said {
            let Some((from, to)) = lines.first() else { continue };
            let text = label(message);
            // A short arrow would be hidden behind its text.
            let aside = match (message.from.lane, message.to.lane) {
                (None, _) => -14.0,
                (_, None) => 14.0,
                _ => 0.0,
            };
            let beside = ((from.0, from.1 + aside), (to.0, to.1 + aside));
            let (wide, high) = (width(&text, SAID) + 2.0, 12.0);
            let mut place = self.labels.place(beside.0, beside.1, wide, high);
            // An arrow round the ring may have its text on its second line.
            if let [_, (from, to)] = lines[..] {
                place = place.or_else(|| self.labels.place(from, to, wide, high));
            }
            if tip != Tip::Head {
                // Several messages that do not arrive end close to each other.
                place = place.or_else(|| {
                    BELOW
                        .map(|below| (to.0, to.1 + below))
                        .into_iter()
                        .find(|place| self.labels.claim(*place, wide, high))
                });
            }
            if let Some((x, y)) = place {
                let class = format!("said k{}", message.kind % LOOKS);
                self.svg.haloed(&class, None, (x, y + 3.5), &text);
            }
        }
    }

    fn message(&mut self, message: &Message, arrows: &[Arrow], signs: &Places<'_>) {
        let received: Vec<String> = message.fates.iter().filter_map(Fate::time).map(|time| time.to_string()).collect();
        let tag = self.svg.tag("g").with("class", format!("message k{}", message.kind % LOOKS));
        let tag = tag.with("data-n", message.number).with("data-from", message.from.node);
        let tag = tag.with("data-to", message.to.node).with("data-sent", message.sent);
        tag.with("data-received", received.join(" ")).open();
        let told = self.told(message);
        self.svg.tag("title").text(&told);
        for (copy, arrow) in arrows.iter().enumerate() {
            let path = arrow.lines.iter().fold(Path::default(), |path, (from, to)| path.from(*from).to(*to));
            let line = self.svg.tag("path").with("class", "line");
            if copy > 0 { line.with("stroke-opacity", COPY) } else { line }.with("d", path).empty();
            let Some((from, to)) = arrow.lines.last() else { continue };
            match arrow.tip {
                Tip::Head => {
                    let at = message.to.lane.zip(message.fates.get(copy).and_then(Fate::time));
                    let covered = at.is_some_and(|at| signs.contains_key(&at));
                    let before = if covered { SIGN } else { 0.5 };
                    let head = head(*from, *to, before);
                    self.svg.tag("path").with("class", "head").with("d", head).empty();
                    if covered {
                        // The text beside a sign must not hide it.
                        self.labels.take(on(*from, *to, before + HEAD / 2.0, 0.0), HEAD, HEAD);
                    }
                }
                Tip::Cross => signs::lost(self.svg, *to),
                Tip::Open => {
                    let open = Path::default().circle(*to, 3.0);
                    self.svg.tag("path").with("class", "hollow sign").with("d", open).empty();
                }
            }
        }
        self.svg.close();
    }

    /// The message in words.
    fn told(&self, message: &Message) -> String {
        let when = |time| moment(self.diagram.timing, time);
        let Message { text, from, to, .. } = message;
        let mut told = format!("{text} from node {} to node {}, sent at {}", from.name, to.name, when(message.sent));
        for fate in &message.fates {
            told += &match fate {
                Fate::Arrived(time) => format!(", received at {}", when(*time)),
                Fate::Fell(time) => format!(", lost at {}: the node was down", when(*time)),
                Fate::Lost => ", lost on the way".into(),
            };
        }
        if message.fates.is_empty() {
            told += ", still under way in the end";
        }
        for effect in &message.effects {
            told += &format!("; node {}: {effect}", to.name);
        }
        told
    }

    /// The arrows of a message: one for each of its fates.
    fn course(&self, message: &Message, beside: usize) -> Vec<Arrow> {
        if message.fates.is_empty() {
            return vec![self.arrow(message, None, beside)];
        }
        message.fates.iter().map(|fate| self.arrow(message, Some(*fate), beside)).collect()
    }

    /// An arrow. A short one fans out by the number of short arrows already at its place, `beside`.
    fn arrow(&self, message: &Message, fate: Option<Fate>, beside: usize) -> Arrow {
        let frame = self.frame;
        let sent = frame.time(message.sent);
        let arrived = fate.as_ref().and_then(Fate::time).map(|time| frame.time(time));
        // A message that never arrives gets a fixed duration.
        let until = arrived.unwrap_or(sent + WHILE);
        let reach = |way: f64| match arrived {
            Some(_) => way,
            // It never reaches the next lane, but longer distances reach farther: no two arrows overlap.
            None => 0.9 * way / (1.0 + (way / frame.pitch).abs()),
        };
        let stub = if message.way == Way::Onward { STUB } else { -STUB } * frame.pitch;
        let (from, to) = match (message.from.lane, message.to.lane) {
            (Some(from), Some(to)) => (frame.lane(from), frame.lane(to)),
            (Some(from), None) => (frame.lane(from), frame.lane(from) + stub),
            (None, to) => {
                let to = to.map_or(0.0, |to| frame.lane(to));
                (to - stub, to)
            }
        };
        // Arrows to and from a node without a lane are short.
        let steep = 16.0 + FAN * beside as f64;
        let (sent, until) = match (message.from.lane, message.to.lane) {
            (_, None) => (sent, if beside > 0 { sent + steep } else { until.min(sent + steep) }),
            (None, _) => (if beside > 0 { until - steep } else { sent.max(until - steep) }, until),
            _ => (sent, until),
        };
        let (near, far) = frame.edges();
        let line = |from: Point, to: Point| (frame.point(from.0, from.1), frame.point(to.0, to.1));
        let is_stub = message.from.lane.is_none() || message.to.lane.is_none();
        let out = match message.way {
            Way::Onward if !is_stub => Some((far, near)),
            Way::Backward if !is_stub => Some((near, far)),
            _ => None,
        };
        let lines = match out {
            None => vec![line((from, sent), (from + reach(to - from), until))],
            Some((edge, _)) if arrived.is_none() => vec![line((from, sent), (from + reach(edge - from), until))],
            Some((edge, back)) => {
                let middle = (sent + until) / 2.0;
                vec![line((from, sent), (edge, middle)), line((back, middle), (to, until))]
            }
        };
        let tip = match fate {
            Some(Fate::Arrived(_)) => Tip::Head,
            Some(Fate::Fell(_) | Fate::Lost) => Tip::Cross,
            None => Tip::Open,
        };
        Arrow { lines, tip }
    }
}

/// The text on the arrow of a message.
pub fn label(message: &Message) -> String {
    let times = if message.fates.len() > 1 { format!(" ×{}", message.fates.len()) } else { String::new() };
    squeezed(message.said(), LONGEST) + &times + &squeezed(&message.beyond(), LONGEST)
}

/// The head of an arrow whose tip is this far before its end.
fn head(from: Point, to: Point, before: f64) -> Path {
    const HALF: f64 = 3.4;
    let on = |back: f64, aside: f64| on(from, to, back, aside);
    Path::polygon(&[on(before, 0.0), on(before + HEAD, HALF), on(before + HEAD, -HALF)])
}

/// A point at this distance back from the end of a line, and at this distance aside.
fn on(from: Point, to: Point, back: f64, aside: f64) -> Point {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt().max(1e-9);
    let (dx, dy) = (dx / length, dy / length);
    (to.0 - back * dx - aside * dy, to.1 - back * dy + aside * dx)
}
