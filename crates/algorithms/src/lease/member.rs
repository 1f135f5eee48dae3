//! # Member
//!
//! ## Idea
//!
//! This is all that a node of a cluster decides. It is put together from three parts. A failure detector says who is
//! alive. An election of the catalogue, held among the living, says who should lead: it *proposes*. The lease alone
//! makes a leader: only the one proposed asks for it. So a wrong suspicion or a lost message costs time. It never makes
//! two leaders.
//!
//! A larger id is preferred, but a leader that renews its lease stays, whoever comes back. It can be asked to hand
//! over. Then its service stops, it gives the lease back, and its successor asks for it at once.
//!
//! ## Rules
//!
//! ```text
//! 1  start:                                   start the lease, and let it not stand; tell all; beat
//! 2  beat:
//!    a  a peer was silent for too long:       suspect it, and forget what it told; tell all; beat again
//!    b  otherwise:                            tell all; beat again
//! 3  on alive(may) or leads(token) at p:      p is alive, and has told this
//! 4  a session closes, if it listens to that: suspect that peer at once, as in rule 2a; the lease hears of it
//! 5  it is time to call:                      number += 1; call again later
//!    a  no other may lead:                    it is proposed
//!    b  the last three came to nothing:       it is proposed
//!    c  otherwise:                            hold an election among the living who may lead
//! 6  on election(among, p, msg):
//!    a  a later one, and nobody leads:        take part in it, as an initiator; take msg
//!    b  the one in which it takes part:       take msg
//!    c  otherwise:                            drop it
//! 7  a timer of the election goes off:        as the algorithm says
//! 8  the election has a winner:               the winner is proposed
//! 9  the lease:
//!    a  on lease(msg):                        as the lease says
//!    b  one of its timers goes off:           as the lease says
//! 10 a wish that it hands over:
//!    a  another may lead:                     choose a successor: the one named, or else the largest; stop the service
//!    b  otherwise:                            ignore
//! 11 it has given the lease back:             number += 1; the successor is proposed; send all hand-over(number, it)
//! 12 on hand-over(k, j) at p:                 p is alive, and leads no longer
//!    a  k > number:                           number := k; leave the election; j is proposed; call again later
//!    b  otherwise:                            that is all
//! 13 at the end of a step:
//!    a  it knows who leads:                   nobody is proposed any longer; leave the election
//!    b  it shall lead, and may:               let the lease stand, which it does at once
//!    c  not so any longer:                    let the lease not stand; it gives back what it asks for
//!    d  nobody leads, and it may:             call in a round trip, once no peer is unheard
//!    e  what it tells has changed:            tell all
//! 14 tell all:                                send leads(token) if it leads, else alive(may it lead)
//! ```
//!
//! ## Remarks
//!
//! A member may lead if it votes, is no witness, knows what it has promised, and a majority of the voters is alive for
//! it. It tells so in its heartbeats. So an election is not won by somebody who could not get the lease.
//!
//! Of two elections the one with the larger number is the later one; if the numbers are equal, the one with the larger
//! view. What belongs to an earlier one is dropped. An election that comes to nothing is followed by the next. Whoever
//! takes part does so as an initiator. So all algorithms prefer the largest id. Who knows a leader takes part in none.
//!
//! Some elections come to nothing for ever: while one link is down, its ends have different views, and echo-election
//! waits for an answer over every link. After three of them members ask for the lease without any. The lease chooses.
//!
//! A cluster gives ids in order of priority. Voters have the smallest ids, and witnesses the smallest of these. Others
//! are observers: they neither vote nor lead.

use std::collections::BTreeMap;

use bellwether_core::prelude::*;
use bellwether_core::{Tag, Variables};
use serde::{Deserialize, Serialize};

use self::Msg::{Alive, HandOver, Leads};
use super::detector::Detector;
use super::election::{self, Algorithm, Ballot, Election};
use super::lease::{self, Lease};

const INFO: Info = Info {
    name: "member",
    aliases: &["cluster-member"],
    summary: "heartbeats, an election among the living, and the lease on top: what a node of a cluster decides",
    paper: "H. Garcia-Molina: Elections in a distributed computing system. IEEE Transactions on Computers 31(1), 1982. \
            C. Gray, D. Cheriton: Leases: an efficient fault-tolerant mechanism for distributed file cache \
            consistency. SOSP 1989",
    source: include_str!("member.rs"),
    topology: TopologyKind::Complete,
    starts: Starts::All,
    knows: &[Knowledge::Id, Knowledge::Neighbours],
    links: LinkOrder::Any,
    survives_crashes: true,
    perpetual: true,
    winner: Winner::Any,
    informs: Informs::Provisionally,
    settings: SETTINGS,
    variant: |settings| listens(|name| settings.get(name).copied()).then_some(&WITH_SESSIONS),
    example: "--topology complete:5 --fault crash=leader@30 --until 100",
    ..Info::EVENTS
};

/// The same, if it listens to sessions.
const WITH_SESSIONS: Info = Info { sessions: true, ..INFO };

const SETTINGS: &[Setting] = &[
    ALGORITHM,
    HEARTBEAT,
    SILENCE,
    lease::VOTERS,
    WITNESSES,
    HAND_OVER,
    SUCCESSOR,
    SESSIONS,
    lease::LENGTH,
    lease::DRIFT,
    lease::ROUNDS,
    lease::CHANGE_TO,
    lease::CHANGE_AFTER,
    lease::CLOSE_IS_RELEASE,
];

const ALGORITHM: Setting = Setting {
    name: "algorithm",
    help: "how the living elect the one who is proposed; unless set, bully",
    values: Values::OneOf(Algorithm::NAMES),
    meaning: Meaning::Own,
};

const HEARTBEAT: Setting = Setting {
    name: "heartbeat",
    help: "the time from a heartbeat to the next; unless set, 1",
    values: Values::Between(1, lease::LONGEST),
    meaning: Meaning::Own,
};

const SILENCE: Setting = Setting {
    name: "silence",
    help: "a peer is suspected after this time without a heartbeat; unless set, 4",
    values: Values::Between(1, lease::LONGEST),
    meaning: Meaning::Own,
};

const WITNESSES: Setting = Setting {
    name: "witnesses",
    help: "how many vote and never lead, those with the smallest ids; unless set, none",
    values: Values::AtLeast(0),
    meaning: Meaning::Count,
};

const HAND_OVER: Setting = Setting {
    name: "hand-over",
    help: "a leader is asked to hand over after this time; unless set, never",
    values: Values::Between(1, lease::LONGEST),
    meaning: Meaning::Own,
};

const SUCCESSOR: Setting = Setting {
    name: "successor",
    help: "the id of the one to hand over to, if it may lead; unless set, the largest that may",
    values: Values::AtLeast(0),
    meaning: Meaning::Someone,
};

const SESSIONS: Setting = Setting {
    name: "sessions",
    help: "a peer is suspected at once if its session closes; unless set, no",
    values: Values::OneOf(&["no", "yes"]),
    meaning: Meaning::Own,
};

/// Whether sessions that close are listened to.
fn listens(setting: impl Fn(&str) -> Option<u64>) -> bool {
    [SESSIONS, lease::CLOSE_IS_RELEASE].iter().any(|it| setting(it.name) == Some(1))
}

/// A member of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    id: Id,
    plan: Given<Plan>,
    detector: Detector,
    /// What those who are alive have told last.
    words: BTreeMap<Port, Word>,
    /// What it has told last.
    told: Word,
    /// The number of the last election that it took part in, or of the last hand-over.
    number: u64,
    /// The election that it takes part in. It has this number.
    election: Option<Election>,
    /// How many elections it has called since it last knew a leader, counted up to [`FRUITLESS`].
    fruitless: u8,
    /// Who should lead.
    proposed: Option<Id>,
    /// Whether it will call an election when its time has come.
    calls: bool,
    /// Whom it hands over to.
    successor: Option<Id>,
    lease: Lease,
}

/// What it was told, and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Plan {
    /// By port.
    ids: Vec<Id>,
    ports: BTreeMap<Id, Port>,
    algorithm: Algorithm,
    is_witness: bool,
    beat: Span,
    /// An election is called again if there is no leader after this time.
    patience: Span,
    hand_over: Option<Span>,
    successor: Option<Id>,
    listens: bool,
}

/// How long after the loss of a leader it calls an election. In this time all tell each other that they may lead.
const ROUND_TRIP: Span = Span::units(2);

/// How many elections in a row may come to nothing before it asks for the lease without one.
const FRUITLESS: u8 = 3;

/// What a member tells of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Word {
    /// It may not lead now.
    MayNot,
    /// It could lead.
    May,
    /// It leads, with this token.
    Leads(u64),
}

messages! {
    /// What travels between any two.
    pub enum Msg {
        /// A heartbeat, and whether its sender may lead.
        Alive(may: bool) = "alive",
        /// The heartbeat of a leader.
        Leads(token: u64) = "leads",
        /// A message of an election.
        Election(ballot: Ballot) = "election",
        /// A leader proposes the one who shall follow it.
        HandOver(number: u64, successor: Id) = "hand-over",
        /// A message of the lease.
        Lease(msg: lease::Msg) = "lease",
    }
}

impl Field for lease::Msg {
    fn bits(&self) -> u32 {
        bellwether_core::Message::bits(self)
    }
}

/// What it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timer {
    /// The next heartbeat.
    Beat,
    /// The next call for an election.
    Call,
    /// The leader is asked to hand over.
    HandOver,
    /// A timer of the election.
    Election(election::Timer),
    /// A timer of the lease.
    Lease(lease::Timer),
}

impl Timer {
    const OWN: [Self; 3] = [Self::Beat, Self::Call, Self::HandOver];
    const COUNT: usize = Self::OWN.len() + election::Timer::COUNT + lease::Timer::ALL.len();

    /// The timer with this place among all.
    const fn nth(place: usize) -> Self {
        let after = place.saturating_sub(Self::OWN.len());
        match election::Timer::nth(after) {
            _ if place < Self::OWN.len() => Self::OWN[place],
            Some(timer) => Self::Election(timer),
            None => Self::Lease(lease::Timer::ALL[after - election::Timer::COUNT]),
        }
    }
}

impl Tag for Timer {
    const ALL: &'static [Self] = &{
        let mut all = [Self::Beat; Self::COUNT];
        let mut place = 0;
        while place < all.len() {
            all[place] = Self::nth(place);
            place += 1;
        }
        all
    };

    fn is_wish(self) -> bool {
        match self {
            Self::HandOver => true,
            Self::Lease(timer) => timer.is_wish(),
            Self::Beat | Self::Call | Self::Election(_) => false,
        }
    }
}

impl Plan {
    fn new(local: &Local) -> Result<Self, Unmet> {
        let (id, ids) = (local.id()?, local.neighbours()?.to_vec());
        let units = |name: &str, otherwise: u64| Span::units(local.setting(name).unwrap_or(otherwise));
        let smaller = ids.iter().filter(|&&other| other < id).count() as u64;
        let algorithm = local.setting(ALGORITHM.name).unwrap_or(0) as usize;
        Ok(Self {
            ports: ids.iter().copied().zip((0..).map(Port)).collect(),
            algorithm: Algorithm::ALL.get(algorithm).copied().unwrap_or(Algorithm::ALL[0]),
            is_witness: smaller < local.setting(WITNESSES.name).unwrap_or(0),
            beat: units(HEARTBEAT.name, 1),
            patience: ROUND_TRIP.times(ids.len() as u64 + 3),
            hand_over: local.setting(HAND_OVER.name).map(Span::units),
            successor: local.setting(SUCCESSOR.name).map(Id),
            listens: listens(|name| local.setting(name)),
            ids,
        })
    }
}

impl Member {
    /// The one who leads, as far as it knows, with its token.
    fn leader(&self) -> Option<(u64, Id)> {
        let own = self.lease.token().map(|token| (token, self.id));
        let others = self.words.iter().filter_map(|(port, word)| match word {
            Word::Leads(token) => Some((*token, self.plan.0.ids[port.index()])),
            Word::May | Word::MayNot => None,
        });
        others.chain(own).max()
    }

    /// How many voters are alive for it, how many it needs, and how many there are.
    fn quorum(&self) -> (usize, usize, usize) {
        let (reached, all) = self.lease.reached(|port| self.detector.is_alive(port));
        (reached, all / 2 + 1, all)
    }

    /// Whether it could lead, as far as it knows.
    fn may_lead(&self) -> bool {
        let (reached, needed, _) = self.quorum();
        !self.plan.0.is_witness && self.lease.is_voter() && self.lease.is_ready() && reached >= needed
    }

    /// Who is alive and may lead, itself left out.
    fn others(&self) -> impl Iterator<Item = Id> {
        let may_lead = self.words.iter().filter(|(_, word)| **word != Word::MayNot);
        may_lead.map(|(port, _)| self.plan.0.ids[port.index()])
    }

    /// The living who may lead, in ascending order.
    fn view(&self) -> Vec<Id> {
        let mut view: Vec<Id> = self.others().chain([self.id]).collect();
        view.sort_unstable();
        view
    }

    fn word(&self) -> Word {
        match self.lease.token() {
            Some(token) => Word::Leads(token),
            None if self.may_lead() => Word::May,
            None => Word::MayNot,
        }
    }

    /// Why it knows no leader, in a sentence; `None` if it knows one.
    fn reason(&self) -> Option<String> {
        if self.leader().is_some() {
            return None;
        }
        let (reached, needed, all) = self.quorum();
        let unheard: Vec<Id> = self.detector.unheard().map(|port| self.plan.0.ids[port.index()]).collect();
        Some(match (self.proposed, &self.election) {
            _ if reached < needed && !unheard.is_empty() => {
                format!("{reached} of {all} voters are reachable so far, {needed} are needed")
            }
            _ if reached < needed => format!("{reached} of {all} voters are reachable, {needed} are needed"),
            _ if !self.lease.is_ready() => "it asks the voters what they have promised".into(),
            _ if !unheard.is_empty() => format!("no heartbeat came yet from {}", listed(&unheard)),
            (Some(id), _) if id == self.id && !self.lease.is_idle() => {
                "it was elected, and asks the voters for the lease".into()
            }
            (Some(id), _) if id == self.id => "it was elected, and will ask the voters for the lease again".into(),
            (Some(id), _) => format!("{id} was elected, and has no lease yet"),
            (None, Some(election)) => format!("the election among {} is under way", listed(election.stamp().1)),
            (None, None) if self.calls => "it will call an election".into(),
            (None, None) if self.others().next().is_none() => "nobody who is reachable may lead".into(),
            (None, None) => "another will call an election".into(),
        })
    }

    fn suspect(&mut self) {
        let Self { words, detector, .. } = self;
        words.retain(|port, _| detector.is_alive(*port));
    }

    /// Rule 14.
    fn tell(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        ctx.rule("14");
        self.told = self.word();
        ctx.send_all(match self.told {
            Word::Leads(token) => Leads(token),
            Word::May => Alive(true),
            Word::MayNot => Alive(false),
        });
    }

    /// A heartbeat came.
    fn hear(&mut self, from: Port, word: Word) {
        self.detector.hear(from);
        self.words.insert(from, word);
    }

    /// Takes part in no election any longer. This is its number now.
    fn leave(&mut self, number: u64, ctx: &mut impl Context<Msg, Timer>) {
        self.number = number;
        if self.election.take().is_some() {
            let timers = (0..election::Timer::COUNT).filter_map(election::Timer::nth);
            timers.for_each(|timer| ctx.cancel_timer(Timer::Election(timer)));
        }
    }

    /// Calls the next election later, unless a leader comes before.
    fn have_patience(&self, ctx: &mut impl Context<Msg, Timer>) {
        if self.calls {
            ctx.set_timer(Timer::Call, self.plan.0.patience);
        }
    }

    /// Rule 5.
    fn call(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        let view = self.view();
        let is_stuck = self.fruitless == FRUITLESS && view.len() > 1;
        self.fruitless = FRUITLESS.min(self.fruitless + 1);
        if !is_stuck && self.enter(self.number + 1, &view, ctx) {
            return ctx.rule("5c");
        }
        ctx.rule(if is_stuck { "5b" } else { "5a" });
        self.leave(self.number + 1, ctx);
        self.proposed = Some(self.id);
        self.have_patience(ctx);
    }

    /// Takes part in an election, which is later than its own. Returns whether it can.
    fn enter(&mut self, number: u64, view: &[Id], ctx: &mut impl Context<Msg, Timer>) -> bool {
        let Plan { algorithm, ports, .. } = &self.plan.0;
        let is_same = |election: &Election| election.stamp().1 == view;
        let present = self.election.take_if(|election| is_same(election));
        let Some(mut election) = present.or_else(|| Election::among(*algorithm, self.id, view, ports)) else {
            return false;
        };
        self.number = number;
        election.hold(number, &mut Part { ctx, msg: Msg::Election, timer: Timer::Election });
        self.election = Some(election);
        self.have_patience(ctx);
        true
    }

    /// Rule 6.
    fn vote(&mut self, from: Port, ballot: Ballot, ctx: &mut impl Context<Msg, Timer>) {
        let (number, view) = ballot.stamp();
        let order = (number, view).cmp(&self.election.as_ref().map_or((self.number, &[]), Election::stamp));
        if order.is_gt() && self.leader().is_none() && self.enter(number, view, ctx) {
            ctx.rule("6a");
        } else if order.is_eq() {
            ctx.rule("6b");
        } else {
            return ctx.rule("6c");
        }
        if let Some(election) = &mut self.election {
            election.receive(from, ballot, &mut Part { ctx, msg: Msg::Election, timer: Timer::Election });
        }
        self.count(ctx);
    }

    /// Rule 8.
    fn count(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        if let Some(winner) = self.election.as_ref().and_then(Election::winner) {
            ctx.rule("8");
            self.proposed = Some(winner);
        }
    }

    /// Rule 10.
    fn resign(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        let named = self.plan.0.successor.filter(|named| self.others().any(|other| other == *named));
        self.successor = named.or_else(|| self.others().max());
        if self.successor.is_some() {
            ctx.rule("10a");
            self.with_lease(ctx, |lease, ctx| lease.timeout(lease::Timer::Resign, ctx));
        } else {
            ctx.rule("10b");
        }
    }

    /// Rule 11.
    fn hand_over(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        if let Some(successor) = self.successor.take_if(|_| self.lease.token().is_none()) {
            ctx.rule("11");
            self.leave(self.number + 1, ctx);
            self.proposed = Some(successor);
            ctx.send_all(HandOver(self.number, successor));
        }
    }

    /// Rule 12.
    fn follow(&mut self, from: Port, number: u64, successor: Id, ctx: &mut impl Context<Msg, Timer>) {
        self.hear(from, Word::May);
        if number <= self.number {
            return ctx.rule("12b");
        }
        ctx.rule("12a");
        self.leave(number, ctx);
        self.proposed = Some(successor);
        self.have_patience(ctx);
    }

    /// Lets the lease take a step.
    fn with_lease<C: Context<Msg, Timer>>(&mut self, ctx: &mut C, step: impl FnOnce(&mut Lease, &mut OfLease<C>)) {
        step(&mut self.lease, &mut Part { ctx, msg: Msg::Lease, timer: Timer::Lease });
    }

    /// Rule 13.
    fn settle(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        self.hand_over(ctx);
        if self.leader().is_some() {
            self.fruitless = 0;
        }
        if self.leader().is_some() && (self.proposed.is_some() || self.election.is_some()) {
            ctx.rule("13a");
            self.proposed = None;
            self.leave(self.number, ctx);
        }
        let stands = self.proposed == Some(self.id) && self.may_lead();
        if stands != self.lease.may_stand() {
            ctx.rule(if stands { "13b" } else { "13c" });
            self.with_lease(ctx, |lease, ctx| lease.gate(stands, ctx));
        }
        let calls = self.leader().is_none() && self.may_lead() && self.detector.unheard().next().is_none();
        match (self.calls, calls) {
            (false, true) => {
                ctx.rule("13d");
                let is_soon = self.proposed.is_none() && self.election.is_none();
                ctx.set_timer(Timer::Call, if is_soon { ROUND_TRIP } else { self.plan.0.patience });
            }
            (true, false) => ctx.cancel_timer(Timer::Call),
            (true, true) | (false, false) => {}
        }
        self.calls = calls;
        match (self.told, self.word()) {
            (told, now) if told == now => return,
            (_, Word::Leads(_)) => {
                if let Some(after) = self.plan.0.hand_over {
                    ctx.set_timer(Timer::HandOver, after);
                }
            }
            (Word::Leads(_), _) => ctx.cancel_timer(Timer::HandOver),
            (Word::May | Word::MayNot, _) => {}
        }
        ctx.rule("13e");
        self.tell(ctx);
    }
}

fn listed(ids: &[Id]) -> String {
    ids.iter().map(Id::to_string).collect::<Vec<_>>().join(", ")
}

impl Process for Member {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = Timer;
    /// Only the lease needs a disk: what is known of the others, they tell again.
    type Disk = <Lease as Process>::Disk;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let plan = Plan::new(local)?;
        let silence = Span::units(local.setting(SILENCE.name).unwrap_or(4));
        Ok(Self {
            id: local.id()?,
            detector: Detector::new(plan.ids.len(), plan.beat, silence),
            words: BTreeMap::new(),
            told: Word::MayNot,
            number: 0,
            election: None,
            fruitless: 0,
            proposed: None,
            calls: false,
            successor: None,
            lease: Lease::new(local)?,
            plan: Given(plan),
        })
    }

    fn restored(local: &Local, disk: Option<Self::Disk>) -> Result<Self, Unmet> {
        Ok(Self { lease: Lease::restored(local, disk)?, ..Self::new(local)? })
    }

    fn disk(&self) -> Self::Disk {
        self.lease.disk()
    }

    fn start(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        ctx.rule("1");
        self.with_lease(ctx, |lease, ctx| {
            lease.gate(false, ctx);
            lease.start(ctx);
        });
        ctx.set_timer(Timer::Beat, self.plan.0.beat);
        self.tell(ctx);
        self.settle(ctx);
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg, Timer>) {
        match msg {
            Alive(may) => {
                ctx.rule("3");
                self.hear(from, if may { Word::May } else { Word::MayNot });
            }
            Leads(token) => {
                ctx.rule("3");
                self.hear(from, Word::Leads(token));
            }
            Msg::Election(ballot) => self.vote(from, ballot, ctx),
            HandOver(number, successor) => self.follow(from, number, successor, ctx),
            Msg::Lease(msg) => {
                ctx.rule("9a");
                self.with_lease(ctx, |lease, ctx| lease.receive(from, msg, ctx));
            }
        }
        self.settle(ctx);
    }

    fn timeout(&mut self, timer: Timer, ctx: &mut impl Context<Msg, Timer>) {
        match timer {
            Timer::Beat => {
                ctx.rule(if self.detector.beat() { "2a" } else { "2b" });
                self.suspect();
                ctx.set_timer(Timer::Beat, self.plan.0.beat);
                self.tell(ctx);
            }
            Timer::Call => self.call(ctx),
            Timer::HandOver => self.resign(ctx),
            Timer::Election(timer) => {
                ctx.rule("7");
                if let Some(election) = &mut self.election {
                    election.timeout(timer, &mut Part { ctx, msg: Msg::Election, timer: Timer::Election });
                }
                self.count(ctx);
            }
            Timer::Lease(timer) => {
                ctx.rule("9b");
                self.with_lease(ctx, |lease, ctx| lease.timeout(timer, ctx));
            }
        }
        self.settle(ctx);
    }

    fn peer_down(&mut self, port: Port, ctx: &mut impl Context<Msg, Timer>) {
        if !self.plan.0.listens {
            return;
        }
        ctx.rule("4");
        self.detector.close(port);
        self.suspect();
        self.with_lease(ctx, |lease, ctx| lease.peer_down(port, ctx));
        self.settle(ctx);
    }

    fn status(&self) -> Status {
        match self.leader() {
            Some(_) if self.lease.token().is_some() => Status::Leader,
            Some((_, leader)) => Status::Follower(Some(leader)),
            None => Status::Undecided,
        }
    }

    fn token(&self) -> Option<u64> {
        self.lease.token()
    }

    fn role(&self) -> &'static str {
        match self.leader() {
            _ if !self.lease.is_idle() => self.lease.role(),
            _ if !self.lease.is_voter() => "observer",
            _ if self.plan.0.is_witness => "witness",
            Some(_) => "follower",
            None => "voter",
        }
    }

    fn variables(&self) -> Variables {
        let suspicion = |(port, reason): (Port, _)| format!("{}: {reason}", self.plan.0.ids[port.index()]);
        let suspicions: Vec<String> = self.detector.suspicions().map(suspicion).collect();
        let own = [
            ("id", Some(self.id.to_string())),
            ("leader", self.leader().map(|(_, leader)| leader.to_string())),
            ("why", self.why()),
            ("suspects", (!suspicions.is_empty()).then(|| suspicions.join(", "))),
            ("number", Some(self.number.to_string())),
            ("among", self.election.as_ref().map(|election| listed(election.stamp().1))),
            ("proposed", self.proposed.map(|proposed| proposed.to_string())),
        ];
        let own = own.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?)));
        let of_lease = self.lease.variables().0.into_iter().filter(|(name, _)| name != "id");
        let of_lease = of_lease.map(|(name, value)| (format!("lease.{name}"), value));
        Variables(own.chain(of_lease).collect())
    }

    fn why(&self) -> Option<String> {
        self.reason()
    }

    fn ignores(&self, from: Port, msg: &Msg) -> bool {
        // Who is started again has forgotten the number of its election. And any other message tells that a peer lives.
        matches!(msg, Msg::Lease(msg) if self.lease.ignores(from, msg))
    }

    fn phase(&self) -> Option<Phase> {
        self.lease.phase().max(Some(Phase(self.number)))
    }
}

/// The context of a part: what it sends and sets is the member's.
struct Part<'a, C, M, T> {
    ctx: &'a mut C,
    msg: fn(M) -> Msg,
    timer: fn(T) -> Timer,
}

type OfLease<'a, C> = Part<'a, C, lease::Msg, lease::Timer>;

impl<M, T, C: Context<Msg, Timer>> Context<M, T> for Part<'_, C, M, T> {
    fn ports(&self) -> u32 {
        self.ctx.ports()
    }

    fn send(&mut self, port: Port, msg: M) {
        self.ctx.send(port, (self.msg)(msg));
    }

    fn set_timer(&mut self, timer: T, after: Span) {
        self.ctx.set_timer((self.timer)(timer), after);
    }

    fn cancel_timer(&mut self, timer: T) {
        self.ctx.cancel_timer((self.timer)(timer));
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.ctx.choose(arity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether_core::{Input, Outbox, Truth};

    type Step = Outbox<Msg, Timer, fn(u64) -> u64>;

    /// Ports lead to the others in ascending order of their ids.
    const IDS: [u64; 3] = [1, 2, 3];

    struct Tried {
        member: Member,
        step: Step,
    }

    impl Tried {
        /// A member of three, after its start.
        fn new(id: u64, settings: &[(&str, u64)]) -> Self {
            let settings = settings.iter().map(|(name, value)| ((*name).to_string(), *value)).collect();
            let neighbours: Vec<Id> = IDS.into_iter().filter(|other| *other != id).map(Id).collect();
            let truth =
                Truth { ports: 2, id: Id(id), size: 3, diameter: 1, neighbours: &neighbours, max_delay: Span::UNIT };
            let member = Member::new(&Local::granted(&INFO, &truth, &settings)).unwrap();
            let mut tried = Self { member, step: Step::new(2, |_| 0) };
            tried.take(Input::Start);
            tried
        }

        fn take(&mut self, input: Input<Msg, Timer>) {
            self.step.clear();
            input.perform(&mut self.member, &mut self.step);
        }

        fn receive(&mut self, from: u32, msg: Msg) {
            self.take(Input::Receive(Port(from), msg));
        }

        fn beat(&mut self, times: usize) {
            (0..times).for_each(|_| self.take(Input::Timeout(Timer::Beat)));
        }

        fn why(&self) -> String {
            self.member.why().unwrap_or_default()
        }

        fn variable(&self, name: &str) -> String {
            self.member.variables().get(name).unwrap_or_default().to_string()
        }

        /// When it will call an election, if the step says so.
        fn will_call(&self) -> Option<Option<Span>> {
            let set = self.step.timers.iter().rev().find(|(timer, _)| *timer == Timer::Call);
            set.map(|(_, after)| *after)
        }

        fn asks(&self) -> bool {
            self.step.sent.iter().any(|(_, msg)| matches!(msg, Msg::Lease(lease::Msg::Ask(..))))
        }

        /// The largest id: the election is won, and both others grant the lease.
        fn leader(settings: &[(&str, u64)]) -> Self {
            let mut tried = Self::new(3, settings);
            tried.receive(0, Alive(true));
            tried.receive(1, Alive(true));
            tried.take(Input::Timeout(Timer::Call));
            tried.take(Input::Timeout(election::Timer::nth(0).map(Timer::Election).unwrap()));
            tried.receive(0, Msg::Lease(lease::Msg::Grant(1, 1, 1)));
            assert_eq!((tried.member.status(), tried.member.token()), (Status::Leader, Some(1)));
            tried
        }
    }

    #[test]
    fn all_timers_are_listed_in_order_and_once() {
        assert!(Timer::ALL.is_sorted_by(|one, next| one < next), "{:?}", Timer::ALL);
        assert_eq!(Timer::ALL.len(), 3 + 2 + lease::Timer::ALL.len());
    }

    #[test]
    fn it_says_why_there_is_no_leader() {
        let mut tried = Tried::new(3, &[]);
        assert_eq!(tried.why(), "1 of 3 voters are reachable so far, 2 are needed");
        tried.receive(0, Alive(false));
        assert_eq!(tried.why(), "no heartbeat came yet from 2");
        tried.beat(5);
        assert_eq!(tried.why(), "1 of 3 voters are reachable, 2 are needed");
        assert_eq!(tried.variable("suspects"), "1: no heartbeat for 4 units, 2: no heartbeat for 4 units");
        tried.receive(0, Alive(true));
        assert_eq!((tried.why(), tried.will_call()), ("it will call an election".into(), Some(Some(ROUND_TRIP))));
        tried.take(Input::Timeout(Timer::Call));
        assert_eq!(tried.why(), "the election among 1, 3 is under way");
        tried.take(Input::Timeout(election::Timer::nth(0).map(Timer::Election).unwrap()));
        assert_eq!((tried.why(), tried.asks()), ("it was elected, and asks the voters for the lease".into(), true));
        tried.receive(0, Msg::Lease(lease::Msg::Refuse(1, 1, 7)));
        assert_eq!(tried.why(), "it was elected, and will ask the voters for the lease again");
        tried.receive(0, HandOver(9, Id(1)));
        assert_eq!(tried.why(), "1 was elected, and has no lease yet");
        tried.receive(0, Leads(8));
        assert_eq!((tried.member.why(), tried.variable("leader")), (None, "1".into()));
    }

    #[test]
    fn a_witness_says_that_nobody_may_lead() {
        let mut tried = Tried::new(1, &[("witnesses", 2)]);
        tried.receive(0, Alive(false));
        tried.beat(4);
        tried.receive(0, Alive(false));
        tried.beat(1);
        assert_eq!((tried.why(), tried.member.role()), ("nobody who is reachable may lead".into(), "witness"));
        assert_eq!(tried.member.told, Word::MayNot);
    }

    /// The largest id comes late. It follows, and takes part in no election as long as the leader is heard.
    #[test]
    fn a_newcomer_follows_the_leader_and_one_who_knows_a_leader_takes_part_in_no_election() {
        let mut tried = Tried::new(3, &[]);
        tried.receive(0, Leads(2));
        tried.receive(1, Alive(true));
        assert_eq!(tried.member.status(), Status::Follower(Some(Id(1))));
        assert_eq!((tried.will_call(), tried.member.calls), (None, false));
        let mut other = Tried::new(2, &[]);
        other.receive(0, Alive(true));
        other.receive(1, Alive(true));
        other.take(Input::Timeout(Timer::Call));
        let ballot = |(port, msg): &(Port, Msg)| (*port == Port(1)).then(|| msg.clone());
        let ballot = other.step.sent.iter().find_map(ballot).unwrap();
        tried.receive(1, ballot.clone());
        assert_eq!((tried.step.sent.len(), tried.member.election.is_none(), tried.member.number), (0, true, 0));
        tried.beat(4);
        tried.receive(1, Alive(true));
        tried.beat(1);
        assert_eq!((tried.variable("suspects").as_str(), tried.member.calls), ("1: no heartbeat for 4 units", true));
        tried.receive(1, ballot);
        assert!(tried.member.election.is_some(), "the leader is lost, and it takes part");
    }

    #[test]
    fn a_leader_is_not_deposed_by_an_election_that_another_wins() {
        let mut tried = Tried::leader(&[]);
        tried.receive(1, HandOver(7, Id(2)));
        tried.receive(1, Alive(true));
        assert_eq!((tried.member.status(), tried.member.token()), (Status::Leader, Some(1)));
        assert_eq!(tried.member.proposed, None);
    }

    #[test]
    fn it_hands_over_once_its_service_has_stopped_and_the_lease_is_given_back() {
        for (settings, successor) in [(&[][..], 2), (&[("successor", 1)], 1), (&[("successor", 9)], 2)] {
            let mut tried = Tried::leader(settings);
            tried.take(Input::Timeout(Timer::HandOver));
            assert_eq!((tried.member.role(), tried.step.sent.len()), ("stopping", 0));
            tried.take(Input::Timeout(Timer::Lease(lease::Timer::Stopped)));
            assert_eq!(tried.member.token(), None);
            let sent: Vec<&Msg> = tried.step.sent.iter().map(|(_, msg)| msg).collect();
            let (release, hand_over) = (Msg::Lease(lease::Msg::Release(1, 1)), HandOver(2, Id(successor)));
            assert_eq!(sent, [&release, &release, &hand_over, &hand_over, &Alive(true), &Alive(true)]);
            assert!(!tried.member.lease.may_stand(), "it does not ask for the lease itself");
            let mut other = Tried::new(successor, &[]);
            other.receive(1, Leads(1));
            other.receive(1, hand_over);
            assert!(other.asks(), "the successor stands at once");
        }
    }

    #[test]
    fn it_does_not_hand_over_if_nobody_may_lead() {
        let mut tried = Tried::leader(&[]);
        tried.receive(0, Alive(false));
        tried.receive(1, Alive(false));
        tried.take(Input::Timeout(Timer::HandOver));
        assert_eq!((tried.member.role(), &tried.step.rules[..]), ("leader", &["10b"][..]));
    }

    #[test]
    fn a_session_that_closes_is_a_suspicion_if_it_listens_to_that() {
        for (settings, suspects) in [(&[][..], ""), (&[("sessions", 1)], "1: its session closed")] {
            let mut tried = Tried::new(3, settings);
            tried.receive(0, Leads(1));
            tried.take(Input::PeerDown(Port(0)));
            assert_eq!(tried.variable("suspects"), suspects);
            assert_eq!(tried.member.leader().is_none(), !suspects.is_empty());
        }
    }

    #[test]
    fn what_it_knows_of_others_is_not_on_its_disk() {
        let before = Tried::leader(&[]).member;
        let settings = Settings::new();
        let truth =
            Truth { ports: 2, id: Id(3), size: 3, diameter: 1, neighbours: &[Id(1), Id(2)], max_delay: Span::UNIT };
        let local = Local::granted(&INFO, &truth, &settings);
        let restored = Member::restored(&local, Some(before.disk())).unwrap();
        assert_eq!((restored.status(), restored.number, restored.words.len()), (Status::Undecided, 0, 0));
        assert_eq!(restored.lease, Lease::restored(&local, Some(before.lease.disk())).unwrap());
        assert!(!Member::restored(&local, None).unwrap().lease.is_ready(), "its disk is lost");
    }
}
