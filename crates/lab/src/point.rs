//! One point of a curve over the number of nodes.

use std::cell::Cell;

use bellwether_ask::{Election, IdsFrom};
use bellwether_random::seed_of_run;
use bellwether_tell::Object;
use bellwether_world::host::{Now, Watch, Wishes};
use bellwether_world::numbers::{grouped, plain};
use bellwether_world::{Proved, Time};
use serde_json::{Value, json};

use crate::attached::Attached;
use crate::request::{PointQuantity, PointRequest};
use crate::run::prepare;
use crate::{Limits, Problem, fine};

/// How many messages a point may take for each event of a run that is shown: nobody records them.
const CHEAPER: u64 = 25;
/// The largest number of runs.
const MOST_RUNS: u32 = 1_000;

/// Holds the runs that a sweep of the same seed holds at this size.
pub fn point(
    PointRequest { election, kind, nodes, runs, quantity }: PointRequest,
    limits: &Limits,
) -> Result<Object, Problem> {
    if election.topology.is_some() {
        return Err(Problem::refused("the kind and the number of nodes say which networks: leave topology out"));
    }
    if runs == 0 || runs > MOST_RUNS {
        return Err(Problem::refused(format!("'runs' is from 1 to {}, not {runs}", grouped(MOST_RUNS))));
    }
    let topology = kind.of(nodes).map_err(Problem::refused)?;
    limits.allow(&topology)?;
    let drawn = IdsFrom::are_drawn(election.ids.as_ref());
    let budget = CHEAPER * limits.events;
    let allowed = Limits { events: budget, ..*limits };
    let (mut values, mut wrong, mut spent) = (vec![], 0, 0);
    let mut bounds: [Vec<Option<f64>>; 3] = Default::default();
    for run in 0..runs {
        let seed = seed_of_run(election.seed, nodes, run);
        let one = Election { topology: Some(topology.clone()), seed, ..election.clone() };
        let prepared = prepare(one, &Attached::default(), &allowed)?;
        let scenario = &prepared.scenario;
        let proved = Proved::new(prepared.info, scenario);
        let least = proved.expected().or(proved.best).unwrap_or(0.0);
        if run == 0 && least * f64::from(runs) > budget as f64 {
            return Err(too_large(budget));
        }
        let algorithm = bellwether_catalogue::algorithm(&scenario.algorithm)
            .ok_or_else(|| Problem::refused(format!("there is no algorithm '{}'", scenario.algorithm)))?;
        let seen = Cell::new(0);
        let mut watch = Sparing { seen: &seen, most: budget - spent };
        let report = bellwether_sim::play(algorithm, scenario, Wishes::none(&mut watch));
        let report = report.map_err(|error| Problem::refused(error.to_string()))?;
        spent += report.messages().max(seen.get());
        if spent > budget {
            return Err(too_large(budget));
        }
        let (value, three) = match quantity {
            PointQuantity::Messages => {
                let mean = proved.mean.filter(|_| drawn);
                (Some(report.election_messages() as f64), [proved.best, mean, proved.worst])
            }
            PointQuantity::Time => (report.time.map(Time::as_f64), [None, None, proved.time]),
            PointQuantity::Bits => (Some(report.bits as f64), [None; 3]),
        };
        if report.is_right() {
            values.extend(value);
        } else {
            wrong += 1;
        }
        bounds.iter_mut().zip(three).for_each(|(all, one)| all.push(one));
    }
    let [best, mean, worst] = bounds.map(|all| all.into_iter().collect::<Option<Vec<f64>>>());
    let of = |value: Option<f64>| value.map_or(Value::Null, plain);
    let mut object = fine();
    object.put("n", &nodes);
    object.put("runs", &runs);
    object.put("wrong", &wrong);
    object.put("mean", &of(average(&values)));
    object.put("least", &of(values.iter().copied().reduce(f64::min)));
    object.put("most", &of(values.iter().copied().reduce(f64::max)));
    object.put(
        "proved",
        &json!({
            "best": of(best.and_then(|all| all.into_iter().reduce(f64::min))),
            "mean": of(mean.as_deref().and_then(average)),
            "worst": of(worst.and_then(|all| all.into_iter().reduce(f64::max))),
        }),
    );
    Ok(object)
}

fn too_large(budget: u64) -> Problem {
    Problem::too_large(format!(
        "these runs have more than {} messages together: take fewer nodes or fewer runs; 'bellwether sweep' takes more",
        grouped(budget)
    ))
}

/// The mean. Rounding must not make that of equal numbers differ from them.
fn average(values: &[f64]) -> Option<f64> {
    let first = values.first()?;
    if values.iter().all(|value| value == first) {
        return Some(*first);
    }
    Some(values.iter().sum::<f64>() / values.len() as f64)
}

/// Stops a run that has sent too many messages.
struct Sparing<'a> {
    seen: &'a Cell<u64>,
    most: u64,
}

impl Watch for Sparing<'_> {
    fn go_on(&mut self, messages: u64, _: Option<Now>) -> bool {
        self.seen.set(messages);
        messages <= self.most
    }
}
