//! Data whose JSON form is the text that is typed on a command line.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::Serializer;
use serde::de::{self, Deserializer, SeqAccess, Visitor};

/// Writes a value as its text.
pub(crate) fn serialize<S: Serializer, T: Display>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Reads a value from its text. A number is its own text.
pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(Text(PhantomData))
}

struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }
}

/// Makes a type's JSON form its text.
macro_rules! as_text {
    ($($name:ty),+ $(,)?) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::text::deserialize(deserializer)
            }
        }
    )+};
}
pub(crate) use as_text;

/// A value of another crate that may be left out.
pub(crate) mod option {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer, T: Display>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        super::deserialize(deserializer).map(Some)
    }
}

/// Reads values, or the only one.
pub(crate) fn list<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct List<T>(PhantomData<T>);
    impl<'de, T: FromStr<Err: Display>> Visitor<'de> for List<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text, or a list of texts")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<T>, E> {
            Text(PhantomData).visit_str(text).map(|value| vec![value])
        }

        fn visit_u64<E: de::Error>(self, number: u64) -> Result<Vec<T>, E> {
            Text(PhantomData).visit_u64(number).map(|value| vec![value])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
            let mut list = vec![];
            while let Some(item) = items.next_element::<String>()? {
                list.push(item.parse().map_err(de::Error::custom)?);
            }
            Ok(list)
        }
    }
    deserializer.deserialize_any(List(PhantomData))
}

/// Whether a value is the usual one, which goes without saying.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// One, where that is usual.
pub(crate) fn one<T: From<u8>>() -> T {
    1.into()
}

/// Whether it is one.
pub(crate) fn is_one<T: From<u8> + PartialEq>(value: &T) -> bool {
    *value == one()
}
