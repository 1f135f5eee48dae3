//! # Franklin
//!
//! ## Idea
//!
//! Phases that halve the field on a two-way ring. In a phase each active node sends its id both ways, up to the next
//! active node on either side, and waits for theirs. Only local maxima stay active; the others relay. A node
//! that hears itself from both sides is alone and leads.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:              active; send elect(id) both ways
//!    b  otherwise:           ignore
//! 2  on elect(j):
//!    a  active:              keep j until the other side is heard too; then go on with 3
//!    b  asleep or relay:     relay; send elect(j) on in the same sense
//!    c  otherwise:           swallow
//! 3  both sides are heard, m is the larger of the two ids:
//!    a  m < id:              send elect(id) both ways, which begins the next phase
//!    b  m > id:              relay; send on what is still kept
//!    c  m = id:              leader; send announce(id)
//! 4  on announce(j):
//!    a  j = id:              absorb
//!    b  otherwise:           follower of j; send announce(j) on
//! ```
//!
//! ## Remarks
//!
//! A neighbour may be a phase ahead: its next id can come before this phase's id from the other side. So each side
//! has a queue, and a node that turns relay passes on what is left in them.

use std::collections::VecDeque;

use bellwether_core::prelude::*;

use self::Msg::{Announce, Elect};

const INFO: Info = Info {
    name: "franklin",
    summary: "local maxima survive, on a two-way ring",
    paper: "W. R. Franklin: On an improved algorithm for decentralized extrema finding in circular configurations of \
            processors. Communications of the ACM 25(5), 1982",
    source: include_str!("franklin.rs"),
    topology: TopologyKind::TwoWayRing,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Fifo,
    winner: Winner::MaxOfInitiators,
    informs: Informs::Leader,
    bounds: Bounds {
        needed: Some(LowerBound::TWO_WAY),
        best: Some(Formula { text: "4n, or 2n if k = 1", of: |s| if s.k > 1.0 { 4.0 * s.n } else { 2.0 * s.n } }),
        worst: Some(Formula { text: "2n ⌊lg k⌋ + 2n", of: |s| 2.0 * s.n * floor_lg(s.k) + 2.0 * s.n }),
        announce: Formula::N,
        ..Bounds::NONE
    },
    phases: Some(Phases::HALVING),
    example: "--topology ring:8",
    ..Info::EVENTS
};

/// A process of Franklin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Franklin {
    id: Id,
    role: Role,
}

roles! {
    enum Role {
        Asleep = "asleep" => Undecided,
        /// What each side has sent and is not yet compared, by port.
        Active { heard: [VecDeque<Id>; 2] } = "active" => Undecided,
        Relay = "relay" => Undecided,
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

messages! {
    /// What travels both ways.
    pub enum Msg {
        /// The id of an active node.
        Elect(id: Id) = "elect",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl Franklin {
    fn begin_phase(&mut self, ctx: &mut impl Context<Msg>) {
        ctx.enters_phase();
        ctx.send_all(Elect(self.id));
    }

    /// Compares for as long as both sides have been heard.
    fn compare(&mut self, ctx: &mut impl Context<Msg>) {
        while let Role::Active { heard: [next, previous] } = &mut self.role {
            let (Some(&a), Some(&b)) = (next.front(), previous.front()) else { return };
            next.pop_front();
            previous.pop_front();
            if a.max(b) < self.id {
                ctx.rule("3a");
                self.begin_phase(ctx);
            } else if a.max(b) == self.id {
                ctx.rule("3c");
                self.role = Role::Leader;
                ctx.send(Port::NEXT, Announce(self.id));
            } else {
                ctx.rule("3b");
                let left = [(Port::NEXT, std::mem::take(next)), (Port::PREVIOUS, std::mem::take(previous))];
                self.role = Role::Relay;
                ctx.watches_phase(); // what came too early is of the next phase
                for (from, ids) in left {
                    ids.into_iter().for_each(|id| ctx.send(from.onward(), Elect(id)));
                }
            }
        }
    }
}

impl Process for Franklin {
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
            self.role = Role::Active { heard: Default::default() };
            self.begin_phase(ctx);
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, &mut self.role) {
            (Elect(j), Role::Active { heard }) => {
                ctx.rule("2a");
                heard[from.index()].push_back(j);
                self.compare(ctx);
            }
            (Elect(j), role @ (Role::Asleep | Role::Relay)) => {
                ctx.rule("2b");
                *role = Role::Relay; // a node that did not start in time does not join later
                ctx.send(from.onward(), Elect(j));
            }
            (Elect(_), Role::Leader | Role::Follower(_)) => ctx.rule("2c"), // all is decided
            (Announce(j), _) if j == self.id => ctx.rule("4a"),             // everybody knows
            (Announce(j), role) => {
                ctx.rule("4b");
                *role = Role::Follower(j);
                ctx.send(from.onward(), Announce(j));
            }
        }
    }

    status_and_role!(self.role);
}
