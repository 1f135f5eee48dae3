//! The catalogue as values: from a name to an algorithm that every host takes.
//!
//! The algorithms are compiled here for all hosts but the fastest engines, once for all programs and tests.

#![warn(clippy::unwrap_used)]

use bellwether_algorithms::registry::{self, Visitor};
use bellwether_core::{Process, Rounds};
use bellwether_world::host::Algorithm;

pub use bellwether_errata as errata;

/// The algorithm with this name, or with this erratum; `None` if there is none.
#[must_use]
pub fn algorithm(name: &str) -> Option<&'static Algorithm> {
    registry::visit(name, AsValue).or_else(|| errata::algorithm(name))
}

struct AsValue;

impl Visitor for AsValue {
    type Output = &'static Algorithm;

    fn process<P: Process>(self) -> &'static Algorithm {
        Algorithm::process::<P>()
    }

    fn rounds<R: Rounds>(self) -> &'static Algorithm {
        Algorithm::in_rounds::<R>()
    }
}
