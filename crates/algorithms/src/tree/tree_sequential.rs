//! # Tree, one after the other
//!
//! ## Idea
//!
//! A procedure call in a tree. The one initiator asks each of its neighbours in turn for the largest id of the part
//! that lies behind it. Each neighbour first asks its own other neighbours in the same way. Every link carries
//! one question and one answer. Then the largest id of all goes down the tree.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:              caller := none; best := id; ask
//!    b  otherwise:           ignore
//! 2  on call() at c:
//!    a  asleep:              caller := c; best := id; ask
//!    b  otherwise:           ignore
//! 3  on return(m):
//!    a  asking:              best := max(best, m); ask
//!    b  otherwise:           ignore
//! 4  ask:
//!    a  a port is left:      asked := the next one that is not the caller's; send call there
//!    b  none left, called:   answered; send return(best) to the caller
//!    c  none left, root:     decide best; send announce(best) to all
//! 5  on announce(x) at p:
//!    a  undecided:           decide x; send announce(x) on all ports but p
//!    b  otherwise:           ignore
//! ```
//!
//! ## Remarks
//!
//! The initiator is the root; it need not win. The questions and answers go one after the other, 2(n - 1) in all. The
//! announcement goes as far as the root is from the farthest node: that is at most n - 1.

use bellwether_core::prelude::*;

use self::Msg::{Announce, Call, Return};

const INFO: Info = Info {
    name: "tree-sequential",
    summary: "a procedure call in a tree: the largest id of each part, in turn",
    paper: "G. Tel: Introduction to Distributed Algorithms, chapter 6 (wave and traversal algorithms). Cambridge \
            University Press, 2000",
    source: include_str!("tree_sequential.rs"),
    topology: TopologyKind::Tree,
    starts: Starts::One,
    knows: &[Knowledge::Id],
    links: LinkOrder::Any,
    in_turn: true,
    winner: Winner::MaxOfAll,
    informs: Informs::Leader,
    bounds: Bounds {
        announce: Formula { text: "n - 1", of: |s| s.n - 1.0 },
        time: Some(Formula { text: "3(n - 1)", of: |s| 3.0 * (s.n - 1.0) }),
        ..Bounds::exactly(Formula { text: "2(n - 1)", of: |s| 2.0 * (s.n - 1.0) })
    },
    example: "--topology tree:8 --initiators one",
    ..Info::EVENTS
};

/// A process of the sequential search in a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeSequential {
    id: Id,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Asleep = "asleep" => Undecided,
        /// Waits for the answer from behind port `asked`; `caller` is `None` at the root.
        Asking { caller: Option<Port>, asked: Port, best: Id } = "asking" => Undecided,
        /// Has answered its caller.
        Answered = "answered" => Undecided,
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

messages! {
    /// What travels along the links.
    pub enum Msg {
        /// What is the largest id on your side?
        Call() = "call",
        /// The largest id on this side.
        Return(best: Id) = "return",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl TreeSequential {
    /// Rule 4. Asks behind the next port from `next` on, or is done.
    fn ask(&mut self, caller: Option<Port>, next: u32, best: Id, ctx: &mut impl Context<Msg>) {
        match (next..ctx.ports()).map(Port).find(|&port| Some(port) != caller) {
            Some(asked) => {
                ctx.rule("4a");
                self.role = Role::Asking { caller, asked, best };
                ctx.send(asked, Call());
            }
            None => match caller {
                Some(caller) => {
                    ctx.rule("4b");
                    self.role = Role::Answered;
                    ctx.send(caller, Return(best));
                }
                None => {
                    ctx.rule("4c");
                    self.decide(best, None, ctx);
                }
            },
        }
    }

    /// Decides, and tells all neighbours but the one that told it.
    fn decide(&mut self, leader: Id, from: Option<Port>, ctx: &mut impl Context<Msg>) {
        self.role = if leader == self.id { Role::Leader } else { Role::Follower(leader) };
        ctx.send_all_but(from, Announce(leader));
    }
}

impl Process for TreeSequential {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            ctx.rule("1a");
            self.ask(None, 0, self.id, ctx);
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, self.role) {
            (Call(), Role::Asleep) => {
                ctx.rule("2a");
                self.ask(Some(from), 0, self.id, ctx);
            }
            // A second root's, or a copy.
            (Call(), Role::Asking { .. } | Role::Answered | Role::Leader | Role::Follower(_)) => ctx.rule("2b"),
            (Return(m), Role::Asking { caller, asked, best }) => {
                ctx.rule("3a");
                self.ask(caller, asked.0 + 1, best.max(m), ctx);
            }
            // It has not asked.
            (Return(_), Role::Asleep | Role::Answered | Role::Leader | Role::Follower(_)) => ctx.rule("3b"),
            (Announce(x), Role::Asleep | Role::Asking { .. } | Role::Answered) => {
                ctx.rule("5a");
                self.decide(x, Some(from), ctx);
            }
            (Announce(_), Role::Leader | Role::Follower(_)) => ctx.rule("5b"), // a second root's, or a copy
        }
    }

    status_and_role!(self.role);
}
