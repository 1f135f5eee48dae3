//! Random delays, none longer than a unit: one message after the other, out of a calendar.

use std::hint::black_box;

use bellwether_core::{Message, Port, Process, Span};
use bellwether_world::{Node, Scenario, Time, Timing, Wiring, random};

use super::calm::{CACHE, Engine, Queue, Step, judged, touch};
use crate::calendar::Calendar;
use crate::instants::Mail;

/// How long messages take: as chance will have it, and on links in order never so short that one overtakes another.
pub(super) struct Delays {
    timing: Timing,
    chance: random::Delays,
    /// By direction.
    links: Vec<Link>,
}

/// A direction of a link.
#[derive(Clone, Copy, Default)]
struct Link {
    /// How many messages were sent.
    sent: u64,
    /// When the last of them arrives.
    last: Span,
}

impl Delays {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self {
            timing: scenario.timing,
            chance: random::Delays::new(scenario.seed),
            links: vec![Link::default(); 2 * scenario.topology.links() as usize],
        }
    }

    /// The bytes that it needs before anything is sent.
    pub(super) fn bytes(scenario: &Scenario) -> usize {
        2 * scenario.topology.links() as usize * size_of::<Link>()
    }

    /// How long the next message in a direction takes if nothing holds it up.
    #[inline]
    pub(super) fn draw(&mut self, direction: usize) -> Span {
        self.skip(direction);
        self.of(direction, self.links[direction].sent)
    }

    /// How long a copy of the next message takes, which changes nothing for those after it.
    pub(super) fn draw_copy(&mut self, direction: usize) -> Span {
        const COPIES: u64 = 1 << 63;
        self.of(direction, self.links[direction].sent + COPIES)
    }

    #[inline]
    fn of(&self, direction: usize, number: u64) -> Span {
        match self.timing {
            Timing::Uniform | Timing::Reorder => self.chance.uniform(direction, number),
            Timing::Rounds | Timing::Unit | Timing::Live(_) | Timing::Chosen(_) => Span::UNIT,
            Timing::Exponential => self.chance.exponential(direction, number),
        }
    }

    /// The next message in a direction is sent: nobody may ask how long it takes, if it is lost.
    #[inline]
    pub(super) fn skip(&mut self, direction: usize) {
        self.links[direction].sent += 1;
    }

    /// When a message arrives that would at this time: on a link in order not before what was sent before.
    #[inline]
    pub(super) fn keep_order(&mut self, direction: usize, time: Span) -> Span {
        if !self.timing.is_fifo() {
            return time;
        }
        let last = &mut self.links[direction].last;
        *last = time.max(*last);
        *last
    }
}

/// Every message has a delay of its own.
pub(super) struct Delayed<M> {
    delays: Delays,
    calendar: Calendar<M, ()>,
}

impl<M: Message> Queue<M> for Delayed<M> {
    const EACH: usize = size_of::<(Span, Mail<M, ()>)>();

    fn bytes(scenario: &Scenario) -> usize {
        Delays::bytes(scenario)
    }

    fn new(scenario: &Scenario) -> Self {
        Self { delays: Delays::new(scenario), calendar: Calendar::new() }
    }

    #[inline(always)]
    fn push(&mut self, now: Span, direction: usize, mail: Mail<M, ()>) {
        let delay = self.delays.draw(direction);
        self.calendar.push(self.delays.keep_order(direction, Span(now.0 + delay.0)), mail);
    }

    fn go_on_until<P: Process<Msg = M>, W: Wiring + Copy>(engine: &mut Engine<'_, P, W, Self>, pause: u64) {
        let Engine { wiring, processes, now, queue, choices, tally, judge, mirror, .. } = engine;
        let (wiring, processes) = (*wiring, &mut processes[..]);
        let is_large = size_of_val(processes) > CACHE;
        tally.note_peak::<M>(0);
        while tally.events < pause {
            // A look at what is touched soon: these loads do not wait for each other, and then it is in the cache.
            let soon = |node: Node| {
                if is_large {
                    touch(&processes[node as usize]);
                    black_box(queue.delays.links.get(wiring.direction(node, Port(0))).copied());
                }
            };
            let Some((time, Mail { to, port, msg, .. })) = queue.calendar.pop(soon) else { break };
            if time > *now {
                mirror.look(Time::after(*now), processes);
                *now = time;
            }
            tally.events += 1;
            tally.received_some(1);
            let process = &mut processes[to as usize];
            let before = process.status();
            let send = |direction, letter| queue.push(time, direction, letter);
            let mut step = Step { node: to, sent: 0, wiring, send, tally, choices };
            process.receive(port, msg, &mut step);
            // Who sends one message for one received brings no more under way than there were.
            if step.sent > 1 {
                tally.note_peak::<M>(0);
            }
            if before.is_decided() || process.status().is_decided() {
                judged(judge, time, to, before, process.status());
            }
        }
    }
}
