//! A part of a sweep, for several machines.

use std::fmt;
use std::str::FromStr;

/// One part of several. Part I of N has every N-th run, starting with the I-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of this part, from 1.
    pub index: u64,
    /// The number of parts.
    pub of: u64,
}

impl Shard {
    /// The only part.
    pub const WHOLE: Self = Self { index: 1, of: 1 };
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(index, of)| {
            let (index, of) = (index.parse().ok()?, of.parse::<u32>().ok()?);
            (1..=u64::from(of)).contains(&index).then_some(Self { index, of: of.into() })
        });
        parsed.ok_or_else(|| format!("'{text}' is no part: I/N is wanted, with I from 1 to N, as in 3/8"))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}
