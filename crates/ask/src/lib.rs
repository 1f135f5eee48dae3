//! What is asked for, as plain data: an election, a comparison, a sweep, a search.
//!
//! The command line, a web page and other programs are front ends of this data. There is one way from it to a
//! [`Scenario`](bellwether_world::Scenario) and one to the [line](mod@line) that repeats it. Defaults and refusals are
//! here, once.

#![warn(clippy::unwrap_used)]

mod algorithm;
mod contest;
mod draws;
mod election;
mod environment;
mod family;
pub mod line;
mod network_kind;
mod refusal;
mod search;
mod sizes;
mod swept;
mod text;
mod units;

pub use algorithm::{algorithm, as_printed, named, taken_as};
pub use contest::{Circumstances, Comparison, Sweep};
pub use election::{Election, Host, Prepared, usual_topology};
pub use environment::{Environment, largest_component, network, read_text};
pub use family::{Asked, Networks, Orders, Sets};
pub use network_kind::{NetworkKind, Shape};
pub use refusal::Refusal;
pub use search::{Budget, Bytes, Check, Exact, LinkBehaviour, Schedules, Switch, TimerOrder, WhenStarted};
pub use sizes::Sizes;
pub use swept::{Field, Swept};
pub use units::{IdsFrom, Latency, Microseconds, Units, Wake};
