//! Elections on real threads.

#![warn(clippy::unwrap_used)]

pub mod ring;
