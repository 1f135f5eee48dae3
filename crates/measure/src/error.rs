//! Why a sweep could not be held.

use std::io;
use std::path::{Path, PathBuf};

use bellwether_ask::Refusal;

/// Why a sweep could not be held.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was asked cannot be done, or a file cannot be read.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A row could not be written.
    #[error("{}: {}", .0.display(), .1)]
    Output(PathBuf, io::Error),
}

impl Error {
    /// Something is wrong with a file.
    pub(crate) fn file(path: &Path, reason: impl std::fmt::Display) -> Self {
        Refusal::file(path, reason).into()
    }

    /// What was asked cannot be done.
    pub(crate) fn refused(reason: impl Into<String>) -> Self {
        Refusal(reason.into()).into()
    }
}
