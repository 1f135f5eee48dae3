//! The data that all threads of a run share: the clock, the book, and what the run still waits for.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

use bellwether_core::Span;
use bellwether_net::Node;
use bellwether_random::Choices;
use bellwether_world::host::{Cast, Envelope, Fates, Recorder};
use bellwether_world::trace::Event;
use bellwether_world::{Judge, Scenario, Time, Timing};

use super::backlog::Backlog;
use super::clock::Stopwatch;

/// What a thread tells the main thread.
pub(super) enum News {
    /// An event for the recorder.
    Event(Box<Event>),
    /// All initiators have started.
    Started,
    /// Nothing is left to happen.
    Quiet,
    /// The limit of steps is reached.
    Limit,
    /// The thread ended without an order.
    Lost,
}

/// The data that the threads of a run share.
pub(super) struct Shared<'a> {
    pub(super) cast: &'a Cast,
    pub(super) scenario: &'a Scenario,
    pub(super) clock: Stopwatch,
    /// How many threads can run at once.
    pub(super) cores: usize,
    /// Whether every step is recorded. Then the book is locked during each step; otherwise only for decisions.
    pub(super) strict: bool,
    /// The events that the main thread has not handed on yet.
    pub(super) backlog: Arc<Backlog>,
    book: Mutex<Book>,
    choices: Mutex<Choices>,
    /// What must still happen: messages, timers, starts, faults, and processes that act on their own. Of messages, only
    /// those of the algorithm itself.
    awaited: AtomicU64,
    /// What can still happen: every message, timers, starts, faults.
    moving: AtomicU64,
    /// The number of initiators that have not started yet.
    unstarted: AtomicU64,
    steps: AtomicU64,
    over: AtomicBool,
    news: Sender<News>,
}

/// The part that one thread at a time writes. It gives everything an order.
pub(super) struct Book {
    pub(super) judge: Judge,
    pub(super) recorder: Recorder<Box<dyn FnMut(Event) + Send>>,
    pub(super) fates: Fates,
    /// By leader, if the algorithm goes on: when its next timer is due.
    pub(super) deadlines: BTreeMap<Node, Span>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(
        cast: &'a Cast,
        scenario: &'a Scenario,
        clock: Stopwatch,
        record: bool,
        news: Sender<News>,
    ) -> Self {
        let backlog = Arc::new(Backlog::default());
        let (desk, pile) = (news.clone(), backlog.clone());
        let sink: Option<Box<dyn FnMut(Event) + Send>> = record.then(|| {
            Box::new(move |event| {
                pile.grow();
                // If the receiver is gone, the run is over.
                let _ = desk.send(News::Event(Box::new(event)));
            }) as _
        });
        let nodes = scenario.ids.len() as Node;
        Self {
            cast,
            scenario,
            clock,
            cores: available_parallelism().map_or(1, usize::from),
            strict: record || !scenario.faults.is_empty() || cast.info.perpetual,
            backlog,
            book: Mutex::new(Book {
                judge: Judge::new(cast.info, scenario),
                recorder: Recorder::new(sink),
                fates: Fates::new(scenario),
                deadlines: BTreeMap::new(),
            }),
            choices: Mutex::new(Choices::new(scenario.seed, nodes, scenario.draws.clone())),
            awaited: AtomicU64::new(0),
            moving: AtomicU64::new(0),
            unstarted: AtomicU64::new(0),
            steps: AtomicU64::new(0),
            over: AtomicBool::new(false),
            news,
        }
    }

    /// The artificial delay of messages: at least, and at most.
    pub(super) fn latency(&self) -> (Span, Span) {
        let Timing::Live(clock) = self.scenario.timing else { return (Span(0), Span(0)) };
        let (least, most) = clock.latency_us;
        (clock.span(least), clock.span(most.max(least)))
    }

    pub(super) fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The book for a thread of nodes, once few enough events wait to be handed on. A thread waits without the book, so
    /// the main thread can always have it.
    pub(super) fn turn(&self) -> MutexGuard<'_, Book> {
        self.backlog.wait_for_room();
        self.book()
    }

    /// The next choice of a process.
    pub(super) fn choose(&self, node: Node, arity: u64) -> u64 {
        self.choices.lock().unwrap_or_else(PoisonError::into_inner).choose(node, arity)
    }

    pub(super) fn tell(&self, news: News) {
        // After the end of the run there is no receiver.
        let _ = self.news.send(news);
    }

    /// Whether the end of the run is not later than this.
    pub(super) fn ends_by(&self, now: Span) -> bool {
        self.scenario.until.is_some_and(|until| until <= Time::after(now))
    }

    /// Whether the run is over, or at its limit.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Whether another step may be taken.
    pub(super) fn may_step(&self) -> bool {
        if self.is_over() {
            return false;
        }
        let allowed = self.steps.fetch_add(1, Ordering::Relaxed) < self.scenario.limit;
        if !allowed && !self.over.swap(true, Ordering::Relaxed) {
            self.tell(News::Limit);
        }
        allowed
    }

    /// This many initiators are to start.
    pub(super) fn expect_starts(&self, count: u64) {
        self.unstarted.store(count, Ordering::Release);
        self.expect(Load::of(count));
    }

    /// An initiator has started, or is down.
    pub(super) fn note_start(&self) {
        if self.unstarted.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.tell(News::Started);
        }
    }

    /// A repeated message counts as a step. Otherwise copies of copies would have no bound.
    pub(super) fn note_copy(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// The run is over: no step is taken any more.
    pub(super) fn close(&self) {
        self.over.store(true, Ordering::Relaxed);
        self.backlog.open();
    }

    /// How many steps were taken, and how much can still happen.
    pub(super) fn progress(&self) -> (u64, u64) {
        (self.steps.load(Ordering::Relaxed), self.moving.load(Ordering::Relaxed))
    }

    /// Adds to what is to happen. Must be called before it can happen.
    pub(super) fn expect(&self, load: Load) {
        self.awaited.fetch_add(load.awaited, Ordering::AcqRel);
        self.moving.fetch_add(load.moving, Ordering::AcqRel);
    }

    /// Subtracts what has happened. Must be called after everything that follows from it is added.
    pub(super) fn settle(&self, load: Load) {
        let ended = |counter: &AtomicU64, less: u64| less > 0 && counter.fetch_sub(less, Ordering::AcqRel) == less;
        let (awaited, moving) = (ended(&self.awaited, load.awaited), ended(&self.moving, load.moving));
        if awaited || moving {
            self.tell(News::Quiet);
        }
    }

    /// Whether nothing can happen any more, or nothing that the run waits for.
    pub(super) fn is_quiet(&self) -> bool {
        self.awaited.load(Ordering::Acquire) == 0 || self.moving.load(Ordering::Acquire) == 0
    }

    /// Returns the judge and the choices.
    pub(super) fn dissolve(self) -> (Judge, Choices) {
        let book = self.book.into_inner().unwrap_or_else(PoisonError::into_inner);
        (book.judge, self.choices.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// An amount of things that are to happen, or have happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    pub(super) awaited: u64,
    pub(super) moving: u64,
}

impl Load {
    /// This many things that must happen.
    pub(super) const fn of(count: u64) -> Self {
        Self { awaited: count, moving: count }
    }

    /// A message. Overhead need not arrive before the run can end.
    pub(super) fn of_message(msg: &Envelope) -> Self {
        Self { awaited: u64::from(!msg.is_overhead()), moving: 1 }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.awaited += other.awaited;
        self.moving += other.moving;
    }

    /// Both without their common part, which needs no update of the counters.
    pub(super) fn net(self, settled: Self) -> (Self, Self) {
        let (a, m) = (self.awaited.min(settled.awaited), self.moving.min(settled.moving));
        let less = |load: Self| Self { awaited: load.awaited - a, moving: load.moving - m };
        (less(self), less(settled))
    }
}
