//! What a page may ask.

use bellwether_ask::Election;
use bellwether_net::Topology;
use serde::{Deserialize, Deserializer, de};

use crate::Problem;
use crate::attached::Attached;

/// A request. Its JSON form has the name of the variant in `ask`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// All algorithms, kinds of networks and stories.
    Catalogue {},
    /// A network, its places on a sheet, and the algorithms that run on it.
    Fits(Network),
    /// An election.
    Run(Held),
    /// A text.
    Explain {
        /// The name of an algorithm, an erratum or a story.
        what: String,
    },
}

/// A network by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Its name.
    #[serde(deserialize_with = "topology")]
    pub topology: Topology,
    /// What it is drawn from, if it is random.
    #[serde(default = "one")]
    pub seed: u64,
    /// The files of the request.
    #[serde(default)]
    pub files: Attached,
}

/// An election with its files.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// The election.
    pub election: Election,
    /// The files of the request.
    #[serde(default)]
    pub files: Attached,
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> Result<Self, Problem> {
        serde_json::from_str(text).map_err(|error| {
            let what: String = error.to_string().chars().take(400).collect();
            Problem::unreadable(format!("the request cannot be read: {what}; as in {{\"ask\":\"catalogue\"}}"))
        })
    }
}

fn topology<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Topology, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

fn one() -> u64 {
    1
}
