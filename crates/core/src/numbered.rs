//! Election after election, each with a number.
//!
//! Idea: every election has a number, and every message bears the number of its election. A node that hears
//! of a later election enters it with a fresh process, which the message wakes up. Messages of an earlier election are
//! dropped. So if lost messages bring an election to nothing, the next one knows nothing of it.
//!
//! It promises no more than its algorithm does. If loss gives an election two leaders without numbers, it may do so
//! here too. But they lead only until they hear of the next number. An owner that wants the others to follow takes a
//! number above all that they know. A process that forgets its number must be given one by its owner.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{Context, Field, Info, Local, Message, Phase, Port, Process, Span, Status, Tag, Unmet, Variables};

/// A [`Process`] that takes part in one election after the other.
///
/// Its [start](Process::start) begins the next election, and [`hold`](Numbered::hold) the one with a given number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Numbered<P> {
    /// The process at the beginning of every election.
    fresh: P,
    process: P,
    /// The number of its election; 0 before the first.
    election: u64,
    /// The ports reported down. Each process hears of them again, since the detector reports once.
    down: BTreeSet<Port>,
}

/// What a [`Numbered`] process sends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Stamped<M> {
    /// The number of the election, and a message of it.
    #[serde(rename = "election")]
    Of(u64, M),
}

impl<P: Process> Numbered<P> {
    /// The number of its election; 0 before the first.
    #[must_use]
    pub fn election(&self) -> u64 {
        self.election
    }

    /// The process that takes part in this election.
    #[must_use]
    pub fn process(&self) -> &P {
        &self.process
    }

    /// Somebody wants the election with this number. It begins a later one, and joins the present one as an initiator.
    /// An election that is over for it is not held again.
    pub fn hold(&mut self, election: u64, ctx: &mut impl Context<Stamped<P::Msg>, P::Timer>) {
        if election > self.election {
            self.enter(election, ctx);
        } else if election < self.election || self.status().is_decided() {
            return;
        }
        self.process.start(&mut Stamping { election, ctx });
    }

    /// Enters a later election with a fresh process. No timer of the earlier one goes off any more.
    fn enter(&mut self, election: u64, ctx: &mut impl Context<Stamped<P::Msg>, P::Timer>) {
        P::Timer::ALL.iter().for_each(|&timer| ctx.cancel_timer(timer));
        self.process = self.fresh.clone();
        self.election = election;
        for &port in &self.down {
            self.process.peer_down(port, &mut Stamping { election, ctx });
        }
    }
}

impl<P: Process> Process for Numbered<P> {
    const INFO: &'static Info = P::INFO;
    type Msg = Stamped<P::Msg>;
    type Timer = P::Timer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let fresh = P::new(local)?;
        Ok(Self { process: fresh.clone(), fresh, election: 0, down: BTreeSet::new() })
    }

    fn start(&mut self, ctx: &mut impl Context<Self::Msg, P::Timer>) {
        self.hold(self.election + 1, ctx);
    }

    fn receive(
        &mut self,
        from: Port,
        Stamped::Of(election, msg): Self::Msg,
        ctx: &mut impl Context<Self::Msg, P::Timer>,
    ) {
        if election > self.election {
            self.enter(election, ctx);
        }
        if election == self.election {
            self.process.receive(from, msg, &mut Stamping { election, ctx });
        }
    }

    fn timeout(&mut self, timer: P::Timer, ctx: &mut impl Context<Self::Msg, P::Timer>) {
        self.process.timeout(timer, &mut Stamping { election: self.election, ctx });
    }

    fn peer_down(&mut self, port: Port, ctx: &mut impl Context<Self::Msg, P::Timer>) {
        self.down.insert(port);
        self.process.peer_down(port, &mut Stamping { election: self.election, ctx });
    }

    fn status(&self) -> Status {
        self.process.status()
    }

    fn role(&self) -> &'static str {
        self.process.role()
    }

    fn variables(&self) -> Variables {
        let mut variables = self.process.variables();
        variables.0.insert(0, ("election".into(), self.election.to_string()));
        variables
    }

    fn ignores(&self, from: Port, Stamped::Of(election, msg): &Self::Msg) -> bool {
        *election < self.election || *election == self.election && self.process.ignores(from, msg)
    }

    fn is_pending(&self) -> bool {
        self.process.is_pending()
    }

    /// A process may enter any election later, and begin with the first phase. So phases are never counted back.
    fn phase(&self) -> Option<Phase> {
        self.process.phase().map(|_| Phase(0))
    }
}

/// A context that stamps what is sent with the number of the election.
struct Stamping<'a, C> {
    election: u64,
    ctx: &'a mut C,
}

impl<M, T, C: Context<Stamped<M>, T>> Context<M, T> for Stamping<'_, C> {
    fn ports(&self) -> u32 {
        self.ctx.ports()
    }

    fn send(&mut self, port: Port, msg: M) {
        self.ctx.send(port, Stamped::Of(self.election, msg));
    }

    fn set_timer(&mut self, timer: T, after: Span) {
        self.ctx.set_timer(timer, after);
    }

    fn cancel_timer(&mut self, timer: T) {
        self.ctx.cancel_timer(timer);
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

impl<M: Message> Message for Stamped<M> {
    const KINDS: usize = M::KINDS;

    fn kind_name(kind: usize) -> &'static str {
        M::kind_name(kind)
    }

    fn is_announce(kind: usize) -> bool {
        M::is_announce(kind)
    }

    fn kind(&self) -> usize {
        let Self::Of(_, msg) = self;
        msg.kind()
    }

    /// The number is a field like others.
    fn bits(&self) -> u32 {
        let Self::Of(election, msg) = self;
        election.bits() + msg.bits()
    }

    fn phase(&self) -> Option<Phase> {
        let Self::Of(_, msg) = self;
        msg.phase()
    }

    fn rewind(&mut self, by: u64) {
        let Self::Of(_, msg) = self;
        msg.rewind(by);
    }

    const HAS_OVERHEAD: bool = M::HAS_OVERHEAD;

    fn is_overhead(&self) -> bool {
        let Self::Of(_, msg) = self;
        msg.is_overhead()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Outbox, Settings, messages, timers};

    messages! {
        pub enum Msg {
            /// It is awake.
            Hello(count: u64) = "hello",
            /// It leads.
            Won() = announce "won",
        }
    }

    timers! {
        pub enum Timer {
            Patience = "patience",
            Result = "result",
        }
    }

    /// Counts what happens to it, and leads when its time is up.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Toy {
        heard: u64,
        dead: Vec<Port>,
        leads: bool,
    }

    impl Process for Toy {
        const INFO: &'static Info = &Info::EVENTS;
        type Msg = Msg;
        type Timer = Timer;

        fn new(_: &Local) -> Result<Self, Unmet> {
            Ok(Self { heard: 0, dead: vec![], leads: false })
        }

        fn start(&mut self, ctx: &mut impl Context<Msg, Timer>) {
            ctx.send(Port(0), Msg::Hello(self.heard));
            ctx.set_timer(Timer::Patience, Span::UNIT);
        }

        fn receive(&mut self, from: Port, _: Msg, ctx: &mut impl Context<Msg, Timer>) {
            self.heard += 1;
            ctx.send(from, Msg::Hello(self.heard));
        }

        fn timeout(&mut self, _: Timer, ctx: &mut impl Context<Msg, Timer>) {
            self.leads = true;
            ctx.send(Port(0), Msg::Won());
        }

        fn peer_down(&mut self, port: Port, _: &mut impl Context<Msg, Timer>) {
            self.dead.push(port);
        }

        fn status(&self) -> Status {
            if self.leads { Status::Leader } else { Status::Undecided }
        }
    }

    type Step = Outbox<Stamped<Msg>, Timer, fn(u64) -> u64>;

    fn process() -> (Numbered<Toy>, Step) {
        (Numbered::new(&Local::new(2, &Settings::new())).unwrap(), Outbox::new(2, |_| 0))
    }

    /// What it sends when this happens.
    fn sends(process: &mut Numbered<Toy>, step: &mut Step, input: Input<Stamped<Msg>, Timer>) -> Vec<Stamped<Msg>> {
        step.clear();
        input.perform(process, step);
        step.sent.iter().map(|(_, msg)| msg.clone()).collect()
    }

    fn hello(election: u64, count: u64) -> Stamped<Msg> {
        Stamped::Of(election, Msg::Hello(count))
    }

    #[test]
    fn later_elections_are_entered_afresh_and_earlier_ones_are_dropped() {
        let (mut process, mut step) = process();
        assert_eq!(process.election(), 0);
        assert_eq!(sends(&mut process, &mut step, Input::Start), [hello(1, 0)]);
        assert_eq!(sends(&mut process, &mut step, Input::Receive(Port(1), hello(1, 0))), [hello(1, 1)]);
        assert_eq!(sends(&mut process, &mut step, Input::Receive(Port(1), hello(1, 0))), [hello(1, 2)]);
        let later = sends(&mut process, &mut step, Input::Receive(Port(1), hello(5, 0)));
        assert_eq!((process.election(), later), (5, vec![hello(5, 1)]), "what it heard before is forgotten");
        let before = process.clone();
        assert!(process.ignores(Port(1), &hello(4, 0)) && !process.ignores(Port(1), &hello(5, 0)));
        assert_eq!(sends(&mut process, &mut step, Input::Receive(Port(1), hello(4, 0))), []);
        assert_eq!(process, before);
        assert_eq!(sends(&mut process, &mut step, Input::Start), [hello(6, 0)]);
    }

    #[test]
    fn an_election_is_held_by_its_number_and_not_again_once_it_is_over() {
        let (mut process, mut step) = process();
        process.hold(3, &mut step);
        process.hold(2, &mut step);
        process.hold(3, &mut step);
        assert_eq!(step.sent, [(Port(0), hello(3, 0)), (Port(0), hello(3, 0))], "it wants it twice, and undecided");
        assert_eq!(sends(&mut process, &mut step, Input::Timeout(Timer::Patience)), [Stamped::Of(3, Msg::Won())]);
        assert_eq!(process.status(), Status::Leader);
        step.clear();
        process.hold(3, &mut step);
        assert_eq!((step.sent.len(), process.status()), (0, Status::Leader));
        process.hold(4, &mut step);
        assert_eq!((step.sent.len(), process.status()), (1, Status::Undecided));
    }

    #[test]
    fn timers_of_the_earlier_election_are_stopped_before_any_is_set() {
        let (mut process, mut step) = process();
        process.start(&mut step);
        let stopped = [(Timer::Patience, None), (Timer::Result, None)];
        assert_eq!(step.timers, [&stopped[..], &[(Timer::Patience, Some(Span::UNIT))]].concat());
        sends(&mut process, &mut step, Input::Receive(Port(0), hello(2, 0)));
        assert_eq!(step.timers, stopped);
        sends(&mut process, &mut step, Input::Receive(Port(0), hello(2, 0)));
        assert_eq!(step.timers, []);
    }

    #[test]
    fn a_fresh_process_hears_again_who_is_down() {
        let (mut process, mut step) = process();
        sends(&mut process, &mut step, Input::PeerDown(Port(1)));
        process.start(&mut step);
        assert_eq!(process.process().dead, [Port(1)]);
        process.start(&mut step);
        assert_eq!(process.process().dead, [Port(1)]);
    }

    #[test]
    fn a_message_keeps_its_kind_and_tells_its_number() {
        let msg = hello(5, 6);
        assert_eq!(serde_json::to_string(&msg).unwrap(), r#"{"election":[5,{"hello":6}]}"#);
        assert_eq!(msg.bits(), 3 + Msg::Hello(6).bits());
        assert_eq!(Stamped::<Msg>::kind_name(msg.kind()), "hello");
        assert!(Stamped::<Msg>::is_announce(Stamped::Of(5, Msg::Won()).kind()));
        let mut process = process().0;
        process.hold(7, &mut Step::new(2, |_| 0));
        assert_eq!(
            process.variables().0[..2].to_vec(),
            [("election".into(), "7".into()), ("heard".into(), "0".into())]
        );
    }
}
