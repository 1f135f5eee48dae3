//! The sizes of a sweep: a list, and ranges that double, multiply or step.

use std::fmt;
use std::str::FromStr;

use bellwether_net::size;

use crate::text::as_text;

as_text!(Sizes);

/// The largest number of sizes of a sweep. A range whose step was forgotten has more.
const MOST: usize = 10_000;

/// Numbers of nodes in ascending order, and how they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    text: String,
    /// Each once.
    pub nodes: Vec<u32>,
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut nodes = vec![];
        for piece in text.split(',') {
            extend(&mut nodes, piece)?;
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(Self { text: text.into(), nodes })
    }
}

/// How a range goes on.
enum Growth {
    Times(u32),
    Plus(u32),
}

impl Growth {
    fn next(&self, size: u32) -> Option<u32> {
        match self {
            Self::Times(factor) => size.checked_mul(*factor),
            Self::Plus(step) => size.checked_add(*step),
        }
    }
}

/// Adds a number or a range.
fn extend(nodes: &mut Vec<u32>, piece: &str) -> Result<(), String> {
    let form = || {
        format!(
            "'{piece}' is no size: take a number such as 1000, 1e3 or 1k, 16..256 (doubled each time), \
             10..1000x10 (ten times each) or 16..64:16 (16 more each), or a list of these"
        )
    };
    let small = |text: &str| size(text).ok().and_then(|number| u32::try_from(number).ok());
    let number = |text: &str| small(text).filter(|number| *number > 0).ok_or_else(form);
    let Some((first, rest)) = piece.split_once("..") else {
        nodes.push(number(piece)?);
        return Ok(());
    };
    let (last, pace) = match (rest.split_once('x'), rest.split_once(':')) {
        (Some((last, factor)), _) => (last, Growth::Times(number(factor)?)),
        (None, Some((last, step))) => (last, Growth::Plus(number(step)?)),
        (None, None) => (rest, Growth::Times(2)),
    };
    if matches!(pace, Growth::Times(1)) {
        return Err(format!("'{piece}': a factor is at least 2"));
    }
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        return Err(format!("'{piece}': the first size must not be larger than the last"));
    }
    for size in std::iter::successors(Some(first), |size| pace.next(*size)).take_while(|size| *size <= last) {
        if nodes.len() == MOST {
            return Err(format!("'{piece}' makes more than {MOST} sizes: take a larger step"));
        }
        nodes.push(size);
    }
    Ok(())
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_double_multiply_step_or_are_listed() {
        let sizes = |text: &str| text.parse::<Sizes>().map(|sizes| sizes.nodes);
        assert_eq!(sizes("16..256"), Ok(vec![16, 32, 64, 128, 256]));
        assert_eq!(sizes("3..20"), Ok(vec![3, 6, 12]));
        assert_eq!(sizes("10..1000x10"), Ok(vec![10, 100, 1000]));
        assert_eq!(sizes("1e3..1e5x10,2k"), Ok(vec![1000, 2000, 10_000, 100_000]));
        assert_eq!(sizes("16..64:16"), Ok(vec![16, 32, 48, 64]));
        assert_eq!(sizes("50,8,16..32,16"), Ok(vec![8, 16, 32, 50]));
        assert_eq!(sizes("3000000000..4294967295").map(|sizes| sizes.len()), Ok(1));
        for wrong in
            ["", "0", "a", "1..", "..5", "9..3", "1..9x1", "1..9:0", "1,,2", "1..1000000:1", "-4", "5000000000"]
        {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
    }
}
