//! Slow disks: what a process saves takes time, and its messages wait for that.
//!
//! A process goes on while it saves. What it sends leaves when all that it saved before is on disk. It counts as a
//! leader only then, too. A crash loses what is not on disk yet, and the messages that wait.

use std::collections::{BTreeMap, VecDeque};

use bellwether_core::{Change, Span, Status};
use bellwether_net::Node;
use bellwether_world::host::{Actor, Envelope};
use bellwether_world::{Fault, Scenario};

use super::Stamp;
use super::delayed::Transit;
use crate::unit_queue::Mail;

/// A message with its link and the way that it travels.
pub(super) type Letter = (usize, Transit, Mail<Envelope, Stamp>);

/// The disks of a run.
pub(super) struct Disks {
    /// How long a write takes, by node. Other disks take no time.
    slow: BTreeMap<Node, Span>,
    /// The nodes whose disks are writing.
    writing: BTreeMap<Node, Writing>,
}

/// A disk that is writing.
struct Writing {
    /// The process whose disk part is on disk.
    saved: Box<dyn Actor>,
    /// The writes under way, one after the other: when each is done, and the process whose disk part it saves.
    writes: VecDeque<(Span, Box<dyn Actor>)>,
    /// The messages that wait, in order, each with the time when it leaves.
    letters: VecDeque<(Span, Letter)>,
    /// If it has become leader: when that counts.
    leads: Option<Span>,
}

/// What is over when a write is done.
pub(super) struct Done {
    pub(super) node: Node,
    /// The messages that leave.
    pub(super) letters: Vec<Letter>,
    /// Whether the process counts as a leader from now on.
    pub(super) leads: bool,
}

impl Disks {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let slow = scenario.faults.iter().filter_map(|fault| match *fault {
            Fault::Disk(node, takes) => Some((node, takes)),
            _ => None,
        });
        Self { slow: slow.collect(), writing: BTreeMap::new() }
    }

    #[inline]
    pub(super) fn is_slow(&self, node: Node) -> bool {
        !self.slow.is_empty() && self.slow.contains_key(&node)
    }

    /// A process with a slow disk has taken a step, and sends these messages. Returns those that leave at once, and the
    /// change that counts now.
    pub(super) fn step(
        &mut self,
        now: Span,
        node: Node,
        (before, after): (Box<dyn Actor>, &dyn Actor),
        mut change: Change,
        letters: Vec<Letter>,
    ) -> (Vec<Letter>, Change) {
        let takes = self.slow.get(&node).copied().unwrap_or_default();
        if !after.has_disk_of(&*before) {
            let fresh = || Writing { saved: before, writes: VecDeque::new(), letters: VecDeque::new(), leads: None };
            let writing = self.writing.entry(node).or_insert_with(fresh);
            let begins = writing.writes.back().map_or(now, |(done, _)| *done);
            writing.writes.push_back((Span(begins.0.saturating_add(takes.0)), after.copy()));
        }
        let Some(writing) = self.writing.get_mut(&node) else { return (letters, change) };
        let done = writing.writes.back().map_or(now, |(done, _)| *done);
        writing.letters.extend(letters.into_iter().map(|letter| (done, letter)));
        if writing.leads.is_some() {
            change.before.status = Status::Undecided;
        }
        if change.after.status == Status::Leader && change.before.status != Status::Leader {
            writing.leads.get_or_insert(done);
            change.after.status = change.before.status;
        } else {
            writing.leads = None;
        }
        (vec![], change)
    }

    /// When the next write is done.
    #[inline]
    pub(super) fn next_time(&self) -> Option<Span> {
        if self.writing.is_empty() {
            return None;
        }
        self.writing.values().filter_map(|writing| Some(writing.writes.front()?.0)).min()
    }

    /// The next write that is done by this time.
    pub(super) fn finish(&mut self, now: Span) -> Option<Done> {
        let is_done = |writing: &Writing| writing.writes.front().is_some_and(|(done, _)| *done <= now);
        let (&node, writing) = self.writing.iter_mut().find(|(_, writing)| is_done(writing))?;
        if let Some((_, process)) = writing.writes.pop_front() {
            writing.saved = process;
        }
        let leaving = writing.letters.partition_point(|(leaves, _)| *leaves <= now);
        let letters = writing.letters.drain(..leaving).map(|(_, letter)| letter).collect();
        let leads = writing.leads.take_if(|counts| *counts <= now).is_some();
        if writing.writes.is_empty() {
            self.writing.remove(&node);
        }
        Some(Done { node, letters, leads })
    }

    /// A process crashes. If its disk was writing: the process as it is on disk, the messages that were waiting, and
    /// whether it had become leader without counting as one.
    pub(super) fn crash(&mut self, node: Node) -> Option<(Box<dyn Actor>, Vec<Letter>, bool)> {
        let Writing { saved, letters, leads, .. } = self.writing.remove(&node)?;
        Some((saved, letters.into_iter().map(|(_, letter)| letter).collect(), leads.is_some()))
    }
}
