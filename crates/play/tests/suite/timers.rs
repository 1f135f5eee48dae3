//! Timers, tested with toys: setting replaces, cancelling stops, and at one instant deliveries come first.
//!
//! Each test defines what the nodes of a small ring do, and compares the events line by line.

use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

use bellwether_core::{
    Context, Id, Info, Knowledge, Local, Port, Process, Span, Status, TopologyKind, Unmet, messages, timers,
};
use bellwether_world::host::{Algorithm, Watcher, Wishes};
use bellwether_world::{Scenario, Timing};

use self::Bell::{Big, Small};
use self::Msg::Ping;
use crate::support::ring;

#[test]
fn setting_a_timer_again_replaces_it() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Twice;
    impl Part for Twice {
        fn start(_: u64, ctx: &mut impl Context<Msg, Bell>) {
            ctx.set_timer(Small, Span::units(2));
            ctx.set_timer(Small, Span::units(1));
            ctx.set_timer(Big, Span::units(1));
            ctx.set_timer(Big, Span::units(3));
        }
    }
    let happens = ["0 node 0 starts", "1 node 0 times out: small", "3 node 0 times out: big"];
    assert_eq!(play::<Twice>(1, Timing::Unit), happens);
    assert_eq!(play::<Twice>(1, Timing::Uniform), happens);
    assert_eq!(
        play::<Twice>(1, Timing::Rounds),
        ["1 node 0 plays round 1", "2 node 0 plays round 2", "4 node 0 plays round 4"]
    );
}

#[test]
fn a_cancelled_timer_does_not_go_off() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Cancels;
    impl Part for Cancels {
        fn start(_: u64, ctx: &mut impl Context<Msg, Bell>) {
            ctx.cancel_timer(Big); // none runs: nothing happens
            ctx.set_timer(Small, Span::units(1));
            ctx.set_timer(Big, Span::units(2));
        }

        fn timeout(_: u64, bell: Bell, ctx: &mut impl Context<Msg, Bell>) {
            assert_eq!(bell, Small);
            ctx.cancel_timer(Small); // it has just gone off: nothing happens
            ctx.cancel_timer(Big);
        }
    }
    assert_eq!(play::<Cancels>(1, Timing::Unit), ["0 node 0 starts", "1 node 0 times out: small"]);
    assert_eq!(play::<Cancels>(1, Timing::Rounds), ["1 node 0 plays round 1", "2 node 0 plays round 2"]);
}

/// Even if the receiver has the larger number, and even if the delivery stops the timer.
#[test]
fn at_one_instant_deliveries_come_before_timers() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct JustInTime;
    impl Part for JustInTime {
        fn start(node: u64, ctx: &mut impl Context<Msg, Bell>) {
            ctx.set_timer(Small, Span::units(1));
            if node == 0 {
                ctx.send(Port::NEXT, Ping(0));
            }
        }

        fn receive(_: u64, ctx: &mut impl Context<Msg, Bell>) {
            ctx.cancel_timer(Small);
        }
    }
    assert_eq!(
        play::<JustInTime>(3, Timing::Unit),
        [
            "0 node 0 starts, sends ping(0) to node 1",
            "0 node 1 starts",
            "0 node 2 starts",
            "1 node 1 receives ping(0) from node 0",
            "1 node 0 times out: small",
            "1 node 2 times out: small",
        ]
    );
    assert_eq!(
        play::<JustInTime>(3, Timing::Rounds),
        [
            "1 node 0 plays round 1, sends ping(0) to node 1",
            "1 node 1 plays round 1",
            "1 node 2 plays round 1",
            "2 node 0 plays round 2",
            "2 node 1 plays round 2, receives ping(0) from node 0",
            "2 node 2 plays round 2",
        ]
    );
}

#[test]
fn timers_go_off_by_time_then_node_then_name() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Orderly;
    impl Part for Orderly {
        fn start(node: u64, ctx: &mut impl Context<Msg, Bell>) {
            ctx.set_timer(Big, Span::units(3 - node));
            ctx.set_timer(Small, Span::units(2));
        }
    }
    assert_eq!(
        play::<Orderly>(3, Timing::Unit)[3..],
        [
            "1 node 2 times out: big",
            "2 node 0 times out: small",
            "2 node 1 times out: small",
            "2 node 1 times out: big",
            "2 node 2 times out: small",
            "3 node 0 times out: big",
        ]
    );
}

/// In rounds, a fraction of a unit takes a whole round.
#[test]
fn spans_need_not_be_whole_even_where_delays_are() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Halves;
    impl Part for Halves {
        fn start(_: u64, ctx: &mut impl Context<Msg, Bell>) {
            ctx.send(Port::NEXT, Ping(1));
            ctx.set_timer(Small, Span(500_000));
        }

        fn timeout(_: u64, _: Bell, ctx: &mut impl Context<Msg, Bell>) {
            ctx.send(Port::NEXT, Ping(2));
        }
    }
    assert_eq!(
        play::<Halves>(1, Timing::Unit),
        [
            "0 node 0 starts, sends ping(1) to node 0",
            "0.5 node 0 times out: small, sends ping(2) to node 0",
            "1 node 0 receives ping(1) from node 0",
            "1.5 node 0 receives ping(2) from node 0",
        ]
    );
    assert_eq!(
        play::<Halves>(1, Timing::Rounds),
        [
            "1 node 0 plays round 1, sends ping(1) to node 0",
            "2 node 0 plays round 2, receives ping(1) from node 0, sends ping(2) to node 0",
            "3 node 0 plays round 3, receives ping(2) from node 0",
        ]
    );
}

#[test]
fn a_timer_of_no_time_goes_off_after_the_deliveries_of_its_instant() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct AtOnce;
    impl Part for AtOnce {
        fn start(_: u64, ctx: &mut impl Context<Msg, Bell>) {
            ctx.send(Port::NEXT, Ping(1));
            ctx.send(Port::NEXT, Ping(2));
        }

        fn receive(_: u64, ctx: &mut impl Context<Msg, Bell>) {
            ctx.set_timer(Small, Span(0));
        }
    }
    assert_eq!(
        play::<AtOnce>(1, Timing::Unit)[1..],
        ["1 node 0 receives ping(1) from node 0", "1 node 0 receives ping(2) from node 0", "1 node 0 times out: small",]
    );
}

/// The network may be silent for a long time and then become active again.
#[test]
fn a_run_is_not_over_while_a_timer_runs() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Patient;
    impl Part for Patient {
        fn start(_: u64, ctx: &mut impl Context<Msg, Bell>) {
            ctx.set_timer(Big, Span::units(1_000));
        }

        fn timeout(_: u64, _: Bell, ctx: &mut impl Context<Msg, Bell>) {
            ctx.send(Port::NEXT, Ping(1));
        }
    }
    assert_eq!(
        play::<Patient>(1, Timing::Unit)[1..],
        ["1000 node 0 times out: big, sends ping(1) to node 0", "1001 node 0 receives ping(1) from node 0"]
    );
    assert_eq!(
        play::<Patient>(1, Timing::Rounds)[1..],
        [
            "1001 node 0 plays round 1001, sends ping(1) to node 0",
            "1002 node 0 plays round 1002, receives ping(1) from node 0"
        ]
    );
    assert_eq!(play::<Patient>(1, Timing::Uniform).len(), 3);
}

/// A timer goes off before the next delivery. Its message may arrive before that delivery.
#[test]
fn what_a_timer_sends_may_overtake_what_was_under_way() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Hasty;
    impl Part for Hasty {
        fn start(node: u64, ctx: &mut impl Context<Msg, Bell>) {
            if node == 0 {
                ctx.send(Port::NEXT, Ping(1));
                ctx.set_timer(Small, Span(1));
            }
        }

        fn timeout(_: u64, _: Bell, ctx: &mut impl Context<Msg, Bell>) {
            ctx.send(Port::PREVIOUS, Ping(2));
        }
    }
    let mut overtaken = 0;
    for seed in 0..100 {
        let lines = play_with::<Hasty>(3, Timing::Uniform, seed);
        let times: Vec<f64> = lines.iter().map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
        assert!(times.is_sorted(), "time goes on: {lines:#?}");
        let second = lines.iter().position(|line| line.contains("receives ping(2)")).unwrap();
        let first = lines.iter().position(|line| line.contains("receives ping(1)")).unwrap();
        overtaken += u32::from(second < first);
    }
    assert!((30..70).contains(&overtaken), "about every second time: {overtaken}");
}

/// The behaviour of a node in a toy. The node knows its number.
trait Part: Clone + Eq + Hash + Debug + Send + 'static {
    fn start(node: u64, ctx: &mut impl Context<Msg, Bell>);

    fn receive(node: u64, ctx: &mut impl Context<Msg, Bell>) {
        let _ = (node, ctx);
    }

    fn timeout(node: u64, bell: Bell, ctx: &mut impl Context<Msg, Bell>) {
        let _ = (node, bell, ctx);
    }
}

timers! {
    /// The toy's two timers.
    enum Bell {
        Small = "small",
        Big = "big",
    }
}

messages! {
    /// The toy's message.
    pub enum Msg {
        /// A number that tells messages apart.
        Ping(number: u64) = "ping",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Toy<P> {
    node: u64,
    part: PhantomData<P>,
}

const INFO: Info = Info { name: "toy", topology: TopologyKind::TwoWayRing, knows: &[Knowledge::Id], ..Info::EVENTS };

impl<P: Part> Process for Toy<P> {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = Bell;
    type Disk = ();

    fn new(local: &Local) -> Result<Self, Unmet> {
        let Id(node) = local.id()?;
        Ok(Self { node, part: PhantomData })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg, Bell>) {
        P::start(self.node, ctx);
    }

    fn receive(&mut self, _: Port, _: Msg, ctx: &mut impl Context<Msg, Bell>) {
        P::receive(self.node, ctx);
    }

    fn timeout(&mut self, bell: Bell, ctx: &mut impl Context<Msg, Bell>) {
        P::timeout(self.node, bell, ctx);
    }

    fn status(&self) -> Status {
        Status::Undecided
    }
}

/// All events on a ring with this many nodes, one per line: time, node, what happens.
fn play<P: Part>(nodes: u64, timing: Timing) -> Vec<String> {
    play_with::<P>(nodes, timing, 1)
}

fn play_with<P: Part>(nodes: u64, timing: Timing, seed: u64) -> Vec<String> {
    let ids: Vec<u64> = (0..nodes).collect();
    let scenario = Scenario { algorithm: "toy".into(), timing, seed, ..ring("chang-roberts", &ids) };
    let mut lines = vec![];
    let mut record = |event: bellwether_world::trace::Event| {
        lines.push(format!("{} node {} {}", event.t, event.node, event.describe(&scenario.topology)));
    };
    let mut watcher = Watcher;
    let wishes = Wishes { record: Some(&mut record), ..Wishes::none(&mut watcher) };
    bellwether_sim::play(Algorithm::process::<Toy<P>>(), &scenario, wishes).unwrap();
    lines
}
