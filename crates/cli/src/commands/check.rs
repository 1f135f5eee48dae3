//! `bellwether check`: every interleaving.

pub mod args;
pub mod dot;
pub mod search;
pub mod tell;

use std::io::Write;
use std::process::ExitCode;

use bellwether_check::{Conclusion, Counterexample, Most, Story, check as check_all};
use bellwether_console::draft::Draft;
use bellwether_console::drawing::{Canvases, DrawArgs, Drawing};
use bellwether_console::failure::{self, Done, Failure};
use bellwether_console::style::{BAD, DIM, GOOD};
use bellwether_console::{Here, files, progress};
use bellwether_core::{Formula, Id, Info, Model, Starters};
use bellwether_draw::Remarks;
use bellwether_tell::{Checked, EXCUSED, Object, Search, family};
use bellwether_world::trace::Header;
use bellwether_world::{Messages, Narrator, Property, numbers};

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
    let family = asked.family(info, &Here)?;
    search::refuse_too_large(&family).map_err(Failure::Usage)?;
    search::refuse_too_many(args.budget.time, &family).map_err(Failure::Usage)?;
    let search = Search::new(asked, &family).map_err(Failure::Usage)?;
    let Search { plan, info, count, .. } = search;
    if search.keeps_rounds() && args.dot.is_some() {
        return Err(Failure::Usage("--dot draws schedules of messages, and crashes are tried between rounds".into()));
    }
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
    let repeat = search.asked.line();
    let picture = match verdict.broken.first().filter(|_| args.draw.are_given()) {
        Some(first) => draw(canvases, &args.draw, info, first, repeat.clone())?,
        None => None,
    };
    let told = progress::was_interrupted().then_some("interrupted");
    let checked = Checked { search: &search, verdict: &verdict, seen: effort.seen, told };
    let told = CheckReport { checked, picture, args, drawn, effort: &effort };
    failure::unless_closed(tell(&search.asked.asked, args.family.json, &family, &told, &effort, &repeat))?;
    Ok(ExitCode::from(match () {
        () if Property::of(info).any(|property| verdict.is_broken(property)) => failure::BROKEN,
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
    Header::new(story.scenario.clone()).write(out)?;
    story.events.iter().try_for_each(|event| event.write(out))?;
    story.ending().write(out)
}

/// Everything that is reported.
struct CheckReport<'a> {
    checked: Checked<'a>,
    args: &'a CheckArgs,
    /// The number of states in the drawn graph, or the reason why there is none.
    drawn: Option<Result<u64, String>>,
    /// The first counterexample, drawn as text.
    picture: Option<String>,
    effort: &'a Effort,
}

impl CheckReport<'_> {
    fn why_not_written(&self) -> &'static str {
        match self.checked.verdict.unshown[..] {
            [] => "not written: there is no counterexample",
            _ => "not written: no shortest schedule was found in time",
        }
    }
}

impl Telling for CheckReport<'_> {
    const WIDTH: usize = 10;

    fn how(&self) -> String {
        let search = self.checked.search;
        if search.keeps_rounds() {
            return "every crash between two rounds, and every draw".into();
        }
        let through = match search.info.model {
            Model::Synchronous => ", through Awerbuch's α synchronizer",
            Model::Asynchronous => "",
        };
        let clocks = match search.plan.freedom.drift {
            Some(drift) => format!(", clocks within {drift}"),
            None => String::new(),
        };
        format!("every interleaving{through}{clocks}")
    }

    fn when(&self) -> &'static str {
        let search = self.checked.search;
        if search.keeps_rounds() {
            ", in round 1"
        } else if search.plan.freedom.starts_first {
            ", before anything else happens"
        } else {
            ", at any time, unless a message comes before"
        }
    }

    fn json(&self, object: &mut Object) {
        let dot = match (&self.drawn, &self.args.dot) {
            (Some(Ok(states)), Some(path)) => Some(format!("{states} states drawn in {}", path.display())),
            (Some(Err(reason)), _) => Some(format!("not written: {reason}")),
            _ => None,
        };
        self.checked.put(object, dot.as_deref());
    }

    fn human(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Checked { search, verdict, .. } = self.checked;
        let Conclusion { configurations, reduced, .. } = verdict;
        let (states, transitions) = self.checked.size();
        for assumption in &search.dropped {
            self.line(out, "dropped", assumption)?;
        }
        let known = verdict.is_complete();
        for (property, reason) in self.checked.properties() {
            let (style, word) = match self.checked.is_broken(property) {
                _ if reason.is_some() => (DIM, "not judged"),
                true => (BAD, "broken"),
                false if known => (GOOD, "holds"),
                false => (DIM, "unknown"),
            };
            let unshown =
                verdict.unshown.contains(&property).then_some("seen, but its shortest schedule was not found");
            let why = reason.or(unshown).map_or(String::new(), |reason| format!(": {reason}"));
            writeln!(out, "  {style}{word:<0$}{style:#} {property}{DIM}{why}{DIM:#}", Self::WIDTH)?;
        }
        if verdict.excused {
            self.line(out, "not judged", EXCUSED)?;
        }
        writeln!(out)?;
        for broken in self.checked.shown() {
            tell_story(out, search.info, broken)?;
        }
        self.picture.iter().try_for_each(|picture| writeln!(out, "{picture}"))?;
        let hidden = verdict.broken.len() - self.checked.shown().len();
        if hidden > 0 {
            let them = if hidden == 1 { "the other broken property" } else { "the other broken properties" };
            writeln!(out, "  {DIM}(--all shows a counterexample for {them} too){DIM:#}\n")?;
        }
        if search.info.perpetual {
            let epochs = search.plan.freedom.phases;
            self.line(out, "followed", &format!("up to epoch {epochs}; later ones are left out"))?;
        } else {
            self.line(out, "messages", &self.messages())?;
        }
        if verdict.wished {
            self.line(out, "", "from some states a leader comes only after a wish, as the rest of a change")?;
        }
        if verdict.least == Some(0) && verdict.broken.is_empty() && announces(search.info) {
            self.line(out, "", "with 0, the winner's announcement settles it before anybody else asks")?;
        }
        if let Some(stopped) = self.checked.stopped() {
            let so_far = match (self.checked.shown(), configurations) {
                ([], _) if !verdict.unshown.is_empty() => "",
                ([], 0) => "; nothing is known",
                ([], _) => "; nothing is wrong in the configurations that were done",
                _ => "",
            };
            self.line(out, "stopped", &(stopped + so_far))?;
            if verdict.stopped.is_some() || !search.info.perpetual {
                let depth = numbers::grouped(self.effort.seen.depth);
                self.line(out, "", &format!("the longest schedule had {depth} moves by then"))?;
                self.line(out, "", &self.checked.hint())?;
            }
        }
        let of = if known { String::new() } else { format!(" of {}", family::in_words(search.count)) };
        let searched = format!(
            "{}{of} configuration{}, {} states, {} transitions in {:.2} s{}",
            numbers::grouped(*configurations),
            if search.count == 1 { "" } else { "s" },
            numbers::grouped(states),
            numbers::grouped(transitions),
            self.effort.took.as_secs_f64(),
            match *reduced {
                0 => "",
                reduced if reduced == *configurations => ", with partial-order reduction",
                _ => ", partly with partial-order reduction",
            }
        );
        self.line(out, "searched", &searched)?;
        if self.args.fingerprints {
            self.line(out, "", "of each state only 64 bits were kept: two may have been taken for one")?;
        }
        if self.args.family.ids.is_none() && !search.info.is_anonymous() {
            self.line(out, "", "one order of the ids; --ids all checks every one")?;
        }
        let [svg, png, html] = self.args.draw.files();
        let told = [("--trace", &self.args.trace), svg, png, html];
        let mut written: Vec<_> = told.iter().map(|(_, path)| *path).collect();
        if self.checked.shown().is_empty() {
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

impl CheckReport<'_> {
    fn messages(&self) -> String {
        let Checked { search, verdict, .. } = self.checked;
        let Conclusion { least, most, .. } = verdict;
        let least = least.map_or("0".into(), numbers::grouped);
        let known = verdict.is_complete();
        let so_far = if known { "" } else { ", as far as it was seen" };
        let elect = match most {
            Most::Nothing => return "not known".into(),
            Most::Messages(most) if known && numbers::grouped(*most) == least => {
                format!("{least} to elect, on every schedule")
            }
            Most::Messages(most) => format!("{least} to {} to elect{so_far}", numbers::grouped(*most)),
            Most::Unbounded if self.checked.never_ends() => return "without end: no schedule ends".into(),
            Most::Unbounded => format!("from {least} to any number to elect"),
        };
        format!("{elect}{}", on_top(search.info))
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
        initiators @ Starters::Some(_) => format!(", initiators {}", family::list_of(initiators, network)),
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
