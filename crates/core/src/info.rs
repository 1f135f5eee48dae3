//! The catalogue entry of an algorithm: what it assumes, what it promises, what it costs.
//!
//! Help, documentation, the checks before a run, the judge after it and the curves of a plot all come from here.

use std::fmt;

use crate::{Bounds, Id, Knowledge, Phases, Round, Settings, Starters};

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

    /// The bound on the drift of clocks that every process is told, in percent, if it reckons with one.
    #[must_use]
    pub fn drift(&self, settings: &Settings) -> Option<u64> {
        self.setting(Meaning::Drift).map(|_| self.value(Meaning::Drift, settings).unwrap_or(Meaning::USUAL_DRIFT))
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
    /// It counts nodes, so it is at most their number.
    Count,
    /// It is the id of a node.
    Someone,
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
    /// A number between these, or one of them.
    Between(u64, u64),
    /// One of these words; the first is the default.
    OneOf(&'static [&'static str]),
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
