//! The context of a replayed step.

use bellwether_core::{Context, Port, Span};
use bellwether_world::host::{Bell, Cast, Envelope, Timers};
use bellwether_world::random::Choices;
use bellwether_world::trace::Event;
use bellwether_world::{Node, Time};
use serde_json::Value;

/// The context of a replayed step: draws come from the trace, what is sent is kept to be compared.
pub(super) struct Script<'a> {
    pub(super) node: Node,
    pub(super) ports: u32,
    pub(super) timers: &'a mut Timers<Bell>,
    pub(super) now: Time,
    pub(super) draws: std::iter::Copied<std::slice::Iter<'a, u64>>,
    /// What the seed says that must be drawn, if it has a say.
    pub(super) choices: Option<&'a mut Choices>,
    /// Whether timers go off no sooner than they were set for.
    pub(super) is_punctual: bool,
    pub(super) sent: Vec<(Port, Envelope)>,
    pub(super) misfit: Option<String>,
}

impl Script<'_> {
    /// Takes out the timer of this name, which must run.
    pub(super) fn expire(&mut self, cast: &Cast, name: Option<&Value>) -> Result<Bell, String> {
        let name = name.ok_or("a timeout must name its timer")?;
        let timer = cast.timer(name).ok_or_else(|| format!("there is no timer {name}"))?;
        match self.timers.take(self.node, timer) {
            Some(due) if Time::after(due) <= self.now || !self.is_punctual => Ok(timer),
            Some(due) => Err(format!("node {} has set the timer {name} for {}", self.node, Time::after(due))),
            None => Err(format!("node {} has not set the timer {name}", self.node)),
        }
    }

    /// The port of which a failure detector speaks.
    pub(super) fn peer(&self, event: &Event) -> Result<Port, String> {
        event.peer.filter(|port| port.0 < self.ports).ok_or_else(|| "it must name the port that is down".into())
    }
}

impl Context<Envelope, Bell> for Script<'_> {
    fn ports(&self) -> u32 {
        self.ports
    }

    fn send(&mut self, port: Port, msg: Envelope) {
        self.sent.push((port, msg));
    }

    fn set_timer(&mut self, timer: Bell, after: Span) {
        let due = (self.now + after).as_span().unwrap_or(Span(u64::MAX));
        self.timers.set(self.node, timer, due);
    }

    fn cancel_timer(&mut self, timer: Bell) {
        self.timers.cancel(self.node, timer);
    }

    fn choose(&mut self, arity: u64) -> u64 {
        let node = self.node;
        let drawn = self.draws.next();
        let chosen = match &mut self.choices {
            Some(choices) => choices.choose(node, arity),
            None => drawn.filter(|value| *value < arity).unwrap_or(0),
        };
        let misfit = match drawn {
            Some(value) if value == chosen => return value,
            Some(value) if self.choices.is_none() => {
                format!("node {node} drew {value}, but the values end before {arity}")
            }
            Some(value) => format!("node {node} drew {value}, but the seed says {chosen}"),
            None => format!("node {node} draws one value more than the trace says"),
        };
        self.misfit.get_or_insert(misfit);
        chosen
    }
}
