//! What was typed after `bellwether sweep`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use bellwether_core::Info;
use clap::Args;

use super::networks::Networks;
use super::sizes::Sizes;
use crate::args::{few, whole};
use crate::contest::ContestArgs;
use crate::input::quoted;

/// `bellwether sweep`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  bellwether sweep chang-roberts peterson franklin --topology ring --nodes 16..4096 --runs 20
  bellwether sweep chang-roberts le-lann --topology ring --nodes 10..1000000x10 --budget 100000000
  bellwether sweep echo-election adoption --topology gnp:0.1 --nodes 50..200:50 --csv a.csv --plot a.svg
  bellwether sweep floodmax --topology grid --nodes 16..1024 --quantity time --plot a.png --dark
  bellwether sweep peterson --topology ring --nodes 16..65536 --csv part-3.csv --shard 3/8 --resume
  bellwether sweep --merge part-1.csv part-2.csv --csv all.csv --plot all.svg

Messages are counted apart: those that elect, and those that announce the result, of which there
are always as many; `bellwether run` and `compare` count both together. What a synchronizer sends
besides, where rounds are played among delays, is `overhead`.

Every run is a row of the CSV, with the seed by which `bellwether run` repeats it: `messages` are
those that elect, `announce` those that tell the result; `leader` is a node; `proved_...` is what
the algorithm's entry says about this network. Rows are written one by one and in order, so a sweep
that was killed goes on with --resume. Neither threads nor interruptions nor shards change a byte.

Exit codes: 0 all elections are right; 1 one is not; 2 bad usage or input; 3 stopped before the end.")]
pub struct SweepArgs {
    /// The algorithms' names, as `bellwether list` shows them, or those that books use
    #[arg(value_name = "ALGORITHM", required_unless_present = "merge", conflicts_with = "merge")]
    pub algorithms: Vec<String>,
    /// The kind of network, without its size: ring, path, star, complete, grid, torus, hypercube, tree, binary-tree,
    /// gnp:P, regular:DEGREE, ba:LINKS, ws:NEAREST:P (`bellwether topology --help` explains them)
    #[arg(long, value_name = "KIND", required_unless_present = "merge", conflicts_with = "merge")]
    pub topology: Option<Networks>,
    /// How many nodes: 16..4096 (doubled each time), 10..1000000x10 (ten times each), 16..256:16 (16 more each), or a
    /// list such as 16,20,50
    #[arg(long, value_name = "SIZES", required_unless_present = "merge", conflicts_with = "merge")]
    pub nodes: Option<Sizes>,
    /// How many runs of each algorithm and size, each with a seed of its own
    #[arg(long, value_name = "R", default_value_t = 10, value_parser = few::<1, 1_000_000>, allow_hyphen_values = true, conflicts_with = "merge")]
    pub runs: u32,
    /// Leave out sizes at which an algorithm is proved to send more messages than this: on average where that is known
    /// and applies, else at most, else at least
    #[arg(long, value_name = "MESSAGES", value_parser = whole::<1, { u64::MAX }>, conflicts_with = "merge")]
    pub budget: Option<u64>,
    /// The circumstances.
    #[command(flatten)]
    pub contest: ContestArgs,
    /// What is told and drawn: messages (to elect, announcements apart), announce (messages that tell the result), bits
    /// (of both), time, or per-node (all messages of the node that sends most)
    #[arg(long, value_name = "QUANTITY", default_value_t = Quantity::Messages)]
    pub quantity: Quantity,
    /// Write every run as a row, as soon as it and all before it are over
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw what was measured and what is proved, on logarithmic scales, as SVG or PNG
    #[arg(long, value_name = "FILE.svg|png")]
    pub plot: Option<PathBuf>,
    /// Draw a PNG on a dark ground; an SVG is as dark as its reader wants it
    #[arg(long, requires = "plot")]
    pub dark: bool,
    /// Go on with the sweep whose rows are in the CSV file
    #[arg(long, requires = "csv", conflicts_with = "merge")]
    pub resume: bool,
    /// Hold only one part of N of the runs, as in 3/8; --merge puts the parts together
    #[arg(long, value_name = "I/N", requires = "csv", conflicts_with = "merge")]
    pub shard: Option<Shard>,
    /// Put the parts of a sweep together instead, and hold no run
    #[arg(long, value_name = "PARTS", num_args = 1.., conflicts_with_all = ["ids", "initiators", "timing", "set", "fault", "seed", "limit", "force"])]
    pub merge: Vec<PathBuf>,
    /// On how many threads  [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = few::<1, 1_000>, allow_hyphen_values = true, conflicts_with = "merge")]
    pub threads: Option<u32>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

impl SweepArgs {
    /// The line that determines every row: nothing in it says where and how the runs are held.
    pub fn definition(&self, entrants: &[&Info]) -> String {
        let mut words: Vec<String> = vec!["bellwether".into(), "sweep".into()];
        words.extend(entrants.iter().map(|info| info.name.into()));
        let mut option = |name: &str, value: String| words.extend([format!("--{name}"), quoted(&value)]);
        self.topology.iter().for_each(|topology| option("topology", topology.to_string()));
        self.nodes.iter().for_each(|nodes| option("nodes", nodes.to_string()));
        option("runs", self.runs.to_string());
        self.budget.iter().for_each(|budget| option("budget", budget.to_string()));
        words.extend(self.contest.words());
        words.join(" ")
    }
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Messages that serve to elect.
    Messages,
    /// Messages that tell the result.
    Announce,
    /// The length of all of them.
    Bits,
    /// When the last node has decided.
    Time,
    /// The messages of the node that sends most.
    PerNode,
}

impl Quantity {
    const ALL: [Self; 5] = [Self::Messages, Self::Announce, Self::Bits, Self::Time, Self::PerNode];

    fn name(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Announce => "announce",
            Self::Bits => "bits",
            Self::Time => "time",
            Self::PerNode => "per-node",
        }
    }

    /// What it is, in a few words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Messages => "messages to elect (announcements apart)",
            Self::Announce => "messages to announce the result",
            Self::Bits => "bits of all messages",
            Self::Time => "time until the last decision",
            Self::PerNode => "messages of the node that sends most",
        }
    }
}

impl FromStr for Quantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|quantity| quantity.name() == text).ok_or(format!("'{text}' is none of {names}"))
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One part of several: every so manieth run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub index: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// The only part.
    pub const WHOLE: Self = Self { index: 1, of: 1 };
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(index, of)| {
            let (index, of) = (index.parse().ok()?, of.parse::<u32>().ok()?);
            (1..=u64::from(of)).contains(&index).then_some(Self { index, of: of.into() })
        });
        parsed.ok_or_else(|| format!("'{text}' is no part: I/N is wanted, with I from 1 to N, as in 3/8"))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}
