//! A process that also numbers the nodes, once it leads.
//!
//! It carries a process of any algorithm, so it is compiled once. The messages of the wave are overhead: they serve
//! neither to elect nor to announce. The leader is pending until its wave is home, so a run waits for it.

use bellwether_core::{
    Change, Context, Field, Info, Local, Message, Numbering, Phase, Port, Standing, Status, Unmet, Variables,
};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::hash::{Hash, Hasher};

use super::actor::{Actor, Cue};
use super::envelope::{Bell, Envelope};
use super::tally::MAX_KINDS;

/// The token of the wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Token {
    /// How many numbers are taken.
    #[serde(rename = "number")]
    Number(u64),
}

impl Token {
    /// Its kind, which no algorithm uses.
    const KIND: usize = MAX_KINDS - 1;
}

/// The kind of the wave's messages, and its name.
pub(super) const KIND: (usize, &str) = (Token::KIND, "number");

impl Message for Token {
    const KINDS: usize = MAX_KINDS;

    fn kind_name(_: usize) -> &'static str {
        KIND.1
    }

    fn is_announce(_: usize) -> bool {
        false
    }

    fn kind(&self) -> usize {
        Self::KIND
    }

    fn bits(&self) -> u32 {
        let Self::Number(taken) = self;
        taken.bits()
    }

    const HAS_OVERHEAD: bool = true;

    fn is_overhead(&self) -> bool {
        true
    }
}

/// A process, and its part in the wave.
#[derive(Clone, Debug)]
pub(super) struct WithNumber {
    process: Box<dyn Actor>,
    numbering: Numbering,
}

impl WithNumber {
    /// A process without a number.
    pub(super) fn new(process: Box<dyn Actor>, info: &Info, local: &Local) -> Self {
        Self { process, numbering: Numbering::new(info, local.ports()) }
    }

    fn standing(&self) -> Standing {
        Standing { status: self.process.status(), role: self.process.role() }
    }
}

impl Actor for WithNumber {
    fn act(&mut self, cue: Cue, ctx: &mut dyn Context<Envelope, Bell>) -> Change {
        let token = match &cue {
            Cue::Receive(port, msg) => msg.read().map(|Token::Number(taken)| (*port, *taken)),
            _ => None,
        };
        let (change, next) = match token {
            Some((port, taken)) => {
                let next = self.numbering.receive(port, taken);
                (Change { before: self.standing(), after: self.standing() }, next)
            }
            None => {
                let change = self.process.act(cue, ctx);
                let next = if change.decided() == Some(Status::Leader) { self.numbering.begin() } else { None };
                (change, next)
            }
        };
        if let Some((port, taken)) = next {
            ctx.send(port, Envelope::new(Token::Number(taken)));
        }
        change
    }

    fn status(&self) -> Status {
        self.process.status()
    }

    fn token(&self) -> Option<u64> {
        self.process.token()
    }

    fn restored(&self, local: &Local, with_disk: bool) -> Result<Box<dyn Actor>, Unmet> {
        let numbering = self.numbering.forgotten(local.ports());
        Ok(Box::new(Self { process: self.process.restored(local, with_disk)?, numbering }))
    }

    fn has_disk_of(&self, other: &dyn Actor) -> bool {
        let other = (other as &dyn Any).downcast_ref();
        other.is_some_and(|other: &Self| self.process.has_disk_of(&*other.process))
    }

    fn role(&self) -> &'static str {
        self.process.role()
    }

    fn variables(&self) -> Variables {
        let mut variables = self.process.variables();
        variables.0.extend(self.number().map(|number| (KIND.1.into(), number.to_string())));
        variables
    }

    fn why(&self) -> Option<String> {
        self.process.why()
    }

    fn number(&self) -> Option<u64> {
        self.numbering.number()
    }

    fn is_pending(&self) -> bool {
        self.numbering.is_under_way() || self.process.is_pending()
    }

    fn ignores(&self, from: Port, msg: &Envelope) -> bool {
        msg.read::<Token>().is_none() && self.process.ignores(from, msg)
    }

    fn phase(&self) -> Option<Phase> {
        self.process.phase()
    }

    fn rewind(&mut self, by: u64) {
        self.process.rewind(by);
    }

    fn copy(&self) -> Box<dyn Actor> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Actor) -> bool {
        let other: Option<&Self> = (other as &dyn Any).downcast_ref();
        other.is_some_and(|other| *self.process == *other.process && self.numbering == other.numbering)
    }

    fn feed(&self, mut hasher: &mut dyn Hasher) {
        self.process.feed(hasher);
        self.numbering.hash(&mut hasher);
    }
}
