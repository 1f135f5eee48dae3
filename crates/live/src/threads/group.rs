//! A thread, and the nodes that it hosts.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::MutexGuard;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};

use bellwether_core::{Context, Message, Port, Process, Span, Tag};
use bellwether_world::host::{Count, Fate, Observer, Standing, Tally, Timers, awaken, written};
use bellwether_world::trace::EventKind;
use bellwether_world::{Network, Node, Time, Wiring};

use super::agenda::{Agenda, Delays};
use super::office::{Book, Load, News, Office};

/// Something for a node to do.
pub(super) enum Errand<M> {
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
        msg: M,
    },
    /// The run is over.
    Leave,
}

/// An errand, and when it is to be run; at once if that is the beginning.
pub(super) struct Dispatch<M> {
    pub(super) due: Span,
    pub(super) errand: Errand<M>,
}

/// Some nodes and all that concerns them, in the hands of one thread.
pub(super) struct Group<'a, P: Process> {
    office: &'a Office<'a>,
    /// The nodes hosted here.
    nodes: Range<Node>,
    processes: Vec<P>,
    dead: Vec<bool>,
    /// Messages that wait for all initiators to start, while they do.
    held: Option<VecDeque<Errand<P::Msg>>>,
    /// Whether the time of a step matters even where nothing is written down.
    is_timed: bool,
    inbox: Receiver<Dispatch<P::Msg>>,
    post: &'a Post<P::Msg>,
    agenda: Agenda<P::Msg>,
    timers: Timers<P::Timer>,
    tally: Tally,
    delays: Delays,
    wish: Wish<P>,
    /// What is ready to go when the step is over.
    outgoing: Vec<(Node, Dispatch<P::Msg>)>,
}

/// The ways to all groups.
pub(super) struct Post<M> {
    pub(super) groups: Vec<(Range<Node>, Sender<Dispatch<M>>)>,
}

impl<M> Post<M> {
    pub(super) fn send(&self, to: Node, dispatch: Dispatch<M>) {
        let group = self.groups.partition_point(|(nodes, _)| nodes.end <= to);
        // A group that has left runs no errands: the run is over.
        let _ = self.groups[group].1.send(dispatch);
    }

    /// Sends the same errand to every group.
    pub(super) fn send_all(&self, errand: impl Fn() -> Errand<M>) {
        for (_, post) in &self.groups {
            let _ = post.send(Dispatch { due: Span(0), errand: errand() });
        }
    }
}

/// What a process wants in a step.
pub(super) struct Wish<P: Process> {
    sent: Vec<(Port, P::Msg)>,
    /// Timers set, with how long they run, and timers stopped.
    timers: Vec<(P::Timer, Option<Span>)>,
    drawn: Vec<u64>,
}

/// Why a process takes a step.
enum Cause<P: Process> {
    Start,
    Recover,
    PeerDown(Port),
    Timeout(P::Timer),
    Take(Port, u64, P::Msg),
}

impl<P: Process> Cause<P> {
    /// Begins a step in the book.
    fn write(&self, recorder: &mut impl Observer<P::Msg, Stamp = u64>, now: Time, node: Node, network: &Network) {
        let kind = match self {
            Self::Start => EventKind::Start,
            Self::Recover => EventKind::Recover,
            Self::PeerDown(_) => EventKind::PeerDown,
            Self::Timeout(_) => EventKind::Timeout,
            Self::Take(..) => EventKind::Receive,
        };
        recorder.begin(now, node, kind);
        match self {
            Self::Start | Self::Recover => {}
            Self::PeerDown(port) => recorder.hears_of(*port),
            Self::Timeout(timer) => recorder.times_out(written(timer)),
            Self::Take(port, n, msg) => recorder.receives(network.far(node, *port).0, *port, msg, *n),
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
}

/// After so many errands a thread looks whether others have sent it some.
const PATIENCE: usize = 64;

/// So many times it looks before it goes to sleep: some ten microseconds.
const LINGER: usize = 400;

impl<'a, P: Process> Group<'a, P> {
    /// Some nodes whose errands come in here.
    pub(super) fn new(
        office: &'a Office<'a>,
        nodes: Range<Node>,
        processes: Vec<P>,
        inbox: Receiver<Dispatch<P::Msg>>,
        post: &'a Post<P::Msg>,
    ) -> Self {
        let delays = Delays::new(office, nodes.start);
        Self {
            office,
            dead: vec![false; processes.len()],
            held: None,
            is_timed: delays.hold_up || P::Timer::EXISTS,
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
    pub(super) fn serve(mut self) -> (Vec<P>, Tally) {
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
    fn linger(&self) -> Option<Dispatch<P::Msg>> {
        let turns = if self.post.groups.len() <= self.office.cores { LINGER } else { 0 };
        (0..turns).find_map(|_| {
            std::hint::spin_loop();
            self.inbox.try_recv().ok()
        })
    }

    /// Files an errand, unless it concerns the thread itself; says whether the thread stays.
    fn accept(&mut self, dispatch: Dispatch<P::Msg>) -> bool {
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

    fn run(&mut self, errand: Errand<P::Msg>) {
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
        Observer::<P::Msg>::crashes(&mut book.recorder, Time::after(now), node);
        book.judge.crash(node, process.status());
        self.dead[place] = true;
        drop(book);
        let timers = self.timers.stop(node) as u64;
        let pending = P::Msg::HAS_OVERHEAD && process.is_pending();
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
        let process = awaken(scenario, P::INFO, scenario.told_diameter(P::INFO), node, P::new);
        self.processes[place] = process.expect("it was brought up before");
        self.dead[place] = false;
        let pending = P::Msg::HAS_OVERHEAD && self.processes[place].is_pending();
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
    fn lose(&mut self, node: Node, port: Port, n: u64, msg: &P::Msg) {
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

    fn step(&mut self, node: Node, cause: Cause<P>) {
        let office = self.office;
        let book = office.strict.then(|| office.book());
        if office.may_step() {
            self.take_step(book, node, cause);
        }
    }

    /// A process takes a step. Where every step is written down, this is done with the book in hand, so that the order in
    /// the book is the order in which things happen; else the book is only opened for a decision.
    fn take_step(&mut self, mut book: Option<MutexGuard<'a, Book>>, node: Node, cause: Cause<P>) {
        let office = self.office;
        self.tally.events += 1;
        let place = self.place(node);
        let mut now = Span(0);
        if let Some(book) = &mut book {
            now = office.clock.now();
            cause.write(&mut book.recorder, Time::after(now), node, &office.scenario.topology);
        }
        let mut settled = cause.load();
        let process = &mut self.processes[place];
        let standing = |process: &P| Standing { status: process.status(), role: process.role() };
        let (before, was_pending) = (standing(process), P::Msg::HAS_OVERHEAD && process.is_pending());
        let mut hand = Hand { node, office, wish: &mut self.wish };
        match cause {
            Cause::Start | Cause::Recover => process.start(&mut hand),
            Cause::PeerDown(port) => process.peer_down(port, &mut hand),
            Cause::Timeout(timer) => process.timeout(timer, &mut hand),
            Cause::Take(port, _, msg) => process.receive(port, msg, &mut hand),
        }
        let (after, is_pending) = (standing(process), P::Msg::HAS_OVERHEAD && process.is_pending());
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
            Observer::<P::Msg>::end(recorder, before, after);
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
                Observer::<P::Msg>::draws(&mut book.recorder, value);
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
                    Observer::<P::Msg>::loses(&mut book.recorder);
                }
                continue;
            };
            let copy = twice.then(|| msg.clone());
            if let Some(copy) = copy {
                office.note_copy();
                self.tally.repeated(&copy);
                if let Some(book) = &mut book {
                    Observer::<P::Msg>::repeats(&mut book.recorder);
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
struct Hand<'s, 'a, P: Process> {
    node: Node,
    office: &'a Office<'a>,
    wish: &'s mut Wish<P>,
}

impl<P: Process> Context<P::Msg, P::Timer> for Hand<'_, '_, P> {
    fn ports(&self) -> u32 {
        self.office.scenario.topology.ports(self.node)
    }

    fn send(&mut self, port: Port, msg: P::Msg) {
        self.wish.sent.push((port, msg));
    }

    fn set_timer(&mut self, timer: P::Timer, after: Span) {
        self.wish.timers.push((timer, Some(after)));
    }

    fn cancel_timer(&mut self, timer: P::Timer) {
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
