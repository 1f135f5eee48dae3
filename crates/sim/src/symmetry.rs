//! Angluin's argument, observed: if nothing tells processes apart, they all do the same.

use bellwether_core::Info;
use bellwether_world::{Scenario, Symmetry, Time};

/// The largest number of processes that are compared after every instant.
const COMPARABLE: usize = 10_000;

/// Compares all processes after every instant, if neither ids nor chance tell them apart.
pub(crate) struct Mirror {
    found: Option<Symmetry>,
}

impl Mirror {
    pub(crate) fn new(info: &Info, scenario: &Scenario) -> Self {
        let ids = &scenario.ids;
        let alike = !info.randomised && (2..=COMPARABLE).contains(&ids.len()) && ids.iter().all(|id| *id == ids[0]);
        Self { found: alike.then_some(Symmetry::Kept(0)) }
    }

    /// Whether there is something to compare.
    #[inline]
    pub(crate) fn is_watching(&self) -> bool {
        matches!(self.found, Some(Symmetry::Kept(_)))
    }

    /// Compares all processes at the end of an instant.
    #[inline]
    pub(crate) fn look<P: Eq>(&mut self, time: Time, processes: &[P]) {
        if let Some(Symmetry::Kept(instants)) = &mut self.found {
            *instants += 1;
            if processes.iter().any(|process| *process != processes[0]) {
                self.found = Some(Symmetry::Broken(time));
            }
        }
    }

    pub(crate) fn found(self) -> Option<Symmetry> {
        self.found
    }
}
