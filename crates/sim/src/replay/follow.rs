//! A live run or a chosen schedule, driven by its trace.
//!
//! The trace says what happens next and which values are drawn. The algorithm's code says what must follow.

use bellwether_net::Wiring;
use bellwether_world::host::Cast;
use bellwether_world::trace::{Ending, Event, EventKind, Line, Received};
use bellwether_world::{Report, Scenario, Timing};

use super::step::{compare, has_its_fields};
use super::{Failure, Lines};
use crate::stage::{Move, Stage};

/// Lets the processes do what the trace says.
pub(super) fn follow(cast: &Cast, scenario: &Scenario, lines: &mut Lines<'_>) -> Result<Report, Failure> {
    let stage = Stage::new(cast, scenario).map_err(Failure::Impossible)?;
    let mut follower = Follower { scenario, stage, owed: None };
    let mut number = 1;
    loop {
        number += 1;
        let diverges = |what| Failure::Diverges(format!("line {number}: {what}"));
        match lines().map_err(Failure::Unreadable)? {
            Some(Line::Event(event)) => follower.event(&event).map_err(diverges)?,
            Some(Line::Ending(ending)) => {
                // Nothing may follow, and only the reader can tell that.
                lines().map_err(Failure::Unreadable)?;
                return follower.end(&ending).map_err(diverges);
            }
            None => return Err(Failure::Unreadable("the trace has no ending".into())),
        }
    }
}

/// A replay under way.
struct Follower<'a> {
    scenario: &'a Scenario,
    stage: Stage<'a>,
    /// A decision that the trace must name before the next step.
    owed: Option<Event>,
}

impl Follower<'_> {
    fn event(&mut self, told: &Event) -> Result<(), String> {
        let is_fate = matches!(told.kind, EventKind::Drop | EventKind::Duplicate);
        match &self.owed {
            _ if told.kind == EventKind::Decide => self.decide(told)?,
            // The fate of a message comes between a step and its decision.
            Some(owed) if !is_fate => return Err(decides(owed, "here")),
            _ => self.happen(told)?,
        }
        has_its_fields(told)
    }

    fn decide(&mut self, told: &Event) -> Result<(), String> {
        let owed = self.owed.take().ok_or_else(|| format!("node {} decides nothing new here", told.node))?;
        let is_it = (told.t, told.node, told.decision) == (owed.t, owed.node, owed.decision);
        if is_it { Ok(()) } else { Err(decides(&owed, "something else")) }
    }

    /// Makes the move that the trace names. The result must be exactly what the trace says.
    fn happen(&mut self, told: &Event) -> Result<(), String> {
        self.is_behind(told)?;
        let Some(mut next) = Move::of(told)? else { return Ok(()) };
        let is_chosen = matches!(self.scenario.timing, Timing::Chosen(_));
        if !is_chosen {
            next.draws.clear(); // the seed says what is drawn
        }
        let mut made = self.stage.make(&next)?.into_iter();
        let happens = made.next().ok_or("nothing happens")?;
        compare(&happens, told)?;
        self.owed = made.next().or(self.owed.take());
        Ok(())
    }

    /// The sender of a message must be the node behind the port.
    fn is_behind(&self, told: &Event) -> Result<(), String> {
        let (node, network) = (told.node, &self.scenario.topology);
        if node >= network.nodes() {
            return Err(format!("there is no node {node}"));
        }
        let is_behind = |it: &&Received| it.port.0 < network.ports(node) && network.far(node, it.port).0 == it.from;
        match told.received.iter().find(|it| !is_behind(it)) {
            Some(it) => Err(format!("node {} is not behind port {} of node {node}", it.from, it.port)),
            None => Ok(()),
        }
    }

    fn end(self, ending: &Ending) -> Result<Report, String> {
        if let Some(owed) = &self.owed {
            return Err(decides(owed, "here"));
        }
        let (steps, limit) = (self.stage.steps(), self.scenario.limit);
        if !ending.was_cut_short() {
            self.stage.over()?;
            if steps > limit {
                return Err(format!("the run would have been stopped after {limit} events"));
            }
        } else if !ending.interrupted && steps < limit {
            return Err(format!("the run would not have been stopped before {limit} events"));
        }
        let report = self.stage.report(ending.was_cut_short());
        if Ending::new(self.scenario, &report) != *ending {
            return Err("the run ends differently than the trace says".into());
        }
        Ok(report)
    }
}

fn decides(owed: &Event, what: &str) -> String {
    let decision = owed.decision.map_or(String::new(), |decision| format!("{decision:?}"));
    format!("node {} decides {what}: {decision}", owed.node)
}
