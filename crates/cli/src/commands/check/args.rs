//! The options of `check` and `exact`.

use std::path::PathBuf;

use bellwether_ask::{
    Asked, Budget, Bytes, Check, Exact, LinkBehaviour, Microseconds, Networks, Orders, Schedules, Sets, Switch,
    TimerOrder, WhenStarted,
};
use bellwether_console::drawing::DrawArgs;
use bellwether_world::Drift;
use clap::Args;

use crate::args::{few, whole};

/// Which configurations are looked at.
#[derive(Args, Clone, Debug)]
pub struct FamilyArgs {
    /// The algorithm's name, as `bellwether list` shows it, or one that books use
    pub algorithm: String,
    /// Follow a rule as a lecture prints it, and see it go wrong: one of the algorithm's errata (`bellwether explain
    /// errata`)
    #[arg(long, value_name = "NAME")]
    pub as_printed: Option<String>,
    /// The network, as in ring:4 or grid:2x3 (`bellwether topology --help` has them all); or all-graphs:N, all-trees:N:
    /// every connected graph or tree of N nodes, one of each shape (and with --ids all, where it matters, one of each
    /// numbering of ports)  [default: ring:4, all-trees:4, all-graphs:4 or complete:3, as the algorithm needs]
    #[arg(long, value_name = "T")]
    pub topology: Option<Networks>,
    /// What belongs to other commands.
    #[command(flatten)]
    pub elsewhere: Elsewhere,
    /// The ids by node: all (every order of 1..N, up to the symmetry of the network), random, ascending, descending,
    /// same, a list such as 3,1,4, or file:PATH  [default: random in check, all in exact]
    #[arg(long, value_name = "IDS", allow_hyphen_values = true)]
    pub ids: Option<Orders>,
    /// Who starts: all-sets (every set of nodes), all, one (the first node), random:K, or a list of nodes such as 0,2
    /// [default: all, or the first node where only one may start]
    #[arg(long, value_name = "WHO")]
    pub initiators: Option<Sets>,
    /// The seed of random ids, initiators and networks
    #[arg(
        long, value_name = "N", default_value_t = 1, value_parser = whole::<0, { u64::MAX }>,
        allow_hyphen_values = true
    )]
    pub seed: u64,
    /// Set a parameter of the algorithm (see `bellwether explain`)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

impl FamilyArgs {
    /// The configurations on the command line.
    fn asked(&self) -> Asked {
        let Self { algorithm, as_printed, topology, ids, initiators, seed, set, .. } = self.clone();
        Asked { algorithm, as_printed, topology, ids, initiators, set, seed }
    }
}

/// Options that other commands have: they are refused with what to say instead.
#[derive(Args, Clone, Debug)]
pub struct Elsewhere {
    /// The topology says it.
    #[arg(long, value_name = "N", hide = true)]
    pub nodes: Option<String>,
    /// Nothing is refused here that could be tried.
    #[arg(long, hide = true)]
    pub force: bool,
    /// What may go wrong is said by its own options.
    #[arg(long, value_name = "FAULT", hide = true)]
    pub fault: Vec<String>,
    /// All timings are looked at.
    #[arg(long, value_name = "TIMING", hide = true)]
    pub timing: Option<String>,
    /// A counterexample is always told step by step.
    #[arg(long, hide = true)]
    pub events: bool,
}

/// The advice to give in place of each option.
pub struct Instead {
    /// For `--force`.
    pub force: &'static str,
    /// For `--fault`.
    pub fault: &'static str,
    /// For `--timing`.
    pub timing: &'static str,
    /// For `--events`.
    pub events: &'static str,
}

impl Elsewhere {
    /// Refuses these options if they were given.
    pub fn refuse(&self, instead: &Instead) -> Result<(), String> {
        let Self { nodes, force, fault, timing, events } = self;
        if let Some(nodes) = nodes {
            return Err(format!("the topology says how many nodes there are: use --topology ring:{nodes}"));
        }
        let given = [
            (*force, instead.force),
            (!fault.is_empty(), instead.fault),
            (timing.is_some(), instead.timing),
            (*events, instead.events),
        ];
        given.iter().find(|(given, _)| *given).map_or(Ok(()), |(_, instead)| Err((*instead).into()))
    }
}

/// How much a search may take.
#[derive(Args, Clone, Debug)]
pub struct BudgetArgs {
    /// Stop when the states take this much memory, as in 500M or 8G
    #[arg(long, value_name = "SIZE", default_value_t)]
    pub memory: Bytes,
    /// Stop after this time, as in 30s, 5m or 2h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub time: Option<Microseconds>,
    /// Search on N threads  [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = few::<1, 256>, allow_hyphen_values = true)]
    pub threads: Option<u32>,
}

impl BudgetArgs {
    /// The budget of the search, without its threads.
    fn budget(&self) -> Budget {
        Budget { memory: self.memory, time: self.time }
    }
}

/// `bellwether check`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  bellwether check chang-roberts --topology ring:5 --ids all --initiators all-sets
  bellwether check echo-election --topology all-graphs:3 --ids all
  bellwether check peterson --topology ring:5 --ids all --links reorder
  bellwether check bully --topology complete:3 --timers any --trace two.ndjson
  bellwether replay two.ndjson --events
  bellwether check chang-roberts --topology ring:4 --ids 5,1,5,2
  bellwether check chang-roberts --topology ring:3 --loss 1 --all

Every interleaving of starts, deliveries, timeouts, random choices and permitted faults is followed.
Messages on a link keep their order unless --links says otherwise. A counterexample is a shortest
schedule that breaks the property.

Exit codes: 0 every property holds; 1 one is broken; 2 bad usage or input; 3 stopped before all was
seen, so nothing is known.")]
pub struct CheckArgs {
    /// The configurations.
    #[command(flatten)]
    pub family: FamilyArgs,
    /// What links do: fifo, reorder (messages may overtake each other), duplicate (each may arrive twice) or
    /// duplicate:K (at most K of them), or both, as in reorder,duplicate:1; or unreliable (each message may be lost,
    /// overtaken and repeated, any number of times)
    #[arg(long, value_name = "LINKS", default_value = "fifo")]
    pub links: LinkBehaviour,
    /// At most K messages are lost, any of them
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = few::<0, 64>, allow_hyphen_values = true)]
    pub loss: u32,
    /// At most K nodes crash, at any moment; their neighbours learn of it later
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = few::<0, 64>, allow_hyphen_values = true)]
    pub crashes: u32,
    /// At most K times a node stops and starts again, with what is on its disk
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = few::<0, 64>, allow_hyphen_values = true)]
    pub restarts: u32,
    /// At most K nodes start again without their disk, each once
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = few::<0, 64>, allow_hyphen_values = true)]
    pub wipes: u32,
    /// At most K connections close although both ends live; each end learns of it later
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = few::<0, 64>, allow_hyphen_values = true)]
    pub closes: u32,
    /// When timers go off: patient (when no message is under way), any (at any time, so the delay bound may be false),
    /// ordered (messages take any time, and clocks order the timers), or auto (ordered if the algorithm reckons with
    /// clocks that drift, else patient)
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub timers: TimerOrder,
    /// With ordered timers: by how much a clock may run faster or slower than true time, as in 1%  [default: by what
    /// the algorithm is told]
    #[arg(long, value_name = "P")]
    pub drift: Option<Drift>,
    /// Follow an algorithm that never ends up to epoch E
    #[arg(long, value_name = "E", default_value_t = 0, value_parser = few::<0, 64>, allow_hyphen_values = true)]
    pub epochs: u32,
    /// When initiators start: any (at any time, unless a message wakes them up before), first (all of them before
    /// anything is delivered), or auto (first if the algorithm never ends, else any)
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub starts: WhenStarted,
    /// Partial-order reduction, which follows only one order of moves that do not interfere: on (where that is sound)
    /// or off
    #[arg(long, value_name = "ON", default_value = "on")]
    pub reduction: Switch,
    /// Keep only 64 bits of each state: faster and smaller, but two states might be taken for one
    #[arg(long)]
    pub fingerprints: bool,
    /// How much it may take.
    #[command(flatten)]
    pub budget: BudgetArgs,
    /// Show a counterexample for every property that is broken, not only for the gravest
    #[arg(long)]
    pub all: bool,
    /// Write the counterexample that is shown first, for `bellwether replay`
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Draw the states and transitions of one small configuration, as DOT
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Pictures of the counterexample that is shown first.
    #[command(flatten)]
    pub draw: DrawArgs,
}

impl CheckArgs {
    /// The check on the command line.
    pub fn check(&self) -> Check {
        Check {
            asked: self.family.asked(),
            links: self.links,
            loss: self.loss,
            crashes: self.crashes,
            restarts: self.restarts,
            wipes: self.wipes,
            closes: self.closes,
            timers: self.timers,
            drift: self.drift,
            epochs: self.epochs,
            starts: self.starts,
            reduction: self.reduction,
            budget: self.budget.budget(),
            fingerprints: self.fingerprints,
            all: self.all,
        }
    }
}

/// `bellwether exact`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  bellwether exact peterson --topology ring:7             over all 720 orders of the ids
  bellwether exact hirschberg-sinclair --topology ring:8
  bellwether exact itai-rodeh --topology ring:4 --set k=4
  bellwether exact itai-rodeh-sync --topology ring:5 --set k=2 --within 20
  bellwether exact random-candidacy --topology complete:5

Costs are messages to elect; the announcement is told apart. Where nothing is random, the mean is
over the configurations; where something is, expectations are over all draws, and if they depend on
the schedule the least and the largest that any schedule brings about are given.

Exit codes: 0 it is known; 2 bad usage or input; 3 stopped before the end, so nothing is known.")]
pub struct ExactArgs {
    /// The configurations.
    #[command(flatten)]
    pub family: FamilyArgs,
    /// Which schedules: unit (every message takes one time unit, or a round), all, or auto (all if their states are no
    /// more than five million for all configurations together, and there are no timers)
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    pub schedules: Schedules,
    /// How far the table of probabilities goes, for an algorithm that draws until a stage (a round, phase or
    /// tournament) elects somebody  [default: 10]
    #[arg(long, value_name = "N", value_parser = few::<1, 10_000>, allow_hyphen_values = true)]
    pub within: Option<u32>,
    /// How much it may take.
    #[command(flatten)]
    pub budget: BudgetArgs,
}

impl ExactArgs {
    /// The computation on the command line.
    pub fn exact(&self) -> Exact {
        Exact {
            asked: self.family.asked(),
            schedules: self.schedules,
            within: self.within,
            budget: self.budget.budget(),
        }
    }
}
