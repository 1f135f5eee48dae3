//! The runs of a sweep, in their order: network by network, series by series, run by run.

use std::sync::Arc;

use bellwether_ask::{Circumstances, Election, Environment, IdsFrom, Prepared, Refusal, Shape, Sweep, network};
use bellwether_core::{Bounds, Info, Knowledge, Meaning, Model, Size, Starts};
use bellwether_net::{Topology, Wiring};
use bellwether_random::seed_of_run;
use bellwether_world::Timing;
use bellwether_world::host::PhaseCount;
use bellwether_world::initiators::Initiators;
use bellwether_world::numbers::grouped;
use bellwether_world::{Chaos, Proved, settings};

use crate::networks::{self, Given, Networks, Site};
use crate::row::Row;
use crate::{Quantity, Shard};

/// The largest number of runs in a sweep. More would take too long for any user.
const MOST: u64 = 10_000_000;

/// A sweep before it is held. The same plan always gives the same rows.
pub struct Plan {
    circumstances: Circumstances,
    largest_component: bool,
    /// The command line that determines the sweep.
    pub definition: String,
    /// The algorithms with their ids, in the order in which they were named.
    pub entrants: Vec<Entrant>,
    /// Every algorithm on every network within the budget.
    pub cells: Vec<Cell>,
    /// The cells that the budget excludes.
    pub skipped: Vec<Cell>,
    /// The largest expected number of messages of a run.
    pub budget: Option<u64>,
    /// How many runs there are in a cell.
    pub runs: u32,
    /// The networks.
    pub networks: Networks,
    /// Whether phases are counted.
    pub counts_phases: bool,
}

/// An algorithm, and the ids that it gets.
#[derive(Clone)]
pub struct Entrant {
    /// The algorithm.
    pub info: &'static Info,
    /// The ids as they were asked for; `None` if nothing was said, or among nodes without ids.
    pub ids: Option<IdsFrom>,
}

impl Entrant {
    /// The ids in a word; `None` among nodes without ids.
    pub fn ids(&self) -> Option<String> {
        let ids = || self.ids.as_ref().map_or("random".into(), IdsFrom::to_string);
        (!self.info.is_anonymous()).then(ids)
    }

    /// Whether it is the same algorithm with the same ids.
    pub fn is(&self, other: &Self) -> bool {
        self.info.name == other.info.name && self.ids == other.ids
    }

    /// Whether proved means apply: what they are averaged over is drawn from the seed.
    pub fn is_average(&self) -> bool {
        IdsFrom::are_drawn(self.ids.as_ref())
    }
}

/// An algorithm on networks of one size, or on a network that is given.
pub struct Cell {
    /// The algorithm and its ids.
    pub entrant: Entrant,
    /// The network, or what the random networks have in common.
    pub topology: Topology,
    /// The same as a text.
    pub name: String,
    /// The network itself, if it is given.
    pub given: Option<Arc<Given>>,
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

    /// The CRC-32 of the file that its network is read from.
    pub fn crc32(&self) -> Option<u32> {
        self.given.as_ref()?.crc32
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
        let Sweep { runs, budget, ids, circumstances, .. } = sweep;
        if ids.iter().any(|ids| ids.file().is_some()) {
            let reason = "a sweep is known by its line alone, and a file may change: take an order, or ids as in 3,1,2";
            return Err(Refusal(format!("--ids: {reason}")));
        }
        let algorithms = circumstances.entrants(&sweep.algorithms)?;
        let entrants = with_ids(&algorithms, ids)?;
        let (networks, sites) = networks::of(sweep, environment)?;
        let mut plan = Self {
            circumstances: circumstances.clone(),
            largest_component: sweep.largest_component,
            definition: {
                let algorithms = algorithms.iter().map(|info| info.name.to_string()).collect();
                Sweep { algorithms, ..sweep.clone() }.line()
            },
            entrants,
            cells: vec![],
            skipped: vec![],
            budget: *budget,
            runs: *runs,
            networks,
            counts_phases: sweep.phases,
        };
        for (index, site) in sites.iter().enumerate() {
            for entrant in &plan.entrants {
                let cell = cell(circumstances, entrant, site, *budget, environment)?;
                // All networks of a kind are like the smallest.
                if index == 0 || site.given.is_some() {
                    plan.prepare(&cell, seed_of_run(circumstances.seed, site.nodes, 0), environment)?;
                }
                let affordable = budget.is_none_or(|budget| cell.cost.is_none_or(|cost| cost <= budget as f64));
                if affordable { plan.cells.push(cell) } else { plan.skipped.push(cell) }
            }
        }
        if plan.cells.is_empty() {
            return Err(Refusal("--budget: nothing is left: allow more messages, or take fewer nodes".into()));
        }
        if plan.count() > MOST {
            let most = grouped(MOST);
            return Err(Refusal(format!("a sweep has at most {most} runs: take fewer --runs or networks")));
        }
        Ok(plan)
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
        let cell = self.cells.iter().position(|cell| row.is_in(cell))? as u64;
        let number = cell * u64::from(self.runs) + u64::from(row.run.checked_sub(1)?);
        (row.run <= self.runs && row.is_of(self.item(number))).then_some(number)
    }

    /// The election of a run.
    ///
    /// # Errors
    /// If it cannot be held.
    pub fn election(&self, item: Item<'_>, environment: &dyn Environment) -> Result<Prepared, Refusal> {
        self.prepare(item.cell, item.seed, environment)
    }

    /// The election of a cell with this seed.
    fn prepare(&self, cell: &Cell, seed: u64, environment: &dyn Environment) -> Result<Prepared, Refusal> {
        let Cell { entrant, topology, given, .. } = cell;
        let network = match given {
            Some(given) => given.network.clone(),
            None => network(topology, seed, environment)?,
        };
        let election = self.circumstances.election(entrant.info, topology, entrant.ids.as_ref(), seed);
        Election { largest_component: self.largest_component, ..election }.prepare_on(network, environment)
    }

    /// What is proved about a run, and without random faults about all of its cell: whether there is a minimum, a mean,
    /// a maximum, a number of messages to announce, a time, a mean and a maximum of phases, a time without a leader.
    ///
    /// # Errors
    /// If its election cannot be held.
    pub fn proves(
        &self,
        Item { cell, seed, .. }: Item<'_>,
        environment: &dyn Environment,
    ) -> Result<[bool; 8], Refusal> {
        let prepared = self.prepare(cell, seed, environment)?;
        let proved = Proved::new(prepared.info, &prepared.scenario);
        let mean = proved.mean.filter(|_| cell.entrant.is_average());
        let phases = [proved.mean_phases, proved.phases].map(|bound| bound.filter(|_| self.counts_phases));
        let Proved { best, worst, announce, time, failover, .. } = proved;
        let bounds = [best, mean, worst, announce, time, phases[0], phases[1], failover];
        Ok(bounds.map(|bound| bound.is_some()))
    }

    /// Whether the seed of a run determines what goes wrong in it.
    pub fn has_random_faults(&self) -> bool {
        self.circumstances.fault.iter().any(|fault| Chaos::is_meant(fault))
    }

    /// How many links the network of a run has. If chance decides that, the network is drawn again.
    ///
    /// # Errors
    /// If its network cannot be drawn.
    pub fn links(&self, Item { cell, seed, .. }: Item<'_>, environment: &dyn Environment) -> Result<u64, Refusal> {
        let known = cell.given.as_ref().map(|given| given.network.links()).or_else(|| cell.topology.fixed_links());
        known.map_or_else(|| Ok(network(&cell.topology, seed, environment)?.links()), Ok)
    }

    /// Whether the file of this row is not what it was.
    pub fn has_changed(&self, row: &Row) -> bool {
        self.cells.iter().any(|cell| cell.name == row.topology && cell.crc32() != row.crc32)
    }

    /// The parameters of bounds in every network with this number of nodes. A parameter that differs between them is
    /// not a number.
    pub fn size(&self, info: &Info, nodes: u32) -> Size {
        let Shape { links, diameter } = match &self.networks {
            Networks::Kind(kind) => kind.shape(nodes),
            Networks::Given(_) => Shape::default(),
        };
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
        let size = Size { m: row.links as f64, ..self.size(cell.entrant.info, row.nodes) };
        let either = |known: bool, value: f64, other: f64| if known { [value; 2] } else { [1.0, other] };
        let counts = !matches!(self.circumstances.initiators, Some(Initiators::List(_)));
        let [k, other_k] = either(counts, size.k, size.n);
        let [min, other_min] = either(cell.entrant.is_average() && !size.min.is_nan(), size.min, size.n + 7.0);
        let told = row.diameter_bound.map_or(size.d, f64::from);
        let [d, other_d] = either(!told.is_nan(), told, size.n + 7.0);
        [Size { k, min, d, ..size }, Size { k: other_k, min: other_min, d: other_d, ..size }]
    }

    /// Whether every node starts in the runs of an algorithm.
    pub fn all_start(&self, info: &Info) -> bool {
        let any_size = 1_000;
        starters(&self.circumstances, info, any_size) == any_size
    }

    /// The entry that holds in a run.
    pub fn entry<'a>(&self, Item { cell, .. }: Item<'a>) -> &'a Info {
        let set = self.circumstances.set.iter().filter_map(|text| settings::parse(cell.entrant.info, text).ok());
        cell.entrant.info.under(&set.collect())
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
            Quantity::Phases => {
                self.entrants.iter().try_for_each(|entrant| has_phases(entrant.info, &self.circumstances))
            }
            Quantity::Failover => match self.entrants.iter().find(|entrant| !entrant.info.perpetual) {
                Some(Entrant { info, .. }) => {
                    let name = info.name;
                    Err(Refusal(format!("--quantity failover: {name} elects once, so no leader follows another")))
                }
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

/// Every algorithm with all ids that were asked for; each once if it has no ids.
fn with_ids(algorithms: &[&'static Info], ids: &[IdsFrom]) -> Result<Vec<Entrant>, Refusal> {
    if let Some(twice) = ids.iter().enumerate().find(|(index, one)| ids[..*index].contains(one)) {
        return Err(Refusal(format!("--ids: {} is named twice", twice.1)));
    }
    let mut entrants = vec![];
    for info in algorithms {
        if ids.is_empty() || info.is_anonymous() {
            entrants.push(Entrant { info, ids: None });
        } else {
            entrants.extend(ids.iter().map(|ids| Entrant { info, ids: Some(ids.clone()) }));
        }
    }
    Ok(entrants)
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
    entrant: &Entrant,
    Site { topology, nodes, given }: &Site,
    budget: Option<u64>,
    environment: &dyn Environment,
) -> Result<Cell, Refusal> {
    let (info, nodes) = (entrant.info, *nodes);
    let links = given.as_ref().map_or_else(|| topology.links(), |given| Some(given.network.links()));
    let starters = starters(circumstances, info, nodes);
    let set = |meaning| set(circumstances, info, meaning);
    let mut size = Size {
        n: nodes.into(),
        k: starters.into(),
        min: 1.0,
        m: links.unwrap_or_default() as f64,
        d: set(Meaning::Diameter).map_or(1.0, |diameter| diameter as f64),
        flood: set(Meaning::Flood) == Some(Meaning::FLOODED),
    };
    let average = entrant.is_average() && starters == nodes && circumstances.set.is_empty();
    let cost = |size: Size| {
        let Bounds { best, mean, worst, .. } = &info.bounds;
        let formula = mean.as_ref().filter(|_| average).or(worst.as_ref()).or(best.as_ref());
        formula.map(|formula| (formula.of)(size))
    };
    // The cost of an algorithm that must know the diameter depends on it. To find it, a network must be built. That is
    // only done if the cost with a diameter of 1 is within the budget. All runs on a given network share its diameter.
    if info.knows.contains(&Knowledge::Diameter) && set(Meaning::Diameter).is_none() {
        let affordable = budget.filter(|budget| cost(size).is_none_or(|cost| cost <= *budget as f64));
        let diameter = match given {
            Some(given) => Some(given.network.diameter()),
            None if affordable.is_some() => {
                Some(network(topology, seed_of_run(circumstances.seed, nodes, 0), environment)?.diameter())
            }
            None => None,
        };
        diameter.iter().for_each(|diameter| size.d = diameter.at_most.into());
    }
    let (topology, name) = (topology.clone(), topology.to_string());
    Ok(Cell { entrant: entrant.clone(), topology, name, given: given.clone(), size, cost: cost(size) })
}
