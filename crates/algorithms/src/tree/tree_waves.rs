//! # Tree, by waves
//!
//! ## Idea
//!
//! The initiators wake everybody up by an explosion of messages. Then a wave runs inwards from the leaves: a node that
//! has heard echoes on all its links but one sends the largest id of what lies behind it along that one. On exactly
//! one link two echoes cross, and both its ends know the largest id of all. From there it is announced outwards.
//!
//! ## Rules
//!
//! ```text
//! wake(p):          (at the start, p = none, or on the first message)    send explosion on every port but p;  saturate
//! saturate:         awake, no echo sent, heard on all ports but one:     send echo(best) on that one
//! on explosion:     if asleep: wake
//! on echo(m) at p:  if asleep: wake;   heard += p;   best := max(best, m)
//!                   own echo already sent: decide best; send announce(best) on all ports but p        else: saturate
//! on announce(x):   decide x; send announce(x) on all ports but its own
//! ```
//!
//! ## Remarks
//!
//! A leaf echoes as soon as it is awake. One that starts while its neighbour does not never receives an explosion,
//! because the neighbour passes the explosion on in the other directions only: if receiving one were what makes a leaf
//! echo, nothing would be decided.
//!
//! Where links keep no order an echo may overtake the explosion sent before it. Then the echo is what wakes the node
//! up, and the explosion finds it awake; the counts are the same.
//!
//! Whatever the schedule, each node explodes towards all its neighbours but the one that woke it up, which is
//! n + k - 2 messages, and echoes once. The farthest leaf is awake after n - k units, and what it says needs at
//! most n - 1 more to be known everywhere: first it is carried by echoes, then by announcements.

use std::collections::BTreeSet;

use bellwether_core::{
    Bounds, Context, Formula, Id, Info, Informs, Knowledge, LinkOrder, Local, Model, NoTimer, Port, Process, Starts,
    Status, TopologyKind, Unmet, Winner, messages,
};

use self::Msg::{Announce, Echo, Explosion};
use strum::IntoStaticStr;

const EXACTLY: Formula =
    Formula { text: "2n + k - 2 if n > 1", of: |s| if s.n > 1.0 { 2.0 * s.n + s.k - 2.0 } else { 0.0 } };

const INFO: Info = Info {
    name: "tree-waves",
    aliases: &["saturation"],
    summary: "waves from the leaves meet on one link",
    paper: "N. Santoro: Design and Analysis of Distributed Algorithms, section 2.6 (saturation). Wiley, 2007",
    source: include_str!("tree_waves.rs"),
    model: Model::Asynchronous,
    topology: TopologyKind::Tree,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Any,
    randomised: false,
    survives_crashes: false,
    repeatable: false,
    in_turn: false,
    winner: Winner::MaxOfAll,
    informs: Informs::Leader,
    settings: &[],
    bounds: Bounds {
        best: Some(EXACTLY),
        mean: Some(EXACTLY),
        worst: Some(EXACTLY),
        announce: Formula { text: "n - 2 if n > 1", of: |s| (s.n - 2.0).max(0.0) },
        time: Some(Formula { text: "2n - k - 1", of: |s| 2.0 * s.n - s.k - 1.0 }),
    },
    admits: |_| Ok(()),
    example: "--topology tree:8",
};

/// A process of the waves in a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeWaves {
    id: Id,
    role: Role,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Role {
    Asleep,
    /// Waits for the echoes on all its ports but one.
    Awake {
        heard: BTreeSet<Port>,
        best: Id,
    },
    /// Has sent its own on the last one, where another echo or an announcement will come in.
    Echoed {
        best: Id,
    },
    Leader,
    Follower(Id),
}

messages! {
    /// What travels along the links.
    pub enum Msg {
        /// Wake up!
        Explosion() = "explosion",
        /// The largest id behind the sender.
        Echo(best: Id) = "echo",
        /// The node with this id has won.
        Announce(id: Id) = "announce",
    }
}

impl TreeWaves {
    fn wake(&mut self, by: Option<Port>, ctx: &mut impl Context<Msg>) {
        self.role = Role::Awake { heard: BTreeSet::new(), best: self.id };
        ctx.send_all_but(by, Explosion());
        if ctx.ports() == 0 {
            self.role = Role::Leader; // alone
        }
        self.saturate(ctx);
    }

    fn saturate(&mut self, ctx: &mut impl Context<Msg>) {
        let Role::Awake { heard, best } = &self.role else { return };
        let mut silent = (0..ctx.ports()).map(Port).filter(|port| !heard.contains(port));
        if let (Some(last), None) = (silent.next(), silent.next()) {
            let best = *best;
            self.role = Role::Echoed { best };
            ctx.send(last, Echo(best));
        }
    }

    /// Knows who leads, and tells all but the one from whom it knows.
    fn decide(&mut self, leader: Id, from: Port, ctx: &mut impl Context<Msg>) {
        self.role = if leader == self.id { Role::Leader } else { Role::Follower(leader) };
        ctx.send_all_but(Some(from), Announce(leader));
    }
}

impl Process for TreeWaves {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            self.wake(None, ctx);
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        if let (Explosion() | Echo(_), Role::Asleep) = (&msg, &self.role) {
            self.wake(Some(from), ctx);
        }
        match (msg, &mut self.role) {
            (Explosion(), _) => {}        // it is awake by now
            (Echo(_), Role::Asleep) => {} // not any more: the echo has woken it up
            (Echo(m), Role::Awake { heard, best }) => {
                heard.insert(from);
                *best = m.max(*best);
                self.saturate(ctx);
            }
            (Echo(m), Role::Echoed { best }) => {
                let best = m.max(*best); // the echoes have crossed on this link
                self.decide(best, from, ctx);
            }
            (Announce(x), Role::Asleep | Role::Awake { .. } | Role::Echoed { .. }) => self.decide(x, from, ctx),
            (Echo(_) | Announce(_), Role::Leader | Role::Follower(_)) => {} // all is decided
        }
    }

    fn status(&self) -> Status {
        match self.role {
            Role::Asleep | Role::Awake { .. } | Role::Echoed { .. } => Status::Undecided,
            Role::Leader => Status::Leader,
            Role::Follower(leader) => Status::Follower(Some(leader)),
        }
    }

    fn role(&self) -> &'static str {
        (&self.role).into()
    }
}
