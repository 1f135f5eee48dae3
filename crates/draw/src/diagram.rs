//! The content of a space-time diagram: lanes, messages with their ends and times, and marks.
//!
//! It is built from a trace once, by a [`DiagramBuilder`](crate::DiagramBuilder), and then drawn in any form.

use bellwether_core::Id;
use bellwether_net::Node;
use bellwether_world::{Time, Timing};

use crate::density::Density;

/// A run, ready to be drawn.
pub struct Diagram {
    /// The run and its outcome.
    pub caption: Caption,
    /// The timing of messages, which gives the meaning of time.
    pub timing: Timing,
    /// One lane per shown node, in their order. If there are many nodes, several share a lane.
    pub lanes: Vec<Lane>,
    /// Whether the lanes are a whole ring in its order, so that the last lane is a neighbour of the first.
    pub is_ring: bool,
    /// The kinds of messages that occur.
    pub kinds: Vec<Kind>,
    /// The roles that undecided nodes take, in the algorithm's own words and in the order of their first appearance.
    pub roles: Vec<String>,
    /// Events on the lanes besides messages. If messages are not kept, only the notable ones.
    pub marks: Vec<Mark>,
    /// The role in which all lanes start at the same moment, if they do. It is shown once, and not on every lane.
    pub common_start: Option<String>,
    /// The cut links.
    pub cuts: Vec<Cut>,
    /// The time of the first event.
    pub begin: Time,
    /// The time of the last event.
    pub end: Time,
    /// Every message; `None` if there are far too many, or several nodes share a lane.
    pub messages: Option<Vec<Message>>,
    /// Every step with its time: the node, the rules that it follows and the variables that it changes. Empty if
    /// messages are not kept.
    pub steps: Vec<(Time, String)>,
    /// The number of messages by place and time.
    pub density: Density,
}

impl Diagram {
    /// Whether the text of a mark is written beside its sign.
    pub(crate) fn is_told(&self, mark: &Mark) -> bool {
        let telling = match mark.sign {
            Sign::Turns(_) | Sign::Draws | Sign::TimesOut => true,
            Sign::Starts => self.common_start.is_none(),
            _ => false,
        };
        telling && !mark.text.is_empty()
    }

    /// The text beside the sign of a mark, if it has one. It says which words name a timer.
    pub(crate) fn note(&self, mark: &Mark) -> Option<String> {
        self.is_told(mark).then(|| match mark.sign {
            Sign::TimesOut => format!("{} timer", mark.text),
            _ => mark.text.clone(),
        })
    }

    /// The meaning of a sign in this diagram, for a legend.
    pub(crate) fn meaning(&self, sign: Sign) -> String {
        let common = self.common_start.as_ref().filter(|_| sign == Sign::Starts);
        common.map_or(sign.meaning().into(), |role| format!("starts: {role}"))
    }
}

/// The words around a picture.
#[derive(Clone, Debug, Default)]
pub struct Caption {
    /// The run.
    pub title: String,
    /// The outcome.
    pub outcome: String,
    /// The command that repeats it.
    pub repeat: String,
}

/// A node over time, or a group of nodes with neighbouring numbers.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Its nodes: one, or several if there are too many nodes.
    pub nodes: Vec<Node>,
    /// Its name.
    pub name: String,
    /// The id, if nodes have ids and this lane is a single node.
    pub id: Option<Id>,
    /// The states, each with its start. For a group: the notable states of any of its nodes.
    pub spans: Vec<(Time, State)>,
}

impl Lane {
    /// The last state.
    #[must_use]
    pub fn last(&self) -> State {
        self.spans.last().map_or(State::Asleep, |(_, state)| *state)
    }
}

/// The state of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has done nothing yet.
    Asleep,
    /// It has not decided. Its role has this number, if the trace names one.
    Undecided(Option<usize>),
    /// It follows the node with this id, if it knows the id.
    Follower(Option<Id>),
    /// It leads.
    Leader,
    /// It has crashed.
    Down,
}

/// A kind of messages.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// The number of messages of this kind in the picture.
    pub count: u64,
}

/// A message. At least one of its ends has a lane.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its number among all messages of the run, in order of sending.
    pub number: u64,
    /// The number of its kind.
    pub kind: usize,
    /// The message as text.
    pub text: String,
    /// The sender.
    pub from: End,
    /// The receiver.
    pub to: End,
    /// The way between its lanes.
    pub way: Way,
    /// When it was sent.
    pub sent: Time,
    /// The fates of the message: several if the link repeated it, none if it was still under way.
    pub fates: Vec<Fate>,
    /// What its receiver does with it: the rules that it follows and the variables that it changes.
    pub effects: Vec<String>,
}

impl Message {
    /// The text for a label. A message without content has its name only.
    #[must_use]
    pub fn said(&self) -> &str {
        self.text.strip_suffix("()").unwrap_or(&self.text)
    }

    /// The end that the arrow does not touch, for a label: a node without a lane, or a receiver that was never reached.
    #[must_use]
    pub fn beyond(&self) -> String {
        let arrives = self.fates.iter().any(|fate| fate.time().is_some());
        match (self.from.lane, self.to.lane) {
            (None, _) => format!(" ← {}", self.from.name),
            (Some(_), Some(_)) if arrives => String::new(),
            (Some(_), _) => format!(" → {}", self.to.name),
        }
    }
}

/// An end of a message.
#[derive(Clone, Debug)]
pub struct End {
    /// The node.
    pub node: Node,
    /// Its name.
    pub name: String,
    /// Its lane, if it is shown.
    pub lane: Option<usize>,
}

/// The way of a message in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Directly from lane to lane.
    Across,
    /// Out behind the last lane, and in before the first. If one end has no lane: out behind the other end's lane, or
    /// in before it.
    Onward,
    /// Out before the first lane, and in behind the last. If one end has no lane: out before the other end's lane, or
    /// in behind it.
    Backward,
}

/// The fate of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrived.
    Arrived(Time),
    /// It reached a node that was down.
    Fell(Time),
    /// The link lost it.
    Lost,
}

impl Fate {
    /// The time of its end, if it reached one.
    #[must_use]
    pub fn time(&self) -> Option<Time> {
        match self {
            Self::Arrived(time) | Self::Fell(time) => Some(*time),
            Self::Lost => None,
        }
    }
}

/// An event on a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The lane.
    pub lane: usize,
    /// The time.
    pub time: Time,
    /// The kind of event.
    pub sign: Sign,
    /// More about it, in a few words.
    pub text: String,
    /// The rules that the node follows, and the variables that it changes.
    pub effect: String,
}

/// The kinds of events on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// It starts on its own.
    Starts,
    /// It changes its role in the algorithm, to the one with this number if it is undecided.
    Turns(Option<usize>),
    /// It makes random choices.
    Draws,
    /// A timer goes off.
    TimesOut,
    /// It hears that a neighbour is down.
    HearsOfCrash,
    /// It crashes.
    Crashes,
    /// It is up again.
    Recovers,
    /// It leads.
    Leads,
    /// It follows.
    Follows,
    /// It is undecided again.
    Wavers,
}

impl Sign {
    /// Whether it is shown even if messages are only counted.
    #[must_use]
    pub fn is_notable(self) -> bool {
        matches!(self, Self::Crashes | Self::Recovers | Self::Leads)
    }

    /// The meaning, for a legend.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Starts => "starts",
            Self::Turns(_) => "new role",
            Self::Draws => "random choice",
            Self::TimesOut => "timer goes off",
            Self::HearsOfCrash => "hears of a crash",
            Self::Crashes => "crashes",
            Self::Recovers => "is up again",
            Self::Leads => "leads",
            Self::Follows => "follows",
            Self::Wavers => "undecided again",
        }
    }
}

/// A link that loses all messages for a while.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The lanes of its ends.
    pub lanes: (usize, usize),
    /// The way between these lanes.
    pub way: Way,
    /// Whether only messages from the first to the second are lost.
    pub one_way: bool,
    /// The start.
    pub since: Time,
    /// The end; `None` if it stays cut.
    pub until: Option<Time>,
    /// The fault, as it is typed and in words.
    pub text: String,
}

/// A moment as text: a round, a time in units, or milliseconds of a live run.
#[must_use]
pub fn moment(timing: Timing, time: Time) -> String {
    match timing {
        Timing::Live(clock) => format!("{:.3} ms", time.as_f64() * clock.unit_us as f64 / 1_000.0),
        Timing::Rounds => format!("round {time}"),
        Timing::Chosen(_) => format!("step {time}"),
        _ => format!("t={time}"),
    }
}
