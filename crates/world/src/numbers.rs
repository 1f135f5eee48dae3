//! Numbers for people and for programs.

use serde_json::{Value, json};

/// A number for people: whole, or with two digits after the point.
#[must_use]
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 && value < 1e15 {
        return grouped(value as u128);
    }
    if value >= 1e15 {
        return format!("{value:.3e}");
    }
    let hundredths = (value * 100.0).round() as u128;
    format!("{}.{:02}", grouped(hundredths / 100), hundredths % 100)
}

/// A whole number with its digits in groups of three.
#[must_use]
pub fn grouped(value: impl Into<u128>) -> String {
    let digits = value.into().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number for programs: an integer if it is whole.
#[must_use]
pub fn plain(value: f64) -> Value {
    if value.fract() == 0.0 && value < 1e15 { json!(value as u64) } else { json!(value) }
}
