//! `bellwether compare`: several algorithms on the same network, with the same ids and delays.

use std::io::{self, Write};
use std::process::ExitCode;

use bellwether_ask::{Comparison, Election, IdsFrom, Prepared};
use bellwether_console::Here;
use bellwether_console::drawing::ImageArgs;
use bellwether_console::failure::{self, Done, Failure};
use bellwether_console::progress::{self, Progress};
use bellwether_console::style::{BAD, BOLD, DIM};
use bellwether_console::table::{self, align};
use bellwether_core::Info;
use bellwether_draw::Caption;
use bellwether_draw::bars::{Bar, Bars, Column, Limit};
use bellwether_net::{Topology, Wiring};
use bellwether_tell::{Detail, Object, terms};
use bellwether_world::Proved;
use bellwether_world::host::{Count, PhaseCount, Wishes};
use bellwether_world::numbers::{grouped, number};
use bellwether_world::{Messages, Outcome, Report, Time};
use clap::Args;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::run;
use crate::contest::ContestArgs;
use crate::show;

/// `bellwether compare`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  bellwether compare chang-roberts peterson franklin --topology ring:64
  bellwether compare echo-election adoption floodmax --topology gnp:50:0.1 --seed 7 --svg bars.svg
  bellwether compare le-lann peterson --topology ring:16 --ids descending --timing uniform --json

All have the same network, the same ids and the same delays: what a link's first message takes, its
second and so on does not depend on who sends it, unless one must wait for the one before. Faults
that are drawn hit other messages where algorithms send differently. Messages are counted as
everywhere: those that elect, and beside them those that announce the result. Exit codes: those of
`bellwether run`, of the election that went worst.")]
pub struct CompareArgs {
    /// The algorithms' names, as `bellwether list` shows them, or those that books use
    #[arg(value_name = "ALGORITHM", required = true, num_args = 2..)]
    pub algorithms: Vec<String>,
    /// The network, as in ring:8, tree:20, grid:3x4, complete:5, gnp:50:0.1 or file:PATH (`bellwether topology --help`
    /// has them all)
    #[arg(long, value_name = "T")]
    pub topology: Topology,
    /// Take the largest connected part of a file; of equal ones, the one with the first node
    #[arg(long)]
    pub largest_component: bool,
    /// The ids by node, for those that have ids: random, ascending, descending, same, a list or file:PATH
    /// [default: random]
    #[arg(long, value_name = "IDS", allow_hyphen_values = true)]
    pub ids: Option<IdsFrom>,
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

/// Holds the elections, and reports the costs of each.
pub fn compare(args: &CompareArgs) -> Done {
    progress::stop_cleanly_on_request();
    let circumstances = args.contest.circumstances();
    args.image.own_files(&[args.topology.file(), args.ids.as_ref().and_then(IdsFrom::file)])?;
    let entrants = circumstances.entrants(&args.algorithms)?;
    let seed = circumstances.seed;
    let largest_component = args.largest_component;
    let (network, left_out) = if largest_component {
        bellwether_ask::largest_component(&args.topology, &Here)?
    } else {
        (bellwether_ask::network(&args.topology, seed, &Here)?, 0)
    };
    let prepare = |info: &&'static Info| {
        let election = circumstances.election(info, &args.topology, args.ids.as_ref(), seed);
        Election { largest_component, ..election }.prepare_on(network.clone(), &Here)
    };
    let elections = entrants.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
    let canvas = args.image.canvas()?;
    let held = elections.into_iter().map(Held::new).collect::<Result<Vec<_>, _>>()?;
    let algorithms = entrants.iter().map(|info| info.name.into()).collect();
    let topology = args.topology.clone();
    let ids = args.ids.clone();
    let repeat = Comparison { algorithms, topology, largest_component, ids, circumstances }.line();
    let comparison = Compared { args, repeat, left_out, held };
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

/// An election that was held.
struct Held {
    election: Prepared,
    report: Report,
    proved: Proved,
}

impl Held {
    fn new(election: Prepared) -> Result<Self, Failure> {
        let proved = Proved::new(election.info, &election.scenario);
        let mut progress = Progress::new(proved.with_announcement().expected());
        let phases = PhaseCount::is_wanted(&election.scenario, false);
        let wishes = Wishes { count: Count::InFlight, phases, ..Wishes::none(&mut progress) };
        let report = bellwether_play::play(&election.scenario, wishes);
        let report = report.expect("the catalogue has it").map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Self { election, report, proved })
    }

    fn name(&self) -> &'static str {
        self.election.info.name
    }

    /// The largest number of messages sent by one node.
    fn busiest(&self) -> u32 {
        self.report.stats.sends.iter().copied().max().unwrap_or(0)
    }

    /// The messages of a synchronizer, in words.
    fn overhead(&self) -> Option<String> {
        let kinds = self.report.kinds.iter().filter(|kind| kind.overhead && kind.count > 0);
        let listed: Vec<String> = kinds.map(|kind| format!("{} {}", kind.name, grouped(kind.count))).collect();
        (!listed.is_empty())
            .then(|| format!("{} of the synchronizer, apart from all but the busiest node's", listed.join(", ")))
    }

    /// How long it took, with its unit.
    fn time(&self) -> Option<String> {
        let unit = self.election.scenario.timing.unit();
        let time = self.report.time?;
        let unit = if time == Time::units(1) { unit.trim_end_matches('s') } else { unit };
        Some(format!("{} {unit}", time.whole().map_or(time.to_string(), grouped)))
    }

    fn leader(&self) -> String {
        let topology = &self.election.scenario.topology;
        match &self.report.leaders[..] {
            _ if !self.report.is_right() => format!("{BAD}{}{BAD:#}", self.report.outcome),
            [leader] => {
                let id = leader.id.map_or(String::new(), |id| format!(" (id {id})"));
                format!("node {}{id}", topology.printed_name(leader.node))
            }
            _ => self.report.outcome.to_string(),
        }
    }

    /// The same JSON object as from `bellwether run --stats --json`.
    fn json(&self) -> Box<RawValue> {
        let Prepared { info, scenario, .. } = &self.election;
        let mut json = bellwether_tell::json(info, scenario, &self.report, Detail::Stats, &self.election.repeat());
        scenario.told_bound(info).iter().for_each(|bound| json.put("diameter", bound));
        RawValue::from_string(json.to_string()).expect("an object is JSON")
    }
}

/// All elections.
struct Compared<'a> {
    args: &'a CompareArgs,
    repeat: String,
    left_out: u32,
    held: Vec<Held>,
}

/// A value, and the algorithms that have it.
type Group = (String, Vec<&'static str>);
/// A term in which algorithms differ, with its values.
type Difference = (&'static str, Vec<Group>);

/// Groups the algorithms by a value. Algorithms without a value are left out.
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

impl Compared<'_> {
    fn differences(&self) -> Vec<Difference> {
        // Whether another election may follow does not matter for this one.
        let of = |held: &Held| terms(held.election.info).into_iter().filter(|(term, _)| *term != "again");
        let groups = |index: usize| grouped_by(&self.held, |held| of(held).nth(index).map(|(_, value)| value));
        let all = of(&self.held[0]).enumerate().map(|(index, (term, _))| (term, groups(index)));
        all.filter(|(_, groups)| groups.len() > 1).collect()
    }

    fn human(&self, out: &mut dyn Write) -> io::Result<()> {
        let topology = &self.held[0].election.scenario.topology;
        let [nodes, links] = [u64::from(topology.nodes()), topology.links()].map(grouped);
        writeln!(out, "{BOLD}{}{BOLD:#} {DIM}· {nodes} nodes, {links} links{DIM:#}\n", self.args.topology)?;
        self.table(out)?;
        for held in &self.held {
            for violation in &held.report.violations {
                writeln!(out, "  {BAD}{}: {violation}{BAD:#}", held.name())?;
            }
            if !held.report.is_right() && held.report.violations.is_empty() {
                for reason in show::not_judged(&held.report) {
                    writeln!(out, "  {}: not judged: {reason}", held.name())?;
                }
            }
        }
        writeln!(out)?;
        self.groups(out, "leader", &grouped_by(&self.held, |held| Some(held.leader())))?;
        self.groups(out, "overhead", &grouped_by(&self.held, Held::overhead))?;
        let told = |held: &Held| held.election.scenario.told_bound(held.election.info).map(show::told_bound);
        self.groups(out, "diameter", &grouped_by(&self.held, told))?;
        if let Some((name, text)) = show::left_out(self.left_out) {
            writeln!(out, "  {DIM}{name:<10}{DIM:#} {text}")?;
        }
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

    /// The table of costs. Names that would make lines too long have lines of their own.
    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let heads = [
            ["", "messages", "messages", "proved at most", "", "", "busiest"],
            ["", "to elect", "to announce", "to elect", "bits", "time", "node"],
        ];
        let nothing = || "·".to_string();
        let row = |held: &Held| {
            let report = &held.report;
            vec![
                held.name().into(),
                grouped(report.election_messages()),
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

    /// Writes the groups of a term: each value once, with its algorithms unless it is all of them. Names that do not
    /// fit into the line follow below.
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

    /// The units of time that occur.
    fn units(&self) -> Vec<&'static str> {
        let mut units: Vec<_> = self.held.iter().map(|held| held.election.scenario.timing.unit()).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    fn json(&self) -> Object {
        let mut object = Object::default();
        let mut put = |key: &'static str, value: Value| object.put(key, &value);
        let topology = &self.held[0].election.scenario.topology;
        put("topology", json!(self.args.topology.to_string()));
        put("nodes", json!(topology.nodes()));
        put("links", json!(topology.links()));
        if self.args.largest_component {
            put("left_out", json!(self.left_out));
        }
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
        let bound = |value: Option<f64>| value.map(|value| Limit { value, label: number(value) });
        let whole = |value: u64| Some(Bar { parts: vec![value as f64], label: grouped(value), bound: None });
        let mut columns = vec![
            column("messages: to elect + to announce", &|held| {
                let Messages { election, announce, overhead } = held.report.purposes();
                let parts = [election, announce, overhead];
                let told = parts.iter().enumerate().filter(|(part, count)| *part == 0 || **count > 0);
                Some(Bar {
                    parts: parts.map(|part| part as f64).to_vec(),
                    label: told.map(|(_, count)| grouped(*count)).collect::<Vec<_>>().join(" + "),
                    // The bar shows announcements too, so the mark stands behind theirs.
                    bound: bound(held.proved.with_announcement().worst),
                })
            }),
            column("messages of the busiest node", &|held| whole(held.busiest().into())),
            column("bits", &|held| whole(held.report.bits)),
        ];
        // Rounds and units of time cannot be compared: each has its own scale.
        columns.extend(self.units().into_iter().map(|unit| {
            column(&format!("time in {unit}"), &|held| {
                let time = held.report.time.filter(|_| held.election.scenario.timing.unit() == unit)?;
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
        if self.held.iter().any(|held| held.report.purposes().overhead > 0) {
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
