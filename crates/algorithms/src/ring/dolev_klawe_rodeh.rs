//! # Dolev-Klawe-Rodeh
//!
//! ## Idea
//!
//! Franklin's comparison of both neighbours on a one-way ring: let the middle one of three consecutive values be judged
//! one node further on, where all three have come together. In a phase each active node hears the value of the
//! active node behind it and, passed on by that one, the value behind that; it stays active with the nearer value
//! if this is a local maximum. The last active node gets its own value back and announces it; the node whose id it
//! is, in general another one, leads.
//!
//! ## Rules
//!
//! ```text
//! active, one phase:  send one(c);  receive one(a);  a = c: announce(c), done
//!                     send two(a);  receive two(b);  a > c and a > b: c := a, next phase      else: relay
//! relay:              pass one and two on
//! on announce(x):     announcer: absorb      else: leader if x = id, follower of x if not; send announce(x)
//! ```

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
        ..Bounds::NONE
    },
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
            self.begin_phase(self.id, ctx);
        }
    }

    fn receive(&mut self, _: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, self.role) {
            (One(a), Role::First { c }) if a == c => {
                self.role = Role::Announcer { leader: c };
                ctx.send(Port::NEXT, Announce(c));
            }
            (One(a), Role::First { c }) => {
                self.role = Role::Second { c, a };
                ctx.send(Port::NEXT, Two(a));
            }
            (Two(b), Role::Second { c, a }) if a > c && a > b => self.begin_phase(a, ctx),
            (Two(_), Role::Second { .. }) => self.role = Role::Relay,
            (One(_), Role::Second { .. }) | (Two(_), Role::First { .. }) => {} // never on FIFO links
            (msg @ (One(_) | Two(_)), Role::Asleep | Role::Relay) => {
                self.role = Role::Relay; // a node that did not start in time does not join later
                ctx.send(Port::NEXT, msg);
            }
            (One(_) | Two(_), Role::Announcer { .. } | Role::Informed { .. }) => {} // all is decided
            (Announce(_), Role::Announcer { .. }) => {}                             // absorbed: home again
            (Announce(x), _) => {
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
