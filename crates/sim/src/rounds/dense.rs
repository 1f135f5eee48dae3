//! Rounds in which all that arrives stands in registers: strips of neighbouring nodes, each with a thread of its own.
//!
//! What a node does in such a round depends on itself and on registers that nobody writes to any more, so all may act at the
//! same time. What they leave behind is gathered in the order of the nodes: nobody can tell how many strips there were.

use bellwether_core::{Message, Round, Rounds, Status};
use bellwether_world::host::{Count, Tally};
use bellwether_world::random::Choices;
use bellwether_world::{Node, Scenario, Wiring};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::calm::{Air, Stepped, step};
use super::due::{Ahead, Reason, take};
use super::registers::{Register, heard};
use crate::instants::Mail;

/// A strip of fewer nodes is done before a thread has begun.
const NARROW: usize = 1 << 14;

/// Neighbouring nodes in one round.
pub(super) struct Strip<'a, R: Rounds, G> {
    pub(super) processes: &'a mut [R],
    pub(super) awake: &'a mut [bool],
    /// What everybody told all its neighbours in the round before.
    pub(super) read: &'a [G],
    /// What these tell all their neighbours now; empty if nobody uses a register in this round.
    pub(super) written: &'a mut [G],
    /// Who of these may have something to do.
    pub(super) due: &'a [(Node, Reason)],
}

/// What the nodes of a strip leave behind.
pub(super) struct Deeds<W, M> {
    pub(super) air: Air<W, Vec<Mail<M, ()>>>,
    /// When they act next; not told where all registers are in use.
    pub(super) ahead: Ahead,
    pub(super) changes: Vec<(Node, Status, Status)>,
    /// Where all registers were in use: who has not written to its own.
    pub(super) silent: Vec<Node>,
    /// How many messages more there are under way than before, and how many there were at most.
    balance: i64,
    pub(super) peak: Option<i64>,
}

/// The threads that play strips beside the one that all else happens on; none for the last strip.
pub(super) fn hire(strips: usize) -> Option<ThreadPool> {
    // Where there can be no more threads, one does it all.
    (strips > 1).then(|| ThreadPoolBuilder::new().num_threads(strips - 1).build().ok())?
}

impl<W: Wiring + Copy, M: Message> Deeds<W, M> {
    /// As many empty ones as there are strips, if there may be so many threads.
    pub(super) fn all(scenario: &Scenario, wiring: W, threads: usize, count: Count) -> Vec<Self> {
        let nodes = wiring.nodes() as usize;
        let strips = threads.min(nodes / NARROW).max(1);
        let border = |strip: usize| strip * nodes / strips;
        let deeds = |strip| Self {
            air: Air {
                wiring,
                first: border(strip) as Node,
                mail: Vec::new(),
                with_registers: false,
                broadcasts: 0,
                choices: Choices::new(scenario.seed, nodes as Node, vec![]),
                tally: Tally::new((border(strip + 1) - border(strip)) as Node, count),
            },
            ahead: Ahead::default(),
            changes: Vec::new(),
            silent: Vec::new(),
            balance: 0,
            peak: None,
        };
        (0..strips).map(deeds).collect()
    }

    /// Lets every node of a strip act.
    fn play<R: Rounds<Msg = M>, G: Register<M>>(&mut self, strip: Strip<'_, R, G>, rounds: (Round, Round)) {
        let Strip { processes, awake, read, written, mut due } = strip;
        let Self { air, ahead, changes, silent, balance, peak } = self;
        (*balance, *peak) = (0, None);
        let (wiring, first, registers) = (air.wiring, air.first, G::ALWAYS || air.with_registers);
        let (mut acted, mut received_in_all) = (0, 0);
        for (place, (process, awake)) in processes.iter_mut().zip(awake).enumerate() {
            let node = first + place as Node;
            let inbox = heard(&wiring, read, node);
            let ports = wiring.ports(node);
            let received = if G::ALWAYS { ports } else { inbox.clone().count() as u32 };
            // Nothing has come, and if it was due once, it is no longer.
            if !G::ALWAYS && !take(&mut due, node, rounds.0, || process.due()) && received == 0 {
                continue;
            }
            acted += 1;
            received_in_all += u64::from(received);
            // Who wrote to its register has taken a step before.
            let awake = if G::ALWAYS { &mut true } else { awake };
            let Stepped { told, posted, expects, change } =
                step(air, (node, ports, registers), process, awake, inbox, rounds);
            let sent = match told {
                Some(msg) => {
                    air.tell(node, &msg, ports);
                    written[place] = msg.into();
                    ports
                }
                None => {
                    if G::ALWAYS {
                        silent.push(node);
                    }
                    posted
                }
            };
            if sent != received {
                *balance += i64::from(sent) - i64::from(received);
                *peak = (*peak).max(Some(*balance));
            }
            if let Some(due) = expects.filter(|_| !G::ALWAYS) {
                ahead.expect(node, due, rounds.0);
            }
            if let Some((before, after)) = change {
                changes.push((node, before, after));
            }
        }
        air.tally.events += acted;
        air.tally.received_some(received_in_all);
    }
}

/// Lets everybody act, in strips.
pub(super) fn play<R: Rounds, W: Wiring + Copy + Send, G: Register<R::Msg>>(
    helpers: Option<&ThreadPool>,
    deeds: &mut [Deeds<W, R::Msg>],
    whole: Strip<'_, R, G>,
    rounds: (Round, Round),
) {
    let Strip { mut processes, mut awake, read, mut written, mut due } = whole;
    let mut deeds = deeds.iter_mut().peekable();
    let mut next = || {
        let mine = deeds.next()?;
        let end = deeds.peek().map_or(Node::MAX, |next| next.air.first);
        let length = processes.len().min((end - mine.air.first) as usize);
        let registers = written.len().min(length);
        let strip = Strip {
            processes: processes.split_off_mut(..length).expect("they are there"),
            awake: awake.split_off_mut(..length).expect("they are there"),
            read,
            written: written.split_off_mut(..registers).expect("they are there"),
            due: due.split_off(..due.partition_point(|(node, _)| *node < end)).expect("they are there"),
        };
        Some((mine, strip, deeds.peek().is_none()))
    };
    let Some(helpers) = helpers else {
        while let Some((mine, strip, _)) = next() {
            mine.play(strip, rounds);
        }
        return;
    };
    helpers.in_place_scope(|scope| {
        while let Some((mine, strip, is_last)) = next() {
            if is_last {
                mine.play(strip, rounds);
            } else {
                scope.spawn(move |_| mine.play(strip, rounds));
            }
        }
    });
}
