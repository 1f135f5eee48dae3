//! Who starts, and when.

use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor, value::SeqAccessDeserializer};

use crate::Round;

/// The initiators of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Starters {
    /// Every process, in the first round.
    All,
    /// These processes in ascending order, each in its round.
    #[serde(untagged)]
    Some(Vec<(u32, Round)>),
}

impl Starters {
    /// These processes, in the first round.
    pub fn together(processes: impl IntoIterator<Item = u32>) -> Self {
        Self::Some(processes.into_iter().map(|process| (process, Round::FIRST)).collect())
    }

    /// The initiators among `nodes` processes, with their rounds, in ascending order.
    pub fn among(&self, processes: u32) -> impl Iterator<Item = (u32, Round)> + Clone {
        let (everybody, listed) = match self {
            Self::All => (0..processes, &[][..]),
            Self::Some(listed) => (0..0, &listed[..]),
        };
        everybody.map(|process| (process, Round::FIRST)).chain(listed.iter().copied())
    }

    /// In which round a process starts, if it does.
    #[must_use]
    pub fn round_of(&self, process: u32) -> Option<Round> {
        match self {
            Self::All => Some(Round::FIRST),
            Self::Some(listed) => listed.binary_search_by_key(&process, |&(node, _)| node).ok().map(|at| listed[at].1),
        }
    }

    /// The number of initiators among `nodes` processes.
    #[must_use]
    pub fn count(&self, processes: u32) -> u32 {
        match self {
            Self::All => processes,
            Self::Some(listed) => listed.len() as u32,
        }
    }

    /// Whether all of them start in the first round.
    #[must_use]
    pub fn are_together(&self) -> bool {
        match self {
            Self::All => true,
            Self::Some(listed) => listed.iter().all(|&(_, round)| round == Round::FIRST),
        }
    }
}

// By hand: serde's own way would look at the list before it knows its type, and so lose 128-bit rounds.
impl<'de> Deserialize<'de> for Starters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Starters;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("\"all\" or a list of [node, round]")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Starters, E> {
                if word == "all" {
                    Ok(Starters::All)
                } else {
                    Err(E::invalid_value(serde::de::Unexpected::Str(word), &self))
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Starters, A::Error> {
                Deserialize::deserialize(SeqAccessDeserializer::new(list)).map(Starters::Some)
            }
        }
        deserializer.deserialize_any(Form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_and_some_answer_alike() {
        let some = Starters::together([0, 1, 2]);
        assert!(some.among(3).eq(Starters::All.among(3)));
        assert_eq!((some.count(3), Starters::All.count(3)), (3, 3));
        assert_eq!((some.round_of(1), some.round_of(3)), (Some(Round::FIRST), None));
        let late = Starters::Some(vec![(0, Round(1)), (4, Round(9))]);
        assert!(some.are_together() && !late.are_together());
        assert_eq!(late.round_of(4), Some(Round(9)));
    }

    #[test]
    fn a_trace_writes_them_in_a_word_or_as_a_list() {
        let forms =
            [(Starters::All, "\"all\""), (Starters::Some(vec![(2, Round(1 << 70))]), "[[2,1180591620717411303424]]")];
        for (starters, text) in forms {
            assert_eq!(serde_json::to_string(&starters).unwrap(), text);
            assert_eq!(serde_json::from_str::<Starters>(text).unwrap(), starters);
        }
    }
}
