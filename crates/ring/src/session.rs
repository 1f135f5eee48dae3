//! Holds one election after the other, and follows the user's wishes in between.

use std::collections::VecDeque;
use std::io::Write;
use std::time::Instant;

use bellwether_algorithms::ring::ChangRoberts;
use bellwether_console::failure::Failure;
use bellwether_core::Id;
use bellwether_live::ring::{Error, Happening, Held, Wish, WorkerRing};
use bellwether_world::numbers::grouped;
use tracing::{error, info, warn};

use super::{lines, log};
use crate::config::Config;
use crate::plan::Intervention;
use crate::view::View;

/// A ring at work.
pub struct Session<'a> {
    ring: WorkerRing<ChangRoberts>,
    config: Config,
    view: Option<&'a View>,
    elections: u64,
    /// When the next election begins; `None` while one is held.
    next: Option<Instant>,
    /// The stopped workers, in the order in which they stopped.
    stopped: Vec<usize>,
    /// The lines of the last elections, which are printed when the view is closed.
    lines: VecDeque<String>,
}

/// The largest number of elections printed when the view is closed.
const TOLD_AGAIN: usize = 20;

/// How a session ended.
pub enum End {
    /// There were enough elections, or the user wanted to stop.
    Done,
    /// The last worker was lost.
    Deserted,
}

impl<'a> Session<'a> {
    /// The first election is due at once.
    pub fn new(ring: WorkerRing<ChangRoberts>, config: Config, view: Option<&'a View>) -> Self {
        Self {
            ring,
            config,
            view,
            elections: 0,
            next: Some(Instant::now()),
            stopped: Vec::new(),
            lines: VecDeque::new(),
        }
    }

    /// Holds elections until the end.
    pub fn run(&mut self) -> Result<End, Failure> {
        self.head()?;
        loop {
            match self.ring.wait(self.next) {
                Happening::Agreed(held) => {
                    self.tell(&held)?;
                    if self.elections == self.config.elections {
                        return Ok(End::Done);
                    }
                    self.wait_until(Instant::now().checked_add(self.config.sleep));
                }
                Happening::Deserted => {
                    error!(target: log::CRITICAL, "every worker was lost: the ring cannot go on");
                    return Ok(End::Deserted);
                }
                Happening::TimeIsUp | Happening::Wished(Wish::Elect) => self.begin(),
                Happening::Wished(Wish::Quit) => return Ok(End::Done),
                Happening::Wished(Wish::Restart) => match self.stopped.last() {
                    Some(&worker) => self.perform(Intervention::Restart(worker)),
                    None => self.note("there is nobody to restart".into()),
                },
                Happening::Wished(Wish::StopLeader) => match self.ring.leader() {
                    Some(worker) => self.perform(Intervention::Stop(worker)),
                    None if self.ring.is_electing() => self.note("nobody leads yet: an election is under way".into()),
                    None => self.note("nobody leads: e starts an election".into()),
                },
            }
        }
    }

    /// Stops and joins the workers. Returns the closing text.
    pub fn finish(self) -> String {
        let head = head(self.ring.ids());
        drop(self.ring);
        let held = format!("{} election{} held", self.elections, if self.elections == 1 { "" } else { "s" });
        info!("{held}");
        let mut text = String::new();
        if self.view.is_some() {
            text = head + "\n";
            match self.elections - self.lines.len() as u64 {
                0 => {}
                1 => text += "  … 1 earlier one\n",
                earlier => text += &format!("  … {} earlier ones\n", grouped(earlier)),
            }
            self.lines.iter().for_each(|line| text += &format!("{line}\n"));
        }
        text + "  " + &held
    }

    /// Begins an election, after the failures planned for it.
    fn begin(&mut self) {
        let election = self.elections + 1;
        for intervention in self.config.plan.due(election) {
            self.perform(intervention);
        }
        let initiators = self.ring.start(&self.config.initiators);
        let shown: Vec<String> = initiators.iter().take(8).map(ToString::to_string).collect();
        let more = if initiators.len() > shown.len() { ", …" } else { "" };
        let workers = if initiators.len() == 1 { "worker" } else { "workers" };
        info!("election {election} begins, started by {workers} {}{more}", shown.join(", "));
        self.wait_until(None);
    }

    /// Sets when the next election begins, for the ring and for the view.
    fn wait_until(&mut self, next: Option<Instant>) {
        self.next = next;
        if let Some(view) = self.view {
            view.notes().next(next);
        }
    }

    /// Does an intervention. It may fail although the plan makes sense: the user may have changed the ring meanwhile.
    fn perform(&mut self, intervention: Intervention) {
        let done: Result<(), Error> = match intervention {
            Intervention::Pause(worker, time) => self.ring.pause(worker, time),
            Intervention::Restart(worker) => self.ring.restart(worker),
            Intervention::Stop(worker) => self.ring.stop(worker),
        };
        if let Err(problem) = done {
            warn!("cannot {intervention}: {problem}");
            return self.note(format!("cannot {intervention}: {problem}"));
        }
        match intervention {
            Intervention::Pause(worker, time) => {
                self.note(format!("worker {worker} pauses for {} ms", time.as_millis()));
            }
            Intervention::Restart(worker) => {
                info!("worker {worker} is restarted");
                self.note(format!("worker {worker} is restarted"));
                self.stopped.retain(|stopped| *stopped != worker);
            }
            Intervention::Stop(worker) => {
                self.note(format!("worker {worker} has stopped"));
                self.stopped.push(worker);
            }
        }
    }

    fn head(&self) -> Result<(), Failure> {
        let ids = self.ring.ids();
        if let Some(view) = self.view {
            view.notes().ids(ids);
        }
        if self.config.json || self.view.is_some() {
            return Ok(());
        }
        Ok(writeln!(anstream::stdout(), "{}", head(ids))?)
    }

    fn tell(&mut self, held: &Held) -> Result<(), Failure> {
        self.elections += 1;
        let election = self.elections;
        info!("election {election} is over, as number {}: worker {} (id {}) leads", held.number, held.leader, held.id);
        match self.view {
            Some(view) => {
                view.notes().held(election, held);
                if self.lines.len() == TOLD_AGAIN {
                    self.lines.pop_front();
                }
                self.lines.push_back(lines::human(election, held));
            }
            None if self.config.json => {
                let object = lines::json(election, held, self.config.settings.seed, self.ring.ids());
                writeln!(anstream::stdout(), "{object}")?;
            }
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

/// A line about the ring: its size and its ids.
fn head(ids: &[Id]) -> String {
    const SHOWN: usize = 16;
    let shown: Vec<String> = ids.iter().take(SHOWN).map(ToString::to_string).collect();
    let more = if ids.len() > SHOWN { ", …" } else { "" };
    let (workers, have) = if ids.len() == 1 { ("worker", "id") } else { ("workers", "ids") };
    format!("a ring of {} {workers} with the {have} {}{more}", ids.len(), shown.join(", "))
}
