//! The rules of judging: what is judged, how final a decision is, and what must hold at the end of an election.
//!
//! The [`Judge`](crate::Judge) of a run and the checker of all schedules use the same rules. The terms are those of
//! Coulouris et al.: promises are made to processes that take part and do not crash.

use bellwether_core::{Id, Info, Informs, Knowledge, Model, Status, Winner};
use bellwether_net::{Network, Node};

use crate::{Freedom, Properties, Property, Scenario, Timing};

/// The conditions that decide what can be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Faults are possible.
    pub faults: bool,
    /// Messages on a link may overtake each other.
    pub reorder: bool,
    /// An initiator may start after messages have been delivered.
    pub late_starts: bool,
    /// An assumption of the algorithm is dropped.
    pub forced: bool,
}

impl Conditions {
    /// The conditions of a run.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        let Scenario { timing, forced, .. } = *scenario;
        let faults = scenario.has_faults();
        match timing {
            Timing::Chosen(freedom) => Self { faults, ..Self::of_schedules(freedom, forced) },
            _ => Self { faults, reorder: !timing.is_fifo(), late_starts: !scenario.start_together(), forced },
        }
    }

    /// The conditions of all schedules with this freedom, with all assumptions kept or with some dropped.
    #[must_use]
    pub fn of_schedules(freedom: Freedom, forced: bool) -> Self {
        let reorder = !Timing::Chosen(freedom).is_fifo();
        Self { faults: freedom.has_faults(), reorder, late_starts: !freedom.starts_first, forced }
    }

    /// Why a property is not judged; `None` if it is. The entry is the one that holds under the scenario's parameters.
    #[must_use]
    pub fn exempts(self, info: &Info, property: Property) -> Option<&'static str> {
        let Self { faults, reorder, late_starts, forced } = self;
        // Only an algorithm with a timer decides before it has heard of all nodes. So only there may a start come after
        // a decision.
        let late = late_starts && info.repeatable && info.knows.contains(&Knowledge::MaxDelay);
        match property {
            Property::Steady if faults => Some("where something may fail, a decision may be revised"),
            Property::Steady if info.repeatable && reorder => {
                Some("a message that was overtaken may begin another election")
            }
            Property::Bounds if faults => Some("they hold where nothing fails"),
            Property::Bounds if reorder => Some("they hold where links keep the order of messages"),
            Property::Steady | Property::Bounds if late => {
                Some("a node that starts late begins another election; --starts first rules that out")
            }
            Property::Bounds if forced => Some("they hold where no assumption is dropped"),
            Property::Winner if info.winner == Winner::Random => Some("chance decides who wins"),
            Property::Winner if info.winner == Winner::Any => Some("any node may win"),
            Property::Informed if info.informs == Informs::Nobody => Some("nobody but the leader is told"),
            _ => None,
        }
    }

    /// How final a decision is.
    #[must_use]
    pub fn finality(self, info: &Info) -> Finality {
        match self.exempts(info, Property::Steady) {
            Some(_) => Finality::None,
            None if info.repeatable => Finality::OneElection,
            None if info.informs == Informs::Provisionally => Finality::Provisional,
            None => Finality::ForEver,
        }
    }
}

/// How final a decision is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finality {
    /// A decision never changes.
    ForEver,
    /// The same, but a follower may learn of another leader.
    Provisional,
    /// No process decides twice in an election.
    OneElection,
    /// Any process may change its decision.
    None,
}

impl Finality {
    /// Whether a change of status breaks it. `decided` says whether the process has decided before in this election.
    #[must_use]
    pub fn is_broken(self, before: Status, after: Status, decided: bool) -> bool {
        let follows_another = matches!((before, after), (Status::Follower(_), Status::Follower(_)));
        match self {
            Self::ForEver => before.is_decided(),
            Self::Provisional => before.is_decided() && !follows_another,
            Self::OneElection => after.is_decided() && decided,
            Self::None => false,
        }
    }
}

/// By how much the time of a run is ahead of the time in the proofs; `None` if no bound applies.
#[must_use]
pub fn time_ahead(info: &Info, scenario: &Scenario) -> Option<f64> {
    let ahead = match (info.model, scenario.timing) {
        // A real clock gives no bound on the delay of a message, and steps are not time.
        (_, Timing::Live(_) | Timing::Chosen(_)) => None,
        (Model::Synchronous, Timing::Rounds) => Some(0.0),
        // An execution of t units takes t rounds after the first.
        (Model::Asynchronous, Timing::Rounds) => Some(1.0),
        // A synchronizer counts its own time.
        (Model::Synchronous, _) => None,
        (Model::Asynchronous, _) => Some(0.0),
    };
    ahead.filter(|_| scenario.start_together() && scenario.elections == 1)
}

/// What is wrong with the numbers of all nodes after a right election; `None` if they are 1 to n.
#[must_use]
pub fn misnumbered(numbers: &[Option<u64>], network: &Network) -> Option<String> {
    if let Some(node) = numbers.iter().position(Option::is_none) {
        return Some(format!("numbers are missing: node {} has none", network.printed_name(node as Node)));
    }
    let mut sorted: Vec<u64> = numbers.iter().copied().flatten().collect();
    sorted.sort_unstable();
    let (number, expected) = sorted.into_iter().zip(1..).find(|(number, expected)| number != expected)?;
    Some(format!("the wrong numbers: {expected} is expected, and {number} comes next"))
}

/// A network in which nothing is left to happen.
pub struct Settled<'a> {
    /// The algorithm's entry, as it holds under the parameters.
    pub info: &'a Info,
    /// The id of every node.
    pub ids: &'a [Id],
    /// Whether a participant is alive.
    pub is_held: bool,
    /// Whether a node is alive.
    pub is_alive: &'a dyn Fn(Node) -> bool,
    /// Whether a node is an initiator that woke up on its own.
    pub has_started: &'a dyn Fn(Node) -> bool,
    /// The decision of a living node.
    pub status: &'a dyn Fn(Node) -> Status,
}

/// The verdict on a settled network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ruling {
    /// The properties that it breaks.
    pub broken: Properties,
    /// The properties that cannot be judged.
    pub moot: Properties,
    /// Whether there was no election to judge: all participants have crashed, and no node leads.
    pub excused: bool,
}

impl Ruling {
    /// Why a property cannot be judged.
    #[must_use]
    pub fn why(self) -> &'static str {
        if self.excused { "all who took part have crashed" } else { "no single node leads in the end" }
    }
}

impl Settled<'_> {
    fn living(&self) -> impl Iterator<Item = Node> {
        (0..self.ids.len() as Node).filter(|node| (self.is_alive)(*node))
    }

    fn id(&self, node: Node) -> Id {
        self.ids[node as usize]
    }

    /// The leaders.
    #[must_use]
    pub fn leaders(&self) -> Vec<Node> {
        self.living().filter(|node| (self.status)(*node) == Status::Leader).collect()
    }

    /// The id that must win; `None` if any may.
    #[must_use]
    pub fn promised(&self) -> Option<Id> {
        let living = self.living().map(|node| self.id(node));
        let starters = self.living().filter(|node| (self.has_started)(*node)).map(|node| self.id(node));
        match self.info.winner {
            Winner::MaxOfAll => living.max(),
            Winner::MaxOfInitiators => starters.max(),
            Winner::MinOfAll => living.min(),
            Winner::MinOfWakers => starters.min(),
            Winner::Random | Winner::Any => None,
        }
    }

    /// The first living node that was to know this leader and does not.
    #[must_use]
    pub fn uninformed(&self, leader: Node) -> Option<Node> {
        if self.info.informs == Informs::Nobody {
            return None;
        }
        let informed = Status::Follower((!self.info.is_anonymous()).then(|| self.id(leader)));
        self.living().find(|&node| node != leader && (self.status)(node) != informed)
    }

    /// Checks it against the properties of an end.
    #[must_use]
    pub fn ruling(&self) -> Ruling {
        let none = Properties::default();
        let moot = none.with(Property::Winner, true).with(Property::Informed, true);
        match self.leaders()[..] {
            [] if !self.is_held => Ruling { broken: none, moot: moot.with(Property::Leader, true), excused: true },
            [] => Ruling { broken: none.with(Property::Leader, true), moot, excused: false },
            [leader] => {
                let is_wrong = self.promised().is_some_and(|promised| promised != self.id(leader));
                let broken = none.with(Property::Winner, is_wrong);
                let broken = broken.with(Property::Informed, self.uninformed(leader).is_some());
                Ruling { broken, ..Ruling::default() }
            }
            _ => Ruling { broken: none.with(Property::OneLeader, true), moot, excused: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_on_unreliable_links_overtake_each_other() {
        let unreliable = Freedom { unreliable: true, ..Freedom::NONE };
        let conditions = Conditions::of_schedules(unreliable, false);
        assert_eq!(conditions, Conditions { faults: true, reorder: true, late_starts: true, forced: false });
        assert!(!Conditions::of_schedules(Freedom { losses: 1, ..Freedom::NONE }, false).reorder);
    }

    #[test]
    fn numbers_are_one_to_n_each_once() {
        let network = "ring:3".parse::<bellwether_net::Topology>().unwrap().build(1).unwrap();
        let wrong =
            |numbers: [u64; 3]| misnumbered(&numbers.map(|number| Some(number).filter(|number| *number > 0)), &network);
        assert_eq!(wrong([2, 3, 1]), None);
        assert_eq!(wrong([2, 1, 0]).as_deref(), Some("numbers are missing: node 2 has none"));
        assert_eq!(wrong([2, 2, 1]).as_deref(), Some("the wrong numbers: 3 is expected, and 2 comes next"));
        assert_eq!(wrong([4, 2, 1]).as_deref(), Some("the wrong numbers: 3 is expected, and 4 comes next"));
    }
}
