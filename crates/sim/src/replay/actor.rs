//! A process of either model, as a trace drives it.

use bellwether_core::{Info, Local, Message, NoTimer, Port, Process, Round, Rounds, Status, Tag, Unmet};
use bellwether_world::trace::{Event, EventKind};

use super::script::Script;

/// A process of either model.
pub(super) trait Actor: Sized {
    const INFO: &'static Info;
    type Msg: Message;
    type Timer: Tag;

    fn new(local: &Local) -> Result<Self, Unmet>;

    /// Takes the step that an event tells of.
    fn act(
        &mut self,
        event: &Event,
        inbox: Vec<(Port, Self::Msg)>,
        ctx: &mut Script<'_, Self::Msg, Self::Timer>,
    ) -> Result<(), String>;

    fn status(&self) -> Status;

    /// The round in which it acts even if nothing arrives.
    fn due(&self) -> Option<Round>;

    /// Whether it has not taken a step of its own yet, where that matters: in rounds.
    fn sleeps(&self) -> bool;

    /// Whether it will act even if nothing arrives.
    fn is_pending(&self) -> bool;
}

pub(super) struct OnEvents<P>(P);

impl<P: Process> Actor for OnEvents<P> {
    const INFO: &'static Info = P::INFO;
    type Msg = P::Msg;
    type Timer = P::Timer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        P::new(local).map(Self)
    }

    fn act(
        &mut self,
        event: &Event,
        mut inbox: Vec<(Port, P::Msg)>,
        ctx: &mut Script<'_, P::Msg, P::Timer>,
    ) -> Result<(), String> {
        match (event.kind, inbox.pop(), inbox.is_empty()) {
            (EventKind::Start | EventKind::Recover, None, true) => self.0.start(ctx),
            (EventKind::Receive, Some((port, msg)), true) => self.0.receive(port, msg, ctx),
            (EventKind::Timeout, None, true) => {
                let timer = ctx.expire(event.timer.as_ref())?;
                self.0.timeout(timer, ctx);
            }
            (EventKind::PeerDown, None, true) => self.0.peer_down(ctx.peer(event)?, ctx),
            _ => return Err("such an event does not belong to a run without rounds".into()),
        }
        Ok(())
    }

    fn status(&self) -> Status {
        self.0.status()
    }

    fn due(&self) -> Option<Round> {
        None
    }

    fn sleeps(&self) -> bool {
        false
    }

    fn is_pending(&self) -> bool {
        self.0.is_pending()
    }
}

pub(super) struct InRounds<R> {
    process: R,
    /// The last round in which it took a step, if it is awake: a sleeping process is not due, whatever its state says.
    last: Option<Round>,
}

impl<R: Rounds> Actor for InRounds<R> {
    const INFO: &'static Info = R::INFO;
    type Msg = R::Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        R::new(local).map(|process| Self { process, last: None })
    }

    fn act(
        &mut self,
        event: &Event,
        inbox: Vec<(Port, R::Msg)>,
        ctx: &mut Script<'_, R::Msg, NoTimer>,
    ) -> Result<(), String> {
        let round = event.t.whole().map(Round).ok_or("a round has a whole number")?;
        match event.kind {
            EventKind::Round | EventKind::Recover => {
                self.process.round(round, &inbox, ctx);
                self.last = Some(round);
            }
            EventKind::PeerDown if inbox.is_empty() => self.process.peer_down(round, ctx.peer(event)?, ctx),
            _ => return Err("such an event does not belong to a run in rounds".into()),
        }
        Ok(())
    }

    fn status(&self) -> Status {
        self.process.status()
    }

    fn due(&self) -> Option<Round> {
        self.process.due().filter(|due| self.last.is_some_and(|last| *due > last) && *due != Round::NEVER)
    }

    fn sleeps(&self) -> bool {
        self.last.is_none()
    }

    fn is_pending(&self) -> bool {
        self.due().is_some()
    }
}
