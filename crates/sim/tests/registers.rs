//! What is told to all neighbours may stand in a register instead of their mail, and nobody can tell: an algorithm that
//! mixes both and whose state depends on the order of everything it hears ends alike on the engine that has no registers. So
//! does one that repeats itself most of the time, where those who hear nothing new take no step.

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use bellwether_core::{
    Bounds, Context, Formula, Id, Inbox, Info, Informs, Knowledge, LinkOrder, Local, Model, Port, Round, Rounds,
    Starts, Status, TopologyKind, Unmet, Winner, messages,
};
use bellwether_sim::rounds;
use bellwether_world::host::{Count, Error, Watcher, Wishes};
use bellwether_world::ids::Ids;
use bellwether_world::{Report, Scenario, Topology, Wiring};

const ROUNDS: u128 = 12;
const NONE: Formula = Formula { text: "0", of: |_| 0.0 };

const INFO: Info = Info {
    name: "chatter",
    aliases: &[],
    summary: "",
    paper: "",
    source: "",
    model: Model::Synchronous,
    topology: TopologyKind::Connected,
    starts: Starts::All,
    knows: &[Knowledge::Id],
    links: LinkOrder::Any,
    randomised: false,
    survives_crashes: false,
    repeatable: false,
    in_turn: false,
    winner: Winner::MaxOfAll,
    informs: Informs::Leader,
    settings: &[],
    bounds: Bounds { best: None, mean: None, worst: None, announce: NONE, time: None },
    admits: |_| Ok(()),
    example: "",
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
        // Everybody aloud for some rounds, then fewer and fewer, so that registers are taken up and given up.
        let everybody = round.0 % 7 < 3;
        match if everybody { 0 } else { (u128::from(self.id.0) + round.0) % (1 + round.0) } {
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
        (now.0 < ROUNDS).then(|| now.next())
    }

    fn status(&self) -> Status {
        if self.next.0 <= ROUNDS { Status::Undecided } else { Status::Follower(Some(Id(self.heard))) }
    }
}

/// Tells the same again and again, and something else only now and then: by itself after some rounds without, or because of
/// something new that it has heard; what that is depends on all that it hears, in order. Then it may also become impatient and,
/// once in `ODD` times, be silent or say something softly.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Rumour<const ODD: u64> {
    id: Id,
    /// What it heard last.
    view: u64,
    word: u64,
    /// After this round it may have something to say by itself.
    patience: Round,
    ended: bool,
}

const LONG: u128 = 90;

/// The steps that these have taken.
static STEPS: AtomicU64 = AtomicU64::new(0);

impl<const ODD: u64> Rounds for Rumour<ODD> {
    const INFO: &'static Info = &Info { name: "rumour", ..INFO };
    type Msg = Said;

    fn new(local: &Local) -> Result<Self, Unmet> {
        let id = local.id()?;
        Ok(Self { id, view: 0, word: id.0, patience: Round(3), ended: false })
    }

    fn round(&mut self, round: Round, inbox: impl Inbox<Said>, ctx: &mut impl Context<Said>) {
        let fold = |view: u64, (port, Said::Loudly(word) | Said::Softly(word)): (Port, Said)| {
            view.wrapping_mul(31).wrapping_add(word ^ u64::from(port.0)) % 1_000_003
        };
        STEPS.fetch_add(1, Relaxed);
        let view = inbox.fold(0, fold);
        let mut chance = view.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        if round > self.patience {
            let waits = if self.id.0.is_multiple_of(5) { 11 } else { 40 };
            self.patience = Round(round.0 + waits);
            chance = 0;
        } else if view == self.view {
            chance = 1;
        }
        self.view = view;
        self.ended = round.0 >= LONG;
        if self.ended {
            return;
        }
        if chance.is_multiple_of(5) {
            self.word = view % 1_000;
        }
        if chance % 7 == 3 {
            self.patience = self.patience.min(Round(round.0 + 2));
        }
        match chance % ODD {
            17 => {}
            18 => ctx.send(Port(0), Said::Softly(self.word)),
            19 => {
                ctx.send_all(Said::Loudly(self.word));
                ctx.send(Port(0), Said::Softly(self.word));
            }
            _ => ctx.send_all(Said::Loudly(self.word)),
        }
    }

    fn due(&self, now: Round) -> Option<Round> {
        (!self.ended).then(|| now.next())
    }

    fn repeats_until(&self) -> Round {
        self.patience.min(Round(LONG - 1))
    }

    fn status(&self) -> Status {
        if self.ended { Status::Follower(Some(Id(self.word))) } else { Status::Undecided }
    }
}

type Play = fn(&Scenario, Wishes<'_>) -> Result<Report, Error>;

fn wishes(watch: &mut Watcher) -> Wishes<'_> {
    Wishes { count: Count::InFlight, full: true, ..Wishes::none(watch) }
}

fn scenario<R: Rounds>(network: &str, seed: u64) -> Scenario {
    let network = network.parse::<Topology>().unwrap().build(1).unwrap();
    let ids = Ids::Random.assign(network.nodes(), seed).unwrap();
    Scenario::new(R::INFO, network, ids)
}

fn assert_nobody_can_tell<R: Rounds>(networks: &[&str], seeds: u64, threads: RangeInclusive<usize>) {
    for (network, seed) in networks.iter().flat_map(|network| (1..=seeds).map(move |seed| (network, seed))) {
        let scenario = scenario::<R>(network, seed);
        let recorded = rounds::record::<R>(&scenario, wishes(&mut Watcher)).unwrap();
        for (threads, promises) in threads.clone().flat_map(|threads| [(threads, true), (threads, false)]) {
            let mut watcher = Watcher;
            let several = Wishes { threads, promises, ..wishes(&mut watcher) };
            let report = rounds::play::<R>(&scenario, several).unwrap();
            assert!(report == recorded, "{network}, seed {seed}, on {threads} threads, promises: {promises}");
        }
    }
}

#[test]
fn a_register_is_as_good_as_a_letter() {
    assert_nobody_can_tell::<Chatter>(
        &["ring:1", "ring:2", "ring:7", "grid:3x4", "grid:5x30", "complete:6", "star:5"],
        20,
        1..=1,
    );
}

#[test]
fn nobody_can_tell_how_many_threads_there_were() {
    assert_nobody_can_tell::<Chatter>(&["ring:70000", "grid:250x201", "star:40000"], 1, 1..=4);
}

#[test]
fn nobody_can_tell_who_took_no_step_because_it_heard_nothing_new() {
    assert_nobody_can_tell::<Rumour<400>>(
        &["ring:1", "ring:2", "ring:63", "grid:8x8", "grid:5x40", "torus:3x33", "ws:90:6:0", "ws:90:4:0.02", "star:65"],
        50,
        1..=1,
    );
    let scenario = scenario::<Rumour<400_000>>("grid:40x40", 1);
    let play: Play = rounds::play::<Rumour<400_000>>;
    let steps = [(play, true), (play, false), (rounds::record::<Rumour<400_000>>, true)].map(|(play, promises)| {
        let before = STEPS.load(Relaxed);
        let mut watcher = Watcher;
        play(&scenario, Wishes { promises, ..wishes(&mut watcher) }).unwrap();
        STEPS.load(Relaxed) - before
    });
    assert!(steps[0] < steps[1], "nobody was left out: {steps:?}");
    assert_eq!(steps[1], steps[2], "somebody was left out who should not have been");
    assert_nobody_can_tell::<Rumour<400_000>>(&["grid:250x201", "grid:70x700", "ring:70000"], 1, 1..=4);
}
