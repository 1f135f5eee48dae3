//! The options in a file. Errors are explained in plain words, with the line and the key.

use std::path::Path;
use std::str::FromStr;

use bellwether_ask::read_text;
use bellwether_console::Here;
use bellwether_console::drawing::DrawArgs;
use bellwether_console::failure::Failure;
use clap::{Args, Command};
use serde::{Deserialize, Deserializer, de};
use toml::Value;

use crate::options::RingArgs;

/// The largest number of bytes in a file of options.
const LONGEST: u64 = 1 << 20;

/// The options that a file gives.
pub fn read(path: &Path) -> Result<RingArgs, Failure> {
    let text = read_text(&Here, path, Some(LONGEST))?;
    toml::from_str(&text).map_err(|error| {
        let reason = plain(error.message());
        let Some(span) = error.span() else { return Failure::file(path, reason) };
        let before = &text[..span.start.min(text.len())];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.matches('\n').count() + 1;
        let key = text[start..].lines().next().and_then(|line| line.split_once('=')).map(|(key, _)| key.trim());
        let key =
            key.filter(|key| known().contains(&(*key).to_string())).map_or(String::new(), |key| format!("{key}: "));
        Failure::file(path, format!("line {line}: {key}{reason}"))
    })
}

/// A value that is written as text.
pub fn from_text<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = String>,
{
    String::deserialize(deserializer)?.parse().map(Some).map_err(de::Error::custom)
}

/// A text, or a list of them.
pub fn from_texts<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = String>,
{
    let values = match Value::deserialize(deserializer)? {
        Value::Array(values) => values,
        value => vec![value],
    };
    let parse =
        |value: &Value| value.as_str().ok_or_else(|| "a text is wanted, or a list of texts".to_string())?.parse();
    values.iter().map(parse).collect::<Result<_, String>>().map_err(de::Error::custom)
}

/// What the parser says, for people that do not know its types.
fn plain(message: &str) -> String {
    let wanted =
        [("i64", "a whole number"), ("u64", "a whole number"), ("a boolean", "true or false"), ("string", "a text")];
    if let Some(key) = message.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next()) {
        return format!("there is no option {key}{}", hint(key));
    }
    for (kind, name) in wanted {
        if message.starts_with("invalid ") && message.ends_with(kind) {
            let limit = if kind == "u64" { ", 0 or more" } else { "" };
            return format!("{name} is wanted{limit}");
        }
    }
    message.trim_end().replace('\n', ", ")
}

/// The key that was meant, if one is like it.
fn hint(key: &str) -> String {
    let dashed = key.replace('_', "-");
    let short = options().get_arguments().find_map(|option| {
        let is_short = option.get_short().is_some_and(|short| short.to_string() == key);
        is_short.then(|| option.get_long().unwrap_or_default().to_string())
    });
    let likeness = |known: &String| strsim::jaro_winkler(known, &dashed);
    let likely = known().into_iter().filter(|known| likeness(known) > 0.8);
    let meant =
        short.filter(|long| long != "config").or_else(|| likely.max_by(|a, b| likeness(a).total_cmp(&likeness(b))));
    meant.map_or(String::new(), |meant| format!(": did you mean {meant}?"))
}

/// The keys that a file may have.
fn known() -> Vec<String> {
    let options = options();
    let pictures = DrawArgs::augment_args(Command::new("pictures"));
    let typed_only = |name: &str| name == "config" || pictures.get_arguments().any(|it| it.get_long() == Some(name));
    let long = options.get_arguments().filter_map(|option| option.get_long()).filter(|name| !typed_only(name));
    long.chain(["size"]).map(ToString::to_string).collect()
}

fn options() -> Command {
    RingArgs::augment_args(Command::new("ring"))
}
