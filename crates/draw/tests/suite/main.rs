//! Pictures of recorded runs.

mod arrows;
mod bounds;
mod charts;
mod images;
mod page;
mod pixels;
mod readable;
mod snapshots;
mod support;
