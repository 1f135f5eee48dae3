//! The catalogue before the checker: a name becomes an automaton.
//!
//! Apart from the hosts that play runs, because the checker meets an algorithm in one place only and is compiled in no time.

#![warn(clippy::unwrap_used)]

use bellwether_algorithms::registry::{self, Visitor};
use bellwether_check::exact::{Lockstep, RoundsCast};
use bellwether_check::{Automaton, Cast};
use bellwether_core::{Process, Rounds, Synchronizer};

/// The processes of an algorithm in numbers, for the checker; `None` if the catalogue has no such algorithm.
#[must_use]
pub fn automaton(algorithm: &str) -> Option<Box<dyn Automaton>> {
    registry::visit(algorithm, Numbered)
}

/// The processes of a round-based algorithm in lock step; `None` if it is not one, or the catalogue does not have it.
#[must_use]
pub fn lockstep(algorithm: &str) -> Option<Box<dyn Lockstep>> {
    registry::visit(algorithm, InRounds).flatten()
}

struct Numbered;

impl Visitor for Numbered {
    type Output = Box<dyn Automaton>;

    fn process<P: Process>(self) -> Self::Output {
        Box::new(Cast::<P>::default())
    }

    fn rounds<R: Rounds>(self) -> Self::Output {
        Box::new(Cast::<Synchronizer<R>>::default())
    }
}

struct InRounds;

impl Visitor for InRounds {
    type Output = Option<Box<dyn Lockstep>>;

    fn process<P: Process>(self) -> Self::Output {
        None
    }

    fn rounds<R: Rounds>(self) -> Self::Output {
        Some(Box::new(RoundsCast::<R>::default()))
    }
}
