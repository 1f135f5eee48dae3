//! # Random candidacy
//!
//! ## Idea
//!
//! No ids at all, but rounds, and everybody hears everybody. In each phase those who are still in the race toss a coin
//! and broadcast it. If exactly one of them tossed a 1, it leads, and everybody knows behind which port it is. If there
//! were several, those who tossed a 0 drop out; if there was none, the phase decided nothing.
//!
//! ## Rules
//!
//! ```text
//! 1  each round, by what was tossed in the round before:
//!    a  asleep:                                      toss
//!    b  active, and it alone has a 1:                leader
//!    c  inactive or with a 0, and one other has a 1: follower of that one
//!    d  active with a 0, and several have a 1:       inactive, but it goes on listening
//!    e  inactive, and nobody tossed:                 active again; toss
//!    f  active otherwise:                            toss again
//!    g  inactive otherwise:                          go on listening
//!    h  leader or follower:                          ignore
//! 2  toss:                                           bid := random 0..1; send bid(bid) to everybody
//! 3  a peer is reported dead:                        what it has tossed no longer counts
//!    a  it led:                                      active again; toss
//!    b  otherwise:                                   only remember it
//! ```
//!
//! ## Remarks
//!
//! A phase is bid in one round and heard in the next, in which the following phase is bid already: P phases end in
//! round P + 1. A phase of a active nodes costs a(n - 1) messages. On average 2n bids are made, whatever n, so
//! 2n(n - 1) messages; but there is no bound that always holds. The mean number of phases from a active nodes is
//! E_a = 1 + Σ p_j E_j, where p_j is the probability that j of them go on. If all or none toss a 1, all a go on.
//!
//! Two rules serve crashes, besides that a bid no longer counts once its sender is known to be down. If all active
//! nodes die, nobody speaks in a round, which the others can hear. The leader may die, even in the round in which it is
//! elected. Then the others go on, because all hear of it in the same round. A node may die between two rounds; dying
//! in the midst of a broadcast needs a broadcast that reaches all or nobody.

use std::collections::BTreeSet;

use bellwether_core::prelude::*;

use self::Msg::Bid;

const INFO: Info = Info {
    name: "random-candidacy",
    summary: "anonymous: coins are tossed until exactly one shows a 1",
    paper: "Compare H. Prodinger: How to select a loser. Discrete Mathematics 120, 1993",
    source: include_str!("random_candidacy.rs"),
    topology: TopologyKind::Complete,
    starts: Starts::All,
    knows: &[],
    links: LinkOrder::Any,
    randomised: true,
    survives_crashes: true,
    winner: Winner::Random,
    informs: Informs::End,
    bounds: Bounds {
        best: Some(Formula { text: "n(n - 1)", of: |s| s.n * (s.n - 1.0) }),
        mean: Some(Formula { text: "2n(n - 1)", of: |s| 2.0 * s.n * (s.n - 1.0) }),
        ..Bounds::NONE
    },
    phases: Some(Phases {
        unbounded: true,
        race: Race::NO_MORE,
        messages: Formula { text: "n(n - 1)", of: |s| s.n * (s.n - 1.0) },
        most: None,
        mean: Some(Formula { text: "E_n", of: tosses }),
        ..Phases::HALVING
    }),
    example: "--topology complete:5",
    ..Info::ROUNDS
};

/// The mean number of phases. Of `a` active nodes, j toss a 1 with probability C(a, j) / 2^a. Beyond a size that is
/// quick to compute it is not told.
fn tosses(size: Size) -> f64 {
    const MOST: f64 = 512.0;
    if size.n > MOST {
        return f64::NAN;
    }
    let n = size.n as usize;
    let mut mean = vec![0.0; n + 1];
    for a in 1..=n {
        let ones = |j: usize| choose(a, j) * power(0.5, a);
        let undecided = if a > 1 { ones(0) + ones(a) } else { ones(0) };
        let further = (2..a).map(|j| ones(j) * mean[j]).sum::<f64>();
        mean[a] = (1.0 + further) / (1.0 - undecided);
    }
    mean[n]
}

/// A process that tosses coins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RandomCandidacy {
    /// Who was reported down: what they bid no longer counts.
    down: BTreeSet<Port>,
    role: Role,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Asleep = "asleep" => Undecided,
        /// Has bid this in the last round.
        Active { bid: bool } = "active" => Undecided,
        Inactive = "inactive" => Undecided,
        Leader = "leader" => Leader,
        /// The leader is behind this port.
        Follower(port: Port) = "follower" => Follower(None),
    }
}

messages! {
    /// What is broadcast.
    pub enum Msg {
        /// A coin has been tossed.
        Bid(bid: bool) = "bid",
    }
}

impl RandomCandidacy {
    /// Rule 2.
    fn bid(&mut self, ctx: &mut impl Context<Msg>) {
        ctx.rule("2");
        ctx.enters_phase();
        let bid = ctx.choose(2) == 1;
        self.role = Role::Active { bid };
        ctx.send_all(Bid(bid));
    }

    /// Rule 1. Its case for these bids of the others, and the role that follows.
    fn after(&self, inbox: impl Inbox<Msg>) -> (&'static str, Role) {
        let mut heard = inbox.filter(|(port, _)| !self.down.contains(port)).peekable();
        let silent = heard.peek().is_none();
        let mut candidates = heard.filter(|(_, Bid(bid))| *bid).map(|(port, _)| port);
        match (self.role, candidates.next(), candidates.next()) {
            (role @ Role::Asleep, ..) => ("1a", role),
            (Role::Active { bid: true }, None, _) => ("1b", Role::Leader),
            (Role::Active { bid: false } | Role::Inactive, Some(only), None) => ("1c", Role::Follower(only)),
            (Role::Active { bid: false }, Some(_), Some(_)) => ("1d", Role::Inactive),
            (Role::Inactive, None, _) if silent => ("1e", Role::Active { bid: false }), // all the active are dead
            (role @ Role::Active { .. }, ..) => ("1f", role),                           // nothing is decided
            (role @ Role::Inactive, ..) => ("1g", role),                                // nothing is decided
            (role @ (Role::Leader | Role::Follower(_)), ..) => ("1h", role),            // all is
        }
    }
}

impl Rounds for RandomCandidacy {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;

    fn new(_: &Local) -> Result<Self, Unmet> {
        Ok(Self { down: BTreeSet::new(), role: Role::Asleep })
    }

    fn round(&mut self, _: Round, inbox: impl Inbox<Msg>, ctx: &mut impl Context<Msg>) {
        let (case, role) = self.after(inbox);
        ctx.rule(case);
        self.role = role;
        match self.role {
            Role::Asleep | Role::Active { .. } => self.bid(ctx),
            Role::Inactive => ctx.watches_phase(),
            Role::Leader | Role::Follower(_) => {} // all is decided
        }
    }

    fn peer_down(&mut self, _: Round, dead: Port, ctx: &mut impl Context<Msg>) {
        self.down.insert(dead);
        if self.role == Role::Follower(dead) {
            ctx.rule("3a");
            self.bid(ctx);
        } else {
            ctx.rule("3b");
        }
    }

    fn due(&self, now: Round) -> Option<Round> {
        match self.role {
            Role::Asleep | Role::Active { .. } | Role::Inactive => Some(now.next()),
            Role::Leader | Role::Follower(_) => None,
        }
    }

    status_and_role!(self.role);
}
