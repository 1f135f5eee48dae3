//! What a terminal shows while something takes long, and how Ctrl-C or a request to terminate stops it.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bellwether_world::host::{Bytes, Now, Watch};
use bellwether_world::memory;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use crate::{draft, failure};

/// What is over sooner needs no progress.
const SOON: Duration = Duration::from_millis(300);
/// How often a line that only waits is drawn.
const TICK: Duration = Duration::from_millis(100);
/// How often a run looks at the memory that is left: in that time it may take some tens of megabytes.
const LOOK: Duration = Duration::from_millis(20);

/// A run that is told to stop has so long to see it.
const PATIENCE: Duration = Duration::from_secs(1);

static STARVED: AtomicBool = AtomicBool::new(false);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the run has seen that.
static NOTICED: AtomicBool = AtomicBool::new(false);

/// Who hears of requests to stop: what to do at the first one, and at the second before the program ends.
static LISTENER: Mutex<Option<Listener>> = Mutex::new(None);

type Listener = (Box<dyn Fn() + Send>, fn());

/// From now on Ctrl-C, a hang-up or a request to terminate ends the program at once, unless a run hears of it.
pub fn end_on_request() {
    // Without a handler Ctrl-C ends the program all the same: no reason not to run.
    let _ = ctrlc::set_handler(|| match &*LISTENER.lock().unwrap_or_else(PoisonError::into_inner) {
        Some((stop, tidy_up)) => request(stop, *tidy_up),
        None => end("interrupted"),
    });
}

/// From now on the first Ctrl-C, hang-up or request to terminate stops the run cleanly, and the second one ends the
/// program at once. So does the first, if the run is so busy that it does not see it soon.
pub fn stop_cleanly_on_request() {
    let see_to_it = || {
        thread::sleep(PATIENCE);
        if !NOTICED.load(Ordering::SeqCst) {
            end("interrupted in the middle of a step");
        }
    };
    stop_on_request(move || drop(thread::spawn(see_to_it)), || {});
}

/// Ends the program at once, when nothing is known.
fn end(why: &str) -> ! {
    let _ = writeln!(anstream::stderr(), "\nstopped: {why}");
    draft::exit_without_drafts(failure::UNKNOWN.into())
}

/// The same for a run that waits: the first request calls `stop`, the second one `tidy_up` before the program ends.
pub fn stop_on_request(stop: impl Fn() + Send + 'static, tidy_up: fn()) {
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = Some((Box::new(stop), tidy_up));
}

/// Whether a run hears of requests to stop; then it shows its own progress too.
fn is_heard() -> bool {
    LISTENER.lock().unwrap_or_else(PoisonError::into_inner).is_some()
}

/// Somebody wants the run to stop.
pub fn request(stop: impl Fn(), tidy_up: fn()) {
    if INTERRUPTED.swap(true, Ordering::SeqCst) {
        tidy_up();
        draft::exit_without_drafts(130);
    }
    stop();
}

/// Does what may take long before a run begins, and lets a terminal show what that is.
pub fn patiently<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if is_heard() || !std::io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        // The sender goes when the work is over, whichever way.
        let (_working, is_over) = mpsc::channel::<()>();
        let show = move || {
            let goes_on = |time| is_over.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if !goes_on(SOON) {
                return;
            }
            let line = spinner().with_message(format!("{what} …"));
            while goes_on(TICK) {
                line.tick();
            }
            line.finish_and_clear();
        };
        // Where there can be no more threads, nothing is shown.
        _ = thread::Builder::new().spawn_scoped(scope, show);
        work()
    })
}

/// A line that turns, with a message that is never wider than the terminal.
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

/// How a line about messages looks, behind a bar or a sign that it goes on.
fn style(front: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(&format!("{front} {{human_pos}} messages, {{wide_msg}}"));
    style.unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// How many messages a second there are.
struct Rate {
    /// The last moment at which they were counted, and how many there were.
    since: Instant,
    messages: u64,
    /// How many a second there were in the second before.
    lately: Option<u64>,
}

impl Rate {
    /// In the last second, or in the first as far as it has passed.
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
    begun: Instant,
    /// When the first messages were told.
    began: Option<Instant>,
    rate: Rate,
    /// When the machine was last asked what memory it has left.
    asked: Instant,
    /// What the run took of the machine's memory, once that is known.
    pub bytes: Option<Bytes>,
}

impl Progress {
    /// For a run of about so many messages, if that is known: only then is there a bar, until they are more.
    pub fn new(expected: Option<f64>) -> Self {
        let line = std::io::stderr().is_terminal().then(|| match expected {
            Some(messages) => ProgressBar::new(messages as u64).with_style(style("{bar:10}")),
            None => ProgressBar::no_length().with_style(style("{spinner}")),
        });
        let now = Instant::now();
        Self {
            line,
            begun: now,
            began: None,
            rate: Rate { since: now, messages: 0, lately: None },
            asked: now,
            bytes: None,
        }
    }
}

impl Progress {
    /// The run is over: what it took, if it was long.
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
        // From the first message on: to bring nodes up is not part of how fast they are.
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
