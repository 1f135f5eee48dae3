//! Networks: made, measured, stored, read and written.

mod families;
mod stored;
mod support;
