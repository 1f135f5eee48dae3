//! The checker finds every planted bug that shows in the schedules of one election.
//!
//! Each mutant climbs the same ladder of searches, from the smallest to the largest. Bugs that are out of reach are
//! named in the tables, with the reason.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_catalogue::algorithm;
use bellwether_check::exact::{Odds, RoundAutomaton, odds};
use bellwether_check::ledger::Ledger;
use bellwether_check::{Conclusion, Counterexample, Plan, check};
use bellwether_core::{Id, Info, Process, Rounds, Settings, Starters, TopologyKind};
use bellwether_mutants::{self as mutants, Visitor};
use bellwether_net::{Network, Node, Topology, Wiring, enumerate};
use bellwether_sim::replay::replay;
use bellwether_world::host::Algorithm;
use bellwether_world::trace::Line;
use bellwether_world::{Family, Freedom, Member, Outcome, Property, Scenario, assumptions};

use self::Property::{Bounds, Ends, Informed, Leader, OneLeader, Steady, Winner};
use self::Rung::{Chances, EveryOrder, EverySet, OneCrash, Overtaking, Refused, Together};

/// The searches, from the smallest to the largest; each with more and more nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rung {
    /// All nodes start before anything is delivered, with ids in ascending order.
    Together,
    /// With ids in every order.
    EveryOrder,
    /// And with every set of initiators: before anything is delivered, or at any time.
    EverySet,
    /// And on links without FIFO, if the algorithm allows that.
    Overtaking,
    /// And with a crash at any time, if the algorithm survives that.
    OneCrash,
    /// In lock step, with the odds of the algorithm itself.
    Chances,
    /// No search: the mutant sends where no message may go.
    Refused,
}

/// The sizes up to which an algorithm can be searched quickly.
struct Ladder {
    info: &'static Info,
    /// The smallest number of nodes.
    least: u32,
    /// The largest number of nodes.
    most: u32,
    /// The largest number of nodes if messages overtake each other; 0 if the algorithm does not allow that.
    overtaking: u32,
}

const fn up_to(most: u32, overtaking: u32) -> (u32, u32, u32) {
    (1, most, overtaking)
}

impl Ladder {
    fn of(name: &str) -> Self {
        let (least, most, overtaking) = match name {
            "chang-roberts" => up_to(4, 3), // beyond three nodes it needs order
            "peterson" => up_to(5, 0),
            "tree-waves" | "traversal-edge-colouring" => up_to(4, 4),
            "echo-election" | "adoption" => up_to(4, 3),
            "floodmax" | "bully" => up_to(3, 3),
            // A single node that never stops drawing never ends its first step.
            "itai-rodeh-sync" => (2, 3, 3),
            "random-candidacy" => (2, 3, 2),
            _ => panic!("no ladder for {name}"),
        };
        let info = CATALOGUE.iter().find(|info| info.name == name).expect("it is in the catalogue");
        Self { info, least, most, overtaking }
    }

    /// Every search: its rung, the number of nodes, the family and the plan.
    fn searches(&self) -> impl Iterator<Item = (Rung, u32, Family, Plan)> {
        let Self { info, least, most, overtaking } = *self;
        let reorder = Plan { freedom: Freedom { reorder: true, ..CALM }, ..PLAN };
        let crash = Plan { freedom: Freedom { crashes: 1, ..CALM }, ..PLAN };
        let survives = info.survives_crashes;
        let rungs = [
            (Together, most, Orders::Ascending, Sets::All, FIRST),
            (EveryOrder, most, Orders::Every, Sets::All, FIRST),
            (EverySet, most, Orders::Every, Sets::Every, FIRST),
            (EverySet, most, Orders::Every, Sets::Every, PLAN),
            (Overtaking, overtaking, Orders::Every, Sets::Every, reorder),
            (OneCrash, if survives { most } else { 0 }, Orders::Every, Sets::Every, crash),
        ];
        rungs.into_iter().flat_map(move |(rung, most, orders, sets, plan)| {
            (least..=most).map(move |nodes| (rung, nodes, family_of(info, nodes, orders, sets), plan))
        })
    }
}

const PLAN: Plan = Plan { freedom: CALM, reduction: true, symmetry: true, fingerprints: false };
const CALM: Freedom = Freedom::NONE;
const FIRST: Plan = Plan { freedom: Freedom { starts_first: true, ..CALM }, ..PLAN };

#[derive(Clone, Copy, PartialEq, Eq)]
enum Orders {
    Ascending,
    Every,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sets {
    All,
    Every,
}

fn family_of(info: &'static Info, nodes: u32, orders: Orders, sets: Sets) -> Family {
    let ids = match orders {
        _ if info.is_anonymous() => Some(vec![Id(1); nodes as usize]),
        Orders::Ascending => Some((1..=nodes.into()).map(Id).collect()),
        Orders::Every => None,
    };
    let starters = (sets == Sets::All).then_some(Starters::All);
    let member = |network| Member { network, ids: ids.clone(), starters: starters.clone() };
    Family { info, settings: Settings::new(), members: networks(info, nodes).into_iter().map(member).collect() }
}

/// All networks of a kind. With four nodes only those with few links, because the others have too many schedules.
fn networks(info: &Info, nodes: u32) -> Vec<Network> {
    const FEW: u64 = 4;
    let one = |name: &str| {
        let topology = format!("{name}:{nodes}").parse::<Topology>().expect("a topology");
        vec![topology.build(1).expect("a network")]
    };
    let mut all = match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing => one("ring"),
        TopologyKind::Tree => enumerate::trees(nodes).expect("few trees"),
        TopologyKind::Connected => enumerate::graphs(nodes).expect("few graphs"),
        TopologyKind::Complete => one("complete"),
    };
    all.retain(|network| nodes < 4 || network.links() <= FEW || info.topology != TopologyKind::Connected);
    all.into_iter().map(|network| assumptions::oriented(network, info)).collect()
}

/// An algorithm that is tested by the checker and by the simulator.
struct Suspect {
    algorithm: &'static Algorithm,
}

/// Where a bug was found: the rung, the number of nodes, and the broken properties.
type Found = Option<(Rung, u32, Vec<Property>)>;

impl Suspect {
    /// Climbs until a property is broken.
    fn climb(&self, ladder: &Ladder) -> Found {
        for (rung, nodes, family, plan) in ladder.searches() {
            let Ok(verdict) = self.check(&family, plan) else { return Some((Refused, nodes, vec![])) };
            let broken = properties(&verdict);
            if broken.is_empty() {
                assert!(verdict.is_complete(), "{rung:?} on {nodes} nodes: {:?}", verdict.stopped);
                continue;
            }
            for plan in [Plan { reduction: false, symmetry: false, ..plan }, Plan { fingerprints: true, ..plan }] {
                assert_eq!(self.check(&family, plan).as_ref().map(properties), Ok(broken.clone()), "without shortcuts");
            }
            for counterexample in &verdict.broken {
                // Bounds are only checked for a correct election.
                if counterexample.property != Bounds || broken == [Bounds] {
                    self.play_again(counterexample);
                }
            }
            return Some((rung, nodes, broken));
        }
        let itself = algorithm(ladder.info.name).expect("it is in the catalogue");
        if !itself.is_synchronous() || !ladder.info.randomised {
            return None;
        }
        let (mut mine, mut right) = (RoundAutomaton::new(self.algorithm), RoundAutomaton::new(itself));
        let differs = |nodes: &u32| chances(ladder, *nodes, &mut mine) != chances(ladder, *nodes, &mut right);
        (ladder.least..=ladder.most).find(differs).map(|nodes| (Chances, nodes, vec![]))
    }

    fn check(&self, family: &Family, plan: Plan) -> Result<Conclusion, String> {
        check(family.scenarios(), self.algorithm, plan, &Ledger::new(1 << 30), 2)
    }

    /// The simulator must find the same.
    fn play_again(&self, Counterexample { property, story, .. }: &Counterexample) {
        let mut lines = story.events.iter().cloned().map(Line::from).chain([Line::Ending(story.ending())]);
        let report = match replay(self.algorithm, &story.scenario, &mut || Ok(lines.next())) {
            Ok(report) => report,
            Err(failure) => panic!("{failure:?}"),
        };
        match property {
            Ends => assert_eq!(report.outcome, Outcome::Limit),
            _ => assert!(report.broken.contains(*property), "{property}: {:?}", report.violations),
        }
    }
}

fn properties(verdict: &Conclusion) -> Vec<Property> {
    verdict.broken.iter().map(|broken| broken.property).collect()
}

/// The odds of the first three phases, and the expectations.
fn chances(ladder: &Ladder, nodes: u32, lockstep: &mut RoundAutomaton) -> Odds {
    let family = family_of(ladder.info, nodes, Orders::Ascending, Sets::All);
    let scenario = family.scenarios().next().expect("a configuration");
    let process = lockstep.process(&scenario, &Ledger::new(1 << 30)).expect("few states");
    odds(&process, 3, &Ledger::new(0)).expect("nobody stops it")
}

/// Lets the algorithm itself climb, and then all its mutants.
struct Hunt {
    ladder: Ladder,
    found: Vec<(&'static str, Found)>,
}

impl Hunt {
    fn new(name: &str) -> Self {
        let ladder = Ladder::of(name);
        let itself = Suspect { algorithm: algorithm(name).expect("it is in the catalogue") };
        assert_eq!(itself.climb(&ladder), None, "{name}");
        Self { ladder, found: vec![] }
    }
}

impl Visitor for Hunt {
    fn process<P: Process>(&mut self, bug: &'static str) {
        let suspect = Suspect { algorithm: Algorithm::process::<P>() };
        self.found.push((bug, suspect.climb(&self.ladder)));
    }

    fn rounds<R: Rounds>(&mut self, bug: &'static str) {
        let suspect = Suspect { algorithm: Algorithm::in_rounds::<R>() };
        self.found.push((bug, suspect.climb(&self.ladder)));
    }
}

/// The bug is found on this rung, with this many nodes, and breaks these properties.
fn on(rung: Rung, nodes: u32, broken: &[Property]) -> Found {
    Some((rung, nodes, broken.to_vec()))
}

/// The bug cannot be found in the schedules of one election, for this reason.
fn out_of_reach(_: &str) -> Found {
    None
}

#[test]
fn bugs_in_chang_roberts() {
    let mut hunt = Hunt::new("chang-roberts");
    mutants::chang_roberts(&mut hunt);
    let again = "the checker holds one election";
    assert_eq!(
        hunt.found,
        [
            ("the smallest id passes", on(Together, 2, &[Winner])),
            ("its own id passes too", on(Together, 1, &[Ends])),
            ("a participant passes smaller ids on", on(Together, 2, &[OneLeader, Steady, Leader, Bounds])),
            ("a sleeping node swallows smaller ids", on(EverySet, 2, &[Leader, Bounds])),
            (
                "a sleeping node stands, and passes the smaller id on as well",
                on(EverySet, 2, &[OneLeader, Steady, Leader, Bounds])
            ),
            ("a sleeping node that a larger id wakes up stands all the same", on(EverySet, 3, &[Bounds])),
            ("candidatures go the wrong way", on(Refused, 1, &[])),
            ("the leader does not announce", on(Together, 2, &[Informed])),
            ("the leader passes its own announcement on", on(Together, 1, &[Ends])),
            ("a follower does not pass the announcement on", on(Together, 3, &[Informed])),
            ("a follower takes itself for the leader", on(Together, 2, &[Informed])),
            ("a follower goes on taking part", on(Together, 2, &[Informed])),
            ("an incumbent does not step down", on(Overtaking, 2, &[Informed])),
            ("an incumbent that starts the next election does not step down", out_of_reach(again)),
            ("nobody starts a second election", out_of_reach(again)),
        ]
    );
}

/// If all nodes start at once, none sleeps. A set of initiators shows the bug if and only if it does not contain the
/// largest id: nothing gets past that node.
#[test]
fn only_sets_of_initiators_show_who_swallows_smaller_ids_in_its_sleep() {
    struct Sleeper;
    impl Visitor for Sleeper {
        fn process<P: Process>(&mut self, bug: &'static str) {
            if bug != "a sleeping node swallows smaller ids" {
                return;
            }
            let broken = |scenarios: Vec<Scenario>, plan| {
                let verdict =
                    check(scenarios.into_iter(), Algorithm::process::<P>(), plan, &Ledger::new(1 << 30), 2).unwrap();
                assert!(verdict.is_complete());
                properties(&verdict)
            };
            for nodes in 1..=6 {
                let all = family_of(P::INFO, nodes, Orders::Every, Sets::All);
                assert_eq!(broken(all.scenarios().collect(), FIRST), []);
                // An initiator that starts later may be asleep when the first message arrives.
                assert_eq!(broken(all.scenarios().collect(), PLAN).contains(&Leader), nodes > 1);
            }
            let (mut sets, mut shown) = (0, 0);
            for scenario in family_of(P::INFO, 4, Orders::Every, Sets::Every).scenarios() {
                let largest = (0..4).max_by_key(|node: &Node| scenario.ids[*node as usize]).unwrap();
                let sleeps = scenario.initiators.round_of(largest).is_none();
                assert_eq!(broken(vec![scenario], FIRST).first(), sleeps.then_some(&Leader));
                (sets, shown) = (sets + 1, shown + u32::from(sleeps));
            }
            assert_eq!((sets, shown), (6 * 15, 6 * 7));
        }

        fn rounds<R: Rounds>(&mut self, _: &'static str) {}
    }
    mutants::chang_roberts(&mut Sleeper);
}

#[test]
fn bugs_in_peterson() {
    let mut hunt = Hunt::new("peterson");
    mutants::peterson(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("> for >=", on(Together, 3, &[Leader])),
            ("min for max", on(Together, 2, &[Winner])),
            (
                "the second message is the first one's value, not the larger",
                on(Together, 2, &[OneLeader, Steady, Leader])
            ),
            ("the second value is not looked at", on(EveryOrder, 3, &[OneLeader, Steady, Leader, Bounds])),
            ("a survivor keeps its own value", on(Together, 3, &[Winner])),
            ("a relay does not know its own id", on(Together, 3, &[Ends])),
            ("the leader passes on what still comes", on(Together, 2, &[Ends])),
            (
                "a sleeping node that hears of the election joins in",
                on(EverySet, 2, &[OneLeader, Steady, Leader, Bounds])
            ),
            ("the leader passes its own announcement on", on(Together, 1, &[Ends])),
        ]
    );
}

#[test]
fn bugs_in_itai_rodeh_in_rounds() {
    let mut hunt = Hunt::new("itai-rodeh-sync");
    mutants::itai_rodeh_sync(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("the largest draw wins, unique or not", on(Together, 2, &[OneLeader])),
            ("one draw is not waited for", on(Together, 2, &[OneLeader, Bounds])),
            ("draws go one hop too far", on(Together, 2, &[Leader])),
            ("its own draw does not count", on(Together, 2, &[OneLeader, Leader])),
            ("all but the winner lead", on(Together, 3, &[OneLeader])),
            ("all draw again unless the largest draw is unique", on(Chances, 3, &[])),
        ]
    );
}

#[test]
fn bugs_in_tree_waves() {
    let mut hunt = Hunt::new("tree-waves");
    mutants::tree_waves(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("a leaf echoes only when it receives an explosion", on(Together, 2, &[Leader, Bounds])),
            ("an echo does not wake anybody up", on(Overtaking, 2, &[Leader, Informed])),
            ("the explosion goes back as well", on(EverySet, 2, &[Bounds])),
        ]
    );
}

#[test]
fn bugs_in_traversal_edge_colouring() {
    let mut hunt = Hunt::new("traversal-edge-colouring");
    mutants::traversal_edge_colouring(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("only one end colours a link", on(EverySet, 3, &[Bounds])),
            ("a link that closes a cycle is taken for one of the tree", on(Together, 3, &[Bounds])),
        ]
    );
}

#[test]
fn bugs_in_echo_election() {
    let mut hunt = Hunt::new("echo-election");
    mutants::echo_election(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("a leaf that belongs to a wave is not conquered", on(Together, 2, &[Leader])),
            ("an echo counts for every wave", on(Together, 4, &[Informed, Bounds])),
        ]
    );
}

#[test]
fn bugs_in_adoption() {
    let mut hunt = Hunt::new("adoption");
    mutants::adoption(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("an echo is compared with the mark of the node", on(Together, 4, &[Leader])),
            ("3d: the link is left open", on(Together, 3, &[Leader])),
            ("3d: no answer", on(Together, 3, &[Leader])),
            ("3a: compared with the mark of the node", on(Together, 3, &[Leader])),
            ("3b: compared with the mark of the node", on(Together, 3, &[Leader])),
        ]
    );
}

#[test]
fn bugs_in_floodmax() {
    let mut hunt = Hunt::new("floodmax");
    mutants::floodmax(&mut hunt);
    assert_eq!(hunt.found, [("what is sent in the last round is not read", on(Together, 2, &[OneLeader]))]);
}

#[test]
fn bugs_in_bully() {
    let mut hunt = Hunt::new("bully");
    mutants::bully(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            (
                "it waits for less than a round trip",
                out_of_reach("the checker has no clock: a timer goes off when nothing is under way")
            ),
            ("the largest id leads at once", on(Together, 2, &[Bounds])),
            ("who was answered waits for the result for ever", on(OneCrash, 2, &[Leader])),
            ("nobody minds that its leader is down", on(OneCrash, 2, &[Leader])),
        ]
    );
}

#[test]
fn bugs_in_random_candidacy() {
    let mut hunt = Hunt::new("random-candidacy");
    mutants::random_candidacy(&mut hunt);
    assert_eq!(
        hunt.found,
        [
            ("who is inactive no longer listens", on(Together, 3, &[OneLeader])),
            ("who tosses a 1 leads", on(Together, 2, &[OneLeader])),
            (
                "who is inactive waits for ever if all the active die",
                out_of_reach("it takes two crashes: one active node alone leads")
            ),
            ("nobody minds that its leader is down", on(OneCrash, 2, &[Leader])),
            ("what the dead have bid counts", on(OneCrash, 2, &[Leader])),
            ("who tosses a 0 always drops out", on(Chances, 3, &[])),
        ]
    );
}
