//! What a process is, and how a step changes it.

use crate::Status;

/// What a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What it has decided.
    pub status: Status,
    /// What it is in its algorithm's own words.
    pub role: &'static str,
}

/// What a process was before a step, and what it is after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it was.
    pub before: Standing,
    /// What it is.
    pub after: Standing,
}

impl Change {
    /// Lets a process take a step, and looks at it before and after.
    pub fn during<P>(process: &mut P, standing: impl Fn(&P) -> Standing, step: impl FnOnce(&mut P)) -> Self {
        let before = standing(process);
        step(process);
        Self { before, after: standing(process) }
    }

    /// What it has decided with this step.
    #[must_use]
    pub fn decided(self) -> Option<Status> {
        (self.before.status != self.after.status).then_some(self.after.status)
    }

    /// The role that it has taken with this step, if it decided nothing: a decision says more than a role.
    #[must_use]
    pub fn turned(self) -> Option<&'static str> {
        let Self { before, after } = self;
        let is_turn = before.status == after.status && before.role != after.role;
        is_turn.then_some(after.role).filter(|role| !role.is_empty())
    }
}
