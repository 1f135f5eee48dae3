//! What an election costs over many configurations: exact, because each of them is looked at.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use bellwether_resources::pool::{IdleThreads, share_out};
use bellwether_world::Scenario;
use bellwether_world::host::Algorithm;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::{DecisionProcess, Odds, Range, RoundAutomaton, odds};
use crate::explore::explore;
use crate::graph::StateGraph;
use crate::ledger::{Ledger, Stop};
use crate::machine::Machine;
use crate::{Plan, search};

/// The minimum, the maximum and the mean of a number over all configurations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The minimum.
    pub least: Option<u64>,
    /// The maximum.
    pub most: u64,
    sum: u128,
    count: u64,
}

impl Spread {
    fn add(&mut self, value: u64) {
        self.least = Some(self.least.map_or(value, |least| least.min(value)));
        self.most = self.most.max(value);
        self.sum += u128::from(value);
        self.count += 1;
    }

    /// The mean, rounded; `None` if there are no values.
    #[must_use]
    pub fn average(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The mean; `None` if there are no values.
    #[must_use]
    pub fn mean(&self) -> Option<BigRational> {
        (self.count > 0).then(|| BigRational::new(BigInt::from(self.sum), BigInt::from(self.count)))
    }
}

/// What one run of a configuration costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Messages that serve to elect.
    pub messages: u64,
    /// Messages that tell the result.
    pub announce: u64,
    /// When the last process decided.
    pub time: u64,
}

/// A configuration that costs more than all others, or less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// The cost as a rank in which the smallest comes first, and the number of the configuration. Of equals the first
    /// one is kept, whichever thread was faster.
    rank: (u64, u64),
    /// The configuration.
    pub scenario: Scenario,
}

impl Extreme {
    /// A configuration takes this place if its rank is smaller.
    fn contend(place: &mut Option<Self>, rank: (u64, u64), scenario: &Scenario) {
        if place.as_ref().is_none_or(|old| rank < old.rank) {
            *place = Some(Self { rank, scenario: scenario.clone() });
        }
    }
}

/// What runs of many configurations cost, one run each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// How many there were.
    pub configurations: u64,
    /// The first of those with the fewest messages to elect.
    pub cheapest: Option<Extreme>,
    /// The first of those with the most.
    pub dearest: Option<Extreme>,
    /// Messages that serve to elect.
    pub messages: Spread,
    /// Messages that tell the result.
    pub announce: Spread,
    /// When the last process decided.
    pub time: Spread,
}

/// Runs every configuration once, with the function `run`.
///
/// # Errors
/// If a run fails, or the search was stopped.
pub fn costs(
    scenarios: impl Iterator<Item = Scenario> + Send,
    run: &(dyn Fn(&Scenario) -> Result<Cost, String> + Sync),
    ledger: &Ledger,
    threads: usize,
) -> Result<Costs, Stop> {
    let all = Mutex::new(Ok(Costs::default()));
    share_out(scenarios, &IdleThreads::new(threads), || {
        |number, scenario: Scenario| {
            let ran = ledger.ask().and_then(|()| run(&scenario).map_err(Stop::Impossible));
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            match (&mut *all, ran) {
                (Ok(costs), Ok(cost)) => {
                    costs.configurations += 1;
                    Extreme::contend(&mut costs.cheapest, (cost.messages, number), &scenario);
                    Extreme::contend(&mut costs.dearest, (u64::MAX - cost.messages, number), &scenario);
                    costs.messages.add(cost.messages);
                    costs.announce.add(cost.announce);
                    costs.time.add(cost.time);
                    ledger.done();
                    ControlFlow::Continue(())
                }
                (_, Err(stop)) => {
                    *all = Err(stop);
                    ControlFlow::Break(())
                }
                (Err(_), Ok(_)) => ControlFlow::Break(()),
            }
        }
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The costs of the cheapest and the dearest schedule of all configurations. `None` if one of them has more states than
/// allowed, or schedules that need not end.
///
/// # Errors
/// If the search was stopped.
pub fn over_schedules(
    scenarios: impl Iterator<Item = Scenario> + Send,
    algorithm: &'static Algorithm,
    plan: Plan,
    ledger: &Ledger,
    threads: usize,
    at_most: usize,
) -> Result<Option<(u64, u64)>, Stop> {
    type Found = Result<Option<Option<(u64, u64)>>, Stop>;
    let all: Mutex<Found> = Mutex::new(Ok(None));
    let idle = search::helpers(threads);
    share_out(scenarios, &idle, || {
        let mut machine: Option<Machine> = None;
        let (all, idle) = (&all, &idle);
        move |_, scenario: Scenario| {
            let found = look(&mut machine, &scenario, algorithm, plan, ledger, idle, at_most);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            let sum = match (&*all, found) {
                (Err(_), _) => return ControlFlow::Break(()),
                (_, Err(stop)) => Err(stop),
                (Ok(Some(None)), _) | (_, Ok(None)) => Ok(Some(None)),
                (Ok(None), Ok(found)) => Ok(Some(found)),
                (Ok(Some(Some((a, b)))), Ok(Some((c, d)))) => Ok(Some(Some(((*a).min(c), (*b).max(d))))),
            };
            *all = sum;
            if matches!(*all, Ok(Some(Some(_)))) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }
    });
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner)?.flatten())
}

/// The costs of the cheapest and the dearest schedule of one configuration.
fn look(
    machine: &mut Option<Machine>,
    scenario: &Scenario,
    algorithm: &'static Algorithm,
    plan: Plan,
    ledger: &Ledger,
    idle: &IdleThreads,
    at_most: usize,
) -> Result<Option<(u64, u64)>, Stop> {
    match explore(Machine::prepared(machine, scenario, algorithm, plan)?, ledger, idle, at_most) {
        Ok(findings) => Ok(findings.costs),
        Err(Stop::States) => Ok(None),
        Err(stop) => Err(stop),
    }
}

/// Expectations over all configurations of a randomised algorithm.
#[derive(Clone, Debug)]
pub struct Expected {
    /// How many configurations there were.
    pub configurations: u64,
    /// How many states they have together.
    pub states: u64,
    /// The fewest messages that chance and a schedule can cause, and the most, if there is a bound.
    pub extremes: (Option<u64>, Option<u64>),
    /// Expectations, averaged over the configurations.
    pub odds: Odds,
}

/// The engine that turns a configuration into a decision process.
pub enum Chances<'a> {
    /// Rounds: chance alone decides.
    Rounds(&'a mut RoundAutomaton),
    /// Events: a schedule is chosen as well.
    Events(&'a mut Machine),
}

/// The largest number of states of a decision process that is solved exactly.
pub const MOST_STATES: usize = 300_000;

/// Computes the expectations.
///
/// # Errors
/// If it cannot be followed, has too many states, or was stopped.
pub fn expected(
    scenarios: impl Iterator<Item = Scenario>,
    chances: &mut Chances<'_>,
    ledger: &Ledger,
    rows: u32,
) -> Result<Expected, Stop> {
    let mut all: Option<Expected> = None;
    for scenario in scenarios {
        let process = match chances {
            Chances::Rounds(lockstep) => lockstep.process(&scenario, ledger)?,
            Chances::Events(machine) => {
                machine.place(&scenario);
                let graph = StateGraph::up_to(machine, ledger, MOST_STATES)?;
                DecisionProcess::from(&graph.ok_or(Stop::States)?)
            }
        };
        if process.states.len() > MOST_STATES {
            return Err(Stop::States);
        }
        let (least, most) = process.extremes();
        let odds = odds(&process, rows, ledger)?;
        let states = process.states.len() as u64;
        ledger.done();
        all = Some(match all {
            None => Expected { configurations: 1, states, extremes: (least, most), odds },
            Some(all) => Expected {
                configurations: all.configurations + 1,
                states: all.states + states,
                extremes: (
                    all.extremes.0.zip(least).map(|(a, b)| a.min(b)),
                    all.extremes.1.zip(most).map(|(a, b)| a.max(b)),
                ),
                odds: all.odds.plus(&odds),
            },
        });
    }
    let all = all.ok_or_else(|| Stop::Impossible("there is no configuration".into()))?;
    let odds = all.odds.over(all.configurations);
    Ok(Expected { odds, ..all })
}

impl Odds {
    fn each(&self, other: &Self, put: impl Fn(&Range, &Range) -> Range) -> Self {
        Self {
            messages: put(&self.messages, &other.messages),
            phases: put(&self.phases, &other.phases),
            within: self.within.iter().zip(&other.within).map(|(a, b)| put(a, b)).collect(),
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let sum = |a: &Option<BigRational>, b: &Option<BigRational>| a.as_ref().zip(b.as_ref()).map(|(a, b)| a + b);
        self.each(other, |a, b| Range { least: sum(&a.least, &b.least), most: sum(&a.most, &b.most) })
    }

    fn over(&self, count: u64) -> Self {
        let share = |value: &Option<BigRational>| value.as_ref().map(|value| value / BigInt::from(count));
        self.each(self, |a, _| Range { least: share(&a.least), most: share(&a.most) })
    }
}
