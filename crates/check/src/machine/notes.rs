//! On unreliable links, a process that collects messages hears at once all that it needs.
//!
//! An algorithm tells which messages a process only [notes](bellwether_core::Process::notes) until it has enough of
//! them. A message on such a link can come later just as well. So the process hears nothing until there is enough, and
//! then one message after the other. No state in which it has heard only some of them is searched.
//!
//! Take any schedule, and let each note come as late as it may: just before the message that completes it, or never.
//! All else that happens is the same. So whatever goes wrong at once goes wrong in a schedule that is followed. A
//! leader can still come from the states that are left out, too. Follow there the schedule that brings one from the
//! state without the notes. If they complete something early, the state after that is one that is searched.

use std::collections::VecDeque;
use std::sync::Arc;

use bellwether_net::Node;
use rustc_hash::FxHashMap;

use super::{Machine, Transition};
use crate::automaton::Cause;
use crate::layout::Link;
use crate::queues::{EMPTY, Parcel};

/// By node, its state, and the contents of the links to it: the ways in which it hears enough.
pub(super) type Gatherings = FxHashMap<(Node, u32, Box<[u32]>), Arc<[Box<[Transition]>]>>;

impl Machine {
    fn gathers(&self, cells: &[u32]) -> bool {
        self.answers_at_once() && self.extras(cells).waiting == 0
    }

    /// Whether a message arrives of a kind that comes only when there is [enough](Self::gatherings).
    pub fn is_note(&self, cells: &[u32], step: Transition) -> bool {
        let Transition::Deliver { link, parcel, .. } = step else { return false };
        let to = self.layout.links[link as usize].to as usize;
        self.gathers(cells) && self.automaton().notes(cells[to] - 1, parcel.message())
    }

    /// The shortest ways in which a process hears enough, one for each result. In each, the last message completes its
    /// notes.
    ///
    /// # Errors
    /// If a step cannot be followed.
    pub fn gatherings(&mut self, cells: &[u32], node: Node) -> Result<Arc<[Box<[Transition]>]>, String> {
        if !self.gathers(cells) {
            return Ok(Arc::default());
        }
        let contents = self.layout.into[node as usize].iter().map(|link| self.queue(cells, *link)).collect();
        let key = (node, cells[node as usize] - 1, contents);
        if let Some(known) = self.memory.gatherings.get(&key) {
            return Ok(Arc::clone(known));
        }
        let found: Arc<[_]> = self.gather(key.0, key.1, &key.2)?.into();
        self.memory.gatherings.insert(key, Arc::clone(&found));
        Ok(found)
    }

    #[cold]
    fn gather(&mut self, node: Node, local: u32, contents: &[u32]) -> Result<Vec<Box<[Transition]>>, String> {
        let mut notes: Vec<(u32, Parcel)> = vec![];
        for (place, &queue) in contents.iter().enumerate().filter(|(_, queue)| **queue != EMPTY) {
            let link = self.layout.into[node as usize][place];
            let mut parcels = self.queues.content(queue).to_vec();
            parcels.retain(|parcel| self.automaton().notes(local, parcel.message()));
            parcels.sort_by(|a, b| self.automaton().compare_messages(a.message(), b.message()));
            notes.extend(parcels.into_iter().map(|parcel| (link, parcel)));
        }
        let (mut found, mut results) = (vec![], vec![]);
        // What was heard, the state after that, and the place of the next message: the order does not matter.
        let mut open: VecDeque<(Vec<Transition>, u32, usize)> = [(vec![], local, 0)].into();
        while let Some((heard, local, next)) = open.pop_front() {
            for (place, &(link, parcel)) in notes.iter().enumerate().skip(next) {
                let Link { port, .. } = self.layout.links[link as usize];
                let act = Cause::Receive(port, parcel.message());
                self.follow_images(node, local, act)?;
                let (outcome, _) = self.step(local, node, act)?;
                let outcome = self.steps.outcome(outcome);
                let sends = self.steps.sends(outcome);
                let step = Transition::Deliver { link, parcel, keep: false };
                let heard = heard.iter().copied().chain([step]);
                if outcome.is_quiet && sends.is_empty() {
                    if outcome.local != local {
                        open.push_back((heard.collect(), outcome.local, place + 1));
                    }
                    continue;
                }
                let result = (outcome.local, sends.to_vec(), outcome.timers.clone());
                if !results.contains(&result) {
                    results.push(result);
                    found.push(heard.collect());
                }
            }
        }
        Ok(found)
    }
}
