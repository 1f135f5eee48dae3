//! The synchronous model: everybody takes a step, all together, round after round.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Context, Info, Lemma, Local, Message, Port, Round, Status, Unmet, Variables};

/// What a process receives in a round, by port and then in order of sending.
///
/// It is read and not owned: a host may keep a broadcast at its sender, where all neighbours look it up.
pub trait Inbox<M>: Iterator<Item = (Port, M)> + Clone {
    /// Whether nothing was received.
    fn is_empty(&self) -> bool {
        self.clone().next().is_none()
    }
}

impl<M, I: Iterator<Item = (Port, M)> + Clone> Inbox<M> for I {}

/// An election algorithm in the synchronous model, as one process of it.
///
/// In a round a process receives what was sent to it in the round before, computes and sends. A host calls
/// [`round`](Rounds::round) only where something can happen: when messages arrive, when the process said it is
/// [`due`](Rounds::due), or when it wakes up on its own. So a call with an empty inbox in a round that was not due
/// *is* the spontaneous wake-up. A process that a message wakes in that round does not wake up on its own.
///
/// If [any number](crate::Phases::unbounded) of phases may follow, a phase begins with a round in which processes draw.
/// What such an algorithm does must not depend on the number of rounds played before.
pub trait Rounds: Clone + Eq + Hash + Debug + Send + 'static {
    /// The algorithm's entry in the catalogue.
    const INFO: &'static Info;
    /// What travels.
    type Msg: Message;

    /// A sleeping process that knows what `local` grants.
    ///
    /// # Errors
    /// If `local` does not grant something that the algorithm must know.
    fn new(local: &Local) -> Result<Self, Unmet>;

    /// One round, with what was received.
    fn round(&mut self, round: Round, inbox: impl Inbox<Self::Msg>, ctx: &mut impl Context<Self::Msg>);

    /// In this round, before anything else, the host's failure detector says that the process behind `port` is down.
    fn peer_down(&mut self, round: Round, port: Port, ctx: &mut impl Context<Self::Msg>) {
        let _ = (round, port, ctx);
    }

    /// The first round after `now` in which it acts even if nothing arrives before.
    fn due(&self, now: Round) -> Option<Round> {
        let _ = now;
        None
    }

    /// What it has decided, read from its state.
    fn status(&self) -> Status;

    /// Its state in the algorithm's own words: `candidate`, `relay`. Empty if the algorithm has none.
    fn role(&self) -> &'static str {
        ""
    }

    /// Its state in the words of the paper: its variables, with their values.
    fn variables(&self) -> Variables {
        Variables::of(self)
    }

    /// The lemmas by which its paper counts messages.
    const LEMMAS: &'static [Lemma<Self::Msg>] = &[];
}
