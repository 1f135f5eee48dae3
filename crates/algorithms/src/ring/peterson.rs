//! # Peterson
//!
//! ## Idea
//!
//! Phases that halve the field on a one-way ring. Values move from active node to active node. In a phase each active
//! node learns the values of the two active ones behind it. If the nearer one's value is the largest of the three, it
//! takes that over. Otherwise it only relays from then on. Of two neighbours at most one stays active, so after ⌊lg k⌋
//! phases one is left. Its value is the largest, and reaches the node it belongs to.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:                                  active; tid := id; send elect(tid)
//!    b  otherwise:                               ignore
//! 2  on elect(x):
//!    a  leader or follower:                      swallow
//!    b  x = id, unless asleep:                   leader; send announce(id)
//!    c  active, first of a phase:                ntid := x; send elect(max(tid, ntid))
//!    d  active, second, ntid >= max(tid, x):     tid := ntid; send elect(tid), which begins the next phase
//!    e  active, second, ntid < max(tid, x):      relay
//!    f  asleep or relay:                         relay; send elect(x)
//! 3  on announce(j):
//!    a  j = id:                                  absorb
//!    b  otherwise:                               follower of j; send announce(j)
//! ```
//!
//! ## Remarks
//!
//! The second message of a phase already is the larger of two, so `>=` is essential: with `>` nobody survives. The
//! winner is the owner of the largest id, not the node that happens to hold it last.
//!
//! Time is linear. Let D(v) be the distance of an active node v from w, the second active node behind it. Then v enters
//! its phase by time D(v) - 2. By induction: v enters the next phase when w's value has come over both gaps, so by
//! D(w) - 2 + D(v). The node between them drops out, so every gap spans at least two gaps of the phase before. So
//! D(w) + D(v) is at most the new D(v). At last only two or three nodes are active. Then the entry of one of them and
//! the way home of the largest value take at most 2n - 2. The announcement takes n - 1 more.
//!
//! With `leader=last` it is that node. An active node whose own value comes home to it (`x = tid`, rule 2b) is the last
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
        time: Some(Formula { text: "3n - 3, or 2n - 1 if k = 1", of: |s| until(s, 3.0 * s.n - 3.0) }),
        ..Bounds::NONE
    },
    phases: Some(Phases::HALVING),
    example: "--topology ring:8",
    ..Info::EVENTS
};

/// The value of `leader` with which the last active node leads.
const LAST: u64 = 1;

/// The entry if the last active node leads.
const LAST_LEADS: Info = Info {
    winner: Winner::Any,
    bounds: Bounds {
        time: Some(Formula { text: "4n - 3, or 2n - 1 if k = 1", of: |s| until(s, 4.0 * s.n - 3.0) }),
        ..INFO.bounds
    },
    ..INFO
};

/// The time if one node starts, which is two tours, or this time if more do.
fn until(size: Size, if_more: f64) -> f64 {
    if size.k > 1.0 { if_more } else { 2.0 * size.n - 1.0 }
}

/// A process of Peterson.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Peterson {
    id: Id,
    /// Whether the last active node leads.
    last_leads: Given<bool>,
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
        ctx.enters_phase();
        ctx.send(Port::NEXT, Elect(tid));
    }

    fn lead(&mut self, ctx: &mut impl Context<Msg>) {
        ctx.rule("2b");
        self.role = Role::Leader;
        ctx.send(Port::NEXT, Announce(self.id));
    }
}

impl Process for Peterson {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let last_leads = Given(local.setting("leader") == Some(LAST));
        Ok(Self { id: local.id()?, last_leads, role: Role::Asleep })
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
            (Elect(_), Role::Leader | Role::Follower(_)) => ctx.rule("2a"), // all is decided
            (Elect(x), Role::First { .. } | Role::Second { .. } | Role::Relay)
                if x == self.id && !self.last_leads.0 =>
            {
                self.lead(ctx);
            }
            (Elect(ntid), Role::First { tid }) if ntid == tid && self.last_leads.0 => self.lead(ctx),
            (Elect(ntid), Role::First { tid }) => {
                ctx.rule("2c");
                self.role = Role::Second { tid, ntid };
                ctx.send(Port::NEXT, Elect(tid.max(ntid)));
            }
            (Elect(nntid), Role::Second { tid, ntid }) if ntid >= tid.max(nntid) => {
                ctx.rule("2d");
                self.begin_phase(ntid, ctx);
            }
            (Elect(_), Role::Second { .. }) => {
                ctx.rule("2e");
                self.role = Role::Relay;
            }
            (Elect(x), Role::Asleep | Role::Relay) => {
                ctx.rule("2f");
                self.role = Role::Relay; // a node that did not start in time does not join later
                ctx.send(Port::NEXT, Elect(x));
            }
            (Announce(j), _) if j == self.id => ctx.rule("3a"), // everybody knows
            (Announce(j), _) => {
                ctx.rule("3b");
                self.role = Role::Follower(j);
                ctx.send(Port::NEXT, Announce(j));
            }
        }
    }

    status_and_role!(self.role);
}
