//! The hand-over: a letter changes hands exactly once, or not at all.
//!
//! Every worker has a desk, and waits at no other. A sender puts its offer down on the neighbour's desk and goes on
//! attending to its own; the neighbour takes the offer from its desk and lays an answer on the sender's. An offer that
//! stands too long is withdrawn under the lock of the desk where it stands: either the letter comes back, and nobody
//! will ever take it, or it had been taken, and the answer is on its way. So there is no late taker, and two workers
//! that wait for each other still take what the other offers.
//!
//! Whoever gives a worker up, or passes it over because it was given up before, leaves a mark on its desk. A worker
//! sees its mark before it takes anything else, so it knows that an election went past it.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::time::Instant;

use super::sync::{Condvar, Mutex, MutexGuard};

/// The desks of all workers, by position. `L` is what workers hand over, `O` what they are ordered to do.
pub struct Desks<L, O>(Vec<Desk<L, O>>);

struct Desk<L, O> {
    content: Mutex<Content<L, O>>,
    /// Rung whenever there is something new for the owner.
    bell: Condvar,
}

struct Content<L, O> {
    /// The letters offered to the owner, at most one by each sender.
    offers: VecDeque<Offer<L>>,
    orders: VecDeque<O>,
    /// The number of the owner's latest offer; answers to earlier ones come too late.
    ticket: u64,
    /// Somebody in this election took the owner's latest offer.
    answer: Option<u64>,
    /// The latest election that went past the owner.
    mark: Option<u64>,
    /// How often the owner has attended to its desk: a sign of life.
    turns: u64,
}

struct Offer<L> {
    from: usize,
    ticket: u64,
    letter: L,
}

/// What a worker finds on its desk.
#[derive(Debug, PartialEq, Eq)]
pub enum Find<L, O> {
    /// It is to do something.
    Order(O),
    /// An election with this number went past it.
    Mark(u64),
    /// Its offer was taken by somebody who is in this election.
    Answer(u64),
    /// A letter, now its own; the sender knows.
    Letter {
        /// Who handed it over.
        from: usize,
        /// What was handed over.
        letter: L,
    },
    /// Nothing, and the time is up.
    Nothing,
}

/// A letter that came back.
#[derive(Debug, PartialEq, Eq)]
pub struct Returned<L> {
    /// What was offered in vain.
    pub letter: L,
    /// How often the neighbour had attended to its desk by then.
    pub turns: u64,
}

impl<L, O> Desks<L, O> {
    /// So many empty desks.
    pub fn new(count: usize) -> Self {
        let empty = || Content {
            offers: VecDeque::new(),
            orders: VecDeque::new(),
            ticket: 0,
            answer: None,
            mark: None,
            turns: 0,
        };
        Self((0..count).map(|_| Desk { content: Mutex::new(empty()), bell: Condvar::new() }).collect())
    }

    /// Offers a letter. The sender's earlier offer must have been answered, withdrawn or given up.
    pub fn offer(&self, from: usize, to: usize, letter: L) {
        let ticket = {
            let mut own = self.content(from);
            own.answer = None;
            own.ticket += 1;
            own.ticket
        };
        self.content(to).offers.push_back(Offer { from, ticket, letter });
        self.0[to].bell.notify_one();
    }

    /// Takes an offer back, unless it had been taken.
    pub fn withdraw(&self, from: usize, to: usize) -> Option<L> {
        self.content(to).remove(from)
    }

    /// Takes an offer back because the neighbour let it stand too long, and leaves a mark; unless it had been taken.
    pub fn give_up(&self, from: usize, to: usize, election: u64) -> Option<Returned<L>> {
        let mut theirs = self.content(to);
        let letter = theirs.remove(from)?;
        theirs.pass_over(election);
        Some(Returned { letter, turns: theirs.turns })
    }

    /// Passes over a worker that was given up, and leaves a mark; unless it has attended to its desk since.
    pub fn pass_over(&self, over: usize, turns: u64, election: u64) -> bool {
        let mut theirs = self.content(over);
        let silent = theirs.turns == turns;
        if silent {
            theirs.pass_over(election);
        }
        silent
    }

    /// Orders a worker to do something.
    pub fn order(&self, to: usize, order: O) {
        self.content(to).orders.push_back(order);
        self.0[to].bell.notify_one();
    }

    /// Sweeps away what a worker that is gone was ordered to do. Its mark stays: whoever comes back must see it.
    pub fn sweep(&self, of: usize) {
        let orders = std::mem::take(&mut self.content(of).orders);
        drop(orders);
    }

    /// Whether a worker has a mark that it has not seen yet.
    pub fn has_mark(&self, of: usize) -> bool {
        self.content(of).mark.is_some()
    }

    /// Waits at the own desk until there is something, or until the time is up. Orders come first, then the mark.
    ///
    /// Who takes a letter tells the sender which election it is in.
    pub fn attend(&self, own: usize, election: u64, until: Option<Instant>) -> Find<L, O> {
        let mut content = self.content(own);
        content.turns += 1;
        loop {
            if let Some(order) = content.orders.pop_front() {
                return Find::Order(order);
            }
            if let Some(election) = content.mark.take() {
                return Find::Mark(election);
            }
            if let Some(election) = content.answer.take() {
                return Find::Answer(election);
            }
            if let Some(Offer { from, ticket, letter }) = content.offers.pop_front() {
                drop(content);
                self.answer(from, ticket, election);
                return Find::Letter { from, letter };
            }
            content = match self.wait(own, content, until) {
                Some(content) => content,
                None => return Find::Nothing,
            };
        }
    }

    /// Waits for orders alone: everything else stays where it is.
    pub fn doze(&self, own: usize, until: Instant) -> Option<O> {
        let mut content = self.content(own);
        loop {
            if let Some(order) = content.orders.pop_front() {
                return Some(order);
            }
            content = self.wait(own, content, Some(until))?;
        }
    }

    fn answer(&self, to: usize, ticket: u64, election: u64) {
        let mut theirs = self.content(to);
        if theirs.ticket == ticket {
            theirs.answer = Some(election);
            self.0[to].bell.notify_one();
        }
    }

    /// Waits for the bell; `None` when the time is up.
    fn wait<'a>(
        &'a self,
        own: usize,
        content: MutexGuard<'a, Content<L, O>>,
        until: Option<Instant>,
    ) -> Option<MutexGuard<'a, Content<L, O>>> {
        let bell = &self.0[own].bell;
        let Some(until) = until else {
            return Some(bell.wait(content).unwrap_or_else(PoisonError::into_inner));
        };
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        Some(bell.wait_timeout(content, left).unwrap_or_else(PoisonError::into_inner).0)
    }

    /// Nothing is ever half done under the lock, so a worker that was lost leaves a desk in order.
    fn content(&self, of: usize) -> MutexGuard<'_, Content<L, O>> {
        self.0[of].content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<L, O> Content<L, O> {
    fn remove(&mut self, from: usize) -> Option<L> {
        let place = self.offers.iter().position(|offer| offer.from == from)?;
        self.offers.remove(place).map(|offer| offer.letter)
    }

    fn pass_over(&mut self, election: u64) {
        self.mark = self.mark.max(Some(election));
    }
}
