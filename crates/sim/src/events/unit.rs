//! Unit delays: instant by instant, block by block. One loop holds all that a delivery touches besides its process, so
//! the compiler can keep it in registers.

use bellwether_core::{Message, Process, Span, TopologyKind};
use bellwether_net::Wiring;
use bellwether_random::Choices;
use bellwether_world::host::Tally;
use bellwether_world::{Scenario, Time};

use super::fast::{CACHE, FastEvents, FastStep, Queue, judged, prefetch};
use crate::unit_queue::{Block, IdleBlocks, Instant, Mail, UnitQueue};

/// The prefetch distance: the receiver of the message this many places ahead is prefetched.
const AHEAD: usize = 32;

/// Every message takes one unit.
pub(super) struct Unit<M> {
    mail: UnitQueue<M, ()>,
    /// An empty block.
    block: Block<M, ()>,
}

impl<M: Message> Queue<M> for Unit<M> {
    const BYTES_EACH: usize = UnitQueue::<M, ()>::BYTES_EACH;

    fn bytes(_: &Scenario) -> usize {
        0
    }

    fn new(_: &Scenario) -> Self {
        Self { mail: UnitQueue::new(), block: Vec::new() }
    }

    fn push(&mut self, _: Span, _: usize, mail: Mail<M, ()>) {
        self.mail.push(mail);
    }

    fn go_on_until<P: Process<Msg = M>, W: Wiring + Copy>(engine: &mut FastEvents<'_, P, W, Self>, pause: u64) {
        let FastEvents {
            wiring, processes, now, queue: Self { mail, block }, choices, tally: kept, judge, mirror, ..
        } = engine;
        let (wiring, processes) = (*wiring, &mut processes[..]);
        let is_large = size_of_val(processes) > CACHE;
        let mut tally = std::mem::take(kept);
        let mut outbox = std::mem::replace(&mut mail.outbox, Instant::new());
        tally.note_peak::<M>(0);
        while tally.events < pause && !(mail.present.is_empty() && outbox.is_empty()) {
            let most = (pause - tally.events) as usize;
            if mail.present.is_empty() {
                mirror.look(Time::after(*now), processes);
                now.0 += Span::UNIT.0;
            }
            if !mail.present.is_empty() || !outbox.swap(block, most) {
                outbox = next_block(mail, outbox, block, most);
            }
            tally.events += block.len() as u64;
            tally.received_some(block.len() as u64);
            let mut arrivals = block.drain(..);
            while let Some(Mail { to, port, msg, .. }) = arrivals.next() {
                if is_large && let Some(soon) = arrivals.as_slice().get(AHEAD) {
                    prefetch(processes, soon.to);
                }
                let process = &mut processes[to as usize];
                let before = process.status();
                if before.is_decided() {
                    let left = arrivals.len() as u64;
                    let letter = Mail { to, port, stamp: (), msg };
                    (outbox, tally) = late(process, letter, left, (outbox, tally), (wiring, choices), &mut mail.idle);
                    judged(judge, *now, to, before, process.status());
                    continue;
                }
                let send = |_, letter| post::<P, W>(&mut outbox, letter, &mut mail.idle);
                let mut step = FastStep { node: to, sent: 0, wiring, send, tally: &mut tally, choices };
                process.receive(port, msg, &mut step);
                // A process that sends one message for each one received does not raise the number under way.
                if step.sent > 1 {
                    tally.note_peak::<M>(arrivals.len() as u64);
                }
                if process.status().is_decided() {
                    judged(judge, *now, to, before, process.status());
                }
            }
        }
        (*kept, mail.outbox) = (tally, outbox);
    }
}

/// Whether all processes send clockwise on a ring.
const fn is_clockwise<P: Process, W: Wiring>() -> bool {
    W::IS_RING && matches!(P::INFO.topology, TopologyKind::OneWayRing)
}

/// Puts a letter into the outbox.
#[inline(always)]
fn post<P: Process, W: Wiring>(
    outbox: &mut Instant<P::Msg, ()>,
    letter: Mail<P::Msg, ()>,
    idle: &mut IdleBlocks<P::Msg, ()>,
) {
    if const { is_clockwise::<P, W>() } {
        outbox.push_clockwise(letter, idle);
    } else {
        outbox.push(letter, idle);
    }
}

/// Delivers to a process that has decided, which is rare. Instant and tally are passed by value and returned, so that
/// the loop can keep them in registers.
#[inline(never)]
fn late<P: Process, W: Wiring + Copy>(
    process: &mut P,
    Mail { to, port, msg, .. }: Mail<P::Msg, ()>,
    left: u64,
    (mut outbox, mut tally): (Instant<P::Msg, ()>, Tally),
    (wiring, choices): (W, &mut Choices),
    idle: &mut IdleBlocks<P::Msg, ()>,
) -> (Instant<P::Msg, ()>, Tally) {
    let send = |_, letter| post::<P, W>(&mut outbox, letter, idle);
    let mut step = FastStep { node: to, sent: 0, wiring, send, tally: &mut tally, choices };
    process.receive(port, msg, &mut step);
    if step.sent > 1 {
        tally.note_peak::<P::Msg>(left);
    }
    (outbox, tally)
}

/// Takes the next block, of this instant or of the next. The outbox is passed by value and returned, so that nothing
/// holds its address.
#[inline(never)]
fn next_block<M>(
    mail: &mut UnitQueue<M, ()>,
    outbox: Instant<M, ()>,
    block: &mut Block<M, ()>,
    most: usize,
) -> Instant<M, ()> {
    mail.outbox = outbox;
    if mail.present.is_empty() {
        mail.advance();
    }
    mail.next_block(block, most);
    std::mem::replace(&mut mail.outbox, Instant::new())
}
