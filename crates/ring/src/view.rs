//! The live view on a terminal: one thread draws, one reads the keys.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bellwether_console::failure::Failure;
use bellwether_console::progress;
use bellwether_core::Id;
use bellwether_live::ring::{Held, Remote, RingEvent, Wish};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event as Input, KeyCode, KeyModifiers};

use crate::scene::{Note, Scene};

/// Whether the terminal has to be restored.
static OPEN: AtomicBool = AtomicBool::new(false);

/// Gives the terminal back, if it was taken.
pub fn restore() {
    if OPEN.swap(false, Ordering::SeqCst) {
        ratatui::restore();
    }
}

/// The terminal while a ring works; it is restored when this is dropped.
pub struct View {
    notes: Notes,
    drawer: Option<JoinHandle<()>>,
}

/// A channel to the view.
#[derive(Clone)]
pub struct Notes(Sender<Note>);

impl Notes {
    /// Tells the ids by position.
    pub fn ids(&self, ids: &[Id]) {
        self.send(Note::Ids(ids.to_vec()));
    }

    /// Tells an event in the ring.
    pub fn event(&self, event: &RingEvent<'_>) {
        Note::new(event).into_iter().for_each(|note| self.send(note));
    }

    /// Tells that an election is over.
    pub fn held(&self, election: u64, held: &Held) {
        self.send(Note::Held(election, held.clone()));
    }

    /// Tells when the next election begins; `None` while one is under way.
    pub fn next(&self, next: Option<Instant>) {
        self.send(Note::Next(next));
    }

    /// Shows a line of text.
    pub fn say(&self, text: String) {
        self.send(Note::Said(text));
    }

    /// Sends a note. A closed view needs none, so errors are ignored.
    fn send(&self, note: Note) {
        let _ = self.0.send(note);
    }
}

impl View {
    /// Takes the terminal.
    pub fn open() -> Result<Self, Failure> {
        let terminal = ratatui::try_init().map_err(|error| Failure::Usage(format!("cannot draw: {error}")))?;
        OPEN.store(true, Ordering::SeqCst);
        let (sender, notes) = mpsc::channel();
        let drawer = thread::spawn(move || draw(terminal, &notes));
        Ok(Self { notes: Notes(sender), drawer: Some(drawer) })
    }

    /// A channel to the view.
    pub fn notes(&self) -> Notes {
        self.notes.clone()
    }

    /// Turns keys into wishes from now on. The thread ends with the program: nothing else wakes it from the keyboard.
    pub fn listen(&self, remote: Remote) {
        let notes = self.notes();
        thread::spawn(move || {
            while let Ok(input) = event::read() {
                match input {
                    Input::Key(key) if key.is_press() => press(key.code, key.modifiers, &remote),
                    Input::Resize(..) => notes.send(Note::Resized),
                    _ => {}
                }
            }
        });
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.notes.send(Note::Closed);
        if let Some(drawer) = self.drawer.take() {
            let _ = drawer.join();
        }
        restore();
    }
}

fn press(code: KeyCode, modifiers: KeyModifiers, remote: &Remote) {
    match code {
        KeyCode::Char('c') if modifiers.contains(KeyModifiers::CONTROL) => {
            progress::request(|| remote.wish(Wish::Quit), restore);
        }
        KeyCode::Char('e') => remote.wish(Wish::Elect),
        KeyCode::Char('q') | KeyCode::Esc => remote.wish(Wish::Quit),
        KeyCode::Char('r') => remote.wish(Wish::Restart),
        KeyCode::Char('s') => remote.wish(Wish::StopLeader),
        _ => {}
    }
}

/// Draws after every change, but not faster than 25 times a second. Draws once a second in any case, for the countdown.
fn draw(mut terminal: DefaultTerminal, notes: &Receiver<Note>) {
    const FRAME: Duration = Duration::from_millis(40);
    const SECOND: Duration = Duration::from_secs(1);
    let mut scene = Scene::default();
    loop {
        let mut note = match notes.recv_timeout(SECOND) {
            Ok(note) => note,
            Err(RecvTimeoutError::Timeout) => Note::Resized,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let next = Instant::now() + FRAME;
        loop {
            if matches!(note, Note::Closed) {
                return;
            }
            scene.take(note);
            match notes.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(another) => note = another,
                Err(_) => break,
            }
        }
        let drawn: io::Result<_> = terminal.draw(|frame| scene.draw(frame));
        if drawn.is_err() {
            return;
        }
    }
}
