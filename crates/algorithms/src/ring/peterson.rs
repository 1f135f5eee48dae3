//! # Peterson
//!
//! ## Idea
//!
//! Phases that halve the field on a one-way ring. A value moves from active node to active node: in a phase each
//! active node learns the values of the two active ones behind it, and takes over the nearer one's value if that is
//! the largest of the three; otherwise it only relays from then on. Of two neighbours at most one stays active, so
//! after ⌊lg k⌋ phases one is left, and its value, the largest, reaches the node it belongs to.
//!
//! ## Rules
//!
//! ```text
//! active, one phase:  send elect(tid);             receive ntid;   if ntid = id: elected
//!                     send elect(max(tid, ntid));  receive nntid;  if nntid = id: elected
//!                     ntid >= max(tid, nntid): tid := ntid, next phase      else: relay
//! relay:              receive x;  if x = id: elected      else: send elect(x)
//! elected:            leader; send announce(id); swallow what still comes
//! on announce(j):     j = id: absorb      else: follower of j; send announce(j)
//! ```
//!
//! ## Remarks
//!
//! The second message of a phase already is the larger of two, so `>=` is essential: with `>` nobody survives. The
//! winner is the owner of the largest id, not the node that happens to hold it last.

use bellwether_core::{
    Bounds, Context, Formula, Id, Info, Informs, Knowledge, LinkOrder, Local, Model, NoTimer, Port, Process, Starts,
    Status, TopologyKind, Unmet, Winner, floor_lg, messages,
};

use self::Msg::{Announce, Elect};
use strum::IntoStaticStr;

const INFO: Info = Info {
    name: "peterson",
    aliases: &["PetersonLeader"],
    summary: "phases that halve the field, on a one-way ring",
    paper: "G. L. Peterson: An O(n log n) unidirectional algorithm for the circular extrema problem. ACM Transactions \
            on Programming Languages and Systems 4(4), 1982",
    source: include_str!("peterson.rs"),
    model: Model::Asynchronous,
    topology: TopologyKind::OneWayRing,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Fifo,
    randomised: false,
    survives_crashes: false,
    repeatable: false,
    in_turn: false,
    winner: Winner::MaxOfInitiators,
    informs: Informs::Leader,
    settings: &[],
    bounds: Bounds {
        best: None,
        mean: None,
        worst: Some(Formula { text: "2n ⌊lg k⌋ + n", of: |s| 2.0 * s.n * floor_lg(s.k) + s.n }),
        announce: Formula { text: "n", of: |s| s.n },
        time: None,
    },
    admits: |_| Ok(()),
    example: "--topology ring:8",
};

/// A process of Peterson.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Peterson {
    id: Id,
    role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Role {
    Asleep,
    /// Waits for the first value of a phase.
    #[strum(serialize = "active")]
    First {
        tid: Id,
    },
    /// Has it, and waits for the second.
    #[strum(serialize = "active")]
    Second {
        tid: Id,
        ntid: Id,
    },
    Relay,
    Leader,
    Follower(Id),
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// A value that is still in the race.
        Elect(value: Id) = "elect",
        /// The node with this id has won.
        Announce(id: Id) = "announce",
    }
}

impl Peterson {
    fn begin_phase(&mut self, tid: Id, ctx: &mut impl Context<Msg>) {
        self.role = Role::First { tid };
        ctx.send(Port::NEXT, Elect(tid));
    }
}

impl Process for Peterson {
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
            (Elect(_), Role::Leader | Role::Follower(_)) => {} // swallowed: all is decided
            (Elect(x), Role::First { .. } | Role::Second { .. } | Role::Relay) if x == self.id => {
                self.role = Role::Leader;
                ctx.send(Port::NEXT, Announce(self.id));
            }
            (Elect(ntid), Role::First { tid }) => {
                self.role = Role::Second { tid, ntid };
                ctx.send(Port::NEXT, Elect(tid.max(ntid)));
            }
            (Elect(nntid), Role::Second { tid, ntid }) if ntid >= tid.max(nntid) => self.begin_phase(ntid, ctx),
            (Elect(_), Role::Second { .. }) => self.role = Role::Relay,
            (Elect(x), Role::Asleep | Role::Relay) => {
                self.role = Role::Relay; // who did not start in time does not join later
                ctx.send(Port::NEXT, Elect(x));
            }
            (Announce(j), _) if j == self.id => {} // absorbed: everybody knows
            (Announce(j), _) => {
                self.role = Role::Follower(j);
                ctx.send(Port::NEXT, Announce(j));
            }
        }
    }

    fn status(&self) -> Status {
        match self.role {
            Role::Asleep | Role::First { .. } | Role::Second { .. } | Role::Relay => Status::Undecided,
            Role::Leader => Status::Leader,
            Role::Follower(leader) => Status::Follower(Some(leader)),
        }
    }

    fn role(&self) -> &'static str {
        (&self.role).into()
    }
}
