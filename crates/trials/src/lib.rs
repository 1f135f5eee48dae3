//! What tests share: a scenario in one line, and a run by the name of an algorithm.

pub mod member;
pub mod networks;
pub mod published;
pub mod theory;

use bellwether_algorithms::registry;
use bellwether_core::{Id, Info, LinkOrder, Span, Starters, Starts, TopologyKind, Values};
use bellwether_net::Network;
use bellwether_world::host::{Count, Error, Watcher, Wishes};
use bellwether_world::trace::{Decision, Event};
use bellwether_world::{Report, Scenario, Time, Timing};

/// The catalogue entry with this name.
pub fn info(name: &str) -> &'static Info {
    let mut all = registry::CATALOGUE.iter().chain(registry::PERPETUAL);
    all.find(|info| info.name == name).copied().unwrap_or_else(|| panic!("no {name}"))
}

/// The entries of the algorithms for rings.
pub fn rings() -> impl Iterator<Item = &'static Info> {
    let is_ring = |kind| matches!(kind, TopologyKind::OneWayRing | TopologyKind::TwoWayRing);
    registry::CATALOGUE.iter().copied().filter(move |info| is_ring(info.topology))
}

/// A scenario in which all nodes start, or only node 0 if the algorithm has one initiator.
pub fn on(name: &str, network: Network, ids: &[u64]) -> Scenario {
    let info = info(name);
    let scenario = Scenario::new(info, network, ids.iter().copied().map(Id).collect());
    let initiators = if info.starts == Starts::One { Starters::together([0]) } else { Starters::All };
    Scenario { initiators, limit: 1_000_000, ..scenario }
}

/// The same on a ring.
pub fn ring(name: &str, ids: &[u64]) -> Scenario {
    on(name, networks::ring_of(ids.len()), ids)
}

/// The schedules under which the algorithm is promised to work.
pub fn timings(info: &Info) -> impl Iterator<Item = Timing> {
    let any_order = info.links == LinkOrder::Any;
    Timing::ALL.into_iter().filter(move |timing| any_order || timing.is_fifo())
}

/// The same with these initiators.
pub fn started_by(scenario: Scenario, initiators: &[usize]) -> Scenario {
    Scenario { initiators: Starters::together(initiators.iter().map(|&node| node as u32)), ..scenario }
}

/// The same with these first random choices, by node.
pub fn drawing(scenario: Scenario, draws: &[Vec<u64>]) -> Scenario {
    Scenario { draws: draws.to_vec(), ..scenario }
}

/// Plays a scenario that must be correct.
pub fn elect(scenario: &Scenario) -> Report {
    let report = play(scenario);
    assert!(report.is_right(), "{}", failure(scenario, &report));
    report
}

/// The failure, and the command line that repeats it.
pub fn failure(scenario: &Scenario, report: &Report) -> String {
    format!("{}: {:?}\n  {}", report.outcome, report.violations, command(scenario))
}

/// The command line that plays this scenario.
pub fn command(scenario: &Scenario) -> String {
    let Scenario { algorithm, topology, timing, seed, .. } = scenario;
    let info = info(algorithm);
    let mut words = vec![format!("bellwether run {algorithm} --topology {}", quoted(&topology.name))];
    if !info.is_anonymous() {
        words.push(format!("--ids {}", list(&scenario.ids)));
    }
    if scenario.start_together() {
        words.push(format!("--initiators {}", list(scenario.electorate().initiators().map(|(node, _)| node))));
    } else {
        words.extend(scenario.electorate().initiators().map(|(node, round)| format!("--wake {node}@{round}")));
    }
    words.push(format!("--timing {timing} --seed {seed}"));
    for (name, &value) in &scenario.settings {
        let setting = info.settings.iter().find(|setting| setting.name == name);
        words.push(match setting.map(|setting| &setting.values) {
            Some(Values::OneOf(choices)) => format!("--set {name}={}", choices[value as usize]),
            Some(Values::AtLeast(_) | Values::Between(..)) | None => format!("--set {name}={value}"),
        });
    }
    words.extend(scenario.faults.iter().map(|fault| format!("--fault '{fault}'")));
    if scenario.detection != Span(0) {
        words.push(format!("--detect {}", Time::after(scenario.detection)));
    }
    if scenario.elections > 1 {
        words.push(format!("--elections {}", scenario.elections));
    }
    if scenario.forced {
        words.push("--force".into());
    }
    if !scenario.draws.is_empty() {
        words.push(format!("--draws <(echo '{:?}')", scenario.draws));
    }
    words.join(" ")
}

/// A word, quoted for a shell.
fn quoted(word: &str) -> String {
    if word.contains(' ') { format!("'{word}'") } else { word.into() }
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(",")
}

/// The messages of the algorithm by kind, without those of an adaptor.
pub fn kinds(report: &Report) -> Vec<(&'static str, u64)> {
    report.kinds.iter().filter(|kind| !kind.overhead).map(|kind| (kind.name, kind.count)).collect()
}

/// The id of the only leader.
pub fn leader(report: &Report) -> u64 {
    let [leader] = report.leaders[..] else { panic!("leaders: {:?}", report.leaders) };
    leader.id.expect("an id").0
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
///
/// # Errors
/// If the run cannot be made.
pub fn visit<'a>(scenario: &'a Scenario, record: Option<&'a mut dyn FnMut(Event)>) -> Result<Report, Error> {
    let mut watch = Watcher;
    let record = record.map(|sink| sink as &mut dyn FnMut(Event));
    let wishes = Wishes { record, count: Count::Sends, ..Wishes::none(&mut watch) };
    bellwether_play::play(scenario, wishes).expect("the algorithm exists")
}

/// This many whole units, or rounds.
pub fn units(count: u64) -> Time {
    Time::units(count.into())
}

/// The times of this decision of a node.
pub fn moments(events: &[Event], node: usize, decision: Decision) -> Vec<Time> {
    let decisions = events.iter().filter(|event| event.node as usize == node && event.decision == Some(decision));
    decisions.map(|event| event.t).collect()
}

/// By node: the values of its random choices.
pub fn draws(events: &[Event], nodes: usize) -> Vec<Vec<u64>> {
    let mut draws = vec![vec![]; nodes];
    events.iter().for_each(|event| draws[event.node as usize].extend(&event.draws));
    draws
}

/// A fraction in lowest terms: `11/2`, or `3` for 6/2.
pub fn fraction(numerator: u64, denominator: u64) -> String {
    let (mut a, mut b) = (numerator, denominator);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    match (numerator / a, denominator / a) {
        (whole, 1) => whole.to_string(),
        (numerator, denominator) => format!("{numerator}/{denominator}"),
    }
}

/// The mean, as a fraction.
pub fn mean(costs: &[u64]) -> String {
    fraction(costs.iter().sum(), costs.len() as u64)
}

/// n H_n = n (1 + 1/2 + … + 1/n), as a fraction.
pub fn n_harmonic(n: u64) -> String {
    let factorial: u64 = (1..=n).product();
    fraction((1..=n).map(|i| n * (factorial / i)).sum(), factorial)
}

/// All words of this length over the letters `0..letters`.
pub fn every_word(letters: u64, length: usize) -> impl Iterator<Item = Vec<u64>> {
    let words = letters.pow(length as u32);
    (0..words).map(move |word| (0..length as u32).map(|place| word / letters.pow(place) % letters).collect())
}

/// All n! orders of `0..n`, by Heap's algorithm.
pub fn orders(n: usize) -> Vec<Vec<u64>> {
    fn exchange(k: usize, order: &mut Vec<u64>, all: &mut Vec<Vec<u64>>) {
        if k <= 1 {
            return all.push(order.clone());
        }
        for i in 0..k {
            exchange(k - 1, order, all);
            order.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
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
