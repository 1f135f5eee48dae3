//! Why something that was asked for cannot be done.

use std::fmt::Display;
use std::path::Path;

/// The reason, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl Refusal {
    /// Something is wrong with a file.
    pub fn file(path: &Path, reason: impl Display) -> Self {
        Self(format!("{}: {}", path.display(), without_number(&reason.to_string())))
    }

    /// Something is wrong with an option.
    pub fn option(name: &'static str) -> impl Fn(String) -> Self {
        move |reason| Self(format!("{name}: {reason}"))
    }
}

/// What the operating system says, without the number of its error.
fn without_number(reason: &str) -> &str {
    let text = reason.strip_suffix(')').and_then(|start| start.rsplit_once(" (os error "));
    text.filter(|(_, number)| number.parse::<i32>().is_ok()).map_or(reason, |(text, _)| text)
}
