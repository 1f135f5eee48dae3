//! Timers are names: a process has at most one of each, and setting it again replaces it.

use std::fmt::Debug;
use std::hash::Hash;

use serde::{Serialize, de::DeserializeOwned};

/// The name of a timer, usually a fieldless enum.
pub trait Tag: Copy + Ord + Hash + Debug + Serialize + DeserializeOwned + Send + 'static {
    /// All names, in ascending order.
    const ALL: &'static [Self];

    /// Whether there is any timer at all: a host without timers is a simpler machine.
    const EXISTS: bool = !Self::ALL.is_empty();
}

/// The timer of an algorithm that has none: there is no value of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum NoTimer {}

impl Tag for NoTimer {
    const ALL: &'static [Self] = &[];
}
