//! Several algorithms under the same circumstances: the same network, ids, delays and faults.

use bellwether_core::Info;
use bellwether_world::host::{Count, Error, Watch, Wishes};
use bellwether_world::initiators::Initiators;
use bellwether_world::{Network, Report, Scenario, Timing, Topology, settings};
use clap::Args;

use crate::args::{ElectionArgs, IdsArg, RunArgs, whole};
use crate::drawing::DrawArgs;
use crate::failure::Failure;
use crate::input::{self, Way, quoted};

/// What all of them have in common, besides the network.
#[derive(Args, Clone, Debug)]
pub struct ContestArgs {
    /// The ids by node, for those that have ids: random, ascending, descending, same, a list or file:PATH
    /// [default: random]
    #[arg(long, value_name = "IDS")]
    pub ids: Option<IdsArg>,
    /// Who starts: all, one (the first node), random:K, or a list of nodes  [default: all, or the first node where only
    /// one may start]
    #[arg(long, value_name = "WHO")]
    pub initiators: Option<Initiators>,
    /// How long messages take: rounds, unit, uniform, exponential or reorder  [default: rounds for round-based
    /// algorithms, else unit]
    #[arg(long, value_name = "TIMING")]
    pub timing: Option<Timing>,
    /// Set a parameter, for those algorithms that have it
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// What goes wrong, as for `bellwether run`; may be repeated
    #[arg(long, value_name = "FAULT")]
    pub fault: Vec<String>,
    /// What all chance is drawn from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<0, { u64::MAX }>, allow_hyphen_values = true)]
    pub seed: u64,
    /// Stop a run after so many events  [default: twice the proved worst case, at least ten million]
    #[arg(long, value_name = "EVENTS", value_parser = whole::<1, { u64::MAX }>, allow_hyphen_values = true)]
    pub limit: Option<u64>,
    /// Run although an assumption of an algorithm is broken
    #[arg(long)]
    pub force: bool,
}

impl ContestArgs {
    /// The catalogue's entries of those who take part, each once.
    pub fn entrants(&self, names: &[String]) -> Result<Vec<&'static Info>, Failure> {
        let mut entrants: Vec<&'static Info> = vec![];
        for name in names {
            let info = input::algorithm(name)?;
            if entrants.iter().any(|other| other.name == info.name) {
                return Err(Failure::Usage(format!("{} is named twice", info.name)));
            }
            entrants.push(info);
        }
        for text in &self.set {
            let refusals: Vec<String> = entrants.iter().filter_map(|info| settings::parse(info, text).err()).collect();
            if refusals.len() == entrants.len() {
                return Err(input::named("--set")(refusals.join("; ")));
            }
        }
        Ok(entrants)
    }

    /// The parameters that are set for an algorithm.
    fn settings(&self, info: &Info) -> Vec<String> {
        let has = |text: &&String| {
            let name = text.split('=').next();
            info.settings.iter().any(|setting| Some(setting.name) == name)
        };
        self.set.iter().filter(has).cloned().collect()
    }

    /// What `bellwether run` is told to hold this election.
    fn run_args(&self, info: &Info, topology: &Topology, seed: u64) -> RunArgs {
        let election = ElectionArgs {
            algorithm: info.name.into(),
            topology: Some(topology.clone()),
            nodes: None,
            ids: self.ids.clone().filter(|_| !info.is_anonymous()),
            initiators: self.initiators.clone(),
            seed,
            set: self.settings(info),
            draws: None,
            fault: self.fault.clone(),
            detect: None,
            max_delay: None,
            elections: 1,
            limit: self.limit,
            force: self.force,
            events: false,
            full: false,
            json: false,
            trace: None,
            shiviz: None,
            draw: DrawArgs::default(),
        };
        RunArgs { election, timing: self.timing, wake: vec![], stats: false }
    }

    /// Whether proved means are about these elections: whatever they are over, it is drawn from the seed.
    pub fn is_average(&self) -> bool {
        matches!(self.ids, None | Some(IdsArg::Ids(bellwether_world::ids::Ids::Random)))
    }

    /// Everything that was said, as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = vec![];
        let mut option = |name: &str, value: String| words.extend([format!("--{name}"), quoted(&value)]);
        self.ids.iter().for_each(|ids| option("ids", ids.to_string()));
        self.initiators.iter().for_each(|initiators| option("initiators", initiators.to_string()));
        self.timing.iter().for_each(|timing| option("timing", timing.to_string()));
        self.set.iter().for_each(|set| option("set", set.clone()));
        self.fault.iter().for_each(|fault| option("fault", fault.clone()));
        option("seed", self.seed.to_string());
        self.limit.iter().for_each(|limit| option("limit", limit.to_string()));
        if self.force {
            words.push("--force".into());
        }
        words
    }
}

/// The messages of a synchronizer, which are not the algorithm's.
pub fn overhead(report: &Report) -> u64 {
    report.kinds.iter().filter(|kind| kind.overhead).map(|kind| kind.count).sum()
}

/// An election that is about to be held.
pub struct Bout {
    /// Its algorithm.
    pub info: &'static Info,
    /// All that determines it.
    pub scenario: Scenario,
    /// The command that holds it alone.
    pub repeat: String,
}

impl Bout {
    /// The election of an algorithm on this network, as it was asked for and as it is, checked against what the
    /// algorithm assumes.
    pub fn new(
        args: &ContestArgs,
        info: &'static Info,
        topology: &Topology,
        network: Network,
        seed: u64,
    ) -> Result<Self, Failure> {
        let run = args.run_args(info, topology, seed);
        let scenario = input::scenario_on(network, Way::Run(&run), info)?;
        let repeat = input::repeat_line(Way::Run(&run), info, &scenario);
        Ok(Self { info, scenario, repeat })
    }

    /// Holds it, counting so much.
    pub fn hold(&self, count: Count, watch: &mut dyn Watch) -> Result<Report, Error> {
        let wishes = Wishes { count, ..Wishes::none(watch) };
        bellwether_play::play(&self.scenario, wishes).expect("the catalogue has it")
    }
}
