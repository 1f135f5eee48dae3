//! The world around the processes: networks, ids, who starts, chance, and how a run is recorded and judged.
//!
//! Nothing here knows an algorithm. A [`Scenario`] says everything that determines a run; hosts play it, write a
//! [`trace`] of it and let the [`Judge`] say what came of it.

#![warn(clippy::unwrap_used)]

pub mod assumptions;
pub mod family;
pub mod faults;
pub mod formats;
mod freedom;
pub mod host;
pub mod ids;
pub mod initiators;
mod judge;
pub mod memory;
pub mod random;
mod report;
mod scenario;
pub mod settings;
pub mod shiviz;
mod time;
mod timing;
mod together;
mod topology;
pub mod trace;

pub use faults::Fault;
pub use freedom::Freedom;
pub use judge::{End, Judge, Verdict};
pub use report::{Kind, Leader, Outcome, Report, Stats, Symmetry};
pub use scenario::Scenario;
pub use time::Time;
pub use timing::{Clock, Timing};
pub use topology::{Degrees, Diameter, Facts, Flaw, Graph, Network, Node, Ring, Topology, Wires, Wiring};
