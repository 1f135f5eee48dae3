//! Whether an election ends, on toys: what a fair schedule must do, and what chance may do.

use bellwether_check::ledger::Ledger;
use bellwether_check::{Conclusion, Plan, check};
use bellwether_core::{
    Bounds, Context, Formula, Id, Info, LinkOrder, Local, NoTimer, Port, Process, Status, TopologyKind, Unmet, messages,
};
use bellwether_net::Topology;
use bellwether_world::host::Algorithm;
use bellwether_world::{Freedom, Property, Scenario};

const INFO: Info =
    Info { name: "toy", topology: TopologyKind::TwoWayRing, links: LinkOrder::Fifo, randomised: true, ..Info::EVENTS };

/// The same, with a proved bound of at least three messages.
const PROVED: Info = Info { bounds: Bounds { best: Some(Formula { text: "3", of: |_| 3.0 }), ..Bounds::NONE }, ..INFO };

messages! {
    /// The messages between the two nodes.
    pub enum Msg {
        /// To be answered.
        Ping() = "ping",
        /// Enough of it.
        Stop() = "stop",
    }
}

/// Two nodes that send a ping to and fro. A node that receives `stop` leads, and the other follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Toy<const KIND: u8> {
    status: Option<bool>,
}

/// Nothing ends it.
const ENDLESS: u8 = 0;
/// A `stop` is under way on the other link: it will arrive some time.
const STOPPED: u8 = 1;
/// At every answer a coin decides whether it goes on.
const TOSSED: u8 = 2;
/// The same, with a claim that it takes at least three messages.
const TOO_CHEAP: u8 = 4;
/// Coins are tossed, and decide nothing.
const IN_VAIN: u8 = 3;

impl<const KIND: u8> Process for Toy<KIND> {
    const INFO: &'static Info = if KIND == TOO_CHEAP { &PROVED } else { &INFO };
    type Msg = Msg;
    type Timer = NoTimer;
    type Disk = ();

    fn new(_: &Local) -> Result<Self, Unmet> {
        Ok(Self { status: None })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        ctx.send(Port::NEXT, Msg::Ping());
        if KIND == STOPPED {
            self.status = Some(false);
            ctx.send(Port::PREVIOUS, Msg::Stop());
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match msg {
            Msg::Stop() => self.status = Some(true),
            Msg::Ping() if self.status == Some(true) => {}
            Msg::Ping() if (KIND == TOSSED || KIND == TOO_CHEAP) && ctx.choose(2) == 1 => {
                self.status = Some(false);
                ctx.send(from, Msg::Stop());
            }
            Msg::Ping() => {
                if KIND == IN_VAIN {
                    ctx.choose(2);
                }
                ctx.send(from, Msg::Ping());
            }
        }
    }

    fn status(&self) -> Status {
        match self.status {
            None => Status::Undecided,
            Some(true) => Status::Leader,
            Some(false) => Status::Follower(None),
        }
    }
}

fn verdict<const KIND: u8>() -> Conclusion {
    let network = "ring:2".parse::<Topology>().unwrap().build(1).unwrap();
    let initiators = bellwether_core::Starters::together([0]);
    let scenario = Scenario { initiators, ..Scenario::new(&INFO, network, vec![Id(1), Id(2)]) };
    let freedom = Freedom { starts_first: true, ..Freedom::default() };
    let plan = Plan { freedom, reduction: true, symmetry: true, fingerprints: false };
    check([scenario].into_iter(), Algorithm::process::<Toy<KIND>>(), plan, &Ledger::new(1 << 30), 1).unwrap()
}

fn broken(verdict: &Conclusion) -> Vec<Property> {
    verdict.broken.iter().map(|broken| broken.property).collect()
}

#[test]
fn a_loop_that_leaves_nothing_undone_never_ends() {
    for verdict in [verdict::<ENDLESS>(), verdict::<IN_VAIN>()] {
        assert_eq!(broken(&verdict), [Property::Ends]);
        let story = &verdict.broken[0].story;
        // The start, and then there and back for ever.
        assert_eq!((story.repeats_from, story.events.len()), (Some(1), 3));
    }
}

/// The ping could go round again and again before the `stop` arrives. But a message that is under way does arrive.
#[test]
fn a_loop_that_holds_a_message_up_for_ever_is_not_fair() {
    assert_eq!(broken(&verdict::<STOPPED>()), []);
}

/// The ping could go round for ever if the coin never showed a 1. That has probability 0.
#[test]
fn a_loop_that_a_coin_leaves_ends_with_probability_one() {
    assert_eq!(broken(&verdict::<TOSSED>()), []);
}

/// If the coin shows a 1 at once, there are only two messages. The judge of the schedule sees it.
#[test]
fn a_run_that_is_too_cheap_breaks_a_bound() {
    let verdict = verdict::<TOO_CHEAP>();
    assert_eq!(broken(&verdict), [Property::Bounds]);
    let story = &verdict.broken[0].story;
    assert_eq!(story.report.violations, ["a bound undercut: 2 election messages are fewer than 3 = 3"]);
}
