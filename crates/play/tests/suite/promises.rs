//! What processes promise so that hosts may leave something out: each promise is held against what the process really does,
//! in every small election.

use std::cell::Cell;
use std::collections::BTreeSet;

use bellwether_algorithms::registry::{self, CATALOGUE, Visitor};
use bellwether_core::{Context, Inbox, Info, Local, NoTimer, Port, Process, Round, Rounds, Span, Status, Unmet};
use bellwether_sim::{events, rounds};
use bellwether_world::host::{Watcher, Wishes};

use crate::support::networks::small_elections;

#[test]
fn promises_are_kept() {
    struct Hold;
    impl Visitor for Hold {
        type Output = ();

        fn process<P: Process>(self) {
            for scenario in small_elections(P::INFO, 4) {
                events::record::<Sworn<P, P::Msg>>(&scenario, Wishes::none(&mut Watcher)).unwrap();
            }
        }

        fn rounds<R: Rounds>(self) {
            for scenario in small_elections(R::INFO, 4) {
                rounds::record::<Sworn<R, R::Msg>>(&scenario, Wishes::none(&mut Watcher)).unwrap();
            }
        }
    }
    let mut promising = vec![];
    for info in CATALOGUE {
        KEPT.set(0);
        registry::visit(info.name, Hold).unwrap();
        if KEPT.get() > 0 {
            promising.push(info.name);
        }
    }
    for name in ["chang-roberts", "le-lann", "peterson", "dolev-klawe-rodeh", "floodmax"] {
        assert!(promising.contains(&name), "{name} promises nothing");
    }
}

thread_local! {
    /// How many promises were kept.
    static KEPT: Cell<u64> = const { Cell::new(0) };
}

fn keep() {
    KEPT.set(KEPT.get() + 1);
}

/// A process under oath, and what it has received.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sworn<P, M>(P, BTreeSet<M>);

impl<P: Process> Process for Sworn<P, P::Msg> {
    const INFO: &'static Info = P::INFO;
    type Msg = P::Msg;
    type Timer = P::Timer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self(P::new(local)?, BTreeSet::new()))
    }

    fn start(&mut self, ctx: &mut impl Context<P::Msg, P::Timer>) {
        self.0.start(ctx);
    }

    fn receive(&mut self, from: Port, msg: P::Msg, ctx: &mut impl Context<P::Msg, P::Timer>) {
        let Self(process, received) = self;
        received.insert(msg.clone());
        let or_less = || received.range(..=&msg).rev();
        let or_more = || received.range(&msg..);
        // A promise about many is one about each of them.
        let relays = or_less().any(|least| or_more().any(|most| process.relays(least, most)));
        let relays = relays.then(|| (process.clone(), vec![(from.onward(), msg.clone())]));
        let mut ledger = Ledger { sent: vec![], ctx };
        self.0.receive(from, msg, &mut ledger);
        if let Some((before, sent)) = relays {
            assert_eq!((&self.0, ledger.sent), (&before, sent));
            keep();
        }
    }

    fn timeout(&mut self, timer: P::Timer, ctx: &mut impl Context<P::Msg, P::Timer>) {
        self.0.timeout(timer, ctx);
    }

    fn status(&self) -> Status {
        self.0.status()
    }
}

impl<R: Rounds> Rounds for Sworn<R, R::Msg> {
    const INFO: &'static Info = R::INFO;
    type Msg = R::Msg;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self(R::new(local)?, BTreeSet::new()))
    }

    fn round(&mut self, round: Round, inbox: impl Inbox<R::Msg>, ctx: &mut impl Context<R::Msg>) {
        let ports = ctx.ports();
        let mut ledger = Ledger { sent: vec![], ctx };
        self.0.round(round, inbox.clone(), &mut ledger);
        let told = ledger.sent;
        let is_told_to_all = told.iter().map(|(port, _)| *port).eq((0..ports).map(Port))
            && told.windows(2).all(|two| two[0].1 == two[1].1);
        if !is_told_to_all {
            return;
        }
        let mut again = self.0.clone();
        for next in round.0 + 1..=self.0.repeats_until().0 {
            let mut ledger = Ledger { sent: vec![], ctx: &mut Nowhere { ports } };
            again.round(Round(next), inbox.clone(), &mut ledger);
            assert_eq!((&again, &ledger.sent), (&self.0, &told), "round {next}");
            keep();
        }
    }

    fn due(&self, now: Round) -> Option<Round> {
        self.0.due(now)
    }

    fn status(&self) -> Status {
        self.0.status()
    }
}

/// Writes down what is sent.
struct Ledger<'a, M, C> {
    sent: Vec<(Port, M)>,
    ctx: &'a mut C,
}

impl<M: Clone, T, C: Context<M, T>> Context<M, T> for Ledger<'_, M, C> {
    fn ports(&self) -> u32 {
        self.ctx.ports()
    }

    fn send(&mut self, port: Port, msg: M) {
        self.sent.push((port, msg.clone()));
        self.ctx.send(port, msg);
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
}

/// For a step that is only tried.
struct Nowhere {
    ports: u32,
}

impl<M> Context<M> for Nowhere {
    fn ports(&self) -> u32 {
        self.ports
    }

    fn send(&mut self, _: Port, _: M) {}

    fn set_timer(&mut self, timer: NoTimer, _: Span) {
        match timer {}
    }

    fn cancel_timer(&mut self, timer: NoTimer) {
        match timer {}
    }

    fn choose(&mut self, _: u64) -> u64 {
        panic!("what is random is not promised")
    }
}
