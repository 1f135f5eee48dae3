//! # FloodMax
//!
//! ## Idea
//!
//! In every round everybody tells all its neighbours the largest id that it knows of. After as many rounds as the
//! network is wide, every id has been everywhere. Nobody can tell by itself when that is: the diameter D, or some bound
//! on it, must be known.
//!
//! ## Rules
//!
//! ```text
//! 1  in round r, where best = id before the first:
//!    a  r <= D:           best := max(best, all received); send max(best) to all neighbours
//!    b  r > D:            best := max(best, all received); decide best
//!    c  decided already:  ignore
//! ```
//!
//! ## Remarks
//!
//! What is sent in round D must still be received, in round D + 1. Without that the ids travel D - 1 links only, and
//! two nodes with one link between them both lead.

use bellwether_core::prelude::*;

use self::Msg::Max;

const INFO: Info = Info {
    name: "floodmax",
    summary: "in every round everybody tells the largest id it knows",
    paper: "N. Lynch: Distributed Algorithms, section 4.1 (the FloodMax algorithm). Morgan Kaufmann, 1996",
    source: include_str!("floodmax.rs"),
    topology: TopologyKind::Connected,
    starts: Starts::All,
    knows: &[Knowledge::Id, Knowledge::Diameter],
    links: LinkOrder::Any,
    winner: Winner::MaxOfAll,
    informs: Informs::Leader,
    settings: &[Setting {
        name: "diameter",
        help: "the bound on the diameter that everybody is told; unless set, the diameter, or what is known of it \
               where it is hard to find",
        values: Values::AtLeast(0),
        meaning: Meaning::Diameter,
    }],
    bounds: Bounds {
        time: Some(Formula { text: "D + 1", of: |s| s.d + 1.0 }),
        ..Bounds::exactly(Formula { text: "2Dm", of: |s| 2.0 * s.d * s.m })
    },
    example: "--topology grid:3x3",
    ..Info::ROUNDS
};

/// A process of FloodMax.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Floodmax {
    id: Id,
    /// D, or a bound on it.
    diameter: Given<u64>,
    best: Id,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Flooding = "flooding",
        Decided = "decided",
    }
}

messages! {
    /// What travels along the links.
    pub enum Msg {
        /// The largest id that the sender knows of.
        Max(id: Id) = "max",
    }
}

impl Rounds for Floodmax {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let id = local.id()?;
        Ok(Self { id, diameter: Given(local.diameter()?), best: id, role: Role::Flooding })
    }

    fn round(&mut self, round: Round, inbox: impl Inbox<Msg>, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Decided {
            ctx.rule("1c"); // only if not everybody started together, or messages take longer
            return;
        }
        self.best = inbox.map(|(_, Max(id))| id).fold(self.best, Id::max);
        if round <= Round(self.diameter.0.into()) {
            ctx.rule("1a");
            ctx.send_all(Max(self.best));
        } else {
            ctx.rule("1b");
            self.role = Role::Decided;
        }
    }

    fn due(&self, now: Round) -> Option<Round> {
        (self.role == Role::Flooding).then(|| now.next())
    }

    fn status(&self) -> Status {
        match self.role {
            Role::Flooding => Status::Undecided,
            Role::Decided if self.best == self.id => Status::Leader,
            Role::Decided => Status::Follower(Some(self.best)),
        }
    }

    fn role(&self) -> &'static str {
        self.role.name()
    }
}
