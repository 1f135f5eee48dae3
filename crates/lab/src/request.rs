//! What a page may ask.

use bellwether_ask::{Check, Election, NetworkKind};
use bellwether_net::Topology;
use bellwether_world::numbers::grouped;
use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value};

use crate::Problem;
use crate::attached::Attached;

/// A request.
#[derive(Clone, Debug)]
pub enum PageRequest {
    /// About an election.
    Lab(Box<LabRequest>),
    /// About lessons and exercises.
    Taught(bellwether_teach::Request),
}

/// A request about an election. Its JSON form has the name of the variant in `ask`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum LabRequest {
    /// All algorithms, kinds of networks and stories.
    Catalogue {},
    /// A network, its places on a sheet, and the algorithms that run on it.
    Fits(NetworkRequest),
    /// An election.
    Run(RunRequest),
    /// Every schedule of a small network.
    Check(Checking),
    /// The ids or the schedule that make an election dearest.
    Worst(Worst),
    /// Whether something happens on any schedule.
    CanHappen(CanHappen),
    /// Runs of one size.
    Point(PointRequest),
    /// An election as a file.
    Picture(Picture),
    /// A recorded run.
    Open {
        /// The trace, line by line.
        trace: String,
    },
    /// A text.
    Explain {
        /// The name of an algorithm, an erratum or a story.
        what: String,
    },
}

/// A network by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkRequest {
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
pub struct RunRequest {
    /// The election.
    pub election: Election,
    /// The files of the request.
    #[serde(default)]
    pub files: Attached,
}

/// A search with its files.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checking {
    /// The search.
    #[serde(deserialize_with = "check")]
    pub check: Check,
    /// The files of the request.
    #[serde(default)]
    pub files: Attached,
}

/// A search for something.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CanHappen {
    /// Where it is searched.
    #[serde(deserialize_with = "check")]
    pub check: Check,
    /// What is searched for.
    pub what: What,
    /// More than this number of messages.
    #[serde(default)]
    pub messages: Option<u64>,
    /// The files of the request.
    #[serde(default)]
    pub files: Attached,
}

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// Two nodes lead at the same moment.
    TwoLeaders,
    /// The election ends, and somebody does not know the leader.
    NobodyInformed,
    /// More messages to elect than a number.
    MoreThan,
}

/// A search for the largest cost.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worst {
    /// The election, whose ids are replaced if they are searched for.
    pub election: Election,
    /// What is searched for.
    pub of: Of,
    /// What is largest.
    #[serde(default = "messages")]
    pub quantity: String,
    /// The files of the request.
    #[serde(default)]
    pub files: Attached,
}

/// What can be worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Of {
    /// The order of the ids.
    Ids,
    /// The order of the events.
    Schedule,
}

/// Runs of one size.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointRequest {
    /// The election without its network.
    pub election: Election,
    /// The kind of its network.
    pub kind: NetworkKind,
    /// How many nodes it has.
    pub nodes: u32,
    /// How many runs are held.
    pub runs: u32,
    /// What is measured.
    pub quantity: PointQuantity,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PointQuantity {
    /// Messages to elect.
    Messages,
    /// When the last node decides.
    Time,
    /// The length of all messages.
    Bits,
}

/// An election as a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// The election.
    pub election: Election,
    /// Which file.
    pub form: PictureForm,
    /// The files of the request.
    #[serde(default)]
    pub files: Attached,
}

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PictureForm {
    /// The space-time diagram.
    Svg,
    /// The network, with what its links carried.
    Network,
    /// The page that plays the run.
    Html,
    /// The trace.
    Trace,
    /// The space-time diagram in letters.
    Text,
}

impl PageRequest {
    /// Reads a request.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> Result<Self, Problem> {
        /// The name of a request alone.
        #[derive(Deserialize)]
        struct Named {
            ask: Option<String>,
        }
        if has_too_many_values(text) {
            let most = grouped(MOST_VALUES as u64);
            return Err(Problem::too_large(format!("a request has at most {most} values: a large network is a file")));
        }
        let name = serde_json::from_str(text).ok().and_then(|Named { ask }| ask);
        let is_taught = name.as_deref().is_some_and(|name| bellwether_teach::Request::NAMES.contains(&name));
        let read = if is_taught {
            serde_json::from_str(text).map(Self::Taught)
        } else {
            serde_json::from_str(text).map(|request| Self::Lab(Box::new(request)))
        };
        read.map_err(|error| {
            let what: String = error.to_string().chars().take(400).collect();
            // Where only a value is wrong, the form of a request is no news.
            Problem::unreadable(if error.is_data() && name.is_some() {
                what
            } else {
                format!("the request cannot be read: {what}; as in {{\"ask\":\"catalogue\"}}")
            })
        })
    }
}

/// The largest number of values in a request. Files and traces are texts, so others have few; each takes memory while
/// it is read.
const MOST_VALUES: usize = 200_000;

/// Whether there are more commas outside of texts than a request may have values.
fn has_too_many_values(text: &str) -> bool {
    let (mut is_text, mut is_escaped, mut commas) = (false, false, 0);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b',' if !is_text => commas += 1,
            _ => {}
        }
    }
    commas > MOST_VALUES
}

/// The fields of a search. Its parts share one record, so serde does not tell a field that does not belong there.
const CHECK_FIELDS: [&str; 21] = [
    "algorithm",
    "as-printed",
    "topology",
    "ids",
    "initiators",
    "set",
    "seed",
    "links",
    "loss",
    "crashes",
    "restarts",
    "closes",
    "timers",
    "drift",
    "epochs",
    "starts",
    "reduction",
    "memory",
    "time",
    "fingerprints",
    "all",
];

/// Reads a search without fields that it does not have.
fn check<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Check, D::Error> {
    let fields = Map::<String, Value>::deserialize(deserializer)?;
    if let Some(odd) = fields.keys().find(|name| !CHECK_FIELDS.contains(&&name[..])) {
        let odd: String = odd.chars().take(40).collect();
        return Err(de::Error::custom(format!("a check has no field '{odd}': it has {}", CHECK_FIELDS.join(", "))));
    }
    serde_json::from_value(Value::Object(fields)).map_err(de::Error::custom)
}

fn messages() -> String {
    "messages".into()
}

fn topology<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Topology, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

fn one() -> u64 {
    1
}
