//! Messages: plain data that knows its kind and its length.

use std::fmt::Debug;
use std::hash::Hash;

use serde::{Serialize, de::DeserializeOwned};

use crate::{Id, Phase};

/// What an algorithm sends; written with [`messages!`](crate::messages).
///
/// Traces write it. A host on several machines reads it again.
pub trait Message: Clone + Ord + Hash + Debug + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// How many kinds there are: a handful, since hosts count them in a small array.
    const KINDS: usize;

    /// The name of a kind, as it appears in reports.
    fn kind_name(kind: usize) -> &'static str;

    /// Whether messages of a kind tell the result. They are counted apart from the election proper.
    fn is_announce(kind: usize) -> bool;

    /// The number of this message's kind.
    fn kind(&self) -> usize;

    /// Its length: the bits that tell the kinds apart, and each field as a binary number.
    fn bits(&self) -> u32;

    /// The phase that it belongs to, where the algorithm counts them.
    fn phase(&self) -> Option<Phase> {
        None
    }

    /// Makes it the same message, `by` phases earlier.
    fn rewind(&mut self, by: u64) {
        let _ = by;
    }

    /// Whether there are messages of an adaptor beside the algorithm's own.
    const HAS_OVERHEAD: bool = false;

    /// Whether this message is an adaptor's. Such messages are counted apart, and no run waits for them.
    fn is_overhead(&self) -> bool {
        false
    }
}

/// A field of a message.
pub trait Field {
    /// Binary digits needed to write it, at least one.
    fn bits(&self) -> u32;

    /// The phase that it tells, if it is one.
    fn phase(&self) -> Option<Phase> {
        None
    }

    /// Makes a phase `by` earlier.
    fn rewind(&mut self, by: u64) {
        let _ = by;
    }
}

impl Field for Phase {
    #[inline]
    fn bits(&self) -> u32 {
        self.0.bits()
    }

    fn phase(&self) -> Option<Phase> {
        Some(*self)
    }

    fn rewind(&mut self, by: u64) {
        *self = self.rewound(by);
    }
}

impl Field for bool {
    #[inline]
    fn bits(&self) -> u32 {
        1
    }
}

impl Field for u64 {
    #[inline]
    fn bits(&self) -> u32 {
        let number = self | 1;
        if cfg!(all(target_arch = "x86_64", not(target_feature = "lzcnt"))) && number < 1 << f64::MANTISSA_DIGITS {
            // The exponent of a floating-point number counts digits too. Numbers this small are exact, and without an
            // instruction for leading zeros the exponent is faster.
            const BIAS: u64 = 1022;
            return ((number as i64 as f64).to_bits() >> (f64::MANTISSA_DIGITS - 1)) as u32 - BIAS as u32;
        }
        u64::BITS - number.leading_zeros()
    }
}

impl Field for Id {
    #[inline]
    fn bits(&self) -> u32 {
        self.0.bits()
    }
}

/// A list: its length, then its items.
impl Field for Vec<Id> {
    #[inline]
    fn bits(&self) -> u32 {
        (self.len() as u64).bits() + self.iter().map(Field::bits).sum::<u32>()
    }
}

/// The kinds of messages of an algorithm, written as the papers write them:
///
/// ```
/// use bellwether_core::{Id, Message, messages};
///
/// messages! {
///     /// What travels round the ring.
///     pub enum Msg {
///         /// A candidature.
///         Elect(id: Id) = "elect",
///         /// A probe that may still go `ttl` hops.
///         Probe(id: Id, ttl: u64) = "probe",
///         /// This node has won.
///         Announce(id: Id) = announce "announce",
///     }
/// }
///
/// let probe = Msg::Probe(Id(5), 4);
/// assert_eq!(probe.bits(), 2 + 3 + 3);
/// assert_eq!(Msg::kind_name(probe.kind()), "probe");
/// assert!(!Msg::is_announce(probe.kind()));
/// assert!(Msg::is_announce(Msg::Announce(Id(5)).kind()));
/// ```
///
/// The text is the kind's name in reports and traces. The word `announce` before it marks the kind that tells the
/// result. A module has at most one such block.
#[macro_export]
macro_rules! messages {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[$variant_meta:meta])* $variant:ident ( $($field:ident : $type:ty),* )
                = $($mark:ident)? $kind:literal ),+ $(,)?
        }
    ) => {
        use $crate::macros::serde as __serde_of_messages;

        $(#[$meta])*
        #[derive(
            Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            $crate::macros::serde::Serialize, $crate::macros::serde::Deserialize,
        )]
        #[serde(crate = "__serde_of_messages")]
        pub enum $name {
            $( $(#[$variant_meta])* #[serde(rename = $kind)] $variant($($type),*) ),+
        }

        impl $name {
            const KIND_NAMES: &'static [&'static str] = &[$($kind),+];
            const ANNOUNCES: &'static [bool] = &[$($crate::messages!(@is_announce $($mark)?)),+];
        }

        impl $crate::Message for $name {
            const KINDS: usize = Self::KIND_NAMES.len();

            fn kind_name(kind: usize) -> &'static str {
                Self::KIND_NAMES[kind]
            }

            #[inline]
            fn is_announce(kind: usize) -> bool {
                Self::ANNOUNCES[kind]
            }

            #[inline]
            fn kind(&self) -> usize {
                enum Kind { $($variant),+ }
                match self {
                    $( Self::$variant(..) => Kind::$variant as usize ),+
                }
            }

            #[inline]
            fn bits(&self) -> u32 {
                let tag = Self::KINDS.next_power_of_two().trailing_zeros();
                match self {
                    $( Self::$variant($($field),*) => tag $(+ $crate::Field::bits($field))* ),+
                }
            }

            fn phase(&self) -> Option<$crate::Phase> {
                match self {
                    $( Self::$variant($($field),*) => None $(.or_else(|| $crate::Field::phase($field)))* ),+
                }
            }

            fn rewind(&mut self, by: u64) {
                let _ = by;
                match self {
                    $( Self::$variant($($field),*) => { $($crate::Field::rewind($field, by);)* } ),+
                }
            }
        }
    };
    (@is_announce) => { false };
    (@is_announce announce) => { true };
}
