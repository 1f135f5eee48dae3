//! The ids or the schedule that make an election dearest.

use bellwether_ask::{Asked, Budget, Election, Exact, IdsFrom, Networks, Schedules, Sets};
use bellwether_check::exact::{Cost, costs};
use bellwether_check::graph::StateGraph;
use bellwether_check::layout::MOST_NODES;
use bellwether_check::ledger::{Ledger, Stop};
use bellwether_check::{Plan, tell};
use bellwether_core::{Info, Model};
use bellwether_net::Wiring;
use bellwether_tell::Object;
use bellwether_world::host::{Watcher, Wishes};
use bellwether_world::ids::Ids;
use bellwether_world::numbers::{grouped, plain};
use bellwether_world::{Freedom, Proved, Scenario, Time};
use serde_json::Value;

use crate::check::{filmed, lines, machine, stopped};
use crate::request::{Of, Worst};
use crate::run::prepare;
use crate::{Limits, Problem, fine};

/// The dearest ids, or the dearest schedule.
pub fn worst(worst: &Worst, limits: &Limits) -> Result<Object, Problem> {
    let Worst { election, quantity, .. } = worst;
    if quantity != "messages" {
        return Err(Problem::refused(format!("'{quantity}' is not searched for: the quantity is messages")));
    }
    if !election.fault.is_empty() {
        return Err(Problem::refused("costs are searched where nothing goes wrong: take the faults away"));
    }
    if !election.wake.is_empty() {
        return Err(Problem::refused("costs are searched where all initiators start together: leave wake out"));
    }
    match worst.of {
        Of::Ids => ids(worst, limits),
        Of::Schedule => schedule(worst, limits),
    }
}

/// The largest number of orders of ids that are all run.
const MOST_ORDERS: u128 = 50_000;

/// Holds the election once for each order of the ids.
fn ids(Worst { election, files, .. }: &Worst, limits: &Limits) -> Result<Object, Problem> {
    let usual = Election { ids: None, timing: None, ..election.clone() };
    let prepared = prepare(usual.clone(), files, limits)?;
    let (info, scenario) = (prepared.info, &prepared.scenario);
    let name = info.name;
    if info.is_anonymous() {
        return Err(Problem::refused(format!("{name} runs among nodes without ids: ask for the worst schedule")));
    }
    if info.randomised {
        return Err(Problem::refused(format!("in {name} chance decides what it costs, not the ids alone")));
    }
    let asked = Asked {
        algorithm: election.algorithm.clone(),
        as_printed: election.as_printed.clone(),
        topology: prepared.election().topology.clone().map(Networks::One),
        ids: None,
        initiators: election.initiators.clone().map(Sets::These),
        set: election.set.clone(),
        seed: election.seed,
    };
    let exact = Exact { asked, schedules: Schedules::Unit, within: None, budget: Budget::default() };
    let family = exact.family(info, files)?;
    let count = family.count();
    if count > MOST_ORDERS {
        return Err(too_many_orders(scenario.topology.nodes(), count));
    }
    let ledger = Ledger::new(limits.memory);
    let found = costs(family.scenarios(), &cost, &ledger, 1).map_err(|stop| match stop {
        Stop::Impossible(reason) => Problem::refused(reason),
        stop => stopped(&stop, limits),
    })?;
    let dearest = found.dearest.as_ref().ok_or_else(|| Problem::refused("there is no configuration"))?;
    let worst = Election {
        topology: prepared.election().topology.clone(),
        ids: Some(IdsFrom::Ids(Ids::List(dearest.scenario.ids.clone()))),
        ..usual
    };
    let mut object = fine();
    object.put("election", &worst);
    object.put("value", &found.messages.most);
    object.put("least", &found.messages.least);
    object.put("average", &found.messages.average().map(plain));
    object.put("proved", &proved(info, scenario));
    let orders = if found.configurations == 1 { "order" } else { "orders" };
    let how = format!(
        "{} {orders} of the ids, one of those that a symmetry of the network maps to each other; each run once",
        grouped(found.configurations)
    );
    object.put("how", &how);
    object.put("configurations", &found.configurations);
    object.put("repeat", &prepare(worst, files, limits)?.repeat());
    Ok(object)
}

fn too_many_orders(nodes: u32, count: u128) -> Problem {
    // With one node less there are fewer orders by this factor.
    let (mut feasible, mut left) = (nodes, count);
    while left > MOST_ORDERS && feasible > 1 {
        left /= u128::from(feasible);
        feasible -= 1;
    }
    let count = bellwether_tell::family::in_words(count);
    Problem::too_large(format!(
        "{} nodes have {count} orders of ids, too many to run them all: {feasible} nodes are feasible",
        grouped(nodes)
    ))
}

/// What a configuration costs.
fn cost(scenario: &Scenario) -> Result<Cost, String> {
    let algorithm = bellwether_catalogue::algorithm(&scenario.algorithm).ok_or("there is no such algorithm")?;
    let mut watcher = Watcher;
    let report = bellwether_sim::play(algorithm, scenario, Wishes::none(&mut watcher));
    let report = report.map_err(|error| error.to_string())?;
    if !report.is_right() {
        let ids: Vec<String> = scenario.ids.iter().map(ToString::to_string).collect();
        return Err(format!(
            "with ids {} the election is wrong, so its costs say nothing: {}",
            ids.join(","),
            report.violations.join("; ")
        ));
    }
    let time = report.time.and_then(Time::whole).and_then(|time| u64::try_from(time).ok());
    Ok(Cost {
        messages: report.election_messages(),
        announce: report.announce_messages(),
        time: time.ok_or("the time of a run is beyond all numbers")?,
    })
}

/// Follows every schedule of one configuration, and shows a dearest one.
fn schedule(Worst { election, files, .. }: &Worst, limits: &Limits) -> Result<Object, Problem> {
    let prepared = prepare(Election { timing: None, ..election.clone() }, files, limits)?;
    let (info, scenario) = (prepared.info, &prepared.scenario);
    if info.model == Model::Synchronous {
        return Err(Problem::refused(format!("{} runs in rounds, and there is only one schedule", info.name)));
    }
    if scenario.topology.nodes() > MOST_NODES {
        return Err(Problem::too_large(format!(
            "{} nodes have more schedules than anybody could follow: take at most {MOST_NODES}, and better 3 to 8",
            grouped(scenario.topology.nodes())
        )));
    }
    let freedom = Freedom { starts_first: true, ..Freedom::default() };
    let plan = Plan { freedom, reduction: false, symmetry: false, fingerprints: false };
    let mut machine = machine(scenario, plan)?;
    let ledger = Ledger::new(limits.memory).up_to_states(limits.states);
    let graph = StateGraph::new(&mut machine, &ledger).map_err(|stop| stopped(&stop, limits))?;
    let Some(path) = graph.dearest() else {
        return Err(Problem::refused("a schedule may go on for ever, so there is no dearest"));
    };
    let (least, most) = graph.costs();
    let story = tell(&mut machine, &path, None).map_err(|stop| stopped(&stop, limits))?;
    let repeat = prepared.repeat();
    let mut object = fine();
    object.put("election", prepared.election());
    object.put("reel", &filmed(info, &story, &[], &repeat)?);
    object.put("story", &lines(info, &story));
    object.put("value", &most);
    object.put("least", &least);
    object.put("average", &Option::<f64>::None);
    object.put("proved", &proved(info, scenario));
    let how = format!("every schedule of {} states, all initiators first", grouped(graph.states() as u64));
    object.put("how", &how);
    object.put("states", &graph.states());
    object.put("repeat", &repeat);
    Ok(object)
}

/// The proved worst case.
fn proved(info: &Info, scenario: &Scenario) -> Option<Value> {
    Proved::new(info, scenario).worst.map(plain)
}
