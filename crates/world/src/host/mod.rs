//! What every host needs, in virtual time or on real threads: the processes, what befalls them, and who looks on.

mod actor;
mod algorithm;
mod cast;
mod envelope;
mod fate;
mod observe;
mod tally;
mod timers;

pub use actor::{Actor, Cue, RoundsActor};
pub use algorithm::{Algorithm, Cast, RoundsCast};
pub use cast::{Ended, Error, awaken, bring_up};
pub use envelope::{Bell, Envelope};
pub use fate::{Fate, Fates, Incident};
pub use observe::{Bytes, Now, Recorder, Sink, Standing, Watch, Watcher, Wishes, glance, glance_telling, written};
pub use tally::{Count, Counted, Kinds, Sent, Tally};
pub use timers::Timers;
