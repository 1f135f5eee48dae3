//! Random delays of at most one unit: one message after the other, out of a calendar queue.

use bellwether_core::{Message, Port, Process, Span};
use bellwether_net::{Node, Wiring};
use bellwether_random::DelaysAhead;
use bellwether_world::{Scenario, Time, Timing};

use prefetch_index::prefetch_index;

use super::fast::{CACHE, FastEvents, FastStep, Queue, judged, prefetch};
use crate::calendar::Calendar;
use crate::unit_queue::Mail;

/// The delays of messages. They are random; on FIFO links a message never overtakes another one.
pub(super) struct DelayLaw {
    chance: Distribution,
    in_order: bool,
    /// By direction.
    links: Vec<LinkDelays>,
}

/// The distribution of delays.
#[derive(Clone, Copy)]
pub(super) enum Distribution {
    Uniform,
    Exponential,
    /// Each message takes one unit.
    None,
}

impl Distribution {
    /// The first of these delays.
    #[inline(always)]
    fn first(self, delays: DelaysAhead) -> Span {
        match self {
            Self::Uniform => delays.uniform(),
            Self::Exponential => delays.exponential(),
            Self::None => Span::UNIT,
        }
    }

    pub(super) fn of(timing: Timing) -> Self {
        match timing {
            Timing::Uniform | Timing::Reorder => Self::Uniform,
            Timing::Exponential => Self::Exponential,
            Timing::Rounds | Timing::Unit | Timing::Live(_) | Timing::Chosen(_) => Self::None,
        }
    }
}

/// One direction of a link.
#[derive(Clone, Copy)]
pub(super) struct LinkDelays {
    /// The delays from the last sent message on.
    delays: DelaysAhead,
    /// When the last sent message arrives.
    last: Span,
}

impl LinkDelays {
    /// The given directions, before anything is sent.
    pub(super) fn all(scenario: &Scenario, directions: impl Iterator<Item = usize>) -> Vec<Self> {
        let delays = bellwether_random::Delays::new(scenario.seed);
        directions.map(|direction| Self { delays: delays.in_direction(direction), last: Span(0) }).collect()
    }

    /// How long the next message takes.
    #[inline(always)]
    pub(super) fn next_delay(&mut self, chance: Distribution) -> Span {
        self.delays = self.delays.after(1);
        chance.first(self.delays)
    }

    /// The arrival of a message that would arrive at this time: not before earlier messages.
    #[inline(always)]
    pub(super) fn in_order(&mut self, time: Span) -> Span {
        self.last = time.max(self.last);
        self.last
    }
}

/// How a message travels.
#[derive(Clone, Copy)]
pub(super) struct Transit {
    /// The factor on its delay.
    pub(super) slowness: u32,
    /// Whether it takes one unit more. Then others may overtake it.
    pub(super) late: bool,
    /// Whether it is the second copy of a repeated message.
    pub(super) is_copy: bool,
    /// How long it takes, if not as long as others. Then others may overtake it, and it may overtake others.
    pub(super) takes: Option<Span>,
}

impl Transit {
    pub(super) const USUAL: Self = Self { slowness: 1, late: false, is_copy: false, takes: None };
}

impl DelayLaw {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self {
            chance: Distribution::of(scenario.timing),
            in_order: scenario.timing.is_fifo(),
            links: LinkDelays::all(scenario, 0..2 * scenario.topology.links() as usize),
        }
    }

    /// The bytes that it needs before anything is sent.
    pub(super) fn bytes(scenario: &Scenario) -> usize {
        (2 * size_of::<LinkDelays>()).saturating_mul(scenario.topology.links() as usize)
    }

    /// The arrival of a message that is sent now in this direction of a link.
    #[inline(always)]
    pub(super) fn arrival(
        &mut self,
        now: Span,
        direction: usize,
        Transit { slowness, late, is_copy, takes }: Transit,
    ) -> Span {
        const COPIES: u64 = 1 << 63;
        let link = &mut self.links[direction];
        let delay = if is_copy { self.chance.first(link.delays.after(COPIES)) } else { link.next_delay(self.chance) };
        if let Some(takes) = takes {
            return Span(now.0.saturating_add(takes.0));
        }
        let time = Span(now.0 + delay.0 * u64::from(slowness));
        if late {
            return Span(time.0 + Span::UNIT.0);
        }
        // On a FIFO link not before earlier messages.
        if self.in_order { link.in_order(time) } else { time }
    }

    /// The next message in a direction is lost. Its delay is skipped.
    pub(super) fn skip(&mut self, direction: usize) {
        let link = &mut self.links[direction];
        link.delays = link.delays.after(1);
    }
}

/// Every message has its own delay.
pub(super) struct Delayed<M> {
    delays: DelayLaw,
    calendar: Calendar<M, ()>,
}

impl<M: Message> Queue<M> for Delayed<M> {
    // Lists grow by doubling, so some of their room is unused.
    const BYTES_EACH: usize = size_of::<(Span, Mail<M, ()>)>() * 3 / 2;

    fn bytes(scenario: &Scenario) -> usize {
        DelayLaw::bytes(scenario)
    }

    fn new(scenario: &Scenario) -> Self {
        Self { delays: DelayLaw::new(scenario), calendar: Calendar::new() }
    }

    #[inline(always)]
    fn push(&mut self, now: Span, direction: usize, mail: Mail<M, ()>) {
        self.calendar.push(now, self.delays.arrival(now, direction, Transit::USUAL), mail);
    }

    fn go_on_until<P: Process<Msg = M>, W: Wiring + Copy>(engine: &mut FastEvents<'_, P, W, Self>, pause: u64) {
        let FastEvents { wiring, processes, now, queue, choices, tally: kept, judge, mirror, .. } = engine;
        let (wiring, processes) = (*wiring, &mut processes[..]);
        let is_large = size_of_val(processes) > CACHE;
        let mut tally = std::mem::take(kept);
        tally.note_peak::<M>(0);
        while tally.events < pause {
            if queue.calendar.is_read() {
                queue.calendar.turn_page(|node: Node| {
                    if is_large {
                        prefetch(processes, node);
                        prefetch_index(&queue.delays.links, wiring.direction(node, Port(0)));
                    }
                });
            }
            let Some((time, Mail { to, port, msg, .. })) = queue.calendar.pop() else { break };
            // On a FIFO link many messages arrive together. A branch on that would be mispredicted.
            if mirror.is_watching() && time > *now {
                mirror.look(Time::after(*now), processes);
            }
            *now = time;
            tally.events += 1;
            tally.received_some(1);
            let process = &mut processes[to as usize];
            let before = process.status();
            let send = |direction, letter| queue.push(time, direction, letter);
            let mut step = FastStep { node: to, sent: 0, wiring, send, tally: &mut tally, choices };
            process.receive(port, msg, &mut step);
            // A process that sends one message for each one received does not raise the number under way.
            if step.sent > 1 {
                tally.note_peak::<M>(0);
            }
            if before.is_decided() || process.status().is_decided() {
                judged(judge, time, to, before, process.status());
            }
        }
        *kept = tally;
    }
}
