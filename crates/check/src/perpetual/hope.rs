//! Whether a leader can still come, from a state, if nothing more fails.
//!
//! On unreliable links all messages under way may be lost. So they are: a leader must come without them.
//!
//! A *calm* schedule is as a run is: messages take no time and arrive once, and all clocks are exact, until a process
//! leads. It goes beyond the bound on phases. All states on it share its end, so few have to be walked. First no wish
//! from outside comes. If that leads nowhere, wishes come as soon as they may: an operator who has begun a change ends
//! it. Only if that leads nowhere either, every order is tried.

use std::collections::BTreeMap;

use bellwether_net::Node;

use crate::extras::RunningTimer;
use crate::ledger::{Ledger, Stop};
use crate::machine::{Machine, Transition};
use crate::row::Row;
use crate::store::{Access, Key, Mark, States, Successor};

/// The state was found by the search.
pub const VISITED: u32 = 1;
/// A calm schedule without wishes makes a leader.
const HOPEFUL: u32 = 2;
/// It does not make one.
const FUTILE: u32 = 4;
/// A calm schedule with wishes makes a leader.
const WISHFUL: u32 = 8;

/// The longest calm schedule.
const FAR: usize = 1 << 9;

/// The number of states after which the search of every order is given up.
const MOST_AHEAD: usize = 1 << 20;

/// The number of bytes after which it is given up: the same on every machine, because verdicts depend on it.
const MOST_BYTES: u64 = 1 << 30;

/// Whether a mark has a flag. A mark without flags is the one of a new state, so a flag is a bit that is not set.
fn has(mark: Mark, flag: u32) -> bool {
    mark.0 & flag == 0
}

/// Sets a flag of a state that had this mark when it was looked up. Returns whether nobody else has set it.
pub fn claim(access: &Access, key: Key, mut mark: Mark, flag: u32) -> bool {
    while !has(mark, flag) {
        match access.replace_mark(key, mark, (mark.0 & !flag, mark.1)) {
            Ok(()) => return true,
            Err(other) => mark = other,
        }
    }
    false
}

/// Sets a flag of the state in the row.
pub fn enter(access: &mut Access, row: &mut Row, flag: u32) {
    let (key, mark) = look_up(access, row);
    claim(access, key, mark, flag);
}

fn look_up(access: &mut Access, row: &mut Row) -> (Key, Mark) {
    let mut here = [Successor::new(0, None, row.since(row.moment()))];
    access.insert_all(row, &mut here);
    (here[0].key(), here[0].mark)
}

/// One thread's search for leaders to come.
pub struct Hope<'a> {
    ledger: &'a Ledger,
    /// The states of the present schedule.
    chain: Vec<Key>,
    moves: Vec<Transition>,
    clock: Clock,
    /// Whether from some state a leader came only after a wish.
    pub is_wished: bool,
}

/// The time of a calm schedule.
#[derive(Default)]
struct Clock {
    now: u64,
    /// When the timers that run go off, by node and number.
    due: BTreeMap<(Node, u32), u64>,
}

impl Clock {
    /// Timers that were not running before have been set now.
    fn set(&mut self, timers: &[RunningTimer]) {
        let runs = |node: Node, timer: u32| timers.iter().any(|&(owner, other, _)| (owner, other) == (node, timer));
        self.due.retain(|&(node, timer), _| runs(node, timer));
        for &(node, timer, span) in timers {
            self.due.entry((node, timer)).or_insert(self.now.saturating_add(span.0));
        }
    }

    /// When a move is made: now, unless it waits for a timer.
    fn at(&self, step: Transition) -> u64 {
        let Transition::Timeout(node, timer) = step else { return self.now };
        self.due.get(&(node, timer)).copied().unwrap_or(self.now)
    }

    /// A move is made.
    fn go_on(&mut self, step: Transition, timers: &[RunningTimer]) {
        if let Transition::Timeout(node, timer) = step {
            self.now = self.now.max(self.at(step));
            self.due.remove(&(node, timer));
        }
        self.set(timers);
    }
}

impl<'a> Hope<'a> {
    /// A search that stops when all do.
    pub fn new(ledger: &'a Ledger) -> Self {
        Self { ledger, chain: vec![], moves: vec![], clock: Clock::default(), is_wished: false }
    }

    /// Whether a leader can come from the state in the row.
    ///
    /// # Errors
    /// If that cannot be found out, or if searches must stop.
    pub fn is_there(&mut self, machine: &mut Machine, row: &mut Row, access: &mut Access) -> Result<bool, Stop> {
        if machine.has_leader(row.cells()) {
            return Ok(true);
        }
        let start = row.moment();
        machine.lose_all(row);
        let (_, mark) = look_up(access, row);
        let mut is_there = has(mark, HOPEFUL) || !has(mark, FUTILE) && self.walk(machine, row, access, false)?;
        if !is_there {
            self.is_wished = true;
            let is_known = has(mark, WISHFUL);
            is_there = is_known || self.walk(machine, row, access, true)? || search_ahead(machine, row, self.ledger)?;
        }
        row.back_to(start);
        Ok(is_there)
    }

    /// Whether the calm schedule from the state in the row, with or without wishes, makes a leader.
    fn walk(&mut self, machine: &mut Machine, row: &mut Row, access: &mut Access, wishes: bool) -> Result<bool, Stop> {
        let good = if wishes { WISHFUL } else { HOPEFUL };
        let start = row.moment();
        self.chain.clear();
        self.clock = Clock::default();
        self.clock.set(machine.timers(row.cells()));
        let leads = loop {
            let (key, mark) = look_up(access, row);
            if machine.has_leader(row.cells()) || has(mark, good) {
                break true;
            }
            if !wishes && has(mark, FUTILE) {
                break false;
            }
            self.chain.push(key);
            if self.chain.len() > FAR || !self.go_on(machine, row, wishes)? {
                break false;
            }
        };
        row.back_to(start);
        // What leads nowhere without wishes is told apart, so that nobody goes the same way again.
        if let Some(flag) = if leads { Some(good) } else { (!wishes).then_some(FUTILE) } {
            self.chain.iter().for_each(|key| _ = claim(access, *key, access.mark(*key), flag));
        }
        Ok(leads)
    }

    /// Makes the first move that changes something. Returns whether there is one.
    fn go_on(&mut self, machine: &mut Machine, row: &mut Row, wishes: bool) -> Result<bool, Stop> {
        let Self { moves, clock, .. } = self;
        moves.clear();
        let owed = machine.moves(row.cells(), moves);
        moves.truncate(owed);
        moves.retain(|step| wishes || !machine.is_wished(*step));
        moves.sort_by_key(|step| (!machine.is_wished(*step), clock.at(*step)));
        let (before, here) = (row.hash(), row.moment());
        for &step in &*moves {
            machine.apply(row, step, 0)?;
            if let Transition::Deliver { link, parcel, .. } = step {
                machine.lose(row, link, parcel);
            }
            if row.hash() != before {
                clock.go_on(step, machine.timers(row.cells()));
                return Ok(true);
            }
            row.back_to(here);
        }
        Ok(false)
    }
}

/// Whether some order of moves, wishes included, makes a leader of the state in the row.
fn search_ahead(machine: &mut Machine, row: &Row, ledger: &Ledger) -> Result<bool, Stop> {
    let mut states = States::new(row.cells().len());
    states.insert(row);
    let mut row = row.clone();
    let mut moves = vec![];
    let (mut state, mut leads) = (0, false);
    while (state as usize) < states.states() && !leads {
        states.load(state, &mut row);
        ledger.ask()?;
        if states.states() > MOST_AHEAD || states.bytes() > MOST_BYTES {
            return Err(Stop::States);
        }
        let here = row.moment();
        moves.clear();
        let owed = machine.moves(row.cells(), &mut moves);
        for &step in &moves[..owed] {
            for way in 0..machine.ways(row.cells(), step)? {
                machine.apply(&mut row, step, way)?;
                leads |= machine.has_leader(row.cells());
                states.insert(&row);
                row.back_to(here);
            }
        }
        state += 1;
    }
    Ok(leads)
}
