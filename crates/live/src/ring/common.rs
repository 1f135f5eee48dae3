//! The data that all workers of a ring share.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use bellwether_core::{Id, Process};

use super::counts::Counts;
use super::event::{Observer, RingEvent};
use super::flight::Flights;
use super::handover::Desks;
use super::letter::{Letter, Order};
use super::report::WorkerReport;

/// The times of a ring.
#[derive(Clone, Copy, Debug)]
pub struct RingTiming {
    /// How long an offer waits before the neighbour counts as failed.
    pub wait: Duration,
    /// How long a worker rests after each task.
    pub worker_sleep: Duration,
}

/// The shared data.
pub struct Common<P: Process> {
    /// The desks, by position.
    pub desks: Desks<Letter<P::Msg>, Order>,
    /// The ids, by position.
    pub ids: Vec<Id>,
    /// The times.
    pub timing: RingTiming,
    /// The counters.
    pub counts: Counts,
    /// The things under way.
    pub flights: Arc<Flights>,
    /// The channel to the ring.
    pub reports: Sender<WorkerReport>,
    /// The observer.
    pub observer: Observer,
}

impl<P: Process> Common<P> {
    /// Tells the ring. If the ring is gone, all workers are about to end too.
    pub fn report(&self, report: WorkerReport) {
        let _ = self.reports.send(report);
    }

    /// Tells the observer.
    pub fn observe(&self, event: RingEvent<'_>) {
        (self.observer)(&event);
    }
}
