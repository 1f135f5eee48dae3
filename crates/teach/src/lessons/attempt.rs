//! An attempt at the question of a lesson.

use std::collections::BTreeSet;

use bellwether_ask::{Election, Refusal};
use bellwether_world::Property;
use serde_json::{Map, Value, json};

use super::{Goal, Lesson, Wanted, in_words};
use crate::held::NoFiles;
use crate::reply;
use crate::{Held, Language, Quantity};

/// What somebody has found.
#[derive(Clone, Debug)]
pub enum Attempt {
    /// An answer in words.
    Answer(String),
    /// An election.
    Election(Box<Election>),
}

impl Lesson {
    /// Judges an attempt: `right`, and `why` in a sentence or two.
    ///
    /// # Errors
    /// If it is no attempt at this question.
    pub fn judge(&self, attempt: &Attempt, language: Language) -> Result<Value, Refusal> {
        let wrong = match (&self.question.wants, attempt) {
            (Wanted::Try { may, faults, goal, .. }, Attempt::Election(election)) => {
                match self.forbidden(election, may, faults)? {
                    Some(part) => Some(language.text("changed-too-much", &[("part", &in_words(&part, language))])),
                    None => missed(goal, election, language)?,
                }
            }
            (Wanted::Number { of, change }, Attempt::Answer(text)) => {
                let right = reply::is_number(text, self.value(of, change)?, 1);
                (!right).then(|| language.text("wrong", &[]))
            }
            (Wanted::Node { of, change }, Attempt::Answer(text)) => {
                let right = reply::is_node(text, self.value(of, change)?);
                (!right).then(|| language.text("wrong", &[]))
            }
            (Wanted::Try { .. }, Attempt::Answer(_)) => {
                return Err(Refusal("this question is answered by an election: send it as 'election'".into()));
            }
            (_, Attempt::Election(_)) => {
                return Err(Refusal("this question is answered in words: send them as 'answer'".into()));
            }
        };
        let why = wrong.as_deref().unwrap_or_else(|| self.question.why.to(language));
        Ok(json!({"ok": true, "right": wrong.is_none(), "why": why}))
    }

    /// A right answer: `answer` in words, or an `election` that reaches the goal; and `why`.
    ///
    /// # Errors
    /// If the lesson's election cannot be held.
    pub fn solution(&self, language: Language) -> Result<Value, Refusal> {
        let why = self.question.why.to(language);
        Ok(match &self.question.wants {
            Wanted::Number { of, change } | Wanted::Node { of, change } => {
                json!({"ok": true, "answer": self.value(of, change)?.to_string(), "why": why})
            }
            Wanted::Try { solution, .. } => json!({"ok": true, "election": self.with(solution)?, "why": why}),
        })
    }

    /// A quantity of the lesson's election with these changes.
    ///
    /// # Errors
    /// If that cannot be held, or has no such quantity.
    pub fn value(&self, of: &Quantity, change: &Map<String, Value>) -> Result<u64, Refusal> {
        let held = Held::new(self.with(change)?)?;
        of.of(&held).ok_or_else(|| Refusal(format!("this run has no {of}")))
    }

    /// A part of the election that must not be changed, but was.
    fn forbidden(&self, election: &Election, may: &[String], faults: &[String]) -> Result<Option<String>, Refusal> {
        let fields = |election: &Election| match serde_json::to_value(election) {
            Ok(Value::Object(fields)) => Ok(fields),
            _ => Err(Refusal("this is no election".into())),
        };
        let (own, given) = (self.with(&Map::new())?, fields(election)?);
        let base = fields(&own)?;
        // No other network is even built: it might be huge.
        if base.get("topology") != given.get("topology") {
            return Ok(Some("topology".into()));
        }
        let keys: BTreeSet<_> = base.keys().chain(given.keys()).collect();
        // A limit is no part of the question, and --force is needed for most of what is tried.
        let is_free = |key: &str| {
            let is_fault = key == "fault" && !faults.is_empty();
            is_fault || key == "force" || key == "limit" || may.iter().any(|part| part == key)
        };
        let strange = keys.into_iter().find(|key| !is_free(key) && base.get(*key) != given.get(*key));
        if let Some(part) = strange {
            // What is spelt out may be what is usual.
            let changes = given.iter().filter(|(key, _)| is_free(key)).map(|(key, value)| (key.clone(), value.clone()));
            let scenario = |election: Election| {
                Election { force: true, limit: None, ..election }.prepare(&NoFiles).map(|prepared| prepared.scenario)
            };
            if scenario(self.with(&changes.collect())?)? != scenario(election.clone())? {
                return Ok(Some(part.clone()));
            }
        }
        let is_new = |fault: &&String| !own.fault.contains(fault);
        let kind = |fault: &String| fault.split('=').next().unwrap_or_default().to_string();
        let mut added = election.fault.iter().filter(is_new).map(kind);
        let is_gone = own.fault.iter().any(|fault| !election.fault.contains(fault));
        if is_gone && !may.iter().any(|part| part == "fault") {
            return Ok(Some("fault".into()));
        }
        Ok(added.find(|kind| !faults.is_empty() && !faults.contains(kind)))
    }
}

/// What an election does not reach, as a sentence; `None` if it reaches the goal.
fn missed(goal: &[Goal], election: &Election, language: Language) -> Result<Option<String>, Refusal> {
    let held = Held::new(Election { force: true, ..election.clone() })?;
    for part in goal {
        let sentence = match part {
            Goal::Is { of, value } => match of.of(&held) {
                Some(found) if found == *value => continue,
                found => {
                    let found = found.map_or("–".into(), |found| found.to_string());
                    let name = language.text(&of.key(), &[]);
                    language.text("not-yet", &[("what", &name), ("found", &found), ("wanted", &value.to_string())])
                }
            },
            Goal::Broken(key) => {
                let property = Property::called(key);
                match property {
                    Some(property) if held.report.broken.contains(property) => continue,
                    _ => language.text(&format!("still-holds-{key}"), &[]),
                }
            }
            Goal::Right if held.report.is_right() => continue,
            Goal::Right => language.text(&format!("outcome-{}", held.report.outcome), &[]),
        };
        return Ok(Some(sentence));
    }
    Ok(None)
}
