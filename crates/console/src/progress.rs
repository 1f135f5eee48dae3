//! Shows progress on a terminal while something takes long, and stops it on Ctrl-C or a request to terminate.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bellwether_resources::memory;
use bellwether_world::host::{Bytes, Now, Watch};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use crate::{draft, failure};

/// Work that ends sooner shows no progress.
const SOON: Duration = Duration::from_millis(300);
/// How often a waiting line is redrawn.
const TICK: Duration = Duration::from_millis(100);
/// How often a run checks the memory that is left. Meanwhile it may take some tens of megabytes.
const LOOK: Duration = Duration::from_millis(20);

/// How long a run may take to notice a request to stop.
const PATIENCE: Duration = Duration::from_secs(3);

static STARVED: AtomicBool = AtomicBool::new(false);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the run has noticed the interruption.
static NOTICED: AtomicBool = AtomicBool::new(false);

/// The listener for requests to stop: what to do at the first one, and at the second one before the program ends.
static LISTENER: Mutex<Option<Listener>> = Mutex::new(None);

type Listener = (Box<dyn Fn() + Send>, fn());

/// From now on Ctrl-C, a hang-up or a request to terminate ends the program at once, unless a listener is set.
pub fn end_on_request() {
    // Without a handler Ctrl-C still ends the program: no reason not to run.
    let _ = ctrlc::set_handler(|| match &*LISTENER.lock().unwrap_or_else(PoisonError::into_inner) {
        Some((stop, tidy_up)) => request(stop, *tidy_up),
        None => end("interrupted"),
    });
}

/// From now on the first Ctrl-C, hang-up or request to terminate stops the run cleanly. The second one ends the program
/// at once. The first one does so too if the run is too busy to notice it in time.
pub fn stop_cleanly_on_request() {
    let see_to_it = || {
        thread::sleep(PATIENCE);
        if !NOTICED.load(Ordering::SeqCst) {
            end("interrupted in the middle of a step");
        }
    };
    stop_on_request(move || drop(thread::spawn(see_to_it)), || {});
}

/// Ends the program at once, without a result.
fn end(why: &str) -> ! {
    let _ = writeln!(anstream::stderr(), "\nstopped: {why}");
    draft::exit_without_drafts(failure::UNKNOWN.into())
}

/// Sets the listener of a run that waits. The first request calls `stop`, the second one `tidy_up` before the program
/// ends.
pub fn stop_on_request(stop: impl Fn() + Send + 'static, tidy_up: fn()) {
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = Some((Box::new(stop), tidy_up));
}

/// Whether a listener is set. A run with a listener shows its own progress too.
fn is_heard() -> bool {
    LISTENER.lock().unwrap_or_else(PoisonError::into_inner).is_some()
}

/// Handles a request to stop.
pub fn request(stop: impl Fn(), tidy_up: fn()) {
    if INTERRUPTED.swap(true, Ordering::SeqCst) {
        tidy_up();
        draft::exit_without_drafts(130);
    }
    stop();
}

/// Tells on standard error how long work goes, where no terminal shows it: after some seconds, and now and then.
pub struct Notice {
    begun: Instant,
    /// When it is told next; `None` on a terminal.
    next: Option<Instant>,
}

impl Default for Notice {
    fn default() -> Self {
        let begun = Instant::now();
        Self { begun, next: (!std::io::stderr().is_terminal()).then(|| begun + Self::FIRST) }
    }
}

impl Notice {
    const FIRST: Duration = Duration::from_secs(10);
    const AGAIN: Duration = Duration::from_secs(30);

    /// Tells how far the work is, if it is time to.
    pub fn tell(&mut self, what: impl FnOnce() -> String) {
        if let Some(passed) = self.due(Instant::now()) {
            // Nobody need read it.
            let _ = writeln!(anstream::stderr(), "still at work after {} s: {}", passed.as_secs(), what());
        }
    }

    /// The time that has passed, if it is to be told now.
    fn due(&mut self, now: Instant) -> Option<Duration> {
        let next = self.next.filter(|next| now >= *next)?;
        // What came late is not made up for.
        self.next = Some(next.max(now) + Self::AGAIN);
        Some(now - self.begun)
    }
}

/// Does work that may take long before a run begins. A terminal shows what it is, and standard error tells it now and
/// then otherwise.
pub fn patiently<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if is_heard() {
        return work();
    }
    let is_shown = std::io::stderr().is_terminal();
    thread::scope(|scope| {
        // The sender is dropped when the work is over, even if it panics.
        let (_working, is_over) = mpsc::channel::<()>();
        let show = move || {
            let goes_on = |time| is_over.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            let mut notice = Notice::default();
            if !is_shown {
                while goes_on(TICK) {
                    notice.tell(|| what.into());
                }
                return;
            }
            if !goes_on(SOON) {
                return;
            }
            let line = spinner().with_message(format!("{what} …"));
            while goes_on(TICK) {
                line.tick();
            }
            line.finish_and_clear();
        };
        // If the system starts no more threads, nothing is shown.
        _ = thread::Builder::new().spawn_scoped(scope, show);
        work()
    })
}

/// A spinner with a message that is never wider than the terminal.
pub fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// Whether the run was stopped because memory ran out.
pub fn was_starved() -> bool {
    STARVED.load(Ordering::SeqCst)
}

/// Whether the user wanted the run to stop.
pub fn was_interrupted() -> bool {
    let interrupted = INTERRUPTED.load(Ordering::SeqCst);
    if interrupted {
        NOTICED.store(true, Ordering::SeqCst);
    }
    interrupted
}

/// The style of a line about messages, behind a bar or a spinner.
fn style(front: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(&format!("{front} {{human_pos}} messages, {{wide_msg}}"));
    style.unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The number of messages per second.
struct Rate {
    /// The time of the last count, and the number of messages then.
    since: Instant,
    messages: u64,
    /// The rate in the second before.
    lately: Option<u64>,
}

impl Rate {
    /// The rate in the last second. In the first second, the rate so far.
    fn now(&mut self, messages: u64) -> u64 {
        let passed = self.since.elapsed();
        let rate = ((messages - self.messages) as f64 / passed.as_secs_f64().max(1e-3)) as u64;
        if passed >= Duration::from_secs(1) {
            *self = Self { since: Instant::now(), messages, lately: Some(rate) };
        }
        self.lately.unwrap_or(rate)
    }
}

/// Shows how a long run goes.
pub struct Progress {
    line: Option<ProgressBar>,
    notice: Notice,
    begun: Instant,
    /// When the first messages were reported.
    began: Option<Instant>,
    rate: Rate,
    /// When the memory left was last checked.
    asked: Instant,
    /// The memory that the run took, once it is known.
    pub bytes: Option<Bytes>,
}

impl Progress {
    /// Progress of a run that is expected to send about this many messages. Without this number, and beyond it, there
    /// is no bar.
    pub fn new(expected: Option<f64>) -> Self {
        let line = std::io::stderr().is_terminal().then(|| match expected {
            Some(messages) => ProgressBar::new(messages as u64).with_style(style("{bar:10}")),
            None => ProgressBar::no_length().with_style(style("{spinner}")),
        });
        let now = Instant::now();
        Self {
            line,
            notice: Notice::default(),
            begun: now,
            began: None,
            rate: Rate { since: now, messages: 0, lately: None },
            asked: now,
            bytes: None,
        }
    }
}

impl Progress {
    /// The run is over: shows what it took, if it was long.
    pub fn conclude(self, messages: u64) {
        let Self { line: Some(line), begun, began: Some(began), .. } = &self else { return };
        let (whole, seconds) = (begun.elapsed(), began.elapsed().as_secs_f64());
        line.finish_and_clear();
        if whole >= SOON {
            let rate = HumanCount((messages as f64 / seconds.max(1e-3)) as u64);
            let whole = whole.as_secs_f64();
            let _ = writeln!(
                anstream::stderr(),
                "{} messages in {whole:.1} s, {rate}/s once all nodes were there",
                HumanCount(messages)
            );
        }
    }
}

impl Watch for Progress {
    fn go_on(&mut self, messages: u64, now: Option<Now>) -> bool {
        // The rate counts from the first message on: starting the nodes is not part of it.
        if self.began.is_none() {
            let now = Instant::now();
            (self.began, self.rate.since) = (Some(now), now);
        }
        if let Some(line) = self.line.as_ref().filter(|_| self.begun.elapsed() >= SOON) {
            let rate = HumanCount(self.rate.now(messages));
            if line.length().is_some_and(|expected| messages > expected) {
                line.unset_length();
                line.set_style(style("{spinner}"));
            }
            line.set_position(messages);
            line.set_message(match now {
                Some(Now { time, in_flight }) => format!("{rate}/s, time {time}, {} under way", HumanCount(in_flight)),
                None => format!("{rate}/s"),
            });
        }
        if self.asked.elapsed() >= LOOK {
            self.asked = Instant::now();
            let under_way = now.map_or(String::new(), |now| format!(", {} under way", HumanCount(now.in_flight)));
            self.notice.tell(|| format!("{} messages{under_way}", HumanCount(messages)));
            STARVED.store(memory::is_short(), Ordering::SeqCst);
        }
        !was_interrupted() && !was_starved()
    }

    fn weighs(&mut self, bytes: Bytes) {
        self.bytes = Some(bytes);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_work_is_told_soon_and_then_every_half_minute() {
        let begun = Instant::now();
        let after = |seconds: u64| begun + Duration::from_secs(seconds);
        let told = |notice: &mut Notice, times: &[u64]| {
            let told = times.iter().filter_map(|seconds| notice.due(after(*seconds)).map(|passed| passed.as_secs()));
            told.collect::<Vec<u64>>()
        };
        let mut notice = Notice { begun, next: Some(begun + Notice::FIRST) };
        assert_eq!(told(&mut notice, &[0, 9, 10, 11, 39, 40, 41, 69, 200, 201, 229, 230]), [10, 40, 200, 230]);
        assert_eq!(told(&mut Notice { begun, next: None }, &[10, 1000]), Vec::<u64>::new());
    }
}
