//! The messages that a group of nodes sends.

use bellwether_core::{Port, Span};
use bellwether_net::{Node, Wiring};
use bellwether_world::Time;
use bellwether_world::host::{Count, Envelope, Fate, Tally};

use super::agenda::Latencies;
use super::group::{Dispatch, Errand};
use super::shared::{Book, Load, Shared};

/// The messages that are ready at the end of a step, their delays, and the counts.
pub(super) struct Outgoing {
    pub(super) ready: Vec<(Node, Dispatch)>,
    pub(super) delays: Latencies,
    pub(super) tally: Tally,
}

/// A message that a process has just sent, with its number.
pub(super) struct Parcel {
    pub(super) from: Node,
    pub(super) port: Port,
    pub(super) n: u64,
    pub(super) msg: Envelope,
}

impl Outgoing {
    /// Nothing yet, for a group that begins with this node.
    pub(super) fn new(shared: &Shared<'_>, first: Node) -> Self {
        Self { ready: vec![], delays: Latencies::new(shared, first), tally: Tally::new(0, Count::Messages) }
    }

    /// Makes a message ready to be sent, unless its link loses it. Returns the load that it adds.
    pub(super) fn pack(&mut self, shared: &Shared<'_>, now: Span, mut book: Option<&mut Book>, parcel: Parcel) -> Load {
        let Parcel { from, port, n, msg } = parcel;
        let (to, at) = shared.scenario.topology.far(from, port);
        self.tally.sent(from, &msg);
        let mut fate = Fate::USUAL;
        if let Some(book) = &mut book {
            book.recorder.sends(to, port, &msg, n);
            fate = book.fates.fate(Time::after(now), from, to, n);
        }
        let Fate::Arrives { slowness, late, twice, takes } = fate else {
            self.tally.lost(&msg);
            book.into_iter().for_each(|book| book.recorder.loses());
            return Load::default();
        };
        let mut load = Load::of_message(&msg);
        if twice {
            shared.note_copy();
            self.tally.repeated(&msg);
            book.into_iter().for_each(|book| book.recorder.repeats());
            load.add(load);
            let due = self.delays.due(now, (from, port), slowness, false);
            self.ready.push((to, Dispatch { due, errand: Errand::Take { to, port: at, n, msg: msg.clone() } }));
        }
        let usual = self.delays.due(now, (from, port), slowness, late);
        let due = takes.map_or(usual, |takes| Span(now.0.saturating_add(takes.0)));
        self.ready.push((to, Dispatch { due, errand: Errand::Take { to, port: at, n, msg } }));
        load
    }
}
