//! # Le Lann
//!
//! ## Idea
//!
//! Everybody's id goes all the way round, and everybody writes down what comes by. When its own id is home again
//! a node has seen all the others, because links deliver in order, and the largest of them leads.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:                 collecting; best := id; send elect(id)
//!    b  otherwise:              ignore
//! 2  on elect(j):               if asleep, first do as in 1a
//!    a  j = id, collecting:     decide best
//!    b  j = id, decided:        swallow
//!    c  otherwise:              best := max(best, j) unless decided; send elect(j)
//! ```

use bellwether_core::prelude::*;

use self::Msg::Elect;

const INFO: Info = Info {
    name: "le-lann",
    aliases: &["LeLann"],
    summary: "every id goes all the way round",
    paper: "G. Le Lann: Distributed systems - towards a formal approach. Information Processing 77, IFIP, 1977",
    source: include_str!("le_lann.rs"),
    topology: TopologyKind::OneWayRing,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Fifo,
    winner: Winner::MaxOfAll,
    informs: Informs::Leader,
    bounds: Bounds {
        needed: Some(LowerBound::ONE_WAY),
        time: Some(Formula { text: "2n - k", of: |s| 2.0 * s.n - s.k }),
        ..Bounds::exactly(Formula { text: "n²", of: |s| s.n * s.n })
    },
    example: "--topology ring:5",
    ..Info::EVENTS
};

/// A process of Le Lann.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeLann {
    id: Id,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Asleep = "asleep",
        /// Writes down the largest id that comes by.
        Collecting { best: Id } = "collecting",
        Decided { leader: Id } = "decided",
    }
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// The node with this id exists.
        Elect(id: Id) = "elect",
    }
}

impl Process for LeLann {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;
    type Disk = ();

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            ctx.rule("1a");
            self.role = Role::Collecting { best: self.id };
            ctx.send(Port::NEXT, Elect(self.id));
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, _: Port, Elect(j): Msg, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            self.start(ctx);
        }
        match self.role {
            Role::Collecting { best } if j == self.id => {
                ctx.rule("2a");
                self.role = Role::Decided { leader: best };
            }
            Role::Asleep | Role::Decided { .. } if j == self.id => ctx.rule("2b"),
            role => {
                ctx.rule("2c");
                if let Role::Collecting { best } = role {
                    self.role = Role::Collecting { best: best.max(j) };
                }
                ctx.send(Port::NEXT, Elect(j));
            }
        }
    }

    fn status(&self) -> Status {
        match self.role {
            Role::Asleep | Role::Collecting { .. } => Status::Undecided,
            Role::Decided { leader } if leader == self.id => Status::Leader,
            Role::Decided { leader } => Status::Follower(Some(leader)),
        }
    }

    fn role(&self) -> &'static str {
        self.role.name()
    }
}
