//! Counting phases: who is in the race in each, and what it costs.

use bellwether_core::{Info, Model};
use bellwether_net::{Node, Wiring};

use super::Envelope;
use crate::{PhaseSeen, PhasesSeen, Scenario, Timing};

/// The largest number of phases that are told one by one.
const MOST: usize = 10_000;

/// Follows the phases of a run. A message belongs to the phase in which it was first sent, however often it is passed
/// on.
#[derive(Debug)]
pub struct PhaseCount {
    /// By node: how many phases have begun for it.
    begun: Vec<u32>,
    /// The phase to which the messages of the present step belong; 0 if there is none yet.
    now: u32,
    seen: PhasesSeen,
    /// Whether nodes are told by name.
    names: bool,
}

impl PhaseCount {
    /// Nothing is counted yet; `None` if the algorithm has no phases, or if an adaptor plays it.
    #[must_use]
    pub fn new(info: &Info, scenario: &Scenario, names: bool) -> Option<Self> {
        Self::applies(info, scenario.timing).then(|| Self {
            begun: vec![0; scenario.topology.nodes() as usize],
            now: 0,
            seen: PhasesSeen::default(),
            names,
        })
    }

    /// Whether phases of this algorithm can be counted under this timing. An adaptor hides which message is answered.
    #[must_use]
    pub fn applies(info: &Info, timing: Timing) -> bool {
        info.phases.is_some() && (info.model == Model::Synchronous) == (timing == Timing::Rounds)
    }

    /// Whether a run of this size counts its phases. It takes the engine that is slower, so large runs must ask for it.
    #[must_use]
    pub fn is_wanted(scenario: &Scenario, full: bool) -> bool {
        full || scenario.topology.nodes() <= Self::AFFORDABLE
    }

    /// The largest number of nodes for which phases are counted by default.
    pub const AFFORDABLE: u32 = 100_000;

    /// A process begins a step, because of a message of this phase.
    pub fn step(&mut self, phase: u32) {
        self.now = phase;
    }

    /// A process begins a step, in the phase that it is in.
    pub fn resume(&mut self, node: Node) {
        self.now = self.begun[node as usize];
    }

    /// In this step, the next phase begins for the process. It is in the race, or not. The step has this number among
    /// the events, if they are recorded.
    pub fn begins(&mut self, node: Node, races: bool, event: Option<u64>) {
        let begun = &mut self.begun[node as usize];
        *begun += 1;
        self.now = *begun;
        if let Some(seen) = self.seen(self.now) {
            seen.racing += u64::from(races);
            seen.begins = seen.begins.or(event);
        }
        if self.names
            && races
            && let Some(seen) = self.seen(self.now)
        {
            seen.nodes.push(node);
        }
    }

    /// In this step, the process sends a message. Returns the phase to which it belongs.
    pub fn sends(&mut self, msg: &Envelope) -> u32 {
        if !msg.is_announce()
            && !msg.is_overhead()
            && let Some(seen) = self.seen(self.now)
        {
            seen.messages += 1;
        }
        self.now
    }

    /// What was seen of a phase, if it is told.
    fn seen(&mut self, phase: u32) -> Option<&mut PhaseSeen> {
        self.seen.count = self.seen.count.max(phase.into());
        let index = (phase as usize).checked_sub(1).filter(|index| *index < MOST)?;
        if index >= self.seen.each.len() {
            self.seen.each.resize_with(index + 1, PhaseSeen::default);
        }
        Some(&mut self.seen.each[index])
    }

    /// What was seen in the run.
    #[must_use]
    pub fn found(mut self) -> PhasesSeen {
        self.seen.each.iter_mut().for_each(|phase| phase.nodes.sort_unstable());
        self.seen
    }
}
