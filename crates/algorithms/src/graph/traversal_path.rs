//! # Traversal, by path
//!
//! ## Idea
//!
//! Every initiator sends a token through the network, depth first. It carries the ids of the nodes it has visited.
//! Every node knows its neighbours' ids, so the token goes only where it has not been: out and back along the links of
//! a tree. A node swallows tokens that are smaller than the largest it has seen. So only the largest comes home.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:                      enter(id, none, [])
//!    b  otherwise:                   ignore
//! 2  on token(t, path) at p:
//!    a  asleep:                      enter(t, p, path)
//!    b  t > best:                    enter(t, p, path)
//!    c  t = best:                    forward(path) (it is back from a child)
//!    d  otherwise:                   swallow
//! 3  enter(t, p, path):              best := t; parent := p; kids := []; forward(path + id)
//! 4  forward(path):
//!    a  a neighbour is not in it:    kids += the first such port; send token(best, path) there
//!    b  all are, another's token:    send token(best, path) to the parent
//!    c  all are, its own token:      leader; announce to the kids
//! 5  on announce(x):
//!    a  visited:                     follower of x; send announce(x) to the kids
//!    b  otherwise:                   ignore
//! ```
//!
//! ## Remarks
//!
//! A node compares at every receipt and not at the first one only: that is as safe, and stops smaller tokens earlier.
//!
//! No two tokens are alike, so the order of messages on a link does not matter. The largest token is never stopped and
//! never waits. It is home after 2(n - 1) units, and the announcement goes down at most n - 1 links.

use std::cmp::Ordering;

use bellwether_core::prelude::*;

use self::Msg::{Announce, Token};
use super::announcement::Announcement;

const INFO: Info = Info {
    name: "traversal-path",
    summary: "depth-first tokens that know where they have been",
    paper: "G. Tel: Introduction to Distributed Algorithms, section 6.4 (depth-first search with neighbour knowledge) \
            and section 7.3 (extinction). Cambridge University Press, 2000",
    source: include_str!("traversal_path.rs"),
    topology: TopologyKind::Connected,
    starts: Starts::Any,
    knows: &[Knowledge::Id, Knowledge::Neighbours],
    links: LinkOrder::Any,
    in_turn: true,
    winner: Winner::MaxOfInitiators,
    informs: Informs::Leader,
    settings: &[Announcement::SETTING],
    bounds: Bounds {
        best: Some(Formula { text: "2(n - 1)", of: |s| 2.0 * (s.n - 1.0) }),
        worst: Some(Formula { text: "2(n - 1)k", of: |s| 2.0 * (s.n - 1.0) * s.k }),
        announce: Announcement::COST,
        time: Some(Formula { text: "3(n - 1)", of: |s| 3.0 * (s.n - 1.0) }),
        ..Bounds::NONE
    },
    example: "--topology grid:3x3",
    ..Info::EVENTS
};

/// A process of the traversal by path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TraversalPath {
    id: Id,
    neighbours: Given<Vec<Id>>,
    announcement: Given<Announcement>,
    role: Role,
}

roles! {
    enum Role {
        Asleep = "asleep" => Undecided,
        /// The largest token so far: where it came from, and where it was sent to.
        Visited { best: Id, parent: Option<Port>, kids: Vec<Port> } = "visited" => Undecided,
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

messages! {
    /// What travels along the links.
    pub enum Msg {
        /// The token of the initiator with this id, and the ids of the nodes that it has visited.
        Token(id: Id, path: Vec<Id>) = "token",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl TraversalPath {
    /// Rule 3.
    fn enter(&mut self, t: Id, from: Option<Port>, mut path: Vec<Id>, ctx: &mut impl Context<Msg>) {
        ctx.rule("3");
        path.push(self.id);
        self.role = Role::Visited { best: t, parent: from, kids: vec![] };
        self.forward(path, ctx);
    }

    /// Rule 4.
    fn forward(&mut self, path: Vec<Id>, ctx: &mut impl Context<Msg>) {
        let Role::Visited { best, parent, kids } = &mut self.role else { return };
        let unvisited = self.neighbours.0.iter().position(|neighbour| !path.contains(neighbour));
        match (unvisited.map(|index| Port(index as u32)), *parent) {
            (Some(kid), _) => {
                ctx.rule("4a");
                kids.push(kid);
                ctx.send(kid, Token(*best, path));
            }
            (None, Some(parent)) => {
                ctx.rule("4b");
                ctx.send(parent, Token(*best, path));
            }
            (None, None) => {
                ctx.rule("4c");
                self.announcement.0.pass_on(None, &*kids, Announce(self.id), ctx);
                self.role = Role::Leader;
            }
        }
    }
}

impl Process for TraversalPath {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let (id, neighbours) = (local.id()?, Given(local.neighbours()?.to_vec()));
        Ok(Self { id, neighbours, announcement: Given(Announcement::asked(local)), role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            ctx.rule("1a");
            self.enter(self.id, None, vec![], ctx);
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, &self.role) {
            (Token(t, path), Role::Asleep) => {
                ctx.rule("2a");
                self.enter(t, Some(from), path, ctx);
            }
            (Token(t, path), Role::Visited { best, .. }) => match t.cmp(best) {
                Ordering::Less => ctx.rule("2d"),
                Ordering::Greater => {
                    ctx.rule("2b");
                    self.enter(t, Some(from), path, ctx);
                }
                Ordering::Equal => {
                    ctx.rule("2c");
                    self.forward(path, ctx);
                }
            },
            (Token(..), Role::Leader | Role::Follower(_)) => ctx.rule("2d"), // a larger one has come home
            (Announce(x), Role::Visited { kids, .. }) => {
                ctx.rule("5a");
                self.announcement.0.pass_on(Some(from), kids, Announce(x), ctx);
                self.role = Role::Follower(x);
            }
            // Told already, or it has come back since: the winner's token has been everywhere.
            (Announce(_), Role::Asleep | Role::Leader | Role::Follower(_)) => ctx.rule("5b"),
        }
    }

    status_and_role!(self.role);
}
