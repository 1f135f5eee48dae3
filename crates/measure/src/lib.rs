//! Sweeps: algorithms on networks of many sizes, measured and compared with proved bounds.
//!
//! A [`Plan`] lists the runs of a [`Sweep`](bellwether_ask::Sweep) in a fixed order. [`hold`](hold()) holds them on all
//! cores, a [`Journal`] stores their [`Row`]s, and [`Findings`] summarize them.
//!
//! An item of a plan is a number, which determines its algorithm, network and seed. Threads take the next free item. A
//! row is written after all rows before it, so the file is always a prefix of the complete file. A kill damages at most
//! the last line, and a sweep can go on from the file alone. A [`Shard`] takes every N-th item. Every row names the
//! line that determines its sweep. So parts can be merged, and missing rows are found.
//!
//! Tables and charts are made from rows alone, with the bounds that the judge uses. A bound that depends only on the
//! number of nodes is drawn between the sizes as well. To test this, its formula gets not-a-number for everything else,
//! and must agree with all rows.

#![warn(clippy::unwrap_used)]

mod error;
mod findings;
mod hold;
pub mod journal;
mod letters;
mod networks;
mod plan;
pub mod plot;
mod proof;
mod quantity;
mod row;
mod shard;
mod statistics;
mod summary;

pub use error::Error;
pub use findings::Findings;
pub use hold::{Attention, hold};
pub use journal::Journal;
pub use networks::{Given, Networks};
pub use plan::{Cell, Entrant, Item, Plan};
pub use quantity::Quantity;
pub use row::Row;
pub use shard::Shard;
pub use statistics::{Growth, LogLinear, Sample};
pub use summary::{Bound, Curve, Point};
