//! Elections: the same runs as the program's, and forks of them.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_lab::{Limits, answer};
use serde_json::{Value, json};

pub fn asked(request: &Value) -> Value {
    serde_json::from_str(&answer(&request.to_string(), &Limits::NATIVE)).unwrap()
}

#[test]
fn every_algorithm_runs() {
    for info in CATALOGUE {
        let answer = asked(&json!({"ask": "run", "election": {"algorithm": info.name}}));
        assert_eq!(answer["ok"], true, "{}: {answer}", info.name);
        assert_eq!(answer["report"]["ok"], true, "{}", info.name);
    }
}
