//! Every schedule: what breaks, and whether something can happen at all.

use bellwether_ask::{Check, Networks};
use bellwether_check::graph::StateGraph;
use bellwether_check::layout::MOST_NODES;
use bellwether_check::ledger::{Ledger, Stop};
use bellwether_check::machine::Machine;
use bellwether_check::{Conclusion, Counterexample, Plan, Story, tell};
use bellwether_core::Info;
use bellwether_draw::Remarks;
use bellwether_net::Wiring;
use bellwether_tell::{Checked, Object, Search};
use bellwether_world::numbers::grouped;
use bellwether_world::{Family, Narrator, Property, Scenario};
use serde_json::json;
use serde_json::value::RawValue;

use crate::attached::Attached;
use crate::request::{CanHappen, Checking, What};
use crate::run::reel;
use crate::{Limits, Problem, fine};

/// Follows every schedule.
pub fn check(Checking { check, files }: Checking, limits: &Limits) -> Result<Object, Problem> {
    let Searched { search, family, verdict, ledger } = search(check, &files, limits)?;
    let told = too_many(&ledger, limits);
    let checked = Checked { search: &search, verdict: &verdict, seen: ledger.glance(), told: told.as_deref() };
    let repeat = search.asked.line();
    let mut object = fine();
    put_shown(&mut object, search.info, checked.shown().first(), &repeat)?;
    put_report(&mut object, &checked, &family, &repeat);
    Ok(object)
}

/// Whether something can happen.
pub fn can_happen(CanHappen { check, what, messages, files }: CanHappen, limits: &Limits) -> Result<Object, Problem> {
    let property = match (what, messages) {
        (What::TwoLeaders, None) => Property::OneLeader,
        (What::NobodyInformed, None) => Property::Informed,
        (What::MoreThan, Some(messages)) => return more_than(check, messages, &files, limits),
        (What::MoreThan, None) => {
            return Err(Problem::refused("'messages' is missing: it says how many there are, as in \"messages\":10"));
        }
        (_, Some(_)) => return Err(Problem::refused("'messages' is for more-than: leave it out")),
    };
    let Searched { search, family, verdict, ledger } = search(check, &files, limits)?;
    let told = too_many(&ledger, limits);
    let checked = Checked { search: &search, verdict: &verdict, seen: ledger.glance(), told: told.as_deref() };
    let why = checked.properties().find(|(judged, _)| *judged == property).and_then(|(_, why)| why);
    let repeat = search.asked.line();
    let mut object = fine();
    let never = match () {
        () if checked.is_broken(property) => Some(false),
        () if checked.verdict.is_complete() && why.is_none() => Some(true),
        () => None,
    };
    object.put("never", &never);
    object.put("why", &why);
    let shown = verdict.broken.iter().find(|broken| broken.property == property);
    put_shown(&mut object, search.info, shown, &repeat)?;
    put_report(&mut object, &checked, &family, &repeat);
    Ok(object)
}

/// The largest number of messages that can be asked for.
const MOST_MESSAGES: u64 = 100_000;

/// Whether a schedule has more than this number of messages to elect, and a shortest one that has.
fn more_than(check: Check, messages: u64, files: &Attached, limits: &Limits) -> Result<Object, Problem> {
    if messages > MOST_MESSAGES {
        let most = grouped(MOST_MESSAGES);
        return Err(Problem::too_large(format!("a small network is searched: ask for at most {most} messages")));
    }
    let (search, family) = prepare(check, files, limits)?;
    if search.keeps_rounds() {
        return Err(Problem::refused("crashes between rounds change who sends: leave crashes out to count messages"));
    }
    let plan = Plan { reduction: false, symmetry: false, fingerprints: false, ..search.plan };
    let ledger = Ledger::new(limits.memory).up_to_states(limits.states);
    let repeat = search.asked.line();
    let mut object = fine();
    let mut states = 0;
    for scenario in family.scenarios() {
        let mut machine = machine(&scenario, plan)?;
        let graph = StateGraph::new(&mut machine, &ledger).map_err(|stop| stopped(&stop, limits))?;
        states += graph.states();
        let path = graph.costing_more_than(messages, 4 * limits.states as usize);
        let Some(path) = path.map_err(|stop| stopped(&stop, limits))? else { continue };
        let story = tell(&mut machine, &path, None).map_err(|stop| stopped(&stop, limits))?;
        object.put("never", &false);
        object.put("why", &Option::<&str>::None);
        let remark = format!("more than {} messages to elect", grouped(messages));
        object.put("reel", &filmed(search.info, &story, &[remark], &repeat)?);
        object.put("property", &format!("more than {} messages", grouped(messages)));
        object.put("story", &lines(search.info, &story));
        object.put("states", &states);
        object.put("repeat", &repeat);
        return Ok(object);
    }
    object.put("never", &true);
    object.put("why", &Option::<&str>::None);
    put_shown(&mut object, search.info, None, &repeat)?;
    object.put("states", &states);
    object.put("repeat", &repeat);
    Ok(object)
}

/// A search that is over.
struct Searched {
    search: Search,
    family: Family,
    verdict: Conclusion,
    ledger: Ledger,
}

fn search(check: Check, files: &Attached, limits: &Limits) -> Result<Searched, Problem> {
    let (search, family) = prepare(check, files, limits)?;
    let algorithm = bellwether_catalogue::algorithm(family.info.name)
        .ok_or_else(|| Problem::refused(format!("there is no algorithm '{}'", family.info.name)))?;
    let ledger = Ledger::new(search.asked.budget.memory.0.min(limits.memory)).up_to_states(limits.states);
    let verdict = bellwether_check::check(family.scenarios(), algorithm, search.plan, &ledger, 1);
    let verdict = verdict.map_err(Problem::refused)?;
    Ok(Searched { search, family, verdict, ledger })
}

/// A search within the limits.
fn prepare(mut check: Check, files: &Attached, limits: &Limits) -> Result<(Search, Family), Problem> {
    if check.budget.time.is_some() {
        return Err(Problem::refused("the lab bounds a search by its states: leave time out"));
    }
    let info = check.asked.info()?;
    check.asked = check.asked.settled(info);
    if let Some(Networks::One(topology)) = &check.asked.topology {
        let few = Limits { nodes: MOST_NODES, ..*limits };
        if topology.nodes().is_some_and(|nodes| nodes > MOST_NODES) {
            return Err(too_many_nodes(topology.nodes().unwrap_or_default()));
        }
        few.allow(topology)?;
    }
    let family = check.family(info, files)?;
    if let Some(nodes) = family.members.iter().map(|member| member.network.nodes()).find(|nodes| *nodes > MOST_NODES) {
        return Err(too_many_nodes(nodes));
    }
    let search = Search::new(check, &family).map_err(Problem::refused)?;
    if search.count > u128::from(limits.states) {
        let count = bellwether_tell::family::in_words(search.count);
        return Err(Problem::too_large(format!(
            "there are {count} configurations, and the lab follows at most {} states: take fewer nodes, or one order \
             of the ids",
            grouped(limits.states)
        )));
    }
    Ok((search, family))
}

fn too_many_nodes(nodes: u32) -> Problem {
    Problem::too_large(format!(
        "{} nodes have more states than anybody could follow: take at most {MOST_NODES}, and better 3 to 8",
        grouped(nodes)
    ))
}

/// A network of the checker.
pub fn machine(scenario: &Scenario, plan: Plan) -> Result<Machine, Problem> {
    let algorithm = bellwether_catalogue::algorithm(&scenario.algorithm)
        .ok_or_else(|| Problem::refused(format!("there is no algorithm '{}'", scenario.algorithm)))?;
    Machine::new(algorithm, scenario, plan).map_err(Problem::refused)
}

/// Why a search that must be complete is not.
pub fn stopped(stop: &Stop, limits: &Limits) -> Problem {
    match stop {
        Stop::Impossible(reason) => Problem::refused(reason.clone()),
        Stop::Told | Stop::States | Stop::Memory => Problem::too_large(format!(
            "there are more than {} states, more than the lab follows: take fewer nodes",
            grouped(limits.states)
        )),
    }
}

/// Why the ledger told a search to stop, if it did.
fn too_many(ledger: &Ledger, limits: &Limits) -> Option<String> {
    let (states, megabytes) = (grouped(limits.states), grouped(limits.memory >> 20));
    let told = || format!("the lab follows at most {states} states, in at most {megabytes} MB of memory");
    ledger.is_stopped().then(told)
}

/// Adds a counterexample, or that there is none.
fn put_shown(object: &mut Object, info: &Info, broken: Option<&Counterexample>, repeat: &str) -> Result<(), Problem> {
    let Some(Counterexample { property, story, .. }) = broken else {
        object.put("reel", &Option::<&str>::None);
        object.put("property", &Option::<&str>::None);
        object.put("story", &json!([]));
        return Ok(());
    };
    let mut reasons = vec![format!("broken: {property}")];
    reasons.extend(story.report.violations.iter().cloned());
    reasons.extend(story.repeats_from.map(|event| format!("from event {} on for ever", event + 1)));
    object.put("reel", &filmed(info, story, &reasons, repeat)?);
    object.put("property", &property.to_string());
    object.put("story", &lines(info, story));
    Ok(())
}

fn put_report(object: &mut Object, checked: &Checked<'_>, family: &Family, repeat: &str) {
    let mut report = checked.json(family, None);
    report.put("repeat", &repeat);
    object.put("report", &report);
    object.put("repeat", &repeat);
}

/// A schedule as a reel, with these remarks.
pub fn filmed(info: &Info, story: &Story, reasons: &[String], repeat: &str) -> Result<Box<RawValue>, Problem> {
    let mut reel = reel(info, &story.scenario)?;
    story.events.iter().try_for_each(|event| reel.event(event)).map_err(Problem::refused)?;
    Ok(reel.json(&Remarks { broken: reasons, ..Remarks::default() }, repeat))
}

/// A schedule in sentences.
pub fn lines(info: &Info, story: &Story) -> Vec<String> {
    let mut narrator = Narrator::new(info, &story.scenario);
    let mut lines = vec![];
    for (line, event) in story.events.iter().enumerate() {
        if story.repeats_from == Some(line) {
            lines.push("and from here on for ever:".into());
        }
        lines.push(format!("{} {}", event.t, narrator.tell(event)));
    }
    lines.extend(story.report.violations.iter().cloned());
    lines
}
