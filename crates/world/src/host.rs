//! What every host needs, in virtual time or on real threads: processes, faults, recorders and watchers.

mod actor;
mod algorithm;
mod bring_up;
mod driver;
mod envelope;
mod fate;
mod numbered;
mod observe;
mod phases;
mod state_bits;
mod tally;
mod timers;
mod told;

pub use actor::{Actor, Cue, RoundsActor};
pub use algorithm::{Algorithm, Cast, CountByLemmas, LemmaCount, RoundsCast};
pub use bring_up::{Ended, Error, READABLE, awaken, bring_up, restore};
pub use driver::{Driver, Effects};
pub use envelope::{Bell, Envelope};
pub use fate::{Fate, Fates, Incident};
pub use observe::{Bytes, Now, Recorder, Sink, Watch, Watcher, Wishes, glance, glance_telling, written};
pub use phases::PhaseCount;
pub use state_bits::state_bits;
pub use tally::{Count, Counted, Kinds, SentCount, Tally};
pub use timers::Timers;
pub use told::Told;
