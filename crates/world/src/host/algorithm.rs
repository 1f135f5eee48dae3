//! An algorithm as a value.
//!
//! Some hosts spend their time on files, locks or tables of states. They take an algorithm as a value and are compiled
//! once. Only the fastest simulators are compiled for each algorithm.

use bellwether_core::{
    Claim, Info, Lemma, Local, Lockstep, Model, Phases, Process, Round, Rounds, Size, Synchronizer, Tag, Unmet, Untold,
};
use serde_json::Value;

use super::actor::{Actor, RoundsActor};
use super::envelope::Bell;
use super::numbered::WithNumber;
use super::tally::Kinds;
use super::written;
use crate::Scenario;

/// An algorithm in both models: its own, and the other one with an adaptor.
#[derive(Debug)]
pub struct Algorithm {
    /// Its entry in the catalogue.
    pub info: &'static Info,
    /// In the asynchronous model.
    pub events: Cast,
    /// The same with a wave that numbers the nodes after the election, if its own model is the asynchronous one.
    numbered: Option<Cast>,
    /// In the synchronous model.
    pub rounds: RoundsCast,
}

impl Algorithm {
    /// An asynchronous algorithm.
    #[must_use]
    pub const fn process<P: Process>() -> &'static Self {
        const {
            let (mut events, mut rounds) = (Cast::of::<P>(), RoundsCast::of::<Lockstep<P>>());
            let mut numbered = Cast::numbered::<P>();
            if P::INFO.may_be_untold() {
                events.new = told_or_not::<P>;
                numbered.new = |local| with_number::<P>(local, told_or_not::<P>);
                rounds.new = |local| {
                    if is_untold::<P>(local) {
                        boxed_in_rounds::<Lockstep<Untold<P>>>(local)
                    } else {
                        boxed_in_rounds::<Lockstep<P>>(local)
                    }
                };
            }
            &Self { info: P::INFO, events, numbered: Some(numbered), rounds }
        }
    }

    /// A round-based algorithm.
    #[must_use]
    pub const fn in_rounds<R: Rounds>() -> &'static Self {
        const {
            let (events, rounds) = (Cast::of::<Synchronizer<R>>(), RoundsCast::of::<R>());
            &Self { info: R::INFO, events, numbered: None, rounds }
        }
    }

    /// How its processes are made for a scenario in the asynchronous model.
    #[must_use]
    pub fn cast(&self, scenario: &Scenario) -> &Cast {
        self.numbered.as_ref().filter(|_| scenario.number).unwrap_or(&self.events)
    }

    /// The bytes of a process in its own model, without its heap memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        if self.is_synchronous() { self.rounds.process_bytes } else { self.events.process_bytes }
    }

    /// Whether its own model is the synchronous one.
    #[must_use]
    pub fn is_synchronous(&self) -> bool {
        self.info.model == Model::Synchronous
    }
}

/// The name of an algorithm's phases, if there is no bound on their number.
const fn unbounded(info: &Info) -> Option<&'static str> {
    match info.phases {
        Some(Phases { name, unbounded: true, .. }) => Some(name),
        _ => None,
    }
}

/// How to make the processes of an algorithm in the asynchronous model, and what they send.
#[derive(Debug)]
pub struct Cast {
    /// The algorithm's entry in the catalogue.
    pub info: &'static Info,
    /// Makes a sleeping process from its local knowledge.
    pub new: fn(&Local) -> Result<Box<dyn Actor>, Unmet>,
    /// The kinds of its messages.
    pub kinds: Kinds,
    /// The bytes of a process, without its heap memory.
    pub process_bytes: usize,
    /// The bytes of a message, without its heap memory.
    pub message_bytes: usize,
    /// Whether it has timers.
    pub has_timers: bool,
    /// The name of its phases, if it counts phases and there is no bound on their number.
    pub phases: Option<&'static str>,
    /// Whether a timer stands for a wish from outside.
    pub is_wish: fn(Bell) -> bool,
    timers: fn() -> Vec<(Bell, Value)>,
}

impl Cast {
    const fn of<P: Process>() -> Self {
        Self {
            info: P::INFO,
            new: boxed::<P>,
            kinds: Kinds::of::<P::Msg>(),
            process_bytes: size_of::<P>(),
            message_bytes: size_of::<P::Msg>(),
            has_timers: P::Timer::EXISTS,
            phases: unbounded(P::INFO),
            is_wish: |bell| bell.timer::<P::Timer>().is_wish(),
            timers: || Bell::all::<P::Timer>().map(|bell| (bell, written(&bell.timer::<P::Timer>()))).collect(),
        }
    }

    /// The same processes, with a wave that numbers the nodes.
    const fn numbered<P: Process>() -> Self {
        let (new, kinds) = (|local: &Local| with_number::<P>(local, boxed::<P>), Kinds::numbered::<P::Msg>());
        Self { new, kinds, process_bytes: size_of::<P>() + size_of::<WithNumber>(), ..Self::of::<P>() }
    }

    /// The name of a timer as a trace writes it.
    ///
    /// # Panics
    /// If the timer is of another algorithm.
    #[must_use]
    pub fn timer_name(&self, bell: Bell) -> Value {
        let named = (self.timers)().into_iter().find(|(one, _)| *one == bell);
        named.expect("a timer of this algorithm").1
    }

    /// The timer of this name.
    #[must_use]
    pub fn timer(&self, name: &Value) -> Option<Bell> {
        (self.timers)().into_iter().find(|(_, one)| one == name).map(|(bell, _)| bell)
    }
}

/// How to make the processes of an algorithm in the synchronous model, and what they send.
#[derive(Debug)]
pub struct RoundsCast {
    /// The algorithm's entry in the catalogue.
    pub info: &'static Info,
    /// Makes a sleeping process from its local knowledge.
    pub new: fn(&Local) -> Result<Box<dyn RoundsActor>, Unmet>,
    /// The kinds of its messages.
    pub kinds: Kinds,
    /// The bytes of a process, without its heap memory.
    pub process_bytes: usize,
    /// The bytes of a message, without its heap memory.
    pub message_bytes: usize,
    /// The name of its phases, if there is no bound on their number.
    pub phases: Option<&'static str>,
    /// Whether its paper counts messages by lemmas.
    pub has_lemmas: bool,
    /// What its lemmas count, given all messages of a run as a trace writes them.
    pub lemmas: CountByLemmas,
}

/// What lemmas count, given all messages of a run with their rounds, and the size of the network.
pub type CountByLemmas = fn(&[(Round, Value)], Size) -> Vec<LemmaCount>;

/// What a lemma counts in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct LemmaCount {
    /// The lemma's name in the paper.
    pub name: &'static str,
    /// What it counts.
    pub what: &'static str,
    /// The number.
    pub count: usize,
    /// The claimed number, and as a formula.
    pub claim: (f64, &'static str),
    /// What is claimed about it.
    pub says: Claim,
}

impl RoundsCast {
    const fn of<R: Rounds>() -> Self {
        Self {
            info: R::INFO,
            new: boxed_in_rounds::<R>,
            kinds: Kinds::of::<R::Msg>(),
            process_bytes: size_of::<R>(),
            message_bytes: size_of::<R::Msg>(),
            phases: unbounded(R::INFO),
            has_lemmas: !R::LEMMAS.is_empty(),
            lemmas: counted::<R>,
        }
    }
}

fn boxed<P: Process>(local: &Local) -> Result<Box<dyn Actor>, Unmet> {
    Ok(Box::new(P::new(local)?))
}

/// A process that keeps its announcement back, if it is to.
fn told_or_not<P: Process>(local: &Local) -> Result<Box<dyn Actor>, Unmet> {
    if is_untold::<P>(local) { boxed::<Untold<P>>(local) } else { boxed::<P>(local) }
}

/// A process that also numbers the nodes, once it leads.
fn with_number<P: Process>(
    local: &Local,
    new: fn(&Local) -> Result<Box<dyn Actor>, Unmet>,
) -> Result<Box<dyn Actor>, Unmet> {
    Ok(Box::new(WithNumber::new(new(local)?, P::INFO, local)))
}

fn boxed_in_rounds<R: Rounds>(local: &Local) -> Result<Box<dyn RoundsActor>, Unmet> {
    Ok(Box::new(R::new(local)?))
}

/// Whether a process with this knowledge keeps its announcement back.
fn is_untold<P: Process>(local: &Local) -> bool {
    P::INFO.is_untold(local.settings())
}

fn counted<R: Rounds>(sent: &[(Round, Value)], size: Size) -> Vec<LemmaCount> {
    let read = |(round, msg): &(Round, Value)| Some((*round, serde_json::from_value(msg.clone()).ok()?));
    let sent: Vec<(Round, R::Msg)> = sent.iter().filter_map(read).collect();
    let count = |&Lemma { name, what, claim, says, count }: &Lemma<R::Msg>| {
        let claim = ((claim.of)(size), claim.text);
        LemmaCount { name, what, count: count(&sent), claim, says }
    };
    R::LEMMAS.iter().map(count).collect()
}
