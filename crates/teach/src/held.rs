//! A small election, held in memory with all its events.

use std::path::Path;

use bellwether_ask::{Election, Environment, Prepared, Refusal};
use bellwether_world::Report;
use bellwether_world::host::{PhaseCount, Watcher, Wishes};
use bellwether_world::trace::Event;

/// The most events that are played. Elections that are taught have some hundred, and broken ones may have no end.
const MOST_EVENTS: u64 = 20_000;

/// An election, and what came of it.
pub struct Held {
    /// The election, with its scenario.
    pub prepared: Prepared,
    /// Its result.
    pub report: Report,
    /// All events.
    pub events: Vec<Event>,
}

impl Held {
    /// Holds an election.
    ///
    /// # Errors
    /// If it cannot be held.
    pub fn new(election: Election) -> Result<Self, Refusal> {
        let mut prepared = election.prepare(&NoFiles)?;
        let scenario = &mut prepared.scenario;
        scenario.limit = scenario.limit.min(MOST_EVENTS);
        let algorithm = bellwether_catalogue::algorithm(&scenario.algorithm)
            .ok_or_else(|| Refusal(format!("there is no algorithm '{}'", scenario.algorithm)))?;
        let mut events = vec![];
        let mut record = |event| events.push(event);
        let phases = PhaseCount::is_wanted(scenario, true);
        let mut watcher = Watcher;
        let wishes = Wishes { record: Some(&mut record), full: true, phases, ..Wishes::none(&mut watcher) };
        let report = bellwether_sim::play(algorithm, scenario, wishes).map_err(|error| Refusal(error.to_string()))?;
        Ok(Self { prepared, report, events })
    }
}

/// A learner's election has no files.
pub(crate) struct NoFiles;

impl Environment for NoFiles {
    fn read(&self, path: &Path, _: Option<u64>) -> Result<Vec<u8>, Refusal> {
        Err(Refusal::file(path, "lessons and exercises read no files"))
    }
}
