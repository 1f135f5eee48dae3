//! A worker: a thread that attends to its desk, takes steps, and hands over what it has to send.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bellwether_core::{NoTimer, Port, Process, Status};
use bellwether_world::random::Stream;

use super::counts::bump;
use super::event::{Event, Why};
use super::flight::Flight;
use super::handover::{Find, Returned};
use super::letter::{Letter, Order};
use super::office::Office;
use super::patience::Patience;
use super::report::{Report, View};
use super::step::Step;
use super::suspects::Suspects;

/// One worker of a ring.
pub struct Worker<P: Process> {
    office: Arc<Office<P>>,
    position: usize,
    /// The process as it enters every election.
    fresh: P,
    process: P,
    chance: Stream,
    view: View,
    /// What the ring was told last.
    told: View,
    /// The latest election that it knows anybody to be in.
    latest: u64,
    membership: Membership,
    tasks: VecDeque<Task<P::Msg>>,
    /// Until then it rests after its latest task. It takes what arrives, and handles it afterwards.
    rests_until: Instant,
    /// Only the first is offered.
    outbox: VecDeque<Letter<P::Msg>>,
    standing: Option<Standing>,
    suspects: Suspects,
    patience: Patience,
}

/// Whether a worker knows which election the others are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Membership {
    Member,
    /// It came back with an empty memory, and nobody has agreed with its number yet.
    Newcomer,
}

enum Task<M> {
    /// Begin an election because it came back.
    Return(Flight),
    Read(Letter<M>),
    /// Start the election with this number.
    Start(u64, Flight),
}

/// An offer that has not been answered.
struct Standing {
    to: usize,
    /// When it is given up; `None` once it is known to have been taken.
    until: Option<Instant>,
}

impl<P: Process<Timer = NoTimer>> Worker<P> {
    /// A worker that sleeps until it hears something.
    pub fn new(office: Arc<Office<P>>, position: usize, fresh: P, chance: Stream) -> Self {
        let patience = Patience::new(office.ids.len(), office.timing);
        Self {
            position,
            process: fresh.clone(),
            fresh,
            chance,
            view: View::NONE,
            told: View::NONE,
            latest: 0,
            membership: Membership::Member,
            tasks: VecDeque::new(),
            rests_until: Instant::now(),
            outbox: VecDeque::new(),
            standing: None,
            suspects: Suspects::default(),
            patience,
            office,
        }
    }

    /// A worker that comes back with an empty memory, and begins an election.
    pub fn returning(mut self, flight: Flight) -> Self {
        self.membership = Membership::Newcomer;
        self.tasks.push_back(Task::Return(flight));
        self
    }

    /// Where it sits.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Works until it is ordered to stop.
    pub fn run(mut self) {
        self.office.observe(Event::Running { worker: self.position });
        while self.turn().is_continue() {}
    }

    /// One thing after the other: hand over, handle, attend to the desk.
    fn turn(&mut self) -> ControlFlow<()> {
        self.hand_over();
        if self.rests_until <= Instant::now()
            && let Some(task) = self.tasks.pop_front()
        {
            self.perform(task);
            self.rests_until = Instant::now() + self.office.timing.worker_sleep;
            return ControlFlow::Continue(());
        }
        match self.office.desks.attend(self.position, self.view.election, self.next_moment()) {
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
        self.office.counts.hand_over(&letter.message);
        let (election, message) = (letter.election, &letter.message);
        self.office.observe(Event::HandedOver { from, to: self.position, election, message });
        self.tasks.push_back(Task::Read(letter));
    }

    /// What is done here is under way until the end of this function.
    fn perform(&mut self, task: Task<P::Msg>) {
        match task {
            Task::Return(_flight) => self.begin_later(Why::Restarted),
            Task::Read(letter) => self.read(letter),
            Task::Start(election, _flight) if election > self.view.election => self.begin(election, Why::Asked),
            Task::Start(election, _flight) if election == self.view.election && self.view.is_engaged() => {
                self.step(None, |process, step| process.start(step));
            }
            Task::Start(..) => {} // that election is over
        }
    }

    fn read(&mut self, letter: Letter<P::Msg>) {
        let Letter { message, election, origin, flight: _flight } = letter;
        if election < self.view.election {
            bump(&self.office.counts.retired);
            self.office.observe(Event::Outdated { worker: self.position, election, message: &message });
            return;
        }
        self.membership = Membership::Member;
        if election > self.view.election {
            self.office.observe(Event::Joined { worker: self.position, election });
            self.enter(election);
        }
        let received = message.clone();
        self.step(Some((message, origin)), |process, step| process.receive(Port::PREVIOUS, received, step));
    }

    /// An election went past this worker. Unless it is in a later one already, it begins one.
    fn see_mark(&mut self, election: u64) {
        self.latest = self.latest.max(election);
        if election >= self.view.election {
            self.begin_later(Why::PassedOver);
        }
    }

    /// Begins an election that is later than all it knows of.
    fn begin_later(&mut self, why: Why) {
        self.begin(self.latest + 1, why);
    }

    fn begin(&mut self, election: u64, why: Why) {
        self.office.observe(Event::Began { worker: self.position, election, why });
        self.enter(election);
        self.step(None, |process, step| process.start(step));
    }

    /// Enters an election with a fresh process; what is left of earlier ones is dropped.
    fn enter(&mut self, election: u64) {
        self.withdraw();
        self.outbox.clear();
        self.process = self.fresh.clone();
        self.view = View { election, ..View::NONE };
        self.latest = self.latest.max(election);
        self.patience.renew();
    }

    /// Takes a step. What passes on unchanged keeps its owner.
    fn step(&mut self, received: Option<(P::Msg, usize)>, act: impl FnOnce(&mut P, &mut Step<'_, P::Msg>)) {
        let mut step = Step::new(&mut self.chance);
        act(&mut self.process, &mut step);
        for message in step.sent() {
            let owner = received.as_ref().filter(|(received, _)| *received == message);
            let origin = owner.map_or(self.position, |&(_, origin)| origin);
            let flight = self.office.flights.begin();
            self.outbox.push_back(Letter { message, election: self.view.election, origin, flight });
        }
        self.tell();
    }

    /// Tells the ring how the worker sees things now.
    fn tell(&mut self) {
        let (worker, election) = (self.position, self.view.election);
        let status = self.process.status();
        let leader = match status {
            Status::Undecided => None,
            Status::Leader => Some(self.office.ids[worker]),
            Status::Follower(leader) => leader,
        };
        if let Some(leader) = leader.filter(|_| status != self.view.status) {
            self.patience.fulfil();
            self.office.observe(Event::Decided { worker, election, leader });
        }
        self.view.status = status;
        if self.view != self.told {
            self.told = self.view;
            self.office.report(Report::View(worker, self.view));
        }
    }

    /// Offers the first letter to the next living worker, unless an offer stands.
    fn hand_over(&mut self) {
        let worker = self.position;
        while self.standing.is_none()
            && let Some(letter) = self.outbox.pop_front()
        {
            let election = letter.election;
            let Office { desks, counts, .. } = &*self.office;
            let route = self.suspects.route(desks, worker, self.office.ids.len(), election);
            for &over in &route.over {
                bump(&counts.skipped);
                self.office.observe(Event::PassedOver { worker, over, election });
            }
            if route.over.contains(&letter.origin) {
                bump(&counts.retired);
                let (owner, message) = (letter.origin, &letter.message);
                self.office.observe(Event::Retired { worker, owner, election, message });
                self.begin_later(Why::OwnerGone);
                continue;
            }
            bump(&counts.offered);
            desks.offer(worker, route.to, letter);
            self.standing = Some(Standing { to: route.to, until: Instant::now().checked_add(self.office.timing.wait) });
        }
    }

    /// The offer was taken by somebody in this election.
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

    /// When something is due even if nothing arrives.
    fn next_moment(&self) -> Option<Instant> {
        let offer = self.standing.as_ref().and_then(|standing| standing.until);
        let rest = Some(self.rests_until).filter(|_| !self.tasks.is_empty());
        let patience = self.patience.end().filter(|_| self.is_waiting());
        [offer, rest, patience].into_iter().flatten().min()
    }

    /// Whether only news from others can bring it further.
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

    /// The neighbour let the offer stand too long.
    fn give_up(&mut self) {
        let (worker, election) = (self.position, self.view.election);
        let Some(Standing { to: suspect, .. }) = self.standing.take() else { return };
        match self.office.desks.give_up(worker, suspect, election) {
            Some(Returned { letter, turns }) => {
                bump(&self.office.counts.returned);
                self.office.observe(Event::Suspected { worker, suspect, election });
                self.suspects.add(suspect, turns);
                self.outbox.push_front(letter);
                self.patience.renew();
            }
            // Taken at the last moment: the answer is on its way.
            None => self.standing = Some(Standing { to: suspect, until: None }),
        }
    }

    /// Does nothing for a while, but obeys if it is ordered to stop.
    fn pause(&mut self, time: Duration) -> ControlFlow<()> {
        self.office.observe(Event::Paused { worker: self.position, time });
        let Some(end) = Instant::now().checked_add(time) else { return ControlFlow::Continue(()) };
        while let Some(order) = self.office.desks.doze(self.position, end) {
            match order {
                Order::Stop => return ControlFlow::Break(()),
                Order::Start(election, flight) => self.tasks.push_back(Task::Start(election, flight)),
                Order::Pause(_) => {} // it does nothing already
            }
        }
        self.patience.renew();
        self.office.observe(Event::Running { worker: self.position });
        ControlFlow::Continue(())
    }
}

impl<P: Process> Worker<P> {
    /// Takes its offer back, if it has not been taken.
    fn withdraw(&mut self) {
        if let Some(Standing { to, .. }) = self.standing.take()
            && self.office.desks.withdraw(self.position, to).is_some()
        {
            bump(&self.office.counts.returned);
        }
    }
}

/// What it holds is lost with it, also what it was about to hand over.
impl<P: Process> Drop for Worker<P> {
    fn drop(&mut self) {
        self.withdraw();
    }
}
