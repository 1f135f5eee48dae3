//! # Echo with extinction
//!
//! ## Idea
//!
//! Every initiator sends a wave of explorers over the whole network. A node joins the first wave that reaches it, and
//! every larger one that comes later; smaller ones it swallows. When a node has heard from all its neighbours it
//! echoes to the one from which the wave came. Only the largest wave can be echoed by everybody, so only
//! its initiator hears all its echoes, and leads.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:           conquered(id, none)
//!    b  otherwise:        ignore
//! 2  on explorer(j) at p:
//!    a  asleep:           conquered(j, p)
//!    b  j > mark:         conquered(j, p)
//!    c  j = mark:         done += p; check (two explorers of a wave have met here)
//!    d  otherwise:        swallow
//! 3  on echo(j) at p:
//!    a  j = mark:         done += p; kids += p; check
//!    b  otherwise:        ignore
//! 4  conquered(j, p):     mark := j; parent := p; done := {p}; kids := []; send explorer(j) on all other ports; check
//! 5  check, once done on all ports:
//!    a  another's wave:   send echo(mark) to the parent
//!    b  its own wave:     leader; announce to the kids
//! 6  on announce(x):
//!    a  conquered:        follower of x; send announce(x) to the kids
//!    b  otherwise:        ignore
//! ```
//!
//! ## Remarks
//!
//! Leaves need no rule of their own. A leaf that is conquered has heard all its neighbours and echoes at once, be it an
//! initiator or not.
//!
//! Explorers and echoes carry the mark of their wave, so links need not keep the order of messages. Waves of one mark
//! use each link twice, which gives 2m messages for each of them. The largest wave is never stopped. It is everywhere
//! after the network's diameter, and its last explorers arrive within one unit more. Then echoes and announcements go
//! up and down a tree of height at most n - 1.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use bellwether_core::prelude::*;

use self::Msg::{Announce, Echo, Explorer};
use super::announcement::Announcement;

const INFO: Info = Info {
    name: "echo-election",
    summary: "waves over every link and back; larger ones extinguish smaller ones",
    paper: "E. J. H. Chang: Echo algorithms: depth parallel operations on general graphs. IEEE Transactions on \
            Software Engineering 8(4), 1982",
    source: include_str!("echo_election.rs"),
    topology: TopologyKind::Connected,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Any,
    winner: Winner::MaxOfInitiators,
    informs: Informs::Leader,
    settings: &[Announcement::SETTING],
    bounds: Bounds {
        best: Some(Formula { text: "2m", of: |s| 2.0 * s.m }),
        worst: Some(Formula { text: "2mk", of: |s| 2.0 * s.m * s.k }),
        announce: Announcement::COST,
        time: Some(Formula { text: "3(n - 1), or 1 if n = 1", of: |s| (3.0 * (s.n - 1.0)).max(1.0) }),
        ..Bounds::NONE
    },
    example: "--topology grid:3x3",
    ..Info::EVENTS
};

/// A process of the echo election.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EchoElection {
    id: Id,
    announcement: Given<Announcement>,
    role: Role,
}

roles! {
    enum Role {
        Asleep = "asleep" => Undecided,
        /// The largest wave so far: where it came from, the ports where it is done, and those that lead to children.
        Conquered { mark: Id, parent: Option<Port>, done: BTreeSet<Port>, kids: Vec<Port> } = "conquered" => Undecided,
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

messages! {
    /// What travels along the links.
    pub enum Msg {
        /// The wave of the initiator with this id goes on.
        Explorer(mark: Id) = "explorer",
        /// It is over behind the sender.
        Echo(mark: Id) = "echo",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl EchoElection {
    /// Rule 4.
    fn conquered(&mut self, mark: Id, by: Option<Port>, ctx: &mut impl Context<Msg>) {
        ctx.rule("4");
        self.role = Role::Conquered { mark, parent: by, done: by.into_iter().collect(), kids: vec![] };
        ctx.send_all_but(by, Explorer(mark));
        self.check(ctx);
    }

    /// Rule 5.
    fn check(&mut self, ctx: &mut impl Context<Msg>) {
        let Role::Conquered { mark, parent, done, kids } = &self.role else { return };
        if done.len() < ctx.ports() as usize {
            return;
        }
        match *parent {
            Some(parent) => {
                ctx.rule("5a");
                ctx.send(parent, Echo(*mark));
            }
            None => {
                ctx.rule("5b");
                self.announcement.0.pass_on(None, kids, Announce(self.id), ctx);
                self.role = Role::Leader;
            }
        }
    }
}

impl Process for EchoElection {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, announcement: Given(Announcement::asked(local)), role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            ctx.rule("1a");
            self.conquered(self.id, None, ctx);
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, &mut self.role) {
            (Explorer(j), Role::Asleep) => {
                ctx.rule("2a");
                self.conquered(j, Some(from), ctx);
            }
            (Explorer(j), Role::Conquered { mark, done, .. }) => match j.cmp(mark) {
                Ordering::Greater => {
                    ctx.rule("2b");
                    self.conquered(j, Some(from), ctx);
                }
                Ordering::Equal => {
                    ctx.rule("2c");
                    done.insert(from);
                    self.check(ctx);
                }
                Ordering::Less => ctx.rule("2d"),
            },
            (Echo(j), Role::Conquered { mark, done, kids, .. }) if j == *mark => {
                ctx.rule("3a");
                done.insert(from);
                kids.push(from);
                self.check(ctx);
            }
            // Of a wave that a larger one has extinguished.
            (Explorer(_), Role::Leader | Role::Follower(_)) => ctx.rule("2d"),
            (Echo(_), _) => ctx.rule("3b"),
            (Announce(x), Role::Conquered { kids, .. }) => {
                ctx.rule("6a");
                self.announcement.0.pass_on(Some(from), &*kids, Announce(x), ctx);
                self.role = Role::Follower(x);
            }
            // Told already, or it has come back since: the winner's wave has been everywhere.
            (Announce(_), Role::Asleep | Role::Leader | Role::Follower(_)) => ctx.rule("6b"),
        }
    }

    fn ignores(&self, _from: Port, msg: &Msg) -> bool {
        match (msg, &self.role) {
            (Explorer(j) | Echo(j), Role::Conquered { mark, .. }) => j < mark, // waves only grow
            (_, Role::Leader | Role::Follower(_)) => true,
            (Announce(_), Role::Conquered { .. }) | (_, Role::Asleep) => false,
        }
    }

    status_and_role!(self.role);
}
