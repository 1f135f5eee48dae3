//! Processes of any type.

use std::any::Any;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use bellwether_core::{
    Change, Context, Input, Local, Message, Phase, Port, Process, Round, Rounds, Span, Standing, Status, Tag, Unmet,
    Variables,
};

use super::envelope::{Bell, Envelope};

/// What happens to an [`Actor`].
pub type Cue = Input<Envelope, Bell>;

/// A [`Process`] of some algorithm.
pub trait Actor: Any + Debug + Send {
    /// Takes a step. Returns its status and role before and after.
    fn act(&mut self, cue: Cue, ctx: &mut dyn Context<Envelope, Bell>) -> Change;
    /// Its decision.
    fn status(&self) -> Status;
    /// The number of its leadership, if it leads and leaderships are numbered.
    fn token(&self) -> Option<u64>;
    /// A process of the same algorithm that starts again after this one has crashed, with its disk or without.
    ///
    /// # Errors
    /// If it lacks knowledge.
    fn restored(&self, local: &Local, with_disk: bool) -> Result<Box<dyn Actor>, Unmet>;
    /// Whether both have the same on their disks.
    fn has_disk_of(&self, other: &dyn Actor) -> bool;
    /// Its role in the words of its algorithm.
    fn role(&self) -> &'static str;
    /// Its variables.
    fn variables(&self) -> Variables;
    /// Why it knows no leader, if it can tell.
    fn why(&self) -> Option<String>;
    /// The number that it was given after the election, if nodes are numbered.
    fn number(&self) -> Option<u64> {
        None
    }
    /// Whether it will still act although only overhead is under way to it.
    fn is_pending(&self) -> bool;
    /// Whether it would ignore this message on this port, now and for ever.
    fn ignores(&self, from: Port, msg: &Envelope) -> bool;
    /// Whether it only takes note of such a message: see [`Process::notes`].
    fn notes(&self, _msg: &Envelope) -> bool {
        false
    }
    /// What it is like, before it starts: see [`Process::alike`].
    fn alike(&self) -> Option<u64> {
        None
    }
    /// Its phase, if its algorithm counts phases.
    fn phase(&self) -> Option<Phase>;
    /// Makes it the same process, that number of phases earlier.
    fn rewind(&mut self, by: u64);
    /// A copy in the same state.
    fn copy(&self) -> Box<dyn Actor>;
    /// Whether both are in the same state.
    fn equals(&self, other: &dyn Actor) -> bool;
    /// Feeds its state to a hasher.
    fn feed(&self, hasher: &mut dyn Hasher);
}

impl<P: Process> Actor for P {
    fn act(&mut self, cue: Cue, ctx: &mut dyn Context<Envelope, Bell>) -> Change {
        cue.map(Envelope::open, Bell::timer).perform(self, &mut Wrapping(ctx))
    }

    fn status(&self) -> Status {
        Process::status(self)
    }

    fn token(&self) -> Option<u64> {
        Process::token(self)
    }

    fn restored(&self, local: &Local, with_disk: bool) -> Result<Box<dyn Actor>, Unmet> {
        Ok(Box::new(P::restored(local, with_disk.then(|| self.disk()))?))
    }

    fn has_disk_of(&self, other: &dyn Actor) -> bool {
        (other as &dyn Any).downcast_ref().is_some_and(|other: &P| other.disk() == self.disk())
    }

    fn role(&self) -> &'static str {
        Process::role(self)
    }

    fn variables(&self) -> Variables {
        Process::variables(self)
    }

    fn why(&self) -> Option<String> {
        Process::why(self)
    }

    fn is_pending(&self) -> bool {
        Process::is_pending(self)
    }

    fn ignores(&self, from: Port, msg: &Envelope) -> bool {
        Process::ignores(self, from, msg.content())
    }

    fn notes(&self, msg: &Envelope) -> bool {
        Process::notes(self, msg.content())
    }

    fn alike(&self) -> Option<u64> {
        Process::alike(self)
    }

    fn phase(&self) -> Option<Phase> {
        let counts = P::INFO.perpetual || P::INFO.phases.is_some_and(|phases| phases.unbounded);
        if counts { Process::phase(self) } else { None }
    }

    fn rewind(&mut self, by: u64) {
        Process::rewind(self, by);
    }

    fn copy(&self) -> Box<dyn Actor> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Actor) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn feed(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

/// A [`Rounds`] process of some algorithm.
pub trait RoundsActor: Any + Debug + Send {
    /// Plays a round with the received messages. Returns its status and role before and after.
    fn round(&mut self, round: Round, inbox: &[(Port, Envelope)], ctx: &mut dyn Context<Envelope, Bell>) -> Change;
    /// Hears that the process behind this port is down. Returns its status and role before and after.
    fn peer_down(&mut self, round: Round, port: Port, ctx: &mut dyn Context<Envelope, Bell>) -> Change;
    /// The first round after `now` in which it acts even if nothing arrives before.
    fn due(&self, now: Round) -> Option<Round>;
    /// Its decision.
    fn status(&self) -> Status;
    /// Its variables.
    fn variables(&self) -> Variables;
    /// A copy in the same state.
    fn copy(&self) -> Box<dyn RoundsActor>;
    /// Whether both are in the same state.
    fn equals(&self, other: &dyn RoundsActor) -> bool;
    /// Feeds its state to a hasher.
    fn feed(&self, hasher: &mut dyn Hasher);
}

impl<R: Rounds> RoundsActor for R {
    fn round(&mut self, round: Round, inbox: &[(Port, Envelope)], ctx: &mut dyn Context<Envelope, Bell>) -> Change {
        let inbox = inbox.iter().map(|(port, msg)| (*port, msg.content::<R::Msg>().clone()));
        Change::during(self, standing, |process| Rounds::round(process, round, inbox, &mut Wrapping(ctx)))
    }

    fn peer_down(&mut self, round: Round, port: Port, ctx: &mut dyn Context<Envelope, Bell>) -> Change {
        Change::during(self, standing, |process| Rounds::peer_down(process, round, port, &mut Wrapping(ctx)))
    }

    fn due(&self, now: Round) -> Option<Round> {
        Rounds::due(self, now)
    }

    fn status(&self) -> Status {
        Rounds::status(self)
    }

    fn variables(&self) -> Variables {
        Rounds::variables(self)
    }

    fn copy(&self) -> Box<dyn RoundsActor> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn RoundsActor) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn feed(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

fn standing<R: Rounds>(process: &R) -> Standing {
    Standing { status: process.status(), role: process.role() }
}

/// Boxed actors behave like values: they are equal if they are in the same state.
macro_rules! values {
    ($actor:ident) => {
        impl Clone for Box<dyn $actor> {
            fn clone(&self) -> Self {
                (**self).copy()
            }
        }

        impl PartialEq for dyn $actor {
            fn eq(&self, other: &Self) -> bool {
                self.equals(other)
            }
        }

        impl Eq for dyn $actor {}

        impl Hash for dyn $actor {
            fn hash<H: Hasher>(&self, hasher: &mut H) {
                self.feed(hasher);
            }
        }
    };
}

values!(Actor);
values!(RoundsActor);

/// The context of a host, for a process with its own types of messages and timers.
struct Wrapping<'a>(&'a mut dyn Context<Envelope, Bell>);

impl<M: Message, T: Tag> Context<M, T> for Wrapping<'_> {
    fn ports(&self) -> u32 {
        self.0.ports()
    }

    fn send(&mut self, port: Port, msg: M) {
        self.0.send(port, Envelope::new(msg));
    }

    fn set_timer(&mut self, timer: T, after: Span) {
        self.0.set_timer(Bell::new(timer), after);
    }

    fn cancel_timer(&mut self, timer: T) {
        self.0.cancel_timer(Bell::new(timer));
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.0.choose(arity)
    }

    fn rule(&mut self, label: &'static str) {
        self.0.rule(label);
    }

    fn enters_phase(&mut self) {
        self.0.enters_phase();
    }

    fn watches_phase(&mut self) {
        self.0.watches_phase();
    }
}
