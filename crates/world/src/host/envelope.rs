//! Messages and timers whose types are not known: hosts that need not be fast are compiled once for all algorithms.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};

use bellwether_core::{Message, Stage, Tag};
use serde_json::Value;

use super::tally::{Counted, MAX_KINDS};
use super::written;

/// A message of some algorithm. Envelopes of different algorithms never meet in one run.
pub struct Envelope(Box<dyn Content>);

/// The number of a timer among all of its algorithm, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bell(u8);

/// What an envelope must be able to do.
trait Content: Any + Debug + Send + Sync {
    fn copy(&self) -> Box<dyn Content>;
    fn compare(&self, other: &dyn Content) -> Ordering;
    fn feed(&self, hasher: &mut dyn Hasher);
    fn written(&self) -> Value;
    fn kind(&self) -> usize;
    fn kind_name(&self) -> &'static str;
    fn bits(&self) -> u32;
    fn is_overhead(&self) -> bool;
    fn stage(&self) -> Option<Stage>;
    fn rewind(&mut self, by: u64);
}

impl<M: Message> Content for M {
    fn copy(&self) -> Box<dyn Content> {
        Box::new(self.clone())
    }

    fn compare(&self, other: &dyn Content) -> Ordering {
        self.cmp(opened(other))
    }

    fn feed(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn written(&self) -> Value {
        written(self)
    }

    fn kind(&self) -> usize {
        Message::kind(self)
    }

    fn kind_name(&self) -> &'static str {
        M::kind_name(Message::kind(self))
    }

    fn bits(&self) -> u32 {
        Message::bits(self)
    }

    fn is_overhead(&self) -> bool {
        Message::is_overhead(self)
    }

    fn stage(&self) -> Option<Stage> {
        Message::stage(self)
    }

    fn rewind(&mut self, by: u64) {
        Message::rewind(self, by);
    }
}

/// What is in it.
fn opened<M: Message>(content: &dyn Content) -> &M {
    (content as &dyn Any).downcast_ref().expect("envelopes of one run are of one algorithm")
}

impl Envelope {
    /// A message in its wrapping.
    pub fn new(msg: impl Message) -> Self {
        Self(Box::new(msg))
    }

    /// The message without its wrapping.
    pub(super) fn open<M: Message>(self) -> M {
        let content: Box<dyn Any> = self.0;
        *content.downcast().expect("envelopes of one run are of one algorithm")
    }

    /// The message in it.
    pub(super) fn content<M: Message>(&self) -> &M {
        opened(&*self.0)
    }

    /// The message as a trace writes it.
    #[must_use]
    pub fn written(&self) -> Value {
        self.0.written()
    }

    /// The name of its kind.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        self.0.kind_name()
    }

    /// Whether it serves an adaptor and not the algorithm.
    #[must_use]
    pub fn is_overhead(&self) -> bool {
        self.0.is_overhead()
    }

    /// The stage that it belongs to, where the algorithm counts them.
    #[must_use]
    pub fn stage(&self) -> Option<Stage> {
        self.0.stage()
    }

    /// Makes it the same message, that number of stages earlier.
    pub fn rewind(&mut self, by: u64) {
        self.0.rewind(by);
    }
}

impl Counted for Envelope {
    const KINDS: usize = MAX_KINDS;
    const MAY_BE_OVERHEAD: bool = true;

    fn kind(&self) -> usize {
        self.0.kind()
    }

    fn bits(&self) -> u32 {
        self.0.bits()
    }

    fn is_overhead(&self) -> bool {
        self.0.is_overhead()
    }
}

impl Clone for Envelope {
    fn clone(&self) -> Self {
        Self(self.0.copy())
    }
}

impl Debug for Envelope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for Envelope {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Envelope {}

impl PartialOrd for Envelope {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Envelope {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.compare(&*other.0)
    }
}

impl Hash for Envelope {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.feed(hasher);
    }
}

impl Bell {
    /// The number of a timer.
    pub(super) fn new<T: Tag>(timer: T) -> Self {
        debug_assert!(T::ALL.is_sorted(), "bells have the order of their timers");
        let number = T::ALL.iter().position(|one| *one == timer).expect("all names are in the list of all names");
        Self(number as u8)
    }

    /// The timer of this number.
    pub(super) fn timer<T: Tag>(self) -> T {
        T::ALL[usize::from(self.0)]
    }

    /// All timers of an algorithm.
    pub(super) fn all<T: Tag>() -> impl Iterator<Item = Self> {
        (0..T::ALL.len() as u8).map(Self)
    }
}
