//! From what was typed to a scenario.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Id, Info, Knowledge, Settings, Starters, Starts, TopologyKind};
use bellwether_world::host::Algorithm;
use bellwether_world::ids::Ids;
use bellwether_world::initiators::Initiators;
use bellwether_world::{
    Clock, Fault, Network, Scenario, Time, Timing, Topology, Wiring, assumptions, formats, memory, settings,
};

use crate::args::{ElectionArgs, IdsArg, LiveArgs, Microseconds, RunArgs, Wake};
use crate::failure::Failure;
use crate::{draft, draws, progress};

/// The catalogue entry of an algorithm, by any of its names.
pub fn algorithm(name: &str) -> Result<&'static Info, Failure> {
    let called = |name: &str| CATALOGUE.iter().find(|info| info.is_called(name));
    let found = called(name).or_else(|| called(&name.replace('_', "-")));
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
    progress::patiently("building the network", || match topology {
        Topology::File(path) => formats::read(&bytes(path)?, path).map_err(|error| Failure::file(path, error)),
        topology => topology.build(seed).map_err(Failure::Usage),
    })
}

/// The network that was asked for, or a small one of the kind that the algorithm needs.
fn wanted(args: &ElectionArgs, info: &Info) -> Topology {
    args.topology.clone().unwrap_or(match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing => "ring:8".parse().expect("a ring"),
        TopologyKind::Tree => Topology::Tree(8),
        TopologyKind::Connected => Topology::Grid(3, 3),
        TopologyKind::Complete => Topology::Complete(5),
    })
}

/// How a run goes: in virtual time, or on threads.
#[derive(Clone, Copy)]
pub enum Way<'a> {
    /// Simulated.
    Run(&'a RunArgs),
    /// On real threads.
    Live(&'a LiveArgs),
}

impl<'a> Way<'a> {
    /// What determines the election.
    pub fn election(self) -> &'a ElectionArgs {
        match self {
            Way::Run(args) => &args.election,
            Way::Live(args) => &args.election,
        }
    }

    fn wake(self) -> &'a [Wake] {
        match self {
            Way::Run(args) => &args.wake,
            Way::Live(_) => &[],
        }
    }

    fn timing(self, info: &Info, network: &Network) -> Option<Timing> {
        match self {
            Way::Run(args) => args.timing,
            Way::Live(args) => {
                let latency_us = (args.latency.0.0, args.latency.1.0);
                let unit_us = args.unit.map_or_else(|| usual_unit(info, network), |unit| unit.0);
                Some(Timing::Live(Clock { unit_us, latency_us }))
            }
        }
    }

    fn command(self) -> &'static str {
        match self {
            Way::Run(_) => "run",
            Way::Live(_) => "live",
        }
    }
}

/// How long a time unit of a live run lasts, in microseconds. Who relies on it must not hear the last of many messages
/// too late: threads take some microseconds for each.
fn usual_unit(info: &Info, network: &Network) -> u64 {
    const USUAL: u64 = 100_000;
    const A_MESSAGE: u64 = 20;
    if info.knows.contains(&Knowledge::MaxDelay) { USUAL + 2 * A_MESSAGE * network.links() } else { USUAL }
}

/// The scenario that was asked for, checked against what the algorithm assumes.
pub fn scenario(way: Way<'_>, info: &'static Info) -> Result<Scenario, Failure> {
    let args = way.election();
    refuse_useless_options(way, info).map_err(Failure::Usage)?;
    parameters(&args.set, info).map_err(named("--set"))?; // before a network is built in vain
    scenario_on(network(&wanted(args, info), args.seed)?, way, info)
}

/// The same on a network that is there already.
pub fn scenario_on(network: Network, way: Way<'_>, info: &'static Info) -> Result<Scenario, Failure> {
    let args = way.election();
    let topology = assumptions::oriented(network, info);
    let nodes = topology.nodes();
    let process = bellwether_catalogue::algorithm(info.name).map_or(0, Algorithm::bytes);
    memory::make_sure_of(nodes as usize * (size_of::<Id>() + process), "the run").map_err(Failure::Usage)?;
    let ids = match &args.ids {
        None if info.is_anonymous() => Ids::Same,
        None => Ids::Random,
        Some(IdsArg::Ids(ids)) => ids.clone(),
        Some(IdsArg::File(path)) => Ids::read(&read(path)?).map_err(|error| Failure::file(path, error))?,
    };
    let initiators = if way.wake().is_empty() {
        let usual = if info.starts == Starts::One { Initiators::One } else { Initiators::All };
        let initiators = args.initiators.clone().unwrap_or(usual);
        initiators.choose(&topology, args.seed).map_err(named("--initiators"))?
    } else {
        wake_ups(way.wake(), &topology).map_err(named("--wake"))?
    };
    let planned = args.fault.iter().map(|text| Fault::parse(text, &topology)).collect::<Result<Vec<_>, _>>();
    let planned = planned.map_err(named("--fault"))?;
    let assigned = progress::patiently("giving out ids", || ids.assign(nodes, args.seed)).map_err(named("--ids"))?;
    let usual = Scenario::new(info, topology, assigned);
    let draws = args
        .draws
        .as_deref()
        .map_or(Ok(vec![]), |path| draws::read(&read(path)?, nodes).map_err(|error| Failure::file(path, error)))?;
    let mut scenario = Scenario {
        initiators,
        timing: way.timing(info, &usual.topology).unwrap_or(usual.timing),
        seed: args.seed,
        settings: parameters(&args.set, info).map_err(named("--set"))?,
        draws,
        faults: planned,
        max_delay: args.max_delay.unwrap_or(usual.max_delay),
        detection: args.detect.unwrap_or(usual.detection),
        elections: args.elections,
        ..usual
    };
    scenario.check_faults().map_err(named("--fault"))?;
    progress::patiently("looking for the diameter", || scenario.told_diameter(info));
    scenario.limit = args.limit.unwrap_or_else(|| scenario.generous_limit(info));
    for broken in assumptions::broken(&scenario, info) {
        if !broken.forcible {
            let even = if args.force { "not even with --force: " } else { "" };
            return Err(Failure::Usage(format!("{even}{broken}")));
        }
        if !args.force {
            return Err(Failure::Usage(format!("{broken} (--force runs it all the same)")));
        }
        scenario.forced = true;
    }
    Ok(scenario)
}

/// The line that repeats a run: everything that determines it, nothing that only concerns the output.
pub fn repeat_line(way: Way<'_>, info: &Info, scenario: &Scenario) -> String {
    let args = way.election();
    let ElectionArgs { topology, ids, initiators, seed, set, draws, .. } = args;
    let ElectionArgs { fault, detect, max_delay, elections, limit, force, .. } = args;
    let mut words = vec!["bellwether".into(), way.command().into(), info.name.into()];
    let mut option = |name: &str, value: String| words.extend([format!("--{name}"), quoted(&value)]);
    option("topology", topology.clone().unwrap_or_else(|| wanted(args, info)).to_string());
    ids.iter().for_each(|ids| option("ids", ids.to_string()));
    initiators.iter().for_each(|initiators| option("initiators", initiators.to_string()));
    match way {
        Way::Run(args) => args.timing.iter().for_each(|timing| option("timing", timing.to_string())),
        Way::Live(args) => {
            option("latency", args.latency.to_string());
            if let Timing::Live(clock) = scenario.timing {
                option("unit", Microseconds(clock.unit_us).to_string());
            }
            args.threads.iter().for_each(|threads| option("threads", threads.to_string()));
        }
    }
    set.iter().for_each(|set| option("set", set.clone()));
    way.wake().iter().for_each(|wake| option("wake", wake.to_string()));
    draws.iter().for_each(|draws| option("draws", draws.display().to_string()));
    fault.iter().for_each(|fault| option("fault", fault.clone()));
    detect.iter().for_each(|span| option("detect", Time::after(*span).to_string()));
    max_delay.iter().for_each(|span| option("max-delay", Time::after(*span).to_string()));
    if *elections > 1 {
        option("elections", elections.to_string());
    }
    limit.iter().for_each(|limit| option("limit", limit.to_string()));
    option("seed", seed.to_string());
    if *force {
        words.push("--force".into());
    }
    let read = [topology.as_ref().and_then(file_of), ids_file(ids), draws.as_deref()];
    if read.into_iter().flatten().any(|path| path.as_os_str() == "-") {
        words.push("# with the same standard input".into());
    }
    words.join(" ")
}

/// A word as a shell takes it back.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=,.:/@+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn refuse_useless_options(way: Way<'_>, info: &Info) -> Result<(), String> {
    let (args, name) = (way.election(), info.name);
    if args.ids.is_some() && info.is_anonymous() {
        return Err(format!("{name} runs among nodes without ids: leave --ids out"));
    }
    if args.max_delay.is_some() && !info.knows.contains(&Knowledge::MaxDelay) {
        return Err(format!("{name} does not know how long messages take: leave --max-delay out"));
    }
    if args.detect.is_some() && !args.fault.iter().any(|fault| fault.starts_with("crash=")) {
        return Err("--detect is about crashes: add --fault crash=NODE@T, or leave it out".into());
    }
    if args.draws.is_some() && !info.randomised {
        return Err(format!("{name} makes no random choices: leave --draws out"));
    }
    if !way.wake().is_empty() && info.starts != Starts::AnyRound {
        let others = CATALOGUE.iter().filter(|info| info.starts == Starts::AnyRound).map(|info| info.name);
        let others = others.collect::<Vec<_>>().join(", ");
        return Err(format!("in {name} all initiators start together: --wake is for {others}; use --initiators"));
    }
    if let Way::Live(LiveArgs { timing: Some(_), .. }) = way {
        return Err("on real threads messages take what time they take: leave --timing out; --latency 1..5ms holds every message up".into());
    }
    if let (Way::Live(live), true) = (way, args.fault.iter().any(|fault| fault.starts_with("slow=")))
        && live.latency.1.0 == 0
    {
        return Err("a slow node multiplies the latency: add --latency, as in --latency 1..5ms".into());
    }
    if let Some(nodes) = &args.nodes {
        return Err(format!("the topology says how many nodes there are: use --topology ring:{nodes}"));
    }
    let [svg, png, html] = args.draw.files();
    let outputs = [("--trace", &args.trace), ("--shiviz", &args.shiviz), svg, png, html];
    own_files(&outputs, &[args.topology.as_ref().and_then(file_of), ids_file(&args.ids), args.draws.as_deref()])
}

/// The file from which a network is read.
pub fn file_of(topology: &Topology) -> Option<&Path> {
    if let Topology::File(path) = topology { Some(path) } else { None }
}

/// The file from which ids are read.
pub fn ids_file(ids: &Option<IdsArg>) -> Option<&Path> {
    if let Some(IdsArg::File(path)) = ids { Some(path) } else { None }
}

/// The endings of pictures and pages, with the options that write them.
const ENDINGS: [(&str, &str); 3] = [("svg", "--svg"), ("png", "--png"), ("html", "--html")];

/// Makes sure that the ending of a picture's file does not promise another kind of picture.
fn fitting_ending(option: &str, path: &Path) -> Result<(), String> {
    let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_lowercase());
    let promised = ENDINGS.iter().find(|(other, _)| *other == ending).map(|(_, promised)| *promised);
    let own = ENDINGS.iter().find(|(_, other)| *other == option).map(|(own, _)| *own);
    match (own, promised) {
        (Some(own), Some(promised)) if promised != option => Err(format!(
            "{option} would write {}, whose ending tells something else: let it end in .{own}, or take {promised}",
            path.display()
        )),
        _ => Ok(()),
    }
}

/// Makes sure that what is to be written has a file each that its ending fits, and none of those that are read.
pub fn own_files(files: &[(&str, &Option<PathBuf>)], read: &[Option<&Path>]) -> Result<(), String> {
    let given: Vec<(&str, &PathBuf)> =
        files.iter().filter_map(|(option, path)| Some((*option, path.as_ref()?))).collect();
    for (index, (option, path)) in given.iter().enumerate() {
        if path.as_os_str() == "-" {
            return Err(format!("{option} needs a file: standard output has the report (try /dev/stderr)"));
        }
        if let Some((other, _)) = given[..index].iter().find(|(_, other)| draft::lead_to_the_same(other, path)) {
            return Err(format!("{other} and {option} name the same file: give each its own"));
        }
        if let Some(input) = read.iter().flatten().find(|input| draft::lead_to_the_same(input, path)) {
            return Err(format!(
                "{option} would overwrite {}, which is read: give it a file of its own",
                input.display()
            ));
        }
        fitting_ending(option, path)?;
    }
    Ok(())
}

fn wake_ups(wake: &[Wake], network: &Network) -> Result<Starters, String> {
    let mut rounds = BTreeMap::new();
    for Wake { node, round } in wake {
        if rounds.insert(network.find(node)?, *round).is_some() {
            return Err(format!("node {node} is woken up twice"));
        }
    }
    Ok(Starters::Some(rounds.into_iter().collect()))
}

/// The parameters that were set.
pub fn parameters(set: &[String], info: &Info) -> Result<Settings, String> {
    let mut settings = Settings::new();
    for text in set {
        let (name, value) = settings::parse(info, text)?;
        if settings.contains_key(&name) {
            return Err(format!("{name} is set twice"));
        }
        settings.insert(name, value);
    }
    Ok(settings)
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, Failure> {
    String::from_utf8(bytes(path)?).map_err(|_| Failure::file(path, "this is not text in UTF-8"))
}

/// No sensible file is longer; a device may never end.
const LONGEST: u64 = 2 << 30;

/// The bytes of a file; those of standard input, if it is called `-`.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let fail = |error: io::Error| Failure::file(path, error);
    let mut bytes = Vec::new();
    let input: Box<dyn Read> =
        if path.as_os_str() == "-" { Box::new(io::stdin().lock()) } else { Box::new(File::open(path).map_err(fail)?) };
    input.take(LONGEST + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Failure::file(path, format!("this is longer than {} GiB", LONGEST >> 30)));
    }
    Ok(bytes)
}

/// An error about an option.
pub fn named(option: &'static str) -> impl Fn(String) -> Failure {
    move |error| Failure::Usage(format!("{option}: {error}"))
}
