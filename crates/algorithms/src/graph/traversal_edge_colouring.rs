//! # Traversal, by edge colouring
//!
//! ## Idea
//!
//! Every initiator sends a token through the network, depth first, and nobody knows anything about its neighbours.
//! Each node colours the links that the token has used; the token takes any uncoloured one. Where it finds that it has
//! been before it turns back at once. A node swallows tokens that are smaller than the largest it has seen, and
//! forgets their colours. So only the largest comes home, after going to and fro on every link once.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:                        enter(id, none)
//!    b  otherwise:                     ignore
//! 2  on token(t, flag) at p:
//!    a  asleep:                        enter(t, p)
//!    b  t > best:                      enter(t, p)
//!    c  t = best, flag = go:           colour p; send token(t, been) back (it has been here before)
//!    d  t = best, flag = been:         advance
//!    e  t = best, flag = done:         kids += p; advance
//!    f  otherwise:                     swallow
//! 3  enter(t, p):                      best := t; parent := p; coloured := {p}; kids := []; advance
//! 4  advance:
//!    a  a port is uncoloured:          colour the first such; send token(best, go) there
//!    b  none is, another's token:      send token(best, done) to the parent
//!    c  none is, its own token:        leader; announce to the kids
//! 5  on announce(x):
//!    a  visited:                       follower of x; send announce(x) to the kids
//!    b  otherwise:                     ignore
//! ```
//!
//! ## Remarks
//!
//! Both ends must colour a link, otherwise one that closes a cycle is used from both sides. The flags *been* and *done*
//! serve the announcement: they tell a link of the tree from one that closes a cycle.
//!
//! No two tokens are alike, so the order of messages on a link does not matter. The largest token is never stopped and
//! never waits: it is home after 2m units, and the announcement goes down at most n - 1 links.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use bellwether_core::prelude::*;
use serde::{Deserialize, Serialize};

use self::Flag::{Been, Done, Go};
use self::Msg::{Announce, Token};
use super::announcement::Announcement;

const INFO: Info = Info {
    name: "traversal-edge-colouring",
    summary: "depth-first tokens over every link, which is coloured",
    paper: "T.-Y. Cheung: Graph traversal techniques and the maximum flow problem in distributed computation. IEEE \
            Transactions on Software Engineering 9(4), 1983",
    source: include_str!("traversal_edge_colouring.rs"),
    topology: TopologyKind::Connected,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Any,
    in_turn: true,
    winner: Winner::MaxOfInitiators,
    informs: Informs::Leader,
    settings: &[Announcement::SETTING],
    bounds: Bounds {
        best: Some(Formula { text: "2m", of: |s| 2.0 * s.m }),
        worst: Some(Formula { text: "2mk", of: |s| 2.0 * s.m * s.k }),
        announce: Announcement::COST,
        time: Some(Formula { text: "2m + n - 1", of: |s| 2.0 * s.m + s.n - 1.0 }),
        ..Bounds::NONE
    },
    example: "--topology grid:3x3",
    ..Info::EVENTS
};

/// A process of the traversal by edge colouring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TraversalEdgeColouring {
    id: Id,
    announcement: Given<Announcement>,
    role: Role,
}

roles! {
    enum Role {
        Asleep = "asleep" => Undecided,
        /// The largest token so far: where it came from, the links it has used here, and those that lead to children.
        Visited { best: Id, parent: Option<Port>, coloured: BTreeSet<Port>, kids: Vec<Port> } = "visited" => Undecided,
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

/// What a token says of the link that it comes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Flag {
    /// Here I come.
    Go,
    /// Back at once: I had been there.
    Been,
    /// Back: all behind this link is visited.
    Done,
}

impl Field for Flag {
    fn bits(&self) -> u32 {
        2
    }
}

messages! {
    /// What travels along the links.
    pub enum Msg {
        /// The token of the initiator with this id.
        Token(id: Id, flag: Flag) = "token",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl TraversalEdgeColouring {
    /// Rule 3.
    fn enter(&mut self, t: Id, from: Option<Port>, ctx: &mut impl Context<Msg>) {
        ctx.rule("3");
        self.role = Role::Visited { best: t, parent: from, coloured: from.into_iter().collect(), kids: vec![] };
        self.advance(ctx);
    }

    /// Rule 4.
    fn advance(&mut self, ctx: &mut impl Context<Msg>) {
        let Role::Visited { best, parent, coloured, kids } = &mut self.role else { return };
        match ((0..ctx.ports()).map(Port).find(|port| !coloured.contains(port)), *parent) {
            (Some(port), _) => {
                ctx.rule("4a");
                coloured.insert(port);
                ctx.send(port, Token(*best, Go));
            }
            (None, Some(parent)) => {
                ctx.rule("4b");
                ctx.send(parent, Token(*best, Done));
            }
            (None, None) => {
                ctx.rule("4c");
                self.announcement.0.pass_on(None, &*kids, Announce(self.id), ctx);
                self.role = Role::Leader;
            }
        }
    }
}

impl Process for TraversalEdgeColouring {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;
    type Disk = ();

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, announcement: Given(Announcement::asked(local)), role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            ctx.rule("1a");
            self.enter(self.id, None, ctx);
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, &mut self.role) {
            (Token(t, _), Role::Asleep) => {
                ctx.rule("2a");
                self.enter(t, Some(from), ctx);
            }
            (Token(t, flag), Role::Visited { best, coloured, kids, .. }) => match (t.cmp(best), flag) {
                (Ordering::Less, _) => ctx.rule("2f"),
                (Ordering::Greater, _) => {
                    ctx.rule("2b");
                    self.enter(t, Some(from), ctx);
                }
                (Ordering::Equal, Go) => {
                    ctx.rule("2c");
                    coloured.insert(from);
                    ctx.send(from, Token(t, Been));
                }
                (Ordering::Equal, Been) => {
                    ctx.rule("2d");
                    self.advance(ctx);
                }
                (Ordering::Equal, Done) => {
                    ctx.rule("2e");
                    kids.push(from);
                    self.advance(ctx);
                }
            },
            (Token(..), Role::Leader | Role::Follower(_)) => ctx.rule("2f"), // a larger one has come home
            (Announce(x), Role::Visited { kids, .. }) => {
                ctx.rule("5a");
                self.announcement.0.pass_on(Some(from), &*kids, Announce(x), ctx);
                self.role = Role::Follower(x);
            }
            // Told already, or it has come back since: the winner's token has been everywhere.
            (Announce(_), Role::Asleep | Role::Leader | Role::Follower(_)) => ctx.rule("5b"),
        }
    }

    status_and_role!(self.role);
}
