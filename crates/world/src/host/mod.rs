//! What every host needs, in virtual time or on real threads: the processes, what befalls them, and who looks on.

mod cast;
mod fate;
mod observe;
mod tally;
mod timers;

pub use cast::{Ended, Error, awaken, bring_up};
pub use fate::{Fate, Fates, Incident};
pub use observe::{
    Bytes, Now, Observer, Recorder, Silent, Standing, Watch, Watcher, Wishes, glance, glance_telling, written,
};
pub use tally::{Count, Sent, Tally};
pub use timers::Timers;
