//! Planted bugs: algorithms of the catalogue with one change each, which the tests must find.
//!
//! `build.rs` has the list of changes. It makes every mutant from the algorithm's own file, so a mutant is always the
//! real algorithm plus its bug. A change that no longer fits the file breaks the build.

// The member elects by these, as they are.
use bellwether_algorithms::{complete, graph, ring};
use bellwether_core::{Process, Rounds};

/// What to do with each mutant.
pub trait Visitor {
    /// A mutant of an asynchronous algorithm, with its bug.
    fn process<P: Process>(&mut self, bug: &'static str);

    /// A mutant of a round-based algorithm, with its bug.
    fn rounds<R: Rounds>(&mut self, bug: &'static str);
}

#[allow(warnings, clippy::all, reason = "a bug may leave something unused or unreachable")]
mod planted {
    include!(concat!(env!("OUT_DIR"), "/planted.rs"));
}

pub use planted::{
    adoption, bully, chang_roberts, echo_election, floodmax, itai_rodeh_sync, lease, member, peterson,
    random_candidacy, traversal_edge_colouring, tree_waves,
};
