//! Planted bugs: the number on a message is ignored, always or if it is an earlier one.

use bellwether_core::{Context, Info, Local, Numbered, Port, Process, Stamped, Status, Unmet};

use super::network::Elector;

/// Takes messages for those of its own election, if it is in any: all of them, or only the earlier ones if it `JOINS`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Careless<P, const JOINS: bool>(Numbered<P>);

impl<P: Process, const JOINS: bool> Process for Careless<P, JOINS> {
    const INFO: &'static Info = P::INFO;
    type Msg = Stamped<P::Msg>;
    type Timer = P::Timer;
    type Disk = ();

    fn new(local: &Local) -> Result<Self, Unmet> {
        Numbered::new(local).map(Self)
    }

    fn start(&mut self, ctx: &mut impl Context<Self::Msg, P::Timer>) {
        self.0.start(ctx);
    }

    fn receive(&mut self, from: Port, stamped: Self::Msg, ctx: &mut impl Context<Self::Msg, P::Timer>) {
        let Stamped::Of(election, msg) = stamped;
        let taken_for = match self.0.election() {
            0 => election,
            present if JOINS => election.max(present),
            present => present,
        };
        self.0.receive(from, Stamped::Of(taken_for, msg), ctx);
    }

    fn timeout(&mut self, timer: P::Timer, ctx: &mut impl Context<Self::Msg, P::Timer>) {
        self.0.timeout(timer, ctx);
    }

    fn status(&self) -> Status {
        self.0.status()
    }
}

impl<P: Process, const JOINS: bool> Elector for Careless<P, JOINS> {
    fn election(&self) -> u64 {
        self.0.election()
    }

    fn hold(&mut self, election: u64, ctx: &mut impl Context<Self::Msg, P::Timer>) {
        self.0.hold(election, ctx);
    }
}
