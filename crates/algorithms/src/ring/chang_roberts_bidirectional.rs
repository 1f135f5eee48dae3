//! # Chang-Roberts on a two-way ring
//!
//! ## Idea
//!
//! Each candidate tosses a coin for the direction in which it sends its id; a message keeps its sense of rotation.
//! All else is as in Chang-Roberts, and so is the mean: in either direction a candidature makes its i-th hop with
//! probability 1/i. It helps to compare with the largest id *seen*, whichever way it came (`compare=seen`). Then
//! messages also stop those that cross their path, and the mean tends to (√2/2) n H_n.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:                participant; toss a port; send elect(id) there
//!    b  otherwise:             ignore
//! 2  on elect(j):              at first bar = id
//!    a  j = id, participant:   leader; send announce(id) on in the same sense
//!    b  j > bar:               participant if asleep; send elect(j) on;   with compare=seen: bar := j
//!    c  asleep:                do as in 1a
//!    d  otherwise:             swallow
//! 3  on announce(j):
//!    a  j = id:                absorb
//!    b  otherwise:             follower of j; send announce(j) on
//! ```
//!
//! ## Remarks
//!
//! A node woken up by a smaller id may toss the way back. While i nodes are awake, none of them swallows the largest of
//! their ids. It meets a sleeper after at most i hops. So with k initiators all are awake after k + … + (n - 1) units,
//! and in the worst case not before.
//!
//! Unlike on a one-way ring, a candidature may still be under way when a node has decided, against the sense of the
//! announcement. It is then treated as before, but nobody stands again: one election only.

use bellwether_core::prelude::*;

use self::Msg::{Announce, Elect};

const INFO: Info = Info {
    name: "chang-roberts-bidirectional",
    summary: "each candidate tosses for its direction",
    paper: "F. Mattern: Verteilte Basisalgorithmen. Springer, 1989",
    source: include_str!("chang_roberts_bidirectional.rs"),
    topology: TopologyKind::TwoWayRing,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Any,
    randomised: true,
    winner: Winner::MaxOfAll,
    informs: Informs::Leader,
    settings: &[Setting {
        name: "compare",
        help: "what an arriving id is compared with: the node's own id (unless set), or the largest id seen",
        values: Values::OneOf(&["own", "seen"]),
        meaning: Meaning::Own,
    }],
    bounds: Bounds {
        best: Some(Formula { text: "n + k - 1", of: |s| s.n + s.k - 1.0 }),
        mean: Some(Formula { text: "n H_n", of: |s| s.n * harmonic(s.n) }),
        worst: Some(Formula { text: "n(n + 1)/2", of: |s| s.n * (s.n + 1.0) / 2.0 }),
        announce: Formula::N,
        time: Some(Formula {
            text: "2n - 1 + (n - k)(n + k - 1)/2",
            of: |s| 2.0 * s.n - 1.0 + (s.n - s.k) * (s.n + s.k - 1.0) / 2.0,
        }),
        ..Bounds::NONE
    },
    example: "--topology ring:8 --set compare=seen",
    ..Info::EVENTS
};

/// A process of the two-way variant of Chang and Roberts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChangRobertsBidirectional {
    id: Id,
    compare: Given<Compare>,
    /// What an arriving id must exceed to pass.
    bar: Id,
    role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Compare {
    Own,
    Seen,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Asleep = "asleep" => Undecided,
        Participant = "participant" => Undecided,
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

messages! {
    /// What travels either way.
    pub enum Msg {
        /// The candidature of the node with this id.
        Elect(id: Id) = "elect",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl Process for ChangRobertsBidirectional {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let id = local.id()?;
        let compare = if local.setting("compare") == Some(1) { Compare::Seen } else { Compare::Own };
        Ok(Self { id, compare: Given(compare), bar: id, role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role != Role::Asleep {
            ctx.rule("1b");
        } else {
            ctx.rule("1a");
            self.role = Role::Participant;
            let toss = ctx.choose(2);
            ctx.send(if toss == 0 { Port::NEXT } else { Port::PREVIOUS }, Elect(self.id));
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, self.role) {
            (Elect(j), Role::Participant) if j == self.id => {
                ctx.rule("2a");
                self.role = Role::Leader;
                ctx.send(from.onward(), Announce(j));
            }
            (Elect(j), role) if j > self.bar => {
                ctx.rule("2b");
                if role == Role::Asleep {
                    self.role = Role::Participant;
                }
                if self.compare.0 == Compare::Seen {
                    self.bar = j;
                }
                ctx.send(from.onward(), Elect(j));
            }
            (Elect(_), Role::Asleep) => {
                ctx.rule("2c");
                self.start(ctx);
            }
            (Elect(_), Role::Participant | Role::Leader | Role::Follower(_)) => ctx.rule("2d"),
            (Announce(j), _) if j == self.id => ctx.rule("3a"), // everybody knows
            (Announce(j), _) => {
                ctx.rule("3b");
                self.role = Role::Follower(j);
                ctx.send(from.onward(), Announce(j));
            }
        }
    }

    status_and_role!(self.role);
}
