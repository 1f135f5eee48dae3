//! `bellwether compare`: several algorithms on the same network, with the same ids and delays.

use bellwether_world::host::Count;
use std::io::{self, Write};
use std::process::ExitCode;

use bellwether_core::Info;
use bellwether_draw::Caption;
use bellwether_draw::bars::{Bar, Bars, Bound, Column};
use bellwether_world::{Outcome, Report, Time, Topology, Wiring};
use clap::Args;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::run;
use crate::contest::{Bout, ContestArgs, overhead};
use crate::drawing::ImageArgs;
use crate::failure::{self, Done, Failure};
use crate::input::{self, quoted};
use crate::progress::{self, Progress};
use crate::show::{self, BAD, BOLD, DIM, Detail, Object, Proved, grouped, number, terms};
use crate::table::{self, align};

/// `bellwether compare`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  bellwether compare chang-roberts peterson franklin --topology ring:64
  bellwether compare echo-election adoption floodmax --topology gnp:50:0.1 --seed 7 --svg bars.svg
  bellwether compare le-lann peterson --topology ring:16 --ids descending --timing uniform --json

All have the same network, the same ids and the same delays: what a link's first message takes, its
second and so on does not depend on who sends it, unless one must wait for the one before. Faults
that are drawn hit other messages where algorithms send differently. Messages are counted as
`bellwether run` does: those that elect and those that announce the result together; `bellwether
sweep` counts them apart. Exit codes: those of `bellwether run`, of the election that went worst.")]
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
        let proved = Proved::new(bout.info, &bout.scenario).with_announcement();
        let mut progress = Progress::new(proved.expected());
        let report = bout.hold(Count::InFlight, &mut progress).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Self { bout, report, proved })
    }

    fn name(&self) -> &'static str {
        self.bout.info.name
    }

    /// What the node sent that sent most.
    fn busiest(&self) -> u32 {
        self.report.stats.sends.iter().copied().max().unwrap_or(0)
    }

    /// What a synchronizer sent besides, in words.
    fn overhead(&self) -> Option<String> {
        let kinds = self.report.kinds.iter().filter(|kind| kind.overhead && kind.count > 0);
        let listed: Vec<String> = kinds.map(|kind| format!("{} {}", kind.name, grouped(kind.count))).collect();
        (!listed.is_empty())
            .then(|| format!("{} of the synchronizer, apart from all but the busiest node's", listed.join(", ")))
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

    /// What `bellwether run --stats --json` says of it.
    fn json(&self) -> Box<RawValue> {
        let Bout { info, scenario, repeat } = &self.bout;
        let mut json = show::json(info, scenario, &self.report, Detail::Stats, repeat);
        scenario.told_bound(info).iter().for_each(|bound| json.put("diameter", bound));
        RawValue::from_string(json.to_string()).expect("an object is JSON")
    }
}

/// All of them.
struct Comparison<'a> {
    args: &'a CompareArgs,
    repeat: String,
    held: Vec<Held>,
}

/// Something, and who has it in common.
type Group = (String, Vec<&'static str>);
/// What they do not assume or promise alike: which, and who what.
type Difference = (&'static str, Vec<Group>);

/// Who has what in common; those that have nothing are left out.
fn grouped_by<'a>(held: impl IntoIterator<Item = &'a Held>, of: impl Fn(&Held) -> Option<String>) -> Vec<Group> {
    let mut groups: Vec<Group> = vec![];
    for held in held {
        let Some(value) = of(held) else { continue };
        match groups.iter_mut().find(|(other, _)| *other == value) {
            Some((_, names)) => names.push(held.name()),
            None => groups.push((value, vec![held.name()])),
        }
    }
    groups
}

impl Comparison<'_> {
    fn differences(&self) -> Vec<Difference> {
        // Whether another election may follow says nothing about this one.
        let of = |held: &Held| terms(held.bout.info).into_iter().filter(|(term, _)| *term != "again");
        let groups = |index: usize| grouped_by(&self.held, |held| of(held).nth(index).map(|(_, value)| value));
        let all = of(&self.held[0]).enumerate().map(|(index, (term, _))| (term, groups(index)));
        all.filter(|(_, groups)| groups.len() > 1).collect()
    }

    fn human(&self, out: &mut dyn Write) -> io::Result<()> {
        let topology = &self.held[0].bout.scenario.topology;
        let [nodes, links] = [u64::from(topology.nodes()), topology.links()].map(grouped);
        writeln!(out, "{BOLD}{}{BOLD:#} {DIM}· {nodes} nodes, {links} links{DIM:#}\n", self.args.topology)?;
        self.table(out)?;
        for held in &self.held {
            for violation in &held.report.violations {
                writeln!(out, "  {BAD}{}: {violation}{BAD:#}", held.name())?;
            }
        }
        writeln!(out)?;
        self.groups(out, "leader", &grouped_by(&self.held, |held| Some(held.leader())))?;
        self.groups(out, "overhead", &grouped_by(&self.held, Held::overhead))?;
        let told = |held: &Held| held.bout.scenario.told_bound(held.bout.info).map(show::told_bound);
        self.groups(out, "diameter", &grouped_by(&self.held, told))?;
        let differences = self.differences();
        if !differences.is_empty() {
            writeln!(out, "\n  They do not assume and promise the same:")?;
        }
        for (term, groups) in &differences {
            self.groups(out, term, groups)?;
        }
        if self.units().len() > 1 {
            writeln!(out, "  {DIM}{:<10}{DIM:#} rounds and units of time cannot be compared", "so")?;
        }
        writeln!(out, "\n  {DIM}{:<10}{DIM:#} {}", "repeat", self.repeat)?;
        out.flush()
    }

    /// What each of them took. Where the names would make lines too long, they have lines of their own.
    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let heads = [
            ["", "", "of these", "proved", "", "", "busiest"],
            ["", "messages", "announce", "at most", "bits", "time", "node"],
        ];
        let nothing = || "·".to_string();
        let row = |held: &Held| {
            let report = &held.report;
            vec![
                held.name().into(),
                grouped(report.messages()),
                grouped(report.announce_messages()),
                held.proved.worst.map_or_else(nothing, number),
                grouped(report.bits),
                held.time().unwrap_or_else(nothing),
                grouped(held.busiest()),
            ]
        };
        let mut rows: Vec<Vec<String>> = heads.map(|head| head.map(String::from).to_vec()).to_vec();
        rows.extend(self.held.iter().map(row));
        let right = [1, 2, 3, 4, 5, 6];
        let lines = align(&rows, &right);
        let is_narrow = lines.iter().all(|line| line.chars().count() + 2 <= table::width());
        let without: Vec<Vec<String>> = rows.iter().map(|row| [&[String::new()], &row[1..]].concat()).collect();
        let lines = if is_narrow { lines } else { align(&without, &right) };
        for (index, line) in lines.iter().enumerate() {
            match index.checked_sub(heads.len()) {
                None => writeln!(out, "  {DIM}{line}{DIM:#}")?,
                Some(_) if is_narrow => writeln!(out, "  {line}")?,
                Some(index) => writeln!(out, "  {}\n  {line}", self.held[index].name())?,
            }
        }
        Ok(())
    }

    /// Who has what in common: once for each, with their names unless it is all of them. Names that do not fit into the
    /// line follow below.
    fn groups(&self, out: &mut dyn Write, term: &str, groups: &[Group]) -> io::Result<()> {
        const INDENT: usize = 13;
        let room = table::width().saturating_sub(INDENT).max(20);
        for (index, (value, names)) in groups.iter().enumerate() {
            let term = if index == 0 { term } else { "" };
            let names = if names.len() < self.held.len() { format!("({})", names.join(", ")) } else { String::new() };
            let fits = value.chars().count() + 1 + names.chars().count() <= room;
            let (beside, below) = if fits { (format!(" {names}"), String::new()) } else { (String::new(), names) };
            writeln!(out, "  {DIM}{term:<10}{DIM:#} {value}{DIM}{}{DIM:#}", beside.trim_end())?;
            for line in textwrap::wrap(&below, room).iter().filter(|line| !line.is_empty()) {
                writeln!(out, "{:INDENT$}{DIM}{line}{DIM:#}", "")?;
            }
        }
        Ok(())
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
        object.put("runs", &self.held.iter().map(Held::json).collect::<Vec<_>>());
        let mut put = |key: &'static str, value: Value| object.put(key, &value);
        let group = |(value, names): &Group| json!({"value": value, "algorithms": names});
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
        let bound = |value: Option<f64>| value.map(|value| Bound { value, label: number(value) });
        let whole = |value: u64| Some(Bar { parts: vec![value as f64], label: grouped(value), bound: None });
        let mut columns = vec![
            column("messages", &|held| {
                let (elect, announce) = (held.report.election_messages(), held.report.announce_messages());
                let (total, overhead) = (grouped(elect + announce), overhead(&held.report));
                let label = if overhead > 0 { format!("{total} + {}", grouped(overhead)) } else { total };
                Some(Bar {
                    parts: [elect, announce, overhead].map(|part| part as f64).to_vec(),
                    label,
                    bound: bound(held.proved.worst),
                })
            }),
            column("messages of the busiest node", &|held| whole(held.busiest().into())),
            column("bits", &|held| whole(held.report.bits)),
        ];
        // Rounds and units of time cannot be compared: each has a scale of its own.
        columns.extend(self.units().into_iter().map(|unit| {
            column(&format!("time in {unit}"), &|held| {
                let time = held.report.time.filter(|_| held.bout.scenario.timing.unit() == unit)?;
                Some(Bar { parts: vec![time.as_f64()], label: held.time()?, bound: bound(held.proved.time) })
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
        let mut parts = vec!["to elect".into(), "to announce".into()];
        if self.held.iter().any(|held| overhead(&held.report) > 0) {
            parts.push("of the synchronizer, on top".into());
        }
        Bars { caption, names: self.held.iter().map(|held| held.name().into()).collect(), columns, parts }
    }

    fn exit_code(&self) -> ExitCode {
        let reports = || self.held.iter().map(|held| &held.report);
        let broken = reports().find(|report| !report.is_right() && report.outcome != Outcome::Limit);
        let stopped = || reports().find(|report| !report.is_right());
        broken.or_else(stopped).map_or(ExitCode::from(failure::RIGHT), run::exit_code)
    }
}
