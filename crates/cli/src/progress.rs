//! A progress bar on a terminal, and a clean stop on Ctrl-C.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

use bellwether_sim::Watch;
use bellwether_world::Time;
use indicatif::{ProgressBar, ProgressStyle};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C stops the run cleanly, and the second one ends the program at once.
pub fn stop_cleanly_on_ctrl_c() {
    // Without a handler Ctrl-C ends the program at once: no reason not to run.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
}

/// Whether the user wanted the run to stop.
pub fn was_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Shows how a long run goes.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// How many events are to be expected, if that is known.
    expected: Option<u64>,
}

/// Shorter runs are over before anybody could look.
const WORTH_A_BAR: u64 = 1 << 22;

impl Progress {
    /// For a run of about so many events.
    pub fn new(expected: Option<u64>) -> Self {
        Self { bar: None, expected }
    }

    fn bar(&self) -> ProgressBar {
        let (bar, template) = match self.expected {
            Some(events) => {
                (ProgressBar::new(events), "{bar:32} {human_pos} of about {human_len} events, {per_sec} {msg}")
            }
            None => (ProgressBar::no_length(), "{spinner} {human_pos} events, {per_sec} {msg}"),
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.with_style(style)
    }
}

impl Watch for Progress {
    fn go_on(&mut self, events: u64, time: Time, in_flight: u64) -> bool {
        if events >= WORTH_A_BAR && std::io::stderr().is_terminal() {
            if self.bar.is_none() {
                self.bar = Some(self.bar());
            }
            if let Some(bar) = &self.bar {
                bar.set_message(format!("time {time}, {in_flight} under way"));
                bar.set_position(events);
            }
        }
        !was_interrupted()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
