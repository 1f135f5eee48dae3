//! Random faults: from a seed alone, a plan of ordinary faults.
//!
//! Each kind of fault is drawn or left out by a coin, so that runs differ in kind and not only in degree. What would
//! break an assumption of the algorithm is left out, unless that is wanted. Faults that strike at a time do so in the
//! first two thirds of a run. So the last third shows whether the algorithm gets over them.

use std::str::FromStr;

use bellwether_core::{Info, Meaning, Span};
use bellwether_net::{Node, Wiring};
use bellwether_random::{Purpose, Stream};

use crate::faults::{Chance, Window};
use crate::{Fault, Scenario, Time, Timing, assumptions};

/// How much goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chaos {
    /// Few faults, and short ones.
    Mild,
    /// Many of them, and long ones; disks are lost, too.
    Harsh,
}

impl FromStr for Chaos {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "random" | "random:mild" => Ok(Self::Mild),
            "random:harsh" => Ok(Self::Harsh),
            _ => Err(format!("'{text}' is not one of random, random:mild and random:harsh")),
        }
    }
}

impl Chaos {
    /// Whether a text speaks of random faults.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        text == "random" || text.starts_with("random:")
    }

    /// Adds random faults to a scenario: those that its seed determines.
    ///
    /// # Errors
    /// If its run has no time in which they could strike.
    pub fn strike(self, scenario: &mut Scenario, info: &Info, even_if_forbidden: bool) -> Result<(), String> {
        if matches!(scenario.timing, Timing::Rounds | Timing::Live(_) | Timing::Chosen(_)) {
            return Err("random faults are for simulated runs of events: take --timing unit or uniform".into());
        }
        let is_lawful = assumptions::broken(scenario, info).is_empty();
        let mut dice = Dice::new(self, scenario, info);
        for group in dice.throw(info.perpetual || even_if_forbidden) {
            let planned = scenario.faults.len();
            scenario.faults.extend(group);
            let may_stay = even_if_forbidden || !is_lawful || assumptions::broken(scenario, info).is_empty();
            if scenario.check_faults().is_err() || !may_stay {
                scenario.faults.truncate(planned);
            }
        }
        Ok(())
    }
}

/// What faults are drawn with.
struct Dice {
    chaos: Chaos,
    stream: Stream,
    nodes: Node,
    /// The links, each once.
    links: Vec<(Node, Node)>,
    /// How long the run takes, about.
    lasts: u64,
    /// By how much clocks may differ from time, in percent.
    drift: u64,
    /// Whether processes save anything.
    saves: bool,
}

impl Dice {
    fn new(chaos: Chaos, scenario: &Scenario, info: &Info) -> Self {
        let network = &scenario.topology;
        let nodes = network.nodes();
        let ends = |node: Node| network.neighbours(node).filter(move |far| *far > node).map(move |far| (node, far));
        let usual = Time::units(4 * u128::from(nodes));
        let lasts = scenario.until.unwrap_or(usual).as_span().unwrap_or(Span(u64::MAX)).0.max(Span::UNIT.0);
        let drift = info.drift(&scenario.settings).unwrap_or(Meaning::USUAL_DRIFT).min(25);
        let links = (0..nodes).flat_map(ends).collect();
        let stream = Stream::new(scenario.seed, Purpose::Incidents);
        Self { chaos, stream, nodes, links, lasts, drift, saves: info.perpetual }
    }

    /// Faults in groups that belong together.
    fn throw(&mut self, recovers: bool) -> Vec<Vec<Fault>> {
        let mut groups = vec![];
        for rate in [Fault::Loss, Fault::Duplicate, Fault::Reorder] {
            if self.coin() {
                groups.push(vec![rate(self.chance())]);
            }
        }
        for _ in 0..self.how_many() {
            let (cut, window) = (self.cut(), self.window());
            groups.push(vec![cut(window)]);
        }
        for _ in 0..self.how_many() {
            let (node, window) = (self.node(), self.window());
            let cuts = self.links.iter().filter(|(a, b)| *a == node || *b == node);
            groups.push(cuts.map(|(a, b)| Fault::Cut(*a, *b, window)).collect());
        }
        for _ in 0..self.how_many() {
            groups.push(vec![Fault::Pause(self.node(), self.window())]);
        }
        // Without recoveries, a majority stays.
        let most = if recovers { u64::MAX } else { u64::from((self.nodes - 1) / 2) };
        for _ in 0..self.how_many().min(most) {
            let (node, Window { since, until }) = (self.node(), self.window());
            let wiped = self.chaos == Chaos::Harsh && self.stream.below(4) == 0;
            let back = until.filter(|_| recovers).map(|until| Fault::Recover(node, until));
            let wipe = back.filter(|_| wiped).map(|_| Fault::Wipe(node, since));
            groups.push([Fault::Crash(node, since)].into_iter().chain(wipe).chain(back).collect());
        }
        if self.coin() {
            groups.extend((0..self.nodes).map(|node| vec![Fault::Drift(node, self.rate())]));
        }
        for _ in 0..if self.saves { self.how_many() } else { 0 } {
            groups.push(vec![Fault::Disk(self.node(), Span(self.up_to(Span::UNIT.0 * self.degree(1, 4))))]);
        }
        // It lasts for ever, so no more than one node is slow.
        if self.coin() {
            groups.push(vec![Fault::Slow(self.node(), 2 + self.stream.below(self.degree(1, 3)) as u32)]);
        }
        groups
    }

    /// One number for mild faults, another for harsh ones.
    fn degree(&self, mild: u64, harsh: u64) -> u64 {
        match self.chaos {
            Chaos::Mild => mild,
            Chaos::Harsh => harsh,
        }
    }

    /// Whether a kind of fault occurs.
    fn coin(&mut self) -> bool {
        let of_four = self.degree(1, 2);
        self.stream.below(4) < of_four
    }

    /// How many faults of a kind occur.
    fn how_many(&mut self) -> u64 {
        let most = self.degree(1, 3);
        if self.coin() { 1 + self.stream.below(most) } else { 0 }
    }

    fn node(&mut self) -> Node {
        self.stream.below(self.nodes.into()) as Node
    }

    /// A probability in whole percent.
    fn chance(&mut self) -> Chance {
        let most = self.degree(10, 40);
        Chance((1 + self.stream.below(most)) as u32 * (Chance::ONE.0 / 100))
    }

    /// A time in hundredths of a unit, of at least one of them.
    fn up_to(&mut self, most: u64) -> u64 {
        const HUNDREDTH: u64 = Span::UNIT.0 / 100;
        (1 + self.stream.below((most / HUNDREDTH).max(1))) * HUNDREDTH
    }

    /// A part of the first two thirds of the run.
    fn window(&mut self) -> Window {
        let (latest, longest) = (self.lasts / 3 * 2, self.lasts / self.degree(12, 4));
        let since = Time::after(Span(self.up_to(latest.saturating_sub(longest))));
        Window { since, until: Some(since + Span(self.up_to(longest))) }
    }

    /// A link that is cut, in both directions or in one.
    fn cut(&mut self) -> impl Fn(Window) -> Fault + use<> {
        // A network of one node may have no link to another.
        let (a, b) = match self.links.len() {
            0 => (0, 0),
            links => self.links[self.stream.below(links as u64) as usize],
        };
        let kind = self.stream.below(3);
        move |window| match kind {
            0 => Fault::Cut(a, b, window),
            1 => Fault::OneWay(a, b, window),
            _ => Fault::OneWay(b, a, window),
        }
    }

    /// How fast a clock runs: as slow or as fast as it may, or something in between.
    fn rate(&mut self) -> Span {
        let most = Span::UNIT.0 / 100 * self.drift;
        let off = match self.stream.below(3) {
            0 => 0,
            1 => 2 * most,
            _ => self.stream.below(2 * most + 1),
        };
        Span(Span::UNIT.0 - most + off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether_core::{Id, Info, LinkOrder, TopologyKind};
    use bellwether_net::Topology;

    const HARDY: Info = Info {
        name: "hardy",
        topology: TopologyKind::Complete,
        perpetual: true,
        survives_crashes: true,
        ..Info::EVENTS
    };
    const FRAIL: Info = Info { name: "frail", links: LinkOrder::Fifo, ..Info::EVENTS };

    fn drawn(info: &Info, chaos: Chaos, seed: u64, even_if_forbidden: bool) -> Scenario {
        let network = "complete:4".parse::<Topology>().unwrap().build(1).unwrap();
        let mut scenario = Scenario { seed, ..Scenario::new(info, network, (1..=4).map(Id).collect()) };
        chaos.strike(&mut scenario, info, even_if_forbidden).unwrap();
        scenario
    }

    #[test]
    fn the_seed_alone_determines_faults_that_are_possible() {
        let mut kinds = std::collections::BTreeSet::new();
        for seed in 0..300 {
            let scenario = drawn(&HARDY, Chaos::Harsh, seed, false);
            assert_eq!(scenario.faults, drawn(&HARDY, Chaos::Harsh, seed, false).faults);
            assert_eq!(scenario.check_faults(), Ok(()));
            kinds.extend(scenario.faults.iter().map(|fault| fault.to_string().split('=').next().unwrap().to_string()));
            for fault in &scenario.faults {
                assert_eq!(fault.to_string().parse(), Ok(*fault), "it can be typed");
            }
        }
        let all = ["crash", "cut", "disk", "drift", "duplicate", "loss", "oneway", "pause", "recover", "reorder"];
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), [&all[..], &["slow", "wipe"]].concat());
    }

    #[test]
    fn what_the_algorithm_does_not_survive_is_left_out_unless_wanted() {
        let all = (0..100).flat_map(|seed| drawn(&FRAIL, Chaos::Harsh, seed, false).faults);
        assert!(all.clone().count() > 100);
        let harmless = |fault: &Fault| matches!(fault, Fault::Slow(..) | Fault::Pause(..) | Fault::Drift(..));
        assert!(all.clone().all(|fault| harmless(&fault)), "{:?}", all.collect::<Vec<_>>());
        let forced = (0..100).flat_map(|seed| drawn(&FRAIL, Chaos::Mild, seed, true).faults);
        assert!(forced.clone().any(|fault| !harmless(&fault)));
    }

    #[test]
    fn clocks_stay_within_the_bound_that_processes_were_told() {
        for seed in 0..100 {
            let rates = drawn(&HARDY, Chaos::Harsh, seed, false).faults.into_iter().filter_map(|fault| match fault {
                Fault::Drift(_, rate) => Some(rate.0),
                _ => None,
            });
            for rate in rates {
                assert!((990_000..=1_010_000).contains(&rate), "{rate}");
            }
        }
    }
}
