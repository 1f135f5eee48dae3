//! An election in a line: for people, and for programs.

use bellwether_console::style::{DIM, GOOD};
use bellwether_core::Id;
use bellwether_live::ring::Held;
use bellwether_tell::Object;
use bellwether_world::numbers::grouped;
use serde_json::{Map, Value, json};

/// An election for people.
pub fn human(election: u64, held: &Held) -> String {
    let traffic = &held.traffic;
    let kinds: Vec<String> = traffic.kinds.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
    let workers = match held.living {
        1 => "alone".into(),
        living => format!("known to all {} living workers", grouped(living as u64)),
    };
    let mut line = format!(
        "  {DIM}election {election}{DIM:#}  {GOOD}worker {} (id {}){GOOD:#} leads, {workers}; {} messages ({}) in {} \
         ms",
        held.leader,
        held.id,
        grouped(traffic.messages()),
        kinds.join(", "),
        grouped(held.time.as_millis()),
    );
    let more = [("attempts", held.attempts), ("skipped", traffic.skipped), ("retired", traffic.retired)];
    for (name, count) in more {
        if count > u64::from(name == "attempts") {
            line += &format!(", {count} {name}");
        }
    }
    line
}

/// An election in a short line, for the live view.
pub fn short(election: u64, held: &Held) -> String {
    let messages = held.traffic.messages();
    let mut line = format!(
        "election {election}: worker {} (id {}) leads; {} message{} in {} ms",
        held.leader,
        held.id,
        grouped(messages),
        if messages == 1 { "" } else { "s" },
        grouped(held.time.as_millis()),
    );
    if held.attempts > 1 {
        line += &format!(", {} attempts", held.attempts);
    }
    line
}

/// An election for programs; the keys are part of the interface.
pub fn json(election: u64, held: &Held, seed: u64, ids: &[Id]) -> Object {
    let mut object = Object::default();
    let mut put = |key: &'static str, value: Value| object.put(key, &value);
    let kinds = held.traffic.kinds.iter().map(|(name, count)| ((*name).to_string(), json!(count)));
    put("election", json!(election));
    put("number", json!(held.number));
    put("attempts", json!(held.attempts));
    put("leader", json!({"position": held.leader, "id": held.id}));
    put("initiators", json!(held.initiators));
    put("living", json!(held.living));
    put("messages", Value::Object(Map::from_iter(kinds)));
    put("skipped", json!(held.traffic.skipped));
    put("retired", json!(held.traffic.retired));
    put("milliseconds", json!(held.time.as_millis() as u64));
    put("seed", json!(seed));
    put("ids", json!(ids.iter().map(|id| id.0).collect::<Vec<_>>()));
    object
}
