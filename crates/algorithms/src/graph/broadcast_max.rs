//! # Broadcast of all ids
//!
//! ## Idea
//!
//! Everybody's id is broadcast by flooding: a node that hears an id for the first time passes it on to all its other
//! neighbours. The number n of nodes is known, so a node that has seen n ids has seen all. The largest of them leads.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:          seen := {id}; send id(id) to all neighbours
//!    b  otherwise:       ignore
//! 2  on id(j) at p:      if asleep, 1a comes first
//!    a  j not in seen:   seen += j; send id(j) on all ports but p
//!    b  j in seen:       ignore
//! 3  n ids seen:         decide the largest of them
//! ```
//!
//! ## Remarks
//!
//! A broadcast uses every link in at least one direction: deg messages from its source and deg - 1 from every other
//! node. That is 2m - n + 1. There are n broadcasts, whoever starts, because everybody must speak.
//!
//! If n is told too small (`n=K`), nodes decide on the first ids that they see, which may be different ones. If it is
//! told too large, all wait for ever.
//!
//! Where everybody is linked to everybody, nobody need pass an id on (`broadcast=one-hop`): n(n - 1) messages suffice.
//!
//! The last node is awake after at most n - k units, and its id is everywhere after at most n - 1 more.

use std::collections::BTreeSet;

use bellwether_core::prelude::*;

use self::Msg::Identity;

const INFO: Info = Info {
    name: "broadcast-max",
    summary: "every id is flooded; a node that has seen n of them knows the largest",
    paper: "Folklore: the flooding of G. Le Lann's idea. Distributed systems - towards a formal approach. Information \
            Processing 77, IFIP, 1977",
    source: include_str!("broadcast_max.rs"),
    topology: TopologyKind::Connected,
    starts: Starts::Any,
    knows: &[Knowledge::Id, Knowledge::Size],
    links: LinkOrder::Any,
    winner: Winner::MaxOfAll,
    informs: Informs::Leader,
    settings: &[
        Setting::SIZE,
        Setting {
            name: "broadcast",
            help: "an id is flooded (unless set), or goes to the neighbours only, which takes a complete network",
            values: Values::OneOf(&["flood", "one-hop"]),
            meaning: Meaning::Own,
        },
    ],
    variant: |settings| (settings.get("broadcast") == Some(&ONE_HOP)).then_some(&NOT_FLOODED),
    bounds: Bounds {
        time: Some(Formula { text: "2n - k - 1", of: |s| 2.0 * s.n - s.k - 1.0 }),
        // At time 1 every node hears of all its neighbours, and passes each id on by all other ports.
        crowd: Some(Formula { text: "2m(2m/n - 1)", of: |s| 2.0 * s.m * (2.0 * s.m / s.n - 1.0) }),
        ..Bounds::exactly(Formula { text: "n(2m - n + 1)", of: |s| s.n * (2.0 * s.m - s.n + 1.0) })
    },
    example: "--topology grid:3x3",
    ..Info::EVENTS
};

/// The value of `broadcast` with which nobody passes an id on.
const ONE_HOP: u64 = 1;

/// The entry if nobody passes an id on.
const NOT_FLOODED: Info = Info {
    topology: TopologyKind::Complete,
    bounds: Bounds {
        time: Some(Formula {
            text: "2, or 1 if k = n, 0 if n = 1",
            of: |s| f64::from(u8::from(s.n > 1.0) + u8::from(s.k < s.n)),
        }),
        // Two nodes may have two links, and a single node one to itself.
        ..Bounds::exactly(Formula { text: "2m = n(n - 1)", of: |s| 2.0 * s.m })
    },
    ..INFO
};

/// A process that hears of everybody.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BroadcastMax {
    id: Id,
    size: Given<u64>,
    /// Whether it passes ids on.
    floods: Given<bool>,
    /// The ids that it has heard of; none while it sleeps.
    seen: BTreeSet<Id>,
    /// The largest of the first n.
    leader: Option<Id>,
}

messages! {
    /// What travels along the links.
    pub enum Msg {
        /// The node with this id exists.
        Identity(id: Id) = "id",
    }
}

impl BroadcastMax {
    /// Case 1a.
    fn wake(&mut self, ctx: &mut impl Context<Msg>) {
        ctx.rule("1a");
        self.seen.insert(self.id);
        ctx.send_all(Identity(self.id));
        self.check(ctx);
    }

    /// Rule 3.
    fn check(&mut self, ctx: &mut impl Context<Msg>) {
        if self.seen.len() as u64 == self.size.0 && self.leader.is_none() {
            ctx.rule("3");
            self.leader = self.seen.last().copied();
        }
    }
}

impl Process for BroadcastMax {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let floods = Given(local.setting("broadcast") != Some(ONE_HOP));
        Ok(Self { id: local.id()?, size: Given(local.size()?), floods, seen: BTreeSet::new(), leader: None })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.seen.is_empty() {
            self.wake(ctx);
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, from: Port, Identity(j): Msg, ctx: &mut impl Context<Msg>) {
        if self.seen.is_empty() {
            self.wake(ctx);
        }
        if self.seen.insert(j) {
            ctx.rule("2a");
            if self.floods.0 {
                ctx.send_all_but(Some(from), Identity(j));
            }
            self.check(ctx);
        } else {
            ctx.rule("2b");
        }
    }

    fn status(&self) -> Status {
        match self.leader {
            None => Status::Undecided,
            Some(leader) if leader == self.id => Status::Leader,
            leader => Status::Follower(leader),
        }
    }
}
