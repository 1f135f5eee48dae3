//! One election, and all that a page shows of it.

use std::cell::{Cell, RefCell};

use bellwether_ask::{Election, Host, IdsFrom, Prepared, Units};
use bellwether_core::{Info, Rulebook, Span};
use bellwether_draw::{Lanes, Reel, Remarks};
use bellwether_tell::{Detail, Lemmas, Object, lemmas};
use bellwether_world::host::{Now, PhaseCount, Watch, Wishes};
use bellwether_world::numbers::grouped;
use bellwether_world::trace::Event;
use bellwether_world::{Outcome, Proved, Report, Scenario, Time, assumptions};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::attached::Attached;
use crate::request::RunRequest;
use crate::{Limits, Problem, fine};

/// Holds the election.
pub fn run(RunRequest { election, files }: RunRequest, limits: &Limits) -> Result<Object, Problem> {
    let (prepared, mut events, report) = hold(election, &files, limits)?;
    let scenario = &prepared.scenario;
    let repeat = prepared.repeat();
    let mut reel = reel(prepared.info, scenario)?;
    let mut lemmas = Lemmas::new(scenario);
    for event in events.drain(..) {
        lemmas.event(&event);
        reel.event(&event).map_err(Problem::refused)?;
    }
    let counted = lemmas.counted(prepared.info, scenario, &report);
    let mut told = bellwether_tell::json(prepared.info, scenario, &report, Detail::None, &repeat);
    lemmas::put(&counted, &mut told);
    scenario.told_bound(prepared.info).iter().for_each(|bound| told.put("diameter", bound));
    if report.outcome == Outcome::Limit {
        told.put("stopped", &bellwether_tell::stopped(scenario));
    }
    if prepared.election().largest_component {
        told.put("left_out", &prepared.left_out);
    }
    let mut object = fine();
    object.put("reel", &finished(&reel, scenario, &report, &repeat));
    object.put("report", &told);
    object.put("repeat", &repeat);
    object.put("dropped", &dropped(prepared.info, scenario));
    object.put("election", prepared.election());
    Ok(object)
}

/// How many events are shown of a run that has no end.
const ENOUGH: u64 = 20_000;

/// Holds an election and keeps its events. Without what the algorithm assumes, a run may have no end. Then it is held
/// again up to a limit, which the line that repeats it tells.
pub fn hold(election: Election, files: &Attached, limits: &Limits) -> Result<(Prepared, Vec<Event>, Report), Problem> {
    let prepared = prepare(election, files, limits)?;
    if is_far_too_long(&prepared, files, limits)? {
        return Err(too_long("more events than that", limits));
    }
    if let Some(done) = play(&prepared, limits.events, limits)? {
        return Ok((prepared, done.0, done.1));
    }
    if !prepared.scenario.forced {
        return Err(too_long("more events than that", limits));
    }
    let shorter = Election { limit: Some(ENOUGH.min(limits.events)), ..prepared.election().clone() };
    let prepared = prepare(shorter, files, limits)?;
    let done =
        play(&prepared, u64::MAX, limits)?.ok_or_else(|| Problem::too_large("the run did not stop at its limit"))?;
    Ok((prepared, done.0, done.1))
}

/// Whether an algorithm that never ends has too many events already in the first tenth of its time. Its beginning may
/// be twice as busy as the rest.
fn is_far_too_long(prepared: &Prepared, files: &Attached, limits: &Limits) -> Result<bool, Problem> {
    let until = prepared.scenario.until.and_then(Time::as_span).filter(|until| *until > Span::units(100));
    let Some(until) = until else { return Ok(false) };
    let early = Election { until: Some(Units(Span(until.0 / 10))), ..prepared.election().clone() };
    Ok(play(&prepare(early, files, limits)?, limits.events / 5, limits)?.is_none())
}

/// Prepares an election that is small enough.
pub fn prepare(election: Election, files: &Attached, limits: &Limits) -> Result<Prepared, Problem> {
    if election.host != Host::Simulator {
        return Err(Problem::refused("the lab simulates: leave host out; 'bellwether live' has threads"));
    }
    election.topology.iter().try_for_each(|topology| limits.allow(topology))?;
    let prepared = election.prepare(files)?;
    limits.allow_network(&prepared.scenario.topology)?;
    let proved = Proved::new(prepared.info, &prepared.scenario).with_announcement();
    let expected = proved.expected().filter(|_| IdsFrom::are_drawn(prepared.election().ids.as_ref()));
    let expected = expected.or(proved.best).unwrap_or(0.0);
    if expected > limits.events as f64 && prepared.scenario.limit > limits.events {
        return Err(too_long(&format!("about {} messages", grouped(expected as u64)), limits));
    }
    Ok(prepared)
}

fn too_long(run: &str, limits: &Limits) -> Problem {
    Problem::too_large(format!(
        "this run has {run}, and the lab shows at most {} events: take fewer nodes",
        grouped(limits.events)
    ))
}

/// Plays a run; `None` if it has more than this number of events.
fn play(prepared: &Prepared, most: u64, limits: &Limits) -> Result<Option<(Vec<Event>, Report)>, Problem> {
    let scenario = &prepared.scenario;
    let algorithm = bellwether_catalogue::algorithm(&scenario.algorithm)
        .ok_or_else(|| Problem::refused(format!("there is no algorithm '{}'", scenario.algorithm)))?;
    let (events, count, bytes) = (RefCell::new(vec![]), Cell::new(0), Cell::new(0));
    let mut record = |event: Event| {
        count.set(count.get() + 1);
        bytes.set(bytes.get() + event.state.values().map(weight).sum::<usize>());
        if count.get() <= most && bytes.get() <= limits.variables {
            events.borrow_mut().push(event);
        }
    };
    let mut watch = Counting { count: &count, most, bytes: &bytes, most_bytes: limits.variables };
    let phases = PhaseCount::is_wanted(scenario, false);
    let wishes = Wishes { record: Some(&mut record), phases, ..Wishes::none(&mut watch) };
    let report = bellwether_sim::play(algorithm, scenario, wishes);
    let report = report.map_err(|error| Problem::refused(error.to_string()))?;
    if bytes.get() > limits.variables {
        let most = limits.variables >> 20;
        return Err(Problem::too_large(format!(
            "the variables of this run take more than {most} MB: take fewer nodes, or nodes with fewer links"
        )));
    }
    Ok((count.get() <= most).then(|| (events.into_inner(), report)))
}

/// How many bytes a value takes as text, more or less.
fn weight(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::String(text) => text.len() + 2,
        Value::Array(values) => 2 + values.iter().map(weight).sum::<usize>(),
        Value::Object(values) => 2 + values.iter().map(|(name, value)| name.len() + weight(value)).sum::<usize>(),
    }
}

/// Stops a run that has had too many events, or that tells too much.
struct Counting<'a> {
    count: &'a Cell<u64>,
    most: u64,
    bytes: &'a Cell<usize>,
    most_bytes: usize,
}

impl Watch for Counting<'_> {
    fn go_on(&mut self, _: u64, _: Option<Now>) -> bool {
        self.count.get() <= self.most && self.bytes.get() <= self.most_bytes
    }
}

/// An empty reel of a run.
pub fn reel(info: &Info, scenario: &Scenario) -> Result<Reel, Problem> {
    let reel = Reel::new(scenario, info.is_anonymous(), &Lanes::default()).map_err(Problem::too_large)?;
    Ok(reel.with_rules(&Rulebook::of(info)))
}

/// A reel with the remarks that follow from the report.
pub fn finished(reel: &Reel, scenario: &Scenario, report: &Report, repeat: &str) -> Box<RawValue> {
    reel.json(&Remarks::of(scenario, report), repeat)
}

/// The assumptions of an algorithm that a scenario breaks.
pub fn dropped(info: &Info, scenario: &Scenario) -> Vec<String> {
    assumptions::broken(scenario, info).into_iter().map(|broken| broken.reason).collect()
}
