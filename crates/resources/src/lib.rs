//! The resources of this machine: memory, and threads for work whose result does not depend on their number.

#![warn(clippy::unwrap_used)]

pub mod memory;
pub mod pool;
