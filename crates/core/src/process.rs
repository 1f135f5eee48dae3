//! The asynchronous model: a process reacts, one event at a time.

use std::fmt::Debug;
use std::hash::Hash;

use serde::{Serialize, de::DeserializeOwned};

use crate::{Context, Info, Local, Message, Phase, Port, Status, Tag, Unmet, Variables};

/// An election algorithm in the asynchronous model, as one process of it.
///
/// Its state is exactly the variables of the paper; two processes in equal states behave equally. A host calls
/// [`start`](Process::start) if the process wakes up on its own (it is an *initiator*), and
/// [`receive`](Process::receive) for each message. A message also wakes it up. Steps are atomic.
pub trait Process: Clone + Eq + Hash + Debug + Send + 'static {
    /// The algorithm's entry in the catalogue.
    const INFO: &'static Info;
    /// What travels.
    type Msg: Message;
    /// The names of its timers; [`NoTimer`](crate::NoTimer) if it has none.
    type Timer: Tag;
    /// What survives a restart; `()` for most. Its default is an empty disk.
    type Disk: Default + Clone + PartialEq + Debug + Serialize + DeserializeOwned;

    /// A sleeping process that knows what `local` grants.
    ///
    /// # Errors
    /// If `local` does not grant something that the algorithm must know.
    fn new(local: &Local) -> Result<Self, Unmet>;

    /// The process starts again after a crash, with what was on its disk. `None` means that the disk is lost.
    ///
    /// # Errors
    /// As for [`new`](Process::new).
    fn restored(local: &Local, disk: Option<Self::Disk>) -> Result<Self, Unmet> {
        let _ = disk;
        Self::new(local)
    }

    /// The part of its state that it keeps on its disk.
    ///
    /// What a step changes of it is on disk before the messages of that step leave, and before the process counts as a
    /// leader by that step. The process itself goes on, and its timers run.
    fn disk(&self) -> Self::Disk {
        Self::Disk::default()
    }

    /// The process wakes up on its own, or is told to hold another election.
    fn start(&mut self, ctx: &mut impl Context<Self::Msg, Self::Timer>);

    /// A message arrives on port `from`.
    fn receive(&mut self, from: Port, msg: Self::Msg, ctx: &mut impl Context<Self::Msg, Self::Timer>);

    /// A timer set earlier goes off.
    fn timeout(&mut self, timer: Self::Timer, ctx: &mut impl Context<Self::Msg, Self::Timer>) {
        let _ = (timer, ctx);
    }

    /// The host's failure detector says that the process behind `port` is down.
    fn peer_down(&mut self, port: Port, ctx: &mut impl Context<Self::Msg, Self::Timer>) {
        let _ = (port, ctx);
    }

    /// What it has decided, read from its state.
    fn status(&self) -> Status;

    /// The number of its leadership while it leads, for algorithms that number them. Services use it as a fencing
    /// token.
    fn token(&self) -> Option<u64> {
        None
    }

    /// Its state in the algorithm's own words: `candidate`, `relay`. Empty if the algorithm has none.
    fn role(&self) -> &'static str {
        ""
    }

    /// Its state in the words of the paper: its variables, with their values.
    fn variables(&self) -> Variables {
        Variables::of(self)
    }

    /// Why it knows no leader, in a sentence, if it can tell. `None` if it knows one.
    fn why(&self) -> Option<String> {
        None
    }

    /// Whether this message on this port would change nothing and get no answer, now and at any later time. The
    /// checker then need not try when it comes. `false` is always safe.
    fn ignores(&self, _from: Port, _msg: &Self::Msg) -> bool {
        false
    }

    /// Whether it only takes note of such a message until it has enough of them. Let nothing else that it does depend
    /// on its notes: whatever happens between two of them might as well happen before the first. The checker then makes
    /// it hear at once all that it needs. `false` is always safe.
    fn notes(&self, _msg: &Self::Msg) -> bool {
        false
    }

    /// Processes that tell the same number here, before they start, differ only in their ids and places, and no message
    /// tells their ids. The checker then counts states as one if such processes have only changed places; it sees to
    /// it that they do the same. `None` is always safe.
    fn alike(&self) -> Option<u64> {
        None
    }

    /// Whether it will still act although only [overhead](Message::is_overhead) is on its way to it.
    /// A run is over when nobody is pending and only overhead travels.
    fn is_pending(&self) -> bool {
        false
    }

    /// The phase that it is in, if [any number](crate::Phases::unbounded) may follow; 0 if it will begin with the
    /// first.
    fn phase(&self) -> Option<Phase> {
        None
    }

    /// Makes it the same state, `by` phases earlier.
    fn rewind(&mut self, by: u64) {
        let _ = by;
    }
}
