//! # Bully
//!
//! ## Idea
//!
//! Everybody knows everybody, and how long a message takes at most. A candidate asks all larger ids. If
//! none answers in time they are all down, and it bullies its way to the top: it leads, and tells the smaller ones.
//! Whoever is asked by a smaller one answers, and stands itself. If an answer came but no result follows, the one who
//! gave it has died meanwhile, and the election is held again.
//!
//! ## Rules
//!
//! ```text
//! 1  start:                              stand, unless it stands already
//! 2  on elec() at p:
//!    a  not standing:                    send ok back; stand
//!    b  standing:                        send ok back
//! 3  on ok():
//!    a  candidate:                       beaten
//!    b  otherwise:                       ignore
//! 4  on announce(j) at p:
//!    a  p was reported dead, or j < id:  stand, unless j < id and it stands already
//!    b  otherwise:                       follower of j; wait for nothing any more
//! 5  time is up:
//!    a  candidate:                       leader; send announce(id) to every smaller id
//!    b  beaten, and it waited once:      wait 2 delays more for the announcement
//!    c  beaten, and it waited twice:     stand
//! 6  a peer is reported dead:
//!    a  it led:                          stand
//!    b  otherwise:                       only remember it
//! 7  stand:                              candidate; send elec to every larger id; wait 2 delays for answers
//! ```
//!
//! ## Remarks
//!
//! Two delays are a round trip. Even the largest id waits for them: if it led at once, questions that are still under
//! way would make it stand again.
//!
//! A late answer makes a candidate wait in vain, and then stand again: that costs time and nothing else. A late
//! announcement might make it follow a dead leader. So a node that hears one from a process that was reported down
//! stands and asks. If that process is alive after all, it will answer. A node that hears a smaller one announce itself
//! would ask as well, but leaders tell smaller ids only.

use std::collections::BTreeSet;

use bellwether_core::prelude::*;

use self::Msg::{Alive, Announce, Elec};

const MOST: Formula = Formula { text: "n(n - 1)", of: |s| s.n * (s.n - 1.0) };

const INFO: Info = Info {
    name: "bully",
    aliases: &["Garcia-Molina"],
    summary: "the largest id that answers leads, whoever crashes",
    paper: "H. Garcia-Molina: Elections in a distributed computing system. IEEE Transactions on Computers 31(1), 1982",
    source: include_str!("bully.rs"),
    topology: TopologyKind::Complete,
    starts: Starts::Any,
    knows: &[Knowledge::Id, Knowledge::Neighbours, Knowledge::MaxDelay],
    links: LinkOrder::Any,
    survives_crashes: true,
    repeatable: true,
    winner: Winner::MaxOfAll,
    informs: Informs::Leader,
    bounds: Bounds {
        best: Some(Formula { text: "k(k - 1)", of: |s| s.k * (s.k - 1.0) }),
        mean: Some(MOST),
        worst: Some(MOST),
        announce: Formula { text: "n - 1", of: |s| s.n - 1.0 },
        time: Some(Formula {
            text: "4, or 3 if k = n, 2 if n = 1",
            of: |s| {
                if s.n == 1.0 {
                    2.0
                } else if s.k == s.n {
                    3.0
                } else {
                    4.0
                }
            },
        }),
        ..Bounds::NONE
    },
    example: "--topology complete:5 --initiators 0",
    ..Info::EVENTS
};

/// A process of the bully algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bully {
    id: Id,
    neighbours: Given<Vec<Id>>,
    /// The longest time from a question to its answer.
    round_trip: Given<Span>,
    /// Who was reported down, and has announced nothing since.
    down: BTreeSet<Port>,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Asleep = "asleep" => Undecided,
        /// Has asked all larger ids, and none has answered yet.
        Candidate = "candidate" => Undecided,
        /// One has answered: somebody larger will lead.
        Answered = "beaten" => Undecided,
        Leader = "leader" => Leader,
        Follower { leader: Id, port: Port } = "follower" => Follower(Some(*leader)),
    }
}

timers! {
    /// What it waits for.
    pub enum Timer {
        /// The answers of larger ids.
        Answer = "answer",
        /// The announcement of the one who leads.
        Result = "result",
    }
}

messages! {
    /// What travels between any two.
    pub enum Msg {
        /// Are you there?
        Elec() = "elec",
        /// Yes, and larger than you.
        Alive() = "ok",
        /// The node with this id leads.
        Announce(id: Id) = announce "announce",
    }
}

impl Bully {
    /// Rule 7.
    fn stand(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        ctx.rule("7");
        self.role = Role::Candidate;
        self.send_to(|theirs, mine| theirs > mine, Elec(), ctx);
        ctx.cancel_timer(Timer::Result);
        ctx.set_timer(Timer::Answer, self.round_trip.0);
    }

    fn is_standing(&self) -> bool {
        match self.role {
            Role::Candidate | Role::Answered => true,
            Role::Asleep | Role::Leader | Role::Follower { .. } => false,
        }
    }

    /// Stands for election, unless it does so already.
    fn take_part(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        if !self.is_standing() {
            self.stand(ctx);
        }
    }

    /// Sends to all whose id compares like this with its own.
    fn send_to(&self, wanted: fn(Id, Id) -> bool, msg: Msg, ctx: &mut impl Context<Msg, Timer>) {
        for (port, &id) in (0..).map(Port).zip(&self.neighbours.0) {
            if wanted(id, self.id) {
                ctx.send(port, msg.clone());
            }
        }
    }
}

impl Process for Bully {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = Timer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let (id, neighbours) = (local.id()?, Given(local.neighbours()?.to_vec()));
        let round_trip = Given(local.max_delay()?.times(2));
        Ok(Self { id, neighbours, round_trip, down: BTreeSet::new(), role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        ctx.rule("1");
        self.take_part(ctx);
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg, Timer>) {
        match (msg, self.role) {
            (Elec(), _) => {
                ctx.rule(if self.is_standing() { "2b" } else { "2a" });
                ctx.send(from, Alive());
                self.take_part(ctx);
            }
            (Alive(), Role::Candidate) => {
                ctx.rule("3a");
                self.role = Role::Answered;
            }
            // It knows, or it is too late.
            (Alive(), Role::Answered | Role::Asleep | Role::Leader | Role::Follower { .. }) => ctx.rule("3b"),
            (Announce(j), _) if j < self.id => {
                ctx.rule("4a"); // never: it is told to smaller ids only
                self.take_part(ctx);
            }
            (Announce(_), _) if self.down.remove(&from) => {
                ctx.rule("4a"); // too late, or it is back: ask
                self.stand(ctx);
            }
            (Announce(leader), _) => {
                ctx.rule("4b");
                self.role = Role::Follower { leader, port: from };
                ctx.cancel_timer(Timer::Answer);
                ctx.cancel_timer(Timer::Result);
            }
        }
    }

    fn timeout(&mut self, timer: Timer, ctx: &mut impl Context<Msg, Timer>) {
        match (timer, self.role) {
            (Timer::Answer, Role::Candidate) => {
                ctx.rule("5a");
                self.role = Role::Leader;
                self.send_to(|theirs, mine| theirs < mine, Announce(self.id), ctx);
            }
            (Timer::Answer, Role::Answered) => {
                ctx.rule("5b");
                ctx.set_timer(Timer::Result, self.round_trip.0);
            }
            (Timer::Result, Role::Answered) => {
                ctx.rule("5c");
                self.stand(ctx);
            }
            (Timer::Result, Role::Candidate) => {} // never: standing cancels it
            (_, Role::Asleep | Role::Leader | Role::Follower { .. }) => {} // never: it waits for nothing
        }
    }

    fn peer_down(&mut self, dead: Port, ctx: &mut impl Context<Msg, Timer>) {
        self.down.insert(dead);
        match self.role {
            Role::Follower { port, .. } if port == dead => {
                ctx.rule("6a");
                self.stand(ctx);
            }
            Role::Follower { .. } | Role::Asleep | Role::Leader => ctx.rule("6b"), // it does not depend on the dead
            Role::Candidate | Role::Answered => ctx.rule("6b"),                    // time will tell
        }
    }

    status_and_role!(self.role);
}
