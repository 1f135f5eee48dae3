//! The runs of a sweep on all cores; their rows come in the order of the plan, whoever was faster.

use std::collections::BTreeMap;
use std::fmt;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bellwether_check::pool::{Hands, share_out};
use bellwether_world::host::{Count, Error, Now, Watch};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use super::journal::Journal;
use super::plan::{Cell, Plan};
use super::row::Row;
use crate::failure::Failure;
use crate::progress;

/// Holds the runs of these numbers and adds their rows to those that are there; on request it stops, and the rows of the
/// first so many runs are kept.
pub fn hold(
    plan: &Plan,
    numbers: impl Iterator<Item = u64> + Clone + Send,
    journal: Option<Journal>,
    rows: Vec<Row>,
    threads: usize,
) -> Result<Vec<Row>, Failure> {
    let bar = bar(plan, numbers.clone(), rows.len());
    let missing = numbers.skip(rows.len());
    let collector = Mutex::new(Collector { journal, rows, waiting: BTreeMap::new(), next: 0, failure: None });
    let lock = || -> MutexGuard<'_, Collector> { collector.lock().unwrap_or_else(PoisonError::into_inner) };
    let stop = AtomicBool::new(false);
    let one = |place: u64, number: u64| {
        let item = plan.item(number);
        bar.iter().for_each(|bar| bar.set_message(item.to_string()));
        let mut watcher = Watcher { bar: bar.as_ref(), stop: &stop, weight: weight(item.cell), counted: 0 };
        let row = plan.bout(item).and_then(|bout| {
            let report = bout.hold(Count::Sends, &mut watcher).map_err(|error| {
                let remedy = if threads > 1 && matches!(error, Error::Memory(_)) { ", or --threads 1" } else { "" };
                Failure::Usage(format!("{item}: {error}{remedy}"))
            })?;
            Ok(Row::new(plan, item, &bout, &report))
        });
        if watcher.is_stopped() {
            return ControlFlow::Break(());
        }
        watcher.count_all();
        let failure = match row {
            Ok(row) => lock().take(place, row),
            Err(failure) => Err(failure),
        };
        let Err(failure) = failure else { return ControlFlow::Continue(()) };
        stop.store(true, Ordering::SeqCst);
        lock().failure.get_or_insert(failure);
        ControlFlow::Break(())
    };
    share_out(missing, &Hands::new(threads), || one);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let Collector { rows, failure, .. } = collector.into_inner().unwrap_or_else(PoisonError::into_inner);
    failure.map_or(Ok(rows), Err)
}

/// Puts rows in order.
struct Collector {
    journal: Option<Journal>,
    rows: Vec<Row>,
    /// Rows that come later than one that is not there yet, by their places.
    waiting: BTreeMap<u64, Row>,
    /// The place of the next row.
    next: u64,
    failure: Option<Failure>,
}

impl Collector {
    fn take(&mut self, place: u64, row: Row) -> Result<(), Failure> {
        self.waiting.insert(place, row);
        while let Some(row) = self.waiting.remove(&self.next) {
            if let Some(journal) = &mut self.journal {
                journal.append(&row)?;
            }
            self.rows.push(row);
            self.next += 1;
        }
        Ok(())
    }
}

/// About how much work a run is: events.
fn weight(cell: &Cell) -> u64 {
    (cell.size.n + cell.cost.unwrap_or(cell.size.n * libm::log2(cell.size.n + 1.0))) as u64
}

/// A bar on a terminal, with what is done already.
fn bar(plan: &Plan, numbers: impl Iterator<Item = u64> + Clone, done: usize) -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() || numbers.clone().nth(done).is_none() {
        return None;
    }
    let (mut before, mut all) = (0, 0u64);
    for (place, number) in numbers.enumerate() {
        before = if place == done { all } else { before };
        all = all.saturating_add(weight(plan.item(number).cell));
    }
    let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        if let Some(left) = left(state.elapsed(), state.pos().saturating_sub(before), all - before) {
            let _ = write!(out, "about {:#} left, ", HumanDuration(left));
        }
    };
    // What is being run has what room is left of the line.
    let style = ProgressStyle::with_template("{bar:20} {percent} %, {left}{wide_msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left);
    let bar = ProgressBar::new(all).with_style(style).with_position(before);
    bar.enable_steady_tick(Duration::from_millis(200));
    Some(bar)
}

/// How long the rest takes if it goes on as it went so far; nothing is known before some time has passed.
fn left(elapsed: Duration, done: u64, all: u64) -> Option<Duration> {
    const LITTLE: Duration = Duration::from_secs(2);
    let rest = all.saturating_sub(done) as f64 / done as f64;
    (elapsed >= LITTLE && done > 0).then(|| elapsed.mul_f64(rest.min(1e6)))
}

/// Shows how a run goes, and stops it on request.
struct Watcher<'a> {
    bar: Option<&'a ProgressBar>,
    stop: &'a AtomicBool,
    weight: u64,
    /// How much of the weight the bar has.
    counted: u64,
}

impl Watcher<'_> {
    fn is_stopped(&self) -> bool {
        progress::was_interrupted() || self.stop.load(Ordering::SeqCst)
    }

    fn count(&mut self, events: u64) {
        let more = events.min(self.weight).saturating_sub(self.counted);
        self.counted += more;
        self.bar.iter().for_each(|bar| bar.inc(more));
    }

    fn count_all(&mut self) {
        self.count(self.weight);
    }
}

impl Watch for Watcher<'_> {
    fn go_on(&mut self, messages: u64, _: Option<Now>) -> bool {
        self.count(messages);
        !self.is_stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_when_something_is_known() {
        let seconds = Duration::from_secs;
        assert_eq!(left(seconds(1), 10, 100), None);
        assert_eq!(left(seconds(9), 0, 100), None);
        assert_eq!(left(seconds(10), 25, 100), Some(seconds(30)));
        assert_eq!(left(seconds(10), 100, 100), Some(seconds(0)));
    }
}
