//! `bellwether compare`: several algorithms on the same network, with the same ids and delays.

use std::io::{self, Write};
use std::process::ExitCode;

use bellwether_core::Info;
use bellwether_draw::Caption;
use bellwether_draw::bars::{Bar, Bars, Column};
use bellwether_world::{Outcome, Report, Time, Topology, Wiring};
use clap::Args;
use serde_json::{Value, json};

use super::run;
use crate::contest::{Bout, ContestArgs};
use crate::drawing::ImageArgs;
use crate::failure::{self, Done, Failure};
use crate::input::{self, quoted};
use crate::progress::{self, Progress};
use crate::show::{BAD, BOLD, DIM, Object, Proved, grouped, number, plain, terms};
use crate::table::align;

/// `bellwether compare`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  bellwether compare chang-roberts peterson franklin --topology ring:64
  bellwether compare echo-election adoption floodmax --topology gnp:50:0.1 --seed 7 --svg bars.svg
  bellwether compare le-lann peterson --topology ring:16 --ids descending --timing uniform --json

All have the same network, the same ids and the same delays: what a link's first message takes, its
second and so on does not depend on who sends it, unless one must wait for the one before. Faults
that are drawn hit other messages where algorithms send differently. Exit codes: those of
`bellwether run`, of the election that went worst.")]
pub struct CompareArgs {
    /// The algorithms' names, as `bellwether list` shows them, or those that books use
    #[arg(value_name = "ALGORITHM", required = true, num_args = 2..)]
    pub algorithms: Vec<String>,
    /// The network, as in ring:8, tree:20, grid:3x4, complete:5, gnp:50:0.1 or file:PATH (`bellwether topology --help`
    /// has them all)
    #[arg(long, value_name = "T")]
    pub topology: Topology,
    /// The circumstances.
    #[command(flatten)]
    pub contest: ContestArgs,
    /// What each of them takes, as bars.
    #[command(flatten)]
    pub image: ImageArgs,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Holds the elections, and tells what each of them took.
pub fn compare(args: &CompareArgs) -> Done {
    progress::stop_cleanly_on_request();
    args.image.own_files(&[input::file_of(&args.topology), input::ids_file(&args.contest.ids)])?;
    let entrants = args.contest.entrants(&args.algorithms)?;
    let seed = args.contest.seed;
    let network = input::network(&args.topology, seed)?;
    let bout = |info: &&'static Info| Bout::new(&args.contest, info, &args.topology, network.clone(), seed);
    let bouts = entrants.iter().map(bout).collect::<Result<Vec<_>, _>>()?;
    let canvas = args.image.canvas()?;
    let held = bouts.into_iter().map(Held::new).collect::<Result<Vec<_>, _>>()?;
    let comparison = Comparison { args, repeat: repeat(args, &entrants), held };
    canvas.write(&comparison.bars().svg())?;
    let mut out = anstream::stdout().lock();
    let told = if args.json {
        writeln!(out, "{}", comparison.json()).map_err(Failure::from)
    } else {
        comparison.human(&mut out).map_err(Failure::from)
    };
    failure::unless_closed(told)?;
    Ok(comparison.exit_code())
}

fn repeat(args: &CompareArgs, entrants: &[&Info]) -> String {
    let mut words: Vec<String> = vec!["bellwether".into(), "compare".into()];
    words.extend(entrants.iter().map(|info| info.name.into()));
    words.extend(["--topology".into(), quoted(&args.topology.to_string())]);
    words.extend(args.contest.words());
    words.join(" ")
}

/// An election that was held.
struct Held {
    bout: Bout,
    report: Report,
    proved: Proved,
}

impl Held {
    fn new(bout: Bout) -> Result<Self, Failure> {
        let proved = Proved::new(bout.info, &bout.scenario);
        let mut progress = Progress::new(proved.expected());
        let report = bout.hold(&mut progress).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Self { bout, report, proved })
    }

    fn name(&self) -> &'static str {
        self.bout.info.name
    }

    fn per_node(&self) -> u32 {
        self.report.stats.sends.iter().copied().max().unwrap_or(0)
    }

    /// The messages of an adaptor, which are not the algorithm's.
    fn overhead(&self) -> u64 {
        self.report.kinds.iter().filter(|kind| kind.overhead).map(|kind| kind.count).sum()
    }

    /// How long it took, with its unit.
    fn time(&self) -> Option<String> {
        let unit = self.bout.scenario.timing.unit();
        let time = self.report.time?;
        let unit = if time == Time::units(1) { unit.trim_end_matches('s') } else { unit };
        Some(format!("{} {unit}", time.whole().map_or(time.to_string(), grouped)))
    }

    fn leader(&self) -> String {
        let topology = &self.bout.scenario.topology;
        match &self.report.leaders[..] {
            _ if !self.report.is_right() => format!("{BAD}{}{BAD:#}", self.report.outcome),
            [leader] => {
                let id = leader.id.map_or(String::new(), |id| format!(" (id {id})"));
                format!("node {}{id}", topology.printed_name(leader.node))
            }
            _ => self.report.outcome.to_string(),
        }
    }

    fn json(&self) -> Value {
        let Self { bout, report, proved } = self;
        let of = |bound: Option<f64>| bound.map(plain);
        let time: Value = report.time.and_then(|time| serde_json::from_str(&time.to_string()).ok()).unwrap_or_default();
        json!({
            "algorithm": self.name(),
            "timing": bout.scenario.timing.to_string(),
            "outcome": report.outcome,
            "ok": report.is_right(),
            "leaders": report.leaders,
            "messages": report.election_messages(),
            "announce": report.announce_messages(),
            "bits": report.bits,
            "time": time,
            "per_node": self.per_node(),
            "overhead": self.overhead(),
            "bounds": {
                "messages": {"best": of(proved.best), "mean": of(proved.mean), "worst": of(proved.worst)},
                "announce": of(proved.announce),
                "time": {"worst": of(proved.time)},
            },
            "violations": report.violations,
            "repeat": bout.repeat,
        })
    }
}

/// All of them.
struct Comparison<'a> {
    args: &'a CompareArgs,
    repeat: String,
    held: Vec<Held>,
}

/// What they do not assume or promise alike: which, and who what.
type Difference = (&'static str, Vec<(String, Vec<&'static str>)>);

impl Comparison<'_> {
    fn differences(&self) -> Vec<Difference> {
        // Whether another election may follow says nothing about this one.
        let of = |info: &Info| terms(info).into_iter().filter(|(term, _)| *term != "again").collect::<Vec<_>>();
        let all: Vec<_> = self.held.iter().map(|held| (held.name(), of(held.bout.info))).collect();
        let names = all[0].1.iter().map(|(term, _)| *term);
        let differing = names.enumerate().filter_map(|(index, term)| {
            let mut groups: Vec<(String, Vec<&'static str>)> = vec![];
            for (name, terms) in &all {
                let value = &terms[index].1;
                match groups.iter_mut().find(|(other, _)| other == value) {
                    Some((_, names)) => names.push(name),
                    None => groups.push((value.clone(), vec![name])),
                }
            }
            (groups.len() > 1).then_some((term, groups))
        });
        differing.collect()
    }

    fn human(&self, out: &mut dyn Write) -> io::Result<()> {
        let topology = &self.held[0].bout.scenario.topology;
        let [nodes, links] = [u64::from(topology.nodes()), topology.links()].map(grouped);
        writeln!(out, "{BOLD}{}{BOLD:#} {DIM}· {nodes} nodes, {links} links{DIM:#}\n", self.args.topology)?;
        let heads = ["", "messages", "proved at most", "announce", "bits", "time", "per node", "leader", ""];
        let mut rows = vec![heads.map(String::from).to_vec()];
        rows.extend(self.held.iter().map(|held| {
            let report = &held.report;
            let nothing = || "·".to_string();
            vec![
                held.name().into(),
                grouped(report.election_messages()),
                held.proved.worst.map_or_else(nothing, number),
                grouped(report.announce_messages()),
                grouped(report.bits),
                held.time().unwrap_or_else(nothing),
                grouped(held.per_node()),
                held.leader(),
                match held.overhead() {
                    0 => String::new(),
                    overhead => format!("and {} messages of the synchronizer", grouped(overhead)),
                },
            ]
        }));
        for (index, line) in align(&rows, &[1, 2, 3, 4, 5, 6]).iter().enumerate() {
            if index == 0 { writeln!(out, "  {DIM}{line}{DIM:#}")? } else { writeln!(out, "  {line}")? }
        }
        for held in &self.held {
            for violation in &held.report.violations {
                writeln!(out, "  {BAD}{}: {violation}{BAD:#}", held.name())?;
            }
        }
        let differences = self.differences();
        if !differences.is_empty() {
            writeln!(out, "\n  They do not assume and promise the same:")?;
        }
        for (term, groups) in &differences {
            for (index, (value, names)) in groups.iter().enumerate() {
                let term = if index == 0 { term } else { "" };
                writeln!(out, "  {DIM}{term:<10}{DIM:#} {value} {DIM}({}){DIM:#}", names.join(", "))?;
            }
        }
        if self.units().len() > 1 {
            writeln!(out, "  {DIM}{:<10}{DIM:#} rounds and units of time cannot be compared", "so")?;
        }
        writeln!(out, "\n  {DIM}{:<10}{DIM:#} {}", "repeat", self.repeat)?;
        out.flush()
    }

    /// What time is counted in.
    fn units(&self) -> Vec<&'static str> {
        let mut units: Vec<_> = self.held.iter().map(|held| held.bout.scenario.timing.unit()).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    fn json(&self) -> Object {
        let mut object = Object::default();
        let mut put = |key: &'static str, value: Value| object.put(key, &value);
        let topology = &self.held[0].bout.scenario.topology;
        put("topology", json!(self.args.topology.to_string()));
        put("nodes", json!(topology.nodes()));
        put("links", json!(topology.links()));
        put("seed", json!(self.args.contest.seed));
        put("runs", self.held.iter().map(Held::json).collect());
        let group = |(value, names): &(String, Vec<&str>)| json!({"value": value, "algorithms": names});
        let difference =
            |(term, groups): &Difference| json!({"term": term, "groups": groups.iter().map(group).collect::<Vec<_>>()});
        put("differences", self.differences().iter().map(difference).collect());
        put("ok", json!(self.held.iter().all(|held| held.report.is_right())));
        put("repeat", json!(self.repeat));
        object
    }

    fn bars(&self) -> Bars {
        let column = |title: &str, bar: &dyn Fn(&Held) -> Option<Bar>| Column {
            title: title.into(),
            bars: self.held.iter().map(bar).collect(),
        };
        let whole = |value: u64| Some(Bar { parts: vec![value as f64], label: grouped(value), bound: None });
        let mut columns = vec![
            column("messages, announcement included", &|held| {
                let (elect, announce) = (held.report.election_messages(), held.report.announce_messages());
                let bound = held.proved.worst.zip(held.proved.announce).map(|(worst, announce)| worst + announce);
                let parts = vec![elect as f64, announce as f64];
                Some(Bar { parts, label: grouped(elect + announce), bound })
            }),
            column("messages of the busiest node", &|held| whole(held.per_node().into())),
            column("bits", &|held| whole(held.report.bits)),
        ];
        // Rounds and units of time cannot be compared: each has a scale of its own.
        columns.extend(self.units().into_iter().map(|unit| {
            column(&format!("time in {unit}"), &|held| {
                let time = held.report.time.filter(|_| held.bout.scenario.timing.unit() == unit)?;
                Some(Bar { parts: vec![time.as_f64()], label: held.time()?, bound: held.proved.time })
            })
        }));
        let wrong = self.held.iter().filter(|held| !held.report.is_right()).count();
        let wrong = if wrong == 0 { "all elections are right".into() } else { format!("{wrong} elections went wrong") };
        let seed = self.args.contest.seed;
        let caption = Caption {
            title: format!("{} algorithms on {} · seed {seed}", self.held.len(), self.args.topology),
            outcome: format!("the same network, ids and delays · {wrong}"),
            repeat: self.repeat.clone(),
        };
        let parts = vec!["to elect".into(), "to announce".into()];
        Bars { caption, names: self.held.iter().map(|held| held.name().into()).collect(), columns, parts }
    }

    fn exit_code(&self) -> ExitCode {
        let reports = || self.held.iter().map(|held| &held.report);
        let broken = reports().find(|report| !report.is_right() && report.outcome != Outcome::Limit);
        let stopped = || reports().find(|report| !report.is_right());
        broken.or_else(stopped).map_or(ExitCode::from(failure::RIGHT), run::exit_code)
    }
}
