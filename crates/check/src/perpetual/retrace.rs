//! The shortest schedules that break what is known to be broken.

use std::collections::BTreeMap;

use bellwether_world::Property;

use super::hope::Hope;
use crate::ledger::{GLANCE, Ledger, Page, Stop};
use crate::machine::Machine;
use crate::row::Row;
use crate::shortest::{Path, Tree};
use crate::store::{States, Store};

/// A shortest schedule for each property, by the depth of the state in which or after which it is broken first. It is
/// the same each time.
///
/// # Errors
/// If the search was stopped.
pub fn retrace(
    machine: &mut Machine,
    ledger: &Ledger,
    broken: &BTreeMap<Property, u64>,
) -> Result<Vec<(Property, Path)>, Stop> {
    machine.spread_out();
    let mut row = machine.first()?;
    let width = row.cells().len();
    let (mut states, mut tree, mut page) = (States::new(width), Tree::default(), Page::new(ledger));
    states.insert(&row);
    let (store, mut hope) = (Store::new(width, false), Hope::new(ledger));
    let mut found: Vec<(Property, Path)> = vec![];
    let mut moves = vec![];
    let mut transitions = 0;
    // The states of one depth follow those of the depth before.
    let (mut state, mut depth, mut last_of_depth) = (0, 0, 0);
    while found.len() < broken.len() && (state as usize) < states.states() {
        states.load(state, &mut row);
        // Answers that were given at once take moves here.
        let is_asked = broken.get(&Property::CanLead).is_some_and(|least| *least <= depth);
        if is_asked && !is_in(&found, Property::CanLead) && is_hopeless(&mut hope, machine, &mut row, &store)? {
            found.push((Property::CanLead, tree.path(state)));
        }
        let here = row.moment();
        moves.clear();
        machine.moves(row.cells(), &mut moves);
        for &step in &moves {
            for way in 0..machine.ways(row.cells(), step)? {
                let effect = machine.apply(&mut row, step, way)?;
                if !effect.is_beyond && states.insert(&row).1 {
                    tree.push(state, step, way);
                }
                row.back_to(here);
                for property in effect.broken.iter() {
                    if !is_in(&found, property) {
                        let path = tree.path(state).into_iter().chain([(step, way)]).collect();
                        found.push((property, path));
                    }
                }
                transitions += 1;
                if transitions % GLANCE == 0 {
                    let left = states.states() as u64 - u64::from(state);
                    page.enter(0, 0, depth, left, machine.bytes() + states.bytes() + tree.bytes())?;
                }
            }
        }
        if state == last_of_depth {
            last_of_depth = states.states() as u32 - 1;
            depth += 1;
        }
        state += 1;
    }
    Ok(found)
}

fn is_in(found: &[(Property, Path)], property: Property) -> bool {
    found.iter().any(|(known, _)| *known == property)
}

/// Whether no leader can come from the state in the row.
fn is_hopeless(hope: &mut Hope, machine: &mut Machine, row: &mut Row, store: &Store) -> Result<bool, Stop> {
    hope.is_there(machine, row, &mut store.access()).map(|is_there| !is_there)
}
