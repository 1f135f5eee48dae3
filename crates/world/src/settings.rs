//! The parameters of an algorithm, as they are typed.

use bellwether_core::{Info, Meaning, Values};

/// Reads `NAME=VALUE` for an algorithm.
///
/// # Errors
/// If the algorithm has no such parameter, or the value is not allowed.
pub fn parse(info: &Info, text: &str) -> Result<(String, u64), String> {
    let (name, value) = text.split_once('=').ok_or(format!("'{text}' is not of the form NAME=VALUE"))?;
    let setting = find(info, name)?;
    if setting.meaning == Meaning::Size && value == "unknown" {
        return Err(format!(
            "{} ends when it has counted {name}, so it must be told a number; 'bellwether explain impossibility' shows \
             that no number does for all networks, and {name}=K tells a wrong one",
            info.name
        ));
    }
    let value = match setting.values {
        Values::AtLeast(_) | Values::Between(..) => {
            bellwether_net::size(value).map_err(|_| format!("{name} is a number, not '{value}'"))?
        }
        Values::OneOf(words) => match words.iter().position(|word| *word == value) {
            Some(index) => index as u64,
            None => return Err(format!("{name} is one of {}, not '{value}'", words.join(", "))),
        },
    };
    validate(info, name, value)?;
    Ok((name.into(), value))
}

/// A parameter as it is typed: `NAME=VALUE`.
#[must_use]
pub fn written(info: &Info, name: &str, value: u64) -> String {
    let words = find(info, name).ok().and_then(|setting| match setting.values {
        Values::AtLeast(_) | Values::Between(..) => None,
        Values::OneOf(words) => words.get(value as usize),
    });
    words.map_or_else(|| format!("{name}={value}"), |word| format!("{name}={word}"))
}

/// Checks that an algorithm has this parameter and allows this value.
///
/// # Errors
/// If not.
pub fn validate(info: &Info, name: &str, value: u64) -> Result<(), String> {
    match find(info, name)?.values {
        Values::AtLeast(least) if value < least => Err(format!("{name} is at least {least}, not {value}")),
        Values::OneOf(words) if value >= words.len() as u64 => Err(format!("{name} has no value number {value}")),
        Values::Between(least, most) if !(least..=most).contains(&value) => {
            Err(format!("{name} is a number from {least} to {most}, not {value}"))
        }
        Values::AtLeast(_) | Values::Between(..) | Values::OneOf(_) => Ok(()),
    }
}

fn find<'a>(info: &'a Info, name: &str) -> Result<&'a bellwether_core::Setting, String> {
    info.settings.iter().find(|setting| setting.name == name).ok_or_else(|| {
        let known: Vec<_> = info.settings.iter().map(|setting| setting.name).collect();
        let known = if known.is_empty() { "it has none".into() } else { format!("it has {}", known.join(", ")) };
        format!("{} has no parameter '{name}': {known}", info.name)
    })
}
