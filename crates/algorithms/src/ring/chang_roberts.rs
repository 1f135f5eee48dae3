//! # Chang-Roberts
//!
//! ## Idea
//!
//! Every candidate sends its id round the ring. A node lets larger ids pass and swallows smaller ones, so only
//! the largest id comes home. A node that meets its own id again has won. A node that was asleep and has the
//! larger id stands itself, in place of the candidature it swallows. The winner then sends its id round once
//! more, as an announcement.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  not participant:          participant; send elect(id)
//!    b  participant:              ignore
//! 2  on elect(j):
//!    a  j > id:                   participant; send elect(j)
//!    b  j < id, participant:      swallow
//!    c  j < id, not participant:  participant; send elect(id)
//!    d  j = id, participant:      leader, no longer participant; send announce(id)
//!    e  j = id, not participant:  ignore
//! 3  on announce(j):
//!    a  j = id:                   absorb
//!    b  otherwise:                follower of j, no longer participant; send announce(j)
//! ```
//!
//! ## Remarks
//!
//! Becoming a participant is also how an incumbent steps down: a leader that hears another's candidature, or
//! starts an election itself, leads no longer. After the announcement nobody is a participant, so the next election
//! needs no reset. A candidature that comes home twice (a repeated message) finds no participant and is ignored.
//!
//! Where messages overtake each other there are still never two leaders. But a node that already follows the winner may
//! get a late elect message. It becomes a participant again, loses again, and never decides.
//!
//! The leader is elected without the announcement (`announce=none`). But then nobody else learns that the election is
//! over, and all remain participants, so that no other election can follow.
//!
//! Unless every node starts, the mean depends on who does. A candidature makes its i-th hop iff it is the largest of
//! i consecutive ids, which has probability 1/i. So with all n candidates the mean is n(1 + 1/2 + … + 1/n).

use bellwether_core::prelude::*;

use self::Msg::{Announce, Elect};

const INFO: Info = Info {
    name: "chang-roberts",
    aliases: &["Async-LCR"],
    summary: "larger ids pass, smaller ones are swallowed",
    paper: "E. Chang, R. Roberts: An improved algorithm for decentralized extrema-finding in circular configurations \
            of processes. Communications of the ACM 22(5), 1979",
    source: include_str!("chang_roberts.rs"),
    topology: TopologyKind::OneWayRing,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Fifo,
    repeatable: true,
    winner: Winner::MaxOfAll,
    informs: Informs::Leader,
    settings: &[Setting::ANNOUNCE],
    variant: |settings| INFO.is_untold(settings).then_some(&UNTOLD),
    bounds: Bounds {
        needed: Some(LowerBound::ONE_WAY),
        best: Some(Formula { text: "n + k - 1", of: |s| s.n + s.k - 1.0 }),
        mean: Some(Formula { text: "n H_n", of: |s| s.n * harmonic(s.n) }),
        worst: Some(Formula { text: "(k + 1)(2n - k)/2", of: |s| (s.k + 1.0) * (2.0 * s.n - s.k) / 2.0 }),
        announce: Formula::N,
        time: Some(Formula { text: "3n - k - 1", of: |s| 3.0 * s.n - s.k - 1.0 }),
        ..Bounds::NONE
    },
    example: "--topology ring:8 --ids descending",
    ..Info::EVENTS
};

/// The entry if the result is not announced.
const UNTOLD: Info = Info {
    informs: Informs::Nobody,
    repeatable: false,
    bounds: Bounds {
        announce: Formula::ZERO,
        time: Some(Formula { text: "2n - k", of: |s| 2.0 * s.n - s.k }),
        ..INFO.bounds
    },
    ..INFO
};

/// A process of Chang and Roberts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChangRoberts {
    id: Id,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        /// No election has reached it yet.
        Asleep = "asleep" => Undecided,
        /// An election is under way.
        Participant = "participant" => Undecided,
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// The candidature of the node with this id.
        Elect(id: Id) = "elect",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl ChangRoberts {
    fn stand(&mut self, ctx: &mut impl Context<Msg>) {
        self.role = Role::Participant;
        ctx.send(Port::NEXT, Elect(self.id));
    }
}

impl Process for ChangRoberts {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Participant {
            ctx.rule("1b");
        } else {
            ctx.rule("1a");
            self.stand(ctx);
        }
    }

    fn receive(&mut self, _: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        let participant = self.role == Role::Participant;
        match msg {
            Elect(j) if j > self.id => {
                ctx.rule("2a");
                self.role = Role::Participant;
                ctx.send(Port::NEXT, Elect(j));
            }
            Elect(j) if j < self.id && participant => ctx.rule("2b"),
            Elect(j) if j < self.id => {
                ctx.rule("2c");
                self.stand(ctx);
            }
            Elect(_) if participant => {
                ctx.rule("2d");
                self.role = Role::Leader;
                ctx.send(Port::NEXT, Announce(self.id));
            }
            Elect(_) => ctx.rule("2e"), // a copy of a candidature that has come home before
            Announce(j) if j == self.id => ctx.rule("3a"), // the election is over
            Announce(j) => {
                ctx.rule("3b");
                self.role = Role::Follower(j);
                ctx.send(Port::NEXT, Announce(j));
            }
        }
    }

    status_and_role!(self.role);
}
