//! Why a request has no answer.

use bellwether_ask::Refusal;
use bellwether_tell::Object;
use serde::Serialize;

/// What kind of problem it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// What was asked cannot be done.
    Refused,
    /// It would take more than is allowed here.
    TooLarge,
    /// The request, a file or a trace cannot be read.
    Unreadable,
}

/// The longest sentence in bytes: a name in it may be of any length.
const LONGEST: usize = 800;

/// A problem, in a sentence that says what is wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Its kind.
    pub kind: ProblemKind,
    /// The sentence.
    pub what: String,
}

impl Problem {
    /// It cannot be done.
    pub fn refused(what: impl Into<String>) -> Self {
        Self::new(ProblemKind::Refused, what.into())
    }

    /// It would take too much.
    pub fn too_large(what: impl Into<String>) -> Self {
        Self::new(ProblemKind::TooLarge, what.into())
    }

    /// It cannot be read.
    pub fn unreadable(what: impl Into<String>) -> Self {
        Self::new(ProblemKind::Unreadable, what.into())
    }

    fn new(kind: ProblemKind, what: String) -> Self {
        if what.len() <= LONGEST {
            return Self { kind, what };
        }
        let end = (0..LONGEST).rev().find(|end| what.is_char_boundary(*end)).unwrap_or(0);
        Self { kind, what: format!("{}…", &what[..end]) }
    }

    /// The answer that tells it.
    #[must_use]
    pub fn object(&self) -> Object {
        let mut object = Object::default();
        object.put("ok", &false);
        object.put("error", self);
        object
    }
}

impl From<Refusal> for Problem {
    fn from(Refusal(what): Refusal) -> Self {
        Self::refused(what)
    }
}
