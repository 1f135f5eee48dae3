//! What went wrong, and the exit code that says so.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use bellwether_ask::Refusal;

use crate::style::BAD;

/// The election is right.
pub const RIGHT: u8 = 0;
/// A property is broken.
pub const BROKEN: u8 = 1;
/// Bad usage, bad input, or a file that cannot be read or written.
pub const USAGE: u8 = 2;
/// Nothing is known: the run was stopped, or there was no election to judge.
pub const UNKNOWN: u8 = 3;

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// What was asked cannot be done: the reason, and what would be right.
    Usage(String),
    /// Standard output or another pipe was closed, by a pager or `head`: nothing to say.
    Closed,
}

impl Failure {
    /// A file could not be read or opened.
    pub fn file(path: &Path, error: impl std::fmt::Display) -> Self {
        Refusal::file(path, error).into()
    }

    /// A file could not be written, or a pipe was closed.
    pub fn output(path: &Path, error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::file(path, error) }
    }

    /// Tells the user, and gives the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Self::Usage(reason) => {
                // If standard error cannot be written, the exit code still tells.
                let _ = writeln!(anstream::stderr(), "{BAD}error:{BAD:#} {reason}");
                ExitCode::from(USAGE)
            }
            Self::Closed => ExitCode::SUCCESS,
        }
    }
}

/// The result of writing, where a closed pipe is no error: the command's findings stay valid.
pub fn unless_closed(written: Result<(), Failure>) -> Result<(), Failure> {
    match written {
        Err(Failure::Closed) => Ok(()),
        written => written,
    }
}

impl From<Refusal> for Failure {
    fn from(Refusal(reason): Refusal) -> Self {
        Self::Usage(reason)
    }
}

/// Errors of standard output; files have their own.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::Usage(format!("cannot write to standard output: {error}"))
    }
}

/// The outcome of a command: an exit code, or a failure.
pub type Done = Result<ExitCode, Failure>;
