//! What a space-time diagram shows: lanes, messages with their ends and times, and marks.
//!
//! It is taken from a trace once, by a [`Recorder`](crate::Recorder), and then drawn in any form.

use bellwether_core::Id;
use bellwether_world::{Node, Time, Timing};

use crate::density::Density;

/// A run, ready to be drawn.
pub struct Diagram {
    /// What was run and what came of it.
    pub caption: Caption,
    /// How long messages took, which says what time means.
    pub timing: Timing,
    /// One for each node that is shown, in their order; if there are many, one for several of them.
    pub lanes: Vec<Lane>,
    /// Whether the lanes are a whole ring in its order, so that the last is a neighbour of the first.
    pub is_ring: bool,
    /// The kinds of messages that occur.
    pub kinds: Vec<Kind>,
    /// What happened on the lanes besides messages; without the messages only what is notable.
    pub marks: Vec<Mark>,
    /// The role in which all lanes start at the same moment, if they do: it is said once, and not on every lane.
    pub common_start: Option<String>,
    /// Links that were cut.
    pub cuts: Vec<Cut>,
    /// When it began.
    pub begin: Time,
    /// When the last thing happened.
    pub end: Time,
    /// Every message; `None` if there are far too many, or several nodes share a lane.
    pub messages: Option<Vec<Message>>,
    /// How many messages there were where and when.
    pub density: Density,
}

impl Diagram {
    /// Whether the words of a mark are to be read beside its sign.
    pub(crate) fn is_told(&self, mark: &Mark) -> bool {
        let telling = match mark.sign {
            Sign::Turns | Sign::Draws | Sign::TimesOut => true,
            Sign::Starts => self.common_start.is_none(),
            _ => false,
        };
        telling && !mark.text.is_empty()
    }

    /// What a sign means in this diagram, for a legend.
    pub(crate) fn meaning(&self, sign: Sign) -> String {
        let common = self.common_start.as_ref().filter(|_| sign == Sign::Starts);
        common.map_or(sign.meaning().into(), |role| format!("starts: {role}"))
    }
}

/// The words around a picture.
#[derive(Clone, Debug, Default)]
pub struct Caption {
    /// What was run.
    pub title: String,
    /// What came of it.
    pub outcome: String,
    /// The command that repeats it.
    pub repeat: String,
}

/// A node through time, or a group of nodes with neighbouring numbers.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Its nodes: one, unless there are too many.
    pub nodes: Vec<Node>,
    /// What it is called.
    pub name: String,
    /// The id, if nodes have ids and this is one.
    pub id: Option<Id>,
    /// What it was, each time from then on; of a group what any of them became that is worth a look.
    pub spans: Vec<(Time, State)>,
}

impl Lane {
    /// What it was in the end.
    #[must_use]
    pub fn last(&self) -> State {
        self.spans.last().map_or(State::Undecided, |(_, state)| *state)
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has not decided.
    Undecided,
    /// It follows the node with this id, where it was told.
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
    /// How many there are in the picture.
    pub count: u64,
}

/// A message. At least one of its ends has a lane.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its number in the trace.
    pub number: u64,
    /// The number of its kind.
    pub kind: usize,
    /// What it says.
    pub text: String,
    /// Who sent it.
    pub from: End,
    /// To whom.
    pub to: End,
    /// The way that it takes between its lanes.
    pub way: Way,
    /// When it was sent.
    pub sent: Time,
    /// What became of it; more than once if the link repeated it, and not at all if it was still under way.
    pub fates: Vec<Fate>,
}

impl Message {
    /// What it says, for a label: one without content has its name only.
    #[must_use]
    pub fn said(&self) -> &str {
        self.text.strip_suffix("()").unwrap_or(&self.text)
    }

    /// The end that its arrow does not touch, for a label: a node without a lane, or a receiver that it never reaches.
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
    /// What it is called.
    pub name: String,
    /// Its lane, if it is shown.
    pub lane: Option<usize>,
}

/// The way of a message in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From lane to lane.
    Across,
    /// Out behind the last lane, and in before the first; if one end has no lane, out behind the other's, or in before it.
    Onward,
    /// Out before the first lane, and in behind the last; if one end has no lane, out before the other's, or in behind it.
    Backward,
}

/// What became of a message.
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
    /// When, if it came to its end.
    #[must_use]
    pub fn time(&self) -> Option<Time> {
        match self {
            Self::Arrived(time) | Self::Fell(time) => Some(*time),
            Self::Lost => None,
        }
    }
}

/// Something that happened on a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where.
    pub lane: usize,
    /// When.
    pub time: Time,
    /// What.
    pub sign: Sign,
    /// More about it, in a few words.
    pub text: String,
}

/// What can happen on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// It starts on its own.
    Starts,
    /// It takes another role of its algorithm.
    Turns,
    /// It makes random choices.
    Draws,
    /// A timer goes off.
    TimesOut,
    /// It hears that a neighbour is down.
    HearsOfCrash,
    /// It crashes.
    Crashes,
    /// It is up again, with empty memory.
    Recovers,
    /// It leads.
    Leads,
    /// It follows.
    Follows,
    /// It is undecided again.
    Wavers,
}

impl Sign {
    /// Whether it is seen even where messages are only counted.
    #[must_use]
    pub fn is_notable(self) -> bool {
        matches!(self, Self::Crashes | Self::Recovers | Self::Leads)
    }

    /// What it means, for a legend.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Starts => "starts",
            Self::Turns => "new role",
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

/// A link that loses everything for a while.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The lanes of its ends.
    pub lanes: (usize, usize),
    /// The way between them.
    pub way: Way,
    /// Whether only what goes from the first to the second is lost.
    pub one_way: bool,
    /// From when on.
    pub since: Time,
    /// Until when; `None` is for ever.
    pub until: Option<Time>,
    /// The fault, as it is typed and in words.
    pub text: String,
}

/// A moment as people read it: a round, a time in units, or of a live run milliseconds.
#[must_use]
pub fn moment(timing: Timing, time: Time) -> String {
    match timing {
        Timing::Live(clock) => format!("{:.3} ms", time.as_f64() * clock.unit_us as f64 / 1_000.0),
        Timing::Rounds => format!("round {time}"),
        Timing::Chosen(_) => format!("step {time}"),
        _ => format!("t={time}"),
    }
}
