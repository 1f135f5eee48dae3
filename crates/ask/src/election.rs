//! One election: what determines it, the scenario that it stands for, and the line that repeats it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Id, Info, Knowledge, Settings, Starters, Starts, TopologyKind};
use bellwether_net::{Network, Topology, Wiring};
use bellwether_resources::{memory, pool};
use bellwether_world::host::Algorithm;
use bellwether_world::ids::Ids;
use bellwether_world::initiators::Initiators;
use bellwether_world::{Clock, Fault, Proved, Scenario, Time, Timing, assumptions, settings};
use serde::{Deserialize, Serialize};

use crate::environment::wait_for;
use crate::text::{self, is_default, is_one, one};
use crate::{
    Environment, IdsFrom, Latency, Microseconds, Refusal, Units, Wake, algorithm, as_printed, draws, line, read_text,
};

/// An election as it was asked for. What is left out has its usual value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Election {
    /// The algorithm, by any of its names.
    pub algorithm: String,
    /// Its erratum: a rule as a lecture prints it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_printed: Option<String>,
    /// Where it is held.
    #[serde(default, skip_serializing_if = "is_default")]
    pub host: Host,
    /// The network.
    #[serde(default, with = "text::option", skip_serializing_if = "Option::is_none")]
    pub topology: Option<Topology>,
    /// Whether only the largest connected part of a file is taken.
    #[serde(default, skip_serializing_if = "is_default")]
    pub largest_component: bool,
    /// The ids by node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<IdsFrom>,
    /// Who starts.
    #[serde(default, with = "text::option", skip_serializing_if = "Option::is_none")]
    pub initiators: Option<Initiators>,
    /// How long simulated messages take.
    #[serde(default, with = "text::option", skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
    /// How long messages between threads are held up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<Latency>,
    /// How long a time unit of a live run lasts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Microseconds>,
    /// On how many threads a live run is held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// The algorithm's parameters, each as NAME=VALUE.
    #[serde(default, deserialize_with = "text::list", skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// The nodes that wake up in rounds of their own.
    #[serde(default, deserialize_with = "text::list", skip_serializing_if = "Vec::is_empty")]
    pub wake: Vec<Wake>,
    /// The file of the values that random choices take first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<PathBuf>,
    /// What goes wrong.
    #[serde(default, deserialize_with = "text::list", skip_serializing_if = "Vec::is_empty")]
    pub fault: Vec<String>,
    /// How long after a crash the neighbours hear of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detect: Option<Units>,
    /// What processes are told about the longest delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_delay: Option<Units>,
    /// How many elections are held, one after the other.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub elections: u32,
    /// Whether the leader gives every node a number after the election.
    #[serde(default, skip_serializing_if = "is_default")]
    pub number: bool,
    /// When the run is over, for algorithms that never end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Units>,
    /// The run stops after this number of events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// What chance is drawn from.
    #[serde(default = "one")]
    pub seed: u64,
    /// Whether it is held although an assumption is broken.
    #[serde(default, skip_serializing_if = "is_default")]
    pub force: bool,
}

/// Where an election is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Host {
    /// In virtual time.
    #[default]
    Simulator,
    /// On real threads.
    Threads,
}

/// An election that can be held.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The algorithm's catalogue entry.
    pub info: &'static Info,
    /// What was asked for, with the usual values that the line must tell.
    election: Election,
    /// All that determines the run.
    pub scenario: Scenario,
    /// How many nodes of a file are left out, because its largest connected part is taken.
    pub left_out: u32,
}

impl Prepared {
    /// What was asked for, with the usual values that the line must tell.
    #[must_use]
    pub fn election(&self) -> &Election {
        &self.election
    }

    /// The line that repeats the run.
    #[must_use]
    pub fn repeat(&self) -> String {
        self.election.line()
    }

    /// The number of threads, if it is held on threads: one for each node, unless there are too many nodes.
    #[must_use]
    pub fn threads(&self) -> Option<u32> {
        const MOST: u32 = 2_000;
        let nodes = self.scenario.topology.nodes();
        let usual = || if nodes <= MOST { nodes } else { pool::cores() as u32 };
        (self.election.host == Host::Threads).then(|| self.election.threads.unwrap_or_else(usual).min(nodes))
    }
}

impl Election {
    /// An election of this algorithm in which all has its usual value.
    #[must_use]
    pub fn new(algorithm: &str) -> Self {
        Self {
            algorithm: algorithm.into(),
            as_printed: None,
            host: Host::Simulator,
            topology: None,
            largest_component: false,
            ids: None,
            initiators: None,
            timing: None,
            latency: None,
            unit: None,
            threads: None,
            set: vec![],
            wake: vec![],
            draws: None,
            fault: vec![],
            detect: None,
            max_delay: None,
            elections: 1,
            number: false,
            until: None,
            limit: None,
            seed: 1,
            force: false,
        }
    }

    /// The election that makes this scenario; `None` if no line does, or if only one with files does.
    #[must_use]
    pub fn of(scenario: &Scenario, info: &Info) -> Option<Self> {
        let Scenario {
            algorithm,
            topology,
            ids,
            initiators,
            timing,
            seed,
            settings: set,
            draws,
            faults,
            max_delay,
            detection,
            elections,
            number,
            forced,
            limit,
            until,
        } = scenario;
        if matches!(timing, Timing::Live(_) | Timing::Chosen(_)) || !draws.is_empty() {
            return None;
        }
        let (algorithm, erratum) = match algorithm.split_once('/') {
            Some((algorithm, erratum)) => (algorithm, Some(erratum.to_string())),
            None => (&algorithm[..], None),
        };
        let name = |node: u32| topology.node_name(node).into_owned();
        let (mut some, mut wake) = (None, vec![]);
        match initiators {
            Starters::All => some = Some(Initiators::All).filter(|all| *all != usual_initiators(info)),
            Starters::Some(them) if scenario.start_together() => {
                let nodes: Vec<String> = them.iter().map(|(node, _)| name(*node)).collect();
                some = Some(nodes.join(",").parse().ok()?);
            }
            Starters::Some(them) => {
                wake = them.iter().map(|(node, round)| Wake { node: name(*node), round: *round }).collect();
            }
        }
        let usual = Scenario::new(info, topology.clone(), ids.clone());
        let until = until.filter(|_| *until != usual.until).and_then(Time::as_span);
        Some(Self {
            as_printed: erratum,
            topology: Some(topology.name.parse().ok()?),
            ids: (!info.is_anonymous()).then(|| IdsFrom::Ids(Ids::List(ids.clone()))),
            initiators: some,
            timing: Some(*timing).filter(|timing| *timing != usual.timing),
            set: set.iter().map(|(name, value)| settings::written(info, name, *value)).collect(),
            wake,
            fault: faults.iter().map(|fault| fault.among(topology)).collect(),
            detect: Some(Units(*detection)).filter(|detect| detect.0 != usual.detection),
            max_delay: Some(Units(*max_delay)).filter(|delay| delay.0 != usual.max_delay),
            elections: *elections,
            number: *number,
            until: until.map(Units),
            limit: Some(*limit).filter(|limit| *limit != scenario.generous_limit(info)),
            seed: *seed,
            force: *forced,
            ..Self::new(algorithm)
        })
    }

    /// The line that repeats it: everything that determines it, nothing that only concerns the output.
    #[must_use]
    pub fn line(&self) -> String {
        let command = match self.host {
            Host::Simulator => "run",
            Host::Threads => "live",
        };
        line::with_files(line::write(command, &Self { host: Host::Simulator, ..self.clone() }), &self.files())
    }

    /// The files that are read.
    #[must_use]
    pub fn files(&self) -> [Option<&Path>; 3] {
        let network = self.topology.as_ref().and_then(Topology::file);
        [network, self.ids.as_ref().and_then(IdsFrom::file), self.draws.as_deref()]
    }

    /// Makes the scenario, and holds it against what the algorithm assumes.
    ///
    /// # Errors
    /// If it cannot be held; the refusal says why, and what would be right.
    pub fn prepare(mut self, environment: &dyn Environment) -> Result<Prepared, Refusal> {
        let info = self.info()?;
        self.refuse_useless_options(info)?;
        parameters(&self.set, info)?; // before a network is built in vain
        let topology = self.topology.get_or_insert_with(|| usual_topology(info));
        let (network, left_out) = if self.largest_component {
            crate::largest_component(topology, environment)?
        } else {
            (crate::network(topology, self.seed, environment)?, 0)
        };
        Ok(Prepared { left_out, ..self.prepare_on(network, environment)? })
    }

    /// The same on a network that is there already.
    ///
    /// # Errors
    /// As above.
    pub fn prepare_on(mut self, network: Network, environment: &dyn Environment) -> Result<Prepared, Refusal> {
        let info = self.info()?;
        self.algorithm = algorithm(&self.algorithm)?.name.into();
        let topology = assumptions::oriented(network, info);
        let nodes = topology.nodes();
        let process = bellwether_catalogue::algorithm(info.name).map_or(0, Algorithm::bytes);
        memory::make_sure_of(u64::from(nodes) * (size_of::<Id>() + process) as u64, "the run").map_err(Refusal)?;
        let ids = match &self.ids {
            None if info.is_anonymous() => Ids::Same,
            None => Ids::Random,
            Some(ids) => ids.read(environment)?,
        };
        let initiators = self.starters(info, &topology)?;
        let planned = self.fault.iter().map(|text| Fault::parse(text, &topology)).collect::<Result<Vec<_>, _>>();
        let faults = planned.map_err(Refusal::option("--fault"))?;
        self.refuse_useless_faults(&faults)?;
        let assigned = wait_for(environment, "giving out ids", || ids.assign(nodes, self.seed));
        let usual = Scenario::new(info, topology, assigned.map_err(Refusal::option("--ids"))?);
        let draws = match &self.draws {
            None => vec![],
            Some(path) => {
                let text = read_text(environment, path, Some(draws::LONGEST))?;
                draws::read(&text, nodes).map_err(|it| Refusal::file(path, it))?
            }
        };
        let mut scenario = Scenario {
            initiators,
            timing: self.settle_timing(info, &usual),
            seed: self.seed,
            settings: parameters(&self.set, info)?,
            draws,
            faults,
            max_delay: self.max_delay.map_or(usual.max_delay, |span| span.0),
            detection: self.detect.map_or(usual.detection, |span| span.0),
            elections: self.elections,
            number: self.number,
            until: self.until.map_or(usual.until, |until| Some(Time::after(until.0))),
            ..usual
        };
        if self.until.is_some() && !info.perpetual {
            let name = info.name;
            return Err(Refusal(format!("--until: {name} ends by itself; --limit EVENTS stops a run early")));
        }
        scenario.check_faults().map_err(Refusal::option("--fault"))?;
        wait_for(environment, "looking for the diameter", || scenario.told_diameter(info));
        scenario.limit = self.limit.unwrap_or_else(|| scenario.generous_limit(info));
        if self.limit.is_none() {
            refuse_hopeless(&scenario, info)?;
        }
        for broken in assumptions::broken(&scenario, info) {
            if !broken.forcible {
                let even = if self.force { "not even with --force: " } else { "" };
                return Err(Refusal(format!("{even}{broken}")));
            }
            if !self.force {
                return Err(Refusal(format!("{broken} (--force runs it all the same)")));
            }
            scenario.forced = true;
        }
        Ok(Prepared { info, election: self, scenario, left_out: 0 })
    }

    /// The entry of the algorithm, or of its erratum.
    fn info(&self) -> Result<&'static Info, Refusal> {
        as_printed(&self.algorithm, self.as_printed.as_deref())
    }

    fn starters(&self, info: &Info, network: &Network) -> Result<Starters, Refusal> {
        if !self.wake.is_empty() {
            return wake_ups(&self.wake, network).map_err(Refusal::option("--wake"));
        }
        let initiators = self.initiators.clone().unwrap_or_else(|| usual_initiators(info));
        initiators.choose(network, self.seed).map_err(Refusal::option("--initiators"))
    }

    /// How long messages take. What the line must say about it is filled in.
    fn settle_timing(&mut self, info: &Info, usual: &Scenario) -> Timing {
        match self.host {
            Host::Simulator => self.timing.unwrap_or(usual.timing),
            Host::Threads => {
                let Latency(least, most) = *self.latency.get_or_insert_default();
                let unit = self.unit.get_or_insert_with(|| usual_unit(info, &usual.topology));
                Timing::Live(Clock { unit_us: unit.0, latency_us: (least.0, most.0) })
            }
        }
    }

    fn refuse_useless_options(&self, info: &Info) -> Result<(), Refusal> {
        let name = info.name;
        let refuse = |reason: String| Err(Refusal(reason));
        if self.ids.is_some() && info.is_anonymous() {
            return refuse(format!("{name} runs among nodes without ids: leave --ids out"));
        }
        if self.max_delay.is_some() && !info.knows.contains(&Knowledge::MaxDelay) {
            return refuse(format!("{name} does not know how long messages take: leave --max-delay out"));
        }
        if self.draws.is_some() && !info.randomised {
            return refuse(format!("{name} makes no random choices: leave --draws out"));
        }
        if !self.wake.is_empty() && info.starts != Starts::AnyRound {
            let others = CATALOGUE.iter().filter(|info| info.starts == Starts::AnyRound).map(|info| info.name);
            let others = others.collect::<Vec<_>>().join(", ");
            return refuse(format!(
                "in {name} all initiators start together: --wake is for {others}; use --initiators"
            ));
        }
        Ok(())
    }

    fn refuse_useless_faults(&self, faults: &[Fault]) -> Result<(), Refusal> {
        if self.detect.is_some() && !faults.iter().any(|fault| matches!(fault, Fault::Crash(..))) {
            return Err(Refusal("--detect is about crashes: add --fault crash=NODE@T, or leave it out".into()));
        }
        let is_slow = faults.iter().any(|fault| matches!(fault, Fault::Slow(..)));
        let is_prompt = self.latency.is_none_or(|latency| latency.1.0 == 0);
        if self.host == Host::Threads && is_slow && is_prompt {
            let reason = "a slow node multiplies the latency: add --latency, as in --latency 1..5ms";
            return Err(Refusal(reason.into()));
        }
        Ok(())
    }
}

impl IdsFrom {
    /// The ids, read if they are in a file.
    pub(crate) fn read(&self, environment: &dyn Environment) -> Result<Ids, Refusal> {
        match self {
            Self::Ids(ids) => Ok(ids.clone()),
            Self::File(path) => {
                Ids::read(&read_text(environment, path, None)?).map_err(|error| Refusal::file(path, error))
            }
        }
    }
}

/// From this number of messages on, a run takes hours.
const HOPELESS: f64 = 1e12;

/// Refuses a run that is proved to take hours.
fn refuse_hopeless(scenario: &Scenario, info: &Info) -> Result<(), Refusal> {
    match Proved::new(info, scenario).best {
        Some(best) if best >= HOPELESS && !scenario.has_faults() => Err(Refusal(format!(
            "{} on {} sends at least {} messages, which would take hours: take a smaller network, or stop it with \
             --limit N",
            info.name,
            scenario.topology,
            bellwether_world::numbers::number(best)
        ))),
        _ => Ok(()),
    }
}

/// A small network of the kind that the algorithm needs.
///
/// # Panics
/// Never: a ring has eight nodes.
#[must_use]
pub fn usual_topology(info: &Info) -> Topology {
    match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing => "ring:8".parse().expect("a ring"),
        TopologyKind::Tree => Topology::Tree(8),
        TopologyKind::Connected => Topology::Grid(3, 3),
        TopologyKind::Complete => Topology::Complete(5),
    }
}

/// Who starts if nobody says.
pub(crate) fn usual_initiators(info: &Info) -> Initiators {
    if info.starts == Starts::One { Initiators::One } else { Initiators::All }
}

/// How long a time unit of a live run lasts. If the algorithm relies on it, the last of many messages must not come
/// too late: threads take some microseconds for each.
fn usual_unit(info: &Info, network: &Network) -> Microseconds {
    const USUAL: u64 = 100_000;
    const A_MESSAGE: u64 = 20;
    let relies_on_it = info.knows.contains(&Knowledge::MaxDelay);
    Microseconds(if relies_on_it { USUAL + 2 * A_MESSAGE * network.links() } else { USUAL })
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
pub(crate) fn parameters(set: &[String], info: &Info) -> Result<Settings, Refusal> {
    let mut parsed = Settings::new();
    for text in set {
        let (name, value) = settings::parse(info, text).map_err(Refusal::option("--set"))?;
        if parsed.contains_key(&name) {
            return Err(Refusal(format!("--set: {name} is set twice")));
        }
        parsed.insert(name, value);
    }
    Ok(parsed)
}
