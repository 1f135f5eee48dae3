//! The phases of an algorithm.

use crate::formula::floor_lg;
use crate::{Formula, Size};

/// The phases of an algorithm, and what is proved about each of them on a fault-free network.
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    /// What the algorithm calls them: `tournaments`.
    pub name: &'static str,
    /// The number of the first one.
    pub first: u64,
    /// Whether any number of them may follow. Then only distances of phases matter: if all processes and messages are
    /// equally many phases further on, the network goes on in the same way. So the checker counts phases back, and an
    /// algorithm that may take any time has only finitely many states.
    pub unbounded: bool,
    /// How many processes may be in the race, after the first phase.
    pub race: Race,
    /// The largest number of election messages of a phase.
    pub messages: Formula,
    /// The largest number of phases.
    pub most: Option<Formula>,
    /// The mean number of phases, if everybody starts and no parameter is set.
    pub mean: Option<Formula>,
}

impl Phases {
    /// Of two neighbours in the race at most one stays in it, and a phase takes two messages a link.
    pub const HALVING: Self = Self {
        name: "phases",
        first: 1,
        unbounded: false,
        race: Race { text: "half of those before", of: |_, before, _| before / 2.0 },
        messages: Formula { text: "2n", of: |s| 2.0 * s.n },
        most: Some(Formula { text: "⌊lg k⌋ + 1", of: |s| floor_lg(s.k) + 1.0 }),
        mean: None,
    };

    /// What it calls one of them.
    #[must_use]
    pub fn one(&self) -> &'static str {
        self.name.strip_suffix('s').unwrap_or(self.name)
    }
}

/// A bound on the number of processes in the race.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// As a person writes it.
    pub text: &'static str,
    /// From the network's size, the number of processes in the race in the phase before, and how many phases came
    /// before.
    pub of: fn(Size, f64, i32) -> f64,
}

impl Race {
    /// A node that is out of the race stays out.
    pub const NO_MORE: Self = Self { text: "as many as before", of: |_, before, _| before };
}
