//! Hosts in virtual time: [`rounds`] plays the synchronous model, [`events`] the asynchronous one.
//!
//! Both are independent of the algorithm, and give the same bytes for the same scenario. Each has a general engine,
//! compiled once, and fast engines that are compiled for each algorithm. [`is_fast`] says when the fast engines can be
//! used. [`replay`] plays a recorded run again, step by step. [`stage`] is one network on which anything may happen.

#![warn(clippy::unwrap_used)]

mod calendar;
pub mod events;
mod message_numbers;
mod observed;
pub mod replay;
pub mod rounds;
pub mod stage;
mod symmetry;
mod unit_queue;

use std::borrow::Cow;

use bellwether_core::Message;
use bellwether_net::{Graph, Wires, Wiring};
use bellwether_resources::memory;
use bellwether_world::host::{Algorithm, Count, Error, Wishes};
use bellwether_world::{Report, Scenario, Timing};

/// Whether the fast engines can play a run. There must be no recorder, no fault, and no count of phases or states. The
/// algorithm must have no timers, announce its result, and run in its own model. The network must be of the kind that
/// the engines were compiled for. Nodes are not numbered afterwards.
#[must_use]
pub fn is_fast(algorithm: &Algorithm, scenario: &Scenario, wishes: &Wishes<'_>) -> bool {
    let own_model = match scenario.timing {
        Timing::Rounds => algorithm.is_synchronous(),
        Timing::Live(_) | Timing::Chosen(_) => false,
        _ => !algorithm.is_synchronous() && !algorithm.events.has_timers,
    };
    let suits = !algorithm.info.topology.is_ring() || matches!(scenario.topology.wires, Wires::Ring(_));
    let phases = wishes.phases && algorithm.info.phases.is_some();
    let is_told = !algorithm.info.is_untold(&scenario.settings);
    let by_type = is_told && wishes.count < Count::States && !phases;
    own_model && suits && by_type && !scenario.number && wishes.record.is_none() && scenario.faults.is_empty()
}

/// Plays a scenario on the general engines, which are slower.
///
/// # Errors
/// If the run cannot be made.
pub fn play(algorithm: &Algorithm, scenario: &Scenario, wishes: Wishes<'_>) -> Result<Report, Error> {
    match scenario.timing {
        Timing::Rounds => rounds::play(&algorithm.rounds, scenario, wishes),
        Timing::Live(_) | Timing::Chosen(_) => Err(Error::Live),
        _ => events::play(algorithm.cast(scenario), scenario, wishes),
    }
}

/// The network of a scenario as a stored graph.
fn stored(scenario: &Scenario) -> Result<Cow<'_, Graph>, Error> {
    if let Wires::Ring(ring) = scenario.topology.wires {
        let bytes = Graph::bytes(ring.nodes().into(), ring.links());
        memory::make_sure_of(bytes, "the run").map_err(Error::Memory)?;
    }
    Ok(scenario.topology.stored())
}

/// The length of a message. Not inlined, because in most loops messages stay as they are.
#[inline(never)]
fn length(msg: &impl Message) -> u64 {
    msg.bits().into()
}
