//! Real time in the units of a scenario.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use bellwether_core::Span;
use bellwether_world::Clock;

/// A clock that begins with the run.
pub(super) struct Stopwatch {
    begun: OnceLock<Instant>,
    unit_us: u128,
}

impl Stopwatch {
    pub(super) fn new(clock: Clock) -> Self {
        Self { begun: OnceLock::new(), unit_us: clock.unit_us.max(1).into() }
    }

    /// The time since the beginning of the run. The first call starts the clock.
    pub(super) fn now(&self) -> Span {
        let passed = self.begun.get_or_init(Instant::now).elapsed().as_nanos();
        let millionths = passed * u128::from(Span::UNIT.0) / 1_000 / self.unit_us;
        Span(u64::try_from(millionths).unwrap_or(u64::MAX))
    }

    /// The real time until then.
    pub(super) fn until(&self, due: Span) -> Duration {
        let wait = u128::from(due.0.saturating_sub(self.now().0)) * self.unit_us * 1_000;
        Duration::from_nanos(u64::try_from(wait.div_ceil(Span::UNIT.0.into())).unwrap_or(u64::MAX))
    }
}
