//! The catalogue entry of an algorithm: what it assumes, what it promises, what it costs.
//!
//! Help, documentation, the checks before a run, the judge after it and the curves of a plot all come from here.

use std::fmt;

use crate::{Id, Knowledge, Round, Settings, Starters};

/// Everything the world must know about an algorithm without knowing its code.
#[derive(Debug)]
pub struct Info {
    /// Its name on the command line.
    pub name: &'static str,
    /// What else books and papers call it.
    pub aliases: &'static [&'static str],
    /// One line that says what is special about it.
    pub summary: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// The text of its own source file, whose head explains the algorithm.
    pub source: &'static str,
    /// Rounds or events.
    pub model: Model,
    /// The networks it runs on.
    pub topology: TopologyKind,
    /// Who may start.
    pub starts: Starts,
    /// What every process must know at birth.
    pub knows: &'static [Knowledge],
    /// The order in which a link must deliver.
    pub links: LinkOrder,
    /// Whether its processes choose at random.
    pub randomised: bool,
    /// Whether it elects all the same if processes crash, at any moment.
    pub survives_crashes: bool,
    /// Whether another election may follow on the same processes without any reset.
    pub repeatable: bool,
    /// Whether it never ends: a leader renews its leadership for ever, and another follows it.
    pub perpetual: bool,
    /// Whether it listens to connections that close. Then a process hears of it when a neighbour starts again.
    pub sessions: bool,
    /// Whether it goes through its ports in turn, so that it matters how they are numbered.
    pub in_turn: bool,
    /// Who wins.
    pub winner: Winner,
    /// What the others learn.
    pub informs: Informs,
    /// Its own parameters.
    pub settings: &'static [Setting],
    /// The entry that holds under these parameters, if they change what is promised or what it costs.
    pub variant: fn(&Settings) -> Option<&'static Info>,
    /// What it costs.
    pub bounds: Bounds,
    /// Its phases, if it has any.
    pub phases: Option<Phases>,
    /// Refuses an electorate among which it could not end.
    pub admits: fn(&Electorate) -> Result<(), Endless>,
    /// The options of a telling run.
    pub example: &'static str,
}

impl Info {
    /// The base of an asynchronous algorithm's entry: `Info { name: "mine", .., ..Info::EVENTS }`.
    ///
    /// An entry states at least its names, networks, starts, knowledge, links, winner and bounds. What it leaves out is
    /// answered here: no randomness, no crashes, one election, no parameters, any electorate.
    pub const EVENTS: Self = Self {
        name: "",
        aliases: &[],
        summary: "",
        paper: "",
        source: "",
        model: Model::Asynchronous,
        topology: TopologyKind::Connected,
        starts: Starts::Any,
        knows: &[],
        links: LinkOrder::Any,
        randomised: false,
        survives_crashes: false,
        repeatable: false,
        perpetual: false,
        sessions: false,
        in_turn: false,
        winner: Winner::Random,
        informs: Informs::End,
        settings: &[],
        variant: |_| None,
        bounds: Bounds::NONE,
        phases: None,
        admits: |_| Ok(()),
        example: "",
    };

    /// The base of a round-based algorithm's entry. Everybody starts.
    pub const ROUNDS: Self = Self { model: Model::Synchronous, starts: Starts::All, ..Self::EVENTS };

    /// Whether this is one of its names, in capitals or not.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        std::iter::once(&self.name).chain(self.aliases).any(|called| called.eq_ignore_ascii_case(name))
    }

    /// Whether processes have no id.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        !self.knows.contains(&Knowledge::Id)
    }

    /// The entry that holds under these parameters.
    #[must_use]
    pub fn under(&self, settings: &Settings) -> &Self {
        (self.variant)(settings).unwrap_or(self)
    }

    /// Its parameter of this meaning, if it has one.
    #[must_use]
    pub fn setting(&self, meaning: Meaning) -> Option<&'static Setting> {
        self.settings.iter().find(|setting| setting.meaning == meaning)
    }

    /// Whether it can keep its announcement back.
    #[must_use]
    pub const fn may_be_untold(&self) -> bool {
        let mut rest = self.settings;
        while let [first, others @ ..] = rest {
            if matches!(first.meaning, Meaning::Announce) {
                return true;
            }
            rest = others;
        }
        false
    }

    /// Whether it keeps its announcement back under these parameters.
    #[must_use]
    pub fn is_untold(&self, settings: &Settings) -> bool {
        self.value(Meaning::Announce, settings) == Some(Meaning::UNTOLD)
    }

    /// The value of its parameter of this meaning, if it has one and that is set.
    #[must_use]
    pub fn value(&self, meaning: Meaning, settings: &Settings) -> Option<u64> {
        settings.get(self.setting(meaning)?.name).copied()
    }

    /// The explanation at the head of the algorithm's file, as Markdown.
    #[must_use]
    pub fn explanation(&self) -> String {
        let head = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        head.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    }
}

/// The model that an algorithm is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Messages take any time; a [`Process`](crate::Process).
    Asynchronous,
    /// Everybody steps in rounds; a [`Rounds`](crate::Rounds).
    Synchronous,
}

/// The kind of network that an algorithm needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopologyKind {
    /// A ring on which messages only go clockwise.
    OneWayRing,
    /// A ring on which messages go both ways.
    TwoWayRing,
    /// A tree.
    Tree,
    /// Any connected network.
    Connected,
    /// Everybody is linked to everybody.
    Complete,
}

impl TopologyKind {
    /// Whether it is a ring.
    #[must_use]
    pub const fn is_ring(self) -> bool {
        matches!(self, Self::OneWayRing | Self::TwoWayRing)
    }
}

/// Which sets of initiators an algorithm accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// Every process starts, in round 1.
    All,
    /// Any set of processes starts at once.
    Any,
    /// Any set of processes, each waking up in a round of its own.
    AnyRound,
    /// One process starts.
    One,
}

/// The order in which a link delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkOrder {
    /// First in, first out.
    Fifo,
    /// The algorithm does not care.
    Any,
}

/// Who is promised to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// The largest id of all processes.
    MaxOfAll,
    /// The largest id of the initiators.
    MaxOfInitiators,
    /// The smallest id of all processes.
    MinOfAll,
    /// The smallest id of those that no message woke up.
    MinOfWakers,
    /// Anybody: chance decides.
    Random,
    /// Anybody: the places of the ids decide, or the schedule.
    Any,
}

/// What everybody but the leader knows in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Informs {
    /// Everybody knows the leader's id, and that the election is over.
    Leader,
    /// Everybody knows that somebody was elected; there are no ids.
    End,
    /// When all is quiet everybody holds the leader's id, but a follower never knows that it is final.
    Provisionally,
    /// The leader knows that it leads. Nobody else is told.
    Nobody,
}

/// Who takes part, and on what terms.
#[derive(Clone, Copy, Debug)]
pub struct Electorate<'a> {
    /// The id of every node.
    pub ids: &'a [Id],
    /// Who starts.
    pub starters: &'a Starters,
    /// The algorithm's parameters.
    pub settings: &'a Settings,
    /// The order in which links deliver.
    pub links: LinkOrder,
}

impl Electorate<'_> {
    /// The initiators in ascending order, each with its round.
    pub fn initiators(&self) -> impl Iterator<Item = (u32, Round)> + Clone {
        self.starters.among(self.ids.len() as u32)
    }

    /// On a ring: the initiators that wake up before any message can have reached them, at one hop a round.
    pub fn wakers(&self) -> impl Iterator<Item = u32> {
        let nodes = self.ids.len() as u128;
        let together = self.starters.are_together();
        let initiators = self.initiators();
        // The first front to reach an initiator is its predecessor's, or one that swept over the predecessor. Going
        // round twice settles all fronts, wherever one begins.
        let late = if together { 0 } else { self.starters.count(self.ids.len() as u32) };
        let mut fronts = vec![u128::MAX; late as usize];
        let mut front: Option<(u32, u128)> = None;
        let indexed = initiators.clone().take(late as usize).enumerate();
        for (index, (node, Round(wakes))) in indexed.clone().chain(indexed) {
            if let Some((from, since)) = front {
                let hops = (u128::from(node) + nodes - u128::from(from) - 1) % nodes + 1;
                fronts[index] = fronts[index].min(since + hops);
            }
            front = Some((node, wakes.min(fronts[index])));
        }
        let fronts = fronts.into_iter().chain(std::iter::repeat(u128::MAX));
        initiators.zip(fronts).filter(|((_, Round(wakes)), front)| wakes < front).map(|((node, _), _)| node)
    }
}

/// Why an election would not end: the reason, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endless {
    /// It would be busy for ever; a run shows it, up to its limit.
    Busy(String),
    /// It would fall silent before anybody leads; a run shows it.
    Silent(String),
    /// It would wait for longer than rounds can be counted; no run shows anything.
    Waiting(String),
}

/// A parameter of an algorithm.
#[derive(Debug)]
pub struct Setting {
    /// Its name, as in `--set NAME=VALUE`.
    pub name: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
    /// The values it takes.
    pub values: Values,
    /// What the world must know of it.
    pub meaning: Meaning,
}

impl Setting {
    /// The number of nodes that every process is told, for algorithms that must know it.
    pub const SIZE: Self = Self {
        name: "n",
        help: "the number of nodes that everybody is told; unless set, the true one",
        values: Values::AtLeast(1),
        meaning: Meaning::Size,
    };

    /// Whether the winner tells the others, for algorithms that elect without it.
    pub const ANNOUNCE: Self = Self {
        name: "announce",
        help: "the result is told to all (unless set), or to none",
        values: Values::OneOf(&["all", "none"]),
        meaning: Meaning::Announce,
    };
}

/// What the world must know of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Nothing: it is the algorithm's own affair.
    Own,
    /// It is the number of nodes that every process is told.
    Size,
    /// It is the bound on the diameter that every process is told.
    Diameter,
    /// Its second choice floods the announcement; its first sends it down a tree.
    Flood,
    /// Its second choice keeps the announcement back, which hosts do: see [`Untold`](crate::Untold).
    Announce,
    /// It is the bound on the drift of clocks that every process is told, in percent.
    Drift,
}

impl Meaning {
    /// The value of a parameter of the meaning [`Flood`](Self::Flood) that floods.
    pub const FLOODED: u64 = 1;

    /// The value of a parameter of the meaning [`Drift`](Self::Drift) that is not set.
    pub const USUAL_DRIFT: u64 = 1;

    /// The value of a parameter of the meaning [`Announce`](Self::Announce) that keeps the announcement back.
    pub const UNTOLD: u64 = 1;
}

/// The values that a parameter takes.
#[derive(Debug)]
pub enum Values {
    /// A number of at least this.
    AtLeast(u64),
    /// One of these words; the first is the default.
    OneOf(&'static [&'static str]),
}

/// What an algorithm costs, in election messages unless said otherwise.
#[derive(Debug)]
pub struct Bounds {
    /// No run of a fault-free network costs less.
    pub best: Option<Formula>,
    /// The mean over all orders of the ids if everybody starts, and over all random choices.
    pub mean: Option<Formula>,
    /// No run of a fault-free network costs more.
    pub worst: Option<Formula>,
    /// The exact number of announce messages.
    pub announce: Formula,
    /// By this time, or in this round, the last process has decided, if no message takes longer than one unit.
    pub time: Option<Formula>,
    /// At least this many messages are under way at some moment, if everybody starts at once and every message takes
    /// one unit.
    pub crowd: Option<Formula>,
    /// What no algorithm of its kind can do without.
    pub needed: Option<LowerBound>,
    /// The longest time without a leader after the leader has crashed, if nothing else fails.
    pub failover: Option<Failover>,
}

/// A bound on the time without a leader. No message takes longer than one unit.
#[derive(Clone, Copy, Debug)]
pub struct Failover {
    /// The bound. Its value depends on parameters, so a size alone gives none.
    pub formula: Formula,
    /// Its value under these parameters, if it is proved for them.
    pub of: fn(&Settings) -> Option<f64>,
}

/// A lower bound for all algorithms of a kind.
#[derive(Clone, Copy, Debug)]
pub struct LowerBound {
    /// The number of election messages. Without a known constant it has no value.
    pub messages: Formula,
    /// What it bounds, in a few words.
    pub of: &'static str,
    /// For which algorithms, and who proved it.
    pub theorem: &'static str,
}

impl LowerBound {
    /// On asynchronous one-way rings.
    pub const ONE_WAY: Self = Self {
        messages: Formula { text: "n H_n", of: |s| s.n * harmonic(s.n) },
        of: "the mean over all orders",
        theorem: "J. Pachl, E. Korach, D. Rotem (Journal of the ACM 31(4), 1984): on an asynchronous one-way ring \
                  whose size nobody knows, every deterministic algorithm that finds the largest id sends n H_n \
                  messages on average over all orders of the ids, if everybody starts.",
    };

    /// On asynchronous two-way rings.
    pub const TWO_WAY: Self = Self {
        messages: Formula {
            text: "(n lg n)/4, if n is a power of 2",
            of: |s| if libm::exp2(floor_lg(s.n)) == s.n { s.n * floor_lg(s.n) / 4.0 } else { f64::NAN },
        },
        of: "the worst order and schedule",
        theorem: "J. Burns (Technical Report 91, Indiana University, 1980): on an asynchronous two-way ring whose size \
                  nobody knows, every deterministic election sends (n lg n)/4 messages for some order and schedule.",
    };

    /// On rings in rounds, by comparisons alone.
    pub const COMPARISONS: Self = Self {
        messages: Formula { text: "Ω(n lg n)", of: |_| f64::NAN },
        of: "the worst order",
        theorem: "G. Frederickson, N. Lynch (Journal of the ACM 34(1), 1987): on a synchronous ring every election \
                  that only compares ids sends Ω(n lg n) messages for some order, even if n is known. An algorithm \
                  that counts with ids can do with fewer, as time-slice and variable-speeds show.",
    };

    /// Its value in a network of this size, if its constant is known.
    #[must_use]
    pub fn value(&self, size: Size) -> Option<f64> {
        Some((self.messages.of)(size)).filter(|value| value.is_finite())
    }
}

impl Bounds {
    /// Nothing is proved, and nothing is announced.
    pub const NONE: Self = Self {
        best: None,
        mean: None,
        worst: None,
        announce: Formula::ZERO,
        time: None,
        crowd: None,
        needed: None,
        failover: None,
    };

    /// Every run costs the same. Nothing is announced.
    #[must_use]
    pub const fn exactly(messages: Formula) -> Self {
        Self { best: Some(messages), mean: Some(messages), worst: Some(messages), ..Self::NONE }
    }
}

/// The phases of an algorithm, and what is proved about each of them on a fault-free network.
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    /// What the algorithm calls them: `tournaments`.
    pub name: &'static str,
    /// The number of the first one.
    pub first: u64,
    /// Whether any number of them may follow. Then only distances of phases matter: if all processes and messages are
    /// equally many phases further on, the network goes on in the same way. So the checker counts phases back, and an
    /// algorithm that may take any time has only finitely many states.
    pub unbounded: bool,
    /// How many processes may be in the race, after the first phase.
    pub race: Race,
    /// The largest number of election messages of a phase.
    pub messages: Formula,
    /// The largest number of phases.
    pub most: Option<Formula>,
    /// The mean number of phases, if everybody starts and no parameter is set.
    pub mean: Option<Formula>,
}

impl Phases {
    /// Of two neighbours in the race at most one stays in it, and a phase takes two messages a link.
    pub const HALVING: Self = Self {
        name: "phases",
        first: 1,
        unbounded: false,
        race: Race { text: "half of those before", of: |_, before, _| before / 2.0 },
        messages: Formula { text: "2n", of: |s| 2.0 * s.n },
        most: Some(Formula { text: "⌊lg k⌋ + 1", of: |s| floor_lg(s.k) + 1.0 }),
        mean: None,
    };

    /// What it calls one of them.
    #[must_use]
    pub fn one(&self) -> &'static str {
        self.name.strip_suffix('s').unwrap_or(self.name)
    }
}

/// A bound on the number of processes in the race.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// As a person writes it.
    pub text: &'static str,
    /// From the network's size, the number of processes in the race in the phase before, and how many phases came
    /// before.
    pub of: fn(Size, f64, i32) -> f64,
}

impl Race {
    /// A node that is out of the race stays out.
    pub const NO_MORE: Self = Self { text: "as many as before", of: |_, before, _| before };
}

/// A function of the network's size, for machines and for people.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    /// As a person writes it.
    pub text: &'static str,
    /// As a machine computes it.
    pub of: fn(Size) -> f64,
}

impl Formula {
    /// Nothing at all.
    pub const ZERO: Self = Self { text: "0", of: |_| 0.0 };
    /// One for each process.
    pub const N: Self = Self { text: "n", of: |s| s.n };
}

/// What a bound may depend on.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The number of processes.
    pub n: f64,
    /// The number of initiators.
    pub k: f64,
    /// The smallest id of the initiators.
    pub min: f64,
    /// The number of links.
    pub m: f64,
    /// The diameter, or the bound on it that processes are told. Known only where they must know it.
    pub d: f64,
    /// Whether the announcement is flooded instead of going down a tree.
    pub flood: bool,
}

/// H_n = 1 + 1/2 + … + 1/n: summed up while that is cheap, then by its expansion, which is exact to the last digit.
#[must_use]
pub fn harmonic(n: f64) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    if n <= 1000.0 {
        return (1..=n as u32).rev().map(|i| 1.0 / f64::from(i)).sum();
    }
    libm::log(n) + EULER + 1.0 / (2.0 * n) - 1.0 / (12.0 * n * n)
}

/// The number of ways to choose k of n.
#[must_use]
pub fn choose(n: usize, k: usize) -> f64 {
    (0..k.min(n - k)).fold(1.0, |ways, i| ways * (n - i) as f64 / (i + 1) as f64)
}

/// x to the power of k.
#[must_use]
pub fn power(x: f64, k: usize) -> f64 {
    libm::pow(x, k as f64)
}

/// ⌊lg x⌋ for x ≥ 1.
#[must_use]
pub fn floor_lg(x: f64) -> f64 {
    f64::from((x as u64).max(1).ilog2())
}

/// ⌈lg x⌉ for x ≥ 1.
#[must_use]
pub fn ceil_lg(x: f64) -> f64 {
    f64::from((x as u64).max(1).next_power_of_two().ilog2())
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Asynchronous => "events",
            Self::Synchronous => "rounds",
        })
    }
}

impl fmt::Display for TopologyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OneWayRing => "one-way ring",
            Self::TwoWayRing => "two-way ring",
            Self::Tree => "tree",
            Self::Connected => "connected graph",
            Self::Complete => "complete graph",
        })
    }
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MaxOfAll => "the largest id of all",
            Self::MaxOfInitiators => "the largest id of the initiators",
            Self::MinOfAll => "the smallest id of all",
            Self::MinOfWakers => "the smallest id that woke up on its own",
            Self::Random => "anybody, by chance",
            Self::Any => "anybody",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmonic_numbers() {
        assert_eq!(harmonic(1.0), 1.0);
        assert!((harmonic(4.0) - 25.0 / 12.0).abs() < 1e-15);
        assert!((harmonic(1e6) - 14.392_726_722_865_723).abs() < 1e-13);
        assert!((harmonic(1001.0) - harmonic(1000.0) - 1.0 / 1001.0).abs() < 1e-13);
    }

    #[test]
    fn logarithms_of_sizes() {
        let pairs = [(1.0, 0.0, 0.0), (2.0, 1.0, 1.0), (3.0, 1.0, 2.0), (8.0, 3.0, 3.0), (9.0, 3.0, 4.0)];
        for (n, floor, ceil) in pairs {
            assert_eq!((floor_lg(n), ceil_lg(n)), (floor, ceil), "n = {n}");
        }
    }

    fn wakers(nodes: usize, rounds: &[(u32, u128)]) -> Vec<u32> {
        let ids: Vec<Id> = (0..nodes as u64).map(Id).collect();
        let starters = Starters::Some(rounds.iter().map(|&(node, round)| (node, Round(round))).collect());
        let (settings, links) = (&Settings::new(), LinkOrder::Fifo);
        Electorate { ids: &ids, starters: &starters, settings, links }.wakers().collect()
    }

    #[test]
    fn a_message_that_comes_in_time_leaves_no_waker() {
        assert_eq!(wakers(4, &[(0, 1), (1, 1), (2, 1), (3, 1)]), [0, 1, 2, 3]);
        // Node 0's message reaches node 1 in round 2: waking in round 2 is too late, in round 1 is not.
        assert_eq!(wakers(4, &[(0, 1), (1, 2)]), [0]);
        // Round the corner: node 3's reaches node 0 in round 2 and node 1 in round 3.
        assert_eq!(wakers(4, &[(0, 2), (1, 3), (3, 1)]), [3]);
        assert_eq!(wakers(4, &[(0, 9), (1, 2), (3, 1)]), [1, 3]);
        assert_eq!(wakers(1, &[(0, 7)]), [0]);
        assert_eq!(wakers(3, &[(2, 5)]), [2]);
    }
}
