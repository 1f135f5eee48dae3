//! Makes a run that goes wrong small: the fewest faults and the shortest time with which it still goes wrong.
//!
//! Faults are left out, many at a time at first and then one by one, as long as the same property is broken (Zeller and
//! Hildebrandt: Simplifying and isolating failure-inducing input, 2002). Rates of loss, duplication and reordering that
//! are needed become faults of the single messages that they struck. Then the same is done with those.

use bellwether_world::host::{Algorithm, Error, Watch, Wishes};
use bellwether_world::trace::Event;
use bellwether_world::{Fault, Property, Report, Scenario, Time};

use crate::events::singled_out;

/// A small run that goes wrong.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The run. Without any of its faults it does not break the property.
    pub scenario: Scenario,
    /// What it breaks.
    pub breaks: Property,
    /// How many faults the run had that was made small. A rate counts as the single messages that it struck, as in the
    /// small run.
    pub faults_before: usize,
    /// How many runs were tried.
    pub tried: u64,
}

/// The smallest run that breaks the same property as this one; `None` if this one breaks none. `watch` may stop the
/// search. Then it returns the smallest run so far.
///
/// # Errors
/// If the run cannot be made.
pub fn shrink(algorithm: &Algorithm, scenario: &Scenario, watch: &mut dyn Watch) -> Result<Option<Shrunk>, Error> {
    let (report, events) = recorded(algorithm, scenario, watch)?;
    let Some(breaks) = report.broken.iter().next() else { return Ok(None) };
    let faults_before = singled_out(scenario, &events).len();
    let mut search = Search { algorithm, watch, breaks, best: scenario.clone(), tried: 1 };
    search.shorten();
    search.leave_out();
    let (_, events) = recorded(algorithm, &search.best, search.watch)?;
    search.tries(singled_out(&search.best, &events));
    search.leave_out();
    search.shorten();
    let Search { best, tried, .. } = search;
    Ok(Some(Shrunk { scenario: best, breaks, faults_before, tried }))
}

/// Plays a run, and keeps its events.
fn recorded(algorithm: &Algorithm, scenario: &Scenario, watch: &mut dyn Watch) -> Result<(Report, Vec<Event>), Error> {
    let mut events = vec![];
    let mut record = |event| events.push(event);
    let report = crate::play(algorithm, scenario, Wishes { record: Some(&mut record), ..Wishes::none(watch) })?;
    Ok((report, events))
}

struct Search<'a> {
    algorithm: &'a Algorithm,
    watch: &'a mut dyn Watch,
    breaks: Property,
    /// The smallest scenario so far that breaks the property.
    best: Scenario,
    tried: u64,
}

impl Search<'_> {
    /// Takes these faults instead, if the property is broken then, too. Returns whether it is.
    fn tries(&mut self, faults: Vec<Fault>) -> bool {
        let candidate = Scenario { faults, ..self.best.clone() };
        let is_broken = self.is_broken(&candidate);
        if is_broken {
            self.best = candidate;
        }
        is_broken
    }

    fn is_broken(&mut self, candidate: &Scenario) -> bool {
        if candidate.check_faults().is_err() || !self.watch.go_on(self.tried, None) {
            return false;
        }
        self.tried += 1;
        let report = crate::play(self.algorithm, candidate, Wishes::none(self.watch));
        report.is_ok_and(|report| report.broken.contains(self.breaks))
    }

    /// Lets the run end as early as possible, if it has an end: what was broken once stays broken.
    fn shorten(&mut self) {
        let Some(until) = self.best.until else { return };
        let (mut first, mut last) = (0, until.as_f64() as u128 + 1);
        while first < last {
            let middle = first.midpoint(last);
            let candidate = Scenario { until: Some(Time::units(middle)), ..self.best.clone() };
            if self.is_broken(&candidate) {
                (self.best, last) = (candidate, middle);
            } else {
                first = middle + 1;
            }
        }
    }

    /// Leaves out faults until each of them is needed.
    fn leave_out(&mut self) {
        loop {
            let before = self.best.faults.len();
            let mut size = before;
            while size > 0 {
                let mut at = 0;
                while at < self.best.faults.len() {
                    let faults = &self.best.faults;
                    let end = (at + size).min(faults.len());
                    let fewer = [&faults[..at], &faults[end..]].concat();
                    if !self.tries(fewer) {
                        at += size;
                    }
                }
                size /= 2;
            }
            self.leave_out_lives();
            if self.best.faults.len() == before {
                return;
            }
        }
    }

    /// Leaves out crashes together with their recoveries: a recovery alone is impossible.
    fn leave_out_lives(&mut self) {
        let mut at = 0;
        while at < self.best.faults.len() {
            let faults = &self.best.faults;
            let left = match faults[at] {
                Fault::Crash(node, crash) => {
                    let next = faults.iter().filter_map(|fault| match *fault {
                        Fault::Recover(it, back) if it == node && back > crash => Some(back),
                        _ => None,
                    });
                    let back = next.min();
                    let belongs = |fault: &Fault| match *fault {
                        Fault::Crash(it, at) => (it, at) == (node, crash),
                        Fault::Recover(it, at) => it == node && Some(at) == back,
                        Fault::Wipe(it, at) => it == node && at >= crash && back.is_none_or(|back| at <= back),
                        _ => false,
                    };
                    self.tries(faults.iter().copied().filter(|fault| !belongs(fault)).collect())
                }
                _ => false,
            };
            at += usize::from(!left);
        }
    }
}
