//! `bellwether sweep`: many algorithms on networks of many sizes, measured and compared with proved bounds.

pub mod args;
mod bar;
mod tell;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bellwether_ask::Swept;
use bellwether_console::draft::{self, Draft};
use bellwether_console::drawing::{Canvas, ground};
use bellwether_console::failure::{self, Done, Failure};
use bellwether_console::{Here, files, progress};
use bellwether_measure::{Error, Findings, Journal, Plan, Row, Shard, hold as hold_all, journal, plot};
use bellwether_resources::pool;

use self::args::SweepArgs;
use self::bar::Bar;
use self::tell::SweepReport;

/// Holds a sweep, or merges the parts of one.
pub fn sweep(args: &SweepArgs) -> Done {
    own_files(args).map_err(Failure::Usage)?;
    let canvas = canvas(args)?;
    let (plan, rows) = if args.merge.is_empty() { hold(args)? } else { merge(args)? };
    let findings = Findings::new(&plan, &rows, args.quantity, args.shard);
    canvas.write(&plot::svg(&findings))?;
    let report = SweepReport { args, findings: &findings };
    let mut out = anstream::stdout().lock();
    let told =
        if args.json { report.json().and_then(|json| Ok(writeln!(out, "{json}")?)) } else { report.human(&mut out) };
    failure::unless_closed(told)?;
    files::tell_written([&args.csv, &args.plot]);
    Ok(exit_code(&findings))
}

/// Makes sure that nothing is written over what is read, or into a folder of networks.
fn own_files(args: &SweepArgs) -> Result<(), String> {
    let networks = args.topology.iter().filter_map(|swept| match swept {
        Swept::Given(topology) => topology.file(),
        Swept::Kind(_) => None,
    });
    let read: Vec<Option<&Path>> = args.merge.iter().map(PathBuf::as_path).chain(networks.clone()).map(Some).collect();
    let written = [("--csv", &args.csv), ("--plot", &args.plot)];
    files::own_files(&written, &read)?;
    for (option, path) in written.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?))) {
        let folder = path.parent().map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
        let folder = folder.and_then(|folder| folder.canonicalize().ok());
        let is_swept = |network: &Path| network.is_dir() && network.canonicalize().ok() == folder;
        if networks.clone().any(is_swept) {
            return Err(format!("{option} would lie among the networks, in the folder that is read: put it elsewhere"));
        }
    }
    Ok(())
}

fn hold(args: &SweepArgs) -> Result<(Plan, Vec<Row>), Failure> {
    progress::stop_cleanly_on_request();
    let plan = Plan::new(&args.sweep(), &Here)?;
    plan.tells(args.quantity)?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    args.csv.iter().try_for_each(|path| draft::expect_folder(path))?;
    let (journal, rows) = match &args.csv {
        None => (None, vec![]),
        Some(path) if args.resume => {
            let (journal, rows) = Journal::resume(path, &plan, shard, &Here).map_err(failed)?;
            (Some(journal), rows)
        }
        Some(path) => (Some(Journal::create(path, &plan, shard, &Here).map_err(failed)?), vec![]),
    };
    let threads = args.threads.map_or_else(pool::cores, |threads| threads as usize);
    let bar = Bar::new(&plan, plan.part(shard), rows.len());
    let rows = hold_all(&plan, plan.part(shard), journal, rows, threads, &Here, &bar).map_err(failed)?;
    drop(bar);
    Ok((plan, rows))
}

fn merge(args: &SweepArgs) -> Result<(Plan, Vec<Row>), Failure> {
    let plan = Plan::new(&journal::sweep(&args.merge, &Here).map_err(failed)?, &Here)?;
    plan.tells(args.quantity)?;
    let rows = journal::merge(&args.merge, &plan, &Here).map_err(failed)?;
    if let Some(path) = &args.csv {
        let mut draft = Draft::new(path)?;
        let written = journal::write(&mut draft, &rows).and_then(|()| draft.keep());
        written.map_err(|error| Failure::output(path, error))?;
    }
    Ok((plan, rows))
}

fn failed(error: Error) -> Failure {
    match error {
        Error::Refused(refusal) => refusal.into(),
        Error::Output(path, error) => Failure::output(&path, error),
    }
}

/// Begins the file of the chart. Its extension determines the format.
fn canvas(args: &SweepArgs) -> Result<Canvas, Failure> {
    let ending = |wanted: &str| {
        let is = |path: &&PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted));
        args.plot.as_ref().filter(is).cloned()
    };
    let (svg, png) = (ending("svg"), ending("png"));
    if let (Some(path), None, None) = (&args.plot, &svg, &png) {
        return Err(Failure::Usage(format!("--plot: {} ends neither in .svg nor in .png", path.display())));
    }
    if args.dark && png.is_none() {
        return Err(Failure::Usage("--dark is for a PNG: an SVG follows the theme of its viewer".into()));
    }
    Canvas::new(&svg, &png, ground(args.dark))
}

/// The exit code for the elections of a sweep.
fn exit_code(findings: &Findings<'_>) -> ExitCode {
    ExitCode::from(match () {
        () if findings.wrong().next().is_some() => failure::BROKEN,
        () if findings.is_complete() && findings.unknown().next().is_none() => failure::RIGHT,
        () => failure::UNKNOWN,
    })
}
