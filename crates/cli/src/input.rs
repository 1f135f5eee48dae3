//! From what was typed to a scenario.

use std::collections::BTreeMap;
use std::path::Path;

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Id, Info, Model, Round, Settings, Starts};
use bellwether_world::ids::Ids;
use bellwether_world::initiators::Initiators;
use bellwether_world::{Network, Scenario, Timing, Topology, Wiring, assumptions, formats, memory, settings};

use crate::args::{IdsArg, RunArgs};
use crate::failure::Failure;

/// The catalogue entry of an algorithm.
pub fn algorithm(name: &str) -> Result<&'static Info, Failure> {
    let found = CATALOGUE.iter().find(|info| info.name == name);
    found.copied().ok_or_else(|| {
        let likeness = |info: &&Info| strsim::jaro_winkler(info.name, name);
        let nearest = CATALOGUE.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let hint = nearest.filter(|info| likeness(info) > 0.7).map(|info| format!("did you mean {}? ", info.name));
        Failure::Usage(format!(
            "there is no algorithm '{name}': {}'bellwether list' shows all",
            hint.unwrap_or_default()
        ))
    })
}

/// The network that was asked for, drawn from the seed or read.
pub fn network(topology: &Topology, seed: u64) -> Result<Network, Failure> {
    match topology {
        Topology::File(path) => {
            let bytes = std::fs::read(path).map_err(|error| Failure::file(path, error))?;
            formats::read(&bytes, path).map_err(|error| Failure::file(path, error))
        }
        topology => topology.build(seed).map_err(Failure::Usage),
    }
}

/// The scenario that was asked for, checked against what the algorithm assumes.
pub fn scenario(args: &RunArgs, info: &'static Info) -> Result<Scenario, Failure> {
    refuse_useless_options(args, info).map_err(Failure::Usage)?;
    let network = network(&args.topology, args.seed)?;
    let topology = assumptions::fitted(&network, info).map_err(named("--topology"))?;
    let nodes = topology.nodes();
    memory::make_sure_of(nodes as usize * (size_of::<Id>() + size_of::<(usize, Round)>())).map_err(Failure::Usage)?;
    let ids = match &args.ids {
        None if info.is_anonymous() => Ids::Same,
        None => Ids::Random,
        Some(IdsArg::Ids(ids)) => ids.clone(),
        Some(IdsArg::File(path)) => Ids::read(&read(path)?).map_err(|error| Failure::file(path, error))?,
    };
    let initiators = if args.wake.is_empty() {
        args.initiators.clone().unwrap_or(Initiators::All).choose(nodes, args.seed).map_err(named("--initiators"))?
    } else {
        wake_ups(args, nodes - 1).map_err(named("--wake"))?
    };
    let settings = args.set.iter().map(|text| settings::parse(info, text)).collect::<Result<Settings, _>>();
    let mut scenario = Scenario {
        algorithm: info.name.into(),
        topology,
        ids: ids.assign(nodes, args.seed).map_err(named("--ids"))?,
        initiators,
        timing: args.timing.unwrap_or(match info.model {
            Model::Asynchronous => Timing::Unit,
            Model::Synchronous => Timing::Rounds,
        }),
        seed: args.seed,
        settings: settings.map_err(named("--set"))?,
        draws: args.draws.as_deref().map_or(Ok(vec![]), |path| draws(path, nodes))?,
        elections: args.elections,
        forced: false,
        limit: 0,
    };
    scenario.limit = args.limit.unwrap_or_else(|| scenario.generous_limit(info));
    for broken in assumptions::broken(&scenario, info) {
        if !broken.forcible {
            return Err(Failure::Usage(broken.to_string()));
        }
        if !args.force {
            return Err(Failure::Usage(format!("{broken} (--force runs it all the same)")));
        }
        scenario.forced = true;
    }
    Ok(scenario)
}

/// The line that repeats a run: everything that determines it, nothing that only concerns the output.
pub fn repeat_line(args: &RunArgs) -> String {
    let RunArgs {
        algorithm, topology, ids, initiators, timing, seed, set, wake, draws, elections, limit, force, ..
    } = args;
    let mut words = vec!["bellwether".into(), "run".into(), algorithm.clone()];
    let mut option = |name: &str, value: String| words.extend([format!("--{name}"), quoted(&value)]);
    option("topology", topology.to_string());
    ids.iter().for_each(|ids| option("ids", ids.to_string()));
    initiators.iter().for_each(|initiators| option("initiators", initiators.to_string()));
    timing.iter().for_each(|timing| option("timing", timing.to_string()));
    set.iter().for_each(|set| option("set", set.clone()));
    wake.iter().for_each(|wake| option("wake", wake.to_string()));
    draws.iter().for_each(|draws| option("draws", draws.display().to_string()));
    if *elections > 1 {
        option("elections", elections.to_string());
    }
    limit.iter().for_each(|limit| option("limit", limit.to_string()));
    option("seed", seed.to_string());
    if *force {
        words.push("--force".into());
    }
    words.join(" ")
}

/// A word as a shell takes it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=,.:/@+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn refuse_useless_options(args: &RunArgs, info: &Info) -> Result<(), String> {
    let name = info.name;
    if args.ids.is_some() && info.is_anonymous() {
        return Err(format!("{name} runs among nodes without ids: leave --ids out"));
    }
    if args.draws.is_some() && !info.randomised {
        return Err(format!("{name} makes no random choices: leave --draws out"));
    }
    if !args.wake.is_empty() && info.starts != Starts::AnyRound {
        let others = CATALOGUE.iter().filter(|info| info.starts == Starts::AnyRound).map(|info| info.name);
        let others = others.collect::<Vec<_>>().join(", ");
        return Err(format!("in {name} all initiators start together: --wake is for {others}; use --initiators"));
    }
    for (option, path) in [("--trace", &args.trace), ("--shiviz", &args.shiviz)] {
        if path.as_ref().is_some_and(|path| path.as_os_str() == "-") {
            return Err(format!("{option} needs a file: standard output has the report (try /dev/stderr)"));
        }
    }
    if let (Some(trace), Some(shiviz)) = (&args.trace, &args.shiviz)
        && trace == shiviz
    {
        return Err("--trace and --shiviz name the same file: give each its own".into());
    }
    Ok(())
}

fn wake_ups(args: &RunArgs, last: u32) -> Result<Vec<(usize, Round)>, String> {
    let mut rounds = BTreeMap::new();
    for wake in &args.wake {
        if wake.node > last {
            return Err(format!("there is no node {}: the nodes are numbered 0 to {last}", wake.node));
        }
        if rounds.insert(wake.node as usize, wake.round).is_some() {
            return Err(format!("node {} is woken up twice", wake.node));
        }
    }
    Ok(rounds.into_iter().collect())
}

/// Reads scripted draws: a list for each node, or an object from node to list.
fn draws(path: &Path, nodes: u32) -> Result<Vec<Vec<u64>>, Failure> {
    let text = read(path)?;
    let wanted = "a list of numbers for each node, as in [[0,1],[],[2]], or for some, as in {\"2\":[1]}";
    if let Ok(lists) = serde_json::from_str::<Vec<Vec<u64>>>(&text) {
        if lists.len() > nodes as usize {
            return Err(Failure::file(path, format!("draws for {} nodes, but there are {nodes}", lists.len())));
        }
        return Ok(lists);
    }
    let by_node: BTreeMap<u32, Vec<u64>> =
        serde_json::from_str(&text).map_err(|error| Failure::file(path, format!("{error}; it must be {wanted}")))?;
    if let Some((node, _)) = by_node.range(nodes..).next() {
        return Err(Failure::file(path, format!("draws for node {node}, but the last node is {}", nodes - 1)));
    }
    let mut lists = vec![vec![]; nodes as usize];
    for (node, list) in by_node {
        lists[node as usize] = list;
    }
    Ok(lists)
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::file(path, error))
}

fn named(option: &'static str) -> impl Fn(String) -> Failure {
    move |error| Failure::Usage(format!("{option}: {error}"))
}
