//! Every interleaving of a small network, from the very code that runs.
//!
//! An [`Automaton`] turns the processes of an algorithm into numbers; a [`Machine`](machine::Machine) is a whole network
//! of them. [`explore`](explore::explore) follows every schedule depth first, on all threads that have nothing else to do,
//! [`shortest`](shortest::shortest) finds the shortest one that breaks a property, [`Graph`](graph::Graph) keeps all
//! transitions where cycles or chances are in question, and [`check`](check()) puts it together for a [`Family`] of
//! configurations. [`exact`] computes costs and odds without rounding.

#![warn(clippy::unwrap_used)]

pub mod automaton;
mod check;
mod components;
mod costs;
pub mod exact;
pub mod explore;
mod fairness;
mod family;
pub mod graph;
pub mod layout;
pub mod ledger;
pub mod machine;
pub mod mark;
mod numbers;
mod plan;
pub mod pool;
mod property;
mod queues;
mod rest;
pub mod row;
mod script;
pub mod search;
pub mod shortest;
pub mod sleep;
mod steps;
pub mod store;
mod story;

pub use automaton::Automaton;
pub use check::{Counterexample, Most, Verdict, check};
pub use fairness::{Lasso, endless};
pub use family::{Family, MOST_SETS, Member};
pub use plan::Plan;
pub use property::{Properties, Property};
pub use story::Story;
