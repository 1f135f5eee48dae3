//! What the live view shows.

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use bellwether_core::Id;
use bellwether_live::ring::{Held, RingEvent};
use bellwether_world::numbers::grouped;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::{lines, places};

/// Something that changes the scene.
#[derive(Debug)]
pub enum Note {
    /// The view is to be closed.
    Closed,
    /// An election is over: its number among the elections held, and its outcome.
    Held(u64, Held),
    /// The ids by position.
    Ids(Vec<Id>),
    /// A letter changed hands.
    Message(String),
    /// The next election begins then; `None` while one is under way.
    Next(Option<Instant>),
    /// The terminal has another size, or a second has passed.
    Resized,
    /// Something to read.
    Said(String),
    /// A worker is in another state.
    State(usize, State),
    /// A worker counts as failed.
    Suspicion(String),
}

/// What can be seen of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It has heard of no election.
    #[default]
    Asleep,
    /// It takes part in an election.
    Engaged,
    /// It knows that the one with this id leads.
    Decided(Id),
    /// It does nothing for a while.
    Paused,
    /// It has stopped.
    Stopped,
}

impl Note {
    /// What an event in the ring means for the scene.
    pub fn new(event: &RingEvent<'_>) -> Option<Self> {
        Some(match *event {
            // What follows at once is shown: the letter is handed over, the worker takes part.
            RingEvent::Offered { .. } | RingEvent::SteppedDown { .. } | RingEvent::Trusted { .. } => return None,
            RingEvent::Began { worker, .. } | RingEvent::Joined { worker, .. } => Self::State(worker, State::Engaged),
            RingEvent::Decided { worker, leader, .. } => Self::State(worker, State::Decided(leader)),
            RingEvent::HandedOver { from, to, election, message } => {
                Self::Message(format!("number {election}: {from}→{to} {message:?}"))
            }
            RingEvent::Lost { worker } | RingEvent::Stopped { worker } => Self::State(worker, State::Stopped),
            RingEvent::Outdated { worker, election, message } => {
                Self::Said(format!("number {election}: {worker} drops {message:?}, outdated"))
            }
            RingEvent::PassedOver { worker, over, election } => {
                Self::Said(format!("number {election}: {worker} passes over {over}"))
            }
            RingEvent::Paused { worker, .. } => Self::State(worker, State::Paused),
            RingEvent::Retired { worker, election, message, .. } => {
                Self::Said(format!("number {election}: {worker} retires {message:?}, its owner is gone"))
            }
            RingEvent::Running { worker } => Self::State(worker, State::Asleep),
            RingEvent::Suspected { worker, suspect, election } => {
                Self::Suspicion(format!("number {election}: {worker} suspects {suspect}"))
            }
        })
    }
}

/// All that is shown.
#[derive(Debug, Default)]
pub struct Scene {
    workers: Vec<(Id, State)>,
    /// By paused worker: its state before the pause.
    paused: BTreeMap<usize, State>,
    /// The leader, or the last leader if it has stopped.
    leader: Option<usize>,
    /// The last messages, the newest at the end.
    last: VecDeque<String>,
    elections: u64,
    messages: u64,
    suspicions: u64,
    outcome: String,
    /// When the next election begins; `None` while one is under way.
    next: Option<Instant>,
}

/// The largest number of lines kept.
const LINES: usize = 100;

impl Scene {
    /// Takes a change into account.
    pub fn take(&mut self, note: Note) {
        match note {
            Note::Closed | Note::Resized => {}
            Note::Held(election, held) => {
                self.elections = election;
                self.outcome = lines::short(election, &held);
            }
            Note::Ids(ids) => ids.into_iter().enumerate().for_each(|(position, id)| self.worker(position).0 = id),
            Note::Message(text) => {
                self.messages += 1;
                self.say(text);
            }
            Note::Next(next) => self.next = next,
            Note::Said(text) => self.say(text),
            Note::State(position, state) => self.turn(position, state),
            Note::Suspicion(text) => {
                self.suspicions += 1;
                self.say(text);
            }
        }
    }

    /// Draws everything.
    pub fn draw(&self, frame: &mut Frame<'_>) {
        let rows = Layout::vertical([Constraint::Length(3), Constraint::Min(3), Constraint::Length(3)]);
        let [facts, body, foot] = rows.areas(frame.area());
        frame.render_widget(self.facts(), facts);
        let [ring, messages] = Layout::horizontal([Constraint::Fill(4), Constraint::Fill(3)]).areas(body);
        self.draw_ring(frame, ring);
        let newest_first = self.last.iter().rev().take(messages.height.into()).map(|line| Line::raw(line.as_str()));
        let newest_first = Paragraph::new(Text::from_iter(newest_first)).wrap(Wrap { trim: true });
        frame.render_widget(newest_first.block(Block::bordered().title(" messages, newest first ")), messages);
        let keys = [("e", "elect"), ("s", "stop the leader"), ("r", "restart who stopped last"), ("q", "quit")];
        let keys = keys.into_iter().flat_map(|(key, does)| [key.bold(), format!(" {does}  ").dim()]);
        let legend = "★ leads  ✓ follows  ? takes part  · asleep  ‖ paused  ✗ stopped".dim();
        let lines = vec![Line::raw(self.outcome.as_str()), Line::from(legend), Line::from_iter(keys)];
        frame.render_widget(Paragraph::new(lines), foot);
    }

    fn worker(&mut self, position: usize) -> &mut (Id, State) {
        if position >= self.workers.len() {
            self.workers.resize(position + 1, (Id(0), State::Asleep));
        }
        &mut self.workers[position]
    }

    /// Sets a worker's state. A leader that stops is remembered as the last leader.
    fn turn(&mut self, position: usize, state: State) {
        let before = self.paused.remove(&position);
        let worker = self.worker(position);
        let (is, state) = (worker.1, if state == State::Asleep { before.unwrap_or(state) } else { state });
        worker.1 = state;
        let leads = state == State::Decided(worker.0);
        if state == State::Paused {
            self.paused.insert(position, is);
        }
        if leads {
            self.leader = Some(position);
        } else if self.leader == Some(position) && !matches!(state, State::Paused | State::Stopped) {
            self.leader = None;
        }
    }

    fn say(&mut self, text: String) {
        if self.last.len() == LINES {
            self.last.pop_front();
        }
        self.last.push_back(text);
    }

    fn count(&self, wanted: impl Fn(State) -> bool) -> usize {
        self.workers.iter().filter(|(_, state)| wanted(*state)).count()
    }

    /// The leader, and what has happened so far.
    fn facts(&self) -> Paragraph<'_> {
        let living = self.count(|state| state != State::Stopped);
        let engaged = match self.count(|state| state == State::Engaged) {
            1 => "1 takes part".into(),
            count => format!("{count} take part"),
        };
        let leader = match self.leader {
            Some(worker) if self.workers[worker].1 == State::Stopped => {
                let hint = if self.next.is_some() { "; e starts an election" } else { "" };
                format!("nobody (worker {worker} has stopped){hint}")
            }
            Some(worker) => format!("worker {worker} (id {})", self.workers[worker].0),
            None => "nobody yet".into(),
        };
        let next = match self.next.map(|next| next.saturating_duration_since(Instant::now())) {
            Some(wait) => format!("the next in {} s", grouped(wait.as_secs_f64().ceil() as u64)),
            None => "one is under way".into(),
        };
        let count = |count: u64, name: &str| format!("{} {name}{}", grouped(count), if count == 1 { "" } else { "s" });
        Paragraph::new(vec![
            Line::from_iter(["leader     ".dim(), leader.bold()]),
            Line::from_iter(["living     ".dim(), format!("{living} of {}, {engaged}", self.workers.len()).into()]),
            Line::from_iter([
                "elections  ".dim(),
                format!("{} held, {next}; ", grouped(self.elections)).into(),
                format!("{}, {}", count(self.messages, "message"), count(self.suspicions, "suspicion")).into(),
            ]),
        ])
    }

    /// The workers, on a circle if they fit, otherwise in a grid.
    fn draw_ring(&self, frame: &mut Frame<'_>, area: Rect) {
        let block = Block::bordered().title(format!(" ring of {} ", self.workers.len()));
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let labels: Vec<_> = self.workers.iter().enumerate().map(|(at, &(id, state))| label(at, id, state)).collect();
        let widths: Vec<u16> = labels.iter().map(|label| label.width() as u16).collect();
        if let Some(places) = places::circle(&widths, inner) {
            return labels.iter().zip(places).for_each(|(label, place)| frame.render_widget(label, place));
        }
        let cells = places::grid(widths.into_iter().max().unwrap_or_default(), inner);
        let (shown, left_out) = places::shown(labels.len(), cells.len(), self.leader);
        let more = (left_out > 0).then(|| Span::raw(format!("… {} more", grouped(left_out as u64))).dim());
        let entries = shown.into_iter().map(|worker| labels[worker].clone()).chain(more);
        entries.zip(cells).for_each(|(entry, cell)| frame.render_widget(entry, cell));
    }
}

fn label(position: usize, id: Id, state: State) -> Span<'static> {
    let (mark, style) = match state {
        State::Asleep => ("·", Style::new().dim()),
        State::Engaged => ("?", Style::new().fg(Color::Yellow)),
        State::Decided(leader) if leader == id => ("★", Style::new().fg(Color::Green).bold()),
        State::Decided(_) => ("✓", Style::new()),
        State::Paused => ("‖", Style::new().fg(Color::Blue)),
        State::Stopped => ("✗", Style::new().fg(Color::Red)),
    };
    Span::styled(format!("{mark} {position} (id {id})"), style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    fn shown(scene: &Scene, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| scene.draw(frame)).unwrap();
        terminal.backend().to_string()
    }

    fn scene(size: u64) -> Scene {
        let mut scene = Scene::default();
        let mut notes = vec![Note::Ids((1..=size).map(Id).collect())];
        notes.push(Note::State(0, State::Engaged));
        notes.push(Note::State(1, State::Decided(Id(2))));
        notes.push(Note::State(2, State::Stopped));
        notes.push(Note::Message("1: 0 → 1  Elect(2)".into()));
        notes.push(Note::Suspicion("1: 1 suspects 2".into()));
        notes.into_iter().for_each(|note| scene.take(note));
        scene
    }

    #[test]
    fn the_ring_its_leader_and_the_last_messages_are_shown() {
        let screen = shown(&scene(8), 80, 24);
        for text in ["ring of 8", "? 0 (id 1)", "★ 1 (id 2)", "✗ 2 (id 3)", "· 7 (id 8)", "Elect(2)", "1 suspects 2"]
        {
            assert!(screen.contains(text), "{text} is missing:\n{screen}");
        }
        assert!(screen.contains("leader     worker 1 (id 2)") && screen.contains("living     7 of 8, 1 takes part"));
        assert!(screen.contains("0 held, one is under way; 1 message, 1 suspicion"), "{screen}");
        assert!(screen.contains("newest first") && screen.contains("★ leads"));
        assert!(screen.contains("e elect") && screen.contains("q quit"));
    }

    #[test]
    fn a_stopped_leader_is_said_to_have_stopped() {
        let mut scene = scene(8);
        scene.take(Note::Next(Some(Instant::now())));
        scene.take(Note::State(1, State::Stopped));
        let screen = shown(&scene, 80, 24);
        assert!(screen.contains("nobody (worker 1 has stopped); e starts an election"), "{screen}");
        assert!(screen.contains("the next in 0 s"), "{screen}");
    }

    #[test]
    fn a_large_ring_shows_its_leader_and_how_many_are_left_out() {
        let mut scene = scene(200);
        scene.take(Note::State(1, State::Engaged));
        scene.take(Note::State(150, State::Decided(Id(151))));
        let screen = shown(&scene, 80, 24);
        assert!(screen.contains("★ 150 (id 151)") && screen.contains(" more"), "{screen}");
    }

    #[test]
    fn large_rings_and_small_terminals_are_no_problem() {
        assert!(shown(&scene(100), 100, 24).contains("★ 1 (id 2)"));
        for (width, height) in [(1, 1), (3, 2), (20, 5), (300, 90)] {
            shown(&scene(8), width, height);
        }
    }
}
