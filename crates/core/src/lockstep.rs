//! An asynchronous process in rounds: every message takes exactly one.

use std::collections::BTreeMap;

use crate::{Context, Inbox, Info, Local, NoTimer, Port, Process, Round, Rounds, Span, Status, Unmet, Variables};

/// Carries a [`Process`] into the synchronous model.
///
/// In a round it first receives, port by port, then its timers go off. A round that brings neither is its start.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lockstep<P: Process> {
    process: P,
    timers: BTreeMap<P::Timer, Round>,
}

impl<P: Process> Rounds for Lockstep<P> {
    const INFO: &'static Info = P::INFO;
    type Msg = P::Msg;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { process: P::new(local)?, timers: BTreeMap::new() })
    }

    fn round(&mut self, round: Round, inbox: impl Inbox<P::Msg>, ctx: &mut impl Context<P::Msg>) {
        let Self { process, timers } = self;
        let woken = inbox.is_empty() && timers.values().all(|&due| due > round);
        let mut ctx = Timed { round, timers, ctx };
        if woken {
            process.start(&mut ctx);
        }
        for (port, msg) in inbox {
            process.receive(port, msg, &mut ctx);
        }
        while let Some(timer) = ctx.expired() {
            process.timeout(timer, &mut ctx);
        }
    }

    fn peer_down(&mut self, round: Round, port: Port, ctx: &mut impl Context<P::Msg>) {
        let Self { process, timers } = self;
        process.peer_down(port, &mut Timed { round, timers, ctx });
    }

    fn due(&self, _: Round) -> Option<Round> {
        self.timers.values().min().copied()
    }

    fn status(&self) -> Status {
        self.process.status()
    }

    fn role(&self) -> &'static str {
        self.process.role()
    }

    fn variables(&self) -> Variables {
        self.process.variables()
    }
}

/// The context of a round, with timers that count rounds.
struct Timed<'a, C, T> {
    round: Round,
    timers: &'a mut BTreeMap<T, Round>,
    ctx: &'a mut C,
}

impl<C, T: Copy + Ord> Timed<'_, C, T> {
    /// Takes out one timer that is due now.
    fn expired(&mut self) -> Option<T> {
        let timer = self.timers.iter().find(|&(_, &due)| due <= self.round).map(|(&timer, _)| timer)?;
        self.timers.remove(&timer);
        Some(timer)
    }
}

impl<M, T: Copy + Ord, C: Context<M, NoTimer>> Context<M, T> for Timed<'_, C, T> {
    fn ports(&self) -> u32 {
        self.ctx.ports()
    }

    fn send(&mut self, port: Port, msg: M) {
        self.ctx.send(port, msg);
    }

    fn set_timer(&mut self, timer: T, after: Span) {
        let rounds = u128::from(after.in_rounds().max(1));
        self.timers.insert(timer, Round(self.round.0 + rounds));
    }

    fn cancel_timer(&mut self, timer: T) {
        self.timers.remove(&timer);
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.ctx.choose(arity)
    }

    fn rule(&mut self, label: &'static str) {
        self.ctx.rule(label);
    }

    fn enters_phase(&mut self) {
        self.ctx.enters_phase();
    }

    fn watches_phase(&mut self) {
        self.ctx.watches_phase();
    }
}
