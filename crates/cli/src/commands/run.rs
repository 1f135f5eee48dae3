//! `bellwether run` and `bellwether live`: elections, simulated or on real threads.

use std::io::Write;
use std::process::ExitCode;

use bellwether_ask::{Election, Prepared, Units};
use bellwether_console::failure::{self, Done, Failure};
use bellwether_console::progress::{self, Progress};
use bellwether_console::{Here, files};
use bellwether_net::Wiring;
use bellwether_sim::shrink::Shrunk;
use bellwether_tell::{Detail, Lemmas};
use bellwether_world::host::{Bytes, Count, Error, LemmaCount, PhaseCount, Watcher, Wishes};
use bellwether_world::{Chaos, Outcome, Property, Proved, Report, Scenario, Time, numbers};

use crate::args::{ElectionArgs, LiveArgs, RunArgs};
use crate::lemmas;
use crate::outputs::Outputs;
use crate::screen::Screen;
use crate::show;

/// Holds an election, simulated.
pub fn run(args: &RunArgs) -> Done {
    let (election, shrunk) = if args.shrink { shrink(args.election())? } else { (args.election(), None) };
    let mut player = |election: &Prepared, wishes: Wishes<'_>| bellwether_play::play(&election.scenario, wishes);
    Holding { args: &args.election, stats: args.stats, shrunk }.hold(election, &mut player)
}

/// The smallest election that goes wrong as this one does, and how it was found.
fn shrink(election: Election) -> Result<(Election, Option<Smaller>), Failure> {
    let files = election.files().map(|file| file.is_some_and(|path| path.as_os_str() == "-"));
    if files.contains(&true) {
        return Err(Failure::Usage("--shrink: standard input can be read only once: take a file".into()));
    }
    let asked = election.clone();
    let Prepared { scenario, .. } = election.prepare(&Here)?;
    progress::stop_cleanly_on_request();
    let mut progress = Progress::new(None);
    let shrunk = bellwether_play::shrink(&scenario, &mut progress).expect("the catalogue has it");
    let Some(Shrunk { scenario: small, breaks, faults_before, tried }) =
        shrunk.map_err(|error| Failure::Usage(error.to_string()))?
    else {
        return Ok((asked, Some(Smaller::Nothing)));
    };
    let faults = (faults_before, small.faults.len());
    let fault = small.faults.iter().map(|fault| fault.among(&small.topology)).collect();
    let until = small.until.and_then(Time::as_span).map(Units).or(asked.until);
    let time = scenario.until.zip(small.until);
    Ok((Election { fault, until, ..asked }, Some(Smaller::Found { breaks, faults, time, tried })))
}

/// What came of shrinking.
enum Smaller {
    /// The run breaks nothing.
    Nothing,
    /// A smaller run.
    Found {
        /// What both break.
        breaks: Property,
        /// The number of faults before and after. A rate counts as the messages that it struck.
        faults: (usize, usize),
        /// The end of the run before and after, if it has one.
        time: Option<(Time, Time)>,
        /// How many runs were tried.
        tried: u64,
    },
}

impl Smaller {
    fn in_words(&self) -> String {
        match self {
            Self::Nothing => "nothing: the run breaks no property".into(),
            Self::Found { breaks, faults: (before, after), time, tried } => {
                let time = time.map_or(String::new(), |(before, after)| format!(" and from {before} to {after} units"));
                let faults = if *after == 1 { "1 fault".into() } else { format!("{after} faults") };
                let tried = numbers::grouped(*tried);
                format!("from {before} to {faults}{time}; still broken: {breaks} ({tried} runs)")
            }
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Self::Nothing => serde_json::Value::Null,
            Self::Found { breaks, faults: (before, after), tried, .. } => {
                serde_json::json!({"breaks": breaks.key(), "faults": [before, after], "tried": tried})
            }
        }
    }
}

/// Holds an election on real threads.
pub fn live(args: &LiveArgs) -> Done {
    if args.timing.is_some() {
        let reason = "on real threads messages take what time they take: leave --timing out; --latency 1..5ms holds \
                      every message up";
        return Err(Failure::Usage(reason.into()));
    }
    let mut player = |election: &Prepared, wishes: Wishes<'_>| {
        bellwether_play::live(&election.scenario, election.threads()?, wishes)
    };
    Holding { args: &args.election, stats: false, shrunk: None }.hold(args.election(), &mut player)
}

/// Plays an election, if the catalogue has its algorithm.
type Player<'a> = dyn FnMut(&Prepared, Wishes<'_>) -> Option<Result<Report, Error>> + 'a;

/// An election and its options.
struct Holding<'a> {
    args: &'a ElectionArgs,
    stats: bool,
    /// What came of shrinking, if that was asked for.
    shrunk: Option<Smaller>,
}

impl Holding<'_> {
    fn hold(&self, election: Election, player: &mut Player<'_>) -> Done {
        let args = self.args;
        if let Some(nodes) = &args.nodes {
            let reason = format!("the topology says how many nodes there are: use --topology ring:{nodes}");
            return Err(Failure::Usage(reason));
        }
        let [svg, png, html] = args.draw.files();
        let written = [("--trace", &args.trace), ("--shiviz", &args.shiviz), svg, png, html];
        files::own_files(&written, &election.files()).map_err(Failure::Usage)?;
        let name = election.algorithm.clone();
        let is_random = election.fault.iter().any(|text| Chaos::is_meant(text));
        let election = election.prepare(&Here)?;
        if let Some(taken) = bellwether_ask::taken_as(&name, election.info) {
            let _ = writeln!(anstream::stderr(), "note: {taken}");
        }
        let (info, scenario, repeat) = (election.info, &election.scenario, election.repeat());
        if is_random && scenario.faults.is_empty() {
            let kept = "what would break an assumption is left out, unless --force keeps it";
            let _ = writeln!(anstream::stderr(), "note: no random fault was drawn: {kept}");
        }
        progress::stop_cleanly_on_request();
        let mut outputs = Outputs::new((!args.json).then(|| Screen::new(info, scenario, args.events)));
        if let Some(path) = &args.trace {
            outputs.trace(path, scenario)?;
        }
        if let Some(path) = &args.shiviz {
            outputs.shiviz(path, scenario)?;
        }
        outputs.draw(&args.draw, info, scenario, &repeat)?;
        let report = self.play(&election, &mut outputs, player);
        let (report, facts) = report.map_err(|error| Failure::Usage(error.to_string()))?;
        let screen = outputs.finish(scenario, &report)?;
        failure::unless_closed(self.tell(&election, repeat, &facts, &report, screen))?;
        Ok(exit_code(&report))
    }

    fn play(
        &self,
        election: &Prepared,
        outputs: &mut Outputs,
        player: &mut Player<'_>,
    ) -> Result<(Report, Facts), Error> {
        let Prepared { info, scenario, .. } = election;
        let expected = Proved::new(info, scenario).with_announcement().expected();
        let mut progress = Progress::new(expected);
        let mut lemmas = Lemmas::new(scenario);
        let wanted = outputs.are_wanted() || lemmas.are_wanted();
        let mut record = |event| {
            lemmas.event(&event);
            outputs.event(event);
        };
        let record: Option<&mut dyn FnMut(_)> = if wanted { Some(&mut record) } else { None };
        let wishes = Wishes {
            record,
            count: if self.stats { Count::InFlight } else { Count::Messages },
            full: self.args.full,
            phases: PhaseCount::is_wanted(scenario, self.args.full),
            ..Wishes::none(&mut progress)
        };
        let report = player(election, wishes).expect("the catalogue has it")?;
        let mut state_bits = None;
        if self.stats && report.stats.events <= FEW_EVENTS {
            // The same run once more, on an engine that looks at states.
            let mut watch = Watcher;
            let wishes = Wishes { count: Count::States, ..Wishes::none(&mut watch) };
            state_bits = player(election, wishes).expect("the catalogue has it")?.stats.state_bits;
        }
        let counted = lemmas.counted(info, scenario, &report);
        // A recorded run takes more memory than one that nobody records. Only the latter is told.
        let bytes = progress.bytes.filter(|_| self.stats && !wanted);
        progress.conclude(report.messages());
        Ok((report, Facts { bytes, state_bits, counted }))
    }

    /// Reports the outcome of a run.
    fn tell(
        &self,
        election: &Prepared,
        repeat: String,
        Facts { bytes, state_bits, counted }: &Facts,
        report: &Report,
        screen: Option<Screen>,
    ) -> Result<(), Failure> {
        let Self { args, stats, shrunk } = self;
        let Prepared { info, scenario, left_out, .. } = election;
        let mut out = anstream::stdout().lock();
        let stopped = (report.outcome == Outcome::Limit).then(|| stopped_by(scenario));
        let crew = election.threads();
        match screen {
            None => {
                let detail = match (stats, args.full) {
                    (false, _) => Detail::None,
                    (true, false) => Detail::Stats,
                    (true, true) => Detail::ByNode,
                };
                let mut json = bellwether_tell::json(info, scenario, report, detail, &repeat);
                crew.iter().for_each(|threads| json.put("threads", threads));
                if let &Some(Bytes { node, message }) = bytes {
                    json.put("bytes", &serde_json::json!({"node": node, "message": message}));
                }
                state_bits.iter().for_each(|bits| json.put("state_bits", bits));
                shrunk.iter().for_each(|shrunk| json.put("shrunk", &shrunk.json()));
                bellwether_tell::lemmas::put(counted, &mut json);
                scenario.told_bound(info).iter().for_each(|bound| json.put("diameter", bound));
                stopped.iter().for_each(|stopped| json.put("stopped", stopped));
                if args.largest_component {
                    json.put("left_out", left_out);
                }
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
                let written = files::written([&args.trace, &args.shiviz].into_iter().chain(pictures));
                let state = state_bits.map(|bits| {
                    let bits = numbers::grouped(bits);
                    ("state", format!("at most {bits} bits a node, each variable as a binary number"))
                });
                let facts = lemmas::lines(counted).chain(stopped).chain(show::left_out(*left_out));
                let shrunk = shrunk.as_ref().map(|shrunk| ("shrunk", shrunk.in_words()));
                let facts = facts.chain(crew).chain(bound).chain(state).chain(memory).chain(shrunk);
                let closing: Vec<_> = facts.chain(written).chain(closing).collect();
                show::human(&mut out, info, scenario, report, *stats, &closing)?;
            }
        }
        Ok(out.flush()?)
    }
}

/// The largest number of events of a run that is played once more for the lengths of states.
const FEW_EVENTS: u64 = 1_000_000;

/// What is told of a run beside its report.
struct Facts {
    /// Its memory.
    bytes: Option<Bytes>,
    /// The longest state of a process.
    state_bits: Option<u64>,
    /// What the lemmas of its paper count.
    counted: Vec<LemmaCount>,
}

/// The distribution of nodes over threads, in words.
fn hosted(threads: u32, nodes: u32) -> String {
    let spread = if threads == nodes { "one a node" } else { "with nodes in groups" };
    format!("{}, {spread}", numbers::grouped(threads))
}

/// The reason why a run was stopped.
fn stopped_by(scenario: &Scenario) -> String {
    if progress::was_interrupted() {
        return "interrupted".into();
    }
    if progress::was_starved() {
        return "the run takes all the memory that there is: take fewer nodes".into();
    }
    bellwether_tell::stopped(scenario)
}

/// The exit code for the outcome of a run.
pub fn exit_code(report: &Report) -> ExitCode {
    ExitCode::from(match () {
        // A property that was broken before the run was stopped stays broken.
        () if !report.violations.is_empty() => failure::BROKEN,
        () if report.is_right() => failure::RIGHT,
        () => failure::UNKNOWN,
    })
}
