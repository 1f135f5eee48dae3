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
        Self { kind: ProblemKind::Refused, what: what.into() }
    }

    /// It would take too much.
    pub fn too_large(what: impl Into<String>) -> Self {
        Self { kind: ProblemKind::TooLarge, what: what.into() }
    }

    /// It cannot be read.
    pub fn unreadable(what: impl Into<String>) -> Self {
        Self { kind: ProblemKind::Unreadable, what: what.into() }
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
