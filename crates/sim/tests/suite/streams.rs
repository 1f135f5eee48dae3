//! One-way rings are played node by node, with the same result as the general engine, in order of time. The fast engine
//! in order of time gives the same report too; it is used when messages under way are counted.

use bellwether_algorithms::ring::{ChangRoberts, ClockwiseAsync, DolevKlaweRodeh, ItaiRodeh, LeLann, Peterson};
use bellwether_core::{
    Context, Id, Info, Informs, Knowledge, LinkOrder, Local, NoTimer, Port, Process, Starters, Status, TopologyKind,
    Unmet, Winner, messages,
};
use bellwether_net::Ring;
use bellwether_sim::events;
use bellwether_world::host::{Algorithm, Bytes, Count, Error, Watcher, Wishes};
use bellwether_world::ids::Ids;
use bellwether_world::{Report, Scenario, Timing};
use proptest::prelude::*;

use crate::support::Scales;

/// Answers with zero to three messages, some of them changed, and changes its decision all the time. All of this
/// depends on the whole sequence of messages heard. It may send in the wrong direction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Gossip<const ASTRAY: bool> {
    heard: u64,
}

messages! {
    /// What is said.
    pub enum Said {
        /// In the one way.
        Plainly(what: u64, hops: u64) = "plainly",
        /// In the other.
        Oddly(what: u64, hops: u64) = "oddly",
    }
}

impl<const ASTRAY: bool> Gossip<ASTRAY> {
    fn tell(&mut self, what: u64, hops: u64, ctx: &mut impl Context<Said>) {
        self.heard = self.heard.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(what ^ hops).rotate_left(23);
        if hops == 0 {
            return;
        }
        let port = if ASTRAY && self.heard.is_multiple_of(64) { Port::PREVIOUS } else { Port::NEXT };
        match self.heard >> 32 & 15 {
            0..=4 => ctx.send(port, Said::Plainly(what, hops - 1)),
            5..=8 => ctx.send(port, Said::Oddly(self.heard % 1_000, hops - 1)),
            9 => {
                ctx.send(Port::NEXT, Said::Plainly(what, hops - 1));
                ctx.send(port, Said::Oddly(self.heard >> (self.heard & 63), hops / 2));
                ctx.send(Port::NEXT, Said::Plainly(self.heard % 7, hops / 4));
            }
            10 => {
                let drawn = ctx.choose(3);
                ctx.send(Port::NEXT, Said::Oddly(drawn, hops - 1));
                ctx.send(Port::NEXT, Said::Plainly(what, hops - 1));
            }
            _ => {}
        }
    }
}

impl<const ASTRAY: bool> Process for Gossip<ASTRAY> {
    const INFO: &'static Info = &Info {
        name: "gossip",
        topology: TopologyKind::OneWayRing,
        knows: &[Knowledge::Id],
        links: LinkOrder::Fifo,
        randomised: true,
        repeatable: true,
        winner: Winner::MaxOfAll,
        informs: Informs::Leader,
        ..Info::EVENTS
    };
    type Msg = Said;
    type Timer = NoTimer;
    type Disk = ();

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { heard: local.id()?.0 })
    }

    fn start(&mut self, ctx: &mut impl Context<Said>) {
        for what in 0..self.heard % 4 {
            ctx.send(Port::NEXT, Said::Plainly(what, 9));
        }
    }

    fn receive(&mut self, _: Port, msg: Said, ctx: &mut impl Context<Said>) {
        match msg {
            Said::Plainly(what, hops) => self.tell(what, hops, ctx),
            Said::Oddly(what, hops) => self.tell(!what, hops, ctx),
        }
    }

    fn status(&self) -> Status {
        match self.heard >> 40 & 7 {
            0 => Status::Leader,
            1 => Status::Follower(None),
            2 => Status::Follower(Some(Id(self.heard & 1))),
            _ => Status::Undecided,
        }
    }
}

fn play<P: Process>(scenario: &Scenario, count: Count) -> (Result<Report, Error>, Option<Bytes>) {
    let mut scales = Scales::default();
    let report = events::play_fast::<P>(scenario, Wishes { count, full: true, ..Wishes::none(&mut scales) });
    (report, scales.0)
}

/// The same on the general engine.
fn record<P: Process>(scenario: &Scenario, count: Count) -> Result<Report, Error> {
    bellwether_sim::play(
        Algorithm::process::<P>(),
        scenario,
        Wishes { count, full: true, ..Wishes::none(&mut Watcher) },
    )
}

fn ring(info: &'static Info, ids: Vec<Id>) -> Scenario {
    Scenario::new(info, Ring::new(ids.len() as u64).unwrap().into(), ids)
}

/// Ids in any order, some of them twice.
fn any_ids() -> impl Strategy<Value = Vec<Id>> {
    let id = prop_oneof![3 => 0..20u64, 1 => any::<u64>()];
    prop::collection::vec(id.prop_map(Id), 1..20)
}

/// Many ids, nearly in descending or ascending order, so that many messages travel together. Some may occur twice.
fn nearly_in_order() -> impl Strategy<Value = Vec<Id>> {
    (40..400usize).prop_flat_map(|n| {
        let changes = prop::collection::vec((0..n, 0..n as u64), 0..12);
        (Just(n as u64), any::<bool>(), changes).prop_map(|(n, ascending, changes)| {
            let mut ids: Vec<Id> = (0..n).map(Id).collect();
            if !ascending {
                ids.reverse();
            }
            changes.into_iter().for_each(|(place, id)| ids[place] = Id(id));
            ids
        })
    })
}

/// Any run. The limit may be reached.
fn runs(info: &'static Info, ids: impl Strategy<Value = Vec<Id>>, limit: u64) -> impl Strategy<Value = Scenario> {
    let elections = 1..=if info.repeatable { 3u32 } else { 1 };
    let limit = prop_oneof![1 => 0..200u64, 2 => Just(limit)];
    let timing = prop_oneof![Just(Timing::Unit), Just(Timing::Uniform), Just(Timing::Exponential)];
    ids.prop_flat_map(move |ids| {
        let n = ids.len();
        let starters = prop::sample::subsequence((0..n as u32).collect::<Vec<_>>(), 1..=n);
        let draws = prop::collection::vec(prop::collection::vec(0..4u64, 0..2), 0..=n);
        (Just(ids), starters, timing.clone(), elections.clone(), limit.clone(), any::<u64>(), draws).prop_map(
            move |(ids, starters, timing, elections, limit, seed, draws)| Scenario {
                initiators: Starters::together(starters),
                timing,
                elections,
                limit,
                seed,
                draws,
                forced: true,
                ..ring(info, ids)
            },
        )
    })
}

fn assert_nobody_can_tell<P: Process>() {
    let config = |cases| ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config(2_000), |(scenario in runs(P::INFO, any_ids(), 20_000))| assert_equal::<P>(&scenario));
    proptest!(config(100), |(scenario in runs(P::INFO, nearly_in_order(), 300_000))| assert_equal::<P>(&scenario));
}

fn assert_equal<P: Process>(scenario: &Scenario) {
    for count in [Count::Sends, Count::InFlight] {
        assert_eq!(play::<P>(scenario, count).0, record::<P>(scenario, count));
    }
}

#[test]
fn nobody_can_tell_in_which_order_an_election_was_played() {
    assert_nobody_can_tell::<ChangRoberts>();
    assert_nobody_can_tell::<ClockwiseAsync>();
    assert_nobody_can_tell::<DolevKlaweRodeh>();
    assert_nobody_can_tell::<ItaiRodeh>();
    assert_nobody_can_tell::<LeLann>();
    assert_nobody_can_tell::<Peterson>();
}

#[test]
fn nobody_can_tell_either_where_answers_are_many_and_minds_change() {
    assert_nobody_can_tell::<Gossip<false>>();
}

#[test]
fn who_sends_the_other_way_is_played_in_order_of_time() {
    assert_nobody_can_tell::<Gossip<true>>();
}

#[test]
fn many_messages_travel_in_several_trains() {
    for timing in [Timing::Unit, Timing::Uniform] {
        for ids in [Ids::Descending, Ids::Random, Ids::Ascending] {
            let ids = ids.assign(1_500, 1).unwrap();
            let elections = |info| Scenario { timing, elections: 2, ..ring(info, ids.clone()) };
            assert_equal::<ChangRoberts>(&elections(ChangRoberts::INFO));
            assert_equal::<LeLann>(&Scenario { elections: 1, ..elections(LeLann::INFO) });
        }
    }
    let ids = (0..400).map(|id| Id(id * id)).collect();
    assert_equal::<Gossip<false>>(&Scenario { forced: true, ..ring(Gossip::<false>::INFO, ids) });
}

/// Otherwise these tests would compare an engine with itself.
#[test]
fn unless_all_is_to_be_counted_an_election_is_played_node_by_node() {
    let scenario = ring(ChangRoberts::INFO, Ids::Random.assign(50, 1).unwrap());
    let weight = |scenario: &Scenario, count| play::<ChangRoberts>(scenario, count).1.expect("it says so").message;
    let [by_node, by_time] = [Count::Sends, Count::InFlight].map(|count| weight(&scenario, count));
    assert_ne!(by_node, by_time);
    assert_eq!(weight(&scenario, Count::Messages), by_node);
    let lawless = Scenario { timing: Timing::Reorder, ..scenario.clone() };
    assert_eq!(weight(&lawless, Count::Messages), weight(&lawless, Count::InFlight));
    let report = events::play_fast::<ChangRoberts>(&scenario, Wishes::none(&mut Watcher)).unwrap();
    assert_eq!(report.stats.peak_in_flight, None);
}
