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
//! 1  start:
//!    a  asleep:                            active; level := 1; x := random 1..K; send token(x, level, 1, true)
//!    b  otherwise:                         ignore
//! 2  on token(y, l, hop, u):
//!    a  asleep or passive:                 passive; send token(y, l, hop + 1, u)
//!    b  active, hop = n, u = true:         leader; send announce(x)
//!    c  active, hop = n, u = false:        level += 1; x := random 1..K; send token(x, level, 1, true)
//!    d  active, (l, y) = (level, x):       send token(y, l, hop + 1, false)
//!    e  active, l > level, or l = level and y < x:
//!                                          passive; send token(y, l, hop + 1, u)
//!    f  otherwise:                         swallow
//! 3  on announce(y):
//!    a  leader:                            absorb
//!    b  otherwise:                         follower; send announce(y)
//! ```
//!
//! ## Remarks
//!
//! On average it takes O(n log n) messages. With K = n fewer than 1.7 tournaments are expected, each about as long as
//! an election of Chang-Roberts. But there is no bound that always holds. The mean from a active nodes is
//! E_a = 1 + Σ p_m E_m over m > 1. There p_m is the probability that m of them draw the smallest number.
//!
//! If n is told wrongly (`n=K`), tokens are taken for one's own too early or too late. Then two nodes may lead, or
//! tokens circle for ever.
//!
//! The higher tournament decides first, then the smaller draw. Comparing draws first, or re-stamping a foreign token
//! with one's own level, is invisible on FIFO links and fatal without them.

use bellwether_core::prelude::*;

use self::Msg::{Announce, Token};

const INFO: Info = Info {
    name: "itai-rodeh",
    summary: "anonymous: random draws, tournaments until one is alone",
    paper: "A. Itai, M. Rodeh: Symmetry breaking in distributive networks. 22nd Annual Symposium on Foundations of \
            Computer Science, 1981",
    source: include_str!("itai_rodeh.rs"),
    topology: TopologyKind::OneWayRing,
    starts: Starts::Any,
    knows: &[Knowledge::Size],
    links: LinkOrder::Any,
    randomised: true,
    winner: Winner::Random,
    informs: Informs::End,
    settings: &[
        Setting {
            name: "k",
            help: "draws are from 1..K; K = n unless set",
            values: Values::AtLeast(1),
            meaning: Meaning::Own,
        },
        Setting::SIZE,
    ],
    bounds: Bounds {
        best: Some(Formula { text: "n + k - 1", of: |s| s.n + s.k - 1.0 }),
        announce: Formula::N,
        ..Bounds::NONE
    },
    phases: Some(Phases {
        name: "tournaments",
        unbounded: true,
        race: Race::NO_MORE,
        messages: Formula { text: "n k", of: |s| s.n * s.k },
        most: None,
        mean: Some(Formula { text: "E_n", of: tournaments }),
        ..Phases::HALVING
    }),
    admits: ends,
    example: "--topology ring:5 --set k=2",
    ..Info::EVENTS
};

/// The mean number of tournaments, if all n nodes draw from 1..n. Of `a` active nodes, m draw the smallest number v
/// with probability C(a, m) (n - v)^(a - m) / n^a. Beyond a size that is quick to compute it is not told.
fn tournaments(size: Size) -> f64 {
    const MOST: f64 = 128.0;
    if size.n > MOST {
        return f64::NAN;
    }
    let n = size.n as usize;
    let mut mean = vec![0.0; n + 1];
    for a in 1..=n {
        let survive = |m: usize| {
            let ways = |v: usize| power((n - v) as f64 / size.n, a - m) * power(1.0 / size.n, m);
            choose(a, m) * (1..=n).map(ways).sum::<f64>()
        };
        let further = (2..a).map(|m| survive(m) * mean[m]).sum::<f64>();
        mean[a] = (1.0 + further) / if a > 1 { 1.0 - survive(a) } else { 1.0 };
    }
    mean[n]
}

/// If all draw the same, a node wins only a tournament that it reaches before the others. That takes tokens that
/// overtake each other.
fn ends(electorate: &Electorate) -> Result<(), Endless> {
    let all_equal = electorate.settings.get("k") == Some(&1) && electorate.initiators().nth(1).is_some();
    if !all_equal || electorate.links == LinkOrder::Any {
        return Ok(());
    }
    Err(Endless::Busy(
        "with k=1 everybody draws the same, so that nobody is ever alone; set k to 2 or more, or let only one node \
         start"
            .into(),
    ))
}

/// A process of Itai and Rodeh.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ItaiRodeh {
    n: u64,
    /// K: draws are from `1..=range`.
    range: Given<u64>,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Asleep = "asleep" => Undecided,
        Active { level: Phase, x: u64 } = "active" => Undecided,
        Passive = "passive" => Undecided,
        Leader = "leader" => Leader,
        Follower = "follower" => Follower(None),
    }
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// A draw, its tournament, the hops it has made, and whether it has met no equal yet.
        Token(draw: u64, level: Phase, hop: u64, unique: bool) = "token",
        /// The node that drew this has won.
        Announce(draw: u64) = announce "announce",
    }
}

impl ItaiRodeh {
    fn begin_tournament(&mut self, level: Phase, ctx: &mut impl Context<Msg>) {
        let x = ctx.choose(self.range.0) + 1;
        self.role = Role::Active { level, x };
        ctx.enters_phase();
        ctx.send(Port::NEXT, Token(x, level, 1, true));
    }

    /// One hop more. Beyond n they are not told apart: if n is told wrongly, a token may circle for ever.
    fn after(&self, hop: u64) -> u64 {
        hop.min(self.n) + 1
    }
}

impl Process for ItaiRodeh {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let n = local.size()?;
        Ok(Self { n, range: Given(local.setting("k").unwrap_or(n)), role: Role::Asleep })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            ctx.rule("1a");
            self.begin_tournament(Phase::FIRST, ctx);
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, _: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, self.role) {
            (Token(y, l, hop, u), Role::Asleep | Role::Passive) => {
                ctx.rule("2a");
                self.role = Role::Passive; // a node that did not start in time does not join later
                ctx.send(Port::NEXT, Token(y, l, self.after(hop), u));
            }
            (Token(_, _, hop, unique), Role::Active { level, x }) if hop == self.n => {
                if unique {
                    ctx.rule("2b");
                    self.role = Role::Leader;
                    ctx.send(Port::NEXT, Announce(x));
                } else {
                    ctx.rule("2c");
                    self.begin_tournament(level.next(), ctx);
                }
            }
            (Token(y, l, hop, _), Role::Active { level, x }) if (l, y) == (level, x) => {
                ctx.rule("2d");
                ctx.send(Port::NEXT, Token(y, l, self.after(hop), false));
            }
            (Token(y, l, hop, u), Role::Active { level, x }) if l > level || (l == level && y < x) => {
                ctx.rule("2e");
                self.role = Role::Passive;
                ctx.send(Port::NEXT, Token(y, l, self.after(hop), u));
            }
            // It has lost, or all is decided.
            (Token(..), Role::Active { .. } | Role::Leader | Role::Follower) => ctx.rule("2f"),
            (Announce(_), Role::Leader) => ctx.rule("3a"), // everybody knows
            (Announce(x), Role::Asleep | Role::Active { .. } | Role::Passive | Role::Follower) => {
                ctx.rule("3b");
                self.role = Role::Follower;
                ctx.send(Port::NEXT, Announce(x));
            }
        }
    }

    status_and_role!(self.role);

    fn phase(&self) -> Option<Phase> {
        match self.role {
            Role::Asleep => Some(Phase(0)),
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
