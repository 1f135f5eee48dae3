//! # Itai-Rodeh
//!
//! ## Idea
//!
//! No ids at all, but the size n is known: nodes draw random numbers and play Chang-Roberts with them, the smallest
//! draw winning. A token counts its hops, so its sender recognises it after n of them, and carries a mark that it loses
//! at an equal draw. If the mark is still there the winner is alone; if not, those who drew the smallest number
//! play another tournament among themselves. It ends with probability 1, and no deterministic algorithm can do it.
//!
//! ## Rules
//!
//! ```text
//! start, new tournament:       level += 1; x := random 1..K; send token(x, level, 1, true)
//! on token(y, l, hop, u):      asleep or passive:                 passive; send token(y, l, hop + 1, u)
//!   active                     hop = n:                           u: leader; send announce(x)      else: new tournament
//!                              (l, y) = (level, x):               send token(y, l, hop + 1, false)
//!                              l > level, or l = level, y < x:    passive; send token(y, l, hop + 1, u)
//!                              else:                              swallow
//!   elected                    swallow
//! on announce:                 leader: absorb      else: follower; pass it on
//! ```
//!
//! ## Remarks
//!
//! On average it takes O(n log n) messages: with K = n fewer than 1.7 tournaments are expected, each about as long as an
//! election of Chang-Roberts; but there is no bound that always holds.
//!
//! The higher tournament decides first, then the smaller draw. Comparing draws first, or re-stamping a foreign token
//! with one's own level, is invisible on FIFO links and fatal without them.

use bellwether_core::{
    Bounds, Context, Electorate, Endless, Formula, Info, Informs, Knowledge, LinkOrder, Local, Model, NoTimer, Port,
    Process, Setting, Stage, Starts, Status, TopologyKind, Unmet, Values, Winner, messages,
};

use self::Msg::{Announce, Token};
use strum::IntoStaticStr;

const INFO: Info = Info {
    name: "itai-rodeh",
    aliases: &[],
    summary: "anonymous: random draws, tournaments until one is alone",
    paper: "A. Itai, M. Rodeh: Symmetry breaking in distributive networks. 22nd Annual Symposium on Foundations of \
            Computer Science, 1981",
    source: include_str!("itai_rodeh.rs"),
    model: Model::Asynchronous,
    topology: TopologyKind::OneWayRing,
    starts: Starts::Any,
    knows: &[Knowledge::Size],
    links: LinkOrder::Any,
    randomised: true,
    survives_crashes: false,
    repeatable: false,
    in_turn: false,
    winner: Winner::Random,
    informs: Informs::End,
    settings: &[Setting { name: "k", help: "draws are from 1..K; K = n unless set", values: Values::AtLeast(1) }],
    bounds: Bounds {
        best: Some(Formula { text: "n + k - 1", of: |s| s.n + s.k - 1.0 }),
        mean: None,
        worst: None,
        announce: Formula { text: "n", of: |s| s.n },
        time: None,
    },
    admits: ends,
    example: "--topology ring:5 --set k=2",
};

/// If all draw the same, a node can only win a tournament that it reaches before the others: where tokens overtake.
fn ends(electorate: &Electorate) -> Result<(), Endless> {
    let all_equal = electorate.settings.get("k") == Some(&1) && electorate.initiators().nth(1).is_some();
    if !all_equal || electorate.links == LinkOrder::Any {
        return Ok(());
    }
    Err(Endless::Busy(
        "with k=1 everybody draws the same, so that nobody is ever alone; set k to 2 or more, or let only one node start"
            .into(),
    ))
}

/// A process of Itai and Rodeh.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ItaiRodeh {
    size: u64,
    /// Draws are from `1..=range`.
    range: u64,
    role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Role {
    Asleep,
    Active { level: Stage, x: u64 },
    Passive,
    Leader,
    Follower,
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// A draw, its tournament, the hops it has made, and whether it has met no equal yet.
        Token(draw: u64, level: Stage, hop: u64, unique: bool) = "token",
        /// The node that drew this has won.
        Announce(draw: u64) = "announce",
    }
}

impl ItaiRodeh {
    fn begin_tournament(&mut self, level: Stage, ctx: &mut impl Context<Msg>) {
        let x = ctx.choose(self.range) + 1;
        self.role = Role::Active { level, x };
        ctx.send(Port::NEXT, Token(x, level, 1, true));
    }
}

impl Process for ItaiRodeh {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let size = local.size()?;
        Ok(Self { size, range: local.setting("k").unwrap_or(size), role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            self.begin_tournament(Stage::FIRST, ctx);
        }
    }

    fn receive(&mut self, _: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, self.role) {
            (Token(y, l, hop, u), Role::Asleep | Role::Passive) => {
                self.role = Role::Passive; // who did not start in time does not join later
                ctx.send(Port::NEXT, Token(y, l, hop + 1, u));
            }
            (Token(_, _, hop, unique), Role::Active { level, x }) if hop == self.size => {
                if unique {
                    self.role = Role::Leader;
                    ctx.send(Port::NEXT, Announce(x));
                } else {
                    self.begin_tournament(level.next(), ctx);
                }
            }
            (Token(y, l, hop, _), Role::Active { level, x }) if (l, y) == (level, x) => {
                ctx.send(Port::NEXT, Token(y, l, hop + 1, false));
            }
            (Token(y, l, hop, u), Role::Active { level, x }) if l > level || (l == level && y < x) => {
                self.role = Role::Passive;
                ctx.send(Port::NEXT, Token(y, l, hop + 1, u));
            }
            (Token(..), Role::Active { .. }) => {} // swallowed: it has lost
            (Token(..), Role::Leader | Role::Follower) => {} // all is decided
            (Announce(_), Role::Leader) => {}      // absorbed: everybody knows
            (Announce(x), Role::Asleep | Role::Active { .. } | Role::Passive | Role::Follower) => {
                self.role = Role::Follower;
                ctx.send(Port::NEXT, Announce(x));
            }
        }
    }

    fn status(&self) -> Status {
        match self.role {
            Role::Asleep | Role::Active { .. } | Role::Passive => Status::Undecided,
            Role::Leader => Status::Leader,
            Role::Follower => Status::Follower(None),
        }
    }

    fn role(&self) -> &'static str {
        (&self.role).into()
    }

    const STAGES: Option<&'static str> = Some("tournaments");

    fn stage(&self) -> Option<Stage> {
        match self.role {
            Role::Asleep => Some(Stage(0)),
            Role::Active { level, .. } => Some(level),
            Role::Passive | Role::Leader | Role::Follower => None,
        }
    }

    fn rewind(&mut self, by: u64) {
        if let Role::Active { level, .. } = &mut self.role {
            *level = level.rewound(by);
        }
    }
}
