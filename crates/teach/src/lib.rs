//! What is taught: guided lessons, and exercises with ids of their own for every student.
//!
//! Both are data and texts in four languages. What a lesson or an exercise says about an election comes from the
//! program itself: it holds the election, counts, or checks every schedule. [`Request`] is what a page asks.

#![warn(clippy::unwrap_used)]

pub mod exercise;
mod held;
pub mod lessons;
mod quantity;
pub mod reply;
mod request;
mod texts;

pub use held::Held;
pub use quantity::Quantity;
pub use request::Request;
pub use texts::{Language, Text};
