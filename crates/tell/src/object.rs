//! JSON objects that are written key by key.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// A JSON object that keeps its keys in order and its numbers exact.
#[derive(Clone, Debug, Default)]
pub struct Object(Vec<(&'static str, Box<RawValue>)>);

impl Object {
    /// Appends a key.
    ///
    /// # Panics
    /// If the value has no JSON form.
    pub fn put(&mut self, key: &'static str, value: &impl Serialize) {
        self.0.push((key, to_raw_value(value).expect("plain data has a JSON form")));
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<String> = self.0.iter().map(|(key, value)| format!("{key:?}:{value}")).collect();
        write!(f, "{{{}}}", fields.join(","))
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
