//! Planned failures: which workers are stopped, paused or restarted, and in which election.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// `WORKER@ELECTION`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// A position, from 0.
    pub worker: usize,
    /// Counted from 1.
    pub election: u64,
}

/// `WORKER@ELECTION:MS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// The worker and the election.
    pub moment: Moment,
    /// How long.
    pub milliseconds: u64,
}

/// Something to be done as an election begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intervention {
    /// Stop a worker.
    Stop(usize),
    /// Pause a worker.
    Pause(usize, Duration),
    /// Restart a worker.
    Restart(usize),
}

/// All failures of a run, ordered by election. Within an election restarts come first, then stops, then pauses.
#[derive(Clone, Debug, Default)]
pub struct Plan(Vec<(u64, Intervention)>);

impl Plan {
    /// A plan for a ring of this size and this number of elections (0 for no end), if it can be carried out.
    pub fn new(
        stop: &[Moment],
        pause: &[Pause],
        restart: &[Moment],
        size: u32,
        elections: u64,
    ) -> Result<Self, String> {
        let restarts = restart.iter().map(|moment| (moment.election, Intervention::Restart(moment.worker)));
        let stops = stop.iter().map(|moment| (moment.election, Intervention::Stop(moment.worker)));
        let pauses = pause.iter().map(|&Pause { moment, milliseconds }| {
            (moment.election, Intervention::Pause(moment.worker, Duration::from_millis(milliseconds)))
        });
        let mut interventions: Vec<_> = restarts.chain(stops).chain(pauses).collect();
        interventions.sort_by_key(|&(election, _)| election);
        let mut stopped = BTreeSet::new();
        for &(election, intervention) in &interventions {
            let wrong = |reason: String| Err(format!("{intervention} in election {election}: {reason}"));
            if intervention.worker() >= size as usize {
                return wrong(format!("there is no such worker: they are numbered 0 to {}", size - 1));
            }
            if elections > 0 && election > elections {
                return wrong(format!("only {elections} are held"));
            }
            match intervention {
                Intervention::Stop(worker) if !stopped.insert(worker) => return wrong("it is stopped already".into()),
                Intervention::Stop(_) if stopped.len() == size as usize => return wrong("nobody would be left".into()),
                Intervention::Restart(worker) if !stopped.remove(&worker) => {
                    let both = interventions.contains(&(election, Intervention::Stop(worker)));
                    let later = ", and is stopped in the same one: restart it in a later one";
                    return wrong(format!("it runs{}", if both { later } else { "" }));
                }
                Intervention::Pause(worker, _) if stopped.contains(&worker) => return wrong("it is stopped".into()),
                Intervention::Stop(_) | Intervention::Restart(_) | Intervention::Pause(..) => {}
            }
        }
        interventions.reverse();
        Ok(Self(interventions))
    }

    /// Takes the interventions that are due when this election begins.
    pub fn due(&mut self, election: u64) -> Vec<Intervention> {
        std::iter::from_fn(|| self.0.pop_if(|(due, _)| *due <= election))
            .map(|(_, intervention)| intervention)
            .collect()
    }
}

/// Every intervention, followed by a comma.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .rev()
            .try_for_each(|(election, intervention)| write!(f, "{intervention} in election {election}, "))
    }
}

impl Intervention {
    fn worker(self) -> usize {
        match self {
            Self::Stop(worker) | Self::Pause(worker, _) | Self::Restart(worker) => worker,
        }
    }
}

impl fmt::Display for Intervention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stop(worker) => write!(f, "stop worker {worker}"),
            Self::Pause(worker, _) => write!(f, "pause worker {worker}"),
            Self::Restart(worker) => write!(f, "restart worker {worker}"),
        }
    }
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('@').and_then(|(worker, election)| {
            let election = election.parse().ok().filter(|election| *election > 0)?;
            Some(Self { worker: worker.parse().ok()?, election })
        });
        parsed.ok_or_else(|| {
            format!("'{text}' is not WORKER@ELECTION, as in 2@3; workers are counted from 0, elections from 1")
        })
    }
}

/// The longest pause, in milliseconds: a ring stops only after it.
const LONGEST: u64 = 3_600_000;

impl FromStr for Pause {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.rsplit_once(':').and_then(|(moment, milliseconds)| {
            Some(Self { moment: moment.parse().ok()?, milliseconds: milliseconds.parse().ok()? })
        });
        if parsed.is_some_and(|pause| pause.milliseconds > LONGEST) {
            return Err(format!("'{text}' pauses for too long: take at most {LONGEST} milliseconds, an hour"));
        }
        parsed.ok_or_else(|| {
            format!("'{text}' is not WORKER@ELECTION:MS, as in 2@3:1500; workers are counted from 0, elections from 1")
        })
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.worker, self.election)
    }
}

impl fmt::Display for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.moment, self.milliseconds)
    }
}
