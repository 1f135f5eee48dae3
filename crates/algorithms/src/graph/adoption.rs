//! # Adoption
//!
//! ## Idea
//!
//! Echo with extinction, but a conquered node brings in all that it has done. It does not explore its old territory
//! once more for the larger wave. It turns the old tree round: it sends the new explorer only towards the old
//! initiator. It keeps the parts below it, with whatever they have finished. So everybody echoes exactly once.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  free:                   mark := id; parent := none; send explorer(id) everywhere; check
//!    b  otherwise:              ignore
//! 2  on explorer(j) at e, free: mark := j; parent := e; send explorer(j) everywhere else; check
//! 3  on explorer(j) at e:       where out(e) is the largest explorer sent there so far, if any
//!    a  j = out(e):             done += e; check (two equal explorers have met on this link)
//!    b  j < out(e):             ignore (a larger one is on its way)
//!    c  j > out(e), j > mark:   mark := j; parent := e; not echoed; the old parent, if any, is not done;
//!                               send explorer(j) to it; check
//!    d  mark >= j > out(e):     send explorer(mark) on e: it is not done; if j = mark, done += e; check
//!    e  leader or follower:     ignore
//! 4  on echo(j) at e:
//!    a  j = out(e):             done += e; kids += e; check
//!    b  otherwise:              ignore
//! 5  check, once done everywhere but at the parent, and not yet echoed:
//!    a  another's territory:    echoed; send echo(mark) to the parent
//!    b  its own territory:      leader; announce to the kids
//! 6  on announce(x):
//!    a  marked:                 follower of x; send announce(x) to the kids
//!    b  otherwise:              ignore
//! ```
//!
//! ## Remarks
//!
//! Case 3d is where the neighbour has left a territory that was common to both, for j. The rules are a reconstruction:
//! the slides state them by figures, which are lost. Read to the letter ("as before") an echo would be compared with
//! the mark of the node. But the node may have been adopted since, and then nobody wins. It must be the mark of the
//! link.
//!
//! Explorers on a link only grow, and every echo counts for the link on which it comes: links need not keep the order
//! of messages. There are exactly n - 1 echoes, and never more messages than echo with extinction would need at best
//! and at worst. But turning the tree round goes step by step, so it may take longer.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use bellwether_core::prelude::*;

use self::Msg::{Announce, Echo, Explorer};
use super::announcement::Announcement;

const INFO: Info = Info {
    name: "adoption",
    summary: "like echo-election, but the conquered bring in what they have done",
    paper: "Echo/Election-Adoptionsverfahren, in the lecture slides Wahlalgorithmen (without their figures), after F. \
            Mattern: Verteilte Basisalgorithmen. Informatik-Fachberichte 226, Springer, 1989",
    source: include_str!("adoption.rs"),
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
        ..Bounds::NONE
    },
    example: "--topology grid:3x3",
    ..Info::EVENTS
};

/// A process of the adoption algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Adoption {
    id: Id,
    announcement: Given<Announcement>,
    role: Role,
}

roles! {
    enum Role {
        Free = "free" => Undecided,
        Marked(territory: Territory) = "marked" => Undecided,
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Territory {
    /// The initiator that owns it.
    mark: Id,
    parent: Option<Port>,
    /// By port: the largest explorer sent there.
    out: Vec<Option<Id>>,
    done: BTreeSet<Port>,
    kids: Vec<Port>,
    echoed: bool,
}

messages! {
    /// What travels along the links.
    pub enum Msg {
        /// The territory of the initiator with this id grows.
        Explorer(mark: Id) = "explorer",
        /// All is done behind the sender.
        Echo(mark: Id) = "echo",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl Territory {
    fn explore(&mut self, port: Port, ctx: &mut impl Context<Msg>) {
        self.out[port.index()] = Some(self.mark);
        self.done.remove(&port);
        ctx.send(port, Explorer(self.mark));
    }

    /// Cases 3a to 3d.
    fn meet(&mut self, j: Id, e: Port, ctx: &mut impl Context<Msg>) {
        let (i, k) = (self.mark, self.out[e.index()]);
        match Some(j).cmp(&k) {
            Ordering::Equal => {
                ctx.rule("3a");
                self.done.insert(e);
            }
            Ordering::Less => ctx.rule("3b"), // a larger explorer is on its way
            Ordering::Greater if j > i => {
                ctx.rule("3c");
                let old = self.parent.replace(e);
                (self.mark, self.echoed) = (j, false);
                if let Some(old) = old {
                    self.explore(old, ctx);
                }
            }
            Ordering::Greater => {
                ctx.rule("3d");
                self.explore(e, ctx);
                if i == j {
                    self.done.insert(e);
                }
            }
        }
    }
}

impl Adoption {
    /// Cases 1a and 2.
    fn join(&mut self, mark: Id, parent: Option<Port>, ctx: &mut impl Context<Msg>) {
        let ports = ctx.ports();
        let out = vec![None; ports as usize];
        let mut territory = Territory { mark, parent, out, done: BTreeSet::new(), kids: vec![], echoed: false };
        (0..ports).map(Port).filter(|&port| Some(port) != parent).for_each(|port| territory.explore(port, ctx));
        self.role = Role::Marked(territory);
        self.check(ctx);
    }

    /// Rule 5.
    fn check(&mut self, ctx: &mut impl Context<Msg>) {
        let Role::Marked(Territory { mark, parent, done, kids, echoed, .. }) = &mut self.role else { return };
        if *echoed || !(0..ctx.ports()).map(Port).all(|port| Some(port) == *parent || done.contains(&port)) {
            return;
        }
        *echoed = true;
        match *parent {
            Some(parent) => {
                ctx.rule("5a");
                ctx.send(parent, Echo(*mark));
            }
            None => {
                ctx.rule("5b");
                self.announcement.0.pass_on(None, &*kids, Announce(self.id), ctx);
                self.role = Role::Leader;
            }
        }
    }
}

impl Process for Adoption {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, announcement: Given(Announcement::asked(local)), role: Role::Free })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Free {
            ctx.rule("1a");
            self.join(self.id, None, ctx);
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, &mut self.role) {
            (Explorer(j), Role::Free) => {
                ctx.rule("2");
                self.join(j, Some(from), ctx);
            }
            (Explorer(j), Role::Marked(territory)) => {
                territory.meet(j, from, ctx);
                self.check(ctx);
            }
            (Echo(j), Role::Marked(Territory { out, done, kids, .. })) if Some(j) == out[from.index()] => {
                ctx.rule("4a");
                done.insert(from);
                kids.push(from);
                self.check(ctx);
            }
            (Explorer(_), Role::Leader | Role::Follower(_)) => ctx.rule("3e"), // too late: a larger one was on its way
            (Echo(_), _) => ctx.rule("4b"), // a larger explorer has overtaken it, or it is a copy
            (Announce(x), Role::Marked(Territory { kids, .. })) => {
                ctx.rule("6a");
                self.announcement.0.pass_on(Some(from), &*kids, Announce(x), ctx);
                self.role = Role::Follower(x);
            }
            // Told already, or it has come back since: everybody has echoed.
            (Announce(_), Role::Free | Role::Leader | Role::Follower(_)) => ctx.rule("6b"),
        }
    }

    fn ignores(&self, from: Port, msg: &Msg) -> bool {
        match (msg, &self.role) {
            // What is sent through a port only grows.
            (Explorer(j) | Echo(j), Role::Marked(Territory { out, .. })) => Some(*j) < out[from.index()],
            (_, Role::Leader | Role::Follower(_)) => true,
            (Announce(_), Role::Marked(_)) | (_, Role::Free) => false,
        }
    }

    status_and_role!(self.role);
}
