//! # Time slices
//!
//! ## Idea
//!
//! In lock step silence is news. The rounds are cut into slices of n, and slice i belongs to the node with id i. If
//! nobody has spoken before, it leads and says so. In n rounds everybody hears it, before the next slice begins.
//! Only the n messages of the announcement are ever sent; the price is time.
//!
//! ## Rules
//!
//! ```text
//! 1  on announce(j):
//!    a  undecided:                 follower of j; send announce(j)
//!    b  leader:                    absorb
//!    c  follower:                  ignore
//! 2  round r:
//!    a  r = id·n + 1, undecided:   leader; send announce(id)
//!    b  otherwise:                 wait
//! ```
//!
//! ## Remarks
//!
//! If n is told too small (`n=K`), the next slice begins before all have heard, and its owner may lead as well. If it
//! is told too large, the election only takes longer.
//!
//! The leader must absorb its own announcement: passed on like any other it would circle for ever.

use bellwether_core::prelude::*;

use self::Msg::Announce;

const INFO: Info = Info {
    name: "time-slice",
    aliases: &["TimeSlice"],
    summary: "waits for its own time slice; silence is consent",
    paper: "N. Lynch: Distributed Algorithms, section 3.5.1 (the TimeSlice algorithm). Morgan Kaufmann, 1996",
    source: include_str!("time_slice.rs"),
    topology: TopologyKind::OneWayRing,
    starts: Starts::All,
    knows: &[Knowledge::Id, Knowledge::Size],
    links: LinkOrder::Any,
    winner: Winner::MinOfAll,
    informs: Informs::Leader,
    settings: &[Setting::SIZE],
    bounds: Bounds {
        announce: Formula::N,
        time: Some(Formula { text: "n(min + 1)", of: |s| s.n * (s.min + 1.0) }),
        ..Bounds::exactly(Formula::ZERO)
    },
    example: "--topology ring:4 --ids 3,1,6,2",
    ..Info::ROUNDS
};

/// A process of the time-slice algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeSlice {
    id: Id,
    n: u64,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Undecided = "undecided" => Undecided,
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// The node with this id leads.
        Announce(id: Id) = announce "announce",
    }
}

impl TimeSlice {
    /// The first round of its slice.
    fn slice(&self) -> Round {
        Round((u128::from(self.id.0) * u128::from(self.n)).saturating_add(1))
    }
}

impl Rounds for TimeSlice {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, n: local.size()?, role: Role::Undecided })
    }

    fn round(&mut self, round: Round, inbox: impl Inbox<Msg>, ctx: &mut impl Context<Msg>) {
        let hears_nothing = inbox.is_empty();
        for (_, Announce(j)) in inbox {
            match self.role {
                Role::Undecided => {
                    ctx.rule("1a");
                    self.role = Role::Follower(j);
                    ctx.send(Port::NEXT, Announce(j));
                }
                Role::Leader => ctx.rule("1b"),      // everybody knows
                Role::Follower(_) => ctx.rule("1c"), // already told
            }
        }
        if self.role == Role::Undecided && round == self.slice() {
            ctx.rule("2a");
            self.role = Role::Leader;
            ctx.send(Port::NEXT, Announce(self.id));
        } else if hears_nothing {
            ctx.rule("2b");
        }
    }

    fn due(&self, _: Round) -> Option<Round> {
        (self.role == Role::Undecided).then(|| self.slice())
    }

    status_and_role!(self.role);
}
