//! The options of `bellwether ring`: the same on the command line and in a file.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use bellwether_console::drawing::DrawArgs;
use bellwether_console::failure::Failure;
use bellwether_world::initiators::Initiators;
use bellwether_world::numbers::grouped;
use clap::Args;
use serde::Deserialize;

use crate::file::{self, from_text, from_texts};
use crate::plan::{Moment, Pause};

/// `bellwether ring`.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[command(after_help = "Examples:
  bellwether ring 8                                      an election now and then, until Ctrl-C
  bellwether ring 8 -n 3 --sleep 0 --worker-sleep 0      three elections, as fast as they go
  bellwether ring 5 -n 4 --sleep 100 --worker-sleep 0 --stop 2@2 --restart 2@4 --log --log-level 3
  bellwether ring --config ring.toml --json

A file has the long names of the options as keys, and size:
  size = 8
  worker-sleep = 100
  initiators = \"random:2\"
  stop = [\"2@3\", \"4@3\"]

On a terminal: e starts an election now, s stops the leader, r brings back the worker that was
stopped last, then the one before, q quits. After that the last elections are printed.")]
pub struct RingArgs {
    /// How many workers there are; may come from the file
    #[arg(value_name = "SIZE", allow_negative_numbers = true)]
    pub size: Option<Size>,
    /// Read options from a TOML file; those on the command line win
    #[arg(short, long, value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Hold this number of elections; 0 goes on until it is stopped  [default: 0]
    #[arg(short, long, value_name = "N", value_parser = bellwether_net::size)]
    pub number_of_elections: Option<u64>,
    /// How long to wait after each election, in milliseconds  [default: 5000]
    #[arg(long, value_name = "MS", value_parser = bellwether_net::size)]
    pub sleep: Option<u64>,
    /// How long a worker rests after each task, in milliseconds  [default: 500]
    #[arg(long, value_name = "MS", value_parser = bellwether_net::size)]
    pub worker_sleep: Option<u64>,
    /// How long a neighbour may leave a message before it counts as failed, in milliseconds  [default: 1000]
    #[arg(long, value_name = "MS", value_parser = bellwether_net::size)]
    pub wait: Option<u64>,
    /// Who starts: one (the first living worker), all, random:K, or a list such as 0,2,5  [default: one]
    #[arg(long, value_name = "WHO")]
    #[serde(deserialize_with = "from_text")]
    pub initiators: Option<Initiators>,
    /// Print a line for each election even on a terminal, without the live view
    #[arg(
        long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        hide_possible_values = true
    )]
    pub plain: Option<bool>,
    /// Stop a worker like a crash as an election begins; workers are counted from 0, elections from 1; may be repeated
    #[arg(long, value_name = "WORKER@ELECTION")]
    #[serde(deserialize_with = "from_texts")]
    pub stop: Vec<Moment>,
    /// Let a worker do nothing at all for some milliseconds as an election begins; may be repeated
    #[arg(long, value_name = "WORKER@ELECTION:MS")]
    #[serde(deserialize_with = "from_texts")]
    pub pause: Vec<Pause>,
    /// Restart a stopped worker, with an empty memory, as an election begins; may be repeated
    #[arg(long, value_name = "WORKER@ELECTION")]
    #[serde(deserialize_with = "from_texts")]
    pub restart: Vec<Moment>,
    /// What ids and initiators are drawn from  [default: another one each time]
    #[arg(long, value_name = "N", value_parser = bellwether_net::size)]
    pub seed: Option<u64>,
    /// Write a JSON object for each election
    #[arg(
        long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        hide_possible_values = true
    )]
    pub json: Option<bool>,
    /// Log to standard error; there is no live view then, so take --log-file for both
    #[arg(
        long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        hide_possible_values = true
    )]
    pub log: Option<bool>,
    /// Log to the end of a file, which is created if need be
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,
    /// Log the date beside the time
    #[arg(
        long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        hide_possible_values = true
    )]
    pub log_date: Option<bool>,
    /// What is logged, and everything more important, by number or name: 0 TRACE, 1 DEBUG, 2 INFO, 3 WARN, 4 ERROR, 5
    /// CRITICAL  [default: 2]
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<LogLevel>,
    /// Do not log the configuration, which is a DEBUG message
    #[arg(
        long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        hide_possible_values = true
    )]
    pub no_config_log: Option<bool>,
    /// Pictures, written when the ring stops.
    #[command(flatten)]
    #[serde(skip)]
    pub draw: DrawArgs,
}

impl RingArgs {
    /// The options from the command line, and those from the file where none was given.
    pub fn with_file(self) -> Result<Self, Failure> {
        let Some(path) = &self.config else { return Ok(self) };
        let file = file::read(path)?;
        let either = |typed: Vec<Moment>, file| if typed.is_empty() { file } else { typed };
        Ok(Self {
            size: self.size.or(file.size),
            number_of_elections: self.number_of_elections.or(file.number_of_elections),
            sleep: self.sleep.or(file.sleep),
            worker_sleep: self.worker_sleep.or(file.worker_sleep),
            wait: self.wait.or(file.wait),
            initiators: self.initiators.or(file.initiators),
            plain: self.plain.or(file.plain),
            stop: either(self.stop, file.stop),
            pause: if self.pause.is_empty() { file.pause } else { self.pause },
            restart: either(self.restart, file.restart),
            seed: self.seed.or(file.seed),
            json: self.json.or(file.json),
            log: self.log.or(file.log),
            log_file: self.log_file.or(file.log_file),
            log_date: self.log_date.or(file.log_date),
            log_level: self.log_level.or(file.log_level),
            no_config_log: self.no_config_log.or(file.no_config_log),
            config: self.config,
            draw: self.draw,
        })
    }
}

/// The number of workers.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "i64")]
pub struct Size(pub u32);

/// The largest number of workers: every worker is a thread, and systems do not run many more.
const MOST: u32 = 10_000;

impl TryFrom<i64> for Size {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        let size = u32::try_from(number).ok().filter(|size| (1..=MOST).contains(size));
        size.map(Self).ok_or_else(|| format!("a ring has 1 to {} workers, for each is a thread", grouped(MOST)))
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        bellwether_net::size(text).ok().and_then(|size| i64::try_from(size).ok()).unwrap_or_default().try_into()
    }
}

/// How important a log message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "toml::Value")]
pub enum LogLevel {
    /// Every hand-over.
    Trace,
    /// Every decision and order.
    Debug,
    /// Elections and their winners.
    Info,
    /// Suspicions and their consequences.
    Warn,
    /// Workers that were lost.
    Error,
    /// Why the ring cannot go on.
    Critical,
}

impl LogLevel {
    const ALL: [Self; 6] = [Self::Trace, Self::Debug, Self::Info, Self::Warn, Self::Error, Self::Critical];
}

impl TryFrom<toml::Value> for LogLevel {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        match value {
            toml::Value::String(name) => name.parse(),
            number => number.to_string().parse(),
        }
    }
}

impl FromStr for LogLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_meant = |(number, level): &(usize, Self)| {
            text == number.to_string() || text.eq_ignore_ascii_case(&level.to_string())
        };
        let found = Self::ALL.into_iter().enumerate().find(is_meant).map(|(_, level)| level);
        found.ok_or_else(|| "a log level is 0 (TRACE) to 5 (CRITICAL), or its name".into())
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Trace => "TRACE",
            Self::Debug => "DEBUG",
            Self::Info => "INFO",
            Self::Warn => "WARN",
            Self::Error => "ERROR",
            Self::Critical => "CRITICAL",
        })
    }
}
