//! The line that repeats what was asked for: written from the data, and read back into it.
//!
//! A field is an option of the same name. A list is an option that is repeated, and `true` is an option without a
//! value. The algorithms stand first, without a name.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The fields that have no option name: algorithms, the size of a ring of workers, a network to look at, and a recorded
/// run.
const POSITIONAL: [&str; 5] = ["algorithm", "algorithms", "size", "network", "recorded"];

/// What says that the line alone is not enough.
const STANDARD_INPUT: &str = " # with the same standard input";

/// The line of a command.
///
/// # Panics
/// If the data is not a record of texts, numbers, flags and lists of those.
#[must_use]
pub fn write(command: &str, asked: &impl Serialize) -> String {
    extended(format!("bellwether {command}"), asked)
}

/// A line, with more that is asked.
///
/// # Panics
/// As above.
#[must_use]
pub fn extended(line: String, asked: &impl Serialize) -> String {
    let Ok(Value::Object(fields)) = serde_json::to_value(asked) else { panic!("what is asked is a record") };
    let mut words = vec![line];
    let (positional, options): (Vec<_>, Vec<_>) =
        fields.into_iter().partition(|(name, _)| POSITIONAL.contains(&&name[..]));
    positional.into_iter().for_each(|(_, value)| words.extend(items(value)));
    for (name, value) in options {
        match value {
            Value::Null | Value::Bool(false) => {}
            Value::Bool(true) => words.push(format!("--{name}")),
            value => items(value).for_each(|item| words.extend([format!("--{name}"), item])),
        }
    }
    words.join(" ")
}

/// The line, with a note if one of the files that are read is the standard input.
#[must_use]
pub(crate) fn with_files(line: String, files: &[Option<&Path>]) -> String {
    let reads_input = files.iter().flatten().any(|path| path.as_os_str() == "-");
    if reads_input { line + STANDARD_INPUT } else { line }
}

/// The words of a value.
fn items(value: Value) -> impl Iterator<Item = String> {
    let values = if let Value::Array(values) = value { values } else { vec![value] };
    values.into_iter().map(|value| if let Value::String(text) = value { quoted(&text) } else { value.to_string() })
}

/// Reads a line of a command that takes any number of algorithms; `None` if it is not one.
#[must_use]
pub fn read<T: DeserializeOwned>(command: &str, line: &str) -> Option<T> {
    let words = shlex::split(line)?;
    let mut words = words.iter().map(String::as_str).peekable();
    if (words.next(), words.next()) != (Some("bellwether"), Some(command)) {
        return None;
    }
    let mut algorithms = vec![];
    let mut fields = Map::new();
    while let Some(word) = words.next() {
        let Some(name) = word.strip_prefix("--") else {
            algorithms.push(Value::from(word));
            continue;
        };
        let value = words.next_if(|next| !next.starts_with("--")).map_or(Value::Bool(true), typed);
        match fields.get_mut(name) {
            None => _ = fields.insert(name.into(), value),
            Some(Value::Array(values)) => values.push(text_of(value)),
            Some(first) => *first = vec![text_of(first.take()), text_of(value)].into(),
        }
    }
    fields.insert("algorithms".into(), algorithms.into());
    serde_json::from_value(Value::Object(fields)).ok()
}

/// A number if that is written so, else a text.
fn typed(word: &str) -> Value {
    let number = word.parse::<u64>().ok().filter(|number| number.to_string() == word);
    number.map_or_else(|| word.into(), Value::from)
}

fn text_of(value: Value) -> Value {
    if value.is_number() { value.to_string().into() } else { value }
}

/// A word as a shell takes it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=,.:/@+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
