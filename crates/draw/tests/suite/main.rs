//! Pictures of recorded runs.

mod arrows;
mod bounds;
mod images;
mod snapshots;
mod support;
