//! All successors of a state.
//!
//! Nearly all moves are deliveries that change one process, send some messages and do nothing else. What such a *hop*
//! does follows from the link, its content and the receiver. So it is computed once and then looked up.

use rustc_hash::FxHashMap;

use super::{Effect, Machine, Transition};
use crate::automaton::Cause;
use crate::layout::Link;
use crate::queues::{EMPTY, Parcel};
use crate::row::Row;
use crate::sleep::{self, Asleep};
use crate::store::Successor;

/// A delivery that does nothing special.
#[derive(Clone, Copy, Debug)]
struct Hop {
    /// What is left on the link.
    tail: u32,
    /// The receiver, and its cell afterwards.
    to: u32,
    local: u32,
    /// What is sent, as a range of `Hops::sends`.
    sends: (u32, u32),
    /// Election messages sent.
    cost: u32,
}

/// All hops that were met.
#[derive(Clone, Default)]
pub(super) struct Hops {
    /// By link, content and receiver's state.
    known: FxHashMap<u64, Hop>,
    /// The places of links, and the messages sent there.
    sends: Vec<(u32, Parcel)>,
}

/// The bits for the number of a content, and for the number of a process' state.
const NUMBER: u32 = 26;

impl Hops {
    /// Their approximate size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.known.capacity() * size_of::<(u64, Hop)>() + self.sends.len() * size_of::<(u32, Parcel)>()) as u64
    }
}

impl Machine {
    /// Finds all successors of the state in the row, except by sleeping moves. Returns how many of the moves must be
    /// made some time.
    ///
    /// # Errors
    /// If a step cannot be followed.
    #[inline]
    pub fn expand(
        &mut self,
        row: &mut Row,
        asleep: Asleep,
        moves: &mut Vec<Transition>,
        successors: &mut Vec<Successor>,
        mut note: impl FnMut(Effect),
    ) -> Result<usize, String> {
        if self.hops_only && !self.is_reducing && self.extras(row.cells()).waiting == 0 {
            self.hop(row, asleep, successors, &mut note)?;
            return Ok(successors.len() + asleep.count() as usize);
        }
        moves.clear();
        let owed = self.moves(row.cells(), moves);
        for &step in &*moves {
            let by = self.number(row.cells(), step);
            if !by.is_some_and(|by| asleep.has(by)) {
                self.follow(row, step, by, successors, &mut note)?;
            }
        }
        Ok(owed)
    }

    /// Finds the successors for all outcomes of a move.
    fn follow(
        &mut self,
        row: &mut Row,
        step: Transition,
        by: Option<u8>,
        successors: &mut Vec<Successor>,
        note: &mut impl FnMut(Effect),
    ) -> Result<(), String> {
        let here = row.hash();
        for way in 0..self.ways(row.cells(), step)? {
            let moment = row.moment();
            let effect = self.apply(row, step, way)?;
            let change = row.since(moment);
            successors.push(Successor::new(effect.cost, by, change));
            row.take_back(change, here);
            note(effect);
        }
        Ok(())
    }

    /// Whether moves may sleep: only if there are no moves but starts and deliveries, each with one outcome.
    pub fn may_sleep(&self) -> bool {
        self.hops_only && !self.is_reducing && !self.randomised
    }

    /// The number of a move that may sleep. None may sleep while all initiators must start first.
    fn number(&self, cells: &[u32], step: Transition) -> Option<u8> {
        if self.plan.freedom.starts_first && self.extras(cells).waiting != 0 {
            return None;
        }
        match step {
            Transition::Start(node) => sleep::start(&self.layout, node),
            Transition::Deliver { link, .. } => sleep::delivery(link as usize),
            _ => None,
        }
    }

    /// Follows every delivery that is not asleep, where nothing else can happen.
    #[inline]
    fn hop(
        &mut self,
        row: &mut Row,
        asleep: Asleep,
        successors: &mut Vec<Successor>,
        note: &mut impl FnMut(Effect),
    ) -> Result<(), String> {
        let here = row.hash();
        let nodes = self.layout.nodes;
        for link in 0..self.layout.links.len() {
            let queue = row.cells()[nodes + link];
            let by = sleep::delivery(link);
            if queue == EMPTY || by.is_some_and(|by| asleep.has(by)) {
                continue;
            }
            let local = row.cells()[self.layout.links[link].to as usize];
            let key = (link as u64) << (2 * NUMBER) | u64::from(queue) << NUMBER | u64::from(local);
            let is_short = (queue | local) >> NUMBER == 0;
            let Some(&Hop { tail, to, local, sends: (first, end), cost }) =
                self.hops.known.get(&key).filter(|_| is_short)
            else {
                let parcel = self.queues.head(queue);
                self.follow(row, Transition::Deliver { link: link as u32, parcel, keep: false }, by, successors, note)?;
                if is_short {
                    self.remember(key, row.cells(), link, parcel)?;
                }
                continue;
            };
            let moment = row.moment();
            row.set(nodes + link, tail);
            row.set(to as usize, local);
            for &(place, parcel) in &self.hops.sends[first as usize..end as usize] {
                row.set(place as usize, self.queues.push(row.cells()[place as usize], parcel));
            }
            let change = row.since(moment);
            successors.push(Successor::new(cost, by, change));
            row.take_back(change, here);
        }
        Ok(())
    }

    /// Remembers a delivery if it is a hop.
    fn remember(&mut self, key: u64, cells: &[u32], link: usize, parcel: Parcel) -> Result<(), String> {
        let Link { to, port, .. } = self.layout.links[link];
        let (first, ways) = self.step(cells[to as usize] - 1, to, Cause::Receive(port, parcel.message()))?;
        let outcome = self.steps.outcome(first);
        if ways > 1 || !outcome.is_quiet {
            return Ok(());
        }
        let before = self.hops.sends.len() as u32;
        for &(port, message) in self.steps.sends(outcome) {
            let link = self.layout.out(to, port).expect("it was followed before");
            self.hops.sends.push((self.layout.link(link) as u32, Parcel::fresh(message)));
        }
        let sends = (before, self.hops.sends.len() as u32);
        let tail = self.queues.tail(cells[self.layout.nodes + link]);
        self.hops.known.insert(key, Hop { tail, to, local: outcome.local + 1, sends, cost: outcome.cost });
        Ok(())
    }
}
