//! The runs of a sweep, in their order: size by size, algorithm by algorithm, run by run.

use bellwether_ask::{Circumstances, Environment, NetworkKind, Prepared, Refusal, Shape, Sweep, network};
use bellwether_core::{Bounds, Info, Knowledge, Meaning, Model, Size, Starts};
use bellwether_net::Topology;
use bellwether_random::seed_of_run;
use bellwether_world::Timing;
use bellwether_world::host::PhaseCount;
use bellwether_world::initiators::Initiators;
use bellwether_world::numbers::grouped;
use bellwether_world::settings;

use crate::row::Row;
use crate::{Quantity, Shard};

/// The largest number of runs in a sweep. More would take too long for any user.
const MOST: u64 = 10_000_000;

/// A sweep before it is held. The same plan always gives the same rows.
pub struct Plan {
    circumstances: Circumstances,
    /// The command line that determines the sweep.
    pub definition: String,
    /// The algorithms, in the order in which they were named.
    pub entrants: Vec<&'static Info>,
    /// Every algorithm on every network within the budget.
    pub cells: Vec<Cell>,
    /// The cells that the budget excludes.
    pub skipped: Vec<Cell>,
    /// The largest expected number of messages of a run.
    pub budget: Option<u64>,
    /// How many runs there are in a cell.
    pub runs: u32,
    /// The kind of network.
    pub networks: NetworkKind,
    /// Whether phases are counted.
    pub counts_phases: bool,
}

/// An algorithm on networks of one size.
pub struct Cell {
    /// The algorithm.
    pub info: &'static Info,
    /// The network, or what the random networks have in common.
    pub topology: Topology,
    /// The parameters of bounds, as far as they are known before a run.
    pub size: Size,
    /// The expected number of messages: the proved mean, or else the proved maximum, or else the proved minimum.
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
    /// The plan of a sweep. The smallest network of every algorithm is checked against the algorithm's assumptions.
    ///
    /// # Errors
    /// If the sweep cannot be held.
    pub fn new(sweep: &Sweep, environment: &dyn Environment) -> Result<Self, Refusal> {
        let Sweep { topology: networks, nodes: sizes, runs, budget, circumstances, .. } = sweep;
        if circumstances.ids.as_ref().is_some_and(|ids| ids.file().is_some()) {
            let reason = "a sweep is known by its line alone, and a file may change: take an order, or ids as in 3,1,2";
            return Err(Refusal(format!("--ids: {reason}")));
        }
        let entrants = circumstances.entrants(&sweep.algorithms)?;
        let topologies = sizes.nodes.iter().map(|nodes| networks.of(*nodes)).collect::<Result<Vec<_>, _>>();
        let topologies = topologies.map_err(Refusal::option("--nodes"))?;
        let seed = seed_of_run(circumstances.seed, sizes.nodes[0], 0);
        let smallest = network(&topologies[0], seed, environment)?;
        for info in &entrants {
            circumstances.election(info, &topologies[0], seed).prepare_on(smallest.clone(), environment)?;
        }
        let (mut cells, mut skipped) = (vec![], vec![]);
        for (nodes, topology) in sizes.nodes.iter().zip(&topologies) {
            for info in &entrants {
                let cell = cell(circumstances, info, topology, *nodes, *budget, environment)?;
                let affordable = budget.is_none_or(|budget| cell.cost.is_none_or(|cost| cost <= budget as f64));
                if affordable { cells.push(cell) } else { skipped.push(cell) }
            }
        }
        if cells.is_empty() {
            return Err(Refusal("--budget: nothing is left: allow more messages, or take fewer nodes".into()));
        }
        if cells.len() as u64 * u64::from(*runs) > MOST {
            let most = grouped(MOST);
            return Err(Refusal(format!("a sweep has at most {most} runs: take fewer --runs or --nodes")));
        }
        let algorithms = entrants.iter().map(|info| info.name.to_string()).collect();
        Ok(Self {
            circumstances: circumstances.clone(),
            definition: Sweep { algorithms, ..sweep.clone() }.line(),
            entrants,
            cells,
            skipped,
            budget: *budget,
            runs: *runs,
            networks: networks.clone(),
            counts_phases: sweep.phases,
        })
    }

    /// How many runs there are.
    pub fn count(&self) -> u64 {
        self.cells.len() as u64 * u64::from(self.runs)
    }

    /// The numbers of the runs of a part, in order.
    pub fn part(&self, shard: Shard) -> impl Iterator<Item = u64> + Clone + Send + use<> {
        (shard.index - 1..self.count()).step_by(shard.of as usize)
    }

    /// The run of this number.
    pub fn item(&self, number: u64) -> Item<'_> {
        let (cell, run) = (number / u64::from(self.runs), (number % u64::from(self.runs)) as u32);
        let cell = &self.cells[cell as usize];
        Item { cell, run: run + 1, seed: seed_of_run(self.circumstances.seed, cell.nodes(), run) }
    }

    /// The number of the run that this row belongs to; `None` if it is not in this plan.
    pub fn number(&self, row: &Row) -> Option<u64> {
        let is = |cell: &Cell| row.algorithm == cell.info.name && row.nodes == cell.nodes();
        let cell = self.cells.iter().position(is)? as u64;
        let number = cell * u64::from(self.runs) + u64::from(row.run.checked_sub(1)?);
        (row.run <= self.runs && row.is_of(self.item(number))).then_some(number)
    }

    /// The election of a run.
    ///
    /// # Errors
    /// If it cannot be held.
    pub fn election(&self, item: Item<'_>, environment: &dyn Environment) -> Result<Prepared, Refusal> {
        let Item { cell, seed, .. } = item;
        let network = network(&cell.topology, seed, environment)?;
        self.circumstances.election(cell.info, &cell.topology, seed).prepare_on(network, environment)
    }

    /// The parameters of bounds in every network with this number of nodes. A parameter that differs between them is
    /// not a number.
    pub fn size(&self, info: &Info, nodes: u32) -> Size {
        let Shape { links, diameter } = self.networks.shape(nodes);
        let known = |value: Option<u64>| value.map_or(f64::NAN, |value| value as f64);
        let starters = starters(&self.circumstances, info, nodes);
        Size {
            n: nodes.into(),
            k: starters.into(),
            min: if starters == nodes { 1.0 } else { f64::NAN },
            m: known(links),
            d: known(set(&self.circumstances, info, Meaning::Diameter).or(diameter.map(u64::from))),
            flood: set(&self.circumstances, info, Meaning::Flood) == Some(Meaning::FLOODED),
        }
    }

    /// The parameters of bounds in the run of a row. What is not known without its network and ids differs between the
    /// two.
    pub fn sizes(&self, Item { cell, .. }: Item<'_>, row: &Row) -> [Size; 2] {
        let size = Size { m: row.links as f64, ..self.size(cell.info, row.nodes) };
        let either = |known: bool, value: f64, other: f64| if known { [value; 2] } else { [1.0, other] };
        let counts = !matches!(self.circumstances.initiators, Some(Initiators::List(_)));
        let [k, other_k] = either(counts, size.k, size.n);
        let [min, other_min] = either(self.is_average() && !size.min.is_nan(), size.min, size.n + 7.0);
        let told = row.diameter_bound.map_or(size.d, f64::from);
        let [d, other_d] = either(!told.is_nan(), told, size.n + 7.0);
        [Size { k, min, d, ..size }, Size { k: other_k, min: other_min, d: other_d, ..size }]
    }

    /// The entry that holds in a run.
    pub fn entry<'a>(&self, Item { cell, .. }: Item<'a>) -> &'a Info {
        let set = self.circumstances.set.iter().filter_map(|text| settings::parse(cell.info, text).ok());
        cell.info.under(&set.collect())
    }

    /// Makes sure that the runs can tell this quantity.
    ///
    /// # Errors
    /// If they cannot.
    pub fn tells(&self, quantity: Quantity) -> Result<(), Refusal> {
        match quantity {
            Quantity::Phases if !self.counts_phases => {
                let reason = "these runs did not count phases: hold the sweep again with --phases";
                Err(Refusal(format!("--quantity phases: {reason}")))
            }
            Quantity::Phases => self.entrants.iter().try_for_each(|info| has_phases(info, &self.circumstances)),
            _ => Ok(()),
        }
    }

    /// Whether proved means apply to these runs.
    pub fn is_average(&self) -> bool {
        self.circumstances.is_average()
    }
}

/// Makes sure that phases of this algorithm can be counted.
fn has_phases(info: &Info, circumstances: &Circumstances) -> Result<(), Refusal> {
    let own = if info.model == Model::Synchronous { Timing::Rounds } else { Timing::Unit };
    if info.phases.is_none() {
        return Err(Refusal(format!("{} has no phases to count: leave it out, or take another quantity", info.name)));
    }
    if PhaseCount::applies(info, circumstances.timing.unwrap_or(own)) {
        return Ok(());
    }
    let reason = "through an adaptor its phases cannot be counted: leave --timing out";
    Err(Refusal(format!("{} is written for {}; {reason}", info.name, info.model)))
}

/// How many nodes start.
fn starters(circumstances: &Circumstances, info: &Info, nodes: u32) -> u32 {
    match &circumstances.initiators {
        None if info.starts == Starts::One => 1,
        None | Some(Initiators::All) => nodes,
        Some(Initiators::One) => 1,
        Some(Initiators::Random(count)) => *count,
        Some(Initiators::List(list)) => list.len() as u32,
    }
}

/// The value given for an algorithm's parameter with this meaning.
fn set(circumstances: &Circumstances, info: &Info, meaning: Meaning) -> Option<u64> {
    let name = info.setting(meaning)?.name;
    let parsed = circumstances.set.iter().filter_map(|text| settings::parse(info, text).ok());
    parsed.filter(|(set, _)| set == name).map(|(_, value)| value).next()
}

/// A cell: an algorithm on a network. The network is only built if that is necessary.
fn cell(
    circumstances: &Circumstances,
    info: &'static Info,
    topology: &Topology,
    nodes: u32,
    budget: Option<u64>,
    environment: &dyn Environment,
) -> Result<Cell, Refusal> {
    let starters = starters(circumstances, info, nodes);
    let set = |meaning| set(circumstances, info, meaning);
    let mut size = Size {
        n: nodes.into(),
        k: starters.into(),
        min: 1.0,
        m: topology.links().unwrap_or_default() as f64,
        d: set(Meaning::Diameter).map_or(1.0, |diameter| diameter as f64),
        flood: set(Meaning::Flood) == Some(Meaning::FLOODED),
    };
    let average = circumstances.is_average() && starters == nodes && circumstances.set.is_empty();
    let cost = |size: Size| {
        let Bounds { best, mean, worst, .. } = &info.bounds;
        let formula = mean.as_ref().filter(|_| average).or(worst.as_ref()).or(best.as_ref());
        formula.map(|formula| (formula.of)(size))
    };
    // The cost of an algorithm that must know the diameter depends on it. To find it, a network must be built. That is
    // only done if the cost with a diameter of 1 is within the budget.
    let knows = info.knows.contains(&Knowledge::Diameter) && set(Meaning::Diameter).is_none();
    if let Some(budget) = budget.filter(|_| knows)
        && cost(size).is_none_or(|cost| cost <= budget as f64)
    {
        let network = network(topology, seed_of_run(circumstances.seed, nodes, 0), environment)?;
        size.d = network.diameter().at_most.into();
    }
    Ok(Cell { info, topology: topology.clone(), size, cost: cost(size) })
}
