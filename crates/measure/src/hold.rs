//! Holds the runs of a sweep on all cores. Rows come in the order of the plan, even if a later run ends first.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bellwether_ask::Environment;
use bellwether_resources::pool::{IdleThreads, share_out};
use bellwether_world::host::{self, Count, Now, Watch, Wishes};

use crate::Error;
use crate::journal::Journal;
use crate::plan::{Cell, Item, Plan};
use crate::row::Row;

/// An observer of a sweep. Work is counted in events.
pub trait Attention: Sync {
    /// A run begins.
    fn begins(&self, item: Item<'_>);

    /// More work is done.
    fn works(&self, events: u64);

    /// Whether the sweep is to stop.
    fn stops(&self) -> bool;
}

/// Holds the runs of these numbers, and adds their rows to the given rows. On request it stops, and keeps the rows up
/// to the first one missing.
///
/// # Errors
/// If a run cannot be held, or a row cannot be written.
pub fn hold(
    plan: &Plan,
    numbers: impl Iterator<Item = u64> + Clone + Send,
    journal: Option<Journal>,
    rows: Vec<Row>,
    threads: usize,
    environment: &(dyn Environment + Sync),
    attention: &dyn Attention,
) -> Result<Vec<Row>, Error> {
    let missing = numbers.skip(rows.len());
    let collector = Mutex::new(Collector { journal, rows, waiting: BTreeMap::new(), next: 0, failure: None });
    let lock = || -> MutexGuard<'_, Collector> { collector.lock().unwrap_or_else(PoisonError::into_inner) };
    let stop = AtomicBool::new(false);
    let one = |place: u64, number: u64| {
        let item = plan.item(number);
        attention.begins(item);
        let mut watcher = Reporter { attention, stop: &stop, weight: item.cell.weight(), counted: 0 };
        let held = plan.election(item, environment).map_err(Error::from).and_then(|election| {
            let phases = plan.counts_phases;
            let wishes = Wishes { count: Count::Sends, phases, ..Wishes::none(&mut watcher) };
            let report = bellwether_play::play(&election.scenario, wishes);
            let report = report.expect("the catalogue has it").map_err(|error| {
                let is_short = threads > 1 && matches!(error, host::Error::Memory(_));
                let remedy = if is_short { ", or --threads 1" } else { "" };
                Error::refused(format!("{item}: {error}{remedy}"))
            })?;
            Ok(Row::new(plan, item, &election, &report))
        });
        if watcher.is_stopped() {
            return ControlFlow::Break(());
        }
        watcher.count_all();
        let failure = match held {
            Ok(row) => lock().take(place, row),
            Err(failure) => Err(failure),
        };
        let Err(failure) = failure else { return ControlFlow::Continue(()) };
        stop.store(true, Ordering::SeqCst);
        lock().failure.get_or_insert(failure);
        ControlFlow::Break(())
    };
    share_out(missing, &IdleThreads::new(threads), || one);
    let Collector { rows, failure, .. } = collector.into_inner().unwrap_or_else(PoisonError::into_inner);
    failure.map_or(Ok(rows), Err)
}

/// Puts rows in order.
struct Collector {
    journal: Option<Journal>,
    rows: Vec<Row>,
    /// Rows that wait for an earlier row, by place.
    waiting: BTreeMap<u64, Row>,
    /// The place of the next row.
    next: u64,
    failure: Option<Error>,
}

impl Collector {
    fn take(&mut self, place: u64, row: Row) -> Result<(), Error> {
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

impl Cell {
    /// The approximate work of a run, in events.
    #[must_use]
    pub fn weight(&self) -> u64 {
        (self.size.n + self.cost.unwrap_or(self.size.n * libm::log2(self.size.n + 1.0))) as u64
    }
}

/// Reports how a run goes, and stops it on request.
struct Reporter<'a> {
    attention: &'a dyn Attention,
    stop: &'a AtomicBool,
    weight: u64,
    /// The part of the weight that was reported.
    counted: u64,
}

impl Reporter<'_> {
    fn is_stopped(&self) -> bool {
        self.attention.stops() || self.stop.load(Ordering::SeqCst)
    }

    fn count(&mut self, events: u64) {
        let more = events.min(self.weight).saturating_sub(self.counted);
        self.counted += more;
        self.attention.works(more);
    }

    fn count_all(&mut self) {
        self.count(self.weight);
    }
}

impl Watch for Reporter<'_> {
    fn go_on(&mut self, messages: u64, _: Option<Now>) -> bool {
        self.count(messages);
        !self.is_stopped()
    }
}
