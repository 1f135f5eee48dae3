//! Exact odds of the randomised algorithms: the fractions of the literature.

use bellwether_algorithms::complete::RandomCandidacy;
use bellwether_algorithms::ring::ItaiRodeh;
use bellwether_check::Plan;
use bellwether_check::exact::{DecisionProcess, Odds, RoundAutomaton, odds};
use bellwether_check::graph::StateGraph;
use bellwether_check::ledger::Ledger;
use bellwether_check::machine::Machine;
use bellwether_core::{Id, Process, Rounds, Settings};
use bellwether_net::Topology;
use bellwether_world::host::Algorithm;
use bellwether_world::{Freedom, Scenario, assumptions};
use num_rational::BigRational;

fn ratio(p: u64, q: u64) -> Option<BigRational> {
    Some(BigRational::new(p.into(), q.into()))
}

fn scenario(info: &'static bellwether_core::Info, topology: &str, k: Option<u64>) -> Scenario {
    let network = topology.parse::<Topology>().unwrap().build(1).unwrap();
    let network = assumptions::oriented(network, info);
    let ids = vec![Id(1); bellwether_net::Wiring::nodes(&network) as usize];
    let settings: Settings = k.into_iter().map(|k| ("k".into(), k)).collect();
    Scenario { settings, ..Scenario::new(info, network, ids) }
}

fn in_events<P: Process>(topology: &str, k: Option<u64>, reduction: bool) -> Odds {
    let freedom = Freedom { starts_first: true, ..Freedom::default() };
    let plan = Plan { freedom, reduction, symmetry: true, fingerprints: false };
    let scenario = scenario(P::INFO, topology, k);
    let mut machine = Machine::new(Algorithm::process::<P>(), &scenario, plan).unwrap();
    let graph = StateGraph::new(&mut machine, &Ledger::new(1 << 30)).unwrap();
    odds(&DecisionProcess::from(&graph), 3, &Ledger::new(0)).unwrap()
}

fn in_rounds<R: Rounds>(topology: &str, k: Option<u64>) -> Odds {
    let process = RoundAutomaton::new(Algorithm::in_rounds::<R>())
        .process(&scenario(R::INFO, topology, k), &Ledger::new(1 << 30));
    odds(&process.unwrap(), 3, &Ledger::new(0)).unwrap()
}

#[test]
fn tournaments_of_itai_and_rodeh() {
    for (n, k, p, q) in [(2, 2, 2, 1), (3, 2, 7, 3), (3, 3, 27, 16), (4, 4, 8, 5), (5, 5, 5825, 3744)] {
        let odds = in_events::<ItaiRodeh>(&format!("ring:{n}"), Some(k), true);
        assert_eq!(odds.phases.least, ratio(p, q), "n = {n}, K = {k}");
        assert_eq!(odds.phases.most, ratio(p, q), "n = {n}, K = {k}");
    }
}

#[test]
fn no_schedule_changes_the_odds_on_a_one_way_ring() {
    for (n, k) in [(2, 2), (3, 2), (3, 3)] {
        let topology = format!("ring:{n}");
        let [one, all] = [true, false].map(|reduction| in_events::<ItaiRodeh>(&topology, Some(k), reduction));
        assert_eq!(one, all);
        assert!(all.messages.same().is_some());
    }
}

#[test]
fn phases_of_random_candidacy() {
    for (n, p, q) in [(1, 2, 1), (2, 2, 1), (3, 7, 3), (5, 133, 45)] {
        let odds = in_rounds::<RandomCandidacy>(&format!("complete:{n}"), None);
        assert_eq!(odds.phases.same(), ratio(p, q).as_ref(), "n = {n}");
        assert_eq!(odds.messages.same(), ratio(2 * n * (n - 1), 1).as_ref(), "n = {n}");
    }
}
