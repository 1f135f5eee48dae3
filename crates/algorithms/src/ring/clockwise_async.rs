//! # Clockwise, with messages of any delay
//!
//! ## Idea
//!
//! The clockwise algorithm without rounds. A node passes on what is larger than all it has seen. The first message
//! wakes it up, if it has not started on its own. Then it sends its own id, unless the message is larger.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:          candidate; send elect(id)
//!    b  otherwise:       ignore
//! 2  on elect(m):        unless it follows, largest = id
//!    a  m > largest:     largest := m; follower; send elect(m)
//!    b  asleep:          do as in 1a
//!    c  m = id:          leader
//!    d  otherwise:       swallow
//! ```
//!
//! ## Remarks
//!
//! A node woken up by a smaller id must send its own. The rule is sometimes printed so that a sleeper adopts *any* id.
//! That elects the largest *initiator*, and breaks the theorem that the largest id wins within 2n - 1 units. A
//! follower that is told to start does nothing, or it could run once more and win. `largest` is the T of the lecture
//! notes.

use bellwether_core::prelude::*;

use self::Msg::Elect;

const INFO: Info = Info {
    name: "clockwise-async",
    aliases: &["AsynchLCR"],
    summary: "clockwise without rounds: compares with the largest id seen",
    paper: "N. Lynch: Distributed Algorithms, chapters 3 and 15. Morgan Kaufmann, 1996",
    source: include_str!("clockwise_async.rs"),
    topology: TopologyKind::OneWayRing,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Any,
    winner: Winner::MaxOfAll,
    informs: Informs::Provisionally,
    bounds: Bounds {
        needed: Some(LowerBound::ONE_WAY),
        best: Some(Formula { text: "n + k - 1", of: |s| s.n + s.k - 1.0 }),
        mean: Some(Formula { text: "n H_n", of: |s| s.n * harmonic(s.n) }),
        worst: Some(Formula { text: "(k + 1)(2n - k)/2", of: |s| (s.k + 1.0) * (2.0 * s.n - s.k) / 2.0 }),
        time: Some(Formula { text: "2n - k", of: |s| 2.0 * s.n - s.k }),
        ..Bounds::NONE
    },
    example: "--topology ring:6 --ids 2,5,0,4,1,3 --initiators one",
    ..Info::EVENTS
};

/// A process of the asynchronous clockwise algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClockwiseAsync {
    id: Id,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Asleep = "asleep" => Undecided,
        /// The largest id seen is its own.
        Candidate = "candidate" => Undecided,
        /// It is this larger one.
        Follower(largest: Id) = "follower" => Follower(Some(*largest)),
        Leader = "leader" => Leader,
    }
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// The largest id that the sender has seen.
        Elect(id: Id) = "elect",
    }
}

impl Process for ClockwiseAsync {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            ctx.rule("1a");
            self.role = Role::Candidate;
            ctx.send(Port::NEXT, Elect(self.id));
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, _: Port, Elect(m): Msg, ctx: &mut impl Context<Msg>) {
        let largest = match self.role {
            Role::Follower(largest) => largest,
            Role::Asleep | Role::Candidate | Role::Leader => self.id,
        };
        if m > largest {
            ctx.rule("2a");
            self.role = Role::Follower(m);
            ctx.send(Port::NEXT, Elect(m));
        } else if self.role == Role::Asleep {
            ctx.rule("2b");
            self.start(ctx);
        } else if m == self.id {
            ctx.rule("2c");
            self.role = Role::Leader;
        } else {
            ctx.rule("2d");
        }
    }

    status_and_role!(self.role);
}
