//! What a page asks about lessons and exercises: one JSON object with the field `ask`.

use bellwether_ask::{Election, Refusal};
use bellwether_net::Topology;
use serde::Deserialize;
use serde_json::Value;

use crate::Language;
use crate::exercise::{Exercise, TEMPLATES};
use crate::lessons::{self, Attempt, Lesson};

/// A request.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// All lessons.
    Lessons {
        /// In this language.
        #[serde(default)]
        language: Language,
    },
    /// An attempt at a lesson's question: an answer in words or an election. With neither, the solution is told.
    Attempt {
        /// The name of the lesson.
        lesson: String,
        /// The answer in words.
        answer: Option<String>,
        /// The election that is to reach the goal.
        election: Option<Box<Election>>,
        /// In this language.
        #[serde(default)]
        language: Language,
    },
    /// An exercise.
    Exercise {
        /// The seed of the whole class.
        seed: u64,
        /// The student.
        student: u32,
        /// The template; the first one of the student's sheet, if none is named.
        template: Option<String>,
        /// In this language.
        #[serde(default)]
        language: Language,
    },
    /// An answer to an exercise.
    Grade {
        /// The seed of the whole class.
        seed: u64,
        /// The student.
        student: u32,
        /// The template.
        template: String,
        /// The answer.
        answer: String,
        /// In this language.
        #[serde(default)]
        language: Language,
    },
}

impl Request {
    /// The names of all requests, as in `ask`.
    pub const NAMES: [&str; 4] = ["lessons", "attempt", "exercise", "grade"];

    /// The network on which an attempt holds an election, if it names one.
    #[must_use]
    pub fn topology(&self) -> Option<&Topology> {
        let Self::Attempt { election: Some(election), .. } = self else { return None };
        election.topology.as_ref()
    }

    /// The answer, an object with `"ok":true`.
    ///
    /// # Errors
    /// If there is no such lesson or template, or an election cannot be held.
    pub fn answer(self) -> Result<Value, Refusal> {
        match self {
            Self::Lessons { language } => lessons::list(language),
            Self::Attempt { lesson, answer, election, language } => {
                let lesson = Lesson::named(&lesson)?;
                match (answer, election) {
                    (None, None) => lesson.solution(language),
                    (Some(answer), None) => lesson.judge(&Attempt::Answer(answer), language),
                    (None, Some(election)) => lesson.judge(&Attempt::Election(election), language),
                    (Some(_), Some(_)) => Err(Refusal("an attempt is an answer or an election, not both".into())),
                }
            }
            Self::Exercise { seed, student, template, language } => {
                Exercise::new(seed, student, template.as_deref().unwrap_or(TEMPLATES[0].name))?.told(language)
            }
            Self::Grade { seed, student, template, answer, language } => {
                Exercise::new(seed, student, &template)?.grade(&answer, language)
            }
        }
    }
}
