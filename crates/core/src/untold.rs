//! An election whose result is not announced.

use crate::{Context, Info, Local, Message, Phase, Port, Process, Span, Status, Unmet, Variables};

/// A [`Process`] whose announcements are kept back. It decides as before, and nobody else is told.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Untold<P>(P);

impl<P: Process> Process for Untold<P> {
    const INFO: &'static Info = P::INFO;
    type Msg = P::Msg;
    type Timer = P::Timer;
    type Disk = P::Disk;

    fn new(local: &Local) -> Result<Self, Unmet> {
        P::new(local).map(Self)
    }

    fn start(&mut self, ctx: &mut impl Context<P::Msg, P::Timer>) {
        self.0.start(&mut Discreet(ctx));
    }

    fn restored(local: &Local, disk: Option<P::Disk>) -> Result<Self, Unmet> {
        P::restored(local, disk).map(Self)
    }

    fn disk(&self) -> P::Disk {
        self.0.disk()
    }

    fn receive(&mut self, from: Port, msg: P::Msg, ctx: &mut impl Context<P::Msg, P::Timer>) {
        self.0.receive(from, msg, &mut Discreet(ctx));
    }

    fn timeout(&mut self, timer: P::Timer, ctx: &mut impl Context<P::Msg, P::Timer>) {
        self.0.timeout(timer, &mut Discreet(ctx));
    }

    fn peer_down(&mut self, port: Port, ctx: &mut impl Context<P::Msg, P::Timer>) {
        self.0.peer_down(port, &mut Discreet(ctx));
    }

    fn status(&self) -> Status {
        self.0.status()
    }

    fn role(&self) -> &'static str {
        self.0.role()
    }

    fn variables(&self) -> Variables {
        self.0.variables()
    }

    fn ignores(&self, from: Port, msg: &P::Msg) -> bool {
        self.0.ignores(from, msg)
    }

    fn is_pending(&self) -> bool {
        self.0.is_pending()
    }

    fn phase(&self) -> Option<Phase> {
        self.0.phase()
    }

    fn rewind(&mut self, by: u64) {
        self.0.rewind(by);
    }
}

/// A context that sends everything but announcements.
struct Discreet<'a, C>(&'a mut C);

impl<M: Message, T, C: Context<M, T>> Context<M, T> for Discreet<'_, C> {
    fn ports(&self) -> u32 {
        self.0.ports()
    }

    fn send(&mut self, port: Port, msg: M) {
        if !M::is_announce(msg.kind()) {
            self.0.send(port, msg);
        }
    }

    fn set_timer(&mut self, timer: T, after: Span) {
        self.0.set_timer(timer, after);
    }

    fn cancel_timer(&mut self, timer: T) {
        self.0.cancel_timer(timer);
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
