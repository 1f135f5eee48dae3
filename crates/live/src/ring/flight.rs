//! Things under way: the ring is not quiet while a worker holds something that it will act upon.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use super::report::WorkerReport;

/// Counts the things under way, and reports when nothing is left.
#[derive(Debug)]
pub struct Flights {
    count: AtomicUsize,
    reports: Sender<WorkerReport>,
}

impl Flights {
    /// Nothing yet.
    pub fn new(reports: Sender<WorkerReport>) -> Arc<Self> {
        Arc::new(Self { count: AtomicUsize::new(0), reports })
    }

    /// One more thing under way, until it is dropped: handled, lost or withdrawn.
    pub fn begin(self: &Arc<Self>) -> Flight {
        self.count.fetch_add(1, Ordering::SeqCst);
        Flight(Arc::clone(self))
    }

    /// Whether nothing is under way. All reports from before that moment are in the channel.
    pub fn is_quiet(&self) -> bool {
        self.count.load(Ordering::SeqCst) == 0
    }
}

/// One thing under way.
#[derive(Debug)]
pub struct Flight(Arc<Flights>);

impl Drop for Flight {
    fn drop(&mut self) {
        if self.0.count.fetch_sub(1, Ordering::SeqCst) == 1 {
            // If the ring is gone, no one receives this.
            let _ = self.0.reports.send(WorkerReport::Quiet);
        }
    }
}
