//! `bellwether run`: one election, simulated.

use std::io::Write;
use std::process::ExitCode;

use bellwether_algorithms::registry::{self, Visitor};
use bellwether_core::{Info, Model, Process, Rounds};
use bellwether_sim::{Error, Wishes, play_process, play_rounds};
use bellwether_world::{Outcome, Report, Scenario, Timing};

use crate::args::RunArgs;
use crate::failure::{self, Done, Failure};
use crate::input;
use crate::outputs::Outputs;
use crate::picture::Picture;
use crate::progress::{self, Progress};
use crate::show::{self, BOLD, DIM, Proved};

/// Holds an election.
pub fn run(args: &RunArgs) -> Done {
    progress::stop_cleanly_on_ctrl_c();
    let info = input::algorithm(&args.algorithm)?;
    let scenario = input::scenario(args, info)?;
    let mut outputs = Outputs::new(&scenario, info.is_anonymous());
    if let Some(path) = &args.trace {
        outputs.trace(path, &scenario)?;
    }
    if let Some(path) = &args.shiviz {
        outputs.shiviz(path)?;
    }
    if args.events {
        outputs.listing();
    } else if !args.json {
        outputs.picture = Picture::new(&scenario, info.is_anonymous());
    }
    if !args.json {
        title(info, &scenario)?;
    }
    let report = play(args, info, &scenario, &mut outputs).map_err(|error| Failure::Usage(error.to_string()))?;
    let picture = outputs.finish(&report)?;
    let mut out = anstream::stdout().lock();
    let repeat = input::repeat_line(args);
    if args.json {
        let mut json = show::json(info, &scenario, &report, args.stats, &repeat);
        if report.outcome == Outcome::Limit {
            json.put("stopped", &stopped_by(&scenario));
        }
        writeln!(out, "{json}")?;
    } else {
        match picture {
            Some(picture) => picture.write(&mut out)?,
            None if args.events => writeln!(out)?,
            None => {}
        }
        let mut closing = vec![("seed", scenario.seed.to_string()), ("repeat", repeat)];
        if report.outcome == Outcome::Limit {
            closing.insert(0, ("stopped", stopped_by(&scenario)));
        }
        show::human(&mut out, info, &scenario, &report, args.stats, &closing)?;
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

/// A line that says what is run.
pub fn title(info: &Info, scenario: &Scenario) -> Result<(), Failure> {
    let starters = match scenario.initiator_count() {
        _ if scenario.all_start() => "everybody starts".into(),
        1 if !scenario.start_together() => "1 wake-up".into(),
        count if !scenario.start_together() => format!("{count} wake-ups"),
        1 => format!("node {} starts", scenario.electorate().initiators().map(|(node, _)| node).next().unwrap_or(0)),
        count => format!("{count} nodes start"),
    };
    let timing = match (scenario.timing, info.model) {
        (Timing::Rounds, _) => "in rounds".into(),
        (timing, Model::Asynchronous) => format!("{timing} delays"),
        (timing, Model::Synchronous) => format!("{timing} delays, through a synchronizer"),
    };
    let again = if scenario.elections > 1 { format!(" · {} elections", scenario.elections) } else { String::new() };
    let forced = if scenario.forced { " · forced" } else { "" };
    let mut out = anstream::stdout().lock();
    let Scenario { algorithm, topology, .. } = scenario;
    writeln!(out, "{BOLD}{algorithm}{BOLD:#} on {topology} {DIM}· {timing} · {starters}{again}{forced}{DIM:#}\n")?;
    Ok(())
}

fn play(args: &RunArgs, info: &'static Info, scenario: &Scenario, outputs: &mut Outputs) -> Result<Report, Error> {
    struct Play<'a>(&'a Scenario, Wishes<'a>);
    impl Visitor for Play<'_> {
        type Output = Result<Report, Error>;

        fn process<P: Process>(self) -> Self::Output {
            play_process::<P>(self.0, self.1)
        }

        fn rounds<R: Rounds>(self) -> Self::Output {
            play_rounds::<R>(self.0, self.1)
        }
    }
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
    registry::visit(info.name, Play(scenario, wishes)).expect("the catalogue has it")
}
