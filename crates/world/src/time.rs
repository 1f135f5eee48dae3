//! Points in time of a run.

use std::fmt;
use std::ops::Add;
use std::str::FromStr;

use bellwether_core::{Round, Span};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;

/// A moment: whole time units (or rounds) and millionths. It is written as a number, with a fraction only if needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    millionths: u128,
}

const UNIT: u128 = Span::UNIT.0 as u128;

impl Time {
    /// The beginning.
    pub const ZERO: Self = Self { millionths: 0 };
    /// A time after everything else.
    pub const END: Self = Self { millionths: u128::MAX };

    /// This many whole units after the beginning.
    #[must_use]
    pub const fn units(units: u128) -> Self {
        Self { millionths: units.saturating_mul(UNIT) }
    }

    /// This many whole units after this moment.
    #[must_use]
    pub const fn later_by(self, units: u128) -> Self {
        Self { millionths: self.millionths.saturating_add(Self::units(units).millionths) }
    }

    /// The moment of a round.
    #[must_use]
    pub const fn round(round: Round) -> Self {
        Self::units(round.0)
    }

    /// This long after the beginning.
    #[must_use]
    pub const fn after(span: Span) -> Self {
        Self { millionths: span.0 as u128 }
    }

    /// The number of units, if it is whole.
    #[must_use]
    pub const fn whole(self) -> Option<u128> {
        if self.millionths.is_multiple_of(UNIT) { Some(self.millionths / UNIT) } else { None }
    }

    /// The time since the beginning, if it fits into a span.
    #[must_use]
    pub fn as_span(self) -> Option<Span> {
        u64::try_from(self.millionths).ok().map(Span)
    }

    /// The time from this moment to a later one; `None` if that comes before.
    #[must_use]
    pub fn until(self, later: Self) -> Option<Span> {
        u64::try_from(later.millionths.checked_sub(self.millionths)?).ok().map(Span)
    }

    /// As an approximate number of units.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        self.millionths as f64 / UNIT as f64
    }
}

impl Add<Span> for Time {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self { millionths: self.millionths.saturating_add(span.0.into()) }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.millionths / UNIT, self.millionths % UNIT);
        if part == 0 {
            return f.pad(&whole.to_string());
        }
        f.pad(format!("{whole}.{part:06}").trim_end_matches('0'))
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u128>().ok());
        let millionths = || {
            let fraction = digits(part)?.filter(|_| part.len() <= 6)? * 10u128.pow(6 - part.len() as u32);
            digits(whole)??.checked_mul(UNIT)?.checked_add(fraction)
        };
        millionths().map(|millionths| Self { millionths }).ok_or_else(|| format!("'{text}' is not a time"))
    }
}

// As raw JSON text: a round number may need more digits than the number types of JSON libraries have.
impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_string()).map_err(ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer)?.get().parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_plain_number_and_comes_back_exactly() {
        let moments = [
            (Time::ZERO, "0"),
            (Time::units(7), "7"),
            (Time::after(Span(2_500_000)), "2.5"),
            (Time::after(Span(123_456_789_000_001)), "123456789.000001"),
            (Time::round(Round(36_893_488_147_419_103_230)), "36893488147419103230"),
        ];
        for (time, text) in moments {
            assert_eq!(time.to_string(), text);
            assert_eq!(serde_json::to_string(&time).unwrap(), text);
            assert_eq!(serde_json::from_str::<Time>(text).unwrap(), time);
        }
        for text in ["-1", "\"7\"", "1e3", "1.0000001", "null"] {
            assert!(serde_json::from_str::<Time>(text).is_err(), "{text}");
        }
    }
}
