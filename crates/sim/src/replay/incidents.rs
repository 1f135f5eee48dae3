//! What befalls processes, as a trace tells it: on time, in order, and nothing may be missing.

use std::collections::BTreeSet;
use std::fmt;

use bellwether_world::host::{Fates, Incident};
use bellwether_world::trace::{Event, EventKind};
use bellwether_world::{Network, Node, Scenario, Time, Timing};

/// The crashes, recoveries and reports of a run.
pub(super) struct Incidents {
    plan: Fates,
    timing: Timing,
    /// What is due and has not been told yet, in its order.
    owed: BTreeSet<(Time, Incident)>,
}

impl Incidents {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self { plan: Fates::new(scenario), timing: scenario.timing, owed: BTreeSet::new() }
    }

    /// Notes what is due by now. Who sleeps has nobody to miss, and the detector of a live run takes its time.
    pub(super) fn look(&mut self, now: Time, network: &Network, sleeps: impl Fn(Node) -> bool) {
        let live = matches!(self.timing, Timing::Live(_));
        while let Some((at, incident)) = self.plan.next_incident(now, network) {
            if !matches!(incident, Incident::PeerDown(node, _) if live || sleeps(node)) {
                self.owed.insert((at, incident));
            }
        }
    }

    /// Compares what an event tells with what is due.
    pub(super) fn tell(&mut self, event: &Event) -> Result<(), String> {
        let told = told(event)?;
        if let (Timing::Live(_), Some(Incident::PeerDown(..)) | None) = (self.timing, told) {
            return Ok(());
        }
        let found = self.owed.iter().copied().find(|(_, incident)| told == Some(*incident));
        if let (Some(incident), None) = (told, found) {
            return Err(format!("that {} is not planned here", Words(incident)));
        }
        let told_now = |due: &(Time, Incident)| Some(*due) == found && due.0 == event.t;
        if let Some((at, incident)) = self.first_due(event.t).filter(|first| !told_now(first)) {
            return Err(format!("{} at {at}, and the trace does not tell", Words(incident)));
        }
        if let Some(found) = found {
            self.owed.remove(&found);
        }
        Ok(())
    }

    /// What must be told before anything else. In a live run everything may come late, and in a round a process
    /// recovers when it is its turn.
    fn first_due(&self, now: Time) -> Option<(Time, Incident)> {
        let may_wait = |&(at, incident): &(Time, Incident)| match self.timing {
            Timing::Live(_) => true,
            Timing::Rounds => at == now && matches!(incident, Incident::Recover(_)),
            Timing::Unit | Timing::Uniform | Timing::Exponential | Timing::Reorder => false,
        };
        self.owed.iter().copied().find(|due| !may_wait(due))
    }

    /// Whether something may still happen.
    pub(super) fn remain(&self) -> bool {
        self.plan.next_time().is_some() || !self.owed.is_empty()
    }

    /// What was planned and has not happened.
    pub(super) fn missing(&self) -> Option<String> {
        self.owed.first().map(|&(at, incident)| format!("{} at {at}", Words(incident)))
    }
}

/// The incident that an event tells of, if it tells of one.
fn told(event: &Event) -> Result<Option<Incident>, String> {
    Ok(match event.kind {
        EventKind::Crash => Some(Incident::Crash(event.node)),
        EventKind::Recover => Some(Incident::Recover(event.node)),
        EventKind::PeerDown => {
            let port = event.peer.ok_or("it must name the port that is down")?;
            Some(Incident::PeerDown(event.node, port))
        }
        _ => None,
    })
}

/// An incident in words.
struct Words(Incident);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Incident::Crash(node) => write!(f, "node {node} crashes"),
            Incident::Recover(node) => write!(f, "node {node} recovers"),
            Incident::PeerDown(node, port) => write!(f, "node {node} hears that port {port} is down"),
        }
    }
}
