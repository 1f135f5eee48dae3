//! Every interleaving of a small network, from the very code that runs.
//!
//! An [`Automaton`] turns the processes of an algorithm into numbers. A [`Machine`](machine::Machine) is a whole
//! network of them.
//!
//! - [`explore`](explore::explore) follows every schedule depth first, on all idle threads.
//! - [`shortest`](shortest::shortest) finds the shortest schedule that breaks a property.
//! - [`StateGraph`](graph::StateGraph) keeps all transitions, for questions about cycles and chances.
//! - [`check`](check()) puts these together for a [`Family`](bellwether_world::Family) of configurations.
//! - [`exact`] computes costs and odds without rounding.

#![warn(clippy::unwrap_used)]

pub mod automaton;
mod check;
mod components;
mod costs;
pub mod exact;
pub mod explore;
mod extras;
mod fairness;
pub mod graph;
mod in_rounds;
pub mod layout;
pub mod ledger;
pub mod machine;
pub mod mark;
mod numbers;
mod perpetual;
mod plan;
mod queues;
mod rounds;
pub mod row;
mod script;
pub mod search;
pub mod shortest;
pub mod sleep;
mod steps;
pub mod store;
mod story;

pub use automaton::Automaton;
pub use check::{Conclusion, Counterexample, Most, check};
pub use fairness::{Lasso, endless};
pub use plan::Plan;
pub use story::{Story, tell};
