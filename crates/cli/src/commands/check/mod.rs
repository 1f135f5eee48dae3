//! `bellwether check`: every interleaving.

pub mod args;
pub mod dot;
pub mod family;
pub mod search;

use std::io::Write;
use std::process::ExitCode;

use bellwether_check::ledger::Glance;
use bellwether_check::{Counterexample, Most, Plan, Property, Story, Verdict, check as check_all};
use bellwether_core::{Id, Info};
use bellwether_world::ids::Ids;
use bellwether_world::trace::{self, Header};
use serde_json::{Value, json};

use self::args::{CheckArgs, Orders, StartsArg, Switch};
use self::search::Effort;
use crate::args::IdsArg;
use crate::draft::Draft;
use crate::failure::{self, Done, Failure};
use crate::show::{self, BAD, BOLD, DIM, GOOD, Object};
use crate::{input, progress};

/// Follows every schedule.
pub fn check(args: &CheckArgs) -> Done {
    let info = input::algorithm(&args.family.algorithm)?;
    let usual = Orders::These(IdsArg::Ids(Ids::Random));
    let family = family::family(&args.family, info, &usual)?;
    let freedom = args.freedom();
    let dropped = family::dropped(&family, freedom)?;
    if freedom.hasty_timers && !bellwether_prove::automaton(info.name).is_some_and(|it| it.has_timers()) {
        return Err(Failure::Usage(format!("{} has no timers: leave --timers out", info.name)));
    }
    let plan = Plan {
        freedom,
        starts_first: args.starts == StartsArg::First,
        reduction: args.reduction == Switch::On,
        symmetry: args.reduction == Switch::On,
        fingerprints: args.fingerprints,
    };
    let count = family.count();
    let trace = args.trace.as_deref().map(|path| Draft::new(path).map(|draft| (path, draft))).transpose()?;
    let drawn = match &args.dot {
        Some(path) => Some(dot::write(path, &family, plan, args.budget.memory.0)?),
        None => None,
    };
    let automaton = || bellwether_prove::automaton(info.name).expect("the catalogue has it");
    let threads = search::threads(&args.budget).min(usize::try_from(count).unwrap_or(usize::MAX));
    let (verdict, effort) =
        search::search(&args.budget, count, |ledger| check_all(family.scenarios(), &automaton, plan, ledger, threads));
    let verdict = verdict.map_err(Failure::Usage)?;
    if let (Some((path, mut draft)), Some(first)) = (trace, verdict.broken.first()) {
        let fail = |error| Failure::output(path, error);
        write_trace(&mut draft, &first.story).and_then(|()| draft.keep()).map_err(fail)?;
    }
    let mut repeat = family::repeated("check", &args.family, info);
    repeat.extend(options(args));
    let told = Told { args, info, plan, verdict: &verdict, count, dropped, drawn, effort, repeat: repeat.join(" ") };
    let mut out = anstream::stdout().lock();
    if args.family.json {
        told.json(&mut out)?;
    } else {
        told.human(&mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::from(match () {
        () if !verdict.broken.is_empty() => failure::BROKEN,
        () if verdict.is_complete() => failure::RIGHT,
        () => failure::UNKNOWN,
    }))
}

/// The options that say how it was searched.
fn options(args: &CheckArgs) -> Vec<String> {
    let usual = [
        ("links", args.links.to_string(), "fifo"),
        ("loss", args.loss.to_string(), "0"),
        ("crashes", args.crashes.to_string(), "0"),
        ("timers", args.timers.to_string(), "patient"),
        ("starts", args.starts.to_string(), "any"),
        ("reduction", args.reduction.to_string(), "on"),
        ("memory", args.budget.memory.to_string(), "4G"),
    ];
    let changed = usual.into_iter().filter(|(_, value, usual)| value != usual);
    let mut words: Vec<String> = changed.map(|(name, value, _)| format!("--{name} {value}")).collect();
    words.extend(args.budget.time.map(|time| format!("--time {time}")));
    words.extend(args.fingerprints.then(|| "--fingerprints".into()));
    words.extend(args.all.then(|| "--all".into()));
    words
}

/// Writes a counterexample as a trace.
fn write_trace(out: &mut dyn Write, story: &Story) -> std::io::Result<()> {
    trace::write(out, &Header::new(story.scenario.clone()))?;
    story.events.iter().try_for_each(|event| trace::write(out, event))?;
    trace::write(out, &story.ending())
}

/// All that there is to tell.
struct Told<'a> {
    args: &'a CheckArgs,
    info: &'static Info,
    plan: Plan,
    verdict: &'a Verdict,
    count: u128,
    dropped: Vec<String>,
    drawn: Option<String>,
    effort: Effort,
    repeat: String,
}

impl Told<'_> {
    /// The counterexamples that are wanted.
    fn shown(&self) -> &[Counterexample] {
        let all = &self.verdict.broken;
        &all[..if self.args.all { all.len() } else { all.len().min(1) }]
    }

    fn is_broken(&self, property: Property) -> bool {
        self.verdict.broken.iter().any(|broken| broken.property == property)
    }

    /// The properties that were looked at: where something may fail a decision may be revised, and bounds do not hold.
    fn properties(&self) -> impl Iterator<Item = Property> {
        let is_judged = move |property: &Property| match property {
            Property::Steady => self.plan.wants_steady(self.info),
            Property::Bounds => self.plan.wants_bounds(self.info) && self.dropped.is_empty(),
            _ => true,
        };
        Property::ALL.into_iter().filter(is_judged)
    }

    /// How many states and transitions there are, or were seen before the search was stopped.
    fn size(&self) -> (u64, u64) {
        let Glance { states, transitions, .. } = self.effort.seen;
        match self.verdict.stopped {
            None => (self.verdict.states, self.verdict.transitions),
            Some(_) => (states, transitions),
        }
    }

    fn word(&self) -> &'static str {
        match () {
            () if !self.verdict.broken.is_empty() => "broken",
            () if self.verdict.is_complete() => "holds",
            () => "unknown",
        }
    }

    fn stopped(&self) -> Option<String> {
        let reason = match &self.verdict.stopped {
            None if self.verdict.given_up > 0 => "something is broken, and there may be no end of states".into(),
            None => return None,
            Some(bellwether_check::ledger::Stop::Memory) => {
                format!("the states take more than {}; --memory SIZE allows more", self.args.budget.memory)
            }
            Some(_) if progress::was_interrupted() => "interrupted".into(),
            Some(_) => match self.args.budget.time {
                Some(time) => format!("after {time}; --time TIME allows more"),
                None => "before the end".into(),
            },
        };
        Some(reason)
    }

    fn json(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Verdict { configurations, least, most, reduced, .. } = self.verdict;
        let mut object = Object::default();
        object.put("algorithm", &self.info.name);
        object.put("topology", &family::topology(&self.args.family, self.info));
        object.put("verdict", &self.word());
        object.put("complete", &self.verdict.is_complete());
        object.put("configurations", configurations);
        let (states, transitions) = self.size();
        object.put("states", &states);
        object.put("transitions", &transitions);
        object.put("reduced", reduced);
        let known = self.verdict.is_complete();
        let property = |property: Property| {
            let holds = if self.is_broken(property) { Some(false) } else { known.then_some(true) };
            json!({"name": property.to_string(), "key": property.key(), "holds": holds})
        };
        object.put("properties", &self.properties().map(property).collect::<Vec<_>>());
        let most = if let Most::Messages(most) = most { Some(most) } else { None };
        object.put("messages", &json!({"min": least, "max": most}));
        object.put("dropped", &self.dropped);
        if let Some(first) = self.shown().first() {
            object.put("broken", &first.property.key());
            object.put("counterexample", &lines(&first.story));
        }
        if self.args.all {
            let one = |broken: &Counterexample| json!({"broken": broken.property.key(), "trace": lines(&broken.story)});
            object.put("counterexamples", &self.shown().iter().map(one).collect::<Vec<_>>());
        }
        self.stopped().iter().for_each(|stopped| object.put("stopped", stopped));
        object.put("seconds", &self.effort.took.as_secs_f64());
        object.put("repeat", &self.repeat);
        writeln!(out, "{object}")
    }

    fn human(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Verdict { configurations, reduced, .. } = self.verdict;
        let (states, transitions) = self.size();
        let name = self.info.name;
        let topology = family::topology(&self.args.family, self.info);
        writeln!(out, "{BOLD}{name}{BOLD:#} on {topology} {DIM}· every interleaving{DIM:#}\n")?;
        for assumption in &self.dropped {
            writeln!(out, "  {DIM}dropped{DIM:#}    {assumption}")?;
        }
        let known = self.verdict.is_complete();
        for property in self.properties() {
            let (style, word) = match self.is_broken(property) {
                true => (BAD, "broken"),
                false if known => (GOOD, "holds"),
                false => (DIM, "unknown"),
            };
            writeln!(out, "  {style}{word:<10}{style:#} {property}")?;
        }
        writeln!(out)?;
        for broken in self.shown() {
            tell(out, self.info, broken)?;
        }
        let hidden = self.verdict.broken.len() - self.shown().len();
        if hidden > 0 {
            let them = if hidden == 1 { "the other broken property" } else { "the other broken properties" };
            writeln!(out, "  {DIM}(--all shows a counterexample for {them} too){DIM:#}\n")?;
        }
        let mut line = |name: &str, text: String| writeln!(out, "  {DIM}{name:<10}{DIM:#} {text}");
        line("messages", self.messages())?;
        if let Some(stopped) = self.stopped() {
            let so_far = if self.verdict.broken.is_empty() { "; nothing was found to be wrong before" } else { "" };
            line("stopped", stopped + so_far)?;
        }
        let of = if known { String::new() } else { format!(" of {}", show::grouped(self.count)) };
        line(
            "searched",
            format!(
                "{}{of} configuration{}, {} states, {} transitions in {:.2} s{}",
                show::grouped(*configurations),
                if self.count == 1 { "" } else { "s" },
                show::grouped(states),
                show::grouped(transitions),
                self.effort.took.as_secs_f64(),
                match *reduced {
                    0 => "",
                    reduced if reduced == *configurations => ", one order of moves that do not interfere",
                    _ => ", partly one order of moves that do not interfere",
                }
            ),
        )?;
        if self.args.fingerprints {
            line("", "of each state only 64 bits were kept: two may have been taken for one".into())?;
        }
        self.drawn.iter().try_for_each(|drawn| line("dot", drawn.clone()))?;
        line("repeat", self.repeat.clone())
    }

    fn messages(&self) -> String {
        let Verdict { least, most, .. } = self.verdict;
        let least = least.map_or("none".into(), show::grouped);
        let known = self.verdict.is_complete();
        let so_far = if known { "" } else { ", as far as it was seen" };
        match most {
            Most::Nothing => "not known".into(),
            Most::Messages(most) if known && show::grouped(*most) == least => {
                format!("{least} to elect, on every schedule")
            }
            Most::Messages(most) => format!("{least} to {} to elect{so_far}", show::grouped(*most)),
            Most::Unbounded => format!("{least} to elect or more, without bound"),
        }
    }
}

/// A counterexample as a story.
fn tell(out: &mut dyn Write, info: &Info, broken: &Counterexample) -> std::io::Result<()> {
    let Counterexample { property, story, .. } = broken;
    let network = &story.scenario.topology;
    let ids: Vec<String> = story.scenario.ids.iter().map(Id::to_string).collect();
    let among = if info.is_anonymous() { String::new() } else { format!(", ids {}", ids.join(",")) };
    writeln!(out, "  {BAD}broken:{BAD:#} {property}, on {network}{among}:")?;
    for (line, event) in story.events.iter().enumerate() {
        if story.repeats_from == Some(line) {
            writeln!(out, "  {DIM}     and from here on for ever:{DIM:#}")?;
        }
        let name = network.printed_name(event.node);
        writeln!(out, "  {DIM}{:>4}{DIM:#} node {name} {}", event.t.to_string(), event.describe(network))?;
    }
    for violation in &story.report.violations {
        writeln!(out, "       {BAD}{violation}{BAD:#}")?;
    }
    writeln!(out)
}

/// A counterexample as the lines of a trace.
fn lines(story: &Story) -> Vec<Value> {
    let line = |line: Result<Value, serde_json::Error>| line.expect("plain data has a JSON form");
    let header = line(serde_json::to_value(Header::new(story.scenario.clone())));
    let events = story.events.iter().map(|event| line(serde_json::to_value(event)));
    std::iter::once(header).chain(events).chain([line(serde_json::to_value(story.ending()))]).collect()
}
