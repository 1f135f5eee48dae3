//! The command line.

use std::path::PathBuf;

use bellwether_ask::{Election, Host, IdsFrom, Latency, Microseconds, Units, Wake};
use bellwether_console::drawing::{DrawArgs, ImageArgs};
use bellwether_net::formats::Format;
use bellwether_net::{Topology, size};
use bellwether_ring::RingArgs;
use bellwether_world::Timing;
use bellwether_world::initiators::Initiators;
use clap::{Args, Parser, Subcommand};

use crate::commands::check::args::{CheckArgs, ExactArgs};
use crate::commands::compare::CompareArgs;
use crate::commands::exercise::ExerciseArgs;
use crate::commands::lab::LabArgs;
use crate::commands::sweep::args::SweepArgs;

/// A laboratory for leader election.
///
/// Twenty-three classic algorithms, each written once: run it, watch it, measure it against its proved bounds.
#[derive(Debug, Parser)]
#[command(
    name = "bellwether",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
#[command(after_help = "Examples:
  bellwether list                                         what there is
  bellwether explain peterson --nodes 16                  how it works, and what it costs
  bellwether run chang-roberts --topology ring:8          an election, and what happened
  bellwether run franklin --topology ring:1000000 --json  a large one, for a program
  bellwether topology torus:3x4                           facts about a network
  bellwether sweep le-lann --topology ring --nodes 8..512 many sizes, beside what is proved
  bellwether compare peterson franklin --topology ring:64 several on the same network
  bellwether live peterson --latency 1..5ms               an election on real threads
  bellwether check peterson --topology ring:5 --ids all   every interleaving of every order
  bellwether exact itai-rodeh --topology ring:4           exact odds
  bellwether exercise --students 30 --out sheets          sheets for a class, and the key
  bellwether ring 8                                       worker threads that elect again and again
  bellwether lab                                          a page to try, break and compare elections

Exit codes: 0 the election is right; 1 a property is broken; 2 bad usage or input; 3 stopped, so
nothing is known.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the catalogue of algorithms
    List(ListArgs),
    /// Explain an algorithm: idea, rules, assumptions, costs, paper; or tell a story
    Explain(ExplainArgs),
    /// Hold one election, simulated
    Run(Box<RunArgs>),
    /// Hold elections on real threads
    Live(Box<LiveArgs>),
    /// Measure algorithms on networks of many sizes, beside what is proved
    Sweep(Box<SweepArgs>),
    /// Hold the same election with several algorithms, and see who pays what
    Compare(Box<CompareArgs>),
    /// Follow every interleaving of a small network, and show what goes wrong
    Check(Box<CheckArgs>),
    /// Compute exact costs over all orders of ids, and exact odds of randomised algorithms
    Exact(Box<ExactArgs>),
    /// Write exercise sheets for a class, each with ids of its own, and the key
    Exercise(ExerciseArgs),
    /// Tell the facts about a network, or convert it
    Topology(TopologyArgs),
    /// Play a recorded run again, and say where it diverges
    Replay(ReplayArgs),
    /// Hold elections on a ring of threads, again and again, and let workers fail
    Ring(Box<RingArgs>),
    /// Serve a page on which to try, break and compare elections
    Lab(LabArgs),
}

/// `bellwether list`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  bellwether list
  bellwether list --json | jq -r '.[] | select(.anonymous) | .name'")]
pub struct ListArgs {
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// `bellwether explain`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  bellwether explain hirschberg-sinclair --nodes 64
  bellwether explain impossibility       why there must be ids, or chance
  bellwether explain faults              what becomes of an election when links and nodes fail
  bellwether explain uses                what a leader is good for
  bellwether explain practice            why the classics are not enough between machines
  bellwether explain errata              rules as lectures print them, and how they go wrong")]
pub struct ExplainArgs {
    /// The algorithm's name, as `bellwether list` shows it, or one that books use; or a story: impossibility, faults,
    /// errata, uses, practice
    #[arg(value_name = "WHAT")]
    pub what: Option<String>,
    /// Compute the bounds for N nodes
    #[arg(
        long, value_name = "N", default_value_t = 8, value_parser = whole::<1, { u32::MAX as u64 }>,
        allow_hyphen_values = true
    )]
    pub nodes: u64,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// What determines an election, wherever it is held, and what is wanted of it.
#[derive(Args, Clone, Debug)]
pub struct ElectionArgs {
    /// The algorithm's name, as `bellwether list` shows it, or one that books use
    pub algorithm: String,
    /// Follow a rule as a lecture prints it, and see it go wrong: one of the algorithm's errata (`bellwether explain
    /// errata`)
    #[arg(long, value_name = "NAME")]
    pub as_printed: Option<String>,
    /// The network, as in ring:8, tree:20, grid:3x4, complete:5, gnp:50:0.1 or file:PATH (`bellwether topology --help`
    /// has them all)  [default: ring:8, tree:8, grid:3x3 or complete:5, as the algorithm needs]
    #[arg(long, value_name = "T")]
    pub topology: Option<Topology>,
    /// Take the largest connected part of a file; of equal ones, the one with the first node
    #[arg(long)]
    pub largest_component: bool,
    /// Other commands have it; here it is refused with what to say instead.
    #[arg(long, value_name = "N", hide = true)]
    pub nodes: Option<String>,
    /// The ids by node: random (an order of 1..N drawn from the seed), ascending, descending, same, a list such as
    /// 3,1,4, or file:PATH
    #[arg(long, value_name = "IDS", allow_hyphen_values = true)]
    pub ids: Option<IdsFrom>,
    /// Who starts: all, one (the first node), random:K, or a list of nodes such as 0,2,5-9  [default: all, or the first
    /// node where only one may start]
    #[arg(long, value_name = "WHO")]
    pub initiators: Option<Initiators>,
    /// The source of all chance: the same seed gives the same simulated run
    #[arg(
        long, value_name = "N", default_value_t = 1, value_parser = whole::<0, { u64::MAX }>,
        allow_hyphen_values = true
    )]
    pub seed: u64,
    /// Set a parameter of the algorithm (see `bellwether explain`)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// The values that random choices take first: JSON, a list of numbers from 0 for each node; then the seed goes on
    #[arg(long, value_name = "FILE")]
    pub draws: Option<PathBuf>,
    /// What goes wrong; may be repeated. With probability P each message is lost (loss=P), arrives twice (duplicate=P)
    /// or takes a unit longer and may be overtaken (reorder=P). crash=NODE@T: the node stops at time T, and what
    /// reaches it is lost. crash=leader@T: whoever leads then stops. recover=NODE@T: it starts again, with what is on
    /// its disk. wipe=NODE@T: its disk is lost. disk=NODE:T: what it saves takes time T; its messages wait for that,
    /// and a crash loses both. pause=NODE@T1..T2: it does nothing, and what reaches it waits. cut=A-B@T1..T2: what is
    /// sent between two neighbours from T1 on and before T2 is lost, and what is under way arrives; T1.. or no span is
    /// for ever. oneway='A>B@T1..T2': the same in one direction. slow=NODE:FACTOR: what the node sends takes FACTOR
    /// times as long. drift=NODE:FACTOR: its clock runs FACTOR times as fast as time. For message N of a node, counted
    /// from 0: lose=NODE#N, repeat=NODE#N (it arrives twice) and hold=NODE#N:T (it takes time T). start=NODE@T: the
    /// node starts at time T. random, or random:harsh for many and long ones: faults of all these kinds that the seed
    /// determines; those that the algorithm is not made for are left out unless --force is given
    #[arg(long, value_name = "FAULT")]
    pub fault: Vec<String>,
    /// How long after a crash the failure detector tells the neighbours  [default: 0]
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub detect: Option<Units>,
    /// What processes are told about the longest delay of a message, which is 1 unless nodes are slow
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub max_delay: Option<Units>,
    /// Hold N elections on the same network, without a reset
    #[arg(
        long, value_name = "N", default_value_t = 1, value_parser = few::<1, { u32::MAX }>, allow_hyphen_values = true
    )]
    pub elections: u32,
    /// After the election, let the leader give every node a number, from 1 for itself to n: a wave, whose messages are
    /// counted apart
    #[arg(long)]
    pub number: bool,
    /// Stop after this number of events: steps of nodes and repeated messages  [default: twice the proved worst case,
    /// at least ten million]
    #[arg(long, value_name = "EVENTS", value_parser = whole::<1, { u64::MAX }>, allow_hyphen_values = true)]
    pub limit: Option<u64>,
    /// Run although an assumption of the algorithm is broken, and see what comes of it
    #[arg(long)]
    pub force: bool,
    /// Show every step as a line, with the rule that it follows
    #[arg(long, conflicts_with = "json")]
    pub events: bool,
    /// In JSON, list all initiators and decisions even above 10,000 nodes, and after `run --stats` what every node sent
    #[arg(long, requires = "json")]
    pub full: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Record the run for `bellwether replay`, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write a log with vector clocks that ShiViz draws
    #[arg(long, value_name = "FILE")]
    pub shiviz: Option<PathBuf>,
    /// Pictures of it.
    #[command(flatten)]
    pub draw: DrawArgs,
}

/// `bellwether run`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  bellwether run chang-roberts --topology ring:8 --ids descending
  bellwether run chang-roberts --topology ring:5 --ids 3,1,5,2,4 --initiators one --events
  bellwether run itai-rodeh --topology ring:6 --set k=2 --timing uniform --seed 7
  bellwether run variable-speeds --topology ring:4 --ids 3,1,4,2 --wake 0@1 --wake 2@2
  bellwether run le-lann --topology ring:3 --ids 1,2,0 --timing reorder --force
  bellwether run franklin --topology ring:12 --trace run.ndjson && bellwether replay run.ndjson
  bellwether run peterson --topology ring:8 --svg run.svg --png run.png
  bellwether run lease --topology complete:3 --until 200 --fault random:harsh --seed 7
  bellwether run lease --topology complete:3 --set drift=0 --fault drift=0:0.8 --fault loss=0.3 --force --shrink --seed 34
  bellwether run franklin --topology ring:8 --html run.html

In the report, `time` is when the last node decided, in rounds or in units of the longest delay;
`bits` adds up the lengths of all messages: for each the bits that tell its kind, and those of its
fields as binary numbers.")]
pub struct RunArgs {
    /// The election.
    #[command(flatten)]
    pub election: ElectionArgs,
    /// How long messages take: rounds (lock step), unit (1 each), uniform or exponential (random, at most 1, in order
    /// on each link), reorder (uniform, without order)  [default: rounds for round-based algorithms, otherwise unit]
    #[arg(long, value_name = "TIMING")]
    pub timing: Option<Timing>,
    /// Wake a node up in a round of its own (variable-speeds); all nodes not named sleep until a message comes
    #[arg(long, value_name = "NODE@ROUND", conflicts_with = "initiators")]
    pub wake: Vec<Wake>,
    /// If the run breaks a property: search for the fewest faults and the shortest time that still break it, and hold
    /// that run instead
    #[arg(long)]
    pub shrink: bool,
    /// When the run is over, for algorithms that never end  [default: 100]
    #[arg(long, value_name = "UNITS", allow_hyphen_values = true)]
    pub until: Option<Units>,
    /// Show what the run took: events, messages under way, who sent most (slower on one-way rings)
    #[arg(long)]
    pub stats: bool,
}

/// `bellwether live`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  bellwether live franklin --topology ring:12
  bellwether live bully --topology complete:5 --ids ascending --unit 50ms --fault crash=4@3
  bellwether live echo-election --topology torus:30x30 --threads 2
  bellwether live peterson --latency 2ms --trace live.ndjson && bellwether replay live.ndjson
  bellwether live lease --topology complete:3 --unit 20ms --fault crash=2@30 --until 60

A live run never happens twice: the same line gives the same network, ids and random choices,
but not the same order of events. Its trace replays exactly.")]
pub struct LiveArgs {
    /// The election.
    #[command(flatten)]
    pub election: ElectionArgs,
    /// `run` has it; here it is refused with what to say instead.
    #[arg(long, value_name = "TIMING", hide = true)]
    pub timing: Option<String>,
    /// How long every message is held up: 5ms, or at random within 1..5ms; also us, s and m
    #[arg(long, value_name = "TIME", default_value = "0ms", allow_hyphen_values = true)]
    pub latency: Latency,
    /// How long a time unit lasts, by which timers run and faults are planned; messages should take less
    /// [default: 100ms, and more in large networks for an algorithm that relies on it]
    #[arg(long, value_name = "TIME", value_parser = Microseconds::unit, allow_hyphen_values = true)]
    pub unit: Option<Microseconds>,
    /// When the run is over, for algorithms that never end  [default: 100]
    #[arg(long, value_name = "UNITS", allow_hyphen_values = true)]
    pub until: Option<Units>,
    /// On how many threads  [default: one a node; above 2,000 nodes as many as there are cores, with nodes in groups]
    #[arg(long, value_name = "N", value_parser = few::<1, 10_000>, allow_hyphen_values = true)]
    pub threads: Option<u32>,
}

impl ElectionArgs {
    /// The part of the election that does not depend on the command.
    fn election(&self) -> Election {
        Election {
            as_printed: self.as_printed.clone(),
            topology: self.topology.clone(),
            largest_component: self.largest_component,
            ids: self.ids.clone(),
            initiators: self.initiators.clone(),
            set: self.set.clone(),
            draws: self.draws.clone(),
            fault: self.fault.clone(),
            detect: self.detect,
            max_delay: self.max_delay,
            elections: self.elections,
            number: self.number,
            limit: self.limit,
            seed: self.seed,
            force: self.force,
            ..Election::new(&self.algorithm)
        }
    }
}

impl RunArgs {
    /// The election on the command line.
    pub fn election(&self) -> Election {
        let wake = self.wake.clone();
        Election { timing: self.timing, wake, until: self.until, ..self.election.election() }
    }
}

impl LiveArgs {
    /// The election on the command line.
    pub fn election(&self) -> Election {
        let (latency, unit, threads) = (Some(self.latency), self.unit, self.threads);
        Election { host: Host::Threads, latency, unit, threads, until: self.until, ..self.election.election() }
    }
}

/// The networks that there are.
pub const NETWORKS: &str = "\
Networks:
  ring:8 path:8 star:8 complete:8     nodes in a ring, in a line, around a centre, all linked to all
  grid:3x4 torus:3x4 hypercube:4      rows and columns, open or closed; a cube of this dimension
  binary-tree:15 tree:20              filled row by row; drawn evenly from all trees
  gnp:50:0.1 regular:50:3             Erdős-Rényi, each pair with this probability; random regular
  ba:50:2 ws:50:4:0.1                 Barabási-Albert; Watts-Strogatz (random networks are drawn again
                                      until they are connected)
  graph6:DhC                          any network as a graph6 string (this is path:5)
  file:PATH                           edge list, adjacency list, DOT, GraphML, graph6, GML, GEXF,
                                      node-link JSON, Pajek, METIS, DIMACS, MatrixMarket or sparse6;
                                      file:- reads standard input
Numbers may be short: ring:1e6, star:10k and ring:2M.

Examples:
  bellwether topology torus:3x4
  bellwether topology gnp:50:0.1 --seed 7 --to dot | neato -Tsvg > network.svg
  bellwether topology file:network.graphml --to edge-list --out network.edges
  bellwether topology ws:60:4:0.1 --svg network.svg
";

/// `bellwether topology`.
#[derive(Args, Debug)]
#[command(after_help = NETWORKS)]
pub struct TopologyArgs {
    /// The network, as in grid:3x4, gnp:50:0.1 or file:PATH
    #[arg(value_name = "T")]
    pub topology: Option<Topology>,
    /// What a random network is drawn from
    #[arg(
        long, value_name = "N", default_value_t = 1, value_parser = whole::<0, { u64::MAX }>,
        allow_hyphen_values = true
    )]
    pub seed: u64,
    /// What a file is, where neither its content nor its ending tells: edge-list, adjacency-list, dot, graphml, graph6,
    /// node-link, gml, gexf, pajek, metis, dimacs, matrix-market or sparse6
    #[arg(long, value_name = "FORMAT", value_parser = Format::readable)]
    pub from: Option<Format>,
    /// Take the largest connected part of a file; of equal ones, the one with the first node
    #[arg(long)]
    pub largest_component: bool,
    /// Write the network instead: edge-list, adjacency-list, dot, graphml, graph6, node-link or tikz
    #[arg(long, value_name = "FORMAT", conflicts_with = "json")]
    pub to: Option<Format>,
    /// Write it to a file, whose ending tells the format unless --to does
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub out: Option<PathBuf>,
    /// Its picture.
    #[command(flatten)]
    pub image: ImageArgs,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

impl TopologyArgs {
    /// The network that is asked for.
    pub fn network(&self) -> &Topology {
        self.topology.as_ref().expect("without one there is a list of all")
    }
}

/// `bellwether replay`.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  bellwether run peterson --trace run.ndjson && bellwether replay run.ndjson --events

Exit codes: those of the run that was recorded, if it is the same; 1 also if it diverges (with
--json the key `replay` tells `same` from `diverges`); 2 if the trace cannot be read.")]
pub struct ReplayArgs {
    /// A trace that `bellwether run`, `live` or `check` has written with --trace; - reads standard input
    pub trace: PathBuf,
    /// Show every step as a line, with the rule that it follows
    #[arg(long, conflicts_with = "json")]
    pub events: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Pictures of it.
    #[command(flatten)]
    pub draw: DrawArgs,
}

/// A whole number within these bounds.
pub fn whole<const LEAST: u64, const MOST: u64>(text: &str) -> Result<u64, String> {
    let number = size(text).ok().filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or_else(|| format!("a whole number from {LEAST} to {MOST} is wanted"))
}

/// A whole number within these bounds, which are small.
pub fn few<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u32, String> {
    let number = size(text).ok().and_then(|number| number.try_into().ok());
    let number = number.filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or_else(|| format!("a whole number from {LEAST} to {MOST} is wanted"))
}
