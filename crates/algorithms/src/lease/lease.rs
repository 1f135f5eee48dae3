//! # Lease
//!
//! ## Idea
//!
//! A candidate leads while a majority of the voters has lent it the leadership. What they lend runs out by itself, and
//! it must be renewed in time. Every leadership has a larger number than the one before, its *epoch*: a service that
//! remembers the largest epoch it has seen refuses orders of a former leader.
//!
//! Clocks may differ, messages may be lost, repeated and overtaken, and processes may crash and come back. No clock is
//! read: timers are set. The candidate sets its timer before it asks, and a voter when it answers; and the voter's runs
//! longer, by any two clocks within the bound on drift. So the candidate stops before the voters lend to another.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  for the first time:                     stand, if it is a candidate
//!    b  again, with its disk:                   a voter waits (1 + 2 drift) leases; stand
//!    c  again, without its disk:                wait so; neither vote nor stand before rule 11b
//! 2  on ask(c, e, r, x) at p, asked as a voter of configuration c:
//!    a  e is promised to p and x, r is newer:   grant it; the grant runs anew, for a lease
//!    b  the same, but r is not newer:           repeat the answer if the grant of r runs
//!    c  e <= promise:                           refuse
//!    d  another's grant runs, or it waits:      keep the request that asks for the largest epoch
//!    e  otherwise:                              promise e to p and x, on disk; grant it for a lease
//!    f  not asked as such, or it changes:       tell its configuration
//! 3  on grant(x, e, r) at p:
//!    a  the last one that a majority needed:    lead with token e until the timer of round r goes off
//!    b  otherwise:                              count it if it is for this round
//! 4  on refuse(x, e, promise):
//!    a  it asks for e:                          release e; stand again later, for more than the promise
//!    b  otherwise:                              ignore
//! 5  the timer of a round goes off:
//!    a  it leads by this round:                 lead no longer; stand again later
//!    b  it asks in this round:                  release its epoch; stand again later
//! 6  tick:
//!    a  a majority granted, but too late:       release its epoch; stand again later
//!    b  it leads or asks:                       ask in the next round; if it leads by the last, ask again in that
//!    c  it changes, or its disk is lost:        query anew; after a change was begun, in the next round
//!    d  otherwise:                              stand, if it is a candidate
//! 7  a grant runs out, or the wait is over:
//!    a  its disk is lost:                       query the voters of all configurations
//!    b  otherwise:                              answer the request that was kept
//! 8  on release(e, x) at p:                     the grant is over, if it was lent so; answer as in rule 7b
//! 9  a wish to resign:
//!    a  it leads:                               stop the service
//!    b  the service has stopped:                lead no longer; release its epoch; stand again later
//! 10 a wish for the next configuration, k + 1:
//!    a  it leads:                               stop the service; the wish comes again
//!    b  otherwise:                              ask and grant no longer; query the voters of k in a new round
//! 11 on query(x, k, r):                         tell the configuration that it has taken on, and its promise
//!    a  a majority of k has told so in r:       once no grant runs, promise the largest promise; take on k + 1
//!    b  enough have told a lost disk so:        promise the largest promise; take on the latest k; stand
//! 12 a connection closes, if that is a release: it is one; a leader no longer counts that voter
//! 13 stand, if it votes or outsiders may:       ask all voters for 1 + the largest epoch seen, in round 1
//! 14 ask in a round:                            set its timer to (1 - 2 drift) leases; ask; tick in a third
//! ```
//!
//! ## Remarks
//!
//! A holder is a node and the number of its start: a process that was started again is somebody else.
//!
//! A process without its disk waits first and asks then. While it waits, a candidate may still come to lead by a grant
//! that it has forgotten; the others of that majority promised the epoch before, and tell it. Let k be the latest
//! configuration that it is told. A majority of the other voters of k must tell, and of k - 1 and k + 1. Any majority
//! that it was part of shares a voter with those.
//!
//! A change counts the answers of one round only, which ends with a tick. A voter that loses its disk waits for longer.
//! So it does not come back with less within a round in which it has told.
//!
//! A request that comes while another's grant runs is answered when that grant runs out. So a successor takes over the
//! moment it may.
//!
//! A round trip must take less than a third of a lease. Otherwise a candidate asks in the next round before it has the
//! grants of the last one. It then releases the voters, so that a faster candidate may come to lead.
//!
//! Voters of a configuration are those with the smallest ids. The next configuration has one voter more or fewer. Any
//! two majorities of one configuration meet, and of two that follow each other; of others they need not. So a process
//! takes on a configuration only when a majority has taken on the one before, and promises what that majority has.

mod candidate;
mod change;
mod plan;
mod voter;

use std::collections::{BTreeMap, BTreeSet};

use bellwether_core::prelude::*;
use serde::{Deserialize, Serialize};

use self::Msg::{Ask, Grant, Query, Refuse, Release, Taken, Told};
use self::candidate::timer_of;
pub(super) use self::plan::{CHANGE_AFTER, CHANGE_TO, CLOSE_IS_RELEASE, DRIFT, LENGTH, LONGEST, ROUNDS, VOTERS};
use self::plan::{FAILOVER, Plan, SETTINGS, percent};

const INFO: Info = Info {
    name: "lease",
    aliases: &["quorum-lease"],
    summary: "a majority lends the leadership for a time; whoever renews it in time goes on",
    paper: "C. Gray, D. Cheriton: Leases: an efficient fault-tolerant mechanism for distributed file cache \
            consistency. SOSP 1989",
    source: include_str!("lease.rs"),
    topology: TopologyKind::Complete,
    starts: Starts::All,
    knows: &[Knowledge::Id, Knowledge::Neighbours],
    links: LinkOrder::Any,
    survives_crashes: true,
    perpetual: true,
    winner: Winner::Any,
    informs: Informs::Nobody,
    bounds: Bounds { failover: Some(FAILOVER), ..Bounds::NONE },
    settings: SETTINGS,
    variant: |settings| (settings.get("close-is-release") == Some(&1)).then_some(&WITH_SESSIONS),
    example: "--topology complete:3 --fault crash=leader@30 --until 60",
    ..Info::EVENTS
};

/// The same, if it listens to connections.
const WITH_SESSIONS: Info = Info { sessions: true, ..INFO };

/// A process of the lease: a voter, a candidate, or both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    id: Id,
    plan: Given<Plan>,
    // What is on its disk.
    /// The number of its configuration.
    configuration: u64,
    /// The largest epoch that it promised.
    promise: u64,
    /// To whom, unless that was released.
    holder: Option<Holder>,
    /// For how long.
    lent: Given<Span>,
    /// How often it was started.
    starts: u64,
    // What a voter has in memory.
    vote: Vote,
    /// The last round that it granted to the holder.
    granted: u64,
    /// The request that is answered when the grant runs out.
    kept: Option<Request>,
    /// The last round of queries for a change.
    queries: u64,
    /// What voters have told in that round; or ever, if its disk is lost.
    answers: Option<BTreeMap<Who, Answer>>,
    // What a candidate has in memory.
    /// The largest epoch that it has heard of.
    seen: u64,
    role: Role,
}

/// What survives a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disk {
    /// The number of its configuration.
    pub configuration: u64,
    /// The largest epoch that it promised.
    pub promise: u64,
    /// To whom, unless that was released.
    pub holder: Option<Holder>,
    /// For how long.
    pub lent: Span,
    /// How often it was started.
    pub starts: u64,
    /// Whether an earlier disk was lost, and it has not learnt yet what it may have promised.
    pub lost: bool,
}

/// A process as another one sees it: the port that it is behind; `None` is the process itself.
type Who = Option<Port>;

/// Whom a voter lends to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Holder {
    who: Who,
    /// The number of its start.
    start: u64,
}

/// A request that cannot be answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Request {
    epoch: u64,
    holder: Holder,
    round: u64,
}

/// What a voter has told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Answer {
    /// Its configuration, if that matters: after a lost disk.
    configuration: u64,
    promise: u64,
}

/// What a voter is bound by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Vote {
    /// Nothing.
    Free,
    /// A grant that runs.
    Lent,
    /// A grant that it may have forgotten.
    Waits,
    /// Its disk is lost.
    Lost,
}

roles! {
    enum Role {
        Idle = "idle" => Undecided,
        /// It asks for an epoch.
        Asks { epoch: u64, round: u64, grants: BTreeSet<Who>, late: BTreeSet<Who> } = "candidate" => Undecided,
        /// It leads by a round, and asks in the next one or has not begun to.
        Leads { epoch: u64, by: u64, round: u64, grants: BTreeSet<Who>, voters: BTreeSet<Who> } = "leader" => Leader,
        /// It leads, and its service is being stopped.
        Stops { epoch: u64, by: u64 } = "stopping" => Leader,
    }
}

timers! {
    /// What it waits for.
    pub enum Timer {
        /// The end of a round with an even number.
        Even = "even",
        /// The end of a round with an odd number.
        Odd = "odd",
        /// The next round.
        Tick = "tick",
        /// The end of a grant.
        Grant = "grant",
        /// The end of a grant that may have been forgotten.
        Wait = "wait",
        /// The leader is asked to resign.
        Resign = wish "resign",
        /// The leader's service has stopped.
        Stopped = wish "stopped",
        /// The next configuration is wanted.
        Change = wish "change",
    }
}

messages! {
    /// What travels between any two.
    pub enum Msg {
        /// Lend me this epoch: the configuration, the epoch, the round, and the number of the candidate's start.
        Ask(configuration: u64, epoch: u64, round: u64, start: u64) = "ask",
        /// It is lent.
        Grant(start: u64, epoch: u64, round: u64) = "grant",
        /// It is not: a larger epoch was promised.
        Refuse(start: u64, epoch: u64, promise: u64) = "refuse",
        /// It is not: this is another configuration.
        Told(configuration: u64) = "told",
        /// It is given back.
        Release(epoch: u64, start: u64) = "release",
        /// Have you taken on this configuration? And the number of the start of who asks, and the round.
        Query(start: u64, configuration: u64, round: u64) = "query",
        /// It has taken on this one, and has promised this epoch.
        Taken(start: u64, round: u64, configuration: u64, promise: u64) = "taken",
    }
}

impl Lease {
    /// Who votes in its configuration.
    fn voters(&self) -> &BTreeSet<Who> {
        &self.plan.0.voters[self.configuration as usize]
    }

    fn is_majority(&self, of: usize) -> bool {
        2 * of > self.voters().len()
    }

    fn is_changing(&self) -> bool {
        self.answers.is_some()
    }

    /// Sends to all of these, but not to itself.
    fn tell(whom: impl IntoIterator<Item = Who>, msg: &Msg, ctx: &mut impl Context<Msg, Timer>) {
        whom.into_iter().flatten().for_each(|port| ctx.send(port, msg.clone()));
    }

    /// Its owner lets it stand, which it does at once, or lets it stand no longer. A leader goes on leading.
    pub(super) fn gate(&mut self, is_open: bool, ctx: &mut impl Context<Msg, Timer>) {
        if self.plan.0.is_candidate == is_open {
            return;
        }
        self.plan.0.is_candidate = is_open;
        match self.role {
            Role::Idle if is_open => self.stand(ctx),
            Role::Asks { epoch, .. } if !is_open => self.step_back(epoch, ctx),
            Role::Idle | Role::Asks { .. } | Role::Leads { .. } | Role::Stops { .. } => {}
        }
    }

    /// Whether it is let stand.
    pub(super) fn may_stand(&self) -> bool {
        self.plan.0.is_candidate
    }

    /// Whether it knows what it has promised and who votes, so that it may stand.
    pub(super) fn is_ready(&self) -> bool {
        self.vote != Vote::Lost && !self.is_changing()
    }

    /// Whether it neither leads nor asks.
    pub(super) fn is_idle(&self) -> bool {
        self.role == Role::Idle
    }

    pub(super) fn is_voter(&self) -> bool {
        self.voters().contains(&None)
    }

    /// How many of its voters are among these and itself, and how many there are.
    pub(super) fn reached(&self, is_reached: impl Fn(Port) -> bool) -> (usize, usize) {
        let reached = self.voters().iter().filter(|who| who.is_none_or(&is_reached)).count();
        (reached, self.voters().len())
    }
}

impl Process for Lease {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = Timer;
    type Disk = Disk;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let plan = Plan::new(local)?;
        Ok(Self {
            id: local.id()?,
            lent: Given(plan.lease),
            plan: Given(plan),
            configuration: 0,
            promise: 0,
            holder: None,
            starts: 0,
            vote: Vote::Free,
            granted: 0,
            kept: None,
            queries: 0,
            answers: None,
            seen: 0,
            role: Role::Idle,
        })
    }

    fn restored(local: &Local, disk: Option<Disk>) -> Result<Self, Unmet> {
        let fresh = Self::new(local)?;
        Ok(match disk {
            Some(Disk { configuration, promise, holder, lent, starts, lost }) => {
                let vote = if lost { Vote::Lost } else { Vote::Waits };
                Self { configuration, promise, holder, lent: Given(lent), starts, vote, ..fresh }
            }
            None => Self { vote: Vote::Lost, ..fresh },
        })
    }

    fn disk(&self) -> Disk {
        let Self { configuration, promise, holder, lent: Given(lent), starts, vote, .. } = *self;
        Disk { configuration, promise, holder, lent, starts, lost: vote == Vote::Lost }
    }

    fn start(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        self.starts += 1;
        // The lease may have been longer when it lent it.
        let wait = percent(self.plan.0.lease.max(self.lent.0), 100 + 2 * self.plan.0.drift);
        match self.vote {
            Vote::Lost => {
                ctx.rule("1c");
                // It cannot know how often it was started.
                self.starts = 1 + ctx.choose(1 << 32);
                self.answers = Some(BTreeMap::new());
                ctx.set_timer(Timer::Wait, wait);
            }
            Vote::Waits => {
                ctx.rule("1b");
                self.expect_change(ctx);
                if self.voters().contains(&None) {
                    ctx.set_timer(Timer::Wait, wait);
                } else {
                    self.vote = Vote::Free;
                }
                self.stand(ctx);
            }
            Vote::Free | Vote::Lent => {
                ctx.rule("1a");
                self.expect_change(ctx);
                self.stand(ctx);
            }
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg, Timer>) {
        let who = Some(from);
        match msg {
            Ask(configuration, ..)
                if configuration != self.configuration || self.is_changing() || !self.voters().contains(&None) =>
            {
                ctx.rule("2f");
                ctx.send(from, Told(self.configuration));
            }
            Ask(_, epoch, round, start) => {
                self.consider(Request { epoch, holder: Holder { who, start }, round }, ctx);
            }
            Grant(start, epoch, round) => self.count(who, start, epoch, round, ctx),
            Refuse(start, epoch, promise) => self.give_way(start, epoch, promise, ctx),
            Told(_) => ctx.rule("2f"),
            Release(epoch, start) => {
                ctx.rule("8");
                self.take_back(epoch, Holder { who, start }, ctx);
            }
            Query(start, configuration, round) => {
                ctx.rule("11");
                if self.configuration >= configuration && self.vote != Vote::Lost {
                    ctx.send(from, Taken(start, round, self.configuration, self.promise));
                }
            }
            Taken(start, _, configuration, promise) if start == self.starts && self.vote == Vote::Lost => {
                ctx.rule("11");
                self.note_answer(who, configuration, promise);
                self.rejoin(ctx);
            }
            Taken(start, round, configuration, promise) => {
                ctx.rule("11");
                let is_last_round = (start, round) == (self.starts, self.queries);
                if is_last_round && configuration >= self.configuration && self.voters().contains(&who) {
                    self.note_answer(who, self.configuration, promise);
                    self.take_on(ctx);
                }
            }
        }
    }

    fn timeout(&mut self, timer: Timer, ctx: &mut impl Context<Msg, Timer>) {
        match timer {
            Timer::Even | Timer::Odd => match self.role {
                Role::Leads { by, .. } | Role::Stops { by, .. } if timer_of(by) == timer => {
                    ctx.rule("5a");
                    self.rest(ctx);
                }
                Role::Asks { epoch, .. } => {
                    ctx.rule("5b");
                    self.step_back(epoch, ctx);
                }
                Role::Idle | Role::Leads { .. } | Role::Stops { .. } => {} // never: its round ends first
            },
            Timer::Tick => self.tick(ctx),
            Timer::Grant | Timer::Wait if self.vote == Vote::Lost => {
                ctx.rule("7a");
                self.query_all(ctx);
            }
            Timer::Grant | Timer::Wait => {
                ctx.rule("7b");
                self.answer_kept(ctx);
            }
            Timer::Resign => {
                if let Role::Leads { epoch, by, .. } = self.role {
                    ctx.rule("9a");
                    self.stop(epoch, by, ctx);
                }
            }
            Timer::Stopped => {
                if let Role::Stops { epoch, .. } = self.role {
                    ctx.rule("9b");
                    self.step_back(epoch, ctx);
                }
            }
            Timer::Change => self.change(ctx),
        }
    }

    fn peer_down(&mut self, port: Port, ctx: &mut impl Context<Msg, Timer>) {
        if !self.plan.0.close_is_release {
            return;
        }
        ctx.rule("12");
        let who = Some(port);
        if let Some(holder) = self.holder.filter(|holder| holder.who == who) {
            self.take_back(self.promise, holder, ctx);
        }
        self.kept = self.kept.filter(|kept| kept.holder.who != who);
        let least = self.voters().len() / 2 + 1;
        let leads = match &mut self.role {
            Role::Leads { voters, grants, .. } => {
                grants.remove(&who);
                !voters.remove(&who) || voters.len() >= least
            }
            Role::Asks { grants, late, .. } => {
                grants.remove(&who);
                late.remove(&who);
                true
            }
            Role::Idle | Role::Stops { .. } => true,
        };
        if !leads {
            self.rest(ctx);
        }
    }

    fn token(&self) -> Option<u64> {
        match self.role {
            Role::Leads { epoch, .. } | Role::Stops { epoch, .. } => Some(epoch),
            Role::Idle | Role::Asks { .. } => None,
        }
    }

    fn ignores(&self, from: Port, msg: &Msg) -> bool {
        let asked = |wanted: (u64, u64)| match &self.role {
            Role::Asks { epoch, round, late, .. } => {
                *epoch > wanted.0 || (*epoch, *round) > wanted && late.contains(&Some(from))
            }
            Role::Leads { epoch, by, .. } if self.plan.0.close_is_release => (*epoch, *by) > wanted,
            Role::Leads { epoch, by, .. } => (*epoch, *by) >= wanted,
            Role::Idle | Role::Stops { .. } => self.seen >= wanted.0,
        };
        match *msg {
            Grant(start, epoch, round) => start < self.starts || start == self.starts && asked((epoch, round)),
            Refuse(start, epoch, _) => {
                let is_over = !matches!(self.role, Role::Asks { epoch: e, .. } if e == epoch) && self.seen >= epoch;
                start < self.starts || start == self.starts && is_over
            }
            Told(_) => true,
            Release(epoch, start) => {
                let holder = Holder { who: Some(from), start };
                epoch < self.promise || epoch == self.promise && self.holder != Some(holder)
            }
            Taken(start, round, configuration, _) => {
                let (told, last) = ((start, round), (self.starts, self.queries));
                told < last || told == last && !self.is_changing() || configuration < self.configuration
            }
            Ask(..) | Query(..) => false,
        }
    }

    fn notes(&self, msg: &Msg) -> bool {
        matches!(msg, Taken(..))
    }

    fn alike(&self) -> Option<u64> {
        // In which configurations it votes. Candidates pause for different times.
        let voters = self.plan.0.voters.iter().map(|voters| u64::from(voters.contains(&None)));
        (!self.plan.0.is_candidate).then(|| voters.fold(0, |votes, votes_here| votes << 1 | votes_here))
    }

    fn phase(&self) -> Option<Phase> {
        // More rounds of queries for a configuration than there are rounds for an epoch are beyond all phases.
        let is_beyond = self.queries.saturating_sub(self.configuration) > self.plan.0.rounds;
        Some(Phase(if is_beyond { u64::MAX } else { self.seen.max(self.promise) }))
    }

    status_and_role!(self.role);
}
