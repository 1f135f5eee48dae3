//! # Tree, by waves
//!
//! ## Idea
//!
//! The initiators wake everybody up by an explosion of messages. Then a wave runs inwards from the leaves. A node waits
//! for echoes on all its links but one. Along that one it sends the largest id of what lies behind it. On exactly one
//! link two echoes cross, and both its ends know the largest id of all. From there it is announced outwards.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  asleep:                    wake(none)
//!    b  otherwise:                 ignore
//! 2  on explosion() at p:
//!    a  asleep:                    wake(p)
//!    b  otherwise:                 ignore
//! 3  on echo(m) at p:              if asleep, wake(p) comes first
//!    a  own echo not yet sent:     heard += p; best := max(best, m); saturate
//!    b  own echo sent:             best := max(best, m); decide best; send announce(best) on all ports but p
//!    c  decided:                   ignore
//! 4  wake(p):
//!    a  there are neighbours:      best := id; send explosion on all ports but p; saturate
//!    b  alone:                     leader
//! 5  saturate, once heard on all ports but one: send echo(best) on that one
//! 6  on announce(x) at p:
//!    a  undecided:                 decide x; send announce(x) on all ports but p
//!    b  otherwise:                 ignore
//! ```
//!
//! ## Remarks
//!
//! A leaf echoes as soon as it is awake. It must not wait for an explosion. If it starts and its neighbour does not,
//! the neighbour passes the explosion on in the other directions only. The leaf would never echo, and nothing would be
//! decided.
//!
//! Where links keep no order an echo may overtake the explosion sent before it. Then the echo is what wakes the node
//! up, and the explosion finds it awake; the counts are the same.
//!
//! If any leader will do (`winner=any`), an echo carries its sender's own id. Of the two nodes between which the echoes
//! cross, the one with the larger id leads. Which link that is depends on the schedule.
//!
//! With `announce=none` only these two nodes decide, and all others wait for ever. Then the winner must be one of the
//! two: the owner of the largest id need not be, and would never hear of it.
//!
//! Whatever the schedule, each node explodes towards all its neighbours but the one that woke it up. That is n + k - 2
//! messages. Then it echoes once. The farthest leaf is awake after n - k units. Its id is known everywhere at most
//! n - 1 units later: echoes carry it first, then announcements.

use std::collections::BTreeSet;

use bellwether_core::prelude::*;

use self::Msg::{Announce, Echo, Explosion};

const INFO: Info = Info {
    name: "tree-waves",
    aliases: &["saturation"],
    summary: "waves from the leaves meet on one link",
    paper: "N. Santoro: Design and Analysis of Distributed Algorithms, section 2.6 (saturation). Wiley, 2007",
    source: include_str!("tree_waves.rs"),
    topology: TopologyKind::Tree,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Any,
    winner: Winner::MaxOfAll,
    informs: Informs::Leader,
    settings: &[
        Setting {
            name: "winner",
            help: "the largest id wins (unless set), or any: the larger one where the waves meet",
            values: Values::OneOf(&["max", "any"]),
            meaning: Meaning::Own,
        },
        Setting::ANNOUNCE,
    ],
    variant,
    admits,
    bounds: Bounds {
        announce: Formula { text: "n - 2 if n > 1", of: |s| (s.n - 2.0).max(0.0) },
        time: Some(Formula { text: "2n - k - 1", of: |s| 2.0 * s.n - s.k - 1.0 }),
        ..Bounds::exactly(Formula {
            text: "2n + k - 2 if n > 1",
            of: |s| if s.n > 1.0 { 2.0 * s.n + s.k - 2.0 } else { 0.0 },
        })
    },
    example: "--topology tree:8",
    ..Info::EVENTS
};

/// The value of `winner` with which any node may win.
const ANY: u64 = 1;

/// The entries under the parameters: any node may win, nobody is told, or both.
const ANY_WINS: Info = Info { winner: Winner::Any, ..INFO };
const SILENT: Info =
    Info { informs: Informs::Nobody, bounds: Bounds { announce: Formula::ZERO, ..INFO.bounds }, ..INFO };
const ANY_WINS_SILENTLY: Info = Info { winner: Winner::Any, ..SILENT };

fn variant(settings: &Settings) -> Option<&'static Info> {
    match (settings.get("winner") == Some(&ANY), INFO.is_untold(settings)) {
        (false, false) => None,
        (true, false) => Some(&ANY_WINS),
        (false, true) => Some(&SILENT),
        (true, true) => Some(&ANY_WINS_SILENTLY),
    }
}

/// Without announcement only two nodes decide. In a larger tree the owner of the largest id may be another.
fn admits(electorate: &Electorate) -> Result<(), Endless> {
    let settings = electorate.settings;
    if !INFO.is_untold(settings) || settings.get("winner") == Some(&ANY) || electorate.ids.len() <= 2 {
        return Ok(());
    }
    Err(Endless::Silent(
        "with announce=none the owner of the largest id is not told that it leads; set winner=any as well".into(),
    ))
}

/// A process of the waves in a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeWaves {
    id: Id,
    /// Whether any node may win.
    any_wins: Given<bool>,
    role: Role,
}

roles! {
    enum Role {
        Asleep = "asleep" => Undecided,
        /// Waits for the echoes on all its ports but one. If any node may win, `best` is its own id.
        Awake { heard: BTreeSet<Port>, best: Id } = "awake" => Undecided,
        /// Has sent its own on the last one, where another echo or an announcement will come in.
        Echoed { best: Id } = "echoed" => Undecided,
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

messages! {
    /// What travels along the links.
    pub enum Msg {
        /// Wake up!
        Explosion() = "explosion",
        /// The largest id behind the sender, or the sender's own if any node may win.
        Echo(best: Id) = "echo",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl TreeWaves {
    /// Rule 4.
    fn wake(&mut self, by: Option<Port>, ctx: &mut impl Context<Msg>) {
        ctx.rule(if ctx.ports() == 0 { "4b" } else { "4a" });
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
            ctx.rule("5");
            let best = *best;
            self.role = Role::Echoed { best };
            ctx.send(last, Echo(best));
        }
    }

    /// Decides, and tells all neighbours but the one that told it.
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
        let any_wins = Given(local.setting("winner") == Some(ANY));
        Ok(Self { id: local.id()?, any_wins, role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            ctx.rule("1a");
            self.wake(None, ctx);
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        if msg == Explosion() {
            ctx.rule(if self.role == Role::Asleep { "2a" } else { "2b" });
        }
        if let (Explosion() | Echo(_), Role::Asleep) = (&msg, &self.role) {
            self.wake(Some(from), ctx);
        }
        match (msg, &mut self.role) {
            (Explosion(), _) => {}        // it is awake by now
            (Echo(_), Role::Asleep) => {} // not any more: the echo has woken it up
            (Echo(m), Role::Awake { heard, best }) => {
                ctx.rule("3a");
                heard.insert(from);
                if !self.any_wins.0 {
                    *best = m.max(*best);
                }
                self.saturate(ctx);
            }
            (Echo(m), Role::Echoed { best }) => {
                ctx.rule("3b");
                let best = m.max(*best); // the echoes have crossed on this link
                self.decide(best, from, ctx);
            }
            (Announce(x), Role::Asleep | Role::Awake { .. } | Role::Echoed { .. }) => {
                ctx.rule("6a");
                self.decide(x, from, ctx);
            }
            // All is decided.
            (Echo(_), Role::Leader | Role::Follower(_)) => ctx.rule("3c"),
            (Announce(_), Role::Leader | Role::Follower(_)) => ctx.rule("6b"),
        }
    }

    status_and_role!(self.role);
}
