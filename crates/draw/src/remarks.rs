//! What the events of a run do not tell: why it was stopped, if it was, and what is broken in it.

use std::fmt;

use bellwether_world::trace::Ending;
use bellwether_world::{Report, Scenario};

use crate::caption::grouped;

/// What is said of a run besides its events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Remarks<'a> {
    /// Every property that does not hold, as a sentence.
    pub broken: &'a [String],
    /// Why it ended before it was over, if it did.
    pub stopped: Option<Stop>,
}

impl<'a> Remarks<'a> {
    /// What the report says of a run of this scenario.
    #[must_use]
    pub fn of(scenario: &Scenario, report: &'a Report) -> Self {
        Self { broken: &report.violations, stopped: Stop::of(scenario, &Ending::new(scenario, report)) }
    }
}

/// Why a run ended before it was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It had as many events as it may have.
    AtLimit(u64),
    /// Somebody stopped it.
    Interrupted,
}

impl Stop {
    /// Why a run of this scenario with this ending was stopped, if it was.
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
