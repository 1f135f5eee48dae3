//! What is under way: as long as somebody holds something that will be acted upon, the ring is not quiet.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use super::report::Report;

/// Counts what is under way, and reports when nothing is left.
#[derive(Debug)]
pub struct Flights {
    count: AtomicUsize,
    reports: Sender<Report>,
}

impl Flights {
    /// Nothing yet.
    pub fn new(reports: Sender<Report>) -> Arc<Self> {
        Arc::new(Self { count: AtomicUsize::new(0), reports })
    }

    /// One more thing under way, until it is dropped: handled, lost or withdrawn.
    pub fn begin(self: &Arc<Self>) -> Flight {
        self.count.fetch_add(1, Ordering::SeqCst);
        Flight(Arc::clone(self))
    }

    /// Whether nothing is under way. What anybody reported before that is in the channel by now.
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
            // Without a ring that listens there is nobody to tell.
            let _ = self.0.reports.send(Report::Quiet);
        }
    }
}
