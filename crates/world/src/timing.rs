//! The delays of messages.

use std::fmt;
use std::str::FromStr;

use bellwether_core::Span;
use serde::{Deserialize, Serialize};

use crate::{Freedom, Time};

/// The schedule of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Timing {
    /// All processes take steps in rounds.
    Rounds,
    /// Every message takes exactly one unit.
    Unit,
    /// Delays are uniform in (0, 1], and links are FIFO.
    Uniform,
    /// Delays are exponential, cut at 1: mostly short, some long. Links are FIFO.
    Exponential,
    /// Uniform delays without order: messages on a link may overtake each other.
    Reorder,
    /// Real threads and a real clock. Delays are not controlled, and links are FIFO.
    Live(Clock),
    /// One of all schedules with this freedom; its trace says which one. Time only counts the steps.
    Chosen(Freedom),
}

/// The clock of a live run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// How long a time unit lasts, in microseconds.
    pub unit_us: u64,
    /// The artificial delay of messages in microseconds: at least, and at most.
    pub latency_us: (u64, u64),
}

impl Clock {
    /// A real duration in units.
    #[must_use]
    pub fn span(self, microseconds: u64) -> Span {
        let millionths = u128::from(microseconds) * u128::from(Span::UNIT.0) / u128::from(self.unit_us.max(1));
        Span(u64::try_from(millionths).unwrap_or(u64::MAX))
    }

    /// A time in units, in real milliseconds.
    #[must_use]
    pub fn milliseconds(self, time: Time) -> f64 {
        time.as_f64() * self.unit_us as f64 / 1_000.0
    }

    /// The longest artificial delay of a message.
    #[must_use]
    pub fn longest_latency(self) -> Span {
        self.span(self.latency_us.1)
    }
}

impl Timing {
    /// All schedules of simulated runs, in the order of the help text.
    pub const ALL: [Self; 5] = [Self::Rounds, Self::Unit, Self::Uniform, Self::Exponential, Self::Reorder];

    /// Whether links deliver in the order of sending.
    #[must_use]
    pub fn is_fifo(self) -> bool {
        let chosen = |freedom: Freedom| freedom.reorder || freedom.unreliable;
        !matches!(self, Self::Reorder) && !matches!(self, Self::Chosen(freedom) if chosen(freedom))
    }

    /// A moment of a run under this schedule, with its unit.
    #[must_use]
    pub fn moment(self, time: Time) -> String {
        match self {
            Self::Rounds => format!("round {time}"),
            Self::Chosen(_) => format!("step {time}"),
            Self::Live(clock) => format!("{:.3} ms", clock.milliseconds(time)),
            _ => format!("time {time}"),
        }
    }

    /// The name of a unit of time under this schedule.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::Rounds => "rounds",
            Self::Chosen(_) => "steps",
            _ => "units",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Rounds => "rounds",
            Self::Unit => "unit",
            Self::Uniform => "uniform",
            Self::Exponential => "exponential",
            Self::Reorder => "reorder",
            Self::Live(_) => "live",
            Self::Chosen(_) => "chosen",
        }
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Timing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name).join(", ");
        let hint = match text {
            "sync" | "synchronous" | "lockstep" => ": did you mean rounds?",
            "async" | "asynchronous" | "random" => ": did you mean uniform (random delays), or unit (all the same)?",
            _ => "",
        };
        Self::ALL.into_iter().find(|timing| timing.name() == text).ok_or(format!("'{text}' is none of {names}{hint}"))
    }
}
