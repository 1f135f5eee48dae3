//! A progress bar on a terminal, and a clean stop on Ctrl-C or a request to terminate.

use std::fmt;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

use bellwether_world::Time;
use bellwether_world::host::{Bytes, Watch};
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

use crate::draft;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C, hang-up or request to terminate stops the run cleanly, and the second one ends the
/// program at once.
pub fn stop_cleanly_on_request() {
    stop_on_request(|| {}, || {});
}

/// The same for a run that waits: the first request calls `stop`, the second one `tidy_up` before the program ends.
pub fn stop_on_request(stop: impl Fn() + Send + 'static, tidy_up: fn()) {
    // Without a handler Ctrl-C ends the program at once: no reason not to run.
    let _ = ctrlc::set_handler(move || request(&stop, tidy_up));
}

/// Somebody wants the run to stop.
pub fn request(stop: impl Fn(), tidy_up: fn()) {
    if INTERRUPTED.swap(true, Ordering::SeqCst) {
        tidy_up();
        draft::exit_without_drafts(130);
    }
    stop();
}

/// Whether the user wanted the run to stop.
pub fn was_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Shows how a long run goes.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// How many events are to be expected: on average, and at most.
    mean: Option<u64>,
    worst: Option<u64>,
    /// What the run took of the machine's memory, once that is known.
    pub bytes: Option<Bytes>,
}

/// Shorter runs are over before anybody could look.
const WORTH_A_BAR: u64 = 1 << 22;

impl Progress {
    /// For a run of about so many events, and at most so many.
    pub fn new(mean: Option<f64>, worst: Option<f64>) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = write!(out, "{}/s", HumanCount(state.per_sec() as u64));
            };
            let style = ProgressStyle::with_template("{bar:30} {human_pos} events, {rate}, {msg}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::no_length().with_style(style.with_key("rate", rate))
        });
        Self { bar, mean: mean.map(|mean| mean as u64), worst: worst.map(|worst| worst as u64), bytes: None }
    }
}

impl Watch for Progress {
    fn go_on(&mut self, events: u64, time: Time, in_flight: u64) -> bool {
        if let Some(bar) = self.bar.as_ref().filter(|_| events >= WORTH_A_BAR) {
            let expected = self.mean.filter(|mean| *mean >= events).or(self.worst);
            bar.set_length(expected.unwrap_or(events).max(events));
            bar.set_message(format!("time {time}, {} under way", HumanCount(in_flight)));
            bar.set_position(events);
        }
        !was_interrupted()
    }

    fn weighs(&mut self, bytes: Bytes) {
        self.bytes = Some(bytes);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
