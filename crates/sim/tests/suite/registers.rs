//! A broadcast in a register has the same effect as mail to all neighbours. The test algorithm mixes both, and its
//! state depends on the order of all that it hears. It ends the same way on the engine without registers.

use bellwether_core::{
    Context, Id, Inbox, Info, Informs, Knowledge, Local, Port, Round, Rounds, Status, Unmet, Winner, messages,
};
use bellwether_net::{Topology, Wiring};
use bellwether_sim::rounds;
use bellwether_world::Scenario;
use bellwether_world::host::{Algorithm, Count, Watcher, Wishes};
use bellwether_world::ids::Ids;

const ROUNDS: u128 = 20;

const INFO: Info = Info {
    name: "chatter",
    knows: &[Knowledge::Id],
    winner: Winner::MaxOfAll,
    informs: Informs::Leader,
    ..Info::ROUNDS
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Chatter {
    id: Id,
    heard: u64,
    next: Round,
}

messages! {
    /// What is said.
    pub enum Said {
        /// To everybody.
        Loudly(heard: u64) = "loudly",
        /// To one.
        Softly(heard: u64) = "softly",
    }
}

/// All nodes broadcast in some rounds; in others, fewer and fewer do. So registers are switched on and off.
fn is_loud(round: Round) -> bool {
    round.0 % 7 < 3
}

impl Rounds for Chatter {
    const INFO: &'static Info = &INFO;
    type Msg = Said;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, heard: local.id()?.0, next: Round::FIRST })
    }

    fn round(&mut self, round: Round, inbox: impl Inbox<Said>, ctx: &mut impl Context<Said>) {
        for (port, Said::Loudly(heard) | Said::Softly(heard)) in inbox {
            self.heard = self.heard.wrapping_mul(31).wrapping_add(heard ^ u64::from(port.0)) % 1_000_003;
        }
        self.next = round.next();
        if round.0 > ROUNDS {
            return;
        }
        match if is_loud(round) { 0 } else { (u128::from(self.id.0) + round.0) % (1 + round.0) } {
            0 => ctx.send_all(Said::Loudly(self.heard)),
            1 => {
                ctx.send_all(Said::Loudly(self.heard));
                ctx.send(Port(0), Said::Softly(self.heard));
            }
            2 => {
                ctx.send(Port(0), Said::Softly(self.heard));
                ctx.send_all(Said::Loudly(self.heard));
            }
            3 => ctx.send(Port(ctx.ports() - 1), Said::Softly(self.heard)),
            _ => {}
        }
    }

    fn due(&self, now: Round) -> Option<Round> {
        let acts = |round: &Round| is_loud(*round) || (round.0 + u128::from(self.heard)).is_multiple_of(3);
        (now.0 + 1..=ROUNDS).map(Round).find(acts)
    }

    fn status(&self) -> Status {
        if self.next.0 <= ROUNDS { Status::Undecided } else { Status::Follower(Some(Id(self.heard))) }
    }
}

fn wishes(watch: &mut Watcher) -> Wishes<'_> {
    Wishes { count: Count::InFlight, full: true, ..Wishes::none(watch) }
}

fn scenario(network: &str, seed: u64) -> Scenario {
    let network = network.parse::<Topology>().unwrap().build(1).unwrap();
    let ids = Ids::Random.assign(network.nodes(), seed).unwrap();
    Scenario::new(&INFO, network, ids)
}

fn assert_nobody_can_tell(scenario: &Scenario, which: &str) {
    let fast = rounds::play_fast::<Chatter>(scenario, wishes(&mut Watcher)).unwrap();
    let general = bellwether_sim::play(Algorithm::in_rounds::<Chatter>(), scenario, wishes(&mut Watcher)).unwrap();
    assert!(fast == general, "{which}");
}

#[test]
fn a_register_is_as_good_as_mail() {
    for network in ["ring:1", "ring:2", "ring:7", "path:1", "grid:3x4", "grid:5x30", "complete:6", "star:5"] {
        for seed in 1..=20 {
            assert_nobody_can_tell(&scenario(network, seed), &format!("{network}, seed {seed}"));
        }
    }
}

/// The limit stops both engines after the same step.
#[test]
fn a_limit_strikes_at_the_same_step() {
    for limit in 0..150 {
        let scenario = Scenario { limit, ..scenario("grid:3x4", 1) };
        assert_nobody_can_tell(&scenario, &format!("limit {limit}"));
    }
}
