//! What was asked for, with the defaults filled in and checked.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use bellwether_live::ring::{Settings, Timing};
use bellwether_world::initiators::Initiators;

use super::options::{LogLevel, RingArgs, Size};
use super::plan::Plan;
use crate::drawing::DrawArgs;
use crate::failure::Failure;

/// A run of `bellwether ring`.
#[derive(Debug)]
pub struct Config {
    /// What the ring is made of.
    pub settings: Settings,
    /// How many elections are held; 0 for no end.
    pub elections: u64,
    /// How long to wait after each.
    pub sleep: Duration,
    /// Who starts.
    pub initiators: Initiators,
    /// What goes wrong.
    pub plan: Plan,
    /// Whether there is no live view.
    pub plain: bool,
    /// Whether programs read the results.
    pub json: bool,
    /// What is logged, and where to.
    pub log: Log,
    /// The command line that repeats the run.
    pub repeat: String,
    /// What is drawn of it.
    pub draw: DrawArgs,
}

/// What is logged, and where to.
#[derive(Clone, Debug)]
pub struct Log {
    /// On standard error.
    pub console: bool,
    /// At the end of a file.
    pub file: Option<PathBuf>,
    /// With the date.
    pub date: bool,
    /// This, and everything more important.
    pub level: LogLevel,
    /// Also the configuration.
    pub config: bool,
}

impl Config {
    /// Fills in what was not said, and refuses what makes no sense.
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
            settings: Settings {
                size,
                seed: args.seed.unwrap_or(1),
                timing: Timing {
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
            repeat: repeat_line(&args, size),
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

/// Everything, by the names of the options.
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

/// What repeats the run: everything that was said about it, in the file too.
fn repeat_line(args: &RingArgs, size: u32) -> String {
    let mut line = format!("bellwether ring {size}");
    let mut say = |name: &str, value: Option<&dyn fmt::Display>| {
        if let Some(value) = value {
            line += &format!(" --{name} {value}");
        }
    };
    fn shown<T: fmt::Display>(value: &Option<T>) -> Option<&dyn fmt::Display> {
        value.as_ref().map(|value| value as &dyn fmt::Display)
    }
    say("number-of-elections", shown(&args.number_of_elections));
    say("sleep", shown(&args.sleep));
    say("worker-sleep", shown(&args.worker_sleep));
    say("wait", shown(&args.wait));
    say("initiators", shown(&args.initiators));
    args.stop.iter().for_each(|moment| say("stop", Some(moment)));
    args.pause.iter().for_each(|pause| say("pause", Some(pause)));
    args.restart.iter().for_each(|moment| say("restart", Some(moment)));
    say("seed", Some(&args.seed.unwrap_or(1)));
    line
}
