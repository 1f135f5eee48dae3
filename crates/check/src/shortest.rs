//! The shortest schedule that breaks a property: a breadth-first search finds it first.

use bellwether_world::Property;

use crate::ledger::{GLANCE, Ledger, Page, Stop};
use crate::machine::{Machine, Transition};
use crate::store::States;

/// A schedule: the moves in order, each with the number of its outcome.
pub type Path = Vec<(Transition, u32)>;

/// By state: how it was found.
pub struct Tree {
    parents: Vec<(u32, Transition, u32)>,
}

/// A tree whose root is the first state.
impl Default for Tree {
    fn default() -> Self {
        Self { parents: vec![(0, Transition::Start(0), 0)] }
    }
}

impl Tree {
    /// Adds the next state, which was found like this.
    pub fn push(&mut self, parent: u32, step: Transition, way: u32) {
        self.parents.push((parent, step, way));
    }

    /// The way from the root to a state.
    pub fn path(&self, mut state: u32) -> Path {
        let mut path = Vec::new();
        while state != 0 {
            let (parent, step, way) = self.parents[state as usize];
            path.push((step, way));
            state = parent;
        }
        path.reverse();
        path
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        (self.parents.len() * size_of::<(u32, Transition, u32)>()) as u64
    }
}

/// A shortest schedule that breaks this property at its last move or in its last state. It has at most this number of
/// moves.
///
/// # Errors
/// If the search was stopped.
pub fn shortest(
    machine: &mut Machine,
    ledger: &Ledger,
    property: Property,
    at_most: usize,
) -> Result<Option<Path>, Stop> {
    let mut row = machine.first()?;
    let mut store = States::new(row.cells().len());
    let mut tree = Tree::default();
    let mut page = Page::new(ledger);
    store.insert(&row);
    let mut moves = vec![];
    let (mut state, mut transitions) = (0, 0);
    // The states of one depth follow those of the depth before.
    let (mut depth, mut last_of_depth) = (0, 0);
    while (state as usize) < store.states() {
        if depth > at_most {
            return Ok(None);
        }
        store.load(state, &mut row);
        let here = row.moment();
        moves.clear();
        let owed = machine.moves(row.cells(), &mut moves);
        if owed == 0 && machine.ruling(row.cells()).broken.contains(property) {
            return Ok(Some(tree.path(state)));
        }
        for step in moves.iter().copied().filter(|_| depth < at_most) {
            for way in 0..machine.ways(row.cells(), step)? {
                let effect = machine.apply(&mut row, step, way)?;
                if effect.broken.contains(property) {
                    let mut path = tree.path(state);
                    path.push((step, way));
                    return Ok(Some(path));
                }
                if store.insert(&row).1 {
                    tree.push(state, step, way);
                }
                row.back_to(here);
                transitions += 1;
                if transitions % GLANCE == 0 {
                    let frontier = store.states() as u64 - u64::from(state);
                    let bytes = machine.bytes() + store.bytes() + tree.bytes();
                    page.enter(store.states() as u64, transitions, depth as u64, frontier, bytes)?;
                }
            }
        }
        if state == last_of_depth {
            last_of_depth = store.states() as u32 - 1;
            depth += 1;
        }
        state += 1;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use bellwether_algorithms::ring::Peterson;
    use bellwether_core::{Id, Process};
    use bellwether_net::Topology;
    use bellwether_world::host::Algorithm;
    use bellwether_world::{Freedom, Scenario};

    use super::*;
    use crate::Plan;
    use crate::explore::explore;
    use bellwether_resources::pool::IdleThreads;

    #[test]
    fn it_does_not_depend_on_what_was_met_before() {
        let freedom = Freedom { reorder: true, starts_first: true, ..Freedom::default() };
        let plan = Plan { freedom, reduction: false, symmetry: false, fingerprints: false };
        let ledger = Ledger::new(1 << 30);
        let scenario = |ids: [u64; 4]| {
            let network = "ring:4".parse::<Topology>().unwrap().build(1).unwrap();
            Scenario::new(Peterson::INFO, network, ids.map(Id).to_vec())
        };
        let told = |before: [u64; 4]| {
            let mut machine = Machine::new(Algorithm::process::<Peterson>(), &scenario(before), plan).unwrap();
            explore(&mut machine, &ledger, &IdleThreads::none(), usize::MAX).unwrap();
            machine.place(&scenario([4, 3, 2, 1]));
            let path = shortest(&mut machine, &ledger, Property::OneLeader, usize::MAX).unwrap().unwrap();
            let in_words = |(step, way)| match step {
                Transition::Deliver { link, parcel, .. } => {
                    format!("{link} {} {way}", machine.automaton().message_in_trace(parcel.message()))
                }
                other => format!("{other:?} {way}"),
            };
            path.into_iter().map(in_words).collect::<Vec<_>>()
        };
        let fresh = told([4, 3, 2, 1]);
        for before in [[1, 2, 3, 4], [2, 4, 1, 3], [3, 1, 4, 2], [1, 3, 2, 4]] {
            assert_eq!(told(before), fresh);
        }
    }
}
