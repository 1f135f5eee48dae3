//! Numbers of a run that are asked for and stated.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use bellwether_net::Wiring;
use serde::Deserialize;

use crate::Held;

/// A number of a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Quantity {
    /// Messages to elect.
    Election,
    /// Messages to announce.
    Announce,
    /// All messages.
    Messages,
    /// Messages of this kind.
    Kind(String),
    /// Messages that were lost.
    Lost,
    /// When the last process decided.
    Time,
    /// The number of leaders in the end.
    Leaders,
    /// The node that leads.
    Leader,
    /// How many nodes have decided.
    Deciders,
    /// The number of phases.
    Phases,
    /// How many nodes are in the race in the phase with this place, counted from 1.
    Racing(usize),
    /// How many links there are.
    Links,
    /// How many different ids there are.
    DifferentIds,
    /// How many nodes are down in the end.
    Crashed,
}

impl Quantity {
    /// Its value; `None` if this run has none.
    #[must_use]
    pub fn of(&self, held: &Held) -> Option<u64> {
        let report = &held.report;
        let scenario = &held.prepared.scenario;
        Some(match self {
            Self::Election => report.election_messages(),
            Self::Announce => report.announce_messages(),
            Self::Messages => report.messages(),
            Self::Kind(name) => report.kinds.iter().find(|kind| kind.name == name)?.count,
            Self::Lost => report.lost,
            Self::Time => u64::try_from(report.time?.whole()?).ok()?,
            Self::Leaders => report.leaders.len() as u64,
            Self::Leader => match report.leaders[..] {
                [leader] => leader.node.into(),
                _ => return None,
            },
            Self::Deciders => report.deciders?,
            Self::Phases => report.phases.as_ref()?.count,
            Self::Racing(place) => report.phases.as_ref()?.each.get(place.checked_sub(1)?)?.racing,
            Self::Links => scenario.topology.links(),
            Self::DifferentIds => scenario.ids.iter().collect::<BTreeSet<_>>().len() as u64,
            Self::Crashed => report.crashed.len() as u64,
        })
    }

    /// The key of its name in the texts.
    pub(crate) fn key(&self) -> String {
        match self {
            Self::Kind(_) => "quantity-kind".into(),
            Self::Racing(_) => "quantity-racing".into(),
            other => format!("quantity-{other}"),
        }
    }
}

/// The quantities that are one word.
const WORDS: [(&str, Quantity); 12] = [
    ("election", Quantity::Election),
    ("announce", Quantity::Announce),
    ("messages", Quantity::Messages),
    ("lost", Quantity::Lost),
    ("time", Quantity::Time),
    ("leaders", Quantity::Leaders),
    ("leader", Quantity::Leader),
    ("deciders", Quantity::Deciders),
    ("phases", Quantity::Phases),
    ("links", Quantity::Links),
    ("different-ids", Quantity::DifferentIds),
    ("crashed", Quantity::Crashed),
];

impl FromStr for Quantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((_, quantity)) = WORDS.iter().find(|(word, _)| *word == text) {
            return Ok(quantity.clone());
        }
        match text.split_once(':') {
            Some(("kind", name)) => Ok(Self::Kind(name.into())),
            Some(("racing", place)) if place.parse::<usize>().is_ok_and(|place| place > 0) => {
                Ok(Self::Racing(place.parse().map_err(|_| "a place")?))
            }
            _ => Err(format!("'{text}' is no quantity of a run")),
        }
    }
}

impl TryFrom<String> for Quantity {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(name) => write!(f, "kind:{name}"),
            Self::Racing(place) => write!(f, "racing:{place}"),
            other => {
                let word = WORDS.iter().find(|(_, quantity)| quantity == other);
                f.write_str(word.map_or("", |(word, _)| word))
            }
        }
    }
}
