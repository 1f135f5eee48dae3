//! A recorded run, played again.

use bellwether_ask::Election;
use bellwether_core::Info;
use bellwether_sim::replay::{self, replay};
use bellwether_tell::{Detail, Lemmas, Object, lemmas};
use bellwether_world::Scenario;
use bellwether_world::numbers::grouped;
use bellwether_world::trace::{Line, Reader};

use crate::attached::Attached;
use crate::run::{dropped, finished, reel};
use crate::{Limits, Problem, fine};

/// Plays a trace again, and shows it as a run.
pub fn open(trace: &str, limits: &Limits) -> Result<Object, Problem> {
    let lines = trace.lines().count() as u64;
    if lines > limits.events + 2 {
        return Err(Problem::too_large(format!(
            "the trace has {} lines, and the lab shows at most {} events: 'bellwether replay FILE --html PAGE' shows \
             more",
            grouped(lines),
            grouped(limits.events)
        )));
    }
    let mut reader = Reader::new(trace.as_bytes()).map_err(Problem::unreadable)?;
    let scenario = reader.header.scenario.clone();
    limits.allow_network(&scenario.topology)?;
    let info = bellwether_ask::named(&scenario.algorithm)?;
    scenario.validate(info).map_err(|error| Problem::unreadable(format!("line 1: {error}")))?;
    let algorithm = bellwether_catalogue::algorithm(&scenario.algorithm)
        .ok_or_else(|| Problem::refused(format!("there is no algorithm '{}'", scenario.algorithm)))?;
    let mut reel = reel(info, &scenario)?;
    let mut lemmas = Lemmas::new(&scenario);
    let mut next = || {
        let line = reader.next_line()?;
        if let Some(Line::Event(event)) = &line {
            lemmas.event(event);
            reel.event(event)?;
        }
        Ok(line)
    };
    let report = replay(algorithm, &scenario, &mut next).map_err(|failure| match failure {
        replay::Failure::Impossible(error) => Problem::refused(error.to_string()),
        replay::Failure::Unreadable(what) => Problem::unreadable(what),
        replay::Failure::Diverges(what) => {
            Problem::refused(format!("the run diverges from its trace at {what}: the trace was changed"))
        }
    })?;
    let election = election(&scenario, info, limits);
    let repeat = election.as_ref().map_or_else(|| "bellwether replay trace.ndjson".into(), Election::line);
    let mut told = bellwether_tell::json(info, &scenario, &report, Detail::None, &repeat);
    lemmas::put(&lemmas.counted(info, &scenario, &report), &mut told);
    let mut object = fine();
    object.put("reel", &finished(&reel, &scenario, &report, &repeat));
    object.put("report", &told);
    object.put("repeat", &repeat);
    object.put("dropped", &dropped(info, &scenario));
    object.put("election", &election);
    Ok(object)
}

/// The election that makes this very scenario, if there is one.
fn election(scenario: &Scenario, info: &Info, limits: &Limits) -> Option<Election> {
    let made = Election::of(scenario, info)?;
    made.topology.iter().try_for_each(|topology| limits.allow(topology)).ok()?;
    let prepared = made.clone().prepare(&Attached::default()).ok()?;
    (prepared.scenario == *scenario).then_some(made)
}
