//! `bellwether`: the command line becomes a scenario, a host plays it, and a report is written.

#![warn(clippy::unwrap_used)]

mod args;
mod commands;
mod contest;
mod help;
mod lemmas;
mod outputs;
mod screen;
mod show;
mod usage;

use std::process::ExitCode;

use bellwether_console::{failure, progress};
use clap::{CommandFactory, FromArgMatches};

use crate::args::{Cli, Command};

/// Runs the command line. Returns the exit code.
#[must_use]
pub fn main() -> ExitCode {
    let typed = || -> Vec<String> { std::env::args_os().map(|word| word.to_string_lossy().into()).collect() };
    let mut command = help::grouped(Cli::command());
    let parsed = command.try_get_matches_from_mut(std::env::args_os());
    let parsed = parsed.and_then(|found| Cli::from_arg_matches(&found).map_err(|error| error.format(&mut command)));
    let cli = parsed.unwrap_or_else(|error| usage::advised(error, &typed()).exit());
    progress::end_on_request();
    let done = match cli.command {
        Command::List(args) => commands::list::list(&args),
        Command::Explain(args) => commands::explain::explain(&args),
        Command::Run(args) => commands::run::run(&args),
        Command::Live(args) => commands::run::live(&args),
        Command::Sweep(args) => commands::sweep::sweep(&args),
        Command::Compare(args) => commands::compare::compare(&args),
        Command::Check(args) => commands::check::check(&args),
        Command::Exact(args) => commands::exact::exact(&args),
        Command::Exercise(args) => commands::exercise::exercise(&args),
        Command::Topology(args) => commands::topology::topology(&args),
        Command::Replay(args) => commands::replay::replay(&args),
        Command::Ring(args) => bellwether_ring::ring(*args),
        Command::Lab(args) => commands::lab::lab(&args),
    };
    done.unwrap_or_else(failure::Failure::report)
}
