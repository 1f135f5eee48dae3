//! What came of a request, as JSON: the keys are part of the interface. The command line and the lab both write it, so
//! it is here, once. Texts that both show are here as well: what an algorithm assumes, and the stories.

#![warn(clippy::unwrap_used)]

mod check;
mod entry;
pub mod family;
pub mod lemmas;
mod object;
mod run;
mod stories;

pub use check::{Checked, EXCUSED, Search};
pub use entry::{terms, values, winner};
pub use lemmas::Lemmas;
pub use object::Object;
pub use run::{Detail, busiest, json, stopped};
pub use stories::{ERRATA_STORY, STORIES};
