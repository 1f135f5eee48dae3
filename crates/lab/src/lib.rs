//! The lab: what a page asks, and what it is told. JSON in, JSON out.
//!
//! [`answer`] is stateless: an election is plain data, and so is a fork of it. It reads no file, no clock and no
//! generator, and starts no thread, so it runs in a browser as well. HTTP and WebAssembly only carry its texts.

#![warn(clippy::unwrap_used)]

mod attached;
mod catalogue;
mod check;
mod explain;
pub mod files;
mod fits;
mod limits;
mod open;
mod picture;
mod point;
mod problem;
mod request;
mod run;
mod worst;

pub use limits::Limits;
pub use problem::{Problem, ProblemKind};
pub use request::{LabRequest, PageRequest};

use bellwether_tell::Object;

/// The answer to a request: an object with `"ok":true`, or with `"ok":false` and an error that says what would be
/// right.
#[must_use]
pub fn answer(request: &str, limits: &Limits) -> String {
    let answered = PageRequest::read(request).and_then(|request| request.answer(limits));
    answered.unwrap_or_else(|problem| problem.object().to_string())
}

impl PageRequest {
    fn answer(self, limits: &Limits) -> Result<String, Problem> {
        match self {
            Self::Lab(request) => request.answer(limits).map(|object| object.to_string()),
            Self::Taught(request) => {
                request.topology().map_or(Ok(()), |topology| limits.allow(topology))?;
                Ok(request.answer()?.to_string())
            }
        }
    }
}

impl LabRequest {
    fn answer(self, limits: &Limits) -> Result<Object, Problem> {
        match self {
            Self::Catalogue {} => Ok(catalogue::catalogue()),
            Self::Fits(wanted) => fits::fits(&wanted, limits),
            Self::Run(wanted) => run::run(wanted, limits),
            Self::Check(wanted) => check::check(wanted, limits),
            Self::Worst(wanted) => worst::worst(&wanted, limits),
            Self::CanHappen(wanted) => check::can_happen(wanted, limits),
            Self::Point(wanted) => point::point(wanted, limits),
            Self::Picture(wanted) => picture::picture(wanted, limits),
            Self::Open { trace } => open::open(&trace, limits),
            Self::Explain { what } => explain::explain(&what),
        }
    }
}

/// An answer before its content.
fn fine() -> Object {
    let mut object = Object::default();
    object.put("ok", &true);
    object
}
