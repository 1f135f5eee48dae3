//! The fast engines, compiled for the type of every algorithm.
//!
//! That takes long. A crate is compiled on one core, because the engines lose a third of their speed if compiled in
//! pieces. So there is one crate for each [`Part`] of the catalogue, and they are compiled in parallel.

#![warn(clippy::unwrap_used)]

use std::marker::PhantomData;

use bellwether_algorithms::registry::{self, Visitor};
use bellwether_core::{Info, Process, Rounds, Tag, TopologyKind};
use bellwether_sim::{events, rounds};
use bellwether_world::host::{Error, Wishes};
use bellwether_world::{Report, Scenario};

/// A part of the catalogue: all algorithms of one model on some kinds of networks.
pub trait Part {
    /// Whether they run in rounds.
    const IN_ROUNDS: bool;
    /// The kinds of networks.
    const NETWORKS: &'static [TopologyKind];
}

/// Plays a run that [is fast](bellwether_sim::is_fast); `None` if its algorithm belongs to another part.
pub fn play<T: Part>(scenario: &Scenario, wishes: Wishes<'_>) -> Option<Result<Report, Error>> {
    registry::visit(&scenario.algorithm, Play::<T>(scenario, wishes, PhantomData)).flatten()
}

struct Play<'a, 'b, T>(&'a Scenario, Wishes<'b>, PhantomData<T>);

impl<T: Part> Visitor for Play<'_, '_, T> {
    type Output = Option<Result<Report, Error>>;

    fn process<P: Process>(self) -> Self::Output {
        if const { !T::IN_ROUNDS && !P::Timer::EXISTS && is_on(T::NETWORKS, P::INFO) } {
            return Some(events::play_fast::<P>(self.0, self.1));
        }
        None
    }

    fn rounds<R: Rounds>(self) -> Self::Output {
        if const { T::IN_ROUNDS && is_on(T::NETWORKS, R::INFO) } {
            return Some(rounds::play_fast::<R>(self.0, self.1));
        }
        None
    }
}

/// Whether an algorithm is for networks of one of these kinds.
const fn is_on(networks: &[TopologyKind], info: &Info) -> bool {
    let mut rest = networks;
    while let [first, others @ ..] = rest {
        if *first as u8 == info.topology as u8 {
            return true;
        }
        rest = others;
    }
    false
}
