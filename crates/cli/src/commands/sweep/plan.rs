//! The runs of a sweep, in their order: size by size, algorithm by algorithm, run by run.

use bellwether_core::{Bounds, Info, Knowledge, Size, Starts};
use bellwether_world::initiators::Initiators;
use bellwether_world::random::seed_of_run;
use bellwether_world::{Topology, settings};

use super::args::{Shard, SweepArgs};
use super::networks::{Networks, Shape};
use super::row::Row;
use crate::contest::{Bout, ContestArgs};
use crate::failure::Failure;
use crate::input;
use crate::show::grouped;

/// No sweep has more runs: nobody waits for them.
const MOST: u64 = 10_000_000;

/// A sweep before it is held: the same plan always gives the same rows.
pub struct Plan {
    contest: ContestArgs,
    /// The line that determines it.
    pub definition: String,
    /// Who takes part, in the order in which they were named.
    pub entrants: Vec<&'static Info>,
    /// Every algorithm on every network that it can afford.
    pub cells: Vec<Cell>,
    /// What the budget leaves out.
    pub skipped: Vec<Cell>,
    /// How many messages a run may be expected to cost.
    pub budget: Option<u64>,
    /// How many runs there are in a cell.
    pub runs: u32,
    /// The kind of network.
    pub networks: Networks,
}

/// An algorithm on networks of one size.
pub struct Cell {
    /// The algorithm.
    pub info: &'static Info,
    /// The network, or what random ones have in common.
    pub topology: Topology,
    /// What bounds depend on, as far as it is known before a run.
    pub size: Size,
    /// How many messages are to be expected: on average where that is proved, else at most, else at least.
    pub cost: Option<f64>,
}

impl Cell {
    /// How many nodes there are.
    pub fn nodes(&self) -> u32 {
        self.size.n as u32
    }
}

/// A run of a plan.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    /// Its cell.
    pub cell: &'a Cell,
    /// Its number in the cell, from 1.
    pub run: u32,
    /// Its seed, the same for all algorithms.
    pub seed: u64,
}

impl Plan {
    /// The plan of what was asked for. The smallest network of every algorithm is held against what it assumes.
    pub fn new(args: &SweepArgs) -> Result<Self, Failure> {
        let contest = args.contest.clone();
        if input::ids_file(&contest.ids).is_some() {
            let reason = "a sweep is known by its line alone, and a file may change: take an order, or ids as in 3,1,2";
            return Err(Failure::Usage(format!("--ids: {reason}")));
        }
        let entrants = contest.entrants(&args.algorithms)?;
        let (networks, sizes) = (args.topology.as_ref().expect("required"), args.nodes.as_ref().expect("required"));
        let topologies = sizes.nodes.iter().map(|nodes| networks.of(*nodes)).collect::<Result<Vec<_>, _>>();
        let topologies = topologies.map_err(input::named("--nodes"))?;
        let seed = seed_of_run(contest.seed, sizes.nodes[0], 0);
        let smallest = input::network(&topologies[0], seed)?;
        for info in &entrants {
            Bout::new(&contest, info, &topologies[0], smallest.clone(), seed)?;
        }
        let (mut cells, mut skipped) = (vec![], vec![]);
        for (nodes, topology) in sizes.nodes.iter().zip(&topologies) {
            for info in &entrants {
                let cell = cell(&contest, info, topology, *nodes, args.budget)?;
                let affordable = args.budget.is_none_or(|budget| cell.cost.is_none_or(|cost| cost <= budget as f64));
                if affordable { cells.push(cell) } else { skipped.push(cell) }
            }
        }
        if cells.is_empty() {
            return Err(Failure::Usage("--budget: nothing is left: allow more messages, or take fewer nodes".into()));
        }
        if cells.len() as u64 * u64::from(args.runs) > MOST {
            return Err(Failure::Usage(format!(
                "a sweep has at most {} runs: take fewer --runs or --nodes",
                grouped(MOST)
            )));
        }
        let definition = args.definition(&entrants);
        Ok(Self {
            contest,
            definition,
            entrants,
            cells,
            skipped,
            budget: args.budget,
            runs: args.runs,
            networks: networks.clone(),
        })
    }

    /// How many runs there are.
    pub fn len(&self) -> u64 {
        self.cells.len() as u64 * u64::from(self.runs)
    }

    /// The numbers of the runs of a part, in order.
    pub fn part(&self, shard: Shard) -> impl Iterator<Item = u64> + Clone + Send + use<> {
        (shard.index - 1..self.len()).step_by(shard.of as usize)
    }

    /// The run of this number.
    pub fn item(&self, number: u64) -> Item<'_> {
        let (cell, run) = (number / u64::from(self.runs), (number % u64::from(self.runs)) as u32);
        let cell = &self.cells[cell as usize];
        Item { cell, run: run + 1, seed: seed_of_run(self.contest.seed, cell.nodes(), run) }
    }

    /// The number of the run that this is the row of, if it is one of this plan.
    pub fn number(&self, row: &Row) -> Option<u64> {
        let is = |cell: &Cell| row.algorithm == cell.info.name && row.nodes == cell.nodes();
        let cell = self.cells.iter().position(is)? as u64;
        let number = cell * u64::from(self.runs) + u64::from(row.run.checked_sub(1)?);
        (row.run <= self.runs && row.is_of(self.item(number))).then_some(number)
    }

    /// The election of a run.
    pub fn bout(&self, item: Item<'_>) -> Result<Bout, Failure> {
        let Item { cell, seed, .. } = item;
        Bout::new(&self.contest, cell.info, &cell.topology, input::network(&cell.topology, seed)?, seed)
    }

    /// What bounds depend on in every network of so many nodes; what is not the same in all of them is not a number.
    pub fn size(&self, info: &Info, nodes: u32) -> Size {
        let Shape { links, diameter } = self.networks.shape(nodes);
        let known = |value: Option<u64>| value.map_or(f64::NAN, |value| value as f64);
        let starters = starters(&self.contest, info, nodes);
        Size {
            n: nodes.into(),
            k: starters.into(),
            min: if starters == nodes { 1.0 } else { f64::NAN },
            m: known(links),
            d: known(set(&self.contest, info, "diameter").or(diameter.map(u64::from))),
            flood: set(&self.contest, info, "announce") == Some(1),
        }
    }

    /// Whether proved means are about these runs.
    pub fn is_average(&self) -> bool {
        self.contest.is_average()
    }
}

/// How many nodes start.
fn starters(contest: &ContestArgs, info: &Info, nodes: u32) -> u32 {
    match &contest.initiators {
        None if info.starts == Starts::One => 1,
        None | Some(Initiators::All) => nodes,
        Some(Initiators::One) => 1,
        Some(Initiators::Random(count)) => *count,
        Some(Initiators::List(list)) => list.len() as u32,
    }
}

/// What a parameter of an algorithm is set to.
fn set(contest: &ContestArgs, info: &Info, name: &str) -> Option<u64> {
    let parsed = contest.set.iter().filter_map(|text| settings::parse(info, text).ok());
    parsed.filter(|(set, _)| set == name).map(|(_, value)| value).next()
}

/// What an algorithm is to expect on a network, without building it where that can be helped.
fn cell(
    contest: &ContestArgs,
    info: &'static Info,
    topology: &Topology,
    nodes: u32,
    budget: Option<u64>,
) -> Result<Cell, Failure> {
    let starters = starters(contest, info, nodes);
    let set = |name: &str| set(contest, info, name);
    let mut size = Size {
        n: nodes.into(),
        k: starters.into(),
        min: 1.0,
        m: topology.links().unwrap_or_default() as f64,
        d: set("diameter").map_or(1.0, |diameter| diameter as f64),
        flood: set("announce") == Some(1),
    };
    let average = contest.is_average() && starters == nodes && contest.set.is_empty();
    let cost = |size: Size| {
        let Bounds { best, mean, worst, .. } = &info.bounds;
        let formula = mean.as_ref().filter(|_| average).or(worst.as_ref()).or(best.as_ref());
        formula.map(|formula| (formula.of)(size))
    };
    // Who must know the diameter pays for it; it takes a network to know it, which must be affordable itself.
    let knows = info.knows.contains(&Knowledge::Diameter) && set("diameter").is_none();
    if let Some(budget) = budget.filter(|_| knows)
        && cost(size).is_none_or(|cost| cost <= budget as f64)
    {
        let network = input::network(topology, seed_of_run(contest.seed, nodes, 0))?;
        size.d = network.diameter().at_most.into();
    }
    Ok(Cell { info, topology: topology.clone(), size, cost: cost(size) })
}
