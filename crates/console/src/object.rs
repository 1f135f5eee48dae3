//! JSON as commands write it.

use std::fmt;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// A JSON object that keeps its keys in order and its numbers exact.
#[derive(Default)]
pub struct Object(Vec<(&'static str, Box<RawValue>)>);

impl Object {
    /// Appends a key.
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
