//! A run for people, and for programs.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use bellwether_core::{Formula, Info, Model, Round, Values, Winner};
use bellwether_world::{Diameter, Leader, Node, Outcome, Report, Scenario, Symmetry, Time, Timing, Wiring};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

/// For what is wrong.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// For what is right.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// For headings.
pub const BOLD: Style = Style::new().bold();
/// For what is less important.
pub const DIM: Style = Style::new().dimmed();

/// What the algorithm's entry says about a run of this size: the mean only where it applies.
pub struct Proved {
    /// At least so many messages to elect.
    pub best: Option<f64>,
    /// So many on average, if everybody starts and no parameter is set.
    pub mean: Option<f64>,
    /// At most so many.
    pub worst: Option<f64>,
    /// So many more to announce.
    pub announce: Option<f64>,
    /// Decided by then.
    pub time: Option<f64>,
}

impl Proved {
    /// The bounds of a scenario. They hold while its assumptions do.
    pub fn new(info: &Info, scenario: &Scenario) -> Self {
        let size = scenario.size(info);
        let elections = f64::from(scenario.elections);
        let bounds = &info.bounds;
        let total = |formula: &Formula| (formula.of)(size) * elections;
        let lawful = scenario.is_lawful();
        let of_choice = |formula: &Option<Formula>, applies: bool| formula.as_ref().filter(|_| applies).map(total);
        let extra = match (info.model, scenario.timing) {
            (Model::Synchronous, Timing::Rounds) => Some(0.0),
            // What takes t units takes t rounds after the first.
            (Model::Asynchronous, Timing::Rounds) => Some(1.0),
            // A real clock keeps no bound on how long a message takes.
            (_, Timing::Live(_)) | (Model::Synchronous, _) => None,
            (Model::Asynchronous, _) => Some(0.0),
        };
        let extra = extra.filter(|_| lawful && scenario.start_together() && scenario.elections == 1);
        let time = bounds.time.as_ref().zip(extra).map(|(formula, extra)| (formula.of)(size) + extra);
        Self {
            best: of_choice(&bounds.best, lawful),
            mean: of_choice(&bounds.mean, lawful && scenario.all_start() && scenario.settings.is_empty()),
            worst: of_choice(&bounds.worst, lawful),
            announce: lawful.then(|| total(&bounds.announce)),
            time,
        }
    }

    /// The same about all messages: those that elect, and those that announce.
    pub fn with_announcement(self) -> Self {
        let Self { best, mean, worst, announce, time } = self;
        let total = |bound: Option<f64>| bound.zip(announce).map(|(elect, announce)| elect + announce);
        Self { best: total(best), mean: total(mean), worst: total(worst), announce, time }
    }

    /// How many messages there will be, or about how many: nothing if only bounds are known.
    pub fn expected(&self) -> Option<f64> {
        self.mean.or(self.worst.filter(|worst| self.best == Some(*worst)))
    }

    /// The bounds on messages in a few words.
    fn in_words(&self) -> String {
        if let (Some(best), Some(worst)) = (self.best, self.worst)
            && best == worst
        {
            return format!("exactly {}", number(worst));
        }
        let bounds = [("at least", self.best), ("on average", self.mean), ("at most", self.worst)];
        let words = bounds.iter().filter_map(|(word, bound)| bound.map(|bound| format!("{word} {}", number(bound))));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// A number as people write it: whole, or with two digits.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 && value < 1e15 {
        return grouped(value as u128);
    }
    if value >= 1e15 {
        return format!("{value:.3e}");
    }
    let hundredths = (value * 100.0).round() as u128;
    format!("{}.{:02}", grouped(hundredths / 100), hundredths % 100)
}

/// A whole number with its digits in groups of three.
pub fn grouped(value: impl Into<u128>) -> String {
    let digits = value.into().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A diameter, or between what it is.
pub fn between(diameter: Diameter) -> String {
    let [least, most] = [diameter.at_least, diameter.at_most].map(grouped);
    if least == most { least } else { format!("{least} to {most}") }
}

/// A diameter of which everybody was told a bound only.
pub fn told_bound(diameter: Diameter) -> String {
    format!("{}: everybody was told {}, a bound", between(diameter), grouped(diameter.at_most))
}

/// Writes a report for people.
pub fn human(
    out: &mut dyn Write,
    info: &Info,
    scenario: &Scenario,
    report: &Report,
    stats: bool,
    closing: &[(&str, String)],
) -> io::Result<()> {
    let mut line = |name: &str, text: String| writeln!(out, "  {DIM}{name:<10}{DIM:#} {text}");
    line("leader", leader(scenario, report))?;
    for violation in &report.violations {
        line("", format!("{BAD}{violation}{BAD:#}"))?;
    }
    if !report.crashed.is_empty() {
        line("crashed", nodes(scenario, &report.crashed))?;
    }
    if let Some(symmetry) = report.symmetry {
        line("states", alike(scenario, symmetry))?;
    }
    let proved = Proved::new(info, scenario).with_announcement();
    let (ours, overhead): (Vec<_>, Vec<_>) = report.kinds.iter().partition(|kind| !kind.overhead);
    let listed = |kinds: &[&bellwether_world::Kind]| {
        kinds.iter().map(|kind| format!("{} {}", kind.name, grouped(kind.count))).collect::<Vec<_>>().join(", ")
    };
    line("messages", format!("{BOLD}{}{BOLD:#}  ({})", grouped(report.messages()), listed(&ours)))?;
    let bounds = proved.in_words();
    if !bounds.is_empty() {
        line("", format!("{DIM}proved: {bounds}{DIM:#}"))?;
    }
    if report.lost + report.repeated > 0 {
        let messages = if report.lost == 1 { "message" } else { "messages" };
        line("faults", format!("{} {messages} lost, {} repeated", grouped(report.lost), grouped(report.repeated)))?;
    }
    if !overhead.is_empty() {
        line("overhead", format!("{} of the synchronizer", listed(&overhead)))?;
    }
    let unit = scenario.timing.unit();
    let unit = if report.time == Some(Time::units(1)) { unit.trim_end_matches('s') } else { unit };
    match (report.time, proved.time) {
        (None, _) => {
            let nodes = grouped(scenario.topology.nodes());
            line(
                "decided",
                match report.deciders {
                    Some(decided) => format!("{} of {nodes} nodes", grouped(decided)),
                    None => "not known: some nodes were far ahead of others".into(),
                },
            )?;
        }
        (Some(time), None) => line("time", lasted(scenario, time, unit))?,
        (Some(time), Some(bound)) => {
            line("time", format!("{} {unit}  {DIM}proved: at most {}{DIM:#}", moment(time), number(bound)))?;
        }
    }
    line("bits", grouped(report.bits))?;
    if stats {
        let stats = &report.stats;
        line("events", grouped(stats.events))?;
        if let Some(peak) = stats.peak_in_flight {
            line("in flight", format!("at most {} messages at once", grouped(peak)))?;
        }
        if let Some((busiest, most)) = busiest(&stats.sends) {
            let sum: u64 = stats.sends.iter().copied().map(u64::from).sum();
            let mean = sum as f64 / stats.sends.len() as f64;
            let busiest = scenario.topology.printed_name(busiest as Node);
            line("sends", format!("{mean:.2} a node on average, at most {} (node {busiest})", grouped(most)))?;
        }
    }
    for (name, text) in closing {
        line(name, text.clone())?;
    }
    Ok(())
}

/// The files that were written, as a line of a report; `None` if there are none.
pub fn written<'a>(files: impl IntoIterator<Item = &'a Option<PathBuf>>) -> Option<(&'static str, String)> {
    let names: Vec<_> = files.into_iter().flatten().map(|path| path.display().to_string()).collect();
    (!names.is_empty()).then(|| ("written", names.join(", ")))
}

/// How long it took: of a live run in real time.
fn lasted(scenario: &Scenario, time: Time, unit: &str) -> String {
    match scenario.timing {
        Timing::Live(clock) => format!("{:.3} ms", clock.milliseconds(time)),
        _ => format!("{} {unit}", moment(time)),
    }
}

/// The moment of an event, as a label: a round, a time in units, or of a live run the real time.
pub fn label(timing: Timing, time: Time) -> String {
    match timing {
        Timing::Rounds => format!("round {time}"),
        Timing::Live(clock) => format!("{:.3} ms", clock.milliseconds(time)),
        _ => format!("t={time}"),
    }
}

/// A time with its digits in groups.
fn moment(time: Time) -> String {
    time.whole().map_or(time.to_string(), grouped)
}

fn busiest(sends: &[u32]) -> Option<(usize, u32)> {
    sends.iter().copied().enumerate().rev().max_by_key(|&(_, count)| count)
}

/// Some nodes by name.
fn nodes(scenario: &Scenario, nodes: &[Node]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<_> = nodes.iter().take(SHOWN).map(|&node| scenario.topology.printed_name(node)).collect();
    let more = nodes.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("node{} {}{more}", if nodes.len() == 1 { "" } else { "s" }, shown.join(", "))
}

/// Whether equal processes stayed equal.
fn alike(scenario: &Scenario, symmetry: Symmetry) -> String {
    let instant = if scenario.timing == Timing::Rounds { "round" } else { "instant" };
    match symmetry {
        Symmetry::Kept(1) => format!("all nodes in the same state after the only {instant}"),
        Symmetry::Kept(count) => format!("all nodes in the same state after each of {} {instant}s", grouped(count)),
        Symmetry::Broken(time) => format!("all the same until {}", scenario.timing.moment(time)),
    }
}

fn leader(scenario: &Scenario, report: &Report) -> String {
    let nodes = scenario.topology.nodes();
    let shown = |leader: &Leader| match leader.id {
        Some(id) => format!("node {} (id {id})", scenario.topology.printed_name(leader.node)),
        None => format!("node {}", scenario.topology.printed_name(leader.node)),
    };
    let some: Vec<_> = report.leaders.iter().take(8).map(shown).collect();
    let more = report.leaders.len().saturating_sub(some.len());
    let leaders = some.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() };
    let mark = if report.is_right() { GOOD } else { BAD };
    match report.outcome {
        Outcome::Elected if nodes == 1 => format!("{mark}{leaders}{mark:#}, alone"),
        Outcome::Elected if !report.crashed.is_empty() => {
            let living = u64::from(nodes) - report.crashed.len() as u64;
            format!("{mark}{leaders}{mark:#}, known to all {} living nodes", grouped(living))
        }
        Outcome::Elected if report.leaders.iter().all(|leader| leader.id.is_none()) => {
            format!("{mark}{leaders}{mark:#}, and all {} nodes know that somebody leads", grouped(nodes))
        }
        Outcome::Elected => format!("{mark}{leaders}{mark:#}, known to all {} nodes", grouped(nodes)),
        Outcome::NoLeader => format!("{mark}nobody{mark:#}"),
        Outcome::SeveralLeaders => format!("{mark}{leaders}{mark:#}: {} of them", report.leaders.len()),
        Outcome::Disagreement => format!("{mark}{leaders}{mark:#}, but not everybody follows"),
        Outcome::Limit if report.leaders.is_empty() => format!("{mark}not known{mark:#}: the run was stopped"),
        Outcome::Limit => format!("{mark}not known{mark:#}: the run was stopped while {leaders} led"),
    }
}

/// A JSON object that keeps its keys in order and its numbers exact.
#[derive(Default)]
pub struct Object(Vec<(&'static str, Box<RawValue>)>);

impl Object {
    /// Appends a key.
    pub fn put(&mut self, key: &'static str, value: &impl Serialize) {
        self.0.push((key, to_raw_value(value).expect("plain data has a JSON form")));
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<String> = self.0.iter().map(|(key, value)| format!("{key:?}:{value}")).collect();
        write!(f, "{{{}}}", fields.join(","))
    }
}

/// How much a program is told of how the run went for the machine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Nothing.
    None,
    /// Totals, and who sent most.
    Stats,
    /// Also what every node sent.
    ByNode,
}

/// A report for programs; the keys are part of the interface.
pub fn json(info: &Info, scenario: &Scenario, report: &Report, detail: Detail, repeat: &str) -> Object {
    let mut object = Object::default();
    let mut put = |key: &'static str, value: Value| object.put(key, &value);
    let counts = |overhead: bool| {
        let kinds = report.kinds.iter().filter(|kind| kind.overhead == overhead);
        Value::Object(kinds.map(|kind| (kind.name.to_string(), json!(kind.count))).collect())
    };
    put("algorithm", json!(scenario.algorithm));
    put("topology", json!(scenario.topology.name));
    put("nodes", json!(scenario.topology.nodes()));
    put("links", json!(scenario.topology.links()));
    put("timing", json!(scenario.timing.to_string()));
    put("seed", json!(scenario.seed));
    if report.decided.is_some() {
        put("initiators", scenario.electorate().initiators().map(|(node, _)| node).collect());
        if !scenario.start_together() {
            let wake = |(node, Round(round)): (u32, Round)| json!([node, u64::try_from(round).unwrap_or(u64::MAX)]);
            put("wake", scenario.electorate().initiators().map(wake).collect());
        }
        if !info.is_anonymous() {
            put("ids", json!(scenario.ids));
        }
        if !scenario.topology.names.is_empty() {
            put("names", json!(scenario.topology.names));
        }
    }
    if !scenario.settings.is_empty() {
        put("settings", json!(scenario.settings));
    }
    put("outcome", json!(report.outcome));
    put("leaders", report.leaders.iter().map(|leader| named(scenario, leader)).collect());
    if let Some(decided) = &report.decided {
        put("decided", json!(decided));
    }
    if !scenario.faults.is_empty() {
        put("faults", scenario.faults.iter().map(|fault| fault.among(&scenario.topology)).collect());
        put("crashed", json!(report.crashed));
        put("lost", json!(report.lost));
        put("repeated", json!(report.repeated));
    }
    report.symmetry.iter().for_each(|symmetry| object.put("symmetry", symmetry));
    let mut put = |key: &'static str, value: Value| object.put(key, &value);
    put("messages", json!({"total": report.messages(), "by_kind": counts(false)}));
    if report.kinds.iter().any(|kind| kind.overhead) {
        put("overhead", counts(true));
    }
    put("bits", json!(report.bits));
    // A round number may be larger than any number that a JSON value keeps.
    object.put("time", &report.time);
    if let (Timing::Live(clock), Some(time)) = (scenario.timing, report.time) {
        object.put("milliseconds", &clock.milliseconds(time));
    }
    let mut put = |key: &'static str, value: Value| object.put(key, &value);
    let proved = Proved::new(info, scenario).with_announcement();
    put("bounds", {
        let given = |pairs: &[(&str, Option<f64>)]| {
            let given = pairs.iter().filter_map(|(name, value)| Some((name.to_string(), plain((*value)?))));
            Value::Object(given.collect())
        };
        let messages = given(&[("best", proved.best), ("mean", proved.mean), ("worst", proved.worst)]);
        json!({"messages": messages, "time": given(&[("worst", proved.time)])})
    });
    put("ok", json!(report.is_right()));
    put("violations", json!(report.violations));
    put("elections", json!(scenario.elections));
    if detail != Detail::None {
        let run = &report.stats;
        let mut sends = busiest(&run.sends).map(|(node, most)| json!({"most": most, "node": node}));
        if let (Detail::ByNode, Some(sends)) = (detail, &mut sends) {
            sends["by_node"] = json!(run.sends);
        }
        put("stats", json!({"events": run.events, "peak_in_flight": run.peak_in_flight, "sends": sends}));
    }
    put("repeat", json!(repeat));
    object
}

/// A leader, with its name where nodes have names.
fn named(scenario: &Scenario, leader: &Leader) -> Value {
    let mut object = json!(leader);
    if let Some(name) = scenario.topology.names.get(leader.node as usize) {
        object["name"] = json!(name);
    }
    object
}

/// A whole number as such.
pub fn plain(value: f64) -> Value {
    if value.fract() == 0.0 && value < 1e15 { json!(value as u64) } else { json!(value) }
}

/// What an algorithm assumes and promises, as a list.
pub fn terms(info: &Info) -> Vec<(&'static str, String)> {
    use bellwether_core::{Informs, Knowledge, LinkOrder, Model, Starts};
    let knows = if info.knows.is_empty() {
        "nothing".into()
    } else {
        info.knows.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    vec![
        ("network", format!("{}{}", info.topology, if info.is_anonymous() { ", anonymous" } else { "" })),
        (
            "timing",
            match info.model {
                Model::Asynchronous if info.knows.contains(&Knowledge::MaxDelay) => {
                    "asynchronous, but no message takes longer than a known time".into()
                }
                Model::Asynchronous => "asynchronous: messages take any time".into(),
                Model::Synchronous => "synchronous rounds".into(),
            },
        ),
        (
            "links",
            match info.links {
                LinkOrder::Fifo => "reliable, first in first out".into(),
                LinkOrder::Any => "reliable, in any order".into(),
            },
        ),
        ("knows", format!("every node knows {knows}")),
        (
            "starts",
            match info.starts {
                Starts::All => "everybody in round 1".into(),
                Starts::Any => "any set of nodes at once".into(),
                Starts::AnyRound => "any set of nodes, each in a round of its own".into(),
                Starts::One => "one node".into(),
            },
        ),
        ("winner", info.winner.to_string()),
        (
            "informs",
            match info.informs {
                Informs::Leader => "everybody learns who leads".into(),
                Informs::End => "everybody learns that somebody leads".into(),
                Informs::Provisionally => {
                    "everybody holds the leader's id when all is quiet, and never knows it".into()
                }
            },
        ),
        (
            "faults",
            if info.survives_crashes {
                "survives crashes at any moment"
            } else {
                "none: nothing is lost, nobody crashes"
            }
            .into(),
        ),
        ("chance", if info.randomised { "random choices" } else { "deterministic" }.into()),
        ("again", if info.repeatable { "elections can be repeated without a reset" } else { "one election" }.into()),
    ]
}

/// The winner in a word, for tables.
pub fn winner(info: &Info) -> &'static str {
    match info.winner {
        Winner::MaxOfAll => "max of all",
        Winner::MaxOfInitiators => "max of initiators",
        Winner::MinOfAll => "min of all",
        Winner::MinOfWakers => "min of wakers",
        Winner::Random => "random",
    }
}

/// The values that a parameter takes, in words.
pub fn values(values: &Values) -> String {
    match values {
        Values::AtLeast(least) => format!("a number from {least}"),
        Values::OneOf(words) => words.join(" | "),
    }
}
