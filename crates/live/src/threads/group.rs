//! A thread, and the nodes that it hosts.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::MutexGuard;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};

use bellwether_core::{Draws, Port, Span, Status};
use bellwether_net::{Node, Wiring};
use bellwether_world::Time;
use bellwether_world::host::{Actor, Bell, Cue, Driver, Effects, Envelope, Timers, restore};
use bellwether_world::trace::EventKind;

use super::Leftover;
use super::agenda::Agenda;
use super::outgoing::{Outgoing, Parcel};
use super::shared::{Book, Load, News, Shared};

/// Something for a node to do.
pub(super) enum Errand {
    /// Messages wait until all initiators have started: a node that hears of an election earlier would not be an
    /// initiator.
    Hold,
    /// Messages need not wait any longer.
    Go,
    /// A node starts, in the election that was opened at this time.
    Start(Node, Span),
    Crash(Node),
    Recover(Node),
    /// The process behind this port is down.
    PeerDown(Node, Port),
    /// A message has arrived, with its number.
    Take {
        to: Node,
        port: Port,
        n: u64,
        msg: Envelope,
    },
    /// The run is over.
    Leave,
}

/// An errand with its time; 0 means at once.
pub(super) struct Dispatch {
    pub(super) due: Span,
    pub(super) errand: Errand,
}

/// Some nodes and all their data, owned by one thread.
pub(super) struct Group<'a> {
    shared: &'a Shared<'a>,
    /// The nodes hosted here.
    nodes: Range<Node>,
    drivers: Vec<Driver<SharedDraws<'a>>>,
    dead: Vec<bool>,
    /// When nodes came back after a crash.
    recovered: Vec<Option<Span>>,
    /// The messages that wait for all initiators to start, while there is such a wait.
    held: Option<VecDeque<Errand>>,
    /// Whether the time of a step matters even if nothing is recorded.
    is_timed: bool,
    inbox: Receiver<Dispatch>,
    post: &'a Post,
    agenda: Agenda,
    /// By node: when its next timer goes off.
    alarms: Timers<()>,
    outgoing: Outgoing,
}

/// The channels to all groups.
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

/// The choices of a process. All are drawn from the shared generator.
struct SharedDraws<'a> {
    node: Node,
    shared: &'a Shared<'a>,
}

impl Draws for SharedDraws<'_> {
    fn draw(&mut self, arity: u64) -> u64 {
        self.shared.choose(self.node, arity)
    }
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
    fn write(&self, book: &mut Book, shared: &Shared<'_>, now: Time, node: Node) {
        let kind = match self {
            Self::Start => EventKind::Start,
            Self::Recover => EventKind::Recover,
            Self::PeerDown(_) => EventKind::PeerDown,
            Self::Timeout(_) => EventKind::Timeout,
            Self::Take(..) => EventKind::Receive,
        };
        if let Self::Start | Self::Recover | Self::Take(..) = self {
            book.judge.joins(node, !matches!(self, Self::Take(..)));
        }
        book.recorder.begin(now, node, kind);
        match self {
            Self::Start | Self::Recover => {}
            Self::PeerDown(port) => book.recorder.hears_of(*port),
            Self::Timeout(timer) => book.recorder.times_out(|| shared.cast.timer_name(*timer)),
            Self::Take(port, n, msg) => {
                let (from, _) = shared.scenario.topology.far(node, *port);
                book.recorder.receives(from, *port, msg, *n);
            }
        }
    }

    /// The load that this step settles, except for timers.
    fn load(&self) -> Load {
        match self {
            Self::Take(_, _, msg) => Load::of_message(msg),
            Self::Start | Self::Recover | Self::PeerDown(_) => Load::of(1),
            Self::Timeout(_) => Load::default(),
        }
    }

    /// The cue for the process.
    fn cue(self) -> Cue {
        match self {
            Self::Start | Self::Recover => Cue::Start,
            Self::PeerDown(port) => Cue::PeerDown(port),
            Self::Timeout(timer) => Cue::Timeout(timer),
            Self::Take(port, _, msg) => Cue::Receive(port, msg),
        }
    }
}

/// The number of errands after which a thread looks for new ones from other threads.
const PATIENCE: usize = 64;

/// How often a thread looks before it goes to sleep: about ten microseconds.
const LINGER: usize = 400;

impl<'a> Group<'a> {
    /// A group of nodes with the channel for their errands.
    pub(super) fn new(
        shared: &'a Shared<'a>,
        nodes: Range<Node>,
        processes: Vec<Box<dyn Actor>>,
        inbox: Receiver<Dispatch>,
        post: &'a Post,
    ) -> Self {
        let outgoing = Outgoing::new(shared, nodes.start);
        let driver =
            |(node, process)| Driver::new(process, shared.scenario.topology.ports(node), SharedDraws { node, shared });
        Self {
            shared,
            dead: vec![false; processes.len()],
            recovered: vec![None; processes.len()],
            drivers: nodes.clone().zip(processes).map(driver).collect(),
            held: None,
            is_timed: outgoing.delays.hold_up || shared.cast.has_timers,
            nodes,
            inbox,
            post,
            agenda: Agenda::new(),
            alarms: Timers::default(),
            outgoing,
        }
    }

    /// Runs errands until the run is over. Returns the processes.
    pub(super) fn serve(mut self) -> Leftover {
        let alarm = Alarm(self.shared);
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
            let timer = self.alarms.first().map(|(due, _)| due);
            let news = match self.agenda.next_due().into_iter().chain(timer).min() {
                None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => self.inbox.recv_timeout(self.shared.clock.until(due)),
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
        (self.drivers.into_iter().map(Driver::into_process).collect(), self.outgoing.tally)
    }

    /// Waits a moment for an errand before the thread goes to sleep, if every thread has its own core. To wake a thread
    /// up takes longer than the wait for most errands.
    fn linger(&self) -> Option<Dispatch> {
        let turns = if self.post.groups.len() <= self.shared.cores { LINGER } else { 0 };
        (0..turns).find_map(|_| {
            std::hint::spin_loop();
            self.inbox.try_recv().ok()
        })
    }

    /// Files an errand, unless it concerns the thread itself. Returns whether the thread stays.
    fn accept(&mut self, dispatch: Dispatch) -> bool {
        match dispatch.errand {
            Errand::Hold => self.held = Some(VecDeque::new()),
            Errand::Go => self.held.take().into_iter().flatten().for_each(|errand| self.run(errand)),
            Errand::Leave => return false,
            _ => self.agenda.file(dispatch),
        }
        true
    }

    /// Runs the next errand that is due, or the next timer. Returns whether there was one.
    fn run_next(&mut self) -> bool {
        let alarm = self.alarms.first();
        let later = self.agenda.next_due();
        let first = alarm.map(|(due, _)| due).into_iter().chain(later).min();
        if let Some(first) = first.filter(|first| *first <= self.shared.clock.now()) {
            if later == Some(first) {
                self.agenda.pop_due().into_iter().for_each(|errand| self.run(errand));
            } else if let Some((_, node)) = alarm
                && let Some((_, timer)) = self.drivers[self.place(node)].next_deadline()
            {
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
            Errand::Start(node, since) => {
                // On a busy machine a node may crash and come back before it hears of the election. Then it has
                // started.
                let has_started = self.recovered[self.place(node)].is_some_and(|at| at >= since);
                if self.is_dead(node) || has_started {
                    self.shared.settle(Load::of(1));
                } else {
                    self.step(node, Cause::Start);
                }
                self.shared.note_start();
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

    /// A process stops. Its neighbours hear of it later.
    fn crash(&mut self, node: Node) {
        let (place, network) = (self.place(node), &self.shared.scenario.topology);
        let mut book = self.shared.turn();
        let now = self.shared.clock.now();
        if self.shared.is_over() || self.shared.ends_by(now) {
            return;
        }
        book.recorder.crashes(Time::after(now), node);
        let driver = &mut self.drivers[place];
        book.judge.crash(Time::after(now), node, driver.process().status());
        self.dead[place] = true;
        drop(book);
        let mut settled = load_of(self.shared, driver);
        settled.add(Load::of(1));
        driver.stop();
        self.alarms.cancel(node, ());
        let ports = network.ports(node);
        self.shared.expect(Load::of(ports.into()));
        for (far, at) in (0..ports).map(|port| network.far(node, Port(port))) {
            let due = Span(now.0.saturating_add(self.shared.scenario.detection.0).max(1));
            self.post.send(far, Dispatch { due, errand: Errand::PeerDown(far, at) });
        }
        self.shared.settle(settled);
    }

    /// A process starts again, with what is on its disk.
    fn recover(&mut self, node: Node) {
        let (place, scenario) = (self.place(node), self.shared.scenario);
        let mut book = self.shared.turn();
        let now = self.shared.clock.now();
        if self.shared.ends_by(now) || !self.shared.may_step() {
            return;
        }
        let driver = &mut self.drivers[place];
        let process = restore(scenario, self.shared.cast.info, node, driver.process(), Time::after(now));
        driver.restart(process.expect("it was brought up before"));
        self.dead[place] = false;
        self.recovered[place] = Some(now);
        self.shared.expect(load_of(self.shared, driver));
        book.judge.recover(node);
        self.take_step(Some(book), now, node, Cause::Recover);
    }

    /// A process hears that a neighbour is down, if it is still alive and the neighbour is still down.
    fn hear(&mut self, node: Node, port: Port) {
        let (peer, _) = self.shared.scenario.topology.far(node, port);
        let book = self.shared.turn();
        if self.is_dead(node) || !book.judge.dead().contains(&peer) {
            drop(book);
            self.shared.settle(Load::of(1));
        } else {
            let now = self.shared.clock.now();
            if !self.shared.ends_by(now) && self.shared.may_step() {
                self.take_step(Some(book), now, node, Cause::PeerDown(port));
            }
        }
    }

    /// A message reaches a process that is down.
    fn lose(&mut self, node: Node, port: Port, n: u64, msg: &Envelope) {
        let (from, _) = self.shared.scenario.topology.far(node, port);
        let mut book = self.shared.turn();
        if self.shared.is_over() {
            return;
        }
        self.outgoing.tally.vanished();
        let now = Time::after(self.shared.clock.now());
        book.recorder.drops(now, node, from, port, msg, n);
        drop(book);
        self.shared.settle(Load::of_message(msg));
    }

    /// A process takes a step, and before it those for its timers that are due.
    fn step(&mut self, node: Node, cause: Cause) {
        let shared = self.shared;
        loop {
            let book = shared.strict.then(|| shared.turn());
            let now = if book.is_some() || self.is_timed { shared.clock.now() } else { Span(0) };
            if shared.ends_by(now) || !shared.may_step() {
                return;
            }
            let due = self.drivers[self.place(node)].next_deadline().filter(|(due, _)| *due <= now);
            match (due, &cause) {
                (None, _) | (_, Cause::Timeout(_)) => return self.take_step(book, now, node, cause),
                (Some((_, timer)), _) => self.take_step(book, now, node, Cause::Timeout(timer)),
            }
        }
    }

    /// A process takes a step. If every step is recorded, the book is locked during the step. So the order in the book
    /// is the order in which things happen. Otherwise the book is only locked for a decision.
    fn take_step(&mut self, mut book: Option<MutexGuard<'a, Book>>, mut now: Span, node: Node, cause: Cause) {
        let Self { shared, ref nodes, .. } = *self;
        self.outgoing.tally.events += 1;
        if let Some(book) = &mut book {
            cause.write(book, shared, Time::after(now), node);
        }
        let driver = &mut self.drivers[(node - nodes.start) as usize];
        let (mut settled, alarm) = (load_of(shared, driver), driver.next_deadline());
        settled.add(cause.load());
        let Effects { change, draws, rules, sent, .. } = driver.handle(now, cause.cue());
        let decided = change.decided();
        if book.is_none() && decided.is_some() {
            book = Some(shared.book());
            now = shared.clock.now();
        }
        if let Some(book) = &mut book {
            draws.iter().for_each(|value| book.recorder.draws(*value));
            rules.iter().for_each(|rule| book.recorder.follows(rule));
        }
        let mut expected = Load::default();
        for (n, (port, msg)) in sent {
            let parcel = Parcel { from: node, port, n, msg };
            expected.add(self.outgoing.pack(shared, now, book.as_deref_mut(), parcel));
        }
        expected.add(load_of(shared, driver));
        if driver.next_deadline() != alarm {
            match driver.next_deadline() {
                Some((due, _)) => self.alarms.set(node, (), due),
                None => self.alarms.cancel(node, ()),
            }
        }
        if let Some(mut book) = book {
            let Book { judge, deadlines, .. } = &mut *book;
            let (time, goes_on) = (Time::after(now), shared.cast.info.perpetual);
            if goes_on && decided == Some(Status::Leader) {
                judge.suspend_late(time, |leader| deadlines.get(&leader).copied());
            }
            if decided.is_some() {
                judge.decides(time, node, change.before.status, driver.process());
            }
            if goes_on {
                let due = driver.next_deadline().map(|(due, _)| due);
                judge.catch_up(time, node, driver.process().status(), due);
                deadlines.remove(&node);
                deadlines.extend(due.filter(|_| driver.process().status() == Status::Leader).map(|due| (node, due)));
            }
            book.recorder.end(change, || driver.process().variables(), &shared.scenario.topology);
        }
        let (more, less) = expected.net(settled);
        shared.expect(more);
        for (to, dispatch) in self.outgoing.ready.drain(..) {
            if nodes.contains(&to) { self.agenda.file(dispatch) } else { self.post.send(to, dispatch) }
        }
        shared.settle(less);
    }
}

/// What a process will still do on its own: run its timers, and act although only overhead arrives.
fn load_of(shared: &Shared<'_>, driver: &Driver<SharedDraws<'_>>) -> Load {
    let timers = driver.timers().len() as u64;
    let pending = shared.cast.kinds.has_overhead && driver.process().is_pending();
    Load { awaited: timers + u64::from(pending), moving: timers }
}

/// Reports a thread that ends without an order: an algorithm has a bug.
struct Alarm<'a>(&'a Shared<'a>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.0.tell(News::Lost);
    }
}
