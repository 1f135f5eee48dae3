//! # Hirschberg-Sinclair
//!
//! ## Idea
//!
//! A candidate first asks whether it is the largest among its neighbours, then among twice as many, and so on. In phase
//! i it sends a probe 2^i hops each way; a larger candidate swallows it, the node at the end of the way answers.
//! With both answers home the candidate goes on to phase i + 1. Survivors of a phase are far apart, so a phase costs
//! O(n) messages, and the one whose probe goes right round leads.
//!
//! ## Rules
//!
//! ```text
//! 1  start:
//!    a  has met nobody:                     candidate; phase := 0; replies := 0; send probe(id, 1) both ways
//!    b  otherwise:                          ignore
//! 2  on probe(j, ttl):
//!    a  j = id, candidate:                  leader; send announce(id)
//!    b  j > id or bystander, ttl > 1:       beaten if candidate; send probe(j, ttl - 1) on
//!    c  j > id or bystander, ttl = 1:       beaten if candidate; send reply(j) back
//!    d  otherwise:                          swallow
//! 3  on reply(j):
//!    a  j = id, candidate, replies = 0:     replies := 1
//!    b  j = id, candidate, replies = 1:     phase += 1; replies := 0; send probe(id, 2^phase) both ways
//!    c  j = id, otherwise:                  ignore: it is too late
//!    d  j ≠ id:                             send reply(j) on
//! 4  on announce(j):
//!    a  j = id:                             absorb
//!    b  otherwise:                          follower of j; send announce(j) on
//! ```
//!
//! ## Remarks
//!
//! A bystander has not started and never swallows, however large its id: it could not win. A loser is not told; it
//! just never gets both its replies. Both probes of the winner come round: it declares itself once.

use bellwether_core::prelude::*;

use self::Msg::{Announce, Probe, Reply};

const INFO: Info = Info {
    name: "hirschberg-sinclair",
    aliases: &["HS"],
    summary: "probes of doubling reach, on a two-way ring",
    paper: "D. S. Hirschberg, J. B. Sinclair: Decentralized extrema-finding in circular configurations of processors. \
            Communications of the ACM 23(11), 1980",
    source: include_str!("hirschberg_sinclair.rs"),
    topology: TopologyKind::TwoWayRing,
    starts: Starts::Any,
    knows: &[Knowledge::Id],
    links: LinkOrder::Any,
    winner: Winner::MaxOfInitiators,
    informs: Informs::Leader,
    bounds: Bounds {
        needed: Some(LowerBound::TWO_WAY),
        worst: Some(Formula {
            text: "6n + Σ 4·2ⁱ ⌊n/(2ⁱ⁻¹ + 1)⌋ over 0 < i < ⌈lg n⌉, or 2 if n = 1", of: worst
        }),
        announce: Formula::N,
        time: Some(Formula {
            text: "2·2^⌈lg n⌉ + 2n - 3", of: |s| 2.0 * libm::exp2(ceil_lg(s.n)) + 2.0 * s.n - 3.0
        }),
        ..Bounds::NONE
    },
    phases: Some(Phases {
        first: 0,
        race: Race {
            text: "⌊n/(2^(i-1) + 1)⌋ from phase 1 on",
            of: |s, _, i| (s.n / (libm::exp2((i - 1).into()) + 1.0)).floor(),
        },
        messages: Formula { text: "8n", of: |s| 8.0 * s.n },
        most: Some(Formula { text: "⌈lg n⌉ + 1", of: |s| ceil_lg(s.n) + 1.0 }),
        ..Phases::HALVING
    }),
    example: "--topology ring:8",
    ..Info::EVENTS
};

/// Phase 0 costs 4 messages a node. A candidate of phase i has beaten all within 2^(i-1) hops, so there are at most
/// ⌊n/(2^(i-1) + 1)⌋ of them, at 4·2^i messages each. In the last phase only the winner's probes go round. A ring of
/// one has only this phase.
fn worst(size: Size) -> f64 {
    let last = ceil_lg(size.n) as i32;
    let between = |i: i32| 4.0 * libm::exp2(i.into()) * (size.n / (libm::exp2((i - 1).into()) + 1.0)).floor();
    let first = if last > 0 { 4.0 * size.n } else { 0.0 };
    first + (1..last).map(between).sum::<f64>() + 2.0 * size.n
}

/// A process of Hirschberg and Sinclair.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HirschbergSinclair {
    id: Id,
    role: Role,
    known: Option<Id>,
}

roles! {
    #[derive(Copy)]
    enum Role {
        /// Has not started.
        Bystander = "bystander",
        Candidate { phase: u32, replies: u32 } = "candidate",
        /// Started, and has met a larger id.
        Beaten = "beaten",
        Leader = "leader",
    }
}

messages! {
    /// What travels both ways.
    pub enum Msg {
        /// Is there a larger id within `ttl` hops?
        Probe(id: Id, ttl: u64) = "probe",
        /// No, there is not.
        Reply(id: Id) = "reply",
        /// The node with this id has won.
        Announce(id: Id) = announce "announce",
    }
}

impl HirschbergSinclair {
    fn begin_phase(&mut self, phase: u32, ctx: &mut impl Context<Msg>) {
        self.role = Role::Candidate { phase, replies: 0 };
        ctx.enters_phase();
        // Only links that repeat messages lead to more phases than bits.
        ctx.send_all(Probe(self.id, 1u64.checked_shl(phase).unwrap_or(u64::MAX)));
    }
}

impl Process for HirschbergSinclair {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = NoTimer;
    type Disk = ();

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, role: Role::Bystander, known: None })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg>) {
        if self.role == Role::Bystander && self.known.is_none() {
            ctx.rule("1a");
            self.begin_phase(0, ctx);
        } else {
            ctx.rule("1b");
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg>) {
        match (msg, self.role) {
            (Probe(j, _), Role::Candidate { .. }) if j == self.id => {
                ctx.rule("2a");
                self.role = Role::Leader;
                ctx.send(Port::NEXT, Announce(self.id));
            }
            (Probe(j, ttl), role) if j > self.id || role == Role::Bystander => {
                if let Role::Candidate { .. } = role {
                    self.role = Role::Beaten;
                }
                if ttl > 1 {
                    ctx.rule("2b");
                    ctx.send(from.onward(), Probe(j, ttl - 1));
                } else {
                    ctx.rule("2c");
                    ctx.send(from, Reply(j));
                }
            }
            (Probe(..), _) => ctx.rule("2d"), // too small, or the leader's second probe
            (Reply(j), Role::Candidate { phase, replies: 1 }) if j == self.id => {
                ctx.rule("3b");
                self.begin_phase(phase + 1, ctx);
            }
            (Reply(j), Role::Candidate { phase, .. }) if j == self.id => {
                ctx.rule("3a");
                self.role = Role::Candidate { phase, replies: 1 };
            }
            (Reply(j), _) if j == self.id => ctx.rule("3c"), // it is beaten
            (Reply(j), _) => {
                ctx.rule("3d");
                ctx.send(from.onward(), Reply(j));
            }
            (Announce(j), _) if j == self.id => ctx.rule("4a"), // everybody knows
            (Announce(j), _) => {
                ctx.rule("4b");
                self.known = Some(j);
                ctx.send(from.onward(), Announce(j));
            }
        }
    }

    fn ignores(&self, _from: Port, msg: &Msg) -> bool {
        match (msg, self.role) {
            (Probe(j, _), Role::Candidate { .. } | Role::Beaten) => *j < self.id,
            (Probe(j, _), Role::Leader) => *j <= self.id,
            (Reply(j), Role::Beaten | Role::Leader) => *j == self.id,
            (Announce(j), _) => *j == self.id,
            (Probe(..), Role::Bystander) | (Reply(_), Role::Bystander | Role::Candidate { .. }) => false,
        }
    }

    fn status(&self) -> Status {
        match (self.role, self.known) {
            (Role::Leader, _) => Status::Leader,
            (_, Some(leader)) => Status::Follower(Some(leader)),
            (_, None) => Status::Undecided,
        }
    }

    fn role(&self) -> &'static str {
        self.role.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether_core::{Outbox, Settings, Span};

    /// Links that repeat messages may deliver any number of replies.
    #[test]
    fn any_number_of_replies_is_survived() {
        let settings = Settings::new();
        let truth = bellwether_core::Truth {
            ports: 2,
            id: Id(7),
            size: 3,
            diameter: 1,
            neighbours: &[],
            max_delay: Span::UNIT,
        };
        let mut process = HirschbergSinclair::new(&Local::granted(&INFO, &truth, &settings)).unwrap();
        let mut outbox = Outbox::new(2, |_| unreachable!("it draws nothing"));
        process.start(&mut outbox);
        for _ in 0..300 {
            process.receive(Port::NEXT, Reply(Id(7)), &mut outbox);
        }
        assert_eq!(process.role, Role::Candidate { phase: 150, replies: 0 });
    }
}
