//! The ring: it starts, stops, pauses and restarts the workers, and notices when they agree.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bellwether_core::{Id, Informs, NoTimer, Numbered, Process, Status, TopologyKind};
use bellwether_random::{Purpose, Stream};
use bellwether_world::ids::Ids;
use bellwether_world::initiators::Initiators;

use super::common::{Common, RingTiming};
use super::counts::{Counts, Traffic};
use super::error::Error;
use super::event::{Observer, RingEvent};
use super::flight::Flights;
use super::handover::Desks;
use super::happening::{Happening, Held};
use super::initiators;
use super::letter::Order;
use super::processes::processes;
use super::report::{Remote, View, WorkerReport};
use super::worker::Worker;

/// The settings of a ring.
#[derive(Clone, Copy, Debug)]
pub struct RingSettings {
    /// The number of workers.
    pub size: u32,
    /// The seed for ids and initiators.
    pub seed: u64,
    /// The times.
    pub timing: RingTiming,
}

/// A ring of workers, each a thread. When it is dropped they are stopped and joined.
pub struct WorkerRing<P: Process> {
    common: Arc<Common<P>>,
    reports: Receiver<WorkerReport>,
    /// By position: the process before its first election.
    asleep: Vec<Numbered<P>>,
    /// By position: its thread, if it runs.
    threads: Vec<Option<JoinHandle<()>>>,
    /// By position: its last reported view.
    views: Vec<View>,
    seed: u64,
    chance: Stream,
    /// The election that was asked for, and the latest election on which all agreed.
    wanted: u64,
    settled: u64,
    initiators: Vec<usize>,
    since: Option<Instant>,
    before: Traffic,
}

/// The stack of a worker's thread. It is small, because there may be thousands of threads and none has deep calls.
const STACK: usize = 256 << 10;

impl<P: Process<Timer = NoTimer>> WorkerRing<P> {
    /// Starts all workers. They sleep until an election is started.
    ///
    /// # Errors
    /// If the algorithm is not for such a ring, or there are not enough threads.
    pub fn new(settings: RingSettings, observer: Observer) -> Result<Self, Error> {
        let RingSettings { size, seed, timing } = settings;
        if P::INFO.topology != TopologyKind::OneWayRing || P::INFO.informs != Informs::Leader {
            return Err(Error::Misfit(P::INFO));
        }
        let ids = Ids::Random.assign(size, seed).map_err(|_| Error::Empty)?;
        if ids.is_empty() {
            return Err(Error::Empty);
        }
        let (sender, reports) = mpsc::channel();
        let mut ring = Self {
            asleep: processes(&ids)?,
            reports,
            threads: ids.iter().map(|_| None).collect(),
            views: vec![View::NONE; ids.len()],
            seed,
            chance: Stream::new(seed, Purpose::Initiators),
            wanted: 0,
            settled: 0,
            initiators: Vec::new(),
            since: None,
            before: Traffic::default(),
            common: Arc::new(Common {
                desks: Desks::new(ids.len()),
                ids,
                timing,
                counts: Counts::new::<P::Msg>(),
                flights: Flights::new(sender.clone()),
                reports: sender,
                observer,
            }),
        };
        for position in 0..ring.threads.len() {
            ring.employ(ring.worker(position))?;
        }
        Ok(ring)
    }

    /// The ids by position.
    #[must_use]
    pub fn ids(&self) -> &[Id] {
        &self.common.ids
    }

    /// The positions of the workers that run.
    #[must_use]
    pub fn living(&self) -> Vec<usize> {
        (0..self.threads.len()).filter(|&position| self.runs(position)).collect()
    }

    /// The living worker that considers itself the leader. If there are several, the one of the latest election.
    #[must_use]
    pub fn leader(&self) -> Option<usize> {
        let leads = |&worker: &usize| self.views[worker].status == Status::Leader;
        self.living().into_iter().filter(leads).max_by_key(|&worker| self.views[worker].election)
    }

    /// Whether an election is under way.
    #[must_use]
    pub fn is_electing(&self) -> bool {
        self.wanted > self.settled || self.living().iter().any(|&worker| self.views[worker].is_engaged())
    }

    /// The counters so far.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        self.common.counts.traffic::<P::Msg>()
    }

    /// A way to send wishes to the ring while it waits.
    #[must_use]
    pub fn remote(&self) -> Remote {
        Remote(self.common.reports.clone())
    }

    /// Asks living workers to start an election, with a number above all others. Returns their positions.
    pub fn start(&mut self, initiators: &Initiators) -> Vec<usize> {
        self.initiators = initiators::among(&self.living(), initiators, &mut self.chance);
        self.since = Some(Instant::now());
        self.ask();
        self.initiators.clone()
    }

    /// Stops a worker at once, like a crash: what it holds is lost.
    ///
    /// # Errors
    /// If it does not run, or no other does.
    pub fn stop(&mut self, position: usize) -> Result<(), Error> {
        if !self.runs(position) {
            return Err(Error::Stopped(position));
        }
        if self.living().len() == 1 {
            return Err(Error::Last(position));
        }
        self.common.desks.order(position, Order::Stop);
        self.dismiss(position);
        self.common.observe(RingEvent::Stopped { worker: position });
        Ok(())
    }

    /// Restarts a stopped worker with an empty memory; it begins an election.
    ///
    /// # Errors
    /// If it runs, or there is no thread for it.
    pub fn restart(&mut self, position: usize) -> Result<(), Error> {
        if self.runs(position) {
            return Err(Error::Runs(position));
        }
        let flight = self.common.flights.begin();
        self.employ(self.worker(position).returning(flight))
    }

    /// Lets a worker do nothing for a while.
    ///
    /// # Errors
    /// If it does not run.
    pub fn pause(&mut self, position: usize, time: Duration) -> Result<(), Error> {
        if !self.runs(position) {
            return Err(Error::Stopped(position));
        }
        self.common.desks.order(position, Order::Pause(time));
        Ok(())
    }

    /// Waits until all agree on the result of a new election, until there is a wish, or until the time is up. If the
    /// requested election came to nothing, it is started again.
    pub fn wait(&mut self, until: Option<Instant>) -> Happening {
        loop {
            // The order matters. If no report is left after this line, all reports from before the quiet moment are
            // known. If it was not quiet, the report that ends the activity is still to come.
            let quiet = self.common.flights.is_quiet();
            if let Ok(report) = self.reports.try_recv() {
                match self.note(report) {
                    Some(happening) => return happening,
                    None => continue,
                }
            }
            if quiet {
                if let Some((number, leader)) = self.agreement() {
                    return Happening::Agreed(self.settle(number, leader));
                }
                if self.came_to_nothing() {
                    self.ask();
                }
            }
            let report = match until {
                None => self.reports.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self.reports.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match report.map(|report| self.note(report)) {
                Ok(None) => {}
                Ok(Some(happening)) => return happening,
                Err(_) => return Happening::TimeIsUp,
            }
        }
    }

    /// The shared data of the workers.
    #[cfg(test)]
    pub(super) fn common(&self) -> &Arc<Common<P>> {
        &self.common
    }

    fn runs(&self, position: usize) -> bool {
        self.threads.get(position).is_some_and(Option::is_some)
    }

    fn worker(&self, position: usize) -> Worker<P> {
        let chance = Stream::new(self.seed, Purpose::Choices(position as u32));
        Worker::new(Arc::clone(&self.common), position, self.asleep[position].clone(), chance)
    }

    /// Starts the thread of a worker.
    fn employ(&mut self, worker: Worker<P>) -> Result<(), Error> {
        let position = worker.position();
        let farewell = Farewell { reports: self.common.reports.clone(), position };
        let work = move || {
            let _farewell = farewell;
            worker.run();
        };
        let builder = thread::Builder::new().name(format!("worker-{position}")).stack_size(STACK);
        self.threads[position] = Some(builder.spawn(work).map_err(|error| Error::Thread(position, error))?);
        Ok(())
    }

    /// Waits for the end of a worker's thread, and removes its orders.
    fn dismiss(&mut self, position: usize) {
        if let Some(thread) = self.threads[position].take() {
            // The panic message was printed before.
            let _ = thread.join();
        }
        self.common.desks.sweep(position);
        self.views[position] = View::NONE;
    }

    /// Takes in a report. Returns what the user of the ring must know.
    fn note(&mut self, report: WorkerReport) -> Option<Happening> {
        match report {
            WorkerReport::Quiet => None,
            WorkerReport::View(position, view) => {
                if view.election > self.settled {
                    self.since.get_or_insert_with(Instant::now);
                }
                if self.runs(position) {
                    self.views[position] = view;
                }
                None
            }
            WorkerReport::Lost(position) => {
                self.dismiss(position);
                self.common.observe(RingEvent::Lost { worker: position });
                self.living().is_empty().then_some(Happening::Deserted)
            }
            WorkerReport::Wish(wish) => Some(Happening::Wished(wish)),
        }
    }

    /// Asks the initiators, or the first living worker if none of them is alive.
    fn ask(&mut self) {
        let latest = self.views.iter().map(|view| view.election).max().unwrap_or_default();
        self.wanted = latest.max(self.wanted).max(self.settled) + 1;
        let living = self.living();
        let mut asked: Vec<usize> = self.initiators.iter().copied().filter(|&worker| self.runs(worker)).collect();
        if asked.is_empty() {
            asked.extend(living.first());
        }
        for worker in asked {
            self.common.desks.order(worker, Order::Start(self.wanted, self.common.flights.begin()));
        }
    }

    /// The number and the leader of a new election on which all living workers agree.
    fn agreement(&self) -> Option<(u64, usize)> {
        let living = self.living();
        let number = self.views[*living.first()?].election;
        if number <= self.settled || number < self.wanted {
            return None;
        }
        let leads = |&&worker: &&usize| self.views[worker].status == Status::Leader;
        let leader = *living.iter().find(leads)?;
        let follower = Status::Follower(Some(self.common.ids[leader]));
        let agrees = |&worker: &usize| {
            let View { election, status } = self.views[worker];
            election == number && (worker == leader || status == follower)
        };
        living.iter().all(agrees).then_some((number, leader))
    }

    /// Whether no worker will go on with the election that was asked for.
    fn came_to_nothing(&self) -> bool {
        let idle = |&worker: &usize| !self.views[worker].is_engaged() && !self.common.desks.has_mark(worker);
        self.wanted > self.settled && self.living().iter().all(idle)
    }

    fn settle(&mut self, number: u64, leader: usize) -> Held {
        let traffic = self.traffic();
        let held = Held {
            number,
            attempts: number - self.settled,
            leader,
            id: self.common.ids[leader],
            initiators: std::mem::take(&mut self.initiators),
            living: self.living().len(),
            traffic: traffic.since(&self.before),
            time: self.since.take().map_or(Duration::ZERO, |since| since.elapsed()),
        };
        self.before = traffic;
        self.settled = number;
        held
    }
}

impl<P: Process> Drop for WorkerRing<P> {
    fn drop(&mut self) {
        let running = |(position, thread): (usize, &Option<_>)| thread.is_some().then_some(position);
        for position in self.threads.iter().enumerate().filter_map(running) {
            self.common.desks.order(position, Order::Stop);
        }
        for thread in self.threads.iter_mut().filter_map(Option::take) {
            let _ = thread.join();
        }
    }
}

/// Tells the ring if a worker's thread panics.
struct Farewell {
    reports: Sender<WorkerReport>,
    position: usize,
}

impl Drop for Farewell {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.reports.send(WorkerReport::Lost(self.position));
        }
    }
}
