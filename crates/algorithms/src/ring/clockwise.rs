//! # Clockwise, in rounds
//!
//! ## Idea
//!
//! Chang-Roberts in lock step, without announcement. Everybody sends its id in round 1, and from then on passes on
//! whatever is larger than all it has seen. The largest id is at the node at distance i in round i + 1 and home again
//! in round n + 1.
//!
//! ## Rules
//!
//! ```text
//! 1  round 1:            largest := id; send elect(id)
//! 2  on elect(m):
//!    a  m > largest:     largest := m; follower; send elect(m)
//!    b  m = id:          leader
//!    c  otherwise:       swallow
//! ```
//!
//! ## Remarks
//!
//! `largest` is the T of the lecture notes. When all is quiet it is the leader's id everywhere, but a follower never
//! knows that its value is final.

use bellwether_core::prelude::*;

use self::Msg::Elect;

const INFO: Info = Info {
    name: "clockwise",
    aliases: &["LCR"],
    summary: "Chang-Roberts in lock step, without announcement",
    paper: "N. Lynch: Distributed Algorithms, chapter 3 (the LCR algorithm). Morgan Kaufmann, 1996",
    source: include_str!("clockwise.rs"),
    topology: TopologyKind::OneWayRing,
    starts: Starts::All,
    knows: &[Knowledge::Id],
    links: LinkOrder::Any,
    winner: Winner::MaxOfAll,
    informs: Informs::Provisionally,
    bounds: Bounds {
        needed: Some(LowerBound::COMPARISONS),
        best: Some(Formula { text: "2n - 1", of: |s| 2.0 * s.n - 1.0 }),
        mean: Some(Formula { text: "n H_n", of: |s| s.n * harmonic(s.n) }),
        worst: Some(Formula { text: "n(n + 1)/2", of: |s| s.n * (s.n + 1.0) / 2.0 }),
        time: Some(Formula { text: "n + 1", of: |s| s.n + 1.0 }),
        ..Bounds::NONE
    },
    example: "--topology ring:6 --ids 2,5,0,4,1,3",
    ..Info::ROUNDS
};

/// A process of the synchronous clockwise algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clockwise {
    id: Id,
    /// T: the largest id seen.
    largest: Id,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Undecided = "undecided",
        Leader = "leader",
        Follower = "follower",
    }
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// The largest id that the sender has seen.
        Elect(id: Id) = "elect",
    }
}

impl Rounds for Clockwise {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let id = local.id()?;
        Ok(Self { id, largest: id, role: Role::Undecided })
    }

    fn round(&mut self, _: Round, inbox: impl Inbox<Msg>, ctx: &mut impl Context<Msg>) {
        if inbox.is_empty() {
            ctx.rule("1");
            ctx.send(Port::NEXT, Elect(self.largest));
        }
        for (_, Elect(m)) in inbox {
            if m > self.largest {
                ctx.rule("2a");
                self.largest = m;
                self.role = Role::Follower;
                ctx.send(Port::NEXT, Elect(m));
            } else if m == self.id {
                ctx.rule("2b");
                self.role = Role::Leader;
            } else {
                ctx.rule("2c");
            }
        }
    }

    fn status(&self) -> Status {
        match self.role {
            Role::Undecided => Status::Undecided,
            Role::Leader => Status::Leader,
            Role::Follower => Status::Follower(Some(self.largest)),
        }
    }

    fn role(&self) -> &'static str {
        self.role.name()
    }
}
