//! Algorithms that never end, on toys whose answers are known by hand: disks, restarts, ordered timers, tokens, and
//! leaders that can still come.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use bellwether_algorithms::lease::Lease;
use bellwether_check::automaton::{Cause, StepOutcome};
use bellwether_check::ledger::{Ledger, Stop};
use bellwether_check::{Automaton, Conclusion, Plan, check};
use bellwether_core::{
    Context, Id, Info, LinkOrder, Local, Phase, Port, Process, Span, Starts, Status, TopologyKind, Unmet, messages,
    timers,
};
use bellwether_net::Topology;
use bellwether_world::host::Algorithm;
use bellwether_world::{Drift, Freedom, Property, Scenario};

use self::Property::{CanLead, FreshToken, OneLeader, TokensGrow};

const INFO: Info = Info {
    name: "toy",
    topology: TopologyKind::Complete,
    links: LinkOrder::Any,
    starts: Starts::All,
    knows: &[bellwether_core::Knowledge::Id],
    survives_crashes: true,
    perpetual: true,
    ..Info::EVENTS
};

messages! {
    /// What travels between the two nodes.
    pub enum Msg {
        /// The first node leads; or: give me a number.
        Ask() = "ask",
        /// A number.
        Give(number: u64) = "give",
    }
}

timers! {
    /// What they wait for.
    pub enum Timer {
        /// The end of a leadership.
        Stop = "stop",
        /// The beginning of one.
        Begin = "begin",
        /// The disk is written.
        Write = "write",
        /// Ask once more.
        Again = "again",
        /// Somebody outside wants a leader.
        Wish = wish "wish",
    }
}

fn search<P: Process>(settings: &[(&str, u64)], freedom: Freedom, threads: usize) -> Conclusion {
    let network = "complete:2".parse::<Topology>().unwrap().build(1).unwrap();
    let mut scenario = Scenario::new(P::INFO, network, vec![Id(1), Id(2)]);
    scenario.settings.extend(settings.iter().map(|(name, value)| ((*name).into(), *value)));
    let freedom = Freedom { starts_first: true, ..freedom };
    let plan = Plan { freedom, reduction: false, symmetry: false, fingerprints: false };
    check([scenario].into_iter(), Algorithm::process::<P>(), plan, &Ledger::new(1 << 30), threads).unwrap()
}

/// What is broken, and by how many moves at least.
fn broken<P: Process>(settings: &[(&str, u64)], freedom: Freedom) -> Vec<(Property, usize)> {
    let conclusion = search::<P>(settings, freedom, 1);
    assert!(conclusion.stopped.is_none());
    let moves = |story: &bellwether_check::Story| {
        let moves = story.events.iter().map(|event| event.t).collect::<std::collections::BTreeSet<_>>();
        moves.len()
    };
    conclusion.broken.iter().map(|broken| (broken.property, moves(&broken.story))).collect()
}

/// Messages are lost, repeated and overtaken; timers go off in the order of clocks that differ by 1 %.
const HARSH: Freedom = Freedom { unreliable: true, drift: Some(Drift(10_000)), phases: 3, ..Freedom::NONE };

/// The first node leads for a while. When the second one hears of it, it waits a little longer, and then leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Watch {
    id: Id,
    stop: Span,
    begin: Span,
    leads: bool,
}

impl Process for Watch {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = Timer;
    type Disk = ();

    fn new(local: &Local) -> Result<Self, Unmet> {
        let span = |name: &str| Span(local.setting(name).unwrap_or(0));
        Ok(Self { id: local.id()?, stop: span("stop"), begin: span("begin"), leads: false })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        if self.id == Id(1) {
            self.leads = true;
            ctx.set_timer(Timer::Stop, self.stop);
            ctx.send(Port(0), Msg::Ask());
        }
    }

    fn receive(&mut self, _: Port, _: Msg, ctx: &mut impl Context<Msg, Timer>) {
        if self.id == Id(2) && !self.leads {
            ctx.set_timer(Timer::Begin, self.begin);
        }
    }

    fn timeout(&mut self, timer: Timer, _: &mut impl Context<Msg, Timer>) {
        self.leads = timer == Timer::Begin;
    }

    fn status(&self) -> Status {
        if self.leads { Status::Leader } else { Status::Undecided }
    }

    fn token(&self) -> Option<u64> {
        Some(self.id.0)
    }

    fn phase(&self) -> Option<Phase> {
        Some(Phase(0))
    }
}

/// 98 · 1.01 ≤ 100 · 0.99 < 99 · 1.01: by clocks within 1 % the first timer goes off first if it is set to 98, and need
/// not if it is set to 99. Only the order of timers keeps the two apart. Afterwards nobody comes: the message of the
/// first node may be lost.
#[test]
fn never_two_if_the_first_timer_must_go_off_first() {
    let second = |stop: u64, freedom: Freedom| {
        let found = broken::<Watch>(&[("stop", stop), ("begin", 100)], freedom);
        found.into_iter().find(|(property, _)| *property == OneLeader)
    };
    let exact = Freedom { drift: Some(Drift(0)), ..HARSH };
    let any = Freedom { drift: None, hasty_timers: true, ..HARSH };
    assert_eq!([98, 99].map(|stop| second(stop, HARSH)), [None, Some((OneLeader, 4))]);
    assert_eq!([98, 99, 100, 101].map(|stop| second(stop, exact)), [None, None, None, Some((OneLeader, 4))]);
    assert_eq!(second(1, any), Some((OneLeader, 4)));
}

/// When a counter gives a number, this is on its disk ...
const AT_ONCE: u8 = 0;
/// ... later ...
const LATER: u8 = 1;
/// ... never.
const NEVER: u8 = 2;
/// It counts down.
const DOWN: u8 = 3;

/// The first node gives numbers. The second one asks for a number, leads with it for a while, and asks again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counter<const DISK: u8> {
    id: Id,
    /// The last number that was given.
    given: u64,
    /// What is on the disk.
    disk: u64,
    token: Option<u64>,
}

impl<const DISK: u8> Process for Counter<DISK> {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = Timer;
    type Disk = u64;

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, given: 0, disk: 0, token: None })
    }

    fn restored(local: &Local, disk: Option<u64>) -> Result<Self, Unmet> {
        let disk = disk.unwrap_or_default();
        Ok(Self { given: disk, disk, ..Self::new(local)? })
    }

    fn disk(&self) -> u64 {
        self.disk
    }

    fn start(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        if self.id == Id(2) {
            ctx.send(Port(0), Msg::Ask());
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg, Timer>) {
        match msg {
            Msg::Ask() => {
                self.given += 1;
                match DISK {
                    AT_ONCE | DOWN => self.disk = self.given,
                    LATER => ctx.set_timer(Timer::Write, Span(1)),
                    _ => {}
                }
                ctx.send(from, Msg::Give(if DISK == DOWN { 9 - self.given } else { self.given }));
            }
            Msg::Give(number) => {
                if self.token.is_none() {
                    self.token = Some(number);
                    ctx.set_timer(Timer::Stop, Span(10));
                }
            }
        }
    }

    fn timeout(&mut self, timer: Timer, ctx: &mut impl Context<Msg, Timer>) {
        if timer == Timer::Write {
            self.disk = self.given;
        } else {
            self.token = None;
            ctx.send(Port(0), Msg::Ask());
        }
    }

    fn status(&self) -> Status {
        if self.token.is_some() { Status::Leader } else { Status::Undecided }
    }

    fn token(&self) -> Option<u64> {
        self.token
    }

    fn phase(&self) -> Option<Phase> {
        Some(Phase(self.given))
    }
}

/// Links that lose nothing, so that a number which was given arrives, once.
const CALM: Freedom = Freedom { unreliable: false, ..HARSH };

#[test]
fn no_token_comes_twice_if_the_disk_is_written_before_the_number_leaves() {
    let restart = Freedom { restarts: 1, ..CALM };
    assert_eq!(broken::<Counter<AT_ONCE>>(&[], restart), []);
    // Asked, given, taken; the counter stops before it has written, and starts again: crash and return are two lines.
    assert!(matches!(broken::<Counter<LATER>>(&[], restart)[..], [(FreshToken, _)]));
    assert_eq!(broken::<Counter<LATER>>(&[], CALM), []);
}

#[test]
fn no_token_comes_twice_if_a_restart_does_not_forget() {
    let [restart, wipe] = [Freedom { restarts: 1, ..CALM }, Freedom { wipes: 1, ..CALM }];
    assert_eq!(broken::<Counter<NEVER>>(&[], CALM), []);
    assert!(matches!(broken::<Counter<NEVER>>(&[], restart)[..], [(FreshToken, _)]));
    // A disk that is lost is no better than none.
    assert_eq!(broken::<Counter<AT_ONCE>>(&[], restart), []);
    assert!(matches!(broken::<Counter<AT_ONCE>>(&[], wipe)[..], [(FreshToken, _)]));
    // A node loses its disk once: two restarts need two nodes.
    assert!(matches!(broken::<Counter<AT_ONCE>>(&[], Freedom { wipes: 9, ..CALM })[..], [(FreshToken, _)]));
}

#[test]
fn tokens_grow_if_the_counter_counts_up() {
    assert!(matches!(broken::<Counter<DOWN>>(&[], CALM)[..], [(TokensGrow, _)]));
    assert_eq!(broken::<Counter<AT_ONCE>>(&[], CALM), []);
}

/// How the second node gets its leadership: it asks once ...
const ONCE: u8 = 0;
/// ... or again and again ...
const AGAIN: u8 = 1;
/// ... or somebody outside must wish it.
const WISHED: u8 = 2;

/// The second node asks, and leads when it is answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Asker<const HOW: u8> {
    id: Id,
    leads: bool,
}

impl<const HOW: u8> Process for Asker<HOW> {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = Timer;
    type Disk = ();

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, leads: false })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        match HOW {
            _ if self.id == Id(1) => {}
            WISHED => ctx.set_timer(Timer::Wish, Span(1)),
            _ => self.timeout(Timer::Again, ctx),
        }
    }

    fn receive(&mut self, from: Port, msg: Msg, ctx: &mut impl Context<Msg, Timer>) {
        match msg {
            Msg::Ask() => ctx.send(from, Msg::Give(1)),
            Msg::Give(_) => {
                self.leads = true;
                ctx.cancel_timer(Timer::Again);
            }
        }
    }

    fn timeout(&mut self, _: Timer, ctx: &mut impl Context<Msg, Timer>) {
        if HOW != ONCE {
            ctx.set_timer(Timer::Again, Span(1));
        }
        ctx.send(Port(0), Msg::Ask());
    }

    fn status(&self) -> Status {
        if self.leads { Status::Leader } else { Status::Undecided }
    }

    fn phase(&self) -> Option<Phase> {
        Some(Phase(0))
    }
}

/// What is under way may be lost. Who asks once may wait in vain: that is so as soon as it has started.
#[test]
fn a_leader_can_still_come_if_somebody_asks_again() {
    assert_eq!(broken::<Asker<ONCE>>(&[], HARSH), [(CanLead, 2)]);
    assert_eq!(broken::<Asker<ONCE>>(&[], CALM), []);
    assert_eq!(broken::<Asker<AGAIN>>(&[], HARSH), []);
    let wished = [search::<Asker<AGAIN>>(&[], HARSH, 1), search::<Asker<WISHED>>(&[], HARSH, 1)];
    assert_eq!(wished.map(|conclusion| (conclusion.broken.len(), conclusion.wished)), [(0, false), (0, true)]);
}

/// How many steps of a process that only waits were tried.
static WAITED: AtomicU64 = AtomicU64::new(0);

/// It waits for ever, and each time it is in another state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Waiter(u64);

impl Process for Waiter {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = Timer;
    type Disk = ();

    fn new(_: &Local) -> Result<Self, Unmet> {
        Ok(Self(0))
    }

    fn start(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        ctx.set_timer(Timer::Again, Span(1));
    }

    fn receive(&mut self, _: Port, _: Msg, _: &mut impl Context<Msg, Timer>) {}

    fn timeout(&mut self, _: Timer, ctx: &mut impl Context<Msg, Timer>) {
        WAITED.fetch_add(1, Ordering::Relaxed);
        self.0 += 1;
        ctx.set_timer(Timer::Again, Span(1));
    }

    fn status(&self) -> Status {
        Status::Undecided
    }

    fn phase(&self) -> Option<Phase> {
        Some(Phase(0))
    }
}

/// A search that was stopped does not try a million orders of moves to find out whether a leader can still come.
#[test]
fn the_search_for_a_leader_to_come_stops_too() {
    let network = "complete:1".parse::<Topology>().unwrap().build(1).unwrap();
    let scenario = Scenario::new(Waiter::INFO, network, vec![Id(1)]);
    let plan = Plan { freedom: HARSH, reduction: false, symmetry: false, fingerprints: false };
    let ledger = Ledger::new(1 << 30);
    ledger.stop();
    let conclusion = check([scenario].into_iter(), Algorithm::process::<Waiter>(), plan, &ledger, 1).unwrap();
    assert_eq!(conclusion.stopped, Some(Stop::Told));
    let waited = WAITED.load(Ordering::Relaxed);
    assert!((1..10_000).contains(&waited), "{waited} steps");
}

/// The node with the largest id leads, and hears from each other one. Those are alike; or one of them only says so, and
/// is slower.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Hearer<const LIES: bool> {
    id: Id,
    leads: bool,
    heard: BTreeSet<Port>,
}

impl<const LIES: bool> Process for Hearer<LIES> {
    const INFO: &'static Info = &INFO;
    type Msg = Msg;
    type Timer = Timer;
    type Disk = ();

    fn new(local: &Local) -> Result<Self, Unmet> {
        Ok(Self { id: local.id()?, leads: local.id()? == Id(4), heard: BTreeSet::new() })
    }

    fn start(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        if !self.leads {
            ctx.set_timer(Timer::Begin, if LIES && self.id == Id(2) { Span(2) } else { Span(1) });
        }
    }

    fn receive(&mut self, from: Port, _: Msg, _: &mut impl Context<Msg, Timer>) {
        self.heard.insert(from);
    }

    fn timeout(&mut self, _: Timer, ctx: &mut impl Context<Msg, Timer>) {
        ctx.send(Port(2), Msg::Ask());
    }

    fn status(&self) -> Status {
        if self.leads { Status::Leader } else { Status::Undecided }
    }

    fn alike(&self) -> Option<u64> {
        (!self.leads).then_some(0)
    }

    fn phase(&self) -> Option<Phase> {
        Some(Phase(0))
    }
}

fn hear<const LIES: bool>(symmetry: bool, restarts: u32) -> Result<u64, String> {
    let network = "complete:4".parse::<Topology>().unwrap().build(1).unwrap();
    let scenario = Scenario::new(&INFO, network, [1, 2, 3, 4].map(Id).to_vec());
    let freedom = Freedom { starts_first: true, restarts, ..HARSH };
    let plan = Plan { freedom, reduction: false, symmetry, fingerprints: false };
    let algorithm = Algorithm::process::<Hearer<LIES>>();
    check([scenario].into_iter(), algorithm, plan, &Ledger::new(1 << 30), 1).map(|conclusion| conclusion.states)
}

/// Each of three nodes waits, has sent, or was heard. There are 27 such states, and 10 if only their numbers count.
/// Four more come before all have started.
#[test]
fn of_processes_that_are_alike_only_the_numbers_count() {
    assert_eq!([false, true].map(|symmetry| hear::<false>(symmetry, 0)), [Ok(27 + 4), Ok(10 + 4)]);
    assert!(hear::<false>(true, 1) < hear::<false>(false, 1));
}

#[test]
fn processes_that_only_say_that_they_are_alike_are_refused() {
    assert_eq!(hear::<true>(false, 0).map(|states| states > 0), Ok(true));
    assert!(hear::<true>(true, 0).is_err_and(|reason| reason.contains("does not do the same")));
}

/// Voters that do not stand are alike, with restarts, changes and lost disks. A search that exchanges them, gives
/// answers at once, or hears at once all that is needed finds the same, whatever the number of threads, and the same
/// shortest schedules.
#[test]
fn fewer_states_tell_the_same() {
    let search = |(nodes, settings, freedom): Case, on: [bool; 2], threads: usize| {
        let network = format!("complete:{nodes}").parse::<Topology>().unwrap().build(1).unwrap();
        let mut scenario = Scenario::new(Lease::INFO, network, (1..=nodes).map(Id).collect());
        scenario.settings.extend(settings.iter().map(|(name, value)| ((*name).into(), *value)));
        let plan = Plan { freedom, reduction: on[0], symmetry: on[1], fingerprints: false };
        let algorithm = Algorithm::process::<Lease>();
        let conclusion = check([scenario].into_iter(), algorithm, plan, &Ledger::new(1 << 30), threads).unwrap();
        let stories: Vec<_> = conclusion.broken.into_iter().map(|broken| broken.story.events).collect();
        ((conclusion.stopped, stories), (conclusion.states, conclusion.transitions))
    };
    let once = Freedom { starts_first: true, phases: 1, ..HARSH };
    let resign = [("voters", 3), ("candidates", 1), ("rounds", 1), ("resign", 5)];
    let change = [("voters", 1), ("rounds", 1), ("change-to", 3)];
    let shrink = [("voters", 3), ("candidates", 1), ("rounds", 1), ("change-to", 2)];
    let two = [("voters", 2), ("candidates", 2), ("rounds", 1)];
    let cases = [
        (4, &resign[..], Freedom { restarts: 1, ..once }, [10_707, 1_386]),
        (3, &resign[..3], Freedom { wipes: 1, ..once }, [3_586, 417]),
        (3, &change, once, [3_271, 1_105]),
        (3, &shrink, once, [179_140, 1_789]),
        (4, &two, Freedom { drift: Some(Drift(50_000)), phases: 2, ..once }, [31_160, 10_129]),
    ];
    let mut found = vec![];
    for (nodes, settings, freedom, states) in cases {
        let case = (nodes, settings, freedom);
        let (told, all) = search(case, [false, false], 1);
        let (told_too, fewest) = search(case, [true, true], 1);
        assert_eq!(told, told_too, "{settings:?}");
        assert_eq!(search(case, [true, false], 1).0, told, "{settings:?}");
        assert_eq!(search(case, [false, true], 1).0, told, "{settings:?}");
        assert_eq!(search(case, [true, true], 2), (told_too, fewest), "{settings:?}");
        found.push(([all.0, fewest.0], states));
    }
    assert!(found.iter().all(|(found, states)| found == states), "{found:?}");
}

/// A number of nodes, parameters, and what may happen.
type Case<'a> = (u64, &'a [(&'a str, u64)], Freedom);

/// Depths of thousands of states, which threads share: all numbers stay the same, and so do shortest schedules.
#[test]
fn the_number_of_threads_changes_nothing() {
    let search = |(nodes, settings, freedom): Case, is_reduced: bool, fingerprints: bool, threads: usize| {
        let network = format!("complete:{nodes}").parse::<Topology>().unwrap().build(1).unwrap();
        let mut scenario = Scenario::new(Lease::INFO, network, (1..=nodes).map(Id).collect());
        scenario.settings.extend(settings.iter().map(|(name, value)| ((*name).into(), *value)));
        let freedom = Freedom { starts_first: true, ..freedom };
        let plan = Plan { freedom, reduction: is_reduced, symmetry: is_reduced, fingerprints };
        let algorithm = Algorithm::process::<Lease>();
        let conclusion = check([scenario].into_iter(), algorithm, plan, &Ledger::new(1 << 30), threads).unwrap();
        let stories: Vec<_> = conclusion.broken.into_iter().map(|broken| broken.story.events).collect();
        (conclusion.states, conclusion.transitions, conclusion.wished, stories)
    };
    let settings = [("candidates", 2), ("rounds", 1)];
    let right = (3, &settings[..], Freedom { restarts: 1, phases: 2, ..HARSH });
    let wrong = (3, &settings[..], Freedom { drift: Some(Drift(50_000)), ..right.2 });
    let grown = [&settings[..], &[("voters", 3), ("change-to", 4)]].concat();
    let grown = (4, &grown[..], Freedom { phases: 1, ..HARSH });
    for (case, is_reduced, is_wrong) in [(right, false, false), (wrong, false, true), (grown, true, false)] {
        let one = search(case, is_reduced, false, 1);
        assert_eq!((one.0 > 10_000 || is_wrong, one.3.is_empty()), (true, !is_wrong));
        for (threads, fingerprints) in [(2, false), (3, true), (2, true)] {
            assert_eq!(search(case, is_reduced, fingerprints, threads), one);
        }
    }
}

/// A state of a process, and the timers that run.
type Waiting = (u32, BTreeSet<u32>);

/// What a process does, in order: its state and timers after that, what it has sent, and which timers it has set.
fn after(automaton: &mut Automaton, (local, running): &Waiting, acts: &[Cause]) -> (Waiting, Vec<StepOutcome>) {
    let (mut now, mut outcomes) = ((*local, running.clone()), vec![]);
    for &act in acts {
        let outcome = automaton.act(now.0, 2, act).unwrap().swap_remove(0);
        if let Cause::Timeout(timer) = act {
            now.1.remove(&timer);
        }
        for (timer, span) in &outcome.timers {
            if span.is_some() {
                now.1.insert(*timer)
            } else {
                now.1.remove(timer)
            };
        }
        now.0 = outcome.local;
        outcomes.push(outcome);
    }
    (now, outcomes)
}

/// A note may as well come later: whatever a voter does in between, it does the same before the note. The messages
/// tried are those that three voters send in early phases, if anything may arrive at any time.
#[test]
fn what_is_noted_can_wait() {
    /// The largest number of states.
    const MANY: usize = 500;
    /// The last phase that is tried.
    const LAST: Phase = Phase(2);
    let network = "complete:3".parse::<Topology>().unwrap().build(1).unwrap();
    let mut scenario = Scenario::new(Lease::INFO, network, [1, 2, 3].map(Id).to_vec());
    scenario.settings.extend([("voters", 1), ("change-to", 3)].map(|(name, value)| (name.into(), value)));
    let mut automaton = Automaton::new(&Algorithm::process::<Lease>().events);
    let mut met: Vec<Waiting> = vec![];
    for node in 0..3 {
        let asleep = automaton.asleep(&scenario, node).unwrap();
        let lost = automaton.restarted(&scenario, node, asleep, false).unwrap();
        met.extend([asleep, lost].map(|local| after(&mut automaton, &(local, BTreeSet::new()), &[Cause::Start]).0));
    }
    let mut messages = BTreeSet::new();
    let all = |messages: &BTreeSet<u32>, (_, running): &Waiting| -> Vec<Cause> {
        let receive = |message: &u32| [0, 1].map(|port| Cause::Receive(Port(port), *message));
        messages.iter().flat_map(receive).chain(running.iter().map(|timer| Cause::Timeout(*timer))).collect()
    };
    let mut place = 0;
    while let Some(state) = met.get(place).cloned() {
        for act in all(&messages, &state) {
            let (next, outcomes) = after(&mut automaton, &state, &[act]);
            if automaton.local_if_met(next.0).and_then(|facts| facts.phase) <= Some(LAST) {
                messages.extend(outcomes.into_iter().flat_map(|outcome| outcome.sends).map(|(_, message)| message));
                if met.len() < MANY && !met.contains(&next) {
                    met.push(next);
                }
            }
        }
        place += 1;
    }
    let mut waited = 0;
    for state in &met {
        let notes = |act: &Cause| matches!(*act, Cause::Receive(_, message) if automaton.notes(state.0, message));
        let (notes, others): (Vec<_>, Vec<_>) = all(&messages, state).into_iter().partition(notes);
        for note in notes {
            let (noted, outcomes) = after(&mut automaton, state, &[note]);
            let is_merely_noted = outcomes[0].sends.is_empty() && outcomes[0].timers.is_empty() && noted.0 != state.0;
            for &act in others.iter().filter(|_| is_merely_noted) {
                let [early, late] = [[note, act], [act, note]].map(|acts| {
                    let (state, outcomes) = after(&mut automaton, state, &acts);
                    let timers: Vec<_> = outcomes.iter().flat_map(|outcome| outcome.timers.clone()).collect();
                    let sends: Vec<_> = outcomes.into_iter().flat_map(|outcome| outcome.sends).collect();
                    (state, timers, sends)
                });
                assert_eq!(early, late, "{}: {note:?} and {act:?}", automaton.local_in_words(state.0));
                waited += 1;
            }
        }
    }
    assert!(waited > 10_000, "{waited}, {} states, {} messages", met.len(), messages.len());
}
