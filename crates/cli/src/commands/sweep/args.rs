//! The options of `bellwether sweep`.

use std::path::PathBuf;

use bellwether_ask::{IdsFrom, Sizes, Sweep, Swept};
use bellwether_measure::{Quantity, Shard};
use clap::Args;

use crate::args::{few, whole};
use crate::contest::ContestArgs;

/// `bellwether sweep`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  bellwether sweep chang-roberts peterson franklin --topology ring --nodes 16..4096 --runs 20
  bellwether sweep chang-roberts le-lann --topology ring --nodes 10..1000000x10 --budget 100000000
  bellwether sweep echo-election adoption --topology gnp:0.1 --nodes 50..200:50 --csv a.csv --plot a.svg
  bellwether sweep floodmax --topology grid --nodes 16..1024 --quantity time --plot a.png --dark
  bellwether sweep peterson --topology ring --nodes 16..65536 --csv part-3.csv --shard 3/8 --resume
  bellwether sweep chang-roberts peterson --topology ring --nodes 8..512 --ids random --ids descending
  bellwether sweep echo-election adoption --topology file:graphs/ --runs 1000 --csv own.csv
  bellwether sweep lease --topology complete --nodes 3,5 --runs 100000 --until 200 --fault random
  bellwether sweep lease --topology complete --nodes 3 --set candidates=2 --runs 1000 \\
      --timing uniform --fault crash=leader@50 --quantity failover --plot failover.svg
  bellwether sweep --merge part-1.csv part-2.csv --csv all.csv --plot all.svg

Messages are counted as everywhere: those that elect, and beside them those that announce the
result. What a synchronizer sends besides, where rounds are played among delays, is `overhead`.

Every run is a row of the CSV, with the seed by which `bellwether run` repeats it: `messages` are
those that elect, `announce` those that tell the result; `leader` is a node; `proved_...` is what
the algorithm's entry says about this network; `crc32` is that of its file, and a file that has
changed is refused by --resume and --merge. Rows are written one by one and in order, so a sweep
that was killed goes on with --resume. Neither threads nor interruptions nor shards change a byte.

Exit codes: 0 all elections are right; 1 one broke a property; 2 bad usage or input; 3 stopped
before the end, or an election could not be judged.")]
pub struct SweepArgs {
    /// The algorithms' names, as `bellwether list` shows them, or those that books use
    #[arg(value_name = "ALGORITHM", required_unless_present = "merge", conflicts_with = "merge")]
    pub algorithms: Vec<String>,
    /// The kind of network, without its size: ring, path, star, complete, grid, torus, hypercube, tree, binary-tree,
    /// gnp:P, regular:DEGREE, ba:LINKS, ws:NEAREST:P (`bellwether topology --help` explains them). Or networks of your
    /// own: file:PATH, or file:FOLDER for every file in it; may be repeated
    #[arg(long, value_name = "KIND", required_unless_present = "merge", conflicts_with = "merge")]
    pub topology: Vec<Swept>,
    /// How many nodes the networks of a kind have: 16..4096 (doubled each time), 10..1000000x10 (ten times each),
    /// 16..256:16 (16 more each), or a list such as 16,20,50
    #[arg(long, value_name = "SIZES", conflicts_with = "merge")]
    pub nodes: Option<Sizes>,
    /// Take the largest connected part of each file; of equal ones, the one with the first node
    #[arg(long, conflicts_with = "merge")]
    pub largest_component: bool,
    /// How many runs of each algorithm on each network, each with a seed of its own
    #[arg(
        long, value_name = "R", default_value_t = 10, value_parser = few::<1, 1_000_000>, allow_hyphen_values = true,
        conflicts_with = "merge"
    )]
    pub runs: u32,
    /// Leave out sizes at which an algorithm is proved to send more messages than this: by the proved mean, or else the
    /// maximum, or else the minimum
    #[arg(long, value_name = "MESSAGES", value_parser = whole::<1, { u64::MAX }>, conflicts_with = "merge")]
    pub budget: Option<u64>,
    /// The ids by node, for those that have ids: random, ascending, descending, same or a list. If repeated, each is
    /// measured apart  [default: random]
    #[arg(long, value_name = "IDS", allow_hyphen_values = true)]
    pub ids: Vec<IdsFrom>,
    /// The circumstances.
    #[command(flatten)]
    pub contest: ContestArgs,
    /// What is told and drawn: messages (to elect, announcements apart), announce (messages that tell the result), bits
    /// (of both), time, per-node (all messages of the node that sends most), phases (which implies --phases), or
    /// failover (the longest time without a leader after one was lost; with quantiles)
    #[arg(long, value_name = "QUANTITY", default_value_t = Quantity::Messages)]
    pub quantity: Quantity,
    /// Count phases too, where an algorithm has them; that takes a slower engine
    #[arg(long, conflicts_with = "merge")]
    pub phases: bool,
    /// Write every run as a row, as soon as it and all before it are over
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw what was measured and what is proved, on logarithmic scales, as SVG or PNG
    #[arg(long, value_name = "FILE.svg|png")]
    pub plot: Option<PathBuf>,
    /// Draw a PNG on a dark ground; an SVG follows the theme of its viewer
    #[arg(long, requires = "plot")]
    pub dark: bool,
    /// Go on with the sweep whose rows are in the CSV file
    #[arg(long, requires = "csv", conflicts_with = "merge")]
    pub resume: bool,
    /// Hold only one part of N of the runs, as in 3/8; --merge puts the parts together
    #[arg(long, value_name = "I/N", requires = "csv", conflicts_with = "merge")]
    pub shard: Option<Shard>,
    /// Put the parts of a sweep together instead, and hold no run
    #[arg(
        long, value_name = "PARTS", num_args = 1..,
        conflicts_with_all = ["ids", "initiators", "timing", "set", "fault", "until", "seed", "limit", "force"]
    )]
    pub merge: Vec<PathBuf>,
    /// On how many threads  [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = few::<1, 1_000>, allow_hyphen_values = true, conflicts_with = "merge")]
    pub threads: Option<u32>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

impl SweepArgs {
    /// The sweep on the command line.
    pub fn sweep(&self) -> Sweep {
        Sweep {
            algorithms: self.algorithms.clone(),
            topology: self.topology.clone(),
            nodes: self.nodes.clone(),
            largest_component: self.largest_component,
            runs: self.runs,
            budget: self.budget,
            ids: self.ids.clone(),
            phases: self.phases || self.quantity == Quantity::Phases,
            circumstances: self.contest.circumstances(),
        }
    }
}
