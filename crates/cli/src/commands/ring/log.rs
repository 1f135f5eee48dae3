//! The log: what happens in the ring, on standard error, in a file, or both.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Mutex, OnceLock};

use bellwether_live::ring::{Event, Why};
use tracing::{Level, Metadata, Subscriber, debug, error, info, trace, warn};
use tracing_subscriber::Registry;
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{ChronoLocal, FormatTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, Layer};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;

use super::config::Log;
use super::options::LogLevel;
use crate::failure::Failure;

/// Critical messages are errors with this target: there is no level of their own for them.
pub const CRITICAL: &str = "critical";

/// From now on everything goes to the log, as far as it is wanted.
pub fn begin(log: &Log) -> Result<(), Failure> {
    let open = |path| File::options().create(true).append(true).open(path);
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
    // A log that nobody reads any more is no reason to stop.
    let console = console.map(|layer| layer.log_internal_errors(false));
    let subscriber = Registry::default().with(console).with(file).with(wanted.with_max_level_hint(hint(level)));
    tracing::subscriber::set_global_default(subscriber).map_err(|error| Failure::Usage(error.to_string()))
}

/// The log's file, which may be full one day.
struct Watched(File);

/// What went wrong first when the log was written.
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

/// Logs what a worker does. An election that was asked for may take several numbers: these are the numbers.
pub fn event(event: &Event<'_>) {
    match *event {
        Event::HandedOver { from, to, election, message } => {
            trace!("number {election}: worker {from} hands {message:?} to worker {to}");
        }
        Event::Began { worker, election, why: why @ (Why::Asked | Why::Restarted | Why::Behind) } => {
            debug!("number {election}: worker {worker} begins it, {why}");
        }
        Event::Began { worker, election, why } => warn!("number {election}: worker {worker} begins it, {why}"),
        Event::Decided { worker, election, leader } => {
            debug!("number {election}: worker {worker} knows that {leader} leads");
        }
        Event::Joined { worker, election } => debug!("number {election}: worker {worker} takes part"),
        Event::Outdated { worker, election, message } => {
            debug!("number {election}: worker {worker} drops {message:?}, it is in a later one");
        }
        Event::Paused { worker, time } => info!("worker {worker} pauses for {} ms", time.as_millis()),
        Event::Running { worker } => debug!("worker {worker} is at work"),
        Event::Stopped { worker } => info!("worker {worker} has stopped"),
        Event::PassedOver { worker, over, election } => {
            debug!("number {election}: worker {worker} passes over worker {over}");
        }
        Event::Suspected { worker, suspect, election } => {
            warn!("number {election}: worker {worker} suspects worker {suspect}, which did not take a message");
        }
        Event::Retired { worker, owner, election, message } => {
            warn!("number {election}: worker {worker} retires {message:?}, for its owner {owner} is gone");
        }
        Event::Lost { worker } => error!("worker {worker} was lost"),
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
