//! `bellwether sweep`: many algorithms on networks of many sizes, measured beside what is proved.

pub mod args;
mod hold;
mod journal;
mod letters;
mod networks;
mod plan;
mod plot;
mod row;
mod sizes;
mod statistics;
mod summary;
mod tell;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use clap::Parser;

use self::args::{Shard, SweepArgs};
use self::journal::Journal;
use self::plan::Plan;
use self::row::Row;
use self::tell::Tale;
use crate::args::{Cli, Command};
use crate::draft::Draft;
use crate::failure::{self, Done, Failure};
use crate::{input, progress};

/// Holds a sweep, or puts the parts of one together.
pub fn sweep(args: &SweepArgs) -> Done {
    let read: Vec<Option<&Path>> = args.merge.iter().map(|part| Some(part.as_path())).collect();
    input::own_files(&[("--csv", &args.csv), ("--plot", &args.plot)], &read).map_err(Failure::Usage)?;
    let canvas = plot::canvas(args)?;
    let (plan, rows) = if args.merge.is_empty() { hold(args)? } else { merge(args)? };
    let planned = plan.part(args.shard.unwrap_or(Shard::WHOLE)).count() as u64;
    let curves = summary::curves(&plan, &rows, args.quantity);
    let tale = Tale { args, plan: &plan, rows: &rows, planned, curves: &curves };
    canvas.write(&plot::svg(&tale))?;
    let mut out = anstream::stdout().lock();
    let told = if args.json { tale.json().and_then(|json| Ok(writeln!(out, "{json}")?)) } else { tale.human(&mut out) };
    failure::unless_closed(told)?;
    Ok(exit_code(&tale))
}

fn hold(args: &SweepArgs) -> Result<(Plan, Vec<Row>), Failure> {
    progress::stop_cleanly_on_request();
    let plan = Plan::new(args)?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let (journal, rows) = match &args.csv {
        None => (None, vec![]),
        Some(path) if args.resume => {
            let (journal, rows) = Journal::resume(path, &plan, shard)?;
            (Some(journal), rows)
        }
        Some(path) => (Some(Journal::create(path, &plan, shard)?), vec![]),
    };
    let cores = || thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = args.threads.map_or_else(cores, |threads| threads as usize);
    let rows = hold::hold(&plan, plan.part(shard), journal, rows, threads)?;
    Ok((plan, rows))
}

fn merge(args: &SweepArgs) -> Result<(Plan, Vec<Row>), Failure> {
    let plan = planned(&args.merge[0], &journal::definition(&args.merge)?)?;
    let rows = journal::merge(&args.merge, &plan)?;
    if let Some(path) = &args.csv {
        let mut draft = Draft::new(path)?;
        let written = journal::write(&mut draft, &rows).and_then(|()| draft.keep());
        written.map_err(|error| Failure::output(path, error))?;
    }
    Ok((plan, rows))
}

/// The plan of the sweep that this line determines, which stands in a file.
fn planned(path: &Path, definition: &str) -> Result<Plan, Failure> {
    let unreadable = || Failure::file(path, format!("its sweep is not one that can be read: {definition}"));
    let words = shlex::split(definition).ok_or_else(unreadable)?;
    match Cli::try_parse_from(words).map_err(|_| unreadable())?.command {
        Command::Sweep(args) if args.merge.is_empty() => Plan::new(&args),
        _ => Err(unreadable()),
    }
}

/// The exit code that tells how the elections went.
fn exit_code(tale: &Tale<'_>) -> ExitCode {
    let limited = tale.wrong().all(|row| row.outcome == "limit");
    ExitCode::from(match tale.wrong().next() {
        Some(_) if !limited => failure::BROKEN,
        None if tale.is_complete() => failure::RIGHT,
        _ => failure::UNKNOWN,
    })
}
