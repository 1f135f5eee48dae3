//! The world around the processes: networks, ids, initiators, chance, and how a run is recorded and judged.
//!
//! Nothing here depends on an algorithm. A [`Scenario`] contains everything that determines a run. Hosts play it, write
//! a [`trace`] of it and ask the [`Judge`] for a verdict.

#![warn(clippy::unwrap_used)]

pub mod assumptions;
mod chaos;
mod family;
pub mod faults;
mod freedom;
pub mod host;
pub mod ids;
pub mod initiators;
mod judge;
mod narrator;
pub mod numbers;
mod property;
mod proved;
mod report;
pub mod rules;
mod scenario;
pub mod settings;
pub mod shiviz;
mod time;
mod timing;
pub mod trace;

pub use chaos::Chaos;
pub use family::{Family, MOST_SETS, Member};
pub use faults::Fault;
pub use freedom::{Drift, Freedom};
pub use judge::{End, Judge, Verdict};
pub use narrator::{Narrator, changed};
pub use property::{Properties, Property};
pub use proved::Proved;
pub use report::{Kind, Leader, Messages, Outcome, PhaseSeen, PhasesSeen, Report, Stats, Symmetry, Term};
pub use scenario::Scenario;
pub use time::Time;
pub use timing::{Clock, Timing};
