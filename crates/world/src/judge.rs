//! One judge for all algorithms.
//!
//! A host reports every change of a process' status. At the end the judge says which [properties](Property) hold, which
//! are broken, and which cannot be judged. Crashed processes neither lead nor count.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use bellwether_core::{Formula, Info, Race, Span, Status, Winner};
use bellwether_net::{Network, Node, Wiring};

use crate::host::Actor;
use crate::rules::{Conditions, Finality, Ruling, Settled, time_ahead};
use crate::{Outcome, PhasesSeen, Properties, Property, Scenario, Term, Time, Timing};

/// Judges a run.
#[derive(Clone, Debug)]
pub struct Judge {
    timing: Timing,
    conditions: Conditions,
    finality: Finality,
    /// The nodes that have decided in this election, if none may decide twice in one.
    decided: NodeSet,
    /// The participants of this election. Kept if faults are possible.
    participants: Option<Participants>,
    /// The leaders, each with the time when it became leader.
    leaders: BTreeMap<Node, Time>,
    /// The crashed nodes.
    dead: BTreeSet<Node>,
    /// The nodes that led when they were paused.
    suspended: BTreeSet<Node>,
    /// The leaderships, in the order in which they began.
    terms: Vec<Term>,
    /// The number of this election, and whether it has made a leader.
    election: u32,
    elected: bool,
    /// Whether all participants of some election crashed.
    excused: bool,
    undecided: u64,
    last_decision: Option<Time>,
    /// The first node that led in this election and then did not, with the times of both.
    resigned: Option<(Node, Time, Time)>,
    /// The largest number of a leadership so far, and whose it was.
    token: Option<(u64, Node)>,
    /// Changes that matter to all and were reported out of order.
    put_off: Vec<Turn>,
    /// The violations so far. They are put into words at the end, when nodes have names.
    violations: Vec<Violation>,
}

/// The living processes that take part in an election.
#[derive(Clone, Debug)]
struct Participants {
    all: NodeSet,
    /// The participants that were not woken up by a message.
    starters: NodeSet,
}

/// A change of status that matters to all: a process becomes leader, stops being leader, or decides again.
#[derive(Clone, Debug)]
struct Turn {
    time: Time,
    node: Node,
    before: Status,
    after: Status,
    /// If it was decided before: whether it decided in this election.
    had_decided: bool,
    /// Whether it has decided twice.
    again: bool,
}

/// How a property was broken.
#[derive(Clone, Debug)]
struct Violation {
    property: Property,
    /// A short name.
    name: &'static str,
    what: What,
}

/// What exactly was wrong.
#[derive(Clone, Debug)]
enum What {
    /// A process becomes leader while another one leads.
    SecondLeader { node: Node, time: Time, other: Node },
    /// A process decides again; and the node that had led before and resigned.
    Again { node: Node, time: Time, before: Status, after: Status, resigned: Option<(Node, Time, Time)> },
    /// A process becomes leader with a token that is not larger than the one of another leadership.
    Token { node: Node, time: Time, token: u64, before: (u64, Node) },
    /// Everything else.
    Words(String),
}

/// The verdict on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The outcome.
    pub outcome: Outcome,
    /// One sentence for each property that does not hold, with the nodes and the moment.
    pub violations: Vec<String>,
    /// The properties that do not hold.
    pub broken: Properties,
    /// The properties that could not be judged, and why.
    pub not_judged: Vec<(Property, &'static str)>,
    /// When the last process decided; `None` if a process is undecided.
    pub time: Option<Time>,
}

impl Judge {
    /// A judge for a run in which all processes are undecided.
    #[must_use]
    pub fn new(info: &Info, scenario: &Scenario) -> Self {
        let conditions = Conditions::of(scenario);
        let finality = conditions.finality(info.under(&scenario.settings));
        let nodes = scenario.topology.nodes();
        let participants = || Participants { all: NodeSet::of(nodes), starters: NodeSet::of(nodes) };
        Self {
            timing: scenario.timing,
            conditions,
            finality,
            decided: NodeSet::of(if finality == Finality::OneElection { nodes } else { 0 }),
            participants: conditions.faults.then(participants),
            leaders: BTreeMap::new(),
            dead: BTreeSet::new(),
            suspended: BTreeSet::new(),
            terms: Vec::new(),
            election: 1,
            elected: false,
            excused: false,
            undecided: nodes.into(),
            last_decision: None,
            resigned: None,
            token: None,
            put_off: Vec::new(),
            violations: Vec::new(),
        }
    }

    /// An election is over, and another one begins.
    pub fn next_election(&mut self) {
        self.expect_elected();
        self.elected = false;
        self.election += 1;
        self.resigned = None;
        self.decided.clear();
        if let Some(Participants { all, starters }) = &mut self.participants {
            all.clear();
            starters.clear();
        }
    }

    /// An election with living participants must have made a leader.
    fn expect_elected(&mut self) {
        match (self.elected, self.is_held()) {
            (true, _) => {}
            (false, false) => self.excused = true,
            (false, true) => {
                let what = format!("election {} ends without electing anybody", self.election);
                self.note(Property::Leader, "no leader", What::Words(what));
            }
        }
    }

    /// Whether a living process takes part in this election.
    fn is_held(&self) -> bool {
        self.participants.as_ref().is_none_or(|participants| !participants.all.is_empty())
    }

    /// A process starts, on its own or because of a message.
    pub fn joins(&mut self, node: Node, on_its_own: bool) {
        if let Some(Participants { all, starters }) = &mut self.participants
            && all.insert(node)
            && on_its_own
        {
            starters.insert(node);
        }
    }

    /// A process with this status stops. It may recover later.
    pub fn crash(&mut self, time: Time, node: Node, status: Status) {
        self.undecided -= u64::from(!status.is_decided());
        self.stops_leading(time, node);
        self.suspended.remove(&node);
        self.dead.insert(node);
        if let Some(Participants { all, starters }) = &mut self.participants {
            all.remove(node);
            starters.remove(node);
        }
    }

    /// A crashed process is alive again, undecided.
    pub fn recover(&mut self, node: Node) {
        self.undecided += 1;
        self.dead.remove(&node);
    }

    /// A process does nothing from now on. So it does not lead either.
    pub fn suspend(&mut self, time: Time, node: Node) {
        if self.stops_leading(time, node).is_some() {
            self.suspended.insert(node);
        }
    }

    /// A process with this status goes on. If it still leads, that is the leadership which it had.
    pub fn resume(&mut self, time: Time, node: Node, status: Status) {
        if self.suspended.remove(&node) && status == Status::Leader && !self.leaders.contains_key(&node) {
            self.expect_no_other_leader(time, node);
            self.leaders.insert(node, time);
            if let Some(term) = self.terms.iter_mut().rfind(|term| term.node == node) {
                term.until = None;
            }
        }
    }

    /// In real time, a host may be late with the timers of a process. That process does nothing from the moment when
    /// its next timer was due. So a leader is suspended then, until its host has caught up.
    pub fn suspend_late(&mut self, now: Time, next_deadline: impl Fn(Node) -> Option<Span>) {
        let late = |node: &Node| next_deadline(*node).map(Time::after).filter(|due| *due < now);
        let late: Vec<(Node, Time)> = self.leaders.keys().filter_map(|node| Some((*node, late(node)?))).collect();
        late.into_iter().for_each(|(node, due)| self.suspend(due, node));
    }

    /// The host of a process may have caught up: its next timer is due at this time.
    pub fn catch_up(&mut self, now: Time, node: Node, status: Status, next_deadline: Option<Span>) {
        if self.suspended.contains(&node) && next_deadline.is_none_or(|due| Time::after(due) >= now) {
            self.resume(now, node, status);
        }
    }

    /// A process does not lead any more. Returns since when it led.
    fn stops_leading(&mut self, time: Time, node: Node) -> Option<Time> {
        let since = self.leaders.remove(&node)?;
        if let Some(term) = self.terms.iter_mut().rfind(|term| term.node == node) {
            term.until = Some(time);
        }
        Some(since)
    }

    fn expect_no_other_leader(&mut self, time: Time, node: Node) {
        if let Some((&other, _)) = self.leaders.first_key_value() {
            self.note(Property::OneLeader, "two leaders", What::SecondLeader { node, time, other });
        }
    }

    /// A process that leads.
    #[must_use]
    pub fn leader(&self) -> Option<Node> {
        self.leaders.keys().next().copied()
    }

    /// The leaderships so far, in the order in which they began.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The nodes that have crashed and not recovered.
    #[must_use]
    pub fn dead(&self) -> &BTreeSet<Node> {
        &self.dead
    }

    /// The status of a process changes from `before` to `after`.
    #[cold]
    pub fn change(&mut self, time: Time, node: Node, before: Status, after: Status) {
        if let Some(turn) = self.look_at(time, node, before, after) {
            self.weigh(turn);
        }
    }

    /// A process has decided in a step. If it leads now, its leadership may have a number.
    pub fn decides(&mut self, time: Time, node: Node, before: Status, process: &dyn Actor) {
        let after = process.status();
        self.change(time, node, before, after);
        if after == Status::Leader
            && let Some(token) = process.token()
        {
            self.take_token(time, node, token);
        }
    }

    /// A process has become leader, and its leadership has this number.
    fn take_token(&mut self, time: Time, node: Node, token: u64) {
        if let Some(before @ (highest, _)) = self.token {
            let what = What::Token { node, time, token, before };
            match token.cmp(&highest) {
                Ordering::Less => self.note(Property::TokensGrow, "a smaller token", what),
                Ordering::Equal => self.note(Property::FreshToken, "a token twice", what),
                Ordering::Greater => {}
            }
        }
        self.token = self.token.max(Some((token, node)));
        if let Some(term) = self.terms.last_mut() {
            term.token = Some(token);
        }
    }

    /// The same, if only the changes of each single process come in order of time. What depends on others is put off
    /// until [`settle`](Self::settle).
    #[cold]
    pub fn change_out_of_turn(&mut self, time: Time, node: Node, before: Status, after: Status) {
        let turn = self.look_at(time, node, before, after);
        self.put_off.extend(turn);
    }

    /// Handles the changes that were put off, in order of time and node. No earlier change may come after that.
    pub fn settle(&mut self) {
        let mut turns = std::mem::take(&mut self.put_off);
        turns.sort_by_key(|turn| (turn.time, turn.node));
        turns.into_iter().for_each(|turn| self.weigh(turn));
    }

    /// Handles the part of a change that concerns one process alone. Returns the rest, if there is any.
    #[inline]
    fn look_at(&mut self, time: Time, node: Node, before: Status, after: Status) -> Option<Turn> {
        if after.is_decided() {
            self.last_decision = self.last_decision.max(Some(time));
        }
        self.undecided += u64::from(!after.is_decided());
        self.undecided -= u64::from(!before.is_decided());
        // Whether a decided process decided in this election.
        let is_counted = self.finality == Finality::OneElection;
        let had_decided = !is_counted || self.decided.contains(node);
        let again = self.finality.is_broken(before, after, had_decided);
        if is_counted && after.is_decided() {
            self.decided.insert(node);
        }
        let leads = before == Status::Leader || after == Status::Leader;
        (leads || again).then_some(Turn { time, node, before, after, had_decided, again })
    }

    /// Handles the part of a change that concerns all.
    fn weigh(&mut self, Turn { time, node, before, after, had_decided, again }: Turn) {
        if before == Status::Leader
            && let Some(since) = self.stops_leading(time, node)
            && had_decided
        {
            self.resigned.get_or_insert((node, since, time));
        }
        if after == Status::Leader {
            self.elected = true;
            self.expect_no_other_leader(time, node);
            self.leaders.insert(node, time);
            self.terms.push(Term { node, token: None, since: time, until: None });
        }
        if again {
            let what = What::Again { node, time, before, after, resigned: self.resigned };
            self.note(Property::Steady, "a change of mind", what);
        }
    }

    /// The verdict on the run, from the final statuses and the costs.
    #[must_use]
    pub fn verdict(mut self, info: &Info, scenario: &Scenario, end: &End<'_>) -> Verdict {
        let info = info.under(&scenario.settings);
        let (outcome, ruling) = match end.cut_short {
            true => (Outcome::Limit, Ruling::default()),
            // That nobody leads in the end is no fault of an algorithm that goes on, if somebody led before.
            false if info.perpetual => {
                (Outcome::of(self.leaders.len().max(self.terms.len().min(1))), Ruling::default())
            }
            false => self.rule_on_end(info, scenario, end),
        };
        if outcome == Outcome::Elected && !info.perpetual {
            self.expect_elected();
            if self.conditions.exempts(info, Property::Bounds).is_none() {
                self.hold_against_bounds(info, scenario, end);
            }
        }
        let broken = self.violations.iter().fold(Properties::default(), |set, it| set.with(it.property, true));
        let why = |property: Property| match property {
            Property::OneLeader | Property::Steady | Property::TokensGrow | Property::FreshToken => None,
            Property::Leader | Property::Winner | Property::Informed | Property::Bounds if end.cut_short => {
                Some("the run was stopped")
            }
            Property::Leader if self.excused => Some(Ruling { excused: true, ..ruling }.why()),
            Property::Bounds if outcome != Outcome::Elected => {
                Some("they are those of an election that comes out right")
            }
            _ => ruling.moot.contains(property).then(|| ruling.why()),
        };
        let of_runs = Property::of(info).filter(|property| !property.needs_all_schedules());
        let not_judged = of_runs.filter(|property| !broken.contains(*property));
        let not_judged = not_judged.filter_map(|property| {
            self.conditions.exempts(info, property).or_else(|| why(property)).map(|why| (property, why))
        });
        Verdict {
            outcome,
            violations: self.violations.iter().map(|it| self.in_words(it, &scenario.topology)).collect(),
            broken,
            not_judged: not_judged.collect(),
            time: self.last_decision.filter(|_| self.undecided == 0),
        }
    }

    /// Checks the end of the run against the rules.
    fn rule_on_end(&mut self, info: &Info, scenario: &Scenario, end: &End<'_>) -> (Outcome, Ruling) {
        let wakers: BTreeSet<Node> = match (&self.participants, info.winner) {
            (None, Winner::MinOfWakers) => scenario.electorate().wakers().collect(),
            _ => BTreeSet::new(),
        };
        let has_started = |node: Node| match (&self.participants, info.winner) {
            (None, Winner::MinOfWakers) => wakers.contains(&node),
            (None, _) => scenario.initiators.round_of(node).is_some(),
            (Some(them), _) => them.starters.contains(node) && scenario.initiators.round_of(node).is_some(),
        };
        let settled = Settled {
            info,
            ids: &scenario.ids,
            is_held: self.is_held(),
            is_alive: &|node| !self.dead.contains(&node),
            has_started: &has_started,
            status: end.status,
        };
        let (leaders, name) = (settled.leaders(), |node: Node| scenario.topology.printed_name(node));
        let ruling = settled.ruling();
        let words = |property: Property| match (property, &leaders[..]) {
            (Property::Leader, _) => ("no leader", "the network is quiet and nobody leads".into()),
            (Property::Winner, &[leader]) => {
                let (id, winner) = (scenario.ids[leader as usize], info.winner);
                let promised = settled.promised().map_or(String::new(), |promised| promised.to_string());
                ("the wrong winner", format!("id {id} leads, but {winner} is {promised}"))
            }
            (Property::Informed, &[leader]) => {
                let node = settled.uninformed(leader).unwrap_or(leader);
                let belief = match (end.status)(node) {
                    Status::Follower(Some(other)) => format!("takes id {other} for the leader"),
                    Status::Follower(None) => "does not know who leads".into(),
                    Status::Undecided | Status::Leader => "is undecided".into(),
                };
                let what = format!("node {} leads, but node {} {belief} in the end", name(leader), name(node));
                ("disagreement", what)
            }
            _ => ("several leaders", format!("{} nodes lead in the end", leaders.len())),
        };
        let flaws: Vec<_> = ruling.broken.iter().map(|property| (property, words(property))).collect();
        for (property, (name, what)) in flaws {
            self.note(property, name, What::Words(what));
        }
        self.excused |= ruling.excused;
        let outcome = match Outcome::of(leaders.len()) {
            Outcome::Elected if ruling.broken.contains(Property::Informed) => Outcome::Disagreement,
            outcome => outcome,
        };
        (outcome, ruling)
    }

    fn hold_against_bounds(&mut self, info: &Info, scenario: &Scenario, end: &End<'_>) {
        let size = scenario.size(info);
        let elections = f64::from(scenario.elections);
        let last_decision = self.last_decision;
        // Bounds are computed in floating point: a relative error of 1e-12 is not a violation.
        let election_messages = end.election_messages as f64;
        if let Some(best) = &info.bounds.best {
            let bound = (best.of)(size) * elections;
            if election_messages < bound * (1.0 - 1e-12) {
                let what = format!("{election_messages} election messages are fewer than {} = {bound}", best.text);
                self.note(Property::Bounds, "a bound undercut", What::Words(what));
            }
        }
        let mut hold = |what: &str, measured: f64, bound: f64, text: &str| {
            if measured > bound * (1.0 + 1e-12) {
                let what = format!("{measured} {what} are more than {text} = {bound}");
                self.note(Property::Bounds, "a bound exceeded", What::Words(what));
            }
        };
        if let Some(worst) = &info.bounds.worst {
            hold("election messages", election_messages, (worst.of)(size) * elections, worst.text);
        }
        let announce = &info.bounds.announce;
        hold("announce messages", end.announce_messages as f64, (announce.of)(size) * elections, announce.text);
        if let (Some(bound), Some(time), Some(ahead)) = (&info.bounds.time, last_decision, time_ahead(info, scenario)) {
            let unit = if ahead > 0.0 { "rounds after the first" } else { scenario.timing.unit() };
            hold(unit, time.as_f64() - ahead, (bound.of)(size), bound.text);
        }
        if let (Some(phases), Some(seen)) = (&info.phases, end.phases) {
            if let Some(most) = &phases.most {
                hold(phases.name, seen.count as f64, (most.of)(size), most.text);
            }
            let mut before = None;
            for (index, phase) in (0..).zip(&seen.each) {
                let number = phases.first + index as u64;
                let within = |what: &str| format!("{what} in {} {number}", phases.one());
                let Formula { text, of } = phases.messages;
                hold(&within("messages to elect"), phase.messages as f64, of(size), text);
                if let Some(before) = before {
                    let Race { text, of } = phases.race;
                    hold(&within("nodes"), phase.racing as f64, of(size, before, index), text);
                }
                before = Some(phase.racing as f64);
            }
        }
    }

    fn moment(&self, time: Time) -> String {
        let preposition = if self.timing == Timing::Rounds { "in" } else { "at" };
        format!("{preposition} {}", self.timing.moment(time))
    }

    fn note(&mut self, property: Property, name: &'static str, what: What) {
        // One violation of each kind is enough: the others often follow from it.
        if !self.violations.iter().any(|violation| violation.name == name) {
            self.violations.push(Violation { property, name, what });
        }
    }

    fn in_words(&self, Violation { name: broken, what, .. }: &Violation, network: &Network) -> String {
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
            What::Token { node, time, token, before: (highest, other) } => {
                let (node, other, moment) = (name(node), name(other), self.moment(*time));
                format!("node {node} becomes leader {moment} with token {token}, and node {other} had {highest}")
            }
            What::Words(words) => words.clone(),
        };
        format!("{broken}: {what}")
    }
}

/// The end of a run.
pub struct End<'a> {
    /// The final statuses.
    pub status: &'a dyn Fn(Node) -> Status,
    /// Whether the run was stopped, so that nothing is known.
    pub cut_short: bool,
    /// Messages that served to elect.
    pub election_messages: u64,
    /// Messages that told the result.
    pub announce_messages: u64,
    /// The phases, if they were counted.
    pub phases: Option<&'a PhasesSeen>,
}

/// A set of nodes, with one bit for each.
#[derive(Clone, Debug)]
struct NodeSet(Vec<u64>);

impl NodeSet {
    /// An empty set for this many nodes.
    fn of(nodes: u32) -> Self {
        Self(vec![0; nodes.div_ceil(64) as usize])
    }

    /// The place of a node's bit.
    fn bit(node: Node) -> (usize, u64) {
        (node as usize / 64, 1 << (node % 64))
    }

    fn contains(&self, node: Node) -> bool {
        let (word, bit) = Self::bit(node);
        self.0[word] & bit != 0
    }

    /// Adds a node. Returns whether it is new.
    fn insert(&mut self, node: Node) -> bool {
        let (word, bit) = Self::bit(node);
        let before = self.0[word];
        self.0[word] |= bit;
        before & bit == 0
    }

    fn remove(&mut self, node: Node) {
        let (word, bit) = Self::bit(node);
        self.0[word] &= !bit;
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }
}

fn called(status: Status) -> String {
    match status {
        Status::Undecided => "undecided".into(),
        Status::Leader => "leader".into(),
        Status::Follower(None) => "follower".into(),
        Status::Follower(Some(id)) => format!("follower of id {id}"),
    }
}
