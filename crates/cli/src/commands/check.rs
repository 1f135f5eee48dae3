//! `bellwether check`: every interleaving.

pub mod args;
pub mod dot;
pub mod family;
pub mod search;
pub mod tell;

use std::io::Write;
use std::process::ExitCode;

use bellwether_ask::{IdsFrom, Orders, Switch};
use bellwether_check::ledger::{Glance, Stop};
use bellwether_check::{Conclusion, Counterexample, Most, Plan, Story, check as check_all};
use bellwether_console::draft::Draft;
use bellwether_console::drawing::{Canvases, DrawArgs, Drawing};
use bellwether_console::failure::{self, Done, Failure};
use bellwether_console::object::Object;
use bellwether_console::style::{BAD, DIM, GOOD};
use bellwether_console::{Here, files, progress};
use bellwether_core::{Formula, Id, Info, Model, Starters};
use bellwether_draw::Remarks;
use bellwether_net::{Network, Wiring};
use bellwether_world::ids::Ids;
use bellwether_world::trace::{self, Header};
use bellwether_world::{Freedom, Messages, Narrator, Property, numbers};
use serde_json::{Value, json};

use self::args::{CheckArgs, Instead};
use self::search::Effort;
use self::tell::{Telling, tell};

/// Follows every schedule.
pub fn check(args: &CheckArgs) -> Done {
    let mut asked = args.check();
    let info = asked.asked.info()?;
    let algorithm = bellwether_catalogue::algorithm(info.name).expect("the catalogue has it");
    args.family.elsewhere.refuse(&INSTEAD).map_err(Failure::Usage)?;
    let [svg, png, html] = args.draw.files();
    let outputs = [("--trace", &args.trace), ("--dot", &args.dot), svg, png, html];
    files::own_files(&outputs, &asked.asked.files()).map_err(Failure::Usage)?;
    asked.asked = asked.asked.settled(info);
    let family = asked.asked.family(info, &Orders::These(IdsFrom::Ids(Ids::Random)), &Here)?;
    let info = info.under(&family.settings);
    let freedom = asked.freedom();
    let dropped = asked.asked.dropped(&family, freedom)?;
    if freedom.hasty_timers && !algorithm.events.has_timers {
        return Err(Failure::Usage(format!("{} has no timers: leave --timers out", info.name)));
    }
    if freedom.keeps_rounds(info) && args.dot.is_some() {
        return Err(Failure::Usage("--dot draws schedules of messages, and crashes are tried between rounds".into()));
    }
    let plan = Plan {
        freedom,
        reduction: asked.reduction == Switch::On,
        symmetry: asked.reduction == Switch::On,
        fingerprints: asked.fingerprints,
    };
    let count = family.count();
    let trace = args.trace.as_deref().map(|path| Draft::new(path).map(|draft| (path, draft))).transpose()?;
    let canvases = Canvases::new(&args.draw)?;
    let drawn = match &args.dot {
        Some(path) => Some(dot::write(path, &family, plan, args.budget.memory.0)?),
        None => None,
    };
    let threads = search::threads(&args.budget);
    let (verdict, effort) =
        search::search(&args.budget, count, |ledger| check_all(family.scenarios(), algorithm, plan, ledger, threads));
    let verdict = verdict.map_err(Failure::Usage)?;
    if let (Some((path, mut draft)), Some(first)) = (trace, verdict.broken.first()) {
        let fail = |error| Failure::output(path, error);
        failure::unless_closed(write_trace(&mut draft, &first.story).and_then(|()| draft.keep()).map_err(fail))?;
    }
    let repeat = asked.line();
    let picture = match verdict.broken.first().filter(|_| args.draw.are_given()) {
        Some(first) => draw(canvases, &args.draw, info, first, repeat.clone())?,
        None => None,
    };
    let told = CheckTold { picture, args, info, plan, verdict: &verdict, count, dropped, drawn, effort: &effort };
    failure::unless_closed(tell(&asked.asked, args.family.json, &family, &told, &effort, &repeat))?;
    Ok(ExitCode::from(match () {
        () if Property::ALL.into_iter().any(|property| verdict.is_broken(property)) => failure::BROKEN,
        () if verdict.is_complete() => failure::RIGHT,
        () => failure::UNKNOWN,
    }))
}

/// The advice to give in place of the options of other commands.
const INSTEAD: Instead = Instead {
    force: "nothing needs --force here: --ids, --initiators, --links, --loss, --crashes and --timers may take away \
            what the algorithm assumes, and the report says so",
    fault: "what may go wrong is said by --links reorder, --links duplicate:K, --loss K and --crashes K, and tried at \
            every moment: leave --fault out",
    timing: "every schedule is followed, however long messages take: leave --timing out; with --links reorder they \
             overtake each other",
    events: "a counterexample is told step by step: leave --events out; --trace FILE writes it for 'bellwether replay \
             FILE --events'",
};

/// The name of schedules on which there is no election to judge.
const EXCUSED: &str = "schedules on which all who took part crash";

/// Draws a counterexample. Returns the picture for the terminal, if there is one.
fn draw(
    canvases: Canvases,
    args: &DrawArgs,
    info: &Info,
    broken: &Counterexample,
    repeat: String,
) -> Result<Option<String>, Failure> {
    let Counterexample { property, story, .. } = broken;
    let mut drawing = Drawing::new(canvases, args, info, &story.scenario, repeat)?;
    story.events.iter().try_for_each(|event| drawing.event(event))?;
    let mut reasons = vec![format!("broken: {property}")];
    reasons.extend(story.report.violations.iter().cloned());
    reasons.extend(story.repeats_from.map(|event| format!("from event {} on for ever", event + 1)));
    drawing.finish(&Remarks { broken: &reasons, ..Remarks::default() })
}

/// Writes a counterexample as a trace.
fn write_trace(out: &mut dyn Write, story: &Story) -> std::io::Result<()> {
    trace::write(out, &Header::new(story.scenario.clone()))?;
    story.events.iter().try_for_each(|event| trace::write(out, event))?;
    trace::write(out, &story.ending())
}

/// Everything that is reported.
struct CheckTold<'a> {
    args: &'a CheckArgs,
    info: &'static Info,
    plan: Plan,
    verdict: &'a Conclusion,
    count: u128,
    dropped: Vec<String>,
    /// The number of states in the drawn graph, or the reason why there is none.
    drawn: Option<Result<u64, String>>,
    /// The first counterexample, drawn as text.
    picture: Option<String>,
    effort: &'a Effort,
}

impl CheckTold<'_> {
    fn why_not_written(&self) -> &'static str {
        match self.verdict.unshown[..] {
            [] => "not written: there is no counterexample",
            _ => "not written: no shortest schedule was found in time",
        }
    }

    /// Whether rounds were followed, without a synchronizer.
    fn keeps_rounds(&self) -> bool {
        self.plan.freedom.keeps_rounds(self.info)
    }

    /// The counterexamples that are reported.
    fn shown(&self) -> &[Counterexample] {
        let all = &self.verdict.broken;
        &all[..if self.args.all { all.len() } else { all.len().min(1) }]
    }

    fn is_broken(&self, property: Property) -> bool {
        self.verdict.is_broken(property)
    }

    /// Every property, with the reason if it was not judged.
    fn properties(&self) -> impl Iterator<Item = (Property, Option<&'static str>)> {
        let conditions = self.plan.conditions(!self.dropped.is_empty());
        let is_moot = |property| self.verdict.is_complete() && self.verdict.moot.contains(property);
        let why = move |property: Property| match conditions.exempts(self.info, property) {
            _ if self.is_broken(property) => None,
            None if is_moot(property) => Some("some schedules end without a single leader"),
            reason => reason,
        };
        Property::ALL.into_iter().map(move |property| (property, why(property)))
    }

    /// The number of states and transitions, in total or before the search was stopped.
    fn size(&self) -> (u64, u64) {
        let Glance { states, transitions, .. } = self.effort.seen;
        match self.verdict.stopped {
            None => (self.verdict.states, self.verdict.transitions),
            Some(_) => (states, transitions),
        }
    }

    fn word(&self) -> &'static str {
        match () {
            () if Property::ALL.into_iter().any(|property| self.is_broken(property)) => "broken",
            () if self.verdict.is_complete() => "holds",
            () => "unknown",
        }
    }

    fn stopped(&self) -> Option<String> {
        let reason = match &self.verdict.stopped {
            None if self.verdict.given_up > 0 => {
                "something is broken, so it was given up after some hundred thousand states".into()
            }
            None => return None,
            Some(Stop::Memory) => {
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

    /// Explains why there may be so many states, and how to reduce them.
    fn hint(&self) -> String {
        let Freedom { reorder, copies, hasty_timers, .. } = self.plan.freedom;
        let phases = bellwether_catalogue::algorithm(self.info.name).and_then(|algorithm| algorithm.events.phases);
        match phases {
            _ if copies == Freedom::ANY => {
                "every message may come twice, and so may every answer: there may be no end of states; --links \
                 duplicate:K allows K copies in all"
                    .into()
            }
            Some(phases) if reorder => {
                format!(
                    "a message may lag behind by any number of {phases}: there may be no end of states, unless \
                         links keep the order"
                )
            }
            _ if hasty_timers => "timers that go off early may begin elections for ever: there may be no end of \
                                  states"
                .into(),
            _ if !self.dropped.is_empty() => {
                "without what the algorithm assumes there may be no end of states; a smaller network may have one"
                    .into()
            }
            _ if self.count > 1 => "take fewer nodes, or fewer configurations by --ids or --initiators".into(),
            _ if self.verdict.stopped == Some(Stop::Memory) && !self.args.fingerprints => {
                "take fewer nodes, or --fingerprints, which need less memory".into()
            }
            _ => "take fewer nodes".into(),
        }
    }
}

impl Telling for CheckTold<'_> {
    const WIDTH: usize = 10;

    fn how(&self) -> String {
        if self.keeps_rounds() {
            return "every crash between two rounds, and every draw".into();
        }
        let through = match self.info.model {
            Model::Synchronous => ", through Awerbuch's α synchronizer",
            Model::Asynchronous => "",
        };
        format!("every interleaving{through}")
    }

    fn when(&self) -> &'static str {
        if self.keeps_rounds() {
            ", in round 1"
        } else if self.plan.freedom.starts_first {
            ", before anything else happens"
        } else {
            ", at any time, unless a message comes before"
        }
    }

    fn json(&self, object: &mut Object) {
        let Conclusion { configurations, least, most, reduced, .. } = self.verdict;
        if self.keeps_rounds() {
            object.put("rounds", &true);
        } else if self.info.model == Model::Synchronous {
            object.put("synchronizer", &"alpha");
        }
        object.put("verdict", &self.word());
        object.put("complete", &self.verdict.is_complete());
        object.put("configurations", configurations);
        if !self.verdict.is_complete() {
            object.put("of", &family::in_json(self.count));
        }
        let (states, transitions) = self.size();
        object.put("states", &states);
        object.put("transitions", &transitions);
        object.put("reduced", reduced);
        let known = self.verdict.is_complete();
        let properties = self.properties().map(|(property, why)| {
            let (name, key) = (property.to_string(), property.key());
            match why {
                Some(why) => json!({"name": name, "key": key, "holds": null, "why": why}),
                None if self.is_broken(property) => json!({"name": name, "key": key, "holds": false}),
                None => json!({"name": name, "key": key, "holds": known.then_some(true)}),
            }
        });
        object.put("properties", &properties.collect::<Vec<_>>());
        if self.verdict.excused {
            object.put("excused", &EXCUSED);
        }
        let most = if let Most::Messages(most) = most { Some(most) } else { None };
        object.put("messages", &json!({"min": least, "max": most}));
        object.put("dropped", &self.dropped);
        if let Some(first) = self.shown().first() {
            object.put("broken", &first.property.key());
            object
                .put("violations", &first.story.report.violations.iter().map(ToString::to_string).collect::<Vec<_>>());
            object.put("counterexample", &lines(&first.story));
        }
        if self.args.all {
            let one = |broken: &Counterexample| json!({"broken": broken.property.key(), "trace": lines(&broken.story)});
            object.put("counterexamples", &self.shown().iter().map(one).collect::<Vec<_>>());
        }
        match (&self.drawn, &self.args.dot) {
            (Some(Ok(states)), Some(path)) => {
                object.put("dot", &format!("{states} states drawn in {}", path.display()));
            }
            (Some(Err(reason)), _) => object.put("dot", &format!("not written: {reason}")),
            _ => {}
        }
        if !self.verdict.unshown.is_empty() {
            let keys: Vec<_> = self.verdict.unshown.iter().map(|property| property.key()).collect();
            object.put("not_shown", &keys);
        }
        if let Some(stopped) = self.stopped() {
            object.put("stopped", &stopped);
            object.put("depth", &self.effort.seen.depth);
            object.put("hint", &self.hint());
        }
    }

    fn human(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Conclusion { configurations, reduced, .. } = self.verdict;
        let (states, transitions) = self.size();
        for assumption in &self.dropped {
            self.line(out, "dropped", assumption)?;
        }
        let known = self.verdict.is_complete();
        for (property, reason) in self.properties() {
            let (style, word) = match self.is_broken(property) {
                _ if reason.is_some() => (DIM, "not judged"),
                true => (BAD, "broken"),
                false if known => (GOOD, "holds"),
                false => (DIM, "unknown"),
            };
            let unshown =
                self.verdict.unshown.contains(&property).then_some("seen, but its shortest schedule was not found");
            let why = reason.or(unshown).map_or(String::new(), |reason| format!(": {reason}"));
            writeln!(out, "  {style}{word:<0$}{style:#} {property}{DIM}{why}{DIM:#}", Self::WIDTH)?;
        }
        if self.verdict.excused {
            self.line(out, "not judged", EXCUSED)?;
        }
        writeln!(out)?;
        for broken in self.shown() {
            tell_story(out, self.info, broken)?;
        }
        self.picture.iter().try_for_each(|picture| writeln!(out, "{picture}"))?;
        let hidden = self.verdict.broken.len() - self.shown().len();
        if hidden > 0 {
            let them = if hidden == 1 { "the other broken property" } else { "the other broken properties" };
            writeln!(out, "  {DIM}(--all shows a counterexample for {them} too){DIM:#}\n")?;
        }
        self.line(out, "messages", &self.messages())?;
        if self.verdict.least == Some(0) && self.verdict.broken.is_empty() && announces(self.info) {
            self.line(out, "", "with 0, the winner's announcement settles it before anybody else asks")?;
        }
        if let Some(stopped) = self.stopped() {
            let so_far = match (self.shown(), configurations) {
                ([], _) if !self.verdict.unshown.is_empty() => "",
                ([], 0) => "; nothing is known",
                ([], _) => "; nothing is wrong in the configurations that were done",
                _ => "",
            };
            self.line(out, "stopped", &(stopped + so_far))?;
            self.line(
                out,
                "",
                &format!("the longest schedule had {} moves by then", numbers::grouped(self.effort.seen.depth)),
            )?;
            self.line(out, "", &self.hint())?;
        }
        let of = if known { String::new() } else { format!(" of {}", family::in_words(self.count)) };
        let searched = format!(
            "{}{of} configuration{}, {} states, {} transitions in {:.2} s{}",
            numbers::grouped(*configurations),
            if self.count == 1 { "" } else { "s" },
            numbers::grouped(states),
            numbers::grouped(transitions),
            self.effort.took.as_secs_f64(),
            match *reduced {
                0 => "",
                reduced if reduced == *configurations => ", one order of moves that do not interfere",
                _ => ", partly one order of moves that do not interfere",
            }
        );
        self.line(out, "searched", &searched)?;
        if self.args.fingerprints {
            self.line(out, "", "of each state only 64 bits were kept: two may have been taken for one")?;
        }
        if self.args.family.ids.is_none() && !self.info.is_anonymous() {
            self.line(out, "", "one order of the ids; --ids all checks every one")?;
        }
        let [svg, png, html] = self.args.draw.files();
        let told = [("--trace", &self.args.trace), svg, png, html];
        let mut written: Vec<_> = told.iter().map(|(_, path)| *path).collect();
        if self.shown().is_empty() {
            for (option, _) in told.iter().filter(|(_, path)| path.is_some()) {
                self.line(out, option.trim_start_matches('-'), self.why_not_written())?;
            }
            written.clear();
        }
        match &self.drawn {
            None => {}
            Some(Err(reason)) => self.line(out, "dot", &format!("not written: {reason}"))?,
            Some(Ok(states)) => {
                self.line(out, "dot", &format!("{} states, with moves in every order", numbers::grouped(*states)))?;
                written.push(&self.args.dot);
            }
        }
        files::written(written).iter().try_for_each(|(name, files)| self.line(out, name, files))
    }
}

impl CheckTold<'_> {
    fn messages(&self) -> String {
        let Conclusion { least, most, .. } = self.verdict;
        let least = least.map_or("0".into(), numbers::grouped);
        let known = self.verdict.is_complete();
        let so_far = if known { "" } else { ", as far as it was seen" };
        let elect = match most {
            Most::Nothing => return "not known".into(),
            Most::Messages(most) if known && numbers::grouped(*most) == least => {
                format!("{least} to elect, on every schedule")
            }
            Most::Messages(most) => format!("{least} to {} to elect{so_far}", numbers::grouped(*most)),
            Most::Unbounded => format!("from {least} to any number to elect"),
        };
        format!("{elect}{}", on_top(self.info))
    }
}

/// Whether an algorithm announces its result.
pub fn announces(info: &Info) -> bool {
    info.bounds.announce.text != Formula::ZERO.text
}

/// What is said after a number of messages to elect, if announcements are not among them.
pub fn on_top(info: &Info) -> String {
    if announces(info) { format!("; {}", Messages::ON_TOP) } else { String::new() }
}

/// Tells a counterexample as a story.
fn tell_story(out: &mut dyn Write, info: &Info, broken: &Counterexample) -> std::io::Result<()> {
    let Counterexample { property, story, .. } = broken;
    let network = &story.scenario.topology;
    let ids: Vec<String> = story.scenario.ids.iter().map(Id::to_string).collect();
    let among = if info.is_anonymous() { String::new() } else { format!(", ids {}", ids.join(",")) };
    let starters = match &story.initiators {
        Starters::All => String::new(),
        initiators @ Starters::Some(_) => format!(", initiators {}", list_of(initiators, network)),
    };
    writeln!(out, "  {BAD}broken:{BAD:#} {property}, on {network}{among}{starters}:")?;
    let phases = bellwether_catalogue::algorithm(info.name).and_then(|algorithm| algorithm.events.phases);
    let later = phases.map_or(String::new(), |phases| format!(", {phases} later each time"));
    let mut narrator = Narrator::new(info, &story.scenario);
    for (line, event) in story.events.iter().enumerate() {
        if story.repeats_from == Some(line) {
            writeln!(out, "  {DIM}     and from here on for ever{later}:{DIM:#}")?;
        }
        writeln!(out, "  {DIM}{:>4}{DIM:#} {}", event.t.to_string(), narrator.tell(event))?;
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

/// Initiators by name.
pub fn list_of(initiators: &Starters, network: &Network) -> String {
    let names: Vec<String> =
        initiators.among(network.nodes()).map(|(node, _)| network.printed_name(node).to_string()).collect();
    names.join(",")
}
