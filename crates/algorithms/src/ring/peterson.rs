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
//!
//! With `leader=last` it is that node: an active node whose own value comes home to it (`ntid = tid`) is the last
//! active one, and leads. Nobody is elected as the owner of a value. Where the ids stand decides who is last, so the
//! leader's id may be any initiator's.

use bellwether_core::prelude::*;

use self::Msg::{Announce, Elect};

const INFO: Info = Info {
    name: "peterson",
    aliases: &["PetersonLeader"],
    summary: "phases that halve the field, on a one-way ring",
    paper: "G. L. Peterson: An O(n log n) unidirectional algorithm for the circular extrema problem. ACM Transactions \
            on Programming Languages and Systems 4(4), 1982",
    source: include_str!("peterson.rs"),
    topology: TopologyKind::OneWayRing,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Fifo,
    winner: Winner::MaxOfInitiators,
    informs: Informs::Leader,
    settings: &[Setting {
        name: "leader",
        help: "who leads: the owner of the largest id (unless set), or the last active node",
        values: Values::OneOf(&["owner", "last"]),
        meaning: Meaning::Own,
    }],
    variant: |settings| (settings.get("leader") == Some(&LAST)).then_some(&LAST_LEADS),
    bounds: Bounds {
        needed: Some(LowerBound::ONE_WAY),
        worst: Some(Formula { text: "2n ⌊lg k⌋ + n", of: |s| 2.0 * s.n * floor_lg(s.k) + s.n }),
        announce: Formula::N,
        ..Bounds::NONE
    },
    example: "--topology ring:8",
    ..Info::EVENTS
};

/// The value of `leader` with which the last active node leads.
const LAST: u64 = 1;

/// The entry if the last active node leads.
const LAST_LEADS: Info = Info { winner: Winner::Any, ..INFO };

/// A process of Peterson.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Peterson {
    id: Id,
    /// Whether the last active node leads.
    last_leads: bool,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Asleep = "asleep" => Undecided,
        /// Waits for the first value of a phase.
        First { tid: Id } = "active" => Undecided,
        /// Has it, and waits for the second.
        Second { tid: Id, ntid: Id } = "active" => Undecided,
        Relay = "relay" => Undecided,
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// A value that is still in the race.
        Elect(value: Id) = "elect",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl Peterson {
    fn begin_phase(&mut self, tid: Id, ctx: &mut impl Context<Msg>) {
        self.role = Role::First { tid };
        ctx.send(Port::NEXT, Elect(tid));
    }

    fn lead(&mut self, ctx: &mut impl Context<Msg>) {
        self.role = Role::Leader;
        ctx.send(Port::NEXT, Announce(self.id));
    }
}

impl Process for Peterson {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let last_leads = local.setting("leader") == Some(LAST);
        Ok(Self { id: local.id()?, last_leads, role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            self.begin_phase(self.id, ctx);
        }
    }

    fn receive(&mut self, _: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, self.role) {
            (Elect(_), Role::Leader | Role::Follower(_)) => {} // swallowed: all is decided
            (Elect(x), Role::First { .. } | Role::Second { .. } | Role::Relay) if x == self.id && !self.last_leads => {
                self.lead(ctx);
            }
            (Elect(ntid), Role::First { tid }) if ntid == tid && self.last_leads => self.lead(ctx),
            (Elect(ntid), Role::First { tid }) => {
                self.role = Role::Second { tid, ntid };
                ctx.send(Port::NEXT, Elect(tid.max(ntid)));
            }
            (Elect(nntid), Role::Second { tid, ntid }) if ntid >= tid.max(nntid) => self.begin_phase(ntid, ctx),
            (Elect(_), Role::Second { .. }) => self.role = Role::Relay,
            (Elect(x), Role::Asleep | Role::Relay) => {
                self.role = Role::Relay; // a node that did not start in time does not join later
                ctx.send(Port::NEXT, Elect(x));
            }
            (Announce(j), _) if j == self.id => {} // absorbed: everybody knows
            (Announce(j), _) => {
                self.role = Role::Follower(j);
                ctx.send(Port::NEXT, Announce(j));
            }
        }
    }

    status_and_role!(self.role);
}
