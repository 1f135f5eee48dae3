//! What the lab answers.

mod hostile;
mod runs;
mod searches;
mod texts;

use bellwether_lab::{Limits, answer};
use serde_json::Value;

/// The answer of a lab on a machine of its own.
fn asked(request: &Value) -> Value {
    serde_json::from_str(&answer(&request.to_string(), &Limits::NATIVE)).unwrap()
}

/// The same, which must be fine.
fn fine(request: &Value) -> Value {
    let answer = asked(request);
    assert_eq!(answer["ok"], true, "{request}: {}", answer["error"]);
    answer
}

/// The kind of a refusal and what it says.
fn refused(request: &Value) -> (String, String) {
    let answer = asked(request);
    assert_eq!(answer["ok"], false, "{request}");
    let text = |key: &str| answer["error"][key].as_str().unwrap().to_string();
    (text("kind"), text("what"))
}
