//! Timers are names: a process has at most one of each, and setting it again replaces it.

use std::fmt::Debug;
use std::hash::Hash;

use serde::{Serialize, de::DeserializeOwned};

/// The name of a timer; written with [`timers!`](crate::timers).
///
/// Traces write it. A host on several machines reads it again.
pub trait Tag: Copy + Ord + Hash + Debug + Serialize + DeserializeOwned + Send + 'static {
    /// All names, in ascending order.
    const ALL: &'static [Self];

    /// Whether there is any timer at all: a host without timers is a simpler machine.
    const EXISTS: bool = !Self::ALL.is_empty();

    /// Whether it stands for a wish from outside, as an operator's. Its span only says when that comes in a run. The
    /// checker lets it come at any time, or never.
    fn is_wish(self) -> bool {
        false
    }
}

/// The timer of an algorithm that has none: there is no value of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum NoTimer {}

impl Tag for NoTimer {
    const ALL: &'static [Self] = &[];
}

/// The timers of an algorithm, each with its name in traces:
///
/// ```
/// use bellwether_core::{Tag, timers};
///
/// timers! {
///     /// What it waits for.
///     pub enum Timer {
///         /// The answers of larger ids.
///         Answer = "answer",
///         /// The announcement.
///         Result = "result",
///     }
/// }
///
/// assert_eq!(Timer::ALL, [Timer::Answer, Timer::Result]);
/// assert_eq!(serde_json::to_string(&Timer::Answer).unwrap(), "\"answer\"");
/// ```
///
/// The word `wish` before a name marks a [wish](Tag::is_wish) from outside. A module has at most one such block.
#[macro_export]
macro_rules! timers {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident {
            $( $(#[$variant_meta:meta])* $variant:ident = $($mark:ident)? $tag:literal ),+ $(,)?
        }
    ) => {
        use $crate::macros::serde as __serde_of_timers;

        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            $crate::macros::serde::Serialize, $crate::macros::serde::Deserialize,
        )]
        #[serde(crate = "__serde_of_timers")]
        $visibility enum $name {
            $( $(#[$variant_meta])* #[serde(rename = $tag)] $variant ),+
        }

        impl $crate::Tag for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn is_wish(self) -> bool {
                match self {
                    $( Self::$variant => $crate::timers!(@is_wish $($mark)?) ),+
                }
            }
        }
    };
    (@is_wish) => { false };
    (@is_wish wish) => { true };
}
