//! A small diagram as text: a column per node, time downwards, messages at their arrival.

use std::collections::BTreeMap;

use bellwether_world::Time;

use crate::diagram::{Diagram, Fate, Kind, Lane, Mark, Message, Sign, State, Way, moment};
use crate::svg::{shortened, squeezed};

/// The largest number of rows drawn in a terminal.
const MOST_ROWS: usize = 400;
/// The smallest space beside the lanes.
const SIDE: usize = 5;
/// The lengths to which texts of messages are cut, if nothing longer fits. Names are a few characters longer.
const CELLS: [usize; 5] = [usize::MAX, 14, 11, 8, 5];

/// The names of messages: the full names of their kinds, or the shortest unambiguous beginnings.
#[derive(Clone, Copy)]
enum Wording {
    Names,
    Beginnings,
}

/// The ways to draw, from the clearest to the narrowest.
fn ways() -> impl Iterator<Item = (Wording, usize)> {
    std::iter::once((Wording::Names, usize::MAX)).chain(CELLS.map(|cell| (Wording::Beginnings, cell)))
}

/// Draws a diagram in this number of columns.
///
/// # Errors
/// If it does not fit. The error says what would be needed.
pub fn draw(diagram: &Diagram, columns: usize) -> Result<String, String> {
    let Some(messages) = &diagram.messages else {
        return Err("there are too many messages for a drawing in text: take --svg FILE".into());
    };
    let sheets = || ways().map(|(wording, cell)| Canvas::new(diagram, messages, wording, cell));
    let narrowest = sheets().map(|sheet| sheet.width).min().unwrap_or(0);
    let Some(sheet) = sheets().find(|sheet| sheet.width <= columns) else {
        let lanes = "choose fewer with --lanes, or take --svg FILE";
        return Err(format!("a drawing in text would take {narrowest} columns, and here are {columns}: {lanes}"));
    };
    let rows = sheet.rows(messages);
    if rows.len() > MOST_ROWS {
        return Err(format!(
            "a drawing in text would take {} rows, more than {MOST_ROWS}: take --svg FILE",
            rows.len()
        ));
    }
    let mut text = sheet.heads();
    rows.iter().for_each(|row| text.push(row.iter().collect()));
    let lines: Vec<&str> = text.iter().map(|line| line.trim_end()).collect();
    Ok(lines.join("\n") + "\n\n" + &sheet.legend(messages) + "\n")
}

/// The character of a sign.
fn sign(sign: Sign) -> char {
    match sign {
        Sign::Starts => '●',
        Sign::Turns => '◆',
        Sign::Draws => '□',
        Sign::TimesOut => '◷',
        Sign::HearsOfCrash => '◇',
        Sign::Crashes => '✕',
        Sign::Recovers => '▲',
        Sign::Leads => '★',
        Sign::Follows => '✓',
        Sign::Wavers => '○',
    }
}

/// The character of a lane.
fn lane(state: State) -> char {
    match state {
        State::Undecided => '│',
        State::Follower(_) => '┃',
        State::Leader => '║',
        State::Down => '┊',
    }
}

/// The places of lanes, in characters.
struct Canvas<'a> {
    diagram: &'a Diagram,
    /// By kind of messages: its name in this drawing.
    kinds: Vec<&'a str>,
    /// The width of the labels of moments.
    label: usize,
    pitch: usize,
    /// The space before the first lane.
    side: usize,
    width: usize,
}

/// A message, or a piece of one, in a row.
struct Piece {
    from: usize,
    to: usize,
    text: String,
    /// The name of the end that it does not touch.
    beyond: String,
    tip: char,
}

impl<'a> Canvas<'a> {
    fn new(diagram: &'a Diagram, messages: &[Message], wording: Wording, cell: usize) -> Self {
        let kinds: Vec<&str> = match wording {
            Wording::Names => diagram.kinds.iter().map(|kind| &*kind.name).collect(),
            Wording::Beginnings => beginnings(&diagram.kinds),
        };
        let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let words =
            |message: &Message| said(message, diagram, &kinds).chars().count() + message.beyond().chars().count();
        let said = longest(&mut messages.iter().map(words)).min(cell);
        let names =
            longest(&mut diagram.lanes.iter().map(|lane| lane.name.chars().count().max(id(lane).chars().count())));
        let moments = diagram.marks.iter().map(|mark| mark.time).chain(messages.iter().flat_map(moments));
        let label = longest(&mut moments.map(|time| moment(diagram.timing, time).chars().count()));
        let names = names.min(cell.saturating_add(3));
        let pitch = (said + 4).max(names + 1).max(6);
        let side = SIDE.max((names / 2).saturating_sub(label + 1));
        let right = if diagram.is_ring { said + 3 } else { SIDE }.max(SIDE).max(names / 2);
        let width = label + side + (diagram.lanes.len() - 1) * pitch + right + 2;
        Self { diagram, kinds, label, pitch, side, width }
    }

    fn column(&self, lane: usize) -> usize {
        self.label + 1 + self.side + lane * self.pitch
    }

    fn heads(&self) -> Vec<String> {
        let row = |text: &dyn Fn(&Lane) -> String| {
            let mut row = vec![' '; self.width];
            for (index, lane) in self.diagram.lanes.iter().enumerate() {
                let text = squeezed(&text(lane), self.pitch - 1);
                let start = self.column(index).saturating_sub(text.chars().count() / 2);
                put(&mut row, start, &text);
            }
            row.into_iter().collect()
        };
        let mut heads = vec![row(&|lane| lane.name.clone())];
        if self.diagram.lanes.iter().any(|lane| lane.id.is_some()) {
            heads.push(row(&id));
        }
        heads
    }

    fn legend(&self, messages: &[Message]) -> String {
        let mut signs: Vec<Sign> = self.diagram.marks.iter().map(|mark| mark.sign).collect();
        signs.sort_unstable();
        signs.dedup();
        let mut legend: Vec<String> =
            signs.into_iter().map(|it| format!("{} {}", sign(it), self.diagram.meaning(it))).collect();
        let befell = |fate: fn(&Fate) -> bool| messages.iter().any(|message| message.fates.iter().any(fate));
        if befell(|fate| !matches!(fate, Fate::Arrived(_))) {
            legend.push("╳ lost".into());
        }
        if messages.iter().any(|message| message.fates.is_empty()) {
            legend.push("○ under way in the end".into());
        }
        let named = self.diagram.kinds.iter().zip(&self.kinds).filter(|(kind, short)| kind.name != **short);
        legend.extend(named.map(|(kind, short)| format!("{short} {}", kind.name)));
        legend.push("a message stands where it arrives".into());
        legend.join(" · ")
    }

    /// All rows. The first row of each moment has its label.
    fn rows(&self, messages: &[Message]) -> Vec<Vec<char>> {
        let mut pieces: BTreeMap<Time, Vec<Piece>> = BTreeMap::new();
        for message in messages {
            for (time, piece) in self.pieces(message) {
                pieces.entry(time).or_default().push(piece);
            }
        }
        let mut marks: BTreeMap<Time, Vec<&Mark>> = BTreeMap::new();
        for mark in &self.diagram.marks {
            marks.entry(mark.time).or_default().push(mark);
        }
        let mut times: Vec<Time> = pieces.keys().chain(marks.keys()).copied().collect();
        times.sort_unstable();
        times.dedup();
        let mut rows = vec![];
        for time in times {
            let first = rows.len();
            self.arrows(time, pieces.remove(&time).unwrap_or_default(), &mut rows);
            self.marked(time, &marks.remove(&time).unwrap_or_default(), &mut rows);
            put(&mut rows[first], 0, &moment(self.diagram.timing, time));
        }
        rows
    }

    fn blank(&self, before: impl Fn(Time) -> bool) -> Vec<char> {
        let mut row = vec![' '; self.width];
        for (index, it) in self.diagram.lanes.iter().enumerate() {
            let state = it.spans.iter().rev().find(|(since, _)| before(*since)).map_or(State::Undecided, |it| it.1);
            row[self.column(index)] = lane(state);
        }
        row
    }

    /// Puts the messages of a moment into as few rows as possible.
    fn arrows(&self, time: Time, pieces: Vec<Piece>, rows: &mut Vec<Vec<char>>) {
        let first = rows.len();
        let mut taken: Vec<Vec<(usize, usize)>> = vec![];
        for piece in pieces {
            let (low, high) = (piece.from.min(piece.to), piece.from.max(piece.to));
            let is_free = |row: &Vec<(usize, usize)>| row.iter().all(|(from, to)| high <= *from || low >= *to);
            let row = taken.iter().position(is_free).unwrap_or_else(|| {
                rows.push(self.blank(|since| since < time));
                taken.push(vec![]);
                taken.len() - 1
            });
            taken[row].push((low, high));
            piece.draw(&mut rows[first + row]);
        }
    }

    fn marked(&self, time: Time, marks: &[&Mark], rows: &mut Vec<Vec<char>>) {
        if marks.is_empty() {
            return;
        }
        let mut row = self.blank(|since| since <= time);
        // Signs come first: they stay visible even if there is no space for words.
        let mut told = vec![(String::new(), String::new()); self.diagram.lanes.len()];
        for mark in marks {
            let (signs, words) = &mut told[mark.lane];
            signs.push(sign(mark.sign));
            if self.diagram.is_told(mark) {
                words.push_str(if words.is_empty() { "" } else { "," });
                words.push_str(&mark.text);
            }
        }
        for (lane, (signs, words)) in told.iter().enumerate() {
            let text: String = signs.chars().chain(words.chars()).take(self.pitch - 1).collect();
            put(&mut row, self.column(lane), &text);
        }
        rows.push(row);
    }

    /// A message as pieces, each with its moment: the arrival, or the sending if it never arrives.
    fn pieces(&self, message: &Message) -> Vec<(Time, Piece)> {
        let mut pieces = vec![];
        let fates: Vec<Option<&Fate>> =
            if message.fates.is_empty() { vec![None] } else { message.fates.iter().map(Some).collect() };
        let (left, right) = (self.label + 1, self.width);
        for fate in fates {
            let (time, arrives, tip) = match fate {
                Some(Fate::Arrived(time)) => (*time, true, '▶'),
                Some(Fate::Fell(time)) => (*time, true, '╳'),
                Some(Fate::Lost) => (message.sent, false, '╳'),
                None => (message.sent, false, '○'),
            };
            let ends = (message.from.lane.map(|lane| self.column(lane)), message.to.lane.map(|lane| self.column(lane)));
            let onward = message.way == Way::Onward;
            let half = self.pitch - 1;
            let (text, beyond) = (said(message, self.diagram, &self.kinds), message.beyond());
            match (ends, message.way) {
                ((Some(from), Some(to)), Way::Across) => {
                    let to = match arrives {
                        true => to,
                        false if to > from => to.min(from + half),
                        false => to.max(from - half),
                    };
                    pieces.push((time, Piece { from, to, text, beyond, tip }));
                }
                ((Some(from), Some(to)), way) => {
                    let (out, back) = if way == Way::Onward { (right, left) } else { (left, right) };
                    // The text is on the right, where there is space.
                    let (said, then) =
                        if way == Way::Onward || !arrives { (text, String::new()) } else { (String::new(), text) };
                    pieces.push((
                        time,
                        Piece { from, to: out, text: said, beyond, tip: if arrives { '─' } else { tip } },
                    ));
                    if arrives {
                        pieces.push((time, Piece { from: back, to, text: then, beyond: String::new(), tip }));
                    }
                }
                ((Some(from), None), _) => {
                    let to = if onward { (from + half).min(right) } else { from.saturating_sub(half).max(left) };
                    pieces.push((time, Piece { from, to, text, beyond, tip }));
                }
                ((None, Some(to)), _) => {
                    let from = if onward { to.saturating_sub(half).max(left) } else { (to + half).min(right) };
                    pieces.push((time, Piece { from, to, text, beyond, tip }));
                }
                ((None, None), _) => {}
            }
        }
        pieces
    }
}

impl Piece {
    /// Draws the piece between its ends, and leaves the ends as they are.
    fn draw(&self, row: &mut [char]) {
        let (low, high) = (self.from.min(self.to), self.from.max(self.to));
        for cell in &mut row[low + 1..high] {
            *cell = if *cell == ' ' { '─' } else { '┼' };
        }
        if let Some(cell) = row.get_mut(self.from).filter(|cell| **cell != ' ') {
            let branch = if self.to > self.from { '├' } else { '┤' };
            *cell = if matches!(*cell, '├' | '┤') && *cell != branch { '┼' } else { branch };
        }
        let room = high - low - 1;
        let room_for_text = room.saturating_sub(2 + self.beyond.chars().count());
        let text = shortened(&self.text, room_for_text.max(1)) + &self.beyond;
        let text = shortened(&text, room.saturating_sub(2).max(1));
        put(row, low + 1 + (room - text.chars().count()) / 2, &text);
        let (before, tip) = match (self.tip, self.to > self.from) {
            ('▶', false) => (self.to + 1, '◀'),
            (tip, false) => (self.to + 1, tip),
            (tip, true) => (self.to - 1, tip),
        };
        row[before] = tip;
    }
}

/// The text of a message, with its kind named as in this drawing.
fn said(message: &Message, diagram: &Diagram, kinds: &[&str]) -> String {
    let content = diagram.kinds.get(message.kind).and_then(|kind| message.said().strip_prefix(&*kind.name));
    content.map_or_else(|| message.said().into(), |content| format!("{}{content}", kinds[message.kind]))
}

/// The shortest beginnings of the names that are unambiguous.
fn beginnings(kinds: &[Kind]) -> Vec<&str> {
    let is_own = |name: &str, beginning: &str| {
        kinds.iter().filter(|other| other.name != name).all(|other| !other.name.starts_with(beginning))
    };
    let shortest =
        |name: &'_ str| name.char_indices().skip(1).map(|(end, _)| end).find(|end| is_own(name, &name[..*end]));
    kinds.iter().map(|kind| shortest(&kind.name).map_or(&*kind.name, |end| &kind.name[..end])).collect()
}

fn put(row: &mut [char], start: usize, text: &str) {
    row.iter_mut().skip(start).zip(text.chars()).for_each(|(cell, c)| *cell = c);
}

fn id(lane: &Lane) -> String {
    lane.id.map_or(String::new(), |id| format!("id {id}"))
}

fn moments(message: &Message) -> Vec<Time> {
    std::iter::once(message.sent).chain(message.fates.iter().filter_map(Fate::time)).collect()
}
