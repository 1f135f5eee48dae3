//! All states to which one move leads.
//!
//! Nearly all moves are deliveries after which one process has changed, some messages are under way and nothing else has
//! happened. What such a *hop* does follows from the link, its content and the receiver, so it is looked up at once.

use rustc_hash::FxHashMap;

use super::{Effect, Machine, Move};
use crate::automaton::Act;
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
    /// What is sent, as a range of all that is.
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

/// So many bits hold the number of a content, and of a process' state.
const NUMBER: u32 = 26;

impl Hops {
    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> u64 {
        (self.known.capacity() * size_of::<(u64, Hop)>() + self.sends.len() * size_of::<(u32, Parcel)>()) as u64
    }
}

impl Machine {
    /// Finds all states to which one move leads from the one in the row, but for moves that are asleep, and tells how
    /// many of the moves must be made some time.
    ///
    /// # Errors
    /// If a step cannot be followed.
    #[inline]
    pub fn expand(
        &mut self,
        row: &mut Row,
        asleep: Asleep,
        moves: &mut Vec<Move>,
        successors: &mut Vec<Successor>,
        mut note: impl FnMut(Effect),
    ) -> Result<usize, String> {
        if self.hops_only && !self.is_reducing && self.rest(row.cells()).waiting == 0 {
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

    /// All ways in which a move may go.
    fn follow(
        &mut self,
        row: &mut Row,
        step: Move,
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

    /// Whether moves may sleep: where there are only starts and deliveries, and each goes one way.
    pub fn may_sleep(&self) -> bool {
        self.hops_only && !self.is_reducing && !self.randomised
    }

    /// The number of a move that may sleep. While all must start, everything waits for that.
    fn number(&self, cells: &[u32], step: Move) -> Option<u8> {
        if self.plan.starts_first && self.rest(cells).waiting != 0 {
            return None;
        }
        match step {
            Move::Start(node) => sleep::start(&self.layout, node),
            Move::Deliver { link, .. } => sleep::delivery(link as usize),
            _ => None,
        }
    }

    /// Every delivery that is not asleep, where nothing else can happen.
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
                self.follow(row, Move::Deliver { link: link as u32, parcel, keep: false }, by, successors, note)?;
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
        let (first, ways) = self.step(cells, to, Act::Receive(port, parcel.message()))?;
        let deed = self.steps.deed(first);
        if ways > 1 || !deed.is_quiet {
            return Ok(());
        }
        let before = self.hops.sends.len() as u32;
        for &(port, message) in self.steps.sends(deed) {
            let link = self.layout.out(to, port).expect("it was followed before");
            self.hops.sends.push((self.layout.link(link) as u32, Parcel::fresh(message)));
        }
        let sends = (before, self.hops.sends.len() as u32);
        let tail = self.queues.tail(cells[self.layout.nodes + link]);
        self.hops.known.insert(key, Hop { tail, to, local: deed.local + 1, sends, cost: deed.cost });
        Ok(())
    }
}
