//! The options of a run, checked and with defaults filled in.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::time::Duration;

use bellwether_ask::line;
use bellwether_console::drawing::DrawArgs;
use bellwether_console::failure::Failure;
use bellwether_live::ring::{RingSettings, RingTiming};
use bellwether_world::initiators::Initiators;
use serde_json::json;

use crate::options::{LogLevel, RingArgs, Size};
use crate::plan::{Moment, Plan};

/// A run of `bellwether ring`.
#[derive(Debug)]
pub struct Config {
    /// What the ring is made of.
    pub settings: RingSettings,
    /// How many elections are held; 0 for no end.
    pub elections: u64,
    /// The time to wait after each election.
    pub sleep: Duration,
    /// Which workers start an election.
    pub initiators: Initiators,
    /// The planned failures.
    pub plan: Plan,
    /// Whether the live view is off.
    pub plain: bool,
    /// Whether the results are written as JSON.
    pub json: bool,
    /// What is logged, and where to.
    pub log: Log,
    /// The command line that repeats the run.
    pub repeat: String,
    /// The pictures of the run.
    pub draw: DrawArgs,
}

/// What is logged, and where to.
#[derive(Clone, Debug)]
pub struct Log {
    /// Whether the log goes to standard error.
    pub console: bool,
    /// The file to which the log is appended.
    pub file: Option<PathBuf>,
    /// Whether the log shows the date.
    pub date: bool,
    /// The lowest level that is logged.
    pub level: LogLevel,
    /// Whether the configuration is logged too.
    pub config: bool,
}

impl Config {
    /// Fills in defaults, and refuses options that make no sense.
    pub fn new(args: RingArgs) -> Result<Self, Failure> {
        let level_is_typed = args.log_level.is_some();
        let args = args.with_file()?;
        if level_is_typed && args.log_file.is_none() && args.log != Some(true) {
            return Err(Failure::Usage("--log-level without a log: add --log or --log-file FILE".into()));
        }
        let path = args.config.clone();
        Self::checked(args).map_err(|reason| match path {
            None => Failure::Usage(reason),
            Some(path) => Failure::Usage(format!("{reason} (with the options in {})", path.display())),
        })
    }

    fn checked(args: RingArgs) -> Result<Self, String> {
        let seed = args.seed.unwrap_or_else(any_seed);
        let Some(Size(size)) = args.size else {
            return Err("how many workers? Say `bellwether ring 8`, or size = 8 in the file".into());
        };
        let elections = args.number_of_elections.unwrap_or(0);
        let initiators = args.initiators.clone().unwrap_or(Initiators::One);
        match &initiators {
            Initiators::Random(count) if !(1..=size).contains(count) => {
                return Err(format!("random:{count} of {size} workers: take 1 to {size} of them"));
            }
            Initiators::List(list) => {
                let is_worker = |name: &&String| (0..size).any(|worker| worker.to_string() == **name);
                if let Some(name) = list.iter().find(|name| !is_worker(name)) {
                    return Err(format!(
                        "--initiators {initiators}: no worker {name}, they are numbered 0 to {}",
                        size - 1
                    ));
                }
            }
            Initiators::All | Initiators::One | Initiators::Random(_) => {}
        }
        if args.wait == Some(0) {
            return Err("--wait 0: a neighbour needs at least 1 ms to take a message".into());
        }
        let plan = Plan::new(&args.stop, &args.pause, &args.restart, size, elections)?;
        let milliseconds = |given: Option<u64>, default| Duration::from_millis(given.unwrap_or(default));
        Ok(Self {
            settings: RingSettings {
                size,
                seed,
                timing: RingTiming {
                    wait: milliseconds(args.wait, 1000),
                    worker_sleep: milliseconds(args.worker_sleep, 500),
                },
            },
            elections,
            sleep: milliseconds(args.sleep, 5000),
            initiators,
            plan,
            plain: args.plain.unwrap_or(false),
            json: args.json.unwrap_or(false),
            repeat: repeat_line(&args, size, seed),
            draw: args.draw,
            log: Log {
                console: args.log.unwrap_or(false),
                file: args.log_file,
                date: args.log_date.unwrap_or(false),
                level: args.log_level.unwrap_or(LogLevel::Info),
                config: !args.no_config_log.unwrap_or(false),
            },
        })
    }
}

/// All settings, by the names of the options.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { settings, log, .. } = self;
        write!(f, "size {}, number-of-elections {}", settings.size, self.elections)?;
        write!(f, ", sleep {}, worker-sleep {}", self.sleep.as_millis(), settings.timing.worker_sleep.as_millis())?;
        write!(f, ", wait {}, initiators {}", settings.timing.wait.as_millis(), self.initiators)?;
        write!(f, ", seed {}, plain {}, json {}, {}", settings.seed, self.plain, self.json, self.plan)?;
        let file = log.file.as_ref().map_or("none".into(), |path| path.display().to_string());
        write!(f, "log {}, log-file {file}, log-date {}, log-level {}", log.console, log.date, log.level)
    }
}

/// A seed that nobody can foresee, short enough to be typed again.
fn any_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 32
}

/// The command line that repeats the run, with the options from the file.
fn repeat_line(args: &RingArgs, size: u32, seed: u64) -> String {
    let texts = |moments: &[Moment]| moments.iter().map(ToString::to_string).collect::<Vec<_>>();
    line::write(
        "ring",
        &json!({
            "size": size,
            "number-of-elections": args.number_of_elections,
            "sleep": args.sleep,
            "worker-sleep": args.worker_sleep,
            "wait": args.wait,
            "initiators": args.initiators.as_ref().map(ToString::to_string),
            "stop": texts(&args.stop),
            "pause": args.pause.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "restart": texts(&args.restart),
            "seed": seed,
        }),
    )
}
