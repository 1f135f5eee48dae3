//! One election after the other, and what is wished for in between.

use std::io::Write;
use std::time::Instant;

use bellwether_algorithms::ring::ChangRoberts;
use bellwether_live::ring::{Error, Happening, Held, Ring, Wish};
use tracing::{error, info, warn};

use super::config::Config;
use super::plan::Deed;
use super::view::View;
use super::{lines, log};
use crate::failure::Failure;

/// A ring at work.
pub struct Session<'a> {
    ring: Ring<ChangRoberts>,
    config: Config,
    view: Option<&'a View>,
    elections: u64,
    /// When the next election begins; `None` while one is held.
    next: Option<Instant>,
    /// The worker that was stopped last, on request.
    stopped: Option<usize>,
}

/// How a session ended.
pub enum End {
    /// There were enough elections, or somebody wanted to stop.
    Done,
    /// The last worker was lost.
    Deserted,
}

impl<'a> Session<'a> {
    /// The first election is due at once.
    pub fn new(ring: Ring<ChangRoberts>, config: Config, view: Option<&'a View>) -> Self {
        Self { ring, config, view, elections: 0, next: Some(Instant::now()), stopped: None }
    }

    /// Holds elections.
    pub fn run(&mut self) -> Result<End, Failure> {
        self.head()?;
        loop {
            match self.ring.wait(self.next) {
                Happening::Agreed(held) => {
                    self.tell(&held)?;
                    if self.elections == self.config.elections {
                        return Ok(End::Done);
                    }
                    self.next = Instant::now().checked_add(self.config.sleep);
                }
                Happening::Deserted => {
                    error!(target: log::CRITICAL, "every worker was lost: the ring cannot go on");
                    return Ok(End::Deserted);
                }
                Happening::TimeIsUp | Happening::Wished(Wish::Elect) => self.begin(),
                Happening::Wished(Wish::Quit) => return Ok(End::Done),
                Happening::Wished(Wish::Restart) => match self.stopped.take() {
                    Some(worker) => self.perform(Deed::Restart(worker)),
                    None => self.note("there is nobody to restart".into()),
                },
                Happening::Wished(Wish::StopLeader) => match self.ring.leader() {
                    Some(worker) => {
                        self.perform(Deed::Stop(worker));
                        self.stopped = Some(worker).filter(|worker| !self.ring.living().contains(worker));
                    }
                    None => self.note("nobody leads".into()),
                },
            }
        }
    }

    /// Stops and joins the workers; gives the number of elections held.
    pub fn finish(self) -> u64 {
        drop(self.ring);
        info!("{} elections held", self.elections);
        self.elections
    }

    /// Begins an election with what goes wrong in it.
    fn begin(&mut self) {
        let election = self.elections + 1;
        for deed in self.config.plan.due(election) {
            self.perform(deed);
        }
        let initiators = self.ring.start(&self.config.initiators);
        let shown: Vec<String> = initiators.iter().take(8).map(ToString::to_string).collect();
        let more = if initiators.len() > shown.len() { ", …" } else { "" };
        info!("election {election} begins, started by {}{more}", shown.join(", "));
        self.next = None;
    }

    /// The plan makes sense, but the user may have done something else meanwhile.
    fn perform(&mut self, deed: Deed) {
        let done: Result<(), Error> = match deed {
            Deed::Pause(worker, time) => self.ring.pause(worker, time),
            Deed::Restart(worker) => self.ring.restart(worker),
            Deed::Stop(worker) => self.ring.stop(worker),
        };
        if let Err(problem) = done {
            warn!("cannot {deed}: {problem}");
            self.note(format!("cannot {deed}: {problem}"));
        }
    }

    fn head(&self) -> Result<(), Failure> {
        const SHOWN: usize = 16;
        let ids = self.ring.ids();
        if let Some(view) = self.view {
            view.notes().ids(ids);
        }
        if self.config.json || self.view.is_some() {
            return Ok(());
        }
        let shown: Vec<String> = ids.iter().take(SHOWN).map(ToString::to_string).collect();
        let more = if ids.len() > SHOWN { ", …" } else { "" };
        let workers = if ids.len() == 1 { "worker" } else { "workers" };
        writeln!(anstream::stdout(), "a ring of {} {workers} with the ids {}{more}", ids.len(), shown.join(", "))?;
        Ok(())
    }

    fn tell(&mut self, held: &Held) -> Result<(), Failure> {
        self.elections += 1;
        let election = self.elections;
        info!("election {election} is over, as number {}: worker {} (id {}) leads", held.number, held.leader, held.id);
        match self.view {
            Some(view) => view.notes().held(election, held),
            None if self.config.json => writeln!(anstream::stdout(), "{}", lines::json(election, held))?,
            None => writeln!(anstream::stdout(), "{}", lines::human(election, held))?,
        }
        Ok(())
    }

    fn note(&self, text: String) {
        if let Some(view) = self.view {
            view.notes().say(text);
        }
    }
}
