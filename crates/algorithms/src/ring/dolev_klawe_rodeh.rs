//! # Dolev-Klawe-Rodeh
//!
//! ## Idea
//!
//! Franklin's comparison of both neighbours on a one-way ring. The middle one of three consecutive values is judged one
//! node further on, where all three have come together. In a phase each active node hears the values of the two active
//! nodes behind it. It stays active with the nearer value if this is a local maximum. The last active node gets its own
//! value back and announces it. The node whose id it is leads, in general another one.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:                     active; c := id; send one(c)
//!    b  otherwise:                  ignore
//! 2  on one(x):
//!    a  active, first, x = c:       announcer; send announce(c)
//!    b  active, first:              a := x; second; send two(a)
//!    c  asleep or relay:            relay; send one(x)
//!    d  otherwise:                  swallow
//! 3  on two(b):
//!    a  active, second, a > c, b:   c := a; first; send one(c), which begins the next phase
//!    b  active, second:             relay
//!    c  asleep or relay:            relay; send two(b)
//!    d  otherwise:                  swallow
//! 4  on announce(x):
//!    a  announcer:                  absorb
//!    b  otherwise:                  leader if x = id, follower of x if not; send announce(x)
//! ```
//!
//! ## Remarks
//!
//! Phases follow each other as fast as Peterson's, so the last active node is alone by time 2n - 2. Its value takes n
//! to come home, and the announcement n - 1.

use bellwether_core::prelude::*;

use self::Msg::{Announce, One, Two};

const INFO: Info = Info {
    name: "dolev-klawe-rodeh",
    aliases: &["DKR"],
    summary: "local maxima survive, judged one node further on",
    paper: "D. Dolev, M. Klawe, M. Rodeh: An O(n log n) unidirectional distributed algorithm for extrema finding in a \
            circle. Journal of Algorithms 3(3), 1982",
    source: include_str!("dolev_klawe_rodeh.rs"),
    topology: TopologyKind::OneWayRing,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Fifo,
    winner: Winner::MaxOfInitiators,
    informs: Informs::Leader,
    bounds: Bounds {
        needed: Some(LowerBound::ONE_WAY),
        best: Some(Formula { text: "3n, or n if k = 1", of: |s| if s.k > 1.0 { 3.0 * s.n } else { s.n } }),
        worst: Some(Formula { text: "2n ⌊lg k⌋ + n", of: |s| 2.0 * s.n * floor_lg(s.k) + s.n }),
        announce: Formula::N,
        time: Some(Formula {
            text: "4n - 3, or 2n - 1 if k = 1",
            of: |s| if s.k > 1.0 { 4.0 * s.n - 3.0 } else { 2.0 * s.n - 1.0 },
        }),
        ..Bounds::NONE
    },
    phases: Some(Phases::HALVING),
    example: "--topology ring:8",
    ..Info::EVENTS
};

/// A process of Dolev, Klawe and Rodeh.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DolevKlaweRodeh {
    id: Id,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Asleep = "asleep",
        /// Holds c and waits for `one`.
        First { c: Id } = "active",
        /// Has heard a too, and waits for `two`.
        Second { c: Id, a: Id } = "active",
        Relay = "relay",
        /// Found out who leads, and absorbs the announcement when it comes home.
        Announcer { leader: Id } = "announcer",
        Informed { leader: Id } = "informed",
    }
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// The value of the active node behind.
        One(value: Id) = "one",
        /// The value of the active node behind that.
        Two(value: Id) = "two",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl DolevKlaweRodeh {
    fn begin_phase(&mut self, c: Id, ctx: &mut impl Context<Msg>) {
        self.role = Role::First { c };
        ctx.enters_phase();
        ctx.send(Port::NEXT, One(c));
    }
}

impl Process for DolevKlaweRodeh {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            ctx.rule("1a");
            self.begin_phase(self.id, ctx);
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, _: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, self.role) {
            (One(a), Role::First { c }) if a == c => {
                ctx.rule("2a");
                self.role = Role::Announcer { leader: c };
                ctx.send(Port::NEXT, Announce(c));
            }
            (One(a), Role::First { c }) => {
                ctx.rule("2b");
                self.role = Role::Second { c, a };
                ctx.send(Port::NEXT, Two(a));
            }
            (Two(b), Role::Second { c, a }) if a > c && a > b => {
                ctx.rule("3a");
                self.begin_phase(a, ctx);
            }
            (Two(_), Role::Second { .. }) => {
                ctx.rule("3b");
                self.role = Role::Relay;
            }
            (msg @ (One(_) | Two(_)), Role::Asleep | Role::Relay) => {
                ctx.rule(if let One(_) = msg { "2c" } else { "3c" });
                self.role = Role::Relay; // a node that did not start in time does not join later
                ctx.send(Port::NEXT, msg);
            }
            // All is decided, or a link does not keep the order.
            (One(_), Role::Second { .. } | Role::Announcer { .. } | Role::Informed { .. }) => ctx.rule("2d"),
            (Two(_), Role::First { .. } | Role::Announcer { .. } | Role::Informed { .. }) => ctx.rule("3d"),
            (Announce(_), Role::Announcer { .. }) => ctx.rule("4a"), // home again
            (Announce(x), _) => {
                ctx.rule("4b");
                self.role = Role::Informed { leader: x };
                ctx.send(Port::NEXT, Announce(x));
            }
        }
    }

    fn status(&self) -> Status {
        match self.role {
            Role::Asleep | Role::First { .. } | Role::Second { .. } | Role::Relay => Status::Undecided,
            Role::Announcer { leader } | Role::Informed { leader } if leader == self.id => Status::Leader,
            Role::Announcer { leader } | Role::Informed { leader } => Status::Follower(Some(leader)),
        }
    }

    fn role(&self) -> &'static str {
        self.role.name()
    }
}
