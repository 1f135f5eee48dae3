//! The catalogue on all hosts that play runs: a scenario names its algorithm, and here the name becomes a type.
//!
//! Every algorithm is compiled for every such host in this crate and nowhere else, once for all programs and tests.

#![warn(clippy::unwrap_used)]

use bellwether_algorithms::registry::{self, Visitor};
use bellwether_core::{Process, Rounds};
use bellwether_live::threads;
use bellwether_sim::replay::{self, Lines};
use bellwether_sim::{play_process, play_rounds};
use bellwether_world::host::{Error, Wishes};
use bellwether_world::{Report, Scenario};

/// Plays a scenario; `None` if the catalogue has no such algorithm.
pub fn play(scenario: &Scenario, wishes: Wishes<'_>) -> Option<Result<Report, Error>> {
    registry::visit(&scenario.algorithm, Play(scenario, wishes))
}

/// Replays a trace of this scenario; `None` if the catalogue has no such algorithm.
pub fn replay(scenario: &Scenario, lines: &mut Lines<'_>) -> Option<Result<Report, replay::Failure>> {
    registry::visit(&scenario.algorithm, Replay(scenario, lines))
}

/// Plays a scenario on so many real threads; `None` if the catalogue has no such algorithm.
pub fn live(scenario: &Scenario, threads: u32, wishes: Wishes<'_>) -> Option<Result<Report, Error>> {
    registry::visit(&scenario.algorithm, Live(scenario, threads, wishes))
}

/// The bytes that a process of an algorithm takes at least; `None` if the catalogue has no such algorithm.
#[must_use]
pub fn bytes_of_a_process(algorithm: &str) -> Option<usize> {
    registry::visit(algorithm, Weigh)
}

struct Weigh;

impl Visitor for Weigh {
    type Output = usize;

    fn process<P: Process>(self) -> usize {
        size_of::<P>()
    }

    fn rounds<R: Rounds>(self) -> usize {
        size_of::<R>()
    }
}

struct Play<'a, 'b>(&'a Scenario, Wishes<'b>);

impl Visitor for Play<'_, '_> {
    type Output = Result<Report, Error>;

    fn process<P: Process>(self) -> Self::Output {
        play_process::<P>(self.0, self.1)
    }

    fn rounds<R: Rounds>(self) -> Self::Output {
        play_rounds::<R>(self.0, self.1)
    }
}

struct Live<'a, 'b>(&'a Scenario, u32, Wishes<'b>);

impl Visitor for Live<'_, '_> {
    type Output = Result<Report, Error>;

    fn process<P: Process>(self) -> Self::Output {
        threads::play_process::<P>(self.0, self.1, self.2)
    }

    fn rounds<R: Rounds>(self) -> Self::Output {
        threads::play_rounds::<R>(self.0, self.1, self.2)
    }
}

struct Replay<'a, 'b>(&'a Scenario, &'a mut Lines<'b>);

impl Visitor for Replay<'_, '_> {
    type Output = Result<Report, replay::Failure>;

    fn process<P: Process>(self) -> Self::Output {
        replay::replay_process::<P>(self.0, self.1)
    }

    fn rounds<R: Rounds>(self) -> Self::Output {
        replay::replay_rounds::<R>(self.0, self.1)
    }
}
