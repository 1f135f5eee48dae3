//! What is typed in words of its own: ids, wake-ups, lengths of time.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use bellwether_core::{Round, Span};
use bellwether_net::size;
use bellwether_world::Time;
use bellwether_world::ids::Ids;

use crate::text::as_text;

as_text!(IdsFrom, Latency, Microseconds, Units, Wake);

/// A length of time, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units(pub Span);

impl FromStr for Units {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let short = || size(text).ok().map(|units| Time::units(units.into()));
        let time = text.parse::<Time>().ok().or_else(short);
        let span = time.and_then(Time::as_span).filter(|span| *span <= Span::units(1_000_000));
        span.map(Self).ok_or_else(|| "a number of time units from 0 to 1000000 is wanted, as in 1.5".into())
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Time::after(self.0).fmt(f)
    }
}

/// A real length of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Microseconds(pub u64);

/// Units of time, the largest first.
const UNITS: [(&str, u64); 5] = [("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1)];

impl Microseconds {
    /// The length of a time unit.
    ///
    /// # Errors
    /// If it is no time, or longer than an hour.
    pub fn unit(text: &str) -> Result<Self, String> {
        let unit = text.parse::<Self>()?.within_an_hour()?;
        if unit.0 == 0 { Err("a time unit takes some time".into()) } else { Ok(unit) }
    }

    /// The time, if it is short enough to wait for.
    fn within_an_hour(self) -> Result<Self, String> {
        if self.0 > UNITS[0].1 { Err(format!("{self} is too long: take at most 1h")) } else { Ok(self) }
    }
}

impl FromStr for Microseconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = UNITS.into_iter().find_map(|(unit, factor)| {
            let number: u64 = text.strip_suffix(unit)?.trim().parse().ok()?;
            number.checked_mul(factor)
        });
        parsed.map(Self).ok_or_else(|| {
            format!("'{text}' is not a time: a whole number of us, ms, s, m or h is wanted, as in 500us, 20ms or 2s")
        })
    }
}

impl fmt::Display for Microseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0ms");
        }
        let (unit, factor) = UNITS.iter().find(|(_, factor)| self.0.is_multiple_of(*factor)).expect("1 divides all");
        write!(f, "{}{unit}", self.0 / factor)
    }
}

/// How long messages are held up, at least and at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency(pub Microseconds, pub Microseconds);

impl FromStr for Latency {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let time = |text: &str| text.parse::<Microseconds>()?.within_an_hour();
        let Some((least, most)) = text.split_once("..") else { return time(text).map(|time| Self(time, time)) };
        let most_time = time(most)?;
        // In 1..5ms the unit is said once.
        let unit = most.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let bare = least.bytes().all(|digit| digit.is_ascii_digit());
        let least_time = if bare { time(&format!("{least}{unit}"))? } else { time(least)? };
        if least_time > most_time {
            return Err(format!("'{text}': the first must not be longer than the second"));
        }
        Ok(Self(least_time, most_time))
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == self.1 { self.0.fmt(f) } else { write!(f, "{}..{}", self.0, self.1) }
    }
}

/// Ids as they are typed: a file is read later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdsFrom {
    /// Everything but a file.
    Ids(Ids),
    /// `file:PATH`.
    File(PathBuf),
}

impl FromStr for IdsFrom {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("file:") {
            Some(path) => Ok(Self::File(path.into())),
            None => text.parse().map(Self::Ids),
        }
    }
}

impl fmt::Display for IdsFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ids(ids) => ids.fmt(f),
            Self::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}

/// `NODE@ROUND`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wake {
    /// The node that wakes up.
    pub node: String,
    /// When.
    pub round: Round,
}

impl FromStr for Wake {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.rsplit_once('@').and_then(|(node, round)| {
            let round = bellwether_net::size(round).ok().filter(|round| *round > 0)?;
            Some(Self { node: node.into(), round: Round(round.into()) })
        });
        parsed.ok_or("a wake-up is NODE@ROUND, as in 2@5; rounds are counted from 1".into())
    }
}

impl fmt::Display for Wake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.node, self.round)
    }
}

impl IdsFrom {
    /// The file from which ids are read.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        if let Self::File(path) = self { Some(path) } else { None }
    }

    /// Whether ids are drawn from the seed, as they usually are. Proved means are about such ids.
    #[must_use]
    pub fn are_drawn(ids: Option<&Self>) -> bool {
        matches!(ids, None | Some(Self::Ids(Ids::Random)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_in_the_largest_unit_that_is_exact() {
        let times = ["0ms", "10us", "250ms", "20s", "90s", "5m", "90m", "2h", "1500ms"];
        for text in times {
            assert_eq!(text.parse::<Microseconds>().unwrap().to_string(), text);
        }
        assert_eq!("120s".parse::<Microseconds>().unwrap().to_string(), "2m");
        for text in ["", "5", "1.5s", "-1s", "5d", "99999999999999h"] {
            assert!(text.parse::<Microseconds>().is_err(), "{text}");
        }
        assert!(
            "61m".parse::<Latency>().is_err() && Microseconds::unit("2h").is_err() && Microseconds::unit("0s").is_err()
        );
        assert_eq!("1..5ms".parse::<Latency>().unwrap().to_string(), "1ms..5ms");
    }
}
