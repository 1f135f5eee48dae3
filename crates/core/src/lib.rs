//! What an election is, and nothing else.
//!
//! An algorithm is a small pure state machine. In the asynchronous model, a [`Process`] reacts to messages, timers and
//! its own start. In the synchronous one, a [`Rounds`] takes one step a round. It sees its own [`Local`] knowledge at
//! birth and a [`Context`] at every step. It never sees a clock, a generator, a thread or who sits behind a [`Port`].
//! That is why the same code can be simulated, checked, drawn and deployed.
//!
//! Two adaptors carry every algorithm to every host: [`Lockstep`] lets a process live in rounds,
//! [`Synchronizer`] lets a round-based algorithm live with messages of any delay. [`Numbered`] holds election after
//! election.

#![warn(clippy::unwrap_used)]

mod bounds;
mod context;
mod formula;
mod info;
mod input;
mod lemma;
mod local;
mod lockstep;
mod message;
mod numbered;
mod numbering;
mod outbox;
mod phases;
pub mod prelude;
mod process;
mod role;
mod rounds;
mod rulebook;
mod standing;
mod starters;
mod status;
mod synchronizer;
mod timer;
mod units;
mod untold;
mod variables;

pub use bounds::{Bounds, LowerBound};
pub use context::Context;
pub use formula::{Formula, Size, ceil_lg, choose, floor_lg, harmonic, power};
pub use info::{
    Electorate, Endless, Info, Informs, LinkOrder, Meaning, Model, Setting, Starts, TopologyKind, Values, Winner,
};
pub use input::Input;
pub use lemma::{Claim, Lemma};
pub use local::{Knowledge, Local, Settings, Truth, Unmet};
pub use lockstep::Lockstep;
pub use message::{Field, Message};
pub use numbered::{Numbered, Stamped};
pub use numbering::Numbering;
pub use outbox::{Draws, Outbox};
pub use phases::{Phases, Race};
pub use process::Process;
pub use rounds::{Inbox, Rounds};
pub use rulebook::{Rule, Rulebook};
pub use standing::{Change, Standing};
pub use starters::Starters;
pub use status::Status;
pub use synchronizer::{Packet, Synchronizer};
pub use timer::{NoTimer, Tag};
pub use units::{Id, Phase, Port, Round, Span};
pub use untold::Untold;
pub use variables::{Given, Variables};

/// What [`messages!`] and [`timers!`] need from outside; not for direct use.
#[doc(hidden)]
pub mod macros {
    pub use serde;
}
