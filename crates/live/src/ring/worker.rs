//! A worker: a thread that looks at its desk, takes steps, and hands over its letters.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bellwether_core::{NoTimer, Numbered, Outbox, Port, Process, Stamped, Status};
use bellwether_random::Stream;

use super::common::Common;
use super::counts::bump;
use super::event::{RingEvent, Why};
use super::flight::Flight;
use super::handover::{Find, Returned};
use super::letter::{Letter, Order};
use super::patience::Patience;
use super::report::{View, WorkerReport};
use super::suspects::Suspects;

/// One worker of a ring.
pub struct Worker<P: Process> {
    common: Arc<Common<P>>,
    position: usize,
    process: Numbered<P>,
    /// What it sends in a step, and its source of random choices.
    step: Step<P::Msg>,
    /// What it believes, as the ring was told after its last step.
    view: View,
    /// The latest election of which it knows a participant.
    latest: u64,
    membership: Membership,
    tasks: VecDeque<Task<P::Msg>>,
    /// Whether it is to rest before its next task, as soon as it has handed over what it had to send.
    is_tired: bool,
    /// Only the first letter is offered.
    outbox: VecDeque<Letter<P::Msg>>,
    standing: Option<PendingOffer>,
    suspects: Suspects,
    patience: Patience,
}

/// What a process does in a step.
type Step<M> = Outbox<Stamped<M>, NoTimer, Stream>;

/// Whether a worker knows the current election of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Membership {
    Member,
    /// It came back with an empty memory, and no other worker has confirmed its number yet.
    Newcomer,
}

enum Task<M> {
    /// Begin an election after a restart.
    Return(Flight),
    Read(Letter<M>),
    /// Start the election with this number.
    Start(u64, Flight),
}

/// An offer that has not been answered.
struct PendingOffer {
    to: usize,
    /// When it is given up; `None` if it is known to be taken.
    until: Option<Instant>,
}

impl<P: Process<Timer = NoTimer>> Worker<P> {
    /// A worker that sleeps until something arrives.
    pub fn new(common: Arc<Common<P>>, position: usize, process: Numbered<P>, chance: Stream) -> Self {
        let patience = Patience::new(common.ids.len(), common.timing);
        Self {
            position,
            process,
            step: Outbox::new(2, chance),
            view: View::NONE,
            latest: 0,
            membership: Membership::Member,
            tasks: VecDeque::new(),
            is_tired: false,
            outbox: VecDeque::new(),
            standing: None,
            suspects: Suspects::default(),
            patience,
            common,
        }
    }

    /// A worker that comes back with an empty memory, and begins an election.
    pub fn returning(mut self, flight: Flight) -> Self {
        self.membership = Membership::Newcomer;
        self.tasks.push_back(Task::Return(flight));
        self
    }

    /// Its position.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Works until it gets the order to stop.
    pub fn run(mut self) {
        self.common.observe(RingEvent::Running { worker: self.position });
        while self.turn().is_continue() {}
    }

    /// One turn: hand over, perform a task, or look at the desk.
    fn turn(&mut self) -> ControlFlow<()> {
        self.hand_over();
        if self.is_tired && self.standing.is_none() {
            self.is_tired = false;
            return self.rest();
        }
        if !self.is_tired
            && let Some(task) = self.tasks.pop_front()
        {
            self.perform(task);
            self.is_tired = !self.common.timing.worker_sleep.is_zero();
            return ControlFlow::Continue(());
        }
        let eager = self.is_tired || !self.outbox.is_empty();
        match self.common.desks.attend(self.position, self.view.election, eager, self.next_moment()) {
            Find::Order(Order::Stop) => return ControlFlow::Break(()),
            Find::Order(Order::Pause(time)) => return self.pause(time),
            Find::Order(Order::Start(election, flight)) => self.tasks.push_back(Task::Start(election, flight)),
            Find::Mark(election) => self.see_mark(election),
            Find::Answer(election) => self.hear_answer(election),
            Find::Letter { from, letter } => self.take(from, letter),
            Find::Nothing => self.time_is_up(),
        }
        ControlFlow::Continue(())
    }

    fn take(&mut self, from: usize, letter: Letter<P::Msg>) {
        self.patience.renew();
        self.common.counts.hand_over(&letter.message);
        let Stamped::Of(election, ref message) = letter.message;
        self.common.observe(RingEvent::HandedOver { from, to: self.position, election, message });
        self.tasks.push_back(Task::Read(letter));
    }

    /// The task is under way until the end of this function.
    fn perform(&mut self, task: Task<P::Msg>) {
        match task {
            Task::Return(_flight) => self.begin_later(Why::Restarted),
            Task::Read(letter) => self.read(letter),
            Task::Start(election, _flight) => self.hold(election, Why::Asked),
        }
    }

    fn read(&mut self, letter: Letter<P::Msg>) {
        let Letter { message: stamped, origin, flight: _flight } = letter;
        let Stamped::Of(election, ref message) = stamped;
        if election < self.view.election {
            bump(&self.common.counts.retired);
            self.common.observe(RingEvent::Outdated { worker: self.position, election, message });
            return;
        }
        self.membership = Membership::Member;
        if election > self.view.election {
            self.common.observe(RingEvent::Joined { worker: self.position, election });
            self.clear_for(election);
        }
        let received = stamped.clone();
        self.step(Some((stamped, origin)), |process, ctx| process.receive(Port::PREVIOUS, received, ctx));
    }

    /// An election went past this worker. It begins a later one, unless it is already in a later one.
    fn see_mark(&mut self, election: u64) {
        self.latest = self.latest.max(election);
        if election >= self.view.election {
            self.begin_later(Why::PassedOver);
        }
    }

    /// Begins an election with a number above all that it knows.
    fn begin_later(&mut self, why: Why) {
        self.hold(self.latest + 1, why);
    }

    /// Begins an election, or takes part in the present one as an initiator.
    fn hold(&mut self, election: u64, why: Why) {
        if election > self.view.election {
            self.common.observe(RingEvent::Began { worker: self.position, election, why });
            self.clear_for(election);
        }
        self.step(None, |process, ctx| process.hold(election, ctx));
    }

    /// Drops what is left of earlier elections, before it enters this one.
    fn clear_for(&mut self, election: u64) {
        if self.view.status == Status::Leader {
            self.common.observe(RingEvent::SteppedDown { worker: self.position, election });
        }
        self.withdraw();
        self.outbox.clear();
        self.latest = self.latest.max(election);
        self.patience.renew();
    }

    /// Takes a step. A message that is passed on unchanged keeps its owner.
    fn step(
        &mut self,
        received: Option<(Stamped<P::Msg>, usize)>,
        step: impl FnOnce(&mut Numbered<P>, &mut Step<P::Msg>),
    ) {
        self.step.clear();
        step(&mut self.process, &mut self.step);
        for (port, message) in self.step.sent.drain(..) {
            debug_assert_eq!(port, Port::NEXT, "this ring goes one way");
            let owner = received.as_ref().filter(|(received, _)| *received == message);
            let origin = owner.map_or(self.position, |&(_, origin)| origin);
            let flight = self.common.flights.begin();
            self.outbox.push_back(Letter { message, origin, flight });
        }
        self.tell();
    }

    /// Tells the ring the current view, if it has changed.
    fn tell(&mut self) {
        let (worker, election) = (self.position, self.process.election());
        let view = View { election, status: self.process.status() };
        if view == self.view {
            return;
        }
        self.view = view;
        let leader = match view.status {
            Status::Undecided => None,
            Status::Leader => Some(self.common.ids[worker]),
            Status::Follower(leader) => leader,
        };
        if let Some(leader) = leader {
            self.patience.fulfil();
            self.common.observe(RingEvent::Decided { worker, election, leader });
        }
        self.common.report(WorkerReport::View(worker, view));
    }

    /// Offers the first letter to the next living worker, unless an offer stands.
    fn hand_over(&mut self) {
        let worker = self.position;
        while self.standing.is_none()
            && let Some(letter) = self.outbox.pop_front()
        {
            let Stamped::Of(election, ref message) = letter.message;
            let Common { desks, counts, .. } = &*self.common;
            let route = self.suspects.route(desks, worker, self.common.ids.len(), election);
            if route.was_suspected {
                let wait = self.suspects.wait_for(route.to, self.common.timing);
                self.common.observe(RingEvent::Trusted { worker, suspect: route.to, wait });
            }
            for &over in &route.over {
                bump(&counts.skipped);
                self.common.observe(RingEvent::PassedOver { worker, over, election });
            }
            if route.over.contains(&letter.origin) {
                bump(&counts.retired);
                self.common.observe(RingEvent::Retired { worker, owner: letter.origin, election, message });
                self.begin_later(Why::OwnerGone);
                continue;
            }
            bump(&counts.offered);
            // The event comes first: the neighbour may take the letter as soon as it lies there.
            self.common.observe(RingEvent::Offered { from: worker, to: route.to, election, message });
            desks.offer(worker, route.to, letter);
            let wait = self.suspects.wait_for(route.to, self.common.timing);
            self.standing = Some(PendingOffer { to: route.to, until: Instant::now().checked_add(wait) });
        }
    }

    /// The offer was taken by a worker in this election.
    fn hear_answer(&mut self, election: u64) {
        if self.standing.take().is_none() {
            return; // it was about an offer of an earlier election
        }
        self.patience.renew();
        self.latest = self.latest.max(election);
        if self.membership == Membership::Newcomer {
            if election > self.view.election {
                self.begin_later(Why::Behind);
            } else {
                self.membership = Membership::Member;
            }
        }
    }

    /// The next moment at which it must act even if nothing arrives.
    fn next_moment(&self) -> Option<Instant> {
        let offer = self.standing.as_ref().and_then(|standing| standing.until);
        let patience = self.patience.end().filter(|_| self.is_waiting());
        [offer, patience].into_iter().flatten().min()
    }

    /// Whether only news from others can let it go on.
    fn is_waiting(&self) -> bool {
        self.view.is_engaged() && self.tasks.is_empty()
    }

    fn time_is_up(&mut self) {
        let now = Instant::now();
        let is_over = |moment: Option<Instant>| moment.is_some_and(|moment| moment <= now);
        if self.standing.as_ref().is_some_and(|standing| is_over(standing.until)) {
            self.give_up();
        } else if self.is_waiting() && is_over(self.patience.end()) {
            self.patience.exhaust();
            self.begin_later(Why::Impatient);
        }
    }

    /// The neighbour did not take the offer in time.
    fn give_up(&mut self) {
        let (worker, election) = (self.position, self.view.election);
        let Some(PendingOffer { to: suspect, .. }) = self.standing.take() else { return };
        match self.common.desks.give_up(worker, suspect, election) {
            Some(Returned { letter, turns }) => {
                bump(&self.common.counts.returned);
                self.common.observe(RingEvent::Suspected { worker, suspect, election });
                self.suspects.add(suspect, turns);
                self.outbox.push_front(letter);
                self.patience.renew();
            }
            // Taken at the last moment: the answer is on its way.
            None => self.standing = Some(PendingOffer { to: suspect, until: None }),
        }
    }

    /// Rests after a task. A worker that waits for it may think that it has failed.
    fn rest(&mut self) -> ControlFlow<()> {
        match self.doze(Instant::now() + self.common.timing.worker_sleep)? {
            Some(time) => self.pause(time),
            None => ControlFlow::Continue(()),
        }
    }

    /// Does nothing for a while, as if it had failed. Another pause meanwhile changes nothing.
    fn pause(&mut self, time: Duration) -> ControlFlow<()> {
        self.common.observe(RingEvent::Paused { worker: self.position, time });
        let Some(end) = Instant::now().checked_add(time) else { return ControlFlow::Continue(()) };
        while self.doze(end)?.is_some() {}
        self.common.observe(RingEvent::Running { worker: self.position });
        ControlFlow::Continue(())
    }

    /// Takes nothing from its desk but orders, until then or until it gets the order to pause.
    fn doze(&mut self, end: Instant) -> ControlFlow<(), Option<Duration>> {
        while let Some(order) = self.common.desks.doze(self.position, end) {
            match order {
                Order::Stop => return ControlFlow::Break(()),
                Order::Start(election, flight) => self.tasks.push_back(Task::Start(election, flight)),
                Order::Pause(time) => return ControlFlow::Continue(Some(time)),
            }
        }
        self.patience.renew();
        ControlFlow::Continue(None)
    }
}

impl<P: Process> Worker<P> {
    /// Takes its offer back, if it was not taken.
    fn withdraw(&mut self) {
        if let Some(PendingOffer { to, .. }) = self.standing.take()
            && self.common.desks.withdraw(self.position, to).is_some()
        {
            bump(&self.common.counts.returned);
        }
    }
}

/// A worker's letters are lost with it, even the one that is on offer.
impl<P: Process> Drop for Worker<P> {
    fn drop(&mut self) {
        self.withdraw();
    }
}
