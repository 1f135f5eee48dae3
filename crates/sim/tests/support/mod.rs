//! What tests share: a scenario in a line, and a run by an algorithm's name.
#![allow(dead_code, reason = "not every test file needs all of it")]

use bellwether_algorithms::registry::{self, Visitor};
use bellwether_core::{Id, Info, Process, Round, Rounds, Settings};
use bellwether_sim::{Error, Watcher, Wishes, play_process, play_rounds};
use bellwether_world::trace::Event;
use bellwether_world::{Report, Ring, Scenario, Timing};

/// The catalogue entry of this name.
pub fn info(name: &str) -> &'static Info {
    registry::CATALOGUE.iter().find(|info| info.name == name).copied().unwrap_or_else(|| panic!("no {name}"))
}

/// A scenario on a ring in which everybody starts, under the schedule that the algorithm is written for.
pub fn ring(name: &str, ids: &[u64]) -> Scenario {
    let timing = match info(name).model {
        bellwether_core::Model::Asynchronous => Timing::Unit,
        bellwether_core::Model::Synchronous => Timing::Rounds,
    };
    Scenario {
        algorithm: name.into(),
        topology: Ring::new(ids.len() as u64).unwrap(),
        ids: ids.iter().copied().map(Id).collect(),
        initiators: (0..ids.len()).map(|node| (node, Round::FIRST)).collect(),
        timing,
        seed: 1,
        settings: Settings::new(),
        draws: vec![],
        elections: 1,
        forced: false,
        limit: 1_000_000,
    }
}

/// The same with these initiators.
pub fn started_by(scenario: Scenario, initiators: &[usize]) -> Scenario {
    Scenario { initiators: initiators.iter().map(|&node| (node, Round::FIRST)).collect(), ..scenario }
}

/// Plays a scenario.
pub fn play(scenario: &Scenario) -> Report {
    visit(scenario, None).unwrap_or_else(|error| panic!("{error}: {scenario:?}"))
}

/// Plays a scenario and records it.
pub fn record(scenario: &Scenario) -> (Report, Vec<Event>) {
    let mut events = vec![];
    let report = visit(scenario, Some(&mut |event| events.push(event))).unwrap();
    (report, events)
}

/// Plays a scenario, which may be refused.
pub fn visit<'a>(scenario: &'a Scenario, record: Option<&'a mut dyn FnMut(Event)>) -> Result<Report, Error> {
    struct Play<'a>(&'a Scenario, Wishes<'a>);
    impl Visitor for Play<'_> {
        type Output = Result<Report, Error>;

        fn process<P: Process>(self) -> Self::Output {
            play_process::<P>(self.0, self.1)
        }

        fn rounds<R: Rounds>(self) -> Self::Output {
            play_rounds::<R>(self.0, self.1)
        }
    }
    let mut watch = Watcher;
    let record = record.map(|sink| sink as &mut dyn FnMut(Event));
    let wishes = Wishes { record, watch: &mut watch, count_sends: true, full: false };
    registry::visit(&scenario.algorithm, Play(scenario, wishes)).expect("the algorithm exists")
}

/// All orders of `0..n`, by exchanging (Heap's way): n! of them.
pub fn orders(n: usize) -> Vec<Vec<u64>> {
    fn exchange(k: usize, order: &mut Vec<u64>, all: &mut Vec<Vec<u64>>) {
        if k <= 1 {
            return all.push(order.clone());
        }
        for i in 0..k {
            exchange(k - 1, order, all);
            order.swap(if k % 2 == 0 { i } else { 0 }, k - 1);
        }
    }
    let mut all = vec![];
    exchange(n, &mut (0..n as u64).collect(), &mut all);
    all
}

/// All orders of a ring up to rotation: 0 stays at node 0, so there are (n-1)! of them.
pub fn circular_orders(n: usize) -> Vec<Vec<u64>> {
    let lift = |order: Vec<u64>| std::iter::once(0).chain(order.into_iter().map(|id| id + 1)).collect();
    orders(n - 1).into_iter().map(lift).collect()
}

/// All sets of initiators but the empty one: 2^n - 1 of them.
pub fn initiator_sets(n: usize) -> impl Iterator<Item = Vec<usize>> {
    (1..1u32 << n).map(move |set| (0..n).filter(|node| set >> node & 1 == 1).collect())
}
