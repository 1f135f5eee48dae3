//! # Variable speeds
//!
//! ## Idea
//!
//! Ids travel at different speeds: small ones fast, large ones so slowly that they are caught up before they have gone
//! far. A node that wakes up on its own takes part and sends its id; one that a message wakes up only relays. Up to the
//! next participant an id moves one hop a round (phase 1). From there on it is held 2^id - 1 rounds at every node
//! (phase 2). A node passes on only what is smaller than all it has passed on before, so only the smallest
//! participant's id comes home. All tokens together make fewer than 4n hops.
//!
//! ## Rules
//!
//! ```text
//! 1  the first round:
//!    a  nothing arrives:         participant; min := id; send phase1(id)
//!    b  something arrives:       relay; min := none, which is larger than every id
//! 2  on phase1(m):               of one round, the smallest id comes first
//!    a  participant, m < min:    min := m; hold m until round now + 2^m - 1
//!    b  participant, m = id:     leader; send announce(id)
//!    c  relay, m < min:          min := m; send phase1(m)
//!    d  otherwise:               swallow
//! 3  on phase2(m):
//!    a  m < min:                 min := m; hold m until round now + 2^m - 1
//!    b  participant, m = id:     leader; send announce(id)
//!    c  otherwise:               swallow
//! 4  on announce(m):
//!    a  leader:                  absorb; stop
//!    b  undecided:               follower of m; send announce(m); stop after this round
//!    c  it has stopped:          ignore
//! 5  a token m that is held is due:
//!                                send phase2(m)
//! ```
//!
//! ## Remarks
//!
//! The lecture's proof has four categories of messages. Lemma 1: at most n of phase 1. Lemma 2: a node d links behind
//! the first one awake has a token of phase 1 at most d rounds later, so all of these are sent within n rounds. Lemma
//! 3: at most n of phase 2 before the winner's id enters phase 2. Lemma 5: at most 2n of phase 2 from then on. Lemma 6:
//! n announcements. Lemma 4 is false: it says that no token is sent after the winner's id is home. Held tokens are
//! still sent until the announcement comes by. The bound of 5n holds all the same. A run tells what each lemma counts.
//!
//! A relay holds phase-2 messages too. The algorithm is sometimes told so that a relay passes *everything* on at once.
//! Then 64 nodes would send 433 > 5 · 64 messages. A lone participant's id is never held, however large. If two or more
//! take part and all their ids are 64 or more, a single hop would take 2^64 rounds. Such a run is refused.

use bellwether_core::prelude::*;

use self::Msg::{Announce, Phase1, Phase2};

const INFO: Info = Info {
    name: "variable-speeds",
    aliases: &["VariableSpeeds"],
    summary: "small ids run, large ids crawl: linear messages, exponential time",
    paper: "H. Attiya, J. Welch: Distributed Computing, section 3.4.1.2. Wiley, 2004; after G. Frederickson, N. Lynch: \
            Electing a leader in a synchronous ring. Journal of the ACM 34(1), 1987",
    source: include_str!("variable_speeds.rs"),
    topology: TopologyKind::OneWayRing,
    starts: Starts::AnyRound,
    knows: &[Knowledge::Id],
    links: LinkOrder::Any,
    winner: Winner::MinOfWakers,
    informs: Informs::Leader,
    bounds: Bounds {
        best: Some(Formula::N),
        worst: Some(Formula { text: "4n", of: |s| 4.0 * s.n }),
        announce: Formula::N,
        time: Some(Formula {
            text: "n + 1 + (n - 1)·2^min",
            of: |s| s.n + 1.0 + if s.k > 1.0 { (s.n - 1.0) * libm::exp2(s.min) } else { s.n - 1.0 },
        }),
        ..Bounds::NONE
    },
    admits: ends,
    example: "--topology ring:5 --ids 3,1,4,2,5 --wake 0@1 --wake 1@2 --wake 3@1",
    ..Info::ROUNDS
};

/// The ids below this one make a hop in fewer than 2^64 rounds.
const SLOWEST: u64 = 64;

fn ends(electorate: &Electorate) -> Result<(), Endless> {
    let mut wakers = 0;
    let mut fastest = u64::MAX;
    for node in electorate.wakers() {
        wakers += 1;
        fastest = fastest.min(electorate.ids[node as usize].0);
    }
    if wakers < 2 || fastest < SLOWEST {
        return Ok(());
    }
    Err(Endless::Waiting(format!(
        "the smallest id that takes part is {fastest}, so that one hop would take 2^{fastest} rounds; \
         give an initiator an id below {SLOWEST}, or let only one node start"
    )))
}

/// A process of the variable-speeds algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VariableSpeeds {
    id: Id,
    role: Role,
    /// The tokens in hand, each with the round in which it goes on.
    waiting: Vec<(Id, Round)>,
}

roles! {
    #[derive(Copy)]
    enum Role {
        Asleep = "asleep" => Undecided,
        /// Woke up on its own; `min` is the smallest id it has sent.
        Participant { min: Id } = "participant" => Undecided,
        /// Was woken up; `min` is the smallest id it has passed on.
        Relay { min: Option<Id> } = "relay" => Undecided,
        /// Its id has come home, its announcement has not.
        Winner = "winner" => Leader,
        /// Its announcement has come home too.
        Leader = "leader" => Leader,
        Follower(leader: Id) = "follower" => Follower(Some(*leader)),
    }
}

messages! {
    /// What travels clockwise.
    pub enum Msg {
        /// A fast token: it has not met a participant yet.
        Phase1(id: Id) = "phase1",
        /// A slow token.
        Phase2(id: Id) = "phase2",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl Msg {
    fn id(&self) -> Id {
        match *self {
            Phase1(id) | Phase2(id) | Announce(id) => id,
        }
    }
}

impl VariableSpeeds {
    fn hold(&mut self, token: Id, now: Round) {
        let due = if token.0 < SLOWEST { Round(now.0 + (1 << token.0) - 1) } else { Round::NEVER };
        self.waiting.push((token, due));
    }

    fn take(&mut self, msg: &Msg, now: Round, ctx: &mut impl Context<Msg>) {
        match (msg, &mut self.role) {
            (&(Phase1(m) | Phase2(m)), Role::Participant { min }) if m < *min => {
                ctx.rule(if let Phase1(_) = msg { "2a" } else { "3a" });
                *min = m;
                self.hold(m, now);
            }
            (&(Phase1(m) | Phase2(m)), Role::Participant { .. }) if m == self.id => {
                ctx.rule(if let Phase1(_) = msg { "2b" } else { "3b" });
                self.role = Role::Winner;
                ctx.send(Port::NEXT, Announce(m));
            }
            (&Phase1(m), Role::Relay { min }) if min.is_none_or(|min| m < min) => {
                ctx.rule("2c");
                *min = Some(m);
                ctx.send(Port::NEXT, Phase1(m));
            }
            (&Phase2(m), Role::Relay { min }) if min.is_none_or(|min| m < min) => {
                ctx.rule("3a");
                *min = Some(m);
                self.hold(m, now);
            }
            // A smaller one has passed, or all is decided.
            (Phase1(_), _) => ctx.rule("2d"),
            (Phase2(_), _) => ctx.rule("3c"),
            (&Announce(m), Role::Participant { .. } | Role::Relay { .. }) => {
                ctx.rule("4b");
                self.role = Role::Follower(m);
                ctx.send(Port::NEXT, Announce(m));
            }
            (Announce(_), Role::Winner) => {
                ctx.rule("4a");
                self.role = Role::Leader;
            }
            (Announce(_), Role::Leader | Role::Follower(_)) => ctx.rule("4c"), // it has stopped
            (_, Role::Asleep) => unreachable!("a message wakes its receiver up"),
        }
    }
}

impl Rounds for VariableSpeeds {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, role: Role::Asleep, waiting: Vec::new() })
    }

    fn round(&mut self, now: Round, inbox: impl Inbox<Msg>, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Asleep {
            if inbox.is_empty() {
                ctx.rule("1a");
                self.role = Role::Participant { min: self.id };
                ctx.send(Port::NEXT, Phase1(self.id));
            } else {
                ctx.rule("1b");
                self.role = Role::Relay { min: None };
            }
        }
        let mut received: Vec<Msg> = inbox.map(|(_, msg)| msg).collect();
        received.sort_by_key(Msg::id);
        for msg in received {
            self.take(&msg, now, ctx);
        }
        self.waiting.retain(|&(token, due)| {
            let stays = due > now;
            if !stays {
                ctx.rule("5");
                ctx.send(Port::NEXT, Phase2(token));
            }
            stays
        });
        if let Role::Leader | Role::Follower(_) = self.role {
            self.waiting.clear(); // it has stopped
        }
    }

    fn due(&self, _: Round) -> Option<Round> {
        self.waiting.iter().map(|&(_, due)| due).min()
    }

    status_and_role!(self.role);

    const LEMMAS: &'static [Lemma<Msg>] = &[
        Lemma {
            name: "Lemma 1",
            what: "tokens of phase 1",
            claim: Formula::N,
            says: Claim::AtMost,
            count: |sent| tokens(sent, |_, msg| matches!(msg, Phase1(_))),
        },
        Lemma {
            name: "Lemma 2",
            what: "rounds from the first token of phase 1 to the last",
            claim: Formula { text: "n - 1", of: |s| s.n - 1.0 },
            says: Claim::AtMost,
            count: |sent| span(sent, |msg| matches!(msg, Phase1(_))),
        },
        Lemma {
            name: "Lemma 3",
            what: "tokens of phase 2, before the winner's is one",
            claim: Formula::N,
            says: Claim::AtMost,
            count: |sent| tokens(sent, |round, msg| matches!(msg, Phase2(_)) && round < slow_since(sent)),
        },
        Lemma {
            name: "Lemma 4",
            what: "tokens sent after the winner's id is home",
            claim: Formula::ZERO,
            says: Claim::Falsely,
            count: |sent| tokens(sent, |round, msg| !matches!(msg, Announce(_)) && round > home_since(sent)),
        },
        Lemma {
            name: "Lemma 5",
            what: "tokens of phase 2 from then on",
            claim: Formula { text: "2n", of: |s| 2.0 * s.n },
            says: Claim::AtMost,
            count: |sent| tokens(sent, |round, msg| matches!(msg, Phase2(_)) && round >= slow_since(sent)),
        },
        Lemma {
            name: "Lemma 6",
            what: "announcements",
            claim: Formula::N,
            says: Claim::Exactly,
            count: |sent| tokens(sent, |_, msg| matches!(msg, Announce(_))),
        },
    ];
}

fn tokens(sent: &[(Round, Msg)], wanted: impl Fn(Round, &Msg) -> bool) -> usize {
    sent.iter().filter(|(round, msg)| wanted(*round, msg)).count()
}

/// The rounds from the first of these messages to the last.
fn span(sent: &[(Round, Msg)], wanted: impl Fn(&Msg) -> bool) -> usize {
    let mut rounds = sent.iter().filter(|(_, msg)| wanted(msg)).map(|(round, _)| round.0);
    rounds.next().map_or(0, |first| (rounds.next_back().unwrap_or(first) - first) as usize)
}

/// The round in which the winner's id is home.
fn home_since(sent: &[(Round, Msg)]) -> Round {
    sent.iter().find(|(_, msg)| matches!(msg, Announce(_))).map_or(Round::NEVER, |(round, _)| *round)
}

/// The round in which the winner's id enters phase 2: it is then held before it is sent.
fn slow_since(sent: &[(Round, Msg)]) -> Round {
    let winner = sent.iter().find_map(|(_, msg)| if let Announce(id) = msg { Some(*id) } else { None });
    let first = sent.iter().find(|(_, msg)| matches!(msg, Phase2(id) if Some(*id) == winner));
    first.map_or(Round::NEVER, |(round, msg)| Round(round.0 + 1 - (1 << msg.id().0)))
}
