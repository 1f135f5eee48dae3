//! Networks: made, measured, stored, read and written.

mod families;
mod files;
mod round_trip;
mod stored;
mod support;
