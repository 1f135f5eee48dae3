//! Searches: what `check` and `exact` look at, and how much they may take.

use std::fmt;
use std::str::FromStr;

use bellwether_core::Info;
use bellwether_world::ids::Ids;
use bellwether_world::{Drift, Family, Freedom};
use serde::{Deserialize, Serialize};

use crate::text::{as_text, is_default};
use crate::{Asked, Environment, IdsFrom, Microseconds, Orders, Refusal, line};

as_text!(Bytes, LinkBehaviour);

/// Every interleaving.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Check {
    /// The configurations.
    #[serde(flatten)]
    pub asked: Asked,
    /// What links do.
    #[serde(default, skip_serializing_if = "is_default")]
    pub links: LinkBehaviour,
    /// At most this number of messages is lost.
    #[serde(default, skip_serializing_if = "is_default")]
    pub loss: u32,
    /// At most this number of nodes crashes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub crashes: u32,
    /// At most this number of nodes starts again.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restarts: u32,
    /// At most this number of nodes loses its disk.
    #[serde(default, skip_serializing_if = "is_default")]
    pub wipes: u32,
    /// At most this number of connections closes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub closes: u32,
    /// When timers go off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timers: TimerOrder,
    /// By how much clocks differ from true time, if timers keep their order; unless given, by what the algorithm is
    /// told.
    #[serde(default, skip_serializing_if = "is_default")]
    pub drift: Option<Drift>,
    /// The last epoch that is followed; 0 for all.
    #[serde(default, skip_serializing_if = "is_default")]
    pub epochs: u32,
    /// When initiators start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub starts: WhenStarted,
    /// Whether only one order is followed of moves that do not interfere.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reduction: Switch,
    /// How much it may take.
    #[serde(flatten)]
    pub budget: Budget,
    /// Whether only 64 bits of each state are kept.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fingerprints: bool,
    /// Whether every broken property is shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub all: bool,
}

impl Check {
    /// The line that repeats it.
    #[must_use]
    pub fn line(&self) -> String {
        line::with_files(line::write("check", self), &self.asked.files())
    }

    /// The configurations. If no ids were asked for, they are drawn.
    ///
    /// # Errors
    /// If there are none.
    pub fn family(&self, info: &'static Info, environment: &dyn Environment) -> Result<Family, Refusal> {
        self.asked.family(info, &Orders::These(IdsFrom::Ids(Ids::Random)), environment)
    }

    /// What the adversary may do.
    #[must_use]
    pub fn freedom(&self, family: &Family) -> Freedom {
        let told = family.info.drift(&family.settings).map(Drift::percent);
        let is_ordered = match self.timers {
            TimerOrder::Auto => told.is_some(),
            timers => timers == TimerOrder::Ordered,
        };
        Freedom {
            reorder: self.links.reorder,
            copies: self.links.copies,
            losses: self.loss,
            crashes: self.crashes,
            restarts: self.restarts,
            wipes: self.wipes,
            closes: self.closes,
            drift: is_ordered.then(|| self.drift.or(told).unwrap_or_default()),
            unreliable: self.links.unreliable,
            phases: self.epochs,
            hasty_timers: self.timers == TimerOrder::Any,
            starts_first: match self.starts {
                WhenStarted::Auto => family.info.perpetual,
                starts => starts == WhenStarted::First,
            },
        }
    }
}

/// Exact costs and odds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Exact {
    /// The configurations.
    #[serde(flatten)]
    pub asked: Asked,
    /// Which schedules.
    #[serde(default, skip_serializing_if = "is_default")]
    pub schedules: Schedules,
    /// How far the table of probabilities goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    /// How much it may take.
    #[serde(flatten)]
    pub budget: Budget,
}

impl Exact {
    /// The line that repeats it.
    #[must_use]
    pub fn line(&self) -> String {
        line::with_files(line::write("exact", self), &self.asked.files())
    }

    /// The configurations. If no ids were asked for, all orders are taken.
    ///
    /// # Errors
    /// If there are none.
    pub fn family(&self, info: &'static Info, environment: &dyn Environment) -> Result<Family, Refusal> {
        self.asked.family(info, &Orders::All, environment)
    }
}

/// How much a search may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The memory of the states.
    #[serde(default, skip_serializing_if = "is_default")]
    pub memory: Bytes,
    /// The time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Microseconds>,
}

/// A word out of a few.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }

        as_text!($name);

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(format!("'{text}' is none of {}", [$($word),+].join(", "))),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$variant => $word),+ })
            }
        }
    };
}

words! {
    /// When timers go off.
    TimerOrder {
        /// Ordered if the algorithm reckons with clocks that drift, else patient.
        #[default]
        Auto = "auto",
        /// When all is quiet.
        Patient = "patient",
        /// At any time.
        Any = "any",
        /// Of two, the one first that must by every clock.
        Ordered = "ordered",
    }
}

words! {
    /// When initiators start.
    WhenStarted {
        /// First if the algorithm never ends, else at any time.
        #[default]
        Auto = "auto",
        /// At any time.
        Any = "any",
        /// Before anything else.
        First = "first",
    }
}

words! {
    /// On or off.
    Switch {
        /// Yes.
        #[default]
        On = "on",
        /// No.
        Off = "off",
    }
}

words! {
    /// Which schedules are looked at.
    Schedules {
        /// One.
        Unit = "unit",
        /// All of them.
        All = "all",
        /// All, if they are few.
        #[default]
        Auto = "auto",
    }
}

/// What links may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkBehaviour {
    /// Messages may overtake each other.
    pub reorder: bool,
    /// This number of messages may arrive twice.
    pub copies: u32,
    /// Every message may be lost, repeated and overtaken, any number of times.
    pub unreliable: bool,
}

impl FromStr for LinkBehaviour {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut links = Self::default();
        for word in text.split(',') {
            let copies = word
                .strip_prefix("duplicate:")
                .map(|count| count.parse().ok().filter(|count| (1..=64).contains(count)));
            match (word, copies) {
                ("fifo", _) if text == "fifo" => {}
                ("unreliable", _) if text == "unreliable" => links.unreliable = true,
                ("reorder", _) => links.reorder = true,
                ("duplicate", _) if links.copies == 0 => links.copies = Freedom::ANY,
                (_, Some(Some(copies))) if links.copies == 0 => links.copies = copies,
                _ => {
                    return Err(format!(
                        "'{text}' is none of fifo, reorder, duplicate, duplicate:K with K from 1 to 64, unreliable, or \
                         two of them as in reorder,duplicate"
                    ));
                }
            }
        }
        Ok(links)
    }
}

impl fmt::Display for LinkBehaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let copies = match self.copies {
            0 => None,
            Freedom::ANY => Some("duplicate".into()),
            copies => Some(format!("duplicate:{copies}")),
        };
        let words: Vec<String> = self.reorder.then(|| "reorder".into()).into_iter().chain(copies).collect();
        f.write_str(&if self.unreliable {
            "unreliable".into()
        } else if words.is_empty() {
            "fifo".into()
        } else {
            words.join(",")
        })
    }
}

/// An amount of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl Default for Bytes {
    /// What most machines have.
    fn default() -> Self {
        Self(4 << 30)
    }
}

const UNITS: [(&str, u64); 3] = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)];

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = UNITS.iter().find_map(|(unit, factor)| {
            let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
            number.checked_mul(*factor).filter(|bytes| *bytes > 0)
        });
        parsed.map(Self).ok_or_else(|| {
            let number: u64 = text.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0);
            let example = if (1..=1024).contains(&number) { number } else { 8 };
            format!("'{text}' is no amount of memory: a whole number of K, M or G is wanted, as in {example}G")
        })
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, factor) = UNITS.iter().rev().find(|(_, factor)| self.0.is_multiple_of(*factor)).unwrap_or(&UNITS[0]);
        write!(f, "{}{unit}", self.0 / factor)
    }
}
