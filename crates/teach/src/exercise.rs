//! Exercises: a template, and for each student ids of their own. The program itself knows the answer.

pub mod sheet;
mod templates;

use bellwether_ask::{Election, Refusal};
use bellwether_random::{Purpose, Stream};
use serde_json::{Value, json};

pub use self::templates::TEMPLATES;

use crate::reply::{self, Kind};
use crate::{Held, Language};

/// An exercise of one student.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The template.
    pub template: &'static str,
    /// The election that it is about.
    pub election: Election,
    /// The line that shows the answer.
    pub repeat: String,
    /// How much of the network is drawn.
    shows: Shows,
    /// What the question and the explanation tell. A value that begins with `@` is the key of a text.
    values: Vec<(&'static str, String)>,
    /// The lines of a run that is shown.
    story: Vec<String>,
    /// The keys of the choices.
    choices: Vec<&'static str>,
    right: Right,
}

/// How much of the network is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    /// Nothing.
    Nothing,
    /// The nodes and links.
    Network,
    /// The ids as well.
    Ids,
}

/// The right answer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Right {
    /// This fraction.
    Number(u64, u64),
    /// This node.
    Node(u64),
    /// These nodes.
    Nodes(Vec<u64>),
    /// These ids, or any order of them that needs as many messages to elect.
    Ids(Vec<u64>, u64),
    /// Any of the choices with these places. The first one is told.
    Choice(Vec<usize>),
}

impl Exercise {
    /// The exercise of a student of this class.
    ///
    /// # Errors
    /// If there is no such template.
    pub fn new(seed: u64, student: u32, template: &str) -> Result<Self, Refusal> {
        let place = TEMPLATES.iter().position(|known| known.name == template).ok_or_else(|| {
            let names: Vec<_> = TEMPLATES.iter().map(|known| known.name).collect();
            Refusal(format!("there is no template '{template}': take one of {}", names.join(", ")))
        })?;
        let mut stream = Stream::new(seed, Purpose::Exercise(student, place as u32));
        (TEMPLATES[place].make)(&mut stream)
    }

    /// What is asked.
    #[must_use]
    pub fn question(&self, language: Language) -> String {
        self.filled(language, "question")
    }

    /// Why the answer is right.
    #[must_use]
    pub fn why(&self, language: Language) -> String {
        self.filled(language, "why")
    }

    fn filled(&self, language: Language, what: &str) -> String {
        let local = |value: &String| match value.strip_prefix('@') {
            Some(key) => language.text(key, &[]),
            None => value.clone(),
        };
        let mut values: Vec<(&str, String)> = self.values.iter().map(|(name, value)| (*name, local(value))).collect();
        values.push(("answer", self.answer(language)));
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, &value[..])).collect();
        language.text(&format!("{what}-{}", self.template), &values)
    }

    /// The choices, if there are any.
    #[must_use]
    pub fn choices(&self, language: Language) -> Vec<String> {
        self.choices.iter().map(|key| language.text(&format!("choice-{key}"), &[])).collect()
    }

    /// The right answer, or one of them.
    #[must_use]
    pub fn answer(&self, language: Language) -> String {
        let list = |numbers: &[u64]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        match &self.right {
            Right::Number(number, 1) | Right::Node(number) => number.to_string(),
            Right::Number(numerator, denominator) => format!("{numerator}/{denominator}"),
            Right::Nodes(nodes) => list(nodes),
            Right::Ids(ids, _) => list(ids),
            Right::Choice(places) => self.choices(language)[places[0]].clone(),
        }
    }

    /// The kind of the answer.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.right {
            Right::Number(..) => Kind::Number,
            Right::Node(_) => Kind::Node,
            Right::Nodes(_) => Kind::Nodes,
            Right::Ids(..) => Kind::Ids,
            Right::Choice(_) => Kind::Choice,
        }
    }

    /// Whether an answer is right. Its form matters little.
    ///
    /// # Errors
    /// If it is an order of ids, and no election can be held with it.
    pub fn is_right(&self, answer: &str, language: Language) -> Result<bool, Refusal> {
        Ok(match &self.right {
            Right::Number(numerator, denominator) => reply::is_number(answer, *numerator, *denominator),
            Right::Node(node) => reply::is_node(answer, *node),
            Right::Nodes(nodes) => reply::is_set(answer, nodes),
            Right::Ids(ids, messages) => {
                let Some(told) = reply::numbers(answer) else { return Ok(false) };
                let sorted = |ids: &[u64]| {
                    let mut ids = ids.to_vec();
                    ids.sort_unstable();
                    ids
                };
                sorted(&told) == sorted(ids)
                    && Held::new(templates::with_ids(self.election.clone(), &told)?)?.report.election_messages()
                        == *messages
            }
            // A choice may be told in any language.
            Right::Choice(right) => std::iter::once(language)
                .chain(Language::ALL)
                .find_map(|language| reply::choice(answer, &self.choices(language)))
                .is_some_and(|told| right.contains(&told)),
        })
    }

    /// The exercise for a page, with all that a sheet tells. `templates` is what the whole sheet asks, in its order.
    /// The election is left out where it would give the answer away, and where the question is about all of them.
    ///
    /// # Errors
    /// If the network cannot be built.
    pub fn told(&self, language: Language) -> Result<Value, Refusal> {
        let is_shown = self.story.is_empty() && self.shows != Shows::Nothing;
        Ok(json!({
            "ok": true,
            "template": self.template,
            "templates": TEMPLATES.iter().map(|template| template.name).collect::<Vec<_>>(),
            "intro": language.text("sheet-intro", &[]),
            "heading": self.heading(language),
            "question": self.question(language),
            "facts": self.facts(language)?,
            "story": self.story,
            "election": is_shown.then_some(&self.election),
            "answer-kind": self.kind(),
            "choices": self.choices(language),
        }))
    }

    /// Whether an answer is right, with the right one, the reason, and the run if only its story was told.
    ///
    /// # Errors
    /// If it is an order of ids, and no election can be held with it.
    pub fn grade(&self, answer: &str, language: Language) -> Result<Value, Refusal> {
        let right = self.is_right(answer, language)?;
        let why = format!("{} {}", self.why(language), language.text("see", &[("line", &self.repeat)]));
        Ok(json!({
            "ok": true,
            "right": right,
            "answer": self.answer(language),
            "why": why,
            "repeat": self.repeat,
            "election": (!self.story.is_empty()).then_some(&self.election),
        }))
    }
}
