//! What searches report, and what makes them stop: shared by all threads and by a progress bar.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counters that grow while searches run, and the limits that they must not pass.
#[derive(Debug)]
pub struct Ledger {
    stop: AtomicBool,
    full: AtomicBool,
    states: AtomicU64,
    transitions: AtomicU64,
    configurations: AtomicU64,
    depth: AtomicU64,
    frontier: AtomicU64,
    bytes: AtomicU64,
    /// The largest number of bytes that all searches together may take.
    memory: u64,
    /// The largest number of states that they may find, one search after the other.
    most_states: u64,
}

/// Why a search did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It was told to.
    Told,
    /// There is no more memory.
    Memory,
    /// There are more states than allowed.
    States,
    /// A step cannot be followed, or the network cannot be checked.
    Impossible(String),
}

impl From<String> for Stop {
    fn from(reason: String) -> Self {
        Self::Impossible(reason)
    }
}

/// What the counters say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// States found by all searches.
    pub states: u64,
    /// Transitions followed by all searches.
    pub transitions: u64,
    /// Configurations that are done.
    pub configurations: u64,
    /// How deep a search has been.
    pub depth: u64,
    /// How many transitions it has yet to follow.
    pub frontier: u64,
    /// Bytes taken by states.
    pub bytes: u64,
}

impl Ledger {
    /// An empty ledger, with this many bytes of memory.
    #[must_use]
    pub fn new(memory: u64) -> Self {
        let zero = || AtomicU64::new(0);
        Self {
            stop: AtomicBool::new(false),
            full: AtomicBool::new(false),
            states: zero(),
            transitions: zero(),
            configurations: zero(),
            depth: zero(),
            frontier: zero(),
            bytes: zero(),
            memory,
            most_states: u64::MAX,
        }
    }

    /// The same, for searches that may find this many states in all: it bounds their time without a clock.
    #[must_use]
    pub fn up_to_states(self, most_states: u64) -> Self {
        Self { most_states, ..self }
    }

    /// How many bytes all searches together may take.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// All searches stop soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// All searches stop soon, because memory is full.
    pub fn fill(&self) {
        self.full.store(true, Ordering::Relaxed);
        self.stop();
    }

    /// Whether searches must stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Asks whether to go on.
    ///
    /// # Errors
    /// If searches must stop, with the reason.
    pub fn ask(&self) -> Result<(), Stop> {
        match (self.is_stopped(), self.full.load(Ordering::Relaxed)) {
            (false, _) => Ok(()),
            (true, false) => Err(Stop::Told),
            (true, true) => Err(Stop::Memory),
        }
    }

    /// A search that has found this much starts again.
    pub fn forget(&self, states: u64, transitions: u64) {
        self.states.fetch_sub(states, Ordering::Relaxed);
        self.transitions.fetch_sub(transitions, Ordering::Relaxed);
    }

    /// A configuration is done.
    pub fn done(&self) {
        self.configurations.fetch_add(1, Ordering::Relaxed);
    }

    /// Reads all counters.
    #[must_use]
    pub fn glance(&self) -> Glance {
        let [states, transitions, configurations, depth, frontier, bytes] =
            [&self.states, &self.transitions, &self.configurations, &self.depth, &self.frontier, &self.bytes]
                .map(|counter| counter.load(Ordering::Relaxed));
        Glance { states, transitions, configurations, depth, frontier, bytes }
    }
}

/// One search's page: what it has entered so far.
pub struct Page<'a> {
    ledger: &'a Ledger,
    states: u64,
    transitions: u64,
    bytes: u64,
}

/// The number of transitions between two looks at the ledger.
pub const GLANCE: u64 = 1 << 12;

impl<'a> Page<'a> {
    /// An empty page.
    pub fn new(ledger: &'a Ledger) -> Self {
        Self { ledger, states: 0, transitions: 0, bytes: 0 }
    }

    /// Enters how far the search has come.
    ///
    /// # Errors
    /// If it must stop.
    pub fn enter(&mut self, states: u64, transitions: u64, depth: u64, frontier: u64, bytes: u64) -> Result<(), Stop> {
        let ledger = self.ledger;
        ledger.states.fetch_add(states.wrapping_sub(self.states), Ordering::Relaxed);
        ledger.transitions.fetch_add(transitions.wrapping_sub(self.transitions), Ordering::Relaxed);
        ledger.depth.fetch_max(depth, Ordering::Relaxed);
        ledger.frontier.store(frontier, Ordering::Relaxed);
        // The bytes are added and not stored, because several searches share the memory.
        let all = ledger.bytes.fetch_add(bytes.wrapping_sub(self.bytes), Ordering::Relaxed);
        (self.states, self.transitions) = (states, transitions);
        let all = all.wrapping_add(bytes.wrapping_sub(self.bytes));
        self.bytes = bytes;
        if all > ledger.memory {
            ledger.fill();
            return Err(Stop::Memory);
        }
        if ledger.states.load(Ordering::Relaxed) > ledger.most_states {
            ledger.stop();
        }
        ledger.ask()
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        self.ledger.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
