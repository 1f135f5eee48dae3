//! The steps of processes, each computed once.

use bellwether_core::{Port, Span};
use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Cause, LocalFacts, MessageFacts};

/// One outcome of a step, as the machine needs it.
#[derive(Clone, Debug)]
pub struct KnownOutcome {
    /// The state that it leads to.
    pub local: u32,
    /// One over its probability.
    pub ways: u64,
    /// What is sent, as a range of `Steps::sends`.
    sends: (u32, u32),
    /// What is done to timers, in order: set to go off after a time, or stopped.
    pub timers: Vec<(u32, Option<Span>)>,
    /// Election messages sent.
    pub cost: u32,
    /// Messages sent that tell the result.
    pub announced: u32,
    /// It touches no timer, decides nothing and announces nothing.
    pub is_quiet: bool,
    /// It does nothing at all, and neither would the same message at any later time.
    pub is_ignored: bool,
}

/// All steps that were met, and the facts about the processes and messages in them.
pub struct Steps {
    automaton: Automaton,
    /// By number of ports, then by state and act: the outcomes, as a range.
    known: Vec<FxHashMap<u64, (u32, u32)>>,
    outcomes: Vec<KnownOutcome>,
    sends: Vec<(Port, u32)>,
    locals: Vec<LocalFacts>,
    messages: Vec<MessageFacts>,
    rewound: FxHashMap<(u32, u64), u32>,
}

/// The bits for the number of a process' state, and for the number of a message. Memory is full long before.
const NUMBER: u32 = 28;

impl Steps {
    /// No step yet.
    pub fn new(automaton: Automaton) -> Self {
        Self {
            automaton,
            known: vec![],
            outcomes: vec![],
            sends: vec![],
            locals: vec![],
            messages: vec![],
            rewound: FxHashMap::default(),
        }
    }

    /// The algorithm in numbers.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The algorithm in numbers, which may meet new things.
    pub fn automaton_mut(&mut self) -> &mut Automaton {
        &mut self.automaton
    }

    /// The approximate size in bytes.
    pub fn bytes(&self) -> u64 {
        /// The bytes of a process, a message or a step with its tables, as a rule of thumb.
        const EACH: usize = 200;
        (EACH * (self.locals.len() + self.messages.len() + self.outcomes.len())) as u64
    }

    /// The outcomes of a step of a process with this many ports, as a range. They are computed when the step is first
    /// met.
    ///
    /// # Errors
    /// If there are too many to follow.
    #[inline]
    pub fn of(&mut self, local: u32, ports: u32, act: Cause) -> Result<(u32, u32), String> {
        let act_key = match act {
            Cause::Start => 0,
            Cause::Receive(port, message) => 1 << 34 | u64::from(port.0) << NUMBER | u64::from(message),
            Cause::Timeout(timer) => 2 << 34 | u64::from(timer),
            Cause::PeerDown(port) => 3 << 34 | u64::from(port.0),
        };
        let key = act_key << NUMBER | u64::from(local);
        match self.known.get(ports as usize).and_then(|known| known.get(&key)) {
            Some(range) => Ok(*range),
            None => self.compute(local, ports, act, key),
        }
    }

    #[cold]
    fn compute(&mut self, local: u32, ports: u32, act: Cause, key: u64) -> Result<(u32, u32), String> {
        let outcomes = self.automaton.act(local, ports, act)?;
        self.learn();
        let range = (self.outcomes.len() as u32, outcomes.len() as u32);
        let before = self.locals[local as usize].status;
        for outcome in outcomes {
            let facts = || outcome.sends.iter().map(|(_, message)| self.messages[*message as usize]);
            let cost = facts().filter(|facts| facts.elects).count() as u32;
            let announced = facts().filter(|facts| !facts.elects && !facts.is_overhead).count() as u32;
            let is_quiet =
                outcome.timers.is_empty() && announced == 0 && self.locals[outcome.local as usize].status == before;
            let does_nothing = is_quiet && outcome.local == local && outcome.sends.is_empty() && range.1 == 1;
            let is_ignored = does_nothing && self.automaton.ignores(local, act);
            let sends = (self.sends.len() as u32, (self.sends.len() + outcome.sends.len()) as u32);
            self.sends.extend(outcome.sends);
            let (local, ways, timers) = (outcome.local, outcome.ways, outcome.timers);
            self.outcomes.push(KnownOutcome { local, ways, sends, timers, cost, announced, is_quiet, is_ignored });
        }
        if self.known.len() <= ports as usize {
            self.known.resize_with(ports as usize + 1, FxHashMap::default);
        }
        self.known[ports as usize].insert(key, range);
        Ok(range)
    }

    /// Copies the facts about new states and messages from the automaton.
    pub fn learn(&mut self) {
        // Nothing is ever forgotten, so new numbers come after all others.
        while let Some(facts) = self.automaton.local_if_met(self.locals.len() as u32) {
            self.locals.push(facts);
        }
        while let Some(facts) = self.automaton.message_if_met(self.messages.len() as u32) {
            self.messages.push(facts);
        }
    }

    /// An outcome of a step, by number.
    #[inline]
    pub fn outcome(&self, number: u32) -> &KnownOutcome {
        &self.outcomes[number as usize]
    }

    /// The messages sent in it, in order.
    #[inline]
    pub fn sends(&self, outcome: &KnownOutcome) -> &[(Port, u32)] {
        &self.sends[outcome.sends.0 as usize..outcome.sends.1 as usize]
    }

    /// The facts about a state of a process.
    #[inline]
    pub fn local(&self, local: u32) -> LocalFacts {
        self.locals[local as usize]
    }

    /// The facts about a message.
    #[inline]
    pub fn message(&self, message: u32) -> MessageFacts {
        self.messages[message as usize]
    }

    /// Whether a process in this state ignores this message, now and for ever.
    pub fn ignores(&self, local: u32, port: Port, message: u32) -> bool {
        self.automaton.ignores(local, Cause::Receive(port, message))
    }

    /// Learns all that other threads have met so far.
    pub fn catch_up(&mut self) {
        self.automaton.catch_up();
        self.learn();
    }

    /// The same for another thread. From now on both give the same numbers to the same things.
    pub fn twin(&mut self) -> Self {
        Self {
            automaton: self.automaton.twin(),
            known: self.known.clone(),
            outcomes: self.outcomes.clone(),
            sends: self.sends.clone(),
            locals: self.locals.clone(),
            messages: self.messages.clone(),
            rewound: self.rewound.clone(),
        }
    }

    /// The same state of a process, a number of phases earlier.
    pub fn rewind(&mut self, local: u32, by: u64) -> u32 {
        let Self { rewound, automaton, .. } = self;
        *rewound.entry((local, by)).or_insert_with(|| automaton.rewind_local(local, by))
    }
}
