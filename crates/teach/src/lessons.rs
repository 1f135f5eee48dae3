//! Guided lessons: an election, steps that tell what to look at, and a question that is answered by trying.
//!
//! A lesson is a file in `lessons/`. Its texts are in all languages. Its [facts](Fact) are the numbers that the texts
//! state; tests hold them against the program.

mod attempt;

pub use attempt::Attempt;

use std::sync::LazyLock;

use bellwether_ask::{Election, Refusal};
use bellwether_net::Node;
use bellwether_world::trace::{Decision, Event, render};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{Held, Language, Quantity, Text};

/// All lessons, in their order.
pub static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
    serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/lessons.json"))).expect("the lessons are well formed")
});

/// A lesson.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Lesson {
    /// Its name, which never changes.
    pub name: String,
    /// Its title.
    pub title: Text,
    /// The election that is on the screen.
    pub election: Map<String, Value>,
    /// What is told, in order.
    pub step: Vec<Step>,
    /// What is asked in the end.
    pub question: Question,
    /// The numbers that the texts state.
    #[serde(default)]
    pub fact: Vec<Fact>,
}

/// A step of a lesson.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Step {
    /// What is told.
    pub text: Text,
    /// The moment that is shown.
    #[serde(default)]
    pub at: Moment,
    /// The node to look at, if it is not that of the moment.
    pub node: Option<Node>,
    /// What is different from the lesson's election.
    #[serde(default)]
    pub change: Map<String, Value>,
}

/// A moment of a run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Moment {
    /// Before the first event.
    #[default]
    Begin,
    /// After the last event.
    End,
    /// After all events up to this time.
    Time(u64),
    /// After this node has received this message for the first time.
    Receives {
        /// The node.
        node: Node,
        /// The message, as it is written in traces.
        message: String,
    },
    /// After this node has begun to lead.
    Leads(Node),
}

/// A question.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Question {
    /// What is asked.
    pub text: Text,
    /// What is said to the right answer.
    pub why: Text,
    /// What is wanted.
    pub wants: Wanted,
}

/// What a question wants.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Wanted {
    /// A number of an election.
    Number {
        /// Which number.
        of: Quantity,
        /// What is different from the lesson's election.
        #[serde(default)]
        change: Map<String, Value>,
    },
    /// A node that a quantity names.
    Node {
        /// Which one.
        of: Quantity,
        /// What is different from the lesson's election.
        #[serde(default)]
        change: Map<String, Value>,
    },
    /// An election that reaches a goal.
    Try {
        /// The parts of the lesson's election that may be changed.
        may: Vec<String>,
        /// The faults that may be added, as in `lose`.
        #[serde(default)]
        faults: Vec<String>,
        /// What its run must reach, all of it.
        goal: Vec<Goal>,
        /// A change that does.
        solution: Map<String, Value>,
    },
}

/// What a run must reach.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Goal {
    /// A quantity has this value.
    Is {
        /// The quantity.
        of: Quantity,
        /// Its value.
        value: u64,
    },
    /// The property with this key is broken.
    Broken(String),
    /// All properties hold that were judged.
    Right,
}

/// A number that the texts state.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Fact {
    /// The number.
    pub says: u64,
    /// Of what.
    pub of: Quantity,
    /// What is different from the lesson's election.
    #[serde(default)]
    pub change: Map<String, Value>,
}

impl Lesson {
    /// The lesson with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<&'static Self, Refusal> {
        LESSONS.iter().find(|lesson| lesson.name == name).ok_or_else(|| {
            let names: Vec<_> = LESSONS.iter().map(|lesson| &lesson.name[..]).collect();
            Refusal(format!("there is no lesson '{name}': there are {}", names.join(", ")))
        })
    }

    /// The lesson's election with these changes.
    ///
    /// # Errors
    /// If this is no election.
    pub fn with(&self, change: &Map<String, Value>) -> Result<Election, Refusal> {
        let mut all = self.election.clone();
        all.extend(change.clone());
        serde_json::from_value(Value::Object(all)).map_err(|error| Refusal(format!("this is no election: {error}")))
    }

    /// All that a page needs to give this lesson.
    ///
    /// # Errors
    /// If one of its elections cannot be held.
    fn told(&self, language: Language) -> Result<Value, Refusal> {
        let steps = self.step.iter().map(|step| {
            let held = Held::new(self.with(&step.change)?)?;
            let Place { position, node, message } = step.at.place(&held.events)?;
            Ok(json!({
                "text": step.text.to(language),
                "election": self.with(&step.change)?,
                "position": position,
                "node": step.node.or(node),
                "message": message.map(|(from, number)| json!({"from": from, "number": number})),
            }))
        });
        let question = &self.question;
        let (kind, may, faults) = match &question.wants {
            Wanted::Number { .. } => ("number", &[][..], &[][..]),
            Wanted::Node { .. } => ("node", &[][..], &[][..]),
            Wanted::Try { may, faults, .. } => ("try", &may[..], &faults[..]),
        };
        Ok(json!({
            "name": self.name,
            "title": self.title.to(language),
            "election": self.with(&Map::new())?,
            "steps": steps.collect::<Result<Vec<_>, Refusal>>()?,
            "question": {
                "text": question.text.to(language),
                "kind": kind,
                "may": may,
                "faults": faults,
                "parts": may.iter().chain(faults).map(|part| in_words(part, language)).collect::<Vec<_>>(),
            },
        }))
    }
}

/// All lessons for a page: `lessons`, each with its election, its steps and its question.
///
/// A step shows `election` after the first `position` events. `node` and `message` (its sender and its number) are what
/// to look at, or `null`. A question is of kind `number`, `node`, or `try`. For `try`, `may` lists the fields of the
/// election that may be changed, `faults` the kinds of faults, and `parts` both in words.
///
/// # Errors
/// If a lesson's election cannot be held.
pub fn list(language: Language) -> Result<Value, Refusal> {
    let lessons = LESSONS.iter().map(|lesson| lesson.told(language)).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({"ok": true, "language": language, "lessons": lessons}))
}

/// The parts of an election that have a name, and the kinds of faults.
const PARTS: [&str; 26] = [
    "algorithm",
    "topology",
    "ids",
    "initiators",
    "timing",
    "seed",
    "set",
    "fault",
    "loss",
    "duplicate",
    "reorder",
    "crash",
    "recover",
    "wipe",
    "start",
    "pause",
    "cut",
    "oneway",
    "slow",
    "drift",
    "disk",
    "lose",
    "repeat",
    "hold",
    "random",
    OTHER,
];

/// What has no name.
const OTHER: &str = "other";

/// A part of an election, or a kind of faults, in words.
fn in_words(part: &str, language: Language) -> String {
    let known = PARTS.iter().find(|known| **known == part).unwrap_or(&OTHER);
    language.text(&format!("part-{known}"), &[])
}

/// What a moment is in a run.
struct Place {
    /// How many events have happened.
    position: usize,
    node: Option<Node>,
    /// The sender of a message, and its number.
    message: Option<(Node, u64)>,
}

impl Moment {
    fn place(&self, events: &[Event]) -> Result<Place, Refusal> {
        let nobody = |position| Place { position, node: None, message: None };
        let after = |found: Option<usize>| {
            found.map(|event| event + 1).ok_or_else(|| Refusal(format!("the run has no such moment: {self:?}")))
        };
        Ok(match self {
            Self::Begin => nobody(0),
            Self::End => nobody(events.len()),
            Self::Time(time) => {
                let later = |event: &Event| event.t > bellwether_world::Time::units(u128::from(*time));
                nobody(events.iter().position(later).unwrap_or(events.len()))
            }
            Self::Receives { node, message } => {
                let receives = |event: &Event| {
                    let received = event.received.iter().find(|received| render(&received.msg) == *message);
                    received.filter(|_| event.node == *node).map(|received| (received.from, received.n))
                };
                let position = after(events.iter().position(|event| receives(event).is_some()))?;
                Place { position, node: Some(*node), message: receives(&events[position - 1]) }
            }
            Self::Leads(node) => {
                let leads = |event: &Event| event.node == *node && event.decision == Some(Decision::Leader);
                Place { node: Some(*node), ..nobody(after(events.iter().position(leads))?) }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_words() {
        let words: std::collections::BTreeSet<_> = PARTS.iter().map(|part| in_words(part, Language::English)).collect();
        assert_eq!(words.len(), PARTS.len());
        assert_eq!(in_words("until", Language::English), in_words(OTHER, Language::English));
    }
}
