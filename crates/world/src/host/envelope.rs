//! Messages and timers of any type: hosts that need not be fast are compiled once for all algorithms.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};

use bellwether_core::{Message, Phase, Tag};
use serde_json::Value;

use super::tally::{Counted, MAX_KINDS};
use super::written;

/// A message of any algorithm. All envelopes of one run belong to one algorithm, or to the wave that numbers the nodes.
pub struct Envelope(Box<dyn Content>);

/// The index of a timer among all timers of its algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bell(u8);

/// The operations of an envelope.
trait Content: Any + Debug + Send + Sync {
    fn copy(&self) -> Box<dyn Content>;
    fn compare(&self, other: &dyn Content) -> Ordering;
    fn feed(&self, hasher: &mut dyn Hasher);
    fn written(&self) -> Value;
    fn kind(&self) -> usize;
    fn is_announce(&self) -> bool;
    fn bits(&self) -> u32;
    fn is_overhead(&self) -> bool;
    fn phase(&self) -> Option<Phase>;
    fn rewind(&mut self, by: u64);
}

impl<M: Message> Content for M {
    fn copy(&self) -> Box<dyn Content> {
        Box::new(self.clone())
    }

    fn compare(&self, other: &dyn Content) -> Ordering {
        // Messages of the algorithm and of the wave that numbers the nodes are of different kinds.
        read(other).map_or_else(|| Content::kind(self).cmp(&other.kind()), |other| self.cmp(other))
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

    fn is_announce(&self) -> bool {
        M::is_announce(Message::kind(self))
    }

    fn bits(&self) -> u32 {
        Message::bits(self)
    }

    fn is_overhead(&self) -> bool {
        Message::is_overhead(self)
    }

    fn phase(&self) -> Option<Phase> {
        Message::phase(self)
    }

    fn rewind(&mut self, by: u64) {
        Message::rewind(self, by);
    }
}

/// The message inside, if it is of this type.
fn read<M: Message>(content: &dyn Content) -> Option<&M> {
    (content as &dyn Any).downcast_ref()
}

impl Envelope {
    /// Wraps a message.
    pub fn new(msg: impl Message) -> Self {
        Self(Box::new(msg))
    }

    /// Unwraps the message.
    pub(super) fn open<M: Message>(self) -> M {
        let content: Box<dyn Any> = self.0;
        *content.downcast().expect("envelopes of one run are of one algorithm")
    }

    /// The message inside.
    pub(super) fn content<M: Message>(&self) -> &M {
        self.read().expect("envelopes of one run are of one algorithm")
    }

    /// The message inside, if it is of this type.
    pub(super) fn read<M: Message>(&self) -> Option<&M> {
        read(&*self.0)
    }

    /// The message as a trace writes it.
    #[must_use]
    pub fn written(&self) -> Value {
        self.0.written()
    }

    /// Whether it announces the result.
    #[must_use]
    pub fn is_announce(&self) -> bool {
        self.0.is_announce()
    }

    /// Whether it belongs to an adaptor and not to the algorithm.
    #[must_use]
    pub fn is_overhead(&self) -> bool {
        self.0.is_overhead()
    }

    /// Its phase, if the algorithm counts phases.
    #[must_use]
    pub fn phase(&self) -> Option<Phase> {
        self.0.phase()
    }

    /// Makes it the same message, that number of phases earlier.
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
