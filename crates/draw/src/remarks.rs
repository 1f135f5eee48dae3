//! Facts about a run that its events do not tell: why it was stopped, and which properties are broken.

use std::fmt;

use bellwether_world::trace::Ending;
use bellwether_world::{PhasesSeen, Report, Scenario};

use crate::caption::grouped;

/// Remarks on a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Remarks<'a> {
    /// Every property that does not hold, as a sentence.
    pub broken: &'a [String],
    /// Why it was stopped early, if it was.
    pub stopped: Option<Stop>,
    /// The phases, if they were counted.
    pub phases: Option<&'a PhasesSeen>,
}

impl<'a> Remarks<'a> {
    /// The remarks that follow from the report.
    #[must_use]
    pub fn of(scenario: &Scenario, report: &'a Report) -> Self {
        let stopped = Stop::of(scenario, &Ending::new(scenario, report));
        Self { broken: &report.violations, stopped, phases: report.phases.as_ref() }
    }
}

/// The reason why a run was stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It reached the limit of events.
    AtLimit(u64),
    /// The user stopped it.
    Interrupted,
}

impl Stop {
    /// The reason why a run of this scenario was stopped, if it was.
    pub fn of(scenario: &Scenario, ending: &Ending) -> Option<Self> {
        let why = if ending.interrupted { Self::Interrupted } else { Self::AtLimit(scenario.limit) };
        ending.was_cut_short().then_some(why)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLimit(1) => f.write_str("stopped after 1 event"),
            Self::AtLimit(events) => write!(f, "stopped after {} events", grouped(*events)),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}
