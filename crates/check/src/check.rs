//! Checks one configuration, or a whole family, against every property.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use bellwether_core::{Info, Starters, Starts};
use bellwether_resources::pool::{IdleThreads, share_out};
use bellwether_world::host::Algorithm;
use bellwether_world::{Properties, Property, Scenario};

use crate::explore::{Findings, explore};
use crate::fairness::endless;
use crate::graph::StateGraph;
use crate::ledger::{Ledger, Stop};
use crate::machine::Machine;
use crate::shortest::{Path, shortest};
use crate::story::{Story, tell};
use crate::{Plan, costs, in_rounds, perpetual, search};

/// What is known of a family of configurations.
#[derive(Debug, Default)]
pub struct Conclusion {
    /// How many configurations were searched to their end.
    pub configurations: u64,
    /// The sum of their states.
    pub states: u64,
    /// The sum of their transitions.
    pub transitions: u64,
    /// The election messages of the cheapest schedule of all.
    pub least: Option<u64>,
    /// The election messages of the dearest schedule of all.
    pub most: Most,
    /// How many configurations were searched with reduction: one order only of moves that do not interfere.
    pub reduced: u64,
    /// What does not hold, with the shortest schedule that shows it.
    pub broken: Vec<Counterexample>,
    /// What could not be judged, because some schedules end without a single leader; or, of an algorithm that never
    /// ends, because too few lead.
    pub moot: Properties,
    /// Whether all participants crashed on some schedules. Such schedules are not judged.
    pub excused: bool,
    /// What does not hold either, but the search stopped before it found a schedule that shows it.
    pub unshown: Vec<Property>,
    /// How many configurations were given up: a property is broken, and the number of states may be infinite.
    pub given_up: u64,
    /// Whether from some states of an algorithm that never ends a leader may come only after a wish from outside.
    pub wished: bool,
    /// Why the result is incomplete.
    pub stopped: Option<Stop>,
}

/// What the dearest schedule costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Most {
    /// No schedule was seen.
    #[default]
    Nothing,
    /// This many election messages.
    Messages(u64),
    /// There is no bound.
    Unbounded,
}

/// A schedule that breaks a property.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What it breaks.
    pub property: Property,
    /// The run.
    pub story: Story,
    /// The number of its moves, and the number of its configuration. The first of the shortest is kept.
    rank: (usize, u64),
}

impl Counterexample {
    pub(crate) fn new(property: Property, story: Story, rank: (usize, u64)) -> Self {
        Self { property, story, rank }
    }

    /// The number of its moves, and the number of its configuration.
    pub(crate) fn rank(&self) -> (usize, u64) {
        self.rank
    }
}

impl Conclusion {
    /// Whether every configuration was searched completely.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && self.given_up == 0
    }

    /// Whether this property is known not to hold.
    #[must_use]
    pub fn is_broken(&self, property: Property) -> bool {
        self.broken.iter().any(|broken| broken.property == property) || self.unshown.contains(&property)
    }

    fn absorb(&mut self, checked: &Checked) {
        let Findings { states, transitions, moot, excused, .. } = checked.findings;
        self.moot = self.moot.and(moot);
        self.excused |= excused;
        self.configurations += u64::from(!checked.findings.given_up);
        self.states += states;
        self.transitions += transitions;
        self.least = match (self.least, checked.least) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.most = self.most.max(checked.most);
        self.reduced += u64::from(checked.is_reduced);
        self.given_up += u64::from(checked.findings.given_up);
    }
}

/// What is known of one configuration.
struct Checked {
    findings: Findings,
    least: Option<u64>,
    most: Most,
    broken: Properties,
    is_reduced: bool,
    /// Kept if there are cycles, unless rings were turned in it: then a path through it names no nodes.
    graph: Option<StateGraph>,
}

/// Checks every configuration, on this many threads. Each configuration is searched by one thread; idle threads help
/// with a large one.
///
/// # Errors
/// If one of them cannot be checked at all.
pub fn check(
    configurations: impl Iterator<Item = Scenario> + Send,
    algorithm: &'static Algorithm,
    plan: Plan,
    ledger: &Ledger,
    threads: usize,
) -> Result<Conclusion, String> {
    if plan.freedom.keeps_rounds(algorithm.info) {
        return in_rounds::check(configurations, algorithm, plan, ledger);
    }
    if algorithm.info.perpetual {
        return perpetual::check(configurations, algorithm, plan, ledger, threads);
    }
    let conclusion = Mutex::new(Conclusion::default());
    let idle = search::helpers(threads);
    share_out(configurations, &idle, || {
        let mut machine: Option<Machine> = None;
        let (conclusion, idle) = (&conclusion, &idle);
        move |index, scenario: Scenario| {
            let prepared = Machine::prepared(&mut machine, &scenario, algorithm, plan).map_err(Stop::Impossible);
            let Err(stop) = prepared.and_then(|machine| check_one(machine, index, ledger, idle, conclusion)) else {
                ledger.done();
                return ControlFlow::Continue(());
            };
            ledger.stop();
            let mut conclusion = conclusion.lock().unwrap_or_else(PoisonError::into_inner);
            // A step that cannot be followed outweighs that the other searches were told to stop.
            if !matches!(conclusion.stopped, Some(Stop::Impossible(_) | Stop::Memory)) {
                conclusion.stopped = Some(stop);
            }
            ControlFlow::Break(())
        }
    });
    let mut conclusion = conclusion.into_inner().unwrap_or_else(PoisonError::into_inner);
    conclusion.broken.sort_by_key(|broken| broken.property);
    let Conclusion { broken, unshown, .. } = &mut conclusion;
    unshown.retain(|property| !broken.iter().any(|broken| broken.property == *property));
    unshown.sort_unstable();
    unshown.dedup();
    match conclusion.stopped.take() {
        Some(Stop::Impossible(reason)) => Err(reason),
        stopped => Ok(Conclusion { stopped, ..conclusion }),
    }
}

/// Checks the current configuration, which has this number.
fn check_one(
    machine: &mut Machine,
    index: u64,
    ledger: &Ledger,
    idle: &IdleThreads,
    conclusion: &Mutex<Conclusion>,
) -> Result<(), Stop> {
    let checked = configuration(machine, ledger, idle)?;
    let lock = || conclusion.lock().unwrap_or_else(PoisonError::into_inner);
    let stopped = &checked.findings.stopped;
    if stopped.is_none() {
        lock().absorb(&checked);
    }
    // A stopped search gets a moment more, to show what it has found.
    let moment = Ledger::new(A_MOMENT.min(ledger.memory()));
    let ledger = if stopped.is_some() { &moment } else { ledger };
    for property in checked.broken.iter() {
        let known = lock().broken.iter().find(|known| known.property == property).map(|known| known.rank);
        // Only a better counterexample than the known one is worth finding.
        let at_most = match known {
            None => usize::MAX,
            Some((length, of)) if index < of => length,
            Some((length, _)) => length.saturating_sub(1),
        };
        let found = match schedule(machine, &checked, property, at_most, ledger) {
            Ok(found) => found,
            Err(Stop::Impossible(reason)) => return Err(Stop::Impossible(reason)),
            Err(stop) => {
                lock().unshown.push(property);
                if stopped.is_none() {
                    return Err(stop);
                }
                continue;
            }
        };
        let Some((path, around)) = found else {
            if known.is_none() {
                lock().unshown.push(property);
            }
            continue;
        };
        let rank = (path.len() + around.as_ref().map_or(0, Vec::len), index);
        if known.is_some_and(|known| rank >= known) {
            continue;
        }
        let story = tell(machine, &path, around.as_ref())?;
        let mut conclusion = lock();
        conclusion.broken.retain(|known| known.property != property || known.rank < rank);
        if !conclusion.broken.iter().any(|known| known.property == property) {
            conclusion.broken.push(Counterexample { property, story, rank });
        }
    }
    stopped.clone().map_or(Ok(()), Err)
}

/// The bytes of states that are searched in about a second.
const A_MOMENT: u64 = 64 << 20;

/// Looks at all schedules of one configuration.
fn configuration(machine: &mut Machine, ledger: &Ledger, idle: &IdleThreads) -> Result<Checked, Stop> {
    let mut findings = explore(machine, ledger, idle, usize::MAX)?;
    // One order is enough to see how schedules end, what they cost and what each process goes through. It is not enough
    // to see whether two processes lead at the same time if one of them resigns, nor what happens on a cycle.
    let is_reduced = machine.is_reducing() && !findings.cyclic && !findings.resigned;
    if machine.is_reducing() && !is_reduced && findings.is_whole() {
        machine.stop_reducing();
        findings = explore(machine, ledger, idle, usize::MAX)?;
    }
    let mut broken = findings.broken;
    if !findings.is_whole() {
        return Ok(Checked { findings, least: None, most: Most::Nothing, broken, is_reduced, graph: None });
    }
    let (least, most, graph) = match findings.costs {
        Some((least, most)) => (Some(least), Most::Messages(most), None),
        None => {
            let graph = StateGraph::new(machine, ledger)?;
            let (least, most) = graph.costs();
            broken = broken.with(Property::Ends, endless(&graph).is_some());
            let graph = Some(graph).filter(|_| !machine.is_symmetric());
            (least, most.map_or(Most::Unbounded, Most::Messages), graph)
        }
    };
    broken = broken.with(Property::Bounds, !is_within_bounds(machine, least, most));
    Ok(Checked { findings, least, most, broken, is_reduced, graph })
}

/// A schedule that breaks a property. If it ends, it has at most this many moves.
fn schedule(
    machine: &mut Machine,
    checked: &Checked,
    property: Property,
    at_most: usize,
    ledger: &Ledger,
) -> Result<Option<(Path, Option<Path>)>, Stop> {
    machine.spread_out();
    match property {
        Property::Ends => {
            let fresh = if checked.graph.is_none() { Some(StateGraph::new(machine, ledger)?) } else { None };
            let lasso = checked.graph.as_ref().or(fresh.as_ref()).and_then(endless);
            Ok(lasso.map(|lasso| (lasso.stem, Some(lasso.around))))
        }
        // A schedule that ends with too many announcements. Otherwise the dearest one, or the cheapest if that is too
        // cheap.
        Property::Bounds => match shortest(machine, ledger, property, at_most)? {
            Some(path) => Ok(Some((path, None))),
            None => {
                let graph = StateGraph::new(machine, ledger)?;
                let too_dear = !is_within_bounds(machine, None, checked.most);
                let path = if too_dear { graph.dearest() } else { cheapest(&graph) };
                Ok(path.map(|path| (path, None)))
            }
        },
        _ => Ok(shortest(machine, ledger, property, at_most)?.map(|path| (path, None))),
    }
}

/// A cheapest schedule that settles; `None` if none does.
fn cheapest(graph: &StateGraph) -> Option<Path> {
    let ways = |state: u32| {
        graph.actions_of(state).flat_map(|action| (0..).zip(graph.edges_of(action)).map(move |way| (action, way)))
    };
    let priced = |state: u32| ways(state).map(|(_, (_, edge))| (edge.to, edge.cost));
    let (_, states) = costs::cheapest(graph.states(), |state| graph.is_settled[state as usize], priced)?;
    let step = |pair: &[u32]| {
        let there = ways(pair[0]).filter(|(_, (_, edge))| edge.to == pair[1]);
        there.min_by_key(|(_, (_, edge))| edge.cost).map(|(action, (way, _))| (graph.action(action).step, way))
    };
    states.windows(2).map(step).collect()
}

/// Whether no schedule costs more, or less, than proved, where nothing that the proofs rely on was dropped.
fn is_within_bounds(machine: &Machine, least: Option<u64>, most: Most) -> bool {
    if !machine.wants_bounds() {
        return true;
    }
    let scenario = machine.scenario();
    let info = machine.automaton().info().under(&scenario.settings);
    let starting = starting(scenario, info, machine.plan().freedom.starts_first);
    let sizes = || starting.iter().map(|scenario| scenario.size(info));
    // Bounds are computed in floating point: a relative error of 1e-12 is no violation.
    let worst = info.bounds.worst.map(|worst| sizes().map(|size| (worst.of)(size)).fold(0.0, f64::max) * (1.0 + 1e-12));
    let best =
        info.bounds.best.map(|best| sizes().map(|size| (best.of)(size)).fold(f64::MAX, f64::min) * (1.0 - 1e-12));
    let most = match most {
        Most::Nothing => 0.0,
        Most::Messages(most) => most as f64,
        Most::Unbounded => f64::INFINITY,
    };
    worst.is_none_or(|worst| most <= worst) && best.is_none_or(|best| least.is_none_or(|least| least as f64 >= best))
}

/// The scenario with the sets of initiators that may really start: a message may arrive before the others start. One
/// set for each case that bounds tell apart.
fn starting(scenario: &Scenario, info: &Info, starts_first: bool) -> Vec<Scenario> {
    if starts_first || info.starts == Starts::All {
        return vec![scenario.clone()];
    }
    let mut all: Vec<u32> = scenario.electorate().initiators().map(|(node, _)| node).collect();
    all.sort_by_key(|node| scenario.ids[*node as usize]);
    // Bounds depend on how many start, and on the smallest id among them.
    let sets = (0..all.len()).flat_map(|smallest| (smallest..all.len()).map(move |last| (smallest, last)));
    let starting = sets.map(|(smallest, last)| Starters::together(all[smallest..=last].iter().copied()));
    starting.map(|initiators| Scenario { initiators, ..scenario.clone() }).collect()
}
