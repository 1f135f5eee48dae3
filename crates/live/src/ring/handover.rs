//! The hand-over: a letter changes its owner exactly once, or not at all.
//!
//! Every worker has a desk, and waits only at its own desk. A sender puts its offer on the neighbour's desk and goes on
//! with its own desk. The neighbour takes the offer and puts an answer on the sender's desk. An offer that waits too
//! long is withdrawn, under the lock of the neighbour's desk. Then there are two cases. The letter comes back and can
//! never be taken; or it was taken before, and the answer is on its way. So no offer is taken late. And two workers
//! that wait for each other still take each other's offers.
//!
//! A worker that gives another one up, or passes it over because it was given up before, leaves a mark on its desk.
//! Each worker sees its mark before it takes anything else. So it knows that an election went past it.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::time::Instant;

use super::sync::{Condvar, Mutex, MutexGuard};

/// The desks of all workers, by position. `L` is the type of letters, `O` the type of orders.
pub struct Desks<L, O>(Vec<Desk<L, O>>);

struct Desk<L, O> {
    content: Mutex<Content<L, O>>,
    /// Signalled when there is something new for the owner.
    bell: Condvar,
}

struct Content<L, O> {
    /// The letters offered to the owner, at most one from each sender.
    offers: VecDeque<Offer<L>>,
    orders: VecDeque<O>,
    /// The number of the owner's latest offer. Answers to earlier offers come too late.
    ticket: u64,
    /// The owner's latest offer was taken by a worker in this election.
    answer: Option<u64>,
    /// The latest election that went past the owner.
    mark: Option<u64>,
    /// Whether an answer should wake the owner up, because it has more to hand over.
    eager: bool,
    /// How often the owner has looked at its desk: a sign of life.
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
    /// An order.
    Order(O),
    /// An election with this number went past it.
    Mark(u64),
    /// Its offer was taken by a worker in this election.
    Answer(u64),
    /// A letter, which it now owns. The sender is told.
    Letter {
        /// The sender.
        from: usize,
        /// The letter.
        letter: L,
    },
    /// Nothing, and the time is up.
    Nothing,
}

/// A letter that came back.
#[derive(Debug, PartialEq, Eq)]
pub struct Returned<L> {
    /// The letter that was not taken.
    pub letter: L,
    /// How often the neighbour had looked at its desk by then.
    pub turns: u64,
}

impl<L, O> Desks<L, O> {
    /// This many empty desks.
    pub fn new(count: usize) -> Self {
        let empty = || Content {
            offers: VecDeque::new(),
            orders: VecDeque::new(),
            ticket: 0,
            answer: None,
            mark: None,
            eager: false,
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

    /// Takes an offer back, unless it was taken before.
    pub fn withdraw(&self, from: usize, to: usize) -> Option<L> {
        self.content(to).remove(from)
    }

    /// Takes an offer back because it waited too long, and leaves a mark; unless it was taken before.
    pub fn give_up(&self, from: usize, to: usize, election: u64) -> Option<Returned<L>> {
        let mut theirs = self.content(to);
        let letter = theirs.remove(from)?;
        theirs.pass_over(election);
        Some(Returned { letter, turns: theirs.turns })
    }

    /// Passes over a worker that was given up, and leaves a mark; unless it has looked at its desk since.
    pub fn pass_over(&self, over: usize, turns: u64, election: u64) -> bool {
        let mut theirs = self.content(over);
        let silent = theirs.turns == turns;
        if silent {
            theirs.pass_over(election);
        }
        silent
    }

    /// Gives a worker an order.
    pub fn order(&self, to: usize, order: O) {
        self.content(to).orders.push_back(order);
        self.0[to].bell.notify_one();
    }

    /// Removes the orders of a worker that is gone. Its mark stays: the worker must see it when it comes back.
    pub fn sweep(&self, of: usize) {
        let orders = std::mem::take(&mut self.content(of).orders);
        drop(orders);
    }

    /// Whether a worker has a mark that it has not seen yet.
    pub fn has_mark(&self, of: usize) -> bool {
        self.content(of).mark.is_some()
    }

    /// Waits at its own desk until there is something, or until the time is up. Orders come first, then the mark.
    ///
    /// When a worker takes a letter, the sender is told the worker's election. A sender that is not `eager` is not
    /// woken up by an answer: that would cost as much as the hand-over. It finds the answer when something else wakes
    /// it up, or when the time is up.
    pub fn attend(&self, own: usize, election: u64, eager: bool, until: Option<Instant>) -> Find<L, O> {
        let mut content = self.content(own);
        content.turns += 1;
        content.eager = eager;
        let mut is_over = false;
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
            if is_over {
                return Find::Nothing;
            }
            (content, is_over) = self.wait(own, content, until);
        }
    }

    /// Waits for orders only. Everything else stays on the desk.
    pub fn doze(&self, own: usize, until: Instant) -> Option<O> {
        let mut content = self.content(own);
        let mut is_over = false;
        loop {
            if let Some(order) = content.orders.pop_front() {
                return Some(order);
            }
            if is_over {
                return None;
            }
            (content, is_over) = self.wait(own, content, Some(until));
        }
    }

    fn answer(&self, to: usize, ticket: u64, election: u64) {
        let mut theirs = self.content(to);
        if theirs.ticket == ticket {
            theirs.answer = Some(election);
            if theirs.eager {
                self.0[to].bell.notify_one();
            }
        }
    }

    /// Waits for the signal, and says whether the time is up.
    fn wait<'a>(
        &'a self,
        own: usize,
        content: MutexGuard<'a, Content<L, O>>,
        until: Option<Instant>,
    ) -> (MutexGuard<'a, Content<L, O>>, bool) {
        let bell = &self.0[own].bell;
        let Some(until) = until else {
            return (bell.wait(content).unwrap_or_else(PoisonError::into_inner), false);
        };
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return (content, true);
        }
        (bell.wait_timeout(content, left).unwrap_or_else(PoisonError::into_inner).0, false)
    }

    /// Every change under the lock is complete, so a worker that panics leaves its desk in order.
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
