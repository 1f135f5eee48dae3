//! `bellwether run`: one election, simulated.

use std::io::Write;
use std::process::ExitCode;

use bellwether_core::Info;
use bellwether_world::host::{Error, Wishes};
use bellwether_world::{Outcome, Report, Scenario};

use crate::args::RunArgs;
use crate::failure::{self, Done, Failure};
use crate::input;
use crate::outputs::Outputs;
use crate::progress::{self, Progress};
use crate::screen::Screen;
use crate::show::{self, Detail, Proved};

/// Holds an election.
pub fn run(args: &RunArgs) -> Done {
    progress::stop_cleanly_on_request();
    let info = input::algorithm(&args.algorithm)?;
    let scenario = input::scenario(args, info)?;
    let mut outputs = Outputs::new((!args.json).then(|| Screen::new(info, &scenario, args.events)));
    if let Some(path) = &args.trace {
        outputs.trace(path, &scenario)?;
    }
    if let Some(path) = &args.shiviz {
        outputs.shiviz(path, &scenario)?;
    }
    let report = play(args, info, &scenario, &mut outputs).map_err(|error| Failure::Usage(error.to_string()))?;
    let screen = outputs.finish(&report)?;
    let mut out = anstream::stdout().lock();
    let repeat = input::repeat_line(args, info);
    let stopped = (report.outcome == Outcome::Limit).then(|| stopped_by(&scenario));
    match screen {
        None => {
            let detail = match (args.stats, args.full) {
                (false, _) => Detail::None,
                (true, false) => Detail::Stats,
                (true, true) => Detail::ByNode,
            };
            let mut json = show::json(info, &scenario, &report, detail, &repeat);
            stopped.iter().for_each(|stopped| json.put("stopped", stopped));
            writeln!(out, "{json}")?;
        }
        Some(screen) => {
            screen.end(&mut out)?;
            let stopped = stopped.map(|stopped| ("stopped", stopped));
            let closing = [("seed", scenario.seed.to_string()), ("repeat", repeat)];
            let closing: Vec<_> = stopped.into_iter().chain(closing).collect();
            show::human(&mut out, info, &scenario, &report, args.stats, &closing)?;
        }
    }
    out.flush()?;
    Ok(exit_code(&report))
}

/// Why a run was stopped.
fn stopped_by(scenario: &Scenario) -> String {
    if progress::was_interrupted() {
        return "interrupted".into();
    }
    format!("after {} events; --limit N allows more", show::grouped(scenario.limit))
}

/// The exit code that tells how a run ended.
pub fn exit_code(report: &Report) -> ExitCode {
    ExitCode::from(match report.outcome {
        // What was seen to be broken before the run was stopped stays broken.
        Outcome::Limit if report.violations.is_empty() => failure::UNKNOWN,
        _ if report.is_right() => failure::RIGHT,
        _ => failure::BROKEN,
    })
}

fn play(args: &RunArgs, info: &'static Info, scenario: &Scenario, outputs: &mut Outputs) -> Result<Report, Error> {
    let proved = Proved::new(info, scenario);
    let starts = f64::from(scenario.initiator_count());
    let mut progress = Progress::new(proved.mean.map(|mean| mean + starts), proved.worst.map(|worst| worst + starts));
    let wanted = outputs.are_wanted();
    let mut record = |event| outputs.event(event);
    let wishes = Wishes {
        record: if wanted { Some(&mut record) } else { None },
        watch: &mut progress,
        count_sends: args.stats,
        full: args.full,
    };
    bellwether_play::play(scenario, wishes).expect("the catalogue has it")
}
