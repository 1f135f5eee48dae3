//! A small diagram as text: a column per node, time downwards, messages at their arrival.

use std::collections::{BTreeMap, BTreeSet};

use bellwether_world::{Time, Timing};

use crate::diagram::{Diagram, Fate, Kind, Lane, Mark, Message, Sign, State, Way, moment};
use crate::svg::{shortened, squeezed};

/// The smallest space beside the lanes.
const SIDE: usize = 5;
/// The lengths to which texts of messages are cut, if nothing longer fits. Names are a few characters longer.
const CELLS: [usize; 5] = [usize::MAX, 14, 11, 8, 5];

/// The texts of messages.
#[derive(Clone, Copy, PartialEq)]
enum Wording {
    /// With the full names of their kinds: `elect(7)`.
    Names,
    /// With the shortest beginnings of these names that are unambiguous: `e(7)`.
    Beginnings,
    /// The same without brackets, and with the smallest space around them: `e7`.
    Initials,
}

/// A way to draw: the texts of messages, the length to which they are cut, and whether the words beside signs have
/// all the room that they need.
type Manner = (Wording, usize, bool);

/// The ways to draw, from the clearest to the narrowest.
fn manners() -> impl Iterator<Item = Manner> {
    let in_full = [Wording::Names, Wording::Beginnings, Wording::Initials].map(|wording| (wording, usize::MAX, true));
    let cramped = [Wording::Names, Wording::Beginnings].map(|wording| (wording, usize::MAX, false));
    in_full.into_iter().chain(cramped).chain(CELLS.map(|cell| (Wording::Initials, cell, false)))
}

/// Draws a diagram in this number of columns and rows.
///
/// # Errors
/// If it does not fit. The error says what would be needed.
pub fn draw(diagram: &Diagram, columns: usize, most_rows: usize) -> Result<String, String> {
    let Some(messages) = &diagram.messages else {
        return Err("there are too many messages for a picture in text".into());
    };
    let sheets = || manners().map(|manner| Canvas::new(diagram, messages, manner));
    let narrowest = sheets().map(|sheet| sheet.width).min().unwrap_or(0);
    let Some(sheet) = sheets().find(|sheet| sheet.width <= columns) else {
        return Err(format!("a picture in text would take {narrowest} columns, and here are {columns}"));
    };
    let rows = sheet.rows(messages);
    if rows.len() > most_rows {
        return Err(format!("a picture in text would take {} rows, more than {most_rows}", rows.len()));
    }
    let mut text = sheet.heads();
    rows.iter().for_each(|row| text.push(row.iter().collect()));
    let lines: Vec<&str> = text.iter().map(|line| line.trim_end()).collect();
    Ok(lines.join("\n") + "\n\n" + &in_lines(&sheet.legend(messages), columns) + "\n")
}

/// What happens inside the nodes of a diagram, moment by moment, in this number of columns; empty if there are more
/// lines than this.
#[must_use]
pub fn steps(diagram: &Diagram, columns: usize, most_lines: usize) -> String {
    let mut moments: Vec<(Time, Vec<&str>)> = vec![];
    for (time, step) in &diagram.steps {
        match moments.last_mut() {
            Some((last, steps)) if last == time => steps.push(step),
            _ => moments.push((*time, vec![step])),
        }
    }
    let labels: Vec<String> = moments.iter().map(|(time, _)| moment(diagram.timing, *time)).collect();
    let wide = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let mut lines = vec![];
    for (label, (_, steps)) in labels.iter().zip(&moments) {
        let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
        let told = in_lines(&steps, columns.saturating_sub(wide + 2));
        lines.extend(told.lines().enumerate().map(|(line, text)| {
            let label = if line == 0 { label.as_str() } else { "" };
            format!("{label:<wide$}  {text}")
        }));
    }
    if lines.len() > most_lines { String::new() } else { lines.join("\n") }
}

/// Entries in lines of this width.
fn in_lines(entries: &[String], columns: usize) -> String {
    let mut lines: Vec<String> = vec![];
    for entry in entries {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + entry.chars().count() <= columns => {
                line.push_str(" · ");
                line.push_str(entry);
            }
            _ => lines.push(entry.clone()),
        }
    }
    lines.join("\n")
}

/// The character of a sign.
fn sign(sign: Sign) -> char {
    match sign {
        Sign::Starts => '●',
        Sign::Turns(_) => '◆',
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

/// By role: the character of its lane. Further roles share them.
const ROLES: [char; 3] = ['│', '╎', '┆'];

/// The character of a lane.
fn lane(state: State) -> char {
    match state {
        State::Asleep => '·',
        State::Undecided(None) => '│',
        State::Undecided(Some(role)) => ROLES[role % ROLES.len()],
        State::Follower(_) => '┃',
        State::Leader => '║',
        State::Down => '┊',
    }
}

/// The places of lanes, in characters.
struct Canvas<'a> {
    diagram: &'a Diagram,
    wording: Wording,
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
    fn new(diagram: &'a Diagram, messages: &[Message], (wording, cell, with_notes): Manner) -> Self {
        let kinds: Vec<&str> = match wording {
            Wording::Names => diagram.kinds.iter().map(|kind| &*kind.name).collect(),
            Wording::Beginnings | Wording::Initials => beginnings(&diagram.kinds),
        };
        let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let words = |message: &Message| {
            said(message, diagram, &kinds, wording).chars().count() + message.beyond().chars().count()
        };
        let said = longest(&mut messages.iter().map(words)).min(cell);
        let names =
            longest(&mut diagram.lanes.iter().map(|lane| lane.name.chars().count().max(id(lane).chars().count())));
        let moments = diagram.marks.iter().map(|mark| mark.time).chain(messages.iter().flat_map(moments));
        let label = longest(&mut moments.map(|time| moment(diagram.timing, time).chars().count()));
        let names = names.min(cell.saturating_add(3));
        let around = if wording == Wording::Initials { 3 } else { 4 };
        let notes = |is_last: bool| notes(diagram, is_last).filter(|_| with_notes).max().unwrap_or(0);
        let pitch = (said + around).max(names + 1).max(notes(false) + 1).max(6);
        let side = SIDE.max((names / 2).saturating_sub(label + 1));
        let right = if diagram.is_ring { said + 3 } else { SIDE }.max(SIDE).max(names / 2).max(notes(true));
        let width = label + side + (diagram.lanes.len() - 1) * pitch + right + 2;
        Self { diagram, wording, kinds, label, pitch, side, width }
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

    fn legend(&self, messages: &[Message]) -> Vec<String> {
        let mut signs: Vec<Sign> = self.diagram.marks.iter().map(|mark| mark.sign).collect();
        signs.sort_unstable();
        signs.dedup_by_key(|it| sign(*it));
        let mut legend: Vec<String> =
            signs.into_iter().map(|it| format!("{} {}", sign(it), self.diagram.meaning(it))).collect();
        let roles = &self.diagram.roles;
        if roles.len() > 1 {
            // Roles that share a character share an entry.
            let named =
                |role: usize| roles.iter().skip(role).step_by(ROLES.len()).cloned().collect::<Vec<_>>().join(", ");
            legend.extend((0..roles.len().min(ROLES.len())).map(|role| format!("{} {}", ROLES[role], named(role))));
        }
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
        legend
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
        for together in self.groups(&times, messages) {
            let (time, last) = (together[0], together[together.len() - 1]);
            let first = rows.len();
            let arrive = together.iter().flat_map(|time| pieces.remove(time).unwrap_or_default()).collect();
            self.arrows(time, arrive, &mut rows);
            let happen: Vec<&Mark> = together.iter().flat_map(|time| marks.remove(time).unwrap_or_default()).collect();
            self.marked(last, &happen, &mut rows);
            put(&mut rows[first], 0, &moment(self.diagram.timing, time));
        }
        rows
    }

    /// The moments that share rows. In a live run hardly any two events have the same time. There events at different
    /// nodes are drawn together, if none causes another and no long time lies between them.
    fn groups<'t>(&self, times: &'t [Time], messages: &[Message]) -> Vec<&'t [Time]> {
        const PAUSE: f64 = 0.05;
        if !matches!(self.diagram.timing, Timing::Live(_)) {
            return times.chunks(1).collect();
        }
        // By moment: the lanes on which something happens, and the latest sending of what arrives there.
        let mut happen: BTreeMap<Time, (BTreeSet<usize>, Option<Time>)> = BTreeMap::new();
        for mark in &self.diagram.marks {
            happen.entry(mark.time).or_default().0.insert(mark.lane);
        }
        for message in messages {
            happen.entry(message.sent).or_default().0.extend(message.from.lane);
            for time in message.fates.iter().filter_map(Fate::time) {
                let (lanes, sent) = happen.entry(time).or_default();
                lanes.extend(message.to.lane);
                *sent = (*sent).max(Some(message.sent));
            }
        }
        let nothing = (BTreeSet::new(), None);
        let (mut groups, mut start, mut busy) = (vec![], 0, BTreeSet::new());
        for (place, time) in times.iter().enumerate() {
            let (lanes, sent) = happen.get(time).unwrap_or(&nothing);
            let paused = time.as_f64() > times[start].as_f64() + PAUSE;
            if place > start && (paused || !busy.is_disjoint(lanes) || sent.is_some_and(|sent| sent >= times[start])) {
                groups.push(&times[start..place]);
                start = place;
                busy.clear();
            }
            busy.extend(lanes);
        }
        groups.push(&times[start..]);
        groups.retain(|group| !group.is_empty());
        groups
    }

    fn blank(&self, before: impl Fn(Time) -> bool) -> Vec<char> {
        let mut row = vec![' '; self.width];
        for (index, it) in self.diagram.lanes.iter().enumerate() {
            let state = it.spans.iter().rev().find(|(since, _)| before(*since)).map_or(State::Asleep, |it| it.1);
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
        for lane in 0..self.diagram.lanes.len() {
            let own: Vec<&Mark> = marks.iter().copied().filter(|mark| mark.lane == lane).collect();
            let room =
                if lane + 1 == self.diagram.lanes.len() { self.width - self.column(lane) } else { self.pitch - 1 };
            put(&mut row, self.column(lane), &self.told(&own, room));
        }
        rows.push(row);
    }

    /// The signs of a lane at a moment, each before its word. If there is no space for all words, signs stay visible.
    fn told(&self, marks: &[&Mark], room: usize) -> String {
        let mut text = String::new();
        for (index, mark) in marks.iter().enumerate() {
            let after = marks.len() - index - 1;
            text.push(sign(mark.sign));
            if self.diagram.is_told(mark) {
                let left = room.saturating_sub(text.chars().count() + after);
                text.extend(mark.text.chars().take(left));
            }
        }
        text.chars().take(room).collect()
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
            let (text, beyond) = (said(message, self.diagram, &self.kinds, self.wording), message.beyond());
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

/// The lengths of the signs and words on lanes, by lane and moment: on the last lane, or on the others.
fn notes(diagram: &Diagram, is_last: bool) -> impl Iterator<Item = usize> {
    let mut lengths: BTreeMap<(usize, Time), usize> = BTreeMap::new();
    for mark in diagram.marks.iter().filter(|mark| (mark.lane + 1 == diagram.lanes.len()) == is_last) {
        let words = if diagram.is_told(mark) { mark.text.chars().count() } else { 0 };
        *lengths.entry((mark.lane, mark.time)).or_default() += 1 + words;
    }
    lengths.into_values()
}

/// The text of a message, with its kind named as in this drawing.
fn said(message: &Message, diagram: &Diagram, kinds: &[&str], wording: Wording) -> String {
    let content = diagram.kinds.get(message.kind).and_then(|kind| message.said().strip_prefix(&*kind.name));
    let Some(content) = content else { return message.said().into() };
    let kind = kinds[message.kind];
    match content.strip_prefix('(').and_then(|content| content.strip_suffix(')')) {
        Some(plain) if wording == Wording::Initials => {
            // A digit of the name and a digit of the content are kept apart.
            let apart = if kind.ends_with(|last: char| last.is_ascii_digit()) { ":" } else { "" };
            format!("{kind}{apart}{plain}")
        }
        _ => format!("{kind}{content}"),
    }
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
