//! A thread, and the nodes that it hosts.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::MutexGuard;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};

use bellwether_core::{Context, Port, Span};
use bellwether_world::host::{Actor, Bell, Cast, Count, Cue, Envelope, Fate, Tally, Timers, awaken};
use bellwether_world::trace::EventKind;
use bellwether_world::{Node, Time, Wiring};

use super::Leftover;
use super::agenda::{Agenda, Delays};
use super::office::{Book, Load, News, Office};

/// Something for a node to do.
pub(super) enum Errand {
    /// Messages wait until all initiators have started: who hears of an election before is none.
    Hold,
    /// They need not wait any longer.
    Go,
    Start(Node),
    Crash(Node),
    Recover(Node),
    /// The process behind this port is down.
    PeerDown(Node, Port),
    /// A message has come, the n-th of the run.
    Take {
        to: Node,
        port: Port,
        n: u64,
        msg: Envelope,
    },
    /// The run is over.
    Leave,
}

/// An errand, and when it is to be run; at once if that is the beginning.
pub(super) struct Dispatch {
    pub(super) due: Span,
    pub(super) errand: Errand,
}

/// Some nodes and all that concerns them, in the hands of one thread.
pub(super) struct Group<'a> {
    office: &'a Office<'a>,
    /// The nodes hosted here.
    nodes: Range<Node>,
    processes: Vec<Box<dyn Actor>>,
    dead: Vec<bool>,
    /// Messages that wait for all initiators to start, while they do.
    held: Option<VecDeque<Errand>>,
    /// Whether the time of a step matters even where nothing is written down.
    is_timed: bool,
    inbox: Receiver<Dispatch>,
    post: &'a Post,
    agenda: Agenda,
    timers: Timers<Bell>,
    tally: Tally,
    delays: Delays,
    wish: Wish,
    /// What is ready to go when the step is over.
    outgoing: Vec<(Node, Dispatch)>,
}

/// The ways to all groups.
pub(super) struct Post {
    pub(super) groups: Vec<(Range<Node>, Sender<Dispatch>)>,
}

impl Post {
    pub(super) fn send(&self, to: Node, dispatch: Dispatch) {
        let group = self.groups.partition_point(|(nodes, _)| nodes.end <= to);
        // A group that has left runs no errands: the run is over.
        let _ = self.groups[group].1.send(dispatch);
    }

    /// Sends the same errand to every group.
    pub(super) fn send_all(&self, errand: impl Fn() -> Errand) {
        for (_, post) in &self.groups {
            let _ = post.send(Dispatch { due: Span(0), errand: errand() });
        }
    }
}

/// What a process wants in a step.
pub(super) struct Wish {
    sent: Vec<(Port, Envelope)>,
    /// Timers set, with how long they run, and timers stopped.
    timers: Vec<(Bell, Option<Span>)>,
    drawn: Vec<u64>,
}

/// Why a process takes a step.
enum Cause {
    Start,
    Recover,
    PeerDown(Port),
    Timeout(Bell),
    Take(Port, u64, Envelope),
}

impl Cause {
    /// Begins a step in the book.
    fn write(&self, book: &mut Book, office: &Office<'_>, now: Time, node: Node) {
        let kind = match self {
            Self::Start => EventKind::Start,
            Self::Recover => EventKind::Recover,
            Self::PeerDown(_) => EventKind::PeerDown,
            Self::Timeout(_) => EventKind::Timeout,
            Self::Take(..) => EventKind::Receive,
        };
        book.recorder.begin(now, node, kind);
        match self {
            Self::Start | Self::Recover => {}
            Self::PeerDown(port) => book.recorder.hears_of(*port),
            Self::Timeout(timer) => book.recorder.times_out(|| office.cast.timer_name(*timer)),
            Self::Take(port, n, msg) => {
                let (from, _) = office.scenario.topology.far(node, *port);
                book.recorder.receives(from, *port, msg, *n);
            }
        }
    }

    /// What has happened with this step.
    fn load(&self) -> Load {
        match self {
            Self::Take(_, _, msg) => {
                let mut load = Load::default();
                load.add_message(msg.is_overhead());
                load
            }
            Self::Start | Self::Recover | Self::PeerDown(_) | Self::Timeout(_) => Load::of(1),
        }
    }

    /// What the process is told.
    fn cue(self) -> Cue {
        match self {
            Self::Start | Self::Recover => Cue::Start,
            Self::PeerDown(port) => Cue::PeerDown(port),
            Self::Timeout(timer) => Cue::Timeout(timer),
            Self::Take(port, _, msg) => Cue::Receive(port, msg),
        }
    }
}

/// After so many errands a thread looks whether others have sent it some.
const PATIENCE: usize = 64;

/// So many times it looks before it goes to sleep: some ten microseconds.
const LINGER: usize = 400;

impl<'a> Group<'a> {
    /// Some nodes whose errands come in here.
    pub(super) fn new(
        office: &'a Office<'a>,
        nodes: Range<Node>,
        processes: Vec<Box<dyn Actor>>,
        inbox: Receiver<Dispatch>,
        post: &'a Post,
    ) -> Self {
        let delays = Delays::new(office, nodes.start);
        Self {
            office,
            dead: vec![false; processes.len()],
            held: None,
            is_timed: delays.hold_up || office.cast.has_timers,
            nodes,
            processes,
            inbox,
            post,
            agenda: Agenda::new(),
            timers: Timers::default(),
            tally: Tally::new(0, Count::Messages),
            delays,
            wish: Wish { sent: vec![], timers: vec![], drawn: vec![] },
            outgoing: vec![],
        }
    }

    /// Runs errands until the run is over, and gives the processes back.
    pub(super) fn serve(mut self) -> Leftover {
        let alarm = Alarm(self.office);
        'serve: loop {
            while let Ok(dispatch) = self.inbox.try_recv() {
                if !self.accept(dispatch) {
                    break 'serve;
                }
            }
            if (0..PATIENCE).take_while(|_| self.run_next()).count() > 0 {
                continue;
            }
            if let Some(dispatch) = self.linger() {
                if !self.accept(dispatch) {
                    break;
                }
                continue;
            }
            let timer = self.timers.first().map(|(due, _)| due);
            let news = match self.agenda.next_due().into_iter().chain(timer).min() {
                None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => self.inbox.recv_timeout(self.office.clock.until(due)),
            };
            let stays = match news {
                Ok(dispatch) => self.accept(dispatch),
                Err(error) => error == RecvTimeoutError::Timeout,
            };
            if !stays {
                break;
            }
        }
        std::mem::forget(alarm);
        (self.processes, self.tally)
    }

    /// Waits a moment for an errand before the thread goes to sleep, if it has a core of its own: to be woken up takes
    /// longer than most errands are away.
    fn linger(&self) -> Option<Dispatch> {
        let turns = if self.post.groups.len() <= self.office.cores { LINGER } else { 0 };
        (0..turns).find_map(|_| {
            std::hint::spin_loop();
            self.inbox.try_recv().ok()
        })
    }

    /// Files an errand, unless it concerns the thread itself; says whether the thread stays.
    fn accept(&mut self, dispatch: Dispatch) -> bool {
        match dispatch.errand {
            Errand::Hold => self.held = Some(VecDeque::new()),
            Errand::Go => self.held.take().into_iter().flatten().for_each(|errand| self.run(errand)),
            Errand::Leave => return false,
            _ => self.agenda.file(dispatch),
        }
        true
    }

    /// Runs the next errand that is due, or lets the next timer go off; says whether there was one.
    fn run_next(&mut self) -> bool {
        let timer = self.timers.first().map(|(due, _)| due);
        let later = self.agenda.next_due();
        if let Some(first) = timer.into_iter().chain(later).min().filter(|first| *first <= self.office.clock.now()) {
            if later == Some(first) {
                self.agenda.pop_due().into_iter().for_each(|errand| self.run(errand));
            } else if let Some((_, node, timer)) = self.timers.expire_before(None) {
                self.step(node, Cause::Timeout(timer));
            }
            return true;
        }
        let next = self.agenda.pop_now();
        let found = next.is_some();
        next.into_iter().for_each(|errand| self.run(errand));
        found
    }

    fn run(&mut self, errand: Errand) {
        if let (Some(held), Errand::Take { .. }) = (&mut self.held, &errand) {
            return held.push_back(errand);
        }
        match errand {
            Errand::Start(node) => {
                if self.is_dead(node) {
                    self.office.settle(Load::of(1));
                } else {
                    self.step(node, Cause::Start);
                }
                self.office.note_start();
            }
            Errand::Crash(node) => self.crash(node),
            Errand::Recover(node) => self.recover(node),
            Errand::PeerDown(node, port) => self.hear(node, port),
            Errand::Take { to, port, n, msg } if self.is_dead(to) => self.lose(to, port, n, &msg),
            Errand::Take { to, port, n, msg } => self.step(to, Cause::Take(port, n, msg)),
            Errand::Hold | Errand::Go | Errand::Leave => {} // accepted already
        }
    }

    fn place(&self, node: Node) -> usize {
        (node - self.nodes.start) as usize
    }

    fn is_dead(&self, node: Node) -> bool {
        self.dead[self.place(node)]
    }

    /// A process stops; after a while its neighbours hear of it.
    fn crash(&mut self, node: Node) {
        let (place, network) = (self.place(node), &self.office.scenario.topology);
        let process = &self.processes[place];
        let mut book = self.office.book();
        if self.office.is_over() {
            return;
        }
        let now = self.office.clock.now();
        book.recorder.crashes(Time::after(now), node);
        book.judge.crash(node, process.status());
        self.dead[place] = true;
        drop(book);
        let timers = self.timers.stop(node) as u64;
        let pending = self.office.cast.kinds.has_overhead && process.is_pending();
        let ports = network.ports(node);
        self.office.expect(Load::of(ports.into()));
        for (far, at) in (0..ports).map(|port| network.far(node, Port(port))) {
            let due = Span(now.0.saturating_add(self.office.scenario.detection.0).max(1));
            self.post.send(far, Dispatch { due, errand: Errand::PeerDown(far, at) });
        }
        self.office.settle(Load { awaited: 1 + timers + u64::from(pending), moving: 1 + timers });
    }

    /// A process starts again, with empty memory.
    fn recover(&mut self, node: Node) {
        let (place, scenario) = (self.place(node), self.office.scenario);
        let mut book = self.office.book();
        if !self.office.may_step() {
            return;
        }
        let Cast { info, new, .. } = *self.office.cast;
        let process = awaken(scenario, info, scenario.told_diameter(info), node, new);
        self.processes[place] = process.expect("it was brought up before");
        self.dead[place] = false;
        let pending = self.office.cast.kinds.has_overhead && self.processes[place].is_pending();
        self.office.expect(Load { awaited: pending.into(), moving: 0 });
        book.judge.recover(node);
        self.take_step(Some(book), node, Cause::Recover);
    }

    /// A process hears that a neighbour is down, if both still are as they were.
    fn hear(&mut self, node: Node, port: Port) {
        let (peer, _) = self.office.scenario.topology.far(node, port);
        let book = self.office.book();
        if self.is_dead(node) || !book.judge.dead().contains(&peer) {
            drop(book);
            self.office.settle(Load::of(1));
        } else {
            if self.office.may_step() {
                self.take_step(Some(book), node, Cause::PeerDown(port));
            }
        }
    }

    /// A message reaches a process that is down.
    fn lose(&mut self, node: Node, port: Port, n: u64, msg: &Envelope) {
        let (from, _) = self.office.scenario.topology.far(node, port);
        let mut book = self.office.book();
        if self.office.is_over() {
            return;
        }
        self.tally.vanished();
        let now = Time::after(self.office.clock.now());
        book.recorder.drops(now, node, from, port, msg, n);
        drop(book);
        let mut load = Load::default();
        load.add_message(msg.is_overhead());
        self.office.settle(load);
    }

    fn step(&mut self, node: Node, cause: Cause) {
        let office = self.office;
        let book = office.strict.then(|| office.book());
        if office.may_step() {
            self.take_step(book, node, cause);
        }
    }

    /// A process takes a step. Where every step is written down, this is done with the book in hand, so that the order in
    /// the book is the order in which things happen; else the book is only opened for a decision.
    fn take_step(&mut self, mut book: Option<MutexGuard<'a, Book>>, node: Node, cause: Cause) {
        let office = self.office;
        self.tally.events += 1;
        let place = self.place(node);
        let mut now = Span(0);
        if let Some(book) = &mut book {
            now = office.clock.now();
            cause.write(book, office, Time::after(now), node);
        }
        let mut settled = cause.load();
        let process = &mut self.processes[place];
        let has_overhead = office.cast.kinds.has_overhead;
        let (before, was_pending) = (process.standing(), has_overhead && process.is_pending());
        process.act(cause.cue(), &mut Hand { node, office, wish: &mut self.wish });
        let (after, is_pending) = (process.standing(), has_overhead && process.is_pending());
        let mut expected = Load { awaited: is_pending.into(), moving: 0 };
        settled.awaited += u64::from(was_pending);
        let decides = before.status != after.status;
        if book.is_none() && (decides || self.is_timed) {
            book = decides.then(|| office.book());
            now = office.clock.now();
        }
        self.set_timers(node, now, &mut expected, &mut settled);
        self.pack(node, now, book.as_deref_mut(), &mut expected);
        if let Some(book) = &mut book {
            let Book { judge, recorder, .. } = &mut **book;
            if decides {
                judge.change(Time::after(now), node, before.status, after.status);
            }
            recorder.end(before, after);
        }
        drop(book);
        let (more, less) = expected.net(settled);
        office.expect(more);
        for (to, dispatch) in self.outgoing.drain(..) {
            if self.nodes.contains(&to) { self.agenda.file(dispatch) } else { self.post.send(to, dispatch) }
        }
        office.settle(less);
    }

    fn set_timers(&mut self, node: Node, now: Span, expected: &mut Load, settled: &mut Load) {
        for (timer, span) in self.wish.timers.drain(..) {
            if self.timers.take(node, timer).is_some() {
                settled.add(Load::of(1));
            }
            if let Some(span) = span {
                self.timers.set(node, timer, Span(now.0.saturating_add(span.0)));
                expected.add(Load::of(1));
            }
        }
    }

    /// Makes what a process sends ready to go, as far as links let it.
    fn pack(&mut self, node: Node, now: Span, mut book: Option<&mut Book>, expected: &mut Load) {
        let office = self.office;
        for value in self.wish.drawn.drain(..) {
            if let Some(book) = &mut book {
                book.recorder.draws(value);
            }
        }
        for (port, msg) in self.wish.sent.drain(..) {
            let (to, at) = office.scenario.topology.far(node, port);
            self.tally.sent(node, &msg);
            let n = book.as_mut().map_or(0, |book| book.recorder.sends(to, port, &msg));
            let fate = book.as_mut().map_or(Fate::USUAL, |book| book.fates.fate(Time::after(now), node, to));
            let Fate::Arrives { slowness, late, twice } = fate else {
                self.tally.lost(&msg);
                if let Some(book) = &mut book {
                    book.recorder.loses();
                }
                continue;
            };
            let copy = twice.then(|| msg.clone());
            if let Some(copy) = copy {
                office.note_copy();
                self.tally.repeated(&copy);
                if let Some(book) = &mut book {
                    book.recorder.repeats();
                }
                expected.add_message(copy.is_overhead());
                let due = self.delays.due(now, (node, port), slowness, false);
                self.outgoing.push((to, Dispatch { due, errand: Errand::Take { to, port: at, n, msg: copy } }));
            }
            expected.add_message(msg.is_overhead());
            let due = self.delays.due(now, (node, port), slowness, late);
            self.outgoing.push((to, Dispatch { due, errand: Errand::Take { to, port: at, n, msg } }));
        }
    }
}

/// The context of a step: what a process wants is kept until the step is over.
struct Hand<'s, 'a> {
    node: Node,
    office: &'a Office<'a>,
    wish: &'s mut Wish,
}

impl Context<Envelope, Bell> for Hand<'_, '_> {
    fn ports(&self) -> u32 {
        self.office.scenario.topology.ports(self.node)
    }

    fn send(&mut self, port: Port, msg: Envelope) {
        self.wish.sent.push((port, msg));
    }

    fn set_timer(&mut self, timer: Bell, after: Span) {
        self.wish.timers.push((timer, Some(after)));
    }

    fn cancel_timer(&mut self, timer: Bell) {
        self.wish.timers.push((timer, None));
    }

    fn choose(&mut self, arity: u64) -> u64 {
        let value = self.office.choose(self.node, arity);
        self.wish.drawn.push(value);
        value
    }
}

/// Tells the office if a thread goes although nobody sent it away: an algorithm has a bug.
struct Alarm<'a>(&'a Office<'a>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.0.tell(News::Lost);
    }
}
