//! One judge for all algorithms.
//!
//! Hosts tell it every change of a process' status, and at the end it says whether this was an election:
//!
//! 1. *one leader*: at no moment do two processes lead (WA1);
//! 2. *a leader*: somebody leads in the end (WA2);
//! 3. *informed*: everybody has decided, and knows who leads where the algorithm tells ids;
//! 4. *steady*: nobody decides twice in an election;
//! 5. *the promised winner*: the one whom the algorithm's entry promises;
//! 6. *within bounds*: no more messages and no more time than proved, and no fewer messages to elect.
//!
//! Crashed processes neither lead nor count. Where there are faults, a decision may be revised and bounds do not hold.

use std::collections::{BTreeMap, BTreeSet};

use bellwether_core::{Id, Info, Informs, Status, Winner};

use crate::{Network, Node, Outcome, Scenario, Time, Timing, Wiring};

/// Watches a run.
#[derive(Clone, Debug)]
pub struct Judge {
    anonymous: bool,
    timing: Timing,
    /// How final a decision is.
    steady: Steady,
    /// Whether a follower may learn of another leader without changing its mind.
    provisional: bool,
    /// Who leads, and since when.
    leaders: BTreeMap<Node, Time>,
    /// Who has crashed.
    dead: BTreeSet<Node>,
    /// Which election this is, and whether it has made a leader.
    election: u32,
    elected: bool,
    undecided: u64,
    last_decision: Option<Time>,
    /// Who first led in this election and then did not, since when and until when.
    resigned: Option<(Node, Time, Time)>,
    /// What matters to all and was told out of turn.
    put_off: Vec<Turn>,
    /// What was seen to be wrong; it is put into words in the end, when nodes have names.
    violations: Vec<Violation>,
}

/// A change of a status that matters to all: somebody leads, or leads no longer, or decides again.
#[derive(Clone, Debug)]
struct Turn {
    time: Time,
    node: Node,
    before: Status,
    after: Status,
    /// Whether, if it was decided before, it became so in this election.
    had_decided: bool,
    /// Whether it has decided twice.
    again: bool,
}

/// A property that does not hold.
#[derive(Clone, Debug)]
struct Violation {
    property: &'static str,
    what: What,
}

/// What was seen.
#[derive(Clone, Debug)]
enum What {
    /// A process comes to lead while another does.
    SecondLeader { node: Node, time: Time, other: Node },
    /// A process that has decided does so again; and who led in vain by then.
    Again { node: Node, time: Time, before: Status, after: Status, resigned: Option<(Node, Time, Time)> },
    /// All else.
    Words(String),
}

/// How final a decision is.
#[derive(Clone, Debug)]
enum Steady {
    /// Nobody decides twice.
    Always,
    /// Nobody decides twice in an election; a bit for each node that has decided in this one.
    InAnElection(Vec<u64>),
    /// Anybody may, as long as it settles.
    Never,
}

/// What the judge found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// In a word.
    pub outcome: Outcome,
    /// Every property that does not hold, as a sentence with the nodes and the moment.
    pub violations: Vec<String>,
    /// When the last process decided; `None` if somebody has not.
    pub time: Option<Time>,
}

impl Judge {
    /// A judge for a run among processes that are all undecided.
    #[must_use]
    pub fn new(info: &Info, scenario: &Scenario) -> Self {
        Self {
            anonymous: info.is_anonymous(),
            timing: scenario.timing,
            steady: match info.repeatable {
                _ if scenario.has_faults() => Steady::Never,
                false => Steady::Always,
                // A message that was overtaken by its own election's announcement may begin another one.
                true if !scenario.timing.is_fifo() => Steady::Never,
                true => Steady::InAnElection(vec![0; scenario.topology.nodes() as usize / 64 + 1]),
            },
            provisional: info.informs == Informs::Provisionally,
            leaders: BTreeMap::new(),
            dead: BTreeSet::new(),
            election: 1,
            elected: false,
            undecided: scenario.topology.nodes().into(),
            last_decision: None,
            resigned: None,
            put_off: Vec::new(),
            violations: Vec::new(),
        }
    }

    /// Sees that an election is over and another one begins.
    pub fn next_election(&mut self) {
        if !std::mem::take(&mut self.elected) {
            self.note("no leader", What::Words(format!("election {} ends without electing anybody", self.election)));
        }
        self.election += 1;
        self.resigned = None;
        if let Steady::InAnElection(decided) = &mut self.steady {
            decided.fill(0);
        }
    }

    /// Sees that a process with this status stops for good.
    pub fn crash(&mut self, node: Node, status: Status) {
        self.undecided -= u64::from(!status.is_decided());
        self.leaders.remove(&node);
        self.dead.insert(node);
    }

    /// Sees that a crashed process is there again, undecided.
    pub fn recover(&mut self, node: Node) {
        self.undecided += 1;
        self.dead.remove(&node);
    }

    /// Who has crashed and not recovered.
    #[must_use]
    pub fn dead(&self) -> &BTreeSet<Node> {
        &self.dead
    }

    /// Sees that a process' status is no longer `before` but `after`.
    #[cold]
    pub fn change(&mut self, time: Time, node: Node, before: Status, after: Status) {
        if let Some(turn) = self.look_at(time, node, before, after) {
            self.weigh(turn);
        }
    }

    /// The same where the changes of one process come in order of time, but not those of different ones: what depends on
    /// others is put off until it is [settled](Self::settle).
    #[cold]
    pub fn change_out_of_turn(&mut self, time: Time, node: Node, before: Status, after: Status) {
        let turn = self.look_at(time, node, before, after);
        self.put_off.extend(turn);
    }

    /// Deals with what was put off, in order of time and node. Nothing may come later that happened before.
    pub fn settle(&mut self) {
        let mut turns = std::mem::take(&mut self.put_off);
        turns.sort_by_key(|turn| (turn.time, turn.node));
        turns.into_iter().for_each(|turn| self.weigh(turn));
    }

    /// Sees what concerns one process alone. The rest, if there is any.
    #[inline]
    fn look_at(&mut self, time: Time, node: Node, before: Status, after: Status) -> Option<Turn> {
        if after.is_decided() {
            self.last_decision = self.last_decision.max(Some(time));
        }
        self.undecided += u64::from(!after.is_decided());
        self.undecided -= u64::from(!before.is_decided());
        let had_decided = self.has_decided(node);
        let learns_more = matches!((before, after), (Status::Follower(_), Status::Follower(_))) && self.provisional;
        let again = match &mut self.steady {
            Steady::Always => before.is_decided() && !learns_more,
            Steady::InAnElection(decided) if after.is_decided() => {
                let (word, bit) = bit_of(node);
                let before = decided[word];
                decided[word] |= bit;
                before & bit != 0
            }
            Steady::InAnElection(_) | Steady::Never => false,
        };
        let leads = before == Status::Leader || after == Status::Leader;
        (leads || again).then_some(Turn { time, node, before, after, had_decided, again })
    }

    /// Sees what matters to all.
    fn weigh(&mut self, Turn { time, node, before, after, had_decided, again }: Turn) {
        if before == Status::Leader
            && let Some(since) = self.leaders.remove(&node)
            && had_decided
        {
            self.resigned.get_or_insert((node, since, time));
        }
        if after == Status::Leader {
            self.elected = true;
            if let Some((&other, _)) = self.leaders.first_key_value() {
                self.note("two leaders", What::SecondLeader { node, time, other });
            }
            self.leaders.insert(node, time);
        }
        if again {
            self.note("a change of mind", What::Again { node, time, before, after, resigned: self.resigned });
        }
    }

    /// Whether a process that is decided has become so in this election.
    fn has_decided(&self, node: Node) -> bool {
        let (word, bit) = bit_of(node);
        if let Steady::InAnElection(decided) = &self.steady { decided[word] & bit != 0 } else { true }
    }

    /// Pronounces on the run, given the final statuses and, if it was a lawful one, what it cost.
    #[must_use]
    pub fn verdict(mut self, info: &Info, scenario: &Scenario, end: &End<'_>) -> Verdict {
        let leader = self.leaders.keys().next().copied();
        let outcome = match (leader, self.leaders.len()) {
            _ if end.cut_short => Outcome::Limit,
            (None, _) => {
                self.note("no leader", What::Words("the network is quiet and nobody leads".into()));
                Outcome::NoLeader
            }
            (Some(leader), 1) => {
                let id = scenario.ids[leader as usize];
                if let Some(promised) = self.promised(info, scenario)
                    && promised != id
                {
                    let winner = info.winner;
                    let what = format!("id {id} leads, but {winner} is {promised}");
                    self.note("the wrong winner", What::Words(what));
                }
                if self.all_follow(&scenario.topology, end, leader, id) {
                    Outcome::Elected
                } else {
                    Outcome::Disagreement
                }
            }
            (Some(_), count) => {
                self.note("several leaders", What::Words(format!("{count} nodes lead in the end")));
                Outcome::SeveralLeaders
            }
        };
        if outcome == Outcome::Elected && !self.elected {
            self.note("no leader", What::Words(format!("election {} ends without electing anybody", self.election)));
        }
        if scenario.is_lawful() && outcome == Outcome::Elected {
            self.hold_against_bounds(info, scenario, end);
        }
        let time = self.last_decision.filter(|_| self.undecided == 0);
        let violations = self.violations.iter().map(|violation| self.in_words(violation, &scenario.topology)).collect();
        Verdict { outcome, violations, time }
    }

    /// The id that must win, among the living.
    fn promised(&self, info: &Info, scenario: &Scenario) -> Option<Id> {
        if self.dead.is_empty() {
            return info.winner.of(&scenario.electorate());
        }
        let id = |node: Node| (!self.dead.contains(&node)).then(|| scenario.ids[node as usize]);
        let living = (0..scenario.topology.nodes()).filter_map(id);
        match info.winner {
            Winner::MaxOfAll => living.max(),
            Winner::MaxOfInitiators => scenario.electorate().initiators().filter_map(|(node, _)| id(node)).max(),
            Winner::MinOfAll => living.min(),
            // Whom a message woke up depends on whom it did not reach.
            Winner::MinOfWakers | Winner::Random => None,
        }
    }

    /// Whether everybody but `leader` follows it, and knows its id where ids are told.
    fn all_follow(&mut self, network: &Network, end: &End<'_>, leader: Node, id: Id) -> bool {
        let told = if self.anonymous { None } else { Some(id) };
        let right = |status| status == Status::Leader || status == Status::Follower(told);
        let astray = |&node: &Node| !self.dead.contains(&node) && !right((end.status)(node));
        let Some(node) = (0..end.nodes).find(astray) else { return true };
        let belief = match (end.status)(node) {
            Status::Follower(Some(other)) => format!("takes id {other} for the leader"),
            Status::Follower(None) => "does not know who leads".into(),
            Status::Undecided | Status::Leader => "is undecided".into(),
        };
        let [leader, node] = [leader, node].map(|node| network.printed_name(node));
        self.note("disagreement", What::Words(format!("node {leader} leads, but node {node} {belief} in the end")));
        false
    }

    fn hold_against_bounds(&mut self, info: &Info, scenario: &Scenario, end: &End<'_>) {
        let size = scenario.size(info);
        let elections = f64::from(scenario.elections);
        let last_decision = self.last_decision;
        // Bounds are computed in floating point: a relative error of 1e-12 is no violation.
        let election_messages = end.election_messages as f64;
        if let Some(best) = &info.bounds.best {
            let bound = (best.of)(size) * elections;
            if election_messages < bound * (1.0 - 1e-12) {
                let what = format!("{election_messages} election messages are fewer than {} = {bound}", best.text);
                self.note("a bound undercut", What::Words(what));
            }
        }
        let mut hold = |what: &str, measured: f64, bound: f64, text: &str| {
            if measured > bound * (1.0 + 1e-12) {
                let what = format!("{measured} {what} are more than {text} = {bound}");
                self.note("a bound exceeded", What::Words(what));
            }
        };
        if let Some(worst) = &info.bounds.worst {
            hold("election messages", election_messages, (worst.of)(size) * elections, worst.text);
        }
        let announce = &info.bounds.announce;
        hold("announce messages", end.announce_messages as f64, (announce.of)(size) * elections, announce.text);
        let timely = scenario.start_together() && scenario.elections == 1 && !end.synchronized;
        // A real clock keeps no bound on how long a message takes, and steps are no time.
        let timely = timely && !matches!(scenario.timing, Timing::Live(_) | Timing::Chosen(_));
        if let (Some(bound), Some(time), true) = (&info.bounds.time, last_decision, timely) {
            let unit = if end.extra_time > 0.0 { "rounds after the first" } else { scenario.timing.unit() };
            hold(unit, time.as_f64() - end.extra_time, (bound.of)(size), bound.text);
        }
    }

    fn moment(&self, time: Time) -> String {
        let preposition = if self.timing == Timing::Rounds { "in" } else { "at" };
        format!("{preposition} {}", self.timing.moment(time))
    }

    fn note(&mut self, property: &'static str, what: What) {
        // One of a kind says it all: what follows from a broken run is noise.
        if !self.violations.iter().any(|violation| violation.property == property) {
            self.violations.push(Violation { property, what });
        }
    }

    fn in_words(&self, Violation { property, what }: &Violation, network: &Network) -> String {
        let name = |node: &Node| network.printed_name(*node);
        let what = match what {
            What::SecondLeader { node, time, other } => {
                format!("node {} becomes leader {} while node {} leads", name(node), self.moment(*time), name(other))
            }
            What::Again { node, time, before, after, resigned } => {
                let (node, after, moment) = (name(node), called(*after), self.moment(*time));
                let resigned = resigned.map_or(String::new(), |(leader, since, until)| {
                    let [since, until] = [since, until].map(|time| self.timing.moment(time));
                    format!("; node {} led from {since} to {until}", name(&leader))
                });
                match before {
                    Status::Undecided => format!("node {node} decides once more, and is {after} {moment}{resigned}"),
                    before => format!("node {node} was {} and is {after} {moment}{resigned}", called(*before)),
                }
            }
            What::Words(words) => words.clone(),
        };
        format!("{property}: {what}")
    }
}

/// How a run ended.
pub struct End<'a> {
    /// How many processes there are.
    pub nodes: u32,
    /// Their final statuses.
    pub status: &'a dyn Fn(Node) -> Status,
    /// Whether it stopped at its limit, so that nothing is known.
    pub cut_short: bool,
    /// Messages that served to elect.
    pub election_messages: u64,
    /// Messages that told the result.
    pub announce_messages: u64,
    /// Whether the algorithm was written for rounds and ran without: then its time means nothing.
    pub synchronized: bool,
    /// By how much the host's count of time is ahead of the bound's.
    pub extra_time: f64,
}

/// Where the bit of a node stands.
fn bit_of(node: Node) -> (usize, u64) {
    (node as usize / 64, 1 << (node % 64))
}

fn called(status: Status) -> String {
    match status {
        Status::Undecided => "undecided".into(),
        Status::Leader => "leader".into(),
        Status::Follower(None) => "follower".into(),
        Status::Follower(Some(id)) => format!("follower of id {id}"),
    }
}
