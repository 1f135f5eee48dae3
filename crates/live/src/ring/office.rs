//! What all workers of a ring have in common.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use bellwether_core::{Id, Process};

use super::counts::Counts;
use super::event::{Event, Observer};
use super::flight::Flights;
use super::handover::Desks;
use super::letter::{Letter, Order};
use super::report::Report;

/// How long things take.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// How long an offer stands before the neighbour counts as failed.
    pub wait: Duration,
    /// How long a worker rests after each task.
    pub worker_sleep: Duration,
}

/// The room with all the desks.
pub struct Office<P: Process> {
    /// By position.
    pub desks: Desks<Letter<P::Msg>, Order>,
    /// By position.
    pub ids: Vec<Id>,
    /// How long things take.
    pub timing: Timing,
    /// What has been done.
    pub counts: Counts,
    /// What is under way.
    pub flights: Arc<Flights>,
    /// The way to the ring.
    pub reports: Sender<Report>,
    /// Who watches.
    pub observer: Observer,
}

impl<P: Process> Office<P> {
    /// Tells the ring; if it is gone, all workers are about to go too.
    pub fn report(&self, report: Report) {
        let _ = self.reports.send(report);
    }

    /// Tells whoever watches.
    pub fn observe(&self, event: Event<'_>) {
        (self.observer)(&event);
    }
}
