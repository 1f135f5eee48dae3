//! A recorded run, played again.

use bellwether_ask::{Election, IdsFrom, Units, Wake};
use bellwether_core::{Info, Starters};
use bellwether_sim::replay::{self, replay};
use bellwether_tell::{Detail, Lemmas, Object, lemmas};
use bellwether_world::ids::Ids;
use bellwether_world::numbers::grouped;
use bellwether_world::trace::{Line, Reader};
use bellwether_world::{Scenario, Timing, settings};

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
    if matches!(scenario.timing, Timing::Live(_) | Timing::Chosen(_)) {
        return None;
    }
    let (algorithm, erratum) = match scenario.algorithm.split_once('/') {
        Some((algorithm, erratum)) => (algorithm, Some(erratum.to_string())),
        None => (&scenario.algorithm[..], None),
    };
    let network = &scenario.topology;
    let name = |node: u32| network.node_name(node).into_owned();
    let (mut initiators, mut wake) = (None, vec![]);
    match &scenario.initiators {
        Starters::All => {}
        Starters::Some(some) if scenario.start_together() => {
            let nodes: Vec<String> = some.iter().map(|(node, _)| name(*node)).collect();
            initiators = Some(nodes.join(",").parse().ok()?);
        }
        Starters::Some(some) => {
            wake = some.iter().map(|(node, round)| Wake { node: name(*node), round: *round }).collect();
        }
    }
    let set = scenario.settings.iter().map(|(name, value)| settings::written(info, name, *value));
    let usual = Scenario::new(info, network.clone(), scenario.ids.clone());
    let is_limit_usual = scenario.generous_limit(info) == scenario.limit;
    let made = Election {
        as_printed: erratum,
        topology: Some(network.name.parse().ok()?),
        ids: (!info.is_anonymous()).then(|| IdsFrom::Ids(Ids::List(scenario.ids.clone()))),
        initiators,
        wake,
        timing: (scenario.timing != usual.timing).then_some(scenario.timing),
        set: set.collect(),
        fault: scenario.faults.iter().map(|fault| fault.among(network)).collect(),
        detect: (scenario.detection != usual.detection).then_some(Units(scenario.detection)),
        max_delay: (scenario.max_delay != usual.max_delay).then_some(Units(scenario.max_delay)),
        elections: scenario.elections,
        limit: (!is_limit_usual).then_some(scenario.limit),
        seed: scenario.seed,
        force: scenario.forced,
        ..Election::new(algorithm)
    };
    made.topology.as_ref().map(|topology| limits.allow(topology))?.ok()?;
    let prepared = made.clone().prepare(&Attached::default()).ok()?;
    (prepared.scenario == *scenario).then_some(made)
}
