//! The catalogue: every election algorithm, one file each, written once.
//!
//! A file reads like its paper. The idea and the rules are at its head, which `bellwether explain` prints. Then comes
//! what it assumes, promises and costs, then its state, its messages and its steps. [`registry`] has a line for each;
//! nothing else in the project names an algorithm.

#![warn(clippy::unwrap_used)]

pub mod complete;
pub mod graph;
pub mod lease;
pub mod registry;
pub mod ring;
pub mod tree;
