//! Random delays, none longer than a unit: one message after the other, out of a calendar.

use bellwether_core::{Message, Port, Process, Span};
use bellwether_world::random::{self, DelaysAhead};
use bellwether_world::{Node, Scenario, Time, Timing, Wiring};

use prefetch_index::prefetch_index;

use super::fast::{CACHE, Engine, Queue, Step, judged, prefetch};
use crate::calendar::Calendar;
use crate::unit_queue::Mail;

/// How long messages take: as chance will have it, and on links in order never so short that one overtakes another.
pub(super) struct Delays {
    chance: Chance,
    in_order: bool,
    /// By direction.
    links: Vec<Link>,
}

/// How delays are spread.
#[derive(Clone, Copy)]
pub(super) enum Chance {
    Uniform,
    Exponential,
    /// Each takes a unit.
    None,
}

impl Chance {
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

/// A direction of a link.
#[derive(Clone, Copy)]
pub(super) struct Link {
    /// From the last message on that was sent.
    delays: DelaysAhead,
    /// When the last of them arrives.
    last: Span,
}

impl Link {
    /// These directions, before anything is sent.
    pub(super) fn all(scenario: &Scenario, directions: impl Iterator<Item = usize>) -> Vec<Self> {
        let delays = random::Delays::new(scenario.seed);
        directions.map(|direction| Self { delays: delays.in_direction(direction), last: Span(0) }).collect()
    }

    /// How long the next message takes.
    #[inline(always)]
    pub(super) fn next_delay(&mut self, chance: Chance) -> Span {
        self.delays = self.delays.after(1);
        chance.first(self.delays)
    }

    /// When a message arrives that would at this time: not before what was sent before.
    #[inline(always)]
    pub(super) fn in_order(&mut self, time: Span) -> Span {
        self.last = time.max(self.last);
        self.last
    }
}

/// How a message travels.
#[derive(Clone, Copy)]
pub(super) struct Transit {
    /// How many times as long as usual it takes.
    pub(super) slowness: u32,
    /// Whether it takes a unit more, and others may overtake it.
    pub(super) late: bool,
    /// Whether it goes beside another one that says the same.
    pub(super) is_copy: bool,
}

impl Transit {
    pub(super) const USUAL: Self = Self { slowness: 1, late: false, is_copy: false };
}

impl Delays {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self {
            chance: Chance::of(scenario.timing),
            in_order: scenario.timing.is_fifo(),
            links: Link::all(scenario, 0..2 * scenario.topology.links() as usize),
        }
    }

    /// The bytes that it needs before anything is sent.
    pub(super) fn bytes(scenario: &Scenario) -> usize {
        2 * scenario.topology.links() as usize * size_of::<Link>()
    }

    /// When a message arrives that is sent now in this direction of a link.
    #[inline(always)]
    pub(super) fn arrival(
        &mut self,
        now: Span,
        direction: usize,
        Transit { slowness, late, is_copy }: Transit,
    ) -> Span {
        const COPIES: u64 = 1 << 63;
        let link = &mut self.links[direction];
        let delay = if is_copy { self.chance.first(link.delays.after(COPIES)) } else { link.next_delay(self.chance) };
        let time = Span(now.0 + delay.0 * u64::from(slowness));
        if late {
            return Span(time.0 + Span::UNIT.0);
        }
        // On a link in order not before what was sent before.
        if self.in_order { link.in_order(time) } else { time }
    }

    /// The next message in a direction is lost: nobody asks how long it takes.
    pub(super) fn skip(&mut self, direction: usize) {
        let link = &mut self.links[direction];
        link.delays = link.delays.after(1);
    }
}

/// Every message has a delay of its own.
pub(super) struct Delayed<M> {
    delays: Delays,
    calendar: Calendar<M, ()>,
}

impl<M: Message> Queue<M> for Delayed<M> {
    // Lists that grow by doubling have some room to spare.
    const BYTES_EACH: usize = size_of::<(Span, Mail<M, ()>)>() * 3 / 2;

    fn bytes(scenario: &Scenario) -> usize {
        Delays::bytes(scenario)
    }

    fn new(scenario: &Scenario) -> Self {
        Self { delays: Delays::new(scenario), calendar: Calendar::new() }
    }

    #[inline(always)]
    fn push(&mut self, now: Span, direction: usize, mail: Mail<M, ()>) {
        self.calendar.push(now, self.delays.arrival(now, direction, Transit::USUAL), mail);
    }

    fn go_on_until<P: Process<Msg = M>, W: Wiring + Copy>(engine: &mut Engine<'_, P, W, Self>, pause: u64) {
        let Engine { wiring, processes, now, queue, choices, tally: kept, judge, mirror, .. } = engine;
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
            // On a link in order many arrive together: whether this one does is not worth a guess of the processor's.
            if mirror.is_watching() && time > *now {
                mirror.look(Time::after(*now), processes);
            }
            *now = time;
            tally.events += 1;
            tally.received_some(1);
            let process = &mut processes[to as usize];
            let before = process.status();
            let send = |direction, letter| queue.push(time, direction, letter);
            let mut step = Step { node: to, sent: 0, wiring, send, tally: &mut tally, choices };
            process.receive(port, msg, &mut step);
            // Who sends one message for one received brings no more under way than there were.
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
