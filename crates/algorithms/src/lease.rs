//! Leaderships that are lent for a time.

#[expect(clippy::module_inception, reason = "the algorithm has the name of its kind")]
mod lease;

pub use lease::Lease;
