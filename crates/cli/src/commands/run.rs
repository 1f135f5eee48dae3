//! `bellwether run` and `bellwether live`: elections, simulated or on real threads.

use std::io::Write;
use std::process::ExitCode;
use std::thread;

use bellwether_core::Info;
use bellwether_world::host::{Bytes, Count, Error, Wishes};
use bellwether_world::{Outcome, Report, Scenario, Wiring};

use crate::args::{LiveArgs, RunArgs};
use crate::failure::{self, Done, Failure};
use crate::input::{self, Way};
use crate::outputs::Outputs;
use crate::progress::{self, Progress};
use crate::screen::Screen;
use crate::show::{self, Detail, Proved};

/// Holds an election, simulated.
pub fn run(args: &RunArgs) -> Done {
    hold(Way::Run(args), args.stats, &mut bellwether_play::play)
}

/// Holds an election on real threads.
pub fn live(args: &LiveArgs) -> Done {
    hold(Way::Live(args), false, &mut |scenario, wishes| {
        bellwether_play::live(scenario, threads(args, scenario), wishes)
    })
}

/// Up to so many nodes have a thread each.
const MOST_THREADS: u32 = 2_000;

/// On how many threads a live run is held.
fn threads(args: &LiveArgs, scenario: &Scenario) -> u32 {
    let nodes = scenario.topology.nodes();
    let cores = || thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    args.threads.unwrap_or_else(|| if nodes <= MOST_THREADS { nodes } else { cores() }).min(nodes)
}

/// Plays a scenario, if the catalogue has its algorithm.
type Player<'a> = dyn FnMut(&Scenario, Wishes<'_>) -> Option<Result<Report, Error>> + 'a;

fn hold(way: Way<'_>, stats: bool, player: &mut Player<'_>) -> Done {
    let args = way.election();
    let info = input::algorithm(&args.algorithm)?;
    let scenario = input::scenario(way, info)?;
    progress::stop_cleanly_on_request();
    let mut outputs = Outputs::new((!args.json).then(|| Screen::new(info, &scenario, args.events)));
    if let Some(path) = &args.trace {
        outputs.trace(path, &scenario)?;
    }
    if let Some(path) = &args.shiviz {
        outputs.shiviz(path, &scenario)?;
    }
    let repeat = input::repeat_line(way, info, &scenario);
    outputs.draw(&args.draw, info, &scenario, &repeat)?;
    let report = play(stats, args.full, info, &scenario, &mut outputs, player);
    let (report, bytes) = report.map_err(|error| Failure::Usage(error.to_string()))?;
    let bytes = bytes.filter(|_| stats);
    let screen = outputs.finish(&scenario, &report)?;
    failure::unless_closed(tell(way, bytes, stats, info, &scenario, &report, screen))?;
    Ok(exit_code(&report))
}

/// Tells what came of a run.
fn tell(
    way: Way<'_>,
    bytes: Option<Bytes>,
    stats: bool,
    info: &Info,
    scenario: &Scenario,
    report: &Report,
    screen: Option<Screen>,
) -> Result<(), Failure> {
    let args = way.election();
    let mut out = anstream::stdout().lock();
    let repeat = input::repeat_line(way, info, scenario);
    let stopped = (report.outcome == Outcome::Limit).then(|| stopped_by(scenario));
    let crew = if let Way::Live(args) = way { Some(threads(args, scenario)) } else { None };
    match screen {
        None => {
            let detail = match (stats, args.full) {
                (false, _) => Detail::None,
                (true, false) => Detail::Stats,
                (true, true) => Detail::ByNode,
            };
            let mut json = show::json(info, scenario, report, detail, &repeat);
            crew.iter().for_each(|threads| json.put("threads", threads));
            if let Some(Bytes { node, message }) = bytes {
                json.put("bytes", &serde_json::json!({"node": node, "message": message}));
            }
            scenario.told_bound(info).iter().for_each(|bound| json.put("diameter", bound));
            stopped.iter().for_each(|stopped| json.put("stopped", stopped));
            writeln!(out, "{json}")?;
        }
        Some(screen) => {
            screen.end(&mut out)?;
            let stopped = stopped.map(|stopped| ("stopped", stopped));
            let crew = crew.map(|threads| ("threads", hosted(threads, scenario.topology.nodes())));
            let closing = [("seed", scenario.seed.to_string()), ("repeat", repeat)];
            let memory = bytes.map(|Bytes { node, message }| {
                ("memory", format!("{node} bytes a node, {message} a message under way, besides the network"))
            });
            let bound = scenario.told_bound(info).map(|bound| ("diameter", show::told_bound(bound)));
            let pictures = args.draw.files().map(|(_, path)| path);
            let written = show::written([&args.trace, &args.shiviz].into_iter().chain(pictures));
            let closing: Vec<_> =
                stopped.into_iter().chain(crew).chain(bound).chain(memory).chain(written).chain(closing).collect();
            show::human(&mut out, info, scenario, report, stats, &closing)?;
        }
    }
    Ok(out.flush()?)
}

/// How nodes are spread over threads.
fn hosted(threads: u32, nodes: u32) -> String {
    let spread = if threads == nodes { "one a node" } else { "with nodes in groups" };
    format!("{}, {spread}", show::grouped(threads))
}

/// Why a run was stopped.
fn stopped_by(scenario: &Scenario) -> String {
    if progress::was_interrupted() {
        return "interrupted".into();
    }
    if progress::was_starved() {
        return "the run takes all the memory that there is: take fewer nodes".into();
    }
    let events = if scenario.limit == 1 { "event" } else { "events" };
    format!("after {} {events}; --limit N allows more", show::grouped(scenario.limit))
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

fn play(
    stats: bool,
    full: bool,
    info: &Info,
    scenario: &Scenario,
    outputs: &mut Outputs,
    player: &mut Player<'_>,
) -> Result<(Report, Option<Bytes>), Error> {
    let proved = Proved::new(info, scenario).with_announcement();
    let mut progress = Progress::new(proved.expected());
    let wanted = outputs.are_wanted();
    let mut record = |event| outputs.event(event);
    let record: Option<&mut dyn FnMut(_)> = if wanted { Some(&mut record) } else { None };
    let wishes = Wishes {
        record,
        count: if stats { Count::InFlight } else { Count::Messages },
        full,
        ..Wishes::none(&mut progress)
    };
    let report = player(scenario, wishes).expect("the catalogue has it")?;
    let bytes = progress.bytes;
    progress.conclude(report.messages());
    Ok((report, bytes))
}
