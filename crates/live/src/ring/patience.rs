//! How long a worker waits for news of an election before it begins another one.

use std::time::{Duration, Instant};

use super::RingTiming;

/// The patience of a worker. It doubles with every election begun in vain.
#[derive(Debug)]
pub struct Patience {
    base: Duration,
    vain: u32,
    since: Instant,
}

impl Patience {
    /// Enough for a whole election round a ring of this size, and for a few failed neighbours.
    pub fn new(size: usize, timing: RingTiming) -> Self {
        /// The duration of a hand-over on a busy machine.
        const HOP: Duration = Duration::from_micros(200);
        let hops = u32::try_from(size).unwrap_or(u32::MAX).saturating_mul(3);
        let base =
            timing.worker_sleep.saturating_add(HOP).saturating_mul(hops).saturating_add(timing.wait.saturating_mul(4));
        Self { base, vain: 0, since: Instant::now() }
    }

    /// There is news.
    pub fn renew(&mut self) {
        self.since = Instant::now();
    }

    /// The worker has decided.
    pub fn fulfil(&mut self) {
        self.vain = 0;
    }

    /// The worker has waited in vain.
    pub fn exhaust(&mut self) {
        const MOST: u32 = 6;
        self.vain = (self.vain + 1).min(MOST);
        self.renew();
    }

    /// When the patience ends, unless there is news.
    pub fn end(&self) -> Option<Instant> {
        self.since.checked_add(self.base.saturating_mul(1 << self.vain))
    }
}
