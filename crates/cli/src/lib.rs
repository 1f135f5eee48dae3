//! `bellwether`: the command line becomes a scenario, a host plays it, and a report is written.

#![warn(clippy::unwrap_used)]

mod args;
mod commands;
mod contest;
mod lemmas;
mod outputs;
mod picture;
mod screen;
mod show;
mod usage;

use std::process::ExitCode;

use bellwether_console::{failure, progress};
use clap::Parser;

use crate::args::{Cli, Command};

/// Runs the command line. Returns the exit code.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| usage::advised(error).exit());
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
        Command::Topology(args) => commands::topology::topology(&args),
        Command::Replay(args) => commands::replay::replay(&args),
        Command::Ring(args) => bellwether_ring::ring(*args),
    };
    done.unwrap_or_else(failure::Failure::report)
}
