//! What a process knows at birth, each item behind a `Result`.

use std::collections::BTreeMap;
use std::fmt;

use crate::{Id, Info, Span};

/// Something a process may be told at birth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Knowledge {
    /// Its own id, different from all others.
    Id,
    /// The number of processes.
    Size,
    /// The diameter of the network, or a bound on it.
    Diameter,
    /// By port: the id of the process behind it.
    Neighbours,
    /// The longest time that a message takes.
    MaxDelay,
}

impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Id => "its id",
            Self::Size => "n",
            Self::Diameter => "a bound on the diameter",
            Self::Neighbours => "its neighbours' ids",
            Self::MaxDelay => "the longest delay of a message",
        })
    }
}

/// An algorithm asked for knowledge that it was not granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// What it asked for.
    pub knowledge: Knowledge,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "every process must know {}", self.knowledge)
    }
}

impl std::error::Error for Unmet {}

/// The values of an algorithm's own parameters ([`Setting`](crate::Setting)); what is absent has its default.
pub type Settings = BTreeMap<String, u64>;

/// The knowledge granted to one process.
#[derive(Clone, Debug)]
pub struct Local<'a> {
    ports: u32,
    id: Option<Id>,
    size: Option<u64>,
    diameter: Option<u64>,
    neighbours: Option<&'a [Id]>,
    max_delay: Option<Span>,
    settings: &'a Settings,
}

/// What is true of a process, known or not.
#[derive(Clone, Copy, Debug)]
pub struct Truth<'a> {
    /// How many ports it has.
    pub ports: u32,
    /// Its id.
    pub id: Id,
    /// The number of processes.
    pub size: u64,
    /// A bound on the diameter.
    pub diameter: u64,
    /// By port: the id of the process behind it.
    pub neighbours: &'a [Id],
    /// The longest time that a message takes.
    pub max_delay: Span,
}

impl<'a> Local<'a> {
    /// A process that knows its number of ports and nothing else.
    #[must_use]
    pub const fn new(ports: u32, settings: &'a Settings) -> Self {
        Self { ports, id: None, size: None, diameter: None, neighbours: None, max_delay: None, settings }
    }

    /// Exactly the knowledge that `info` declares, out of what is true of this process.
    #[must_use]
    pub fn granted(info: &Info, truth: &Truth<'a>, settings: &'a Settings) -> Self {
        info.knows.iter().fold(Self::new(truth.ports, settings), |local, item| match item {
            Knowledge::Id => Self { id: Some(truth.id), ..local },
            Knowledge::Size => Self { size: Some(truth.size), ..local },
            Knowledge::Diameter => Self { diameter: Some(truth.diameter), ..local },
            Knowledge::Neighbours => Self { neighbours: Some(truth.neighbours), ..local },
            Knowledge::MaxDelay => Self { max_delay: Some(truth.max_delay), ..local },
        })
    }

    /// The same items of knowledge for another process, which has these ports, id and neighbours.
    #[must_use]
    #[inline]
    pub fn of<'b>(&self, ports: u32, id: Id, neighbours: &'b [Id]) -> Local<'b>
    where
        'a: 'b,
    {
        Local { ports, id: self.id.map(|_| id), neighbours: self.neighbours.map(|_| neighbours), ..*self }
    }

    /// How many ports it has: every process may count its links.
    #[must_use]
    pub const fn ports(&self) -> u32 {
        self.ports
    }

    /// Its own id.
    ///
    /// # Errors
    /// In an anonymous network.
    pub fn id(&self) -> Result<Id, Unmet> {
        self.id.ok_or(Unmet { knowledge: Knowledge::Id })
    }

    /// The number of processes.
    ///
    /// # Errors
    /// If the algorithm is uniform: it works without knowing the size.
    pub fn size(&self) -> Result<u64, Unmet> {
        self.size.ok_or(Unmet { knowledge: Knowledge::Size })
    }

    /// The diameter of the network, or a bound on it.
    ///
    /// # Errors
    /// If the algorithm works without knowing how far messages have to go.
    pub fn diameter(&self) -> Result<u64, Unmet> {
        self.diameter.ok_or(Unmet { knowledge: Knowledge::Diameter })
    }

    /// By port: the id of the process behind it.
    ///
    /// # Errors
    /// If the algorithm works without knowing its neighbours.
    pub fn neighbours(&self) -> Result<&'a [Id], Unmet> {
        self.neighbours.ok_or(Unmet { knowledge: Knowledge::Neighbours })
    }

    /// The longest time that a message takes.
    ///
    /// # Errors
    /// If the algorithm is asynchronous: messages may take any time.
    pub fn max_delay(&self) -> Result<Span, Unmet> {
        self.max_delay.ok_or(Unmet { knowledge: Knowledge::MaxDelay })
    }

    /// All parameters of the algorithm that were given.
    #[must_use]
    pub const fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// The value of a parameter of the algorithm, if one was given: a number, or the index of a choice.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<u64> {
        self.settings.get(name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_granted_is_an_error_that_says_what_is_missing() {
        let settings = Settings::new();
        let local = Local::new(2, &settings);
        assert_eq!(local.id().unwrap_err().to_string(), "every process must know its id");
        assert_eq!(local.size().unwrap_err().to_string(), "every process must know n");
        assert_eq!(local.setting("k"), None);
    }
}
