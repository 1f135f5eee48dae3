//! A run told in sentences, each with the rules that the step followed.

use std::collections::BTreeMap;

use bellwether_core::{Id, Info, Rule, Rulebook};
use bellwether_net::{Network, Node};
use serde_json::{Map, Value};

use crate::Scenario;
use crate::trace::{Event, Received, render};

/// The variable of a follower that holds the result. In the condition of a rule this word is a role.
const LEADER: &str = "leader";

/// Tells the events of a run, one after the other. It keeps the variables of all nodes, because the condition of a rule
/// is told with their values.
#[derive(Debug)]
pub struct Narrator {
    network: Network,
    ids: Option<Vec<Id>>,
    rulebook: Rulebook,
    states: BTreeMap<Node, Map<String, Value>>,
}

impl Narrator {
    /// Before the first event of a run of this algorithm.
    #[must_use]
    pub fn new(info: &Info, scenario: &Scenario) -> Self {
        let ids = (!info.is_anonymous()).then(|| scenario.ids.clone());
        Self { network: scenario.topology.clone(), ids, rulebook: Rulebook::of(info), states: BTreeMap::new() }
    }

    /// The event as a sentence: `node 1 (id 3) receives elect(5) from node 0, ...; follows rule 2a (5 > 3) [tid 5]`. In
    /// brackets stand the variables that change. What a rule does is told only if the step has no other effect:
    /// `follows rule 2b (2 < 3): swallow`.
    pub fn tell(&mut self, event: &Event) -> String {
        let mut text = event.sentence(&self.network, self.ids.as_deref());
        for (place, label) in event.rules.iter().enumerate() {
            text += if place == 0 { "; follows rule " } else { ", then " };
            text += &self.rule(label, event);
        }
        let changes: Vec<String> = event.state.iter().filter(|(name, _)| *name != "id").map(changed).collect();
        if !changes.is_empty() {
            text += &format!(" [{}]", changes.join(", "));
        }
        let state = self.states.entry(event.node).or_default();
        state.extend(event.state.clone());
        state.retain(|_, value| !value.is_null());
        text
    }

    /// A rule with the values that it met: `2a (5 > 3)`.
    fn rule(&self, label: &str, event: &Event) -> String {
        let Some(rule) = self.rulebook.rule(label) else { return label.into() };
        let mut values = self.arguments(rule, event);
        // Before its first step, a node has told nothing but its id.
        if let Some(id) = self.ids.as_ref().and_then(|ids| ids.get(event.node as usize)) {
            values.insert("id".into(), id.to_string());
        }
        let has_effect = !event.sent.is_empty() || event.role.is_some();
        let action = if has_effect { String::new() } else { with_values(&rule.action, &values) };
        for (name, value) in self.states.get(&event.node).into_iter().flatten().filter(|(name, _)| *name != LEADER) {
            values.entry(name.clone()).or_insert_with(|| render(value));
        }
        let condition = with_values(&rule.condition, &values);
        let mut text = label.to_string();
        if !["", "otherwise"].contains(&condition.as_str()) {
            text += &format!(" ({condition})");
        }
        if action.is_empty() { text } else { format!("{text}: {action}") }
    }

    /// What the names in `on token(t, path) at p` stand for, if one message of this kind was received. A variable with
    /// a value for each port has one there: `out(p)`.
    fn arguments(&self, rule: &Rule, event: &Event) -> BTreeMap<String, String> {
        let mut values = BTreeMap::new();
        let Some((kind, rest)) = rule.event.strip_prefix("on ").and_then(|rest| rest.split_once('(')) else {
            return values;
        };
        let Some((names, rest)) = rest.split_once(')') else { return values };
        let content = |received: &Received| received.msg.as_object().and_then(|object| object.get(kind)).cloned();
        let mut fitting = event.received.iter().filter_map(|received| Some((received, content(received)?)));
        let (Some((received, content)), None) = (fitting.next(), fitting.next()) else { return values };
        let content = match content {
            Value::Array(items) if names.contains(',') => items,
            one => vec![one],
        };
        values.extend(names.split(',').map(|name| name.trim().to_string()).zip(content.iter().map(render)));
        if let Some(port) = rest.strip_prefix(" at ") {
            let port = port.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            values.insert(port.into(), format!("node {}", self.network.printed_name(received.from)));
            for (name, value) in self.states.get(&event.node).into_iter().flatten() {
                let all = render(value);
                let item =
                    all.strip_prefix('[').and_then(|all| all.strip_suffix(']')?.split(", ").nth(received.port.index()));
                values.extend(item.map(|item| (format!("{name}({port})"), item.to_string())));
            }
        }
        values
    }
}

/// A variable that has changed, in words: `tid 5`, or `no tid` if it is gone.
#[must_use]
pub fn changed((name, value): (&String, &Value)) -> String {
    match value {
        Value::Null => format!("no {name}"),
        value => format!("{name} {}", render(value)),
    }
}

/// A text in which names have become their values.
fn with_values(text: &str, values: &BTreeMap<String, String>) -> String {
    let mut told = String::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let with_port = after.find(')').map_or(word, |close| &rest[..=end + close]);
        let (name, after) =
            if values.contains_key(with_port) { (with_port, &rest[with_port.len()..]) } else { (word, after) };
        told += values.get(name).map_or(name, String::as_str);
        let next = after.find(is_part).unwrap_or(after.len());
        told += &after[..next];
        rest = &after[next..];
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_become_values() {
        let values = [("j".to_string(), "5".to_string()), ("id".to_string(), "3".to_string())].into();
        assert_eq!(with_values("j > id, not just idle: send elect(j)", &values), "5 > 3, not just idle: send elect(5)");
    }

    #[test]
    fn a_variable_has_a_value_at_a_port() {
        let values = [("j", "5"), ("e", "node 1"), ("out", "[3, 4]"), ("out(e)", "4")];
        let values = values.map(|(name, value)| (name.to_string(), value.to_string())).into();
        assert_eq!(with_values("j > out(e), not timeout(e)", &values), "5 > 4, not timeout(node 1)");
    }
}
