//! Pictures of recorded runs.

mod arrows;
mod bounds;
mod images;
mod page;
mod snapshots;
mod support;
