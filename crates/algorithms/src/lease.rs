//! Leaderships that are lent for a time.

mod detector;
mod election;
#[expect(clippy::module_inception, reason = "the algorithm has the name of its kind")]
mod lease;
mod member;

pub use lease::Lease;
pub use member::Member;
