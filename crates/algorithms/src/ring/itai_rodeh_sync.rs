//! # Itai-Rodeh in rounds
//!
//! ## Idea
//!
//! No ids, but the size n is known, and everybody starts in the same round. In each phase everybody draws a number, and
//! all draws travel round the ring until everybody has seen all n of them. Of the draws that occur exactly once the
//! largest wins; if there is none, all draw again. Everybody sees the same draws, and so knows the outcome at once.
//!
//! ## Rules
//!
//! ```text
//! 1  start:                     x := random 1..K; draws := [x]; send draw(x)
//! 2  on draw(y):                draws := draws + [y]
//!    a  fewer than n draws:     send draw(y)
//!    b  n draws, x is the largest that occurs once:
//!                               leader
//!    c  n draws, another is:    follower
//!    d  n draws, none is:       do as in 1, which begins the next round of draws
//!    e  decided already:        swallow
//! ```
//!
//! ## Remarks
//!
//! The paper has several algorithms for rounds; the simplest sends pebbles of one bit, at most 2.442n on average. This
//! one is ascribed to it by the case study `leader_sync` of the model checker PRISM, whose results it reproduces.
//!
//! A draw that has made n - 1 hops has been seen by all, so a phase costs n(n - 1) messages. It takes n rounds, in the
//! last of which the next one begins: P phases end in round P(n - 1) + 1. Phases are told by counting what arrives; the
//! number of a round means nothing.
//!
//! On average it takes K^n phases divided by the number of draws with a unique one. This is 4/3 for n = 3 and K = 2.
//! With K = n it is called E_n, and comes ever closer to one. With a fixed K it soon takes very long: 2048 phases for
//! n = 16 and K = 2. There is no bound that always holds.

use bellwether_core::prelude::*;

use self::Msg::Draw;

const INFO: Info = Info {
    name: "itai-rodeh-sync",
    aliases: &["leader_sync"],
    summary: "anonymous: all see all draws, and the largest unique one wins",
    paper: "A. Itai, M. Rodeh: Symmetry breaking in distributed networks. Information and Computation 88(1), 1990",
    source: include_str!("itai_rodeh_sync.rs"),
    topology: TopologyKind::OneWayRing,
    starts: Starts::All,
    knows: &[Knowledge::Size],
    links: LinkOrder::Any,
    randomised: true,
    winner: Winner::Random,
    informs: Informs::End,
    settings: &[Setting {
        name: "k",
        help: "draws are from 1..K; K = n unless set",
        values: Values::AtLeast(1),
        meaning: Meaning::Own,
    }],
    bounds: Bounds { best: Some(Formula { text: "n(n - 1)", of: |s| s.n * (s.n - 1.0) }), ..Bounds::NONE },
    phases: Some(Phases {
        name: "rounds",
        unbounded: true,
        race: Race { text: "all n", of: |s, _, _| s.n },
        messages: Formula { text: "n(n - 1)", of: |s| s.n * (s.n - 1.0) },
        most: None,
        mean: Some(Formula { text: "E_n", of: attempts }),
        ..Phases::HALVING
    }),
    admits: ends,
    example: "--topology ring:4 --set k=2",
    ..Info::ROUNDS
};

/// The mean number of phases, if all n nodes draw from 1..n. The draws without a unique one are n! times the
/// coefficient of x^n in (e^x - x)^n. Beyond a size that is quick to compute it is not told.
fn attempts(size: Size) -> f64 {
    const MOST: f64 = 64.0;
    if size.n > MOST {
        return f64::NAN;
    }
    let n = size.n as usize;
    // Every factor x^j / j! is scaled by j! / n^j of the whole, so that nothing overflows.
    let mut ways = vec![0.0; n + 1];
    ways[0] = 1.0;
    for _ in 0..n {
        let more = |total: usize| {
            let parts = (0..=total).filter(|j| *j != 1);
            parts.map(|j| choose(total, j) * power(1.0 / size.n, j) * ways[total - j]).sum::<f64>()
        };
        ways = (0..=n).map(more).collect();
    }
    1.0 / (1.0 - ways[n])
}

/// If all draw the same, no draw is unique but that of a single node.
fn ends(electorate: &Electorate) -> Result<(), Endless> {
    if electorate.settings.get("k") != Some(&1) || electorate.ids.len() == 1 {
        return Ok(());
    }
    Err(Endless::Busy("with k=1 everybody draws the same, so that no draw is ever unique; set k to 2 or more".into()))
}

/// A process of Itai and Rodeh in rounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ItaiRodehSync {
    n: u64,
    /// K: draws are from `1..=range`.
    range: Given<u64>,
    role: Role,
}

roles! {
    enum Role {
        Asleep = "asleep" => Undecided,
        /// Has seen these draws of the phase: its own, that of the node before it, and so on.
        Active(draws: Vec<u64>) = "active" => Undecided,
        Leader = "leader" => Leader,
        Follower = "follower" => Follower(None),
    }
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// Somebody has drawn this.
        Draw(draw: u64) = "draw",
    }
}

impl ItaiRodehSync {
    fn begin_phase(&mut self, ctx: &mut impl Context<Msg>) {
        ctx.rule("1");
        self.role = Role::Active(vec![]);
        ctx.enters_phase();
        let x = ctx.choose(self.range.0) + 1;
        self.see(x, ctx);
    }

    /// Its own draw, or one that arrives.
    fn see(&mut self, draw: u64, ctx: &mut impl Context<Msg>) {
        match &mut self.role {
            Role::Active(draws) => {
                draws.push(draw);
                if (draws.len() as u64) < self.n {
                    if draws.len() > 1 {
                        ctx.rule("2a");
                    }
                    return ctx.send(Port::NEXT, Draw(draw));
                }
                match largest_unique(draws) {
                    Some(winner) if winner == draws[0] => {
                        ctx.rule("2b");
                        self.role = Role::Leader;
                    }
                    Some(_) => {
                        ctx.rule("2c");
                        self.role = Role::Follower;
                    }
                    None => {
                        ctx.rule("2d");
                        self.begin_phase(ctx);
                    }
                }
            }
            // What arrives wakes it up, so it is not asleep.
            Role::Asleep | Role::Leader | Role::Follower => ctx.rule("2e"),
        }
    }
}

fn largest_unique(draws: &[u64]) -> Option<u64> {
    let mut draws = draws.to_vec();
    draws.sort_unstable();
    draws.chunk_by(|a, b| a == b).rev().find(|equal| equal.len() == 1).map(|equal| equal[0])
}

impl Rounds for ItaiRodehSync {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let n = local.size()?;
        Ok(Self { n, range: Given(local.setting("k").unwrap_or(n)), role: Role::Asleep })
    }

    fn round(&mut self, _: Round, inbox: impl Inbox<Msg>, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            self.begin_phase(ctx);
        }
        for (_, Draw(y)) in inbox {
            self.see(y, ctx);
        }
    }

    status_and_role!(self.role);
}
