//! Planted bugs: algorithms of the catalogue with one change each, which the tests must find.
//!
//! `build.rs` has the list of changes. It makes every mutant from the algorithm's own file, so that a mutant always is
//! the real algorithm but for its bug; a change that no longer fits the file breaks the build.

use bellwether_core::{Process, Rounds};

/// What is done with each mutant.
pub trait Visitor {
    /// A mutant of an asynchronous algorithm, and what is wrong with it.
    fn process<P: Process>(&mut self, bug: &'static str);

    /// A mutant of a round-based algorithm, and what is wrong with it.
    fn rounds<R: Rounds>(&mut self, bug: &'static str);
}

#[allow(warnings, clippy::all, reason = "a bug may leave something unused or unreachable")]
mod planted {
    include!(concat!(env!("OUT_DIR"), "/planted.rs"));
}

pub use planted::{
    adoption, bully, chang_roberts, echo_election, floodmax, itai_rodeh_sync, peterson, random_candidacy,
    traversal_edge_colouring, tree_waves,
};
