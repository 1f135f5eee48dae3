//! What the live view shows.

use std::collections::VecDeque;
use std::f64::consts::TAU;

use bellwether_core::Id;
use bellwether_live::ring::{Event, Held};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::canvas::Canvas;
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::lines;
use crate::show::grouped;

/// Something that changes the scene.
#[derive(Debug)]
pub enum Note {
    /// The view is to be closed.
    Closed,
    /// An election is over: its place among those held, and its outcome.
    Held(u64, Held),
    /// The ids by position.
    Ids(Vec<Id>),
    /// A letter changed hands.
    Message(String),
    /// The terminal has another size.
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
    Candidate,
    /// It knows that the one with this id leads.
    Decided(Id),
    /// It does nothing for a while.
    Paused,
    /// It has stopped.
    Stopped,
}

impl Note {
    /// What an event in the ring means for the scene.
    pub fn new(event: &Event<'_>) -> Self {
        match *event {
            Event::Began { worker, .. } | Event::Joined { worker, .. } => Self::State(worker, State::Candidate),
            Event::Decided { worker, leader, .. } => Self::State(worker, State::Decided(leader)),
            Event::HandedOver { from, to, election, message } => {
                Self::Message(format!("{election}: {from} → {to}  {message:?}"))
            }
            Event::Lost { worker } | Event::Stopped { worker } => Self::State(worker, State::Stopped),
            Event::Outdated { worker, election, message } => {
                Self::Said(format!("{election}: {worker} drops {message:?}, outdated"))
            }
            Event::PassedOver { worker, over, election } => {
                Self::Said(format!("{election}: {worker} passes over {over}"))
            }
            Event::Paused { worker, .. } => Self::State(worker, State::Paused),
            Event::Retired { worker, election, message, .. } => {
                Self::Said(format!("{election}: {worker} retires {message:?}, its owner is gone"))
            }
            Event::Running { worker } => Self::State(worker, State::Asleep),
            Event::Suspected { worker, suspect, election } => {
                Self::Suspicion(format!("{election}: {worker} suspects {suspect}"))
            }
        }
    }
}

/// All that is shown.
#[derive(Debug, Default)]
pub struct Scene {
    workers: Vec<(Id, State)>,
    /// The last messages, the newest at the end.
    last: VecDeque<String>,
    elections: u64,
    messages: u64,
    suspicions: u64,
    outcome: String,
}

/// So many lines are kept.
const LINES: usize = 100;

impl Scene {
    /// Something has changed.
    pub fn take(&mut self, note: Note) {
        match note {
            Note::Closed | Note::Resized => {}
            Note::Held(election, held) => {
                self.elections = election;
                self.outcome = anstream::adapter::strip_str(lines::human(election, &held).trim()).to_string();
            }
            Note::Ids(ids) => ids.into_iter().enumerate().for_each(|(position, id)| self.worker(position).0 = id),
            Note::Message(text) => {
                self.messages += 1;
                self.say(text);
            }
            Note::Said(text) => self.say(text),
            Note::State(position, state) => self.worker(position).1 = state,
            Note::Suspicion(text) => {
                self.suspicions += 1;
                self.say(text);
            }
        }
    }

    /// Draws everything.
    pub fn draw(&self, frame: &mut Frame<'_>) {
        let rows = Layout::vertical([Constraint::Min(3), Constraint::Length(2)]);
        let [body, foot] = rows.areas(frame.area());
        let [ring, side] = Layout::horizontal([Constraint::Fill(3), Constraint::Fill(2)]).areas(body);
        self.draw_ring(frame, ring);
        let [facts, messages] = Layout::vertical([Constraint::Length(7), Constraint::Min(0)]).areas(side);
        frame.render_widget(self.facts().block(Block::bordered().title(" election ")), facts);
        let shown = self.last.iter().rev().take(messages.height.into()).map(|line| Line::raw(line.as_str()));
        let newest_first = Paragraph::new(Text::from_iter(shown));
        frame.render_widget(newest_first.block(Block::bordered().title(" last messages ")), messages);
        let keys = [("e", "elect"), ("s", "stop the leader"), ("r", "restart it"), ("q", "quit")];
        let keys = keys.into_iter().flat_map(|(key, does)| [key.bold(), format!(" {does}  ").dim()]);
        let keys = Line::from_iter(keys);
        frame.render_widget(Paragraph::new(vec![Line::raw(self.outcome.as_str()), keys]), foot);
    }

    fn worker(&mut self, position: usize) -> &mut (Id, State) {
        if position >= self.workers.len() {
            self.workers.resize(position + 1, (Id(0), State::Asleep));
        }
        &mut self.workers[position]
    }

    fn say(&mut self, text: String) {
        if self.last.len() == LINES {
            self.last.pop_front();
        }
        self.last.push_back(text);
    }

    /// The leader, if everybody who lives holds the same.
    fn facts(&self) -> Paragraph<'_> {
        let living = self.workers.iter().filter(|(_, state)| *state != State::Stopped).count();
        let candidates = self.workers.iter().filter(|(_, state)| *state == State::Candidate).count();
        let leader = self.workers.iter().position(|&(id, state)| state == State::Decided(id));
        let leader =
            leader.map_or("nobody".into(), |position| format!("worker {position} (id {})", self.workers[position].0));
        Paragraph::new(vec![
            Line::raw(format!("leader      {leader}")),
            Line::raw(format!("living      {living} of {}, {candidates} candidates", self.workers.len())),
            Line::raw(format!("elections   {}", grouped(self.elections))),
            Line::raw(format!("messages    {}", grouped(self.messages))),
            Line::raw(format!("suspicions  {}", grouped(self.suspicions))),
        ])
    }

    /// A circle where it fits, else a list.
    fn draw_ring(&self, frame: &mut Frame<'_>, area: Rect) {
        const ROUND: usize = 24;
        let block = Block::bordered().title(format!(" ring of {} ", self.workers.len()));
        let labels = self.workers.iter().enumerate().map(|(position, &(id, state))| label(position, id, state));
        if self.workers.len() > ROUND || area.height < 12 || area.width < 40 {
            let spaced = labels.flat_map(|label| [label, Span::raw("  ")]);
            let list = Paragraph::new(Line::from_iter(spaced)).wrap(Wrap { trim: true });
            return frame.render_widget(list.block(block), area);
        }
        let labels: Vec<_> = labels.collect();
        let circle = Canvas::default().block(block).x_bounds([-1.3, 1.5]).y_bounds([-1.1, 1.1]).paint(|canvas| {
            for (position, label) in labels.iter().enumerate() {
                let (x, y) = place(position, labels.len());
                canvas.print(x, y, label.clone());
            }
        });
        frame.render_widget(circle, area);
    }
}

/// Where a worker stands on the circle: clockwise, the first on top.
fn place(position: usize, size: usize) -> (f64, f64) {
    let (sin, cos) = (TAU * position as f64 / size as f64).sin_cos();
    (sin, cos)
}

fn label(position: usize, id: Id, state: State) -> Span<'static> {
    let (mark, style) = match state {
        State::Asleep => ("·", Style::new().dim()),
        State::Candidate => ("?", Style::new().fg(Color::Yellow)),
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
        notes.push(Note::State(0, State::Candidate));
        notes.push(Note::State(1, State::Decided(Id(2))));
        notes.push(Note::State(2, State::Stopped));
        notes.push(Note::Message("1: 0 → 1  Elect(2)".into()));
        notes.push(Note::Suspicion("1: 1 suspects 2".into()));
        notes.into_iter().for_each(|note| scene.take(note));
        scene
    }

    #[test]
    fn the_ring_its_leader_and_the_last_messages_are_shown() {
        let screen = shown(&scene(8), 100, 24);
        for text in ["ring of 8", "? 0 (id 1)", "★ 1 (id 2)", "✗ 2 (id 3)", "· 7 (id 8)", "Elect(2)", "1 suspects 2"]
        {
            assert!(screen.contains(text), "{text} is missing:\n{screen}");
        }
        assert!(screen.contains("leader      worker 1 (id 2)") && screen.contains("living      7 of 8, 1 candidates"));
        assert!(screen.contains("e elect") && screen.contains("q quit"));
    }

    #[test]
    fn large_rings_and_small_terminals_are_no_problem() {
        assert!(shown(&scene(100), 100, 24).contains("★ 1 (id 2)"));
        for (width, height) in [(1, 1), (3, 2), (20, 5), (300, 90)] {
            shown(&scene(8), width, height);
        }
    }
}
