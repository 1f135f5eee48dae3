//! Several algorithms under the same circumstances: the same network, ids, delays and faults.

use bellwether_ask::Circumstances;
use bellwether_world::Timing;
use bellwether_world::initiators::Initiators;
use clap::Args;

use crate::args::whole;

/// What all of them have in common, besides the network and the ids.
#[derive(Args, Clone, Debug)]
pub struct ContestArgs {
    /// Who starts: all, one (the first node), random:K, or a list of nodes  [default: all, or the first node where only
    /// one may start]
    #[arg(long, value_name = "WHO")]
    pub initiators: Option<Initiators>,
    /// How long messages take: rounds, unit, uniform, exponential or reorder  [default: rounds for round-based
    /// algorithms, otherwise unit]
    #[arg(long, value_name = "TIMING")]
    pub timing: Option<Timing>,
    /// Set a parameter, for those algorithms that have it
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// What goes wrong, as for `bellwether run`; may be repeated
    #[arg(long, value_name = "FAULT")]
    pub fault: Vec<String>,
    /// The source of all chance
    #[arg(
        long, value_name = "N", default_value_t = 1, value_parser = whole::<0, { u64::MAX }>,
        allow_hyphen_values = true
    )]
    pub seed: u64,
    /// Stop a run after this number of events  [default: twice the proved worst case, at least ten million]
    #[arg(long, value_name = "EVENTS", value_parser = whole::<1, { u64::MAX }>, allow_hyphen_values = true)]
    pub limit: Option<u64>,
    /// Run although an assumption of an algorithm is broken
    #[arg(long)]
    pub force: bool,
}

impl ContestArgs {
    /// The circumstances on the command line.
    pub fn circumstances(&self) -> Circumstances {
        let Self { initiators, timing, set, fault, seed, limit, force } = self.clone();
        Circumstances { initiators, timing, set, fault, seed, limit, force }
    }
}
