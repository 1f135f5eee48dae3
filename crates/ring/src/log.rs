//! The log: what happens in the ring, on standard error, in a file, or both.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Mutex, OnceLock};

use bellwether_console::draft;
use bellwether_console::failure::Failure;
use bellwether_live::ring::{RingEvent, Why};
use tracing::{Level, Metadata, Subscriber, debug, error, info, trace, warn};
use tracing_subscriber::Registry;
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{ChronoLocal, FormatTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, Layer};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;

use crate::config::Log;
use crate::options::LogLevel;

/// The target of critical messages, which are errors: `tracing` has no level of its own for them.
pub const CRITICAL: &str = "critical";

/// From now on all events that are wanted go to the log.
pub fn begin(log: &Log) -> Result<(), Failure> {
    let open = |path| File::options().create(true).append(true).open(path);
    if let Some(path) = &log.file {
        draft::expect_folder(path)?;
    }
    let file = log.file.as_ref().map(|path| open(path).map_err(|error| Failure::file(path, error))).transpose()?;
    if !log.console && file.is_none() {
        return Ok(());
    }
    let level = log.level;
    let wanted = filter_fn(move |metadata| level_of(metadata) >= level);
    let line = || Line(ChronoLocal::new(if log.date { "%F %T%.3f" } else { "%T%.3f" }.into()));
    let console = log.console.then(|| Layer::new().event_format(line()).with_writer(std::io::stderr));
    let file = file.map(|file| {
        Layer::new()
            .event_format(line())
            .with_ansi(false)
            .log_internal_errors(false)
            .with_writer(Mutex::new(Watched(file)))
    });
    // A closed standard error is no reason to stop.
    let console = console.map(|layer| layer.log_internal_errors(false));
    let subscriber = Registry::default().with(console).with(file).with(wanted.with_max_level_hint(hint(level)));
    tracing::subscriber::set_global_default(subscriber).map_err(|error| Failure::Usage(error.to_string()))
}

/// The log's file. Writing to it may fail later, for example when the disk is full.
struct Watched(File);

/// The first error in writing the log.
static TROUBLE: OnceLock<String> = OnceLock::new();

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).inspect_err(|error| drop(TROUBLE.set(error.to_string())))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Makes sure that everything was written to the log's file.
pub fn end(log: &Log) -> Result<(), Failure> {
    match (&log.file, TROUBLE.get()) {
        (Some(path), Some(trouble)) => Err(Failure::file(path, format!("the log is incomplete: {trouble}"))),
        _ => Ok(()),
    }
}

/// Logs what a worker does. One election may take several attempts; the numbers in the log are those of the attempts.
pub fn event(event: &RingEvent<'_>) {
    match *event {
        RingEvent::HandedOver { from, to, election, message } => {
            trace!("number {election}: worker {from} hands {message:?} to worker {to}, and its place there is free");
        }
        RingEvent::Began { worker, election, why: why @ (Why::Asked | Why::Restarted | Why::Behind) } => {
            debug!("number {election}: worker {worker} begins it, {why}");
        }
        RingEvent::Began { worker, election, why } => warn!("number {election}: worker {worker} begins it, {why}"),
        RingEvent::Decided { worker, election, leader } => {
            debug!("number {election}: worker {worker} knows that {leader} leads");
        }
        RingEvent::Joined { worker, election } => debug!("number {election}: worker {worker} takes part"),
        RingEvent::Offered { from, to, election, message } => {
            trace!("number {election}: worker {from} puts {message:?} into its one place on the desk of worker {to}");
        }
        RingEvent::SteppedDown { worker, election } => {
            debug!("number {election}: worker {worker} led until now, and steps down");
        }
        RingEvent::Outdated { worker, election, message } => {
            debug!("number {election}: worker {worker} drops {message:?}, it is in a later one");
        }
        RingEvent::Paused { worker, time } => info!("worker {worker} pauses for {} ms", time.as_millis()),
        RingEvent::Running { worker } => debug!("worker {worker} is at work"),
        RingEvent::Stopped { worker } => info!("worker {worker} has stopped"),
        RingEvent::PassedOver { worker, over, election } => {
            debug!("number {election}: worker {worker} passes over worker {over}");
        }
        RingEvent::Suspected { worker, suspect, election } => {
            warn!("number {election}: worker {worker} suspects worker {suspect}, which did not take a message");
        }
        RingEvent::Trusted { worker, suspect, wait } => {
            debug!("worker {worker} sees that worker {suspect} lives, and gives it {} ms", wait.as_millis());
        }
        RingEvent::Retired { worker, owner, election, message } => {
            warn!("number {election}: worker {worker} retires {message:?}, for its owner {owner} is gone");
        }
        RingEvent::Lost { worker } => error!("worker {worker} was lost"),
    }
}

fn level_of(metadata: &Metadata<'_>) -> LogLevel {
    match *metadata.level() {
        Level::TRACE => LogLevel::Trace,
        Level::DEBUG => LogLevel::Debug,
        Level::INFO => LogLevel::Info,
        Level::WARN => LogLevel::Warn,
        _ if metadata.target() == CRITICAL => LogLevel::Critical,
        _ => LogLevel::Error,
    }
}

fn hint(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Trace => LevelFilter::TRACE,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Error | LogLevel::Critical => LevelFilter::ERROR,
    }
}

/// A line of the log: the time, the level, the message.
struct Line(ChronoLocal);

impl<S, N> FormatEvent<S, N> for Line
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &tracing::Event<'_>,
    ) -> fmt::Result {
        self.0.format_time(&mut writer)?;
        write!(writer, " {:<8} ", level_of(event.metadata()).to_string())?;
        context.field_format().format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}
