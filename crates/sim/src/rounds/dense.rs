//! Rounds in which all that arrives stands in registers: strips of neighbouring nodes, shared out among threads.
//!
//! What a node does in such a round depends on itself and on registers that nobody writes to any more, so all may act at the
//! same time. What they leave behind is gathered in the order of the nodes: nobody can tell how many strips there were.

use std::hint;
use std::iter;
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicUsize,
    Ordering::{Acquire, Release},
};

use bellwether_core::{Inbox, Message, Port, Round, Rounds, Status};
use bellwether_world::host::{Count, Sent, Tally};
use bellwether_world::random::Choices;
use bellwether_world::{Node, Scenario, Wiring};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::calm::{Air, Stepped, step};
use super::due::{Ahead, Reason, take};
use super::news::{BATCH, News};
use super::registers::{EVERYBODY, Register, SOME, heard};
use super::rows::{PORTS, Piece, pieces};
use crate::instants::Mail;
use crate::length;

/// A strip of fewer nodes is done before a thread has begun.
const NARROW: usize = 1 << 13;

/// So many strips are there for each thread, so that one that is slow does fewer of them.
const SHARES: usize = 4;

/// And so is a round in which only those take a step who hear something new, if fewer nodes than this told it.
const FEW: usize = 1 << 12;

/// So often a thread that has nothing to do looks whether others are done, before it falls asleep.
const PATIENCE: u32 = 1 << 14;

/// So many registers are compared at once.
const SAME: usize = 16;

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
    /// Whose status has changed, and what it was.
    pub(super) changes: Vec<(Node, Status)>,
    /// Where all registers were in use: who has not written to its own.
    pub(super) silent: Vec<Node>,
    /// And how many say something else than before.
    pub(super) changed: usize,
    /// Whether in this round those who hear nothing new would only repeat themselves.
    pub(super) quiet: bool,
    pub(super) news: News,
    /// All nodes, if they have been looked for rows.
    pieces: Option<Vec<Piece>>,
    /// The round up to which all would repeat themselves who have taken a step since others need not.
    pub(super) until: Round,
    /// What they told by their registers if all did, and the round in which that is heard.
    told: Option<(Round, Sent)>,
    /// How many messages more there are under way than before, and how many there were at most.
    balance: i64,
    pub(super) peak: Option<i64>,
}

/// The threads that play strips beside the one that all else happens on.
pub(super) fn hire(threads: usize, strips: usize) -> Option<ThreadPool> {
    // Where there can be no more threads, one does it all.
    (strips > 1).then(|| ThreadPoolBuilder::new().num_threads(threads.min(strips) - 1).build().ok())?
}

impl<W: Wiring + Copy, M: Message> Deeds<W, M> {
    /// As many empty ones as there are strips, if there may be so many threads.
    pub(super) fn all(scenario: &Scenario, wiring: W, threads: usize, count: Count) -> Vec<Self> {
        let nodes = wiring.nodes() as usize;
        let strips = if threads == 1 { 1 } else { (threads * SHARES).min(nodes / NARROW).max(1) };
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
            changed: 0,
            quiet: false,
            news: News::new(border(strip) as Node, border(strip + 1) - border(strip)),
            pieces: None,
            until: Round::NEVER,
            told: None,
            balance: 0,
            peak: None,
        };
        (0..strips).map(deeds).collect()
    }

    /// From the next round on only those take steps who hear something new; in that one all do.
    pub(super) fn expect_news(&mut self) {
        self.news.begin();
        self.until = Round::NEVER;
    }

    /// Lets every node of a strip act that has heard something or is due.
    pub(super) fn play<R: Rounds<Msg = M>>(&mut self, strip: Strip<'_, R, Option<M>>, rounds: (Round, Round)) {
        let Strip { processes, awake, read, written, mut due } = strip;
        let Self { air, ahead, changes, balance, peak, .. } = self;
        (*balance, *peak) = (0, None);
        let (wiring, first, registers) = (air.wiring, air.first, air.with_registers);
        for (place, (process, awake)) in processes.iter_mut().zip(awake).enumerate() {
            let node = first + place as Node;
            let inbox = heard::<_, _, SOME>(&wiring, read, node);
            let received = inbox.clone().count() as u32;
            // Nothing has come, and if it was due once, it is no longer.
            if !take(&mut due, node, rounds.0, |before| process.due(before)) && received == 0 {
                continue;
            }
            air.tally.events += 1;
            air.tally.received_some(received.into());
            let ports = wiring.ports(node);
            let Stepped { told, posted, expects, change } =
                step(air, (node, ports, registers), process, awake, inbox, rounds);
            let mut sent = posted;
            if let Some(msg) = told {
                air.tell(node, &msg, ports);
                written[place] = Some(msg);
                sent = ports;
            }
            if sent != received {
                *balance += i64::from(sent) - i64::from(received);
                *peak = (*peak).max(Some(*balance));
            }
            if let Some(due) = expects {
                ahead.expect(node, due, rounds.0);
            }
            if let Some((before, _)) = change {
                changes.push((node, before));
            }
        }
    }

    /// The same where all told something in the round before. Then everybody has heard something, and what is told again need
    /// not be counted again. Nor needs anybody take a step who would only repeat itself.
    pub(super) fn play_full<R: Rounds<Msg = M>>(&mut self, strip: Strip<'_, R, M>, rounds: (Round, Round)) {
        let Strip { processes, read, written, .. } = strip;
        let own = &read[self.air.first as usize..][..processes.len()];
        let mut told = self.hear_all(own, rounds.0);
        self.changed = 0;
        if self.quiet {
            self.step_some(processes, (read, own, written), &mut told, rounds);
        } else {
            self.step_all(processes, (read, own, written), &mut told, rounds);
        }
        self.tell_all(told, written, rounds.1);
    }

    /// Everybody takes a step.
    fn step_all<R: Rounds<Msg = M>>(
        &mut self,
        processes: &mut [R],
        (read, own, written): (&[M], &[M], &mut [M]),
        told: &mut Sent,
        rounds: (Round, Round),
    ) {
        let (wiring, mut first) = (self.air.wiring, self.air.first);
        let pieces = self.pieces.take().unwrap_or_else(|| pieces(&wiring, first..first + processes.len() as Node));
        let (mut processes, mut own, mut written) = (processes, own, written);
        for &Piece { length, beside } in &pieces {
            let processes = processes.split_off_mut(..length).expect("they are there");
            let own = own.split_off(..length).expect("they are there");
            let written = written.split_off_mut(..length).expect("they are there");
            if let Some(beside) = beside {
                self.step_row(first, beside.map(|far| &read[far as usize..][..length]), processes, written, rounds);
            } else {
                for (node, (process, written)) in (first..).zip(processes.iter_mut().zip(&mut *written)) {
                    let (inbox, ports) = (heard::<_, _, EVERYBODY>(&wiring, read, node), wiring.ports(node));
                    self.act((node, ports), process, written, inbox, rounds);
                }
            }
            self.compare(first, own, written, told);
            first += length as Node;
        }
        self.pieces = Some(pieces);
    }

    /// Everybody in a row takes a step, who hears what stands at its place beside the row.
    #[inline(always)]
    fn step_row<R: Rounds<Msg = M>>(
        &mut self,
        first: Node,
        beside: [&[M]; PORTS],
        processes: &mut [R],
        written: &mut [M],
        rounds: (Round, Round),
    ) {
        for place in 0..processes.len() {
            let inbox = beside.iter().enumerate().map(|(port, told)| (Port(port as u32), told[place].clone()));
            let node = (first + place as Node, PORTS as u32);
            self.act(node, &mut processes[place], &mut written[place], inbox, rounds);
        }
    }

    /// Finds out which of some nodes, of whom the first is given, say something else than before. Mostly few do.
    #[inline(always)]
    fn compare(&mut self, mut first: Node, before: &[M], now: &[M], told: &mut Sent) {
        let ((before, last_before), (now, last_now)) = (before.as_chunks::<SAME>(), now.as_chunks::<SAME>());
        for (before, now) in before.iter().zip(now) {
            if before != now {
                self.note_changes(first, before, now, told);
            }
            first += SAME as Node;
        }
        self.note_changes(first, last_before, last_now, told);
    }

    /// Which of some nodes, of whom the first is given, say something else than before.
    fn note_changes(&mut self, first: Node, before: &[M], now: &[M], told: &mut Sent) {
        for (node, (before, now)) in (first..).zip(before.iter().zip(now)) {
            if before != now {
                self.changed += 1;
                replace(told, self.air.wiring.ports(node), before, now);
            }
        }
    }

    /// Who hears something new takes a step.
    fn step_some<R: Rounds<Msg = M>>(
        &mut self,
        processes: &mut [R],
        (read, own, written): (&[M], &[M], &mut [M]),
        told: &mut Sent,
        rounds: (Round, Round),
    ) {
        let (wiring, first) = (self.air.wiring, self.air.first);
        let (written, mut batch) = (&mut written[..processes.len()], [0; BATCH]);
        // What is written to are the registers of two rounds ago.
        for place in self.news.open() {
            written[place as usize] = own[place as usize].clone();
        }
        while let steps @ [_, ..] = self.news.next(&mut batch) {
            for &mut place in &mut *steps {
                let (node, process) = (first + place, &mut processes[place as usize]);
                let (inbox, ports) = (heard::<_, _, SOME>(&wiring, read, node), wiring.ports(node));
                self.act((node, ports), process, &mut written[place as usize], inbox, rounds);
            }
            let until = steps.iter().map(|&place| processes[place as usize].repeats_until());
            self.until = until.fold(self.until, Round::min);
            // Those who say something else than before move up; whether one does is no branch, which chance would mislead.
            let mut changed = 0;
            for step in 0..steps.len() {
                let place = steps[step];
                steps[changed] = place;
                changed += usize::from(own[place as usize] != written[place as usize]);
            }
            self.changed += changed;
            for &place in &steps[..changed] {
                replace(told, wiring.ports(first + place), &own[place as usize], &written[place as usize]);
                self.news.tell(place, &wiring);
            }
        }
    }

    /// A node takes a step in which it is to write to its register.
    #[inline(always)]
    fn act<R: Rounds<Msg = M>>(
        &mut self,
        (node, ports): (Node, u32),
        process: &mut R,
        written: &mut M,
        inbox: impl Inbox<M>,
        rounds: (Round, Round),
    ) {
        let stepped = step(&mut self.air, (node, ports, true), process, &mut true, inbox, rounds);
        if let Some((before, _)) = stepped.change {
            self.changes.push((node, before));
        }
        match stepped.told {
            Some(msg) => *written = msg,
            None => self.keep_silent(node, ports, stepped.posted),
        }
    }

    /// What all nodes told in the round before is heard.
    fn hear_all(&mut self, own: &[M], round: Round) -> Sent {
        let told = match self.told.take() {
            Some((heard, told)) if heard == round => told,
            _ => told_by(&self.air.wiring, (self.air.first..).zip(own)),
        };
        (self.balance, self.peak) = (0, None);
        self.air.tally.events += own.len() as u64;
        self.air.tally.received_some(told.count::<M>());
        told
    }

    /// What stands in registers now, which comes to this if nobody is silent, will be heard in that round.
    fn tell_all(&mut self, mut told: Sent, now: &[M], round: Round) {
        let Air { wiring, first, tally, broadcasts, .. } = &mut self.air;
        let mut silent = self.silent.iter().copied().peekable();
        let speakers = (*first..).zip(now).filter(move |(node, _)| silent.next_if_eq(node).is_none());
        if !self.silent.is_empty() {
            told = told_by(wiring, speakers.clone());
        }
        if tally.counts_sends() {
            speakers.for_each(|(node, _)| tally.sent_by(node - *first, wiring.ports(node)));
        }
        tally.sent_all::<M>(&told);
        *broadcasts += (now.len() - self.silent.len()) as u64;
        self.told = self.silent.is_empty().then_some((round, told));
    }

    /// A node tells nothing by its register.
    #[cold]
    #[inline(never)]
    fn keep_silent(&mut self, node: Node, received: u32, sent: u32) {
        self.silent.push(node);
        self.balance += i64::from(sent) - i64::from(received);
        if sent != received {
            self.peak = self.peak.max(Some(self.balance));
        }
    }
}

/// So many are told this instead of what they were told before.
fn replace<M: Message>(told: &mut Sent, times: u32, before: &M, now: &M) {
    told.remove(times.into(), before.kind(), length(before));
    told.add(times.into(), now.kind(), length(now));
}

/// What nodes tell all their neighbours.
fn told_by<'m, M: Message>(wiring: &impl Wiring, nodes: impl Iterator<Item = (Node, &'m M)>) -> Sent {
    let mut told = Sent::default();
    nodes.for_each(|(node, msg)| told.add(wiring.ports(node).into(), msg.kind(), length(msg)));
    told
}

/// How a strip is played in a round that has another after it.
type Way<'a, R, W, G> = fn(&mut Deeds<W, <R as Rounds>::Msg>, Strip<'a, R, G>, (Round, Round));

/// Lets everybody act, in strips, each in this way.
pub(super) fn play<'a, R: Rounds, W: Wiring + Copy + Send, G: Register<R::Msg>>(
    helpers: Option<&ThreadPool>,
    deeds: &mut [Deeds<W, R::Msg>],
    whole: Strip<'a, R, G>,
    rounds: (Round, Round),
    way: Way<'a, R, W, G>,
) {
    let Strip { mut processes, mut awake, read, mut written, mut due } = whole;
    let is_wide =
        deeds.iter().any(|deeds| !deeds.quiet) || deeds.iter().map(|deeds| deeds.changed).sum::<usize>() >= FEW;
    let mut deeds = deeds.iter_mut().peekable();
    let strips = iter::from_fn(|| {
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
        Some((mine, strip))
    });
    let Some(helpers) = helpers.filter(|_| is_wide) else {
        return strips.for_each(|(mine, strip)| way(mine, strip, rounds));
    };
    // Whoever has done a strip takes the next: none waits for another that is held up.
    let strips = Mutex::new(strips);
    let take = || strips.lock().expect("nobody panics who holds it").next();
    let work = || iter::from_fn(take).for_each(|(mine, strip)| way(mine, strip, rounds));
    let busy = AtomicUsize::new(helpers.current_num_threads());
    helpers.in_place_scope(|scope| {
        for _ in 0..helpers.current_num_threads() {
            scope.spawn(|_| {
                let _done = Done(&busy);
                work();
            });
        }
        work();
        // They are done soon: mostly sooner than to fall asleep and be woken up takes.
        (0..PATIENCE).take_while(|_| busy.load(Acquire) > 0).for_each(|_| hint::spin_loop());
    });
}

/// One thread less is busy when this is gone.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Release);
    }
}
